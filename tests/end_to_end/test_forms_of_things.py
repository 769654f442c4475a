"""The form of a thing is reached from the thing: by its menu, and by a double click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing, Things
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.end_to_end.test_placing_things import (
    choose_row,
    click,
    page_of,
    press,
    things_of,
    type_text,
)

LEFT = Qt.MouseButton.LeftButton
CELL = 900


@pytest.fixture
def desk(active, qtbot):
    """The desk with a fortress on a map of 0 A.D., and another tool in hand."""
    battlemap = BattleMap.new(ZEROAD, layers=[Layer(1, "Ground")])
    x, y = battlemap.grid.centre(CELL)
    battlemap.layers[0].things = Things([Thing(1, "structures/athen/fortress", x, y, owner=1)])
    active.desk.document.show_map(battlemap)
    active.activateWindow()
    qtbot.waitUntil(active.isActiveWindow)
    return active.desk


def edits_label(desk) -> bool:
    return desk.frame.focusWidget() is page_of(desk).form.form.field("label")


def ask_for_properties(desk) -> None:
    """Choose Properties of the only thing in the menu of its cell."""
    grid = desk.document.battlemap.grid
    hit = desk.canvas.hit_at(desk.canvas.viewport.to_screen(*grid.centre(CELL)))
    desk.canvas.menu_requested.emit(hit, desk.canvas.mapToGlobal(desk.canvas.rect().center()))
    menu = next(menu for menu in desk.frame.findChildren(QMenu) if menu.isVisible())
    submenu = next(action.menu() for action in menu.actions() if action.menu())
    properties = next(row for row in submenu.actions() if row.text() == "&Properties")
    properties.trigger()
    menu.close()


def double_click(desk) -> None:
    grid = desk.document.battlemap.grid
    position = desk.canvas.viewport.to_screen(*grid.centre(CELL)).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=position)
    QTest.mouseDClick(desk.canvas, LEFT, pos=position)


@pytest.mark.parametrize("is_closed", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_properties_give_the_form_the_keyboard_though_the_palette_is_closed(desk, qtbot, is_closed):
    if is_closed:
        desk.docks.close("palette")
    desk.canvas.setFocus()
    ask_for_properties(desk)
    qtbot.waitUntil(lambda: edits_label(desk))
    assert desk.docks.is_in_front("palette")
    type_text(desk, "Keep")
    press(desk, Qt.Key.Key_Return)
    assert [thing.label for thing in things_of(desk)] == ["Keep"]
    assert desk.frame.focusWidget() is desk.canvas, "Enter goes back to the map"


def test_a_double_click_on_a_thing_leads_to_its_form(desk, qtbot):
    desk.tools.choose("things")
    double_click(desk)
    qtbot.waitUntil(lambda: edits_label(desk))
    assert [thing.id for thing in desk.document.picked] == [1]
    assert page_of(desk).form.heading.text().startswith("Fortress")
    assert len(things_of(desk)) == 1, "the clicks place nothing and move nothing"


@pytest.mark.deep
def test_a_double_click_of_another_tool_paints(desk):
    desk.tools.choose("terrain")
    double_click(desk)
    assert desk.tools.uses("terrain")
    assert desk.document.picked == []


@pytest.mark.deep
def test_properties_of_a_thing_show_its_owner_which_can_be_changed(desk, qtbot):
    ask_for_properties(desk)
    qtbot.waitUntil(lambda: edits_label(desk))
    owner = page_of(desk).form.form.field("owner")
    assert owner.currentText() == "Player 1"
    owner.setFocus()
    QTest.keyClick(owner, Qt.Key.Key_Down)
    assert [thing.owner for thing in things_of(desk)] == [2]
    choose_row(desk, "Fortress")
    click(desk, CELL + 500)
    assert [thing.owner for thing in things_of(desk)] == [2, 2], "so is what is placed next"
