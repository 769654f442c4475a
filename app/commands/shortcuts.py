"""The keys of commands: those that they come with, and those that the user gave them.

The desk has one ``Shortcuts``; the dialog of keys changes them by ``set_keys`` and ``reset``. A
command is known by its id, such as ``view.grid``. A *menu entry* is the id of one command, or a
pattern such as ``view.*`` for several, see ``layout.py``.
"""

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

KeySequences = tuple[QKeySequence, ...]
"""The keys of one command; () for none."""

PORTABLE = QKeySequence.SequenceFormat.PortableText
"""The format in which keys are stored: the same on all systems and in all languages."""

# fmt: off
MAP_KEYS = (
    "Space", "Esc", "Return", "Enter", "Left", "Right", "Up", "Down", "Tab", "Backtab",
    "Home", "End", "PgUp", "PgDown", ".", ",", "<", ">",
)
# fmt: on
"""The keys that the map and fields use themselves, as portable text: no command may have them."""


class Shortcuts(QObject):
    """Gives the commands the user's keys, and stores those that differ from the defaults.

    Commands come and go with the current map: what is stored for one that is gone stays stored.
    """

    changed = Signal()
    """A command has other keys now."""

    def __init__(self, commands: Commands, settings: Settings) -> None:
        super().__init__(commands)
        self.commands = commands
        self._settings = settings
        self._stored = settings.shortcuts
        """The keys that the user gave, as text, by the ids of commands."""
        self._defaults: dict[str, KeySequences] = {}
        """The keys that the present commands came with, by their ids."""
        self._actions_at: defaultdict[str, dict[str, QAction]] = defaultdict(dict)
        """The actions that have got their keys, by menu entry and id."""
        connect(commands.added, self._on_added)
        self._on_added(entries())

    def _on_added(self, changed_entries: Iterable[str]) -> None:
        """Give keys to the new commands of these menu entries, and forget those that are gone.

        Commands that come from a source when their menu opens can have no keys.
        """
        for entry in changed_entries:
            if self.commands.has_source(entry):
                continue
            previous_actions = self._actions_at[entry]
            actions = {name: self.commands.action(name) for name in self.commands.ids_at(entry)}
            self._actions_at[entry] = actions
            for name in previous_actions:
                if name not in actions:
                    del self._defaults[name]
            for name, action in actions.items():
                if previous_actions.get(name) is not action:
                    self._register_action(name, action)

    def _register_action(self, name: str, action: QAction) -> None:
        """Note the default keys of a new command, and give it those that the user chose.

        Of its default keys it gets none that the user gave to another command meanwhile.
        """
        default_keys = tuple(action.shortcuts())
        self._defaults[name] = default_keys
        if name in self._stored:
            action.setShortcuts(QKeySequence.listFromString(self._stored[name], PORTABLE))
            return
        taken_keys = []
        for stored_text in self._stored.values():
            taken_keys += QKeySequence.listFromString(stored_text, PORTABLE)
        free_keys = [key for key in default_keys if not _collides(key, taken_keys)]
        if len(free_keys) < len(default_keys):
            action.setShortcuts(free_keys)

    def keys(self, name: str) -> KeySequences:
        """Return the keys that a command has now. Raises KeyError for an unknown one."""
        return tuple(self.commands.action(name).shortcuts())

    def default_keys(self, name: str) -> KeySequences:
        """Return the keys that a command comes with. Raises KeyError for an unknown one."""
        return self._defaults[name]

    def owners(self, keys: Iterable[QKeySequence], name: str) -> list[str]:
        """Return the ids of the commands other than ``name`` that have one of these keys.

        A key of several strokes, such as Ctrl+K, G, also belongs to the command that has its first
        strokes alone, and the other way round.
        """
        new_keys = [key for key in keys if not key.isEmpty()]
        owners = []
        for owner in self.commands.ids():
            if owner != name and any(_collides(key, new_keys) for key in self.keys(owner)):
                owners.append(owner)
        return owners

    def conflict(self, keys: Iterable[QKeySequence], name: str) -> str:
        """Return why the keys are not free for a command, as text; "" if they are."""
        new_keys = tuple(keys)
        for key in new_keys:
            if key.toString(PORTABLE) in MAP_KEYS:
                return f"{_key_text(key)} is a key of the map itself and cannot be given away."
        owners = " and ".join(self.commands.path(owner) for owner in self.owners(new_keys, name))
        key_names = ", ".join(_key_text(key) for key in new_keys)
        if owners:
            return f"{key_names} belongs to {owners}."
        return ""

    def set_keys(self, name: str, keys: Iterable[QKeySequence]) -> None:
        """Give a command these keys, in place of those it has; other commands lose them.

        Raises ValueError for a key of the map itself.
        """
        new_keys = tuple(key for key in keys if not key.isEmpty())
        if any(key.toString(PORTABLE) in MAP_KEYS for key in new_keys):
            raise ValueError(self.conflict(new_keys, name))
        for owner in self.owners(new_keys, name):
            remaining_keys = [key for key in self.keys(owner) if not _collides(key, new_keys)]
            self.commands.action(owner).setShortcuts(remaining_keys)
        self.commands.action(name).setShortcuts(new_keys)
        self._store()

    def reset(self, name: str) -> None:
        """Give a command its default keys back."""
        self.set_keys(name, self._defaults[name])

    def reset_all(self) -> None:
        """Give every command its default keys back, except those that are not there at present."""
        self.restore(self._defaults)

    def all_keys(self) -> dict[str, KeySequences]:
        """Return the keys of every command, for ``restore``."""
        return {name: self.keys(name) for name in self._defaults}

    def restore(self, keys: dict[str, KeySequences]) -> None:
        """Give the commands the keys that ``all_keys`` has returned, as far as they are there."""
        for name, command_keys in keys.items():
            if name in self._defaults:
                self.commands.action(name).setShortcuts(command_keys)
        self._store()

    def _store(self) -> None:
        """Store the keys that differ from the defaults, and tell that keys have changed."""
        stored = {}
        for name, text in self._stored.items():
            if name not in self._defaults:  # the command is not there at the moment
                stored[name] = text
        for name, default in self._defaults.items():
            if self.keys(name) != default:
                stored[name] = QKeySequence.listToString(self.keys(name), PORTABLE)
        self._stored = stored
        self._settings.shortcuts = self._stored
        self.changed.emit()


def _collides(key: QKeySequence, other_keys: Iterable[QKeySequence]) -> bool:
    """Return whether a key cannot be used beside others: it is one of them, or one begins another.

    Ctrl+K collides with Ctrl+K, G: Qt would wait for the second stroke.
    """
    no_match = QKeySequence.SequenceMatch.NoMatch
    for other_key in other_keys:
        if key.matches(other_key) != no_match or other_key.matches(key) != no_match:
            return True
    return False


def _key_text(key: QKeySequence) -> str:
    """Return a key as people on this system write it."""
    return key.toString(QKeySequence.SequenceFormat.NativeText)
