"""The canvas under real mouse and key events."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from randomizer.model.edit_making import set_values
from tests.app.conftest import cell, mouse

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
TREE, BOG = 1, 5
DUNE, SLOPE = 1, 3


def drag(desk, *points, modifiers=None):
    mouse(desk.canvas, "MouseButtonPress", points[0], LEFT, LEFT, modifiers)
    for point in points[1:]:
        mouse(desk.canvas, "MouseMove", point, NONE, LEFT, modifiers)
    mouse(desk.canvas, "MouseButtonRelease", points[-1], LEFT, NONE, modifiers)


def test_a_click_paints_one_hex_as_one_step(desk):
    desk.use("terrain")
    desk.options.set_terrain(BOG)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4"))
    assert desk.shown("terrain", "D4") == BOG
    assert np.count_nonzero(desk.document.composite.planes["terrain"]) == 1
    assert desk.document.undo_stack.undoText() == "Paint terrain"


def test_a_fast_drag_misses_no_hex_on_its_way(desk):
    desk.use("terrain")
    drag(desk, desk.point("D6"), desk.point("D1"))
    assert [desk.shown("terrain", f"D{row}") for row in range(1, 7)] == [TREE] * 6
    assert desk.document.undo_stack.count() == 1


def test_escape_takes_the_stroke_back(desk):
    desk.use("terrain")
    mouse(desk.canvas, "MouseButtonPress", desk.point("D4"), LEFT, LEFT)
    mouse(desk.canvas, "MouseMove", desk.point("D2"), NONE, LEFT)
    assert desk.shown("terrain", "D3") == TREE
    QTest.keyClick(desk.canvas, Qt.Key.Key_Escape)
    assert not np.any(desk.document.composite.planes["terrain"])
    mouse(desk.canvas, "MouseMove", desk.point("B2"), NONE, LEFT)
    mouse(desk.canvas, "MouseButtonRelease", desk.point("B2"), LEFT, NONE)
    assert not np.any(desk.document.composite.planes["terrain"])
    assert desk.document.undo_stack.count() == 0


def test_the_hexside_goes_to_the_higher_hex(desk):
    desk.use("elevation")
    desk.options.set_elevation(2)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4"))
    desk.use("hexside")
    desk.options.set_hexside(SLOPE)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D5", 3))  # from the lower side
    assert desk.side("D4", 0) == SLOPE
    assert desk.side("D5", 3) == 0
    desk.options.set_flipped(True)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4", 1))
    assert desk.side("D4", 1) == 0
    assert desk.side("E4", 4) == SLOPE


def test_a_dune_goes_to_the_sand_from_whichever_side_it_is_painted(desk):
    sand = desk.document.battlemap.system.terrain_set.terrain_code("Sand")
    desk.use("terrain")
    desk.options.set_terrain(sand)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4"))
    desk.use("hexside")
    desk.options.set_hexside(DUNE)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D5", 3))
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4", 2))
    assert (desk.side("D4", 0), desk.side("D5", 3)) == (DUNE, 0)
    assert desk.side("D4", 2) == DUNE


def test_painting_nothing_clears_both_sides_of_an_edge(desk):
    planes = [cell("D4") * 6, cell("D5") * 6 + 3]
    desk.document.push(
        set_values(desk.document.battlemap, 1, "hexside", planes, [SLOPE, 1]), "Both"
    )
    desk.use("hexside")
    desk.options.set_hexside(0)
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4", 0))
    assert (desk.side("D4", 0), desk.side("D5", 3)) == (0, 0)


def test_no_hexside_at_the_rim(desk):
    desk.use("hexside")
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D6", 0))
    assert desk.document.undo_stack.count() == 0


def test_the_eraser_unsets_hex_or_edge(desk):
    battlemap = desk.document.battlemap
    desk.document.push(set_values(battlemap, 1, "terrain", [cell("D4")], BOG), "Bog")
    desk.document.push(set_values(battlemap, 1, "hexside", [cell("D4") * 6 + 2], 2), "Cliff")
    desk.use("eraser")
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4", 2))
    assert desk.side("D4", 2) == 0
    assert desk.shown("terrain", "D4") == BOG
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D4"))
    assert desk.shown("terrain", "D4") == 0
    unset = battlemap.system.plane("terrain").unset
    assert battlemap.layers[0].planes["terrain"].flat[cell("D4")] == unset


def test_alt_click_is_the_eyedropper(desk):
    battlemap = desk.document.battlemap
    desk.document.push(set_values(battlemap, 1, "terrain", [cell("C3")], 9), "Stone")
    desk.document.push(set_values(battlemap, 1, "elevation", [cell("C3")], 2), "High")
    desk.use("terrain")
    QTest.mouseClick(desk.canvas, LEFT, Qt.KeyboardModifier.AltModifier, desk.point("C3"))
    assert (desk.options.terrain, desk.options.elevation) == (9, 2)
    assert desk.document.undo_stack.count() == 2


def test_the_eyedropper_takes_a_hexside_from_either_side(desk):
    battlemap = desk.document.battlemap
    desk.document.push(set_values(battlemap, 1, "hexside", [cell("D4") * 6], 2), "Cliff")
    desk.use("eyedropper")
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("D5", 3))
    assert desk.options.hexside == 2


def test_the_start_list_toggles_and_keeps_its_order(desk):
    desk.use("startlist")
    drag(desk, desk.point("D6"), desk.point("D4"))
    assert desk.document.composite.startlist == ("D6", "D5", "D4")
    drag(desk, desk.point("D5"), desk.point("D4"))
    assert desk.document.composite.startlist == ("D6",)
    desk.document.undo_stack.undo()
    desk.document.undo_stack.undo()
    assert desk.document.composite.startlist is None


def test_locks_of_hexes_and_edges(desk):
    desk.use("lock")
    drag(desk, desk.point("D4"), desk.point("D3"))
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("C2", 0))
    battlemap = desk.document.battlemap
    assert battlemap.locked_cells.flat[[cell("D4"), cell("D3")]].all()
    assert battlemap.locked_sides.flat[[cell("C2") * 6, cell("C3") * 6 + 3]].all()
    QTest.mouseClick(desk.canvas, LEFT, pos=desk.point("C3", 3))
    assert not battlemap.locked_sides.any()


def test_wheel_zooms_to_the_cursor(desk):
    point = QPointF(desk.point("E2"))
    before = desk.canvas.viewport.to_map(point)
    desk.canvas.zoom(1.7, point)
    assert desk.canvas.viewport.to_map(point) == pytest.approx(before)


def test_middle_button_pans_without_painting(desk):
    desk.use("terrain")
    before = desk.canvas.viewport
    start = desk.point("D4")
    middle = Qt.MouseButton.MiddleButton
    mouse(desk.canvas, "MouseButtonPress", start, middle, middle)
    mouse(desk.canvas, "MouseMove", start + (QPointF(30, -12).toPoint()), NONE, middle)
    mouse(desk.canvas, "MouseButtonRelease", start, middle, NONE)
    assert (desk.canvas.viewport.dx - before.dx, desk.canvas.viewport.dy - before.dy) == (30, -12)
    assert desk.document.undo_stack.count() == 0


def test_space_and_ctrl_with_arrows_move_the_view(desk):
    desk.use("terrain")
    QTest.keyPress(desk.canvas, Qt.Key.Key_Space)
    before = desk.canvas.viewport.dx
    drag(desk, desk.point("D4"), desk.point("E4"))
    QTest.keyRelease(desk.canvas, Qt.Key.Key_Space)
    assert desk.canvas.viewport.dx > before
    assert desk.document.undo_stack.count() == 0
    before = desk.canvas.viewport.dy
    QTest.keyClick(desk.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert desk.canvas.viewport.dy < before


def test_the_map_stays_fitted_until_the_user_zooms(desk):
    desk.canvas.resize(400, 380)
    small = desk.canvas.viewport.scale
    desk.canvas.resize(800, 760)
    assert desk.canvas.viewport.scale == pytest.approx(2 * small, rel=0.1)
    desk.canvas.zoom(2)
    zoomed = desk.canvas.viewport.scale
    desk.canvas.resize(700, 700)
    assert desk.canvas.viewport.scale == zoomed
    desk.canvas.fit()
    assert desk.canvas.viewport.scale < zoomed


def test_a_right_click_asks_for_the_menu_of_its_place(desk, qtbot):
    with qtbot.waitSignal(desk.canvas.menu_requested) as asked:
        qtbot.mouseClick(desk.canvas, Qt.MouseButton.RightButton, pos=desk.point("D4"))
        context_menu(desk.canvas, desk.point("D4"))
    assert asked.args[0].cell == cell("D4")


def context_menu(canvas, point):
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, canvas.mapToGlobal(point))
    QApplication.sendEvent(canvas, event)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_repaint_of_what_changed_equals_a_full_repaint(desk, ratio):
    """Dirty rectangles miss nothing: paint, then compare with a picture drawn from scratch."""
    document, view = desk.document, desk.canvas.viewport
    renderer = desk.canvas.renderer
    size = desk.canvas.size() * ratio
    kept = QImage(size, QImage.Format.Format_RGB32)
    kept.setDevicePixelRatio(ratio)
    everything = QRectF(0, 0, desk.canvas.width(), desk.canvas.height())

    def draw(image, dirty):
        painter = QPainter(image)
        painter.setClipRect(dirty)
        renderer.paint(painter, document.battlemap, document.composite, view, dirty, ratio)
        painter.end()

    draw(kept, everything)
    rng = np.random.default_rng(7)
    cells = document.battlemap.grid.cells
    dirty_rects = []
    desk.canvas.update = lambda *rect: dirty_rects.extend(rect)
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
    assert kept == fresh
