"""A table in a form: a row of fields for each object of a setting's JSON list."""

from __future__ import annotations

import json

import pytest

from app.widgets.forms.folded_form import FoldedForm
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting, checked_settings

COLUMNS = (
    Setting("Civ", str, "Who.", choices=(("gaul", "Gauls"), ("hele", "Greeks")), title="Civ"),
    Setting("Name", str, "A name.", title="Name", unset="usual"),
    Setting("Team", int, "A team.", minimum=-1, maximum=3, title="Team"),
    Setting("Colour", str, "A colour.", title="Colour"),
)
SETTINGS = (
    Setting("Players", int, "How many.", 2, minimum=1, maximum=8, title="Players"),
    Setting("Data", str, "Each.", "", title="Each", columns=COLUMNS, rows_of="Players"),
)


@pytest.fixture
def form(qtbot) -> SettingsForm:
    form = SettingsForm()
    qtbot.addWidget(form)
    form.set_settings(SETTINGS, {})
    form.said = []
    form.changed.connect(form.said.append)
    return form


def rows(form) -> list[dict]:
    return json.loads(form.values()["Data"] or "[]")


def test_a_table_has_a_row_for_each_of_what_it_follows(form):
    table = form.field("Data")
    assert (table.rowCount(), table.columnCount()) == (2, 4)
    assert table.cellWidget(1, 0).accessibleName() == "Civ 2"
    assert form.values() == {"Players": 2, "Data": ""}
    form.field("Players").setValue(5)
    assert table.rowCount() == 5
    form.show_values({"Players": 1})
    assert table.rowCount() == 1


def test_what_is_chosen_is_the_text_and_a_text_is_shown(form):
    table = form.field("Data")
    table.cellWidget(1, 0).setCurrentIndex(2)
    table.cellWidget(1, 2).setValue(-1)
    assert form.said == ["Data", "Data"]
    assert rows(form) == [{}, {"Civ": "hele", "Team": -1}]
    checked_settings(SETTINGS, form.values())
    text = '[{"Name": "Ann", "Colour": {"r": 1}, "Own": 7}, null, {"Civ": "gaul"}]'
    form.show_values({"Players": 2, "Data": text})
    assert table.cellWidget(0, 1).text() == "Ann"
    assert table.cellWidget(0, 3).text() == '{"r": 1}'
    assert table.cellWidget(1, 0).currentText() == "not set"
    table.cellWidget(0, 1).setText("")
    table.cellWidget(0, 3).setText('{"r": 2}')
    assert rows(form) == [{"Colour": {"r": 2}, "Own": 7}, {}, {"Civ": "gaul"}], "others are kept"
    table.cellWidget(0, 3).setText('{"r": ')
    assert rows(form)[0]["Colour"] == '{"r": '


def test_a_text_that_is_no_table_is_shown_as_none(form):
    form.show_values({"Data": "["})
    assert form.values()["Data"] == ""


def test_a_folded_form_does_not_print_a_table(qtbot):
    form = FoldedForm()
    qtbot.addWidget(form)
    form.set_settings(SETTINGS, {"Players": 3, "Data": '[{"Civ": "gaul"}]'})
    assert form.fold_button.text() == "Settings: Players 3"
