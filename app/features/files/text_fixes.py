"""Opens a file with errors in its text after the errors were fixed in memory.

A problem may carry a *fix*: edits of the text that remove it. ``MapReader`` uses this module
for a file that it could not read:

    if can_fix(path, problems, map_format):
        dialog = FixDialog(path, problems, map_format, parent)  # shows the errors
        ...                                                     # the user presses "Fix and open"
        file_read = dialog.read_fixed()

The file on the disk stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.document.map_files import FileRead
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.map_file_reading import read_map_file
from randomizer.formats.checked import read_checked
from randomizer.formats.format import Format
from randomizer.model.problems import Problem, ProblemError, Severity, apply_fixes

MAX_ROUNDS = 100
"""So often a text is fixed and read again at most: two fixes could undo one another."""


def fix_file(data: bytes, encoding: str, problems: Iterable[Problem], path: str | None) -> bytes:
    """Return the bytes of a file after all fixes of its errors were applied to its text.

    ``path`` is the path of the file; None is that of problems without one. Fixes of warnings are
    not applied, nor are fixes of other files, such as one that this file includes. Bytes that are
    no text in ``encoding`` become replacement characters. If no error has a fix for the text, it
    comes back unchanged.
    """
    fixes = []
    for problem in problems:
        is_error_here = problem.severity is Severity.ERROR and problem.path == path
        if is_error_here and problem.fix is not None:
            fixes.append(problem.fix)
    text = data.decode(encoding, "replace")
    fixed_text = apply_fixes(text, fixes)
    if fixed_text == text:
        # Not encoded again: bytes that are no text would count as a change.
        return data
    return fixed_text.encode(encoding, "replace")


def can_fix(path: Path, problems: Sequence[Problem], map_format: Format) -> bool:
    """Return whether the fixes of a file's own errors would change its text.

    False for a format that is not a text, and for a file that cannot be read from the disk.
    """
    if not map_format.encoding:
        return False
    try:
        data = read_map_file(path)
    except ProblemError:
        return False
    # Comparing is safer than counting fixes: some change settings or things of a map instead.
    fixed_data = fix_file(data, map_format.encoding, problems, str(path))
    return fixed_data != data


class FixDialog(ProblemDialog):
    """Shows the errors of a file, with a button that accepts their fixes.

    The file is read when the dialog is made, which raises ProblemError if that fails.
    """

    def __init__(
        self, path: Path, problems: Sequence[Problem], map_format: Format, parent: QWidget
    ) -> None:
        super().__init__(f"Cannot open {path.name}", problems, parent)
        self._path = path
        self._map_format = map_format
        self._data = read_map_file(path)
        self._add_fix_button()

    def _add_fix_button(self) -> None:
        """Add "Fix and open" to the buttons that ``ProblemDialog`` has."""
        buttons = self.findChild(QDialogButtonBox)
        assert buttons is not None
        self.fix_button = buttons.addButton("&Fix and open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.fix_button.setToolTip("Fixes what can be fixed; the file itself stays as it is")
        self.fix_button.setDefault(True)
        connect(self.fix_button.clicked, self.accept)

    def read_fixed(self) -> FileRead:
        """Return the file as it is read after its errors were fixed.

        Fixing and reading take turns, since a reader that stops at an error meets the next one
        only after the first is fixed. This ends when there is a map. It also ends when the errors
        that are left have no fix, or after ``MAX_ROUNDS``: the result then has these errors and no
        map.
        """
        data = self._data
        path = str(self._path)
        map_format = self._map_format
        result = read_checked(map_format, data, path)
        for _round in range(MAX_ROUNDS):
            if result.battlemap is not None:
                break
            fixed_data = fix_file(data, map_format.encoding, result.problems, path)
            if fixed_data == data:
                break
            data = fixed_data
            result = read_checked(map_format, data, path)
        # The map is not what the file on the disk holds, so it must not count as saved there.
        return FileRead(result, known_file=None, map_format=map_format)
