"""The relief of whole rows, as for the overview raster, equals that of single cells."""

from __future__ import annotations

import numpy as np
import pytest

from app.render.cell_values.relief import relief
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM

WIDTH = 12
HEIGHT = 9


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_rows_have_the_light_of_their_cells(layout: Layout, holes: bool, wrap: bool) -> None:
    noise = np.random.default_rng(3)
    mask = noise.random((HEIGHT, WIDTH)) > 0.3 if holes else None
    grid = Grid(layout, WIDTH, HEIGHT, mask, wrap)
    elevation = noise.integers(-3, 4, (HEIGHT, WIDTH)).astype("i2")
    layer = Layer(1, "Ground", planes={"elevation": elevation})
    battlemap = BattleMap.new(SYSTEM, grid, [layer])
    shown = battlemap.composite()
    for first, last in ((0, HEIGHT), (2, 5), (3, 4), (7, HEIGHT)):
        rows = slice(first * WIDTH, last * WIDTH)
        cells = grid.cells[(grid.cells >= rows.start) & (grid.cells < rows.stop)]
        light = relief(battlemap, shown, rows)
        assert light.any()
        assert np.array_equal(light[cells - rows.start], relief(battlemap, shown, cells))
