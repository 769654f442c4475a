"""Drawings of a few cells, as tracing compares them with a picture."""

from __future__ import annotations

import numpy as np
import pytest

from app.paper.traced_drawings import MapRenderer
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from randomizer.systems.free.system import free_map


@pytest.mark.parametrize(
    ("layout", "keep_size"),
    [
        (FLAT, True),
        (SQUARE, False),
        *(
            pytest.param(layout, keep_size, marks=pytest.mark.deep)
            for layout in LAYOUTS
            for keep_size in (True, False)
        ),
    ],
)
def test_a_few_cells_look_as_in_a_drawing_of_all(qapp, layout, keep_size) -> None:
    """What lies in no chosen cell is left out, and what was drawn before is not cleared."""
    battlemap = free_map(layout, 12, 9)
    grid = battlemap.grid
    dice = np.random.default_rng(5)
    terrains = dice.integers(0, len(battlemap.terrain_set.terrains), grid.size)
    elevations = dice.integers(0, 3, grid.size)
    cells = grid.cells[3::17]
    draw = MapRenderer(battlemap, 56.0, keep_size=keep_size).draw
    expected = draw(grid, terrains, elevations, grid.cells).colours(cells)
    draw(grid, np.roll(terrains, 1), elevations, grid.cells)
    colours = draw(grid, terrains, elevations, cells).colours(cells)
    # Soft edges of the neighbours' grounds, which reach a little over their sides, are left out.
    difference = np.abs(colours - expected).max(axis=2)
    assert (difference > 0.01).mean() < 0.05
    assert (difference > 5).mean() < 0.01
