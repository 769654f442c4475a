"""Takes terrains from a picture: what each cell is most like, and which drawing of it fits best.

    kinds = drawn_kinds(grid.layout, range(21), (0, 1, 2), draw)
    start = np.full(grid.size, -1)                     # no terrain is known
    traced = yield from trace(view, kinds, grid.cells, start, Drawing(draw, view))

``draw`` is how the program draws a map: a terrain that nobody has painted is known by a drawing,
and of several guesses that one is right whose drawing has the colours of the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.alignment import register
from randomizer.tracing.appearance import Samples, View, likeness, points_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.layouts import Layout

Colour = tuple[int, int, int]

Draw = Callable[
    [Grid, "NDArray[np.intp]", "NDArray[np.intp]", "NDArray[np.intp]"],
    View,
]
"""Returns the view of a drawn map: of its grid, terrains (size,) and elevations (size,), and which
cells (n,) have to be drawn; what is drawn elsewhere is of no use."""

BLOCK = 2
"""A terrain is drawn in a block of so many cells across and down for a sample."""

MOST_KINDS = 400
"""So many pairs of terrain and elevation are drawn for samples; else elevation 0 alone."""

MOST_PAINTED = 30
"""So many painted cells of a terrain are samples."""

MOST_CELLS = 250_000
"""Maps of more cells are not traced."""

MOST_DRAWN = 20_000
"""Maps of more cells are not drawn to be compared with their picture: samples alone decide."""

CERTAINTY = 5.0
"""How much a difference of likeness counts against how common a kind is on the map."""

SAME_KIND = 0.5
"""How much it counts for a kind that all neighbours of a cell are of this kind."""

NEAR_HEIGHT = 0.5
"""How much it counts for a kind that all neighbours of a cell have its elevation; half as much if
they are one higher or lower."""


class Round(NamedTuple):
    """A round of drawing cells as several kinds."""

    most_guesses: int
    """So many kinds are drawn for a cell, at most."""

    gap: float
    """Kinds that are less likely than the likeliest one by this or more are not drawn."""

    percents: range
    """The progress of a tracing during the round."""


ROUNDS = (
    Round(5, 1.5, range(40, 70)),
    Round(25, 9.0, range(70, 85)),
    Round(40, 9.0, range(85, 100)),
)
"""The rounds of a comparison: all cells; those that are doubtful; those that nothing fits."""

ALIKE = 0.5
"""How much less likely than it looks a second kind of a terrain counts, a third twice as much."""

REGISTRATIONS = 2
"""The grid's placement is corrected so often by a drawing of the terrains that it shows."""

MOST_AGAIN = 300
"""More doubtful cells are not drawn again."""

AROUND = 3
"""What a drawing of a cell depends on lies at most so many cells away."""

DRAWN_WEIGHT = 3.0
"""How much drawings count against samples."""

SHARP = 0.5
"""From this difference of colours on, in pictures without noise, a point counts against a
drawing."""

ODD = 0.02
"""How well a point fits at least: whatever its colours, it counts for no less than log(ODD)."""

FULL_FIT = DRAWN_WEIGHT * math.log(1 + ODD)
"""What a drawing counts whose points all have the very colours of the picture."""

FITS = -0.1
"""A drawing that fits so well is right: the mean logarithm of how well its points fit, 0 at best,
log(ODD) at worst."""

POOR = -2.8
"""A drawing that fits worse is wrong, on the scale of ``FITS``."""

NEVER = -1000.0
"""How likely a terrain is in a cell that is known to have another one."""

DOUBT = 0.35
"""Cells are doubtful if another terrain is less worse than this."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Samples, and the terrain and the elevation of each: (samples,)."""

    samples: Samples
    terrains: NDArray[np.intp]
    elevations: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Drawing:
    """The program's drawing of maps, and the view of the picture that drawings are compared with.

    That is the view that is traced if the grid's place is only about right: it is then registered.
    """

    draw: Draw
    view: View


@dataclass(frozen=True, eq=False)
class Traced:
    """The terrains of the cells that were asked for, in their order; which of them are doubtful."""

    terrains: NDArray[np.intp]
    doubtful: NDArray[np.bool_]


