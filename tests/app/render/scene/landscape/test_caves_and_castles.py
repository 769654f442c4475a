"""Chasms, caves and castles as pictures: broken rims, masses of rock, yards between walls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM

SET = TerrainSet(
    "Caves",
    (
        Terrain("Grassland", "#90b060"),
        Terrain("Cave wall", "#4b433b"),
        Terrain("Chasm", "#2a2520"),
        Terrain("Cave floor", "#6f6458"),
        Terrain("Castle", "#b0a797"),
        Terrain("Encampment", "#b59a72"),
    ),
)
GRASS, ROCK, CHASM, FLOOR, CASTLE, CAMP = range(6)

GRID = Grid(FLAT, 7, 7)

SCALE = 50.0
"""Pixels a map unit."""

ABYSS = 40
"""Whatever is darker than this is the bottom of a hole, from 0 to 255."""

LIT = 110
"""Rock and grass in the light are lighter than this."""


def lightness_of(terrain: int, cells: list[int]) -> NDArray[np.float64]:
    """Return how light the pixels of a meadow are in which ``cells`` have a terrain: (rows,
    columns), from 0 to 255."""
    layer = Layer(1, "Ground")
    plane = np.full(GRID.size, GRASS, "u2")
    plane[cells] = terrain
    layer.planes["terrain"] = plane.reshape(GRID.height, GRID.width)
    battlemap = BattleMap.new(SYSTEM, GRID, [layer], SET)
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(**dict.fromkeys(Overlays.__slots__, False))
    left, top, right, bottom = GRID.bounds
    size = (round((right - left) * SCALE), round((bottom - top) * SCALE))
    image = QImage(*size, QImage.Format.Format_RGB32)
    view = Viewport(SCALE, -left * SCALE, -top * SCALE)
    with painting(image) as painter:
        area = QRectF(0, 0, *size)
        renderer.paint(painter, MapView(battlemap, battlemap.composite(), view), area)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(size[1], size[0], 4)
    return np.asarray(pixels[:, :, :3].astype(np.float64).mean(axis=2))


def pixel_of(cell: int) -> tuple[int, int]:
    """Return the column and row of the middle of a cell."""
    x, y = GRID.centre(cell)
    left, top, _right, _bottom = GRID.bounds
    return round((x - left) * SCALE), round((y - top) * SCALE)


def reach(lightness: NDArray[np.float64], cell: int, degrees: int) -> float:
    """Return how far the bottom of a hole reaches from the middle of its cell, in map units."""
    column, row = pixel_of(cell)
    farthest = 0
    for far in range(round(1.2 * SCALE)):
        x = column + round(far * math.cos(math.radians(degrees)))
        y = row + round(far * math.sin(math.radians(degrees)))
        if lightness[y, x] < ABYSS:
            farthest = far
    return farthest / SCALE


MIDDLES = [16, 17, 18, 23, 24, 25, 30, 31, 32]
"""Cells in the middle of the map."""


@pytest.mark.parametrize("cell", MIDDLES)
def test_a_chasm_of_one_cell_is_no_round_shaft(qapp, cell):
    lightness = lightness_of(CHASM, [cell])
    # In the south no rock is seen below the rim, and the dark is the outline of the hole.
    reaches = [reach(lightness, cell, degrees) for degrees in range(30, 151, 4)]
    assert max(reaches) > 1.3 * min(reaches)


def test_holes_of_one_cell_are_not_all_alike(qapp):
    outlines = set()
    for cell in MIDDLES:
        lightness = lightness_of(CHASM, [cell])
        outlines.add(tuple(round(reach(lightness, cell, at), 1) for at in range(0, 181, 15)))
    assert len(outlines) > 4


def test_below_the_northern_rim_of_a_chasm_lit_rock_goes_down_into_the_dark(qapp):
    lightness = lightness_of(CHASM, [24])
    column, row = pixel_of(24)
    northern = lightness[row - round(0.85 * SCALE) : row, column - 9 : column + 9].mean(axis=1)
    assert northern[: len(northern) // 3].max() > LIT
    assert northern[-1] < ABYSS
    is_between = (northern > ABYSS) & (northern < LIT)
    assert np.count_nonzero(is_between) > 0.3 * SCALE


@pytest.mark.parametrize("cell", MIDDLES)
def test_rock_of_one_cell_is_no_slab_with_an_even_top(qapp, cell):
    lightness = lightness_of(ROCK, [cell])
    column, row = pixel_of(cell)
    top = lightness[row - round(0.75 * SCALE) : row, column - 20 : column + 20]
    assert top.std() > 15


def test_the_floor_of_a_cave_is_uneven_everywhere(qapp):
    lightness = lightness_of(FLOOR, list(range(GRID.size)))
    floor = lightness[100:-100, 100:-100]
    is_edge = np.abs(np.diff(floor, axis=0)) > 8
    # With a few marks on even ground it was one in eighteen pixels.
    assert is_edge.mean() > 1 / 12


def test_the_yard_of_a_castle_is_darker_than_its_walls(qapp):
    lightness = lightness_of(CASTLE, MIDDLES)
    column, row = pixel_of(24)
    yard = lightness[row - 20 : row + 20, column - 20 : column + 20]
    northern_cell = min(MIDDLES, key=lambda cell: GRID.centre(cell)[1])
    column, row = pixel_of(northern_cell)
    walk_row = row - round(1.2 * SCALE)  # on top of the northern wall
    walk = lightness[walk_row - 2 : walk_row + 1, column - 14 : column + 14]
    assert walk.mean() > np.median(yard) + 45


@pytest.mark.parametrize("terrain", [CASTLE, CAMP])
def test_the_meadow_is_worn_at_the_foot_of_walls_also_where_light_falls(qapp, terrain):
    lightness = lightness_of(terrain, [24])
    meadow = lightness_of(GRASS, [])
    column, row = pixel_of(24)
    # Beyond the south-western wall, against which no shade falls.
    x = column - round(0.84 * SCALE)
    y = row + round(0.62 * SCALE)
    at_foot = (slice(y - 4, y + 4), slice(x - 4, x + 4))
    assert lightness[at_foot].mean() < meadow[at_foot].mean() - 4
