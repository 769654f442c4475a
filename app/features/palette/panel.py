"""The palette: buttons for the terrain, elevation, hexside and route that the tools paint.

A ``Palette`` has a *group* of buttons (``Swatches``) for each of these; the name of a group is that
of the tool that paints with it, and of the field of ``ToolOptions`` that holds the choice. Below
the class the ``..._entries`` functions make the buttons' names and tool tips from a map.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QStyle, QVBoxLayout, QWidget

from app.background.slices import Slices
from app.features.palette.swatch_pictures import SwatchPictures
from app.features.palette.swatches import BARE_BUTTON, PICTURE, Entry, Swatches
from app.qt_guard import connect, guarded, later
from app.render.raster.sprites import Sprites, single_ratio
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

HEXSIDE_SHARE = 0.5
"""The height of the picture of a hexside, as a share of its width."""

ROOMY_WIDTH = 200
"""A palette that is narrower has no margins and short texts, in logical pixels."""

MARGIN = 6
"""The margin around the groups of a roomy palette, in logical pixels."""

GROUP_OF_ROLE = {
    PlaneRole.TERRAIN: "terrain",
    PlaneRole.HEIGHT: "elevation",
    PlaneRole.HEXSIDE: "hexside",
}
"""The group for the tools that paint a plane, by the role of the plane.

