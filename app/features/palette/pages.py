"""The two pages of the palette: terrains to paint the ground with, and things to place on it.

A *thing* is what stands on a map at a point, such as a town or a unit; some kinds of maps have
none, and then the palette has no tabs. ``PalettePages`` shows the page of the tool in use
(``_switch_to_page_of``). It also reads which kinds of things the installed game has beyond the
usual ones (``_read_kinds``, on another thread), and offers them on the page of things.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.appearance.icons import icon
from app.background.background_value import BackgroundValue
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.tools import TerrainTool, ThingsTool
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.model.edits.edit import Region
from randomizer.model.problems import Problem
from randomizer.model.system.system import System
from randomizer.model.things.thing_kind import ThingKind

if TYPE_CHECKING:
    from app.features.palette.list_content import GameKinds
    from app.features.palette.panel import Palette
    from app.features.palette.things_page import ThingsPage

GROUND = 0
"""The index of the page for painting the ground."""

THINGS = 1
"""The index of the page of things."""


class _Tab(NamedTuple):
    """The tab of a page."""

    text: str
    """Its text, with an access key."""

    icon: str
    """The name of the icon that stands for the text in a narrow palette: that of a tool."""


TABS = (_Tab("Gro&und", TerrainTool.icon), _Tab("Thi&ngs", ThingsTool.icon))
"""The tabs by the indexes of their pages, ``GROUND`` and ``THINGS``."""

READ_AFTER_MS = 300
"""The milliseconds from when a map is first shown until its installed game is read.

Earlier the reading would delay the first painting of the map.
"""


class _KindsRead(NamedTuple):
    """What was read from an installed game."""

    system: System
    """The system of the game's maps."""

    kinds: tuple[ThingKind, ...]
    """Its kinds of things."""


