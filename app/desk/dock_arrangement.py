"""Where the docks of panels stand at the first start of the program.

    frame.addDockWidget and the like, for each of these descriptions (``Dock``):

    Dock("script", "Script", "right")                           at the right
    Dock("layers", "Layers", "right", tabbed_with="script")     as a tab behind the script
    Dock("odds", "Odds", "right", below="script")               below both

Later Qt restores what the user has made of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.desk.panel_dock import PanelDock, StandIn
from app.desk.side_widths import MIN_LEFT, MIN_RIGHT


class _Side(NamedTuple):
    """A side of the window at which docks stand."""

    area: Qt.DockWidgetArea

    min_width: int
    """The width of a dock that has no panel yet, in logical pixels."""


_SIDES = {
    "left": _Side(Qt.DockWidgetArea.LeftDockWidgetArea, MIN_LEFT),
    "right": _Side(Qt.DockWidgetArea.RightDockWidgetArea, MIN_RIGHT),
}
"""The sides by the value of ``Dock.area``."""


def make_dock(description: Dock, frame: QMainWindow) -> QDockWidget:
    """Return a dock of the window ``frame``, still without a panel, and at no side of it."""
    dock = PanelDock(description.title, frame)
    dock.setObjectName(description.name)
    dock.setWidget(StandIn(_SIDES[description.area].min_width))
    return dock


def arrange_docks(
    frame: QMainWindow,
    docks: Mapping[str, QDockWidget],
    new_docks: Sequence[Dock],
    closed_names: Sequence[str],
) -> None:
    """Put new docks where their descriptions want them; those of ``closed_names`` are hidden.

    ``docks`` are all docks by name, since a new one may stand below or behind an older one. Each
    stage is done for all new docks before the next one begins: see there.
    """
    for new_dock in new_docks:
        frame.addDockWidget(_SIDES[new_dock.area].area, docks[new_dock.name])

    # Hide docks before they become tabs: Qt would leave the tab of one that is hidden later.
    for name in closed_names:
        docks[name].hide()

    # Stack docks before there are tabs: Qt would make a dock below a tab one of the tabs.
    for new_dock in new_docks:
        if new_dock.below:
            above = docks[new_dock.below]
            frame.splitDockWidget(above, docks[new_dock.name], Qt.Orientation.Vertical)

    # Each tab comes in front of the others: bring the dock back that they are tabbed with.
    tabs = [new_dock for new_dock in new_docks if new_dock.tabbed_with]
    for tab in tabs:
        frame.tabifyDockWidget(docks[tab.tabbed_with], docks[tab.name])
    for tab in tabs:
        docks[tab.tabbed_with].raise_()

    # The sides reach down to the lower edge of the window, beside what is below the map.
    frame.setCorner(Qt.Corner.BottomLeftCorner, _SIDES["left"].area)
    frame.setCorner(Qt.Corner.BottomRightCorner, _SIDES["right"].area)
