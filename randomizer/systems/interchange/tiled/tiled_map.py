"""A map of Tiled as its file has it: layers, tilesets, objects, and the meaning of each tile.

    tiled = TiledMap(source, problems)     # ProblemError with line and column if it cannot be read
    tiled.gids()                           # {3: Mark(name="Desert:2"), ...}

A cell of Tiled has a *gid*, a number of 32 bits: the global id of a tile, and above it bits by
which the tile is flipped. A gid stands for a terrain of our map, whose code is the name of the
tileset and the number of the tile, such as ``Desert:29``, or ``Desert:29 hv`` for a flipped one.
Tiles of tilesets that we wrote say themselves which value of which plane they stand for (``Mark``).

``tiled_battlemap`` makes a map of ours of a ``TiledMap``, ``tiled`` writes one into it.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from randomizer.model.basics.limits import LARGEST_ID, MOST_LAYERS
from randomizer.model.problems import Problem
from randomizer.model.terrain.terrain_check import MOST_TERRAINS
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.tiled.tiled_cells import FLIPS, GID, Cells
from randomizer.systems.interchange.tiled.tiled_geometry import geometry_of
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY, Mark
from randomizer.systems.interchange.tiled.tiled_nodes import NodeError, text, whole
from randomizer.systems.interchange.tiled.tiled_notation import located, read
from randomizer.systems.interchange.tiled.tiled_objects import ObjectReader
from randomizer.systems.interchange.tiled.tiled_parts import (
    parts_by_layer,
    parts_of,
    read_cells,
)
from randomizer.systems.interchange.tiled.tiled_tilesets import (
    Documents,
    TileOfCell,
    open_tilesets,
    tile_of,
)
from randomizer.systems.interchange.tiled.tiled_wang import RawSet, read_wang_sets

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

_MOST_OFFERED = 256
"""The most tiles of all tilesets together of which all become terrains.

In maps with more only tiles that a cell shows do. With a larger limit more maps offer all their
tiles for painting, and lists of terrains get longer.
"""


class TiledMap:
    """A map of Tiled with the files beside it, as they were read.

    ``tiled`` changes its nodes in place in order to write the map.
    """

    def __init__(self, source: Source, problems: list[Problem]) -> None:
        """Read a map. Raises ProblemError for one that cannot be read.

        ``problems`` gets warnings of what cannot be used.
        """
        self.source = source
        self.problems = problems
        self.root = read(source.data)
        """The node of the file."""
        try:
            self._read()
        except NodeError as wrong:
            raise located(source.data, self.root, wrong) from wrong

    def _read(self) -> None:
        """Read the node of the file into the fields. Raises NodeError and ProblemError."""
        root = self.root
        if "tilewidth" not in root:
            raise NodeError(root, "this is no map of Tiled")
        self.is_infinite = root.get("infinite") is True
        documents = Documents(self.source, self.problems)
        self.tilesets = open_tilesets(root, documents)
        """All tilesets, in the order of their first global ids."""
        parts = list(parts_of(root))
        if len(parts) > MOST_LAYERS:
            message = f"it has {len(parts):,} layers, {MOST_LAYERS} are the most"
            raise NodeError(root, message)
        self.box = read_cells(root, parts, self.problems)
        """The rectangle of columns and rows of Tiled that the map has."""
        self.geometry = geometry_of(root, self.box.left, self.box.top)
        self.wang_sets = self._read_wang_sets()
        self.layers = parts_by_layer(parts)
        """The parts of each of our layers, by its id."""
        ids = [whole(part.node, "id", 0, 0, LARGEST_LAYER_ID) for part in parts]
        highest_id = max(ids, default=0)
        stated_free_id = whole(root, "nextlayerid", 1, 0, LARGEST_LAYER_ID)
        self.free_id = max(highest_id + 1, stated_free_id)
        """The next id for a layer of Tiled, above all in the file and at least what it states."""
        self.free_object_id = whole(root, "nextobjectid", 1, 0, LARGEST_ID)
        """The next id for an object, as the file states it."""
        reader = ObjectReader(root, documents, self.geometry, self.tilesets, self.problems)
        parts_in_order = list(chain.from_iterable(self.layers.values()))
        self.placed = reader.placed_objects(parts_in_order)
        """All objects, by the ids of their things."""

    def _read_wang_sets(self) -> list[RawSet]:
        """Return the Wang sets that fit the cells of the map."""
        if text(self.root, "orientation") == "staggered":
            return []  # a diamond has four sides; the cell that we make of it has six
        return read_wang_sets(self.tilesets, self.geometry.layout)

    def tile_cells(self) -> list[Cells]:
        """Return the cells of all tile layers."""
        result = list[Cells]()
        for parts in self.layers.values():
            result += (part.cells for part in parts if part.cells is not None)
        return result

    # --- tiles ------------------------------------------------------------------------------

    def tile(self, gid: int) -> TileOfCell:
        """Return the tile of a global id with flips."""
        return tile_of(self.tilesets, gid)

    def mark(self, gid: int) -> Mark:
        """Return the meaning of a gid: a terrain, unless the tile is one that we wrote."""
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

    def gids(self) -> dict[int, Mark]:
        """Return the meaning of all gids that a cell shows or that can be painted, by gid.

        Raises ProblemError for more than a terrain set can have.
        """
        gids = set[int]()
        for cells in self.tile_cells():
            gids.update(np.unique(cells).tolist())
        gids.discard(0)  # a cell without a tile
        if len(gids) > MOST_TERRAINS:
            raise fault(f"a map has at most {MOST_TERRAINS:,} terrains", 1)
        foreign_count = sum(tileset.count for tileset in self.tilesets if not tileset.is_own)
        for tileset in self.tilesets:
            if tileset.is_own or foreign_count <= _MOST_OFFERED:
                gids.update(tileset.first + number for number in tileset.numbers())
        # A Wang set has tiles that join at their sides and corners. It is painted with all of them,
        # or not at all. The tiles of sets take half of the terrains at most.
        for wang_set in self.wang_sets:
            gids_with_set = gids | {tile.gid for tile in wang_set.tiles}
            if len(gids_with_set) <= MOST_TERRAINS // 2:
                gids = gids_with_set
        return {gid: self.mark(gid) for gid in sorted(gids)}