Routes and Wang sets have one tool each, of the same name as the group.
"""


class Palette(QScrollArea):
    """Buttons for all values that can be painted; a click also takes up the tool that paints one.

    One of all the buttons looks chosen: that of the value which the current tool paints, else of
    the one painted last. ``choose_tool`` is called with the name of a tool to take it up. There are
    no pictures before ``draw_pictures``, so that the window is shown sooner.
    """

    more_requested = Signal()
    """The user wants to add a terrain of the game to the terrain set."""

    def __init__(
        self, battlemap: BattleMap, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._drawing: Iterator[None] = iter(())
        """The pictures that are still to be drawn: each step of the iterator draws one."""
        self._draw_terrain: Callable[[int], QPixmap] | None = None
        """Draws the picture of a terrain's code; None before pictures are drawn."""
        self._style: Style | None = None
        """The style of the pictures, None before they are drawn."""
        self._slices = Slices(self._draw_next, self)
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
        self._scrolled_group = ""
        """The name of the group whose choice was scrolled to last."""
        self._scrolled_value = 0
        """The value of the scroll bar then: another value means that it was moved by hand."""
        self._build()
        connect(options.changed, self._follow_options)
        connect(self.verticalScrollBar().rangeChanged, self._on_range_changed)

    def show_map(self, battlemap: BattleMap, renderer: Renderer) -> None:
        """Make buttons for another map, or draw their pictures again, as far as that is needed."""
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
        """Show the value that this tool paints as the chosen one, and scroll to it.

        For a tool without a group the chosen button stays.
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
                self.ensureWidgetVisible(group, 0, 0)  # with all that the group offers
            self._scroll_to_choice(group_name)

    def _follow_options(self) -> None:
        """Show a value that was chosen elsewhere: by a command, or by the eyedropper."""
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
            self._scrolled_group = group_name
            self._scrolled_value = self.verticalScrollBar().value()

    def _on_range_changed(self, _least: int, _most: int) -> None:
        """Scroll to the choice again as soon as the buttons have their new positions."""
        later(self, self._scroll_again)

    def _scroll_again(self) -> None:
        """Scroll to the choice again, unless the palette was scrolled by hand since."""
        is_untouched = self.verticalScrollBar().value() == self._scrolled_value
        if self._scrolled_group and is_untouched:
            self._scroll_to_choice(self._scrolled_group)

    def take_up_terrain(self) -> None:
        """Take up the tool that paints terrains."""
        self._choose_tool("terrain")

    # --- construction -----------------------------------------------------------------------

    def _build(self) -> None:
        """Make all buttons for the map, in place of those for the map before."""
        self._contents = _contents(self._battlemap)
        self._make_groups()
        self._make_flip_box()
        self._reserve_room()
        self._lay_out()
        self._fit()
        self._show_choice()

    def _make_groups(self) -> None:
        """Make the groups with their buttons, in the order in which they are shown."""
        battlemap = self._battlemap
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

    def _make_flip_box(self) -> None:
        """Make the box below the hexsides that gives them to the other one of two cells."""
        self.flip = QCheckBox()
        tip = "A {side} goes to the higher {cell}, a dune to the sand; ticked, to the other {cell}."
        self.flip.setToolTip(plain_text(self._about_cells(tip)))
        connect(self.flip.toggled, self._choose_flipped)
        self.hexsides.foot.append(self.flip)

    def _choose_flipped(self, flipped: bool) -> None:
        self._options.choose(flipped=flipped)

    def _lay_out(self) -> None:
        """Put the groups below one another; those of values that the map cannot have are hidden."""
        battlemap = self._battlemap
        system = battlemap.system
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self.more = described(
            QPushButton(), tip=f"Add any {system.terrain_noun} of the game to this map"
        )
        connect(self.more.clicked, self.more_requested)
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

    def _about_cells(self, text: str) -> str:
        """Return a text with the words for the cells of the map, such as hex or square."""
        return cell_text(text, self._battlemap.grid.layout)

    def _reserve_room(self) -> None:
        """Reserve the room of the pictures, so that no button moves when they are drawn."""
        size = scale_of_pictures(self._battlemap.grid.layout).size
        self.terrains.reserve(size)
        self.edges.reserve(size)
        self._routes.reserve(size)
        if _has_height_pictures(self._battlemap):
            self._elevations.reserve(size)
        self.hexsides.reserve(QSize(PICTURE, round(PICTURE * HEXSIDE_SHARE)))

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
        """Choose margins, texts and columns for the width of the palette."""
        if self.width() >= ROOMY_WIDTH:
            margin = MARGIN
            self.more.setText(f"&More {self._battlemap.system.terrain_noun}s...")
            self.flip.setText(self._about_cells("Other {cell} owns it (X)"))
        else:
            margin = 0
            self.more.setText("&More...")
            self.flip.setText("Other (X)")
        self._column.setContentsMargins(margin, MARGIN, margin, MARGIN)
        for group in self._groups.values():
            group.fit(self.width() - self._bar_width - 2 * margin)

    # --- the choice -------------------------------------------------------------------------

    def _choose(self, group_name: str, code: int) -> None:
        """Choose the value ``code`` of a group, and take up the tool that paints it."""
        self._painted_group = group_name
        if group_name == "elevation":
            self._options.set_elevation(code)
        else:
            self._options.choose(**{group_name: code})
        self._choose_tool(group_name)
        self._show_choice()

    def _show_choice(self) -> None:
        """Show the painted value as the chosen one of its group, and none in other groups."""
        for name, group in self._groups.items():
            if name == self._painted_group:
                group.show_code(getattr(self._options, name))
            else:
                group.show_code(None)
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
            scale_of_pictures(battlemap.grid.layout).scale,
            single_ratio(self),
            style=self._style,
        )
        pictures = SwatchPictures(sprites, self._style, renderer.pictures)
        routes = battlemap.system.routes_of(battlemap.terrain_set)
        self._draw_terrain = pictures.terrain
        elevation_pictures: Iterator[None] = iter(())
        if _has_height_pictures(battlemap):
            elevation_pictures = self._elevations.drawing(pictures.elevation)
        self._drawing = chain(
            self.terrains.drawing(self._draw_terrain),
            self.edges.drawing(self._draw_colour),
            elevation_pictures,
            self._routes.drawing(lambda number: pictures.route(routes[number])),
            self.hexsides.drawing(pictures.hexside),
        )
        self._slices.start()

    def _draw_colour(self, number: int) -> QPixmap:
        """Return the picture of the terrain that shows colour ``number`` of the Wang sets."""
        assert self._draw_terrain is not None, "pictures are being drawn"
        terrain = terrain_of_colour(self._battlemap, colours_of(self._battlemap)[number])
        return self._draw_terrain(terrain)

    def _draw_search_results(self) -> None:
        """Draw the pictures of terrains that were searched for, after those still to be drawn."""
        if self._draw_terrain is not None:
            self._drawing = chain(
                self._drawing,
                self.terrains.drawing(self._draw_terrain, again=False),
                self.edges.drawing(self._draw_colour, again=False),
            )
            self._slices.start()

    @property
    def drawn(self) -> bool:
        """True if no picture of a button is still to be drawn."""
        return not self._slices.is_active

    def _draw_next(self) -> bool:
        """Draw one picture; return whether there was one to be drawn."""
        end = object()
        return next(self._drawing, end) is not end


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
        title = battlemap.terrain_set.hexside_title(hexside)
        entries.append(Entry(code, title, tip))
    return entries


def _about(kind: Terrain | Hexside | RouteSpec) -> str:
    """Return the description of a terrain, hexside or route for its tool tip."""
    if kind.missing:
        return f"No longer in the terrain set; the map still shows it. {kind.description}"
    return kind.description


def _has_height_pictures(battlemap: BattleMap) -> bool:
    """Return whether elevations have pictures; else they are numbers."""
    return style_of(battlemap.system).features is not None


def _contents(battlemap: BattleMap) -> tuple[object, ...]:
    """Return the values on which the buttons and their texts depend, to be compared."""
    system = battlemap.system
    colours = colours_of(battlemap)
    return battlemap.terrain_set, system.shown_planes, battlemap.grid.degree, colours


class PictureScale(NamedTuple):
    """The scale of pictures of cells."""

    scale: float
    """Logical pixels a map unit."""
    size: QSize
    """The size of a picture in logical pixels."""


def scale_of_pictures(layout: Layout) -> PictureScale:
    """Return the scale of pictures of cells: cells of all layouts cover about the same area."""
    xs, ys = zip(*layout.corners, strict=True)
    width = max(xs) - min(xs)
    height = max(ys) - min(ys)
    scale = PICTURE * SHARE / math.sqrt(width * height)
    return PictureScale(scale, QSize(round(scale * width), round(scale * height)))
