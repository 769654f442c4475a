"""Takes terrains from a picture: which kind each cell is most like, and which drawing fits best.

    kinds = drawn_kinds(grid.layout, range(21), (0, 1, 2), draw)
    known_terrains = np.full(grid.size, -1)             # no terrain is known
    traced = yield from trace(view, kinds, grid.cells, known_terrains, Drawing(draw, view))

First samples say how likely each kind is in each cell (``_kind_scores``): by its colours, by how
common the kind is on the map, and by the cell's neighbours. If the picture may be one of ours,
drawings of the likely kinds decide then (``_compare_in_two_rounds``). Begin with ``trace``, which
``app.paper.tracing`` calls.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import BinLogs, View, likeness
from randomizer.tracing.drawing_comparison import (
    DOUBT,
    NO_GUESS,
    Colour,
    Drawing,
    DrawingComparison,
)
from randomizer.tracing.kinds import Kinds
from randomizer.tracing.registration import register

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CELLS = 250_000
"""Maps of more cells are not traced."""

MAX_DRAWN = 20_000
"""Maps of more cells are not drawn to be compared with their picture: samples alone decide."""

# Likelihoods are logarithms on the scale of ``likeness``; a greater one is likelier.

CERTAINTY = 5.0
"""The factor of likenesses when kinds are counted on the map (``_commonness``).

If it is larger, the looks of a cell decide more, and how common a kind is decides less.
"""

SAME_KIND = 0.5
"""What is added to the likelihood of a kind if all neighbours of the cell are of this kind."""

NEAR_HEIGHT = 0.5
"""What is added to the likelihood of a kind if all neighbours of the cell have its elevation.

Half of it is added if they are one step higher or lower.
"""

NEVER = -1000.0
"""The likelihood of a terrain in a cell that is known to have another one."""

COMMONNESS_ROUNDS = 10
"""The number of rounds in which ``_commonness`` improves the shares of kinds."""

MIN_COUNT = 0.1
"""What is added to the number of cells of each kind, in cells, so that no kind is impossible."""

REGISTRATIONS = 2
"""How often the placement of the grid is corrected by a drawing of the likeliest kinds."""


PERCENT_OF_SAMPLES = 30
"""The progress when samples have told how likely each kind is."""

PERCENT_OF_PLACEMENT = 35
"""The progress while the placement of the grid is corrected."""


class Round(NamedTuple):
    """A round of drawing cells as several kinds."""

    max_guesses: int
    """The most kinds that are drawn for a cell."""

    gap: float
    """A kind is drawn if its likelihood is less than this below that of the likeliest one."""

    percents: range
    """The progress of a tracing during the round."""


ROUND_OF_ALL = Round(max_guesses=5, gap=1.5, percents=range(40, 70))
"""The first round: all cells are drawn as their likeliest kinds."""

ROUND_OF_DOUBTFUL = Round(max_guesses=25, gap=9.0, percents=range(70, 100))
"""The second round: the doubtful cells are drawn as many kinds, also rather unlikely ones.

With 16 guesses a few more cells are wrong. A further round of 40 corrected none in eleven pictures,
and took up to a quarter of the time.
"""

REPEATED_TERRAIN = 0.5
"""What is taken from the likelihood of the second kind of a terrain when guesses are put in order.

From that of the third kind twice as much is taken, and so on: so the first guesses are of several
terrains, not of one terrain at several elevations.
"""

MAX_REDRAWN = 300
"""The most doubtful cells that are drawn again.

