"""The choice of boards in a search for balancing edits, by what battles so far tell of the edits.

    chooser = BoardChooser(edits, max_edits=3, random=np.random.default_rng(seed))
    chooser.random_boards(60)               # nothing is known yet
    chooser.drawn_boards(effects, 60)       # to learn more of edits that may be good
    chooser.best_boards(effects, 24)        # the best by the model
    chooser.ranked(boards, effects, trials) # the best of these by the model and their own battles

It fights nothing. ``balance`` lets armies fight on the boards, and ``edit_effects`` learns from
these battles. A board is given by the indices of its edits, as everywhere in the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.fairness.edit_effects import Board, EditEffects, Numbers, Trial
from randomizer.systems.colossus.fairness.small_edits import SmallEdit

RANDOM_BOARD_EDITS = 4
"""The number of edits on a random board; it can be more than ``max_edits``, as none is proposed.

With more of them, each battle tells of more edits, but less of each.
"""

# Boards are ordered by costs, the lowest first: the *gap* between the shares of the sides, few
# edits, few changes.
#
#     cost = max(gap, NEAR_ENOUGH) + WEIGHT_OF_GAP * gap + COST_OF_EDIT * edits
#
# The gap has COST_OF_CHANGE * changes added to it.

NEAR_ENOUGH = 0.03
"""Shares that are so near one another are near enough: nearer ones hardly count any more.

If it is larger, proposals have fewer edits, and leave the sides farther apart.
"""

WEIGHT_OF_GAP = 0.1
"""The weight of the gap where it is near enough, so that of two such boards the nearer is better.

If it is larger, a nearer board is worth more edits.
"""

COST_OF_EDIT = 0.01
"""A board with one edit more must bring the shares so much nearer to one another.

If it is larger, proposals have fewer edits.
"""

COST_OF_CHANGE = 0.002
"""The same for one hex or hexside more that changes."""

BEAM_WIDTH = 4
"""The boards of each number of edits from which larger ones are made, for a drawn board.

With more of them the best combination is missed less often, and each board takes longer.
"""


class BoardChooser:
    """Chooses boards by the shares of wins that are expected on them."""

    def __init__(
        self,
        edits: Sequence[SmallEdit],
        *,
        max_edits: int,
        random: np.random.Generator,
        share_on_plains: float | None = None,
    ) -> None:
        """Choose among boards of at most ``max_edits`` of these edits, one at least.

        ``share_on_plains`` is a share that those of all sides are to come near, too; None: they are
        only to come near one another.
        """
        self._max_edits = max_edits
        self._random = random
        self._share_on_plains = share_on_plains
        self._change_counts = np.array([len(edit.changes) for edit in edits])
        """(edits,): the number of hexes and hexsides that each edit changes."""
        touched_cells = [edit.touched for edit in edits]
        rows = []
        for cells in touched_cells:
            rows.append([cells.isdisjoint(other_cells) for other_cells in touched_cells])
        self._are_disjoint = np.array(rows)
        """(edits, edits): whether two edits touch no cell in common; no edit is disjoint from
        itself."""

    def random_boards(self, count: int) -> list[Board]:
        """Return at most ``count`` boards of ``RANDOM_BOARD_EDITS`` edits by chance."""
        return list(dict.fromkeys(self._random_board() for _ in range(count)))

    def _random_board(self) -> Board:
        """Return a board by chance; no two of its edits touch the same cell."""
        board: list[int] = []
        for index in self._random.permutation(len(self._are_disjoint)).tolist():
            if len(board) < RANDOM_BOARD_EDITS and self._are_disjoint[index, board].all():
                board.append(index)
        return tuple(sorted(board))

    def drawn_boards(self, effects: EditEffects, count: int) -> list[Board]:
        """Return at most ``count`` boards that are each the best by effects drawn from a model.

        That is Thompson sampling: an edit is tried often if it is probably good, or if little is
        known of it. The boards have in turn one edit, two and so on.
        """
        boards = []
        for index, drawn_effects in enumerate(effects.draw(self._random, count)):
            boards_by_size = list(self._best_by_size(drawn_effects, BEAM_WIDTH))
            best_boards = boards_by_size[index % len(boards_by_size)]
            boards.append(_as_board(best_boards[0]))
        return list(dict.fromkeys(boards))

    def best_boards(self, effects: EditEffects, count: int) -> list[Board]:
        """Return the ``count`` best boards of one edit by a model, those of two and so on."""
        boards = []
        for rows in self._best_by_size(effects, count):
            boards += [_as_board(row) for row in rows]
        return boards

    def _best_by_size(self, effects: EditEffects, width: int) -> Iterator[NDArray[np.intp]]:
        """Yield the best ``width`` boards of one edit by a model, then of two, and so on.

        Boards are rows of indices, (width, number of edits), the best first. It is a beam search:
        boards of two edits are made of the best of one edit.
        """
        boards = np.zeros((1, 0), np.intp)  # the map as it is, a board without edits
        for _number in range(self._max_edits):
            # Add each edit to each board where it touches no cell of the others.
            can_be_added = self._are_disjoint[boards].all(axis=1)
            board_numbers, added_edits = np.nonzero(can_be_added)
            if not len(added_edits):
                return
            longer_boards = np.column_stack([boards[board_numbers], added_edits])
            longer_boards.sort(axis=1)

            # Keep each board once, in the order of its indices: (3, 7) comes from 3 and from 7.
            candidates = np.unique(longer_boards, axis=0)

            shares = effects.shares_on_map + effects.of_edits[candidates].sum(axis=1)
            gaps = self._gaps(shares, self._change_counts[candidates].sum(axis=1))
            boards = candidates[np.argsort(gaps, kind="stable")[:width]]
            yield boards

    def _gaps(self, shares: Numbers, change_counts: NDArray[np.intp]) -> Numbers:
        """Return how far apart the shares (boards, sides) are on each board, (boards,).

        The cost of its changes is added.
        """
        if self._share_on_plains is not None:
            share_on_plains = np.full((len(shares), 1), self._share_on_plains)
            shares = np.concatenate([shares, share_on_plains], axis=1)
        return np.asarray(np.ptp(shares.clip(0, 1), axis=1) + COST_OF_CHANGE * change_counts)

    def ranked(
        self, boards: Sequence[Board], effects: EditEffects, trials: Sequence[Trial]
    ) -> list[Board]:
        """Return boards in order, the best first, by a model and their own battles."""
        change_counts = np.array([self._change_counts[list(board)].sum() for board in boards])
        gaps = self._gaps(effects.estimated_shares(boards, trials), change_counts)
        edit_counts = np.array([len(board) for board in boards])
        # First the cost at which all boards that are near enough are alike, then the rest.
        costs = np.maximum(gaps, NEAR_ENOUGH) + WEIGHT_OF_GAP * gaps + COST_OF_EDIT * edit_counts
        return [boards[index] for index in np.argsort(costs, kind="stable").tolist()]


def _as_board(row: NDArray[np.intp]) -> Board:
    """Return a row of indices as a board."""
    return tuple(row.tolist())
