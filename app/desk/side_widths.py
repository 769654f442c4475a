"""The widths of the panels at the left and right of the window: they are the user's."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

LEAST_LEFT = 104
"""The narrowest palette: two columns of pictures and a scroll bar, in logical pixels."""

LEAST_RIGHT = 220
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
    """The state of a window that has widths of its own: narrow or not, right side open or aside."""

    narrow: bool
    is_aside: bool


class Widths(NamedTuple):
    """The widths of the panels at the left and at the right, in logical pixels."""

    left: int
    right: int


class SideWidths:
    """Notes which widths the user gave the sides in one arrangement, and gives them back in it."""

    def __init__(self, frame: QMainWindow) -> None:
        self._frame = frame
        self._widths: dict[Arrangement, Widths] = {}

    def note(self, arrangement: Arrangement) -> None:
        """Note how wide the sides are now. A side without panels keeps what was noted of it.

        A window that is not shown yet has no widths of the user.
        """
        if not self._frame.isVisible():
            return
        widths = self._widths.get(arrangement, self._usual(arrangement))
        left_docks = self._docks(Qt.DockWidgetArea.LeftDockWidgetArea)
        right_docks = self._docks(Qt.DockWidgetArea.RightDockWidgetArea)
        if left_docks:
            widths = widths._replace(left=left_docks[0].width())
        if right_docks:
            widths = widths._replace(right=right_docks[0].width())
        self._widths[arrangement] = widths

    def use(self, arrangement: Arrangement) -> None:
        """Give the sides the widths of an arrangement."""
        widths = self._widths.get(arrangement, self._usual(arrangement))
        docks: list[QDockWidget] = []
        sizes: list[int] = []
        for area, width in (
            (Qt.DockWidgetArea.LeftDockWidgetArea, widths.left),
            (Qt.DockWidgetArea.RightDockWidgetArea, widths.right),
        ):
            for dock in self._docks(area):
                docks.append(dock)
                sizes.append(width)
        self._frame.resizeDocks(docks, sizes, Qt.Orientation.Horizontal)

    def _docks(self, area: Qt.DockWidgetArea) -> list[QDockWidget]:
        """Return the docks at a side that are open, those in front first."""
        docks = []
        # Else Qt would look through the thousands of widgets in the panels.
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for dock in self._frame.findChildren(QDockWidget, options=direct):
            at_side = self._frame.dockWidgetArea(dock) == area and not dock.isFloating()
            if at_side and not dock.isHidden():
                docks.append(dock)
        docks.sort(key=lambda dock: dock.visibleRegion().isEmpty())
        return docks

    def _usual(self, arrangement: Arrangement) -> Widths:
        """Return the widths that the sides get at first.

        In a narrow window with panels at both sides these share what the map leaves of a half.
        """
        if not arrangement.narrow:
            if self._frame.width() < USUAL_WINDOW:
                return Widths(USUAL_LEFT, SMALLER_RIGHT)
            return Widths(USUAL_LEFT, USUAL_RIGHT)
        if arrangement.is_aside:
            return Widths(NARROW_LEFT, LEAST_RIGHT)
        width_of_sides = self._frame.width() // 2 - BESIDE_MAP
        left = min(max(width_of_sides - LEAST_RIGHT, LEAST_LEFT), NARROW_LEFT)
        return Widths(left, max(width_of_sides - left, LEAST_RIGHT))
