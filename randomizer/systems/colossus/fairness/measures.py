"""The fairness measures of battlelands, by which scripts' maps are filtered and compared.

    values = MEASURES[0].of(batch)        # (n,): a number for each of n maps

``MEASURES`` at the end lists the measures with their texts; the functions above it compute one
each, from a batch of n maps to an array (n,). Their formulas are explained in
docs/manual/fairness.md.

Most measures go by what moving over the board costs a *creature*: one on foot or a flier, which can
be *native* to terrains, and moves more freely there. ``BARRED`` is the cost of a hex that cannot be
reached. Arrays have the hex first and the map last: (27, n) for the 27 hexes of n battlelands.
"""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.favour import Favoured
from randomizer.systems.colossus.battle_terrain import BARRED
from randomizer.systems.colossus.board import BOTTOM, HEX_COUNT
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.battles import (
    ATTACKER,
    DEFENDER,
    FAR,
    Battle,
    battles,
)
from randomizer.systems.colossus.fairness.movement import (
    AROUND,
    FLIER,
    FROM_START_LIST,
    NATIVE,
    NON_NATIVE,
    Battlelands,
    Bytes,
    entry_costs,
    travel_costs,
)
from randomizer.systems.colossus.rules import HAZARDS, NO_EFFECT
from randomizer.systems.colossus.terrain_set import COLOSSUS

Numbers = NDArray[np.float64]


class BatchAnalysis:
    """Results that the measures of one batch of n maps share, computed once."""

    def __init__(self, batch: Batch) -> None:
        self.maps = Battlelands.of(batch)
        self._costs: dict[Creature, Bytes] = {}
        """The ``travel_costs`` of the kinds of creatures that were asked for so far."""

    def entry_side_costs(self, creature: Creature) -> Bytes:
        """Return a creature's travel costs from the six entry sides, (6, 27, n)."""
        return self.costs(creature)[:FROM_START_LIST]

    def costs(self, creature: Creature) -> Bytes:
        """Return a creature's ``travel_costs``, (7, 27, n)."""
        costs = self._costs.get(creature)
        if costs is None:
            costs = travel_costs(self.maps, creature)
            self._costs[creature] = costs
        return costs

    @cached_property
    def battles(self) -> tuple[Battle, ...]:
        """The three attacks, of creatures native to nothing, on foot."""
        return battles(self.maps, NON_NATIVE, self.costs(NON_NATIVE))

    @cached_property
    def advantages(self) -> Numbers:
        """The attacker's advantage in each attack, (3, n)."""
        return np.array([battle.advantage for battle in self.battles])


_ANALYSES: WeakKeyDictionary[Batch, BatchAnalysis] = WeakKeyDictionary()
"""The analyses of the batches that exist.

The measures are asked one after the other, each with the batch only, and share its analysis. Two
batches are never equal, so each is a key of its own.
"""


def analysis_of(batch: Batch) -> BatchAnalysis:
    """Return the analysis of a batch, kept as long as the batch exists."""
    analysis = _ANALYSES.get(batch)
    if analysis is None:
        analysis = BatchAnalysis(batch)
        _ANALYSES[batch] = analysis
    return analysis


def _imbalance(batch: Batch) -> Numbers:
    """Return the advantage, of either army, in the most uneven of the three attacks."""
    return np.asarray(np.abs(analysis_of(batch).advantages).max(axis=0))


def _advantage(batch: Batch) -> Numbers:
    """Return the attacker's mean advantage in the three attacks."""
    return np.asarray(analysis_of(batch).advantages.mean(axis=0))


def _height(batch: Batch) -> Numbers:
    """Return how many more high edges the attacker has than the defender, as a mean of attacks.

    High edges are slopes, walls and dunes around the hexes that an army reaches first.
    """
    leads = []
    for battle in analysis_of(batch).battles:
        leads.append(battle.high_edges(ATTACKER) - battle.high_edges(DEFENDER))
    return np.asarray(np.mean(leads, axis=0))


