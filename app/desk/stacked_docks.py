"""Docks that stand below others: in a small window they are tabs beside those instead.

    roomy window            low window

    palette | map | script  palette | map | script, odds (tabs)
            |     | odds

``StackedDocks.fit`` is called with each size of the window, and makes tabs or undoes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.qt_guard import later
from app.widgets.layout.dock_visibility import can_be_seen


class StackedDocks(QObject):
    """Makes tabs of the docks that stand below others, and puts them below those again.

    In a low window these are the docks at the right (``Dock.below``): half of the height is too
    little for either. In a narrow one the docks at the left, which stand below the palette, are
    tabs, too.
    """

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        row_of: Callable[[str], Dock],
        parent: QObject,
    ) -> None:
        """Watch over the docks of the window ``frame``, see ``DockRoom`` for the parameters."""
        super().__init__(parent)
        self._frame = frame
        self._docks = docks
        self._row_of = row_of
        self._tab_names: list[str] = []
        """The docks that are tabs now and stand below others in a roomy window."""

    def make_tabs(self, *, is_narrow: bool, is_low: bool) -> None:
        """Make tabs of the docks that have no room below others, each behind the one above it."""
        for name, dock in self._docks.items():
            above = self._find_dock_above(name)
            is_tab = self._is_tab(name, is_narrow=is_narrow, is_low=is_low)
            if above is None or dock.isFloating() or not is_tab:
                continue
            if name not in self._tab_names:
                self._tab_names.append(name)
            is_hidden = dock.isHidden()
            self._frame.tabifyDockWidget(above, dock)
            dock.setHidden(is_hidden)  # Qt has shown it
            if not is_hidden:
                above.raise_()

    def undo_tabs(self, *, is_narrow: bool, is_low: bool) -> None:
        """Put the docks that became tabs below the others again, where there is room now."""
        for name in list(self._tab_names):
            if self._is_tab(name, is_narrow=is_narrow, is_low=is_low):
                continue
            self._tab_names.remove(name)
            dock = self._docks[name]
            is_hidden = dock.isHidden()
            area = self._frame.dockWidgetArea(dock)
            was_in_front = can_be_seen(dock)
            # Added anew to its area, a dock leaves the tabs and stands below the others there.
            self._frame.addDockWidget(area, dock, Qt.Orientation.Vertical)
            dock.setHidden(is_hidden)
            name_above = self._row_of(name).below
            if was_in_front and name_above and not self._docks[name_above].isHidden():
                # Without this any of the tabs that are left would be in front.
                self._docks[name_above].raise_()
            self.share_height_soon(name)

    def share_height_soon(self, name: str) -> None:
        """Give a dock half of the height that it shares with the one above it, if there is one.

        Its panel may ask for less than the empty dock that Qt has laid out.
        """
        name_above = self._row_of(name).below
        if name_above and name not in self._tab_names:
            docks = [self._docks[name_above], self._docks[name]]
            later(self, lambda: self._share_height(docks))

    def _share_height(self, docks: list[QDockWidget]) -> None:
        half = sum(dock.height() for dock in docks) // 2
        self._frame.resizeDocks(docks, [half, half], Qt.Orientation.Vertical)

    def _is_tab(self, name: str, *, is_narrow: bool, is_low: bool) -> bool:
        """Return whether a dock that stands below another is a tab in a window of this size."""
        return is_narrow or (is_low and bool(self._row_of(name).below))

    def _find_dock_above(self, name: str) -> QDockWidget | None:
        """Return the dock below which this one stands in a roomy window.

        None if it stands below none, or if one of both floats or was moved to another side.
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

        At the left no row of a dock says so: Qt itself puts docks of one side below each other,
        and the palette comes first.
        """
        row = self._row_of(name)
        if row.area != "left":
            return row.below
        left_names = [other for other in self._docks if self._row_of(other).area == "left"]
        if name == left_names[0]:
            return ""
        return left_names[0]
