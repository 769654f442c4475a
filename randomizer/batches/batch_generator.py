"""The class of generators that speak of many maps: batches of them, their measures and odds."""

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
"""The settings of a generator all of which have their defaults."""

NO_MEASURED: Mapping[str, float] = MappingProxyType({})


class BatchGenerator(MapGenerator):
    """A generator with measures of its own, or one that makes many maps at once."""

    rolls_many: bool = False
    """True if it makes many maps at once: it has ``roll_batch`` and ``batch_properties``."""

    tells_odds: bool = False
    """True if it has ``odds``; those of others are counted on maps that are rolled."""

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
        """Return the properties that each map of a batch shows; a single mapping if they all agree.

        No map may have failed.
        """
        raise NotImplementedError

    def measures(self, _settings: Mapping[str, object] = NO_SETTINGS) -> tuple[Measure, ...]:
        """Return measures of maps with these settings, in the order in which they are offered.

        Counts of terrains and hexsides are not among them: every map has these.
        """
        return ()

    def measure_map(self, _generated: Generated, _base: Base) -> Mapping[str, float]:
        """Return values of a map by the names of the measures; those without a value are absent.

        It is asked when a map is rolled, so it can measure things and records, which batches do not
        hold; ``measure_of_map`` makes such measures.
        """
        return NO_MEASURED

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
        """Yield tables, each better than the last, the first within 10 ms.

        ``samples`` > 0 requests one table of that many maps. With locks in the base the chances are
        those among maps that keep them; a table of 0 samples means that none was found yet. The
        ``stages`` ignore locks, and are left out where there are any. Raises ProblemError as
        ``generate`` does.
        """
        raise NotImplementedError


def rolls_many(generator: MapGenerator) -> TypeGuard[BatchGenerator]:
    """Return whether a generator makes many maps at once."""
    return isinstance(generator, BatchGenerator) and generator.rolls_many
