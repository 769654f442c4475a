"""No line of the sea shows within the land beside it, at any scale."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from app.render.piece import closed_path
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM
from tests.app.render.drawing import (
    COLUMNS,
    GRIDS,
    NOTHING,
    ROWS,
    SIZE,
    middle_viewport,
    picture,
)

SCALES = (8.0, 9.11, 9.48, 10.22, 11.06, 12.81, 15.4, 20.21, 25.02)
"""Cells of each scale lie at other parts of a pixel. 11.06 shows all of 40 x 30 cells of a world.
"""

FAINT = 45
"""A difference of so many levels (0 to 255) is a soft edge. A line of the sea has 55 to 80."""


def picture_of(grid: Grid, codes: np.ndarray, scale: float) -> np.ndarray:
    """Return the colours of the picture of a landscape: (height, width, 3)."""
    layer = Layer(1, "Ground", planes={"terrain": codes})
    return colours_of(picture(BattleMap.new(SYSTEM, grid, [layer]), NOTHING, scale))


def colours_of(image: QImage) -> np.ndarray:
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return pixels[:, : image.width(), :3].astype(int)


def pixels_in(grid: Grid, cells: np.ndarray, scale: float) -> np.ndarray:
    """Return which pixels of a picture lie in these cells: (height, width)."""
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    viewport = middle_viewport(grid, scale)
    painter = QPainter(image)
    for cell in cells.tolist():
        painter.fillPath(closed_path(viewport.cell_polygon(grid, cell)), Qt.GlobalColor.white)
    painter.end()
    return colours_of(image)[..., 0] > 0


@pytest.mark.parametrize("name", ["oblique upright", "flat", "pointy", "square"])
def test_no_line_of_the_sea_shows_within_the_land(qapp, name):
    grid = GRIDS[name]
    terrain_set = SYSTEM.terrain_set
    land = np.full((ROWS, COLUMNS), terrain_set.terrain_code("Grassland"), np.uint16)
    island = np.full_like(land, terrain_set.terrain_code("Sea"))
    island[3:8, 4:10] = land[3:8, 4:10]
    cells = np.flatnonzero(island == land)
    for scale in SCALES:
        difference = np.abs(picture_of(grid, island, scale) - picture_of(grid, land, scale))
        is_line = difference.max(axis=2) > FAINT
        assert not (is_line & pixels_in(grid, cells, scale)).any(), scale
