"""A battleland as one JSON object a line: the format of ``roll --format json`` and ``show``.

``{"seed", "number", "title", "subtitle", "tower", "startlist", "hexes"}``; ``hexes`` maps each of
the 27 labels to [terrain, elevation, six hexside letters of the sides N, NE, SE, S, SW, NW, blank
for none]. Seed, number, title, subtitle and start list are null where there is none.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.formats.format import Format
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.json_resemblance import share_of_names
from randomizer.formats.losses import lost_things
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.basics.bounded_json import parse_first
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.systems.colossus.battleland.record_line import (
    read_hex_entry,
    record_line,
    record_of,
)
from randomizer.systems.colossus.board import HEX_OF_LABEL, HEXES
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.properties import PROPERTIES, TITLE, TOWER
from randomizer.systems.colossus.system import SYSTEM, layer_name, new_planes

if TYPE_CHECKING:
    from randomizer.batches.batch import Batch

MAX_BYTES = 50_000_000
"""The largest size of a file in bytes; it can hold many maps, one a line."""

SAMPLE_BYTES = 20_000
"""The bytes at the start of a file by which its format is told; more would find no more names."""

LONGEST_RECORD = 2**20
"""The largest number of characters of a map; one with long titles has 5,000."""


def map_of_record(record: object, path: str | None = None, line: int | None = None) -> ReadResult:
    """Return the map that a record describes, as one layer; hexes that it leaves out are not set.

    ``line`` is its line in the file ``path``. Every mistake is a Problem; never raises.
    """
    layer, faults = _read_layer(record, path)
    column: int | None = None
    if line is not None:
        column = 1  # a mistake in a record is located by its line only
    problems = tuple(
        Problem(Severity.ERROR, "record", fault, path, line, column) for fault in faults
    )
    if layer is None or problems:
        return ReadResult(None, problems)
    return ReadResult(BattleMap.new(SYSTEM, layers=[layer]), problems)


def _read_layer(record: object, path: str | None) -> tuple[Layer | None, list[str]]:
    """Return the layer of a record, and a sentence for each mistake in it.

    What is wrong is left out of the layer; it is None if the record is no battleland at all.
    """
    hexes: object = None
    if isinstance(record, dict):
        hexes = record.get("hexes")
    if not isinstance(record, dict) or not isinstance(hexes, dict):
        return None, ["A battleland in JSON is an object with “hexes”, an object by labels"]
    properties, faults_of_properties = _read_properties(record)
    planes, faults_of_hexes = _read_hexes(hexes)
    name = layer_name(properties.get(TITLE.name), path)
    layer = Layer(1, name, properties=properties)
    layer.planes.update(planes)
    return layer, [*faults_of_properties, *faults_of_hexes]


def _read_properties(record: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the right values of properties by name, and a sentence for each wrong one."""
    properties: dict[str, Any] = {}
    faults = []
    for map_property in PROPERTIES:
        value = record.get(map_property.name)
        if value is None:
            continue
        try:
            read_value = map_property.read(value)
        except ValueError as failed:
            faults.append(f"“{map_property.name}”: {failed}")
            continue
        if read_value is not None:
            properties[map_property.name] = read_value
    # A record without "tower" is no tower; other properties that it lacks stay unset.
    properties.setdefault(TOWER.name, TOWER.default)
    return properties, faults


def _read_hexes(hexes: dict[str, object]) -> tuple[dict[str, Plane], list[str]]:
    """Return the planes with the right entries of hexes, and a sentence for each wrong entry.

    There are no planes if no entry is right.
    """
    planes: dict[str, Plane] = {}
    faults = []
    for label, entry in hexes.items():
        hex_id = HEX_OF_LABEL.get(label)
        if hex_id is None:
            faults.append(f"The board has no hex “{label[:20]}”")
            continue
        try:
            terrain, elevation, hexside = read_hex_entry(label, entry)
        except ValueError as fault:
            faults.append(str(fault))
            continue
        if not planes:
            planes = new_planes()
        x, y = HEXES[hex_id]
        planes["terrain"][y, x] = terrain
        planes["elevation"][y, x] = elevation
        planes["hexside"][y, x] = hexside
    return planes, faults


class BattlelandJson(Format):
    """The format of records: reads the first map of a file, writes one line."""

    name = "json"
    title = "Battleland as JSON"
    suffixes = (".json", ".jsonl")
    systems = (SYSTEM.name,)
    joint = b""
    """Nothing stands between the lines of several maps."""
    writes_batches = True
    largest = MAX_BYTES
    """The largest file that is read."""

    def recognises(self, data: bytes) -> bool:
        """Return whether the data start like an object that has ``hexes`` and ``startlist``."""
        start = data[:SAMPLE_BYTES].removeprefix(BOM_UTF8).lstrip()
        return start.startswith(b"{") and b'"hexes"' in start and b'"startlist"' in start

    def resemblance(self, data: bytes) -> float:
        """Return how like a record these bytes are, 0 to 1, by the names in them."""
        return share_of_names(data[:SAMPLE_BYTES], ("hexes", "startlist"))

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the first map of the file, with a warning if there are more. Never raises."""
        if len(data) > MAX_BYTES:
            return _not_read(f"The file has {len(data):,} bytes, too many", path, None)
        try:
            text = data.decode("utf-8-sig")
            start = len(text) - len(text.lstrip())
            value, end = parse_first(text, start, LONGEST_RECORD)
        except UnicodeDecodeError:
            return _not_read("The file is not UTF-8, the encoding of JSON", path, None)
        except json.JSONDecodeError as failed:
            # ``failed.lineno`` counts LF only, ``place_of`` also CR and CRLF.
            place = place_of(text, failed.pos)
            return _not_read(f"This is not JSON: {reason_of(failed)}", path, *place)
        except (RecursionError, ValueError):
            # It is nested too deeply, too long, or has a number with too many digits.
            return _not_read("The JSON of this file is out of all proportion", path, None)
        first_line, _column = place_of(text, start)
        result = map_of_record(value, path, first_line)
        rest = text[end:].lstrip()
        if not rest or result.battlemap is None:
            return result
        further_maps = Problem(
            Severity.WARNING,
            "further-maps",
            "The file goes on after the first map; only that one is read",
            path,
            *place_of(text, len(text) - len(rest)),
        )
        return ReadResult(result.battlemap, (*result.problems, further_maps))

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers, flattened, as one line.

        Seed and number are null without provenance.
        """
        refuse_other_systems(self, battlemap)
        seed: int | None = None
        number: int | None = None
        if provenance is not None:
            seed = provenance.seed
            number = provenance.number
        record = record_of(battlemap.composite(), seed, number)
        return (record_line(record) + "\n").encode("ascii")

    def write_batch(self, batch: Batch, properties: Sequence[Mapping[str, object]]) -> bytes:
        """Write a line for each map of a batch, which must have hexsides and all hexes by id."""
        from randomizer.systems.colossus.battleland.record_batch import batch_lines

        return batch_lines(batch, properties)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the warnings of the game's builder, and that a record has no things or walls."""
        problems = check_battleland(battlemap.composite())
        return (*problems, *lost_things(self, battlemap))


def _not_read(
    message: str, path: str | None, line: int | None, column: int | None = None
) -> ReadResult:
    """Return the result for a file of which nothing was read: it is too large, or no JSON."""
    return ReadResult(None, (Problem(Severity.ERROR, "not-json", message, path, line, column),))


JSON = BattlelandJson()
"""The format of the catalogue."""
