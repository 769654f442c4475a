"""The panel *Setup* of maps of 0 A.D.: a page each for players, environment and camera.

A page is an ``EntryEditor``: a list of entries with a form for the chosen one. It calls the methods
``entries`` and ``settings_of`` to get what it shows, and ``change`` when the user has typed a
value. Methods without a docstring have it in ``EntryEditor``.

The *code* of a player is its number, from 1: number 0 is Gaia, who owns what belongs to nobody, and
is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.highlighted_owner import HighlightedOwner
from app.document.document import MapDocument
from app.qt_guard import connect
from app.widgets.dialogs.choice import choose
from app.widgets.layout.builders import described, lay_out, plain_label
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, adding, removing
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.edits.thing_owners import things_of_owner
from randomizer.systems.zeroad.map.coordinates import script_position
from randomizer.systems.zeroad.map.player_form import (
    LOOKS_AT_X,
    LOOKS_AT_Z,
    PLAYER_COLOUR,
    change_player,
    described_player,
    player_values,
)
from randomizer.systems.zeroad.map.players import (
    MIN_PLAYERS,
    add_player,
    clear_first_view,
    player_count,
    players_of,
    remove_player,
    set_first_view,
    why_not_add_player,
)
from randomizer.systems.zeroad.map.record_fields import change_field, described_fields, fields_of
from randomizer.systems.zeroad.map.records import CAMERA, ENVIRONMENT, SETTINGS

RECORDS = frozenset((CAMERA, ENVIRONMENT, SETTINGS))
"""The records of the map that the panel shows."""


class SetupPage(EntryEditor):
    """A page of the panel: an editor of records of maps of 0 A.D."""

    def __init__(self, document: MapDocument, title: str = "", tip: str = "") -> None:
        super().__init__(title, tip)
        self._document = document

    def is_offered(self) -> bool:
        return self._document.battlemap.system.name == "zeroad"

    def begin(self) -> None:
        """Show the current map, now and when its records change; called by subclasses when made."""
        self.follow(self._document.changed, self._document.map_replaced, _concerns_records)
        self.refresh()


def _concerns_records(region: Region) -> bool:
    """Return whether a change of the map has changed one of ``RECORDS``."""
    return region.everything or not RECORDS.isdisjoint(region.records)


class PlayersPage(SetupPage):
    """Lists the players, and has the form of the chosen one."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.document, "Players", "The players, with the colours of what they own")
        self._desk = desk
        self._canvas = desk.canvas
        self._owner = HighlightedOwner(desk.tools.options)
        self.offer(
            adding("Add a player", self.add, self.why_not_add),
            removing("Remove the player: Gaia gets what it owns", self.remove, self.why_not_remove),
            Operation(
                "First view here",
                "The player first sees what is in the middle of the canvas",
                self.look_here,
                of_form=True,
            ),
            Operation(
                "First view at the base",
                "The player first sees the middle of what it owns",
                self.look_at_own,
                self.why_not_look_at_own,
                of_form=True,
            ),
        )
        self.begin()

    def entries(self) -> Iterable[Entry]:
        battlemap = self._document.battlemap
        for number, player in enumerate(players_of(battlemap)[1:], 1):
            values = player_values(battlemap, number)
            name = f"{number}: {player.get('Name', '')}"
            colour = str(values[PLAYER_COLOUR.name])
            yield Entry(number, (name,), colour)

    def settings_of(self, code: int) -> Form:
        return described_player(self._document.battlemap, code)

    def on_entry_shown(self, code: int | None) -> None:
        """Go on placing things of the player that is highlighted."""
        if code is not None:
            self._owner.follow(code)

    def refresh_all(self) -> None:
        """Show the players of another map, where the owner of new things stays as it is."""
        self._owner.forget()
        super().refresh_all()

    def on_entry_chosen(self, code: int) -> None:
        """Let this player own the things that are placed from now on."""
        self._owner.choose(code)
        name = players_of(self._document.battlemap)[code].get("Name", "")
        # The next step can give the player another name.
        self._desk.say_until_next_step(f"What you place from now on is {name}'s.")

    def change(self, code: int, name: str, value: object) -> bool:
        make_edit = partial(change_player, number=code, name=name, value=value)
        field = f"0 A.D. player {code} {name}"  # quick changes of it are one undo step
        return self._document.change_map(make_edit, "Change a player", field)

    def why_not_add(self) -> str:
        """Return why there can be no further player, "" if there can."""
        return why_not_add_player(self._document.battlemap)

    def add(self) -> None:
        """Add a player of the game's usual ones, who owns what is placed next."""
        if self._document.change_map(add_player, "Add a player"):
            self._owner.choose(player_count(self._document.battlemap))

    def why_not_remove(self, _code: int | None) -> str:
        """Return why no player can be removed, "" if one can."""
        if player_count(self._document.battlemap) <= MIN_PLAYERS:
            return "A map has at least one player."
        return ""

    def remove(self, code: int) -> None:
        """Remove a player; if it owns anything, the user is asked first."""
        run(self._remove(code))

    async def _remove(self, code: int) -> None:
        battlemap = self._document.battlemap
        name = players_of(battlemap)[code].get("Name", "")
        title = f"Remove the player {name}"
        count = len(things_of_owner(battlemap, code))
        if count:
            loss = f"{counted(count, 'thing')} of {name} will be Gaia's."
            asked = choose(self, "Remove the player?", loss, "Undo brings all back.", ("Remove",))
            if await self._document.while_unchanged(title, asked) is None:
                return
        self._document.change_map(partial(remove_player, number=code), title)

    def look_here(self, code: int) -> None:
        """Let a player first see the point in the middle of the canvas."""
        middle = self._canvas.rect().center().toPointF()
        x, y = self._canvas.viewport.to_map(middle)
        position = script_position(self._document.battlemap.grid.height, x, y)
        make_edit = partial(set_first_view, number=code, point=position)
        self._document.change_map(make_edit, "Change a player's camera")

    def why_not_look_at_own(self, code: int | None) -> str:
        """Return why the base cannot become what a player first sees, "" if it can."""
        if code is None:
            return "No player is chosen."
        # Without a position of its own a player looks at what it owns.
        values = player_values(self._document.battlemap, code)
        has_position = LOOKS_AT_X.name in values or LOOKS_AT_Z.name in values
        if has_position:
            return ""
        return "The player first sees its base already."

    def look_at_own(self, code: int) -> None:
        """Let a player first see what it owns, by taking out its own position."""
        make_edit = partial(clear_first_view, number=code)
        self._document.change_map(make_edit, "Change a player's camera")


