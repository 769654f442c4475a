"""The generator of variations: map ``n`` is the n-th variation of what lies below the roll.

    generator = generator_named("Variation of a free map")
    base = Base.under(battlemap, len(battlemap.layers))
    run(generator, {"share": 30, **setting_to_keep_things(battlemap)}, DrawKey(17, 3), base)

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
from randomizer.catalog.systems import fairness_model_of, systems
from randomizer.generator import NO_MORE_MAPS, Generating, MapGenerator
from randomizer.model.basics.caches import MB, registered
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import Ability, System
from randomizer.roll_base import Base
from randomizer.variations.annealing import PACE, Annealing, Chains, Fault
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
"""The chains that run together have at most so many cells: more of them would need more memory."""

MOST_IDLE_ROUNDS = 3
"""After so many rounds without a new variation the search ends.

With more a full seed takes longer to say that it is full, and finds now and then one map more.
"""

REASONS = {
    Fault.WAYS: "the ways between the sides would be cut",
    Fault.HEIGHTS: "the heights would fall apart, or have new cliffs",
    Fault.ALIKE: "too few cells would differ from the map or from another variation",
    Fault.LOOK: "clumps would be scattered, or other neighbours meet than on the map",
    Fault.UNFAIR: "it would be less fair",
}
"""Why there are no more variations."""


class _Choice(NamedTuple):
    """The settings that a person has chosen (settings.py)."""

    share: int
    """The percentage of the cells in which variations differ."""

    map_count: int
    """The number of variations that a seed is to have."""

    unfairness_limit: float
    """The greatest unfairness of a variation, in percent."""

    kept_cells: str
    """The names of cells that stay as they are, with commas between."""

    @classmethod
    def of(cls, settings: Mapping[str, object], declared: tuple[Setting, ...]) -> _Choice:
        """Return the chosen settings, with the defaults of the others."""
        values = {setting.name: setting.default for setting in declared}
        values |= {name: value for name, value in settings.items() if name in values}
        return cls(
            share=int(str(values[SHARE])),
            map_count=int(str(values[NUMBER])),
            unfairness_limit=float(str(values.get(FAIRNESS, 100))),  # not every system has it
            kept_cells=str(values[KEEP]),
        )


class _Variations(NamedTuple):
    """All variations of a seed."""

    sources: tuple[NDArray[np.uint16], ...]
    """For each variation the cell of the original from which the content of each cell comes
    (``original.py``), shape (m + 1,)."""

    why_no_more: str = ""
    """Why they are fewer than asked for; empty if they are as many."""


class _LatestVariations(NamedTuple):
    """The variations that were made last: a gallery asks for one after the other."""

    digest: bytes
    """The digest of the original, the settings and the seed."""

    variations: _Variations


class _Search:
    """The search for variations of one map: what was accepted so far, and why others were not.

    It lives while the variations of a seed are made.
    """

    def __init__(self, original: Original, least_changed: int, count: int) -> None:
        self._original = original
        self._least_changed = least_changed
        """The number of cells in which each two maps must differ at least."""
        self._count = count
        """The number of variations that are wanted."""
        self.looks = [original.states]
        """The look of the original, then of each accepted variation: terrain and elevation of each
        cell as one number, shape (m + 1,). All must differ from one another.
        """
        self.sources = list[NDArray[np.uint16]]()
        """The accepted variations."""
        self._fault_counts = np.zeros(len(Fault), np.int64)
        """The number of chains with each ``Fault``."""

    @property
    def missing(self) -> int:
        """The number of variations that are still to be found."""
        return self._count - len(self.sources)

    def accept_new(self, chains: Chains, faults: Ints) -> None:
        """Accept those of the chains that are new variations.

        ``faults`` (n,) has the ``Fault`` of each chain. The best chain is looked at first: of two
        that are alike the better one is accepted.
        """
        for row in np.argsort(chains.score, kind="stable").tolist():
            fault = Fault(int(faults[row]))
            look = self._original.states[chains.sources[row]]
            if fault is Fault.NONE and self._is_like_another(look):
                fault = Fault.ALIKE
            self._fault_counts[fault] += 1
            if fault is Fault.NONE and self.missing:
                self.looks.append(look)
                self.sources.append(chains.sources[row].astype(np.uint16))

    def _is_like_another(self, look: Ints) -> bool:
        """Return whether a look differs too little from that of the original or of a variation."""
        differing_cells = min((look != accepted_look).sum() for accepted_look in self.looks)
        return bool(differing_cells < self._least_changed)

    def result(self, tried: int) -> _Variations:
        """Return the accepted variations, and if there are too few the commonest reason.

        ``tried`` is the number of chains that were looked at.
        """
        if not self.missing:
            return _Variations(tuple(self.sources))
        reason = ""
        real_faults = self._fault_counts[1:]  # the first number counts those without a fault
        if real_faults.any():
            reason = REASONS[Fault(int(real_faults.argmax()) + 1)]
        why = f"{counted(tried, 'try', 'tries')} gave no more; most often {reason}"
        return _Variations(tuple(self.sources), why)


class VariationGenerator(MapGenerator):
    """Makes variations of maps of one system."""

    text = ""

    # Its maps are rolled on threads of this process, not in child processes, because all
    # variations of a seed are made together and the threads share them.
    rolls_outside = True

    def __init__(self, system: System) -> None:
        self.system = system
        self.name = f"Variation of {with_article(system.noun)}"
        self.metadata = Metadata(self.name, "", "The map below, rearranged.")
        self.settings: tuple[Setting, ...] = SETTINGS
        if Ability.FAIRNESS in system.abilities:
            self.settings = (*SETTINGS, FAIRNESS_SETTING)
        self._lock = Lock()
        """Held while variations are made: threads of the gallery wait for those of their seed."""
        self._latest = _LatestVariations(b"", _Variations(()))

    @cached_property
    def _unfairness_measure(self) -> Measure | None:
        """The measure of unfairness for the system's maps, None if there is none."""
        model = fairness_model_of(self.system)
        if model is None:
            return None
        for measure in model.measures:
            if measure.name == FAIRNESS:
                return measure
        return None

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Return variation ``key.number``.

        Raises ProblemError for a number that the seed does not have, and says why; for a map that
        is too large; and for cells in ``keep`` that it does not have.
        """
        choice = _Choice.of(settings, self.settings)
        original = Original(base, _cells_named(choice.kept_cells, base))
        # Another thread may be making them. A yield each 20 ms lets this one be cancelled.
        while not self._lock.acquire(timeout=0.02):
            yield 0
        try:
            digest = original.digest(repr((choice, key.seed)).encode())
            if digest != self._latest.digest:
                variations = yield from self._make(original, choice, key.seed)
                self._latest = _LatestVariations(digest, variations)
            variations = self._latest.variations
        finally:
            self._lock.release()
        if key.number >= len(variations.sources):
            if variations.sources:
                how_many = counted(len(variations.sources), "variation")
            else:
                how_many = "none"
            why = variations.why_no_more or f"set {NUMBER} higher, or take another seed"
            raise error(NO_MORE_MAPS, f"of seed {key.seed} there can be {how_many}: {why}")
        planes = original.planes(variations.sources[key.number].astype(np.intp))
        return Generated((Layer(0, "", planes=planes),), key.number)

    def _make(
        self, original: Original, choice: _Choice, seed: int
    ) -> Generator[int, None, _Variations]:
        """Make the variations of a seed; yields the percentage done of each round.

        These are rounds of simulated annealing. Each starts more chains than variations are
        missing, since some chains end with a fault, and accepts those that differ from all accepted
        before. Raises ProblemError for a map that is too large.
        """
        _check_size(original)
        cell_count = len(original.cells)
        least_changed = math.ceil(choice.share * cell_count / 100)
        if original.most_changed < least_changed:
            return _Variations((), _why_none(original, choice.share, least_changed))
        # As unfair as the map itself is always allowed: else an unfair map would have none.
        unfairness_of_original = float(self._unfairness_of(original, original.itself)[0])
        limit = max(choice.unfairness_limit, unfairness_of_original)
        search = _Search(original, least_changed, choice.map_count)
        annealing = Annealing(original, least_changed, seed, PACE)
        # On a large map fewer chains fit into the memory at once.
        most_chains = max(1, min(PACE.chains_at_once, CELLS_AT_ONCE // cell_count))
        tried = 0
        idle_rounds = 0
        while search.missing and idle_rounds < MOST_IDLE_ROUNDS:
            chain_count = min(2 * search.missing, most_chains)
            numbers = range(tried, tried + chain_count)
            chains = yield from annealing.run(numbers, np.array(search.looks))
            is_unfair = self._unfairness_of(original, chains.sources) > limit
            is_unfair &= chains.faults == Fault.NONE  # the first fault is the one that is told
            faults = np.where(is_unfair, Fault.UNFAIR, chains.faults)
            tried += chain_count
            missing_before = search.missing
            search.accept_new(chains, faults)
            if search.missing < missing_before:
                idle_rounds = 0
            else:
                idle_rounds += 1
        return search.result(tried)

    def _unfairness_of(self, original: Original, sources: Ints) -> NDArray[np.float64]:
        """Return the unfairness of n variations in percent, (n,); 0 for systems without a measure.

        The variations are measured as a batch of maps like any other.
        """
        if self._unfairness_measure is None:
            return np.zeros(len(sources))
        system = self.system
        inner_sources = sources[:, :-1]  # without the last column, which is everything off the map
        hexsides = None
        if original.hexsides is not None:
            hexsides = original.hexsides.of(sources).astype(np.uint8)
        batch = batch_of(system, original.base.grid, original.base.composite)
        start = None
        if batch.start is not None:
            start = batch.start[:, original.cells].repeat(len(sources), axis=0)
        batch = replace(
            batch,
            numbers=np.arange(len(sources), dtype=np.uint64),
            cells=original.cells,
            terrain=original.plane(system.terrain)[inner_sources],
            elevation=original.plane(system.elevation)[inner_sources],
            hexside=hexsides,
            failed=np.zeros(len(sources), np.bool_),
            start=start,
        )
        return self._unfairness_measure.of(batch)


def _check_size(original: Original) -> None:
    """Raise ProblemError if a map is too large for variations."""
    cell_count = len(original.cells)
    if cell_count > MOST_CELLS:
        cells = cell_words(original.base.grid.layout).cells
        message = (
            f"variations are made of maps of at most {MOST_CELLS:,} {cells}; "
            f"this one has {cell_count:,}"
        )
        raise error("variations-size", message)


def _why_none(original: Original, share: int, least_changed: int) -> str:
    """Return why no variation can differ in ``share`` percent: in ``least_changed`` cells."""
    cells = cell_words(original.base.grid.layout).cells
    return (
        f"{share} % are {least_changed} {cells}; "
        f"{original.free.sum()} are free (without lock, way, river or thing) "
        f"and {original.most_changed} can come to look different"
    )


def setting_to_keep_things(battlemap: BattleMap) -> dict[str, object]:
    """Return the setting that keeps the cells with things on them."""
    grid = battlemap.grid
    cells = {grid.cell_at(thing.x, thing.y) for thing in battlemap.visible_things()}
    cells.discard(-1)  # off the map
    names = [battlemap.system.cell_name(grid, cell) for cell in sorted(cells)]
    if names:
        return {KEEP: ",".join(names)}
    return {}


def _cells_named(names: str, base: Base) -> frozenset[int]:
    """Return the cells of names with commas between. Raises ProblemError for an unknown one."""
    cells = set()
    for part in names.split(","):
        name = part.strip()
        if not name:
            continue
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
    for generator in packaged():
        if generator.system is system:
            return generator
    return None
