"""The format ``azgaar``: the full JSON export of Azgaar's Fantasy Map Generator. It is only read.

A world there is a Voronoi diagram: ``pack.cells`` have a point ``p`` in pixels, a height ``h`` (to
100, land from 20 on), a ``biome``, a ``state``, and ``f``, the number of their sea, lake or island
in ``pack.features``. A hex here is land or water, and of a biome, a lake and a state, by the larger
part of its area. There are about as many hexes as the generator has cells.

Exports of versions before 1.99 have no routes, only a number for each cell that has a road.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import NOT_KEPT
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, ROOT3
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.map.regions import (
    MOST_REGIONS,
    NO_REGION,
    RECORD,
    MapRegion,
    fault_in_region,
    record_of,
)
from randomizer.model.notes import NOTE_TEXT, TEXT
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import Problem, ProblemError, Severity, place_of
from randomizer.model.terrain.terrain import Terrain, Way
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.level_water import elevations_of_water
from randomizer.systems.free.system import FLOW, FLOW_WIDTH, SYSTEM
from randomizer.systems.free.things import CITY, NOTE, RIVER, TOWN, WATER
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    colour_for,
    fault,
    foreign_map,
    link_cells,
    plain_text,
    points_on_line,
    symbol_named,
    words_in,
)

MOST_VALUES = 6_000_000
"""Of the JSON: a world of 40,000 cells; each value takes some 100 bytes of memory."""
DEEPEST = 40

MOST_HEXES = 120_000
"""The generator makes 100,000 cells at most."""

SAMPLES_OF_HEX = 20
"""About so many points of a hex are asked in which cell they lie. More make its shares of area
more exact, and reading slower."""

MOST_STEPS = 1_000_000
"""Of all rivers and routes together, in ``foreign.LINE_STEP``."""

FARTHEST = 1e6
"""Of a coordinate, in pixels."""

SEA_LEVEL = 20
HIGHEST = 100
HEIGHTS_OF_STEP = 10
"""So many of the generator's heights are one elevation here."""

HILLS_FROM = 50
MOUNTAINS_FROM = 71
"""From these heights on the generator draws hills, and mountains, whatever grows there."""

NAMED_RIVER = 6
"""A river through so many hexes gets its name on the map."""

CITY_FROM = 20
TOWN_FROM = 3
"""From so many thousands of people on a settlement that is no capital is a city, and a town."""

HEXES_OF_WIDTH = 6
MOST_RIVER_WIDTH = 6
"""After so many hexes a river is wider by one, and at most so wide."""

NO_CELLS = "this export of Azgaar's generator has no cells: choose “full” in its Export to JSON"

LAKE = "Lake"
"""What the codes of lakes begin with."""

_WAYS = {
    "River": Way("River", "water", "#3f86bd"),
    "Road": Way("Road", "road", "#8d7a5c"),
    "Trail": Way("Trail", "track", "#8a6d45"),
    "Sea route": Way("Sea route", "track", "#eef4f8"),
}

_BIOME_WORDS = {
    "marine": ["sea"],
    "rainforest": ["jungle"],
    "taiga": ["conifer"],
    "tundra": ["snow"],
}
"""Words of pictures for words of biomes that no picture has."""

_LOST = (
    ("provinces", "provinces"),
    ("cultures", "cultures"),
    ("religions", "religions"),
    ("zones", "zones"),
)

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]


