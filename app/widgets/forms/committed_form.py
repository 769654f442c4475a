"""A form that reports a value when its editing has ended: a text when its field is left.

Panels whose values are undo steps of the map use it. A value is *committed* when a text or a typed
number is left or Enter is pressed, and at once for choices, ticks and the arrows of numbers. Undo
and Redo are those of the map, unless something was typed into a line since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from app.qt_guard import connect
from app.widgets.forms.long_text import LongText
from app.widgets.forms.setting_table import readable_width
from app.widgets.forms.settings_form import SettingsForm
from randomizer.model.settings.setting import Setting

MAX_TEXT = 150
"""The most width that a field gets for its text, in logical pixels; longer texts are cut."""

NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
"""The policy by which a long choice does not widen the panel; it is cut in the box."""

MIN_LETTERS = 4
"""The least number of letters for which a box of choices has room."""


class CommittedForm(SettingsForm):
    """A form that emits ``committed`` for finished values, beside ``changed`` for each letter."""

    committed = Signal(str)
    """The setting of this name has another value, which the user has finished."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(":", parent)
        self._last_values: dict[str, object] = {}
        """The values that were shown or committed last, by the names of the settings."""
        self._is_building = False
        """True while fields are replaced: those that are removed lose the keyboard, and report that
        their editing has finished."""
        connect(self.changed, self._on_changed)

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Ask for these settings, showing ``values``; the keyboard stays in the same field."""
        settings = tuple(settings)
        if settings == self._settings:
            self.show_values(values)
            return
        focused_names = [
            setting.name for setting in self._settings if self.field(setting.name).hasFocus()
        ]
        self._is_building = True
        try:
            super().set_settings(settings, values)
        finally:
            self._is_building = False
        for setting in settings:
            self._set_up_field(setting.name)
            if setting.name in focused_names:
                self.field(setting.name).setFocus()

    def _set_up_field(self, name: str) -> None:
        """Let a new field report only finished values, and a box of choices stay narrow."""
        field = self.field(name)
        if isinstance(field, QLineEdit | LongText):
            connect(field.editingFinished, partial(self._commit, name))
        elif isinstance(field, QAbstractSpinBox):
            field.setKeyboardTracking(False)
        elif isinstance(field, QComboBox):
            field.setSizeAdjustPolicy(NARROW)
            field.setMinimumContentsLength(MIN_LETTERS)

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them.

        What is being typed into a line stays, unless the value has changed that it is to replace.
        """
        typed_setting = self._typed_setting()
        if typed_setting is None or self._has_new_value(typed_setting, values):
            super().show_values(values)
            self._last_values = self.values()
        else:
            name = typed_setting.name
            last_value = self._last_values.get(name)
            super().show_values({**values, name: self._fields[name].value()})
            self._last_values = self.values()
            self._last_values[name] = last_value  # the text is still to be committed
        self._make_room()
        self._show_beginnings()

    def _has_new_value(self, setting: Setting, values: Mapping[str, object]) -> bool:
        """Return whether ``values`` have another text of a setting than the last one."""
        last_value = self._last_values.get(setting.name)
        value = values.get(setting.name, setting.default)
        return (value or None) != (last_value or None)  # "" and None are both an empty line

    def _make_room(self) -> None:
        """Make fields wide enough for their texts; one without room beside its label goes below."""
        for field in self._fields.values():
            if isinstance(field.widget, QLineEdit | QComboBox):
                width = min(readable_width(field.widget), MAX_TEXT)
                field.widget.setMinimumWidth(width)

    def _show_beginnings(self) -> None:
        """Move the cursors of lines to the beginnings of their texts, but where one may type."""
        for field in self._fields.values():
            # Not ``hasFocus``: a window that is not active has a field for the keyboard, too.
            is_typed_in = field.widget.window().focusWidget() is field.widget
            if isinstance(field.widget, QLineEdit) and not is_typed_in:
                field.widget.setCursorPosition(0)

    def _typed_setting(self) -> Setting | None:
        """Return the setting whose text is being typed and was not committed yet, None for none."""
        for setting in self._settings:
            field = self._fields[setting.name]
            is_text = isinstance(field.widget, QLineEdit | LongText)
            is_typed = field.value() != self._last_values.get(setting.name)
            if is_text and is_typed and field.widget.hasFocus():
                return setting
        return None

    def edit(self, name: str) -> None:
        """Give a field the keyboard with its text selected: what is typed takes its place."""
        field = self.field(name)
        field.setFocus()
        if isinstance(field, QLineEdit):
            field.selectAll()

    def _on_changed(self, name: str) -> None:
        """Commit a value that is not a text: it is finished at once."""
        if not isinstance(self.field(name), QLineEdit | LongText):
            self._commit(name)

    def _commit(self, name: str) -> None:
        """Emit that a value is finished, if it is another than the last one."""
        if self._is_building:
            return
        value = self.values().get(name)
        if value != self._last_values.get(name):
            self._last_values[name] = value
            self._forget_typing(name)
            self.committed.emit(name)

    def _forget_typing(self, name: str) -> None:
        """Let a field for text forget what was typed before: that is an undo step of the map now.

        One in which nothing was typed since leaves the keys of Undo to the main window, see
        ``leave_undo_to_desk``.
        """
        field = self.field(name)
        if isinstance(field, QLineEdit):
            cursor_position = field.cursorPosition()
            field.setText(field.text())  # Qt's line then has nothing to undo
            field.setCursorPosition(cursor_position)
        elif isinstance(field, LongText):
            field.document().clearUndoRedoStacks()
            field.document().setModified(False)
