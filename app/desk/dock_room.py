"""The room that docks have in a window: in a small one they are put aside, or become tabs.

``DockRoom.fit`` is called with each size of the window. Two things can happen to docks, and each is
undone when the window is large again: those at the right are *put aside* (hidden for the time
being), and those that stand below others become tabs beside them (``_stack_as_tabs``).

    roomy window    palette | map | script, and the odds below it
    low window      palette | map | script, and the odds as a tab beside it
    narrow window   palette | map       the docks at the right are put aside
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.desk.side_widths import Arrangement, SideWidths
from app.qt_guard import later
from app.widgets.layout.dock_visibility import can_be_seen

ROOMY = QSize(1000, 800)
"""The smallest window that has room for all panels beside the map, in logical pixels.

A screen of 1920 x 1080 pixels at 200 % is narrower. If this were larger, panels would be missing in
windows that have room for them; if smaller, the map would have less than half of the window.
"""


@dataclass
class _DocksAside:
    """The docks that are put aside, as long as they are."""

    names: list[str]
    """Those that are shown again when they are brought back, in the order of the features."""

    front_name: str
    """The one that comes to the front then; "" for none."""


class DockRoom(QObject):
    """Leaves the map half of a window that becomes narrow or low.

    In a narrow window the docks at the right are put aside, and those of a side share one place as
    tabs. In a low one a dock that would stand below another at the right is a tab beside it: half
    of the height is too little for either. The user, too, can put the docks at the right aside
    (``toggle_aside``).
    """

    aside_changed = Signal()
    """The docks at the right were put aside or brought back (``is_aside``)."""

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        row_of: Callable[[str], Dock],
        parent: QObject,
    ) -> None:
        """Watch over the docks of the window ``frame``.

        ``docks`` are these by name, in the order of the features; the caller may add more later.
        ``row_of`` returns the row of a dock in the list of features.
        """
        super().__init__(parent)
        self._frame = frame
        self._docks = docks
        self._row_of = row_of
        self._widths = SideWidths(frame)
        self.narrow = False
        """True if the window is less wide than ``ROOMY``."""
        self._is_low = False
        """True if the window is less high than ``ROOMY``."""
        self._aside: _DocksAside | None = None
        """The docks at the right while they are put aside; None while they are not."""
        self.asking_name = ""
        """The name of a dock in which an answer is awaited, "" for none.

        While it can be seen, a window that becomes narrow does not put it aside.
        """
        self._stacked: list[str] = []
        """The docks that are tabs now and stand below others in a roomy window."""

    @property
    def is_aside(self) -> bool:
        """True while the docks at the right are put aside."""
        return self._aside is not None

    # --- the size of the window -------------------------------------------------------------

    def fit(self, size: QSize) -> None:
        """Put docks aside or bring them back, if the window has become narrow, low, or large."""
        narrow = size.width() < ROOMY.width()
        is_low = size.height() < ROOMY.height()
        if narrow == self.narrow and is_low == self._is_low:
            return
        self.preserve_widths()
        self._fit_docks(size, is_another_width=narrow != self.narrow)

    def fit_restored(self, size: QSize) -> None:
        """Put docks aside after Qt has put all of them where they were in an earlier session.

        The sides keep the widths that Qt has given them.
        """
        self._aside = None  # Qt shows those, too, that were put aside
        self._fit_docks(size, is_another_width=True)

    def _fit_docks(self, size: QSize, *, is_another_width: bool) -> None:
        """Put docks aside or bring them back, and make or undo tabs, for a window of this size.

        Docks are only put aside or brought back if it ``is_another_width`` than before.
        """
        self.narrow = size.width() < ROOMY.width()
        self._is_low = size.height() < ROOMY.height()
        asking_dock = self._docks.get(self.asking_name)
        if asking_dock is not None and not can_be_seen(asking_dock):
            asking_dock = None  # nobody is about to answer there

        # Tabs are made before docks are put aside, and undone after they are back.
        self._stack_as_tabs()
        if self.narrow and asking_dock is not None:
            # The docks stay until the window is narrow anew, or the user puts them aside.
            asking_dock.raise_()
        elif is_another_width and self.narrow:
            self._hide_right_docks()
        elif is_another_width:
            self._show_right_docks()
        self._unstack()

    @property
    def _arrangement(self) -> Arrangement:
        """The arrangement of the window now, for which widths are stored."""
        return Arrangement(self.narrow, self.is_aside)

    def use_widths(self) -> None:
        """Give the sides the widths that they have in this arrangement."""
        self._widths.restore(self._arrangement)

    def preserve_widths(self) -> None:
        """Store how wide the sides are in this arrangement, before docks change.

        When Qt has laid that out, in the next turn of the event loop, the sides get the widths that
        they had the last time in the arrangement of then (``use_widths``).
        """
        self._widths.store(self._arrangement)
        later(self, self.use_widths)

    # --- docks put aside --------------------------------------------------------------------

    def toggle_aside(self) -> None:
        """Put the panels at the right aside, or bring them back."""
        if self.is_aside:
            self.bring_back()
        else:
            self.put_aside()

    def put_aside(self) -> None:
        """Hide the panels at the right until ``bring_back``."""
        if not self.is_aside:
            self.preserve_widths()
            self._hide_right_docks()

    def bring_back(self) -> None:
        """Show the panels that were put aside."""
        if self.is_aside:
            self.preserve_widths()
            self._show_right_docks()

    def _hide_right_docks(self) -> None:
        """Put the docks at the right aside; the caller cares for the widths."""
        if self._aside is not None:
            return
        names = []
        for name, dock in self._docks.items():
            if self._is_at_right(dock) and not dock.isHidden():
                names.append(name)
        # Noted before the first one is hidden, which brings another one to the front.
        self._aside = _DocksAside(names, front_name=self.current_dock())
        for name in names:
            self._docks[name].hide()
        self.aside_changed.emit()

    def _show_right_docks(self) -> None:
        """Bring the docks at the right back; the caller cares for the widths."""
        aside = self._aside
        if aside is None:
            return
        self._aside = None
        for name in aside.names:
            self._docks[name].show()
        if aside.front_name in aside.names:
            self._docks[aside.front_name].raise_()
        elif aside.names:  # the user has closed the one that was in front, by its command
            self._docks[aside.names[0]].raise_()
        self.aside_changed.emit()

    def _is_at_right(self, dock: QDockWidget) -> bool:
        """Return whether a dock stands at the right side; one that floats does not."""
        area = self._frame.dockWidgetArea(dock)
        return area == Qt.DockWidgetArea.RightDockWidgetArea and not dock.isFloating()

    def current_dock(self) -> str:
        """Return the name of the dock at the right that can be seen, "" if none can.

        While the docks are put aside it is the one that could be seen before.
        """
        if self._aside is not None:
            return self._aside.front_name
        for name, dock in self._docks.items():
            if self._is_at_right(dock) and can_be_seen(dock):
                return name
        return ""

    def show_for_map(self, name: str) -> None:
        """Show a dock that the current map brings along, or put it aside with the others."""
        dock = self._docks[name]
        if self._aside is not None and self._is_at_right(dock):
            self._aside.names.append(name)
        else:
            dock.show()

    def is_open(self, name: str) -> bool:
        """Return whether a dock is open, or comes back open from aside."""
        return self._is_put_aside(name) or not self._docks[name].isHidden()

    def _is_put_aside(self, name: str) -> bool:
        """Return whether a dock comes back when those at the right are brought back."""
        return self._aside is not None and name in self._aside.names

    def close(self, name: str) -> None:
        """Close a dock; it does not come back from aside."""
        if self._aside is not None and name in self._aside.names:
            self._aside.names.remove(name)
        self._docks[name].hide()

    def make_current(self, name: str) -> None:
        """Bring an open dock to the front, now or when it comes back from aside."""
        if not self._docks[name].isHidden():
            self._docks[name].raise_()
        elif self._aside is not None and name in self._aside.names:
            self._aside.front_name = name

    # --- docks below others -----------------------------------------------------------------

    def _stack_as_tabs(self) -> None:
        """Make tabs of the docks that stand below others, behind those others."""
        for name, dock in self._docks.items():
            above = self._find_dock_above(name)
            if above is None or dock.isFloating() or not self._is_tab_in_this_window(name):
                continue
            if name not in self._stacked:
                self._stacked.append(name)
            is_hidden = dock.isHidden()
            self._frame.tabifyDockWidget(above, dock)
            dock.setHidden(is_hidden)  # Qt has shown it
            if not is_hidden:
                above.raise_()

    def _unstack(self) -> None:
        """Put the docks that stood below others there again, where there is room now."""
        for name in list(self._stacked):
            if self._is_tab_in_this_window(name):
                continue
            self._stacked.remove(name)
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

    def _is_tab_in_this_window(self, name: str) -> bool:
        """Return whether a dock that stands below another is a tab beside it in this window."""
        return self.narrow or (self._is_low and bool(self._row_of(name).below))

    def _find_dock_above(self, name: str) -> QDockWidget | None:
        """Return the dock below which this one stands in a roomy window.

        None if it stands below none, or if one of both floats or was moved to another side.
        """
        row = self._row_of(name)
        name_above = row.below
        if row.area == "left":
            first_name = next(iter(self._docks))  # the palette, first in the list of features
            name_above = first_name
        if not name_above or name_above == name:
            return None
        above = self._docks[name_above]
        area = self._frame.dockWidgetArea(self._docks[name])
        if above.isFloating() or self._frame.dockWidgetArea(above) != area:
            return None
        return above

    def share_height_soon(self, name: str) -> None:
        """Give a dock half of the height that it shares with the one above it, if there is one.

        Its panel may ask for less than the empty dock that Qt has laid out.
        """
        name_above = self._row_of(name).below
        if name_above and name not in self._stacked:
            docks = [self._docks[name_above], self._docks[name]]
            later(self, lambda: self._share_height(docks))

    def _share_height(self, docks: list[QDockWidget]) -> None:
        half = sum(dock.height() for dock in docks) // 2
        self._frame.resizeDocks(docks, [half, half], Qt.Orientation.Vertical)
