"""Fights many battles of two armies on a battleland, and counts their results.

    land = Battleland.of(battlemap.composite())
    simulator = Simulator(RuleTables.of(land, attacker, defender, entry_side=1), seed=7)
    results = simulator.fight(first=0, count=200)
    results.attacker_wins / results.battles

The battles of a seed are numbered, and each is the same whenever it is fought: ``fight(0, 200)``
adds up to the same as ``fight(0, 100)`` and ``fight(100, 100)``. ``many_battles`` and
``strike_phase`` have the rules, ``opponent`` the decisions of both sides; ``Simulator.fight`` is
the place to begin reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.battle import LAST_TURN
from randomizer.systems.colossus.battle.many_battles import (
    ATTACKER,
    DEFENDER,
    Battles,
    Event,
    Observer,
)
from randomizer.systems.colossus.battle.opponent import Opponent
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.rules_by_land import SIZE, Flags

_FIRST_PHASE = {ATTACKER: 0, DEFENDER: 2}
"""The first of two phases of strikes in a side's half of the turn; each has dice of its own."""

CHUNK = 1000
"""Battles that are best fought together: enough for numpy, and few enough for the cache."""


@dataclass
class Results:
    """Results of battles, which add up."""

    attacker_wins: int = 0

    defender_wins: int = 0

    mutual: int = 0
    """Battles that both sides lost at once."""

    time_losses: int = 0
    """The number of the defender's wins by the turn limit; there the attacker's creatures live."""

    fled: int = 0
    """Battles that the game ended before the first move; no other field counts them.

    Always 0 in the simulator's own battles.
    """

    turns: int = 0
    """The number of turns of all battles."""

    deaths: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, SIZE), np.int64))
    """(2, SIZE): the attacker's and the defender's dead on each hex.

    The last column counts those who never entered.
    """

    losses: Counter[tuple[int, str]] = field(default_factory=Counter)
    """The number of dead by side and name."""

    wins_by_land: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    """(lands,): the attacker's wins on each battleland of the simulator."""

    @property
    def battles(self) -> int:
        """The number of battles."""
        return self.attacker_wins + self.defender_wins + self.mutual

    def add(self, results: Results) -> None:
        """Add the results of other battles, which were fought on the same battlelands."""
        # All fields are numbers, arrays or counters, which can be added.
        for name, value in vars(results).items():
            setattr(self, name, getattr(self, name) + value)


class Simulator:
    """The battles of a seed between two armies, each fought on all battlelands of ``tables``."""

    def __init__(self, tables: RuleTables, seed: int = 0) -> None:
        self._tables = tables
        self._opponent = Opponent(tables)
        self._seed = seed

    def fight(self, first: int, count: int, observer: Observer | None = None) -> Results:
        """Return the results of the battles ``first`` .. ``first + count - 1``.

        They are fought together, on each battleland. With more than CHUNK of them the arrays
        outgrow the processor's cache, which makes each battle slower. ``observer`` is told of each
        step.
        """
        numbers = np.arange(first, first + count, dtype=np.uint64)
        land_count = len(self._tables.lands)
        lands = None
        if land_count > 1:
            # All numbers on the first battleland, then all on the second, and so on.
            lands = np.repeat(np.arange(land_count), count)
        battles = Battles(
            self._tables,
            np.tile(numbers, land_count),
            self._seed,
            observer=observer,
            lands=lands,
        )
        # The battles go on counting in these two until the end.
        results = Results(
            deaths=battles.deaths,
            losses=battles.losses,
            wins_by_land=np.zeros(land_count, np.int64),
        )
        for turn in range(1, LAST_TURN + 1):
            battles.turn = turn
            for side in (DEFENDER, ATTACKER):
                if not battles.count:
                    return results
                self._fight_turn_of(side, battles)

                # A battle ends when a side has lost; an attacker that has not won in time has lost.
                lost = battles.finish_half_turn()
                is_time_up = turn == LAST_TURN and side == ATTACKER
                late = np.asarray(~lost.any(axis=0)) & is_time_up
                lost[ATTACKER] |= late
                _add_ended_battles(results, battles, lost, late)
                battles.tell(Event.END, np.arange(battles.count), lost, late)

                # The others go on.
                goes_on = np.asarray(~lost.any(axis=0))
                battles.keep_only(goes_on)
        return results

    def _fight_turn_of(self, side: int, battles: Battles) -> None:
        """Let a side move and strike, and the other one strike back, in all battles."""
        every_battle = np.arange(battles.count)
        strike_phase = _FIRST_PHASE[side]
        battles.tell(Event.TURN, every_battle, side)
        self._opponent.move(battles, side)
        battles.kill_unentered(side)
        battles.apply_hazards()
        battles.tell(Event.FIGHT, every_battle)
        self._opponent.strike(battles, side, strike_phase, ranged=True)
        battles.tell(Event.STRIKEBACK, every_battle)
        self._opponent.strike(battles, 1 - side, strike_phase + 1, ranged=False)


def _add_ended_battles(results: Results, battles: Battles, lost: Flags, late: Flags) -> None:
    """Add the battles that end in this half of a turn to the results.

    ``lost`` (2, n) tells which sides have lost each battle, ``late`` (n,) where the time was up.
    """
    both_lost = lost.all(axis=0)
    has_attacker_won = lost[DEFENDER] & ~both_lost
    lands = np.broadcast_to(battles.lands_of(slice(None)), has_attacker_won.shape)
    results.mutual += int(both_lost.sum())
    results.attacker_wins += int(has_attacker_won.sum())
    results.defender_wins += int((lost[ATTACKER] & ~both_lost).sum())
    results.time_losses += int(late.sum())
    results.turns += battles.turn * int(lost.any(axis=0).sum())
    results.wins_by_land += np.bincount(
        lands[has_attacker_won], minlength=len(results.wins_by_land)
    )


def wins_on(tables: Sequence[RuleTables], first: int, count: int, seed: int = 0) -> list[int]:
    """Return how many of ``count`` battles, 1 at least, the attackers win, for each of ``tables``.

    So many tables are joined (see ``RuleTables.joined``) that about CHUNK battles are fought
    together, which is faster; each battle ends as it would alone.
    """
    tables_at_once = max(1, CHUNK // count)
    wins = []
    for start in range(0, len(tables), tables_at_once):
        joined_tables = RuleTables.joined(tables[start : start + tables_at_once])
        simulator = Simulator(joined_tables, seed)
        wins += simulator.fight(first, count).wins_by_land.tolist()
    return wins
