"""``BatchGenerator``: a generator that can do more than make one map after the other.

It can make thousands of maps at once (a ``Batch``), has measures of its own by which maps are
searched and sorted, or knows the odds of values without rolling maps. Each of the three is
optional: ``rolls_many``, ``measures``, ``tells_odds``. Callers ask ``rolls_many(generator)`` before
they call ``roll_batch``; everything else has a default::

    if rolls_many(generator):
        batch = generator.roll_batch(settings, seed, np.arange(1000, dtype=np.uint64), base)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from randomizer.generator import MapGenerator
from randomizer.roll_base import Base

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from randomizer.batches.batch import Batch, Measure
    from randomizer.batches.odds_table import OddsTable
    from randomizer.model.rolls.generated import Generated

NO_SETTINGS: Mapping[str, object] = MappingProxyType({})
"""No settings chosen: all of a generator's settings have their defaults."""

NO_MEASURED: Mapping[str, float] = MappingProxyType({})
"""No values of measures."""


class BatchGenerator(MapGenerator):
    """A generator that makes many maps at once, has measures of its own, or tells odds."""

    rolls_many: bool = False
    """True if it makes many maps at once: it has ``roll_batch`` and ``batch_properties``."""

    tells_odds: bool = False
    """True if it has ``odds`` and ``odds_of_maps``; for other generators ``SampledOdds`` rolls maps
    and counts."""

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[np.uint64],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        """Return maps ``numbers`` of ``seed``, each equal to the one made by ``generate``.

        Locks are ignored. Raises ProblemError as ``generate`` does.
        """
        raise NotImplementedError

    def batch_properties(
        self, settings: Mapping[str, object], batch: Batch
    ) -> Sequence[Mapping[str, Any]]:
        """Return the properties of the maps of a batch, one mapping for each map.

        If all maps agree, it is a sequence of one mapping. No map of the batch may have failed.
        """
        raise NotImplementedError

    def measures(self, _settings: Mapping[str, object] = NO_SETTINGS) -> tuple[Measure, ...]:
        """Return measures of maps with these settings, in the order in which they are offered.

        Counts of terrains and hexsides are not among them: every map has these.
        """
        return ()

    def measure_map(self, _generated: Generated, _base: Base) -> Mapping[str, float]:
        """Return values of a map by the names of the measures; those without a value are absent.

        It is called when a map is rolled, and so can measure things and records of the map, which
        a batch does not hold. ``measure_of_map`` makes measures of such values.
        """
        return NO_MEASURED

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """Yield tables of the odds, each more exact than the last, the first within 10 ms.

        ``sides`` and ``sources`` say which of the optional fields of a table are filled. If the
        base has locks, the chances are those among maps that keep the locks; a table of 0 samples
        means that no such map was found yet. The field ``stages`` is left out then, as it ignores
        locks. Raises ProblemError as ``generate`` does.
        """
        raise NotImplementedError

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
        """Return the table of the first ``map_count`` maps of the seed, else as ``odds`` does."""
        raise NotImplementedError


def rolls_many(generator: MapGenerator) -> TypeGuard[BatchGenerator]:
    """Return whether a generator makes many maps at once."""
    return isinstance(generator, BatchGenerator) and generator.rolls_many
