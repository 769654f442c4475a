from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.tracing.appearance import View
from randomizer.tracing.cell_drawer import Drawing
from randomizer.tracing.drawing_comparison import MIN_DRAWN_TERRAINS
from randomizer.tracing.kinds import agreement, drawn_kinds, painted_kinds
from randomizer.tracing.placement import Placement
from randomizer.tracing.trace import Traced, trace

COLOURS = np.array([
    (60, 110, 160), (90, 160, 80), (220, 210, 150), (90, 160, 80), (120, 60, 30), (30, 60, 30),
    (150, 150, 150), (200, 90, 60), (30, 30, 80), (180, 200, 220),
])  # fmt: skip
ROUGH = 3
"""The terrain of the colour of another one, with a coarse grain."""


def view_of(
    grid: Grid,
    terrains: np.ndarray,
    heights: np.ndarray,
    _drawn_cells: np.ndarray | None = None,
    noise: int = 0,
) -> View:
    """Cells of plain colours, lighter where they are high; one kind of terrain is rough."""
    random = np.random.default_rng(7)
    left, top, right, bottom = grid.bounds
    unit = 16.0
    width, height = (int(side * unit) for side in (right - left, bottom - top))
    y, x = np.mgrid[:height, :width] + 0.5
    cells = grid.cells_at(np.stack([x.ravel() / unit + left, y.ravel() / unit + top], axis=1))
    code = np.where(cells >= 0, terrains[cells], 0)
    picture = COLOURS[code] + 8 * np.where(cells >= 0, heights[cells], 0)[:, None]
    grain = np.repeat(random.choice((-45, 45), (len(code), 1)), 3, axis=1)
    picture = picture + grain * (code == ROUGH)[:, None]
    if noise:
        picture = picture + random.integers(-noise, noise + 1, picture.shape)
    pixels = picture.clip(0, 255).astype(np.uint8).reshape(height, width, 3)
    return View.of(pixels, grid, Placement(unit, 0, 0, unit, -left * unit, -top * unit))


def finish(steps) -> Traced:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
def test_terrains_are_told_by_colour_and_texture_from_drawn_samples(layout) -> None:
    grid = Grid(layout, 12, 9)
    random = np.random.default_rng(1)
    terrains = random.integers(0, 4, grid.size)
    heights = random.integers(0, 3, grid.size)
    kinds = drawn_kinds(layout, range(4), (0, 1, 2), view_of)
    view = view_of(grid, terrains, heights, noise=6)
    start = np.full(grid.size, -1)
    traced = finish(trace(view, kinds, grid.cells, start, Drawing(view_of, view)))
    np.testing.assert_array_equal(traced.terrains, terrains)
    assert not traced.doubtful.any()


def test_terrains_are_learned_from_painted_cells() -> None:
    grid = Grid(FLAT, 20, 16)
    random = np.random.default_rng(2)
    terrains = random.integers(0, 4, grid.size)
    view = view_of(grid, terrains, np.zeros(grid.size, np.intp), noise=12)
    painted = grid.cells[::8]
    kinds = painted_kinds(view, painted, terrains[painted])
    assert set(kinds.terrains.tolist()) == {0, 1, 2, 3}
    assert agreement(view, kinds, painted, terrains[painted]) == 1.0
    cells = np.setdiff1d(grid.cells, painted)
    traced = finish(trace(view, kinds, cells, np.full(grid.size, -1)))
    assert (traced.terrains == terrains[cells]).mean() > 0.98


def test_what_looks_the_same_is_doubtful() -> None:
    grid = Grid(FLAT, 8, 6)
    terrains = np.where(np.arange(grid.size) % 2, 1, 2)
    view = view_of(grid, np.ones(grid.size, np.intp), np.zeros(grid.size, np.intp))
    kinds = painted_kinds(view, grid.cells[:20], terrains[:20])  # one colour for two terrains
    traced = finish(trace(view, kinds, grid.cells[20:], np.full(grid.size, -1)))
    assert traced.doubtful.all()


