"""Compares drawings of a map with its picture, and finds the best kind of each cell by that.

Samples tell which kinds are likely in a cell. Of the likely ones that is right whose drawing has
the colours of the picture. So the program draws the map, each cell as its likeliest kind, compares
each cell with the picture, and draws those that do not fit as their next likely kind, and so on::

    comparison = DrawingComparison(drawer, likelihoods, kinds.terrains, covers)
    yield from comparison.draw_all_cells()          # the first round
    yield from comparison.draw_doubtful_cells()     # the second round
    comparison.best_kinds, comparison.doubtful_cells()

A kind has three numbers in a cell: its *likelihood* by samples, the *fit* of its drawing
(``fits``), and its *score*, which is the likelihood plus the weighted fit. The best kind is that of
the highest score. A *row* is the index of a cell among the cells that are traced.

A cell is not drawn as further kinds once it fits well, or once its terrain is *proven*: then some
of its points have the very colours of drawings of this terrain, and of no other one.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from randomizer.tracing.appearance import points_of
from randomizer.tracing.cell_drawer import CellDrawer, is_near
from randomizer.tracing.fits import FULL_FIT, Colour, fit_measure
from randomizer.tracing.guesses import Guesses, GuessLimits, guesses_for
from randomizer.tracing.likelihoods import DOUBT, Likelihoods, is_doubtful

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid

LIMITS_OF_ALL = GuessLimits(max_guesses=5, gap=1.5)
"""The guesses of the first round, in which all cells are drawn as their likeliest kinds."""

PERCENTS_OF_ALL = range(40, 70)
"""The progress of a tracing during the first round."""

LIMITS_OF_DOUBTFUL = GuessLimits(max_guesses=25, gap=9.0)
"""The guesses of the second round: many kinds, also rather unlikely ones.

With 16 guesses a few more cells are wrong. A further round of 40 corrected none in eleven pictures,
and took up to a quarter of the time.
"""

PERCENTS_OF_DOUBTFUL = range(70, 100)
"""The progress of a tracing during the second round."""

MAX_REDRAWN = 300
"""The most doubtful cells that are drawn again.

Of more cells only the first are drawn, those at the top of the map: the others keep their best kind
of the first round, and stay doubtful. If it is larger, noisy pictures take longer.
"""

MIN_DRAWN_TERRAINS = 6
"""A terrain is proven only when a cell was drawn as at least so many terrains.

