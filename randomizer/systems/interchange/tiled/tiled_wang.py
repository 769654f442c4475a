"""The Wang sets of Tiled's tilesets, in all notations that it ever had, by sides and corners.

    wang_sets = read_wang_sets(tilesets, FLAT)     # NodeError for a number that is none
    wang_sets[0].tiles                             # global id, colours, weight

A tile has eight colours there, clockwise from the top: sides at even numbers, corners between them.
On hexes, for which Tiled has no rule, each of the eight directions means what a hex has there: a
side or, where the hex has none, its corner; in a set of corners always the corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE, Layout
from randomizer.model.map.wang_sets import MOST_COLOURS, MOST_SETS, MOST_TILES
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    child,
    nodes,
    real,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_tiles import FLIPS, GID, Tileset

DIRECTIONS = 8

_SIDES = {
    SQUARE.name: (0, 2, 4, 6),
    FLAT.name: (0, 1, 3, 4, 5, 7),
    POINTY.name: (1, 2, 3, 5, 6, 7),
}
"""The direction of each side of a cell, by layout."""

_CORNERS = {
    SQUARE.name: (7, 1, 3, 5),
    FLAT.name: (7, 1, 2, 3, 5, 6),
    POINTY.name: (0, 1, 3, 4, 5, 7),
}
"""The direction of each corner of a cell, by layout."""

_CORNERS_OF_TERRAINS = (7, 1, 5, 3)
"""The directions of the corners of a tile as Tiled wrote them before 1.5."""

_MIRRORED = (0, 7, 6, 5, 4, 3, 2, 1)
_UPSIDE_DOWN = (4, 3, 2, 1, 0, 7, 6, 5)
_TRANSPOSED = (6, 5, 4, 3, 2, 1, 0, 7)
"""Where each direction of a flipped tile was before: from left to right, from top to bottom, and
across the diagonal.
"""

_LONGEST_NAME = 60


class RawTile(NamedTuple):
    """A tile by its global id with flips, its eight colours, and how often it is chosen."""

    gid: int
    wang_id: tuple[int, ...]
    weight: float


class RawColour(NamedTuple):
    """A colour of a set, and the global id of a tile that shows it; 0 for none."""

    name: str
    gid: int


class RawSet(NamedTuple):
    """A Wang set of a tileset; ``kind`` is its type: "corner", "edge" or "mixed"."""

    name: str
    kind: str
    colours: list[RawColour]
    tiles: list[RawTile]

    def values(self, tile: RawTile, layout: Layout) -> tuple[int, ...]:
        """Return the colours of a tile at the sides, then the corners, of a cell."""
        sides = _SIDES[layout.name]
        corners = _CORNERS[layout.name]
        has_corners_only = self.kind == "corner"
        if has_corners_only:
            at_sides = [0] * len(sides)
        else:
            at_sides = [tile.wang_id[direction] for direction in sides]
        at_corners = [
            tile.wang_id[direction] if has_corners_only or direction not in sides else 0
            for direction in corners
        ]
        return (*at_sides, *at_corners)


def read_wang_sets(tilesets: list[Tileset], layout: Layout) -> list[RawSet]:
    """Return the sets of tilesets that are not ours, for maps of a layout. Raises NodeError."""
    sets = list[RawSet]()
    tiles_left = MOST_TILES
    for tileset in tilesets:
        if tileset.is_own or len(sets) >= MOST_SETS:
            continue
        for wang_set in _sets_of(tileset):
            tiles = wang_set.tiles
            if layout is SQUARE:
                transformations = child(tileset.node, "transformations")
                tiles = [*tiles, *_flipped_tiles(transformations, wang_set.tiles)]
            wang_set = wang_set._replace(tiles=tiles[:tiles_left])
            tiles_left -= len(wang_set.tiles)
            if any(any(wang_set.values(tile, layout)) for tile in wang_set.tiles):
                sets.append(wang_set)
    return sets[:MOST_SETS]


def _sets_of(tileset: Tileset) -> Iterator[RawSet]:
    for node in nodes(tileset.node, "wangsets"):
        corners = nodes(node, "cornercolors")
        edges = nodes(node, "edgecolors")
        colours = nodes(node, "colors") or [*corners, *edges]
        kind = text(node, "type")
        if corners or edges:  # before Tiled 1.5 sides and corners had colours of their own
            kind = "mixed"
            if not edges:
                kind = "corner"
            elif not corners:
                kind = "edge"
        shift = len(corners)
        tiles = list[RawTile]()
        for tile in nodes(node, "wangtiles"):
            number = whole(tile, "tileid", 0, 0, GID)
            wang_id = _wang_id(tile, len(colours), shift if edges else 0)
            if number < tileset.room and any(wang_id):
                tiles.append(_raw_tile(tileset, number, wang_id))
        name = _name_of(node, tileset.name)
        if colours and tiles:
            yield RawSet(name, kind, _raw_colours(tileset, colours), tiles)
    terrains = nodes(tileset.node, "terrains")
    if terrains:
        tiles = [
            _raw_tile(tileset, number, wang_id)
            for number, tile in tileset.tiles.items()
            if any(wang_id := _corners_of(tile, len(terrains)))
        ]
        if tiles:
            name = f"{tileset.name} terrains"
            yield RawSet(name, "corner", _raw_colours(tileset, terrains), tiles)


def _raw_colours(tileset: Tileset, colours: list[Node]) -> list[RawColour]:
    """Return the colours of a set; those without a name get a number."""
    result = list[RawColour]()
    for number, colour in enumerate(colours[:MOST_COLOURS], 1):
        tile = whole(colour, "tile", -1, -1, GID)
        gid = tileset.first + tile if 0 <= tile < tileset.room else 0
        result.append(RawColour(_name_of(colour, f"Terrain {number}"), gid))
    return result


def _raw_tile(tileset: Tileset, number: int, wang_id: tuple[int, ...]) -> RawTile:
    weight = real(tileset.tiles.get(number, {}), "probability", 1.0)
    return RawTile(tileset.first + number, wang_id, min(max(weight, 0.0), 1e6))


def _name_of(node: Node, default: str) -> str:
    """Return the name of a node in one short line."""
    name = " ".join(clean_line(text(node, "name")).split())[:_LONGEST_NAME]
    return name or default


def _wang_id(tile: Node, colour_count: int, shift: int) -> tuple[int, ...]:
    """Return the eight colours of a tile; 0 for those that do not exist.

    ``shift`` is added to the colours of sides.
    """
    entries = tile.get("wangid")
    if not isinstance(entries, list) or len(entries) != DIRECTIONS:
        return (0,) * DIRECTIONS
    colours = list[int]()
    for direction, entry in enumerate(entries):
        colour = entry if type(entry) is int and entry > 0 else 0
        if colour and direction % 2 == 0:
            colour += shift
        colours.append(colour if colour <= min(colour_count, MOST_COLOURS) else 0)
    return tuple(colours)


def _corners_of(tile: Node, terrain_count: int) -> tuple[int, ...]:
    """Return the eight colours of a tile with the terrains of its corners, as before Tiled 1.5."""
    colours = [0] * DIRECTIONS
    terrains = tile.get("terrain")
    if isinstance(terrains, list) and len(terrains) == len(_CORNERS_OF_TERRAINS):
        for direction, terrain in zip(_CORNERS_OF_TERRAINS, terrains, strict=True):
            is_terrain = type(terrain) is int and 0 <= terrain < min(terrain_count, MOST_COLOURS)
            colours[direction] = terrain + 1 if is_terrain else 0
    return tuple(colours)


def _flipped_tiles(transformations: Node, tiles: list[RawTile]) -> Iterator[RawTile]:
    """Yield the tiles in the other positions that a tileset allows.

    Where it prefers tiles as they are, no flipped one takes part where one of these has the same
    colours.
    """
    wang_ids = {tile.wang_id for tile in tiles}
    prefers_originals = transformations.get("preferuntransformed") is True
    for names in _allowed_flips(transformations):
        for tile in tiles:
            wang_id = tile.wang_id
            flags = 0
            for name in names:
                order = {"d": _TRANSPOSED, "v": _UPSIDE_DOWN, "h": _MIRRORED}[name]
                wang_id = tuple(wang_id[direction] for direction in order)
                flags |= FLIPS[name]
            if not prefers_originals or wang_id not in wang_ids:
                yield RawTile(tile.gid | flags, wang_id, tile.weight)


def _allowed_flips(transformations: Node) -> tuple[str, ...]:
    """Return the flips of a tileset's tiles, each in the order in which they are done."""
    mirrors = transformations.get("hflip") is True
    turns_over = transformations.get("vflip") is True
    if transformations.get("rotate") is True:
        if mirrors or turns_over:
            return ("h", "v", "vh", "d", "dh", "dv", "dvh")
        return ("dh", "vh", "dv")
    if mirrors and turns_over:
        return ("h", "v", "vh")
    if mirrors:
        return ("h",)
    return ("v",) if turns_over else ()
