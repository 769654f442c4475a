"""Makes a map of ours of a map of Tiled: its tiles become terrains, its objects things.

    battlemap = battlemap_of(read_tiled_map(source, problems))

Where the file was written by us, the terrain set, the grid's hidden cells and the regions are
properties of the map, and the tiles of our tilesets say which values they stand for. What others
made has none of that: each of its tiles becomes a terrain with the tile's picture
(tiled_terrains.py).

The words of this package: a *gid* is the number of a tile in a cell of Tiled. Its *mark* is what it
stands for in a file, such as the terrain called "Moor"; the *look* is the same in this map, as the
value of a plane. A *part* is a layer of Tiled; one layer of ours can have several, such as one with
tiles and one with objects.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats.tile_looks import Look
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming, NamingStyle
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.map.regions import RECORD as REGIONS_RECORD
from randomizer.model.map.wang_sets import RECORD as WANG_SETS
from randomizer.model.map.wang_sets import RecordedSet, WangColour, WangTile, record_of
from randomizer.model.planes.planes import Element, Plane
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.map_records import MapRecord
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.terrain_files import OwnTerrains, read_terrains
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.tiled.tiled_cells import Cells
from randomizer.systems.interchange.tiled.tiled_geometry import DRAWN_AS_SQUARES
from randomizer.systems.interchange.tiled.tiled_map import GRID, REGIONS, TERRAINS, TiledMap
from randomizer.systems.interchange.tiled.tiled_marks import Mark, Marks
from randomizer.systems.interchange.tiled.tiled_nodes import properties, text
from randomizer.systems.interchange.tiled.tiled_parts import Part
from randomizer.systems.interchange.tiled.tiled_terrains import collect_terrains
from randomizer.systems.interchange.tiled.tiled_transparency import coloured_by_below

_ELEVATIONS = tuple(range(10))
"""The elevations that can be painted on a map of others, which has none."""

_NO_TERRAINS = OwnTerrains(TerrainSet("Tiled", (), (), _ELEVATIONS))
"""The terrain set of a map of others, before a terrain is made of each tile."""


def battlemap_of(tiled: TiledMap) -> BattleMap:
    """Return the map. What of Tiled's map cannot be shown is added to the problems of ``tiled``."""
    problems = tiled.problems
    grid, grid_problems = _grid_of(tiled)
    problems += grid_problems
    problems += _orientation_hints(tiled)

    # Terrains come first: cells of layers hold their indices.
    saved, terrain_problems = _saved_terrains(tiled)
    problems += terrain_problems
    mark_of_gid = tiled.marks_of_gids()
    terrains = collect_terrains(tiled, mark_of_gid, saved)

    # Layers.
    marks = Marks(terrains.terrain_set)
    look_of_gid = {gid: marks.look_of(mark) for gid, mark in mark_of_gid.items()}
    things_of_parts = defaultdict[Part, list[Thing]](list)
    for placed in tiled.placed.values():
        things_of_parts[placed.part].append(placed.thing)
    layers = []
    for parts in tiled.layers.values():
        things = list(chain.from_iterable(things_of_parts[part] for part in parts))
        layer, layer_problems = _layer_of(tiled, parts, things, grid, look_of_gid)
        layers.append(layer)
        problems += layer_problems
    if not layers:
        layers = [Layer(1, "Map")]  # a map of ours has one at least

    # The map.
    coloured = coloured_by_below(terrains, layers)
    if coloured.hidden_count:
        tiles = counted(coloured.hidden_count, "tile")
        problems.append(warning(f"what is below {tiles} that may be transparent is not seen here"))
    values = properties(tiled.root)
    for spec in SYSTEM.properties:
        value = values.get(spec.name)
        if isinstance(value, str):
            layers[0].properties[spec.name] = clean_line(value)
    battlemap = BattleMap.new(SYSTEM, grid, layers, coloured.terrain_set, dict(terrains.assets))
    regions = values.get(REGIONS)
    if isinstance(regions, str):
        battlemap.records[REGIONS_RECORD] = MapRecord(regions, is_json=True)
    wang_record = _wang_record(tiled, mark_of_gid)
    if wang_record is not None:
        battlemap.records[WANG_SETS] = wang_record
    return battlemap


def _orientation_hints(tiled: TiledMap) -> Iterator[Problem]:
    """Yield a hint for a map that is drawn in a way that ours cannot be."""
    orientation = text(tiled.root, "orientation")
    if orientation in DRAWN_AS_SQUARES:
        message = f"this map is {orientation}: it is shown as squares, and stays {orientation}"
        yield Problem(Severity.HINT, "foreign-map", message)


def _saved_terrains(tiled: TiledMap) -> tuple[OwnTerrains, list[Problem]]:
    """Return the terrain set that the map has as a property; one without terrains if none.

    A damaged one is a problem, and not used.
    """
    saved = properties(tiled.root).get(TERRAINS)
    if not saved:
        return _NO_TERRAINS, []
    try:
        return read_terrains(str(saved).encode()), []
    except (ProblemError, ValueError):
        return _NO_TERRAINS, [warning("the terrain set of the map is damaged: it is not used")]


# --- the grid ------------------------------------------------------------------------------------


