"""Hypothesis strategies for grids of every layout, and for points on and around them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Shear


@st.composite
def grids(draw: st.DrawFn, *, most: int = 7, wraps: bool | None = None) -> Grid:
    """Grids of up to ``most`` columns and rows; ``wraps``: whether they must (None: some do)."""
    layout = draw(st.sampled_from(LAYOUTS))
    wrap = draw(st.booleans()) if wraps is None else wraps
    width = draw(st.integers(1, most))
    height = draw(st.integers(1, most))
    if wrap and layout.shear is Shear.COLUMNS:
        width += width % 2
    mask = None
    if draw(st.booleans()):
        size = width * height
        exist = draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
        mask = np.array(exist).reshape(height, width)
    return Grid(layout, width, height, mask, wrap)


@st.composite
def grids_and_cells(draw: st.DrawFn, *, wraps: bool | None = None) -> tuple[Grid, int]:
    """A grid and one of its existing cells."""
    grid = draw(grids(wraps=wraps))
    return grid, int(draw(st.sampled_from(grid.cells.tolist())))


near = st.floats(-6.0, 20.0)
far = st.floats(allow_nan=True, allow_infinity=True)
points = st.tuples(near | far, near | far)
"""Points on and around small grids, some beyond all sense."""
