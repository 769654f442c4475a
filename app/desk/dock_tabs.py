"""Which dock is in front of those that share a place as tabs, and which was before.

Qt brings any of the tabs to the front when the one in front is closed. Here it is the one that the
user saw before: if *Dice* is opened in front of *Properties* and closed again, that is back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.desk.feature import Dock
from app.widgets.layout.dock_visibility import can_be_seen


class TabGroup(NamedTuple):
    """Docks that stand at one place of the window as tabs."""

    area: Qt.DockWidgetArea
    """The side of the window."""

    first: str
    """The name of the dock that the others are tabbed with."""


class DockTabs:
    """Remembers the order in which the docks of a window came to the front of their tabs."""

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        row_of: Callable[[str], Dock],
    ) -> None:
        """``docks`` are those of the window by name, ``row_of`` returns their rows of the table."""
        self._frame = frame
        self._docks = docks
        self._row_of = row_of
        self._current_tabs: dict[TabGroup, str] = {}
        """The dock that is in front of each group of tabs, or was last."""
        self._previous_tabs: dict[str, str] = {}
        """For each dock that came to the front, the dock that was in front until then."""

    def note_visibility(self, name: str, visible: bool) -> None:
        """Note that a dock, which does not float, came to the front of its tabs, or left it.

        If it was closed in front of them, the previous one comes to the front again.
        """
        dock = self._docks[name]
        first_tab = self._row_of(name).tabbed_with or name
        group = TabGroup(self._frame.dockWidgetArea(dock), first_tab)
        current_tab = self._current_tabs.get(group, name)
        if visible and can_be_seen(dock):
            if current_tab != name:
                self._previous_tabs[name] = current_tab
            self._current_tabs[group] = name
        elif dock.isHidden() and current_tab == name:
            self.raise_previous(name)

    def raise_previous(self, name: str) -> None:
        """Bring the tab to the front that was there before this dock, if it is still open."""
        previous_tab = self._previous_tabs.get(name)
        if previous_tab is not None and not self._docks[previous_tab].isHidden():
            self._docks[previous_tab].raise_()
