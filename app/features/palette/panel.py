"""The palette: buttons for the terrain, elevation, hexside and route that the tools paint."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QStyle, QVBoxLayout, QWidget

from app.features.palette.swatches import BARE_BUTTON, PICTURE, Entry, Swatches
from app.qt_guard import connect, guarded, later
from app.render.raster.sprites import Sprites, hexside_picture
from app.render.renderer import Renderer
from app.render.style import Style, drawn_style, style_of
from app.tools import Tool, ToolOptions
from app.tools.edges import colours_of, terrain_of_colour
from app.widgets.layout.builders import described, plain_text
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain

SHARE = 0.93
"""The root of width x height of a cell, as a share of ``PICTURE``: a flat-topped hex fills it."""

ROOMY = 200
"""A palette that is narrower has no margins and short texts, in logical pixels."""

MARGIN = 6
"""Around the groups of a roomy palette, in logical pixels."""

GROUP_OF_ROLE = {
    PlaneRole.TERRAIN: "terrain",
    PlaneRole.HEIGHT: "elevation",
    PlaneRole.HEXSIDE: "hexside",
}
"""The group that shows what a tool paints, by the role of its plane; routes and Wang sets have a
tool alone."""


class Palette(QScrollArea):
    """Buttons for what can be painted; a click also chooses the tool that paints it.

    One of all the buttons looks chosen: what the tool in hand paints, else what was painted last.
    ``more_asked()``: the terrain set is to get another terrain of the game. ``choose_tool`` is
    called with the name of that tool. There are no pictures before
    ``draw_pictures``, so that the window is shown sooner.
    """

    more_asked = Signal()

    def __init__(
        self, battlemap: BattleMap, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._drawing: Iterator[None] = iter(())
        self._draw_terrain: Callable[[int], QPixmap] | None = None
        self._style: Style | None = None
        """The style of the pictures, None before they are drawn."""
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._draw_next)
        self._battlemap = battlemap
        self._layout = battlemap.grid.layout
        self._options = options
        self._choose_tool = choose_tool
        self._painted_group = "terrain"
        """The name of the group that is painted with."""
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Palette")
        self.setMinimumWidth(2 * BARE_BUTTON + self._bar_width)
        self._sought_group = ""
        """The name of the group whose choice was scrolled to last, until one scrolls by hand."""
        self._sought_value = 0
        """The value of the scroll bar then."""
        self._build()
        connect(options.changed, self._follow_options)
        connect(self.verticalScrollBar().rangeChanged, self._seek_later)

    def show_map(self, battlemap: BattleMap, renderer: Renderer) -> None:
        """Offer what this map can be made of, with pictures in its layout."""
        previous_contents = self._contents
        previous_layout = self._layout
        self._battlemap = battlemap
        self._layout = battlemap.grid.layout
        if _contents(battlemap) != previous_contents:
            self._build()
        elif self._layout == previous_layout:
            return
        self.draw_pictures(renderer)

    def show_tool(self, tool: Tool) -> None:
        """Show as chosen what this tool paints, where it can be seen.

        A tool that paints none of these changes nothing.
        """
        group_name = tool.name
        if tool.paints and tool.needs is not None:
            group_name = GROUP_OF_ROLE[tool.needs]
        group = self._groups.get(group_name)
        if group is not None and not group.isHidden():
            self._painted_group = group_name
        self._show_choice()
        if group is not None:
            if group.height() <= self.viewport().height():
                self.ensureWidgetVisible(group, 0, 0)  # one sees what else there is to choose
            self._scroll_to_choice(group_name)

    def _follow_options(self) -> None:
        """Show what was chosen elsewhere: by a command, or by a click that picks it on the map."""
        group_name = self._painted_group
        previous_code = self._groups[group_name].chosen_code
        self._show_choice()
        if self._groups[group_name].chosen_code != previous_code:
            self._scroll_to_choice(group_name)

    def _scroll_to_choice(self, group_name: str) -> None:
        """Scroll as little as brings the chosen button of a group into view.

        It stays in view while the buttons above it get their pictures and with these heights.
        """
        button = self._groups[group_name].button_of(getattr(self._options, group_name))
        if button is not None and button.isVisible():
            self.ensureWidgetVisible(button, 0, button.fontMetrics().height())
            self._sought_group = group_name
            self._sought_value = self.verticalScrollBar().value()

    def _seek_later(self, _least: int, _most: int) -> None:
        """Seek when the buttons have their new positions."""
        later(self, self._seek)

    def _seek(self) -> None:
        """Scroll to the choice again, as the buttons have moved, unless one has scrolled since."""
        if self._sought_group and self.verticalScrollBar().value() == self._sought_value:
            self._scroll_to_choice(self._sought_group)

    def take_up_terrain(self) -> None:
        """Take up the tool that paints terrains."""
        self._choose_tool("terrain")

    # --- construction -----------------------------------------------------------------------

    def _build(self) -> None:
        battlemap = self._battlemap
        self._contents = _contents(battlemap)
        system = battlemap.system
        self.terrains = Swatches("Terrain", terrain_entries(battlemap))
        self._elevations = Swatches(
            "Elevation", elevation_entries(battlemap), pictured=_has_height_pictures(battlemap)
        )
        self._routes = Swatches("Route", route_entries(battlemap))
        self.hexsides = Swatches(self._about_cells("{Side}"), hexside_entries(battlemap))
        self.edges = Swatches("Automatic edges", edge_entries(battlemap))
        self._groups = {
            "edges": self.edges,
            "terrain": self.terrains,
            "elevation": self._elevations,
            "route": self._routes,
            "hexside": self.hexsides,
        }
        for name, group in self._groups.items():
            connect(group.clicked_code, partial(self._choose, name))
            connect(group.searched, self._draw_search_results)
        self.flip = QCheckBox()
        self.flip.setToolTip(
            plain_text(
                self._about_cells(
                    "A {side} goes to the higher {cell}, a dune to the sand; ticked, to the other "
                    "{cell}."
                )
            )
        )
        connect(self.flip.toggled, lambda on: self._options.choose(flipped=on))
        self.hexsides.foot.append(self.flip)
        self._reserve_room()
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self.more = described(
            QPushButton(), tip=f"Add any {system.terrain_noun} of the game to this map"
        )
        connect(self.more.clicked, self.more_asked)
        self._column.addWidget(self.more)
        self.more.setVisible(system.offers(System.terrain_named))
        for group in self._groups.values():
            self._column.addWidget(group)
        self._column.addStretch(1)
        self.terrains.setVisible(system.terrain is not None)
        self.edges.setVisible(bool(colours_of(battlemap)))
        self._elevations.setVisible(system.elevation is not None)
        self._routes.setVisible(bool(system.routes_of(battlemap.terrain_set)))
        self.hexsides.setVisible(system.hexside is not None)
        self.setWidget(inner)
        self._fit()
        self._show_choice()

    def _about_cells(self, text: str) -> str:
        return cell_text(text, self._battlemap.grid.layout)

    def _reserve_room(self) -> None:
        """Reserve the room of the pictures."""
        size = scale_of_pictures(self._battlemap.grid.layout)[1]
        self.terrains.reserve(size)
        self.edges.reserve(size)
        self._routes.reserve(size)
        if _has_height_pictures(self._battlemap):
            self._elevations.reserve(size)
        self.hexsides.reserve(QSize(PICTURE, round(PICTURE * 0.5)))

    # --- the width --------------------------------------------------------------------------

    @property
    def _bar_width(self) -> int:
        """The width of the scroll bar, in logical pixels; its room is kept free."""
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many columns as the width holds."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_roomy = self.width() >= ROOMY
        margin = MARGIN if is_roomy else 0
        self._column.setContentsMargins(margin, MARGIN, margin, MARGIN)
        noun = self._battlemap.system.terrain_noun
        if is_roomy:
            self.more.setText(f"&More {noun}s...")
            self.flip.setText(self._about_cells("Other {cell} owns it (X)"))
        else:
            self.more.setText("&More...")
            self.flip.setText("Other (X)")
        for group in self._groups.values():
            group.fit(self.width() - self._bar_width - 2 * margin)

    # --- the choice -------------------------------------------------------------------------

    def _choose(self, group_name: str, code: int) -> None:
        """Paint this from now on, and take up a tool that does."""
        self._painted_group = group_name
        if group_name == "elevation":
            self._options.set_elevation(code)
        else:
            self._options.choose(**{group_name: code})
        self._choose_tool(group_name)
        self._show_choice()

    def _show_choice(self) -> None:
        for name, group in self._groups.items():
            is_painted = name == self._painted_group
            group.show_code(getattr(self._options, name) if is_painted else None)
        self.flip.setChecked(self._options.flipped)

    # --- pictures ---------------------------------------------------------------------------

    def draw_in_style(self, renderer: Renderer) -> None:
        """Draw the pictures again if maps are drawn in another style than they were drawn in."""
        system = self._battlemap.system
        style = drawn_style(system, renderer.overlays, renderer.theme)
        if self._style is not None and style is not self._style:
            self.draw_pictures(renderer)

    def draw_pictures(self, renderer: Renderer) -> None:
        """Draw the pictures of all buttons, one in each turn of the event loop."""
        battlemap = self._battlemap
        self._style = drawn_style(battlemap.system, renderer.overlays, renderer.theme)
        sprites = Sprites(
            battlemap.grid.layout,
            battlemap.terrain_set,
            renderer.pictures,
            renderer.theme,
            scale_of_pictures(battlemap.grid.layout)[0],
            max(self.devicePixelRatioF(), 2.0),
            style=self._style,
        )
        routes = battlemap.system.routes_of(battlemap.terrain_set)
        self._draw_terrain = lambda code: sprites.cell(code, 0)
        elevation_pictures: Iterator[None] = iter(())
        if _has_height_pictures(battlemap):
            elevation_pictures = self._elevations.drawing(lambda height: sprites.cell(0, height))
        self._drawing = chain(
            self.terrains.drawing(self._draw_terrain),
            self.edges.drawing(self._draw_colour),
            elevation_pictures,
            self._routes.drawing(lambda number: sprites.route(routes[number])),
            self.hexsides.drawing(lambda code: hexside_picture(sprites, code, PICTURE)),
        )
        self._timer.start(0)

    def _draw_colour(self, number: int) -> QPixmap:
        """Draw the terrain that shows the colour of a Wang set."""
        assert self._draw_terrain is not None, "pictures are being drawn"
        terrain = terrain_of_colour(self._battlemap, colours_of(self._battlemap)[number])
        return self._draw_terrain(terrain)

    def _draw_search_results(self) -> None:
        """Draw the pictures of terrains that were searched for, behind those that wait."""
        if self._draw_terrain is not None:
            self._drawing = chain(
                self._drawing,
                self.terrains.drawing(self._draw_terrain, again=False),
                self.edges.drawing(self._draw_colour, again=False),
            )
            self._timer.start(0)

    @property
    def drawn(self) -> bool:
        """True if no picture of a button is still to be drawn."""
        return not self._timer.isActive()

    def _draw_next(self) -> None:
        if next(self._drawing, self) is self:
            self._timer.stop()


def terrain_entries(battlemap: BattleMap) -> list[Entry]:
    """Return a button for each terrain, in the order of lists."""
    terrains = battlemap.terrain_set.terrains
    entries = []
    for code in shown_order(terrains):
        terrain = terrains[code]
        entries.append(Entry(code, terrain.name, f"{terrain.name}. {_about(terrain)}".strip()))
    return entries


def edge_entries(battlemap: BattleMap) -> list[Entry]:
    """Return a button for each colour of the Wang sets that came with the map."""
    entries = []
    for number, painted in enumerate(colours_of(battlemap)):
        name = painted.colour.name
        tip = f"Paint {name} with the tiles of {painted.wang_set.name} that fit what is around"
        entries.append(Entry(number, name, tip))
    return entries


def elevation_entries(battlemap: BattleMap) -> list[Entry]:
    """Return a button for each elevation; without pictures it shows the number alone."""
    system = battlemap.system
    entries = []
    for elevation in battlemap.terrain_set.elevations:
        text = system.elevation_text(elevation)
        if _has_height_pictures(battlemap):
            name = text.capitalize()
        else:
            name = str(elevation)
        entries.append(Entry(elevation, name, f"Paint {text} (key {elevation})"))
    return entries


def route_entries(battlemap: BattleMap) -> list[Entry]:
    """Return a button for each kind of route."""
    entries = []
    for number, route in enumerate(battlemap.system.routes_of(battlemap.terrain_set)):
        tip = f"Lay {with_article(route.name.lower())}"
        description = _about(route)
        if description:
            tip = f"{tip}. {description}"
        entries.append(Entry(number, route.name, tip))
    return entries


def hexside_entries(battlemap: BattleMap) -> list[Entry]:
    """Return a button that takes hexsides away, then one for each kind."""
    layout = battlemap.grid.layout
    entries = [Entry(0, "Nothing", cell_text("Take {sides} away", layout))]
    for code, hexside in enumerate(battlemap.terrain_set.hexsides, 1):
        owner = cell_text(hexside.owner, layout)
        tip = f"{hexside.name}: belongs to {owner}. {_about(hexside)}".strip()
        entries.append(Entry(code, hexside.name, tip))
    return entries


def _about(kind: Terrain | Hexside | RouteSpec) -> str:
    """Return what a tool tip says of a terrain, hexside or route besides its name."""
    if kind.missing:
        return f"No longer in the terrain set; the map still shows it. {kind.description}"
    return kind.description


def _has_height_pictures(battlemap: BattleMap) -> bool:
    """Return whether elevations have pictures; else they are numbers."""
    return style_of(battlemap.system).features is not None


def _contents(battlemap: BattleMap) -> tuple[object, ...]:
    """Return what the buttons depend on, and the words on them."""
    system = battlemap.system
    colours = colours_of(battlemap)
    return battlemap.terrain_set, system.shown_planes, battlemap.grid.degree, colours


def scale_of_pictures(layout: Layout) -> tuple[float, QSize]:
    """Return the scale (logical pixels per map unit) and the size of pictures of cells."""
    width, height = (max(along) - min(along) for along in zip(*layout.corners, strict=True))
    scale = PICTURE * SHARE / math.sqrt(width * height)
    return scale, QSize(round(scale * width), round(scale * height))
