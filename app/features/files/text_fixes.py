"""Fixes files that cannot be read, in memory, where their problems come with fixes.

``FilesController`` asks ``can_fix`` about a file that it cannot open. If it is so, a ``FixDialog``
shows the errors; when the user accepts, its ``read_fixed`` gives the map. The file on the disk
stays as it is.
"""

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
    """Return the bytes of a file after the fixes of the errors in it.

    Problems of other files (``path`` is this one) and fixes of mere warnings are left out.
    """
    fixes = []
    for problem in problems:
        if problem.severity is Severity.ERROR and problem.path == path and problem.fix is not None:
            fixes.append(problem.fix)
    return apply_fixes(data.decode(encoding, "replace"), fixes).encode(encoding, "replace")


def can_fix(path: Path, problems: Sequence[Problem], map_format: Format) -> bool:
    """Return whether an error of this file, not of one that it includes, has a fix."""
    encoding = map_format.encoding
    if not encoding:
        return False
    try:
        data = read_map_file(path)
    except ProblemError:
        return False
    return fix_file(data, encoding, problems, str(path)) != data


class FixDialog(ProblemDialog):
    """Shows the errors of a file, with a button that accepts their fixes.

    Raises ProblemError, when it is made, if the file cannot be read any more.
    """

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
        """Fix and read until there is a map, or no fix any more; then errors are left.

        One round is not enough: behind an error that is fixed a reader can meet the next one.
        """
        data = self._data
        path = str(self._path)
        file_format = self._map_format
        result = read_checked(file_format, data, path)
        while result.battlemap is None:
            fixed_data = fix_file(data, file_format.encoding, result.problems, path)
            if fixed_data == data:
                break
            data = fixed_data
            result = read_checked(file_format, data, path)
        # No known file: what the file holds is not this map.
        return FileRead(result, known_file=None, map_format=file_format)
