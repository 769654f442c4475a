"""The canvas under real mouse and key events."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
)

from app.render.map_view import MapView
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import cell, mouse, turn_wheel
from tests.app.render.drawing import ROUNDING, give_each_frame, largest_difference

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
TREE = 1
BOG = 5
DUNE = 1
SLOPE = 3


def drag(driver, *points, modifiers=None):
    mouse(driver.canvas, "MouseButtonPress", points[0], LEFT, LEFT, modifiers)
    for point in points[1:]:
        mouse(driver.canvas, "MouseMove", point, NONE, LEFT, modifiers)
    mouse(driver.canvas, "MouseButtonRelease", points[-1], LEFT, NONE, modifiers)


def test_a_click_paints_one_hex_as_one_step(driver):
    driver.use("terrain")
    driver.options.choose(terrain=BOG)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4"))
    assert driver.shown("terrain", "D4") == BOG
    assert np.count_nonzero(driver.document.composite.planes["terrain"]) == 1
    assert driver.document.history.next_undo.text == "Bog, 1 hex, D4"


def test_a_fast_drag_misses_no_hex_on_its_way(driver):
    driver.use("terrain")
    drag(driver, driver.point("D6"), driver.point("D1"))
    assert [driver.shown("terrain", f"D{row}") for row in range(1, 7)] == [TREE] * 6
    assert len(driver.document.history.steps) == 1


def test_escape_takes_the_stroke_back(driver):
    driver.use("terrain")
    mouse(driver.canvas, "MouseButtonPress", driver.point("D4"), LEFT, LEFT)
    mouse(driver.canvas, "MouseMove", driver.point("D2"), NONE, LEFT)
    assert driver.shown("terrain", "D3") == TREE
    QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
    assert not np.any(driver.document.composite.planes["terrain"])
    mouse(driver.canvas, "MouseMove", driver.point("B2"), NONE, LEFT)
    mouse(driver.canvas, "MouseButtonRelease", driver.point("B2"), LEFT, NONE)
    assert not np.any(driver.document.composite.planes["terrain"])
    assert len(driver.document.history.steps) == 0


def test_the_hexside_goes_to_the_higher_hex(driver):
    driver.use("elevation")
    driver.options.set_elevation(2)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4"))
    driver.use("hexside")
    driver.options.choose(hexside=SLOPE)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D5", 3))  # from the lower side
    assert driver.side("D4", 0) == SLOPE
    assert driver.side("D5", 3) == 0
    driver.options.choose(flipped=True)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4", 1))
    assert driver.side("D4", 1) == 0
    assert driver.side("E4", 4) == SLOPE


def test_a_dune_goes_to_the_sand_from_whichever_side_it_is_painted(driver):
    sand = driver.document.battlemap.system.terrain_set.terrain_code("Sand")
    driver.use("terrain")
    driver.options.choose(terrain=sand)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4"))
    driver.use("hexside")
    driver.options.choose(hexside=DUNE)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D5", 3))
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4", 2))
    assert (driver.side("D4", 0), driver.side("D5", 3)) == (DUNE, 0)
    assert driver.side("D4", 2) == DUNE


def test_painting_nothing_clears_both_sides_of_an_edge(driver):
    planes = [cell("D4") * 6, cell("D5") * 6 + 3]
    driver.document.push(
        set_values(driver.document.battlemap, 1, "hexside", planes, [SLOPE, 1]), "Both"
    )
    driver.use("hexside")
    driver.options.choose(hexside=0)
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4", 0))
    assert (driver.side("D4", 0), driver.side("D5", 3)) == (0, 0)


def test_no_hexside_at_the_rim(driver):
    driver.use("hexside")
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D6", 0))
    assert len(driver.document.history.steps) == 0


def test_the_eraser_unsets_hex_or_edge(driver):
    battlemap = driver.document.battlemap
    driver.document.push(set_values(battlemap, 1, "terrain", [cell("D4")], BOG), "Bog")
    driver.document.push(set_values(battlemap, 1, "hexside", [cell("D4") * 6 + 2], 2), "Cliff")
    driver.use("eraser")
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4", 2))
    assert driver.side("D4", 2) == 0
    assert driver.shown("terrain", "D4") == BOG
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D4"))
    assert driver.shown("terrain", "D4") == 0
    unset = battlemap.system.plane("terrain").unset
    assert battlemap.layers[0].planes["terrain"].flat[cell("D4")] == unset


def test_alt_click_is_the_eyedropper(driver):
    battlemap = driver.document.battlemap
    driver.document.push(set_values(battlemap, 1, "terrain", [cell("C3")], 9), "Stone")
    driver.document.push(set_values(battlemap, 1, "elevation", [cell("C3")], 2), "High")
    driver.use("terrain")
    QTest.mouseClick(driver.canvas, LEFT, Qt.KeyboardModifier.AltModifier, driver.point("C3"))
    assert (driver.options.terrain, driver.options.elevation) == (9, 2)
    assert len(driver.document.history.steps) == 2


def test_the_eyedropper_takes_a_hexside_from_either_side(driver):
    battlemap = driver.document.battlemap
    driver.document.push(set_values(battlemap, 1, "hexside", [cell("D4") * 6], 2), "Cliff")
    driver.use("eyedropper")
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("D5", 3))
    assert driver.options.hexside == 2


def test_the_start_list_toggles_and_keeps_its_order(driver):
    driver.use("cell-list")
    drag(driver, driver.point("D6"), driver.point("D4"))
    assert driver.document.composite.properties.get("startlist") == ("D6", "D5", "D4")
    drag(driver, driver.point("D5"), driver.point("D4"))
    assert driver.document.composite.properties.get("startlist") == ("D6",)
    driver.document.undo()
    driver.document.undo()
    assert driver.document.composite.properties.get("startlist") is None


def test_locks_of_hexes_and_edges(driver):
    driver.use("lock")
    drag(driver, driver.point("D4"), driver.point("D3"))
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("C2", 0))
    battlemap = driver.document.battlemap
    assert battlemap.locked_cells.flat[[cell("D4"), cell("D3")]].all()
    assert battlemap.locked_sides.flat[[cell("C2") * 6, cell("C3") * 6 + 3]].all()
    QTest.mouseClick(driver.canvas, LEFT, pos=driver.point("C3", 3))
    assert not battlemap.locked_sides.any()


def test_wheel_zooms_to_the_cursor(driver):
    point = QPointF(driver.point("E2"))
    before = driver.canvas.viewport.to_map(point)
    driver.canvas.zoom(1.7, point)
    assert driver.canvas.viewport.to_map(point) == pytest.approx(before)


def test_middle_button_pans_without_painting(driver):
    driver.use("terrain")
    before = driver.canvas.viewport
    start = driver.point("D4")
    middle = Qt.MouseButton.MiddleButton
    mouse(driver.canvas, "MouseButtonPress", start, middle, middle)
    mouse(driver.canvas, "MouseMove", start + (QPointF(30, -12).toPoint()), NONE, middle)
    mouse(driver.canvas, "MouseButtonRelease", start, middle, NONE)
    assert (driver.canvas.viewport.dx - before.dx, driver.canvas.viewport.dy - before.dy) == (
        30,
        -12,
    )
    assert len(driver.document.history.steps) == 0


def test_space_and_ctrl_with_arrows_move_the_view(driver):
    driver.use("terrain")
    QTest.keyPress(driver.canvas, Qt.Key.Key_Space)
    before = driver.canvas.viewport.dx
    drag(driver, driver.point("D4"), driver.point("E4"))
    QTest.keyRelease(driver.canvas, Qt.Key.Key_Space)
    assert driver.canvas.viewport.dx > before
    assert len(driver.document.history.steps) == 0
    before = driver.canvas.viewport.dy
    QTest.keyClick(driver.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert driver.canvas.viewport.dy < before


def test_the_map_stays_fitted_until_the_user_zooms(driver):
    driver.canvas.resize(400, 380)
    small = driver.canvas.viewport.scale
    driver.canvas.resize(800, 760)
    assert driver.canvas.viewport.scale == pytest.approx(2 * small, rel=0.1)
    driver.canvas.zoom(2)
    zoomed = driver.canvas.viewport.scale
    driver.canvas.resize(700, 700)
    assert driver.canvas.viewport.scale == zoomed
    driver.canvas.fit()
    assert driver.canvas.viewport.scale < zoomed


def test_a_fitted_map_keeps_its_sprites_where_another_height_leaves_its_scale(driver, monkeypatch):
    give_each_frame(monkeypatch, 60_000)
    driver.canvas.resize(400, 600)
    driver.canvas.grab()
    before = driver.canvas.viewport
    sprites = driver.canvas.renderer.sprites
    count = len(sprites(driver.document.battlemap, before.scale, 1.0).atlas)
    driver.canvas.resize(400, 577)
    driver.canvas.grab()
    assert driver.canvas.viewport.scale == before.scale
    assert len(sprites(driver.document.battlemap, before.scale, 1.0).atlas) == count > 0


def test_a_right_click_asks_for_the_menu_of_its_place(driver, qtbot):
    with qtbot.waitSignal(driver.canvas.menu_requested) as asked:
        qtbot.mouseClick(driver.canvas, Qt.MouseButton.RightButton, pos=driver.point("D4"))
        context_menu(driver.canvas, driver.point("D4"))
    assert asked.args[0].cell == cell("D4")


def context_menu(canvas, point):
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, canvas.mapToGlobal(point))
    QApplication.sendEvent(canvas, event)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_repaint_of_what_changed_equals_a_full_repaint(driver, ratio):
    """Dirty rectangles miss nothing: paint, then compare with a picture drawn from scratch."""
    document = driver.document
    view = driver.canvas.viewport
    renderer = driver.canvas.renderer
    size = driver.canvas.size() * ratio
    kept = QImage(size, QImage.Format.Format_RGB32)
    kept.setDevicePixelRatio(ratio)
    everything = QRectF(0, 0, driver.canvas.width(), driver.canvas.height())

    def draw(image, dirty):
        painter = QPainter(image)
        painter.setClipRect(dirty)
        renderer.paint(painter, MapView(document.battlemap, document.composite, view, ratio), dirty)
        painter.end()

    draw(kept, everything)
    rng = np.random.default_rng(7)
    cells = document.battlemap.grid.cells
    dirty_rects = []
    driver.canvas.update = lambda *rect: dirty_rects.extend(rect)
    for _ in range(30):
        plane = rng.choice(["terrain", "elevation", "hexside"])
        place = int(rng.choice(cells))
        index = place * 6 + int(rng.integers(6)) if plane == "hexside" else place
        value = int(rng.integers(1, 4))
        dirty_rects.clear()
        document.push(set_values(document.battlemap, 1, plane, [index], value), "Edit")
        for rect in dirty_rects:
            draw(kept, QRectF(rect))
    fresh = QImage(size, QImage.Format.Format_RGB32)
    fresh.setDevicePixelRatio(ratio)
    draw(fresh, everything)
    assert largest_difference(kept, fresh) <= ROUNDING


def test_wheel_and_touchpad_do_what_was_chosen(driver):
    canvas = driver.canvas
    scale = canvas.viewport.scale
    turn_wheel(canvas)
    assert canvas.viewport.scale > scale
    canvas.wheel.mouse = "scroll"
    scale = canvas.viewport.scale
    dy = canvas.viewport.dy
    turn_wheel(canvas)
    assert (canvas.viewport.scale, canvas.viewport.dy) == (scale, dy + 96)
    turn_wheel(canvas, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert canvas.viewport.dy == dy + 96
    turn_wheel(canvas, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert canvas.viewport.scale > scale
    scale = canvas.viewport.scale
    dx = canvas.viewport.dx
    turn_wheel(canvas, pixels=(7, 0))
    assert (canvas.viewport.scale, canvas.viewport.dx) == (scale, dx + 7)
    canvas.wheel.touchpad = "zoom"
    turn_wheel(canvas, pixels=(7, 9))
    assert canvas.viewport.scale > scale


def test_a_double_tap_with_two_fingers_goes_near_and_shows_the_whole_map_again(driver):
    from PySide6.QtGui import QNativeGestureEvent, QPointingDevice

    canvas = driver.canvas
    at = QPointF(200, 200)

    def tap() -> None:
        event = QNativeGestureEvent(
            Qt.NativeGestureType.SmartZoomNativeGesture,
            QPointingDevice.primaryPointingDevice(),
            2,
            at,
            at,
            canvas.mapToGlobal(at),
            0.0,
            QPointF(),
        )
        QApplication.sendEvent(canvas, event)

    fitted = canvas.viewport
    under = canvas.viewport.to_map(at)
    tap()
    assert canvas.viewport.scale >= 2 * fitted.scale
    assert canvas.viewport.to_map(at) == pytest.approx(under)
    tap()
    assert canvas.viewport == fitted


def test_a_pan_in_a_stroke_ends_with_its_own_button_and_the_stroke_with_the_left_one(driver):
    middle = Qt.MouseButton.MiddleButton
    canvas = driver.canvas
    driver.use("terrain")
    mouse(canvas, "MouseButtonPress", driver.point("D4"), LEFT, LEFT)
    mouse(canvas, "MouseButtonPress", driver.point("D4"), middle, LEFT | middle)
    mouse(canvas, "MouseButtonRelease", driver.point("D4"), LEFT, middle)
    assert len(driver.document.history.steps) == 1
    start = canvas.viewport.dx
    point = driver.point("D4")
    mouse(canvas, "MouseMove", point + QPointF(20, 0).toPoint(), NONE, middle)
    assert canvas.viewport.dx == start + 20
    mouse(canvas, "MouseButtonRelease", point, middle, NONE)
    mouse(canvas, "MouseMove", driver.point("B2"), NONE, NONE)
    assert canvas.viewport.dx == start + 20
    assert len(driver.document.history.steps) == 1
    assert not driver.document.in_stroke
