"""Draws a map as several kinds of cells, and compares each cell with the picture that is traced.

Tracing turns a picture of a map into a map: it finds out the *kind* of each cell, its terrain and
elevation. Samples of all kinds tell which are likely in a cell. Of the likely ones that is right
whose drawing has the colours of the picture. So the program draws the map, each cell as its most
likely kind, and compares each cell with the picture. Cells that do not fit are drawn as their next
likely kind, and so on. How a cell is drawn depends on its neighbours (shores, shadows), which is
why whole maps are drawn.

``trace`` draws in rounds with a ``DrawingComparison``: ``draw_likeliest``, then ``compare``. A cell
is compared at certain points of it (``appearance.points_of``).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import View, points_of
from randomizer.tracing.kinds import Draw, Kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

DRAWING_REACH = 3
"""The number of steps up to which other cells have an effect on the drawing of a cell."""

# The *fit* of a point is from 0 to 1 (plus MIN_POINT_FIT); the fit of a drawing is the mean
# logarithm of the fits of its points: about 0 at best, log(MIN_POINT_FIT) = -3.9 at worst.

MIN_POINT_FIT = 0.02
"""What is added to the fit of each point, so that a few odd ones do not rule a drawing out."""

FULL_FIT = math.log(1 + MIN_POINT_FIT)
"""The fit of a drawing whose points all have the very colours of the picture."""


class Evidence(NamedTuple):
    """What the fit of a drawing proves."""

    good_fit: float
    """A drawing with this fit or a better one is right: no other kind is tried in the cell."""

    poor_fit: float
    """A drawing with a worse fit is wrong."""

    weight: float
    """The factor of the fit when it is added to the likelihood by samples."""


NOISY = Evidence(good_fit=-0.1, poor_fit=-2.8, weight=3.0)
"""What fits prove in a picture with noise, such as a photograph or a JPEG."""

NOISELESS = Evidence(good_fit=-0.7, poor_fit=-2.0, weight=4.5)
"""What fits prove in a picture that has the very pixels of drawings.

What does not fit there is a road, a name or a town that is not drawn. In a map of 2,400 cells no
drawing of a wrong terrain had a better fit than -1.7, which is to have 57 % of the points right.
"""

MIN_FADE = 0.5
"""The least difference of colours, in levels of 255, at which the fit of a point is 1 / e.

It holds for pictures without noise, such as the program's own. The noise of others is measured.
"""

COVERED_FIT = 0.5
"""The least fit of a point whose colour in the picture may be that of a cover.

If it is larger, kinds that have the colours of a cover themselves, such as water, are told apart
less well. If it is smaller, cells below wide rivers are taken for water more often.
"""

COVER_DIFFERENCE = 10
"""The largest difference of colours, in levels of 255, at which a point may show a cover."""

DOUBT = 0.35
"""The distance of values within which two kinds are both possible.

A cell is doubtful if the value of another terrain is less than this below that of the best.
"""

WHOLE_MAP_SHARE = 1 / 20
"""If a smaller share of the cells is compared, only a part of the map is drawn."""

NO_GUESS = -1
"""Stands for no kind among the guesses of a cell."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """The program's drawing of maps, and the picture that drawings are compared with."""

    draw: Draw

    view: View
    """The view of the picture at the scale of drawings.

    If it is the very view that is traced, its placement is only about right, and ``trace`` corrects
    it.
    """


