"""The likelihoods of the kinds in each cell of a picture, by samples of the kinds.

A *kind* is a pair of terrain and elevation (``kinds``). How likely it is in a cell is the sum of

- how like the cell's colours are to those of the samples (``appearance.likeness``);
- what its *context* adds: how common the kind is on the map, and of which kinds the neighbours are.

All are logarithms on the scale of ``likeness``: a greater one is likelier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.tracing.appearance import BinLogs, View, likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.tracing.kinds import Kinds

CERTAINTY = 5.0
"""The factor of likenesses when kinds are counted on the map (``_commonness``).

If it is larger, the looks of a cell decide more, and how common a kind is decides less.
"""

SAME_KIND = 0.5
"""The term that a kind gets in a cell if all neighbours of the cell are of this kind."""

NEAR_HEIGHT = 0.5
"""The term that a kind gets in a cell if all neighbours of the cell have its elevation.

Half of it is added if they are one step higher or lower.
"""

NEVER = -1000.0
"""The likelihood of a terrain in a cell that is known to have another one."""

COMMONNESS_ROUNDS = 10
"""The number of rounds in which ``_commonness`` improves the shares of kinds."""

MIN_COUNT = 0.1
"""An addition to the number of cells of each kind, in cells, so that no kind is impossible."""

DOUBT = 0.35
"""A cell is doubtful if another terrain is less than this below the best one.

If it is larger, more cells are marked as doubtful, and drawn as more kinds.
"""


class Likelihoods(NamedTuple):
    """The likelihoods of kinds in cells: arrays (cells, kinds)."""

    by_colours: NDArray[np.float32]
    """By the colours of the cell alone."""

    by_context: NDArray[np.float32]
    """The terms that the rest of the map adds: the share of the kind, and the neighbours."""

    total: NDArray[np.float32]
    """The sum of the two."""


def likelihoods_of_kinds(
    view: View,
    bin_logs: BinLogs,
    kinds: Kinds,
    cells: NDArray[np.intp],
    known_terrains: NDArray[np.intp],
) -> Likelihoods:
    """Return how likely each kind is in each of ``cells``.

    ``bin_logs`` are those of the picture of ``view`` and of the samples of ``kinds``.
    ``known_terrains`` (size,) are terrain codes, -1 where the terrain is not known.
    """
    by_colours = likeness(view, cells, bin_logs)
    known_terrain = known_terrains[cells][:, None]
    by_colours[(known_terrain >= 0) & (known_terrain != kinds.terrains)] = NEVER
    commonness = np.broadcast_to(_commonness(by_colours), by_colours.shape)
    best = (by_colours + commonness).argmax(axis=1)
    by_context = commonness + _influence_of_neighbours(view.grid, cells, best, kinds)
    return Likelihoods(by_colours, by_context, total=by_colours + by_context)


def is_doubtful(
    scores: NDArray[np.float32], best_kinds: NDArray[np.intp], terrains: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return in which cells another terrain than that of the best kind is nearly as good.

    ``scores`` (cells, kinds) are what the kinds are compared by, the greatest is the best;
    ``terrains`` (kinds,) are the terrains of the kinds. The result and ``best_kinds`` are (cells,).
    """
    is_of_best_terrain = terrains == terrains[best_kinds][:, None]
    scores_of_others = np.where(is_of_best_terrain, -np.inf, scores).max(axis=1)
    best_scores = scores[np.arange(len(best_kinds)), best_kinds]
    return np.asarray(best_scores - scores_of_others < DOUBT)


def _commonness(likeness_of_kinds: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what is added to the likelihood of each kind for its share of the map, (kinds,).

    ``likeness_of_kinds`` has shape (cells, kinds).
    """
    # Expectation maximisation: from the shares of kinds follow the probabilities of kinds in each
    # cell, whose sums are the next shares.
    kind_count = likeness_of_kinds.shape[1]
    share = np.full(kind_count, 1.0 / kind_count)
    for _ in range(COMMONNESS_ROUNDS):
        logarithms = CERTAINTY * likeness_of_kinds + np.log(share)
        # Less the greatest one, so that none is too large for ``exp``.
        probability = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
        probability /= probability.sum(axis=1, keepdims=True)
        share = probability.sum(axis=0) + MIN_COUNT
        share /= share.sum()
    return np.asarray(np.log(share) / CERTAINTY, np.float32)


def _influence_of_neighbours(
    grid: Grid, cells: NDArray[np.intp], best: NDArray[np.intp], kinds: Kinds
) -> NDArray[np.float32]:
    """Return what is added to the likelihood of each kind in each of ``cells`` for its neighbours.

    ``best`` (cells,) is the best kind of each cell so far, the result has shape (cells, kinds).
    Only neighbours that are traced, too, count.
    """
    terrains = kinds.terrains
    elevations = kinds.elevations
    # The last entry stays -1: the neighbour -1 beyond the map leads to it.
    row_of_cell = np.full(grid.size + 1, -1)
    row_of_cell[cells] = np.arange(len(cells))

    # The share of the neighbours of each cell that each kind has.
    neighbour_shares = np.zeros((len(cells), len(terrains)), np.float32)
    for side in range(grid.degree):
        neighbours = row_of_cell[grid.neighbours_of(cells, side)]
        with_neighbour = np.flatnonzero(neighbours >= 0)
        neighbour_shares[with_neighbour, best[neighbours[with_neighbour]]] += 1
    neighbour_shares /= np.maximum(neighbour_shares.sum(axis=1, keepdims=True), 1)

    # What a neighbour of one kind counts for a cell of another, (kinds, kinds).
    steps_apart = np.abs(elevations[:, None] - elevations)
    nearness = (2.0 - steps_apart).clip(0) / 2  # 1 for the same elevation, a half for one step
    is_same_kind = (terrains[:, None] == terrains) & (steps_apart == 0)
    influence = SAME_KIND * is_same_kind + NEAR_HEIGHT * nearness
    return np.asarray(neighbour_shares @ influence, np.float32)
