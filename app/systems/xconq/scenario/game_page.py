"""The page of the game: its turns and rules, and what the header of the file says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.records import GLOBALS, HEADER, MAP

if TYPE_CHECKING:
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from randomizer.systems.xconq.records import Globals, Header, MapFacts

LONGEST = 100_000
"""The most turns and kilometres that a field takes."""

GAME = (
    Setting(
        "time",
        int,
        "The turns that are over",
        0,
        least=0,
        most=LONGEST,
        title="Turn now",
        group="Game",
    ),
    Setting(
        "end_time",
        int,
        "The last turn of the game",
        1000,
        least=0,
        most=LONGEST,
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
WORLD = (
    Setting(
        "scale",
        int,
        "The width of a hex in km; 0: not said",
        100,
        least=0,
        most=LONGEST,
        title="Hex width in km",
        group="World",
        zero="not said",
    ),
    Setting(
        "seen",
        bool,
        "Whether the players know the map when the game begins",
        True,
        title="The players know the map",
        group="World",
    ),
)
FILE = (
    Setting(
        "description",
        str,
        "The first line of the file says what it is",
        "",
        title="Description",
        group="File",
    ),
)
RECORD_OF = {
    **{setting.name: GLOBALS for setting in GAME},
    **{setting.name: MAP for setting in WORLD},
    **{setting.name: HEADER for setting in FILE},
}


class GamePage(QWidget):
    """A form, and the notes of the file as text."""

    def __init__(self, records: ScenarioRecords) -> None:
        super().__init__()
        self._records = records
        self.form = CommittedForm()
        self.notes = described(_Notes(), "Notes", "Lines for people at the top of the file")
        label = plain_label("&Notes:")
        label.setBuddy(self.notes)
        lay_out(QVBoxLayout(self), self.form, label, (self.notes, 1), margins=6)
        connect(self.form.committed, self._commit)
        connect(self.notes.left, self._commit_notes)
        connect(records.changed, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the records of the current map."""
        if not self._records.offered:
            return
        settings = (*GAME, *WORLD, *FILE)
        values = {}
        for setting in settings:
            value = getattr(self._value(RECORD_OF[setting.name]), setting.name)
            values[setting.name] = bool(value) if setting.kind is bool else value
        self.form.set_settings(settings, values)
        text = "\n".join(self._records.header.notes)
        if text != self.notes.toPlainText() and not self.notes.hasFocus():
            self.notes.setPlainText(text)

    def _commit(self, name: str) -> None:
        value = self.form.values().get(name, "")
        if isinstance(value, bool):
            value = int(value)
        record = RECORD_OF[name]
        title = next(each.title for each in (*GAME, *WORLD, *FILE) if each.name == name)
        text = f"Change {title[:1].lower()}{title[1:]}"
        changes: dict[str, Any] = {name: value}
        self._records.write(record, replace(self._value(record), **changes), text, name)

    def _value(self, record: str) -> Globals | MapFacts | Header:
        """What a record of the current map says."""
        records = self._records
        of: dict[str, Globals | MapFacts | Header] = {
            GLOBALS: records.globals,
            MAP: records.facts,
            HEADER: records.header,
        }
        return of[record]

    def _commit_notes(self) -> None:
        written = self.notes.toPlainText().split("\n") if self.notes.toPlainText() else []
        lines = tuple(line for line in written if line != ".")
        if lines != self._records.header.notes:
            self._records.write(
                HEADER, replace(self._records.header, notes=lines), "Change notes", "notes"
            )
        if "." in written:
            self.notes.setPlainText("\n".join(lines))
            why = "A line that is only “.” ends the notes in a file: it was taken out."
            self._records.document.refuse(why)


class _Notes(QPlainTextEdit):
    """A text; ``left()``: the keyboard went elsewhere, so that it is meant."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(80)
        self.setTabChangesFocus(True)

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The text is meant now, unless only a menu opened."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()
