"""The keys of commands: their defaults, and what the user made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app.commands.commands import Command, commands, teach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QMainWindow

    from app.settings import Settings

Keys = tuple[QKeySequence, ...]

PORTABLE = QKeySequence.SequenceFormat.PortableText

MAP_KEYS = (
    *("Space", "Esc", "Return", "Enter", "Left", "Right", "Up", "Down", "Tab", "Backtab"),
    *("Home", "End", "PgUp", "PgDown", ".", ",", "<", ">"),
)
"""The map and the fields have these themselves: no command may take them."""


class Shortcuts(QObject):
    """Gives the commands of a window the user's keys; only what differs is stored.

    ``changed()``: a command has other keys now.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._settings = settings
        stored = settings.shortcuts
        self.commands = {command.name: command for command in commands(window)}
        self._defaults: dict[str, Keys] = {}
        for name, command in self.commands.items():
            self._defaults[name] = tuple(command.action.shortcuts())
            if name in stored:
                command.action.setShortcuts(QKeySequence.listFromString(stored[name], PORTABLE))
            teach(command.action)
            command.action.changed.connect(self._teach_sender)

    def _teach_sender(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        teach(action)

    def keys(self, name: str) -> Keys:
        """The keys of a command now. Raises KeyError for an unknown one."""
        return tuple(self.commands[name].action.shortcuts())

    def default(self, name: str) -> Keys:
        """The keys that a command comes with. Raises KeyError for an unknown one."""
        return self._defaults[name]

    def owners(self, keys: Iterable[QKeySequence], name: str) -> list[Command]:
        """The commands besides ``name`` that one of these keys would set off, or begin to."""
        wanted = [key for key in keys if not key.isEmpty()]
        return [
            command
            for other, command in self.commands.items()
            if other != name
            and any(_meet(key, its) for key in wanted for its in command.action.shortcuts())
        ]

    def conflict(self, keys: Iterable[QKeySequence], name: str) -> str:
        """Why a command cannot simply have these keys, in words; "" if it can."""
        keys = tuple(keys)
        for key in keys:
            if key.toString(PORTABLE) in MAP_KEYS:
                return f"{_shown(key)} is a key of the map itself and cannot be given away."
        owners = " and ".join(command.path for command in self.owners(keys, name))
        shown = ", ".join(_shown(key) for key in keys)
        return f"{shown} belongs to {owners}." if owners else ""

    def give(self, name: str, keys: Iterable[QKeySequence]) -> None:
        """Let a command have these keys; other commands lose them.

        Raises ValueError for a key of the map itself.
        """
        keys = tuple(key for key in keys if not key.isEmpty())
        if any(key.toString(PORTABLE) in MAP_KEYS for key in keys):
            raise ValueError(self.conflict(keys, name))
        for other in self.owners(keys, name):
            left = [
                its for its in other.action.shortcuts() if not any(_meet(key, its) for key in keys)
            ]
            other.action.setShortcuts(left)
        self.commands[name].action.setShortcuts(keys)
        self._store()

    def reset(self, name: str) -> None:
        """Give a command its default keys back."""
        self.give(name, self._defaults[name])

    def reset_all(self) -> None:
        """Give every command its default keys back."""
        self.restore(self._defaults)

    def all_keys(self) -> dict[str, Keys]:
        """The keys of every command, for ``restore``."""
        return {name: self.keys(name) for name in self.commands}

    def restore(self, keys: dict[str, Keys]) -> None:
        """Bring back what ``all_keys`` said."""
        for name, its in keys.items():
            self.commands[name].action.setShortcuts(its)
        self._store()

    def _store(self) -> None:
        self._settings.shortcuts = {
            name: QKeySequence.listToString(self.keys(name), PORTABLE)
            for name, default in self._defaults.items()
            if self.keys(name) != default
        }
        self.changed.emit()


def _meet(one: QKeySequence, other: QKeySequence) -> bool:
    """Whether both are the same keys, or one begins with the other."""
    none = QKeySequence.SequenceMatch.NoMatch
    return one.matches(other) != none or other.matches(one) != none


def _shown(key: QKeySequence) -> str:
    return key.toString(QKeySequence.SequenceFormat.NativeText)
