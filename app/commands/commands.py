"""The table of commands: what the desk can do, each with its id, text, keys, icon and tip.

Features describe their commands as rows (``Command``) and add them; ``Commands`` makes a
``QAction`` of each, which menus, tool bars, keys and the list of commands share::

    desk.commands.add([Command("view.fit-map", "&Fit map", canvas.fit, tip="...", keys="Ctrl+0")])

The first part of an id says in which menu the command stands (``layout.py``, which also tells what
a *menu entry* is).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.commands.layout import entries, entry_of, path_of
from app.commands.word_match import match_score
from app.qt_guard import connect
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.layout.builders import plain_text
from randomizer.model.edits.edit import Region
from randomizer.model.grid.cell_words import cell_text

if TYPE_CHECKING:
    from app.document.document import MapDocument

Keys = QKeySequence.StandardKey | str | Sequence[QKeySequence]
"""The keys of a command: a usual one of the system, such as ``"Ctrl+T"``, or several."""

WHY = "why_disabled"
"""The property of an action that holds the reason why it is disabled; "" for none."""


class Change(Flag):
    """A kind of change, after which the commands that follow it may be disabled or ticked."""

    MAP = auto()
    """Another map is current; or it has another grid, terrain set or records."""
    LAYERS = auto()
    """The list of layers, a property of one, or which one is active; each roll changes these."""
    SELECTION = auto()
    """Other cells are selected."""
    DESK = auto()
    """The desk uses or shows something else: a tool, overlays, panels, problems, games."""
    ANYTHING = MAP | LAYERS | SELECTION | DESK


@dataclass(frozen=True)
class Command:
    """One row of the table. ``text``, ``tip`` and ``text_now`` are templates for ``cell_text``.

    Its fields are texts and looks (``text``, ``tip``, ``keys``, ``icon`` ...), what it does
    (``do``, ``leads_to``), and questions to its owner, asked again after each change that it
    ``follows`` (``why_not``, ``checked``, ``offered``, ``text_now``). Elsewhere ``name`` is its
    ``id``.
    """

    id: str
    """It never changes: the keys that a user chose are stored under it, and ``layout.py`` says by
    it where the command stands."""
    text: str
    """The text in menus, with an access key; of an ``action`` that somebody else made its name in
    lists of commands, "" if that is the action's own text."""
    do: Callable[[], object] | None = None
    """Does what it is for; it may be a coroutine function. None only beside an ``action``."""
    tip: str = ""
    """A text on what it does, for status bar and tooltip."""
    keys: Keys = ""
    """The keys that it comes with; the user can change them."""
    icon: str = ""
    """The name of its icon, "" for none."""
    why_not: Callable[[], str] | None = None
    """Returns the reason why the command cannot be used now, "" if it can."""
    checked: Callable[[], bool] | None = None
    """Returns whether it is ticked; None if it never is."""
    group: str = ""
    """Of the commands with one group exactly one is ticked."""
    offered: Callable[[], bool] | None = None
    """Returns whether the current map has what the command is for: else it is hidden."""
    button_text: str = ""
    """The text on a tool bar, "" for that of menus."""
    words: str = ""
    """Words by which a person would look for it and that its text lacks, with blanks between
    them: "pdf svg" for *Export picture*."""
    follows: Change = Change.ANYTHING
    """The changes after which ``why_not``, ``checked`` and ``offered`` are asked again."""
    text_now: Callable[[], str] | None = None
    """Returns the text on the current map, where that depends on it."""
    role: QAction.MenuRole = QAction.MenuRole.TextHeuristicRole
    """Its role on macOS, where Quit and About stand in the menu of the program."""
    leads_to: Callable[[], object] | None = None
    """Called by *Find a command* instead of ``do``; None if ``do`` is right there, too. ``do`` of a
    panel's command may close the panel, which is not what a person wants who looks for it."""
    action: QAction | None = None
    """An action that somebody else made (Undo): it keeps its own state, its text, and without a
    ``tip`` here its status tip."""


