"""The open maps as tabs: go from one to the next, open again what was closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect

if TYPE_CHECKING:
    from pathlib import Path

    from app.desk.desk import Desk

REMEMBERED = 20
"""So many closed maps can be opened again."""


class Tabs(QObject):
    """Goes from tab to tab, and remembers which files were closed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._closed: list[Path] = []
        self._open = desk.document.maps
        connect(desk.document.maps_changed, self._remember_closed)

    def _remember_closed(self) -> None:
        now = self._desk.document.maps
        for open_map in self._open:
            if open_map not in now and open_map.path is not None:
                self._closed = [*self._closed, open_map.path][-REMEMBERED:]
        self._open = now

    def reopen(self) -> None:
        """Open the file of the map that was closed last."""
        if self._closed:
            self._desk.files.open_path(self._closed.pop())
        else:
            self._desk.say("No map with a file was closed yet.")

    def go(self, steps: int) -> None:
        """Make the map the current one whose tab is ``steps`` to the right, around the end."""
        document = self._desk.document
        index = document.maps.index(document.current_map) + steps
        document.make_current(document.maps[index % len(document.maps)])
