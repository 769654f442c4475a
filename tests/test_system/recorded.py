"""Recorded land: Test land whose maps hold their script in a record, and begin rolled.

Its language is that of Test land with ``terrain NAME COLOUR`` more: these make the terrain set.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from randomizer.base_terrains import in_one_terrain_set
from randomizer.generator import Generating, MapGenerator
from randomizer.languages.language import Language, SourceText
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.roll_base import Base
from randomizer.scripts.script_hosts import ScriptHost
from tests.test_system import language
from tests.test_system.generator import draw_numbers, scatter_things
from tests.test_system.language import Statement
from tests.test_system.system import LAND, TERRAIN, LandSystem

SCRIPT = "land"
"""The record with the script."""


class RecordedSystem(LandSystem):
    """Test land whose maps hold their script."""

    name = "recsys"
    title = "Recorded land"
    script_record = SCRIPT
    begins_rolled = True


SYSTEM = RecordedSystem()

DOWNS = """\
# Downs with ponds.
terrain Down #8fbc6a
terrain Pool #4a7fb0
terrain Chalk #e8e4d8
ground Down
scatter Pool 20
scatter Chalk 10
things sheep 4
"""
WOLDS = DOWNS.replace("# Downs with ponds", "# Wolds").replace("Chalk 10", "Chalk 60")


def _parse(text: str, path: str | None) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
    """As ``language.parse``, with the statement ``terrain``; the problem if it stands nowhere."""
    rows = text.splitlines()
    kept = ["" if row.startswith("terrain ") else row for row in rows]
    statements, problems = language.parse("\n".join(kept), path)
    terrains = (
        Statement(line, "terrain", tuple(row.split()[1:]))
        for line, row in enumerate(rows, 1)
        if row.startswith("terrain ")
    )
    return (*terrains, *statements), problems


def _statements(text: str, path: str | None = None) -> tuple[Statement, ...]:
    """Raises ProblemError for a text with errors."""
    statements, problems = _parse(text, path)
    if has_errors(problems):
        raise ProblemError(problems)
    return statements


class RecordedGenerator(MapGenerator):
    """One script; on a map whose record was set by hand that is the script."""

    system = SYSTEM
    settings: tuple[Setting, ...] = ()

    def __init__(self, name: str, text: str, script: str, texts: Mapping[str, str]) -> None:
        self.name = name
        self.text = text
        self.texts = texts
        self.metadata = Metadata(name or script, script, "")

    def terrain_set(self) -> TerrainSet:
        """The terrains of the script. Raises ProblemError."""
        return _terrain_set(self.text)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """One layer, the terrain set of the script, and the script as a record."""
        held = base.records.get(SCRIPT)
        text = self.text if held is None else held.text
        terrains = _terrain_set(text)
        layer = Layer(1, "", planes={TERRAIN.name: TERRAIN.allocate(base.grid)})
        plane = layer.planes[TERRAIN.name]
        for line, word, arguments in _statements(text):
            yield 50
            if word == "things":
                layer.things = type(layer.things)(scatter_things(line, *arguments, key, base.grid))
            elif word in ("ground", "scatter"):
                chosen = np.ones(plane.shape, np.bool_)
                if word == "scatter":
                    chosen = draw_numbers(plane.shape, key, line) % np.uint64(100) < int(
                        arguments[1]
                    )
                plane[chosen] = terrains.terrain_code(arguments[0])
        layer.roll = Roll(
            self.name, self.metadata.script, text, {}, key.seed, key.number, texts=self.texts
        )
        layer.name = roll_name(layer)
        made = Generated(
            (layer,),
            key.number,
            records={SCRIPT: MapRecord(text)},
            terrain_set=terrains,
        )
        base, made = in_one_terrain_set(base, made)
        plane[base.locked_mask(TERRAIN)] = base.shown.planes[TERRAIN.name][
            base.locked_mask(TERRAIN)
        ]
        return made


def packaged() -> tuple[RecordedGenerator, ...]:
    """The generators that come with the package."""
    return (
        RecordedGenerator("Downs", DOWNS, "downs.rec", {}),
        RecordedGenerator("Wolds", WOLDS, "wolds.rec", {}),
    )


# --- the script host ------------------------------------------------------------------------------


class RecordedLanguage(Language):
    """Statements of one line, whose problems are those of their terrains."""

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        try:
            _terrain_set(source.text, source.path)
        except ProblemError as fault:
            return fault.problems
        return ()


class RecordedHost(ScriptHost):
    """Scripts of one file."""

    suffixes = (".rec",)
    language = RecordedLanguage()

    def packaged(self) -> tuple[RecordedGenerator, ...]:
        return packaged()

    def generator(self, source: SourceText) -> RecordedGenerator:
        return RecordedGenerator("", source.text, source.name, {})


HOST = RecordedHost()


def _terrain_set(text: str, path: str | None = None) -> TerrainSet:
    """The terrains of a script; those of Test land if it has none. Raises ProblemError."""
    statements = _statements(text, path)
    found = [statement for statement in statements if statement.word == "terrain"]
    terrains = tuple(
        Terrain(*each.arguments[:2], letters="abcdefghij"[place])
        for place, each in enumerate(found)
    )
    known = TerrainSet("Recorded", terrains) if terrains else LAND
    for line, word, arguments in statements:
        if word in ("ground", "scatter") and not known.has_terrain(arguments[0]):
            fault = f"there is no terrain “{arguments[0]}”"
            raise ProblemError(Problem(Severity.ERROR, "rec", fault, path, line))
    return known


PROTOCOL = 2
SYSTEMS = ("tests.test_system.recorded:SYSTEM",)
GENERATORS = ("tests.test_system.recorded",)
SCRIPT_HOSTS = ("tests.test_system.recorded:HOST",)
