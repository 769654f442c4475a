"""Land with heights at its corners: shaped, undone, copied, saved, compared."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.canvas.hover_text import explain_cell
from app.document.map_files import read_map
from app.features.compare.compared_maps import ComparedMap
from app.features.compare.window import CompareWindow
from app.features.layers.layer_colours import UNSET
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.edits.record_edits import RecordSet
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.saves import saved
from tests.test_system.system import HEIGHT, SYSTEM, WATER

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("tools", "layers", "compare", "files", "selection", "view")


@pytest.fixture
def desk(testsys, window):
    """The desk with an empty land as the current map."""
    land = BattleMap.new(SYSTEM, Grid(SQUARE, 10, 8), [Layer(1, "Ground"), Layer(2, "Hills")])
    window.desk.document.open_map(land)
    window.desk.canvas.fit()
    return window.desk


def corner(desk, x: int, y: int) -> QPoint:
    return desk.canvas.viewport.to_screen(x - 0.45, y - 0.45).toPoint()


def heights(desk) -> np.ndarray:
    return desk.document.composite.planes[HEIGHT.name]


def test_the_height_brush_is_there_only_where_heights_lie_on_corners(desk, qtbot) -> None:
    action, elevation = (desk.commands.action(f"tool.{name}") for name in ("height", "elevation"))
    assert action.isVisible()
    assert action.isEnabled()
    assert not elevation.isVisible()
    desk.commands.run("tool.height")
    qtbot.waitUntil(lambda: desk.tools.bar.field("corner_mode").isVisible())
    assert not desk.tools.bar.field("corner_level").isVisibleTo(desk.tools.bar)
    desk.tools.options.choose(corner_mode=HeightMode.LEVEL)
    assert desk.tools.bar.field("corner_level").isVisibleTo(desk.tools.bar)
    assert desk.tools.bar.field("corner_level").maximum() == HEIGHT.limits[1]
    desk.document.open_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    assert not action.isVisible()
    assert elevation.isVisible()
    assert desk.canvas.tool.name != "height"
    qtbot.waitUntil(lambda: not desk.tools.bar.field("corner_mode").isVisible())


def test_the_bar_has_the_pattern_of_bumps_and_the_soft_edge_of_slopes(desk, qtbot) -> None:
    bar = desk.tools.bar
    pressed = corner(desk, 5, 4)
    desk.commands.run("tool.height")
    qtbot.waitUntil(lambda: bar.field("corner_mode").isVisible())
    assert not bar.field("corner_key").isVisible()
    bar.field("corner_mode").setCurrentText("Roughen")
    bar.field("corner_mode").activated.emit(bar.field("corner_mode").currentIndex())
    qtbot.waitUntil(lambda: bar.field("corner_key").isVisible())
    desk.tools.options.choose(radius=3, corner_amount=500)
    rough = []
    for pattern in (7, 8, 7):
        bar.field("corner_key").setValue(pattern)
        QTest.mouseClick(desk.canvas, LEFT, pos=pressed)
        rough.append(heights(desk).copy())
        desk.document.undo()
    assert rough[0].any()
    assert np.array_equal(rough[0], rough[2]), "repeated"
    assert not np.array_equal(rough[0], rough[1])
    desk.commands.run("tool.slope")
    qtbot.waitUntil(lambda: not bar.field("corner_mode").isVisible())
    assert bar.field("corner_soft").isVisible()


def test_every_mode_that_is_chosen_in_the_bar_shapes_as_it_says(desk, qtbot) -> None:
    desk.commands.run("tool.height")
    desk.tools.options.choose(
        radius=2, corner_amount=100, corner_soft=0, corner_strength=100, corner_level=7
    )
    mode = desk.tools.bar.field("corner_mode")
    qtbot.waitUntil(mode.isVisible)

    def after(key: Qt.Key, x: int, y: int) -> np.ndarray:
        """The heights on one row after a mode is chosen with a key, and a click."""
        QTest.keyClick(mode, key)
        QTest.mouseClick(desk.canvas, LEFT, pos=corner(desk, x, y))
        return heights(desk)[y, x - 2 : x + 4].tolist()

    assert after(Qt.Key.Key_Home, 4, 4) == [100, 100, 100, 100, 100, 0], "raised"
    assert after(Qt.Key.Key_Home, 4, 4) == [200, 200, 200, 200, 200, 0], "raised again"
    assert after(Qt.Key.Key_Down, 4, 4) == [100, 100, 100, 100, 100, 0], "lowered"
    smooth = after(Qt.Key.Key_Down, 6, 4)
    assert sorted(smooth, reverse=True) == smooth
    assert 0 < smooth[1] < 100, "smoothed"
    flat = after(Qt.Key.Key_Down, 4, 4)
    assert len(set(flat[:5])) == 1, "flattened"
    assert after(Qt.Key.Key_Down, 4, 4)[:5] == [7] * 5, "levelled"
    assert desk.tools.bar.field("corner_level").isVisible()
    assert not desk.tools.bar.field("corner_amount").isVisible()


def test_shaped_undone_saved_and_opened_again(desk, tmp_path) -> None:
    desk.commands.run("tool.height")
    desk.tools.options.choose(radius=2, corner_amount=500, corner_mode=HeightMode.RAISE)
    QTest.mouseClick(desk.canvas, LEFT, pos=corner(desk, 4, 4))
    QTest.mouseClick(desk.canvas, LEFT, pos=corner(desk, 7, 5))
    assert heights(desk)[4, 4] == 500
    shaped = heights(desk).copy()
    desk.document.undo()
    desk.document.undo()
    assert not heights(desk).any()
    desk.document.redo()
    desk.document.redo()
    assert np.array_equal(heights(desk), shaped)
    path = tmp_path / "land.battlemap"
    desk.document.set_path(path)
    assert saved(desk.files.saving.save)
    again = read_map(path).battlemap
    assert again is not None
    assert np.array_equal(again.composite().planes[HEIGHT.name], shaped)


def test_a_copied_hill_is_pasted_with_its_heights(desk, qtbot) -> None:
    desk.commands.run("tool.height")
    desk.tools.options.choose(radius=1, corner_amount=90, corner_soft=0)
    QTest.mouseClick(desk.canvas, LEFT, pos=corner(desk, 2, 2))
    hill = heights(desk)[1:4, 1:4].copy()
    grid = desk.document.battlemap.grid
    desk.document.select([grid.cell(x, y) for x in (1, 2) for y in (1, 2)])
    desk.commands.run("edit.copy")
    desk.document.select([])
    desk.commands.run("edit.paste")
    x, y = grid.centre(grid.cell(8, 6))
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.canvas.viewport.to_screen(x, y).toPoint())
    pasted = heights(desk)[4:, 5:]
    assert np.array_equal(heights(desk)[1:4, 1:4], hill)
    assert sorted(pasted[pasted > 0].tolist()) == sorted(hill[hill > 0].tolist())


def test_two_lands_are_compared_corner_by_corner(desk, qtbot) -> None:
    other = desk.document.battlemap.snapshot()
    other.layers[0].planes[HEIGHT.name] = np.zeros((9, 11), HEIGHT.dtype)
    other.layers[0].planes[HEIGHT.name][8, 10] = 33
    target = desk.document.current_map
    maps = (ComparedMap(target, "This", "This"), ComparedMap(other, "Other", "Other"))
    window = CompareWindow(desk.document, *maps, desk.renderer, target=target)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.comparison is not None)
    assert [window.list.item(row).text() for row in range(window.list.count())] == [
        "corner 10, 8: 0 | 33"
    ]
    window.list.setCurrentRow(0)
    assert window.left.overlays.flash == (79, None)
    window.copy_difference()
    assert heights(desk)[8, 10] == 33


def test_the_picture_of_a_layer_shows_where_it_sets_heights(desk, qtbot) -> None:
    layer = desk.document.battlemap.layers[1]
    plane = HEIGHT.allocate(desk.document.battlemap.grid)
    plane[:4, :5] = 100
    plane[0, 0] = 900
    layer.planes[HEIGHT.name] = plane
    drawn = {}
    thumbnails = desk.docks.panel("layers").pictures
    thumbnails.drawn.connect(lambda which, pixmap: drawn.update({which: pixmap.toImage()}))
    thumbnails.draw_all()
    qtbot.waitUntil(lambda: 2 in drawn)
    image = drawn[2]
    brightest = image.pixelColor(1, 1).lightness()
    assert brightest > image.pixelColor(image.width() // 3, image.height() // 3).lightness()
    assert image.pixelColor(image.width() - 4, image.height() - 4).alpha() == UNSET.alpha()


def test_land_under_water_is_drawn_in_the_window(desk) -> None:
    at = desk.canvas.viewport.to_screen(3.2, 3.2).toPoint()

    def colour():
        return desk.canvas.grab().toImage().pixelColor(at)

    dry = colour()
    desk.document.push(RecordSet(WATER, None, MapRecord("10")), "Flood")
    assert colour().blue() > dry.blue()
    desk.commands.run("view.elevation")
    assert colour() == dry
    desk.commands.run("view.elevation")
    desk.document.undo()
    assert colour() == dry


def test_heights_are_shown_and_chosen_in_the_scale_of_the_system(window) -> None:
    desk = window.desk
    desk.document.open_map(BattleMap.new(ZEROAD, Grid(SQUARE, 16, 16), [Layer(1, "Ground")]))
    desk.commands.run("tool.height")
    options = desk.tools.options
    bar = desk.tools.bar
    level = bar.field("corner_level")
    amount = bar.field("corner_amount")
    assert (level.value(), amount.value()) == (0.0, 2.0)
    assert (options.corner_level, options.corner_amount) == (1840, 184)
    level.setValue(5.5)
    amount.setValue(0.5)
    assert (options.corner_level, options.corner_amount) == (2346, 46)
    cell = desk.document.battlemap.grid.cell(3, 3)
    assert "height 3," in explain_cell(desk.document, cell)
