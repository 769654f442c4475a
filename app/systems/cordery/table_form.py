"""The form of a table that is laid by dice: what the campaign square says, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon
from app.widgets.wheel_rest import WheelRest
from randomizer.model.battlemap import Layer
from randomizer.systems.cordery.choices import KINDS, MOST_ROUTES, SETTINGS, Choices

TITLES = {
    "hills": "Hills and mountains",
    "water": "Rivers and water",
    "roads": "Roads and tracks",
    "trees": "Trees",
    "habitation": "Habitation",
    "railways": "Railways",
    "fields": "Fields",
}
"""The parts of the page as their headings call them."""

Words = tuple[tuple[str, str], ...]


class Choice(NamedTuple):
    """A row with values to choose from, each in words."""

    name: str
    label: str
    values: Words


class Count(NamedTuple):
    """A row with a number of routes; ``one`` is one of them."""

    name: str
    label: str
    one: str


class Tick(NamedTuple):
    """A row that is yes or no."""

    name: str
    label: str


ROWS: dict[str, tuple[Choice | Count | Tick, ...]] = {
    "hills": (
        Choice(
            "relief",
            "Country",
            (
                ("", "Usual"),
                ("open", "Open or flat"),
                ("undulating", "Undulating"),
                ("hilly", "Hilly"),
                ("mountainous", "Mountainous"),
            ),
        ),
    ),
    "water": (
        Count("rivers", "Rivers", "river"),
        Tick("lakes", "A region of lakes"),
        Tick("marshes", "A region of marshes"),
    ),
    "roads": (
        Count("roads", "Roads", "road"),
        Choice("road", "Kind", (("road", "Roads (metalled)"), ("track", "Tracks (of earth)"))),
        Tick("join", "Join villages and towns"),
    ),
    "trees": (
        Choice(
            "cover",
            "Cover",
            (("relief", "Usual for the country"), ("desert", "Desert"), ("forested", "Forested")),
        ),
        Choice(
            "climate",
            "Kind",
            (("deciduous", "Deciduous"), ("coniferous", "Coniferous"), ("palm", "Palms")),
        ),
    ),
    "habitation": (
        Choice(
            "area",
            "Area",
            (
                ("wild", "Wild: few live here"),
                ("cultivated", "Cultivated, rural"),
                ("urban", "Urban"),
            ),
        ),
    ),
    "railways": (
        Count("railways", "Railways", "railway"),
        Tick("detour", "Bend to pass a place"),
    ),
    "fields": (
        Choice(
            "planted",
            "Besides corn",
            (
                ("none", "Nothing"),
                ("orchard", "Orchards"),
                ("olive grove", "Olive groves"),
                ("vineyard", "Vineyards"),
            ),
        ),
    ),
}
"""The rows under each heading. A part that is itself a setting can be left out as a whole."""


def usual_country(choices: Choices) -> str:
    """What the country is where none is chosen, in words."""
    country = {"open": "flat"}.get(usual := choices.usual_relief, usual)
    of_cover = {"desert": "a desert", "forested": "forests"}.get(choices.cover)
    return f"Usual for {of_cover}: {country}" if of_cover else f"Usual: {country}"


_HELP = {setting.name: setting.help for setting in SETTINGS}
_WHOLE = {setting.name for setting in SETTINGS if setting.kind is bool and setting.name in TITLES}


class TableForm(QWidget):
    """``chosen(dict)``: settings by their names. ``part_again(str)``: throw that part anew.
    ``one_more(str, str)``: a part, and the setting that was raised by one. ``part_shown(str,
    bool)``: show or hide its layer."""

    chosen = Signal(object)
    part_again = Signal(str)
    one_more = Signal(str, str)
    part_shown = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QComboBox | QSpinBox | QCheckBox] = {}
        self.more: dict[str, QToolButton] = {}
        self.eyes: dict[str, QToolButton] = {}
        self.again: dict[str, QToolButton] = {}
        self._open = self._closed = QIcon()
        self._wheel = WheelRest(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for number, part in enumerate(KINDS, 1):
            column.addLayout(self._head(number, part))
            rows = QFormLayout()
            rows.setContentsMargins(18, 0, 0, 6)
            rows.setVerticalSpacing(3)
            rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            for row in ROWS[part]:
                self._add_row(rows, part, row)
            column.addLayout(rows)
            if number < len(KINDS):
                line = QFrame()
                line.setFrameShape(QFrame.Shape.HLine)
                line.setFrameShadow(QFrame.Shadow.Sunken)
                column.addWidget(line)

    # --- rows -------------------------------------------------------------------------------

    def _head(self, number: int, part: str) -> QHBoxLayout:
        words = f"{number} {TITLES[part]}"
        title: QWidget
        if part in _WHOLE:
            title = self.fields[part] = self._tick(part, words)
        else:
            title = QLabel(words)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        eye, again = QToolButton(), QToolButton()
        eye.setCheckable(True)
        for button, name in ((eye, "Show"), (again, "Throw anew")):
            button.setAutoRaise(True)
            button.setAccessibleName(f"{name}: {TITLES[part]}")
        eye.clicked.connect(lambda shown: self.part_shown.emit(part, shown))
        again.clicked.connect(lambda: self.part_again.emit(part))
        self.eyes[part], self.again[part] = eye, again
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(title, 1)
        head.addWidget(eye)
        head.addWidget(again)
        return head

    def _add_row(self, rows: QFormLayout, part: str, row: Choice | Count | Tick) -> None:
        if isinstance(row, Tick):
            box = self.fields[row.name] = self._tick(row.name, row.label)
            rows.addRow(box)
            return
        label = QLabel(row.label)
        if isinstance(row, Choice):
            combo = self.fields[row.name] = QComboBox()
            for value, words in row.values:
                combo.addItem(words, value)
            combo.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            combo.setMinimumContentsLength(12)
            combo.activated.connect(lambda _index: self._tell(row.name))
            field: QWidget = combo
        else:
            spin = self.fields[row.name] = QSpinBox()
            spin.setRange(0, MOST_ROUTES)
            spin.setSpecialValueText("none")
            spin.valueChanged.connect(lambda _value: self._tell(row.name))
            more = self.more[row.name] = QToolButton()
            more.setText(f"Another {row.one}")
            more.setToolTip(
                f"One more {row.one} by the same rules; what follows is laid again with its dice"
            )
            more.clicked.connect(lambda: self._add_one(part, row.name))
            field = QWidget()
            line = QHBoxLayout(field)
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(spin, 1)
            line.addWidget(more)
        self._wheel.watch(self.fields[row.name])
        self.fields[row.name].setToolTip(_HELP[row.name])
        self.fields[row.name].setAccessibleName(row.label)
        label.setBuddy(self.fields[row.name])
        rows.addRow(label, field)

    def _tick(self, name: str, words: str) -> QCheckBox:
        box = QCheckBox(words)
        box.setToolTip(_HELP[name])
        box.clicked.connect(lambda _checked: self._tell(name))
        return box

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        self._open, self._closed, again = icon("eye"), icon("eye-off"), icon("reroll")
        for part, eye in self.eyes.items():
            eye.setIcon(self._open if eye.isChecked() else self._closed)
            self.again[part].setIcon(again)

    # --- what is chosen ---------------------------------------------------------------------

    def _value(self, name: str) -> object:
        field = self.fields[name]
        if isinstance(field, QComboBox):
            return field.currentData()
        return field.value() if isinstance(field, QSpinBox) else field.isChecked()

    def _tell(self, name: str) -> None:
        self.chosen.emit({name: self._value(name)})

    def _add_one(self, part: str, name: str) -> None:
        field = self.fields[name]
        assert isinstance(field, QSpinBox)
        if field.value() < field.maximum():
            field.setValue(field.value() + 1)
            self.one_more.emit(part, name)

    def show_choices(self, choices: Choices) -> None:
        """Show what is chosen."""
        for name, field in self.fields.items():
            value = getattr(choices, name)
            with QSignalBlocker(field):
                if isinstance(field, QComboBox):
                    if name == "relief":
                        field.setItemText(0, usual_country(choices))
                    field.setCurrentIndex(field.findData(value))
                elif isinstance(field, QSpinBox):
                    field.setValue(value)
                else:
                    field.setChecked(value)
        for name, button in self.more.items():
            button.setEnabled(getattr(choices, name) < MOST_ROUTES)

    def show_parts(self, parts: Mapping[str, Layer], why_not: str) -> None:
        """Show which parts are laid; ``why_not``: why none can be thrown by the program."""
        for part, eye in self.eyes.items():
            layer = parts.get(part)
            name = TITLES[part].lower()
            with QSignalBlocker(eye):
                eye.setChecked(layer is not None and layer.visible)
            eye.setEnabled(layer is not None)
            shown = "Hide" if eye.isChecked() else "Show"
            eye.setToolTip(f"{shown} the layer of {name}" if layer else "Throw the dice first")
            locked = layer is not None and layer.locked
            why = why_not or ("" if layer else "Throw the dice first")
            if locked:
                why = "The layer is locked: it stays as it is."
            self.again[part].setEnabled(not why)
            self.again[part].setToolTip(
                why or f"Throw the dice for {name} anew; the parts after it follow"
            )
            eye.setIcon(self._open if eye.isChecked() else self._closed)
