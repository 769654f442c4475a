"""The battles of a search for balancing edits, and all wins so far.

    record = BattleRecord(composite, BoardBattles(armies, sides, seed))
    record.edits += small_edits(battlemap, layer_id)
    for _ in record.learn([(3, 7), (5,)], [0, 1], range(5)):
        ...                                 # the wins of one army more are in ``record.trials``
    record.wins_so_far((3, 7))

Its methods that fight are generators: they do nothing until they are iterated, and yield nothing of
use, but let the search tell its state after each army.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np

from randomizer.batches.fairness import GOAL, Wins, WinsOfAttack, spread
from randomizer.model.basics.rarity import Rarity
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import ENTRY_SIDES
from randomizer.systems.colossus.fairness.board_battles import BoardBattles, DrawKind
from randomizer.systems.colossus.fairness.edit_effects import (
    BATTLE_VARIANCE,
    Board,
    Counts,
    EditEffects,
    Trial,
    effects_by,
)
from randomizer.systems.colossus.fairness.small_edits import SmallEdit, with_edits

HOPELESS_DEVIATIONS = 2.5
"""A verification stops if luck of so many standard deviations would not bring it to the goal.

If it is smaller, more boards are given up, and more of them wrongly.
"""


class BattleRecord:
    """The battles on boards, which are maps with some of ``edits``."""

    def __init__(self, composite: Composite, battles: BoardBattles) -> None:
        self.battles = battles
        """The battles; ``battles.count`` is how many were fought."""
        self.edits: list[SmallEdit] = []
        """The edits that are tried, which boards give by index."""
        self.trials: list[Trial] = []
        """The battles so far, on all boards."""
        self.verified_wins: dict[Board, Wins] = {}
        """The wins of fresh battles on the boards that were verified, in the order of that."""
        self.wins_on_plains: Rarity | None = None
        """The wins on open ground; None if nobody has fought there."""
        self._composite = composite

    @property
    def army_count(self) -> int:
        """The number of armies."""
        return len(self.battles.armies)

    def learn(
        self, boards: Sequence[Board], armies: Sequence[int], numbers: range
    ) -> Iterator[None]:
        """Fight the battles ``numbers`` of some armies on each board."""
        for army, wins in self.battles.fight(
            self._lands(boards), armies, numbers, DrawKind.LEARNING
        ):
            for board, wins_on_board in zip(boards, wins, strict=True):
                self.trials.append(Trial(board, army, wins_on_board, len(numbers)))
            yield

    def verify(self, board: Board, passes: Sequence[int], *, may_stop: bool) -> Iterator[None]:
        """Fight fresh battles of all armies on a board, for ``verified_wins``.

        ``passes``, one at least, are the numbers of battles of each army from each side. With
        ``may_stop`` the last ones are left out if the board will hardly reach the goal.
        """
        # To stop early on good luck would bias the reported shares upwards, so a verification
        # stops early only on bad results. Whatever reaches the goal has fought all the battles
        # that were planned.
        total_wins = np.zeros(len(self.battles.sides), np.int64)
        fought = 0
        planned = sum(passes)
        for battle_count in passes:
            numbers = range(fought, fought + battle_count)
            for army, wins in self.battles.fight(
                self._lands([board]), range(self.army_count), numbers, DrawKind.VERIFYING
            ):
                self.trials.append(Trial(board, army, wins[0], len(numbers)))
                total_wins += wins[0]
                yield
            fought += battle_count
            wins_so_far = self._wins(total_wins, fought * self.army_count)
            if may_stop and _is_hopeless(wins_so_far, fought / planned):
                break
        self.verified_wins[board] = wins_so_far

    def fight_on_plains(self, battle_count: int) -> Iterator[None]:
        """Let each army fight on open ground, where the board is the same from all sides."""
        total_wins = 0
        numbers = range(battle_count)
        one_side = self.battles.sides[:1]
        for _army, wins in self.battles.fight(
            [Battleland()], range(self.army_count), numbers, DrawKind.VERIFYING, one_side
        ):
            total_wins += int(wins[0, 0])
            yield
        self.wins_on_plains = Rarity(total_wins, battle_count * self.army_count)

    def _lands(self, boards: Sequence[Board]) -> list[Battleland]:
        """Return the battlelands with the edits of boards."""
        lands = []
        for board in boards:
            edits = [self.edits[index] for index in board]
            lands.append(Battleland.of(with_edits(self._composite, edits)))
        return lands

    def wins_so_far(self, board: Board) -> Wins:
        """Return the wins of all battles on a board so far, on which someone must have fought."""
        trials = [trial for trial in self.trials if trial.board == board]
        wins = np.sum([trial.wins for trial in trials], axis=0)
        battles = sum(trial.battles for trial in trials)
        return self._wins(wins, battles)

    def _wins(self, wins: Counts, battles: int) -> Wins:
        """Return the wins from each side (sides,) of so many battles by the sides' names.

        If armies have fought on open ground before, their wins there are the last ones.
        """
        shares = []
        for side, wins_from_side in zip(self.battles.sides, wins.tolist(), strict=True):
            name = ENTRY_SIDES[side][0]
            shares.append(WinsOfAttack(name, Rarity(wins_from_side, battles)))
        if self.wins_on_plains is not None:
            shares.append(WinsOfAttack("Plains", self.wins_on_plains))
        return tuple(shares)

    def effects(self) -> EditEffects:
        """Return what all battles so far tell of the edits."""
        return effects_by(self.trials, self.army_count, len(self.edits))


def _is_hopeless(wins: Wins, share_of_battles: float) -> bool:
    """Return whether a board will hardly reach the goal after all planned battles.

    ``wins`` are those of ``share_of_battles`` of these, above 0 to 1.
    """
    # Variances, where v is that of one battle, after n of N planned battles:
    #
    #     the share of wins so far                               v / n
    #     how far it may still move until all N are fought       v / n * (1 - n / N)
    #     how far the difference of two sides may still move     twice that
    battles = wins[0].wins.tried
    remaining_variance = 2 * BATTLE_VARIANCE / battles * (1 - share_of_battles)
    return spread(wins) - HOPELESS_DEVIATIONS * sqrt(remaining_variance) > GOAL
