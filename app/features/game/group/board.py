"""The rows of the window of a whole group: what each slot of the game is to get.

Each row (``SlotRow``) is about one *slot* of the game, which takes one map. What the slot is to get
is the row's ``content`` (slot_content.py), one of these:

- the map of a ``Choice`` (a source with seed and number), which a job makes (map_making.py);
- a *tab*: an open map, as it is on the desk at the time of the export;
- nothing: the game keeps the map that it has.

The life of a choice::

    choose_source, roll, ...   the user chooses: the row's content changes, and its map is dropped
    _remake                    one job makes the maps of all *pending* rows, those without one
    _show_made                 the rows have their maps, or the problems why they have none

The list of a row offers *sources*, each of them a text::

    ""                        leave the map that the game has
    "catalogue:hills"         roll a script of the program
    "file:/maps/hills.rnd"    roll a script of the user's, or take a map from a file
    "tab:140221"              take an open map; such a source is not remembered
    "ask"                     ask for a file, which becomes the source

``GroupWindow`` has one ``GroupBoard``; begin with ``fill``.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.background.actions import run
from app.document.document import MapDocument
from app.document.open_map import GameSource
from app.features.game.game_folder import GameFolder
from app.features.game.game_maps import SlotMap
from app.features.game.group.map_making import MapMaking
from app.features.game.group.rolls import (
    FILE,
    Choice,
    OfferedSource,
    fitting_source,
    scripts_for,
)
from app.features.game.group.rows import ASK_FILE, SlotRow, source_of_tab
from app.features.game.group.slot_content import ContentKind, SlotContent
from app.features.game.level_choice import GroupChoice
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from app.widgets.dialogs.files import choose_file
from app.widgets.layout.builders import STRETCH, lay_out
from app.widgets.lists.problem_list import place_in_text
from randomizer.catalog.map_formats import formats
from randomizer.catalog.scripts import script_suffixes
from randomizer.catalog.systems import system_named
from randomizer.games.slots import MapSlot
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem

TYPED_DELAY_MS = 250
"""The milliseconds between the last digit of a seed and the roll of its row."""

DRAW_DELAY_MS = 150
"""The milliseconds between an edit of an open map and the new picture of its row."""

ROW_WIDTH = 520
"""The logical pixels that a row needs; in a wider area two rows stand beside each other."""


class GroupBoard(QScrollArea):
    """The rows of the slots of the group in ``choice``, in one column or two."""

    choices_changed = Signal()
    """Another choice was made, which should be remembered (``choices_to_remember``)."""

    rows_changed = Signal()
    """The rows have other maps, or other ones are being made, or one was locked."""

    edit_requested = Signal(object)
    """The map of a row is open now, and is to be edited: an ``OpenMap``."""

    def __init__(
        self,
        game_folder: GameFolder,
        choice: GroupChoice,
        settings: Settings,
        document: MapDocument,
        thumbnails: MapThumbnails,
    ) -> None:
        super().__init__()
        system = system_named(game_folder.host.system)
        assert system is not None
        self._system = system
        self._game_folder = game_folder
        self._choice = choice
        self._settings = settings
        self._document = document
        self._thumbnails = thumbnails
        self._game_maps: Mapping[str, SlotMap] = {}
        """The maps that the game has for the group now, by slot; empty until they are read."""
        self.rows: list[SlotRow] = []
        """The rows of the slots of the group, in the game's order."""
        self._making = MapMaking(system, self)
        """Makes the maps of the rows."""
        self.job = self._making.job
        """The job that makes them."""
        self._typed_timer = QTimer(self, singleShot=True, interval=TYPED_DELAY_MS)
        """Runs while a seed or number is typed; the maps are made at its end."""
        self._draw_timer = QTimer(self, singleShot=True, interval=DRAW_DELAY_MS)
        """Runs while an open map is edited; its picture is drawn at its end."""
        self._lay_out()
        connect(self._typed_timer.timeout, self._make_pending)
        connect(self._making.slots_made, self._show_made)
        connect(self._draw_timer.timeout, self._draw_tabs)
        connect(game_folder.scripts_found, self._list_sources)
        connect(document.maps_changed, self._on_open_maps_changed)
        connect(document.changed, self._on_map_edited)

    def _lay_out(self) -> None:
        """Make the grid of the rows; they are as high as they must be, with space below them."""
        content = QWidget()
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        lay_out(QVBoxLayout(content), self._grid, STRETCH, margins=0)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a row with the focus scrolls into view
        slot_level = self._game_folder.slot_level
        group_level = self._game_folder.group_level
        self.setAccessibleName(f"{slot_level.title}s of the {group_level.name}")

    # --- the rows ---------------------------------------------------------------------------

    def fill(self, slots: Iterable[MapSlot], remembered: Mapping[str, Choice]) -> None:
        """Make a row for each slot, with the remembered choice or the script of its name."""
        self._making.drop()
        self._game_maps = {}
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = [self._new_row(slot, remembered.get(slot.name)) for slot in slots]
        self._place_rows()
        self._list_sources()
        self._remake(self.rows)

    def _new_row(self, slot: MapSlot, choice: Choice | None) -> SlotRow:
        """Return the row of a slot; without a remembered choice it has the script of its name."""
        if choice is None:
            source = fitting_source(slot, scripts_for(slot, self._system, ()))
            choice = Choice(source, seed=secrets.randbelow(SEED_LIMIT))
        row = SlotRow(slot, choice, self._thumbnails, self._game_folder.slot_level)
        connect(row.source_chosen, partial(self.choose_source, row))
        connect(row.key_typed, partial(self._on_roll_key_edited, row))
        connect(row.lock_toggled, self._on_lock)
        connect(row.roll_requested, partial(self.roll, [row]))
        connect(row.edit_requested, partial(self._edit_map, row))
        return row

    def _place_rows(self) -> None:
        """Lay out the rows in two columns if they are wide enough, else in one."""
        has_two_columns = self.viewport().width() >= 2 * ROW_WIDTH
        for index, row in enumerate(self.rows):
            if has_two_columns:
                self._grid.addWidget(row, index // 2, index % 2)
            else:
                self._grid.addWidget(row, index, 0)
        # Columns with a stretch share the width: the second one must not while it has no rows.
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, int(has_two_columns))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the rows for the new width."""
        super().resizeEvent(event)
        self._place_rows()

    def show_maps(self, maps: Mapping[str, SlotMap]) -> None:
        """Show the maps that the game has for the group now, by slot."""
        self._game_maps = maps
        self.redraw()

    def _list_sources(self) -> None:
        """Fill the list of every row with the scripts, files and open maps that there are now."""
        tab_sources = []
        for open_map in self._document.maps:
            if open_map.battlemap.system is self._system:
                title = f"Open map: {self._document.name_of(open_map)}"
                tab_sources.append(OfferedSource(title, source_of_tab(open_map)))
        for row in self.rows:
            scripts = scripts_for(row.map_slot, self._system, self._game_folder.scripts)
            chosen_source = row.content.choice.source
            is_listed = chosen_source in {script.source for script in scripts}
            sources: list[OfferedSource | None] = [OfferedSource("Leave as it is", "")]
            if chosen_source and not is_listed:
                # A file that the user has opened, which is not in the game's directory.
                sources.append(OfferedSource(Path(chosen_source).name, chosen_source))
            sources += scripts
            sources.append(None)  # a line
            sources += tab_sources
            sources.append(OfferedSource("Open a file...", ASK_FILE))
            row.offer(sources)

    # --- choosing and rolling ---------------------------------------------------------------

    def choose_source(self, row: SlotRow, source: str) -> None:
        """Give the row one of the offered sources, which may be to ask for a file."""
        if source == ASK_FILE:
            row.show_state()  # the list shows the source that the row still has, not this entry
            run(self._ask_file(row))
            return
        tabs_by_source = {source_of_tab(open_map): open_map for open_map in self._document.maps}
        if source in tabs_by_source:
            row.content.take_tab(tabs_by_source[source])
        else:
            row.content.choose_source(source)
        self._remake([row])

    async def _ask_file(self, row: SlotRow) -> None:
        """Ask for a script or a map, and give it to the row."""
        suffixes = [*script_suffixes()]
        for file_format in formats():
            if file_format.readable:
                suffixes += file_format.suffixes
        patterns = " ".join(f"*{suffix}" for suffix in suffixes)
        path = await choose_file(
            self,
            f"Script or map for {row.slot}",
            self._settings.last_directory,
            f"Scripts and maps ({patterns})",
        )
        if path is not None and row in self.rows:  # another group may be shown now
            self.choose_file(row, path)

    def choose_file(self, row: SlotRow, path: Path) -> None:
        """Give the row what a script rolls, or the map in a file."""
        self._settings.last_directory = str(path.parent)
        self.choose_source(row, FILE + str(path))
        self._list_sources()

    def _on_roll_key_edited(self, row: SlotRow) -> None:
        """Roll the row with the typed seed and number as soon as typing pauses."""
        self._making.drop()  # it may be making the map of the previous seed or number
        self._typed_timer.start()
        self.rows_changed.emit()

    def _on_lock(self) -> None:
        """Remember that a row was locked or unlocked, and enable the buttons for it."""
        self.choices_changed.emit()
        self.rows_changed.emit()

    @property
    def can_roll(self) -> bool:
        """True if rolling all again gives anything new."""
        return any(row.content.can_reroll for row in self.rows)

    def roll(self, rows: Iterable[SlotRow]) -> None:
        """Roll the next map of each row that can be rolled again."""
        rows = [row for row in rows if row.content.can_reroll]
        for row in rows:
            row.content.roll_next()
        self._remake(rows)

    def roll_all(self) -> None:
        """Roll the next map of each row that is not locked."""
        self.roll(self.rows)

    def _remake(self, rows: Iterable[SlotRow]) -> None:
        """Show rows whose content has changed, and make all maps that are pending then."""
        for row in rows:
            self._show_row(row)
        self._make_pending()

    def _make_pending(self) -> None:
        """Begin to make the maps of all pending rows, whose choices are to be remembered."""
        self._making.make_pending(self._contents())
        self.choices_changed.emit()
        self.rows_changed.emit()

    def _show_made(self, slots: set[str]) -> None:
        """Show the rows whose maps were made, or which cannot have one."""
        for row in self.rows:
            if row.slot in slots:
                self._show_row(row)
        self.rows_changed.emit()

    def stop_rolling(self) -> None:
        """Stop rolling: each pending row gets a problem that tells of it."""
        self._making.stop(self._contents())

    def _contents(self) -> dict[str, SlotContent]:
        """Return what each row's slot gets, by slot."""
        return {row.slot: row.content for row in self.rows}

    # --- the maps ---------------------------------------------------------------------------

    @property
    def has_pending_rows(self) -> bool:
        """True if maps are being made."""
        return any(row.content.is_pending for row in self.rows)

    def choices_to_remember(self) -> dict[str, Choice]:
        """Return the choices with which the group begins the next time, by slot."""
        return {row.slot: row.content.choice_to_remember for row in self.rows}

    def new_maps(self) -> dict[str, BattleMap]:
        """Return the new maps, by slot."""
        maps = {}
        for row in self.rows:
            if row.content.battlemap is not None:
                maps[row.slot] = row.content.battlemap
        return maps

    def faulty_slots(self) -> list[str]:
        """Return the slots that cannot have what was chosen for them."""
        return [row.slot for row in self.rows if row.content.is_faulty]

    def redraw(self) -> None:
        """Show all rows again, with icons and maps in the present colours."""
        for row in self.rows:
            row.draw_icons()
            self._show_row(row)

    def _show_row(self, row: SlotRow) -> None:
        """Show the state of a row, its map in the game, and the map that the slot gets.

        A pending row keeps the message and the picture that it had before.
        """
        row.show_state()
        game_map = self._game_maps.get(row.slot, SlotMap())
        row.picture_in_game.show_map(game_map.digest, game_map.battlemap, "no map")
        content = row.content
        if content.tab is not None:
            row.say("an open map, as edited")
            row.picture_to_export.show_tab(self._document, content.tab)
        elif content.kind is ContentKind.KEPT:
            row.say("stays as it is")
            row.picture_to_export.show_map("", None, "as it is")
        elif content.made_map is not None:
            result = content.made_map.result
            if result.problems:
                problem = result.problems[0]
                row.say(_located_message(problem), problem.severity)
            else:
                row.say("")
            row.picture_to_export.show_map(content.made_map.key, result.battlemap, "no map")

    # --- open maps --------------------------------------------------------------------------

    def _edit_map(self, row: SlotRow) -> None:
        """Ask to edit the tab of a row; a row without one opens its map as a tab first.

        From then on the slot gets the open map, as it is edited.
        """
        if row.content.tab is None:
            battlemap = self._map_to_edit(row)
            if battlemap is None or self._game_folder.path is None:
                row.say("no map to edit")
                return
            source = GameSource(self._game_folder.path, self._choice.title, row.slot)
            row.content.take_tab(self._document.show_map(battlemap.snapshot(), None, source))
            self._list_sources()
            self._remake([row])
        self.edit_requested.emit(row.content.tab)

    def _map_to_edit(self, row: SlotRow) -> BattleMap | None:
        """Return the map that the slot of a row gets: the new one, or what the game keeps.

        None if there is none (yet).
        """
        if row.content.kind is ContentKind.KEPT:
            game_map = self._game_maps.get(row.slot, SlotMap())
            return game_map.battlemap
        return row.content.battlemap

    def _on_open_maps_changed(self) -> None:
        """Give the rows of tabs that were closed something else, and list the tabs there are."""
        rows_to_make = []
        for row in self.rows:
            if row.content.tab is not None and row.content.tab not in self._document.maps:
                row.content.leave_tab()
                rows_to_make.append(row)
        self._list_sources()
        if rows_to_make:
            self._remake(rows_to_make)

    def _on_map_edited(self, _region: Region) -> None:
        """Draw the picture of an open map again when its edits have rested for a moment."""
        if any(row.content.tab is self._document.current_map for row in self.rows):
            self._draw_timer.start()

    def _draw_tabs(self) -> None:
        """Draw the pictures of all rows that have an open map."""
        for row in self.rows:
            if row.content.tab is not None:
                self._show_row(row)


def _located_message(problem: Problem) -> str:
    """Return the message of a problem after its position in the script, if it has one."""
    position = place_in_text(problem)
    if position:
        return f"{position}: {problem.message}"
    return problem.message
