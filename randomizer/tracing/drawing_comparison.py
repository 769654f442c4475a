"""Draws a map as several kinds of cells, and compares each cell with the picture that is traced.

Tracing turns a picture of a map into a map: it finds out the *kind* of each cell, its terrain and
elevation. Samples of all kinds tell which are likely in a cell. Of the likely ones that is right
whose drawing has the colours of the picture. So the program draws the map, each cell as its most
likely kind, and compares each cell with the picture. Cells that do not fit are drawn as their next
likely kind, and so on. How a cell is drawn depends on its neighbours (shores, shadows), which is
why whole maps are drawn.

``trace`` draws in rounds with a ``DrawingComparison``; reading begins with ``compare``. A cell is
compared at certain points of it (``appearance.points_of``).
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import View, points_of
from randomizer.tracing.kinds import Draw, Kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWING_REACH = 3
"""The number of steps up to which other cells have an effect on the drawing of a cell."""

DRAWN_WEIGHT = 3.0
"""The factor of the fit of a drawing when it is added to the likelihood by samples."""

# The *fit* of a point is from 0 to 1 (plus MIN_POINT_FIT); the fit of a drawing is the mean
# logarithm of the fits of its points: about 0 at best, log(MIN_POINT_FIT) = -3.9 at worst.

MIN_POINT_FIT = 0.02
"""What is added to the fit of each point, so that a few odd ones do not rule a drawing out."""

FULL_FIT = DRAWN_WEIGHT * math.log(1 + MIN_POINT_FIT)
"""The weighted fit of a drawing whose points all have the very colours of the picture."""

GOOD_FIT = -0.1
"""A drawing with this fit or a better one is right: no other kind is tried in the cell."""

POOR_FIT = -2.8
"""A drawing with a worse fit is wrong."""

MIN_FADE = 0.5
"""The least difference of colours, in levels of 255, at which the fit of a point is 1 / e.

It holds for pictures without noise, such as the program's own.
"""

DOUBT = 0.35
"""The distance of values within which two kinds are both possible.