def _grid_of(tiled: TiledMap) -> tuple[Grid, list[Problem]]:
    """Return the grid. Hidden cells, wrapping and names of cells are a property of the map.

    A damaged property is a problem, and not used.
    """
    saved = str(properties(tiled.root).get(GRID, "{}"))
    try:
        return _grid_with(tiled, json.loads(saved)), []
    except (ValueError, TypeError, AttributeError, zlib.error, RecursionError):
        message = "what the map says of its grid is damaged: it is not used"
        return _grid_with(tiled, {}), [warning(message)]


def _grid_with(tiled: TiledMap, values: Mapping[str, Any]) -> Grid:
    """Return the grid with these values of the property ``GRID``.

    Raises ValueError, TypeError, AttributeError or zlib.error for damaged values.
    """
    wrap = values.get("wrap") is True
    style, first, step = values.get("naming", NEUTRAL)
    naming = CellNaming(NamingStyle(style), first, step)
    # The columns and rows that our map has before Tiled's first ones are hidden.
    skipped_columns, skipped_rows = tiled.geometry.skipped
    mask = np.zeros((tiled.box.height + skipped_rows, tiled.box.width + skipped_columns), np.bool_)
    mask[skipped_rows:, skipped_columns:] = _mask_with(tiled, values)
    if not mask.any():
        raise ValueError("no cell")
    height, width = mask.shape
    if mask.all():
        return Grid(tiled.geometry.layout, width, height, None, wrap, naming=naming)
    return Grid(tiled.geometry.layout, width, height, mask, wrap, naming=naming)


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
    tiled: TiledMap,
    parts: Sequence[Part],
    things: Iterable[Thing],
    grid: Grid,
    look_of_gid: Mapping[int, Look | None],
) -> tuple[Layer, list[Problem]]:
    """Return our layer of these layers of Tiled, and a problem if cells of it are not shown.

    ``things`` are those of the parts. ``look_of_gid`` has the values that tiles stand for, None for
    one that the map cannot have.
    """
    skipped_columns, skipped_rows = tiled.geometry.skipped
    planes: Planes = {}
    lost_cells = 0
    for part in parts:
        if part.cells is None:
            continue  # a layer of objects
        values = _values_of(part.cells, look_of_gid, grid)
        lost_cells += values.lost_cells
        for (name, side), new_values in values.planes.items():
            spec = SYSTEM.plane(name)
            if name not in planes:
                planes[name] = spec.allocate(grid)
            target = planes[name]  # then views of it: of one side, and of the cells of Tiled
            if spec.element is Element.SIDE:
                target = target[..., side]
            target = target[skipped_rows:, skipped_columns:]
            np.copyto(target, new_values, where=new_values != spec.unset)
    first = parts[0]
    problems = []
    if lost_cells:
        verb = many(lost_cells, "is", "are")
        problems = [warning(f"{counted(lost_cells, 'cell')} of {first.name:.80} {verb} not shown")]
    layer = Layer(
        first.layer_id,
        first.name,
        first.is_visible,
        planes,
        opacity=first.opacity,
        locked=first.is_locked,
        secret=first.is_secret,
        things=Things(things),
    )
    return layer, problems


class _CellValues(NamedTuple):
    """The values that the cells of a tile layer stand for."""

    planes: Mapping[tuple[str, int], Plane]
    """By plane and side the values, (height, width) of Tiled's cells; unset where there is none.

    The side is 0 for a plane without sides.
    """

    lost_cells: int
    """The number of cells whose tile stands for no value that the map can have."""


def _values_of(cells: Cells, look_of_gid: Mapping[int, Look | None], grid: Grid) -> _CellValues:
    """Return the values that the tiles of cells stand for.

    Whatever plane a tile layer is for, a tile decides by itself: people move our tiles between
    layers.
    """
    gids, gid_indices = np.unique(cells, return_inverse=True)
    gid_indices = gid_indices.reshape(cells.shape)

    # For each plane and side a table with the value of each distinct tile.
    tables: dict[tuple[str, int], Plane] = {}
    lost_cells = 0
    for index, gid in enumerate(gids.tolist()):
        look = look_of_gid.get(gid)
        if look is not None and look.side < grid.degree:
            plane_and_side = (look.plane, look.side)
            if plane_and_side not in tables:
                spec = SYSTEM.plane(look.plane)
                tables[plane_and_side] = np.full(len(gids), spec.unset, spec.dtype)
            tables[plane_and_side][index] = look.value
        elif gid:
            lost_cells += int(np.count_nonzero(gid_indices == index))

    values = {plane_and_side: table[gid_indices] for plane_and_side, table in tables.items()}
    return _CellValues(values, lost_cells)


# --- Wang sets -----------------------------------------------------------------------------------


def _wang_record(tiled: TiledMap, mark_of_gid: Mapping[int, Mark]) -> MapRecord | None:
    """Return the record of the Wang sets whose tiles are all terrains; None if there are none."""
    layout = tiled.geometry.layout
    sets = []
    for wang_set in tiled.wang_sets:
        if any(tile.gid not in mark_of_gid for tile in wang_set.tiles):
            continue
        colours = []
        for colour in wang_set.colours:
            code = ""
            if colour.gid in mark_of_gid:
                code = mark_of_gid[colour.gid].name
            colours.append(WangColour(colour.name, code))
        tiles = []
        for tile in wang_set.tiles:
            code = mark_of_gid[tile.gid].name
            tiles.append(WangTile(code, wang_set.values(tile, layout), tile.weight))
        sets.append(RecordedSet(wang_set.name, wang_set.kind, colours, tiles))
    if not sets:
        return None
    return record_of(sets)
