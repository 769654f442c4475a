"""The wheel scrolls forms and tables and changes no field of theirs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QScrollArea, QToolTip, QWidget

from app.widgets.forms.field_input import commit_typed_value
from app.widgets.forms.setting_table import SettingTable
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting
from tests.conftest import ROOT

CHOICE = Setting("choice", str, "", "a", choices=(("a", "A"), ("b", "B"), ("c", "C")), title="C")
STEPPED = Setting("steps", int, "", 8, choices=((8, "8"), (9, "9")), step=1, title="Steps")
NUMBER = Setting("number", int, "", 5, title="Number")
FRACTION = Setting("fraction", float, "", 0.5, title="Fraction")
TABLE = Setting("table", str, "", "", columns=(CHOICE, NUMBER), title="Table", rows_of="rows")
ROWS = Setting("rows", int, "", 3, title="Rows")


@pytest.fixture
def area(qtbot):
    """A form that is higher than the area in which it scrolls."""
    form = SettingsForm()
    form.set_settings((CHOICE, STEPPED, NUMBER, FRACTION, ROWS, TABLE), {})
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(form)
    qtbot.addWidget(area)
    area.resize(300, 120)
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    return area


def fields_of(form: SettingsForm) -> list:
    table = form.field("table")
    assert isinstance(table, SettingTable)
    fields = [form.field(setting.name) for setting in form.settings if not setting.columns]
    return fields + list(table.cells())


def turn_real_wheel(field: QWidget, notches: int) -> None:
    """Turn the wheel as a hand does: what a widget does not take goes to its parent."""
    window = field.window()
    position = QPointF(field.mapTo(window, field.rect().center()))
    QTest.wheelEvent(window.windowHandle(), position, QPoint(0, 120 * notches))


@pytest.mark.parametrize("has_keyboard", [False, True])
def test_the_wheel_over_a_field_scrolls_the_form(area, has_keyboard):
    form = area.widget()
    bar = area.verticalScrollBar()
    values = form.values()
    fields = fields_of(form)
    assert len(fields) == 5 + 6
    for field in fields:
        assert isinstance(field, QComboBox | QAbstractSpinBox)
        if has_keyboard:
            field.setFocus()
            assert field.hasFocus()
        area.ensureWidgetVisible(field)
        start = bar.value()
        turn_real_wheel(field, -1 if start < bar.maximum() / 2 else 1)
        assert bar.value() != start, field.accessibleName()
    assert form.values() == values


def test_every_box_of_the_desk_passes_the_wheel_on():
    box = re.compile(r"(?<!pass_wheel_on\()\bQ(ComboBox|SpinBox|DoubleSpinBox)\(\)")
    boxes = {
        path.name: box.findall(path.read_text("utf-8")) for path in (ROOT / "app").rglob("*.py")
    }
    names = {name for name, matches in boxes.items() if matches}
    assert names == {"setting_fields.py"}, "its boxes go through one function"


@pytest.fixture
def typed_choice(qtbot):
    """A form with a box of choices that has the keyboard, and the numbers that it has reported."""
    setting = replace(STEPPED, choices=((8, "8"), (9, "9")), minimum=1, maximum=5000)
    form = SettingsForm()
    form.set_settings((setting,), {})
    qtbot.addWidget(form)
    form.show()
    form.activateWindow()
    qtbot.waitUntil(form.isActiveWindow)
    box = form.field("steps")
    box.setFocus()
    box.lineEdit().selectAll()
    return form, box


def test_a_number_typed_beside_choices_counts_before_a_shortcut(typed_choice):
    form, box = typed_choice
    changes = []
    form.changed.connect(lambda *_args: changes.append(form.values()["steps"]))
    QTest.keyClicks(box.lineEdit(), "12")
    commit_typed_value()
    assert changes == [12]


def test_a_number_typed_with_a_comma_is_taken_without_a_word(typed_choice):
    form, box = typed_choice
    QToolTip.hideText()
    QTest.keyClicks(box.lineEdit(), " 1,024 ")
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert form.values()["steps"] == 1024
    assert not QToolTip.text()