def _cover(batch: Batch) -> Numbers:
    """Return the number of hexes that shelter natives from strikes or hinder rangestrikes."""
    rules = [HAZARDS[terrain.name] for terrain in COLOSSUS.terrains]
    covers = np.array([rule.struck is not NO_EFFECT or rule.skill_through != 0 for rule in rules])
    return np.asarray(covers[analysis_of(batch).maps.terrain].sum(axis=0), np.float64)


def _connected(batch: Batch) -> Numbers:
    """Return 1 for maps whose six entry sides are connected, 0 for others.

    They are connected if some hex can be reached from all of them.
    """
    is_reached = analysis_of(batch).entry_side_costs(NON_NATIVE) < BARRED
    is_reached_from_all_sides = is_reached.all(axis=0)
    return np.asarray(is_reached_from_all_sides.any(axis=0), np.float64)


def _unreachable(batch: Batch) -> Numbers:
    """Return the number of hexes that a creature on foot, native to nothing, cannot reach."""
    is_reached = (analysis_of(batch).entry_side_costs(NON_NATIVE) < BARRED).any(axis=0)
    return np.asarray((~is_reached).sum(axis=0), np.float64)


def closed_hexes(analysis: BatchAnalysis) -> NDArray[np.bool_]:
    """Return the hexes that only their native fliers can reach, (27, n).

    Neither creatures on foot reach them, even if native, nor fliers that are native to nothing.
    """
    is_reached_on_foot = analysis.entry_side_costs(NATIVE) < BARRED
    is_reached_flying = analysis.entry_side_costs(FLIER) < BARRED
    return np.asarray(~(is_reached_on_foot | is_reached_flying).any(axis=0))


def _closed(batch: Batch) -> Numbers:
    """Return the number of closed hexes of each map."""
    return np.asarray(closed_hexes(analysis_of(batch)).sum(axis=0), np.float64)


MIN_ENTERING = 5
"""The number of creatures that should be able to come in from each side.

Source: what designers of such maps ask for on their pages on Titan's boards.
"""

POINTS_OF_SKILL_2 = 2
"""The movement points of a creature of skill 2."""


UNUSED_WAY = HEX_COUNT
"""Stands for the number of creatures that enter by a way that the map does not use."""


def entering_counts(analysis: BatchAnalysis) -> NDArray[np.int64]:
    """Return the number of creatures that can enter in a turn by each way, (7, n).

    The creatures are of skill 2, on foot and native to nothing. The rows are the ways onto the
    board: the six entry sides and the start list. On a map with a start list armies enter by the
    bottom and by the list only, on one without by the six sides. Ways that are not used have the
    number ``UNUSED_WAY``, which is never the least.
    """
    costs = analysis.costs(NON_NATIVE)
    # All hexes in reach can be filled, the far ones first.
    counts = np.asarray((costs <= POINTS_OF_SKILL_2).sum(axis=1))
    # Only the hexes of the list itself cost nothing from there.
    listed_hexes = (costs[FROM_START_LIST] == 0).sum(axis=0)
    has_start_list: NDArray[np.bool_] = np.zeros(analysis.maps.count, np.bool_)
    if analysis.maps.start is not None:
        has_start_list = np.asarray(analysis.maps.start.any(axis=0))
    unused_sides = [side for side in range(FROM_START_LIST) if side != BOTTOM]
    counts[unused_sides] = np.where(has_start_list, UNUSED_WAY, counts[unused_sides])
    counts[FROM_START_LIST] = np.where(has_start_list, listed_hexes, UNUSED_WAY)
    return counts


def hexes_to_clear(analysis: BatchAnalysis, side: int) -> NDArray[np.intp]:
    """Return the hexes of one map, each of which as Plains lets more creatures enter by a side.

    They are ascending; none if the ground is too steep. ``analysis`` has that map alone, ``side``
    is one of the six entry sides. The creatures are those of ``entering_counts``.
    """
    maps = analysis.maps
    # A map for each hex, in which that one is Plains: the hexes that help are those whose map lets
    # more creatures in.
    terrain = np.repeat(maps.terrain, HEX_COUNT, axis=1)
    np.fill_diagonal(terrain, COLOSSUS.terrain_code("Plains"))
    elevation = np.repeat(maps.elevation, HEX_COUNT, axis=1)
    hexside = None
    if maps.hexside is not None:
        hexside = np.repeat(maps.hexside, HEX_COUNT, axis=2)
    cleared_maps = Battlelands(terrain, elevation, hexside, start=None)
    cleared_costs = travel_costs(cleared_maps, NON_NATIVE)[side]
    counts = (cleared_costs <= POINTS_OF_SKILL_2).sum(axis=0)
    count_now = (analysis.costs(NON_NATIVE)[side] <= POINTS_OF_SKILL_2).sum()
    return np.flatnonzero(counts > count_now)