Of more cells only the first are drawn, those at the top of the map: the others keep their best kind
of the first round, and stay doubtful. If it is larger, noisy pictures take longer.
"""


@dataclass(frozen=True, eq=False)
class Traced:
    """The result of a tracing, in the order of the cells that were asked for."""

    terrains: NDArray[np.intp]
    """Terrain codes, (cells,)."""

    doubtful: NDArray[np.bool_]
    """True where another terrain fits nearly as well, (cells,)."""


def trace(
    view: View,
    kinds: Kinds,
    cells: NDArray[np.intp],
    known_terrains: NDArray[np.intp],
    drawing: Drawing | None = None,
    covers: Sequence[Colour] = (),
) -> Generator[int, None, Traced]:
    """Trace ``cells``, and yield percents of progress; the generator returns the result.

    ``known_terrains`` (size,) are terrain codes: a cell that has one keeps it, -1 is unknown.
    ``drawing`` is given only if the picture may be drawn by this program. ``covers`` are colours of
    what may lie on any cell, such as roads.
    """
    # Samples say how likely each kind is in each cell.
    bin_logs = BinLogs.of(view, kinds.samples, covers)
    scores = _kind_scores(view, bin_logs, kinds, cells, known_terrains)
    yield PERCENT_OF_SAMPLES
    if drawing is None or not len(cells) or view.grid.size > MAX_DRAWN:
        best = scores.total.argmax(axis=1)
        is_doubtful = _is_doubtful(scores.by_colours, best, kinds.terrains)
        return Traced(kinds.terrains[best], is_doubtful)

    # A drawing with a view of its own has its grid in place already. Otherwise the likeliest kinds,
    # drawn, show how far the grid lies from where it should be; the better it lies, the better are
    # the guesses.
    placed_drawing = drawing
    is_placed = drawing.view is not view
    if not is_placed:
        for _ in range(REGISTRATIONS):
            comparison = DrawingComparison(
                placed_drawing, cells, kinds, known_terrains, scores.total
            )
            corrected_view = _corrected_view(comparison, placed_drawing.view, cells)
            yield PERCENT_OF_PLACEMENT
            scores = _kind_scores(corrected_view, bin_logs, kinds, cells, known_terrains)
            placed_drawing = replace(drawing, view=corrected_view)

    # Drawings of the likely kinds decide.
    comparison = DrawingComparison(
        placed_drawing, cells, kinds, known_terrains, scores.total, covers
    )
    return (yield from _compare_in_two_rounds(comparison, view.grid, cells, kinds, scores))


def _corrected_view(comparison: DrawingComparison, view: View, cells: NDArray[np.intp]) -> View:
    """Return a view with its grid where a drawing of the likeliest kinds fits the picture best."""
    drawn_colours = comparison.draw(np.arange(len(cells)), comparison.best_kinds)
    return replace(view, placement=register(view, cells, drawn_colours))


class _KindScores(NamedTuple):
    """The likelihood of kinds in cells by samples: logarithms, on the scale of ``likeness``.

    All arrays have the shape (cells, kinds).
    """

    by_colours: NDArray[np.float32]
    """By the colours of the cell alone, which tell whether it is doubtful."""

    by_context: NDArray[np.float32]
    """What the rest of the map adds: how common a kind is, and what the neighbours are."""

    total: NDArray[np.float32]
    """The sum of the two."""


def _compare_in_two_rounds(
    comparison: DrawingComparison,
    grid: Grid,
    cells: NDArray[np.intp],
    kinds: Kinds,
    scores: _KindScores,
) -> Generator[int, None, Traced]:
    """Draw ``cells`` as their likeliest kinds, and the doubtful ones again as more kinds.

    ``comparison`` holds the best kind of each cell so far, and the value of each kind that was
    drawn: its likelihood and how well its drawing fits. Yields percents.
    """
    terrains = kinds.terrains
    likely = scores.total
    # A cell is doubtful if its own colours and drawings do not tell. The scores of the comparison
    # have a third part, the context; without it they are what colours and drawings say alone.
    context = scores.by_context
    # At first all cells change at once.
    comparison.draw_likeliest()
    yield ROUND_OF_ALL.percents[0]
    unfit_rows = np.flatnonzero(~comparison.fits_well())
    guesses = _new_guesses(comparison, unfit_rows, likely, terrains, ROUND_OF_ALL)
    yield from comparison.compare(unfit_rows, guesses, ROUND_OF_ALL.percents)

    # The drawing of a cell depends on its neighbours, so from now on no two neighbours change at
    # once, and what was drawn while they did is drawn once more.
    comparison.mark_outdated()
    is_close = _is_doubtful(comparison.scores - context, comparison.best_kinds, terrains)
    doubtful_rows = np.flatnonzero(comparison.fits_badly() | is_close)[:MAX_REDRAWN]
    groups = _groups_without_neighbours(grid, cells[doubtful_rows])
    percents = ROUND_OF_DOUBTFUL.percents
    for index, group in enumerate(groups):
        rows = doubtful_rows[group]
        guesses = _new_guesses(comparison, rows, likely, terrains, ROUND_OF_DOUBTFUL)
        # Each group gets its part of the progress.
        first = len(percents) * index // len(groups)
        end = max(first + 1, len(percents) * (index + 1) // len(groups))
        yield from comparison.compare(rows, guesses, percents[first:end])
    is_close = _is_doubtful(comparison.scores - context, comparison.best_kinds, terrains)
    return Traced(terrains[comparison.best_kinds], comparison.fits_badly() | is_close)


def _new_guesses(
    comparison: DrawingComparison,
    rows: NDArray[np.intp],
    likely: NDArray[np.float32],
    terrains: NDArray[np.intp],
    drawing_round: Round,
) -> NDArray[np.intp]:
    """Return the guesses of a round for the cells in ``rows`` (n,), but for those just drawn."""
    guesses = _guesses(likely[rows], terrains, drawing_round)
    is_drawn = np.take_along_axis(comparison.is_up_to_date[rows], guesses, axis=1)
    # NO_GUESS looks up the last kind, and stays what it is.
    guesses[is_drawn] = NO_GUESS
    return guesses


def _groups_without_neighbours(grid: Grid, cells: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the indices of ``cells`` (n,) in groups, in each of which no two are neighbours."""
    # Greedy colouring of a graph: each cell gets the first group in which it has no neighbour yet.
    groups: list[list[int]] = []
    group_of_cell: dict[int, int] = {}
    for index, cell in enumerate(cells.tolist()):
        neighbours = grid.neighbour_table[cell].tolist()
        groups_of_neighbours = {group_of_cell.get(neighbour) for neighbour in neighbours}
        group = 0
        while group in groups_of_neighbours:
            group += 1
        if group == len(groups):
            groups.append([])
        groups[group].append(index)
        group_of_cell[cell] = group
    return [np.array(group, np.intp) for group in groups]


