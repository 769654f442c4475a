"""Maps of 0 A.D.: textures run into one another by priority, shores follow the heights."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.canvas.map_widget import MapWidget
from app.document.document import MapDocument
from app.paper.export import picture as picture_file
from app.paper.picture_request import PictureRequest
from app.paper.preview import preview
from app.paper.steps import run
from app.render.map_view import MapView
from app.render.renderer import Renderer
from app.render.scene.surface.ground_textures import textures_of
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.system import SYSTEM
from tests.app.conftest import finished_picture

SIDE = 16
GRASS = 0
FOREST = 2
SAND = 6
LEVEL = 1840
"""The height of the water: 20 m, in units of 1/92 m."""


def land(textures, heights=LEVEL + 920, priorities=0) -> BattleMap:
    """A map of 16 x 16 tiles; each plane is an array or one value."""
    corners = (SIDE + 1, SIDE + 1)
    planes = {
        TEXTURE.name: np.full((SIDE, SIDE), textures, TEXTURE.dtype),
        PRIORITY.name: np.full((SIDE, SIDE), priorities, PRIORITY.dtype),
        HEIGHT.name: np.full(corners, heights, HEIGHT.dtype),
    }
    return BattleMap.new(SYSTEM, Grid(SQUARE, SIDE, SIDE), [Layer(1, "Ground", planes=planes)])


def renderer_of(battlemap: BattleMap) -> Renderer:
    renderer = Renderer(theme("light"))
    renderer.overlays = renderer.choices.of(battlemap.system, battlemap.terrain_set)
    return renderer


def pixels(battlemap: BattleMap, scale: int, box=(0, 0, SIDE, SIDE)) -> np.ndarray:
    """Red, green and blue of a box of tiles: left, top, right, bottom."""
    left, top, right, bottom = box
    viewport = Viewport(scale, (0.5 - left) * scale, (0.5 - top) * scale)
    area = QRectF(0, 0, (right - left) * scale, (bottom - top) * scale)
    image = renderer_of(battlemap).image(MapView(battlemap, battlemap.composite(), viewport), area)
    return channels(image)


def channels(image) -> np.ndarray:
    array = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return array[..., 2::-1].astype(int)


def share_of(battlemap: BattleMap, texture: int, other: int, scale: int = 16) -> float:
    """Which part of the picture is nearer to the colour of one texture than to the other's."""
    inner = pixels(battlemap, scale)[scale:-scale]
    alone = [pixels(land(code), scale).mean(axis=(0, 1)) for code in (texture, other)]
    away = [np.abs(inner - colour).sum(axis=2) for colour in alone]
    return float((away[0] < away[1]).mean())


