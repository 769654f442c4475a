"""Makes a map of ours of a map of Tiled: its tiles become terrains, its objects things.

    battlemap = battlemap_of(TiledMap(source, problems))

Where the file was written by us, the terrain set, the grid's hidden cells and the regions are
properties of the map, and the tiles of our tilesets say which values they stand for. What others
made has none of that: each of its tiles becomes a terrain with the tile's picture.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import Look
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.map.regions import RECORD
from randomizer.model.map.wang_sets import RECORD as WANG_SETS
from randomizer.model.map.wang_sets import RecordedSet, WangColour, WangTile, record_of
from randomizer.model.planes.planes import Element
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.assets import LARGEST_ASSETS, asset_digest
from randomizer.model.records.map_records import MapRecord
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Things
from randomizer.storage.files.terrain_files import OwnTerrains, read_terrains
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.tile_pictures import Pixels
from randomizer.systems.interchange.tiled.tiled_cells import Cells
from randomizer.systems.interchange.tiled.tiled_geometry import DRAWN_AS_SQUARES
from randomizer.systems.interchange.tiled.tiled_map import (
    EMPTY,
    GRID,
    REGIONS,
    TERRAINS,
    TiledMap,
)
from randomizer.systems.interchange.tiled.tiled_marks import Mark, Marks, key_of
from randomizer.systems.interchange.tiled.tiled_nodes import properties, text
from randomizer.systems.interchange.tiled.tiled_parts import Part
from randomizer.systems.interchange.tiled.tiled_pictures import Pictures, write_png

_NO_TERRAINS = OwnTerrains(TerrainSet("Tiled", (), (), tuple(range(10))))
"""The terrain set of a map of others, before a terrain is made of each tile."""

_HALF_ALPHA = 127
"""A pixel with a larger alpha than this hides more than it lets through."""

_OPAQUE_SHARE = 0.7
"""The share of a picture's pixels from which on it hides what lies below it.

A hexagon covers three quarters of its box, so the share of its tile cannot be larger. With a
smaller share tiles with holes, such as trees, would count as ground.
"""


def battlemap_of(tiled: TiledMap) -> BattleMap:
    """Return the map. What of Tiled's map cannot be shown goes to its problems."""
    return _Conversion(tiled).battlemap()