class AzgaarCodec(Codec):
    """Reads worlds of Azgaar's generator."""

    program = "Azgaar's generator"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read an export. Raises ProblemError with the place of the value that is wrong."""
        world = _World(source)
        battlemap = world.battlemap()
        lost = [f"{word} ({count:,})" for word, count in world.lost.items() if count]
        hints = [f"Elevations are steps of {HEIGHTS_OF_STEP} of its 100 heights"]
        if lost:
            hints.append(f"Not kept: {', '.join(lost)}")
        problems += [Problem(Severity.HINT, NOT_KEPT, hint) for hint in hints]
        return battlemap


class _World:
    """Makes the map of an export; what has no place in it is counted in ``lost``."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        try:
            value = parse_json(
                source.data, largest=len(source.data), deepest=DEEPEST, most=MOST_VALUES
            )
        except (ValueError, RecursionError) as failed:
            place = place_of(self._text, getattr(failed, "pos", 0))
            message = f"this is no JSON that can be read: {reason_of(failed)}"
            raise fault(message, *place) from failed
        self._document = value
        self.lost = Counter[str]()
        cells = self._list("pack", "cells")
        if not cells:
            raise fault(NO_CELLS, 1)
        self.points = self._cell_points(cells)
        self.heights = self._column(cells, "h", 0, 255)
        biomes = self._list("biomesData", "name")
        self.biomes = self._column(cells, "biome", 0, max(0, len(biomes) - 1)).astype(np.intp)
        self.biome_names = [_word(name) or f"Biome {number}" for number, name in enumerate(biomes)]
        self.states = self._column(cells, "state", 0, 65_535, 0).astype(np.intp)
        self.features = self._column(cells, "f", 0, 65_535, 0).astype(np.intp)
        self.lost["cells with a road but no route"] = self._roads_without_routes(cells)
        self.steps = 0
        self._lay_grid()

    # --- the document -----------------------------------------------------------------------------

    def _at(self, *path: str) -> Any:
        """Return the value that a path of names leads to, None where there is nothing."""
        value = self._document
        for name in path:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def _list(self, *path: str) -> list[Any]:
        """Return the list at a path; [] where there is none."""
        value = self._at(*path)
        if isinstance(value, list):
            return value
        return []

    def _entries(self, *path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the number and the object of each entry in use; the first may stand for none."""
        for number, entry in enumerate(self._list(*path)):
            if isinstance(entry, dict) and entry and not entry.get("removed"):
                yield number, entry

    def _fault(self, message: str, *path: str | int) -> ProblemError:
        """Return the error that something is wrong with the value at a path."""
        return fault(message, *place_of(self._text, place_in_json(self._text, path)[0]))

    def _cell_points(self, cells: Sequence[Any]) -> Numbers:
        """Return the points of all cells, (n, 2), in pixels. Raises ProblemError."""
        points = []
        for number, cell in enumerate(cells):
            point = _point(cell.get("p") if isinstance(cell, dict) else None)
            if point is None:
                message = "a cell has a point “p” of two numbers"
                raise self._fault(message, "pack", "cells", number, "p")
            points.append(point)
        return np.array(points)

    def _column(
        self, cells: Sequence[Any], name: str, least: int, most: int, missing: int | None = None
    ) -> Numbers:
        """Return a number of all cells, (n,); ``missing`` where a cell has none.

        Raises ProblemError for what is no number from ``least`` to ``most``.
        """
        values = [cell.get(name, missing) for cell in cells]
        for number, value in enumerate(values):
            if not _is_number(value) or not least <= value <= most:
                message = f"“{name}” of a cell is a number from {least} to {most:,}"
                raise self._fault(message, "pack", "cells", number, name)
        return np.array(values, np.float64)

    def _roads_without_routes(self, cells: Sequence[Any]) -> int:
        if self._list("pack", "routes"):
            return 0
        return sum(1 for cell in cells if _is_number(cell.get("road")) and cell["road"] > 0)

    # --- the grid ---------------------------------------------------------------------------------

    def _lay_grid(self) -> None:
        """Choose the grid of hexes, and where a pixel lies on it (``scale`` and ``origin``)."""
        width, height = self._extent()
        wanted = min(len(self._list("grid", "cells")) or len(self.points), MOST_HEXES)
        area_of_hex = 1.5 * ROOT3  # its side is 1
        self.scale = math.sqrt(wanted * area_of_hex / (width * height))
        columns = max(1, round(width * self.scale / 1.5))
        rows = max(1, round(height * self.scale / ROOT3))
        self.grid = Grid(FLAT, columns, rows)
        left, top, right, bottom = self.grid.bounds
        self.origin = np.array(
            (
                (left + right - width * self.scale) / 2,
                (top + bottom - height * self.scale) / 2,
            )
        )

    def _extent(self) -> tuple[float, float]:
        """Return width and height in pixels: as said, by the generator's grid, or by its points."""
        said = (self._at("info", "width"), self._at("info", "height"))
        if all(_is_number(value) and 1 <= value <= FARTHEST for value in said):
            return float(said[0]), float(said[1])
        spacing = self._at("grid", "spacing")
        counts = (self._at("grid", "cellsX"), self._at("grid", "cellsY"))
        if all(_is_number(value) and 0 < value <= FARTHEST for value in (spacing, *counts)):
            width = float(counts[0]) * spacing
            height = float(counts[1]) * spacing
            if 1 <= width <= FARTHEST and 1 <= height <= FARTHEST:
                return width, height
        rightmost, lowest = self.points.max(axis=0).tolist()
        return max(1.0, rightmost), max(1.0, lowest)

    def _on_map(self, pixels: Numbers) -> Numbers:
        """Return points of the map for pixels, of any shape (..., 2)."""
        points: Numbers = pixels * self.scale + self.origin
        return points

    # --- the map ----------------------------------------------------------------------------------

    def battlemap(self) -> BattleMap:
        """Return the map. Raises ProblemError."""
        hexes, cells = self._samples()
        is_land = self._shares(hexes, (self.heights >= SEA_LEVEL)[cells]) == 1
        is_own = (self.heights >= SEA_LEVEL)[cells] == is_land[hexes]
        hexes = hexes[is_own]
        cells = cells[is_own]
        codes = Codes()
        numbers = self._terrain_numbers(codes)
        ground = self._shares(hexes, numbers[cells])
        terrains, terrain = codes.terrains(self._words_of, ground)
        terrains = tuple(self._coloured(each) for each in terrains)
        planes: Planes = {"terrain": terrain.reshape(self._shape)}
        planes["elevation"] = self._elevations(hexes, cells, is_land)
        regions, planes["region"] = self._regions(hexes, cells, is_land)
        ways = self._draw_ways(planes)
        battlemap = foreign_map(AzgaarCodec.program, self.grid, terrains, planes, ways=ways)
        self._level_lakes(battlemap)
        record = record_of(regions)
        if record is not None:
            battlemap.records[RECORD] = record
        self._set_properties(battlemap)
        self._place_things(battlemap)
        for name, word in _LOST:
            self.lost[word] = sum(1 for number, _entry in self._entries("pack", name) if number)
        return battlemap

    @property
    def _shape(self) -> tuple[int, int]:
        return self.grid.height, self.grid.width

    def _samples(self) -> tuple[Indices, Indices]:
        """Return for points all over the map the hex and the cell in which each lies."""
        left, top, right, bottom = self.grid.bounds
        step = math.sqrt(1.5 * ROOT3 / SAMPLES_OF_HEX)
        across = np.arange(left + step / 2, right, step)
        down = np.arange(top + step / 2, bottom, step)
        points = np.stack(np.meshgrid(across, down), axis=-1)
        places = (self._on_map(self.points) - (across[0], down[0])) / step
        nearest = nearest_points(places, len(down), len(across))
        hexes = self.grid.cells_at(points.reshape(-1, 2))
        is_on_map = hexes >= 0
        return hexes[is_on_map], nearest.reshape(-1)[is_on_map]

    def _shares(self, hexes: Indices, values: NDArray[Any]) -> Indices:
        """Return the value that most of the points in each hex have, (hexes,).

        Of equal shares the smaller value counts.
        """
        values = values.astype(np.intp)
        span = int(values.max()) + 1
        keys, counts = np.unique(hexes * span + values, return_counts=True)
        result = np.zeros(self.grid.size, np.intp)
        order = np.lexsort((-keys, counts))  # what comes later replaces what came before
        result[keys[order] // span] = keys[order] % span
        return result

    def _elevations(self, hexes: Indices, cells: Indices, is_land: NDArray[np.bool_]) -> Any:
        """Return the mean elevation of each hex; the sea's is 0, that of the lowest land 1."""
        counts = np.maximum(1, np.bincount(hexes, minlength=self.grid.size))
        sums = np.bincount(hexes, weights=self.heights[cells], minlength=self.grid.size)
        steps = (sums / counts - SEA_LEVEL) // HEIGHTS_OF_STEP + 1
        levels = np.where(is_land, np.clip(steps, 1, HIGHEST // HEIGHTS_OF_STEP), 0)
        return levels.astype(np.int16).reshape(self._shape)

    def _level_lakes(self, battlemap: BattleMap) -> None:
        """Give each lake the level of its shore: the generator keeps it below the sea."""
        planes = battlemap.layers[0].planes
        terrain = planes["terrain"].reshape(-1)
        elevation = planes["elevation"].reshape(-1)
        is_lake = np.array(
            [kind.water and kind.code.startswith(LAKE) for kind in battlemap.terrain_set.terrains]
        )
        lakes = np.flatnonzero(is_lake[terrain])
        elevation[lakes] = HIGHEST // HEIGHTS_OF_STEP  # so that the shore is lower
        levels = elevations_of_water(
            self.grid, battlemap.terrain_set, terrain, elevation, lakes, terrain[lakes]
        )
        if levels is not None:
            elevation[lakes] = levels

    # --- terrains ---------------------------------------------------------------------------------

    def _terrain_numbers(self, codes: Codes) -> Indices:
        """Return the number of each cell's terrain among ``codes``, (cells,)."""
        lakes = {
            number: f"{LAKE}, {_word(feature.get('group')) or 'freshwater'}"
            for number, feature in self._entries("pack", "features")
            if feature.get("type") == "lake"
        }
        numbers = []
        for height, biome, feature in zip(
            self.heights.tolist(), self.biomes.tolist(), self.features.tolist(), strict=True
        ):
            code = self.biome_names[biome]
            if height < SEA_LEVEL:
                code = lakes.get(feature, code)
            elif height >= MOUNTAINS_FROM:
                code += ", mountains"
            elif height >= HILLS_FROM:
                code += ", hills"
            numbers.append(codes.number(code))
        return np.array(numbers, np.intp)

    def _words_of(self, code: str) -> list[str]:
        """Return the words of a terrain for its picture: mountains count more than what grows."""
        words = words_in(code)
        if "mountain" in words:
            if words & {"glacier", "tundra"}:
                return ["peak"]
            return ["mountain"]
        result = list(words)
        for word in words:
            result += _BIOME_WORDS.get(word, [])
        return result

    def _coloured(self, terrain: Terrain) -> Terrain:
        """Return a terrain without a picture in the colour of its biome."""
        colours = self._list("biomesData", "color")
        name = terrain.code.partition(", ")[0]
        if terrain.picture or name not in self.biome_names:
            return terrain
        number = self.biome_names.index(name)
        colour = colours[number] if number < len(colours) else None
        if isinstance(colour, str) and not fault_in_region(MapRegion(name, colour)):
            return replace(terrain, colour=colour)
        return terrain

    # --- states -----------------------------------------------------------------------------------

    def _regions(
        self, hexes: Indices, cells: Indices, is_land: NDArray[np.bool_]
    ) -> tuple[list[MapRegion], Any]:
        """Return the states as regions, and the region of each hex; the sea is in none."""
        regions: list[MapRegion] = []
        codes = np.full(65_536, NO_REGION, np.uint16)
        for number, state in self._entries("pack", "states"):
            is_neutral = number == 0
            if is_neutral or number >= len(codes) or len(regions) == MOST_REGIONS:
                continue
            name = clean_line(str(state.get("fullName") or state.get("name") or ""))[:80]
            if not name or any(region.name == name for region in regions):
                name = f"{name} {number}".strip()
            region = MapRegion(name, str(state.get("color")))
            if fault_in_region(region):
                region = MapRegion(name, colour_for(name))
            codes[number] = len(regions)
            regions.append(region)
        of_hex = np.where(is_land, codes[self._shares(hexes, self.states[cells])], NO_REGION)
        return regions, of_hex.astype(np.uint16).reshape(self._shape)

    # --- rivers and routes ------------------------------------------------------------------------

    def _draw_ways(self, planes: Planes) -> list[Way]:
        """Draw rivers and routes into planes, and return the ways that there are."""
        ways: list[Way] = []
        for name, paths in self._paths().items():
            if not paths:
                continue
            spec = SYSTEM.ways[len(ways)]
            plane = spec.allocate(self.grid)
            flat = plane.reshape(-1)
            for path in paths:
                cells = self._cells_on(path)
                link_cells(self.grid, flat, cells)
                if name == "River":
                    self._let_flow(planes, cells)
            planes[spec.name] = plane
            ways.append(_WAYS[name])
        return ways

    def _let_flow(self, planes: Planes, cells: Sequence[int]) -> None:
        """Let a river flow through hexes in their order, wider and wider.

        A hex through which another river flows keeps its direction.
        """
        for spec in (FLOW, FLOW_WIDTH):
            if spec.name not in planes:
                planes[spec.name] = np.full(self._shape, spec.default, spec.dtype)
        flow = planes[FLOW.name].reshape(-1)
        widths = planes[FLOW_WIDTH.name].reshape(-1)
        hexes = [cell for cell, _same in groupby(cells) if cell >= 0]
        for number, (cell, following) in enumerate(pairwise(hexes)):
            neighbours = self.grid.neighbour_table[cell].tolist()
            if following not in neighbours:
                continue
            side = neighbours.index(following)
            flows_back = flow[following] & 1 << self.grid.opposite(side)
            width = 1 + number // HEXES_OF_WIDTH
            if flow[cell] == FLOW.default and not flows_back:
                flow[cell] = PRESENT | 1 << side
            widths[cell] = max(int(widths[cell]), min(width, MOST_RIVER_WIDTH))

    def _paths(self) -> dict[str, list[Numbers]]:
        """Return the lines of each way in pixels, (n, 2) each."""
        paths: dict[str, list[Numbers]] = {name: [] for name in _WAYS}
        paths["River"] = [
            self._river_path(river) for _number, river in self._entries("pack", "rivers")
        ]
        for _number, route in self._entries("pack", "routes"):
            points = [_point(point) for point in _list_of(route.get("points"))]
            path = np.array([point for point in points if point is not None]).reshape(-1, 2)
            paths[_route_name(str(route.get("group", "")))].append(path)
        return {name: [path for path in lines if len(path) > 1] for name, lines in paths.items()}

    def _river_path(self, river: Mapping[str, Any]) -> Numbers:
        """Return the points of a river's cells from its source on; off the map it has none."""
        numbers = [
            number
            for number in _list_of(river.get("cells"))
            if type(number) is int and 0 <= number < len(self.points)  # True is an int, too
        ]
        return self.points[np.array(numbers, np.intp)]

    def _cells_on(self, path: Numbers) -> list[int]:
        """Return the hexes along a line, in their order, each as often as it is met."""
        points = self._on_map(path)
        cells: list[int] = []
        for start, end in pairwise(points):
            steps = points_on_line(start, end, MOST_STEPS - self.steps)
            self.steps += len(steps)
            cells += self.grid.cells_at(steps).tolist()
        return cells

    # --- names and things -------------------------------------------------------------------------

    def _set_properties(self, battlemap: BattleMap) -> None:
        properties = battlemap.layers[0].properties
        title = clean_line(str(self._at("info", "mapName") or ""))
        if title:
            properties["title"] = title
        try:
            distance = float(self._at("settings", "distanceScale") or 0)
        except (TypeError, ValueError):
            distance = 0.0
        unit = clean_line(str(self._at("settings", "distanceUnit") or ""))
        width = ROOT3 / self.scale * distance
        if math.isfinite(width) and 0.01 <= width < 1e9:
            properties["scale"] = f"{width:.3g} {unit}".strip()

    def _place_things(self, battlemap: BattleMap) -> None:
        """Add a layer for each kind of names and things, the settlements on top."""
        last_id = 0
        for name, things in (
            ("Names", [*self._lake_names(), *self._river_names()]),
            ("Markers", list(self._markers())),
            ("Burgs", list(self._burgs())),
        ):
            numbered = [replace(thing, id=last_id + at) for at, thing in enumerate(things, 1)]
            last_id += len(numbered)
            if numbered:
                layer = Layer(battlemap.free_layer_id(), name, things=Things(numbered))
                battlemap.layers.append(layer)
        battlemap.note_ids(range(1, last_id + 1))

    def _thing(self, kind: str, point: Numbers, label: object, **state: object) -> Thing:
        x, y = self._on_map(point).tolist()
        return Thing(0, kind, x, y, label=clean_line(str(label or "")), state=State(state))

    def _burgs(self) -> Iterator[Thing]:
        for number, burg in self._entries("pack", "burgs"):
            point = _point([burg.get("x"), burg.get("y")])
            if number and point is not None:
                yield self._thing(_settlement(burg), np.array(point), burg.get("name"))

    def _markers(self) -> Iterator[Thing]:
        """Yield the markers: notes where the export says something of them, else symbols."""
        notes = {str(note.get("id")): note for _number, note in self._entries("notes")}
        for _number, marker in self._entries("pack", "markers"):
            point = _point([marker.get("x"), marker.get("y")])
            if point is None:
                continue
            note = notes.pop(f"marker{marker.get('i')}", {})
            text = plain_text(str(note.get("legend") or ""))
            most = int(NOTE_TEXT.most or 0)
            self.lost["ends of notes"] += len(text) > most
            place = np.array(point)
            if text:
                yield self._thing(NOTE, place, note.get("name"), **{TEXT: text[:most]})
            else:
                kind = symbol_named(str(marker.get("type", "")))
                yield self._thing(kind, place, note.get("name"))
        self.lost["notes on what is no marker"] = len(notes)

    def _lake_names(self) -> Iterator[Thing]:
        for number, feature in self._entries("pack", "features"):
            cells = np.flatnonzero(self.features == number)
            if feature.get("type") == "lake" and feature.get("name") and len(cells):
                points = self.points[cells]
                middle = np.argmin(np.hypot(*(points - points.mean(axis=0)).T))
                yield self._thing(WATER, points[middle], feature["name"])

    def _river_names(self) -> Iterator[Thing]:
        for _number, river in self._entries("pack", "rivers"):
            path = self._river_path(river)
            if len(path) > 1 and river.get("name"):
                length = np.hypot(*np.diff(path, axis=0).T).sum() * self.scale / ROOT3
                if length >= NAMED_RIVER:
                    yield self._thing(RIVER, path[len(path) // 2], river["name"])


def nearest_points(points: Numbers, rows: int, columns: int) -> Indices:
    """Return for each place (row, column) of a raster the number of the point nearest to it.

    ``points`` (n, 2) are in columns and rows. By jump flooding (Rong and Tan, 2006): places pass
    the nearest point that they know on to others, first far away, then nearer and nearer. Of points
    in one place of the raster the one nearest to it stays.
    """
    row_numbers = np.arange(rows)[:, None]
    column_numbers = np.arange(columns)[None, :]
    places = np.rint(points).astype(np.intp)
    places[:, 0] = places[:, 0].clip(0, columns - 1)
    places[:, 1] = places[:, 1].clip(0, rows - 1)
    farthest_first = np.argsort(-np.hypot(*(points - places).T), kind="stable")
    nearest = np.full((rows, columns), -1, np.intp)
    nearest[places[farthest_first, 1], places[farthest_first, 0]] = farthest_first
    distances = np.full((rows, columns), np.inf)
    is_known = nearest >= 0
    distances[is_known] = _distances(points, nearest, column_numbers, row_numbers)[is_known]
    longest = 1 << max(rows, columns).bit_length()
    steps = [longest >> halvings for halvings in range(1, longest.bit_length())]
    for step in (*steps, 2, 1):  # the last two mend most of what jumps miss
        for rows_down in (-step, 0, step):
            for columns_right in (-step, 0, step):
                _take_nearer(
                    points, nearest, distances, (rows_down, columns_right), (rows, columns)
                )
    return nearest


def _take_nearer(
    points: Numbers,
    nearest: Indices,
    distances: Numbers,
    jump: tuple[int, int],
    shape: tuple[int, int],
) -> None:
    """Let places learn of the point that the place a jump (rows, columns) away knows."""
    (to_rows, from_rows), (to_columns, from_columns) = (
        _overlap(distance, length) for distance, length in zip(jump, shape, strict=True)
    )
    offered = nearest[from_rows, from_columns]
    if not offered.size:
        return
    columns = np.arange(shape[1])[None, to_columns]
    rows = np.arange(shape[0])[to_rows, None]
    offered_distances = _distances(points, offered, columns, rows)
    is_nearer = (offered >= 0) & (offered_distances < distances[to_rows, to_columns])
    nearest[to_rows, to_columns][is_nearer] = offered[is_nearer]
    distances[to_rows, to_columns][is_nearer] = offered_distances[is_nearer]


def _overlap(distance: int, length: int) -> tuple[slice, slice]:
    """Return the places from which a jump stays in the raster, and those where it ends."""
    if distance >= 0:
        return slice(0, max(0, length - distance)), slice(min(distance, length), length)
    return slice(min(-distance, length), length), slice(0, max(0, length + distance))


def _distances(points: Numbers, numbers: Indices, columns: Indices, rows: Indices) -> Numbers:
    """Return the squared distances of places from the points with these numbers."""
    across = points[numbers, 0] - columns
    down = points[numbers, 1] - rows
    squared: Numbers = across * across + down * down
    return squared


def _settlement(burg: Mapping[str, Any]) -> str:
    """Return the kind of a settlement: by its group, if one of our symbols, else by its people."""
    by_group = symbol_named(str(burg.get("group") or ""), "")
    if by_group:
        return by_group
    people = burg.get("population")
    if burg.get("capital"):
        return CITY
    if not _is_number(people) or people < TOWN_FROM:
        return "village"
    if people < CITY_FROM:
        return TOWN
    return CITY


def _route_name(group: str) -> str:
    """Return the way of a group of routes, as the generator or a person calls it."""
    words = group.lower()
    if "sea" in words or "water" in words:
        return "Sea route"
    if "trail" in words or "path" in words:
        return "Trail"
    return "Road"


def _word(value: object) -> str:
    """Return a text as a part of a code, "" for nothing."""
    return clean_line(str(value or ""))[:40].strip()


def _point(value: object) -> tuple[float, float] | None:
    """Return the first two numbers of a list, None where there are none that a map can have."""
    if not isinstance(value, list) or len(value) < 2:
        return None
    x, y = value[:2]
    if not _is_number(x) or not _is_number(y) or not max(abs(x), abs(y)) <= FARTHEST:
        return None
    return float(x), float(y)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list_of(value: object) -> list[Any]:
    if isinstance(value, list):
        return value
    return []


CODEC = AzgaarCodec()
