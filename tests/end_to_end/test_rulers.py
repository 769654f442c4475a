"""Rulers name columns and rows at the edges of the view."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from app.document.sample import sample_map
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse


@pytest.fixture
def ruled(window, qtbot):
    """The window with a free map and its rulers, which the menu View has shown."""
    window.resize(1400, 900)
    qtbot.waitUntil(lambda: window.desk.canvas.width() > 600)
    window.desk.document.show_map(free_map(FLAT, 20, 12))
    action = window.desk.commands.action("view.rulers")
    assert not action.isChecked()
    action.trigger()
    assert action.isChecked()
    assert window.desk.map_frame.columns.isVisible()
    return window


def numbers(first: int, last: int) -> list[str]:
    return [f"{number:02}" for number in range(first, last + 1)]


def test_the_rulers_name_all_columns_and_rows_of_a_map_that_fits(ruled):
    frame = ruled.desk.map_frame
    assert frame.columns.axis().names == numbers(1, 20)
    assert frame.rows.axis().names == numbers(1, 12)


def test_the_rulers_follow_zoom_and_pan(ruled):
    canvas = ruled.desk.canvas
    frame = ruled.desk.map_frame
    canvas.zoom(6.0)
    seen = frame.columns.axis().names
    assert 1 < len(seen) < 8
    assert seen == numbers(int(seen[0]), int(seen[-1]))
    canvas.pan(round(-2.9 * canvas.viewport.scale), 0)
    assert int(frame.columns.axis().names[0]) in (int(seen[0]) + 1, int(seen[0]) + 2)
    canvas.zoom(0.02)
    assert len(frame.columns.axis().names) < 5  # they do not run into one another


@pytest.mark.deep
def test_a_name_stands_over_the_middle_of_its_column(ruled):
    canvas = ruled.desk.canvas
    frame = ruled.desk.map_frame
    grid = canvas.document.battlemap.grid
    column = frame.columns.axis().names.index("07")
    x, _y = grid.centre(grid.cell(6, 0))
    assert frame.columns.axis().positions[column] == x
    left = canvas.mapToGlobal(QPoint(0, 0)).x()
    assert frame.columns.mapToGlobal(QPoint(0, 0)).x() == left


@pytest.mark.deep
def test_what_is_pointed_at_stands_out_on_both_rulers(ruled):
    canvas = ruled.desk.canvas
    frame = ruled.desk.map_frame
    grid = canvas.document.battlemap.grid
    point = canvas.viewport.to_screen(*grid.centre(grid.cell(6, 4))).toPoint()
    plain = [ruler.grab().toImage() for ruler in (frame.columns, frame.rows)]
    mouse(canvas, "MouseMove", point, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton)
    highlight = frame.columns.palette().highlight().color()
    pointed = [ruler.grab().toImage() for ruler in (frame.columns, frame.rows)]
    ratio = round(pointed[0].devicePixelRatio())
    assert pointed[0].pixelColor(point.x() * ratio, 1) == highlight
    assert pointed[1].pixelColor(1, point.y() * ratio) == highlight
    assert all(image != before for image, before in zip(pointed, plain, strict=True))


@pytest.mark.deep
def test_letters_name_columns_where_the_map_names_cells_so(ruled, hand, qtbot):
    hand.expect("Names of hexes").fill("Names like", "C4").press("OK")
    ruled.desk.commands.run("map.cell-names")
    columns = ruled.desk.map_frame.columns
    qtbot.waitUntil(lambda: columns.axis().names[:3] == ["A", "B", "C"])


@pytest.mark.deep
def test_a_board_with_names_of_its_own_has_no_rulers(ruled):
    desk = ruled.desk
    desk.document.show_map(sample_map())
    assert desk.document.battlemap.system.name == "colossus"
    assert not desk.map_frame.columns.isVisible()
    assert not desk.commands.action("view.rulers").isVisible()
    desk.document.show_map(free_map(FLAT, 5, 5))
    assert desk.map_frame.columns.isVisible()


@pytest.mark.deep
def test_squares_have_rulers_as_soon_as_their_kind_of_map_shows_them(ruled):
    ruled.desk.document.show_map(free_map(SQUARE, 9, 7))
    assert ruled.desk.map_frame.rows.axis().names == numbers(1, 7)
