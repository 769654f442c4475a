"""Battles of the standard armies, each against its like: how many are won, and who dies where.

Equal armies meet, so what one wins more than the other is due to the map and to who attacks. Two
callers, two ways: the panel *Fairness* fights on one map and wants all results
(``fight_from_each_side``)::

    for results in fight_from_each_side(Battleland.of(composite), lambda: False):
        print(results.wins)

Filters fight on many maps and want to know only whether the share of wins is above a limit
(``shares_on``); Wald's sequential test then spares most of the battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.fairness import BattleResults
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.rarity import Rarity
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Results, Simulator, wins_on
from randomizer.systems.colossus.battle_terrain import BOTTOM, Battleland
from randomizer.systems.colossus.board import CELL_OF_HEX, ENTRY_SIDES, GRID, HEX_COUNT
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.movement import Battlelands
from randomizer.systems.colossus.properties import TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

ROUNDS = (20, 60, 140, 300)
"""The number of battles that each of the ten standard armies has fought from a side after a round.

They are few at first, so that there is a result soon. After the last round, of 3,000 battles, the
95 % interval of a share is some 4 points wide.
"""

STEPS = (4, ROUNDS[0])
"""The number of battles that each army has fought from a side after a step of a sequential test."""

ZONE = 8
"""In percent: shares that lie nearer to a limit are as good as equal to it (Wald's test)."""

ERROR = 0.05
"""The probability that a share at one end of the zone is taken for one at its other end."""

AT_ONCE = 16
"""Battles are fought on so many maps together: more are hardly faster."""

PLAINS = Battleland()
"""Open ground, to compare with."""


class StandardBattles:
    """The battles by which shares of wins are known: the armies, their number, the simulator.

    Tests have subclasses with fewer battles, or with battles whose results are settled.
    """

    rounds: tuple[int, ...] = ROUNDS
    """As ``ROUNDS``."""

    steps: tuple[int, ...] = STEPS
    """As ``STEPS``."""

    def armies(self) -> list[Army]:
        """Return the armies, each of which fights against its like."""
        return [army for army, _same in standard_pairs()]

    def tables(self, land: Battleland, army: Army, side: int) -> RuleTables:
        """Return the rules of battles of an army on a map."""
        return RuleTables(land, army, army, side)

    def wins(self, tables: Sequence[RuleTables], first: int, count: int) -> list[int]:
        """Return for each of ``tables`` the wins of attackers in ``count`` battles.

        ``first`` is the number of the first battle; a battle of one number has the same dice each
        time.
        """
        return wins_on(tables, first, count)


STANDARD = StandardBattles()
"""The battles of the program."""


class _Attack(NamedTuple):
    """The battles on one battleland with the attacker from one side, and their results so far."""

    land: Battleland

    side: int
    """The entry side of the attacker."""

    results: Results
    """They grow while battles are fought."""


def fight_from_each_side(
    land: Battleland, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Yield the results after each side of each round; sides not yet fought from have 0 battles.

    Ends early if cancelled. With a start list the attacker comes from the bottom only.
    """
    armies = STANDARD.armies()
    sides = [attacker for attacker, _defender in ATTACKS]
    if land.start:
        sides = [BOTTOM]
    attacks = [_Attack(land, side, Results()) for side in sides]
    on_open_ground = _Attack(PLAINS, BOTTOM, Results())
    battles_fought = 0
    for battles_after_round in STANDARD.rounds:
        count = battles_after_round - battles_fought
        for attack in (*attacks, on_open_ground):
            for army in armies:
                if cancelled():
                    return
                attack.results.add(_fight(attack.land, army, attack.side, battles_fought, count))
            yield _results_so_far(attacks, on_open_ground)
        battles_fought = battles_after_round


def _results_so_far(attacks: Sequence[_Attack], on_open_ground: _Attack) -> BattleResults:
    """Return the results of all attacks, as the panel shows them."""
    wins = []
    for attack in attacks:
        name_of_side, _hexes = ENTRY_SIDES[attack.side]
        wins.append((name_of_side, _wins(attack.results)))
    deaths = deaths_in_100([attack.results for attack in attacks])
    base_line = ("Plains", _wins(on_open_ground.results))
    battles_planned = STANDARD.rounds[-1] * len(STANDARD.armies())
    return BattleResults(tuple(wins), base_line, battles_planned, deaths)


@registered(bytes_each=2 * KB)
@lru_cache(maxsize=256)
def _fight(land: Battleland, army: Army, side: int, first: int, count: int) -> Results:
    """Return the results of a round, from the cache where it was fought before.

    The same battles have the same results, and an edit that is undone gives the map back.
    """
    return _simulator(land, army, side).fight(first, count)


@registered(bytes_each=110 * KB)
@lru_cache(maxsize=12)
def _simulator(land: Battleland, army: Army, side: int) -> Simulator:
    """Return the battles of an army against its like, for all rounds on one map."""
    return Simulator(RuleTables(land, army, army, side))


def _wins(results: Results) -> Rarity:
    """Return the share of battles that attackers have won, with its interval."""
    return Rarity(results.attacker_wins, results.battles)


COST = "Battles are fought on each map that passes all else: 40 to 200 a side, about half a second"
"""The time that a filter with ``wins`` takes, as it is told beforehand."""


def win_measures(
    tower: Callable[[], bool | None], battles: StandardBattles | None = None
) -> tuple[Measure, ...]:
    """Return a measure for each side: the attacker's share of wins in the first round, in percent.

    ``tower`` returns whether the script makes towers, None if its maps are what the base is.
    ``battles`` are ``STANDARD`` if they are None.
    """
    if battles is None:
        battles = STANDARD
    measures = []
    for sides in ATTACKS:
        name = ENTRY_SIDES[sides.attacker][0].lower()
        measure = Measure(
            f"wins({name})",
            f"Wins from {name}, half a second a map",
            f"The battles that attackers from the {name} win, of {ROUNDS[0]} of each of ten "
            "armies against its like; takes about half a second a map",
            partial(_shares, battles=battles, side=sides.attacker, tower=tower),
            needs_hexsides=True,
            unit="%",
            cost=COST,
            decide=partial(_decide, battles=battles, side=sides.attacker, tower=tower),
        )
        measures.append(measure)
    return tuple(measures)


def _shares(
    batch: Batch,
    battles: StandardBattles,
    side: int,
    tower: Callable[[], bool | None],
    limit: float | None = None,
) -> NDArray[np.float64]:
    """Return the share of each map in percent, nan of those that failed; see ``shares_on``."""
    shares = np.full(len(batch), np.nan)
    # Maps on which battles are fought together have the same start list, and are towers or none.
    maps_by_setup: dict[tuple[tuple[int, ...], bool], list[_MapOfBatch]] = {}
    for map_of_batch in _maps_of(batch, tower):
        land = map_of_batch.land
        maps_by_setup.setdefault((land.start, land.tower), []).append(map_of_batch)
    for (start_list, _is_tower), maps in maps_by_setup.items():
        attacker_side = side
        if start_list:  # then attackers come from the bottom only
            attacker_side = BOTTOM
        for first in range(0, len(maps), AT_ONCE):
            maps_at_once = maps[first : first + AT_ONCE]
            rows = [map_of_batch.row for map_of_batch in maps_at_once]
            lands = [map_of_batch.land for map_of_batch in maps_at_once]
            shares[rows] = shares_on(lands, attacker_side, limit, battles)
    return shares


def _decide(
    batch: Batch,
    comparison: np.ufunc,
    limit: float,
    battles: StandardBattles,
    side: int,
    tower: Callable[[], bool | None],
) -> NDArray[np.bool_]:
    """Return for each map how its share compares with a limit, both in percent."""
    shares = _shares(batch, battles, side, tower, limit)
    return np.asarray(comparison(shares, limit) & ~batch.failed)


def shares_on(
    lands: Sequence[Battleland],
    side: int,
    limit: float | None,
    battles: StandardBattles | None = None,
) -> NDArray[np.float64]:
    """Return the share of the first round that attackers win on each map, in percent.

    With a limit (in percent) the share is inf or -inf as soon as Wald's sequential probability
    ratio test says that it is above or below the limit; where that stays open until all battles of
    the round were fought it is the share itself. All maps have the same start list, and are towers,
    or none. ``battles`` are ``STANDARD`` if they are None.
    """
    if battles is None:
        battles = STANDARD
    armies = battles.armies()
    tables = [[battles.tables(land, army, side) for army in armies] for land in lands]
    test = None
    steps: tuple[int, ...] = battles.rounds[:1]
    # Nearer to 0 or 100 one of the hypotheses of the test would be no probability.
    if limit is not None and ZONE < limit < 100 - ZONE:
        test = _SequentialTest(limit)
        steps = battles.steps

    wins = np.zeros(len(lands))
    shares = np.full(len(lands), np.nan)
    undecided = np.arange(len(lands))
    battles_fought = 0
    for battles_after_step in steps:
        # Fight the battles of this step on the maps that are not decided yet.
        for army in range(len(armies)):
            army_tables = [tables[land][army] for land in undecided]
            count = battles_after_step - battles_fought
            wins[undecided] += battles.wins(army_tables, battles_fought, count)
        battles_fought = battles_after_step
        battles_of_all_armies = battles_fought * len(armies)
        shares[undecided] = 100 * (wins[undecided] / battles_of_all_armies)

        # Decide the maps for which these battles are evidence enough.
        is_last_step = battles_fought == steps[-1]
        if test is not None and not is_last_step:
            evidence = test.evidence(wins[undecided], battles_of_all_armies)
            is_decided = test.is_enough(evidence)
            shares[undecided[is_decided]] = np.copysign(np.inf, evidence[is_decided])
            undecided = undecided[~is_decided]
        if not len(undecided):
            break
    return shares


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
        """Return whether a decision by this evidence is wrong in at most ``ERROR`` of the cases."""
        return np.asarray(np.abs(evidence) >= log((1 - ERROR) / ERROR))


class _MapOfBatch(NamedTuple):
    """One map of a batch."""

    row: int
    """Its row in the batch."""

    land: Battleland


def _maps_of(batch: Batch, tower: Callable[[], bool | None]) -> Iterator[_MapOfBatch]:
    """Yield the maps of a batch that did not fail."""
    maps = Battlelands.of(batch)
    is_tower = tower()
    if is_tower is None:
        is_tower = bool(TOWER.of(batch.base.composite.properties))
    hazards = [terrain.name for terrain in COLOSSUS.terrains]
    hexsides = ["", *(hexside.name for hexside in COLOSSUS.hexsides)]
    for row in np.flatnonzero(~batch.failed).tolist():
        edges = np.zeros((HEX_COUNT, 6), int)
        if maps.hexside is not None:
            edges = maps.hexside[..., row]
        start: tuple[int, ...] = ()
        if maps.start is not None:
            start = tuple(np.flatnonzero(maps.start[:, row]).tolist())
        land = Battleland(
            tuple(hazards[code] for code in maps.terrain[:, row]),
            tuple(maps.elevation[:, row].tolist()),
            tuple(tuple(hexsides[code] for code in codes) for codes in edges),
            start,
            is_tower,
        )
        yield _MapOfBatch(row, land)


def deaths_in_100(attacks: list[Results]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the attackers' and the defenders' deaths in 100 battles on each cell, of all attacks.

    Both have the shape (height, width), with nan off the board.
    """
    total = Results()
    for results in attacks:
        total.add(results)
    deaths_on_cells = np.full((2, GRID.height * GRID.width), np.nan)
    deaths_on_hexes = total.deaths[:, :HEX_COUNT]  # those behind them never entered
    deaths_on_cells[:, CELL_OF_HEX] = deaths_on_hexes * 100 / max(1, total.battles)
    of_attackers, of_defenders = deaths_on_cells.reshape(2, GRID.height, GRID.width)
    return of_attackers, of_defenders
