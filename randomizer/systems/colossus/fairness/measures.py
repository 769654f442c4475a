"""The fairness measures of battlelands. Formulas: docs/manual/fairness.md."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.systems.colossus.battle_terrain import BARRED
from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.battles import ATTACKS, FAR, Battle, battles
from randomizer.systems.colossus.fairness.movement import (
    AROUND,
    FLIER,
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
    """Results that the measures of one batch share, computed once."""

    def __init__(self, batch: Batch) -> None:
        self.maps = Battlelands.of(batch)
        self._travel: dict[Creature, Bytes] = {}

    def travel(self, creature: Creature) -> Bytes:
        """(6, 27, n): costs from the six entry sides."""
        return self.costs(creature)[:6]

    def costs(self, creature: Creature) -> Bytes:
        """(7, 27, n): the creature's ``travel_costs``."""
        costs = self._travel.get(creature)
        if costs is None:
            costs = self._travel[creature] = travel_costs(self.maps, creature)
        return costs

    @cached_property
    def battles(self) -> tuple[Battle, ...]:
        """The three attacks, of creatures native to nothing, on foot."""
        return battles(self.maps, NON_NATIVE, self.costs(NON_NATIVE))

    @cached_property
    def advantages(self) -> Numbers:
        """(3, n): the attacker's advantage in each attack."""
        return np.array([battle.advantage for battle in self.battles])


_ANALYSES: WeakKeyDictionary[Batch, BatchAnalysis] = WeakKeyDictionary()


def analysis_of(batch: Batch) -> BatchAnalysis:
    """Return the analysis of a batch, kept as long as the batch exists."""
    analysis = _ANALYSES.get(batch)
    if analysis is None:
        analysis = _ANALYSES[batch] = BatchAnalysis(batch)
    return analysis


def _fairness(batch: Batch) -> Numbers:
    return np.asarray(np.abs(analysis_of(batch).advantages).max(axis=0))


def _advantage(batch: Batch) -> Numbers:
    return np.asarray(analysis_of(batch).advantages.mean(axis=0))


def _height(batch: Batch) -> Numbers:
    held = [battle.high_edges(1) - battle.high_edges(-1) for battle in analysis_of(batch).battles]
    return np.asarray(np.mean(held, axis=0))


def _cover(batch: Batch) -> Numbers:
    """Return how many hexes shelter natives from strikes or hinder rangestrikes."""
    rules = [HAZARDS[terrain.name] for terrain in COLOSSUS.terrains]
    covers = np.array([rule.struck is not NO_EFFECT or rule.skill_through != 0 for rule in rules])
    return np.asarray(covers[analysis_of(batch).maps.terrain].sum(axis=0), np.float64)


def _connected(batch: Batch) -> Numbers:
    """1 where some hex can be reached from all six sides, which connects them."""
    reached = analysis_of(batch).travel(NON_NATIVE) < BARRED
    return np.asarray(reached.all(axis=0).any(axis=0), np.float64)


def _unreachable(batch: Batch) -> Numbers:
    """Return how many hexes creatures native to nothing cannot reach from any side, on foot."""
    reached = (analysis_of(batch).travel(NON_NATIVE) < BARRED).any(axis=0)
    return np.asarray((~reached).sum(axis=0), np.float64)


def closed_hexes(analysis: BatchAnalysis) -> NDArray[np.bool_]:
    """(27, n): hexes that neither natives on foot nor fliers native to nothing can reach."""
    on_foot, flying = (analysis.travel(kind) < BARRED for kind in (NATIVE, FLIER))
    return np.asarray(~(on_foot | flying).any(axis=0))


def _closed(batch: Batch) -> Numbers:
    """Return the number of closed hexes of each map."""
    return np.asarray(closed_hexes(analysis_of(batch)).sum(axis=0), np.float64)


LEAST_ENTERING = 5
"""How many creatures designers want to come in from each side (the pages on Titan's boards)."""

TWO_POINTS = 2
"""The movement points of a creature of skill 2."""


