"""Which dock is in front of those that share a place as tabs, and which was before.

Qt brings any of the tabs to the front when the one in front is closed. Here it is the one that the
user saw before: if *Dice* is opened in front of *Properties* and closed again, that is back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow
from shiboken6 import isValid

from app.desk.feature import Dock
from app.qt_guard import connect
from app.widgets.layout.dock_visibility import can_be_seen


class TabGroup(NamedTuple):
    """Docks that stand at one place of the window as tabs."""

    area: Qt.DockWidgetArea
    """The side of the window."""

    first: str
    """The name of the dock that the others are tabbed with."""


class DockTabs(QObject):
    """Remembers the order in which the docks of a window came to the front of their tabs.

    A dock that floats is a window of its own and has no tabs.
    """

    front_changed = Signal()
    """Another dock is in front of its tabs, or one was opened or closed."""

    def __init__(
        self,
        frame: QMainWindow,
        docks: Mapping[str, QDockWidget],
        description_of: Callable[[str], Dock],
        parent: QObject,
    ) -> None:
        """``docks`` are those of the window by name, ``description_of`` describes one of them."""
        super().__init__(parent)
        self._frame = frame
        self._docks = docks
        self._description_of = description_of
        self._current_tabs: dict[TabGroup, str] = {}
        """The dock that is in front of each group of tabs, or was last."""
        self._previous_tabs: dict[str, str] = {}
        """For each dock that came to the front, the dock that was in front until then."""

    def watch(self, name: str) -> None:
        """Follow a dock from now on."""
        dock = self._docks[name]
        if not dock.isFloating():
            self._note_visibility(name, is_visible=True)
        connect(dock.visibilityChanged, partial(self._on_visibility_changed, name))
        connect(dock.topLevelChanged, partial(self._on_floating_changed, name))

    def raise_previous(self, name: str) -> None:
        """Bring the tab to the front that was there before this dock, if it is still open."""
        previous_tab = self._previous_tabs.get(name)
        if previous_tab is not None and not self._docks[previous_tab].isHidden():
            self._docks[previous_tab].raise_()

    def _on_visibility_changed(self, name: str, is_visible: bool) -> None:
        """Follow a dock that came to the front of its tabs, or is no longer there."""
        if not isValid(self._frame):  # the window goes, and hides its docks last
            return
        if not self._docks[name].isFloating():
            self._note_visibility(name, is_visible=is_visible)
            self.front_changed.emit()

    def _on_floating_changed(self, name: str, floats: bool) -> None:
        """Bring back the previous tab when a dock leaves its tabs for a window of its own."""
        if floats:
            self.raise_previous(name)

    def _note_visibility(self, name: str, *, is_visible: bool) -> None:
        """Note that a dock came to the front of its tabs, or left it.

        If it was closed in front of them, the previous one comes to the front again.
        """
        dock = self._docks[name]
        first_tab = self._description_of(name).tabbed_with or name
        group = TabGroup(self._frame.dockWidgetArea(dock), first_tab)
        current_tab = self._current_tabs.get(group, name)
        if is_visible and can_be_seen(dock):
            # A dock that was just closed in front of this one leaves the one before it.
            if current_tab != name and not self._docks[current_tab].isHidden():
                self._previous_tabs[name] = current_tab
            self._current_tabs[group] = name
        elif dock.isHidden() and current_tab == name:
            self.raise_previous(name)
