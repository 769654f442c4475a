"""Test land's generators: the packaged one, and any script."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import PurePath

import numpy as np

from randomizer.generator import Generating, MapGenerator
from randomizer.model.basics.dice import stream, streams, words_of_streams
from randomizer.model.basics.log_line import LogLine
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from tests.test_system.language import Statement, parse
from tests.test_system.system import HEIGHT, SYSTEM, TERRAIN

SETTINGS = (
    Setting(
        "Wetness",
        int,
        "How many more {cells} in a hundred become what is scattered.",
        0,
        minimum=0,
        maximum=50,
        title="Wetness",
    ),
)


SCRIPTS = files("tests.test_system") / "scripts"

LIBRARIES = {"northern": (SCRIPTS / "library" / "northern.tll").read_text("utf-8")}


class LandGenerator(MapGenerator):
    """One script with its metadata. ``texts`` are the further files by name."""

    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS

    def __init__(
        self,
        name: str,
        metadata: Metadata,
        text: str,
        texts: Mapping[str, str],
        path: str | None = None,
    ) -> None:
        self.name = name
        self.metadata = metadata
        self.text = text
        self.texts = texts
        self.path = path

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """One layer; what is locked keeps its values. Raises ProblemError for a bad script."""
        statements = self._statements()
        terrains = self._terrain_set() or base.terrain_set
        records: dict[str, str] = {}
        log: list[LogLine] = []
        more = int(str(settings.get("Wetness", self.metadata.others.get("Wetness", 0))))
        layer = Layer(1, "", planes={spec.name: spec.allocate(base.grid) for spec in (TERRAIN,)})
        for number, (line, word, arguments) in enumerate(statements):
            yield 1 + number * 98 // len(statements)
            if word == "hills":
                heights = draw_numbers((base.grid.height + 1, base.grid.width + 1), key, line)
                layer.planes[HEIGHT.name] = (heights % (int(arguments[0]) + 1)).astype(HEIGHT.dtype)
                continue
            if word == "say":
                log.append(LogLine(arguments[0], " ".join(arguments[1:])))
                continue
            if word == "record":
                line_before = records.get(arguments[0], "")
                records[arguments[0]] = f"{line_before}{' '.join(arguments[1:])}\n"
                continue
            if word == "things":
                layer.things = Things(
                    [*layer.things.values(), *scatter_things(line, *arguments, key, base.grid)]
                )
                continue
            if not terrains.has_terrain(arguments[0]):
                message = f"there is no terrain “{arguments[0]}”"
                raise ProblemError(Problem(Severity.ERROR, "tll", message, self.path, line), log)
            chosen = np.ones(layer.planes[TERRAIN.name].shape, np.bool_)
            if word == "scatter":
                draws = draw_numbers(chosen.shape, key, line) % np.uint64(100)
                chosen = draws < int(arguments[1]) + more
            layer.planes[TERRAIN.name][chosen] = terrains.terrain_code(arguments[0])
        for spec in (TERRAIN, HEIGHT):
            if spec.name in layer.planes:
                kept = base.locked_mask(spec)
                values = base.shown.planes[spec.name][kept]
                if spec is TERRAIN:
                    values = _codes(base.terrain_set, terrains)[values]
                layer.planes[spec.name][kept] = values
        layer.roll = Roll(
            self.name,
            self.metadata.script,
            self.text,
            dict(settings),
            key.seed,
            key.number,
            texts=self.texts,
            libraries={name: _digest(library(name)) for name in self._used()},
        )
        layer.name = roll_name(layer)
        yield 100
        own = self._terrain_set()
        texts = {name: MapRecord(text) for name, text in records.items()}
        return Generated(
            (layer,), key.number, log=tuple(log), records=texts or None, terrain_set=own
        )

    def _terrain_set(self) -> TerrainSet | None:
        """That of the metadata: colours by names; None if there is none."""
        colours = self.metadata.others.get("Terrains")
        if not isinstance(colours, dict):
            return None
        terrains = (Terrain(name, str(colour)) for name, colour in colours.items())
        return TerrainSet(self.metadata.name, tuple(terrains))

    def _used(self) -> list[str]:
        """The libraries that the script uses."""
        used = [each for each in parse(self.text)[0] if each.word == "use"]
        return [each.arguments[0] for each in used]

    def _statements(self) -> list[Statement]:
        """Those of the script, with the libraries in it. Raises ProblemError."""
        statements, problems = parse(self.text, self.path)
        if has_errors(problems):
            raise ProblemError(problems)
        return [part for statement in statements for part in self._parts(statement)]

    def _parts(self, statement: Statement) -> list[Statement]:
        """A statement, or those that it stands for."""
        if statement.word == "use":
            return list(parse(library(statement.arguments[0]))[0])
        if statement.word != "include":
            return [statement]
        inside = [
            self.texts[name]
            for name in sorted(self.texts)
            if name.rpartition("/")[0] == statement.arguments[0]
        ]
        return [part for text in inside for each in parse(text)[0] for part in self._parts(each)]


def _codes(before: TerrainSet, after: TerrainSet) -> Plane:
    """The code in ``after`` of each terrain of ``before``; of the first if it has none."""
    names = (terrain.name for terrain in before.terrains)
    codes = (after.terrain_code(name) if after.has_terrain(name) else 0 for name in names)
    return np.array(tuple(codes), TERRAIN.dtype)


def scatter_things(line: int, kind: str, count: str, key: DrawKey, grid: Grid) -> list[Thing]:
    """So many things, drawn anywhere; each is the same one in every roll of the script."""
    draws = draw_numbers((int(count), 3), key, line).astype(np.float64) / 2.0**64
    x = draws[:, 0] * grid.width - 0.5
    y = draws[:, 1] * grid.height - 0.5
    state = {"strength": 5} if kind == "shepherd" else {}
    return [
        Thing(
            line * 10_000 + i,
            kind,
            x[i],
            y[i],
            draws[i, 2] * 360,
            state=State(state),
            key=f"{line}.{i}",
        )
        for i in range(int(count))
    ]


def library(name: str) -> str:
    """A library of this package, "" if there is none."""
    return LIBRARIES.get(name, "")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def draw_numbers(shape: tuple[int, ...], key: DrawKey, site: int) -> Plane:
    """64 bits for each place of a plane."""
    places = np.arange(int(np.prod(shape)), dtype=np.uint64)
    starts = streams(key.seed, places + np.uint64(stream(0, site)))
    return words_of_streams(starts, key.number).reshape(shape)


def generator_of(
    name: str, text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> LandGenerator:
    """The generator of a script and its further texts; without metadata it is called as its file.

    Raises ProblemError for metadata that cannot be read.
    """
    stem = PurePath(script).stem
    metadata = Metadata(stem, script, "")
    if f"{stem}.json" in texts:
        metadata = read_metadata(texts[f"{stem}.json"], f"{stem}.json")
    return LandGenerator(name, metadata, text, texts, path)


def packaged() -> tuple[LandGenerator, ...]:
    """The generators that come with the package."""
    return tuple(_packaged(name) for name in ("Moor", "Heath"))


def _packaged(name: str) -> LandGenerator:
    stem = name.lower()
    text = (SCRIPTS / f"{stem}.tll").read_text("utf-8")
    texts = {f"{stem}.json": (SCRIPTS / f"{stem}.json").read_text("utf-8")}
    return generator_of(name, text, f"{stem}.tll", texts)
