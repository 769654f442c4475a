"""The record in which a map keeps the dice that are being entered, and its undo steps.

    entry_record.write(dice, "Enter Hill 1 die: 4")     # an undo step of the map
    entry_record.read()                                 # the same dice, also after a crash

Every die is an undo step of the map: so another tab, a saved project and a crash keep it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from randomizer.model.edits.record_edits import RecordSet, set_record
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice, read_entered_dice


class EntryRecord(QObject):
    """Reads and changes the record of entered dice of the current map."""

    unreadable = Signal(str)
    """The record cannot be used, for this reason."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.is_writing = False
        """True while ``write`` or ``undo_last_step`` changes the map.

        ``DiceEntry``, which asks for that, does not follow it as a change of somebody else.
        """

    def read(self) -> EnteredDice | None:
        """Return the dice that were entered for a table of this map which is not laid yet.

        None if there are none, or if the record cannot be read; then ``unreadable`` tells why.
        """
        battlemap = self._document.battlemap
        record = battlemap.records.get(RECORD)
        if record is None or battlemap.system.name != "cordery":
            return None
        try:
            return read_entered_dice(record)
        except ProblemError as wrong:
            self.unreadable.emit(wrong.problems[0].message)
            return None

    @property
    def exists(self) -> bool:
        """True if the map has the record."""
        return RECORD in self._document.battlemap.records

    def write(self, dice: EnteredDice, text: str) -> bool:
        """Put dice into the record as an undo step named ``text``; False if the map refuses it.

        A saved map is not unsaved by the record of a new table before a die is in it.
        """
        is_preparation = not self.exists and dice.count == 0 and not dice.changes_table
        self.is_writing = True
        try:
            edit = set_record(self._document.battlemap, RECORD, dice.as_record())
            if edit is None:
                return True  # the record has them already
            return self._document.push(edit, text, is_preparation=is_preparation)
        finally:
            self.is_writing = False

    def drop(self) -> None:
        """Remove the record, as an undo step, which ``DiceEntry`` follows like one of others."""
        edit = set_record(self._document.battlemap, RECORD, None)
        self._document.push(edit, "Drop the entered dice")

    def undo_last_step(self) -> None:
        """Undo the last step of the map, which ``write`` has made."""
        self.is_writing = True
        try:
            self._document.undo()
        finally:
            self.is_writing = False

    def was_made_by_last_step(self) -> bool:
        """Return whether the last undo step of the map has made the record."""
        edit = self._last_edit()
        return edit is not None and edit.old_record is None

    def undo_would_leave(self, dice: EnteredDice) -> bool:
        """Return whether undoing the last undo step of the map leaves ``dice`` in the record."""
        edit = self._last_edit()
        return edit is not None and _holds(edit.old_record, dice)

    def _last_edit(self) -> RecordSet | None:
        """Return the edit of the last undo step, None if it does not set this record."""
        step = self._document.history.next_undo
        if step is None or not isinstance(step.edit, RecordSet) or step.edit.name != RECORD:
            return None
        return step.edit


def _holds(record: MapRecord | None, dice: EnteredDice) -> bool:
    """Return whether a record has these dice; no record counts as one without dice."""
    if record is None:
        return not dice.count
    try:
        return read_entered_dice(record).has_dice_of(dice)
    except ProblemError:
        return False
