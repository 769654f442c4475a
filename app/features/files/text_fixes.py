"""Files that cannot be read, but whose problems have fixes: they are fixed in memory and opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.document.map_files import FileRead
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.file_kinds import read_map_file
from randomizer.formats import Format, read_checked
from randomizer.model.problems import Problem, ProblemError, Severity, apply_fixes


def fix_file(data: bytes, encoding: str, problems: Iterable[Problem], path: str | None) -> bytes:
    """Return the bytes of a file after the likeliest fix of each error in it.

    Fixes of other files are left out.
    """
    fixes = []
    for problem in problems:
        if problem.severity is Severity.ERROR and problem.path == path and problem.fix is not None:
            fixes.append(problem.fix)
    return apply_fixes(data.decode(encoding, "replace"), fixes).encode(encoding, "replace")


def can_fix(path: Path, problems: Sequence[Problem], map_format: Format) -> bool:
    """Return whether an error of this file (not of one that it includes) has a fix."""
    encoding = map_format.encoding
    if not encoding:
        return False
    try:
        data = read_map_file(path)
    except ProblemError:
        return False
    return fix_file(data, encoding, problems, str(path)) != data


class FixDialog(ProblemDialog):
    """The errors of a file, and a button that accepts their fixes (``read_fixed``)."""

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
        connect(self.fix_button.clicked, self.accept)

    def read_fixed(self) -> FileRead:
        """Fix and read until there are no fixes any more; other errors may be left."""
        data = self._data
        where = str(self._path)
        file_format = self._map_format
        result = read_checked(file_format, data, where)
        while result.battlemap is None:
            better = fix_file(data, file_format.encoding, result.problems, where)
            if better == data:
                break
            data = better
            result = read_checked(file_format, data, where)
        return FileRead(result, None, file_format)
