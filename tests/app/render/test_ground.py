"""Ground fills its cell, and translucent layers show what is below them."""

from __future__ import annotations

import pytest

from app.render.theme import theme
from randomizer.model.edit import LayerField
from randomizer.model.edit_making import set_values
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
