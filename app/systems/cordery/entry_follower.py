"""Lets the entering of dice follow the map: undo, paint, and another current map.

While dice are asked for, a change of the map has one of these effects::

    change of the map                       effect on the inquiry
    another table or grid                   it ends: the dice were not for that one
    the record of its dice is gone          it ends, and the choices before a change hold again
    the record is that of another entry     the same
    Undo or Redo of entered dice            it goes on with the dice of the record
    paint, locks and the like               the table so far is built again on the new ground

While nothing is asked for, a change of the map can add waiting dice or remove them, as Undo and
Redo do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.entered_dice import RECORD

if TYPE_CHECKING:
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.inquiry import Inquiry
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.systems.cordery.entered_dice import EnteredDice


class _RecordChange(NamedTuple):
    """What a change of the map has done to its record of entered dice."""

    is_changed: bool
    """True if the record may be another one than before."""

    before: EnteredDice | None
    """The dice in the record before; None without a record."""

    after: EnteredDice | None
    """The dice in the record now; None without a record."""

    def changed_choices(self) -> dict[str, object]:
        """Return the choices that are others now, by name; {} unless there are two records."""
        if self.before is None or self.after is None:
            return {}
        choices_before = vars(Choices.of(self.before.choices))
        choices_after = vars(Choices.of(self.after.choices))
        changes: dict[str, object] = {}
        for name, value in choices_after.items():
            if value != choices_before[name]:
                changes[name] = value
        return changes


class EntryFollower:
    """Tells a ``DiceEntry`` of changes of the map."""

    def __init__(self, throwing: Throwing, entry: DiceEntry) -> None:
        self._throwing = throwing
        self._entry = entry
        self._record = throwing.entry_record
        self._recorded_dice = self._record.read()
        """The dice in the record of the current map, as it was last read; None without any."""

    def on_map_replaced(self) -> None:
        """End the questions about the map that was left, as another map is current."""
        self._entry.leave_map()
        self._recorded_dice = self._record.read()

    def on_map_changed(self, region: Region) -> None:
        """Follow a change of the current map; see the table at the top."""
        record_change = self._update_recorded_dice(region)
        if self._record.is_writing:
            return  # the entry itself has changed the map
        if self._entry.inquiry is not None:
            self._update_inquiry(self._entry.inquiry, region, record_change)
        else:
            self._update_waiting_dice(region, record_change)

    def _update_recorded_dice(self, region: Region) -> _RecordChange:
        """Read the record again if the change of a region can have changed it; return how."""
        before = self._recorded_dice
        is_changed = RECORD in region.records or region.everything
        if is_changed:
            self._recorded_dice = self._record.read()
        return _RecordChange(is_changed, before, self._recorded_dice)

    def _update_inquiry(
        self, inquiry: Inquiry, region: Region, record_change: _RecordChange
    ) -> None:
        """Follow a change of the map while dice are asked for."""
        # Another table or grid: the dice were not for that one.
        if inquiry.has_other_table_on_map:
            self._entry.abandon(restores_choices=False)
            return
        if region.reshaped:
            self._entry.abandon(restores_choices=True)
            return

        # A change whose first question was not asked yet has no record, so none is missing.
        if not inquiry.is_recorded and not record_change.is_changed:
            inquiry.build_again()
            return

        # The record is gone, or is that of another entry.
        dice = record_change.after
        if dice is None or not inquiry.is_about(dice):
            self._entry.abandon(restores_choices=True)
            return

        # Undo and Redo of entered dice; or paint, which leaves the record as it is.
        if record_change.is_changed:
            inquiry.use_recorded_dice(dice)
            self._apply_choices(record_change)
        inquiry.build_again()

    def _update_waiting_dice(self, region: Region, record_change: _RecordChange) -> None:
        """Follow a change of the map while nothing is asked for."""
        if record_change.is_changed or region.structure:
            self._entry.waiting_changed.emit()
            if record_change.before is None:
                # The laying of its table was undone, or the beginning of a change redone.
                self._entry.resume_on_map()
        else:
            self._entry.update_waiting_table()  # the ground may have changed
        # Choices for a change of the table that lies hold only while its dice are asked for.
        dice = record_change.after
        if dice is not None and not dice.changes_table:
            self._apply_choices(record_change)

    def _apply_choices(self, record_change: _RecordChange) -> None:
        """Choose what has changed in the record, as Undo or Redo brings other choices."""
        changes = record_change.changed_choices()
        if changes:
            self._throwing.map_choices.choose(**changes)
