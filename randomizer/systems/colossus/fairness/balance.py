"""The smallest edits that bring the attacker's shares of wins from all sides near one another.

    for state in balance(battlemap, layer_id):
        print(state.percent, state.proposals)

There are many edits and few battles. So a *board* of the search, a map with some edits, holds
several at once, and a model learns what each does to each share (edit_effects.py). A search has
three parts:

1. It learns. The first boards are made by chance; the next ones are the best combinations by
   effects that are drawn from the model (Thompson sampling).
2. It chooses. The best boards fight on, ever fewer of them ever more battles (successive halving),
   since the estimate of the best of many is too good.
3. It verifies. The shares that are told come from fresh battles.

``battle_record`` fights, and ``board_choice`` chooses the boards.

Battles take long, so a search is told step by step. Its parts are generators (``Steps``): they
yield nothing of use, but yield after the battles of each army, where a new state can be told and
the search be cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.batches.fairness import GOAL, ONE_SIDE, BalanceState, Proposal, Wins, spread
from randomizer.model.hand.targets import why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import BOTTOM
from randomizer.systems.colossus.fairness.battle_record import BattleRecord
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.board_battles import BoardBattles
from randomizer.systems.colossus.fairness.board_choice import BoardChooser
from randomizer.systems.colossus.fairness.edit_effects import Board
from randomizer.systems.colossus.fairness.small_edits import painted, small_edits

Steps = Iterator[None]
"""A part of a search, which does nothing until it is iterated: it yields after each army."""

STANDARD_ARMIES = tuple(army for army, _same in standard_pairs())
"""The armies of the standard battles, each of which fights against its like."""


class Round(NamedTuple):
    """The battles of one round of a search."""

    boards: int
    """The number of boards on which armies fight."""

    armies: int
    """The number of armies that fight: different ones in each round, in turn."""

    repeats: int
    """The number of times that each army fights on each board from each side."""


class Effort(NamedTuple):
    """The effort of a search: how much is fought, and how far it goes."""

    armies: tuple[Army, ...] = STANDARD_ARMIES
    """The armies, each of which fights against its like."""

    max_edits: int = 3
    """The most edits of a proposal: more are harder to understand."""

    learning_rounds: tuple[Round, ...] = (Round(boards=60, armies=2, repeats=5),) * 5
    """The rounds that learn what each edit does."""

    choosing_rounds: tuple[Round, ...] = (
        Round(boards=24, armies=10, repeats=4),
        Round(boards=24, armies=10, repeats=4),
        Round(boards=12, armies=10, repeats=12),
        Round(boards=6, armies=10, repeats=35),
    )
    """The rounds that choose boards.

    The first ``_ROUNDS_AMONG_ALL`` choose among all boards, later ones among those of the round
    before. With a half or two thirds of the battles of learning and choosing a search is hardly
    shorter: the boards are chosen worse, and more of them are verified in vain. (Tried on synthetic
    maps: of 16 the goal was reached on 9 to 13 instead of 15.)
    """

    verifying_passes: tuple[int, ...] = (30, 70)
    """Fresh battles of each army from each side, for the shares that are told, pass after pass.

    After each pass a board is given up that will hardly reach the goal.
    """

    max_verified_boards: int = 4
    """The most boards that are verified, each by all of ``verifying_passes``."""

    @property
    def battle_count(self) -> int:
        """The number of battles from each side in one search, if all are fought."""
        battles_of_board = sum(self.verifying_passes) * len(self.armies)
        count = self.max_verified_boards * battles_of_board
        for round_ in self.learning_rounds + self.choosing_rounds:
            count += round_.boards * round_.armies * round_.repeats
        return count


EFFORT = Effort()
"""The effort of each search."""

_BATTLE_NUMBERS_PER_ROUND = 1000
"""Battles are numbered, and their number decides their dice: each round begins so many further on.

It is more than any ``Round.repeats``, so that no two rounds fight the same battles.
"""

_ROUNDS_AMONG_ALL = 2
"""The rounds of choosing that begin with the best of all boards; later ones go on with the last.

