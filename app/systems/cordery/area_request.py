"""Asks the user for an area, which is clicked on the map: ``AreaRequest``.

    request = AreaRequest(desk, "Hill 2 at: click its area ...", parent)
    request.chosen      # emitted with "0304", the name of the area
    request.ended       # emitted after it, or if the user chooses none

A request ends with the click, with Escape, or when the map changes. Then it is of no more use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.canvas.area_pick import NO_CELL, AreaPick
from app.qt_guard import connect
from app.systems.cordery.log_controller import area_name

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.edits.edit import Region


class AreaRequest(QObject):
    """One request for an area; it begins when it is made."""

    chosen = Signal(str)
    """(name): the area that the user has clicked, such as "0304"."""

    ended = Signal()
    """The request is over, with an area or without."""

    def __init__(self, desk: Desk, text: str, parent: QObject) -> None:
        """``text`` is shown in the status line until the request ends."""
        super().__init__(parent)
        self._desk = desk
        self._pick = AreaPick(desk.canvas, self)
        connect(self._pick.picked, self._end)
        connect(desk.document.map_replaced, self.cancel)
        connect(desk.document.changed, self._on_map_changed)
        desk.say(text[:1].upper() + text[1:])
        self._pick.begin()

    def cancel(self) -> None:
        """End the request without an area."""
        self._pick.cancel()

    def _on_map_changed(self, _region: Region) -> None:
        self.cancel()

    def _end(self, cell: int) -> None:
        """End the request with the area of a cell; ``NO_CELL`` if none was clicked."""
        self._desk.say("")  # the text is out of date
        if cell != NO_CELL:
            self.chosen.emit(area_name(self._desk, cell))
        self.ended.emit()
        self.deleteLater()