class Commands(QObject):
    """The commands of a desk by their ids, each with its action.

    After every change that a command follows, and by ``refresh``, its row is asked again whether it
    can be used and is ticked.
    """

    added = Signal(object)
    """Commands of these menu entries have come or gone; a set of str."""

    def __init__(
        self,
        frame: QWidget,
        document: MapDocument,
        add_icon: Callable[[QAction, str], object],
    ) -> None:
        """Make an empty table for the window ``frame``.

        ``add_icon`` draws the icon with a name for an action, now and in each later theme.
        """
        super().__init__(frame)
        self._add_icon = add_icon
        self._rows: dict[str, Command] = {}
        """The rows by their ids."""
        self._ids_at: defaultdict[str, list[str]] = defaultdict(list)
        """The ids by their menu entries, see ``entry_of``."""
        self._actions: dict[str, QAction] = {}
        """The actions by the ids of their rows."""
        self._groups: dict[str, QActionGroup] = {}
        """The groups by their names."""
        self._sources: dict[str, Callable[[], Iterable[Command]]] = {}
        """The functions that return the rows of an entry, see ``add_source``."""
        self._stateful: list[str] = []
        """The ids of the rows that can be disabled, ticked or hidden."""
        self._changed_entries: set[str] = set()
        """Menu entries whose commands have come or gone since ``added`` was last emitted."""
        self.further_keys: list[tuple[str, str]] = []
        """Keys that no command has, each with what it does, for the table of mouse and keys."""
        self._layout = document.battlemap.grid.layout
        """The layout whose words for cells the texts have."""
        self._document = document
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._on_map)
        connect(document.map_shown, self._on_map_shown)
        connect(document.active_layer_changed, self._on_active_layer)
        connect(document.selection_changed, self._on_selection)

    # --- the rows ---------------------------------------------------------------------------

    def add(self, rows: Iterable[Command]) -> None:
        """Add rows. Raises ValueError for an id that is there already or stands in no menu."""
        old_count = len(self._stateful)
        actions = [self._add(row) for row in rows]
        self._refresh(self._stateful[old_count:])
        # The tool tips come last: before that, each change of an action would make its tip anew.
        for action in actions:
            set_tool_tip(action)
            connect(action.changed, self._set_tool_tip_of_sender)
        changed_entries = self._changed_entries
        self._changed_entries = set()
        self.added.emit(changed_entries)

    def _add(self, row: Command) -> QAction:
        """Add one row; return its action, a new one unless somebody else has made it."""
        if row.id in self._rows:
            raise ValueError(f"there are two commands {row.id}")
        entry = entry_of(row.id)
        self._ids_at[entry].append(row.id)
        self._changed_entries.add(entry)
        if row.action is not None:
            action = row.action
        else:
            action = self._make_action(row)
        action.setObjectName(row.id)
        self._rows[row.id] = row
        self._actions[row.id] = action
        self._set_texts(row, action)
        if row.icon:
            self._add_icon(action, row.icon)
        has_state = (row.why_not, row.checked, row.offered) != (None, None, None)
        if row.action is None and has_state:
            self._stateful.append(row.id)
        return action

    def _make_action(self, row: Command) -> QAction:
        """Return a new action of a row, without its texts and its icon."""
        action = QAction(self)  # for a child of the window Qt would send it an event
        if row.keys:
            action.setShortcuts(key_sequences(row.keys))
        if row.role != QAction.MenuRole.TextHeuristicRole:
            action.setMenuRole(row.role)
        if row.button_text:
            action.setIconText(row.button_text)
        if row.checked is not None:
            action.setCheckable(True)
        if row.group:
            group = self._groups.setdefault(row.group, QActionGroup(self))
            group.addAction(action)
        do = row.do
        assert do is not None, f"{row.id} does nothing"
        connect(action.triggered, lambda _checked=False: self._do(do))
        return action

    @staticmethod
    def _do(do: Callable[[], object]) -> object:
        """Do what a command does; a coroutine that it returns is run by ``connect``."""
        commit_typed_value()  # what is being typed belongs to what is saved, copied or closed
        return do()

    def _set_texts(self, row: Command, action: QAction) -> None:
        """Give an action its text and tip, in the words for the cells of the current map."""
        if row.tip:
            action.setStatusTip(cell_text(row.tip, self._layout))
        if row.action is None:
            text = row.text
            if row.text_now is not None:
                text = row.text_now()
            action.setText(cell_text(text, self._layout))

    def _set_tool_tip_of_sender(self) -> None:
        """Give the action that has changed its text or its keys the tool tip for these."""
        action = self.sender()
        assert isinstance(action, QAction)
        set_tool_tip(action)

    # --- reading the table ------------------------------------------------------------------

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def row(self, name: str) -> Command:
        """Return the row of an id. Raises KeyError for an unknown one."""
        return self._rows[name]

    def action(self, name: str) -> QAction:
        """Return the action of a command. Raises KeyError for an unknown one."""
        return self._actions[name]

    def run(self, name: str) -> None:
        """Do what a command does, if it can be used now."""
        self._actions[name].trigger()

    def why_disabled(self, key: QKeySequence) -> str:
        """Return why the command with a key cannot be used, "" if it can, or none has the key."""
        for action in self._actions.values():
            if key in action.shortcuts() and action.isVisible() and not action.isEnabled():
                return action.property(WHY) or ""
        return ""

    def path(self, name: str) -> str:
        """Return where a person finds a command, such as ``File > Save``."""
        return " > ".join((*path_of(name), self._title(name)))

    def _title(self, name: str) -> str:
        """Return the text of a command in menus, without access key.

        It is that of the action. Of an action that somebody else made it is the text of the row, if
        that has one: ``Undo``, whatever the action undoes now.
        """
        row = self._rows[name]
        text = self._actions[name].text()
        if row.action is not None and row.text:
            text = row.text
        return plain(text)

    def run_found(self, name: str) -> None:
        """Run a command that a person has looked for: that of a panel opens it, never closes."""
        leads_to = self._rows[name].leads_to
        if leads_to is None:
            self._actions[name].trigger()
        else:
            leads_to()

    def ids_at(self, entry: str) -> list[str]:
        """Return the ids of a menu entry, such as ``view.*``; [] if there are none."""
        return self._ids_at.get(entry, [])

    def match_score(self, name: str, query: str) -> float | None:
        """Return how well a query fits a command, None if not at all; more is better."""
        row = self._rows[name]
        action = self._actions[name]
        menus = " ".join(path_of(name))
        title = self._title(name)
        return match_score(query, title, row.words, menus, action.statusTip(), lead=menus)

    def ids(self, *, fill: bool = False) -> list[str]:
        """Return the ids of all commands in the order of the menus, then those that panels have.

        Commands from sources are among them only with ``fill``, which asks the sources first.
        """
        if fill:
            self.fill(*self._sources)
        names: list[str] = []
        for entry in entries():
            if fill or entry not in self._sources:
                names += self.ids_at(entry)
        return names

    def offered(self, *, fill: bool = False) -> list[str]:
        """Return ``ids`` without those that are not offered on the current map."""
        names: list[str] = []
        for name in self.ids(fill=fill):
            is_offered = self._rows[name].offered
            if is_offered is None or is_offered():
                names.append(name)
        return names

    # --- rows that come from a source when a menu opens -------------------------------------

    def add_source(self, entry: str, rows: Callable[[], Iterable[Command]]) -> None:
        """Let ``fill`` get the commands of an entry from ``rows``: ``file.open-recent.*``, say."""
        self._sources[entry] = rows

    def has_source(self, entry: str) -> bool:
        """Return whether the commands of a menu entry come from a source."""
        return entry in self._sources

    def fill(self, *menu_entries: str) -> None:
        """Replace the commands of those entries that have a source by what it returns now."""
        entries_with_source = [entry for entry in menu_entries if entry in self._sources]
        rows: list[Command] = []
        for entry in entries_with_source:
            rows += self._sources[entry]()
            self._remove(entry)
        if entries_with_source:
            self.add(rows)

    def replace(self, entry: str, rows: Iterable[Command]) -> None:
        """Replace all commands of a menu entry by ``rows``."""
        self._remove(entry)
        self.add(rows)

    def _remove(self, entry: str) -> None:
        """Remove all commands of a menu entry; ``add`` tells of it."""
        self._changed_entries.add(entry)
        for name in self._ids_at.pop(entry, []):
            del self._rows[name]
            self._actions.pop(name).deleteLater()
        self._stateful = [name for name in self._stateful if name in self._rows]

    # --- what can be used and is ticked -----------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Refresh what depends on layers or on the map as a whole, if an edit changed these."""
        change = Change(0)
        if region.structure:
            change |= Change.LAYERS
        if region.reshaped or region.terrain_set or region.records:
            change |= Change.MAP
        if change:
            self.refresh(change)

    def _on_active_layer(self) -> None:
        """Refresh the commands that follow layers."""
        self.refresh(Change.LAYERS)

    def _on_selection(self) -> None:
        """Refresh the commands that follow the selection."""
        self.refresh(Change.SELECTION)

    def _on_map(self) -> None:
        """Refresh all for another look of the map, and let the texts say hexes or squares."""
        previous_layout = self._layout
        self._layout = self._document.battlemap.grid.layout
        for name, row in self._rows.items():
            if row.text_now is not None or previous_layout.degree != self._layout.degree:
                self._set_texts(row, self._actions[name])
        self.refresh()

    def _on_map_shown(self) -> None:
        """Refresh all commands, at the end of a change of the map."""
        self.refresh()

    def refresh(self, change: Change = Change.ANYTHING) -> None:
        """Ask again which commands that follow a change can be used and which are ticked.

        While signals tell of another map nothing is asked: a dozen listeners refresh then, and all
        commands are refreshed once at the end.
        """
        if self._document.is_replacing_map:
            return
        self._refresh(name for name in self._stateful if self._rows[name].follows & change)

    def _refresh(self, names: Iterable[str]) -> None:
        """Ask again which of these commands are ticked, offered, and can be used."""
        for name in names:
            row = self._rows[name]
            action = self._actions[name]
            if row.checked is not None:
                action.setChecked(row.checked())
            if row.offered is not None:
                action.setVisible(row.offered())
            if row.why_not is not None:
                disable(action, row.why_not())


