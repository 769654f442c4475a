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
from itertools import repeat
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
"""The boards of the first round hold so many edits by chance."""


STANDARD_ARMIES = tuple(army for army, _same in standard_pairs())


class Effort(NamedTuple):
    """The effort of a search: how much is fought, and how far it goes."""

    armies: tuple[Army, ...] = STANDARD_ARMIES
    """Each fights against its like."""

    most_edits: int = 3
    """Proposals with more are harder to understand."""

    learning: tuple[tuple[int, int, int], ...] = ((60, 2, 5),) * 5
    """Of each round: boards, armies, and how often each army fights on each board from each side.
    """

    choosing: tuple[tuple[int, int, int], ...] = (
        (24, 10, 4),
        (24, 10, 4),
        (12, 10, 12),
        (6, 10, 35),
    )
    """The same. The boards of the first two are the best of all, later ones the best of the last.
    """

    verified: int = 100
    """Fresh battles of each army from each side, for the shares that are told."""

    verifications: int = 4
    """On how many boards these are fought at most."""


EFFORT = Effort()
SAFE = 0.03
EDIT = 0.01
"""So near is near enough; so much further apart is as good as one edit more."""

EFFECT = 0.06
REST = 0.06
VARIANCE = 0.22
"""Standard deviations of an edit's effect on a share, and of what the sum of effects leaves out;
and the variance of a battle."""

SIZE = 0.002
"""So much further apart is as good as one place more that changes."""

