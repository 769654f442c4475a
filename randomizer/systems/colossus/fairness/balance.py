"""The smallest edits that bring the attacker's shares of wins from all sides near one another.

    for state in balance(battlemap, layer_id):
        print(state.percent, state.proposals)

There are many edits and few battles, so a board of the search holds several edits at once, and a
linear model learns what each does to each share (Bayesian regression). The next boards are the best
combinations by effects that are drawn from it (Thompson sampling). The best then fight on, ever
fewer of them ever more battles (successive halving), since the estimate of the best of many is too
good. The shares that are told come from fresh battles.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.fairness import GOAL, BalanceState, Proposal, Wins, spread
from randomizer.model.basics.rarity import Rarity
from randomizer.model.hand.targets import why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import wins_on
from randomizer.systems.colossus.battle_terrain import BOTTOM, Battleland
from randomizer.systems.colossus.board import ENTRY_SIDES
from randomizer.systems.colossus.fairness.battles import ATTACKS
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

    armies: int
    """How many armies fight: different ones in each round, in turn."""

    battles: int
    """How often each army fights on each board from each side."""


class Effort(NamedTuple):
    """The effort of a search: how much is fought, and how far it goes."""

    armies: tuple[Army, ...] = STANDARD_ARMIES
    """The armies, each of which fights against its like."""

    most_edits: int = 3
    """The most edits of a proposal: more are harder to understand."""

    learning: tuple[Round, ...] = (Round(60, 2, 5),) * 5
    """The rounds that learn what each edit does."""

    choosing: tuple[Round, ...] = (
        Round(24, 10, 4),
        Round(24, 10, 4),
        Round(12, 10, 12),
        Round(6, 10, 35),
    )
    """The rounds that choose boards: the first two the best of all, later ones of the last round.
    """

    verified: int = 100
    """Fresh battles of each army from each side, for the shares that are told."""

    verifications: int = 4
    """On how many boards these are fought at most."""


EFFORT = Effort()

SAFE = 0.03
"""Shares that are so near one another are near enough: nearer ones hardly count any more."""

EDIT = 0.01
"""So much further apart is as good as one edit more."""

EFFECT = 0.06
"""The standard deviation of an edit's effect on a share."""

REST = 0.06
"""The standard deviation of what the sum of the effects of several edits leaves out."""

VARIANCE = 0.22
"""The variance of a battle, won (1) or not (0)."""

SIZE = 0.002
"""So much further apart is as good as one position more that changes."""

Board = tuple[int, ...]
"""The edits on a board: indices, ascending. () is the map as it is."""

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


_BATTLES_OF_ROUND = 1000
"""The numbers of battles that each round may use, so that no two rounds fight the same ones."""


class _Trial(NamedTuple):
    """The battles of an army on a board."""

    board: Board

    army: int
    """The index of the army."""

    wins: Counts
    """(sides,): how many attackers won from each side."""

    battles: int
    """The number of battles from each side."""


class _Model(NamedTuple):
    """What is known of the effects, as a normal distribution."""

    means: Numbers
    """(armies + edits, sides): the shares of each army on the map as it is, then what edits add."""

    covariance: Numbers
    """(armies + edits, armies + edits): the same for every side."""


def balance(
    battlemap: BattleMap, layer_id: int, *, plains: bool = False, seed: int = 0
) -> Iterator[BalanceState]:
    """Yield what is known so far; see ``FairnessModel.balance``."""
    if why := why_not(battlemap, layer_id):
        raise error("not-painted", why)
    return _Search(battlemap, layer_id, plains, seed).run()