class FieldsPage(SetupPage):
    """The form of the fields of one record: an editor without entries, so no code is used."""

    def __init__(self, document: MapDocument, record: str) -> None:
        super().__init__(document)
        self._record = record
        self._fields = {field.setting.name: field for field in fields_of(record)}
        self.begin()

    def settings_of(self, code: int) -> Form:
        return described_fields(self._document.battlemap, tuple(self._fields.values()))

    def change(self, code: int, name: str, value: object) -> bool:
        if value is None:
            return False
        make_edit = partial(change_field, field=self._fields[name], value=value)
        return self._document.change_map(make_edit, f"Change the {self._record}", f"0 A.D. {name}")


class SetupPanel(QWidget):
    """Shows a tab for each page; every change of a field is an undo step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.players = PlayersPage(desk)
        self.environment = FieldsPage(desk.document, ENVIRONMENT)
        self.camera = FieldsPage(desk.document, CAMERA)
        self.tabs = described(QTabWidget(), "Pages of the setup")
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.players, "P&layers")
        self.tabs.addTab(self.environment, "&Environment")
        self.tabs.addTab(self.camera, "&Camera")
        self.note = plain_label("Only maps of 0 A.D. have these.", wordWrap=True)
        lay_out(QVBoxLayout(self), self.note, self.tabs, margins=0)
        connect(desk.document.map_replaced, self._update_pages)
        self._update_pages()

    def _update_pages(self) -> None:
        """Disable the pages, and show the note, while the map is none of 0 A.D."""
        has_setup = self.players.is_offered()
        self.note.setHidden(has_setup)
        self.tabs.setEnabled(has_setup)


def make(desk: Desk) -> SetupPanel:
    """Return the panel."""
    return SetupPanel(desk)
