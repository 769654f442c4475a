"""A symbol and a label on a free map: placed, named, coloured, saved, and seen in a picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.palette.kind_list import KIND
from app.features.pictures.picture_dialog import PictureDialog
from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.grid.layouts import FLAT
from randomizer.storage.files.project import read_project
from randomizer.systems.free.system import free_map
from tests.app.buttons import press_ok
from tests.app.conftest import finished_picture
from tests.app.saves import saved

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("palette", "tools", "view", "files", "map", "pictures", "status_bar")


def choose(page, name: str) -> None:
    """Search a kind, then click it."""
    page.filter.setText(name)
    # The row of a kind, which is chosen with the mouse.
    (row,) = (row for row in page.kinds.rows if row.data(KIND) == name)
    assert not row.isHidden()
    QTest.mouseClick(page.kinds.viewport(), LEFT, pos=page.kinds.visualItemRect(row).center())


def test_a_symbol_and_a_label_are_placed_named_and_exported(window, qtbot, tmp_path):
    desk = window.desk
    document = window.desk.document
    document.open_map(free_map(FLAT, 12, 9))
    desk.canvas.fit()
    desk.commands.run("tool.things")
    page = desk.docks.panel("palette").things
    form = desk.docks.panel("palette").things.form

    def field(name: str):
        qtbot.waitUntil(lambda: form.up_to_date)
        return form.form.field(name)

    def click(cell: int) -> None:
        at = desk.canvas.viewport.to_screen(*document.battlemap.grid.centre(cell))
        QTest.mouseClick(desk.canvas, LEFT, pos=at.toPoint())

    def thing(kind: str):
        (found,) = (
            visible_thing
            for visible_thing in document.battlemap.visible_things()
            if visible_thing.kind == kind
        )
        return found

    empty = finished_picture(desk.canvas, qtbot)
    choose(page, "castle")
    click(40)
    with_castle = finished_picture(desk.canvas, qtbot)
    assert with_castle != empty
    choose(page, "label")
    click(65)
    click(65)  # picks it
    assert [each.kind for each in document.picked] == ["label"]
    QTest.keyClicks(field("label"), "Mirkwood")
    QTest.keyClick(field("label"), Qt.Key.Key_Return)
    assert thing("label").label == "Mirkwood"
    plain = finished_picture(desk.canvas, qtbot)
    assert plain != with_castle
    field("state.size").setValue(1.5)
    red = field("state.colour")
    red.setCurrentIndex(red.findData("#8c1c13"))
    assert dict(thing("label").state) == {"colour": "#8c1c13", "size": 1.5}
    large = finished_picture(desk.canvas, qtbot)
    assert large != plain
    document.pick(())
    middle = desk.canvas.viewport.to_screen(*document.battlemap.grid.centre(65)).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=middle + QPoint(60, 0))
    assert [each.id for each in document.picked] == [thing("label").id], "its letters pick it"
    document.undo()
    document.undo()
    assert dict(thing("label").state) == {}
    assert finished_picture(desk.canvas, qtbot) == plain
    document.redo()
    document.redo()
    assert finished_picture(desk.canvas, qtbot) == large

    path = tmp_path / "named.battlemap"
    assert saved(desk.files.saving.save_to, path, is_confirmed=True)
    things = tuple(read_project(path.read_bytes()).battlemap.visible_things())
    assert things == tuple(document.battlemap.visible_things())
    dialog = PictureDialog(document, desk.renderer, desk.settings)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.reported):
        dialog.export_to(tmp_path / "map.svg")
    assert "Mirkwood" in (tmp_path / "map.svg").read_text()


def test_cells_are_named_as_the_map_says(window, qtbot):
    desk = window.desk
    document = window.desk.document
    assert "map.cell-names" not in desk.commands.offered()
    document.open_map(free_map(FLAT, 12, 9))
    desk.canvas.fit()
    desk.commands.run("view.hex-labels")  # a landscape begins without them
    numbers = finished_picture(desk.canvas, qtbot)
    desk.commands.run("map.cell-names")
    (dialog,) = (each for each in desk.frame.findChildren(FormDialog))
    style = dialog.form.field("style")
    style.setCurrentIndex(style.findData("letters"))
    press_ok(dialog)
    battlemap = document.battlemap
    assert battlemap.system.cell_name(battlemap.grid, 14) == "C2"
    assert finished_picture(desk.canvas, qtbot) != numbers
    document.undo()
    assert document.battlemap.system.cell_name(document.battlemap.grid, 14) == "0302"
    assert finished_picture(desk.canvas, qtbot) == numbers


def test_a_legend_lies_in_the_corner(window, qtbot):
    desk = window.desk
    document = window.desk.document
    document.open_map(free_map(FLAT, 20, 15))
    desk.canvas.fit()
    before = finished_picture(desk.canvas, qtbot)
    desk.commands.run("view.legend")
    qtbot.waitUntil(lambda: finished_picture(desk.canvas, qtbot) != before)
    left, _top, _right, bottom = document.battlemap.grid.bounds
    corner = desk.canvas.viewport.to_screen(left, bottom).toPoint()
    picture = finished_picture(desk.canvas, qtbot)
    away = desk.canvas.viewport.to_screen(20.0, 3.0).toPoint()
    assert picture.pixelColor(away) == before.pixelColor(away)
    box = [(corner.x() + x, corner.y() - y) for x in range(10, 60, 5) for y in range(10, 30, 5)]
    assert any(picture.pixelColor(*at) != before.pixelColor(*at) for at in box)
