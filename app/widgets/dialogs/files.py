"""Dialogs for files, folders and colours that an action awaits: they are opened, not executed.

    path = await choose_file(self, "Open a picture", folder, "Pictures (*.png)")
    if path is not None:
        ...

The window works on while such a dialog is open. After the answer the action has to look whether the
map that it was about is still open (``MapDocument.while_open``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QDialog, QFileDialog, QMessageBox, QWidget

from app.background.actions import answer
from app.widgets.dialogs.choice import ask
from app.widgets.layout.builders import plain_text


class ChosenFile(NamedTuple):
    """A file to be written."""

    path: Path
    """The file, with its suffix."""

    name_filter: str
    """The line of the file type that was chosen for it."""


async def choose_file(
    parent: QWidget | None, title: str, folder: str, name_filters: str = ""
) -> Path | None:
    """Return the file that a person chooses, None for Cancel.

    ``name_filters`` are the lines of file types as ``QFileDialog`` writes them, with ``;;`` between
    them.
    """
    dialog = QFileDialog(parent, title, folder, name_filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    paths = await _choose(dialog)
    if paths:
        return paths[0]
    return None


async def choose_files(
    parent: QWidget | None, title: str, folder: str, name_filters: str = ""
) -> list[Path]:
    """Return the files that a person chooses, none for Cancel."""
    dialog = QFileDialog(parent, title, folder, name_filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    return await _choose(dialog)


async def choose_folder(parent: QWidget | None, title: str, folder: str) -> Path | None:
    """Return the folder that a person chooses, None for Cancel."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    paths = await _choose(dialog)
    if paths:
        return paths[0]
    return None


async def choose_file_to_write(
    parent: QWidget | None,
    title: str,
    start: Path,
    name_filters: str = "",
    *,
    first_filter: str = "",
    suffix_of: Callable[[str], str] | None = None,
) -> ChosenFile | None:
    """Return the file that a person chooses for writing, None for Cancel.

    ``start`` is the file that stands in the dialog at first. ``suffix_of`` returns the suffix for
    the line of a file type: a name without a suffix gets it (None: it gets none). If there is a
    file of the whole name, the user is asked whether to replace it; after the answer No the dialog
    is opened again.
    """
    name_filter = first_filter
    while True:
        dialog = QFileDialog(parent, title, str(start.parent), name_filters)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # Qt would ask in its own loop
        if name_filter:
            dialog.selectNameFilter(name_filter)
        dialog.selectFile(start.name)
        paths = await _choose(dialog)
        if not paths:
            return None
        path = paths[0]
        name_filter = dialog.selectedNameFilter()
        if not path.suffix and suffix_of is not None:
            path = path.with_name(path.name + suffix_of(name_filter))
        if not path.exists() or await _may_replace(parent, path):
            return ChosenFile(path, name_filter)
        start = path  # the dialog opens again, with the name that the user has just given


async def choose_colour(parent: QWidget | None, colour: QColor, title: str = "") -> QColor | None:
    """Return the colour that a person chooses, None for Cancel; ``colour`` is chosen at first."""
    dialog = QColorDialog(colour, parent)
    if title:
        dialog.setWindowTitle(title)
    code = await answer(dialog)
    if code == QDialog.DialogCode.Accepted:
        return dialog.selectedColor()
    return None


async def _choose(dialog: QFileDialog) -> list[Path]:
    """Open a dialog of files; return the chosen ones, none for Cancel."""
    code = await answer(dialog)
    if code != QDialog.DialogCode.Accepted:
        return []
    return [Path(name) for name in dialog.selectedFiles()]


async def _may_replace(parent: QWidget | None, path: Path) -> bool:
    """Ask whether to replace an existing file, and return the answer."""
    buttons = QMessageBox.StandardButton
    box = QMessageBox(
        QMessageBox.Icon.Question,
        "Replace the file?",
        plain_text(f"{path.name} is there already. Replace it?"),
        buttons.Yes | buttons.No,
        parent,
    )
    box.setDefaultButton(buttons.No)  # two presses of Enter in a row are not to lose a file
    code = await ask(box)
    return code == buttons.Yes.value
