"""Ground fills its cell, and translucent layers show what is below them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.render.theme import theme
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_values
from tests.app.render.drawing import GRIDS, NOTHING, SCALES, SIZE, middle_viewport, picture, world


@pytest.mark.parametrize("scale", SCALES)
def test_a_translucent_layer_lets_through_what_lies_below(qapp, scale):
    """Half opaque lies between hidden and opaque, and only on the desk."""
    battlemap = world(GRIDS["flat"])
    set_values(battlemap, 2, "terrain", battlemap.grid.cells, 11).apply(battlemap)  # tar: dark
    veiled = picture(battlemap, NOTHING, scale, translucent=True)
    covered = picture(battlemap, NOTHING, scale)
    LayerField(2, "visible", True, False).apply(battlemap)
    below = picture(battlemap, NOTHING, scale)

    def lightness(image):
        middle = image.copy(SIZE[0] // 2 - 3, SIZE[1] // 2 - 3, 6, 6)
        return sum(middle.pixelColor(x, y).lightness() for x in range(6) for y in range(6)) / 36

    assert lightness(covered) + 15 < lightness(veiled) < lightness(below) - 15


@pytest.mark.parametrize("layout", ["flat", "pointy", "square"])
def test_ground_fills_the_whole_cell(qapp, layout):
    """The pictures are of flat hexes; on other cells they reach into every corner, too."""
    battlemap = world(GRIDS[layout])
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, 8).apply(battlemap)
    scale = 60.0
    image = picture(battlemap, NOTHING, scale)
    background = theme("light").background
    viewport = middle_viewport(battlemap.grid, scale)
    x, y = battlemap.grid.centre(5 * 14 + 7)
    for dx, dy in battlemap.grid.layout.corners:
        point = viewport.to_screen(x + dx * 0.97, y + dy * 0.97).toPoint()
        colour = image.pixelColor(point)
        assert abs(colour.red() - background.red()) > 40, (dx, dy)
        assert colour.blue() > colour.red()  # water


@pytest.mark.parametrize("terrain", ["Volcano", "TarPit", "Lake"])
def test_no_grid_line_is_paler_than_the_ground_that_it_lies_on(qapp, terrain):
    """On lava and tar pale pieces of it looked like something that lies there."""
    battlemap = world(GRIDS["flat"])
    code = battlemap.terrain_set.terrain_code(terrain)
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, code).apply(battlemap)
    bare = picture(battlemap, NOTHING, 40.0)
    lined = picture(battlemap, replace(NOTHING, grid_lines=True), 40.0)
    assert (channels(lined) != channels(bare)).any()
    assert (channels(lined) <= channels(bare) + 1).all()


def channels(image):
    """Red, green and blue of each pixel, shape (height, width, 3)."""
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return pixels[:, : image.width(), :3].astype(int)