class _Conversion:
    """The conversion of one map, with the terrains that it has collected so far."""

    def __init__(self, tiled: TiledMap) -> None:
        self._tiled = tiled
        self._grid = _grid_of(tiled)
        _note_orientation(tiled)
        self._marks = tiled.gids()
        """What each tile in use stands for, by its global id with flips."""
        saved = _saved_terrains(tiled)
        self._saved_set = saved.terrain_set
        """The set of a map of ours, to which terrains are added."""
        self._terrains = list(saved.terrain_set.terrains)
        """The terrains so far; planes hold indices into this list."""
        self._assets = dict(saved.assets)
        """The pictures of these terrains, by digest."""
        self._opaque_keys = {key_of(terrain) for terrain in self._terrains}
        """The terrains (by ``key_of``) that hide what lies below them."""

    def battlemap(self) -> BattleMap:
        """Return the map; called once."""
        tiled = self._tiled
        grid = self._grid

        # Terrains come first: codes in layers are indices into them.
        self._collect_terrains()
        marks = Marks(self._terrain_set())
        looks = {gid: marks.look_of(mark) for gid, mark in self._marks.items()}
        layers = [_layer_of(tiled, parts, grid, looks) for parts in tiled.layers.values()]
        if not layers:
            layers = [Layer(1, "Map")]  # a map of ours has one at least

        values = properties(tiled.root)
        for spec in SYSTEM.properties:
            value = values.get(spec.name)
            if isinstance(value, str):
                layers[0].properties[spec.name] = clean_line(value)
        self._colour_transparent_terrains(layers)

        battlemap = BattleMap.new(SYSTEM, grid, layers, self._terrain_set(), self._assets)
        regions = values.get(REGIONS)
        if isinstance(regions, str):
            battlemap.records[RECORD] = MapRecord(regions, is_json=True)
        wang_record = _wang_record(tiled, self._marks)
        if wang_record is not None:
            battlemap.records[WANG_SETS] = wang_record
        return battlemap

    # --- terrains ---------------------------------------------------------------------------

    def _terrain_set(self) -> TerrainSet:
        """Return the set with the terrains so far."""
        return replace(self._saved_set, terrains=tuple(self._terrains))

    def _collect_terrains(self) -> None:
        """Add a terrain for each tile that the saved terrain set lacks, under a name of its own."""
        if not self._terrains:
            # A new map begins with the first terrain, so this is the one of cells without a tile.
            colour = _background_colour(self._tiled)
            self._terrains.append(Terrain("Empty", colour, code=EMPTY, pattern="plain"))
        keys = {key_of(terrain) for terrain in self._terrains}
        names = {terrain.name for terrain in self._terrains}
        for terrain in self._terrains_of_tiles():
            if terrain.code in keys:
                continue
            name = terrain.name
            while name in names:
                name += "'"
            names.add(name)
            self._terrains.append(replace(terrain, name=name))

    def _terrains_of_tiles(self) -> Iterator[Terrain]:
        """Yield the terrains of all tiles that stand for one, and collect their pictures."""
        tiled = self._tiled
        codes_by_gid: dict[int, str] = {}
        for gid, mark in self._marks.items():
            if mark.plane == "terrain":
                codes_by_gid[gid] = mark.name
        if not codes_by_gid:
            return
        # Backwards, so that of several tiles with one code the first gives the picture.
        gids_by_code = {code: gid for gid, code in reversed(codes_by_gid.items())}

        def words_of(code: str) -> list[str]:
            tileset, number, _flips = tiled.tile(gids_by_code[code])
            if tileset is None:
                return []
            return tileset.words(number)

        codes = Codes()
        numbers = {gid: codes.number(code) for gid, code in codes_by_gid.items()}
        # ``Codes.terrains`` wants the number of each cell's code, in any order.
        counts = _cell_counts(tiled.tile_cells())
        numbers_of_cells = np.repeat(list(numbers.values()), [counts[gid] for gid in numbers])
        is_hexagonal = tiled.geometry.layout is not SQUARE
        pictures = Pictures(
            tiled.source, tiled.problems, tiled.geometry.size, is_hexagonal=is_hexagonal
        )
        # Half of what a map may hold: the other half is for the user's own pictures.
        bytes_left = LARGEST_ASSETS // 2
        terrains, _indices = codes.terrains(words_of, numbers_of_cells)
        for terrain in terrains:
            tileset, number, flips = tiled.tile(gids_by_code[terrain.code])
            pixels = None
            if tileset is not None:
                pixels = pictures.of(tileset, number, flips)
            if pixels is None:
                yield terrain
                continue
            data = write_png(pixels)
            if len(data) > bytes_left:
                yield terrain
                continue
            bytes_left -= len(data)
            yield self._with_picture(terrain, pixels, data)

    def _with_picture(self, terrain: Terrain, pixels: Pixels, data: bytes) -> Terrain:
        """Return a terrain with the picture ``data`` of its tile, in the picture's mean colour."""
        alphas = pixels[:, :, 3].astype(np.int64)
        # Weighted by alpha: the colour of a pixel that is not seen means nothing.
        weighted_sum = (pixels[:, :, :3] * alphas[:, :, None]).sum(axis=(0, 1))
        mean = weighted_sum // max(1, int(alphas.sum()))
        is_opaque = alphas > _HALF_ALPHA
        if is_opaque.mean() > _OPAQUE_SHARE:
            self._opaque_keys.add(terrain.code)
        digest = asset_digest(data)
        self._assets[digest] = data
        colour = f"#{bytes(mean.tolist()).hex()}"
        return replace(terrain, colour=colour, asset=digest, picture="", body=False)

    def _colour_transparent_terrains(self, layers: list[Layer]) -> None:
        """Give each terrain with a transparent picture the colour of the one mostly below it.

        Here a cell shows only the topmost terrain, so that what is seen through it in Tiled is
        lost: that becomes a problem.
        """
        visible_layers = [layer for layer in layers if layer.visible]
        planes = [layer.planes["terrain"] for layer in visible_layers if "terrain" in layer.planes]
        if not planes:
            return
        unset = SYSTEM.terrain.unset
        transparent_codes = []
        for code, terrain in enumerate(self._terrains):
            if key_of(terrain) not in self._opaque_keys:
                transparent_codes.append(code)

        # Layer by layer upwards: what each transparent terrain is laid on.
        terrain_below = planes[0].copy()
        counts = Counter[tuple[int, int]]()  # by upper and lower terrain
        for plane in planes[1:]:
            is_seen_through = (terrain_below != unset) & np.isin(plane, transparent_codes)
            upper = plane[is_seen_through].astype(np.uint32)
            # Codes have 16 bits each, so that np.unique counts pairs of them as one number.
            pairs, pair_counts = np.unique(
                upper << 16 | terrain_below[is_seen_through], return_counts=True
            )
            for pair, count in zip(pairs.tolist(), pair_counts.tolist(), strict=True):
                counts[pair >> 16, pair & 0xFFFF] += count
            np.copyto(terrain_below, plane, where=plane != unset)
        # From the rarest pair to the most frequent one, whose colour remains.
        for (upper_code, lower_code), _count in reversed(counts.most_common()):
            if self._terrains[upper_code].asset:
                colour = self._terrains[lower_code].colour
                self._terrains[upper_code] = replace(self._terrains[upper_code], colour=colour)
        if counts:
            tiles = counted(counts.total(), "tile")
            message = f"what is below {tiles} that may be transparent is not seen here"
            self._tiled.problems.append(warning(message))


