"""Types of a period as forms: changed there, and new ones as copies, with text, map and units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.records import (
    GLOBALS,
    Condition,
    ConditionKind,
    Globals,
    globals_of,
)
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.buttons import press_ok
from tests.app.systems.xconq.period.test_period_panel import (
    panel,
    period,
    rolled_world,
    settle,
    text,
)

__all__ = ["panel", "rolled_world"]

TANKS = 2
CITY = 13
PLAINS = 4
ICON = {"icon-name": "panzer"}


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("xconq", "script", "tools", "view")


@pytest.fixture
def units(qtbot, panel):
    panel.tabs.setCurrentWidget(panel.units)
    qtbot.waitUntil(lambda: panel.units.code is not None)
    return panel.units


@pytest.fixture
def terrains(qtbot, panel):
    panel.tabs.setCurrentWidget(panel.terrains)
    qtbot.waitUntil(lambda: panel.terrains.code is not None)
    return panel.terrains


def fill(form, **values):
    """Type into fields of a form."""
    for name, value in values.items():
        field = form.field(name.replace("_", " "))
        if isinstance(value, int):
            field.setValue(value)
        else:
            field.selectAll()
            QTest.keyClicks(field, value)
            QTest.keyClick(field, Qt.Key.Key_Return)


def copy(types, like, **values):
    types.choose(like)
    QTest.mouseClick(types.buttons["New like this..."], Qt.MouseButton.LeftButton)
    dialog = types.findChild(FormDialog)
    for name, value in values.items():
        field = dialog.form.field(name.replace("_", " "))
        field.setText(value) if isinstance(value, str) else field.setValue(value)
    press_ok(dialog)


def test_a_new_unit_type_is_one_step_and_stands_in_the_palette(qtbot, window, units):
    before = text(window)
    terrain = window.desk.document.composite.planes["terrain"].copy()
    copy(units, TANKS, char="T", name="heavy", speed=2, make_13=20, **ICON)
    settle(qtbot, window)
    new = period(window).units[-1]
    like = period(window).units[TANKS]
    assert (new.char, new.name, new.help) == ("T", "heavy", like.help)
    assert value_of(period(window), Slot("speed", 14)) == 2
    assert value_of(period(window), Slot("make", CITY, 14)) == 20
    assert value_of(period(window), Slot("icon-name", 14)) == "panzer"
    lines = iter(text(window).split("\n"))
    assert all(line in lines for line in before.split("\n"))
    battlemap = window.desk.document.battlemap
    assert [kind.name for kind in battlemap.system.thing_kinds(battlemap)][-1] == "heavy"
    assert np.array_equal(window.desk.document.composite.planes["terrain"], terrain)
    qtbot.waitUntil(lambda: units.code == 14)
    window.desk.document.undo()
    assert text(window) == before


def test_a_letter_that_is_taken_is_told_in_the_dialog_which_stays(qtbot, window, units):
    before = text(window)
    units.choose(TANKS)
    QTest.mouseClick(units.buttons["New like this..."], Qt.MouseButton.LeftButton)
    dialog = units.findChild(FormDialog)
    dialog.form.field("name").setText("horsemen")
    dialog.form.field("char").setText("i")
    assert "stands for infantry already" in dialog.status.text
    assert not dialog.ok_button.isEnabled()
    dialog.form.field("char").setText("H")
    assert dialog.status.isHidden()
    press_ok(dialog)
    settle(qtbot, window)
    assert "horsemen" in text(window).replace(before, "")


def test_a_new_terrain_type_leaves_painted_cells_what_they_are(qtbot, window, terrains):
    before = window.desk.document.composite.planes["terrain"].copy()
    copy(terrains, PLAINS, char="$", name="fields", third="#ffee00", moves_2=4)
    settle(qtbot, window)
    terrains = window.desk.document.battlemap.terrain_set.terrains
    assert [terrain.name for terrain in terrains[PLAINS:]] == [
        "plains",
        "forest",
        "mountains",
        "ice",
        "void",
        "fields",
    ]
    assert terrains[-1].colour == "#ffee00"
    assert value_of(period(window), Slot("moves", TANKS, 9)) == 4
    assert np.array_equal(window.desk.document.composite.planes["terrain"], before)


def test_a_value_and_a_colour_are_changed_in_their_place(qtbot, window, units, terrains):
    units.choose(TANKS)
    fill(units.form, moves_3=7)
    settle(qtbot, window)
    assert "[ 7 0 3 ] [ plains desert forest ] t moves" not in text(window)
    assert value_of(period(window), Slot("moves", TANKS, 3)) == 7
    terrains.choose(PLAINS)
    fill(terrains.form, third="#112233")
    settle(qtbot, window)
    assert '"+" "plains" "#112233" ttype' in text(window)


def test_cells_keep_a_terrain_that_gets_another_name(qtbot, window, terrains):
    before = window.desk.document.composite.planes["terrain"].copy()
    terrains.choose(PLAINS)
    fill(terrains.form, name="meadow")
    settle(qtbot, window)
    assert window.desk.document.battlemap.terrain_set.terrains[PLAINS].name == "meadow"
    assert np.array_equal(window.desk.document.composite.planes["terrain"], before)
    assert '[ desert meadow forest ] "lowland" define' in text(window)


def test_units_on_the_map_follow_the_name_of_their_type(qtbot, window, units):
    document = window.desk.document
    town = next(
        visible_thing
        for visible_thing in document.battlemap.visible_things()
        if visible_thing.kind == "town"
    )
    document.push(change_things(document.battlemap, [replace(town, label="Rome")]), "Name")
    units.choose(12)
    fill(units.form, name="village")
    settle(qtbot, window)
    kinds = {visible_thing.kind for visible_thing in document.battlemap.visible_things()}
    assert "village" in kinds
    assert "town" not in kinds
    assert [e.kind for e in document.battlemap.visible_things() if e.label == "Rome"] == ["village"]
    document.undo()
    assert [e.kind for e in document.battlemap.visible_things() if e.label == "Rome"] == ["town"]


def test_conditions_of_the_map_count_the_new_type_as_idle(qtbot, window, units):
    document = window.desk.document
    condition = Condition(True, ConditionKind.UNITS, 0, 99, -1, (1,) * 14)
    document.push(
        change_value(document.battlemap, GLOBALS, Globals(conditions=(condition,))), "Win"
    )
    copy(units, TANKS, char="T", name="heavy")
    settle(qtbot, window)
    assert globals_of(document.battlemap).conditions[0].numbers == (*(1,) * 14, 0)


def test_what_cannot_be_is_said_and_the_form_shows_what_is(qtbot, window, panel, units):
    before = text(window)
    units.choose(TANKS)
    fill(units.form, char="g")
    qtbot.waitUntil(lambda: panel.banner.isVisible())
    assert "“g”" in panel.banner.label.text()
    assert units.form.values()["char"] == "t"
    assert text(window) == before
    panel.show_period(period(window))
    assert panel.banner.isVisible(), "the same period is shown again"


def test_a_value_that_others_share_gets_a_line_of_its_own(qtbot, window, units):
    before = text(window)
    units.choose(12)
    fill(units.form, moves_0=3)
    units.choose(12)
    fill(units.form, moves_3=5)
    settle(qtbot, window)
    assert value_of(period(window), Slot("moves", 12, 3)) == 5
    assert "5 desert town moves\nend\n" in text(window)
    lines = iter(text(window).split("\n"))
    assert all(line in lines for line in before.split("\n"))


def test_a_message_moves_no_field_and_does_not_cover_the_one_that_is_typed_into(
    qtbot, window, panel, units
):
    units.choose(TANKS)
    qtbot.wait(200)  # the form is laid out by then
    positions = field_positions(panel, units)
    fill(units.form, char="g")
    qtbot.waitUntil(lambda: panel.banner.isVisible())
    assert field_positions(panel, units) == positions
    field = units.form.field("char")
    banner = panel.banner.geometry()
    assert not banner.contains(field.mapTo(panel, field.rect().center()))
    assert banner.bottom() == panel.height() - 1


def field_positions(panel, units):
    fields = (units.form.field(name) for name in ("char", "name"))
    return [field.mapTo(panel, field.rect().topLeft()) for field in fields]


def test_a_message_lies_above_where_it_would_cover_the_field_with_the_keyboard(
    qtbot, window, panel, units
):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    units.choose(TANKS)
    names = [setting.name for setting in units.form.settings]
    lowest_field = units.form.field(names[-1])
    lowest_field.setFocus()
    qtbot.waitUntil(lowest_field.hasFocus)
    panel.show_refusal("", NotPlain("It cannot be changed here."))
    assert panel.banner.isVisible()
    assert panel.banner.y() == 0


def test_the_suggested_character_of_a_new_type_is_typed_over(qtbot, window, units):
    units.choose(TANKS)
    QTest.mouseClick(units.buttons["New like this..."], Qt.MouseButton.LeftButton)
    dialog = units.findChild(FormDialog)
    qtbot.waitUntil(lambda: dialog.focusWidget() is dialog.form.field("char"))
    QTest.keyClicks(dialog.focusWidget(), "H")
    assert dialog.form.values()["char"] == "H"
    dialog.reject()


def remove(types, code):
    types.choose(code)
    QTest.mouseClick(types.buttons["Remove"], Qt.MouseButton.LeftButton)


def test_a_unit_type_is_removed_with_its_conditions_in_one_step(qtbot, window, units):
    before = text(window)
    document = window.desk.document
    count = len(period(window).units)
    condition = Condition(True, ConditionKind.UNITS, 0, 99, -1, tuple(range(count)))
    waits_for_tanks = Condition(True, ConditionKind.PLACE, 0, 99, -1, (3, 3, TANKS))
    waits_for_city = Condition(True, ConditionKind.PLACE, 0, 99, -1, (3, 3, CITY))
    conditions = (condition, waits_for_tanks, waits_for_city)
    document.push(change_value(document.battlemap, GLOBALS, Globals(conditions=conditions)), "Win")
    remove(units, TANKS)
    settle(qtbot, window)
    assert "tanks" not in [each.name for each in period(window).units]
    shorter, city = globals_of(document.battlemap).conditions
    assert city.numbers == (3, 3, CITY - 1)
    assert shorter.numbers == (0, 1, *range(3, count))
    assert document.history.next_undo.text.startswith("Remove unit type ")
    kinds = [kind.name for kind in document.battlemap.system.thing_kinds(document.battlemap)]
    assert len(kinds) == count - 1
    document.undo()
    assert text(window) == before
    assert globals_of(document.battlemap).conditions == conditions


def test_a_terrain_that_is_removed_stays_where_it_is_painted(qtbot, window, terrains):
    document = window.desk.document
    desert = document.battlemap.terrain_set.terrain_code("desert")
    plains = document.battlemap.terrain_set.terrain_code("plains")
    cells = [100, 101]
    layer = document.active_layer_id
    document.push(set_values(document.battlemap, layer, "terrain", [100], desert), "Paint")
    document.push(set_values(document.battlemap, layer, "terrain", [101], plains), "Paint")
    remove(terrains, desert)
    settle(qtbot, window)
    assert "desert" not in [each.name for each in period(window).terrains]
    terrain_set = document.battlemap.terrain_set
    codes = document.composite.planes["terrain"].ravel()[cells]
    assert [terrain_set.terrains[code].name for code in codes] == ["desert", "plains"]