class PalettePages(QWidget):
    """The pages, and a tab for each; the tabs are visible only on maps that can have things.

    The page follows the tool in use. A click on the tab of things chooses the tool of things. A
    click on the tab of the ground chooses the tool that was used last on that page.
    """

    def __init__(self, desk: Desk, ground: Palette) -> None:
        super().__init__()
        self._desk = desk
        self._ground_tool = desk.tools.name
        """The name of the tool that was used last on the page of the ground."""
        self.ground = ground
        self.things: ThingsPage | None = None
        """The page of things, None until it is needed."""
        self.tabs = _make_tabs()
        self._tabs_width = self.tabs.sizeHint().width()
        """The width that the texts of the tabs need, in logical pixels.

        It is asked for before the next two lines, which change it.
        """
        # Qt's least width is that of the texts; in a narrow palette the tabs have icons instead.
        self.tabs.setMinimumWidth(1)
        self.tabs.setDocumentMode(True)
        self._pages = QStackedWidget()
        self._pages.addWidget(ground)
        lay_out(QVBoxLayout(self), self.tabs, (self._pages, 1), margins=0, spacing=0)
        self._game_kinds = BackgroundValue(
            self._current_system, _read_kinds, self, delay_ms=READ_AFTER_MS
        )
        """Reads the kinds of things of the installed game when a map of another system is shown."""
        self._further_kinds: dict[System, tuple[ThingKind, ...]] = {}
        """The kinds of things that were read from installed games, by the system of their maps."""
        self._connect()
        desk.theme.keep_up(self._fit_tabs)
        self._update_tabs_and_reading()
        self._switch_to_page_of(desk.tools.name)

    def _connect(self) -> None:
        """Connect the tabs, the tools, the map and the kinds of its game."""
        desk = self._desk
        connect(self._game_kinds.computed, self._on_kinds_read)
        connect(self._game_kinds.failed, self._on_kinds_not_read)
        connect(self.tabs.tabBarClicked, self._choose)
        connect(desk.tools.chosen, self._on_tool_chosen)
        connect(desk.overlays_changed, self._draw_in_style)
        connect(desk.document.map_replaced, self._on_map_replaced)
        connect(desk.document.changed, self._on_changed)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the tabs to another width."""
        super().resizeEvent(event)
        self._fit_tabs()

    def _fit_tabs(self) -> None:
        """Show texts on the tabs if there is room for them, else icons."""
        has_room = self.width() >= self._tabs_width
        for page, tab in enumerate(TABS):
            if has_room:
                self.tabs.setTabText(page, tab.text)
                self.tabs.setTabIcon(page, QIcon())
            else:
                self.tabs.setTabText(page, "")
                self.tabs.setTabIcon(page, icon(tab.icon))

    # --- the map ----------------------------------------------------------------------------

    def _on_map_replaced(self) -> None:
        """Show the terrains and the tabs of another map."""
        self._refresh_ground_page()
        self._update_tabs_and_reading()

    def _on_changed(self, region: Region) -> None:
        """Show the terrains again if the map has another terrain set."""
        if region.terrain_set:
            self._refresh_ground_page()

    def _refresh_ground_page(self) -> None:
        """Show the terrains of the current map on the page of the ground."""
        self.ground.show_map(self._desk.document.battlemap, self._desk.renderer)

    def _draw_in_style(self) -> None:
        """Draw the terrains as the overlays show them on the map."""
        self.ground.draw_in_style(self._desk.renderer)

    def _update_tabs_and_reading(self) -> None:
        """Show the tabs if the map can have things, and read the kinds of its installed game."""
        self.tabs.setVisible(self._desk.tools.suits("things"))
        system = self._desk.document.battlemap.system
        # Nothing is read for systems that do not override the method: they have no installed kinds.
        self._game_kinds.set_watched(system.offers(System.read_further_kinds))
        self._offer_game_kinds()

    def _current_system(self) -> System:
        """Return the system of the current map, whose kinds are read in the background."""
        return self._desk.document.battlemap.system

    def _on_kinds_read(self, read: _KindsRead) -> None:
        """Offer the kinds that an installed game has, and draw the map with their pictures."""
        self._further_kinds[read.system] = read.kinds
        self._desk.canvas.update()
        self._offer_game_kinds()

    def _on_kinds_not_read(self, problems: tuple[Problem, ...]) -> None:
        """Say why the installed game cannot be read, and offer the usual kinds alone."""
        self._desk.say(f"The kinds of the installed game are missing: {problems[0].message}.")
        self._offer_game_kinds()

    def _offer_game_kinds(self) -> None:
        """Offer the kinds that were read from the game of the current map."""
        if self.things is not None:
            self.things.offer_game_kinds(self._game_kinds_of(self._current_system()))

    def _game_kinds_of(self, system: System) -> GameKinds:
        """Return what is known of the kinds that the installed game of a system has."""
        from app.features.palette.list_content import GameKinds, GameState

        kinds = self._further_kinds.get(system, ())
        if self._game_kinds.busy:
            return GameKinds(kinds, GameState.READING)
        if system.lacks_game():
            return GameKinds(kinds, GameState.MISSING)
        return GameKinds(kinds, GameState.READ)

    # --- the page ---------------------------------------------------------------------------

    def _on_tool_chosen(self, name: str) -> None:
        """Follow the tool that is in use from now on."""
        self.ground.show_tool(self._desk.tools.tools[name])
        self._switch_to_page_of(name)

    def _switch_to_page_of(self, name: str) -> None:
        """Show the page of the tool with this name, which is the chosen one."""
        if name == "things":
            self._things_page()
            page = THINGS
        else:
            self._ground_tool = name
            page = GROUND
        self.tabs.setCurrentIndex(page)
        self._pages.setCurrentIndex(page)

    def _choose(self, page: int) -> None:
        """Choose the tool of the page whose tab was clicked; -1 stands for a click beside them."""
        if page == THINGS:
            self._desk.tools.choose("things")
        elif page == GROUND:
            self._desk.tools.choose(self._ground_tool)

    def _things_page(self) -> ThingsPage:
        """Return the page of things, which is made when it is first needed."""
        if self.things is None:
            from app.features.palette.label_hints import LabelHints
            from app.features.palette.things_page import ThingsPage

            desk = self._desk
            self.things = ThingsPage(desk.document, desk.tools.options, desk.tools.choose)
            LabelHints(desk, self.things.form)  # a child of the form, with which it lives
            self._pages.addWidget(self.things)
            self._offer_game_kinds()
        return self.things

    def place_kind(self, name: str) -> None:
        """Show the page of things: a click on the map places one of this kind from now on."""
        self._desk.docks.show("palette")
        self._desk.tools.choose("things")
        self._things_page().choose_kind(name)


def _make_tabs() -> QTabBar:
    """Return the bar with a tab for each page, in the order of ``TABS``."""
    tabs = described(QTabBar(), "Pages of the palette")
    for tab in TABS:
        name = tab.text.replace("&", "")  # & marks an access key
        index = tabs.addTab(tab.text)
        tabs.setTabToolTip(index, plain_text(name))
        tabs.setAccessibleTabName(index, name)
    tabs.setExpanding(True)
    tabs.setElideMode(Qt.TextElideMode.ElideNone)
    return tabs


def _read_kinds(
    system: System, _progress: Callable[[int], None], is_cancelled: Callable[[], bool]
) -> _KindsRead:
    """Read the kinds of things that the installed game of a system has: the work of a job."""
    return _KindsRead(system, system.read_further_kinds(is_cancelled))
