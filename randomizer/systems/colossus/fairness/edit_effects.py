"""The effects of small edits on the attacker's shares of wins, learned from battles.

A *board* is a map with some edits, given by their indices: ``(3, 7)`` is the map with edits 3 and
7. A *trial* is that an army has fought some battles on a board. There are many edits and few
battles, so a trial tells of several edits at once, and a linear model learns from all of them::

    share of an army on a board  =  its share on the map  +  the effects of the board's edits

The model is Bayesian linear regression: each number of it is known as a normal distribution, wide
for an edit of which few battles tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

Board = tuple[int, ...]
"""The edits on a board: indices, ascending. () is the map as it is."""

EFFECT_DEVIATION = 0.06
"""The standard deviation of an edit's effect on a share, before any battle.

If it is larger, few battles are believed sooner.
"""

REST_DEVIATION = 0.06
"""The standard deviation of what the sum of the effects of several edits leaves out.

If it is larger, battles on a board say more of that board than those on others.
"""

BATTLE_VARIANCE = 0.22
"""The variance of a battle, won (1) or not (0); it is 0.25 where both sides win as often."""

_ARMY_PRECISION = 1e-3
"""The precision of the shares of armies before any battle: they follow from the battles alone."""


class Trial(NamedTuple):
    """The battles of an army on a board."""

    board: Board

    army: int
    """The index of the army."""

    wins: Counts
    """(sides,): how many attackers won from each side."""

    battles: int
    """The number of battles from each side."""


class EditEffects(NamedTuple):
    """The effects of edits as a normal distribution. Shares are from 0 to 1."""

    means: Numbers
    """(armies + edits, sides): the shares of each army on the map as it is, then what edits add."""

    covariance: Numbers
    """(armies + edits, armies + edits): the same for every side."""

    army_count: int

    def draw(self, random: np.random.Generator, count: int) -> Iterator[EditEffects]:
        """Yield effects that are drawn from the distribution, so many times."""
        # means + root @ (standard normal values) has this covariance.
        root = np.linalg.cholesky(self.covariance)
        for _number in range(count):
            means = self.means + root @ random.standard_normal(self.means.shape)
            yield self._replace(means=means)

    @property
    def shares_on_map(self) -> Numbers:
        """(sides,): the shares on the map as it is, the mean over all armies."""
        return np.asarray(self.means[: self.army_count].mean(axis=0))

    @property
    def of_edits(self) -> Numbers:
        """(edits, sides): what each edit adds to the shares."""
        return self.means[self.army_count :]

    def shares(self, boards: Sequence[Board]) -> Numbers:
        """Return the predicted shares of boards, (boards, sides): the mean over all armies."""
        sums_of_effects = [self.of_edits[list(board)].sum(axis=0) for board in boards]
        return np.asarray(self.shares_on_map + np.array(sums_of_effects))

    def estimated_shares(self, boards: Sequence[Board], trials: Sequence[Trial]) -> Numbers:
        """Return the shares of boards by their own battles and by prediction, (boards, sides).

        Both are weighted by their precisions: the more battles a board has seen, the less the
        prediction says.
        """
        # By how much each army wins more often than the mean of all armies.
        excess = self.means[: self.army_count] - self.means[: self.army_count].mean(axis=0)
        row_of_board = {board: row for row, board in enumerate(boards)}
        wins = np.zeros((len(boards), self.means.shape[1]))
        battles = np.zeros((len(boards), 1))
        for trial in trials:
            row = row_of_board.get(trial.board)
            if row is not None:
                wins[row] += trial.wins - trial.battles * excess[trial.army]
                battles[row] += trial.battles
        weighted_prediction = self.shares(boards) / REST_DEVIATION**2
        return np.asarray(
            (wins / BATTLE_VARIANCE + weighted_prediction)
            / (battles / BATTLE_VARIANCE + REST_DEVIATION**-2)
        )


def effects_by(trials: Sequence[Trial], army_count: int, edit_count: int) -> EditEffects:
    """Return what trials tell of the effects of edits."""
    # A row for each trial: its army and the edits on its board.
    design = np.zeros((len(trials), army_count + edit_count))
    for row, trial in enumerate(trials):
        design[row, trial.army] = 1
        design[row, [army_count + index for index in trial.board]] = 1

    # The weight of a trial is 1 / variance: that of the chance of its battles, and that of what the
    # sum of several effects leaves out.
    battles = np.array([trial.battles for trial in trials])
    has_edits = np.array([bool(trial.board) for trial in trials])
    weights = 1 / (BATTLE_VARIANCE / battles + REST_DEVIATION**2 * has_edits)
    shares = np.array([trial.wins / trial.battles for trial in trials])

    # Effects are near 0 beforehand.
    prior_precision = np.full(design.shape[1], EFFECT_DEVIATION**-2)
    prior_precision[:army_count] = _ARMY_PRECISION
    weighted = design.T * weights
    precision = weighted @ design + np.diag(prior_precision)
    covariance = np.asarray(np.linalg.inv(precision), np.float64)
    means = np.asarray(covariance @ weighted @ shares)
    return EditEffects(means, covariance, army_count)