def test_what_no_drawing_fits_is_doubtful() -> None:
    grid = Grid(FLAT, 8, 6)
    flat = np.zeros(grid.size, np.intp)
    kinds = drawn_kinds(FLAT, range(2), (0,), view_of)
    terrains = np.where(grid.cells == 20, 2, 0)  # a terrain of which there is no sample
    drawing = Drawing(view_of, view := view_of(grid, terrains, flat))
    traced = finish(trace(view, kinds, grid.cells, np.full(grid.size, -1), drawing))
    assert np.flatnonzero(traced.doubtful).tolist() == [20]


def test_a_cell_below_a_river_is_not_taken_for_water() -> None:
    grid = Grid(FLAT, 8, 6)
    terrains = np.where(grid.cells < 8, 0, 1 + grid.cells % 2)  # the top row is water
    flat = np.zeros(grid.size, np.intp)
    clean_view = view_of(grid, terrains, flat)
    water_colour = tuple(COLOURS[0].tolist())
    picture = clean_view.picture.copy()
    _x, middle = clean_view.placement.pixels(grid.centres_of(np.array([24])))[0]
    picture[int(middle) - 5 : int(middle) + 5] = water_colour
    view = View(grid, clean_view.placement, picture)
    kinds = drawn_kinds(FLAT, range(3), (0,), view_of)
    start = np.full(grid.size, -1)
    drawing = Drawing(view_of, view)
    traced = finish(trace(view, kinds, grid.cells, start, drawing, covers=[water_colour]))
    np.testing.assert_array_equal(traced.terrains, terrains)


def test_a_proven_cell_is_not_drawn_as_more_terrains() -> None:
    grid = Grid(FLAT, 8, 6)
    flat = np.zeros(grid.size, np.intp)
    terrains = np.where(grid.cells % 2, 1, 2)
    view = view_of(grid, terrains, flat)
    x, y = view.placement.pixels(grid.centres_of(np.array([20])))[0]
    view.picture[int(y) - 16 : int(y) + 3, int(x) - 16 : int(x) + 16] = (250, 0, 250)
    numbers_of_draws: Counter[int] = Counter()

    def draw(grid, terrains, elevations, cells) -> View:
        numbers_of_draws.update(cells.tolist())
        return view_of(grid, terrains, elevations)

    plain_terrains = [terrain for terrain in range(len(COLOURS)) if terrain != ROUGH]
    kinds = drawn_kinds(FLAT, plain_terrains, (0,), view_of)
    drawing = Drawing(draw, view, is_placed=True)
    traced = finish(trace(view, kinds, grid.cells, np.full(grid.size, -1), drawing))
    np.testing.assert_array_equal(traced.terrains, terrains)
    first_drawing = 1
    assert numbers_of_draws[20] == first_drawing + MIN_DRAWN_TERRAINS < len(plain_terrains)


def test_cells_that_are_known_keep_their_terrain() -> None:
    grid = Grid(FLAT, 8, 6)
    flat = np.zeros(grid.size, np.intp)
    kinds = drawn_kinds(FLAT, range(4), (0,), view_of)
    start = np.where(grid.cells == 20, 2, -1)
    drawing = Drawing(view_of, view := view_of(grid, flat, flat))
    traced = finish(trace(view, kinds, grid.cells, start, drawing))
    assert (traced.terrains == np.where(start == 2, 2, 0)).all()


def test_the_progress_never_falls() -> None:
    grid = Grid(FLAT, 8, 6)
    kinds = drawn_kinds(FLAT, (0, 1, 3), (0, 1, 2), view_of)
    terrains = np.where(grid.cells > 24, 2, 0)  # of terrain 2 there is no sample
    view = view_of(grid, terrains, np.zeros(grid.size, np.intp), noise=20)
    drawing = Drawing(view_of, view)
    percents = list(trace(view, kinds, grid.cells, np.full(grid.size, -1), drawing))
    assert percents[-1] >= 80
    assert percents == sorted(percents)
