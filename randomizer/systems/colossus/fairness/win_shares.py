"""The share of battles that attackers win on each of many maps, for filters of rolled maps.

A filter like ``wins(left) >= 45 %`` only asks whether the share of a map is above its limit. Wald's
sequential test then spares most of the battles: on a map where attackers have won 90 % of the first
battles, the others are not fought.

    shares_on(lands, side)                    # 47.5, 62.0, 90.5: all battles of the first round
    shares_against(45, lands, side)           # 47.5, inf, inf: inf is "above", -inf is "below"

The battles are those of ``standard_battles``. All shares are in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import BOTTOM, ENTRY_SIDES, HEX_COUNT
from randomizer.systems.colossus.fairness import standard_battles
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.movement import Battlelands
from randomizer.systems.colossus.fairness.standard_battles import ROUNDS, StandardBattles
from randomizer.systems.colossus.properties import TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

ZONE = 8
"""Shares that lie nearer to a limit, in percent, are as good as equal to it (Wald's test).

If it is larger, fewer battles are fought, and more maps near the limit are decided wrongly.
"""

ERROR_PROBABILITY = 0.05
"""The probability that a share at one end of the zone is taken for one at its other end.

If it is larger, fewer battles are fought.
"""

MAPS_AT_ONCE = 16
"""Battles are fought on so many maps together: more are hardly faster."""

COST_NOTE = (
    "Battles are fought on each map that passes all else: 40 to 200 a side, about half a second"
)
"""The time that a filter with ``wins`` takes, as it is told beforehand."""


def win_measures(
    tower: Callable[[], bool | None], battles: StandardBattles | None = None
) -> tuple[Measure, ...]:
    """Return a measure for each side: the attacker's share of wins in the first round.

    ``tower`` returns whether the script makes towers, None if its maps are what the base is.
    ``battles`` are those of the program if they are None.
    """
    if battles is None:
        battles = standard_battles.STANDARD
    measures = []
    for sides in ATTACKS:
        side_name, _hexes = ENTRY_SIDES[sides.attacker]
        name = side_name.lower()
        wins = _WinsOfBatch(sides.attacker, battles, tower)
        measure = Measure(
            name=f"wins({name})",
            title=f"Wins from {name}, half a second a map",
            help=f"The battles that attackers from the {name} win, of {ROUNDS[0]} of each of ten "
            "armies against its like; takes about half a second a map",
            of=wins.shares,
            needs_hexsides=True,
            unit="%",
            cost=COST_NOTE,
            decide=wins.compare,
        )
        measures.append(measure)
    return tuple(measures)


class _MapsAlike(NamedTuple):
    """Maps of a batch on which battles can be fought together.

    They have the same start list, and all are towers or none is.
    """

    rows: list[int]
    """Their rows in the batch."""

    lands: list[Battleland]

    attacker_side: int
    """The entry side of attackers."""


class _WinsOfBatch(NamedTuple):
    """The wins of attackers from one side on each map of a batch."""

    side: int
    """The entry side of attackers; on maps with a start list they come from the bottom."""

    battles: StandardBattles

    tower: Callable[[], bool | None]
    """As for ``win_measures``."""

    def shares(self, batch: Batch) -> NDArray[np.float64]:
        """Return the share of each map, (n,); nan for maps that failed."""
        shares = np.full(len(batch), np.nan)
        for maps in self._maps_alike(batch):
            shares[maps.rows] = shares_on(maps.lands, maps.attacker_side, self.battles)
        return shares

    def compare(self, batch: Batch, comparison: np.ufunc, limit: float) -> NDArray[np.bool_]:
        """Return how the share of each map compares with a limit, (n,); False for failed maps."""
        shares = np.full(len(batch), np.nan)
        for maps in self._maps_alike(batch):
            shares[maps.rows] = shares_against(limit, maps.lands, maps.attacker_side, self.battles)
        return np.asarray(comparison(shares, limit) & ~batch.failed)

    def _maps_alike(self, batch: Batch) -> Iterator[_MapsAlike]:
        """Yield the maps that did not fail, up to ``MAPS_AT_ONCE`` together."""
        lands = _lands_of(batch, self.tower)
        rows_by_setup: dict[tuple[tuple[int, ...], bool], list[int]] = {}
        for row, land in lands.items():
            rows_by_setup.setdefault((land.start, land.tower), []).append(row)
        for (start_list, _is_tower), rows in rows_by_setup.items():
            attacker_side = self.side
            if start_list:
                attacker_side = BOTTOM
            for first in range(0, len(rows), MAPS_AT_ONCE):
                rows_at_once = rows[first : first + MAPS_AT_ONCE]
                lands_at_once = [lands[row] for row in rows_at_once]
                yield _MapsAlike(rows_at_once, lands_at_once, attacker_side)


def _lands_of(batch: Batch, tower: Callable[[], bool | None]) -> dict[int, Battleland]:
    """Return the battlelands of a batch by their rows, without those of maps that failed."""
    is_tower = tower()
    if is_tower is None:
        is_tower = bool(TOWER.of(batch.base.composite.properties))
    maps = Battlelands.of(batch)
    hazards = [terrain.name for terrain in COLOSSUS.terrains]
    hexsides = ["", *(hexside.name for hexside in COLOSSUS.hexsides)]
    lands = {}
    for row in np.flatnonzero(~batch.failed).tolist():
        hexside_codes = np.zeros((HEX_COUNT, 6), int)
        if maps.hexside is not None:
            hexside_codes = maps.hexside[..., row]
        start: tuple[int, ...] = ()
        if maps.start is not None:
            start = tuple(np.flatnonzero(maps.start[:, row]).tolist())
        lands[row] = Battleland(
            hazards=tuple(hazards[code] for code in maps.terrain[:, row]),
            elevations=tuple(maps.elevation[:, row].tolist()),
            hexsides=tuple(tuple(hexsides[code] for code in codes) for codes in hexside_codes),
            start=start,
            tower=is_tower,
        )
    return lands


# --- shares of wins ---------------------------------------------------------------------------


def shares_on(
    lands: Sequence[Battleland], side: int, battles: StandardBattles | None = None
) -> NDArray[np.float64]:
    """Return the share of the first round that attackers from a side win on each map, (n,).

    All maps have the same start list, and are towers, or none. ``battles`` are those of the program
    if they are None.
    """
    if battles is None:
        battles = standard_battles.STANDARD
    first_round = _FirstRound(lands, side, battles)
    every_map = np.arange(len(lands))
    first_round.fight_until(battles.rounds[0], every_map)
    return first_round.shares_of(every_map)


def shares_against(
    limit: float, lands: Sequence[Battleland], side: int, battles: StandardBattles | None = None
) -> NDArray[np.float64]:
    """Return a share of each map that compares with a limit as its own does, by few battles, (n,).

    It is inf or -inf as soon as the test says that the share is above or below the limit (in
    percent). Where that stays open until all battles of the first round are fought, it is the share
    itself. The further arguments are those of ``shares_on``.
    """
    if battles is None:
        battles = standard_battles.STANDARD
    if not ZONE < limit < 100 - ZONE:
        # One of the hypotheses of the test would be no probability.
        return shares_on(lands, side, battles)
    test = _SequentialTest(limit)
    first_round = _FirstRound(lands, side, battles)
    shares = np.full(len(lands), np.nan)
    undecided = np.arange(len(lands))
    *early_steps, last_step = battles.steps
    for step in early_steps:
        first_round.fight_until(step, undecided)
        evidence = test.evidence(first_round.wins[undecided], first_round.battles_a_map)
        is_decided = test.is_enough(evidence)
        is_above = evidence[is_decided] > 0
        shares[undecided[is_decided]] = np.where(is_above, np.inf, -np.inf)
        undecided = undecided[~is_decided]
        if not len(undecided):
            return shares
    first_round.fight_until(last_step, undecided)
    shares[undecided] = first_round.shares_of(undecided)
    return shares


class _FirstRound:
    """The battles of the first round on n maps, which are fought step by step.

    After each step it goes on with the same maps, or with fewer of them.
    """

    def __init__(self, lands: Sequence[Battleland], side: int, battles: StandardBattles) -> None:
        self._battles = battles
        self._army_count = len(battles.armies())
        self._tables = [
            [battles.tables(land, army, side) for army in battles.armies()] for land in lands
        ]
        """The rules of each map for each army."""
        self._battles_of_army = 0
        """The battles that each army has fought on each map so far."""
        self.wins = np.zeros(len(lands))
        """(n,): the battles that attackers have won on each map so far."""

    @property
    def battles_a_map(self) -> int:
        """The battles that all armies together have fought on each map so far."""
        return self._battles_of_army * self._army_count

    def fight_until(self, battles_of_army: int, maps: NDArray[np.intp]) -> None:
        """Fight on ``maps`` (m,), which are indices, until each army has fought so many battles."""
        count = battles_of_army - self._battles_of_army
        for army in range(self._army_count):
            tables = [self._tables[index][army] for index in maps]
            self.wins[maps] += self._battles.wins(tables, self._battles_of_army, count)
        self._battles_of_army = battles_of_army

    def shares_of(self, maps: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the share of wins so far on ``maps`` (m,), in percent, (m,)."""
        return np.asarray(100 * (self.wins[maps] / self.battles_a_map))


class _SequentialTest:
    """Wald's sequential probability ratio test: whether a share is above or below a limit.

    It compares two hypotheses, that the share is ZONE above and ZONE below the limit, by the
    logarithm of how much likelier the first makes the battles so far. Wald, "Sequential tests of
    statistical hypotheses" (1945).
    """

    def __init__(self, limit: float) -> None:
        """Test for a limit in percent, between ZONE and 100 - ZONE."""
        low = (limit - ZONE) / 100
        high = (limit + ZONE) / 100
        self._evidence_of_win = log(high / low)
        self._evidence_of_loss = log((1 - high) / (1 - low))

    def evidence(self, wins: NDArray[np.float64], battles: int) -> NDArray[np.float64]:
        """Return the evidence of so many wins: above 0 for a share above the limit."""
        losses = battles - wins
        return wins * self._evidence_of_win + losses * self._evidence_of_loss

    def is_enough(self, evidence: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether a decision by this evidence is rarely wrong (``ERROR_PROBABILITY``)."""
        return np.asarray(np.abs(evidence) >= log((1 - ERROR_PROBABILITY) / ERROR_PROBABILITY))
