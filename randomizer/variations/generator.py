"""The generator of variations: map ``n`` is the n-th variation of what lies below the roll.

    generator = generator_named("Variation of a free map")
    base = Base.under(battlemap, len(battlemap.layers))
    run(generator, {"share": 30, **keep_things(battlemap)}, DrawKey(17, 3), base)

The variations of a seed are made together, because each differs from all others: the first that is
asked for takes the time, the others are known then.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure, batch_of
from randomizer.catalog.catalog import fairness_model_of, systems
from randomizer.generator import NO_MORE_MAPS, Base, DrawKey, Generating, MapGenerator
from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.grid.cell_text import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import Ability, System
from randomizer.variations.annealing import PACE, Annealing, Fault
from randomizer.variations.original import Ints, Original
from randomizer.variations.settings import (
    FAIRNESS,
    FAIRNESS_SETTING,
    KEEP,
    MOST_CELLS,
    NUMBER,
    SETTINGS,
    SHARE,
)

CELLS_AT_ONCE = 60_000
"""So many cells the chains that run together have at most."""

IDLE = 3
"""So many rounds of chains without a new variation are the last."""

REASONS = {
    Fault.WAYS: "the ways between the sides would be cut",
    Fault.HEIGHTS: "the heights would fall apart, or have new cliffs",
    Fault.ALIKE: "too few cells would differ from the map or from another variation",
    Fault.LOOK: "clumps would be scattered, or other neighbours meet than on the map",
    Fault.UNFAIR: "it would be less fair",
}
"""Why there are no more variations."""


class _Variations(NamedTuple):
    """All variations of a seed (``original.py``), and why they are not as many as asked for."""

    sources: tuple[NDArray[np.uint16], ...]
    why: str = ""


class VariationGenerator(MapGenerator):
    """Makes variations of maps of one system."""

    text = ""
    rolls_outside = True  # in this process: its threads share the variations of a seed

    def __init__(self, system: System) -> None:
        self.system = system
        self.name = f"Variation of {with_article(system.noun)}"
        self.metadata = Metadata(self.name, "", "The map below, rearranged.")
        fair = (FAIRNESS_SETTING,) if Ability.FAIRNESS in system.abilities else ()
        self.settings: tuple[Setting, ...] = (*SETTINGS, *fair)
        self._lock = Lock()
        self._latest = b"", _Variations(())

    @cached_property
    def _unfairness(self) -> Measure | None:
        """The measure of unfairness for the system's maps, None if there is none."""
        model = fairness_model_of(self.system)
        if model:
            return next((measure for measure in model.measures if measure.name == FAIRNESS), None)
        return None

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Return variation ``key.number``.

        Raises ProblemError for a number that the seed does not have, and says why; for a map that
        is too large; and for cells in ``keep`` that it does not have.
        """
        chosen = {
            setting.name: settings.get(setting.name, setting.default) for setting in self.settings
        }
        original = Original(base, _cells_named(str(chosen[KEEP]), base))
        while not self._lock.acquire(timeout=0.02):
            yield 0  # another thread makes them
        try:
            name = original.digest(repr((sorted(chosen.items()), key.seed)).encode())
            if name != self._latest[0]:
                self._latest = name, (yield from self._make(original, chosen, key.seed))
            variations = self._latest[1]
        finally:
            self._lock.release()
        if key.number >= len(variations.sources):
            if variations.sources:
                many = counted(len(variations.sources), "variation")
            else:
                many = "none"
            why = variations.why or f"set {NUMBER} higher, or take another seed"
            raise error(NO_MORE_MAPS, f"of seed {key.seed} there can be {many}: {why}")
        planes = original.planes(variations.sources[key.number].astype(np.intp))
        return Generated((Layer(0, "", planes=planes),), key.number)

    def _make(
        self, original: Original, chosen: Mapping[str, object], seed: int
    ) -> Generator[int, None, _Variations]:
        """Make the variations of a seed. Raises ProblemError for a map that is too large."""
        cells = len(original.cells)
        words = cell_words(original.base.grid.layout).cells
        if cells > MOST_CELLS:
            most = f"variations are made of maps of at most {MOST_CELLS:,} {words}"
            raise error("variations-size", f"{most}; this one has {cells:,}")
        share = int(str(chosen[SHARE]))
        count = int(str(chosen[NUMBER]))
        least = math.ceil(share * cells / 100)
        if original.most_changed < least:
            free = f"{original.free.sum()} are free (without lock, way, river or thing)"
            why = f"{original.most_changed} can come to look different"
            return _Variations((), f"{share} % are {least} {words}; {free} and {why}")
        if self._unfairness is None:
            limit = 100.0
        else:
            limit = float(str(chosen[FAIRNESS]))
        limit = max(limit, *self._unfairness_of(original, original.itself))
        states = [original.states]
        sources = list[NDArray[np.uint16]]()
        faults = np.zeros(len(Fault), np.int64)
        chain = 0
        idle = 0
        pace = PACE
        most_chains = max(1, min(pace.chains_at_once, CELLS_AT_ONCE // cells))
        annealing = Annealing(original, least, seed, pace)
        while len(sources) < count and idle < IDLE:
            at_once = min(2 * (count - len(sources)), most_chains)
            numbers = range(chain, chain + at_once)
            chains = yield from annealing.run(numbers, np.array(states))
            unfair = self._unfairness_of(original, chains.sources) > limit
            wrong = np.where((chains.faults == Fault.NONE) & unfair, Fault.UNFAIR, chains.faults)
            chain = chain + at_once
            idle = idle + 1
            for row in np.argsort(chains.score, kind="stable").tolist():
                states_of_row = original.states[chains.sources[row]]
                if (
                    not wrong[row]
                    and min((states_of_row != state).sum() for state in states) < least
                ):
                    wrong[row] = Fault.ALIKE
                faults[wrong[row]] += 1
                if not wrong[row] and len(sources) < count:
                    states.append(states_of_row)
                    sources.append(chains.sources[row].astype(np.uint16))
                    idle = 0
        if faults[1:].any():
            reason = REASONS[Fault(int(faults[1:].argmax()) + 1)]
        else:
            reason = ""
        why = f"{counted(chain, 'try', 'tries')} gave no more; most often {reason}"
        return _Variations(tuple(sources), why if len(sources) < count else "")

    def _unfairness_of(self, original: Original, sources: Ints) -> NDArray[np.float64]:
        """Return (n,): how unfair variations are, in percent; 0 where nobody knows."""
        if self._unfairness is None:
            return np.zeros(len(sources))
        system = self.system
        inner = sources[:, :-1]
        hexsides = original.hexsides_of(sources)
        batch = batch_of(system, original.base.grid, original.base.composite)
        if batch.start is None:
            start = None
        else:
            start = batch.start[:, original.cells]
        batch = replace(
            batch,
            numbers=np.arange(len(sources), dtype=np.uint64),
            cells=original.cells,
            terrain=original.plane(system.terrain)[inner],
            elevation=original.plane(system.elevation)[inner],
            hexside=hexsides.astype(np.uint8) if hexsides.size else None,
            failed=np.zeros(len(sources), np.bool_),
            start=None if start is None else start.repeat(len(sources), axis=0),
        )
        return self._unfairness.of(batch)


def keep_things(battlemap: BattleMap) -> dict[str, object]:
    """Return the setting that keeps the cells with things on them."""
    grid = battlemap.grid
    layers = battlemap.layers
    things = (thing for layer in layers if layer.visible for thing in layer.things.values())
    cells = {grid.cell_at(thing.x, thing.y) for thing in things} - {-1}
    names = [battlemap.system.cell_name(grid, cell) for cell in sorted(cells)]
    if names:
        return {KEEP: ",".join(names)}
    return {}


def _cells_named(names: str, base: Base) -> frozenset[int]:
    """Return the cells with these names. Raises ProblemError for one that is not there."""
    cells = set()
    for name in filter(None, (name_part.strip() for name_part in names.split(","))):
        cell = base.system.cell_of_name(base.grid, name)
        if cell is None:
            raise error("no-cell", f"{KEEP}: there is no {name} on this map")
        cells.add(cell)
    return frozenset(cells)


@registered(count=2, bytes_each=2 * MB)
@cache
def packaged() -> tuple[VariationGenerator, ...]:
    """Return a generator for each system whose maps are cells with hexsides."""
    return tuple(VariationGenerator(system) for system in systems() if system.hexside is not None)


def variations_of(system: System) -> VariationGenerator | None:
    """Return the generator of variations of a system's maps, None if it has none."""
    return next((generator for generator in packaged() if generator.system is system), None)
