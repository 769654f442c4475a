"""The wheel scrolls forms and tables and changes no field of theirs."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QScrollArea, QWidget

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
