"""The keys of commands: their defaults, and what the user made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app.commands.layout import entries
from app.qt_guard import connect
from app.settings import Settings

if TYPE_CHECKING:
    from app.commands.commands import Commands

Keys = tuple[QKeySequence, ...]

PORTABLE = QKeySequence.SequenceFormat.PortableText

MAP_KEYS = (
    *("Space", "Esc", "Return", "Enter", "Left", "Right", "Up", "Down", "Tab", "Backtab"),
    *("Home", "End", "PgUp", "PgDown", ".", ",", "<", ">"),
)
"""The map and the fields have these themselves: no command may take them."""


class Shortcuts(QObject):
    """Gives the commands the user's keys; only what differs from their own is stored.

    Commands come and go with the current map: the keys of one that is not there are kept.

    ``changed()``: a command has other keys now.
    """

    changed = Signal()

    def __init__(self, commands: Commands, settings: Settings) -> None:
        super().__init__(commands)
        self.commands = commands
        self._settings = settings
        self._stored = settings.shortcuts
        self._defaults: dict[str, Keys] = {}
        self._actions_at: defaultdict[str, dict[str, QAction]] = defaultdict(dict)
        """The actions that have got their keys, by place and id."""
        connect(commands.added, self._on_added)
        self._on_added(entries())

    def _on_added(self, places: Iterable[str]) -> None:
        """Give keys to the commands that are new at these places, and forget those that are gone.

        Commands that are found when their menu opens can have no keys.
        """
        for place in places:
            if self.commands.has_source(place):
                continue
            previous_actions = self._actions_at[place]
            actions = {name: self.commands.action(name) for name in self.commands.at(place)}
            self._actions_at[place] = actions
            for name in previous_actions:
                if name not in actions:
                    del self._defaults[name]
            for name, action in actions.items():
                if previous_actions.get(name) is not action:
                    self._defaults[name] = tuple(action.shortcuts())
                    if name in self._stored:
                        keys = QKeySequence.listFromString(self._stored[name], PORTABLE)
                        action.setShortcuts(keys)

    def keys(self, name: str) -> Keys:
        """Return the keys of a command now. Raises KeyError for an unknown one."""
        return tuple(self.commands.action(name).shortcuts())

    def default(self, name: str) -> Keys:
        """Return the keys that a command comes with. Raises KeyError for an unknown one."""
        return self._defaults[name]

    def owners(self, keys: Iterable[QKeySequence], name: str) -> list[str]:
        """Return commands besides ``name`` that one of these keys would set off, or begin to."""
        given_keys = [key for key in keys if not key.isEmpty()]
        return [
            owner
            for owner in self.commands.ids()
            if owner != name
            and any(_meet(key, its) for key in given_keys for its in self.keys(owner))
        ]

    def conflict(self, keys: Iterable[QKeySequence], name: str) -> str:
        """Return why a command cannot simply have these keys, in words; "" if it can."""
        keys = tuple(keys)
        for key in keys:
            if key.toString(PORTABLE) in MAP_KEYS:
                return f"{_shown(key)} is a key of the map itself and cannot be given away."
        owners = " and ".join(self.commands.path(owner) for owner in self.owners(keys, name))
        key_names = ", ".join(_shown(key) for key in keys)
        if owners:
            return f"{key_names} belongs to {owners}."
        return ""

    def give(self, name: str, keys: Iterable[QKeySequence]) -> None:
        """Let a command have these keys; other commands lose them.

        Raises ValueError for a key of the map itself.
        """
        keys = tuple(key for key in keys if not key.isEmpty())
        if any(key.toString(PORTABLE) in MAP_KEYS for key in keys):
            raise ValueError(self.conflict(keys, name))
        for other_owner in self.owners(keys, name):
            left = [
                its for its in self.keys(other_owner) if not any(_meet(key, its) for key in keys)
            ]
            self.commands.action(other_owner).setShortcuts(left)
        self.commands.action(name).setShortcuts(keys)
        self._store()

    def reset(self, name: str) -> None:
        """Give a command its default keys back."""
        self.give(name, self._defaults[name])

    def reset_all(self) -> None:
        """Give every command its default keys back."""
        self.restore(self._defaults)

    def all_keys(self) -> dict[str, Keys]:
        """Return the keys of every command, for ``restore``."""
        return {name: self.keys(name) for name in self._defaults}

    def restore(self, keys: dict[str, Keys]) -> None:
        """Bring back what ``all_keys`` said."""
        for name, its in keys.items():
            if name not in self._defaults:
                continue
            self.commands.action(name).setShortcuts(its)
        self._store()

    def _store(self) -> None:
        absent = {name: its for name, its in self._stored.items() if name not in self._defaults}
        self._stored = absent | {
            name: QKeySequence.listToString(self.keys(name), PORTABLE)
            for name, default in self._defaults.items()
            if self.keys(name) != default
        }
        self._settings.shortcuts = self._stored
        self.changed.emit()


def _meet(first: QKeySequence, second: QKeySequence) -> bool:
    """Return whether both are the same keys, or one begins with the other."""
    none = QKeySequence.SequenceMatch.NoMatch
    return first.matches(second) != none or second.matches(first) != none


def _shown(key: QKeySequence) -> str:
    return key.toString(QKeySequence.SequenceFormat.NativeText)