def _kind_scores(
    view: View,
    bin_logs: BinLogs,
    kinds: Kinds,
    cells: NDArray[np.intp],
    known_terrains: NDArray[np.intp],
) -> _KindScores:
    """Return how likely each kind is in each cell, by its colours and by the rest of the map.

    ``bin_logs`` are those of the picture of ``view`` and of the samples of ``kinds``.
    """
    by_colours = likeness(view, cells, bin_logs)
    known_terrain = known_terrains[cells][:, None]
    by_colours[(known_terrain >= 0) & (known_terrain != kinds.terrains)] = NEVER
    commonness = np.broadcast_to(_commonness(by_colours), by_colours.shape)
    best = (by_colours + commonness).argmax(axis=1)
    by_context = commonness + _influence_of_neighbours(view.grid, cells, best, kinds)
    return _KindScores(by_colours, by_context, total=by_colours + by_context)


def _is_doubtful(
    value: NDArray[np.float32], best: NDArray[np.intp], terrains: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return whether another terrain than that of the ``best`` kind fits nearly as well.

    The result and ``best`` have shape (cells,), ``value`` (cells, kinds), ``terrains`` (kinds,).
    """
    is_best_terrain = terrains == terrains[best][:, None]
    values_of_others = np.where(is_best_terrain, -np.inf, value).max(axis=1)
    return np.asarray(value[np.arange(len(best)), best] - values_of_others < DOUBT)


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


def _guesses(
    likely: NDArray[np.float32], terrains: NDArray[np.intp], drawing_round: Round
) -> NDArray[np.intp]:
    """Return the kinds as which each cell is drawn in a round, the likeliest first.

    ``likely`` (cells, kinds) is the likelihood, ``terrains`` (kinds,) the terrain of each kind. The
    result has shape (cells, guesses), with ``NO_GUESS`` where a cell has fewer guesses.
    """
    priority = _priority(likely, terrains)
    guesses = (-priority).argsort(axis=1)[:, : drawing_round.max_guesses]

    # The first guess that is too unlikely ends them. Likely ones behind it are only further
    # elevations of earlier terrains, and in pictures that are not drawn by this program these would
    # fit by chance.
    min_likelihood = likely.max(axis=1, keepdims=True) - drawing_round.gap
    is_likely = np.take_along_axis(likely, guesses, axis=1) > min_likelihood
    is_before_end = np.logical_and.accumulate(is_likely, axis=1)
    return np.where(is_before_end, guesses, NO_GUESS)


def _priority(likely: NDArray[np.float32], terrains: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return how early each kind is guessed in each cell, (cells, kinds); the greatest comes first.

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