class _Search:
    """A search for edits on one map: the battles fought so far, and what they tell of each edit.

    Shares of wins are from 0 to 1, in the order of ``_sides``.
    """

    def __init__(self, battlemap: BattleMap, layer_id: int, plains: bool, seed: int) -> None:
        self._map = battlemap.snapshot()
        self._layer = layer_id
        self._composite = self._map.composite()
        self._plains = plains
        """Whether the shares are to be near that of battles on Plains, too."""
        self._effort = EFFORT
        self._armies = self._effort.armies
        self._seed = seed
        self._random = np.random.default_rng(seed)

        start = Battleland.of(self._composite).start
        if start and not plains:
            message = "onto a start list attackers come from the bottom only: compare with Plains"
            raise error("one-side", message)
        self._sides: tuple[int, ...] = (BOTTOM,)
        """The sides that attackers come from."""
        if not start:
            self._sides = tuple(attack.attacker for attack in ATTACKS)

        self._edits: list[SmallEdit] = []
        """The edits that are tried, which boards give by index."""
        self._are_disjoint = np.zeros((0, 0), np.bool_)
        """(edits, edits): whether two edits touch no cell in common."""
        self._trials: list[_Trial] = []
        self._wins_on_plains = Rarity(0, 0)
        self._wins_on_map: Wins = ()
        """The verified wins on the map as it is; () before they are known."""
        self._proposals: dict[Board, Proposal] = {}
        """The boards whose wins are verified."""
        self._likely: list[Proposal] = []
        """The best board before one is verified."""
        self._rounds = 0
        self._battles = 0
        """The number of battles so far."""

    def run(self) -> Iterator[BalanceState]:
        """Yield what is known after each batch of battles; the last state has 100 percent."""
        if self._plains:
            yield from self._fight_on_plains()
        self._wins_on_map = yield from self._verified(())
        for strange in (False, True):  # other hazards only where its own do not suffice
            further_edits = small_edits(self._map, self._layer, strange=strange)
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
        wins = 0
        numbers = range(self._effort.verified)
        # A bare board is the same from all sides.
        for _army, wins_of_army in self._fight(
            [Battleland()], range(len(self._armies)), numbers, sides=self._sides[:1], fresh=True
        ):
            wins += int(wins_of_army[0, 0])
            yield self._state()
        self._wins_on_plains = Rarity(wins, len(numbers) * len(self._armies))

    def _is_balanced(self) -> bool:
        """Return whether the map as it is, or a proposal, has reached the goal."""
        if spread(self._wins_on_map) <= GOAL:
            return True
        return any(spread(proposal.wins) <= GOAL for proposal in self._proposals.values())

    def _search(self) -> Iterator[BalanceState]:
        """Learn from boards, choose some, and verify the best."""
        touched_cells = [edit.touched for edit in self._edits]
        self._are_disjoint = np.array(
            [[first.isdisjoint(second) for second in touched_cells] for first in touched_cells]
        )
        for battles in self._effort.learning:
            yield from self._learn(self._drawn(battles.boards), battles)

        boards: list[Board] = []
        for number, battles in enumerate(self._effort.choosing):
            if number < 2:
                boards = self._pool(battles.boards)
            boards = self._ranked(boards)[: battles.boards]
            yield from self._learn(boards, battles)
            self._likely = [self._proposal(board) for board in self._ranked(boards)[:1]]

        for _number in range(min(self._effort.verifications, len(boards))):
            board = self._ranked(boards)[0]
            boards.remove(board)
            wins = yield from self._verified(board)
            self._proposals[board] = self._proposal(board)._replace(wins=wins)
            if self._is_balanced():
                break

    # --- battles ----------------------------------------------------------------------------

    def _fight(
        self,
        lands: Sequence[Battleland],
        armies: Sequence[int],
        numbers: range,
        *,
        sides: Sequence[int] | None = None,
        fresh: bool,
    ) -> Iterator[tuple[int, Counts]]:
        """Yield each army and its attackers' wins from each side, (boards, sides).

        ``sides`` are those that the attackers come from, None for those of the search.
        ``fresh`` battles have draws of their own, so that no board was chosen by them.
        """
        if sides is None:
            sides = self._sides
        seed = 2 * self._seed
        if fresh:
            seed += 1
        tables_of_armies: list[list[RuleTables]] = [[] for _army in armies]
        for land in lands:  # one after the other: the lines of sight of the last one are cached
            for army, tables_of_lands in zip(armies, tables_of_armies, strict=True):
                creatures = self._armies[army]
                tables_of_lands.append(RuleTables(land, creatures, creatures, 0))
        for army, tables_of_lands in zip(armies, tables_of_armies, strict=True):
            tables_from_sides = []
            for tables in tables_of_lands:
                tables_from_sides += [tables.facing(side) for side in sides]
            wins = wins_on(tables_from_sides, numbers.start, len(numbers), seed)
            self._battles += len(tables_from_sides) * len(numbers)
            yield army, np.array(wins).reshape(len(lands), -1)

    def _lands(self, boards: Sequence[Board]) -> list[Battleland]:
        lands = []
        for board in boards:
            edits = [self._edits[index] for index in board]
            lands.append(Battleland.of(with_edits(self._composite, edits)))
        return lands

    def _learn(self, boards: Sequence[Board], battles: Round) -> Iterator[BalanceState]:
        """Fight a round on these boards: the same battles on each."""
        first_army = self._rounds * battles.armies
        armies = [
            number % len(self._armies) for number in range(first_army, first_army + battles.armies)
        ]
        first_battle = _BATTLES_OF_ROUND * self._rounds
        numbers = range(first_battle, first_battle + battles.battles)
        for army, wins in self._fight(self._lands(boards), armies, numbers, fresh=False):
            for board, wins_on_board in zip(boards, wins, strict=True):
                self._trials.append(_Trial(board, army, wins_on_board, battles.battles))
            yield self._state()
        self._rounds += 1

    def _verified(self, board: Board) -> Generator[BalanceState, None, Wins]:
        """Fight fresh battles on a board; return the wins from each side."""
        total_wins = np.zeros(len(self._sides), np.int64)
        numbers = range(self._effort.verified)
        armies = range(len(self._armies))
        for army, wins in self._fight(self._lands([board]), armies, numbers, fresh=True):
            self._trials.append(_Trial(board, army, wins[0], len(numbers)))
            total_wins += wins[0]
            yield self._state()
        return self._wins(total_wins, len(numbers) * len(self._armies))

    def _wins(self, wins: Counts, battles: int) -> Wins:
        """Return the wins from each side (sides,) of so many battles by the sides' names."""
        shares = []
        for side, wins_from_side in zip(self._sides, wins.tolist(), strict=True):
            name = ENTRY_SIDES[side][0]
            shares.append((name, Rarity(wins_from_side, battles)))
        if self._plains:
            shares.append(("Plains", self._wins_on_plains))
        return tuple(shares)

    # --- what is known ----------------------------------------------------------------------

    def _state(self) -> BalanceState:
        """Return what is known so far: of the proposals, those that do better by more edits."""
        proposals = []
        least_spread = 1.0
        if self._wins_on_map:
            least_spread = spread(self._wins_on_map)
        for proposal in sorted(self._proposals.values(), key=lambda proposal: len(proposal.texts)):
            if spread(proposal.wins) < least_spread:
                proposals.append(proposal)
                least_spread = spread(proposal.wins)

        # Both kinds of edits may be searched, so one search is half of the work.
        effort = self._effort
        battles_of_search = effort.verifications * effort.verified * len(self._armies)
        for battles in effort.learning + effort.choosing:
            battles_of_search += battles.boards * battles.armies * battles.battles
        percent = 50 * self._battles // (len(self._sides) * battles_of_search)
        listed = tuple(proposals or self._likely)
        return BalanceState(max(1, min(99, percent)), self._wins_on_map, listed)

    def _proposal(self, board: Board) -> Proposal:
        """Return a board as a proposal, with the wins that are known."""
        edits = [self._edits[index] for index in board]
        edit = painted(self._map, self._layer, edits)
        assert edit is not None, "each edit changes what is shown"
        cells: list[int] = []
        for small_edit in edits:
            cells += small_edit.cells
        trials = [trial for trial in self._trials if trial.board == board]
        wins = np.sum([trial.wins for trial in trials], axis=0)
        battles = sum(trial.battles for trial in trials)
        texts = tuple(small_edit.text for small_edit in edits)
        return Proposal(texts, edit, tuple(cells), self._wins(wins, battles))

    def _model(self) -> _Model:
        """Return what the trials tell of the effects, by Bayesian linear regression.

        A trial's share is that of its army plus the effects of the edits on its board. A battle is
        won or lost by chance, and effects do not add up exactly: a trial counts the more the less
        that can make of it. Effects are near 0 beforehand, by EFFECT.
        """
        armies = len(self._armies)
        design = np.zeros((len(self._trials), armies + len(self._edits)))
        for row, trial in enumerate(self._trials):
            design[row, trial.army] = 1
            design[row, [armies + index for index in trial.board]] = 1
        battles = np.array([trial.battles for trial in self._trials])
        has_edits = np.array([bool(trial.board) for trial in self._trials])
        weights = 1 / (VARIANCE / battles + REST**2 * has_edits)
        shares = np.array([trial.wins / trial.battles for trial in self._trials])
        prior_precision = np.full(design.shape[1], EFFECT**-2)
        prior_precision[:armies] = 1e-3  # the shares of the armies follow from the battles alone
        weighted = design.T * weights
        precision = weighted @ design + np.diag(prior_precision)
        covariance = np.asarray(np.linalg.inv(precision), np.float64)
        return _Model(np.asarray(covariance @ weighted @ shares), covariance)

    def _score(self, shares: Numbers, boards: Sequence[Board]) -> Numbers:
        """Return how far apart shares (boards, sides) are, plus a little for large edits."""
        if self._plains:
            share_on_plains = np.full((len(shares), 1), self._wins_on_plains.chance)
            shares = np.concatenate([shares, share_on_plains], axis=1)
        sizes = [sum(len(self._edits[index].changes) for index in board) for board in boards]
        return np.asarray(np.ptp(shares.clip(0, 1), axis=1) + SIZE * np.array(sizes))

    def _shares(self, means: Numbers, boards: Sequence[Board]) -> Numbers:
        """Return the predicted shares of boards, (boards, sides)."""
        armies = len(self._armies)
        effects = [means[[armies + index for index in board]].sum(axis=0) for board in boards]
        return np.asarray(means[:armies].mean(axis=0) + np.array(effects))

    def _combine(self, means: Numbers, width: int) -> Iterator[list[Board]]:
        """Yield the best boards by a model of one edit, then of two, and so on (a beam search)."""
        boards: list[Board] = [()]
        for _number in range(self._effort.most_edits):
            longer_boards: set[Board] = set()
            for board in boards:
                for index in np.flatnonzero(self._are_disjoint[list(board)].all(axis=0)).tolist():
                    longer_boards.add(tuple(sorted((*board, index))))
            if not longer_boards:
                return
            candidates = sorted(longer_boards)
            scores = self._score(self._shares(means, candidates), candidates)
            order = np.argsort(scores, kind="stable")
            boards = [candidates[number] for number in order[:width].tolist()]
            yield boards

    def _random_board(self) -> Board:
        """Return a board of ``FIRST_EDITS`` edits by chance, no two of which touch the same."""
        board: list[int] = []
        for index in self._random.permutation(len(self._edits)).tolist():
            if len(board) < FIRST_EDITS and self._are_disjoint[index, board].all():
                board.append(index)
        return tuple(sorted(board))

    def _drawn(self, size: int) -> list[Board]:
        """Return boards by chance at first; then the best, each by other effects."""
        if self._rounds == 0:
            return list(dict.fromkeys(self._random_board() for _ in range(size)))
        model = self._model()
        # A root of the covariance makes effects as likely as the model has them.
        root = np.linalg.cholesky(model.covariance)
        boards = []
        for number in range(size):
            drawn_means = model.means + root @ self._random.standard_normal(model.means.shape)
            best_boards = [group[0] for group in self._combine(drawn_means, 4)]
            # In turn the best one of one edit, of two, and so on.
            boards.append(best_boards[number % len(best_boards)])
        return list(dict.fromkeys(boards))

    def _pool(self, width: int) -> list[Board]:
        """Return the boards that have been tried or are the best by the model, none verified."""
        pool: set[Board] = set()
        for trial in self._trials:
            if 0 < len(trial.board) <= self._effort.most_edits:
                pool.add(trial.board)
        for boards in self._combine(self._model().means, width):
            pool.update(boards)
        return sorted(pool - self._proposals.keys())

    def _ranked(self, boards: Sequence[Board]) -> list[Board]:
        """Return boards in order: near shares, and few edits; of those near enough the nearest."""
        estimates = self._estimates(boards)
        edits = np.array([len(board) for board in boards])
        worth = np.maximum(estimates, SAFE) + estimates / 10 + EDIT * edits
        return [boards[number] for number in np.argsort(worth, kind="stable").tolist()]

    def _estimates(self, boards: Sequence[Board]) -> Numbers:
        """Return the scores of boards by their own battles and the model, both weighted.

        The weights are the precisions: the more battles a board has seen, the less the model says.
        """
        armies = len(self._armies)
        means = self._model().means
        # By how much each army wins more often than the mean of all armies.
        excess = means[:armies] - means[:armies].mean(axis=0)
        row_of_board = {board: row for row, board in enumerate(boards)}
        wins = np.zeros((len(boards), len(self._sides)))
        battles = np.zeros((len(boards), 1))
        for trial in self._trials:
            row = row_of_board.get(trial.board)
            if row is not None:
                wins[row] += trial.wins - trial.battles * excess[trial.army]
                battles[row] += trial.battles
        predicted = self._shares(means, boards) / REST**2
        shares = (wins / VARIANCE + predicted) / (battles / VARIANCE + REST**-2)
        return self._score(shares, boards)
