"""What can be done with the entries of an ``EntryEditor``: its buttons, and the keys for them.

    editor.offer(
        adding("Add a road", add),
        removing("Remove the road", remove),
        Operation("Up", "Move the road up", move_up, why_not=why_not_up),
    )

The functions of an operation get the *code* of the chosen entry, by which the editor knows it.
``OperationButtons`` are the buttons of one editor.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton

from app.qt_guard import connect
from app.widgets.layout.builders import plain_text, tool_button
from app.widgets.layout.wrapping_row import WrappingRow


def _needs_entry(code: Hashable) -> str:
    """Return why an operation on the chosen entry cannot be done: none is chosen; "" if one is."""
    if code is None:
        return "Nothing is chosen in the list."
    return ""


def _always_possible() -> str:
    """Return "": nothing stands against adding an entry."""
    return ""


class Operation(NamedTuple):
    """A button of an editor, and what it does with the chosen entry."""

    text: str
    """The text of the button."""

    tip: str
    """The tooltip of the button while it can be pressed."""

    do: Callable[[Any], object] | None = None
    """Gets the code of the chosen entry, None if none is chosen. None for a button with a menu."""

    why_not: Callable[[Any], str] = _needs_entry
    """Gets the same, and returns why that cannot be done now, "" if it can."""

    key: QKeySequence.StandardKey | Qt.Key | None = None
    """The key that does the same while the list has the keyboard."""

    adds: bool = False
    """True for an operation that adds an entry: then the keyboard goes to its first field."""

    of_form: bool = False
    """True to put the button below the form, where it is hidden while it can do nothing."""

    fill_menu: Callable[[QMenu], object] | None = None
    """Makes the button one that opens a menu; called with the menu each time before it opens."""

    def is_key(self, event: QKeyEvent) -> bool:
        """Return whether an event is that of ``key``."""
        if self.key is None:
            return False
        if isinstance(self.key, QKeySequence.StandardKey):
            return event.matches(self.key)
        has_modifiers = bool(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
        return event.key() == self.key and not has_modifiers


def adding(
    tip: str, add: Callable[[], object], why_not: Callable[[], str] = _always_possible
) -> Operation:
    """Return the operation that adds an entry; its key is Insert.

    ``why_not`` returns why none can be added now, "" if one can.
    """
    return Operation(
        "Add",
        tip,
        # Which entry is chosen makes no difference to a new one.
        do=lambda _code: add(),
        why_not=lambda _code: why_not(),
        key=Qt.Key.Key_Insert,
        adds=True,
    )


def removing(
    tip: str, remove: Callable[[Any], object], why_not: Callable[[Any], str] = _needs_entry
) -> Operation:
    """Return the operation that removes the chosen entry; its key is Delete."""
    return Operation("Remove", tip, remove, why_not, QKeySequence.StandardKey.Delete)


class OperationButtons:
    """The buttons of an editor's operations, in two rows, and the keys for them.

    ``operate`` is called with the operation whose button was pressed.
    """

    def __init__(self, operate: Callable[[Operation], object]) -> None:
        self.of_list = WrappingRow()
        """The buttons of operations on the list."""
        self.of_form = WrappingRow()
        """Those of operations on the entry of the form (``Operation.of_form``)."""
        self.buttons: dict[str, QToolButton] = {}
        """The button of each operation, by its text."""
        self._operations: list[tuple[Operation, QToolButton]] = []
        self._operate = operate

    def add(self, operation: Operation) -> None:
        """Add an operation, with its button behind the others of its row."""
        button = tool_button(operation.text, operation.tip)
        button.setAutoRaise(not operation.of_form)
        if operation.fill_menu is not None:
            menu = QMenu(button)
            connect(menu.aboutToShow, partial(operation.fill_menu, menu))
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        else:
            connect(button.clicked, partial(self._operate, operation))
        row = self.of_list
        if operation.of_form:
            row = self.of_form
        row.addWidget(button)
        self._operations.append((operation, button))
        self.buttons[operation.text] = button

    def show(self, code: Hashable) -> None:
        """Show which operations can be done with the chosen entry, by its code; None for none."""
        for operation, button in self._operations:
            why = operation.why_not(code)
            if operation.of_form:
                button.setVisible(not why)
            else:
                button.setEnabled(not why)
                button.setToolTip(plain_text(why or operation.tip))

    def operation_for(self, event: QKeyEvent) -> Operation | None:
        """Return the operation whose key was pressed, None for none."""
        for operation, _button in self._operations:
            if operation.is_key(event):
                return operation
        return None
