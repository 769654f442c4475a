"""The row of a property in the panel Map: an editor, and a menu for *none* and *not set*.

A layer that does not *set* a property leaves it to the layers below; one that sets it to *none*
hides what these have. ``PropertiesPanel`` has a ``PropertyRow`` for each property of the system.

A text is set when Enter is pressed or the keyboard goes elsewhere. One that is refused stays in its
line after Enter, to be mended; what the map has comes back when the line is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.number_limits import TEMPORARY_REASONS
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from randomizer.model.system.property import UNSET, Property, PropertyKind

SetValue = Callable[[object], bool]
"""Sets the value that the user chose (UNSET for *not set*); False if it is refused."""


class _TextLine(QLineEdit):
    """A line that tells when the keyboard goes elsewhere, also after Enter."""

    left = Signal()
    """The keyboard has gone to another widget of the window."""

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Emit ``left``, unless a menu or another window has the keyboard for a while."""
        super().focusOutEvent(event)
        if event.reason() not in TEMPORARY_REASONS:
            self.left.emit()


class PropertyRow(QWidget):
    """Shows the value of one property, and lets it be changed."""

    entered = Signal()
    """Enter has set a text."""

    def __init__(self, map_property: Property, set_value: SetValue) -> None:
        super().__init__()
        self.map_property = map_property
        self._set_value = set_value
        self._value: Any = UNSET
        """The value of the map. The row shows it, but for a text that is being typed."""
        self.editor = self._make_editor()
        """A line for a text, a box for a flag, or a label for names of cells."""
        described(self.editor, map_property.label, map_property.help)
        self._make_menu_button()
        lay_out(QHBoxLayout(self), (self.editor, 1), self.menu_button, margins=0)

    # --- construction -----------------------------------------------------------------------

    def _make_editor(self) -> QWidget:
        """Return the widget that shows the value, by the kind of the property."""
        if self.map_property.kind is PropertyKind.TEXT:
            line = _TextLine()
            connect(line.returnPressed, self._enter_text)
            connect(line.editingFinished, self._set_text)
            connect(line.left, lambda: self._show_text(line, self._value))
            leave_undo_to_desk(line)
            return line
        if self.map_property.kind is PropertyKind.FLAG:
            box = QCheckBox()
            connect(box.clicked, self._set_flag)
            return box
        return plain_label(wordWrap=True)  # names of cells are chosen on the map, not typed

    def _make_menu_button(self) -> None:
        """Make the button with the actions for *none* and *not set*."""
        label = self.map_property.label
        none_value = self.map_property.none
        tip = f"No {label.lower()}, or leave it to the layers below"
        self.menu_button = tool_button("", tip, f"{label}: menu")
        self.menu_button.setArrowType(Qt.ArrowType.DownArrow)
        # The arrow is sign enough: the smaller one of menus is left out.
        self.menu_button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.menu_button)
        menu.setToolTipsVisible(True)
        self.none_action = QAction(f"&No {label.lower()}", menu)
        self.none_action.setToolTip("The map has none, whatever the layers below say")
        self.unset_action = QAction("Leave it to the layers &below", menu)
        self.unset_action.setToolTip("The map has what a roll or another layer below sets, if any")
        connect(self.none_action.triggered, lambda _checked=False: self._set_value(none_value))
        connect(self.unset_action.triggered, lambda _checked=False: self._set_value(UNSET))
        menu.addActions([self.none_action, self.unset_action])
        self.menu_button.setMenu(menu)

    # --- showing ----------------------------------------------------------------------------

    def show_value(self, properties: Mapping[str, Any], *, is_set_here: bool) -> None:
        """Show the value of the map.

        ``is_set_here`` is True if it is set by the layer that a change goes to.
        """
        value = properties.get(self.map_property.name, UNSET)
        is_same_value = value == self._value
        self._value = value
        if isinstance(self.editor, QLineEdit):
            # An edit of something else leaves the text alone that is being typed.
            if not (is_same_value and self.editor.isModified()):
                self._show_text(self.editor, value)
        elif isinstance(self.editor, QCheckBox):
            self._show_flag(self.editor, value)
        elif isinstance(self.editor, QLabel):
            self._show_names(self.editor, value)
        self.none_action.setEnabled(value != self.map_property.none)
        self.unset_action.setEnabled(is_set_here)

    def forget_typed(self) -> None:
        """Drop what is typed in the line and is not set yet, at the next ``show_value``."""
        if isinstance(self.editor, QLineEdit):
            self.editor.setModified(False)

    def _show_text(self, line: QLineEdit, value: Any) -> None:
        """Show a text; the empty line tells whether it is not set, or set to none."""
        if value is UNSET:
            text = ""
            line.setPlaceholderText("not set")
        else:
            text = value
            line.setPlaceholderText("none")
        if line.text() != text:
            line.setText(text)
            line.setCursorPosition(0)  # so that the beginning of a long text is seen

    def _show_flag(self, box: QCheckBox, value: Any) -> None:
        """Show a flag; one that is not set shows its default, and tells so."""
        default = self.map_property.default
        if value is UNSET:
            box.setChecked(bool(default))
            default_text = self.map_property.words(default)
            box.setText(f"{self.map_property.label} (by default: {default_text})")
        else:
            box.setChecked(bool(value))
            box.setText(self.map_property.label)

    def _show_names(self, label: QLabel, value: Any) -> None:
        """Show names of cells; the property has a text of its own for none and for not set."""
        if value in (UNSET, ()):
            label.setText(self.map_property.words(value))
        else:
            label.setText(", ".join(value))

    # --- changing ---------------------------------------------------------------------------

    def _set_flag(self, is_checked: bool) -> None:
        """Set the flag as its box was ticked; if that is refused the box goes back."""
        box = self.editor
        assert isinstance(box, QCheckBox), "only boxes are connected to this"
        if not self._set_value(is_checked):
            self._show_flag(box, self._value)

    def _set_text(self) -> bool:
        """Set the text of the line, if somebody has typed in it.

        Returns False if it is refused, True if it was set or nothing was typed.
        An untouched empty line would set what is *not set* to an empty text.
        """
        line = self.editor
        assert isinstance(line, QLineEdit), "only lines are connected to this"
        if not line.isModified():
            return True
        line.setModified(False)
        return self._set_value(line.text())

    def _enter_text(self) -> None:
        """Set the text after Enter; one that is refused is selected, so that it can be mended."""
        if self._set_text():
            self.entered.emit()
        else:
            assert isinstance(self.editor, QLineEdit), "only lines are connected to this"
            self.editor.selectAll()
