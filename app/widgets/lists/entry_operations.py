"""What can be done with the entries of an ``EntryEditor``: its buttons, and the keys for them.

    editor.offer(
        adding("Add a road", add),
        removing("Remove the road", remove),
        Operation("Up", "Move the road up", move_up, why_not=why_not_up),
    )

The functions of an operation get the *code* of the chosen entry, by which the editor knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu


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
