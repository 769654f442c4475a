"""The row of a property in the panel: an editor by kind, a menu for *none* and *not set*."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from app.qt_guard import connect
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from randomizer.model.system.property import UNSET, Property, PropertyKind

Changed = Callable[[object], object]
"""Called with the value that the user chose, UNSET for *not set*."""


class PropertyRow(QWidget):
    """Shows the value of one property; ``changed`` is called with a value that the user chose."""

    def __init__(self, map_property: Property, changed: Changed) -> None:
        super().__init__()
        self.map_property = map_property
        self._changed = changed
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
        self.none = QAction("&None", menu)
        self.none.setToolTip("The map has none, whatever the layers below say")
        self.unset = QAction("Not &set", menu)
        self.unset.setToolTip("This layer leaves it to the layers below")
        connect(self.none.triggered, lambda _checked=False: changed(map_property.none))
        connect(self.unset.triggered, lambda _checked=False: changed(UNSET))
        menu.addActions([self.none, self.unset])
        self.more.setMenu(menu)
        lay_out(QHBoxLayout(self), (self.editor, 1), self.more, margins=0)

    def show_value(self, properties: Mapping[str, Any], *, owned: bool) -> None:
        """Show the value of the map; ``owned``: the layer that a change goes to sets it."""
        value = properties.get(self.map_property.name, UNSET)
        self._show(value)
        self.none.setEnabled(value != self.map_property.none)
        self.unset.setEnabled(owned)

    # --- one editor a kind ------------------------------------------------------------------

    def _text(self) -> tuple[QWidget, Callable[[Any], object]]:
        line = QLineEdit()

        def show(value: Any) -> None:
            line.setPlaceholderText("not set" if value is UNSET else "none")
            text = "" if value is UNSET else value
            if line.text() != text:
                line.setText(text)
                line.setCursorPosition(0)  # of a long text the beginning is shown

        def finish() -> None:
            # An empty line that nobody has typed in stays *not set*.
            if line.isModified():
                line.setModified(False)
                self._changed(line.text())

        connect(line.editingFinished, finish)
        leave_undo_to_desk(line)
        return line, show

    def _flag(self) -> tuple[QWidget, Callable[[Any], object]]:
        box = QCheckBox()

        def show(value: Any) -> None:
            box.setChecked(bool(self.map_property.default if value is UNSET else value))
            usual = self.map_property.words(self.map_property.default)
            text = f" (by default: {usual})" if value is UNSET else ""
            box.setText(f"{self.map_property.label}{text}")

        connect(box.clicked, lambda checked: self._changed(checked))
        return box, show

    def _names(self) -> tuple[QWidget, Callable[[Any], object]]:
        label = plain_label(wordWrap=True)

        def show(value: Any) -> None:
            label.setText(
                self.map_property.words(value) if value in (UNSET, ()) else ", ".join(value)
            )

        return label, show