A cell is doubtful if the value of another terrain is less than this below that of the best.
"""

WHOLE_MAP_FROM = 20
"""If fewer than one cell in this many is compared, only a part of the map is drawn."""


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
        likely: NDArray[np.float32],
    ) -> None:
        """Begin with the kinds that samples find likeliest; nothing is drawn yet.

        Args:
            drawing: How maps are drawn, and the picture.
            cells: The cells that are traced, (cells,).
            kinds: The kinds that a cell can be of.
            known_terrains: The terrain of each cell of the grid, (size,); -1 where it is not known.
            likely: How likely each kind is by samples, as a logarithm, (cells, kinds).
        """
        self._view = drawing.view
        self._draw_map = drawing.draw
        self._cells = cells
        self._kinds = kinds
        self._known_terrains = known_terrains.clip(0)  # 0 stands in for those that are traced
        self._likely = likely
        self.best = likely.argmax(axis=1)
        """The best kind of each cell so far, (cells,)."""
        self.value = np.full(likely.shape, -np.inf, np.float32)
        """How well each kind fits in each cell by samples and drawings, (cells, kinds).

        It is -inf for kinds that were not drawn.
        """
        self.is_up_to_date = np.zeros(likely.shape, np.bool_)
        """True for kinds that were drawn in a cell since its surroundings changed, (cells, kinds).
        """
        _points, weights = points_of(self._view.grid.layout)
        self._weights = weights / weights.sum()
        """The weight of each point of a cell, (points,); their sum is 1."""
        self._fade: float | None = None
        """The difference of colours at which the fit of a point is 1 / e.

        None until the first drawing has been compared, which tells how noisy the picture is.
        """

    def compare(
        self, rows: NDArray[np.intp], guesses: NDArray[np.intp], percents: range
    ) -> Generator[int, None, None]:
        """Draw the cells in ``rows`` (n,) as each of their ``guesses`` (n, m).

        A guess of -1 is none. A cell is left out once a drawing of it fits. ``best``, ``value`` and
        ``is_up_to_date`` follow each drawing. Yields the progress, as numbers of ``percents``.
        """
        max_guesses = guesses.shape[1]
        for number in range(max_guesses):
            guesses = self._promising(rows, guesses)
            has_guess = (guesses >= 0).any(axis=1)
            rows = rows[has_guess]
            if not len(rows):
                break
            guesses = guesses[has_guess]

            # Draw all cells at once, each as its next guess, which is then removed.
            next_guess = (guesses >= 0).argmax(axis=1)[:, None]
            kind = np.take_along_axis(guesses, next_guess, axis=1)[:, 0]
            np.put_along_axis(guesses, next_guess, -1, axis=1)
            fit = self._fit(rows, kind)
            self.value[rows, kind] = self._likely[rows, kind] + DRAWN_WEIGHT * fit
            self._choose_best(rows, kind)
            yield percents[len(percents) * number // max_guesses]

            does_not_fit = fit < GOOD_FIT
            rows = rows[does_not_fit]
            guesses = guesses[does_not_fit]

    def _promising(self, rows: NDArray[np.intp], guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return ``guesses`` (n, m) with -1 for those that cannot be right.

        Such a guess would not come near the best kind so far even with ``FULL_FIT``.
        """
        best_values = self.value[rows].max(axis=1, keepdims=True)
        highest_values = np.take_along_axis(self._likely[rows], guesses, axis=1) + FULL_FIT
        return np.where(highest_values > best_values - DOUBT, guesses, -1)

    def _fit(self, rows: NDArray[np.intp], kind: NDArray[np.intp]) -> NDArray[np.float32]:
        """Draw the cells in ``rows`` (n,) as kinds ``kind`` (n,), and return how well they fit.

        Shape (n,), from log(``MIN_POINT_FIT``) to about 0. The fit of a point falls exponentially
        with the difference of its colours.
        """
        colours = self._view.colours(self._cells[rows])
        differences = np.abs(self.draw(rows, kind) - colours).mean(axis=2)
        if self._fade is None:
            # The first drawing has all cells, most of them right: their median difference is the
            # noise.
            self._fade = max(MIN_FADE, float(np.median(differences)))
        fit_of_points = np.exp(-differences / self._fade) + MIN_POINT_FIT
        return np.asarray(np.log(fit_of_points) @ self._weights)

    def _choose_best(self, rows: NDArray[np.intp], kind: NDArray[np.intp]) -> None:
        """Choose the best kinds of the cells in ``rows`` (n,), just drawn as ``kind`` (n,).

        Where a best kind changes, drawings of cells near it are no longer up to date.
        """
        previous_best = self.best[rows]
        self.best[rows] = self.value[rows].argmax(axis=1)
        self.is_up_to_date[rows, kind] = True
        changed_rows = rows[self.best[rows] != previous_best]
        is_near = _is_near(self._view.grid, self._cells[changed_rows])
        self.is_up_to_date[is_near[self._cells]] = False

    def mark_outdated(self) -> None:
        """Let no drawing so far count as up to date."""
        self.is_up_to_date[:] = False

    def fits_badly(self) -> NDArray[np.bool_]:
        """Return which cells fit badly even as their best kind: (cells,)."""
        best = np.arange(len(self.best)), self.best
        weighted_fit = self.value[best] - self._likely[best]
        return np.asarray(weighted_fit < DRAWN_WEIGHT * POOR_FIT)

    def draw(self, rows: NDArray[np.intp], kind: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colours of the cells in ``rows`` (n,), drawn as kinds ``kind`` (n,).

        Shape (n, points, 3). All other cells are drawn as their best kinds.
        """
        kinds = self.best.copy()
        kinds[rows] = kind
        grid = self._view.grid
        terrains = self._known_terrains.copy()
        elevations = np.zeros(grid.size, np.intp)
        terrains[self._cells] = self._kinds.terrains[kinds]
        elevations[self._cells] = self._kinds.elevations[kinds]
        cells = self._cells[rows]
        if len(cells) * WHOLE_MAP_FROM < grid.size:
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
