"""Relief and water of heights at corners: the same land on the canvas, far away and on paper."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.map_widget import MapWidget
from app.document.document import MapDocument
from app.render.cell_values.relief import relief
from app.render.cell_values.water import DEEP_OPACITY, SHALLOW_OPACITY, water_depth, water_opacity
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.vector.piece_painter import ImagePiecePainter, ShapePiecePainter
from app.render.vector.snapshots import snapshot
from app.render.vector.vector_map import VectorMap
from app.render.viewport import fitting
from randomizer.model.edits.record_edits import RecordEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from tests.test_system.system import HEIGHT, SYSTEM, WATER

GRID = Grid(SQUARE, 6, 5)


def land(level: int | None = None, slope: int = 10) -> BattleMap:
    """6 x 5 squares that rise by ``slope`` from column to column."""
    heights = np.tile(np.arange(7, dtype="u2") * slope, (6, 1))
    layer = Layer(1, "Ground", planes={HEIGHT.name: heights})
    battlemap = BattleMap.new(SYSTEM, GRID, [layer])
    if level is not None:
        battlemap.records[WATER] = MapRecord(str(level))
    return battlemap


@pytest.mark.parametrize("rows", [(0, 5), (1, 3), (4, 5)])
def test_rows_have_the_light_and_the_water_of_their_cells(rows: tuple[int, int]) -> None:
    battlemap = land(35)
    noise = np.random.default_rng(5)
    battlemap.layers[0].planes["rise"] = noise.integers(0, 70, (6, 7)).astype("u2")
    shown = battlemap.composite()
    part = slice(rows[0] * 6, rows[1] * 6)
    cells = np.arange(part.start, part.stop)
    assert np.array_equal(relief(battlemap, shown, part), relief(battlemap, shown, cells))
    water = water_depth(battlemap, shown, part)
    assert water is not None
    assert np.array_equal(water, water_depth(battlemap, shown, cells))
    heights = battlemap.layers[0].planes["rise"].astype(float)
    mean = (heights[:-1, :-1] + heights[:-1, 1:] + heights[1:, :-1] + heights[1:, 1:]) / 4
    assert np.array_equal(water > 0, mean.ravel()[part] < 35)


def test_slopes_to_the_sun_are_bright_and_deep_water_is_opaque() -> None:
    battlemap = land(1000)
    light = relief(battlemap, battlemap.composite(), slice(0, 30))
    assert (light > 0.2).all()  # it rises to the east: it faces the sun in the west
    plain = land(1000, slope=0)
    assert (relief(plain, plain.composite(), slice(0, 30)) == 0).all()
    depth = water_depth(battlemap, battlemap.composite(), slice(0, 30))
    assert depth is not None
    assert np.allclose(water_opacity(depth), DEEP_OPACITY)
    battlemap.records[WATER] = MapRecord("6")
    depth = water_depth(battlemap, battlemap.composite(), slice(0, 30))
    assert depth is not None
    assert (depth > 0).reshape(5, 6).tolist() == [[True] + [False] * 5] * 5
    assert SHALLOW_OPACITY < water_opacity(depth).max() < DEEP_OPACITY


def pixels(battlemap: BattleMap, size: int, **overlays: bool) -> np.ndarray:
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(labels=False, grid_lines=False, **overlays)
    image = renderer.picture(battlemap, battlemap.composite(), 6 * size, 5 * size, 0.0)
    array = np.frombuffer(image.constBits(), np.uint8).reshape(5 * size, 6 * size, 4)
    return array[size // 2 :: size, size // 2 :: size, :3].astype(int)


@pytest.mark.parametrize("size", [4, 40])
def test_relief_and_water_are_drawn_near_and_far(qapp, size: int) -> None:
    bare = pixels(land(25), size, elevation=False)
    assert (bare == bare[0, 0]).all()
    dry = pixels(land(), size)
    assert (dry.sum(axis=2) > bare.sum(axis=2)).all()
    wet = pixels(land(20), size)
    assert (wet[:, 2:] == dry[:, 2:]).all()
    blue = theme("light").water.blue()
    nearer = np.abs(wet[:, :2, 0] - blue) < np.abs(dry[:, :2, 0] - blue)
    assert nearer.all()


def test_near_and_far_have_the_same_colours(qapp) -> None:
    battlemap = land(20)
    assert np.abs(pixels(battlemap, 4) - pixels(battlemap, 40)).max() <= 3


def test_a_change_of_one_corner_repaints_its_cells_and_those_that_their_light_reaches(qapp) -> None:
    battlemap = land()
    renderer = Renderer(theme("light"))
    renderer.follow(battlemap)
    edit = set_values(battlemap, 1, HEIGHT.name, [3 * 7 + 2], 60)
    assert edit is not None
    edit.apply(battlemap)
    region = edit.region(battlemap)
    renderer.changed(region)
    changed = [13, 14, 19, 20]
    reached = [cell for row in (1, 2, 3, 4) for cell in range(6 * row, 6 * row + 4)]
    spread = set(renderer.ground.spread(battlemap, region).tolist())
    assert set(changed) < set(reached) <= spread
    assert len(spread) < 24
    renderer.overlays = Overlays(elevation=False)
    assert renderer.ground.spread(battlemap, region).tolist() == changed


@pytest.mark.parametrize("size", [4, 40])
def test_another_water_level_is_drawn_at_once(qapp, size: int) -> None:
    document = MapDocument(land(20))
    canvas = MapWidget(document, Renderer(theme("light")))
    canvas.renderer.overlays = Overlays(labels=False, grid_lines=False)
    canvas.setMinimumSize(6 * size, 5 * size)
    canvas.resize(6 * size, 5 * size)

    def at_the_right() -> QColor:
        return canvas.grab().toImage().pixelColor(canvas.width() * 5 // 6, canvas.height() // 2)

    dry = at_the_right()
    document.push(RecordEdit(WATER, 0, "20", "900", was_touched=False, is_touched=True), "Flood")
    assert at_the_right() != dry
    document.undo()
    assert at_the_right() == dry


@pytest.mark.parametrize("unit", [0.0, 40.0])
def test_paper_has_the_relief_and_the_water_of_the_canvas(qapp, unit: float) -> None:
    battlemap = land(25)
    shown = battlemap.composite()
    overlays = Overlays(labels=False, grid_lines=False)
    image = QImage(240, 200, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    viewport = fitting(battlemap.grid, QSizeF(image.size()))
    painter.translate(viewport.dx, viewport.dy)
    painter.scale(viewport.scale, viewport.scale)
    drawn_in = theme("light")
    vector = VectorMap(
        *snapshot(battlemap, shown),
        drawn_in,
        Pictures(),
        overlays,
        ImagePiecePainter(unit) if unit else ShapePiecePainter(),
        drawn_in.background,
    )
    area = QRectF(*battlemap.grid.bounds[:2], 6, 5)
    for _step in vector.draw_in_steps(painter, area, 40.0):
        pass
    painter.end()
    array = np.frombuffer(image.constBits(), np.uint8).reshape(200, 240, 4)
    on_paper = array[20::40, 20::40, :3].astype(int)
    assert np.abs(on_paper - pixels(battlemap, 40)).max() <= 12


def test_a_battleland_shows_no_relief_and_no_water_unless_asked() -> None:
    assert not Overlays().shows_relief(COLOSSUS)
    assert not Overlays().shows_water(COLOSSUS)
    assert Overlays(shading=True).shows_relief(COLOSSUS)
    assert Overlays().shows_relief(SYSTEM)
    assert not Overlays(elevation=False).shows_relief(SYSTEM)
