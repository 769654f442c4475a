"""A form that reports a value when it is meant, and leaves alone what is being typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.widgets.forms.committed_form import CommittedForm
from randomizer.model.settings.setting import Setting

SETTINGS = (
    Setting("word", str, "", ""),
    Setting("number", int, "", 1, minimum=0, maximum=9),
    Setting("tick", bool, "", False, title="Tick"),
    Setting("lines", str, "", None, lines=3),
)


@pytest.fixture
def form(qtbot):
    form = CommittedForm()
    qtbot.addWidget(form)
    form.set_settings(SETTINGS, {"word": "hill"})
    form.show()
    form.activateWindow()
    qtbot.waitUntil(form.isActiveWindow)
    return form


@pytest.fixture
def committed(form):
    """The names of the settings that were committed."""
    names = []
    form.committed.connect(names.append)
    return names


def test_a_form_reports_texts_when_they_are_left_and_choices_at_once(form, committed):
    form.field("word").setText("a")
    assert committed == []
    form.field("word").editingFinished.emit()
    form.field("word").editingFinished.emit()
    form.field("number").setValue(3)
    form.field("tick").setChecked(True)
    form.show_values({"word": "b", "number": 5})
    form.field("word").editingFinished.emit()
    assert committed == ["word", "number", "tick"]


@pytest.mark.parametrize("name", ["word", "lines"])
def test_what_is_being_typed_stays_while_other_values_change(form, committed, name):
    field = form.field(name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "vall")
    form.show_values({"word": "hill", "number": 7})  # such as after a roll
    QTest.keyClicks(field, "ey")
    assert form.field("number").value() == 7
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert committed == [name]
    assert form.values()[name] == "valley"


def test_what_is_being_typed_goes_when_its_own_value_changes(form, committed):
    field = form.field("word")
    field.setFocus()
    QTest.keyClicks(field, "s")
    form.show_values({"word": "wood"})
    assert field.text() == "wood"
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert committed == []


def test_a_text_that_was_refused_is_not_shown_any_longer(form, committed):
    field = form.field("word")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "*")
    QTest.keyClick(field, Qt.Key.Key_Return)
    form.show_values({"word": "hill"})
    assert committed == ["word"]
    assert field.text() == "hill"
