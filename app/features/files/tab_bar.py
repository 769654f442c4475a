"""The open maps and views as tabs above the middle; closed maps can be opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar

from app.desk.desk import Desk
from app.qt_guard import connect, guarded, later
from app.widgets.layout.builders import plain_text
from app.widgets.layout.views import MiddleViews, View

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from randomizer.model.edits.edit import Region


MODIFIED = "\N{BULLET} "
"""Before the name of a map that was not saved."""

LEAST_WIDTH = 130
"""Of the tab of a long name, in logical pixels."""


class MapTabs(QTabBar):
    """A tab for each open map, and behind them one for each open view; one map alone needs none."""

    close_wanted = Signal(object)
    """The cross of this OpenMap was clicked, or the middle button on its tab."""

    def __init__(
        self, document: MapDocument, views: MiddleViews, enter_front: Callable[[], object]
    ) -> None:
        """``enter_front`` gives the keyboard to the map or view in front."""
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
        if region.structure:
            self.refresh()

    def refresh(self) -> None:
        """Show the open maps and views as they are now."""
        maps = self._document.maps
        views = self._views.open_views
        front = self._views.front_view
        count = len(maps) + len(views)
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

    def go(self, steps: int) -> None:
        """Choose the tab that is ``steps`` to the right, around the end."""
        self.setCurrentIndex((self.currentIndex() + steps) % self.count())

    def _on_current(self, index: int) -> None:
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

    def _on_moved(self, start: int, end: int) -> None:
        """Move a map among the maps; views stay behind them."""
        if max(start, end) < len(self._document.maps):
            self._document.move_map(start, end)
        else:
            later(self, self.refresh)

    def _close(self, index: int) -> None:
        closed = self.tabData(index)
        if isinstance(closed, View):
            self._views.close_view(closed)
        else:
            self.close_wanted.emit(closed)

    def _show_view(self, index: int, view: View) -> None:
        title = view.windowTitle()
        self.setTabData(index, view)
        self.setTabText(index, title)
        self.setTabToolTip(index, plain_text(f"{title} of the current map"))
        self.setAccessibleTabName(index, title)

    @guarded(default=QSize())
    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return a width in which a name can be read: more tabs are scrolled."""
        size = self.tabSizeHint(index)
        return QSize(min(size.width(), LEAST_WIDTH), size.height())

    def _show_map(self, index: int, open_map: OpenMap) -> None:
        name = self._document.name_of(open_map)
        clean = not open_map.unsaved
        path = "" if open_map.path is None else f"\n{open_map.path}"
        state = "saved" if clean and open_map.path is not None else "not saved"
        self.setTabData(index, open_map)
        self.setTabText(index, ("" if clean else MODIFIED) + name.replace("&", "&&"))
        self.setTabToolTip(index, plain_text(f"{name}{path}\n{state}"))
        self.setAccessibleTabName(index, f"{name}, {state}")

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes the tab under it."""
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self._close(index)
        else:
            super().mouseReleaseEvent(event)


REMEMBERED = 20
"""So many closed maps can be opened again."""


class ClosedFiles(QObject):
    """Remembers which files were closed, and opens them again."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._closed: list[Path] = []
        self._open = desk.document.maps
        connect(desk.document.maps_changed, self._remember_closed)

    def _remember_closed(self) -> None:
        now = self._desk.document.maps
        for open_map in self._open:
            if open_map not in now and open_map.path is not None:
                self._closed = [*self._closed, open_map.path][-REMEMBERED:]
        self._open = now

    def reopen(self) -> None:
        """Open the file of the map that was closed last."""
        if self._closed:
            self._desk.files.open_path(self._closed.pop())
        else:
            self._desk.say("No map with a file was closed yet.")
