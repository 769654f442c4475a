"""A form for the settings of a generator, made from their descriptions; it can be folded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from randomizer.generator import Setting

AS_IT_IS = "as the map is"
"""The text of a setting that is not set."""

_NO_END = 10**6


class _Field(NamedTuple):
    """The widget of a setting, how to read its value (None: not set), and how to show one."""

    widget: QWidget
    value: Callable[[], object]
    show: Callable[[object], None]


class SettingsForm(QWidget):
    """A row for each setting, which may stay unset. ``changed()``: the user has changed a value."""

    changed = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._settings: tuple[Setting, ...] = ()
        self._fields: dict[str, _Field] = {}
        self.fold = QToolButton()
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setToolTip("What lies under everything before the script starts")
        self.fold.clicked.connect(self._fold_or_unfold)
        self._body = QWidget()
        self._form = QFormLayout(self._body)
        self._form.setContentsMargins(18, 0, 0, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.fold)
        column.addWidget(self._body)
        self.unfold(False)

    def _fold_or_unfold(self) -> None:
        self.unfold(self._body.isHidden())

    def unfold(self, open_: bool) -> None:
        """Show the rows, or only a line with their values."""
        self._body.setVisible(open_)
        self.fold.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        self._show_title()

    def _show_title(self) -> None:
        values = [str(value) for value in self.values().values()]
        words = ", ".join(values) or AS_IT_IS
        self.fold.setText(f"{self._title}: {words}")
        self.fold.setAccessibleName(f"{self._title}: {words}")

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Show rows for these settings with ``values``; a setting without one is unset."""
        settings = tuple(settings)
        if settings != self._settings:
            self._settings = settings
            while self._form.rowCount():
                self._form.removeRow(0)
            self._fields = {setting.name: self._field(setting) for setting in settings}
            for setting in settings:
                widget = self._fields[setting.name].widget
                name = _spaced(setting.name)
                widget.setToolTip(setting.help)
                widget.setAccessibleName(name)
                self._form.addRow(name, widget)
        for name, field in self._fields.items():
            with QSignalBlocker(field.widget):
                field.show(values.get(name))
        self.setVisible(bool(settings))
        self._show_title()

    def values(self) -> dict[str, object]:
        """The values of the settings that are set, by name."""
        chosen = {name: field.value() for name, field in self._fields.items()}
        return {name: value for name, value in chosen.items() if value is not None}

    def field(self, name: str) -> QWidget:
        """The widget of one setting."""
        return self._fields[name].widget

    def _report_change(self) -> None:
        self._show_title()
        self.changed.emit()

    def _field(self, setting: Setting) -> _Field:
        if setting.kind is bool:
            return self._choice(("no", "yes"), (False, True))
        if setting.choices:
            return self._choice(setting.choices, setting.choices)
        if setting.kind is int:
            return self._number(setting)
        return self._words()

    def _choice(self, titles: Iterable[str], values: Iterable[object]) -> _Field:
        box = QComboBox()
        box.addItems([AS_IT_IS, *titles])
        choices = [None, *values]
        box.currentIndexChanged.connect(self._report_change)
        return _Field(
            box,
            lambda: choices[box.currentIndex()],
            lambda value: box.setCurrentIndex(choices.index(value) if value in choices else 0),
        )

    def _number(self, setting: Setting) -> _Field:
        least = -_NO_END if setting.least is None else setting.least
        spin = QSpinBox()
        # The value below the least one stands for "not set".
        spin.setRange(least - 1, _NO_END if setting.most is None else setting.most)
        spin.setSpecialValueText(AS_IT_IS)
        spin.setValue(least - 1)
        spin.valueChanged.connect(self._report_change)

        def value() -> object:
            return spin.value() if spin.value() >= least else None

        def show(wanted: object) -> None:
            spin.setValue(wanted if isinstance(wanted, int) else least - 1)

        return _Field(spin, value, show)

    def _words(self) -> _Field:
        line = QLineEdit()
        line.setPlaceholderText(AS_IT_IS)
        line.textChanged.connect(self._report_change)
        return _Field(
            line,
            lambda: line.text() or None,
            lambda value: line.setText("" if value is None else str(value)),
        )


def _spaced(name: str) -> str:
    """``BaseTerrain`` as "Base terrain"."""
    return re.sub(r"(?<=[a-z])([A-Z])", lambda capital: " " + capital[1].lower(), name)