With more of them boards that the model learns to be good still come in late.
"""


def balance(
    battlemap: BattleMap, layer_id: int, *, plains: bool = False, seed: int = 0
) -> Iterator[BalanceState]:
    """Yield what is known so far; see ``FairnessModel.balance``."""
    if why := why_not(battlemap, layer_id):
        raise error("not-painted", why)
    return _Balancing(battlemap, layer_id, compares_with_plains=plains, seed=seed).run()


class _Balancing:
    """The balancing of one map: made, ``run`` once, and then of no use any more.

    One search tries the map's own hazards; if these do not suffice, a second one tries new hazards,
    too.
    """

    def __init__(
        self, battlemap: BattleMap, layer_id: int, *, compares_with_plains: bool, seed: int
    ) -> None:
        """``compares_with_plains``: the shares are to be near that of battles on Plains, too."""
        self._map = battlemap.snapshot()
        self._layer = layer_id
        self._compares_with_plains = compares_with_plains
        self._effort = EFFORT
        self._random = np.random.default_rng(seed)

        composite = self._map.composite()
        has_start_list = bool(Battleland.of(composite).start)
        if has_start_list and not compares_with_plains:
            message = "Onto a start list attackers come from the bottom only: compare with Plains."
            raise error(ONE_SIDE, message)
        sides: tuple[int, ...] = (BOTTOM,)
        if not has_start_list:
            sides = tuple(attack.attacker for attack in ATTACKS)
        self._record = BattleRecord(composite, BoardBattles(self._effort.armies, sides, seed))
        """The battles so far."""
        self._rounds_fought = 0
        """The number of rounds of learning and choosing so far, in both searches."""
        self._best_chosen_board: Board | None = None
        """The best board of the last round of choosing; None before the first one."""

    def run(self) -> Iterator[BalanceState]:
        """Yield what is known after each step; the last state has 100 percent."""
        for _ in self._steps():
            yield self._state(self._best_chosen_board)
        last_state = self._state(None)._replace(percent=100)
        if not self._compares_with_plains and self._is_balanced():
            # Sides that are equally bad are balanced, too: open ground tells whether they are.
            for _ in self._record.fight_on_plains(sum(self._effort.verifying_passes)):
                yield self._state(None)
            wins_on_plains = self._record.wins_on_plains
            assert wins_on_plains is not None, "armies have fought there"
            last_state = last_state._replace(share_on_plains=wins_on_plains.chance)
        yield last_state

    # --- the searches -----------------------------------------------------------------------

    def _steps(self) -> Steps:
        """Search until the map is balanced, or all kinds of edits were tried."""
        if self._compares_with_plains:
            yield from self._record.fight_on_plains(sum(self._effort.verifying_passes))
        yield from self._record.verify((), self._effort.verifying_passes, may_stop=False)
        # New hazards only where the map's own do not suffice.
        for uses_new_hazards in (False, True):
            further_edits = small_edits(self._map, self._layer, uses_new_hazards=uses_new_hazards)
            if further_edits and not self._is_balanced():
                self._record.edits += further_edits
                yield from self._search()

    def _is_balanced(self) -> bool:
        """Return whether the map as it is, or with verified edits, has reached the goal."""
        return any(spread(wins) <= GOAL for wins in self._record.verified_wins.values())

    def _search(self) -> Steps:
        """Learn from boards, choose some, and verify the best."""
        share_on_plains = None
        if self._record.wins_on_plains is not None:
            share_on_plains = self._record.wins_on_plains.chance
        chooser = BoardChooser(
            self._record.edits,
            max_edits=self._effort.max_edits,
            random=self._random,
            share_on_plains=share_on_plains,
        )
        yield from self._learn_effects(chooser)
        boards: list[Board] = []
        for index, round_ in enumerate(self._effort.choosing_rounds):
            if index < _ROUNDS_AMONG_ALL:
                boards = self._candidates(chooser, round_.boards)
            boards = self._ranked(chooser, boards)[: round_.boards]
            yield from self._fight(boards, round_)
            self._best_chosen_board = self._ranked(chooser, boards)[0]
        yield from self._verify_best(chooser, boards)

    def _learn_effects(self, chooser: BoardChooser) -> Steps:
        """Learn what each edit does."""
        for round_ in self._effort.learning_rounds:
            is_nothing_learned = self._rounds_fought == 0
            if is_nothing_learned:
                boards = chooser.random_boards(round_.boards)
            else:
                boards = chooser.drawn_boards(self._record.effects(), round_.boards)
            yield from self._fight(boards, round_)

    def _candidates(self, chooser: BoardChooser, count: int) -> list[Board]:
        """Return the boards that have been tried or are the best by the model, none verified.

        ``count`` is how many of each number of edits come from the model.
        """
        candidates = set(chooser.best_boards(self._record.effects(), count))
        for trial in self._record.trials:
            if 0 < len(trial.board) <= self._effort.max_edits:
                candidates.add(trial.board)
        return sorted(candidates - self._record.verified_wins.keys())

    def _ranked(self, chooser: BoardChooser, boards: Sequence[Board]) -> list[Board]:
        """Return boards by all battles so far, the best first."""
        return chooser.ranked(boards, self._record.effects(), self._record.trials)

    def _fight(self, boards: Sequence[Board], round_: Round) -> Steps:
        """Fight a round on these boards: the same battles on each."""
        first_army = self._rounds_fought * round_.armies
        armies = []
        for number in range(first_army, first_army + round_.armies):
            armies.append(number % self._record.army_count)
        first_battle = _BATTLE_NUMBERS_PER_ROUND * self._rounds_fought
        numbers = range(first_battle, first_battle + round_.repeats)
        yield from self._record.learn(boards, armies, numbers)
        self._rounds_fought += 1

    def _verify_best(self, chooser: BoardChooser, boards: list[Board]) -> Steps:
        """Verify the best of these boards, and the next one if it has not reached the goal."""
        boards = list(boards)
        for _number in range(min(self._effort.max_verified_boards, len(boards))):
            board = self._ranked(chooser, boards)[0]
            boards.remove(board)
            yield from self._record.verify(board, self._effort.verifying_passes, may_stop=True)
            if self._is_balanced():
                return

    # --- what is known ----------------------------------------------------------------------

    def _state(self, unverified_board: Board | None) -> BalanceState:
        """Return what is known so far.

        ``unverified_board`` is proposed as long as no verified board does better than the map; None
        to propose verified boards only.
        """
        wins_on_map = self._record.verified_wins.get((), ())
        proposals = self._verified_proposals(wins_on_map)
        if not proposals and unverified_board is not None:
            wins = self._record.wins_so_far(unverified_board)
            proposals.append(self._proposal(unverified_board, wins))
        return BalanceState(self._percent(), wins_on_map, tuple(proposals))

    def _verified_proposals(self, wins_on_map: Wins) -> list[Proposal]:
        """Return the verified boards that do better than the map, and than those of fewer edits."""
        # Few edits first, and of as many edits the best board first.
        order = []
        for board, wins in self._record.verified_wins.items():
            order.append((len(board), spread(wins), board))
        order.sort()

        min_spread = 1.0
        if wins_on_map:
            min_spread = spread(wins_on_map)
        proposals = []
        for _edit_count, spread_of_board, board in order:
            if spread_of_board < min_spread:
                proposals.append(self._proposal(board, self._record.verified_wins[board]))
                min_spread = spread_of_board
        return proposals

    def _percent(self) -> int:
        """Return the progress, 1 to 99, by the number of battles."""
        # Both kinds of edits may be searched, so one search is half of the work.
        battles = self._record.battles
        percent = 50 * battles.count // (len(battles.sides) * self._effort.battle_count)
        return max(1, min(99, percent))

    def _proposal(self, board: Board, wins: Wins) -> Proposal:
        """Return a board as a proposal with these wins."""
        edits = [self._record.edits[index] for index in board]
        edit = painted(self._map, self._layer, edits)
        assert edit is not None, "each edit changes what is shown"
        cells: list[int] = []
        for small_edit in edits:
            cells += small_edit.cells
        texts = tuple(small_edit.text for small_edit in edits)
        return Proposal(texts, edit, tuple(cells), wins)
