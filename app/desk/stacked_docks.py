"""Docks that stand below others: in a small window they are tabs beside those instead.

    roomy window                    low window
    palette  | map | script         palette  | map | script, odds (tabs)
    overview |     | odds           overview |     |

In a narrow window the overview is a tab beside the palette, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.qt_guard import later
from app.widgets.layout.dock_visibility import can_be_seen


class WindowRoom(NamedTuple):
    """The room for docks in a window."""

    is_narrow: bool
    """True if panels at both sides would leave the map less than half of the width."""

    is_low: bool
    """True if there is no height for two panels, one above the other."""


class StackedDocks(QObject):
    """Makes tabs of the docks that have no room below others, and undoes that."""

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        description_of: Callable[[str], Dock],
        parent: QObject,
    ) -> None:
        """Watch over the docks of the window ``frame``, see ``DockRoom`` for the parameters."""
        super().__init__(parent)
        self._frame = frame
        self._docks = docks
        self._description_of = description_of
        self._tab_names: list[str] = []
        """The docks that ``make_tabs`` has made tabs of."""

    def names_without_room(self, room: WindowRoom) -> set[str]:
        """Return the names of the docks that have no room below the ones above them."""
        names = set()
        for name in self._docks:
            if not self._name_above(name):
                continue
            # In a low window two docks at the right would have half of the height each, which is
            # too little for either.
            is_at_right = self._description_of(name).area == "right"
            if room.is_narrow or (room.is_low and is_at_right):
                names.add(name)
        return names

    def make_tabs(self, names: Set[str]) -> None:
        """Make these docks tabs behind the ones above them, unless the user has moved them."""
        for name, dock in self._docks.items():
            above = self._find_dock_above(name)
            if name not in names or above is None or dock.isFloating():
                continue
            if name not in self._tab_names:
                self._tab_names.append(name)
            is_hidden = dock.isHidden()
            self._frame.tabifyDockWidget(above, dock)
            dock.setHidden(is_hidden)  # Qt has shown it
            if not is_hidden:
                above.raise_()

    def undo_tabs_except(self, names: Set[str]) -> None:
        """Put the docks of which tabs were made below the others again, all but these."""
        for name in list(self._tab_names):
            if name in names:
                continue
            self._tab_names.remove(name)
            dock = self._docks[name]
            is_hidden = dock.isHidden()
            was_in_front = can_be_seen(dock)
            # Added anew to its area, a dock leaves the tabs and stands below the others there. One
            # that floats goes on floating, and stands there when it is put back.
            area = self._frame.dockWidgetArea(dock)
            self._frame.addDockWidget(area, dock, Qt.Orientation.Vertical)
            dock.setHidden(is_hidden)
            above = self._docks[self._name_above(name)]
            if was_in_front and not above.isHidden():
                above.raise_()  # else any of the tabs that are left would be in front
            self.share_height_soon(name)

    def share_height_soon(self, name: str) -> None:
        """Give a dock half of the height that it shares with the one that it is described below.

        Its panel may ask for less than the empty dock that Qt has laid out. At the left Qt's
        heights stay: the overview is as high as its picture.
        """
        name_above = self._description_of(name).below
        if name_above and name not in self._tab_names:
            docks = [self._docks[name_above], self._docks[name]]
            later(self, lambda: self._share_height(docks))

    def _share_height(self, docks: list[QDockWidget]) -> None:
        half = sum(dock.height() for dock in docks) // 2
        self._frame.resizeDocks(docks, [half, half], Qt.Orientation.Vertical)

    def _find_dock_above(self, name: str) -> QDockWidget | None:
        """Return the dock below which this one stands in a roomy window.

        None if it stands below none, or if the one above floats or is at another side.
        """
        name_above = self._name_above(name)
        if not name_above:
            return None
        above = self._docks[name_above]
        area = self._frame.dockWidgetArea(self._docks[name])
        if above.isFloating() or self._frame.dockWidgetArea(above) != area:
            return None
        return above

    def _name_above(self, name: str) -> str:
        """Return the name of the dock below which this one stands; "" if it stands below none.

        At the left no description says so: Qt itself puts docks of one side below each other, and
        the palette comes first.
        """
        description = self._description_of(name)
        if description.area != "left":
            return description.below
        left_names = [other for other in self._docks if self._description_of(other).area == "left"]
        if name == left_names[0]:
            return ""
        return left_names[0]
