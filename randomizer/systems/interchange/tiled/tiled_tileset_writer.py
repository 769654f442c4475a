"""Writes the tilesets of ours, whose tiles stand for the values of our planes.

A ``Mark`` says which value of which plane a tile stands for, such as the terrain "Forest" or a
cliff on side 3. Tiles of the map's own tilesets stand for their terrains; a tileset of ours has a
tile for each value for which none stands yet::

    tilesets = TilesetWriter(battlemap, tiled, is_xml=True)
    tilesets.gid(spec, side, value)             # the tile, for each cell of each layer
    tilesets.name_after("moor")                 # before the nodes of the map are written
    tilesets.files()                            # {"moor-terrains.tsx": ...}
    tilesets.sheets()                           # the pictures to paint: "moor-terrains.png"
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from randomizer.formats.tile_looks import Look
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import error
from randomizer.model.records.assets import only
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.tile_pictures import COLUMNS
from randomizer.systems.interchange.tiled.tiled_map import (
    EMPTY,
    TiledMap,
)
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY, Mark, Marks, key_of
from randomizer.systems.interchange.tiled.tiled_new_map import VERSION
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    set_properties,
    text,
)
from randomizer.systems.interchange.tiled.tiled_notation import write
from randomizer.systems.interchange.tiled.tiled_planes import has_empty_above_terrain, planes_of
from randomizer.systems.interchange.tiled.tiled_tilesets import MAX_PAINTED, Tileset


class Sheet(NamedTuple):
    """The picture of a tileset of ours that is to be painted."""

    name: str
    """The name of its file."""
    looks: list[Look | None]
    """The values that its tiles show."""
    width: int
    """The width of a tile in pixels."""
    height: int
    """The height of a tile in pixels."""


class TilesetWriter:
    """Writes the tilesets of a map, and knows the global id of each value that cells have.

    A global id (gid) is what Tiled writes for a cell: the first id of a tileset plus the number of
    a tile in it, or 0 for a cell without a tile.
    """

    def __init__(self, battlemap: BattleMap, tiled: TiledMap, *, is_xml: bool) -> None:
        """Add a tileset of ours to the nodes of ``tiled``, if there are values without a tile.

        Raises ProblemError if it would be too large. ``is_xml`` tells the notation of its file.
        """
        self._battlemap = battlemap
        self._tiled = tiled
        self._is_xml = is_xml
        self._marks = Marks(battlemap.terrain_set)
        self.own_tilesets = [tileset for tileset in tiled.tilesets if tileset.is_own]
        """The tilesets of ours, those that were read and the new one."""
        self._former_files = _names_of_files(self.own_tilesets)
        """The files of those that were read: they get other names."""

        self._gids = dict[Mark, int]()
        """The global id that is written for a mark."""
        for gid, mark in tiled.marks_of_gids().items():
            self._gids.setdefault(mark, gid)  # of several tiles the one with the lowest id
        if not has_empty_above_terrain(battlemap):
            self._gids[Mark(name=EMPTY)] = 0
        marks = self._marks_of_new_tileset()
        if marks:
            self._add_tileset(marks)

    def gid(self, spec: PlaneSpec, side: int, value: int) -> int:
        """Return the global id of a value of a plane, 0 for the value that is not set.

        ``side`` is 0 for a plane without sides. Each value that the map has is known.
        """
        if value == spec.unset:
            return 0
        return self._gids[self._marks.mark_of(spec, side, value)]

    # --- the new tileset ---

    def _marks_of_new_tileset(self) -> list[Mark]:
        """Return the marks of values without a tile; none if all values of cells have one.

        Among them are the values that a user may paint next, so that further changes need no
        tileset.
        """
        marks_in_use = dict[Mark, None]()  # a set in the order of its entries
        plane_names = set[str]()
        for layer in self._battlemap.layers:
            for spec, side, values in planes_of(layer):
                plane_names.add(spec.name)
                for value in np.unique(values).tolist():
                    if value != spec.unset:
                        marks_in_use[self._marks.mark_of(spec, side, value)] = None
        if marks_in_use.keys() <= self._gids.keys():
            return []
        candidates = dict.fromkeys((*self._marks_to_paint(plane_names), *marks_in_use))
        return [mark for mark in candidates if mark not in self._gids]

    def _marks_to_paint(self, planes: set[str]) -> Iterator[Mark]:
        """Yield the marks that a user may want to paint next, of the planes that are in use."""
        terrain_set = self._battlemap.terrain_set
        degree = self._battlemap.grid.degree
        for terrain in terrain_set.terrains:
            if not terrain.missing:
                yield Mark(name=key_of(terrain))
        if "elevation" in planes:
            yield from (Mark("elevation", value=value) for value in terrain_set.elevations)
        if "hexside" in planes:
            letters = ["", *(hexside.letter for hexside in terrain_set.hexsides)]  # "": no hexside
            for side in range(degree):
                yield from (Mark("hexside", letter, side) for letter in letters)
        for way, spec in zip(terrain_set.ways, SYSTEM.ways, strict=False):
            if spec.name in planes:
                # No way, and a way that leaves the cell by each set of its sides.
                values = (0, *range(PRESENT, PRESENT + 2**degree))
                yield from (Mark("way", way.name, value=value) for value in values)

    def _add_tileset(self, marks: list[Mark]) -> None:
        """Add a tileset of ours with a tile for each mark.

        Raises ProblemError if it would be too large.
        """
        width, height = self._tiled.geometry.size
        if len(marks) * width * height > MAX_PAINTED:
            message = f"{len(marks):,} pictures are too many for a tileset: nothing was written"
            raise error("tileset", message)
        # Its ids are behind those of all other tilesets. The list of ``tiled`` stays that of the
        # file.
        tilesets = self._tiled.tilesets
        first = max((tileset.first + tileset.reserved_id_count for tileset in tilesets), default=1)
        name = f"Battlelands {len(self.own_tilesets) + 1}"
        node = _new_tileset(name, marks, width, height)
        entry: Node = {"firstgid": first, "source": ""}
        self._tiled.root.setdefault("tilesets", []).append(entry)
        tiles = dict(enumerate(node["tiles"]))
        self.own_tilesets.append(Tileset(entry, node, ".", name, first, tiles))
        for index, mark in enumerate(marks):
            self._gids[mark] = first + index

    # --- files ---

    def name_after(self, stem: str) -> None:
        """Name the files of our tilesets after the map, in their nodes and those of the map.

        The names begin with ``stem``, so that maps in one folder do not share them.
        """
        suffix = ".tsj"
        if self._is_xml:
            suffix = ".tsx"
        for number, tileset in enumerate(self.own_tilesets, 1):
            tileset_stem = f"{stem}-terrains"
            if number > 1:
                tileset_stem += f"-{number}"
            tileset.node["image"] = f"{tileset_stem}.png"
            if not tileset.is_embedded:
                tileset.entry["source"] = f"{tileset_stem}{suffix}"

    def files(self) -> dict[str, bytes]:
        """Return our tilesets, and all files that were read with the map, by name.

        Our tilesets have the names of ``name_after``. The pictures of ``sheets`` are missing.
        """
        files = dict[str, bytes]()
        for name, data in self._tiled.source.files.items():
            is_outside = fault_in_name(name) is not None  # a path to another folder has a fault
            if name not in self._former_files and not is_outside:
                files[name] = data
        for tileset in self.own_tilesets:
            if not tileset.is_embedded:
                written = write(tileset.node, "tileset", as_xml=self._is_xml)
                files[tileset.entry["source"]] = written.data
        return files

    def sheets(self) -> list[Sheet]:
        """Return the pictures of our tilesets, which are still to be painted."""
        return [self._sheet_of(tileset) for tileset in self.own_tilesets]

    def _sheet_of(self, tileset: Tileset) -> Sheet:
        """Return the picture of a tileset of ours that is to be painted."""
        looks = list[Look | None]()
        for number in range(max(1, tileset.count)):  # a picture has one tile at least
            mark = tileset.mark(number)
            if mark is None:
                looks.append(None)
            else:
                looks.append(self._marks.look_of(mark))
        node = tileset.node
        return Sheet(node["image"], looks, node["tilewidth"], node["tileheight"])

    def terrains_text(self) -> str:
        """Return the terrain set as text, with the pictures of terrains on tiles of ours.

        Pictures of other terrains are those of their tiles, and are cut out of these again.
        """
        keys = set[str]()
        for tileset in self.own_tilesets:
            marks = (tileset.mark(number) for number in tileset.tiles)
            keys.update(mark.name for mark in marks if mark is not None)
        terrains = self._battlemap.terrain_set.terrains
        digests = {terrain.asset for terrain in terrains if key_of(terrain) in keys}
        assets = only(self._battlemap.assets, digests)
        return write_terrains(self._battlemap.terrain_set, assets).decode()


def _names_of_files(tilesets: Iterable[Tileset]) -> set[str]:
    """Return the names of the files of tilesets and of their pictures, as the map has them."""
    names = set[str]()
    for tileset in tilesets:
        names.add(text(tileset.entry, "source"))
        names.add(text(tileset.node, "image"))
    return names


def _new_tileset(name: str, marks: list[Mark], width: int, height: int) -> Node:
    """Return a tileset of ours with a tile of this size, in pixels, for each mark."""
    rows = math.ceil(len(marks) / COLUMNS)
    node: Node = {
        "type": "tileset",
        **VERSION,
        "name": name,
        "columns": COLUMNS,
        "tilewidth": width,
        "tileheight": height,
        "spacing": 0,
        "margin": 0,
        "tilecount": len(marks),
        "imagewidth": COLUMNS * width,
        "imageheight": rows * height,
        "properties": [],
        "tiles": [_tile(index, mark) for index, mark in enumerate(marks)],
    }
    set_properties(node, {OUR_KEY: True})
    return node


def _tile(number: int, mark: Mark) -> Node:
    """Return the node of a tile, with the fields of its mark as properties.

    Those that are 0 or "" are left out, as ``Mark`` has these by default.
    """
    node: Node = {"id": number, "type": mark.plane}
    values: dict[str, str | int | None] = {
        "plane": mark.plane,
        "name": mark.name or None,
        "side": mark.side or None,
        "value": mark.value or None,
    }
    set_properties(node, values)
    return node
