"""As which kinds cells are drawn, in which order.

A *guess* is a kind that a cell is to be drawn as. The likeliest kinds come first, but with several
terrains among the first guesses. For one cell::

    kinds         0 wood   1 wood, high   2 meadow   3 sea
    likelihood    -1.0     -1.1           -1.4       -9.0
    guesses        0,       2,             1                  the sea is too unlikely
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Value = TypeVar("_Value", bound=np.generic)

NO_GUESS = -1
"""Stands for no kind, where a cell has fewer guesses than others."""

REPEATED_TERRAIN = 0.5
"""What is taken from the likelihood of the second kind of a terrain when guesses are put in order.

From that of the third kind twice as much is taken, and so on: so the first guesses are of several
terrains, not of one terrain at several elevations.
"""


class GuessLimits(NamedTuple):
    """How many guesses the cells have in a round of drawing."""

    max_guesses: int
    """The most kinds that are drawn for a cell."""

    gap: float
    """A kind is drawn if its likelihood is less than this below that of the likeliest one."""


class Guesses(NamedTuple):
    """The kinds as which n cells are still to be drawn."""

    rows: NDArray[np.intp]
    """The cells, as indices among the cells that are traced, (n,)."""

    kinds: NDArray[np.intp]
    """The guesses for each cell, in order, and ``NO_GUESS``: (n, most guesses)."""

    def without(self, is_excluded: NDArray[np.bool_]) -> Guesses:
        """Return the guesses but for some, (n, most guesses), without cells that have none left."""
        kinds = np.where(is_excluded, NO_GUESS, self.kinds)
        return Guesses(self.rows, kinds).of_cells((kinds != NO_GUESS).any(axis=1))

    def of_cells(self, is_kept: NDArray[np.bool_]) -> Guesses:
        """Return the guesses for some of the cells, (n,)."""
        return Guesses(self.rows[is_kept], self.kinds[is_kept])

    def first_kinds(self) -> NDArray[np.intp]:
        """Return the first guess for each cell, (n,); each has one."""
        return self.kinds[np.arange(len(self.rows)), self._first_columns()]

    def after_first(self) -> Guesses:
        """Return the guesses behind the first one of each cell, also of cells that have none."""
        kinds = self.kinds.copy()
        kinds[np.arange(len(self.rows)), self._first_columns()] = NO_GUESS
        return Guesses(self.rows, kinds)

    def _first_columns(self) -> NDArray[np.intp]:
        """Return in which column the first guess for each cell stands, (n,)."""
        return np.asarray((self.kinds != NO_GUESS).argmax(axis=1), np.intp)

    def lookup(self, values: NDArray[_Value]) -> NDArray[_Value]:
        """Return the value of each guess, (n, most guesses), of values (cells, kinds).

        Where there is no guess the result means nothing.
        """
        stand_in = 0
        kinds = np.where(self.kinds == NO_GUESS, stand_in, self.kinds)
        return np.take_along_axis(values[self.rows], kinds, axis=1)


def guesses_for(
    rows: NDArray[np.intp],
    likelihoods: NDArray[np.float32],
    terrains: NDArray[np.intp],
    limits: GuessLimits,
) -> Guesses:
    """Return the guesses for the cells in ``rows`` (n,).

    ``likelihoods`` (cells, kinds) are by samples, ``terrains`` (kinds,) the terrains of the kinds.
    """
    likely = likelihoods[rows]
    kinds = (-_priority(likely, terrains)).argsort(axis=1)[:, : limits.max_guesses]

    # The first guess that is too unlikely ends them. Likely ones behind it are only further
    # elevations of earlier terrains, and in pictures that are not drawn by this program these would
    # fit by chance.
    min_likelihood = likely.max(axis=1, keepdims=True) - limits.gap
    is_likely = np.take_along_axis(likely, kinds, axis=1) > min_likelihood
    is_before_end = np.logical_and.accumulate(is_likely, axis=1)
    return Guesses(rows, np.where(is_before_end, kinds, NO_GUESS))


def _priority(likely: NDArray[np.float32], terrains: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return how early each kind is guessed in each cell, (n, kinds); the greatest comes first.

    It is the likelihood, but less for further kinds of a terrain (``REPEATED_TERRAIN``).
    """
    priority = likely.copy()
    for terrain in np.unique(terrains):
        kinds_of_terrain = np.flatnonzero(terrains == terrain)
        # The rank of each among the kinds of the terrain: 0 for the likeliest one. It is the
        # position of the kind in the order by likelihood.
        order = (-likely[:, kinds_of_terrain]).argsort(axis=1)
        rank = order.argsort(axis=1)
        priority[:, kinds_of_terrain] -= REPEATED_TERRAIN * rank
    return priority
