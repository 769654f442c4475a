"""A page that lists what the program stores on the disk, with folders and sizes.

    Journals: Each open map with every step, until it is closed.     12 kB  [Open folder]
    /home/ada/.local/share/battlelands/journals

``FOLDERS`` is the table of all that is stored; the page has a row for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QToolTip, QWidget

from app.background.background_value import BackgroundValue
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.builders import plain_label
from randomizer.storage.disk.backups import MAX_BACKUPS
from randomizer.storage.journal.drafts import DRAFTS
from randomizer.storage.journal.quarantine import QUARANTINE


class StoredFolder(NamedTuple):
    """A folder or file below the folder of the program's data."""

    name: str
    """Its path below that folder."""

    title: str
    """What the user reads as its name."""

    contents: str
    """A sentence for the user about what is in it."""


FOLDERS = (
    StoredFolder("journals", "Journals", "Each open map with every step, until it is closed."),
    StoredFolder(f"journals/{DRAFTS}", "Drafts", "Edits of scripts that were not saved."),
    StoredFolder(f"journals/{QUARANTINE}", "Quarantine", "Journals that could not be read."),
    StoredFolder("backups", "Backups", f"The last {MAX_BACKUPS} contents of each file saved over."),
    StoredFolder("thumbnails", "Thumbnails", "Pictures of scripts for New map; made again."),
    StoredFolder("sprites", "Drawn terrains", "For a quicker start; made again."),
)
"""Everything that the desk keeps beside the settings and the files that its user names."""

SETTINGS = "Settings"
"""The title of the file of settings, which need not be in the folder of the program's data."""

CONTENTS = {
    SETTINGS: "Choices, recent files.",
    **{folder.title: folder.contents for folder in FOLDERS},
}
"""Sentences for the user about what is stored, by the titles of the rows of the page."""


def stored_paths(desk: Desk) -> dict[str, Path | None]:
    """Return the paths of the settings and of all ``FOLDERS`` by title.

    A path is None where nothing is stored, as in a window without journals.
    """
    paths: dict[str, Path | None] = {SETTINGS: desk.settings.path}
    for folder in FOLDERS:
        paths[folder.title] = desk.data_path(folder.name)
    return paths


class FoldersPage(QWidget):
    """Has a row for each stored folder: its path, its size, and a button that opens it.

    The sizes come later: a job computes them, as a folder may have thousands of files.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        grid = QGridLayout(self)
        paths = stored_paths(desk)
        self.size_labels: dict[str, QLabel] = {}
        """The labels with the sizes by title."""
        for row, (title, path) in enumerate(paths.items()):
            self.size_labels[title] = plain_label("...", alignment=Qt.AlignmentFlag.AlignRight)
            grid.addWidget(_path_label(title, path), row, 0)
            grid.addWidget(self.size_labels[title], row, 1)
            grid.addWidget(_open_button(title, path), row, 2)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(len(paths), 1)
        # What is measured, the work of the job, and its parent.
        measurement = BackgroundValue(lambda: paths, _measure, self)
        connect(measurement.computed, self._show_sizes)
        measurement.watch()

    def _show_sizes(self, sizes: dict[str, int]) -> None:
        """Show the bytes at each path, by title; 0 where nothing is stored."""
        for title, size in sizes.items():
            self.size_labels[title].setText(f"{size / 1000:,.0f} kB")


def _path_label(title: str, path: Path | None) -> QLabel:
    """Return the label with the title, the contents and the path, which can be copied."""
    path_text = "nowhere"
    if path is not None:
        path_text = str(path)
    label = plain_label(f"{title}: {CONTENTS[title]}\n{path_text}", wordWrap=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setAccessibleName(title)
    return label


def _open_button(title: str, path: Path | None) -> QPushButton:
    """Return the button that opens a folder, or the folder of a file.

    It is disabled if the folder or file does not exist yet.
    """
    button = QPushButton("Open folder", autoDefault=False)
    button.setAccessibleDescription(title)
    if path is None or not path.exists():
        button.setToolTip("Nothing is stored yet")
        button.setEnabled(False)
        return button
    connect(button.clicked, partial(_open, path, button))
    button.setToolTip("Open it in your program for files")
    return button


def _open(path: Path, button: QPushButton) -> None:
    """Open a folder, or the folder of a file, in the program for files of the user's system.

    If it was deleted since the page was shown, the nearest folder above it is opened. If no program
    opens folders, a tool tip at the button says so.
    """
    folder = next(folder for folder in (path, *path.parents) if folder.is_dir())
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        middle = button.mapToGlobal(button.rect().center())
        QToolTip.showText(middle, "No program opens folders here: the path can be copied", button)


def _measure(
    paths: dict[str, Path | None], _progress: object, cancelled: Callable[[], bool]
) -> dict[str, int]:
    """Return the bytes stored at each of ``paths``, by title; those below folders are added up.

    A folder that has a row of its own does not count in that of the folder around it. Neither does
    a file that is deleted meanwhile, or cannot be looked at.
    """
    own_rows = {path for path in paths.values() if path is not None}
    sizes = dict.fromkeys(paths, 0)
    for title, path in paths.items():
        if path is None or cancelled():
            continue
        for file in _files_at(path, without=own_rows - {path}):
            with suppress(OSError):
                sizes[title] += file.lstat().st_size
    return sizes


def _files_at(path: Path, without: set[Path]) -> list[Path]:
    """Return all files below a folder, or the path of a file itself; [] if there is nothing.

    Those below the folders ``without`` are left out.
    """
    if path.is_file():
        return [path]
    files = []
    for folder_path, folder_names, names in os.walk(path):
        folder = Path(folder_path)
        # ``os.walk`` goes on into the folders that are left in this list.
        folder_names[:] = [name for name in folder_names if folder / name not in without]
        files += [folder / name for name in names]
    return files
