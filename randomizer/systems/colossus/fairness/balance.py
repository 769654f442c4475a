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
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.batches.fairness import GOAL, BalanceState, Proposal, Wins, WinsOfAttack, spread
from randomizer.model.basics.rarity import Rarity
from randomizer.model.hand.targets import why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import BOTTOM, ENTRY_SIDES
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.board_battles import BoardBattles, DrawKind
from randomizer.systems.colossus.fairness.edit_effects import (
    Board,
    Counts,
    EditEffects,
    Numbers,
    Trial,
    effects_by,
)
from randomizer.systems.colossus.fairness.small_edits import (
    SmallEdit,
    painted,
    small_edits,
    with_edits,
)

FIRST_EDITS = 4
"""The boards of the first round hold so many edits by chance.

With more of them, each battle tells of more edits, but less of each.
"""

STANDARD_ARMIES = tuple(army for army, _same in standard_pairs())


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

    learning: tuple[Round, ...] = (Round(boards=60, armies=2, repeats=5),) * 5
    """The rounds that learn what each edit does."""

    choosing: tuple[Round, ...] = (
        Round(boards=24, armies=10, repeats=4),
        Round(boards=24, armies=10, repeats=4),
        Round(boards=12, armies=10, repeats=12),
        Round(boards=6, armies=10, repeats=35),
    )
    """The rounds that choose boards.

    The first ``_ROUNDS_AMONG_ALL`` choose among all boards, later ones among those of the round
    before.
    """

    battles_to_verify: int = 100
    """Fresh battles of each army from each side, for the shares that are told."""

    max_verified_boards: int = 4
    """On how many boards these are fought at most."""


EFFORT = Effort()

# The order of boards: shares near one another, few edits, few changes.

NEAR_ENOUGH = 0.03
"""Shares that are so near one another are near enough: nearer ones hardly count any more.

If it is larger, proposals have fewer edits, and leave the sides farther apart.
"""

_PARTS_OF_NEARNESS = 10
"""Where two boards are near enough, the difference between them counts so many times less.

If it is smaller, a nearer board is worth more edits.
"""

COST_OF_EDIT = 0.01
"""A board with one edit more must bring the shares so much nearer to one another.

If it is larger, proposals have fewer edits.
"""

COST_OF_CHANGE = 0.002
"""The same for one hex or hexside more that changes."""

# The search.

_BATTLES_OF_ROUND = 1000
"""The numbers of battles that each round may use, so that no two rounds fight the same ones."""

_ROUNDS_AMONG_ALL = 2
"""The rounds of choosing that begin with the best of all boards; later ones go on with the last.

With more of them boards that the model learns to be good still come in late.
"""

_BEAM = 4
"""The boards of each number of edits from which larger ones are made, for a drawn board.

With more of them the best combination is missed less often, and each board takes longer.
"""


def balance(
    battlemap: BattleMap, layer_id: int, *, plains: bool = False, seed: int = 0
) -> Iterator[BalanceState]:
    """Yield what is known so far; see ``FairnessModel.balance``."""
    if why := why_not(battlemap, layer_id):
        raise error("not-painted", why)
    return _Search(battlemap, layer_id, plains, seed).run()


