"""A map of Tiled as its file has it: layers, tilesets, objects, and the meaning of each tile.

    tiled = read_tiled_map(source, problems)   # ProblemError with line and column
    tiled.marks_of_gids()                      # {3: Mark(name="Desert:2"), ...}

A cell of Tiled has a *gid*, a number of 32 bits: the global id of a tile, and above it bits by
which the tile is flipped. A gid stands for a terrain of our map, whose code is the name of the
tileset and the number of the tile, such as ``Desert:29``, or ``Desert:29 hv`` for a flipped one.
Tiles of tilesets that we wrote say themselves which value of which plane they stand for (``Mark``).
A layer of ours can be several layers of Tiled, its *parts*.

``tiled_battlemap`` makes a map of ours of a ``TiledMap``, ``tiled`` writes one into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from randomizer.model.basics.limits import LARGEST_ID
from randomizer.model.problems import Problem
from randomizer.model.terrain.terrain_check import MAX_TERRAINS
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.tiled.tiled_cells import FLIPS, GID, Cells
from randomizer.systems.interchange.tiled.tiled_chunks import Box
from randomizer.systems.interchange.tiled.tiled_geometry import Geometry, geometry_of
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY, Mark
from randomizer.systems.interchange.tiled.tiled_nodes import Node, NodeError, nodes, text, whole
from randomizer.systems.interchange.tiled.tiled_notation import located, read
from randomizer.systems.interchange.tiled.tiled_objects import ObjectReader, PlacedObject
from randomizer.systems.interchange.tiled.tiled_parts import Part, read_parts
from randomizer.systems.interchange.tiled.tiled_tilesets import (
    Documents,
    TileOfCell,
    Tileset,
    open_tilesets,
    tile_of,
)
from randomizer.systems.interchange.tiled.tiled_wang import TiledWangSet, read_wang_sets

EMPTY = "empty"
"""The code of the terrain of cells without a tile."""

TERRAINS = f"{OUR_KEY}:terrains"
"""The property of a map that we wrote: its terrain set."""

GRID = f"{OUR_KEY}:grid"
"""The property of a map that we wrote, as JSON: hidden cells, wrapping and names of cells."""

REGIONS = f"{OUR_KEY}:regions"
"""The property of a map that we wrote: its regions."""

LARGEST_LAYER_ID = 2**31
"""The largest id of a layer of Tiled."""

_MAX_OFFERED = 256
"""The most tiles of all tilesets together of which all become terrains.

