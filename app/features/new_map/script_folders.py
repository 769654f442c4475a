"""The button that adds folders of scripts and games to the catalogue, and removes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton

from app.background.actions import run
from app.features.new_map.catalogue import use_folders
from app.qt_guard import connect
from app.settings import Settings
from app.widgets.dialogs.files import choose_folder
from app.widgets.layout.builders import described
from randomizer.model.grid.cell_words import escaped


class FoldersButton(QToolButton):
    """Adds a folder of scripts, a game or a mod; its menu removes those that were added."""

    folders_changed = Signal()
    """The catalogue looks into other folders from now on."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.setText("Add folder...")
        described(self, tip="Add a folder of scripts, a game or a mod to these scripts")
        self._settings = settings
        self.folders = QMenu(self)
        self.setMenu(self.folders)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        connect(self.clicked, self.begin_to_ask)
        connect(self.folders.aboutToShow, self._list_folders)

    def begin_to_ask(self) -> None:
        """Open the dialog that asks for a folder."""
        run(self.ask_folder())

    async def ask_folder(self) -> None:
        """Ask for a folder of scripts, a game or a mod, and use it."""
        start = self._settings.last_directory
        folder = await choose_folder(self, "Add a folder of scripts or a game", start)
        if folder is not None:
            folders = self._settings.script_folders
            self._use_folders(dict.fromkeys((folder, *folders)))

    def _list_folders(self) -> None:
        """Offer to remove each folder that was added."""
        self.folders.clear()
        folders = self._settings.script_folders
        for folder in folders:
            other_folders = tuple(path for path in folders if path != folder)
            action = self.folders.addAction(escaped(f"Remove {folder}"))
            connect(action.triggered, partial(self._use_folders, other_folders))
        if not folders:
            self.folders.addAction("No folder was added").setEnabled(False)

    def _use_folders(self, folders: Iterable[Path]) -> None:
        self._settings.script_folders = tuple(folders)
        use_folders(self._settings)
        self.folders_changed.emit()
