"""Checking a script while it is being written: a moment after the last key, on another thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import Job
from randomizer.catalog import script_host
from randomizer.generator import NamedCells, Progress
from randomizer.model.problems import Problem

CHECK_DELAY_MS = 120
"""How long after the last keystroke a text is checked."""


class ToCheck(NamedTuple):
    """A script's text, its file name, and the path or name that its problems get."""

    text: str
    name: str
    place: str


class Checked(NamedTuple):
    """What was found: problems, and which cells the places of the text are about."""

    problems: tuple[Problem, ...] = ()
    named: tuple[NamedCells, ...] = ()


class ScriptChecker(QObject):
    """Keeps ``found`` up to date with a text. ``checked()``: it belongs to the text as it is now.

    Nothing is checked before ``start``: the language's parser is slow to load, and the window
    should be there first.
    """

    checked = Signal()

    def __init__(self, source: Callable[[], ToCheck], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._started = False
        self._job: Job | None = None
        self._asked: ToCheck | None = None
        self._fresh = False
        self.found = Checked()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._begin)

    @property
    def fresh(self) -> bool:
        """Whether ``found`` belongs to the text as it is now."""
        return self._fresh

    def start(self) -> None:
        """From now on texts are checked, the present one at once."""
        self._started = True
        self._timer.start(0)

    def text_changed(self, *, at_once: bool = False) -> None:
        """The text has changed: check it after a pause in typing (or at once)."""
        self._fresh = False
        if self._started:
            self._timer.start(0 if at_once else CHECK_DELAY_MS)

    def cells_at(self, line: int, column: int) -> frozenset[int]:
        """The cells that the narrowest place around a cursor is about; none while not fresh."""
        return self.cells_between((line, column), (line, column))

    def cells_between(self, start: tuple[int, int], end: tuple[int, int]) -> frozenset[int]:
        """The cells that a selected piece of the text is about, from one line and column to others.

        Those of all places that are wholly selected; else of the narrowest place around.
        """
        if not self._fresh:
            return frozenset()
        cells: frozenset[int] = frozenset()
        done = start
        for place in self.found.named if start < end else ():
            # A part stands behind the whole that it is a part of; the whole counts.
            if done <= (place.line, place.column) and (place.end_line, place.end_column) <= end:
                cells |= place.cells
                done = (place.end_line, place.end_column)
        if cells:
            return cells
        around = (
            place.cells
            for place in reversed(self.found.named)
            if place.holds(*start) and place.holds(*end)
        )
        return next(around, frozenset())

    def _begin(self) -> None:
        if self._job is not None:
            return  # its end begins the next one
        asked = self._asked = self._source()

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Checked:
            host = script_host(asked.name, asked.place)
            return Checked(host.check(asked.text, asked.place), host.named_cells(asked.text))

        self._job = Job(work)
        # Bound methods are disconnected if this object goes before the job ends.
        self._job.finished.connect(self._end)
        self._job.failed.connect(self._fail)
        self._job.start()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._end(Checked(problems))

    def _end(self, found: Checked) -> None:
        self._job = None
        if self._asked != self._source():
            if not self._timer.isActive():
                self._timer.start(0)
            return
        self._timer.stop()
        self._fresh = True
        self.found = found
        self.checked.emit()
