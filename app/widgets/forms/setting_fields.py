"""The fields of a form: a widget for each setting, made from its description.

    field = setting_field(Setting("width", int, "Of the map", default=20), on_changed)
    field.show(30)
    field.value()              # 30

Which widget it is depends on the kind of the setting:

    columns                  a table of fields (setting_table.py)
    choices                  a box of choices; with a step also a line for other numbers
    bool                     a tick; an optional one is a choice of "not set", "no" and "yes"
    str                      a line, which may have a button for colours, or several lines
    int, float               a box with arrows

A setting whose default is None is *optional*: it can be not set, and the value is None then.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
)

from app.qt_guard import connect
from app.widgets.forms.colour_button import ColourButton
from app.widgets.forms.field_input import is_field, pass_wheel_on
from app.widgets.forms.language_field import LanguageField
from app.widgets.forms.long_text import LongText
from app.widgets.forms.number_limits import NumberLimits
from app.widgets.forms.setting_table import SettingTable
from app.widgets.forms.setting_widget import SettingField
from app.widgets.forms.typed_choice import NO_LIMIT, TypedChoice
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described
from randomizer.languages.language import WordLanguage
from randomizer.model.settings.setting import COLOUR, Setting, colour_or_none

NOT_SET = "not set"
"""The label of None where a setting has no other."""


def setting_field(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return the field of a setting, which shows its default.

    ``changed`` is called when it shows another value. The title of the setting is its name for
    screen readers, the help its tooltip.
    """
    is_optional = setting.default is None
    if setting.columns:
        field = _table(setting, changed)
    elif setting.choices or (setting.kind is bool and is_optional):
        field = _choice(setting, changed)
    elif setting.kind is bool:
        field = _tick(setting, changed)
    elif setting.kind is str and setting.lines > 1:
        field = _long_text(setting, changed)
    elif setting.kind is str:
        field = _text(setting, changed)
    else:
        field = _number(setting, changed)
    described(field.widget, setting.title.replace("&", ""), setting.help)
    if isinstance(field.widget, QComboBox | QAbstractSpinBox):
        pass_wheel_on(field.widget)
    if is_field(field.widget):
        leave_undo_to_desk(field.widget)
    field.show(setting.default)
    return field


def _choice(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box of the choices; the data of its items are the values."""
    entries: list[tuple[object, str]] = []
    if setting.default is None:
        entries.append((None, setting.unset))
    if setting.choices:
        entries += setting.choices
    else:  # an optional setting of True and False
        entries += [(False, "no"), (True, "yes")]
    box = QComboBox()
    for value, label in entries:
        box.addItem(label, value)
    if setting.step:
        typed_choice = TypedChoice(setting, box, changed)
        return SettingField(box, typed_choice.value, typed_choice.show)
    connect(box.currentIndexChanged, lambda _index: changed())
    values = [value for value, _label in entries]

    def show(value: object) -> None:
        if value in values:
            box.setCurrentIndex(values.index(value))
        else:
            box.setCurrentIndex(0)

    return SettingField(box, lambda: values[box.currentIndex()], show)


def _tick(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box to tick, with the setting's title as its text."""
    box = QCheckBox(setting.title)
    connect(box.toggled, lambda _checked: changed())
    return SettingField(box, box.isChecked, lambda value: box.setChecked(bool(value)))


def _text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a line for a text; it completes words if the setting has some.

    The empty line of an optional setting stands for None.
    """
    is_optional = setting.default is None
    line = QLineEdit()
    if setting.words:
        line = LanguageField()
        line.completion.language = WordLanguage(setting.words)
    if is_optional or setting.unset != NOT_SET:
        line.setPlaceholderText(setting.unset)
    connect(line.textChanged, lambda _text: changed())
    colour_button: ColourButton | None = None
    colour_of = setting.colour_of
    if setting.pattern == COLOUR:
        colour_of = colour_or_none
    if colour_of is not None:
        colour_button = ColourButton(line, colour_of)

    def value() -> object:
        if is_optional and not line.text():
            return None
        return line.text()

    def show(value_to_show: object) -> None:
        text = _shown_text(value_to_show)
        if text != line.text():  # setting the same text would drop the selection in it
            line.setText(text)
        if colour_button is not None:  # it hears of no text that is set while signals are blocked
            colour_button.show_colour(line.text())

    return SettingField(line, value, show)


def _shown_text(value: object) -> str:
    """Return the text that shows the value of a text setting; "" for None."""
    if value is None:
        return ""
    return str(value)


def _long_text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a field for a text of several lines.

    The empty field of an optional setting stands for None.
    """
    is_optional = setting.default is None
    field = LongText(setting.lines, setting.maximum or NO_LIMIT)
    if is_optional:
        field.setPlaceholderText(setting.unset)
    connect(field.textChanged, changed)

    def value() -> object:
        text = field.toPlainText()
        if is_optional and not text:
            return None
        return text

    def show(value_to_show: object) -> None:
        text = _shown_text(value_to_show)
        if text != field.toPlainText():  # setting the same text would move the cursor to its start
            field.setPlainText(text)

    return SettingField(field, value, show)


def _table(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a table; the form sets the number of its rows (``Setting.rows_of``)."""
    table = SettingTable(setting, setting_field)
    connect(table.edited, changed)
    return SettingField(table, table.text, lambda text: table.set_text(str(text or "")))


def _number(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box for a number.

    Qt's boxes always have a number. Where the setting may be not set, the range begins one below
    the least number; that lowest value is shown as a text, and stands for *not set*.
    """
    is_optional = setting.default is None
    least = setting.minimum
    if least is None:
        least = -NO_LIMIT
    most = setting.maximum
    if most is None:
        most = NO_LIMIT
    lowest = least
    if is_optional:
        lowest = least - 1  # stands for "not set"

    spin = _spin_box(setting)
    spin.setRange(lowest, most)
    if not is_optional:
        # For a number that is too small Qt would show the former one again, without a word. But
        # not for an optional one, of which the nearest number stands for "not set".
        spin.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    if setting.minimum is not None and setting.maximum is not None:
        NumberLimits(spin, setting.minimum, setting.maximum)
    if is_optional:
        spin.setSpecialValueText(setting.unset)
    elif least == 0:
        spin.setSpecialValueText(setting.zero)
    connect(spin.valueChanged, lambda _value: changed())

    def value() -> object:
        if spin.value() < least:
            return None
        return spin.value()

    def show(number: object) -> None:
        if isinstance(number, int | float):
            number_in_range = min(max(number, spin.minimum()), spin.maximum())
            spin.setValue(setting.kind(number_in_range))
        else:
            spin.setValue(lowest)

    return SettingField(spin, value, show)


def _spin_box(setting: Setting) -> QSpinBox | QDoubleSpinBox:
    """Return a box for whole numbers or for decimal ones, with the unit of the setting."""
    spin: QSpinBox | QDoubleSpinBox
    if setting.kind is int:
        spin = QSpinBox()
    else:
        spin = QDoubleSpinBox()
        spin.setDecimals(setting.decimals)
    if setting.unit:
        spin.setSuffix(f" {setting.unit}")
    spin.setGroupSeparatorShown(True)
    return spin
