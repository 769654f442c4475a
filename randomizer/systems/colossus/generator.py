"""Randomizer scripts as generators: the packaged ones, and any ``.rnd`` text."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch_generator import BatchGenerator
from randomizer.generator import DrawKey, Generating, percent_of_search
from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.basics.texts import clean_line
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase, RolledMap, roll, start_lists
from randomizer.systems.colossus.script.syntax import Area, Pair, Script
from randomizer.systems.colossus.system import (
    ELEVATION,
    HEXSIDE,
    ORIGIN,
    SIDE_ORIGIN,
    SYSTEM,
    TERRAIN,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from randomizer.batches.batch import Batch, Measure
    from randomizer.batches.odds_table import OddsTable
    from randomizer.systems.colossus.rolling.lock_problems import HexLocks, SideLocks
    from randomizer.systems.colossus.rolling.locks import LockedRoll

_SCRIPTS = files("randomizer.systems.colossus") / "scripts"

UNTITLED = "Randomized!"
"""The game's title and subtitle where neither the script nor the map has one."""

_CELLS = np.array(CELL_OF_HEX)
_SIDES = (_CELLS[:, None] * 6 + np.arange(6)).ravel()

SETTINGS = (
    Setting(
        "BaseTerrain",
        str,
        "The terrain of every {cell} before the script starts; without it the script rolls onto "
        "the map as it is.",
        choices=tuple((terrain.name, terrain.name) for terrain in COLOSSUS.terrains),
        title="Base terrain",
        group="Ground",
        unset="as the map is",
    ),
    Setting(
        "BaseHeight",
        int,
        "The elevation of every {cell} before the script starts.",
        minimum=min(COLOSSUS.elevations),
        maximum=max(COLOSSUS.elevations),
        title="Base height",
        group="Ground",
        unset="as the map is",
    ),
)


class RndGenerator(BatchGenerator):
    """One randomizer script. ``name`` is "" for a script that is not in the catalogue.

    ``path`` is the file named in problems.
    """

    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    rolls_many = True
    tells_odds = True

    def __init__(self, name: str, metadata: Metadata, text: str, path: str | None = None) -> None:
        self.name = name
        self.metadata = metadata
        self.text = text
        self.path = path

    def preview(self) -> bytes | None:
        """Return the picture beside a packaged script."""
        if not self.name or self.metadata.preview is None:
            return None
        return _SCRIPTS.joinpath(self.metadata.preview).read_bytes()

    def _program(self) -> tuple[Program, tuple[str, ...]]:
        """Return the program of the script, and the descriptions of its statements."""
        return _compiled(self.name, self.text, self.path)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Roll onto the base's map; the result is one layer with everything the script sets.

        Without locks it is the map with the key's number, with locks the first from there on that
        keeps them. Raises ProblemError for a script with syntax errors, for an unknown hazard that
        would be placed, and for locks that cannot be kept.
        """
        program, origins = self._program()
        ground = _ground(self.metadata, settings)
        beneath = _hex_base(base.composite.planes, ground)
        yield 1
        hexes, sides = _locks(base)
        number = key.number
        tried = 1
        eligible = 1
        if hexes or sides:
            locked_roll = yield from _search(program, key, beneath, hexes, sides)
            rolled = locked_roll.map
            number = locked_roll.number
            tried = locked_roll.tried
            eligible = locked_roll.eligible
        else:
            rolled = roll(program, KeyedDraws(key.seed, number), beneath)
        provenance = Roll(
            self.name,
            clean_line(self.metadata.script),
            self.text,
            dict(settings),
            key.seed,
            number,
            origins,
        )
        layer = _layer(rolled, provenance, base.composite, ground)
        yield 100
        return Generated((layer,), number, tried, eligible=eligible)

    def forced_faults(
        self, settings: Mapping[str, object], base: Base, planes: Mapping[str, Plane]
    ) -> tuple[Problem, ...]:
        """Warnings of what ``planes`` has only because locks were forced."""
        from randomizer.systems.colossus.rolling.lock_problems import forced_faults

        program = self._program()[0]
        beneath = _hex_base(base.composite.planes, _ground(self.metadata, settings))
        return forced_faults(program, beneath, _hex_base(planes, (None, None)), *_locks(base))

    def impossible_locks(self, settings: Mapping[str, object], base: Base) -> tuple[Problem, ...]:
        """Errors of the locks that no map of the script can keep."""
        from randomizer.systems.colossus.rolling.lock_problems import impossible_locks

        program = self._program()[0]
        beneath = _hex_base(base.composite.planes, _ground(self.metadata, settings))
        return tuple(impossible_locks(program, beneath, *_locks(base)))

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[np.uint64],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        """Maps ``numbers`` of ``seed``, locks ignored; columns are hexes by id."""
        from randomizer.batches.batch import Batch, start_counts
        from randomizer.systems.colossus.rolling.batch_roller import roll_many

        program = self._program()[0]
        beneath = _hex_base(base.composite.planes, _ground(self.metadata, settings))
        rolls = roll_many(program, beneath, seed, numbers, hexsides=hexsides)
        start = rolls.start
        listed = START_LIST.of(base.composite.properties)
        if start is None and listed:
            counts = start_counts(base, listed)[_CELLS]
            start = np.broadcast_to(counts, (len(rolls.numbers), HEX_COUNT))
        return Batch(
            base,
            seed,
            rolls.numbers,
            _CELLS,
            rolls.terrain,
            rolls.elevation,
            rolls.hexside,
            rolls.failed,
            start,
        )

    def batch_properties(
        self, settings: Mapping[str, object], batch: Batch
    ) -> list[dict[str, Any]]:
        """Return the properties of a batch; drawn start lists are made map by map."""
        program = self._program()[0]
        beneath = batch.base.composite
        hexes = _hex_base(beneath.planes, _ground(self.metadata, settings))
        lists = start_lists(program, hexes, batch.seed, batch.numbers)
        return [
            {**beneath.properties, **_properties(program, startlist, beneath)}
            for startlist in lists
        ]

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        samples: int = 0,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """Yield ``BatchGenerator.odds``; stages and origins are the AREAs."""
        from randomizer.systems.colossus.odds.tables import odds_tables

        program = self._program()[0]
        beneath = _hex_base(base.composite.planes, _ground(self.metadata, settings))
        locks = _locks(base)
        return odds_tables(
            program, beneath, *locks, sides=sides, sources=sources, samples=samples, seed=seed
        )

    def measures(self, _settings: object = None) -> tuple[Measure, ...]:
        """Return the fairness measures, and the shares of won battles."""
        from randomizer.systems.colossus.fairness.measures import MEASURES
        from randomizer.systems.colossus.fairness.mirror_battles import win_measures

        return (*MEASURES, *win_measures(lambda: self._program()[0].tower))


def _search(
    program: Program, key: DrawKey, beneath: HexBase, hexes: HexLocks, sides: SideLocks
) -> Generator[int, None, LockedRoll]:
    """Return the first map from the key's on that has the locked values; yield percents."""
    from randomizer.systems.colossus.rolling.locks import search_with_locks

    search = search_with_locks(program, key.seed, key.number, beneath, hexes, sides)
    while True:
        try:
            maps_tried = next(search)
        except StopIteration as end:
            locked_roll: LockedRoll = end.value
            return locked_roll
        yield percent_of_search(maps_tried)