In maps with more only tiles that a cell shows do. With a larger limit more maps offer all their
tiles for painting, and lists of terrains get longer.
"""


@dataclass(eq=False)
class TiledMap:
    """A map of Tiled with the files beside it, as they were read.

    Writing a map (tiled.py) changes it in place: its nodes from ``root`` on, ``layers``, which get
    new parts, and ``free_id``.
    """

    source: Source
    """The bytes of the file, and the files beside it."""

    problems: list[Problem]
    """Warnings of what cannot be used; who makes a map of this adds further ones."""

    root: Node
    """The node of the file."""

    is_infinite: bool
    """True if the file has its cells in chunks, and no size."""

    tilesets: list[Tileset]
    """All tilesets, in the order of their first global ids."""

    box: Box
    """The rectangle of columns and rows of Tiled that the map has."""

    geometry: Geometry
    """Where its cells are, in pixels and in units of ours."""

    wang_sets: list[TiledWangSet]
    """The Wang sets that fit the cells of the map."""

    layers: dict[int, list[Part]]
    """The parts of each of our layers, by its id."""

    free_id: int
    """The next id for a layer of Tiled, above all in the file and at least what it states."""

    free_object_id: int
    """The next id for an object, as the file states it."""

    placed: dict[int, PlacedObject]
    """All objects, by the ids of their things."""

    def tile_cells(self) -> list[Cells]:
        """Return the cells of all tile layers."""
        result = list[Cells]()
        for parts in self.layers.values():
            result += (part.cells for part in parts if part.cells is not None)
        return result

    def tile(self, gid: int) -> TileOfCell:
        """Return the tile of a global id with flips."""
        return tile_of(self.tilesets, gid)

    def marks_of_gids(self) -> dict[int, Mark]:
        """Return what all gids stand for that a cell shows or that can be painted, by gid.

        Raises ProblemError for more than a terrain set can have.
        """
        # The tiles that cells show.
        gids = set[int]()
        for cells in self.tile_cells():
            gids.update(np.unique(cells).tolist())
        gids.discard(0)  # a cell without a tile
        if len(gids) > MAX_TERRAINS:
            raise fault(f"a map has at most {MAX_TERRAINS:,} terrains", 1)

        # All tiles of small tilesets, and of those that we wrote.
        foreign_count = sum(tileset.count for tileset in self.tilesets if not tileset.is_own)
        for tileset in self.tilesets:
            if tileset.is_own or foreign_count <= _MAX_OFFERED:
                gids.update(tileset.first + number for number in tileset.numbers())

        # A Wang set has tiles that join at their sides and corners. It is painted with all of them,
        # or not at all. The tiles of sets take half of the terrains at most.
        for wang_set in self.wang_sets:
            gids_with_set = gids | {tile.gid for tile in wang_set.tiles}
            if len(gids_with_set) <= MAX_TERRAINS // 2:
                gids = gids_with_set
        return {gid: self._mark(gid) for gid in sorted(gids)}

    def _mark(self, gid: int) -> Mark:
        """Return what a gid stands for: a terrain, unless the tile is one that we wrote."""
        is_empty = gid & GID == 0
        if is_empty:
            return Mark(name=EMPTY)
        tileset, number, flips = self.tile(gid)
        if tileset is None:
            name = f"missing:{number}"
        else:
            mark = tileset.mark(number)
            if mark is not None and not flips:
                return mark
            name = f"{tileset.name}:{number}"
        letters = "".join(letter for letter, bit in FLIPS.items() if flips & bit)
        return Mark(name=f"{name} {letters}".strip())


def read_tiled_map(source: Source, problems: list[Problem]) -> TiledMap:
    """Read a map. Raises ProblemError for one that cannot be read.

    ``problems`` gets warnings of what cannot be used.
    """
    root = read(source.data)
    try:
        return _map_of_node(root, source, problems)
    except NodeError as wrong:
        raise located(source.data, root, wrong) from wrong


def _map_of_node(root: Node, source: Source, problems: list[Problem]) -> TiledMap:
    """Return the map of the node of a file. Raises NodeError and ProblemError."""
    if "tilewidth" not in root:
        raise NodeError(root, "this is no map of Tiled")
    documents = Documents(source, problems)
    tilesets = open_tilesets(root, documents)

    # Layers, with the cells of those that have tiles.
    layers, box = read_parts(root)
    if box.left or box.top:
        message = f"column {box.left} and row {box.top} of this infinite map are the first here"
        problems.append(warning(message))
    geometry = geometry_of(root, box.left, box.top)
    wang_sets: list[TiledWangSet] = []
    if text(root, "orientation") != "staggered":
        # A diamond of a staggered map has four sides; the cell that we make of it has six.
        wang_sets = read_wang_sets(tilesets, geometry.layout)
    parts = list(chain.from_iterable(layers.values()))
    stated_free_id = whole(root, "nextlayerid", 1, 0, LARGEST_LAYER_ID)

    # Objects, layer by layer.
    free_object_id = whole(root, "nextobjectid", 1, 0, LARGEST_ID)
    reader = ObjectReader(root, documents, geometry, tilesets, problems)
    return TiledMap(
        source=source,
        problems=problems,
        root=root,
        is_infinite=root.get("infinite") is True,
        tilesets=tilesets,
        box=box,
        geometry=geometry,
        wang_sets=wang_sets,
        layers=layers,
        free_id=max(_highest_layer_id(root) + 1, stated_free_id),
        free_object_id=free_object_id,
        placed=reader.placed_objects(parts),
    )


def _highest_layer_id(node: Node) -> int:
    """Return the highest id of the layers in a map or group, those of groups and images included.

    It is 0 if no layer has one. Raises NodeError.
    """
    highest = 0
    for layer in nodes(node, "layers"):
        layer_id = whole(layer, "id", 0, 0, LARGEST_LAYER_ID)
        highest = max(highest, layer_id, _highest_layer_id(layer))
    return highest
