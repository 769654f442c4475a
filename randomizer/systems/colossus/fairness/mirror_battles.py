"""Battles of the standard armies, each against its like: how many are won, and who dies where.

for results in fight_from_each_side(Battleland.of(composite), lambda: False):
    print(results.wins)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from math import log

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.fairness import BattleResults
from randomizer.model.basics.rarity import Rarity
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Results, Simulator, wins_on
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


def fight_from_each_side(
    land: Battleland, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Yield the results after each side of each round; sides not yet fought from have 0 battles.

    Ends early if cancelled. With a start list the attacker comes from the bottom only.
    """
    sides = (BOTTOM,) if land.start else tuple(attacker for attacker, _defender in ATTACKS)
    attacks = [(land, side, Results()) for side in sides]
    open_ground = PLAINS, BOTTOM, Results()
    first = 0
    for last in ROUNDS:
        for board, side, results in (*attacks, open_ground):
            for army, _same in standard_pairs():
                if cancelled():
                    return
                results.add(_fight(board, army, side, first, last - first))
            yield BattleResults(
                tuple((ENTRY_SIDES[side][0], _wins(results)) for _land, side, results in attacks),
                ("Plains", _wins(open_ground[2])),
                deaths_in_100([results for _land, _side, results in attacks]),
            )
        first = last


@lru_cache(maxsize=256)
def _fight(land: Battleland, army: Army, side: int, first: int, count: int) -> Results:
    """Fight a round, the same each time: an undone edit is not fought again."""
    return _simulator(land, army, side).fight(first, count)


@lru_cache(maxsize=12)
def _simulator(land: Battleland, army: Army, side: int) -> Simulator:
    """Return the battles of an army against its like, for all rounds on one map."""
    return Simulator(land, army, army, side)


def _wins(results: Results) -> Rarity:
    return Rarity(results.attacker_wins, results.battles)


COST = "Battles are fought on each map that passes all else: 40 to 200 a side, about half a second"
"""What a filter with ``wins`` costs; told beforehand."""


def win_measures(tower: Callable[[], bool | None]) -> tuple[Measure, ...]:
    """Return the attacker's share of the first round from each side.

    ``tower`` says what a script makes its maps, None: what the base is.
    """
    names = [(side, ENTRY_SIDES[side][0].lower()) for side, _defender in ATTACKS]
    return tuple(
        Measure(
            f"wins({name})",
            f"Wins from {name}, half a second a map",
            f"The battles that attackers from the {name} win, of {ROUNDS[0]} of each of ten "
            "armies against its like; takes about half a second a map",
            partial(_shares, side=side, tower=tower),
            sides=True,
            unit="%",
            cost=COST,
            decide=partial(_decide, side=side, tower=tower),
        )
        for side, name in names
    )


def _shares(
    batch: Batch, side: int, tower: Callable[[], bool | None], limit: float | None = None
) -> NDArray[np.float64]:
    """Return the share of each map in percent, nan of those that failed; see ``shares_on``."""
    shares = np.full(len(batch), np.nan)
    alike: dict[object, list[tuple[int, Battleland]]] = {}
    for row, land in _lands(batch, tower):
        alike.setdefault((land.start, land.tower), []).append((row, land))
    for maps in alike.values():
        for first in range(0, len(maps), AT_ONCE):
            rows, lands = zip(*maps[first : first + AT_ONCE], strict=True)
            shares[list(rows)] = shares_on(lands, BOTTOM if lands[0].start else side, limit)
    return shares


def _decide(
    batch: Batch,
    comparison: np.ufunc,
    limit: float,
    side: int,
    tower: Callable[[], bool | None],
) -> NDArray[np.bool_]:
    """Return for each map how its share compares with a limit, both in percent."""
    return np.asarray(comparison(_shares(batch, side, tower, limit), limit) & ~batch.failed)


def shares_on(lands: Sequence[Battleland], side: int, limit: float | None) -> NDArray[np.float64]:
    """Return the share of the first round that attackers win on each map, in percent.

    With a limit it is infinite, above or below, as soon as Wald's sequential probability ratio
    test says on which side of the limit it is; of what is undecided after all battles of the
    round the share counts. All maps have the same start list, and are towers, or none.
    """
    steps: tuple[int, ...] = ROUNDS[:1]
    win = loss = 0.0
    if limit is not None and ZONE < limit < 100 - ZONE:
        steps = STEPS
        low = (limit - ZONE) / 100
        high = (limit + ZONE) / 100
        win = log(high / low)
        loss = log((1 - high) / (1 - low))
    armies = [army for army, _same in standard_pairs()]
    tables = [[RuleTables(land, army, army, side) for army in armies] for land in lands]
    won = np.zeros(len(lands))
    shares = np.full(len(lands), np.nan)
    first = 0
    rows = np.arange(len(lands))
    for last in steps:
        for army in range(len(armies)):
            won[rows] += wins_on([tables[row][army] for row in rows], first, last - first)
        battles = last * len(armies)
        first = last
        shares[rows] = 100 * (won[rows] / battles)
        evidence = won[rows] * win + (battles - won[rows]) * loss
        decided = np.abs(evidence) >= log((1 - ERROR) / ERROR)
        if last < steps[-1]:
            shares[rows[decided]] = np.copysign(np.inf, evidence[decided])
            rows = rows[~decided]
        if not len(rows):
            break
    return shares


def _lands(batch: Batch, tower: Callable[[], bool | None]) -> Iterator[tuple[int, Battleland]]:
    """Yield the maps of a batch that did not fail, each with its row."""
    maps = Battlelands.of(batch)
    is_tower = tower()
    if is_tower is None:
        is_tower = bool(TOWER.of(batch.base.composite.properties))
    hazards = [terrain.name for terrain in COLOSSUS.terrains]
    hexsides = ["", *(hexside.name for hexside in COLOSSUS.hexsides)]
    for row in np.flatnonzero(~batch.failed).tolist():
        edges = np.zeros((HEX_COUNT, 6), int) if maps.hexside is None else maps.hexside[..., row]
        yield (
            row,
            Battleland(
                tuple(hazards[code] for code in maps.terrain[:, row]),
                tuple(maps.elevation[:, row].tolist()),
                tuple(tuple(hexsides[code] for code in codes) for codes in edges),
                () if maps.start is None else tuple(np.flatnonzero(maps.start[:, row]).tolist()),
                is_tower,
            ),
        )


def deaths_in_100(attacks: list[Results]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the attackers' and the defenders' deaths on each cell (h, w), nan off the board."""
    every = Results()
    for results in attacks:
        every.add(results)
    planes = np.full((2, GRID.height * GRID.width), np.nan)
    planes[:, CELL_OF_HEX] = every.deaths[:, :HEX_COUNT] * 100 / max(1, every.battles)
    attackers, defenders = planes.reshape(2, GRID.height, GRID.width)
    return attackers, defenders