SCRIPTS_KEPT = 16
"""The number of compiled programs that are cached; parsing is the costly part."""


@registered(bytes_a_unit=24)
@sized_cache(max_entries=SCRIPTS_KEPT, max_size=1 << 16)
def _compiled(name: str, text: str, path: str | None) -> tuple[Program, tuple[str, ...]]:
    """Return the program of a script, and the descriptions of its statements, cached.

    ``name`` is that of a packaged script, else "". Raises ProblemError for a script that cannot be
    rolled: first the mistakes at which it was refused, then all others that its check finds.
    """
    from randomizer.systems.colossus.rolling.compiler import compile_script

    try:
        tree = None
        if name:
            tree = _stored_tree(name, text)
        if tree is None:
            tree = _parsed(text, path)
        program = compile_script(tree, path)
    except ProblemError as refused:
        other_errors = _other_errors(text, path, refused.problems)
        raise ProblemError((*refused.problems, *other_errors)) from refused
    return program, _origins(program)


def _other_errors(text: str, path: str | None, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the errors that the check of a script finds besides those by which it was refused."""
    from randomizer.systems.colossus.script.lint import check_script

    reported_at = {(problem.line, problem.column) for problem in problems}
    for problem in check_script(text, path):
        is_error = problem.severity is Severity.ERROR
        if is_error and (problem.line, problem.column) not in reported_at:
            yield problem


def _stored_tree(name: str, text: str) -> Script | None:
    """Return the syntax tree that is stored beside a packaged script, None for other texts."""
    stored = _SCRIPTS.joinpath(f"{name}.tree")
    if not stored.is_file():
        return None
    from randomizer.systems.colossus.script.stored_tree import decoded_tree

    return decoded_tree(stored.read_text("ascii"), text)


def _parsed(text: str, path: str | None) -> Script:
    """Return the syntax tree of a text. Raises ProblemError for syntax errors."""
    from randomizer.systems.colossus.script.parser import parse

    parsed = parse(text, path)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return parsed.script


Ground = tuple[int | None, int | None]
"""Terrain code and elevation that the settings put under everything; None where not set."""


def _ground(metadata: Metadata, settings: Mapping[str, object]) -> Ground:
    """Return the ground of ``settings``, else of the metadata file.

    Raises ProblemError if invalid.
    """
    ground = checked_settings(SETTINGS, {**metadata.ground, **settings})
    terrain = ground.get("BaseTerrain")
    height = ground.get("BaseHeight")
    terrain_code = None
    if isinstance(terrain, str):
        terrain_code = COLOSSUS.terrain_code(terrain)
    elevation = None
    if isinstance(height, int):
        elevation = height
    return terrain_code, elevation


def _hex_base(planes: Mapping[str, Plane], ground: Ground) -> HexBase:
    """Return the values by hex id that a script starts from: the ground, else those of planes."""
    terrain, elevation = ground
    terrains = planes["terrain"].ravel()[_CELLS].tolist()
    elevations = planes["elevation"].ravel()[_CELLS].tolist()
    if terrain is not None:
        terrains = [terrain] * HEX_COUNT
    if elevation is not None:
        elevations = [elevation] * HEX_COUNT
    hexsides = planes["hexside"].reshape(-1, 6)[_CELLS].tolist()
    return HexBase(terrains, elevations, hexsides)


def _locks(base: Base) -> tuple[HexLocks, SideLocks]:
    """Return the locked values, by hex id; None for one that a layer above covers."""
    planes = base.shown.planes
    hexes: dict[int, tuple[int | None, int | None]] = {}
    sides: dict[tuple[int, int], int] = {}
    if not base.locked:
        return hexes, sides
    terrains, elevations, hexsides = map(base.locked_mask, (TERRAIN, ELEVATION, HEXSIDE))
    for number, cell in enumerate(CELL_OF_HEX):
        terrain = None
        if terrains.flat[cell]:
            terrain = int(planes["terrain"].flat[cell])
        elevation = None
        if elevations.flat[cell]:
            elevation = int(planes["elevation"].flat[cell])
        if terrain is not None or elevation is not None:
            hexes[number] = (terrain, elevation)
        for side in range(6):
            if hexsides.flat[cell * 6 + side]:
                sides[number, side] = int(planes["hexside"].flat[cell * 6 + side])
    return hexes, sides


def _origins(program: Program) -> tuple[str, ...]:
    """Return the line and the first words of every statement of the script, for provenance."""
    origins = []
    for statement in program.script.statements:
        if isinstance(statement, Area | Pair):
            first_words = statement.head
        else:
            first_words = type(statement).__name__
        origins.append(f"line {statement.span.line}, {first_words}")
    return tuple(origins)


def _title(rolled: str | None, beneath: str | None) -> str | None:
    """Return the title or subtitle that a roll sets: that of the script, if it has one.

    Without it the map beneath keeps its own, even an empty one (None), and else is UNTITLED.
    """
    if rolled is None and beneath is None:
        return UNTITLED
    return rolled


def _properties(
    rolled: RolledMap | Program, startlist: tuple[str, ...] | None, beneath: Composite
) -> dict[str, Any]:
    """Return the properties that a roll with this start list sets."""
    properties = {
        TITLE.name: _title(rolled.title, beneath.properties.get(TITLE.name)),
        SUBTITLE.name: _title(rolled.subtitle, beneath.properties.get(SUBTITLE.name)),
        TOWER.name: rolled.tower,
        START_LIST.name: startlist,
    }
    return {name: value for name, value in properties.items() if value is not None}


def _layer(rolled: RolledMap, roll: Roll, beneath: Composite, ground: Ground) -> Layer:
    grid = SYSTEM.new_grid()
    planes: dict[str, Plane] = {
        spec.name: spec.allocate(grid)
        for spec in (TERRAIN, ELEVATION, HEXSIDE, ORIGIN, SIDE_ORIGIN)
    }
    terrain, elevation = ground
    placed = np.array([statement >= 0 for statement in rolled.origin])
    for name, values, covered in (
        ("terrain", rolled.terrain, placed | (terrain is not None)),
        ("elevation", rolled.elevation, placed | (elevation is not None)),
        ("origin", rolled.origin, placed),
    ):
        planes[name].flat[_CELLS[covered]] = np.array(values)[covered]
    side_origin = np.array(rolled.side_origin).ravel()
    hit = side_origin >= 0
    planes["hexside"].flat[_SIDES[hit]] = np.array(rolled.hexside).ravel()[hit]
    planes["side_origin"].flat[_SIDES[hit]] = side_origin[hit]
    properties = _properties(rolled, rolled.startlist, beneath)
    layer = Layer(0, "", planes=planes, properties=properties, roll=roll)
    layer.name = roll_name(layer)
    return layer


def packaged() -> tuple[RndGenerator, ...]:
    """Return the packaged scripts, by name.

    Reading them takes a millisecond each; none is parsed yet.
    """
    generators = []
    for entry in sorted(_SCRIPTS.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".json"):
            metadata = read_metadata(entry.read_bytes(), entry.name)
            text = _SCRIPTS.joinpath(metadata.script).read_text("utf-8")
            generators.append(RndGenerator(metadata.name, metadata, text, metadata.script))
    return tuple(generators)


def from_text(text: str, script: str, path: str | None = None) -> RndGenerator:
    """Return a script of the user's own.

    ``script`` is its file name, ``path`` the one in problems.
    """
    name = script.rsplit(".", 1)[0]
    return RndGenerator("", Metadata(name, script, ""), text, path or script)
