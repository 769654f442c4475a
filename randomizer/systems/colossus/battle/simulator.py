"""Fights many battles of two armies on a battleland, and counts their results.

simulator = Simulator(Battleland.of(battlemap.composite()), attacker, defender, entry_side=1)
results = simulator.fight(0, 200)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.battle import LAST_TURN
from randomizer.systems.colossus.battle.many_battles import ATTACKER, DEFENDER, Battles, Observer
from randomizer.systems.colossus.battle.opponent import Opponent
from randomizer.systems.colossus.battle.rule_tables import SIZE, RuleTables
from randomizer.systems.colossus.battle_terrain import Battleland

CHUNK = 1000
"""Battles that are best fought together: enough for numpy, and few enough for the cache."""


@dataclass
class Results:
    """Results of battles, which add up.

    ``deaths`` (2, SIZE) are the attacker's and the defender's dead on each hex; the last column
    counts those who never entered; ``losses`` are the dead by side and name. Who loses by time does
    not die. ``fled``: those of the game that ended before the first move; they count nowhere else.
    ``wins_by_land`` (lands,): the attacker's of the simulator on each battleland.
    """

    attacker_wins: int = 0
    defender_wins: int = 0
    mutual: int = 0
    time_losses: int = 0
    fled: int = 0
    turns: int = 0
    deaths: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, SIZE), np.int64))
    losses: Counter[tuple[int, str]] = field(default_factory=Counter)
    wins_by_land: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))

    @property
    def battles(self) -> int:
        """The number of battles."""
        return self.attacker_wins + self.defender_wins + self.mutual

    def add(self, results: Results) -> None:
        """Add the results of other battles."""
        for name, value in vars(results).items():
            setattr(self, name, getattr(self, name) + value)


class Simulator:
    """The battles of a seed between two armies; the attacker comes from ``entry_side`` (0 .. 5)."""

    def __init__(
        self, land: Battleland, attacker: Army, defender: Army, entry_side: int, seed: int = 0
    ) -> None:
        self._use(RuleTables(land, attacker, defender, entry_side), seed)

    @classmethod
    def on_several(cls, tables: RuleTables, seed: int = 0) -> Simulator:
        """Return the battles of a seed on all battlelands of ``tables``: the same on each."""
        simulator = cls.__new__(cls)
        simulator._use(tables, seed)
        return simulator

    def _use(self, tables: RuleTables, seed: int) -> None:
        self._tables = tables
        self._opponent = Opponent(tables)
        self._seed = seed

    def fight(self, first: int, count: int, observer: Observer | None = None) -> Results:
        """Return the results of the battles ``first`` .. ``first + count - 1``.

        They are fought together, on each battleland; of more than CHUNK the arrays leave the
        processor's cache.
        """
        numbers = np.arange(first, first + count, dtype=np.uint64)
        several = len(self._tables.lands)
        if several > 1:
            lands = np.repeat(np.arange(several), count)
        else:
            lands = None
        battles = Battles(self._tables, np.tile(numbers, several), self._seed, observer, lands)
        by_land = np.zeros(several, np.int64)
        results = Results(deaths=battles.deaths, losses=battles.losses, wins_by_land=by_land)
        opponent = self._opponent
        for turn in range(1, LAST_TURN + 1):
            battles.turn = turn
            for side in (DEFENDER, ATTACKER):
                if not battles.count:
                    return results
                every = np.arange(battles.count)
                battles.tell("turn", every, side)
                opponent.move(battles, side)
                battles.end_moves(side)
                battles.apply_hazards()
                battles.tell("fight", every)
                opponent.strike(battles, side, 2 * side, ranged=True)
                battles.tell("strikeback", every)
                opponent.strike(battles, 1 - side, 2 * side + 1, ranged=False)
                lost = battles.end_strikeback()
                late = np.asarray(~lost.any(axis=0)) & (turn == LAST_TURN and side == ATTACKER)
                lost[ATTACKER] |= late
                both = lost.all(axis=0)
                results.mutual += int(both.sum())
                won = lost[DEFENDER] & ~both
                results.attacker_wins += int(won.sum())
                lands_won = np.broadcast_to(battles.lands_of(slice(None)), won.shape)[won]
                by_land += np.bincount(lands_won, minlength=several)
                results.defender_wins += int((lost[ATTACKER] & ~both).sum())
                results.time_losses += int(late.sum())
                results.turns += turn * int(lost.any(axis=0).sum())
                battles.tell("end", every, lost, late)
                battles.keep(np.asarray(~lost.any(axis=0)))
        return results


def wins_on(tables: Sequence[RuleTables], first: int, count: int, seed: int = 0) -> list[int]:
    """Return how many of the battles attackers win by each of ``tables`` alike.

    See ``RuleTables.joined``; a battle ends as it does alone.
    """
    step = max(1, CHUNK // count)
    wins = []
    for at in range(0, len(tables), step):
        simulator = Simulator.on_several(RuleTables.joined(tables[at : at + step]), seed)
        wins += simulator.fight(first, count).wins_by_land.tolist()
    return wins
