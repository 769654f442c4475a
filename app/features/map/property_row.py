"""The row of a property in the panel Map: an editor, and a menu for *none* and *not set*.

A layer that does not *set* a property leaves it to the layers below; one that sets it to *none*
hides what these have. ``PropertiesPanel`` has a ``PropertyRow`` for each property of the system.
"""

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
    """Shows the value of one property, and lets it be changed."""

    def __init__(self, map_property: Property, changed: Changed) -> None:
        super().__init__()
        self.map_property = map_property
        self._changed = changed
        makers_by_kind = {
            PropertyKind.TEXT: self._make_text_editor,
            PropertyKind.FLAG: self._make_flag_editor,
            PropertyKind.NAMES: self._make_names_label,
        }
        make_editor = makers_by_kind[map_property.kind]
        self.editor: QWidget
        """The line, box or label that shows the value."""
        self._show: Callable[[Any], object]
        """Shows a value, or UNSET, in the editor."""
        self.editor, self._show = make_editor()
        described(self.editor, map_property.label, map_property.help)
        self._make_menu_button()
        lay_out(QHBoxLayout(self), (self.editor, 1), self.more, margins=0)

    def _make_menu_button(self) -> None:
        """Make the button with the actions *None* and *Not set*."""
        label = self.map_property.label
        none_value = self.map_property.none
        self.more = tool_button("…", f"{label}: none, or not set", f"{label}: more")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setAutoRaise(True)
        menu = QMenu(self.more)
        menu.setToolTipsVisible(True)
        self.none = QAction("&None", menu)
        self.none.setToolTip("The map has none, whatever the layers below say")
        self.unset = QAction("Not &set", menu)
        self.unset.setToolTip("This layer leaves it to the layers below")
        connect(self.none.triggered, lambda _checked=False: self._changed(none_value))
        connect(self.unset.triggered, lambda _checked=False: self._changed(UNSET))
        menu.addActions([self.none, self.unset])
        self.more.setMenu(menu)

    def show_value(self, properties: Mapping[str, Any], *, owned: bool) -> None:
        """Show the value of the map; ``owned``: it is set by the layer that a change goes to."""
        value = properties.get(self.map_property.name, UNSET)
        self._show(value)
        self.none.setEnabled(value != self.map_property.none)
        self.unset.setEnabled(owned)

    # --- the editor of each kind, with the function that shows a value in it ----------------

    def _make_text_editor(self) -> tuple[QWidget, Callable[[Any], object]]:
        line = QLineEdit()

        def show(value: Any) -> None:
            line.setPlaceholderText("not set" if value is UNSET else "none")
            text = "" if value is UNSET else value
            if line.text() != text:
                line.setText(text)
                line.setCursorPosition(0)  # so that the beginning of a long text is seen

        def finish() -> None:
            # Not if nobody has typed: an empty line would set what is *not set* to an empty text.
            if line.isModified():
                line.setModified(False)
                self._changed(line.text())

        connect(line.editingFinished, finish)
        leave_undo_to_desk(line)
        return line, show

    def _make_flag_editor(self) -> tuple[QWidget, Callable[[Any], object]]:
        box = QCheckBox()

        def show(value: Any) -> None:
            default = self.map_property.default
            if value is UNSET:
                box.setChecked(bool(default))
                default_text = self.map_property.words(default)
                box.setText(f"{self.map_property.label} (by default: {default_text})")
            else:
                box.setChecked(bool(value))
                box.setText(self.map_property.label)

        connect(box.clicked, lambda checked: self._changed(checked))
        return box, show

    def _make_names_label(self) -> tuple[QWidget, Callable[[Any], object]]:
        """Return a label: names of cells are chosen on the map, not typed."""
        label = plain_label(wordWrap=True)

        def show(value: Any) -> None:
            if value in (UNSET, ()):
                label.setText(self.map_property.words(value))
            else:
                label.setText(", ".join(value))

        return label, show
