"""Reads the Wang sets of Tiled's tilesets, in all notations that Tiled ever had.

    wang_sets = read_wang_sets(tilesets, FLAT)     # NodeError for a number that is none
    wang_sets[0].tiles                             # global id, colours, weight

A Wang set tells which tiles fit beside one another: those whose sides or corners have the same
*colour*, a number from 1 on; 0 is none. Tiled lists eight colours for a tile, its *wang id*, from
the top clockwise: sides at even numbers, corners between them. A tile with grass (1) below and
sand (2) above, in a set of corners::

    "wangid": [0, 2, 0, 1, 0, 1, 0, 2]             2   2
                                                   1   1

On hexes, for which Tiled has no rule, each of the eight directions means what a hex has there: a
side or, where the hex has none, its corner; in a set of corners always the corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE, Layout
from randomizer.model.map.wang_sets import MAX_COLOURS, MAX_SETS, MAX_TILES
from randomizer.systems.interchange.tiled.tiled_cells import FLIPS, GID
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    child,
    nodes,
    real,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_tilesets import Tileset

DIRECTIONS = 8
"""Sides and corners of a tile in Tiled, numbered as its ``wangid`` lists their colours:

    7 0 1
    6   2
    5 4 3
"""

# Sides and corners are numbered as in ``Layout``: clockwise, side 0 is the top (on POINTY hexes the
# upper right), and corner i is where side i begins.

_SIDES = {
    SQUARE.name: (0, 2, 4, 6),
    FLAT.name: (0, 1, 3, 4, 5, 7),  # no side looks to the right (2) or left (6)
    POINTY.name: (1, 2, 3, 5, 6, 7),  # none looks up (0) or down (4)
}
"""The direction of each side of a cell, by layout."""

_CORNERS = {
    SQUARE.name: (7, 1, 3, 5),
    FLAT.name: (7, 1, 2, 3, 5, 6),  # no corner points up (0) or down (4)
    POINTY.name: (0, 1, 3, 4, 5, 7),  # none points to the right (2) or left (6)
}
"""The direction of each corner of a cell, by layout."""

_CORNERS_OF_TERRAINS = (7, 1, 5, 3)
"""The directions of the corners of a tile as Tiled wrote them before 1.5."""

_FORMER_DIRECTIONS = {
    "h": (0, 7, 6, 5, 4, 3, 2, 1),  # left and right are exchanged: 1 with 7, 2 with 6
    "v": (4, 3, 2, 1, 0, 7, 6, 5),  # top and bottom: 0 with 4, 1 with 3
    "d": (6, 5, 4, 3, 2, 1, 0, 7),  # along the diagonal through 7 and 3: 0 with 6, 1 with 5
}
"""The direction that each direction of a flipped tile had before it was flipped, by ``FLIPS``."""

_LARGEST_WEIGHT = 1e6
"""The largest weight of a tile; sums of weights stay exact."""

_LONGEST_NAME = 60
"""The most characters of the name of a set or a colour; of a longer one only the first are used."""


class TiledWangTile(NamedTuple):
    """A tile of a Wang set."""

    gid: int
    """Its global id with flips."""
    wang_id: tuple[int, ...]
    """Its colours in the eight directions, numbered from 1; 0 for none."""
    weight: float
    """How often it is chosen, relative to tiles with the same colours."""


class TiledWangColour(NamedTuple):
    """A colour of a set, and the global id of a tile that shows it; 0 for none."""

    name: str
    gid: int


class TiledWangSet(NamedTuple):
    """A Wang set of a tileset."""

    name: str
    """Its name, or a name made of that of its tileset."""
    kind: str
    """Tiled's type of the set, by which tiles match: "corner", "edge" or "mixed" (both)."""
    colours: list[TiledWangColour]
    """The colours, from number 1 on."""
    tiles: list[TiledWangTile]
    """The tiles, each with a colour in at least one direction."""

    def values(self, tile: TiledWangTile, layout: Layout) -> tuple[int, ...]:
        """Return the colours of a tile at the sides, then the corners, of a cell.

        On hexes these are 12 numbers, on squares 8.
        """
        sides = _SIDES[layout.name]
        corners = _CORNERS[layout.name]
        if self.kind == "corner":
            corner_colours = [tile.wang_id[direction] for direction in corners]
            return (*([0] * len(sides)), *corner_colours)
        colours = [tile.wang_id[direction] for direction in sides]
        for direction in corners:
            # A hex has a side in most of the directions of its corners: the colour in such a
            # direction is that of the side.
            colour = tile.wang_id[direction]
            if direction in sides:
                colour = 0
            colours.append(colour)
        return tuple(colours)