With three, a meadow was proven in a picture of fields, which show the same grass in between: the
cell had not been drawn as fields yet. If it is larger, more cells are drawn as more kinds.
"""

NO_TERRAIN = -1
"""Stands for the terrain of a point that no drawing has fitted."""

SEVERAL_TERRAINS = -2
"""Stands for the terrain of a point that drawings of several terrains have fitted."""


class DrawingComparison:
    """The kinds of the cells of a map, while these are drawn as one kind after the other."""

    def __init__(
        self,
        drawer: CellDrawer,
        likelihoods: Likelihoods,
        terrains: NDArray[np.intp],
        covers: Sequence[Colour],
    ) -> None:
        """Draw all cells as their likeliest kinds, and measure the noise of the picture by that.

        Args:
            drawer: Draws the cells that are traced.
            likelihoods: How likely each kind is by samples.
            terrains: The terrain of each kind, (kinds,).
            covers: The colours of what may lie on any cell and is not drawn, such as rivers.
        """
        self._drawer = drawer
        self._likelihoods = likelihoods
        self._terrains = terrains
        self.best_kinds: NDArray[np.intp] = likelihoods.total.argmax(axis=1)
        """The best kind of each cell so far, (cells,)."""
        self._scores = np.full(likelihoods.total.shape, -np.inf, np.float32)
        """The score of each kind in each cell, (cells, kinds); -inf if it was not drawn."""
        self._is_up_to_date = np.zeros(likelihoods.total.shape, np.bool_)
        """True for kinds that were drawn in a cell since its surroundings changed, (cells, kinds).
        """

        all_rows = np.arange(len(drawer.cells))
        colours = drawer.picture_colours(all_rows)
        drawn_colours = drawer.drawn_colours(all_rows, self.best_kinds)
        differences = np.abs(drawn_colours - colours).mean(axis=2)
        _points, weights = points_of(drawer.view.grid.layout)
        self._measure = fit_measure(weights, differences, covers)
        """Measures fits by the noise of the picture."""
        self._terrain_of_point = np.full(differences.shape, NO_TERRAIN, np.int16)
        """The only terrain whose drawings have had the very colour of a point, (cells, points).

        ``NO_TERRAIN`` if none has had it, ``SEVERAL_TERRAINS`` if several have.
        """
        self._store_drawing(all_rows, self.best_kinds.copy(), colours, differences)

    def draw_all_cells(self) -> Generator[int, None, None]:
        """Draw all cells that do not fit yet as further kinds; yield percents of progress.

        The cells change all at once.
        """
        percents = PERCENTS_OF_ALL
        yield percents[0]
        all_rows = np.arange(len(self.best_kinds))
        unfit_rows = all_rows[~self._is_settled(all_rows)]
        for share in self._draw_guesses(unfit_rows, LIMITS_OF_ALL):
            yield percents[int(share * len(percents))]

    def draw_doubtful_cells(self) -> Generator[int, None, None]:
        """Draw the doubtful cells as many kinds; yield percents of progress.

        The drawing of a cell depends on its neighbours, so from now on no two neighbours change at
        once, and what was drawn while they did is drawn once more.
        """
        percents = PERCENTS_OF_DOUBTFUL
        self._is_up_to_date[:] = False
        doubtful_rows = np.flatnonzero(self.doubtful_cells())
        is_proven = self._is_proven(doubtful_rows)
        doubtful_rows = doubtful_rows[~is_proven][:MAX_REDRAWN]
        groups = _groups_without_neighbours(
            self._drawer.view.grid, self._drawer.cells[doubtful_rows]
        )
        for index, group in enumerate(groups):
            for share in self._draw_guesses(doubtful_rows[group], LIMITS_OF_DOUBTFUL):
                yield percents[int((index + share) / len(groups) * len(percents))]

    def doubtful_cells(self) -> NDArray[np.bool_]:
        """Return which cells are of another terrain perhaps, (cells,).

        They fit badly even as their best kind, or another terrain is nearly as good by the cell's
        own colours and drawings, without its context.
        """
        own_scores = self._scores - self._likelihoods.by_context
        fits_badly = self._best_fits() < self._measure.evidence.poor_fit
        return fits_badly | is_doubtful(own_scores, self.best_kinds, self._terrains)

    # --- drawing guesses --------------------------------------------------------------------

    def _draw_guesses(
        self, rows: NDArray[np.intp], limits: GuessLimits
    ) -> Generator[float, None, None]:
        """Draw the cells in ``rows`` (n,) as each of their guesses until one fits well.

        Yields the share of the work that is done, from 0 on.
        """
        guesses = guesses_for(rows, self._likelihoods.total, self._terrains, limits)
        guesses = guesses.without(guesses.lookup(self._is_up_to_date))
        max_guesses = guesses.kinds.shape[1]
        for number in range(max_guesses):
            guesses = guesses.without(self._is_hopeless(guesses))
            if not len(guesses.rows):
                break
            self._draw(guesses.rows, guesses.first_kinds())
            yield number / max_guesses
            guesses = guesses.after_first().of_cells(~self._is_settled(guesses.rows))

    def _is_hopeless(self, guesses: Guesses) -> NDArray[np.bool_]:
        """Return which guesses cannot come near the best kind so far, (n, most guesses).

        Their score would be too low even with ``FULL_FIT``.
        """
        best_scores = self._scores[guesses.rows].max(axis=1, keepdims=True)
        highest_scores = (
            guesses.lookup(self._likelihoods.total) + self._measure.evidence.weight * FULL_FIT
        )
        return np.asarray(highest_scores <= best_scores - DOUBT)

    def _draw(self, rows: NDArray[np.intp], kinds: NDArray[np.intp]) -> None:
        """Draw the cells in ``rows`` (n,) as ``kinds`` (n,), all others as their best kinds."""
        kinds_of_cells = self.best_kinds.copy()
        kinds_of_cells[rows] = kinds
        colours = self._drawer.picture_colours(rows)
        drawn_colours = self._drawer.drawn_colours(rows, kinds_of_cells)
        differences = np.abs(drawn_colours - colours).mean(axis=2)
        self._store_drawing(rows, kinds, colours, differences)

    def _store_drawing(
        self,
        rows: NDArray[np.intp],
        kinds: NDArray[np.intp],
        colours: NDArray[np.float32],
        differences: NDArray[np.float32],
    ) -> None:
        """Store how the cells in ``rows`` (n,), just drawn as ``kinds`` (n,), fit the picture.

        ``colours`` (n, points, 3) are those of the picture, ``differences`` (n, points) how much
        the drawing differs from them. Where a best kind changes, drawings of cells near it are no
        longer up to date.
        """
        self._store_terrains_of_points(rows, self._terrains[kinds], differences)
        weighted_fits = self._measure.evidence.weight * self._measure.fits(colours, differences)
        self._scores[rows, kinds] = self._likelihoods.total[rows, kinds] + weighted_fits
        self._is_up_to_date[rows, kinds] = True
        previous_best = self.best_kinds[rows]
        self.best_kinds[rows] = self._scores[rows].argmax(axis=1)
        changed_rows = rows[self.best_kinds[rows] != previous_best]
        cells = self._drawer.cells
        is_near_change = is_near(self._drawer.view.grid, cells[changed_rows])
        self._is_up_to_date[is_near_change[cells]] = False

    def _store_terrains_of_points(
        self,
        rows: NDArray[np.intp],
        terrains: NDArray[np.intp],
        differences: NDArray[np.float32],
    ) -> None:
        """Store which points of the cells in ``rows`` (n,) have the colours of a drawing.

        ``terrains`` (n,) are those that the cells were drawn as.
        """
        terrain_of_point = self._terrain_of_point[rows]
        terrain_of_cell = np.broadcast_to(terrains[:, None], terrain_of_point.shape)
        has_colour = differences <= self._measure.fade
        is_first = has_colour & (terrain_of_point == NO_TERRAIN)
        is_further = has_colour & ~is_first & (terrain_of_point != terrain_of_cell)
        terrain_of_point[is_first] = terrain_of_cell[is_first]
        terrain_of_point[is_further] = SEVERAL_TERRAINS
        self._terrain_of_point[rows] = terrain_of_point

    def _is_settled(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether the best kinds of the cells in ``rows`` (n,) are right: (n,)."""
        fits_well = self._best_fits()[rows] >= self._measure.evidence.good_fit
        return fits_well | self._is_proven(rows)

    def _is_proven(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether the cells in ``rows`` (n,) can have no other terrain: (n,).

        A part of the cell has the colours of its drawing, and of drawings of no other terrain. What
        neighbours draw over the cell is the same in all drawings, and proves nothing.
        """
        terrains = self._terrains[self.best_kinds[rows]]
        is_of_best_alone = self._terrain_of_point[rows] == terrains[:, None]
        share = is_of_best_alone @ self._measure.weights
        proves = share >= self._measure.evidence.proof

        is_drawn = self._scores[rows] > -np.inf
        drawn_terrains = np.zeros(len(rows), np.intp)
        for terrain in np.unique(self._terrains):
            drawn_terrains += is_drawn[:, self._terrains == terrain].any(axis=1)
        return np.asarray(proves & (drawn_terrains >= MIN_DRAWN_TERRAINS))

    def _best_fits(self) -> NDArray[np.float32]:
        """Return how well each cell fits as its best kind, (cells,)."""
        rows = np.arange(len(self.best_kinds))
        best_scores = self._scores[rows, self.best_kinds]
        weighted_fits = best_scores - self._likelihoods.total[rows, self.best_kinds]
        return np.asarray(weighted_fits / self._measure.evidence.weight)


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
