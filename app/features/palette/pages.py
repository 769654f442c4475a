"""The palette's pages: what paints the ground, and, where a map has them, things."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.appearance.icons import icon
from app.background.background_value import BackgroundValue
from app.desk.desk import Desk
from app.qt_guard import connect, guarded, later
from app.tools import TerrainTool, ThingsTool
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.model.edits.edit import Region
from randomizer.model.system.system import System
from randomizer.model.things.thing_kind import ThingKind

if TYPE_CHECKING:
    from app.features.palette.panel import Palette
    from app.features.palette.things_page import ThingsPage

GROUND, THINGS = range(2)
TEXTS = ("Gro&und", "Thi&ngs")
TOOLS_OF_PAGES = (TerrainTool, ThingsTool)
"""The tools whose icons stand for the pages in a narrow palette."""

READ_AFTER_MS = 300
"""What the installed game has is read so long after a map of it was shown."""


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
        for text in TEXTS:
            index = self.tabs.addTab(text)
            self.tabs.setTabToolTip(index, plain_text(text.replace("&", "")))
            self.tabs.setAccessibleTabName(index, text.replace("&", ""))
        self.tabs.setExpanding(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self._tabs_width = self.tabs.sizeHint().width()
        """What the texts of the tabs need, in logical pixels."""
        self.tabs.setMinimumWidth(1)  # where they have no room there are icons
        self.tabs.setDocumentMode(True)
        self._pages = QStackedWidget()
        self._pages.addWidget(ground)
        lay_out(QVBoxLayout(self), self.tabs, (self._pages, 1), margins=0, spacing=0)
        self._game_kinds = BackgroundValue(
            self._readable, _read_kinds, self, delay_ms=READ_AFTER_MS
        )
        self._further: dict[System, tuple[ThingKind, ...]] = {}
        connect(self._game_kinds.computed, self._offer)
        connect(self.tabs.tabBarClicked, self._choose)
        connect(desk.tools.chosen, self._on_tool)
        connect(desk.overlays_changed, self._draw_in_style)
        connect(desk.document.map_replaced, self._on_map)
        connect(desk.document.changed, self._on_changed)
        desk.theme.keep_up(self._fit_tabs)
        self._show_map()
        self._show_tool(desk.tools.name)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show icons on tabs for whose texts there is no room."""
        super().resizeEvent(event)
        self._fit_tabs()

    def _fit_tabs(self) -> None:
        has_room = self.width() >= self._tabs_width
        for index, tool in enumerate(TOOLS_OF_PAGES):
            self.tabs.setTabText(index, TEXTS[index] if has_room else "")
            self.tabs.setTabIcon(index, QIcon() if has_room else icon(tool.icon))

    def _on_map(self) -> None:
        self._show_ground()
        self._show_map()

    def _on_changed(self, region: Region) -> None:
        if region.terrain_set:
            self._show_ground()

    def _show_ground(self) -> None:
        self.ground.show_map(self._desk.document.battlemap, self._desk.renderer)

    def _draw_in_style(self) -> None:
        """Draw the terrains as the overlays show them on the map."""
        self.ground.draw_in_style(self._desk.renderer)

    def _on_tool(self, name: str) -> None:
        self.ground.show_tool(self._desk.tools.tools[name])
        self._show_tool(name)

    def _show_map(self) -> None:
        self.tabs.setVisible(self._desk.tools.suits("things"))
        system = self._desk.document.battlemap.system
        self._game_kinds.watch(system.offers(System.read_further_kinds))
        self._show_further()

    def _show_further(self) -> None:
        """Offer what is known of the game of the current map."""
        if self.things is not None:
            kinds = self._further.get(self._desk.document.battlemap.system, ())
            self.things.show_further(kinds, reading=self._game_kinds.busy)

    def _readable(self) -> System:
        return self._desk.document.battlemap.system

    def _offer(self, offer: tuple[System, tuple[ThingKind, ...]]) -> None:
        """Offer what the installed game has; on maps things may look otherwise now."""
        system, kinds = offer
        self._further[system] = kinds
        self._desk.canvas.update()
        self._show_further()

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
            connect(self.things.form.named, self._end_naming)
            self._pages.addWidget(self.things)
            self._show_further()

    def place_kind(self, name: str) -> None:
        """Show the page of things: a click on the map places one of this kind from now on."""
        self._desk.docks.show("palette")
        self._desk.tools.choose("things")
        self._show_things()
        assert self.things is not None, "it was made just now"
        self.things.choose_kind(name)

    def _end_naming(self) -> None:
        """Go back to the map once a thing has its label, and say where that is not seen."""
        self._desk.canvas.setFocus()
        later(self, self._tell_unseen_label)  # by then the map has it

    def _tell_unseen_label(self) -> None:
        desk = self._desk
        picked = desk.document.picked
        if len(picked) != 1 or not picked[0].label:
            return
        label = picked[0].label
        names = desk.renderer.names(desk.document.battlemap, desk.canvas.viewport.scale)
        seen = {_without_spaces(text) for text in names.texts}
        if _without_spaces(label) not in seen:
            desk.say(f"“{label}” is seen from nearer: turn the wheel, or zoom in.")

    def _choose(self, page: int) -> None:
        if page >= 0:
            self._desk.tools.choose("things" if page == THINGS else self._before)


def _without_spaces(text: str) -> str:
    """Return a text without what spaced letters have between them."""
    return "".join(text.split())


def _read_kinds(
    system: System, _progress: Callable[[int], None], is_cancelled: Callable[[], bool]
) -> tuple[System, tuple[ThingKind, ...]]:
    """Read what the installed game of a system has."""
    return system, system.read_further_kinds(is_cancelled)
