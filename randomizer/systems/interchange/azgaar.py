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
from randomizer.systems.interchange.foreign.codec import Codec
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes, colour_for
from randomizer.systems.interchange.foreign.texts import plain_text, symbol_named, words_in
from randomizer.systems.interchange.foreign.ways import link_cells, points_on_line
from randomizer.systems.interchange.nearest_points import Indices, Numbers, nearest_points

MOST_VALUES = 6_000_000
"""The largest number of values in the JSON: those of a world of 40,000 cells.

Each value takes some 100 bytes of memory.
"""

DEEPEST = 40
"""The largest depth of nested lists and objects in the JSON."""

MOST_HEXES = 120_000
"""The largest number of hexes; the generator makes 100,000 cells at most."""

SAMPLES_OF_HEX = 20
"""The number of points in a hex that are asked in which cell they lie.

More points make the shares of the hex's area more exact, and reading slower.
"""

MOST_STEPS = 1_000_000
"""The largest number of points (``foreign.LINE_STEP`` apart) on all rivers and routes together."""

FARTHEST = 1e6
"""The largest coordinate in pixels."""

SEA_LEVEL = 20
"""The generator's lowest height of land."""

HIGHEST = 100
"""The generator's largest height."""

HEIGHTS_OF_STEP = 10
"""The number of the generator's heights that are one elevation here; a larger one flattens land.
"""

HILLS_FROM = 50
"""From this height on the generator draws hills, whatever grows there."""

MOUNTAINS_FROM = 71
"""From this height on the generator draws mountains, whatever grows there."""

NAMED_RIVER = 6
"""The length in hexes from which on a river gets its name on the map.

With a smaller length the names of brooks cover the map.
"""

CITY_FROM = 20
"""The thousands of people from which on a settlement that is no capital is a city."""

TOWN_FROM = 3
"""The thousands of people from which on a settlement is a town."""

HEXES_OF_WIDTH = 6
"""The number of hexes after which a river is wider by one."""