def key_sequences(keys: Keys) -> list[QKeySequence]:
    """Return the keys of a row as Qt has them."""
    if isinstance(keys, str | QKeySequence.StandardKey):
        if keys:
            return [QKeySequence(keys)]
        return []
    return list(keys)


def plain(text: str) -> str:
    """Return the text of a menu entry without its marks."""
    return text.replace("&", "").removesuffix("...")


def slug(text: str) -> str:
    """Return the text of a menu entry as a part of an id: ``Colours that...``, ``colours-that``."""
    return "-".join(plain(text).lower().split())


def keys_in_words(action: QAction) -> str:
    """Return the first shortcut of an action as people write it, "" if it has none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def disable(action: QAction, why_not: str) -> None:
    """Set the reason why an action cannot be used, which its tooltip gives; "" enables it."""
    if why_not == action.property(WHY):  # None the first time
        return
    action.setProperty(WHY, why_not)
    action.setEnabled(not why_not)
    set_tool_tip(action)


def set_tool_tip(action: QAction) -> None:
    """Let the tooltip of an action tell its text, its keys, its tip, and why it is disabled."""
    text = plain(action.text())
    keys = keys_in_words(action)
    if keys:
        text += f" ({keys})"
    if action.statusTip():
        text += f". {action.statusTip().removesuffix('.')}"
    reason = action.property(WHY)
    if reason and not action.isEnabled():
        text += f". {reason}"
    action.setToolTip(plain_text(text))
