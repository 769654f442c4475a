"""A battleland as one JSON object a line: the format of ``roll --format json`` and ``show``.

``{"seed", "number", "title", "subtitle", "tower", "startlist", "hexes"}``; ``hexes`` maps each of
the 27 labels to [terrain, elevation, six hexside letters of the sides N, NE, SE, S, SW, NW, blank
for none]. Seed, number, title, subtitle and start list are null where there is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.formats import (
    Format,
    Provenance,
    ReadResult,
    lost_fixtures,
    refuse_other_systems,
    share_of_names,
)
from randomizer.model.basics.bounded_json import parse_first
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, Severity, has_errors, place_of
from randomizer.model.system.property import Property
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
    reader = _RecordReader(path, line)
    layer = reader.read_layer(record)
    problems = tuple(reader.problems)
    if layer is None or has_errors(problems):
        return ReadResult(None, problems)
    return ReadResult(BattleMap.new(SYSTEM, layers=[layer]), problems)


class _RecordReader:
    """Reads one record, and collects all that is wrong with it in ``problems``.

    The methods write what is right into the layer, and go on after a mistake.
    """

    def __init__(self, path: str | None, line: int | None) -> None:
        self.path = path
        self.line = line
        """The line of the record in the file, None if it is in no file."""
        self.problems: list[Problem] = []

    def add_problem(self, message: str) -> None:
        """Add a problem of the record."""
        column: int | None = None
        if self.line is not None:
            column = 1
        problem = Problem(Severity.ERROR, "record", message, self.path, self.line, column)
        self.problems.append(problem)

    def read_layer(self, record: object) -> Layer | None:
        """Return the layer of a record, without what is wrong; None if it is no battleland."""
        hexes: object = None
        if isinstance(record, dict):
            hexes = record.get("hexes")
        if not isinstance(record, dict) or not isinstance(hexes, dict):
            self.add_problem("A battleland in JSON is an object with “hexes”, an object by labels")
            return None
        properties: dict[str, Any] = {}
        for map_property in PROPERTIES:
            value = self.read_value(record, map_property)
            if value is not None:
                properties[map_property.name] = value
        # A record without "tower" is no tower; other properties that it lacks stay unset.
        properties.setdefault(TOWER.name, TOWER.default)
        title = properties.get(TITLE.name)
        layer = Layer(1, layer_name(title, self.path), properties=properties)
        for label, entry in hexes.items():
            self.read_hex(layer, label, entry)
        return layer

    def read_value(self, record: dict[str, Any], map_property: Property) -> Any:
        """Return the value of a property; None if it is not set, or what is set is wrong."""
        value = record.get(map_property.name)
        if value is None:
            return None
        try:
            return map_property.read(value)
        except ValueError as failed:
            self.add_problem(f"“{map_property.name}”: {failed}")
            return None

    def read_hex(self, layer: Layer, label: str, entry: object) -> None:
        """Write the entry of a hex into the planes of a layer."""
        hex_id = HEX_OF_LABEL.get(label)
        if hex_id is None:
            self.add_problem(f"The board has no hex “{label[:20]}”")
            return
        try:
            terrain, elevation, hexside = read_hex_entry(label, entry)
        except ValueError as fault:
            self.add_problem(str(fault))
            return
        if not layer.planes:
            layer.planes.update(new_planes())
        x, y = HEXES[hex_id]
        layer.planes["terrain"][y, x] = terrain
        layer.planes["elevation"][y, x] = elevation
        layer.planes["hexside"][y, x] = hexside


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
        start = data[:SAMPLE_BYTES].lstrip()
        return start.startswith(b"{") and b'"hexes"' in start and b'"startlist"' in start

    def resemblance(self, data: bytes) -> float:
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
            # Not the line of the error itself, which counts LF as the only end of a line.
            place = place_of(text, failed.pos)
            return _not_read(f"This is not JSON: {reason_of(failed)}", path, *place)
        except (RecursionError, ValueError):  # nested too deeply, or a number with too many digits
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
        """Return the warnings of the game's builder; a record holds everything a flat map has."""
        problems = check_battleland(battlemap.composite())
        return (*problems, *lost_fixtures(self, battlemap))


def _not_read(
    message: str, path: str | None, line: int | None, column: int | None = None
) -> ReadResult:
    """Return the result for a file of which nothing was read: it is too large, or no JSON."""
    return ReadResult(None, (Problem(Severity.ERROR, "not-json", message, path, line, column),))


JSON = BattlelandJson()
"""The format of the catalogue."""