def _note_orientation(tiled: TiledMap) -> None:
    """Give the user a hint for a map that is drawn in a way that ours cannot be."""
    orientation = text(tiled.root, "orientation")
    if orientation in DRAWN_AS_SQUARES:
        message = f"this map is {orientation}: it is shown as squares, and stays {orientation}"
        tiled.problems.append(Problem(Severity.HINT, "foreign-map", message))


def _saved_terrains(tiled: TiledMap) -> OwnTerrains:
    """Return the terrain set that the map has as a property; one without terrains if none."""
    saved = properties(tiled.root).get(TERRAINS)
    if not saved:
        return _NO_TERRAINS
    try:
        return read_terrains(str(saved).encode())
    except (ProblemError, ValueError):
        message = "the terrain set of the map is damaged: it is not used"
        tiled.problems.append(warning(message))
        return _NO_TERRAINS


def _background_colour(tiled: TiledMap) -> str:
    """Return the colour of the map without tiles; Tiled may put an alpha before it."""
    colour = text(tiled.root, "backgroundcolor")[-6:]
    if re.fullmatch("[0-9a-fA-F]{6}", colour):
        return f"#{colour.lower()}"
    return "#808080"


def _cell_counts(layers_of_cells: Sequence[Cells]) -> Counter[int]:
    """Return the number of cells of each global id in all layers."""
    counts = Counter[int]()
    for cells in layers_of_cells:
        gids, gid_counts = np.unique(cells, return_counts=True)
        counts.update(dict(zip(gids.tolist(), gid_counts.tolist(), strict=True)))
    return counts


# --- the grid ------------------------------------------------------------------------------------


