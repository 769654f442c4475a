"""Battles of the standard armies, each against its like: how many are won, and who dies where.

for results in fight_from_each_side(Battleland.of(composite), lambda: False):
    print(results.wins)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.fairness import BattleResults
from randomizer.model.rarity import Rarity
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.simulator import Results, Simulator
from randomizer.systems.colossus.board import CELL_OF_HEX, ENTRY_SIDES, GRID, HEX_COUNT
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.movement import Battlelands
from randomizer.systems.colossus.properties import TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

ROUNDS = (20, 60, 140, 300)
"""How many battles each of the ten standard armies has fought from a side after each round."""

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
                _deaths([results for _land, _side, results in attacks]),
            )
        first = last


@lru_cache(maxsize=256)
def _fight(land: Battleland, army: Army, side: int, first: int, count: int) -> Results:
    """Fight a round, the same each time: an undone edit is not fought again."""
    return Simulator(land, army, army, side).fight(first, count)


def _wins(results: Results) -> Rarity:
    return Rarity(results.attacker_wins, results.battles)


def win_measures(tower: Callable[[], bool | None]) -> tuple[Measure, ...]:
    """Return the attacker's share of the first round from each side.

    ``tower`` says what a script makes its maps, None: what the base is.
    """
    names = [(side, ENTRY_SIDES[side][0].lower()) for side, _defender in ATTACKS]
    return tuple(
        Measure(
            f"wins({name})",
            f"Wins from {name}, a second a map",
            f"The battles that attackers from the {name} win, of {ROUNDS[0]} of each of ten "
            "armies against its like; takes a second a map",
            partial(_shares, side=side, tower=tower),
            sides=True,
            unit="%",
            costly=True,
        )
        for side, name in names
    )


def _shares(batch: Batch, side: int, tower: Callable[[], bool | None]) -> NDArray[np.float64]:
    maps, is_tower = Battlelands.of(batch), tower()
    if is_tower is None:
        is_tower = bool(TOWER.of(batch.base.composite.properties))
    hazards = [terrain.name for terrain in COLOSSUS.terrains]
    hexsides = ["", *(hexside.name for hexside in COLOSSUS.hexsides)]
    shares = np.full(len(batch), np.nan)
    for row in np.flatnonzero(~batch.failed).tolist():
        edges = np.zeros((HEX_COUNT, 6), int) if maps.hexside is None else maps.hexside[..., row]
        land = Battleland(
            tuple(hazards[code] for code in maps.terrain[:, row]),
            tuple(maps.elevation[:, row].tolist()),
            tuple(tuple(hexsides[code] for code in codes) for codes in edges),
            () if maps.start is None else tuple(np.flatnonzero(maps.start[:, row]).tolist()),
            is_tower,
        )
        results = Results()
        for army, _same in standard_pairs():
            results.add(_fight(land, army, BOTTOM if land.start else side, 0, ROUNDS[0]))
        shares[row] = 100 * _wins(results).chance
    return shares


def _deaths(attacks: list[Results]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    every = Results()
    for results in attacks:
        every.add(results)
    planes = np.full((2, GRID.height * GRID.width), np.nan)
    planes[:, CELL_OF_HEX] = every.deaths[:, :HEX_COUNT] * 100 / every.battles
    attackers, defenders = planes.reshape(2, GRID.height, GRID.width)
    return attackers, defenders
