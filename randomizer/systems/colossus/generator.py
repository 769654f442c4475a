"""Randomizer scripts as generators: the packaged ones, and any ``.rnd`` text.

A script is compiled to a ``Program`` (rolling/compiled_scripts.py), and the map that it is rolled
onto is read by hex id (rolling/hex_values.py). ``RndGenerator`` brings the two together for each of
the things that a generator can do: one map, many maps, their odds, and what locks allow.

An AREA is a statement of a script that places hazards. In tables of odds the *origin* of a value is
the AREA that has placed it, or the map below, and a *stage* is the map after an AREA.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch_generator import BatchGenerator
from randomizer.generator import Generating
from randomizer.model.basics.texts import clean_line
from randomizer.model.map.layer import Roll
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import ALL_KEEP_LOCKS, Generated
from randomizer.model.settings.metadata import Metadata, read_metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.search_progress import percent_of_search
from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.properties import START_LIST
from randomizer.systems.colossus.rolling.compiled_scripts import SCRIPTS, compiled_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.hex_values import (
    CELLS,
    Ground,
    hex_base,
    layer_of_roll,
    locks_of,
    rolled_properties,
)
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase, roll, start_lists
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS

# What only some rolls need is imported where it is used: the first map is shown sooner.
if TYPE_CHECKING:
    from randomizer.batches.batch import Batch, Measure
    from randomizer.batches.odds_table import OddsTable
    from randomizer.systems.colossus.rolling.hex_locks import Locks
    from randomizer.systems.colossus.rolling.locks import LockedRoll

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


@dataclass(frozen=True)
class _ScriptOnMap:
    """A script, and the values of the map that it is rolled onto."""

    program: Program

    origins: tuple[str, ...]
    """The descriptions of the script's statements (``CompiledScript.statement_labels``)."""

    ground: Ground

    hexes: HexBase
    """The values that the script starts from, by hex id."""


