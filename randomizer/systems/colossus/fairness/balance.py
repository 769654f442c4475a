"""The smallest edits that bring the attacker's shares of wins from all sides near one another.

    for state in balance(battlemap, layer_id):
        print(state.percent, state.proposals)

There are many edits and few battles, so a board of the search holds several edits at once, and a
linear model learns what each does to each share (Bayesian regression). The next boards are the best
combinations by effects that are drawn from it (Thompson sampling). The best of one, two and three
edits are then fought on more and more; the shares that are told come from fresh battles.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.fairness import GOAL, BalanceState, Proposal, Wins, spread
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.rarity import Rarity
from randomizer.model.targets import why_not
from randomizer.systems.colossus.battle.armies import standard_pairs
from randomizer.systems.colossus.battle.battleland import BOTTOM, Battleland
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import CHUNK, Simulator
from randomizer.systems.colossus.board import ENTRY_SIDES
from randomizer.systems.colossus.fairness.battles import ATTACKS
from randomizer.systems.colossus.fairness.small_edits import painted, small_edits, with_edits

MOST_EDITS = 3

FIRST_EDITS = 4
"""The boards of the first round hold so many edits by chance."""

SCHEDULE = (*[(60, 2, 5)] * 5, (24, 5, 4), (12, 10, 8), (6, 10, 40))
"""Of each round: boards, armies, and how often each army fights on each board. Many boards come
first; on the few of the last rounds all armies fight.
"""

VERIFIED, VERIFICATIONS = 100, 3
"""Fresh battles of each army from each side, and on how many boards at most."""

EFFECT, REST, VARIANCE = 0.06, 0.06, 0.22
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
    def __init__(self, battlemap: BattleMap, layer_id: int, plains: bool, seed: int) -> None:
        self._map, self._layer = battlemap.snapshot(), layer_id
        self._shown = self._map.composite()
        start = Battleland.of(self._shown).start
        if start and not plains:
            message = "onto a start list attackers come from the bottom only: compare with Plains"
            raise error("one-side", message)
        self._sides = (BOTTOM,) if start else tuple(sorted(side for side, _other in ATTACKS))
        self._edits = small_edits(self._map, layer_id)
        touched = [each.touched for each in self._edits]
        self._apart = np.array([[one.isdisjoint(other) for other in touched] for one in touched])
        self._armies = [army for army, _same in standard_pairs()]
        self._plains, self._open_ground = plains, Rarity(0, 0)
        self._seed, self._random = seed, np.random.default_rng(seed)
        self._rows: list[tuple[Board, int, Counts, int]] = []
        """Board, army, wins from each side, battles."""
        self._before: Wins = ()
        self._proposals: list[Proposal] = []
        self._fought = 0

    def run(self) -> Iterator[BalanceState]:
        """Search; see ``balance``."""
        if self._plains:
            wins = 0
            for army in range(len(self._armies)):
                wins += int(self._fight([Battleland()], army, range(VERIFIED), fresh=True)[0, 0])
                yield self._state()
            self._open_ground = Rarity(wins, VERIFIED * len(self._armies))
        self._before = yield from self._verified(())
        if spread(self._before) > GOAL and self._edits:
            boards: list[Board] = []
            for number, (size, armies, count) in enumerate(SCHEDULE):
                boards = self._next_boards(number, size)
                for i in range(number * armies, (number + 1) * armies):
                    yield from self._learn(boards, i % len(self._armies), number, count)
            for _number in range(min(VERIFICATIONS, len(boards))):
                board = self._best(boards)
                boards.remove(board)
                yield from self._verify(board)
                if any(spread(each.wins) <= GOAL for each in self._proposals):
                    break
        yield self._state()._replace(percent=100)

    # --- battles ----------------------------------------------------------------------------

    def _fight(
        self, lands: Sequence[Battleland], army: int, numbers: range, *, fresh: bool = False
    ) -> Counts:
        """Return how many of the battles attackers win from each side, (boards, sides)."""
        armies = self._armies[army], self._armies[army]
        tables = [
            one.facing(side)
            for one in (RuleTables(land, *armies, 0) for land in lands)
            for side in self._sides
        ]
        step = max(1, CHUNK // len(numbers))
        wins = []
        for first in range(0, len(tables), step):
            joined = RuleTables.joined(tables[first : first + step])
            simulator = Simulator.on_several(joined, 2 * self._seed + fresh)
            wins.append(simulator.fight(numbers.start, len(numbers)).wins_by_land)
        self._fought += len(tables) * len(numbers)
        return np.concatenate(wins).reshape(len(lands), -1)

    def _lands(self, boards: Sequence[Board]) -> list[Battleland]:
        edits = ([self._edits[index] for index in board] for board in boards)
        return [Battleland.of(with_edits(self._shown, each)) for each in edits]

    def _learn(
        self, boards: Sequence[Board], army: int, number: int, count: int
    ) -> Iterator[BalanceState]:
        """Let an army fight on boards in round ``number``: the same battles on each."""
        first = 1000 * number
        wins = self._fight(self._lands(boards), army, range(first, first + count))
        self._rows += [(board, army, row, count) for board, row in zip(boards, wins, strict=True)]
        yield self._state()

    def _verified(self, board: Board) -> Generator[BalanceState, None, Wins]:
        """Fight fresh battles on a board; return the wins from each side."""
        wins, lands = np.zeros(len(self._sides), np.int64), self._lands([board])
        for army in range(len(self._armies)):
            fought = self._fight(lands, army, range(VERIFIED), fresh=True)[0]
            if not board:  # the model knows the map as it is best
                self._rows.append(((), army, fought, VERIFIED))
            wins += fought
            yield self._state()
        return self._wins(wins, VERIFIED * len(self._armies))

    def _wins(self, wins: Counts, count: int) -> Wins:
        names = [ENTRY_SIDES[side][0] for side in self._sides]
        shares = [
            (name, Rarity(each, count)) for name, each in zip(names, wins.tolist(), strict=True)
        ]
        return (*shares, *[("Plains", self._open_ground)] * self._plains)

    # --- what is known ----------------------------------------------------------------------

    def _state(self) -> BalanceState:
        """Return what is known so far."""
        sides, armies = len(self._sides), len(self._armies)
        searched = sum(boards * fighting * count for boards, fighting, count in SCHEDULE)
        verified = (VERIFICATIONS + 1 + self._plains) * VERIFIED * armies
        total = sides * (searched + verified)
        percent = max(1, min(99, 100 * self._fought // total))
        return BalanceState(percent, self._before, tuple(self._proposals))

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
        effects = np.zeros((len(boards), means.shape[1]))
        for row, board in zip(effects, boards, strict=True):
            row += means[[armies + index for index in board]].sum(axis=0)
        return np.asarray(means[:armies].mean(axis=0) + effects)

    def _combine(self, means: Numbers, width: int) -> Iterator[list[Board]]:
        """Yield the best boards by a model of one edit, then of two, and so on (a beam search)."""
        boards: list[Board] = [()]
        for _number in range(MOST_EDITS):
            longer = {
                tuple(sorted((*board, int(index))))
                for board in boards
                for index in np.flatnonzero(self._apart[list(board)].all(axis=0))
            }
            boards = sorted(longer)
            if boards:
                order = np.argsort(self._score(self._shares(means, boards), boards), kind="stable")
                boards = [boards[i] for i in order[:width].tolist()]
            yield boards

    def _random_board(self) -> Board:
        board: list[int] = []
        for index in self._random.permutation(len(self._edits)).tolist():
            if len(board) < FIRST_EDITS and self._apart[index, board].all():
                board.append(index)
        return tuple(sorted(board))

    def _next_boards(self, number: int, size: int) -> list[Board]:
        """Return the boards of round ``number``.

        By chance at first; then the best by effects that are drawn from the model, each by others;
        in the last rounds, where all armies fight, the best of each number of edits.
        """
        if not number:
            return [*{self._random_board(): None for _ in range(size)}]
        means, covariance = self._model()
        if size == SCHEDULE[0][0]:
            root, boards = np.linalg.cholesky(covariance), []
            for i in range(size):
                drawn = means + root @ self._random.standard_normal(means.shape)
                best = [group[0] for group in self._combine(drawn, 4) if group]
                boards.append(best[i % len(best)])
            return [*dict.fromkeys(boards)]
        pool = {board for board, *_ in self._rows}
        pool |= {board for group in self._combine(means, size) for board in group}
        boards = []
        for edits in range(1, MOST_EDITS + 1):
            group = sorted(board for board in pool if len(board) == edits)
            estimates = self._estimates(group)
            order = np.argsort(estimates, kind="stable")[: size // MOST_EDITS]
            boards += [group[i] for i in order.tolist()]
        return boards

    def _best(self, boards: Sequence[Board]) -> Board:
        """Return the best board of the fewest edits that seem enough; else the best of all."""
        estimates = dict(zip(boards, self._estimates(boards).tolist(), strict=True))
        enough = [board for board in boards if estimates[board] <= GOAL]
        fewest = [board for board in enough if len(board) == min(map(len, enough))]
        return min(fewest or boards, key=lambda board: estimates[board])

    def _estimates(self, boards: Sequence[Board]) -> Numbers:
        """Return the scores of boards by their own battles and the model, both weighted."""
        armies, (means, _covariance) = len(self._armies), self._model()
        excess = means[:armies] - means[:armies].mean(axis=0)
        index = {board: i for i, board in enumerate(boards)}
        wins, tried = np.zeros((len(boards), len(self._sides))), np.zeros((len(boards), 1))
        for board, army, won, count in self._rows:
            if board in index:
                wins[index[board]] += won - count * excess[army]
                tried[index[board]] += count
        predicted = self._shares(means, boards) / REST**2
        return self._score((wins / VARIANCE + predicted) / (tried / VARIANCE + REST**-2), boards)

    def _verify(self, board: Board) -> Iterator[BalanceState]:
        """Fight fresh battles on a board, and propose it."""
        wins = yield from self._verified(board)
        edits = [self._edits[index] for index in board]
        edit = painted(self._map, self._layer, edits)
        assert edit is not None, "each edit changes what is shown"
        cells = tuple(cell for each in edits for cell in each.cells)
        proposal = Proposal(tuple(each.text for each in edits), edit, cells, wins)
        proposals = sorted((*self._proposals, proposal), key=lambda each: len(each.texts))
        self._proposals, apart = [], spread(self._before)
        for each in proposals:  # more edits must do better
            if spread(each.wins) < apart:
                self._proposals.append(each)
                apart = spread(each.wins)
        yield self._state()