def _min_entering(batch: Batch) -> Numbers:
    """Return the number of creatures that can enter by the side where the fewest can."""
    return np.asarray(entering_counts(analysis_of(batch)).min(axis=0), np.float64)


def _mean_cost(costs: Bytes) -> Numbers:
    """Return the mean of travel costs (6, 27, n) for each map; ``FAR`` for unreachable hexes."""
    return np.asarray(np.minimum(costs, FAR).mean(axis=(0, 1)))


def _travel(batch: Batch) -> Numbers:
    """Return the mean cost for creatures on foot, native to nothing."""
    return _mean_cost(analysis_of(batch).entry_side_costs(NON_NATIVE))


def _flight(batch: Batch) -> Numbers:
    """Return the mean cost for fliers that are native to nothing."""
    return _mean_cost(analysis_of(batch).entry_side_costs(FLIER))


def _roughness(batch: Batch) -> Numbers:
    """Return the share of steps on the board, in percent, that cost more than one point."""
    steps = entry_costs(analysis_of(batch).maps, NON_NATIVE)[AROUND >= 0]
    return np.asarray((steps > 1).mean(axis=0) * 100)


ARMIES = Favoured(if_above="attacker", if_below="defender")
"""The armies that the values of a measure favour."""

MEASURES = (
    Measure(
        "fairness",
        "Imbalance",
        "How much the ground helps either army in the most uneven of the three attacks: 0 is "
        "even, up to 10 is fair enough",
        _imbalance,
        needs_hexsides=True,
        unit="%",
        least_first=True,
    ),
    Measure(
        "advantage",
        "Advantage",
        "Whom the ground helps in the three attacks, on average; in filters a number below 0 "
        "helps the defender",
        _advantage,
        needs_hexsides=True,
        unit="%",
        favours=ARMIES,
    ),
    Measure(
        "height",
        "Heights",
        "Who reaches more slopes, walls and dunes first, and how many more; in filters a number "
        "below 0 helps the defender",
        _height,
        needs_hexsides=True,
        favours=ARMIES,
    ),
    Measure(
        "cover",
        "Cover",
        "Hexes that protect their natives from strikes or hinder rangestrikes",
        _cover,
    ),
    Measure(
        "connected",
        "Entries connected",
        "Whether walkers without a native terrain get from each entry side to every other one",
        _connected,
        needs_hexsides=True,
        yes_no=True,
    ),
    Measure(
        "unreachable",
        "Out of reach",
        "Hexes that walkers without a native terrain cannot reach; 0 is usually wanted",
        _unreachable,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "closed",
        "Closed to most",
        "Hexes that nobody walks into, and that only their native fliers reach; keep them few",
        _closed,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "entering",
        "Can come in",
        "How many walkers of skill 2 without a native terrain come in together in one turn, at "
        "the worst entry side: 5 are wanted",
        _min_entering,
        needs_hexsides=True,
    ),
    Measure(
        "travel",
        "Travel on foot",
        "Movement points from an entry side to a hex, on average, for walkers without a native "
        "terrain: more is a slower battle",
        _travel,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "flight",
        "Travel flying",
        "Movement points from an entry side to a hex, on average, for fliers without a native "
        "terrain",
        _flight,
        least_first=True,
    ),
    Measure(
        "roughness",
        "Roughness",
        "How many of the steps between hexes slow or stop creatures without a native terrain",
        _roughness,
        needs_hexsides=True,
        unit="%",
        least_first=True,
    ),
)
