"""The page of the game: its turns and rules, its scale, and the header of its file.

The settings of the form have the names of fields of three records (``RECORD_OF``): a change of the
setting ``end_time`` changes the field ``Globals.end_time``. Only the notes differ: they are a tuple
of lines in the record and one text in the form.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.widgets.lists.entry_editor import EntryEditor, Form
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.records import GLOBALS, HEADER, MAP

if TYPE_CHECKING:
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from randomizer.systems.xconq.records import Globals, Header, MapFacts

LARGEST_NUMBER = 100_000
"""The largest number of turns or kilometres that can be typed into a field."""

GAME = (
    Setting(
        "time",
        int,
        "The turns that are over",
        0,
        minimum=0,
        maximum=LARGEST_NUMBER,
        title="Current turn",
        group="Game",
    ),
    Setting(
        "end_time",
        int,
        "The last turn of the game",
        1000,
        minimum=0,
        maximum=LARGEST_NUMBER,
        title="Last turn",
        group="Game",
    ),
    Setting(
        "set_product",
        bool,
        "Whether what a unit constructs can be changed",
        True,
        title="Products can be changed",
        group="Game",
    ),
    Setting(
        "leave_map",
        bool,
        "Whether units can leave the map over its edges",
        False,
        title="Units can leave the map",
        group="Game",
    ),
)
"""The settings of the record ``GLOBALS``."""

WORLD = (
    Setting(
        "scale",
        int,
        "The width of a hex in km; 0: not said",
        100,
        minimum=0,
        maximum=LARGEST_NUMBER,
        title="Hex width in km",
        group="World",
        zero="not said",
    ),
    Setting(
        "seen",
        bool,
        "Whether the sides know the map when the game begins",
        True,
        title="The sides know the map",
        group="World",
    ),
)
"""The settings of the record ``MAP``."""

NOTES = Setting(
    "notes",
    str,
    "Lines for people at the top of the file",
    "",
    title="Notes",
    group="File",
    lines=8,
)
"""The setting of the notes, as one text."""

FILE = (
    Setting(
        "description",
        str,
        "The first line of the file says what it is",
        "",
        title="Description",
        group="File",
    ),
    NOTES,
)
"""The settings of the record ``HEADER``."""

SETTINGS = (*GAME, *WORLD, *FILE)
"""All settings in the order of the form."""

RECORD_OF = {
    **{setting.name: GLOBALS for setting in GAME},
    **{setting.name: MAP for setting in WORLD},
    **{setting.name: HEADER for setting in FILE},
}
"""The record that holds the value of a setting, by the name of the setting."""

LAST_NOTE = "."
"""A line of a file that ends the notes."""


class GamePage(EntryEditor):
    """A form with the facts of three records about the game as a whole."""

    def __init__(self, records: ScenarioRecords) -> None:
        super().__init__()
        self._records = records
        self.follow(records.changed, records.replaced)
        self.refresh()

    def is_offered(self) -> bool:
        return self._records.are_offered

    def settings_of(self, code: int) -> Form:
        values: dict[str, object] = {}
        for setting in SETTINGS:
            if setting is NOTES:
                continue
            value = getattr(self._record(RECORD_OF[setting.name]), setting.name)
            if setting.kind is bool:
                value = bool(value)  # records hold numbers, as files do
            values[setting.name] = value
        values[NOTES.name] = "\n".join(self._records.header.notes)
        return SETTINGS, values

    def change(self, code: int, name: str, value: object) -> bool:
        if name == NOTES.name:
            return self._change_notes(str(value or ""))
        record_name = RECORD_OF[name]
        if isinstance(value, bool):
            value = int(value)
        changes: dict[str, Any] = {name: value}
        record = replace(self._record(record_name), **changes)
        title = next(setting.title for setting in SETTINGS if setting.name == name)
        text = f"Change {title[:1].lower()}{title[1:]}"
        return self._records.write(record_name, record, text, f"xconq {name}")

    def _record(self, name: str) -> Globals | MapFacts | Header:
        """Return the value of a record of the current map."""
        records: dict[str, Globals | MapFacts | Header] = {
            GLOBALS: self._records.globals,
            MAP: self._records.map_facts,
            HEADER: self._records.header,
        }
        return records[name]

    def _change_notes(self, text: str) -> bool:
        """Change the notes; a line that would end them in a file is left out, which is told."""
        lines: list[str] = []
        if text:  # "".split would be one empty line
            lines = text.split("\n")
        notes = tuple(line for line in lines if line != LAST_NOTE)
        header = replace(self._records.header, notes=notes)
        is_changed = self._records.write(HEADER, header, "Change notes", "xconq notes")
        if LAST_NOTE in lines:
            message = "A line that is only “.” ends the notes in a file: it was taken out."
            self._records.document.refuse(message)
        return is_changed