def read_wang_sets(tilesets: list[Tileset], layout: Layout) -> list[TiledWangSet]:
    """Return the sets of tilesets that are not ours, for maps of a layout. Raises NodeError."""
    sets = list[TiledWangSet]()
    tiles_left = MAX_TILES
    for tileset in tilesets:
        if tileset.is_own or len(sets) >= MAX_SETS:
            continue
        for set_in_file in _sets_of(tileset):
            tiles = set_in_file.tiles
            if layout is SQUARE:  # flips of hexes are other turns, for which Tiled has no rule
                transformations = child(tileset.node, "transformations")
                tiles = [*tiles, *_flipped_tiles(transformations, set_in_file.tiles)]
            wang_set = set_in_file._replace(tiles=tiles[:tiles_left])
            # The limit bounds the work, so that the tiles of a set that is dropped below count,
            # too.
            tiles_left -= len(wang_set.tiles)
            has_colours_here = any(any(wang_set.values(tile, layout)) for tile in wang_set.tiles)
            if has_colours_here:
                sets.append(wang_set)
    return sets[:MAX_SETS]


def _sets_of(tileset: Tileset) -> Iterator[TiledWangSet]:
    """Yield the Wang sets of a tileset, and its terrains, which Tiled before 1.5 had instead."""
    sets = list[TiledWangSet]()
    for node in nodes(tileset.node, "wangsets"):
        if nodes(node, "cornercolors") or nodes(node, "edgecolors"):
            sets.append(_set_before_1_5(tileset, node))
        else:
            sets.append(_set_since_1_5(tileset, node))
    sets.append(_set_of_terrains(tileset))
    yield from (wang_set for wang_set in sets if wang_set.colours and wang_set.tiles)


def _set_since_1_5(tileset: Tileset, node: Node) -> TiledWangSet:
    """Return a Wang set whose sides and corners have the same list of colours."""
    colours = nodes(node, "colors")
    tiles = _raw_tiles(tileset, node, len(colours), colours_before_sides=0)
    name = _name_of(node, tileset.name)
    return TiledWangSet(name, text(node, "type"), _raw_colours(tileset, colours), tiles)


def _set_before_1_5(tileset: Tileset, node: Node) -> TiledWangSet:
    """Return a Wang set whose sides and corners have lists of their own, each numbered from 1.

    Colours of sides are numbered on behind those of corners. The kind of the set follows from the
    lists that it has.
    """
    corner_colours = nodes(node, "cornercolors")
    edge_colours = nodes(node, "edgecolors")
    if not edge_colours:
        kind = "corner"
    elif not corner_colours:
        kind = "edge"
    else:
        kind = "mixed"
    colours = nodes(node, "colors") or [*corner_colours, *edge_colours]
    colours_before_sides = 0
    if kind == "mixed":
        colours_before_sides = len(corner_colours)
    tiles = _raw_tiles(tileset, node, len(colours), colours_before_sides=colours_before_sides)
    return TiledWangSet(_name_of(node, tileset.name), kind, _raw_colours(tileset, colours), tiles)


def _raw_tiles(
    tileset: Tileset, node: Node, colour_count: int, *, colours_before_sides: int
) -> list[TiledWangTile]:
    """Return the tiles of a Wang set that have a colour and are in the tileset.

    ``colours_before_sides`` is added to the numbers of the colours of sides.
    """
    tiles = list[TiledWangTile]()
    for tile in nodes(node, "wangtiles"):
        number = whole(tile, "tileid", 0, 0, GID)
        wang_id = _wang_id(tile, colour_count, colours_before_sides)
        if number < tileset.reserved_id_count and any(wang_id):
            tiles.append(_raw_tile(tileset, number, wang_id))
    return tiles


def _set_of_terrains(tileset: Tileset) -> TiledWangSet:
    """Return the terrains of a tileset as a set of corners; without tiles if it has no terrains."""
    terrains = nodes(tileset.node, "terrains")
    tiles = list[TiledWangTile]()
    for number, tile in tileset.tiles.items():
        wang_id = _corners_of(tile, len(terrains))
        if any(wang_id):
            tiles.append(_raw_tile(tileset, number, wang_id))
    name = f"{tileset.name} terrains"
    return TiledWangSet(name, "corner", _raw_colours(tileset, terrains), tiles)


