"""The palette's pages: what paints the ground, and, where a map has them, things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.builders import described, lay_out

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.features.palette.panel import Palette
    from app.features.palette.things_page import ThingsPage

GROUND, THINGS = range(2)


class PalettePages(QWidget):
    """A tab for each page, shown only on maps whose game knows things.

    The page follows the tool; a click on the tab of things takes up their tool, one on the other
    tab the tool before. ``things`` is None until it is needed.
    """

    def __init__(self, desk: Desk, ground: Palette) -> None:
        super().__init__()
        self._desk = desk
        self._before = desk.tools.name
        self.ground = ground
        self.things: ThingsPage | None = None
        self.tabs = described(QTabBar(), "Pages of the palette")
        self.tabs.addTab("Gro&und")
        self.tabs.addTab("Thi&ngs")
        self.tabs.setExpanding(True)
        self.tabs.setDocumentMode(True)
        self._pages = QStackedWidget()
        self._pages.addWidget(ground)
        lay_out(QVBoxLayout(self), self.tabs, (self._pages, 1), margins=0, spacing=0)
        connect(self.tabs.tabBarClicked, self._choose)
        connect(desk.tools.chosen, self._show_tool)
        connect(desk.document.map_replaced, self._show_map)
        self._show_map()
        self._show_tool(desk.tools.name)

    def _show_map(self) -> None:
        self.tabs.setVisible(self._desk.tools.suits("things"))

    def _show_tool(self, name: str) -> None:
        """Show the page of the tool in use."""
        if name == "things":
            self._show_things()
        else:
            self._before = name
        page = THINGS if name == "things" else GROUND
        self.tabs.setCurrentIndex(page)
        self._pages.setCurrentIndex(page)

    def _show_things(self) -> None:
        if self.things is None:
            from app.features.palette.things_page import ThingsPage

            desk = self._desk
            self.things = ThingsPage(desk.document, desk.tools.options, desk.tools.choose)
            self._pages.addWidget(self.things)

    def _choose(self, page: int) -> None:
        if page >= 0:
            self._desk.tools.choose("things" if page == THINGS else self._before)
