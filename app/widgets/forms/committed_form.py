"""A form that reports a value when it is meant: a text when its field is left, others at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from app.qt_guard import connect
from app.widgets.forms.setting_fields import LongText, readable_width
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting

MOST_TEXT = 150
"""The largest least width of a field, in logical pixels: a longer text does not widen the panel."""

NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon


class CommittedForm(SettingsForm):
    """``committed(str)``: the setting of that name has another value, which the user has finished.

    That is so when a text or a typed number is left or Enter is pressed, and at once for choices,
    ticks and the arrows of numbers. Undo and Redo are those of the desk, unless something was typed
    into a line since.
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
        if settings == self._settings:
            self.show_values(values)
            return
        names_in_use = [
            setting.name for setting in self._settings if self.field(setting.name).hasFocus()
        ]
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
            if setting.name in names_in_use:
                field.setFocus()

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them.

        A text that is being typed stays if the value that it is to replace is still the same.
        """
        values_to_show = dict(values)
        typed = self._typed_setting()
        if typed is not None:
            given = self._given.get(typed.name)
            value = values.get(typed.name, typed.default)
            if (value or None) != (given or None):  # another one than the text is to replace
                typed = None
        if typed is not None:
            values_to_show[typed.name] = self._fields[typed.name].value()
        super().show_values(values_to_show)
        self._make_room()
        self._given = self.values()
        if typed is not None:
            self._given[typed.name] = given

    def _make_room(self) -> None:
        """Let names be read whole: a field that has no room for its text beside its label goes
        below it.
        """
        for field in self._fields.values():
            if isinstance(field.widget, QLineEdit | QComboBox):
                width = min(readable_width(field.widget), MOST_TEXT)
                field.widget.setMinimumWidth(width)
            # A window that is not active has a field for the keyboard, too.
            is_typed_in = field.widget.window().focusWidget() is field.widget
            if isinstance(field.widget, QLineEdit) and not is_typed_in:
                field.widget.setCursorPosition(0)  # of a longer text the beginning is shown

    def _typed_setting(self) -> Setting | None:
        """Return the setting whose text is being typed: it is not the one that was shown or
        committed.
        """
        for setting in self._settings:
            field = self._fields[setting.name]
            if isinstance(field.widget, QLineEdit | LongText) and field.widget.hasFocus():
                is_typed = field.value() != self._given.get(setting.name)
                return setting if is_typed else None
        return None

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
            self._forget_typing(name)
            self.committed.emit(name)

    def _forget_typing(self, name: str) -> None:
        """Let a line undo nothing of what was committed: that is a step of the desk from now on.

        ``leave_undo_to_desk`` then leaves the key to it.
        """
        field = self.field(name)
        if isinstance(field, QLineEdit):
            cursor_position = field.cursorPosition()
            field.setText(field.text())  # nothing was typed since
            field.setCursorPosition(cursor_position)