def drawn_kinds(
    layout: Layout, terrains: Sequence[int], elevations: Sequence[int], draw: Draw
) -> Kinds:
    """Samples of terrains in each of ``elevations``, as the program draws them."""
    if len(terrains) * len(elevations) > MOST_KINDS:
        elevations = (0,)
    kinds = [(terrain, elevation) for elevation in elevations for terrain in terrains]
    across = min(len(terrains), MOST_KINDS)
    grid = Grid(layout, across * BLOCK, -(-len(kinds) // across) * BLOCK)
    y, x = np.divmod(np.arange(grid.size), grid.width)
    number = y // BLOCK * across + x // BLOCK
    codes, heights = np.array(kinds, np.intp)[number.clip(0, len(kinds) - 1)].T
    view = draw(grid, codes, heights, grid.cells)
    groups = [np.flatnonzero(number == kind_number) for kind_number in range(len(kinds))]
    return Kinds(Samples(view, groups), *np.array(kinds, np.intp).T)


def painted_kinds(view: View, cells: NDArray[np.intp], terrains: NDArray[np.intp]) -> Kinds:
    """Return each of ``cells``, whose ``terrains`` (n,) are known, as a sample; of many some."""
    groups: list[NDArray[np.intp]] = []
    codes: list[int] = []
    for terrain in np.unique(terrains).tolist():
        cells_of_terrain = cells[terrains == terrain]
        cells_of_terrain = cells_of_terrain[:: -(-len(cells_of_terrain) // MOST_PAINTED)]
        groups += list(cells_of_terrain[:, None])
        codes += [terrain] * len(cells_of_terrain)
    return Kinds(Samples(view, groups), np.array(codes, np.intp), np.zeros(len(codes), np.intp))


def trace(
    view: View,
    kinds: Kinds,
    cells: NDArray[np.intp],
    start: NDArray[np.intp],
    drawing: Drawing | None = None,
    covers: Iterable[Colour] = (),
) -> Generator[int, None, Traced]:
    """Trace ``cells``; those whose terrain ``start`` (size,) knows keep it, -1 is unknown.

    ``drawing`` only if the picture may be one of ours. ``covers`` are colours of what may lie on
    any cell, such as roads. Yields percents.
    """
    # Samples say how likely each kind is in each cell.
    likely, context = _likelihood(view, kinds, cells, start, covers)
    yield 30
    if drawing is None or not len(cells) or view.grid.size > MOST_DRAWN:
        best = likely.argmax(axis=1)
        return Traced(kinds.terrains[best], _doubtful(likely - context, best, kinds.terrains))

    # The likeliest kinds, drawn, show how far the grid lies from where it should; the better it
    # lies, the better are the guesses.
    if drawing.view is view:
        for _ in range(REGISTRATIONS):
            comparison = _Comparison(drawing, cells, kinds, start, likely)
            drawn = comparison.draw(np.arange(len(cells)), comparison.best)
            view = replace(view, placement=register(view, cells, drawn))
            yield 35
            likely, context = _likelihood(view, kinds, cells, start, covers)
        drawing = replace(drawing, view=view)

    # Drawings of the likely kinds decide.
    comparison = _Comparison(drawing, cells, kinds, start, likely)
    return (yield from _compare_in_rounds(comparison, view.grid, cells, kinds, likely, context))


def _compare_in_rounds(
    comparison: _Comparison,
    grid: Grid,
    cells: NDArray[np.intp],
    kinds: Kinds,
    likely: NDArray[np.float32],
    context: NDArray[np.float32],
) -> Generator[int, None, Traced]:
    """Draw ``cells`` as their likeliest kinds, and the doubtful ones again as more kinds.

    ``likely`` and ``context`` (cells, kinds) are those of ``_likelihood``. Yields percents.
    """
    terrains = kinds.terrains
    first_round, *later_rounds = ROUNDS

    # At first all cells change at once.
    all_rows = np.arange(len(cells))
    guesses = _guesses(likely, terrains, first_round.most_guesses, first_round.gap)
    yield from comparison.compare(all_rows, guesses, first_round.percents)
    fits_badly = comparison.fits_badly()
    is_close = _doubtful(comparison.value - context, comparison.best, terrains)
    rows_left = np.flatnonzero(fits_badly | is_close)[:MOST_AGAIN]

    # What is drawn in a cell depends on its neighbours: now these stay as they are. So what was
    # drawn while neighbours changed, too, is drawn once more.
    comparison.is_up_to_date[:] = False
    for most_guesses, gap, percents in later_rounds:
        for group in _groups_without_neighbours(grid, cells[rows_left]):
            rows = rows_left[group]
            guesses = _guesses(likely[rows], terrains, most_guesses, gap)
            guesses[np.take_along_axis(comparison.is_up_to_date[rows], guesses, axis=1)] = -1
            yield from comparison.compare(rows, guesses, percents)
        fits_badly = comparison.fits_badly()
        is_close = _doubtful(comparison.value - context, comparison.best, terrains)
        rows_left = np.flatnonzero(fits_badly)[:MOST_AGAIN]
    return Traced(terrains[comparison.best], fits_badly | is_close)


def _groups_without_neighbours(grid: Grid, cells: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the numbers of ``cells`` (n,) in groups, in each of which no two are neighbours."""
    groups: list[list[int]] = []
    group_of_cell: dict[int, int] = {}
    for number, cell in enumerate(cells.tolist()):
        neighbours = grid.neighbour_table[cell].tolist()
        groups_of_neighbours = {group_of_cell.get(neighbour) for neighbour in neighbours}
        group = 0
        while group in groups_of_neighbours:
            group += 1
        if group == len(groups):
            groups.append([])
        groups[group].append(number)
        group_of_cell[cell] = group
    return [np.array(group, np.intp) for group in groups]


def _likelihood(
    view: View,
    kinds: Kinds,
    cells: NDArray[np.intp],
    start: NDArray[np.intp],
    covers: Iterable[Colour],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return how likely each kind is in each cell (cells, kinds), and how much of that is its
    context.
    """
    likeness_of_kinds = likeness(view, cells, kinds.samples, tuple(covers))
    fixed = start[cells][:, None]
    likeness_of_kinds[(fixed >= 0) & (fixed != kinds.terrains)] = NEVER
    context = _commonness(likeness_of_kinds) + np.zeros_like(likeness_of_kinds)
    context += _surroundings(view.grid, cells, (likeness_of_kinds + context).argmax(axis=1), kinds)
    return likeness_of_kinds + context, context


def _doubtful(
    value: NDArray[np.float32], best: NDArray[np.intp], terrains: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return whether another terrain than that of the ``best`` kind fits nearly as well:
    (cells,).
    """
    other_values = np.where(terrains == terrains[best][:, None], -np.inf, value).max(axis=1)
    return np.asarray(value[np.arange(len(best)), best] - other_values < DOUBT)


def _commonness(likeness_of_kinds: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what it counts how common each kind is on the map (kinds,), by likeness (cells,
    kinds).
    """
    share = np.full(likeness_of_kinds.shape[1], 1.0 / likeness_of_kinds.shape[1])
    for _ in range(10):  # each round says better which kinds there are
        odds = CERTAINTY * likeness_of_kinds + np.log(share)
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        share = odds.sum(axis=0) + 0.1
        share /= share.sum()
    return np.asarray(np.log(share) / CERTAINTY, np.float32)


def _surroundings(
    grid: Grid, cells: NDArray[np.intp], best: NDArray[np.intp], kinds: Kinds
) -> NDArray[np.float32]:
    """Return what the ``best`` kinds (n,) of their neighbours count for each kind of each cell."""
    terrains = kinds.terrains
    elevations = kinds.elevations
    row_of_cell = np.full(grid.size + 1, -1)
    row_of_cell[cells] = np.arange(len(cells))
    neighbour_shares = np.zeros((len(cells), len(terrains)), np.float32)
    for side in range(grid.degree):
        neighbours = row_of_cell[grid.neighbours_of(cells, side)]
        with_neighbour = np.flatnonzero(neighbours >= 0)
        neighbour_shares[with_neighbour, best[neighbours[with_neighbour]]] += 1
    neighbour_shares /= np.maximum(neighbour_shares.sum(axis=1, keepdims=True), 1)
    near = (2.0 - np.abs(elevations[:, None] - elevations)).clip(0) / 2
    same = (terrains[:, None] == terrains) & (elevations[:, None] == elevations)
    return np.asarray(neighbour_shares @ (SAME_KIND * same + NEAR_HEIGHT * near), np.float32)


class _Comparison:
    """Drawings of a map with guesses, beside its picture.

    ``best`` (cells,) is the kind of each cell so far, ``value`` (cells, kinds) how well those fit
    that were drawn.
    """

    def __init__(
        self,
        drawing: Drawing,
        cells: NDArray[np.intp],
        kinds: Kinds,
        start: NDArray[np.intp],
        likely: NDArray[np.float32],
    ) -> None:
        self._view = drawing.view
        self._draw_map = drawing.draw
        self._cells = cells
        self._kinds = kinds
        self._start = start.clip(0)
        self._likely = likely
        self.best = likely.argmax(axis=1)
        self.value = np.full(likely.shape, -np.inf, np.float32)
        self.is_up_to_date = np.zeros(likely.shape, np.bool_)
        """Whether a kind has been drawn in a cell (cells, kinds) since cells near it changed."""
        weights = points_of(self._view.grid.layout)[1]
        self._weights = weights / weights.sum()
        self._fade = 0.0
        """The difference of colours at which the fit of a point is 1/e; 0 before the first drawing.
        """

    def compare(
        self, rows: NDArray[np.intp], guesses: NDArray[np.intp], percents: range
    ) -> Generator[int, None, None]:
        """Draw the cells in ``rows`` (n,) as each of their ``guesses`` (n, m; -1 for none).

        A cell is left out once a drawing of it fits. Yields percents of ``percents``.
        """
        most_guesses = guesses.shape[1]
        for number in range(most_guesses):
            # A guess is left out that would not come near the best one so far even if it fitted.
            best_values = self.value[rows].max(axis=1, keepdims=True)
            highest_values = np.take_along_axis(self._likely[rows], guesses, axis=1) + FULL_FIT
            is_left = (guesses >= 0) & (highest_values > best_values - DOUBT)
            has_guess = is_left.any(axis=1)
            rows = rows[has_guess]
            if not len(rows):
                break
            guesses = np.where(is_left, guesses, -1)[has_guess]
            next_guess = is_left[has_guess].argmax(axis=1)[:, None]
            kind = np.take_along_axis(guesses, next_guess, axis=1)[:, 0]
            np.put_along_axis(guesses, next_guess, -1, axis=1)

            # How well a cell fits falls exponentially with the difference of its colours; the
            # first cells that are drawn tell how noisy the picture is.
            colours = self._view.colours(self._cells[rows])
            differences = np.abs(self.draw(rows, kind) - colours).mean(axis=2)
            if not self._fade:
                self._fade = max(SHARP, float(np.median(differences)))
            fit = np.log(np.exp(-differences / self._fade) + ODD) @ self._weights

            self.value[rows, kind] = self._likely[rows, kind] + DRAWN_WEIGHT * fit
            self._choose_best(rows, kind)
            yield percents[len(percents) * number // most_guesses]
            does_not_fit = fit < FITS
            rows = rows[does_not_fit]
            guesses = guesses[does_not_fit]

    def _choose_best(self, rows: NDArray[np.intp], kind: NDArray[np.intp]) -> None:
        """Take the best kinds of the cells in ``rows`` (n,), just drawn as kinds ``kind`` (n,)."""
        previous_best = self.best[rows]
        self.best[rows] = self.value[rows].argmax(axis=1)
        self.is_up_to_date[rows, kind] = True
        changed_rows = rows[self.best[rows] != previous_best]
        is_near = _is_near(self._view.grid, self._cells[changed_rows])
        self.is_up_to_date[is_near[self._cells]] = False

    def fits_badly(self) -> NDArray[np.bool_]:
        """Return whether even the best drawing of each cell fits badly: (cells,)."""
        at = np.arange(len(self.best)), self.best
        return np.asarray(self.value[at] - self._likely[at] < DRAWN_WEIGHT * POOR)

    def draw(self, rows: NDArray[np.intp], kind: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the colours of the cells in ``rows`` (n,), drawn as kinds ``kind`` (n,)."""
        kinds = self.best.copy()
        kinds[rows] = kind
        codes = self._start.copy()
        heights = np.zeros(self._view.grid.size, np.intp)
        codes[self._cells] = self._kinds.terrains[kinds]
        heights[self._cells] = self._kinds.elevations[kinds]
        grid = self._view.grid
        cells = self._cells[rows]
        if len(cells) * 20 < grid.size:
            # A drawing of few cells holds these, and those that their drawing depends on.
            mask = _is_near(grid, cells).reshape(grid.height, grid.width)
            grid = Grid(grid.layout, grid.width, grid.height, mask, grid.wrap, grid.lean)
        return self._draw_map(grid, codes, heights, cells).colours(cells)


def _is_near(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return whether each cell (size,) is at most ``AROUND`` cells away from one of ``cells``."""
    is_near = np.zeros(grid.size, np.bool_)
    is_near[cells] = True
    for _ in range(AROUND):
        neighbours = grid.neighbour_table[is_near]
        is_near[neighbours[neighbours >= 0]] = True
    return is_near


def _guesses(
    likely: NDArray[np.float32], terrains: NDArray[np.intp], most: int, gap: float
) -> NDArray[np.intp]:
    """Return the likeliest kinds (cells, most), first of different terrains; -1 for too unlikely
    ones.
    """
    order = likely.copy()
    for terrain in np.unique(terrains):
        kinds_of_terrain = np.flatnonzero(terrains == terrain)
        order[:, kinds_of_terrain] -= ALIKE * (-likely[:, kinds_of_terrain]).argsort(
            axis=1
        ).argsort(axis=1)
    result = (-order).argsort(axis=1)[:, :most]
    near = np.take_along_axis(likely, result, axis=1) > likely.max(axis=1, keepdims=True) - gap
    # Behind the first one that is too unlikely only other elevations of the terrains before it are
    # likely enough; in pictures that are not drawn by this program they would fit by chance.
    near = np.logical_and.accumulate(near, axis=1)
    return np.where(near, result, -1)


def agreement(
    view: View, kinds: Kinds, cells: NDArray[np.intp], terrains: NDArray[np.intp]
) -> float:
    """Return the share of ``cells``, whose ``terrains`` (n,) are known, that samples tell
    rightly.
    """
    likeness_of_kinds = likeness(view, cells, kinds.samples)
    if len(cells):
        return float((kinds.terrains[likeness_of_kinds.argmax(axis=1)] == terrains).mean())
    return 0.0