class _Search:
    """A search for edits on one map: the battles fought so far, and the boards found by them."""

    def __init__(self, battlemap: BattleMap, layer_id: int, plains: bool, seed: int) -> None:
        self._map = battlemap.snapshot()
        self._layer = layer_id
        self._composite = self._map.composite()
        self._plains = plains
        """True if the shares are to be near that of battles on Plains, too."""
        self._effort = EFFORT
        self._random = np.random.default_rng(seed)

        start = Battleland.of(self._composite).start
        if start and not plains:
            message = "onto a start list attackers come from the bottom only: compare with Plains"
            raise error("one-side", message)
        sides: tuple[int, ...] = (BOTTOM,)
        if not start:
            sides = tuple(attack.attacker for attack in ATTACKS)
        self._battles = BoardBattles(self._effort.armies, sides, seed)

        self._edits: list[SmallEdit] = []
        """The edits that are tried, which boards give by index."""
        self._are_disjoint = np.zeros((0, 0), np.bool_)
        """(edits, edits): whether two edits touch no cell in common."""
        self._trials: list[Trial] = []
        """The battles so far, on all boards."""
        self._wins_on_plains = Rarity(0, 0)
        self._wins_on_map: Wins = ()
        """The verified wins on the map as it is; () before they are known."""
        self._proposals: dict[Board, Proposal] = {}
        """The boards whose wins are verified."""
        self._likely: list[Proposal] = []
        """The best board before one is verified."""
        self._rounds = 0
        """The number of rounds of learning and choosing so far."""

    def run(self) -> Iterator[BalanceState]:
        """Yield what is known after each batch of battles; the last state has 100 percent."""
        if self._plains:
            yield from self._fight_on_plains()
        self._wins_on_map = yield from self._verify(())
        # New hazards only where the map's own do not suffice.
        for uses_new_hazards in (False, True):
            further_edits = small_edits(self._map, self._layer, uses_new_hazards=uses_new_hazards)
            if further_edits and not self._is_balanced():
                self._edits += further_edits
                yield from self._search()
        self._likely = []
        last_state = self._state()._replace(percent=100)
        if not self._plains and self._is_balanced():
            # Sides that are equally bad are balanced, too: open ground tells whether they are.
            yield from self._fight_on_plains()
            last_state = last_state._replace(share_on_plains=self._wins_on_plains.chance)
        yield last_state

    def _fight_on_plains(self) -> Iterator[BalanceState]:
        """Fight on open ground, where the board is the same from all sides."""
        wins = 0
        armies = range(len(self._effort.armies))
        numbers = range(self._effort.battles_to_verify)
        one_side = self._battles.sides[:1]
        for army_wins in self._battles.fight(
            [Battleland()], armies, numbers, DrawKind.VERIFYING, one_side
        ):
            wins += int(army_wins.wins[0, 0])
            yield self._state()
        self._wins_on_plains = Rarity(wins, len(numbers) * len(armies))

    def _is_balanced(self) -> bool:
        """Return whether the map as it is, or a proposal, has reached the goal."""
        if spread(self._wins_on_map) <= GOAL:
            return True
        return any(spread(proposal.wins) <= GOAL for proposal in self._proposals.values())

    def _search(self) -> Iterator[BalanceState]:
        """Learn from boards, choose some, and verify the best."""
        touched_cells = [edit.touched for edit in self._edits]
        rows = []
        for cells in touched_cells:
            rows.append([cells.isdisjoint(other_cells) for other_cells in touched_cells])
        self._are_disjoint = np.array(rows)

        # 1. Learn what each edit does.
        for round_ in self._effort.learning:
            yield from self._learn(self._drawn(round_.boards), round_)

        # 2. Choose: of ever fewer boards the best by ever more battles.
        boards: list[Board] = []
        for index, round_ in enumerate(self._effort.choosing):
            if index < _ROUNDS_AMONG_ALL:
                boards = self._pool(round_.boards)
            boards = self._ranked(boards)[: round_.boards]
            yield from self._learn(boards, round_)
            self._likely = []
            for board in self._ranked(boards)[:1]:
                self._likely.append(self._proposal(board, self._wins_so_far(board)))

        # 3. Verify the best one, and the next if that has not reached the goal.
        for _number in range(min(self._effort.max_verified_boards, len(boards))):
            board = self._ranked(boards)[0]
            boards.remove(board)
            wins = yield from self._verify(board)
            self._proposals[board] = self._proposal(board, wins)
            if self._is_balanced():
                break

    # --- battles ----------------------------------------------------------------------------

    def _learn(self, boards: Sequence[Board], round_: Round) -> Iterator[BalanceState]:
        """Fight a round on these boards: the same battles on each."""
        army_count = len(self._effort.armies)
        first_army = self._rounds * round_.armies
        armies = [number % army_count for number in range(first_army, first_army + round_.armies)]
        first_battle = _BATTLES_OF_ROUND * self._rounds
        numbers = range(first_battle, first_battle + round_.repeats)
        for army, wins in self._battles.fight(
            self._lands(boards), armies, numbers, DrawKind.LEARNING
        ):
            for board, wins_on_board in zip(boards, wins, strict=True):
                self._trials.append(Trial(board, army, wins_on_board, round_.repeats))
            yield self._state()
        self._rounds += 1

    def _verify(self, board: Board) -> Generator[BalanceState, None, Wins]:
        """Fight fresh battles on a board; return the wins from each side."""
        total_wins = np.zeros(len(self._battles.sides), np.int64)
        numbers = range(self._effort.battles_to_verify)
        armies = range(len(self._effort.armies))
        for army, wins in self._battles.fight(
            self._lands([board]), armies, numbers, DrawKind.VERIFYING
        ):
            self._trials.append(Trial(board, army, wins[0], len(numbers)))
            total_wins += wins[0]
            yield self._state()
        return self._wins(total_wins, len(numbers) * len(armies))

    def _lands(self, boards: Sequence[Board]) -> list[Battleland]:
        """Return the battlelands with the edits of boards."""
        lands = []
        for board in boards:
            edits = [self._edits[index] for index in board]
            lands.append(Battleland.of(with_edits(self._composite, edits)))
        return lands

    def _wins(self, wins: Counts, battles: int) -> Wins:
        """Return the wins from each side (sides,) of so many battles by the sides' names."""
        shares = []
        for side, wins_from_side in zip(self._battles.sides, wins.tolist(), strict=True):
            name = ENTRY_SIDES[side][0]
            shares.append(WinsOfAttack(name, Rarity(wins_from_side, battles)))
        if self._plains:
            shares.append(WinsOfAttack("Plains", self._wins_on_plains))
        return tuple(shares)

    # --- what is known ----------------------------------------------------------------------

    def _state(self) -> BalanceState:
        """Return what is known so far: of the proposals, those that do better by more edits."""
        proposals = []
        min_spread = 1.0
        if self._wins_on_map:
            min_spread = spread(self._wins_on_map)
        for proposal in sorted(self._proposals.values(), key=lambda proposal: len(proposal.texts)):
            if spread(proposal.wins) < min_spread:
                proposals.append(proposal)
                min_spread = spread(proposal.wins)

        # Both kinds of edits may be searched, so one search is half of the work.
        effort = self._effort
        battles_of_search = (
            effort.max_verified_boards * effort.battles_to_verify * len(effort.armies)
        )
        for round_ in effort.learning + effort.choosing:
            battles_of_search += round_.boards * round_.armies * round_.repeats
        percent = 50 * self._battles.count // (len(self._battles.sides) * battles_of_search)
        listed = tuple(proposals or self._likely)
        return BalanceState(max(1, min(99, percent)), self._wins_on_map, listed)

    def _proposal(self, board: Board, wins: Wins) -> Proposal:
        """Return a board as a proposal with these wins."""
        edits = [self._edits[index] for index in board]
        edit = painted(self._map, self._layer, edits)
        assert edit is not None, "each edit changes what is shown"
        cells: list[int] = []
        for small_edit in edits:
            cells += small_edit.cells
        texts = tuple(small_edit.text for small_edit in edits)
        return Proposal(texts, edit, tuple(cells), wins)

    def _wins_so_far(self, board: Board) -> Wins:
        """Return the wins of all battles on a board so far."""
        trials = [trial for trial in self._trials if trial.board == board]
        wins = np.sum([trial.wins for trial in trials], axis=0)
        battles = sum(trial.battles for trial in trials)
        return self._wins(wins, battles)

    def _effects(self) -> EditEffects:
        """Return what all battles so far tell of the edits."""
        return effects_by(self._trials, len(self._effort.armies), len(self._edits))

    # --- boards -----------------------------------------------------------------------------

    def _score(self, shares: Numbers, boards: Sequence[Board]) -> Numbers:
        """Return how far apart shares (boards, sides) are, plus a little for large edits."""
        if self._plains:
            share_on_plains = np.full((len(shares), 1), self._wins_on_plains.chance)
            shares = np.concatenate([shares, share_on_plains], axis=1)
        sizes = [sum(len(self._edits[index].changes) for index in board) for board in boards]
        return np.asarray(np.ptp(shares.clip(0, 1), axis=1) + COST_OF_CHANGE * np.array(sizes))

    def _combine(self, effects: EditEffects, width: int) -> Iterator[list[Board]]:
        """Yield the best ``width`` boards of one edit by a model, then of two, and so on.

        It is a beam search: boards of two edits are made of the best of one edit.
        """
        boards: list[Board] = [()]
        for _number in range(self._effort.max_edits):
            longer_boards: set[Board] = set()
            for board in boards:
                can_be_added = self._are_disjoint[list(board)].all(axis=0)
                for index in np.flatnonzero(can_be_added).tolist():
                    longer_boards.add(tuple(sorted((*board, index))))
            if not longer_boards:
                return
            candidates = sorted(longer_boards)
            scores = self._score(effects.shares(candidates), candidates)
            order = np.argsort(scores, kind="stable")
            boards = [candidates[number] for number in order[:width].tolist()]
            yield boards

    def _drawn(self, size: int) -> list[Board]:
        """Return boards to learn from: at first by chance, then the best by drawn effects."""
        if self._rounds == 0:
            return list(dict.fromkeys(self._random_board() for _ in range(size)))
        boards = []
        drawn_effects = self._effects().draw(self._random, size)
        for index, effects in enumerate(drawn_effects):
            best_boards = [group[0] for group in self._combine(effects, _BEAM)]
            # In turn the best one of one edit, of two, and so on.
            boards.append(best_boards[index % len(best_boards)])
        return list(dict.fromkeys(boards))

    def _random_board(self) -> Board:
        """Return a board of ``FIRST_EDITS`` edits by chance, no two of which touch the same."""
        board: list[int] = []
        for index in self._random.permutation(len(self._edits)).tolist():
            if len(board) < FIRST_EDITS and self._are_disjoint[index, board].all():
                board.append(index)
        return tuple(sorted(board))

    def _pool(self, width: int) -> list[Board]:
        """Return the boards that have been tried or are the best by the model, none verified."""
        pool: set[Board] = set()
        for trial in self._trials:
            if 0 < len(trial.board) <= self._effort.max_edits:
                pool.add(trial.board)
        for boards in self._combine(self._effects(), width):
            pool.update(boards)
        return sorted(pool - self._proposals.keys())

    def _ranked(self, boards: Sequence[Board]) -> list[Board]:
        """Return boards in order: near shares, and few edits; of those near enough the nearest.

        The order is by this sum, the lowest first; the score is how far apart the shares are::

            max(score, NEAR_ENOUGH) + score / _PARTS_OF_NEARNESS + COST_OF_EDIT * edits
        """
        shares = self._effects().estimated_shares(boards, self._trials)
        scores = self._score(shares, boards)
        edit_counts = np.array([len(board) for board in boards])
        worth = (
            np.maximum(scores, NEAR_ENOUGH)
            + scores / _PARTS_OF_NEARNESS
            + COST_OF_EDIT * edit_counts
        )
        return [boards[index] for index in np.argsort(worth, kind="stable").tolist()]
