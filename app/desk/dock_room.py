"""The room that docks have in a window: in a small one they are put aside, or become tabs.

``DockRoom.fit`` is called with each size of the window. Two things can happen to docks, and each is
undone when the window is large again: those at the right are *put aside*, hidden for the time being
(right_docks.py), and those that stand below others become tabs beside them (stacked_docks.py).

    roomy window    palette | map | script, and the panel of odds below it
    low window      palette | map | script, and the panel of odds as a tab beside it
    narrow window   palette | map       the docks at the right are put aside
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.desk.right_docks import RightDocks
from app.desk.side_widths import Arrangement, SideWidths
from app.desk.stacked_docks import StackedDocks, WindowRoom
from app.qt_guard import connect, later
from app.widgets.layout.dock_visibility import can_be_seen

ROOMY = QSize(1000, 800)
"""The smallest window that has room for all panels beside the map, in logical pixels.

A screen of 1920 x 1080 pixels at 200 % is narrower. If this were larger, panels would be missing in
windows that have room for them; if smaller, the map would have less than half of the window.
"""


class DockRoom(QObject):
    """Leaves the map half of a window that becomes narrow or low.

    In a narrow window the docks at the right are put aside, and those of a side share one place as
    tabs. In a low one a dock that would stand below another at the right is a tab beside it. The
    user, too, can put the docks at the right aside (``toggle_aside``).

    The user gives the sides other widths where other docks are beside the map: so each change
    stores the widths before it, and those that were stored last for the new arrangement come back
    after it (``preserve_widths``).
    """

    aside_changed = Signal()
    """The docks at the right were put aside or brought back (``is_aside``)."""

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        description_of: Callable[[str], Dock],
        parent: QObject,
    ) -> None:
        """Watch over the docks of the window ``frame``.

        ``docks`` are these by name, in the order of the features; the caller may add more later.
        ``description_of`` returns what the list of features says of a dock.
        """
        super().__init__(parent)
        self._docks = docks
        self.right_docks = RightDocks(frame, docks, self)
        """The docks at the right, put aside or not."""
        self._stacked_docks = StackedDocks(frame, docks, description_of, self)
        self._widths = SideWidths(frame)
        self._window_room = WindowRoom(is_narrow=False, is_low=False)
        """The room in the window, as docks were fitted to it last."""
        self._asking_name = ""
        """The name of a dock in which an answer is awaited, "" for none."""
        connect(self.right_docks.aside_changed, self.aside_changed)

    @property
    def is_aside(self) -> bool:
        """True while the docks at the right are put aside."""
        return self.right_docks.is_aside

    @property
    def is_narrow(self) -> bool:
        """True if the window is less wide than ``ROOMY``."""
        return self._window_room.is_narrow

    # --- the size of the window -------------------------------------------------------------

    def fit(self, size: QSize) -> None:
        """Put docks aside or bring them back, if the window has become narrow, low, or large."""
        room = _room_in(size)
        if room == self._window_room:
            return
        # That docks are put aside is the user's choice until the window becomes narrow or wide.
        is_other_width = room.is_narrow != self._window_room.is_narrow
        self.preserve_widths()
        self._fit_docks(room, may_change_aside=is_other_width)

    def fit_restored(self, size: QSize) -> None:
        """Put docks aside after Qt has put all of them where they were in an earlier session.

        The sides keep the widths that Qt has given them.
        """
        self.right_docks.forget_aside()
        self._fit_docks(_room_in(size), may_change_aside=True)

    def _fit_docks(self, room: WindowRoom, *, may_change_aside: bool) -> None:
        """Make or undo tabs for the room in the window.

        If it ``may_change_aside``, docks are put aside in a narrow window, else brought back.
        """
        self._window_room = room
        tab_names = self._stacked_docks.names_without_room(room)
        asking_dock = self._find_asking_dock()

        # Tabs are made before docks are put aside, and undone after they are back: what is in front
        # of its tabs is seen only while docks are shown.
        self._stacked_docks.make_tabs(tab_names)
        if room.is_narrow and asking_dock is not None:
            # The docks stay until the window is narrow anew, or the user puts them aside.
            asking_dock.raise_()
        elif may_change_aside and room.is_narrow:
            self.right_docks.put_aside()
        elif may_change_aside:
            self.right_docks.bring_back()
        self._stacked_docks.undo_tabs_except(tab_names)

    def _find_asking_dock(self) -> QDockWidget | None:
        """Return the dock in which somebody may be about to answer, None if there is none."""
        dock = self._docks.get(self._asking_name)
        if dock is not None and can_be_seen(dock):
            return dock
        return None

    def await_answer_in(self, name: str) -> None:
        """Note that somebody is asked something in a dock, "" for no longer in any.

        While it can be seen, a window that becomes narrow does not put it aside.
        """
        self._asking_name = name

    def share_height_soon(self, name: str) -> None:
        """Give a dock half of the height that it shares with the one above it, if there is one."""
        self._stacked_docks.share_height_soon(name)

    # --- widths -----------------------------------------------------------------------------

    @property
    def _arrangement(self) -> Arrangement:
        """The arrangement of the window now, for which widths are stored."""
        return Arrangement(self.is_narrow, self.is_aside)

    def preserve_widths(self) -> None:
        """Store how wide the sides are, before docks change, and give them their widths after it.

        These are the widths of the arrangement that the window has then. They are set in the next
        turn of the event loop, since Qt lays the docks out before it.
        """
        self._widths.store(self._arrangement)
        later(self, self.use_widths)

    def use_widths(self) -> None:
        """Give the sides the widths that they have in the present arrangement."""
        self._widths.restore(self._arrangement)

    # --- put aside by the user --------------------------------------------------------------

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
            self.right_docks.put_aside()

    def bring_back(self) -> None:
        """Show the panels that were put aside."""
        if self.is_aside:
            self.preserve_widths()
            self.right_docks.bring_back()


def _room_in(size: QSize) -> WindowRoom:
    """Return the room in a window of this size."""
    return WindowRoom(is_narrow=size.width() < ROOMY.width(), is_low=size.height() < ROOMY.height())