class DrawingComparison:
    """Compares drawings of a map with its picture, and remembers the best kind of each cell.

    A *row* is the index of a cell among the cells that are traced: the row of arrays with a value
    for each of these. A *guess* is a kind, as an index of ``kinds``, that a cell is to be drawn as.
    """

    def __init__(
        self,
        drawing: Drawing,
        cells: NDArray[np.intp],
        kinds: Kinds,
        known_terrains: NDArray[np.intp],
        log_likelihoods: NDArray[np.float32],
        covers: Sequence[Colour] = (),
    ) -> None:
        """Begin with the kinds that samples find likeliest; nothing is drawn yet.

        Args:
            drawing: How maps are drawn, and the picture.
            cells: The cells that are traced, (cells,).
            kinds: The kinds that a cell can be of.
            known_terrains: The terrain of each cell of the grid, (size,); -1 where it is not known.
            log_likelihoods: How likely each kind is by samples, (cells, kinds).
            covers: The colours of what may lie on any cell and is not drawn, such as rivers.
        """
        self._view = drawing.view
        self._draw_map = drawing.draw
        self._cells = cells
        self._kinds = kinds
        self._known_terrains = known_terrains.clip(0)  # 0 stands in for those that are traced
        self._log_likelihoods = log_likelihoods
        self._covers = covers
        self.best_kinds = log_likelihoods.argmax(axis=1)
        """The best kind of each cell so far, (cells,)."""
        self.scores = np.full(log_likelihoods.shape, -np.inf, np.float32)
        """How well each kind fits in each cell by samples and drawings, (cells, kinds).

        It is the log likelihood plus the weighted fit, and -inf for kinds that were not drawn.
        """
        self.is_up_to_date = np.zeros(log_likelihoods.shape, np.bool_)
        """True for kinds that were drawn in a cell since its surroundings changed, (cells, kinds).
        """
        _points, weights = points_of(self._view.grid.layout)
        self._weights = weights / weights.sum()
        """The weight of each point of a cell, (points,); their sum is 1."""
        self._fade = MIN_FADE
        """The difference of colours at which the fit of a point is 1 / e."""
        self._evidence = NOISELESS
        """What fits prove in this picture."""

    def draw_likeliest(self) -> None:
        """Draw all cells as their likeliest kinds, and measure the noise of the picture by that.

        It comes before all guesses: without it the picture counts as one without noise.
        """
        all_rows = np.arange(len(self._cells))
        colours = self._view.colours(self._cells)
        differences = np.abs(self.draw(all_rows, self.best_kinds) - colours).mean(axis=2)
        # Most cells are of their likeliest kinds, so what differs in the median is noise.
        noise = float(np.median(differences))
        if noise > MIN_FADE:
            self._fade = noise
            self._evidence = NOISY
        self._add_fits(all_rows, self.best_kinds.copy(), self._fits(colours, differences))

    def compare(
        self, rows: NDArray[np.intp], guesses: NDArray[np.intp], percents: range
    ) -> Generator[int, None, None]:
        """Draw the cells in ``rows`` (n,) as each of their ``guesses`` (n, m) until one fits well.

        ``NO_GUESS`` is none. ``best_kinds``, ``scores`` and ``is_up_to_date`` follow each drawing.
        Yields the progress, as numbers of ``percents``.
        """
        max_guesses = guesses.shape[1]
        for number in range(max_guesses):
            guesses = self._promising(rows, guesses)
            has_guess = (guesses != NO_GUESS).any(axis=1)
            rows = rows[has_guess]
            if not len(rows):
                break
            guesses = guesses[has_guess]

            # Draw all cells at once, each as its next guess, which is then removed.
            next_guess = (guesses != NO_GUESS).argmax(axis=1)[:, None]
            kinds = np.take_along_axis(guesses, next_guess, axis=1)[:, 0]
            np.put_along_axis(guesses, next_guess, NO_GUESS, axis=1)
            colours = self._view.colours(self._cells[rows])
            differences = np.abs(self.draw(rows, kinds) - colours).mean(axis=2)
            fits = self._fits(colours, differences)
            self._add_fits(rows, kinds, fits)
            yield percents[len(percents) * number // max_guesses]

            # Cells that fit need no further guess.
            does_not_fit = fits < self._evidence.good_fit
            rows = rows[does_not_fit]
            guesses = guesses[does_not_fit]

    def _promising(self, rows: NDArray[np.intp], guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return ``guesses`` (n, m) with ``NO_GUESS`` for those that cannot be right.

        Such a guess would not come near the best kind so far even with ``FULL_FIT``.
        """
        best_scores = self.scores[rows].max(axis=1, keepdims=True)
        is_guess = guesses != NO_GUESS
        kinds = np.where(is_guess, guesses, 0)  # any kind stands in for a missing one
        log_likelihoods = np.take_along_axis(self._log_likelihoods[rows], kinds, axis=1)
        highest_scores = log_likelihoods + self._evidence.weight * FULL_FIT
        is_promising = is_guess & (highest_scores > best_scores - DOUBT)
        return np.where(is_promising, guesses, NO_GUESS)

    def _fits(
        self, colours: NDArray[np.float32], differences: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the fit of each cell, (n,), from log(``MIN_POINT_FIT``) to about 0.

        ``colours`` (n, points, 3) are those of the picture, ``differences`` (n, points) how much a
        drawing differs. The fit of a point falls exponentially with its difference. A point that
        may show a cover says little.
        """
        fit_of_points = np.exp(-differences / self._fade)
        for cover in self._covers:
            may_be_cover = (np.abs(colours - np.array(cover, np.float32)) <= COVER_DIFFERENCE).all(
                axis=2
            )
            fit_of_points[may_be_cover] = fit_of_points[may_be_cover].clip(COVERED_FIT)
        return np.asarray(np.log(fit_of_points + MIN_POINT_FIT) @ self._weights)

    def _add_fits(
        self, rows: NDArray[np.intp], kinds: NDArray[np.intp], fits: NDArray[np.float32]
    ) -> None:
        """Note the fits (n,) of the cells in ``rows`` (n,), just drawn as ``kinds`` (n,).

        Where a best kind changes, drawings of cells near it are no longer up to date.
        """
        weighted_fits = self._evidence.weight * fits
        self.scores[rows, kinds] = self._log_likelihoods[rows, kinds] + weighted_fits
        self.is_up_to_date[rows, kinds] = True
        previous_best = self.best_kinds[rows]
        self.best_kinds[rows] = self.scores[rows].argmax(axis=1)
        changed_rows = rows[self.best_kinds[rows] != previous_best]
        is_near = _is_near(self._view.grid, self._cells[changed_rows])
        self.is_up_to_date[is_near[self._cells]] = False

    def mark_outdated(self) -> None:
        """Let no drawing so far count as up to date."""
        self.is_up_to_date[:] = False

    def fits_well(self) -> NDArray[np.bool_]:
        """Return which cells fit so well as their best kind that it is right: (cells,)."""
        return np.asarray(self._best_fits() >= self._evidence.good_fit)

    def fits_badly(self) -> NDArray[np.bool_]:
        """Return which cells fit badly even as their best kind, or were never drawn: (cells,)."""
        return np.asarray(self._best_fits() < self._evidence.poor_fit)

    def _best_fits(self) -> NDArray[np.float32]:
        """Return how well each cell fits as its best kind, (cells,)."""
        rows = np.arange(len(self.best_kinds))
        best_scores = self.scores[rows, self.best_kinds]
        weighted_fits = best_scores - self._log_likelihoods[rows, self.best_kinds]
        return np.asarray(weighted_fits / self._evidence.weight)

    def draw(self, rows: NDArray[np.intp], kinds: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colours of the cells in ``rows`` (n,), drawn as ``kinds`` (n,).

        Shape (n, points, 3). All other cells are drawn as their best kinds.
        """
        kinds_of_cells = self.best_kinds.copy()
        kinds_of_cells[rows] = kinds
        grid = self._view.grid
        terrains = self._known_terrains.copy()
        elevations = np.zeros(grid.size, np.intp)
        terrains[self._cells] = self._kinds.terrains[kinds_of_cells]
        elevations[self._cells] = self._kinds.elevations[kinds_of_cells]
        cells = self._cells[rows]
        if len(cells) < WHOLE_MAP_SHARE * grid.size:
            # For a few cells, draw only these and those that have an effect on their drawing.
            mask = _is_near(grid, cells).reshape(grid.height, grid.width)
            grid = Grid(grid.layout, grid.width, grid.height, mask, grid.wrap, grid.lean)
        return self._draw_map(grid, terrains, elevations, cells).colours(cells)


def _is_near(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether each cell (size,) is within ``DRAWING_REACH`` steps of one of ``cells``."""
    is_near = np.zeros(grid.size, np.bool_)
    is_near[cells] = True
    for _ in range(DRAWING_REACH):
        neighbours = grid.neighbour_table[is_near]
        is_near[neighbours[neighbours >= 0]] = True
    return is_near