@pytest.mark.parametrize("scale", [4, 16, 40])
def test_the_texture_of_the_higher_priority_runs_over_the_edge_of_the_other(qapp, scale) -> None:
    halves = np.where(np.arange(SIDE) < SIDE // 2, SAND, FOREST)
    left = np.where(np.arange(SIDE) < SIDE // 2, 5, 0)
    over = share_of(land(halves, priorities=left), SAND, FOREST, scale)
    under = share_of(land(halves, priorities=5 - left), SAND, FOREST, scale)
    assert 0.25 < (over - under) * SIDE < 1  # tiles by which the edge is moved


def test_of_equal_priorities_the_later_texture_lies_over_the_other(qapp) -> None:
    halves = np.where(np.arange(SIDE) < SIDE // 2, SAND, FOREST)
    first = pixels(land(halves), 16)
    later_over = pixels(land(halves, priorities=np.where(halves == SAND, 1, 0)), 16)
    assert SAND > FOREST
    assert (first == later_over).all()


def most_at_borders(picture: np.ndarray, scale: int) -> float:
    """How strong steps from pixel to pixel are at borders of tiles, in those within tiles."""
    ratios = []
    for axis in (0, 1):
        steps = np.abs(np.diff(picture, axis=axis)).sum(axis=2).mean(axis=1 - axis)
        at_border = np.arange(len(steps)) % scale == scale - 1
        ratios.append(steps[at_border].mean() / steps[~at_border].mean())
    return max(ratios)


@pytest.mark.parametrize("scale", [8, 24])
def test_no_border_of_a_tile_is_seen_in_ground_light_or_water(qapp, scale) -> None:
    rng = np.random.default_rng(3)
    textures = rng.choice([GRASS, FOREST, SAND], (SIDE, SIDE))
    assert most_at_borders(pixels(land(textures), scale), scale) < 1.3
    heights = rng.integers(LEVEL - 600, LEVEL + 600, (SIDE + 1, SIDE + 1))
    assert most_at_borders(pixels(land(GRASS, heights), scale), scale) < 1.3


def test_the_shore_lies_where_the_land_rises_out_of_the_water(qapp) -> None:
    scale = 24
    rows, columns = np.mgrid[: SIDE + 1, : SIDE + 1]
    slope = LEVEL + 40 * (rows + 2 * columns - 23)
    wet = pixels(land(SAND, slope), scale)
    dry = pixels(land(SAND, slope + 4000), scale)
    middles = (np.arange(SIDE * scale) + 0.5) / scale
    away = (middles[:, None] + 2 * middles - 23) / 5**0.5  # in tiles, landwards
    inner = np.s_[2:-2, 2:-2]  # without the lines at the edge of the map
    is_water = (wet[..., 2] - wet[..., 0] > -35)[inner]  # damp sand is still yellow
    changes = np.abs(wet - dry).max(axis=2)[inner]
    away = away[inner]
    assert is_water[away < -0.1].all()
    assert not is_water[away > 0.1].any()
    assert (changes <= 1)[away > 0.6].all()


def test_slopes_to_the_north_west_are_bright_and_those_to_the_south_east_dark(qapp) -> None:
    rows, columns = np.mgrid[: SIDE + 1, : SIDE + 1]
    hill = LEVEL + 3000 - 200 * (np.abs(rows - 8) + np.abs(columns - 8))
    sums = pixels(land(GRASS, hill), 8).sum(axis=2)
    flat = pixels(land(GRASS), 8).sum(axis=2).mean()
    assert sums[16:48, 16:48].mean() > flat + 10
    assert sums[80:112, 80:112].mean() < flat - 30


def test_a_part_of_a_map_looks_as_it_does_in_the_whole(qapp) -> None:
    rng = np.random.default_rng(4)
    textures = rng.integers(0, 8, (SIDE, SIDE))
    heights = rng.integers(LEVEL - 600, LEVEL + 600, (SIDE + 1, SIDE + 1))
    battlemap = land(textures, heights, rng.integers(0, 3, (SIDE, SIDE)))
    for scale in (5, 24):
        whole = pixels(battlemap, scale)
        part = pixels(battlemap, scale, (3, 6, 9, 8))
        inner = whole[6 * scale : 8 * scale, 3 * scale : 9 * scale]
        assert np.abs(part - inner).max() <= 2  # by rounding


@pytest.mark.parametrize(
    ("plane", "value"), [(TEXTURE, SAND), (PRIORITY, 9), (HEIGHT, LEVEL + 2500)]
)
@pytest.mark.parametrize("scale", [6, 24])
def test_an_edit_repaints_all_that_it_changes(qtbot, plane, value, scale) -> None:
    rng = np.random.default_rng(5)
    textures = rng.integers(0, 4, (SIDE, SIDE))
    heights = rng.integers(LEVEL - 300, LEVEL + 900, (SIDE + 1, SIDE + 1))
    document = MapDocument(land(textures, heights))

    def shown() -> MapWidget:
        widget = MapWidget(document, renderer_of(document.battlemap))
        qtbot.addWidget(widget)
        widget.resize(SIDE * scale, SIDE * scale)
        widget.show()
        return widget

    widget = shown()
    before = channels(finished_picture(widget, qtbot))
    edit = set_values(document.battlemap, 1, plane.name, [8 * SIDE + 8], value)
    assert edit is not None
    document.push(edit, "Change one")
    after = channels(finished_picture(widget, qtbot))
    assert np.abs(after - before).max() > 5
    assert np.abs(after - channels(finished_picture(shown(), qtbot))).max() <= 2


def test_a_translucent_layer_shows_what_lies_below(qapp) -> None:
    battlemap = land(GRASS)
    above = Layer(2, "Above", planes={TEXTURE.name: np.full((SIDE, SIDE), SAND, TEXTURE.dtype)})
    above.opacity = 0.5
    battlemap.layers.append(above)
    renderer = renderer_of(battlemap)
    renderer.cells.translucent = True
    area = QRectF(0, 0, SIDE * 8, SIDE * 8)
    image = renderer.image(MapView(battlemap, battlemap.composite(), Viewport(8, 4, 4)), area)
    middle = channels(image)[8:-8, 8:-8].mean(axis=(0, 1))
    below, over = (pixels(land(code), 8)[8:-8, 8:-8].mean(axis=(0, 1)) for code in (GRASS, SAND))
    assert np.abs(middle - (below + over) / 2).max() < 3


def test_a_small_picture_shows_the_mean_of_its_tiles(qapp) -> None:
    """In rows of two textures a thumbnail that took single tiles would have one of them only."""
    rows = np.where(np.arange(SIDE) % 2 == 0, SAND, FOREST)[:, None]
    battlemap = land(rows)
    request = PictureRequest(overlays=renderer_of(battlemap).overlays)
    steps = preview(request, battlemap, battlemap.composite(), 6)
    try:
        while True:
            next(steps)
    except StopIteration as finished:
        small = channels(finished.value)[2:-2, 2:-2].mean(axis=(0, 1))
    sand, forest = (pixels(land(code), 8)[8:-8, 8:-8].mean(axis=(0, 1)) for code in (SAND, FOREST))
    share = (small - forest).sum() / (sand - forest).sum()
    assert 0.3 < share < 0.8


def test_a_drawing_holds_one_picture_of_the_ground(qapp) -> None:
    rng = np.random.default_rng(6)
    battlemap = land(rng.integers(0, 8, (SIDE, SIDE)))
    request = PictureRequest(overlays=renderer_of(battlemap).overlays)
    data = run(picture_file(".svg", request, battlemap, battlemap.composite()))
    assert data is not None
    assert data.count(b"data:image/jpeg") == 1
    assert len(data) < 500_000


def test_the_grounds_that_are_kept_count_as_sprites(qapp) -> None:
    """Else each scale to which a person zooms would leave its grounds in memory."""
    battlemap = land(np.arange(SIDE * SIDE).reshape(SIDE, SIDE) % 8)
    renderer = renderer_of(battlemap)
    area = QRectF(0, 0, 300, 300)
    for scale in (40, 50, 60, 70, 80):
        renderer.image(MapView(battlemap, battlemap.composite(), Viewport(scale, 0, 0)), area)
        sprites = renderer.sprites(battlemap, scale, 1.0)
        assert sprites.bytes > 2 * 4 * (6 * scale) ** 2, "more than two grounds"
    assert len(renderer.sprite_sets) <= 2


def test_the_grounds_of_a_scene_are_freed_with_it(qapp) -> None:
    renderer = renderer_of(land(GRASS))
    pieces = renderer.sprites(land(GRASS), 16.0, 1.0).pieces
    assert textures_of(pieces, 16.0).ground(GRASS).any()
    scene = weakref.ref(pieces)
    del renderer, pieces
    gc.collect()
    assert scene() is None
