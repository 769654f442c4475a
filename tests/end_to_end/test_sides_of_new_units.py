"""The side of the next unit is seen and chosen beside the tool, before the click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.sample import sample_map
from app.features.new_map.dialog import NewMapDialog
from randomizer.systems.xconq.records import SIDES, Side, Sides, sides_of
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.end_to_end.worlds import choose_kind, click_cell, free_cells, new_world

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def world(window, qtbot):
    """The window with a new world and the tool of things in hand."""
    new_world(qtbot, window, "Modern")
    window.desk.tools.choose("things")
    window.desk.canvas.fit()
    return window


@pytest.fixture
def box(world):
    return world.desk.tools.bar.owner.box


def place(world, cell):
    """Click a cell, and return the unit that stands there then."""
    desk = world.desk
    before = {thing.id for thing in desk.document.battlemap.visible_things()}
    click_cell(world, cell)
    (thing,) = [
        thing for thing in desk.document.battlemap.visible_things() if thing.id not in before
    ]
    return thing


def test_the_side_is_shown_before_the_click_and_stays_chosen(world, box):
    names = [side.name for side in sides_of(world.desk.document.battlemap).sides]
    assert box.isVisible()
    assert [box.itemText(row) for row in range(box.count())] == ["neutral", *names]
    choose_kind(world, "infantry")
    assert box.currentText() == names[0], "infantry cannot be neutral"
    first_cell, second_cell, third_cell = free_cells(world)[:3]
    assert place(world, first_cell).owner == 1

    # The arrow key chooses the next one, as in any list.
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    box.activated.emit(box.currentIndex())
    assert box.currentText() == names[1]
    assert place(world, second_cell).owner == 2
    choose_kind(world, "tanks")
    assert box.currentText() == names[1]
    assert place(world, third_cell).owner == 2


@pytest.mark.deep
def test_a_kind_that_may_be_neutral_is_so_until_a_side_is_chosen(world, box):
    choose_kind(world, "town")
    assert box.currentText() == "neutral"
    choose_kind(world, "infantry")
    assert box.currentData() == 1


@pytest.mark.deep
def test_the_field_follows_the_names_of_the_sides_and_hides_without_any(world, box):
    document = world.desk.document
    three = Sides((Side("Red"), Side("Green"), Side("Blue")))
    assert document.push(change_value(document.battlemap, SIDES, three), "Sides")
    assert [box.itemText(row) for row in range(1, box.count())] == ["Red", "Green", "Blue"]
    document.show_map(sample_map())
    world.desk.tools.choose("things")
    assert not box.isVisible()