def entering(analysis: BatchAnalysis) -> NDArray[np.int64]:
    """(7, n): how many creatures of skill 2, on foot, native to nothing, can come in in a turn.

    From the six entry sides, and onto the start list; HEX_COUNT where nobody enters: by the other
    sides of a map with a start list, or onto the list of one without. All hexes in reach can be
    filled, the far ones first.
    """
    costs = analysis.costs(NON_NATIVE)
    counts = np.asarray((costs <= TWO_POINTS).sum(axis=1))
    listed = (costs[6] == 0).sum(axis=0)
    start = analysis.maps.start
    waits: NDArray[np.bool_] = np.zeros(analysis.maps.count, np.bool_)
    if start is not None:
        waits = np.asarray(start.any(axis=0))
    unused = [side for side in range(6) if side != ATTACKS[0][0]]
    counts[unused] = np.where(waits, HEX_COUNT, counts[unused])
    counts[6] = np.where(waits, listed, HEX_COUNT)
    return counts


def _entering(batch: Batch) -> Numbers:
    """Return how many creatures can enter by the side where the fewest can."""
    return np.asarray(entering(analysis_of(batch)).min(axis=0), np.float64)


def _mean(costs: Bytes) -> Numbers:
    """Return the mean of travel costs (6, 27, n) for each map; unreachable hexes count FAR."""
    return np.asarray(np.minimum(costs, FAR).mean(axis=(0, 1)))


def _travel(batch: Batch) -> Numbers:
    """Return the mean cost for creatures on foot, native to nothing."""
    return _mean(analysis_of(batch).travel(NON_NATIVE))


def _flight(batch: Batch) -> Numbers:
    """Return the mean cost for fliers that are native to nothing."""
    return _mean(analysis_of(batch).travel(FLIER))


def _roughness(batch: Batch) -> Numbers:
    """Return the share of steps on the board, in percent, that cost more than one point."""
    steps = entry_costs(analysis_of(batch).maps, NON_NATIVE)[AROUND >= 0]
    return np.asarray((steps > 1).mean(axis=0) * 100)


SIDES = ("attacker", "defender")
"""Whom a value above 0 helps, and whom one below 0."""

MEASURES = (
    Measure(
        "fairness",
        "Imbalance",
        "What the ground gives attacker or defender in the most uneven of the three attacks: "
        "0 is even",
        _fairness,
        needs_hexsides=True,
        unit="%",
        least_first=True,
    ),
    Measure(
        "advantage",
        "Advantage",
        "Whom the ground helps, over the three attacks, and how much; in filters a number below 0 "
        "is the defender's",
        _advantage,
        needs_hexsides=True,
        unit="%",
        favours=SIDES,
    ),
    Measure(
        "height",
        "Heights",
        "Who comes to more high edges (slope, wall, dune) first, and to how many more; in filters "
        "a number below 0 is the defender's",
        _height,
        needs_hexsides=True,
        favours=SIDES,
    ),
    Measure(
        "cover",
        "Cover",
        "Hexes that shelter natives from strikes or hinder rangestrikes",
        _cover,
    ),
    Measure(
        "connected",
        "Entries connected",
        "Whether creatures on foot, native to nothing, can walk between all six entry sides",
        _connected,
        needs_hexsides=True,
        yes_no=True,
    ),
    Measure(
        "unreachable",
        "Out of reach",
        "Hexes to which creatures on foot, native to nothing, cannot come from any entry side",
        _unreachable,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "closed",
        "Closed to most",
        "Hexes to which neither natives on foot nor fliers native to nothing can come",
        _closed,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "entering",
        "Can come in",
        "Creatures of skill 2, on foot, native to nothing, that can come in together in one turn, "
        "from the side where they are fewest",
        _entering,
        needs_hexsides=True,
    ),
    Measure(
        "travel",
        "Travel on foot",
        "The mean cost of coming from an entry side to a hex, on foot, native to nothing",
        _travel,
        needs_hexsides=True,
        least_first=True,
    ),
    Measure(
        "flight",
        "Travel flying",
        "The mean cost of coming from an entry side to a hex, flying, native to nothing",
        _flight,
        least_first=True,
    ),
    Measure(
        "roughness",
        "Roughness",
        "The part of the steps between hexes that slow or bar creatures native to nothing",
        _roughness,
        needs_hexsides=True,
        unit="%",
        least_first=True,
    ),
)
