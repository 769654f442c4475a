"""Battles of the standard armies, each against its like: how many are won, and who dies where.

for results in fight_from_each_side(Battleland.of(composite), lambda: False):
    print(results.wins)
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
"""How many battles each of the ten standard armies has fought from a side after each round."""

STEPS = (4, ROUNDS[0])
"""How many battles each army has fought from a side after each step of a sequential test."""

ZONE = 8
"""In percent: shares that lie nearer to a limit are as good as equal to it (Wald's test)."""

ERROR = 0.05
"""How often a share at the end of the zone may be taken for one at its other end."""

AT_ONCE = 16
"""Maps on which battles are fought together: more are hardly faster."""

PLAINS = Battleland()


class StandardBattles:
    """The battles by which shares of wins are known: of which armies, how many, how fought."""

    rounds: tuple[int, ...] = ROUNDS
    steps: tuple[int, ...] = STEPS

    def armies(self) -> list[Army]:
        """Return the armies, each of which fights against its like."""
        return [army for army, _same in standard_pairs()]

    def tables(self, land: Battleland, army: Army, side: int) -> RuleTables:
        """Return the rules of battles of an army on a map."""
        return RuleTables(land, army, army, side)

    def wins(self, tables: Sequence[RuleTables], first: int, count: int) -> list[int]:
        """Return how many battles from ``first`` on attackers win by each of ``tables``."""
        return wins_on(tables, first, count)


STANDARD = StandardBattles()


class _Attack(NamedTuple):
    """The battles on one battleland with the attacker from one side, and their results so far."""

    land: Battleland
    side: int
    results: Results


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
    first = 0
    for last in STANDARD.rounds:
        for attack in (*attacks, on_open_ground):
            for army in armies:
                if cancelled():
                    return
                attack.results.add(_fight(attack.land, army, attack.side, first, last - first))
            yield BattleResults(
                tuple((ENTRY_SIDES[done.side][0], _wins(done.results)) for done in attacks),
                ("Plains", _wins(on_open_ground.results)),
                deaths_in_100([done.results for done in attacks]),
            )
        first = last


@registered(bytes_each=2 * KB)
@lru_cache(maxsize=256)
def _fight(land: Battleland, army: Army, side: int, first: int, count: int) -> Results:
    """Fight a round, the same each time: an undone edit is not fought again."""
    return _simulator(land, army, side).fight(first, count)


@registered(bytes_each=110 * KB)
@lru_cache(maxsize=12)
def _simulator(land: Battleland, army: Army, side: int) -> Simulator:
    """Return the battles of an army against its like, for all rounds on one map."""
    return Simulator(land, army, army, side)


def _wins(results: Results) -> Rarity:
    """Return how many of all battles attackers have won."""
    return Rarity(results.attacker_wins, results.battles)


COST = "Battles are fought on each map that passes all else: 40 to 200 a side, about half a second"
"""What a filter with ``wins`` costs; told beforehand."""


def win_measures(
    tower: Callable[[], bool | None], battles: StandardBattles | None = None
) -> tuple[Measure, ...]:
    """Return the attacker's share of the first round from each side.

    ``tower`` says what a script makes its maps, None: what the base is. ``battles`` are
    ``STANDARD`` if they are None.
    """
    battles = battles or STANDARD
    names = [(side, ENTRY_SIDES[side][0].lower()) for side, _defender in ATTACKS]
    return tuple(
        Measure(
            f"wins({name})",
            f"Wins from {name}, half a second a map",
            f"The battles that attackers from the {name} win, of {ROUNDS[0]} of each of ten "
            "armies against its like; takes about half a second a map",
            partial(_shares, battles=battles, side=side, tower=tower),
            needs_hexsides=True,
            unit="%",
            cost=COST,
            decide=partial(_decide, battles=battles, side=side, tower=tower),
        )
        for side, name in names
    )


def _shares(
    batch: Batch,
    battles: StandardBattles,
    side: int,
    tower: Callable[[], bool | None],
    limit: float | None = None,
) -> NDArray[np.float64]:
    """Return the share of each map in percent, nan of those that failed; see ``shares_on``."""
    shares = np.full(len(batch), np.nan)
    lands_by_mirror: dict[object, list[tuple[int, Battleland]]] = {}
    for row, land in _lands(batch, tower):
        lands_by_mirror.setdefault((land.start, land.tower), []).append((row, land))
    for maps in lands_by_mirror.values():
        for first in range(0, len(maps), AT_ONCE):
            rows, lands = zip(*maps[first : first + AT_ONCE], strict=True)
            attacked_from = side
            if lands[0].start:  # all of them have it, and then attackers come from there only
                attacked_from = BOTTOM
            shares[list(rows)] = shares_on(lands, attacked_from, limit, battles)
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

    With a limit it is infinite, above or below, as soon as Wald's sequential probability ratio
    test says on which side of the limit it is; of what is undecided after all battles of the
    round the share counts. All maps have the same start list, and are towers, or none.
    ``battles`` are ``STANDARD`` if they are None.
    """
    battles = battles or STANDARD
    armies = battles.armies()
    tables = [[battles.tables(land, army, side) for army in armies] for land in lands]
    test = None
    steps: tuple[int, ...] = battles.rounds[:1]
    if limit is not None and ZONE < limit < 100 - ZONE:
        test = _SequentialTest(limit)
        steps = battles.steps

    wins = np.zeros(len(lands))
    shares = np.full(len(lands), np.nan)
    undecided = np.arange(len(lands))
    first = 0
    for last in steps:
        for army in range(len(armies)):
            army_tables = [tables[land][army] for land in undecided]
            wins[undecided] += battles.wins(army_tables, first, last - first)
        first = last
        count = last * len(armies)
        shares[undecided] = 100 * (wins[undecided] / count)
        is_last_step = last == steps[-1]
        if test is not None and not is_last_step:
            evidence = test.evidence(wins[undecided], count)
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
        """Return whether the error is below ERROR if the evidence is believed."""
        return np.asarray(np.abs(evidence) >= log((1 - ERROR) / ERROR))


def _lands(batch: Batch, tower: Callable[[], bool | None]) -> Iterator[tuple[int, Battleland]]:
    """Yield the maps of a batch that did not fail, each with its row."""
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
        yield row, land


def deaths_in_100(attacks: list[Results]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the attackers' and the defenders' deaths on each cell (h, w), nan off the board."""
    total = Results()
    for results in attacks:
        total.add(results)
    planes = np.full((2, GRID.height * GRID.width), np.nan)
    planes[:, CELL_OF_HEX] = total.deaths[:, :HEX_COUNT] * 100 / max(1, total.battles)
    attackers, defenders = planes.reshape(2, GRID.height, GRID.width)
    return attackers, defenders