def _grid_of(tiled: TiledMap) -> Grid:
    """Return the grid. Hidden cells, wrapping and names of cells are a property of the map.

    A damaged property becomes a problem, and is not used.
    """
    saved = str(properties(tiled.root).get(GRID, "{}"))
    try:
        return _grid_with(tiled, json.loads(saved))
    except (ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        message = "what the map says of its grid is damaged: it is not used"
        tiled.problems.append(warning(message))
        return _grid_with(tiled, {})


def _grid_with(tiled: TiledMap, values: Mapping[str, Any]) -> Grid:
    """Return the grid with these values of the property ``GRID``. Raises for damaged values."""
    skipped_columns, skipped_rows = tiled.geometry.skipped
    wrap = values.get("wrap") is True
    naming = CellNaming(*values.get("naming", NEUTRAL))
    mask = np.zeros((tiled.box.height + skipped_rows, tiled.box.width + skipped_columns), np.bool_)
    mask[skipped_rows:, skipped_columns:] = _mask_with(tiled, values)
    if not mask.any():
        raise ValueError("no cell")
    height, width = mask.shape
    hidden_mask = None if mask.all() else mask
    return Grid(tiled.geometry.layout, width, height, hidden_mask, wrap, naming=naming)


def _mask_with(tiled: TiledMap, values: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Return a mask of Tiled's cells, (height, width): True for those that are on the map."""
    shape = (tiled.box.height, tiled.box.width)
    if "mask" not in values:
        return np.ones(shape, np.bool_)
    size = shape[0] * shape[1]
    # A file may be packed so that it becomes gigabytes; one byte more than needed shows it.
    packed = zlib.decompressobj().decompress(b64decode(values["mask"]), size // 8 + 1)
    bits = np.unpackbits(np.frombuffer(packed, np.uint8))[:size]
    return bits.reshape(shape).astype(np.bool_)


# --- layers --------------------------------------------------------------------------------------


def _layer_of(
    tiled: TiledMap, parts: list[Part], grid: Grid, looks: Mapping[int, Look | None]
) -> Layer:
    """Return our layer of these parts. Tiles whose value it cannot have become a problem."""
    planes: Planes = {}
    lost_cells = 0
    for part in parts:
        if part.cells is not None:
            lost_cells += _put_cells(planes, tiled, part.cells, grid, looks)
    first = parts[0]
    if lost_cells:
        verb = many(lost_cells, "is", "are")
        message = f"{counted(lost_cells, 'cell')} of {first.name:.80} {verb} not shown"
        tiled.problems.append(warning(message))
    things = [placed.thing for placed in tiled.placed.values() if placed.part in parts]
    return Layer(
        first.layer,
        first.name,
        first.is_visible,
        planes,
        opacity=first.opacity,
        locked=first.is_locked,
        secret=first.is_secret,
        things=Things(things),
    )


def _put_cells(
    planes: Planes, tiled: TiledMap, cells: Cells, grid: Grid, looks: Mapping[int, Look | None]
) -> int:
    """Put the values that tiles stand for into planes; return the number of cells without one.

    Whatever plane a tile layer is for, a tile decides by itself: people move our tiles between
    layers. For each plane and side a table gives the value of each distinct tile.
    """
    skipped_columns, skipped_rows = tiled.geometry.skipped
    gids, indices = np.unique(cells, return_inverse=True)
    indices = indices.reshape(cells.shape)
    values_by_plane = dict[tuple[str, int], list[tuple[int, int]]]()
    lost_cells = 0
    for index, gid in enumerate(gids.tolist()):
        look = looks.get(gid)
        if look is not None and look.side < grid.degree:
            values_by_plane.setdefault((look.plane, look.side), []).append((index, look.value))
        elif gid:
            lost_cells += int(np.count_nonzero(indices == index))
    for (name, side), values in values_by_plane.items():
        spec = SYSTEM.plane(name)
        plane = planes.setdefault(name, spec.allocate(grid))
        value_of_index = np.full(len(gids), spec.unset, spec.dtype)
        for index, value in values:
            value_of_index[index] = value
        new_values = value_of_index[indices]
        target = plane[..., side] if spec.element is Element.SIDE else plane
        target = target[skipped_rows:, skipped_columns:]
        np.copyto(target, new_values, where=new_values != spec.unset)
    return lost_cells


def _wang_record(tiled: TiledMap, marks: Mapping[int, Mark]) -> MapRecord | None:
    """Return the record of the Wang sets whose tiles are all terrains; None if there are none."""
    layout = tiled.geometry.layout
    sets = list[RecordedSet]()
    for wang_set in tiled.wang_sets:
        if any(tile.gid not in marks for tile in wang_set.tiles):
            continue
        colours = list[WangColour]()
        for colour in wang_set.colours:
            code = ""
            if colour.gid in marks:
                code = marks[colour.gid].name
            colours.append(WangColour(colour.name, code))
        tiles = [
            WangTile(marks[tile.gid].name, wang_set.values(tile, layout), tile.weight)
            for tile in wang_set.tiles
        ]
        sets.append(RecordedSet(wang_set.name, wang_set.kind, colours, tiles))
    if not sets:
        return None
    return record_of(sets)
