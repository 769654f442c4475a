"""The row of a property in the panel: an editor by kind, a menu for *none* and *not set*.

A text is set when Enter is pressed or the keyboard goes elsewhere. One that is refused stays in its
line after Enter, to be mended; what the map has comes back when the line is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.number_field import COMES_BACK
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from randomizer.model.system.property import UNSET, Property, PropertyKind

SetValue = Callable[[object], bool]
"""Sets the value that the user chose (UNSET for *not set*); False if it is refused."""


class _TextLine(QLineEdit):
    """A line that tells when the keyboard is with something else, also after Enter."""

    left = Signal()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in COMES_BACK:
            self.left.emit()


class PropertyRow(QWidget):
    """Shows the value of one property; ``set_value`` is called with what the user chose."""

    entered = Signal()
    """Enter has set a text."""

    def __init__(self, map_property: Property, set_value: SetValue) -> None:
        super().__init__()
        self.map_property = map_property
        self._set_value = set_value
        self._value: object = UNSET
        """What the map has."""
        make = {
            PropertyKind.TEXT: self._text,
            PropertyKind.FLAG: self._flag,
            PropertyKind.NAMES: self._names,
        }[map_property.kind]
        self._show: Callable[[Any], object]
        self.editor, self._show = make()
        described(self.editor, map_property.label, map_property.help)
        self.more = tool_button(
            "…", f"{map_property.label}: none, or not set", f"{map_property.label}: more"
        )
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setAutoRaise(True)
        menu = QMenu(self.more)
        menu.setToolTipsVisible(True)
        self.none = QAction(f"&No {map_property.label.lower()}", menu)
        self.none.setToolTip("The map has none, whatever the layers below say")
        self.unset = QAction("As the layers &below say", menu)
        self.unset.setToolTip("This layer says nothing of it; a roll below it may")
        connect(self.none.triggered, lambda _checked=False: set_value(map_property.none))
        connect(self.unset.triggered, lambda _checked=False: set_value(UNSET))
        menu.addActions([self.none, self.unset])
        self.more.setMenu(menu)
        lay_out(QHBoxLayout(self), (self.editor, 1), self.more, margins=0)

    def show_value(self, properties: Mapping[str, Any], *, owned: bool) -> None:
        """Show the value of the map; ``owned``: the layer that a change goes to sets it."""
        value = properties.get(self.map_property.name, UNSET)
        self._value = value
        self._show(value)
        self.none.setEnabled(value != self.map_property.none)
        self.unset.setEnabled(owned)

    # --- one editor a kind ------------------------------------------------------------------

    def _text(self) -> tuple[QWidget, Callable[[Any], object]]:
        line = _TextLine()

        def show(value: Any) -> None:
            line.setPlaceholderText("not set" if value is UNSET else "none")
            text = "" if value is UNSET else value
            if line.text() != text:
                line.setText(text)
                line.setCursorPosition(0)  # of a long text the beginning is shown

        def set_text() -> bool:
            # An empty line that nobody has typed in stays *not set*.
            if not line.isModified():
                return True
            line.setModified(False)
            return self._set_value(line.text())

        def enter() -> None:
            if set_text():
                self.entered.emit()
            else:
                line.selectAll()

        connect(line.returnPressed, enter)
        connect(line.editingFinished, set_text)
        connect(line.left, lambda: show(self._value))
        leave_undo_to_desk(line)
        return line, show

    def _flag(self) -> tuple[QWidget, Callable[[Any], object]]:
        box = QCheckBox()

        def show(value: Any) -> None:
            box.setChecked(bool(self.map_property.default if value is UNSET else value))
            usual = self.map_property.words(self.map_property.default)
            text = f" (by default: {usual})" if value is UNSET else ""
            box.setText(f"{self.map_property.label}{text}")

        connect(box.clicked, lambda checked: self._set_value(checked))
        return box, show

    def _names(self) -> tuple[QWidget, Callable[[Any], object]]:
        label = plain_label(wordWrap=True)

        def show(value: Any) -> None:
            label.setText(
                self.map_property.words(value) if value in (UNSET, ()) else ", ".join(value)
            )

        return label, show
