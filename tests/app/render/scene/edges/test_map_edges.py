"""The seam of a wrapped map is found by the cells beyond it, however narrow the map is."""

from __future__ import annotations

import numpy as np
import pytest

from app.render.scene.edges.map_edges import map_edge_sides, may_lie_at_map_edge
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Layout

HEIGHT = 5


def seam_pairs(grid: Grid) -> set[tuple[int, int]]:
    """Return the cells and sides at which a grid has a seam."""
    cells = np.arange(grid.size, dtype=np.intp)
    pairs = set()
    for side in range(grid.layout.degree):
        _is_edge, is_seam = map_edge_sides(grid, cells, side)
        pairs |= {(cell, side) for cell in cells[is_seam].tolist()}
    return pairs


@pytest.mark.parametrize("width", [2, 4, 6, 20])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_seam_is_where_the_map_without_wrap_ends_at_the_sides(
    layout: Layout, width: int
) -> None:
    wrapped = Grid(layout, width, HEIGHT, wrap=True, lean=True)
    flat = Grid(layout, width, HEIGHT)
    cells = np.arange(flat.size, dtype=np.intp)
    ends_without_wrap = set()
    for side in range(layout.degree):
        is_end, _is_seam = map_edge_sides(flat, cells, side)
        is_end_of_wrapped, _is_seam = map_edge_sides(wrapped, cells, side)
        ends_without_wrap |= {(cell, side) for cell in cells[is_end & ~is_end_of_wrapped].tolist()}
    assert seam_pairs(wrapped) == ends_without_wrap
    assert ends_without_wrap


@pytest.mark.parametrize("width", [2, 4, 20])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_cells_at_the_seam_are_near_the_edge(layout: Layout, width: int) -> None:
    for lean in (False, True):
        grid = Grid(layout, width, HEIGHT, wrap=True, lean=lean)
        is_near = may_lie_at_map_edge(grid, np.arange(grid.size, dtype=np.intp))
        pairs = seam_pairs(grid)
        assert pairs
        assert all(is_near[cell] for cell, _side in pairs)
