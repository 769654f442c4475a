"""Files that cannot be read, but whose problems have fixes: they are fixed in memory and opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.document.map_files import FileRead
from app.qt_guard import connect
from app.widgets.problem_dialog import ProblemDialog
from randomizer.catalog import read_map_file
from randomizer.formats import Format, read_checked
from randomizer.model.problems import Fix, Problem, ProblemError, Severity, apply_fix


def apply_fixes(data: bytes, encoding: str, problems: Iterable[Problem], path: str | None) -> bytes:
    """The bytes of a file after the likeliest fix of each error in it, from the end to the start.

    Fixes of other files, and those that meet one that is done, are left out.
    """
    text = data.decode(encoding, "replace")
    first: tuple[int, int] | None = None
    for edits, fix in sorted(_fixes(problems, path), key=lambda pair: pair[0], reverse=True):
        if first is None or edits[-1] <= first:
            text = apply_fix(text, fix)
            first = edits[0]
    return text.encode(encoding, "replace")


def _fixes(
    problems: Iterable[Problem], path: str | None
) -> Iterator[tuple[tuple[tuple[int, int], tuple[int, int]], Fix]]:
    """Each fix of an error of a file, with the places where its edits begin and end."""
    for problem in problems:
        fix = problem.fix
        if problem.severity is Severity.ERROR and problem.path == path and fix and fix.edits:
            starts = min((edit.line, edit.column) for edit in fix.edits)
            ends = max((edit.end_line, edit.end_column) for edit in fix.edits)
            yield (starts, ends), fix


def can_fix(path: Path, problems: Sequence[Problem], map_format: Format) -> bool:
    """Return whether an error of this file (not of one that it includes) has a fix."""
    encoding = map_format.encoding
    if not encoding:
        return False
    try:
        data = read_map_file(path)
    except ProblemError:
        return False
    return apply_fixes(data, encoding, problems, str(path)) != data


class FixDialog(ProblemDialog):
    """The errors of a file, and a button that fixes them and reads it again.

    ``fixed(FileRead)``: it was read after that, perhaps with other errors.
    """

    fixed = Signal(object)

    def __init__(
        self, path: Path, problems: Sequence[Problem], map_format: Format, parent: QWidget
    ) -> None:
        super().__init__(f"Cannot open {path.name}", problems, parent)
        self._path = path
        self._map_format = map_format
        self._data = read_map_file(path)
        buttons = self.findChild(QDialogButtonBox)
        assert buttons is not None
        self.fix_button = buttons.addButton("&Fix and open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.fix_button.setToolTip("Fixes what can be fixed; the file itself stays as it is")
        self.fix_button.setDefault(True)
        self._problems = problems
        connect(self.fix_button.clicked, self._fix)

    def _fix(self) -> None:
        """Fix and read until there are no fixes any more."""
        self.accept()
        data = self._data
        where = str(self._path)
        file_format = self._map_format
        result = read_checked(file_format, data, where)
        while result.battlemap is None:
            better = apply_fixes(data, file_format.encoding, result.problems, where)
            if better == data:
                break
            data = better
            result = read_checked(file_format, data, where)
        self.fixed.emit(FileRead(result, None, file_format))
