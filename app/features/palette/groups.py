"""The groups of the palette: what a map offers to paint with, and how its buttons look.

A ``PaletteGroup`` is a kind of values, such as the terrains of a map. Each value has a *code*, the
number that is painted, and a button in the group's ``Swatches``. ``make_groups`` makes all groups
for a map, also those whose values the map cannot have, which are not ``is_offered``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap

from app.features.palette.swatch_pictures import SwatchPictures
from app.features.palette.swatches import PICTURE, Entry, Swatches
from app.render.style import style_of
from app.tools.edges import colours_of, terrain_of_colour
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole, PlaneSpec
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet

CELL_SHARE = 0.93
"""The root of width x height of a pictured cell, as a share of ``PICTURE``.

So cells of all layouts look equally large. At 0.93 a flat-topped hex is as wide as ``PICTURE``; at
more it would be wider than the buttons.
"""

HEXSIDE_HEIGHT = 0.5
"""The height of the picture of a hexside, as a share of its width."""

TERRAIN = "terrain"
ELEVATION = "elevation"
HEXSIDE = "hexside"
ROUTE = "route"
EDGES = "edges"

GROUP_OF_ROLE = {
    PlaneRole.TERRAIN: TERRAIN,
    PlaneRole.HEIGHT: ELEVATION,
    PlaneRole.HEXSIDE: HEXSIDE,
}
"""The group for the tools that paint a plane, by the role of the plane.

