"""Every command of a window, found by walking its menus and panels: nothing is registered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QMainWindow

WHY = "why_disabled"
"""The property of an action that says in words what it waits for while it is disabled."""


@dataclass(frozen=True)
class Command:
    """An action and the menus that lead to it. ``name`` is stable: settings are kept under it."""

    action: QAction
    menus: tuple[str, ...]

    @property
    def name(self) -> str:
        """The action's object name, such as ``file.save``."""
        return self.action.objectName()

    @property
    def path(self) -> str:
        """Where a person finds it, such as ``File > Save``."""
        return " > ".join((*self.menus, plain(self.action.text())))


def plain(text: str) -> str:
    """The text of a menu entry without its marks."""
    return text.replace("&", "").removesuffix("...")


def commands(window: QMainWindow, *, fill: bool = False) -> list[Command]:
    """The commands of a window in the order of its menus, then those that only panels have.

    An action without a name gets one from its place (``view.colours.dark``). With ``fill`` the
    menus that are filled when they open are filled first.
    """
    found: dict[QAction, Command] = {}
    for entry in window.menuBar().actions():
        menu = entry.menu()
        if isinstance(menu, QMenu):
            for command in _walk(menu, (plain(entry.text()),), fill):
                found.setdefault(command.action, command)
    for action in window.findChildren(QAction):
        place, dot, _ = action.objectName().partition(".")
        if dot and action not in found and action.text():
            found[action] = Command(action, (place.capitalize(),))
    return list(found.values())


def _walk(menu: QMenu, menus: tuple[str, ...], fill: bool) -> Iterator[Command]:
    if fill:
        menu.aboutToShow.emit()
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _walk(inner, (*menus, plain(action.text())), fill)
        elif not action.isSeparator() and action.text():
            command = Command(action, menus)
            if not command.name:
                parts = (*menus, plain(action.text()))
                action.setObjectName(".".join("-".join(part.lower().split()) for part in parts))
            yield command


def keys_in_words(action: QAction) -> str:
    """The first shortcut of an action as people write it, "" if it has none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def teach(action: QAction) -> None:
    """The tooltip says what the command is called, its keys, what it does and what it waits for."""
    keys = keys_in_words(action)
    words = plain(action.text()) + (f" ({keys})" if keys else "")
    if action.statusTip():
        words += f". {action.statusTip().removesuffix('.')}"
    why = action.property(WHY)
    if why and not action.isEnabled():
        words += f". {why}"
    action.setToolTip(words)