def _raw_colours(tileset: Tileset, colours: list[Node]) -> list[TiledWangColour]:
    """Return the colours of a set; those without a name get a number."""
    result = list[TiledWangColour]()
    for number, colour in enumerate(colours[:MAX_COLOURS], 1):
        tile = whole(colour, "tile", -1, -1, GID)
        gid = 0
        if 0 <= tile < tileset.reserved_id_count:
            gid = tileset.first + tile
        result.append(TiledWangColour(_name_of(colour, f"Terrain {number}"), gid))
    return result


def _raw_tile(tileset: Tileset, number: int, wang_id: tuple[int, ...]) -> TiledWangTile:
    """Return the tile of a set with the id ``number`` in its tileset, and its weight there."""
    weight = real(tileset.tiles.get(number, {}), "probability", 1.0)
    return TiledWangTile(tileset.first + number, wang_id, min(max(weight, 0.0), _LARGEST_WEIGHT))


def _name_of(node: Node, default: str) -> str:
    """Return the name of a node in one short line."""
    name = " ".join(clean_line(text(node, "name")).split())[:_LONGEST_NAME]
    return name or default


def _wang_id(tile: Node, colour_count: int, shift: int) -> tuple[int, ...]:
    """Return the eight colours of a tile; 0 for those that do not exist.

    ``shift`` is added to the colours of sides, which are the even directions.
    """
    entries = tile.get("wangid")
    if not isinstance(entries, list) or len(entries) != DIRECTIONS:
        return (0,) * DIRECTIONS
    colours = [0] * DIRECTIONS
    for direction, entry in enumerate(entries):
        if type(entry) is not int or entry <= 0:
            continue
        colour = entry
        is_side = direction % 2 == 0
        if is_side:
            colour += shift
        if colour <= min(colour_count, MAX_COLOURS):
            colours[direction] = colour
    return tuple(colours)


def _corners_of(tile: Node, terrain_count: int) -> tuple[int, ...]:
    """Return the eight colours of a tile with the terrains of its corners, as before Tiled 1.5."""
    colours = [0] * DIRECTIONS
    terrains = tile.get("terrain")
    if isinstance(terrains, list) and len(terrains) == len(_CORNERS_OF_TERRAINS):
        for direction, terrain in zip(_CORNERS_OF_TERRAINS, terrains, strict=True):
            if type(terrain) is int and 0 <= terrain < min(terrain_count, MAX_COLOURS):
                colours[direction] = terrain + 1
    return tuple(colours)


def _flipped_tiles(transformations: Node, tiles: list[TiledWangTile]) -> Iterator[TiledWangTile]:
    """Yield the tiles in the flipped positions that a tileset allows.

    If the tileset prefers tiles as they are, a flipped tile is left out that has the same colours
    as one of these.
    """
    wang_ids = {tile.wang_id for tile in tiles}
    prefers_originals = transformations.get("preferuntransformed") is True
    for names in _allowed_flips(transformations):
        for tile in tiles:
            wang_id = tile.wang_id
            flags = 0
            for name in names:
                wang_id = tuple(wang_id[direction] for direction in _FORMER_DIRECTIONS[name])
                flags |= FLIPS[name]
            if not prefers_originals or wang_id not in wang_ids:
                yield TiledWangTile(tile.gid | flags, wang_id, tile.weight)


def _allowed_flips(transformations: Node) -> tuple[str, ...]:
    """Return the flips of a tileset's tiles, each in the order in which they are done."""
    flips_horizontally = transformations.get("hflip") is True
    flips_vertically = transformations.get("vflip") is True
    if transformations.get("rotate") is True:
        # Quarter turns with one flip give all eight positions; alone they give "dh", "vh", "dv".
        if flips_horizontally or flips_vertically:
            return ("h", "v", "vh", "d", "dh", "dv", "dvh")
        return ("dh", "vh", "dv")
    if flips_horizontally and flips_vertically:
        return ("h", "v", "vh")
    if flips_horizontally:
        return ("h",)
    if flips_vertically:
        return ("v",)
    return ()
