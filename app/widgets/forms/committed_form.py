"""A form that reports a value when it is meant: a text when its field is left, others at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from app.qt_guard import connect
from app.widgets.forms.setting_fields import LongText
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting

NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon


class CommittedForm(SettingsForm):
    """``committed(str)``: the setting of that name has another value, which the user has finished.

    That is so when a text or a typed number is left or Enter is pressed, and at once for choices,
    ticks and the arrows of numbers.
    """

    committed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(":", parent)
        self._given: dict[str, object] = {}
        self._building = False
        connect(self.changed, self._on_changed)

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Ask for these settings, showing ``values``; the keyboard stays in the same field."""
        settings = tuple(settings)
        before = self._settings
        if settings == before:
            self.show_values(values)
            return
        in_use = [each.name for each in before if self.field(each.name).hasFocus()]
        self._building = True  # a field that goes while it has the keyboard reports that it is left
        try:
            super().set_settings(settings, values)
        finally:
            self._building = False
        for setting in settings:
            field = self.field(setting.name)
            if isinstance(field, QLineEdit | LongText):
                connect(field.editingFinished, partial(self._commit, setting.name))
            elif isinstance(field, QAbstractSpinBox):
                field.setKeyboardTracking(False)
            elif isinstance(field, QComboBox):  # a long choice does not widen the panel
                field.setSizeAdjustPolicy(NARROW)
                field.setMinimumContentsLength(4)
            if setting.name in in_use:
                field.setFocus()

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them."""
        super().show_values(values)
        self._given = self.values()

    def edit(self, name: str) -> None:
        """Give a field the keyboard with its text selected: what is typed takes its place."""
        field = self.field(name)
        field.setFocus()
        if isinstance(field, QLineEdit):
            field.selectAll()

    def _on_changed(self, name: str) -> None:
        if not isinstance(self.field(name), QLineEdit | LongText):
            self._commit(name)

    def _commit(self, name: str) -> None:
        if self._building:
            return
        value = self.values().get(name)
        if value != self._given.get(name):
            self._given[name] = value
            self.committed.emit(name)