class RndGenerator(BatchGenerator):
    """One randomizer script: a packaged one, which has a name, or a text of the user's, without.

    Each method compiles the script; that is cached, also for all generators of the same text.
    """

    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    rolls_many = True
    tells_odds = True

    def __init__(self, name: str, metadata: Metadata, text: str, path: str | None = None) -> None:
        self.name = name
        """The name of a packaged script in the catalogue; "" for any other."""
        self.metadata = metadata
        self.text = text
        self.path = path
        """The file that problems name."""

    def preview(self) -> bytes | None:
        """Return the picture beside a packaged script."""
        if not self.name or self.metadata.preview is None:
            return None
        return SCRIPTS.joinpath(self.metadata.preview).read_bytes()

    def _on_map(self, settings: Mapping[str, object], base: Base) -> _ScriptOnMap:
        """Return the script with the values that it starts from on a map.

        Raises ProblemError for a script that cannot be rolled, and for invalid settings.
        """
        compiled = compiled_script(self.name, self.text, self.path)
        ground = _ground(self.metadata, settings)
        hexes = hex_base(base.composite.planes, ground)
        return _ScriptOnMap(compiled.program, compiled.statement_labels, ground, hexes)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Roll onto the base's map; the result is one layer with everything the script sets.

        It yields percents, as ``Generating`` says. Without locks it is the map with the key's
        number, with locks the first from there on that keeps them. Raises ProblemError for a script
        with syntax errors, for an unknown hazard that would be placed, and for locks that cannot be
        kept.
        """
        script = self._on_map(settings, base)
        yield 1
        locks = locks_of(base)
        number = key.number
        kept_locks = ALL_KEEP_LOCKS
        if locks:
            locked_roll = yield from _search(script, key, locks)
            rolled = locked_roll.map
            number = locked_roll.number
            kept_locks = locked_roll.kept_locks
        else:
            draws = KeyedDraws(script.program, key.seed, number)
            rolled = roll(script.program, draws, script.hexes)
        source = Roll(
            generator=self.name,
            script_name=clean_line(self.metadata.script),
            script=self.text,
            settings=dict(settings),
            seed=key.seed,
            number=number,
            origins=script.origins,
        )
        layer = layer_of_roll(rolled, source, base.composite, script.ground)
        yield 100
        return Generated((layer,), number, kept_locks=kept_locks)

    def forced_faults(
        self, settings: Mapping[str, object], base: Base, planes: Mapping[str, Plane]
    ) -> tuple[Problem, ...]:
        """Return warnings of what ``planes`` has only because locks were forced."""
        from randomizer.systems.colossus.rolling.lock_problems import forced_faults

        script = self._on_map(settings, base)
        return forced_faults(script.program, script.hexes, hex_base(planes), locks_of(base))

    def impossible_locks(self, settings: Mapping[str, object], base: Base) -> tuple[Problem, ...]:
        """Return errors of the locks that no map of the script can keep."""
        from randomizer.systems.colossus.rolling.lock_problems import impossible_locks

        script = self._on_map(settings, base)
        return tuple(impossible_locks(script.program, script.hexes, locks_of(base)))

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[np.uint64],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        """Return the maps with these ``numbers`` of a seed, by hex id; locks are ignored."""
        from randomizer.batches.batch import Batch, start_counts
        from randomizer.systems.colossus.rolling.batch_roller import roll_many

        script = self._on_map(settings, base)
        rolls = roll_many(script.program, script.hexes, seed, numbers, hexsides=hexsides)
        start = rolls.start
        start_list_beneath = START_LIST.of(base.composite.properties)
        if start is None and start_list_beneath:
            # The script has no start list, so that of the map below counts for all maps.
            counts = start_counts(base, start_list_beneath)[CELLS]
            start = np.broadcast_to(counts, (len(rolls.numbers), HEX_COUNT))
        return Batch(
            base=base,
            seed=seed,
            numbers=rolls.numbers,
            cells=CELLS,
            terrain=rolls.terrain,
            elevation=rolls.elevation,
            hexside=rolls.hexside,
            failed=rolls.failed,
            start=start,
        )

    def batch_properties(
        self, settings: Mapping[str, object], batch: Batch
    ) -> list[dict[str, Any]]:
        """Return the properties of a batch; drawn start lists are made map by map."""
        script = self._on_map(settings, batch.base)
        beneath = batch.base.composite
        properties = []
        for start_list in start_lists(script.program, script.hexes, batch.seed, batch.numbers):
            own_properties = rolled_properties(script.program, start_list, beneath)
            properties.append({**beneath.properties, **own_properties})
        return properties

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """Yield tables of odds of ever more maps, as ``BatchGenerator.odds`` does."""
        from randomizer.systems.colossus.odds.tables import odds_tables

        script = self._on_map(settings, base)
        return odds_tables(
            script.program,
            script.hexes,
            locks_of(base),
            sides=sides,
            sources=sources,
            seed=seed,
        )

    def odds_of_maps(
        self,
        settings: Mapping[str, object],
        base: Base,
        map_count: int,
        *,
        sides: bool = False,
        sources: bool = False,
        seed: int = 0,
    ) -> OddsTable:
        """Return the table of odds of so many maps, as ``BatchGenerator.odds_of_maps`` does."""
        from randomizer.systems.colossus.odds.tables import table_of_maps

        script = self._on_map(settings, base)
        return table_of_maps(
            script.program,
            script.hexes,
            locks_of(base),
            map_count,
            sides=sides,
            sources=sources,
            seed=seed,
        )

    def measures(self, _settings: object = None) -> tuple[Measure, ...]:
        """Return the fairness measures, and the shares of won battles."""
        from randomizer.systems.colossus.fairness.measures import MEASURES
        from randomizer.systems.colossus.fairness.win_shares import win_measures

        return (*MEASURES, *win_measures(self._has_tower))

    def _has_tower(self) -> bool | None:
        """Return whether the script makes a tower, None if it does not say."""
        return compiled_script(self.name, self.text, self.path).program.tower


def _ground(metadata: Metadata, settings: Mapping[str, object]) -> Ground:
    """Return the ground of ``settings``, else of the metadata file.

    Raises ProblemError if invalid.
    """
    values = checked_settings(SETTINGS, {**metadata.ground, **settings})
    terrain_name = values.get("BaseTerrain")
    terrain = None
    if isinstance(terrain_name, str):
        terrain = COLOSSUS.terrain_code(terrain_name)
    elevation = values.get("BaseHeight")
    if not isinstance(elevation, int):
        elevation = None
    return Ground(terrain, elevation)


def _search(script: _ScriptOnMap, key: DrawKey, locks: Locks) -> Generator[int, None, LockedRoll]:
    """Return the first map from the key's on that has the locked values; yield percents."""
    from randomizer.systems.colossus.rolling.locks import search_with_locks

    search = search_with_locks(script.program, key.seed, key.number, script.hexes, locks)
    # By hand, since ``yield from`` would yield the numbers of maps tried.
    while True:
        try:
            maps_tried = next(search)
        except StopIteration as end:
            locked_roll: LockedRoll = end.value
            return locked_roll
        yield percent_of_search(maps_tried)


def packaged() -> tuple[RndGenerator, ...]:
    """Return the packaged scripts, by name.

    Reading them takes a millisecond each; none is parsed yet.
    """
    generators = []
    for entry in sorted(SCRIPTS.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".json"):
            metadata = read_metadata(entry.read_bytes(), entry.name)
            text = SCRIPTS.joinpath(metadata.script).read_text("utf-8")
            generators.append(RndGenerator(metadata.name, metadata, text, metadata.script))
    return tuple(generators)


def from_text(text: str, file_name: str, path: str | None = None) -> RndGenerator:
    """Return a script of the user's own; ``path`` is the file that problems name."""
    title, _dot, _suffix = file_name.rpartition(".")
    metadata = Metadata(title or file_name, file_name, "")
    return RndGenerator(name="", metadata=metadata, text=text, path=path or file_name)
