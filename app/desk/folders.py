"""What the program keeps on the disk: a table, and a page that shows where, and how large it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.background.background_value import BackgroundValue
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.builders import plain_label
from randomizer.storage.disk.backups import KEPT
from randomizer.storage.journal.drafts import DRAFTS
from randomizer.storage.journal.quarantine import QUARANTINE


class StoredFolder(NamedTuple):
    """A folder or file below the folder of the program's data, and what is in it."""

    name: str
    title: str
    contents: str


FOLDERS = (
    StoredFolder("journals", "Journals", "Each open map with every step, until it is closed."),
    StoredFolder(f"journals/{DRAFTS}", "Drafts", "Edits of scripts that were not saved."),
    StoredFolder(f"journals/{QUARANTINE}", "Quarantine", "Journals that could not be read."),
    StoredFolder("backups", "Backups", f"The last {KEPT} contents of each file saved over."),
    StoredFolder("thumbnails", "Thumbnails", "Pictures of scripts for New map; made again."),
    StoredFolder("sprites", "Drawn terrains", "For a quicker start; made again."),
)
"""Everything that the desk keeps beside the settings and the files that its user names."""

SETTINGS = "Settings"
CONTENTS = {each.title: each.contents for each in FOLDERS} | {SETTINGS: "Choices, recent files."}


def stored_paths(desk: Desk) -> dict[str, Path | None]:
    """Return by title where things are kept; None: nowhere."""
    data = None if desk.journals is None else desk.journals.parent
    return {SETTINGS: desk.settings.path} | {
        folder.title: data and data / folder.name for folder in FOLDERS
    }


class FoldersPage(QWidget):
    """A row for each, with its size, which a job finds out, and a button that shows it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        grid = QGridLayout(self)
        paths = stored_paths(desk)
        self.sizes: dict[str, QLabel] = {}
        for row, (title, path) in enumerate(paths.items()):
            text = plain_label(f"{title}: {CONTENTS[title]}\n{path or 'nowhere'}", wordWrap=True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setAccessibleName(title)
            self.sizes[title] = plain_label("...", alignment=Qt.AlignmentFlag.AlignRight)
            button = QPushButton("Look there", autoDefault=False)
            button.setAccessibleDescription(title)
            button.setToolTip("Nothing is kept")
            button.setEnabled(False)
            if path is not None and path.exists():
                existing_path = str(path if path.is_dir() else path.parent)
                connect(button.clicked, partial(_open, existing_path))
                button.setToolTip("Open it in the program for files")
                button.setEnabled(True)
            for column, widget in enumerate((text, self.sizes[title], button)):
                grid.addWidget(widget, row, column)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(len(paths), 1)
        sizes = BackgroundValue(lambda: paths, _measure, self)
        connect(sizes.computed, self._show_sizes)
        sizes.watch(True)

    def _show_sizes(self, sizes: dict[str, int]) -> None:
        for title, size in sizes.items():
            self.sizes[title].setText(f"{size / 1000:,.0f} kB")


def _open(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


def _measure(
    paths: dict[str, Path | None], _progress: object, cancelled: Callable[[], bool]
) -> dict[str, int]:
    """Return the bytes of the files in each; a file that has just gone counts nothing."""
    sizes = dict.fromkeys(paths, 0)
    for title, path in paths.items():
        if path is None or cancelled():
            continue
        inside = [Path(at) / name for at, _folders, names in os.walk(path) for name in names]
        for file in inside or [path]:
            with suppress(FileNotFoundError):
                sizes[title] += 0 if file.is_dir() else file.lstat().st_size
    return sizes
