"""The files of a wargame table: JSON that can be read back, and text to set it up from.

A table is one object of JSON on one line (``TableJson`` reads and writes it)::

    {"table": "hex", "width": 9, "height": 8, "seed": 17, "number": 3,
     "areas": {"0304": {"ground": "Village", "road": ["east", "west"]}},
     "dice": ["1.1 Hilly country: ..."]}

``areas`` has ``table_words.area_record`` of each area that is not open ground, by the name of the
area. ``dice`` is the dice log. A table that no dice have laid has no log, and null for seed and
number.
"""

from __future__ import annotations

import json
from typing import Any

from randomizer.formats.format import Format
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.json_resemblance import share_of_names
from randomizer.formats.losses import lost_things
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.formats.text_format import TextFormat
from randomizer.model.basics.bounded_json import parse_first
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, Severity
from randomizer.systems.cordery.system import MAX_AREAS_ALONG, SYSTEM, table_grid
from randomizer.systems.cordery.table import table_words
from randomizer.systems.cordery.table.areas import (
    CROSSINGS,
    UNSET_PLACE,
    RouteInArea,
)
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

MAX_BYTES = 50_000_000
"""The largest size of a file, which can hold many tables, one a line."""

LONGEST_RECORD = 2**22
"""The largest number of characters of a table: a full one of 60 x 60 areas has some 700,000."""

ROUTE_FIELDS = {RIVER: RIVER, ROAD: ROAD, "track": ROAD, RAIL: RAIL}
"""The fields of an area that are routes, each with its plane; a track is a road with a mark."""


class TableJson(Format):
    """The format ``json`` of tables."""

    name = "json"
    title = "Wargame table as JSON"
    suffixes = (".json", ".jsonl")
    systems = (SYSTEM.name,)
    joint = b""  # the line of each table ends with a newline already
    largest = MAX_BYTES

    def recognises(self, data: bytes) -> bool:
        """Return whether the data start like an object whose first key is ``table``."""
        return data[:200].lstrip().startswith(b'{"table"')

    def resemblance(self, data: bytes) -> float:
        return share_of_names(data, ("table", "areas"))

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the first table of the file, as one layer. Never raises."""
        try:
            text = data.decode("utf-8-sig").lstrip()
            record, _end = parse_first(text, 0, LONGEST_RECORD)
            return ReadResult(_map_of(record))
        except (ValueError, RecursionError) as failed:
            message = f"This is no wargame table: {reason_of(failed)}"
            return ReadResult(None, (Problem(Severity.ERROR, "not-a-table", message, path),))

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers, flattened, as one line of JSON, with the dice."""
        refuse_other_systems(self, battlemap)
        grid = battlemap.grid
        planes = battlemap.composite().planes
        areas: dict[str, object] = {}
        for cell in grid.cells.tolist():
            area = table_words.area_record(grid, planes, cell)
            if area:
                areas[SYSTEM.cell_name(grid, cell)] = area
        kind = "hex"
        if grid.degree == 4:
            kind = "square"
        seed: int | None = None
        number: int | None = None
        if provenance is not None:
            seed = provenance.seed
            number = provenance.number
        record = {
            "table": kind,
            "width": grid.width,
            "height": grid.height,
            "seed": seed,
            "number": number,
            "areas": areas,
            "dice": list(table_words.dice_log(battlemap)),
        }
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8")

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return problems about placed things, which the file has no place for."""
        return lost_things(self, battlemap)


def _map_of(record: Any) -> BattleMap:
    """Return the map of a decoded JSON value. Raises ValueError if that is no table."""
    if not isinstance(record, dict) or record.get("table") not in ("square", "hex"):
        raise ValueError("“table” is “square” or “hex”")
    grid = table_grid(record["table"], _length(record, "width"), _length(record, "height"))
    layer = Layer(1, "Table")
    for spec in SYSTEM.shown_planes:
        layer.planes[spec.name] = spec.blank(grid).copy()
    areas = record.get("areas", {})
    if not isinstance(areas, dict):
        raise ValueError("“areas” is an object by names")
    for name, area in areas.items():
        cell = SYSTEM.cell_of_name(grid, name)
        if cell is None:
            raise ValueError(f"there is no area “{name[:10]}”")
        if not isinstance(area, dict):
            raise ValueError(f"{name} is an object")
        for field, value in area.items():
            _set_field(grid, layer, cell, field, value)
    return BattleMap.new(SYSTEM, grid, [layer])


def _length(record: dict[str, Any], name: str) -> int:
    """Return the width or height of a record in areas. Raises ValueError."""
    length = record.get(name)
    if type(length) is not int or not 1 <= length <= MAX_AREAS_ALONG:
        raise ValueError(f"“{name}” is 1 to {MAX_AREAS_ALONG}")
    return length


def _set_field(grid: Grid, layer: Layer, cell: int, field: str, value: Any) -> None:
    """Write a field of an area's record into the planes of a layer.

    Raises ValueError for a field or value that ``table_words.area_record`` never writes.
    """
    area_name = SYSTEM.cell_name(grid, cell)
    if field in ROUTE_FIELDS and isinstance(value, list):
        sides = _sides_of_names(grid, value)
        if sides is None:
            names = ", ".join(grid.layout.side_names)
            raise ValueError(f"{area_name}: the sides of its {field} are {names}")
        route = RouteInArea(sides, is_track=field == "track")
        layer.planes[ROUTE_FIELDS[field]].flat[cell] = route.value
    elif field == "contours" and type(value) is int and value in SYSTEM.terrain_set.elevations:
        layer.planes["elevation"].flat[cell] = value
    elif field == "ground" and isinstance(value, str) and SYSTEM.terrain_set.has_terrain(value):
        layer.planes["terrain"].flat[cell] = SYSTEM.terrain_set.terrain_code(value)
    elif field == "crossing" and value in CROSSINGS:
        layer.planes["crossing"].flat[cell] = CROSSINGS.index(value)
    elif field == "place" and type(value) is int and 0 < value < UNSET_PLACE:
        layer.planes["place"].flat[cell] = value
    else:
        raise ValueError(f"{area_name}: {field[:20]} cannot be {str(value)[:40]}")


def _sides_of_names(grid: Grid, names: list[Any]) -> int | None:
    """Return the sides with these names as a bit mask, None if one of them is no name of a side."""
    side_names = grid.layout.side_names
    sides = 0
    for name in names:
        if name not in side_names:
            return None
        sides |= 1 << side_names.index(name)
    return sides


JSON = TableJson()
"""The format ``json`` of tables, for the catalogue."""

TEXT = TextFormat(
    "Wargame table as text",
    (SYSTEM.name,),
    table_words.table_text,
    lambda _battlemap: (),  # nothing is lost that is needed to set up the table
)
"""The format ``text`` of tables, for the catalogue."""
