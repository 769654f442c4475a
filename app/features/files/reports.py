"""Collects what is wrong with files that are opened together, and tells it when all were read.

reports = Reports(frame)
reports.add(PROBLEMS_IN, Path("isle.tmx"), problems)
reports.show()                      # a dialog "Problems in isle.tmx"; none without problems
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.problems import Problem

CANNOT_OPEN = "Cannot open"
"""The heading of the problems of a file that was not opened."""

PROBLEMS_IN = "Problems in"
"""The heading of the problems of a file that was opened all the same."""

BACKUP_NAME = Path("the backup")
"""What a backup is called in headings: the name of its own file means nothing to a user."""


class _Report(NamedTuple):
    """The problems of one file."""

    heading: str
    """What stands before the name of the file, such as ``CANNOT_OPEN``."""

    path: Path
    problems: Sequence[Problem]


class Reports:
    """Collects the problems of files until a dialog shows them all."""

    def __init__(self, frame: QWidget) -> None:
        self._frame = frame
        self._reports: list[_Report] = []

    def add(self, heading: str, path: Path, problems: Sequence[Problem]) -> None:
        """Note the problems of a file; the name of the file is added to the heading."""
        self._reports.append(_Report(heading, path, problems))

    def show(self) -> None:
        """Open a dialog with all problems, if there are any."""
        if not self._reports:
            return
        if len(self._reports) == 1:
            report = self._reports[0]
            heading = f"{report.heading} {report.path.name}"
        else:
            heading = f"Problems in {len(self._reports)} files"
        located_problems: list[Problem] = []
        for report in self._reports:
            for problem in report.problems:
                path = problem.path or str(report.path)
                located_problems.append(problem.at_path(path))
        show_problems(self._frame, heading, located_problems)
