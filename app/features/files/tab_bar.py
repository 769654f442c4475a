"""The open maps as tabs above the canvas, one map needs none; closed ones can be opened again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar

from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap


MODIFIED = "\N{BULLET} "
"""Before the name of a map that was not saved."""

LEAST_WIDTH = 130
"""Of the tab of a long name, in logical pixels."""


class MapTabs(QTabBar):
    """``close_wanted(OpenMap)``: its cross or the middle button was clicked."""

    close_wanted = Signal(object)

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self.setAccessibleName("Open maps")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setTabsClosable(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        connect(self.tabMoved, document.move_map)
        connect(self.currentChanged, lambda index: document.make_current(self.tabData(index)))
        connect(self.tabCloseRequested, lambda index: self.close_wanted.emit(self.tabData(index)))
        for told in (document.maps_changed, document.map_replaced, document.path_changed):
            connect(told, self.refresh)
        connect(document.modified_changed, lambda _modified: self.refresh())
        connect(document.changed, lambda region: self.refresh() if region.structure else None)
        self.refresh()

    def refresh(self) -> None:
        """Show the open maps as they are now."""
        maps = self._document.maps
        current = self._document.current_map
        with QSignalBlocker(self):
            while self.count() > len(maps):
                self.removeTab(self.count() - 1)
            while self.count() < len(maps):
                self.addTab("")
            for index, open_map in enumerate(maps):
                self._show_map(index, open_map)
            self.setCurrentIndex(maps.index(current))
        self.setVisible(len(maps) > 1)

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
            self.close_wanted.emit(self.tabData(index))
        else:
            super().mouseReleaseEvent(event)


REMEMBERED = 20
"""So many closed maps can be opened again."""


class Tabs(QObject):
    """Goes from tab to tab, and remembers which files were closed."""

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

    def go(self, steps: int) -> None:
        """Make the map the current one whose tab is ``steps`` to the right, around the end."""
        document = self._desk.document
        index = document.maps.index(document.current_map) + steps
        document.make_current(document.maps[index % len(document.maps)])
