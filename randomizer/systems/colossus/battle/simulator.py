"""Fights many battles of two armies on a battleland, and counts their results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.battle import LAST_TURN
from randomizer.systems.colossus.battle.battleland import Battleland
from randomizer.systems.colossus.battle.many_battles import Battles, Log
from randomizer.systems.colossus.battle.opponent import Opponent
from randomizer.systems.colossus.battle.rule_tables import SIZE, RuleTables

CHUNK = 1000
"""Battles that are fought together: enough for numpy, and few enough for the cache."""

ATTACKER, DEFENDER = 0, 1


@dataclass
class Results:
    """Results of battles. Arrays with two rows hold the attacker's and the defender's."""

    attacker_wins: int = 0
    defender_wins: int = 0
    mutual: int = 0
    time_losses: int = 0
    turns: int = 0
    losses: list[int] = field(default_factory=lambda: [0, 0])
    deaths: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, SIZE), np.int64))

    @property
    def battles(self) -> int:
        """The number of battles that have ended."""
        return self.attacker_wins + self.defender_wins + self.mutual


def fight(
    land: Battleland,
    attacker: Army,
    defender: Army,
    entry_side: int,
    count: int,
    seed: int,
    log: Log | None = None,
) -> Iterator[Results]:
    """Fight ``count`` battles; yield the results so far, after some of them and at the end."""
    tables = RuleTables(land, attacker, defender, entry_side)
    opponent = Opponent(tables)
    results = Results()
    for first in range(0, count, CHUNK):
        numbers = np.arange(first, min(count, first + CHUNK), dtype=np.uint64)
        _fight(Battles(tables, numbers, seed, log), opponent, results)
        yield results


def _fight(battles: Battles, opponent: Opponent, results: Results) -> None:
    """Fight battles to their end, and add their results."""
    for turn in range(1, LAST_TURN + 1):
        battles.turn = turn
        battles.log(lambda _battle, turn=turn: f"T {turn}")
        for side in (DEFENDER, ATTACKER):
            letter = "AD"[side]
            battles.log(lambda _battle, letter=letter: f"P {letter} Move")
            opponent.move(battles, side)
            battles.end_moves(side)
            battles.log(lambda _battle, letter=letter: f"P {letter} Fight")
            battles.apply_hazards()
            opponent.strike(battles, side, 2 * side, ranged=True)
            battles.log(lambda _battle, letter=letter: f"P {letter} Strikeback")
            opponent.strike(battles, 1 - side, 2 * side + 1, ranged=False)
            lost = battles.end_strikeback()
            late = (turn == LAST_TURN and side == ATTACKER) & ~lost.any(axis=0)
            lost[ATTACKER] |= late
            ended = lost.any(axis=0)
            if not ended.any():
                continue
            results.mutual += int(lost.all(axis=0).sum())
            results.attacker_wins += int((lost[DEFENDER] & ~lost[ATTACKER]).sum())
            results.defender_wins += int((lost[ATTACKER] & ~lost[DEFENDER]).sum())
            results.time_losses += int(late.sum())
            results.turns += turn * int(ended.sum())
            for index in (ATTACKER, DEFENDER):
                results.losses[index] += int(battles.losses[index, ended].sum())
            battles.log_ends(ended, lost, late)
            battles.keep(~ended)
            if not battles.count:
                results.deaths += battles.deaths
                return
    raise AssertionError("a battle goes on after its last turn")
