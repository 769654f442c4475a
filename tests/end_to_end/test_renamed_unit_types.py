"""The next unit keeps the type that was chosen for it while the period renames or loses types."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.new_map.dialog import NewMapDialog
from randomizer.systems.xconq.records import sides_of
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.test_sides_of_new_units import place
from tests.end_to_end.worlds import choose_kind, free_cells, new_world, script_panel
from tests.randomizer.systems.xconq.tiny_period import TEXT

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def world(window, qtbot):
    """The window with a new world, its period, and infantry as the next unit."""
    new_world(qtbot, window, "Modern")
    window.desk.canvas.fit()
    choose_kind(window, "infantry")
    return window


def write_period(qtbot, window, text):
    """Replace the text of the period in the editor, as a person who pastes does."""
    script_panel(qtbot, window)
    window.desk.scripts.map_script.change_text(text, "Paste")
    settle(qtbot, window)


def period_text(window):
    return window.desk.document.battlemap.records["period"].text


def form_of(window):
    window.desk.docks.show("palette")
    return window.desk.docks.panel("palette").things.form


@pytest.mark.deep
def test_the_next_unit_follows_a_type_that_is_renamed_in_the_text(world, qtbot):
    text = period_text(world)
    write_period(qtbot, world, re.sub(r"\binfantry\b", "riflemen", text))
    assert world.desk.tools.bar.next_text.text() == "Next: riflemen"
    form = form_of(world)
    side = sides_of(world.desk.document.battlemap).sides[0].name
    qtbot.waitUntil(lambda: form.heading.text().startswith("New: riflemen"))
    assert side in form.heading.text()
    kinds = world.desk.docks.panel("palette").things.kinds
    qtbot.waitUntil(lambda: kinds.currentItem().text().startswith("riflemen"))
    assert place(world, free_cells(world)[0]).kind == "riflemen"

    world.desk.document.undo()
    world.desk.document.undo()
    settle(qtbot, world)
    assert period_text(world) == text
    assert world.desk.tools.bar.next_text.text() == "Next: infantry"


@pytest.mark.deep
def test_nothing_is_placed_any_more_when_the_type_is_gone(world, qtbot):
    write_period(qtbot, world, TEXT)
    assert world.desk.tools.bar.next_text.text() == "Next: nothing"


@pytest.mark.deep
def test_a_unit_of_an_unknown_type_shows_the_name_of_its_side(world, qtbot):
    unit = place(world, free_cells(world)[0])
    side = sides_of(world.desk.document.battlemap).sides[unit.owner - 1].name
    write_period(qtbot, world, re.sub(r"\binfantry\b", "riflemen", period_text(world)))
    document = world.desk.document
    document.pick([unit.id])
    form = form_of(world)
    qtbot.waitUntil(lambda: form.up_to_date)
    assert form.form.field("owner").currentText() == side
    assert form.heading.text() == f"infantry ({side})"


def test_the_line_that_renames_a_type_offers_to_rename_its_units_on_the_map(world, qtbot):
    unit = place(world, free_cells(world)[0])
    panel = script_panel(qtbot, world)
    text = period_text(world)
    write_period(qtbot, world, re.sub(r"\binfantry\b", "riflemen", text))
    editor = panel.editor
    (line,) = [
        number
        for number, line in enumerate(editor.text().splitlines(), 1)
        if '"riflemen"' in line and "utype" in line
    ]
    qtbot.waitUntil(lambda: line in editor.overlays.lines_with_fixes())
    editor.go_to(line)
    panel.script_actions.fix.trigger()
    menu = QApplication.activePopupWidget()
    (action,) = menu.actions()
    assert action.text() == "rename the units on the map to riflemen, too"
    menu.setActiveAction(action)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    document = world.desk.document
    assert document.battlemap.thing(unit.id).kind == "riflemen"
    qtbot.waitUntil(lambda: line not in editor.overlays.lines_with_fixes())
    document.undo()
    assert document.battlemap.thing(unit.id).kind == "infantry"
