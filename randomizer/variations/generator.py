"""The generator of variations: map ``n`` is the n-th variation of what lies below the roll.

    generator = generator_named("Variation of a free map")
    base = Base.under(battlemap, len(battlemap.layers))
    run(generator, {"share": 30, **setting_to_keep_things(battlemap)}, DrawKey(17, 3), base)

The variations of a seed are made together, because each differs from all others: the first that is
asked for takes the time, the others are known then.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import cache, cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np

from randomizer.batches.batch import Measure
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
from randomizer.model.system.abilities import Ability
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.variations.original import Original
from randomizer.variations.search import Search, Variations, Wanted
from randomizer.variations.settings import (
    FAIRNESS,
    FAIRNESS_SETTING,
    KEEP,
    MAX_CELLS,
    NUMBER,
    SETTINGS,
    SHARE,
)
from randomizer.variations.unfairness import Unfairness

NO_LIMIT = 100.0
"""The unfairness in percent that no map exceeds, for systems without a setting of fairness."""

_LOCK_STEP_S = 0.02
"""The time between two yields while another thread makes variations: how soon one can cancel."""


class _Choice(NamedTuple):
    """The settings that a person has chosen (settings.py)."""

    wanted: Wanted

    kept_cells: str
    """The names of cells that stay as they are, with commas between."""

    @classmethod
    def of(cls, settings: Mapping[str, object], declared: tuple[Setting, ...]) -> _Choice:
        """Return the chosen settings, with the defaults of the others."""
        values = {setting.name: setting.default for setting in declared}
        values |= {name: value for name, value in settings.items() if name in values}
        wanted = Wanted(
            share=int(str(values[SHARE])),
            map_count=int(str(values[NUMBER])),
            unfairness_limit=float(str(values.get(FAIRNESS, NO_LIMIT))),
        )
        return cls(wanted, kept_cells=str(values[KEEP]))


class _LatestVariations(NamedTuple):
    """The variations that were made last: a gallery asks for one after the other."""

    digest: bytes
    """The digest of the original, the settings and the seed."""

    variations: Variations


class VariationGenerator(MapGenerator):
    """Makes variations of maps of one system."""

    text = ""  # it is no script

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
        self._latest = _LatestVariations(b"", Variations(()))

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
        """Return variation ``key.number``; yields the progress, 0 while another thread searches.

        Raises ProblemError for a number that the seed does not have, and says why; for a map that
        is too large; and for cells in ``keep`` that it does not have.
        """
        choice = _Choice.of(settings, self.settings)
        original = Original(base, _cells_named(choice.kept_cells, base))
        _check_size(original)
        variations = yield from self._variations_of_seed(original, choice, key.seed)
        if key.number >= len(variations.sources):
            if variations.sources:
                how_many = counted(len(variations.sources), "variation")
            else:
                how_many = "none"
            why = variations.why_no_more or f"set {NUMBER} higher, or take another seed"
            raise error(NO_MORE_MAPS, f"of seed {key.seed} there can be {how_many}: {why}")
        # The layer has no name and no id of its own: those are given where it is put into the map.
        planes = original.layer_planes(variations.sources[key.number].astype(np.intp))
        return Generated((Layer(0, "", planes=planes),), key.number, rearranges_map=True)

    def _variations_of_seed(
        self, original: Original, choice: _Choice, seed: int
    ) -> Generator[int, None, Variations]:
        """Return the variations of a seed, those made last if they are the same; yields progress.

        Another thread may be making them: this one waits for it.
        """
        while not self._lock.acquire(timeout=_LOCK_STEP_S):
            yield 0
        try:
            digest = original.digest(repr((choice, seed)).encode())
            if digest != self._latest.digest:
                unfairness = Unfairness(original, self._unfairness_measure)
                variations = yield from Search(original, choice.wanted, unfairness).run(seed)
                self._latest = _LatestVariations(digest, variations)
            return self._latest.variations
        finally:
            self._lock.release()


def _check_size(original: Original) -> None:
    """Raise ProblemError if a map is too large for variations."""
    cell_count = len(original.cells)
    if cell_count > MAX_CELLS:
        cells = cell_words(original.base.grid.layout).cells
        message = (
            f"variations are made of maps of at most {MAX_CELLS:,} {cells}; "
            f"this one has {cell_count:,}"
        )
        raise error("variations-size", message)


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