Board = tuple[int, ...]
"""The edits on a board: indices, ascending. () is the map as it is."""

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]


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
        self._shown = self._map.composite()
        start = Battleland.of(self._shown).start
        if start and not plains:
            message = "onto a start list attackers come from the bottom only: compare with Plains"
            raise error("one-side", message)
        self._sides = (
            (BOTTOM,) if start else tuple(sorted(side for side, _defender_side in ATTACKS))
        )
        self._edits: list[SmallEdit] = []
        self._effort = EFFORT
        self._armies = self._effort.armies
        self._all = range(len(self._armies))
        self._plains = plains
        self._open_ground = Rarity(0, 0)
        self._seed = seed
        self._random = np.random.default_rng(seed)
        self._rows: list[tuple[Board, int, Counts, int]] = []
        """Board, army, wins from each side, battles."""
        self._before: Wins = ()
        self._proposals: dict[Board, Proposal] = {}
        self._likely: list[Proposal] = []
        """The best board before one is verified."""
        self._rounds = self._fought = 0

    def run(self) -> Iterator[BalanceState]:
        """Yield what is known after each batch of battles; the last state has 100 percent."""
        if self._plains:
            wins = 0
            verified = self._effort.verified
            for _army, won in self._fight([Battleland()], self._all, range(verified), True):
                wins += int(won[0, 0])
                yield self._state()
            self._open_ground = Rarity(wins, verified * len(self._armies))
        self._before = yield from self._verified(())
        for strange in (False, True):  # other hazards only where its own do not suffice
            more = small_edits(self._map, self._layer, strange=strange)
            if more and not self._is_balanced():
                self._edits += more
                yield from self._search()
        self._likely = []
        yield self._state()._replace(percent=100)

    def _is_balanced(self) -> bool:
        every = (self._before, *(proposal.wins for proposal in self._proposals.values()))
        return any(spread(wins) <= GOAL for wins in every)

    def _search(self) -> Iterator[BalanceState]:
        """Learn from boards, choose some, and verify the best."""
        touched = [edit.touched for edit in self._edits]
        self._apart = np.array(
            [[first.isdisjoint(second) for second in touched] for first in touched]
        )
        for size, armies, count in self._effort.learning:
            yield from self._learn(self._drawn(size), armies, count)
        boards: list[Board] = []
        for number, (size, armies, count) in enumerate(self._effort.choosing):
            boards = self._ranked(self._pool(size) if number < 2 else boards)[:size]
            yield from self._learn(boards, armies, count)
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
        self, lands: Sequence[Battleland], armies: Sequence[int], numbers: range, fresh: bool
    ) -> Iterator[tuple[int, Counts]]:
        """Yield each army and its attackers' wins from each side, (boards, sides)."""
        several = [self._armies[army] for army in armies]
        tables = [[RuleTables(land, army, army, 0) for army in several] for land in lands]
        for column, army in enumerate(armies):
            facing = [row[column].facing(side) for row in tables for side in self._sides]
            wins = wins_on(facing, numbers.start, len(numbers), 2 * self._seed + fresh)
            self._fought += len(facing) * len(numbers)
            yield army, np.array(wins).reshape(len(lands), -1)

    def _lands(self, boards: Sequence[Board]) -> list[Battleland]:
        edits = ([self._edits[index] for index in board] for board in boards)
        return [Battleland.of(with_edits(self._shown, edit)) for edit in edits]

    def _learn(self, boards: Sequence[Board], armies: int, count: int) -> Iterator[BalanceState]:
        """Let some armies fight on boards: the same battles on each."""
        start = self._rounds * armies
        fighting = [i % len(self._armies) for i in range(start, start + armies)]
        first = 1000 * self._rounds
        numbers = range(first, first + count)
        for army, wins in self._fight(self._lands(boards), fighting, numbers, False):
            self._rows += [(*board, count) for board in zip(boards, repeat(army), wins)]
            yield self._state()
        self._rounds += 1

    def _verified(self, board: Board) -> Generator[BalanceState, None, Wins]:
        """Fight fresh battles on a board; return the wins from each side."""
        wins = np.zeros(len(self._sides), np.int64)
        verified = self._effort.verified
        for army, won in self._fight(self._lands([board]), self._all, range(verified), True):
            self._rows.append((board, army, won[0], verified))
            wins += won[0]
            yield self._state()
        return self._wins(wins, verified * len(self._armies))

    def _wins(self, wins: Counts, count: int) -> Wins:
        """Return the wins from each side (sides,) of ``count`` battles by the sides' names."""
        names = [ENTRY_SIDES[side][0] for side in self._sides]
        shares = [
            (name, Rarity(win, count)) for name, win in zip(names, wins.tolist(), strict=True)
        ]
        return (*shares, *[("Plains", self._open_ground)] * self._plains)

    # --- what is known ----------------------------------------------------------------------

    def _state(self) -> BalanceState:
        """Return what is known so far: of the proposals, those that do better by more edits."""
        proposals = []
        apart = 1.0
        for proposal in sorted(
            self._proposals.values(), key=lambda candidate: len(candidate.texts)
        ):
            if spread(proposal.wins) < min(apart, spread(self._before)):
                proposals.append(proposal)
                apart = spread(proposal.wins)
        effort = self._effort
        rounds = effort.learning + effort.choosing
        searched = sum(boards * armies * count for boards, armies, count in rounds)
        verified = effort.verifications * effort.verified * len(self._armies)
        percent = 50 * self._fought // (len(self._sides) * (searched + verified))
        listed = tuple(proposals or self._likely)
        return BalanceState(max(1, min(99, percent)), self._before, listed)

    def _proposal(self, board: Board) -> Proposal:
        """Return a board as a proposal, with the wins that are known."""
        edits = [self._edits[index] for index in board]
        edit = painted(self._map, self._layer, edits)
        assert edit is not None, "each edit changes what is shown"
        cells = tuple(cell for edit in edits for cell in edit.cells)
        rows = [row for row in self._rows if row[0] == board]
        won = np.sum([wins for _board, _army, wins, _count in rows], axis=0)
        wins = self._wins(won, sum(count for *_, count in rows))
        return Proposal(tuple(edit.text for edit in edits), edit, cells, wins)

    def _model(self) -> tuple[Numbers, Numbers]:
        """Return the means and the covariance of the effects.

        Means: (armies + edits, sides), the shares of each army on the map as it is, then what the
        edits add. The covariance is the same for every side.
        """
        armies = len(self._armies)
        design = np.zeros((len(self._rows), armies + len(self._edits)))
        for row, (board, army, _wins, _count) in enumerate(self._rows):
            design[row, [army, *(armies + index for index in board)]] = 1
        counts = np.array([count for *_, count in self._rows])
        edited = np.array([bool(board) for board, *_ in self._rows])
        weights = 1 / (VARIANCE / counts + REST**2 * edited)
        shares = np.array([wins / count for _board, _army, wins, count in self._rows])
        precision = np.full(design.shape[1], EFFECT**-2)
        precision[:armies] = 1e-3  # the shares of the armies are known from the battles alone
        weighted = design.T * weights
        covariance = np.asarray(np.linalg.inv(weighted @ design + np.diag(precision)), np.float64)
        return np.asarray(covariance @ weighted @ shares), covariance

    def _score(self, shares: Numbers, boards: Sequence[Board]) -> Numbers:
        """Return how far apart shares (boards, sides) are, and with it how large the edits."""
        if self._plains:
            open_ground = np.full((len(shares), 1), self._open_ground.chance)
            shares = np.concatenate([shares, open_ground], axis=1)
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
            longer = {
                tuple(sorted((*board, int(index))))
                for board in boards
                for index in np.flatnonzero(self._apart[list(board)].all(axis=0))
            }
            if not longer:
                return
            boards = sorted(longer)
            order = np.argsort(self._score(self._shares(means, boards), boards), kind="stable")
            boards = [boards[i] for i in order[:width].tolist()]
            yield boards

    def _random_board(self) -> Board:
        """Return a board of ``FIRST_EDITS`` edits by chance, no two of which touch the same."""
        board: list[int] = []
        for index in self._random.permutation(len(self._edits)).tolist():
            if len(board) < FIRST_EDITS and self._apart[index, board].all():
                board.append(index)
        return tuple(sorted(board))

    def _drawn(self, size: int) -> list[Board]:
        """Return boards by chance at first; then the best, each by other effects."""
        if not self._rounds:
            return [*{self._random_board(): None for _ in range(size)}]
        means, covariance = self._model()
        root = np.linalg.cholesky(covariance)
        boards = []
        for i in range(size):
            drawn = means + root @ self._random.standard_normal(means.shape)
            best = [group[0] for group in self._combine(drawn, 4)]
            boards.append(best[i % len(best)])
        return [*dict.fromkeys(boards)]

    def _pool(self, width: int) -> list[Board]:
        """Return the boards that have been tried or are the best by the model, none verified."""
        most_edits = self._effort.most_edits
        pool = {board for board, *_ in self._rows if 0 < len(board) <= most_edits}
        pool |= {board for group in self._combine(self._model()[0], width) for board in group}
        return sorted(pool - self._proposals.keys())

    def _ranked(self, boards: Sequence[Board]) -> list[Board]:
        """Return boards in order: near shares, and few edits; of those near enough the nearest."""
        estimates = self._estimates(boards)
        edits = np.array([len(board) for board in boards])
        worth = np.maximum(estimates, SAFE) + estimates / 10 + EDIT * edits
        return [boards[i] for i in np.argsort(worth, kind="stable").tolist()]

    def _estimates(self, boards: Sequence[Board]) -> Numbers:
        """Return the scores of boards by their own battles and the model, both weighted."""
        armies = len(self._armies)
        (means, _covariance) = self._model()
        excess = means[:armies] - means[:armies].mean(axis=0)
        index = {board: i for i, board in enumerate(boards)}
        wins = np.zeros((len(boards), len(self._sides)))
        tried = np.zeros((len(boards), 1))
        for board, army, won, count in self._rows:
            if board in index:
                wins[index[board]] += won - count * excess[army]
                tried[index[board]] += count
        predicted = self._shares(means, boards) / REST**2
        return self._score((wins / VARIANCE + predicted) / (tried / VARIANCE + REST**-2), boards)
