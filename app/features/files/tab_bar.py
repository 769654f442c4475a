"""The tabs of the open maps and views, above the map.

A *view* is what can lie in front of the map in the middle of the window, such as the gallery. Maps
come first among the tabs, views behind them. ``feature.py`` makes the tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar

from app.qt_guard import connect, guarded, later
from app.widgets.layout.builders import plain_text
from app.widgets.layout.views import MiddleViews, View

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from randomizer.model.edits.edit import Region


UNSAVED_MARK = "\N{BULLET} "
"""Stands before the name of a map with unsaved changes."""

MIN_WIDTH = 130
"""The least width of a tab with a long name, in logical pixels; a short name takes less."""


class MapTabs(QTabBar):
    """Has a tab for each open map and each open view; hidden while it would have a single tab.

    The data of a tab (``tabData``) is its OpenMap or View.
    """

    close_requested = Signal(object)
    """The cross on the tab of this OpenMap was clicked, or the middle button on the tab."""

    def __init__(
        self, document: MapDocument, views: MiddleViews, enter_front: Callable[[], object]
    ) -> None:
        """Show the maps of ``document`` and the views of ``views``.

        ``enter_front`` gives the keyboard to the map or view in front.
        """
        super().__init__()
        self._document = document
        self._views = views
        self._enter_front = enter_front
        self.setAccessibleName("Open maps and views")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setTabsClosable(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        connect(self.tabMoved, self._on_moved)
        connect(self.currentChanged, self._on_current)
        connect(self.tabBarClicked, self._on_clicked)
        connect(self.tabCloseRequested, self._close)
        connect(self._views.changed, self.refresh)
        for signal in (document.maps_changed, document.map_replaced, document.path_changed):
            connect(signal, self.refresh)
        connect(document.modified_changed, self.refresh)
        connect(document.changed, self._on_changed)
        self.refresh()

    def _on_changed(self, region: Region) -> None:
        """Show the names again if an edit may have changed one."""
        if region.structure or region.records:  # a record can have the name of a period's file
            self.refresh()

    def refresh(self) -> None:
        """Show the open maps and views as they are now, and make the tab in front the current."""
        maps = self._document.maps
        views = self._views.open_views
        front = self._views.front_view
        count = len(maps) + len(views)
        # The tabs that exist are used again. Signals are blocked: the user has chosen no other tab.
        with QSignalBlocker(self):
            while self.count() > count:
                self.removeTab(self.count() - 1)
            while self.count() < count:
                self.addTab("")
            for index, open_map in enumerate(maps):
                self._show_map(index, open_map)
            for index, view in enumerate(views, len(maps)):
                self._show_view(index, view)
            if front is None:
                self.setCurrentIndex(maps.index(self._document.current_map))
            else:
                self.setCurrentIndex(len(maps) + views.index(front))
        self.setVisible(count > 1)

    def switch_by(self, steps: int) -> None:
        """Choose the tab that is ``steps`` to the right; after the last tab comes the first."""
        self.setCurrentIndex((self.currentIndex() + steps) % self.count())

    def _on_current(self, index: int) -> None:
        """Bring the map or view of a tab to the front."""
        if index < 0:  # there is no tab, for a moment
            return
        chosen = self.tabData(index)
        if isinstance(chosen, View):
            self._views.show_view(chosen)
        elif chosen is self._document.current_map:
            self._views.show_map()
        else:
            self._document.make_current(chosen)

    def _on_clicked(self, _index: int) -> None:
        """Give the keyboard to what a click on a tab brings to the front."""
        later(self, self._enter_front)

    def _on_moved(self, old_index: int, new_index: int) -> None:
        """Move a map among the maps, as its tab was dragged; views stay behind them."""
        if max(old_index, new_index) < len(self._document.maps):
            self._document.move_map(old_index, new_index)
        else:
            later(self, self.refresh)  # not now: the tab is still being dragged

    def _close(self, index: int) -> None:
        """Close the view of a tab, or ask that its map be closed."""
        closed = self.tabData(index)
        if isinstance(closed, View):
            self._views.close_view(closed)
        else:
            self.close_requested.emit(closed)

    def _show_view(self, index: int, view: View) -> None:
        """Show a view on the tab ``index``."""
        title = view.windowTitle()
        self.setTabData(index, view)
        self.setTabText(index, title)
        self.setTabToolTip(index, plain_text(f"{title} of the current map"))
        self.setAccessibleTabName(index, title)

    def _show_map(self, index: int, open_map: OpenMap) -> None:
        """Show a map on the tab ``index``."""
        name = self._document.name_of(open_map)
        tab_text = name.replace("&", "&&")  # in tabs & marks an access key
        if open_map.unsaved:
            tab_text = UNSAVED_MARK + tab_text
        state = "saved"
        if open_map.unsaved or open_map.path is None:
            state = "not saved"
        tip_lines = [name]
        if open_map.path is not None:
            tip_lines.append(str(open_map.path))
        tip_lines.append(state)
        self.setTabData(index, open_map)
        self.setTabText(index, tab_text)
        self.setTabToolTip(index, plain_text("\n".join(tip_lines)))
        self.setAccessibleTabName(index, f"{name}, {state}")

    @guarded(default=QSize())
    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return a size in which a name can be read: where tabs have less room, they scroll."""
        size = self.tabSizeHint(index)
        return QSize(min(size.width(), MIN_WIDTH), size.height())

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close the tab under the mouse with the middle button."""
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self._close(index)
        else:
            super().mouseReleaseEvent(event)
