"""The height brush with real mouse and key events: strokes, holding, locks, symmetry, undo."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.canvas.hover_text import accessible_text, explain
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from tests.app.conftest import mouse
from tests.app.tools.conftest import LEFT, NONE, GridDriver
from tests.systems import system_like
from tests.test_system.system import HEIGHT, SYSTEM

WIDTH = 8
HIGH = 6


class LandDriver(GridDriver):
    """A canvas on squares with heights at their corners; corners are (column, row)."""

    @property
    def heights(self) -> np.ndarray:
        return self.document.composite.planes[HEIGHT.name]

    def corner(self, x: int, y: int) -> QPoint:
        """A pixel just inside the map from a corner."""
        inward = 0.1 * (-1 if x else 1), 0.1 * (-1 if y else 1)
        at = self.canvas.viewport.to_screen(x - 0.5 + inward[0], y - 0.5 + inward[1])
        return at.toPoint()

    def press(self, x: int, y: int, modifiers=None) -> None:
        mouse(self.canvas, "MouseButtonPress", self.corner(x, y), LEFT, LEFT, modifiers)

    def move(self, x: int, y: int) -> None:
        mouse(self.canvas, "MouseMove", self.corner(x, y), NONE, LEFT)

    def release(self, x: int, y: int) -> None:
        mouse(self.canvas, "MouseButtonRelease", self.corner(x, y), LEFT, NONE)

    def stroke(self, *corners: tuple[int, int], modifiers=None) -> None:
        self.press(*corners[0], modifiers)
        for corner in corners[1:]:
            self.move(*corner)
        self.release(*corners[-1])


def land(*layers: Layer) -> BattleMap:
    return BattleMap.new(SYSTEM, Grid(SQUARE, WIDTH, HIGH), layers or [Layer(1, "Ground")])


@pytest.fixture
def driver(qtbot) -> LandDriver:
    driver = LandDriver(qtbot, land())
    driver.use("height")
    return driver


def test_a_click_raises_the_nearest_corner_as_one_undo_step(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=50)
    for corner in ((0, 0), (3, 2), (WIDTH, HIGH)):
        driver.stroke(corner)
    assert len(driver.document.history.steps) == 3
    assert driver.heights[0, 0] == driver.heights[2, 3] == driver.heights[HIGH, WIDTH] == 50
    assert driver.heights.sum() == 150
    driver.document.undo()
    assert driver.heights[HIGH, WIDTH] == 0


def test_a_quick_drag_and_a_slow_one_make_the_same_ridge(driver: LandDriver) -> None:
    driver.options.choose(radius=1, corner_amount=80)
    driver.stroke((1, 3), (6, 3))
    quick = driver.heights.copy()
    driver.document.undo()
    driver.stroke(*((x, 3) for x in range(1, 7)), (4, 3), (6, 3))
    assert np.array_equal(driver.heights, quick)
    assert driver.heights[3, 1:7].tolist() == [80] * 6
    assert len(driver.document.history.steps) == 1


def test_outside_the_map_a_stroke_is_interrupted(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=9)
    driver.press(1, 1)
    outside = driver.canvas.viewport.to_screen(3.0, -3.0).toPoint()
    mouse(driver.canvas, "MouseMove", outside, NONE, LEFT)
    driver.move(7, 1)
    driver.release(7, 1)
    assert driver.heights[1, 1] == driver.heights[1, 7] == 9
    assert (driver.heights[1, 3:5] == 0).all()


def test_a_mouse_held_still_goes_on_and_a_moving_one_does_not(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=10)
    active_tool = driver.canvas.active_tool
    driver.press(3, 3)
    assert driver.heights[3, 3] == 10
    active_tool.repeat()
    active_tool.repeat()
    assert driver.heights[3, 3] == 30
    driver.move(4, 3)
    assert driver.heights[3, 3:5].tolist() == [30, 10]
    driver.release(4, 3)
    assert not active_tool.repeats
    active_tool.repeat()
    assert driver.heights[3, 4] == 10
    assert len(driver.document.history.steps) == 1
    driver.document.undo()
    assert not driver.heights.any()


def test_a_canvas_that_lost_the_keyboard_does_not_go_on(driver: LandDriver) -> None:
    driver.canvas.setFocus()
    driver.press(3, 3)
    assert driver.canvas.active_tool.repeats
    QApplication.sendEvent(driver.canvas, QFocusEvent(QEvent.Type.FocusOut))
    assert not driver.canvas.active_tool.repeats
    driver.release(3, 3)
    assert len(driver.document.history.steps) == 1


def test_escape_takes_a_stroke_back(driver: LandDriver) -> None:
    driver.press(3, 3)
    driver.move(5, 3)
    assert driver.heights.any()
    QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
    driver.release(5, 3)
    assert not driver.heights.any()
    assert len(driver.document.history.steps) == 0


def test_heights_stop_at_the_least_and_the_most(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=40_000, radius=1, corner_soft=0)
    least, most = HEIGHT.limits
    for _ in range(3):
        driver.stroke((3, 3))
    assert driver.heights.max() == most
    driver.options.choose(corner_mode=HeightMode.LOWER)
    for _ in range(3):
        driver.stroke((3, 3))
    assert (driver.heights == least).all()


def test_flatten_takes_the_height_under_the_press_and_level_a_given_one(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=60)
    driver.stroke((2, 2))
    driver.options.choose(corner_mode=HeightMode.FLATTEN)
    driver.stroke((2, 2), (5, 2))
    assert driver.heights[2, 2:6].tolist() == [60] * 4
    driver.options.choose(corner_mode=HeightMode.LEVEL, corner_level=25)
    driver.stroke((2, 2), (5, 2))
    assert driver.heights[2, 2:6].tolist() == [25] * 4
    driver.options.choose(corner_mode=HeightMode.SMOOTH, corner_strength=100)
    driver.stroke((2, 2))
    assert driver.heights[2, 2] == 6  # (25 + 25) / 9


def test_control_takes_the_height_to_level_to(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=77)
    driver.stroke((4, 4))
    driver.stroke((4, 4), modifiers=Qt.KeyboardModifier.ControlModifier)
    assert driver.options.corner_level == 77
    assert len(driver.document.history.steps) == 1


def test_twins_are_shaped_too(driver: LandDriver) -> None:
    driver.options.choose(symmetry_kind="turn2", corner_amount=5)
    driver.stroke((1, 2))
    assert [tuple(at) for at in np.argwhere(driver.heights).tolist()] == [(2, 1), (4, 7)]
    mouse(driver.canvas, "MouseMove", driver.corner(2, 2), NONE, NONE)
    assert len(driver.canvas.overlays.preview.circles) == 2


def test_the_preview_shows_just_what_the_click_changes(driver: LandDriver) -> None:
    driver.options.choose(radius=2, corner_amount=3)
    mouse(driver.canvas, "MouseMove", driver.corner(3, 3), NONE, NONE)
    preview = driver.canvas.overlays.preview
    assert preview.circles == ((2.5, 2.5, 2.5),)
    driver.stroke((3, 3))
    assert preview.corners.tolist() == np.flatnonzero(driver.heights).tolist()
    driver.options.choose(corner_mode=HeightMode.LOWER)
    driver.canvas.refresh_preview()
    driver.options.choose(corner_mode=HeightMode.LEVEL, corner_level=0)
    driver.canvas.refresh_preview()
    assert driver.canvas.overlays.preview.corners.tolist() == preview.corners.tolist()


def test_only_corners_of_selected_cells_change(driver: LandDriver) -> None:
    driver.document.select([driver.grid.cell(2, 2)])
    driver.options.choose(radius=3)
    driver.stroke((3, 3))
    assert [tuple(at) for at in np.argwhere(driver.heights).tolist()] == [
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
    ]


def test_what_a_locked_layer_sets_is_left_out_and_a_visible_one_above_is_changed(qtbot) -> None:
    unset = HEIGHT.allocate(Grid(SQUARE, WIDTH, HIGH))
    upper = unset.copy()
    locked = unset.copy()
    upper[3, 3] = 200
    locked[3, 4] = 300
    driver = LandDriver(
        qtbot,
        land(
            Layer(1, "Ground"),
            Layer(2, "Upper", planes={HEIGHT.name: upper}),
            Layer(3, "Kept", planes={HEIGHT.name: locked}, locked=True),
        ),
    )
    driver.use("height")
    driver.document.set_active_layer(1)
    driver.options.choose(radius=1, corner_soft=0, corner_amount=10)
    mouse(driver.canvas, "MouseMove", driver.corner(3, 3), NONE, NONE)
    preview = driver.canvas.overlays.preview
    assert preview.left_out_corners.tolist() == [3 * (WIDTH + 1) + 4]
    assert "Kept is locked" in preview.note
    driver.stroke((3, 3))
    assert driver.heights[3, 2:5].tolist() == [10, 210, 300]
    assert driver.document.battlemap.layers[1].planes[HEIGHT.name][3, 3] == 210
    assert driver.document.battlemap.layers[0].planes[HEIGHT.name][3, 3] == HEIGHT.unset
    driver.options.choose(radius=0)
    driver.stroke((4, 3))
    assert driver.refused
    assert driver.heights[3, 4] == 300


def test_the_keyboard_shapes_land_corner_by_corner(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=4)
    driver.canvas.setFocus()
    cursor = driver.canvas.keyboard_cursor
    cursor.cell = driver.grid.cell(3, 2)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Right)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Return)
    assert driver.heights[2, 4] == 4
    for _ in range(2):
        QTest.keyClick(driver.canvas, Qt.Key.Key_Comma)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Return)
    assert driver.heights[3, 5] == 4  # the corner on the lower right
    QTest.keyClick(driver.canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Down)
    QTest.keyClick(driver.canvas, Qt.Key.Key_Return)
    assert driver.heights[3:5, 5].tolist() == [8, 4]


def test_a_map_without_corner_heights_offers_no_height_brush(driver: LandDriver) -> None:
    tool = driver.tools["height"]
    assert tool.suits(SYSTEM)
    assert not driver.tools["elevation"].suits(SYSTEM)
    assert not tool.suits(COLOSSUS)
    assert "no heights at corners" in tool.why_not(COLOSSUS)


def test_the_status_bar_tells_corner_and_mean_height(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=40)
    driver.stroke((3, 2))
    at = driver.canvas.viewport.to_screen(2.6, 1.6)
    hit = driver.canvas.hit_at(at)
    text = explain(driver.document, hit)
    assert text == (
        "4/3 Meadow, mean height 10 - neither rolled nor painted; "
        "corner 3, 2: height 40 - by hand, layer Ground"
    )
    wet = system_like(SYSTEM, water_level=lambda _battlemap: 12.5)
    driver.document.battlemap.system = wet
    assert "mean height 10, 2.5 under water" in explain(driver.document, driver.canvas.hit_at(at))
    cell = driver.grid.cell(2, 1)
    assert accessible_text(driver.document, cell, corner=2) == "south-east corner of 3/2, height 40"


def test_a_locked_corner_is_said_to_be_locked(driver: LandDriver) -> None:
    driver.document.battlemap.locked_cells[:2, :2] = True
    inner = driver.canvas.hit_at(driver.canvas.viewport.to_screen(0.4, 0.4))
    edge = driver.canvas.hit_at(driver.canvas.viewport.to_screen(1.4, 1.4))
    assert "corner 1, 1: height 0, locked" in explain(driver.document, inner)
    assert explain(driver.document, edge).endswith("corner 2, 2: height 0")


# --- slopes ---------------------------------------------------------------------------------


def test_a_drag_lays_an_even_slope_from_height_to_height_as_one_step(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=60)
    driver.stroke((7, 3))
    driver.options.choose(radius=1, corner_soft=0)
    driver.use("slope")
    driver.press(1, 3)
    driver.move(7, 3)
    assert driver.canvas.overlays.preview.points == ((0.5, 2.5), (6.5, 2.5))
    assert driver.heights[3, 4] == 0, "what it will be is shown, not yet done"
    driver.release(7, 3)
    assert driver.heights[3, 1:8].tolist() == [0, 10, 20, 30, 40, 50, 60]
    assert driver.heights[2, 1:7].tolist() == driver.heights[4, 1:7].tolist()
    assert driver.heights[2, 4] == 30
    assert not driver.heights[1].any()
    assert [step.text for step in driver.document.history.steps] == ["Shape land", "Lay a slope"]
    driver.document.undo()
    assert driver.heights[3, 1:8].tolist() == [0, 0, 0, 0, 0, 0, 60]


def test_shift_and_a_click_go_on_from_the_last_end(driver: LandDriver) -> None:
    driver.options.choose(corner_amount=40)
    for corner in ((5, 1), (5, 5)):
        driver.stroke(corner)
    driver.options.choose(corner_amount=80)
    driver.stroke((5, 5))
    driver.use("slope")
    driver.stroke((1, 1), (5, 1))
    driver.stroke((5, 5), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert driver.heights[1, 1:6].tolist() == [0, 10, 20, 30, 40]
    assert driver.heights[1:6, 5].tolist() == [40, 60, 80, 100, 120]
    driver.stroke((1, 5))
    assert driver.heights[5, 1:5].tolist() == [0] * 4, "without Shift it begins anew"


def test_a_slope_has_twins_and_leaves_out_what_is_locked_and_not_selected(
    driver: LandDriver,
) -> None:
    driver.options.choose(corner_amount=40, symmetry_kind="turn2")
    driver.stroke((4, 1))
    driver.use("slope")
    driver.document.select([driver.grid.cell(x, 0) for x in (0, 1)])
    driver.stroke((0, 1), (4, 1))
    assert driver.heights[1, :5].tolist() == [0, 10, 20, 0, 40]
    assert not driver.heights[5, [1, 6, 7]].any(), "twins are not selected"
    driver.document.select(())
    driver.stroke((0, 1), (4, 1))
    assert driver.heights[5, ::-1][:5].tolist() == [0, 10, 20, 30, 40]


def test_elevations_of_cells_get_slopes_plateaus_and_bumps(make_driver) -> None:
    driver = make_driver(FLAT, 12, 8)
    driver.options.choose(elevation=3)
    driver.use("elevation")
    driver.click(9, 3)
    driver.use("slope")
    driver.options.choose(radius=1, corner_soft=0)
    driver.drag(driver.at(1, 3), driver.at(9, 3))
    row = driver.plane("elevation")[3, 1:10].tolist()
    assert row == sorted(row)
    assert row[0] == 0
    assert row[-1] == 3
    assert 2 in row
    driver.use("elevation")
    driver.options.choose(height_mode="plateau", radius=0)
    driver.drag(driver.at(9, 3), driver.at(9, 6))
    assert driver.plane("elevation")[3:7, 9].tolist() == [3] * 4
    driver.options.choose(height_mode="roughen", radius=3, step=1)
    before = driver.plane("elevation").astype(int)
    driver.click(4, 4)
    rough = driver.plane("elevation") - before
    assert set(rough.ravel().tolist()) == {-1, 0, 1}
    driver.document.undo()
    driver.click(4, 4)
    assert np.array_equal(driver.plane("elevation") - before, rough), "the same again"
