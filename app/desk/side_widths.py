"""The widths of the panels at the left and right of the window.

The user drags the sides to the widths that they like, and these differ with what else is in the
window: so ``SideWidths`` remembers them for each ``Arrangement``. All widths are in logical pixels.
Around each change of the arrangement ``DockRoom`` calls::

    widths.store(former_arrangement)     # before anything moves
    widths.restore(new_arrangement)      # when Qt has laid it out
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.widgets.layout.dock_visibility import can_be_seen

MIN_LEFT = 104
"""The narrowest palette: two columns of pictures and a scroll bar, in logical pixels."""

MIN_RIGHT = 220
"""The narrowest panel at the right, in logical pixels: what each panel there fits into."""

NARROW_LEFT = 155
"""The palette in a narrow window while the panels at the right are aside: two columns of names."""

USUAL_LEFT = 242
"""The palette at the first start: three columns of names."""

USUAL_RIGHT = 360
"""The panels at the right at the first start."""

SMALLER_RIGHT = 300
"""The panels at the right at the first start, if the window is narrower than ``USUAL_WINDOW``."""

USUAL_WINDOW = 1280
"""The width of the window at the first start, where the screen has the room."""

BESIDE_MAP = 76
"""What tool bar and splitters take of the width of a narrow window, in logical pixels."""


class Arrangement(NamedTuple):
    """What else is in the window, on which the widths depend that the user likes."""

    is_narrow: bool
    """True if the window has not the width for the panels of both sides beside the map."""

    is_right_hidden: bool
    """True if the panels at the right are hidden for the time being."""


class Widths(NamedTuple):
    """The widths of the panels at the left and at the right, in logical pixels."""

    left: int
    right: int


class SideWidths:
    """Remembers the widths that the user gave the sides in an arrangement, and restores them."""

    def __init__(self, frame: QMainWindow) -> None:
        self._frame = frame
        self._widths: dict[Arrangement, Widths] = {}
        """The widths at the last ``store`` of each arrangement."""

    def store(self, arrangement: Arrangement) -> None:
        """Store how wide the sides are now. The width stored for a side without panels stays."""
        if not self._frame.isVisible():
            return  # before the window is shown its widths are not the user's
        widths = self._widths.get(arrangement, self._usual_widths(arrangement))
        left_docks = self._open_docks(Qt.DockWidgetArea.LeftDockWidgetArea)
        right_docks = self._open_docks(Qt.DockWidgetArea.RightDockWidgetArea)
        if left_docks:
            widths = widths._replace(left=left_docks[0].width())
        if right_docks:
            widths = widths._replace(right=right_docks[0].width())
        self._widths[arrangement] = widths

    def restore(self, arrangement: Arrangement) -> None:
        """Give the sides the widths that were stored for an arrangement, or its usual ones."""
        widths = self._widths.get(arrangement, self._usual_widths(arrangement))
        docks: list[QDockWidget] = []
        sizes: list[int] = []
        for area, width in (
            (Qt.DockWidgetArea.LeftDockWidgetArea, widths.left),
            (Qt.DockWidgetArea.RightDockWidgetArea, widths.right),
        ):
            for dock in self._open_docks(area):
                docks.append(dock)
                sizes.append(width)
        self._frame.resizeDocks(docks, sizes, Qt.Orientation.Horizontal)

    def _open_docks(self, area: Qt.DockWidgetArea) -> list[QDockWidget]:
        """Return the docks at a side that are open, those in front first."""
        docks = []
        # Direct children: else Qt would look through the thousands of widgets in the panels.
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for dock in self._frame.findChildren(QDockWidget, options=direct):
            is_at_side = self._frame.dockWidgetArea(dock) == area and not dock.isFloating()
            if is_at_side and not dock.isHidden():
                docks.append(dock)
        in_front = [dock for dock in docks if can_be_seen(dock)]
        behind = [dock for dock in docks if not can_be_seen(dock)]
        return in_front + behind

    def _usual_widths(self, arrangement: Arrangement) -> Widths:
        """Return the widths that the sides get at first.

        In a narrow window with panels at both sides the map, with tool bar and splitters, gets half
        of the width as long as the sides can do with the other half: the right one gets its least
        width first, then the left one grows up to ``NARROW_LEFT``.
        """
        if not arrangement.is_narrow:  # a side that is hidden just does not show its width
            if self._frame.width() < USUAL_WINDOW:
                return Widths(USUAL_LEFT, SMALLER_RIGHT)
            return Widths(USUAL_LEFT, USUAL_RIGHT)
        if arrangement.is_right_hidden:
            return Widths(NARROW_LEFT, MIN_RIGHT)  # the latter is not seen
        width_of_sides = self._frame.width() // 2 - BESIDE_MAP
        left = min(max(width_of_sides - MIN_RIGHT, MIN_LEFT), NARROW_LEFT)
        return Widths(left, max(width_of_sides - left, MIN_RIGHT))