Routes and Wang sets have one tool each, of the same name as the group.
"""


class PaletteGroup(NamedTuple):
    """A kind of values that can be painted, with a button for each."""

    name: str
    """The name of the tool that paints them, and of the field of ``ToolOptions`` with the choice.
    """

    swatches: Swatches
    """The buttons."""

    is_offered: bool
    """False if the map cannot have such values; then the group is hidden."""

    picture_size: QSize | None
    """The size of the pictures, in logical pixels; None if the buttons show names alone."""

    picture_of: Callable[[SwatchPictures, int], QPixmap]
    """Returns the picture of a value, given its code."""


def make_groups(battlemap: BattleMap) -> dict[str, PaletteGroup]:
    """Return the groups for a map by their names, in the order in which they are shown."""
    cell_size = cell_picture_geometry(battlemap.grid.layout).size
    groups = (
        _edge_group(battlemap, cell_size),
        _terrain_group(battlemap, cell_size),
        _elevation_group(battlemap, cell_size),
        _route_group(battlemap, cell_size),
        _hexside_group(battlemap),
    )
    return {group.name: group for group in groups}


class PaletteContents(NamedTuple):
    """What the groups for a map depend on, but for the sizes of pictures.

    Maps with equal contents have the same groups: systems with equal planes have the same texts of
    elevations, too.
    """

    terrain_set: TerrainSet

    planes: tuple[PlaneSpec, ...]
    """The planes of the system that are shown."""

    degree: int
    """The number of sides of a cell."""

    edge_colours: tuple[object, ...]
    """The colours of the Wang sets that came with the map."""


def contents_of(battlemap: BattleMap) -> PaletteContents:
    """Return what the groups for a map depend on, to be compared with that of another map."""
    return PaletteContents(
        battlemap.terrain_set,
        tuple(battlemap.system.shown_planes),
        battlemap.grid.degree,
        tuple(colours_of(battlemap)),
    )


class CellPictureGeometry(NamedTuple):
    """How large pictures of cells are."""

    scale: float
    """Logical pixels a map unit."""

    size: QSize
    """The size of a picture in logical pixels."""


def cell_picture_geometry(layout: Layout) -> CellPictureGeometry:
    """Return the scale of pictures of cells: cells of all layouts cover about the same area."""
    xs, ys = zip(*layout.corners, strict=True)
    width = max(xs) - min(xs)
    height = max(ys) - min(ys)
    scale = PICTURE * CELL_SHARE / math.sqrt(width * height)
    return CellPictureGeometry(scale, QSize(round(scale * width), round(scale * height)))


# --- terrains -----------------------------------------------------------------------------------


def _terrain_group(battlemap: BattleMap, size: QSize) -> PaletteGroup:
    """Return the group of the terrains, in the order of lists."""
    terrains = battlemap.terrain_set.terrains
    entries = []
    for code in shown_order(terrains):
        terrain = terrains[code]
        entries.append(Entry(code, terrain.name, f"{terrain.name}. {_about(terrain)}".strip()))
    is_offered = battlemap.system.terrain is not None
    return PaletteGroup(TERRAIN, Swatches("Terrain", entries), is_offered, size, _draw_terrain)


def _draw_terrain(pictures: SwatchPictures, code: int) -> QPixmap:
    """Return the picture of a terrain on low ground."""
    return pictures.terrain(code)


# --- edges of Wang sets -------------------------------------------------------------------------


def _edge_group(battlemap: BattleMap, size: QSize) -> PaletteGroup:
    """Return the group of the colours of the Wang sets that came with the map.

    Their code is their index in ``colours_of``.
    """
    colours = colours_of(battlemap)
    entries = []
    for index, painted in enumerate(colours):
        name = painted.colour.name
        tip = f"Paint {name} with the tiles of {painted.wang_set.name} that fit what is around"
        entries.append(Entry(index, name, tip))
    swatches = Swatches("Automatic edges", entries)
    return PaletteGroup(EDGES, swatches, bool(colours), size, partial(_draw_colour, battlemap))


def _draw_colour(battlemap: BattleMap, pictures: SwatchPictures, number: int) -> QPixmap:
    """Return the picture of the terrain that shows a colour."""
    terrain = terrain_of_colour(battlemap, colours_of(battlemap)[number])
    return _draw_terrain(pictures, terrain)


# --- elevations ---------------------------------------------------------------------------------


def _elevation_group(battlemap: BattleMap, size: QSize) -> PaletteGroup:
    """Return the group of the elevations; in styles that draw no hills they are numbers."""
    system = battlemap.system
    has_pictures = style_of(system).features is not None
    entries = []
    for elevation in battlemap.terrain_set.elevations:
        text = system.elevation_text(elevation)
        if has_pictures:
            name = text.capitalize()
        else:
            name = str(elevation)
        entries.append(Entry(elevation, name, f"Paint {text} (key {elevation})"))
    picture_size = None
    if has_pictures:
        picture_size = size
    swatches = Swatches("Elevation", entries, pictured=has_pictures)
    is_offered = system.elevation is not None
    return PaletteGroup(ELEVATION, swatches, is_offered, picture_size, _draw_elevation)


def _draw_elevation(pictures: SwatchPictures, elevation: int) -> QPixmap:
    """Return the picture of the first terrain at an elevation."""
    return pictures.elevation(elevation)


# --- routes -------------------------------------------------------------------------------------


def _route_group(battlemap: BattleMap, size: QSize) -> PaletteGroup:
    """Return the group of the kinds of routes."""
    routes = battlemap.system.routes_of(battlemap.terrain_set)
    entries = []
    for index, route in enumerate(routes):
        tip = f"Lay {with_article(route.name.lower())}"
        description = _about(route)
        if description:
            tip = f"{tip}. {description}"
        entries.append(Entry(index, route.name, tip))
    swatches = Swatches("Route", entries)
    return PaletteGroup(ROUTE, swatches, bool(routes), size, partial(_draw_route, routes))


def _draw_route(routes: tuple[RouteSpec, ...], pictures: SwatchPictures, number: int) -> QPixmap:
    """Return the picture of a route."""
    return pictures.route(routes[number])


# --- hexsides -----------------------------------------------------------------------------------


def _hexside_group(battlemap: BattleMap) -> PaletteGroup:
    """Return the group of the hexsides; its first button takes them away."""
    layout = battlemap.grid.layout
    entries = [Entry(0, "Nothing", cell_text("Take {sides} away", layout))]
    for code, hexside in enumerate(battlemap.terrain_set.hexsides, 1):
        owner = cell_text(hexside.owner, layout)
        tip = f"{hexside.name}: belongs to {owner}. {_about(hexside)}".strip()
        title = battlemap.terrain_set.hexside_title(hexside)
        entries.append(Entry(code, title, tip))
    swatches = Swatches(cell_text("{Side}", layout), entries)
    size = QSize(PICTURE, round(PICTURE * HEXSIDE_HEIGHT))
    is_offered = battlemap.system.hexside is not None
    return PaletteGroup(HEXSIDE, swatches, is_offered, size, _draw_hexside)


def _draw_hexside(pictures: SwatchPictures, code: int) -> QPixmap:
    """Return the picture of a hexside; of code 0, of none."""
    return pictures.hexside(code)


def _about(kind: Terrain | Hexside | RouteSpec) -> str:
    """Return the description of a terrain, hexside or route for its tool tip."""
    if kind.missing:
        return f"No longer in the terrain set; the map still shows it. {kind.description}"
    return kind.description
