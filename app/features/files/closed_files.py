"""Remembers the files of maps that were closed, so that they can be opened again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect

MAX_CLOSED = 20
"""So many closed maps are remembered, and can be opened again."""


class ClosedFiles(QObject):
    """Remembers the files of maps that were closed, and opens them again, the last one first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._closed_paths: list[Path] = []
        """The files of closed maps, the last closed one last."""
        self._open_maps = desk.document.maps
        """The maps that were open when this last looked."""
        connect(desk.document.maps_changed, self._remember_closed)

    def _remember_closed(self) -> None:
        """Note the files of maps that were open and are not any more."""
        maps = self._desk.document.maps
        for open_map in self._open_maps:
            if open_map not in maps and open_map.path is not None:
                self._closed_paths = [*self._closed_paths, open_map.path][-MAX_CLOSED:]
        self._open_maps = maps

    def reopen(self) -> None:
        """Open the file of the map that was closed last."""
        if self._closed_paths:
            self._desk.files.open_path(self._closed_paths.pop())
        else:
            self._desk.say("No map with a file was closed yet.")