MOST_RIVER_WIDTH = 6
"""The largest width of a river."""

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
    """Makes the map of one export. What of it has no place on a map is counted in ``lost``."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._document = self._parse(source.data)
        self.lost = Counter[str]()
        """The numbers of what is lost, by nouns."""
        cells = self._list("pack", "cells")
        if not cells:
            raise fault(NO_CELLS, 1)
        self.points = self._cell_points(cells)
        """The points of the generator's cells in pixels, (cells, 2)."""
        self.heights = self._column(cells, "h", 0, 255)
        biomes = self._list("biomesData", "name")
        self.biomes = self._column(cells, "biome", 0, max(0, len(biomes) - 1)).astype(np.intp)
        self.biome_names = [_word(name) or f"Biome {number}" for number, name in enumerate(biomes)]
        self.states = self._column(cells, "state", 0, 65_535, 0).astype(np.intp)
        self.features = self._column(cells, "f", 0, 65_535, 0).astype(np.intp)
        """The number of the sea, lake or island of each cell, (cells,)."""
        self.lost["cells with a road but no route"] = self._roads_without_routes(cells)
        self.steps = 0
        """The number of points on rivers and routes so far (``MOST_STEPS``)."""
        self._choose_grid()

    # --- the document -----------------------------------------------------------------------------

    def _parse(self, data: bytes) -> Any:
        """Return the value of the JSON. Raises ProblemError."""
        try:
            return parse_json(data, largest=len(data), deepest=DEEPEST, most=MOST_VALUES)
        except (ValueError, RecursionError) as failed:
            place = place_of(self._text, getattr(failed, "pos", 0))
            message = f"this is no JSON that can be read: {reason_of(failed)}"
            raise fault(message, *place) from failed

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
        self, cells: Sequence[Any], name: str, lowest: int, highest: int, missing: int | None = None
    ) -> Numbers:
        """Return the numbers with a name of all cells, (cells,); ``missing`` for a cell without.

        Raises ProblemError for a value that is no number from ``lowest`` to ``highest``.
        """
        values = [cell.get(name, missing) for cell in cells]
        for number, value in enumerate(values):
            if not _is_number(value) or not lowest <= value <= highest:
                message = f"“{name}” of a cell is a number from {lowest} to {highest:,}"
                raise self._fault(message, "pack", "cells", number, name)
        return np.array(values, np.float64)

    def _roads_without_routes(self, cells: Sequence[Any]) -> int:
        """Return the number of cells with a road, in an export that does not say where it leads.

        Exports have routes since version 1.99.
        """
        if self._list("pack", "routes"):
            return 0
        return sum(1 for cell in cells if _is_number(cell.get("road")) and cell["road"] > 0)

    # --- the grid ---------------------------------------------------------------------------------

    def _choose_grid(self) -> None:
        """Choose the grid of hexes, and where a pixel lies on it (``scale`` and ``origin``).

        It has as many hexes as the generator has cells, and the world lies in its middle.
        """
        width, height = self._extent()
        cell_count = len(self._list("grid", "cells")) or len(self.points)
        hex_count = min(cell_count, MOST_HEXES)
        area_of_hex = 1.5 * ROOT3  # of a hex with the side 1
        self.scale = math.sqrt(hex_count * area_of_hex / (width * height))
        """The map units of a pixel."""
        columns = max(1, round(width * self.scale / 1.5))
        rows = max(1, round(height * self.scale / ROOT3))
        self.grid = Grid(FLAT, columns, rows)
        left, top, right, bottom = self.grid.bounds
        origin_x = (left + right - width * self.scale) / 2
        origin_y = (top + bottom - height * self.scale) / 2
        self.origin = np.array((origin_x, origin_y))
        """The point of the map of pixel (0, 0)."""

    def _extent(self) -> tuple[float, float]:
        """Return width and height of the world in pixels.

        They are stated in newer exports; else they follow from the generator's grid, or as a last
        resort from the points of its cells.
        """
        stated = (self._at("info", "width"), self._at("info", "height"))
        if all(_is_number(value) and 1 <= value <= FARTHEST for value in stated):
            return float(stated[0]), float(stated[1])
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
        """Return the map. Raises ProblemError.

        A hex is land or water by the larger part of its area. Its terrain, elevation and state are
        then those of the larger share of that part alone.
        """
        hexes, cells = self._samples()
        cell_is_land = self.heights >= SEA_LEVEL
        is_land = self._majority(hexes, cell_is_land[cells]) == 1
        counts = cell_is_land[cells] == is_land[hexes]
        hexes = hexes[counts]
        cells = cells[counts]
        codes = Codes()
        numbers = self._terrain_numbers(codes)
        numbers_of_hexes = self._majority(hexes, numbers[cells])
        terrains, indices = codes.terrains(self._words_of, numbers_of_hexes)
        terrains = tuple(self._coloured(terrain) for terrain in terrains)
        planes: Planes = {"terrain": indices.reshape(self._shape)}
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
        """Return for points all over the map the hex and the cell in which each lies, (points,).

        The points are a raster. The generator's cells are Voronoi cells: a point lies in the cell
        whose own point is nearest.
        """
        left, top, right, bottom = self.grid.bounds
        step = math.sqrt(1.5 * ROOT3 / SAMPLES_OF_HEX)
        xs = np.arange(left + step / 2, right, step)
        ys = np.arange(top + step / 2, bottom, step)
        points = np.stack(np.meshgrid(xs, ys), axis=-1)
        cell_points = (self._on_map(self.points) - (xs[0], ys[0])) / step
        cells = nearest_points(cell_points, len(ys), len(xs))
        hexes = self.grid.cells_at(points.reshape(-1, 2))
        is_on_map = hexes >= 0
        return hexes[is_on_map], cells.reshape(-1)[is_on_map]

    def _majority(self, hexes: Indices, values: NDArray[Any]) -> Indices:
        """Return the value that most of the points in each hex have, (hexes,).

        ``hexes`` are those of the points, ``values`` theirs, not negative. Of values with equally
        many points the smaller one counts.
        """
        numbers = values.astype(np.intp)
        span = int(numbers.max()) + 1
        # A hex and a value as one number, so that np.unique counts the pairs.
        pairs, counts = np.unique(hexes * span + numbers, return_counts=True)
        majority = np.zeros(self.grid.size, np.intp)
        # From the fewest points to the most: of several assignments to a hex the last one stays.
        order = np.lexsort((-pairs, counts))
        majority[pairs[order] // span] = pairs[order] % span
        return majority

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
        # ``elevations_of_water`` lowers water to its shore; the lakes begin above all shores.
        elevation[lakes] = HIGHEST // HEIGHTS_OF_STEP
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
        if number >= len(colours):
            return terrain
        colour = colours[number]
        # Regions have the check of colours.
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
        states = self._majority(hexes, self.states[cells])
        region_codes = np.where(is_land, codes[states], NO_REGION)
        return regions, region_codes.astype(np.uint16).reshape(self._shape)

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

        A hex has one direction of flow: where two rivers meet, that of the first one stays. A river
        never flows back into the hex that flows into it.
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
        """Return the lines of each way by its name, (points, 2) each, in pixels."""
        paths: dict[str, list[Numbers]] = {name: [] for name in _WAYS}
        for _number, river in self._entries("pack", "rivers"):
            path = self._river_path(river)
            if len(path) > 1:
                paths["River"].append(path)
        for _number, route in self._entries("pack", "routes"):
            points = [_point(point) for point in _list_of(route.get("points"))]
            path = np.array([point for point in points if point is not None]).reshape(-1, 2)
            if len(path) > 1:
                paths[_route_name(str(route.get("group", "")))].append(path)
        return paths

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
        things_by_layer = {
            "Names": [*self._lake_names(), *self._river_names()],
            "Markers": list(self._markers()),
            "Burgs": list(self._burgs()),
        }
        free_id = 1
        for name, things in things_by_layer.items():
            if not things:
                continue
            numbered = [replace(thing, id=number) for number, thing in enumerate(things, free_id)]
            free_id += len(numbered)
            layer = Layer(battlemap.free_layer_id(), name, things=Things(numbered))
            battlemap.layers.append(layer)
        battlemap.note_ids(range(1, free_id))

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
            longest = int(NOTE_TEXT.most or 0)
            self.lost["ends of notes"] += len(text) > longest
            pixel = np.array(point)
            if text:
                yield self._thing(NOTE, pixel, note.get("name"), **{TEXT: text[:longest]})
            else:
                kind = symbol_named(str(marker.get("type", "")))
                yield self._thing(kind, pixel, note.get("name"))
        self.lost["notes on what is no marker"] = len(notes)

    def _lake_names(self) -> Iterator[Thing]:
        """Yield the names of lakes, each at the cell nearest to the middle of its lake.

        The middle itself can be on an island or, in a bent lake, on land.
        """
        for number, feature in self._entries("pack", "features"):
            cells = np.flatnonzero(self.features == number)
            if feature.get("type") == "lake" and feature.get("name") and len(cells):
                points = self.points[cells]
                middle = np.argmin(np.hypot(*(points - points.mean(axis=0)).T))
                yield self._thing(WATER, points[middle], feature["name"])

    def _river_names(self) -> Iterator[Thing]:
        """Yield the names of rivers that are long enough, each at half of its course."""
        for _number, river in self._entries("pack", "rivers"):
            path = self._river_path(river)
            if len(path) > 1 and river.get("name"):
                length = np.hypot(*np.diff(path, axis=0).T).sum() * self.scale / ROOT3
                if length >= NAMED_RIVER:
                    yield self._thing(RIVER, path[len(path) // 2], river["name"])


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
