"""The format ``json`` of 0 A.D. maps: the object that a random map script returns, as JSON.

    {"size": 128, "height": [...], "textureNames": [...], "tileData": {...}, "entities": [...],
     "settings": {"Name": "Mainland", ...}}

The key "settings" is ours: the settings that the script was given, which no script returns.

Every command of the program asks each format whether it recognises a file. So the modules that only
a map of 0 A.D. needs are imported in the methods.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.formats.format import Format
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.json_resemblance import share_of_names
from randomizer.formats.losses import lost_fixtures
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.basics.bounded_json import fault_in_data, measure_json, parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import DEEPEST_DATA, LARGEST_FILE
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.system import SYSTEM

if TYPE_CHECKING:
    from randomizer.systems.zeroad.map.map_data import MapData

SETTINGS_KEY = "settings"
"""The key of the settings of the script."""

MAX_VALUES = 5_000_000
"""The most values of a file; a map of 1024 x 1024 tiles with 65,536 entities has four million.

Nearly all of them are in lists of numbers, which take little memory. Outside of these at most
``bounded_json.MAX_VALUES`` are accepted.
"""

_NUMBERS = re.compile(rb"\[[-+.,eE\d\s]*+\]")
"""A list of nothing but numbers."""

DEEPEST = DEEPEST_DATA + 1
"""The deepest nesting of lists and objects: that of settings, which are in one more object."""

_KEYS = re.compile(
    rb'"(?:tileData|textureNames|templateName)"\s*:|"entities"\s*:\s*\[|"height"\s*:\s*\[\s*\d'
)
"""A key that only map data have."""

_SEARCHED_BYTES = 20_000
"""The bytes at the start, and at the end, in which keys are looked for."""

_BYTES_BEFORE_OBJECT = 200
"""The bytes at the start in which the object has to begin, behind blanks."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The mark with which some programs begin a file in UTF-8."""


class MapJson(Format):
    """The format ``json`` of 0 A.D. maps."""

    name = "json"
    title = "0 A.D. map as JSON"
    suffixes = (".json",)
    systems = (SYSTEM.name,)
    largest = LARGEST_FILE

    def recognises(self, data: bytes) -> bool:
        """Return whether a file begins like a JSON object, and has a key of map data.

        The lists are long. So the keys are looked for at the start and at the end only.
        """
        beginning = data[:_BYTES_BEFORE_OBJECT].removeprefix(_BYTE_ORDER_MARK)
        if not beginning.lstrip().startswith(b"{"):
            return False
        start = data[:_SEARCHED_BYTES]
        end = data[-_SEARCHED_BYTES:]
        return _KEYS.search(start) is not None or _KEYS.search(end) is not None

    def resemblance(self, data: bytes) -> float:
        """Return the share of the keys of map data that the bytes have."""
        searched = data[:_SEARCHED_BYTES] + data[-_SEARCHED_BYTES:]
        return share_of_names(searched, ("size", "height", "tileData", "textureNames", "entities"))

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the map of a file, as one layer. Never raises."""
        from randomizer.systems.zeroad.map_format.map_schema import read_map_data
        from randomizer.systems.zeroad.map_format.value_problems import describe_value

        data = data.removeprefix(_BYTE_ORDER_MARK)
        try:
            # Lists of numbers are measured as one value each: they take little memory.
            measure_json(_NUMBERS.sub(b"0", data[: LARGEST_FILE + 1]), DEEPEST)
            raw = parse_json(
                data,
                largest=LARGEST_FILE,
                deepest=DEEPEST,
                max_values=MAX_VALUES,
            )
        except (ValueError, RecursionError) as failed:
            message = f"This is no map of 0 A.D.: {reason_of(failed)}"
            return ReadResult(None, (Problem(Severity.ERROR, "not-a-map", message, path),))
        settings: object = None
        if isinstance(raw, dict):
            settings = raw.pop(SETTINGS_KEY, None)
        mapdata, problems = read_map_data(raw, path, settings)
        fault = fault_in_data(settings)
        if not fault and settings is not None and not isinstance(settings, dict):
            fault = f"is {describe_value(settings)}, expected an object"
        if fault:
            message = f"{SETTINGS_KEY} {fault}: it is left out"
            problems = (*problems, Problem(Severity.WARNING, "map-data", message, path))
        if mapdata is None:
            return ReadResult(None, problems)
        if fault or not isinstance(settings, dict):
            settings = {}
        return ReadResult(map_of(replace(mapdata, settings=settings)), problems)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the visible layers of a map, flattened, as the bytes of a file.

        Raises ProblemError for a size that the game does not have.
        """
        from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
        from randomizer.systems.zeroad.map_format.map_schema import plain_data

        refuse_other_systems(self, battlemap)
        data = map_data_of(battlemap)
        record = plain_data(data)
        if data.settings:
            record[SETTINGS_KEY] = data.settings
        return (json.dumps(record, ensure_ascii=False) + "\n").encode()

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the problems that the game would have with the map."""
        from randomizer.systems.zeroad.map.map_check import check_entities, check_map, check_names

        problems = (*check_map(battlemap, battlemap.composite()), *check_entities(battlemap))
        return (*problems, *check_names(battlemap), *lost_fixtures(self, battlemap))


def map_of(data: MapData) -> BattleMap:
    """Return map data as a map of one layer."""
    from randomizer.systems.zeroad.map.terrain_set import terrain_set_of
    from randomizer.systems.zeroad.map_format.map_conversion import layer_of, records_of

    layer = layer_of(data)
    layer.id = 1
    layer.name = "Map"
    grid = Grid(SQUARE, data.size, data.size)
    battlemap = BattleMap.new(SYSTEM, grid, [layer], terrain_set_of(data.texture_names))
    battlemap.records = records_of(data)
    return battlemap


JSON = MapJson()
