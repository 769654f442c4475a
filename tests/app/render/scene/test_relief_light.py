"""The light of the relief is even where the land slopes evenly, and stays on the map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.render.map_view import MapView
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from tests.app.render.drawing import GRIDS, NOTHING, SIZE, middle_viewport, world

SHADED = replace(NOTHING, shading=True)


def drawn(battlemap, viewport: Viewport, overlays) -> np.ndarray:
    renderer = Renderer(theme("light", "print"))  # without pictures: the ground has one colour
    renderer.overlays = overlays
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    composite = battlemap.composite()
    renderer.paint(painter, MapView(battlemap, composite, viewport), QRectF(0, 0, *SIZE))
    painter.end()
    array = np.frombuffer(image.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4)
    return array[:, :, :3].astype(int)


def sloping(grid, down: float):
    """Land that falls evenly to the south-east (or rises, below 0)."""
    battlemap = world(grid)
    set_values(battlemap, 1, "terrain", grid.cells, 2).apply(battlemap)
    heights = np.rint(-down * grid.centres_of(grid.cells) @ (0.6, 0.8)).astype(int)
    set_values(battlemap, 1, "elevation", grid.cells, heights).apply(battlemap)
    return battlemap


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
@pytest.mark.parametrize("down", [40.0, -40.0])
def test_an_even_slope_has_an_even_tone_which_is_that_of_the_overview(qapp, layout, down):
    battlemap = sloping(Grid(layout, 14, 11), down)
    near = middle_viewport(battlemap.grid, 26.0)
    shaded = drawn(battlemap, near, SHADED)
    flat = drawn(battlemap, near, NOTHING)
    ground = np.abs(flat - np.median(flat, axis=(0, 1))).max(axis=2) < 3  # beside the features
    tones = shaded[60:140, 80:180][ground[60:140, 80:180]]
    assert len(tones) > 1000
    assert np.abs(tones - np.median(tones, axis=0)).max() <= 6
    assert (np.median(tones) > np.median(flat)) == (down < 0)
    far = drawn(battlemap, middle_viewport(battlemap.grid, 4.0), SHADED)
    middle = far[SIZE[1] // 2 - 8 : SIZE[1] // 2 + 8, SIZE[0] // 2 - 8 : SIZE[0] // 2 + 8]
    assert np.abs(np.median(middle, axis=(0, 1)) - np.median(tones, axis=0)).max() <= 6


@pytest.mark.parametrize("name", GRIDS)
def test_the_light_stays_on_the_map(qapp, name):
    battlemap = world(GRIDS[name])
    grid = battlemap.grid
    heights = np.random.default_rng(1).integers(0, 6, len(grid.cells))
    set_values(battlemap, 1, "elevation", grid.cells, heights).apply(battlemap)
    left, top, *_ = grid.bounds
    scale = 12.0
    viewport = Viewport(scale, 20 - left * scale, 20 - top * scale)
    shaded, flat = (drawn(battlemap, viewport, shown) for shown in (SHADED, NOTHING))
    changed = np.abs(shaded - flat).max(axis=2) > 8
    assert changed.any()
    ys, xs = np.nonzero(changed)
    points = np.column_stack([(xs + 0.5) / scale + left - 20 / scale, (ys + 0.5) / scale + top])
    points[:, 1] -= 20 / scale
    cells = grid.cells_at(points)
    apart = np.abs(grid.centres_of(np.maximum(cells, 0)) - points).max(axis=1)
    away = (cells < 0) | (apart > 1.2)
    near_a_cell = [
        grid.cells_at(points[away] + offset) >= 0
        for offset in ((0.12, 0), (-0.12, 0), (0, 0.12), (0, -0.12))
    ]
    assert np.any(near_a_cell, axis=0).all()


def test_equal_heights_have_no_light(qapp):
    battlemap = world(GRIDS["flat"])
    set_values(battlemap, 1, "elevation", battlemap.grid.cells, 2).apply(battlemap)
    viewport = middle_viewport(battlemap.grid, 24.0)
    assert (drawn(battlemap, viewport, SHADED) == drawn(battlemap, viewport, NOTHING)).all()
