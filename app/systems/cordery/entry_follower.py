"""Lets the entering of dice follow the map: undo, paint, and another current map.

``EntryController`` makes an ``EntryFollower`` beside the ``DiceEntry`` that asks for the dice. What
follows from a change of the map, while dice are asked for::

    another table or grid              the questions end: the dice were not for it
    the record is gone, or is that     the questions end; the choices before a change hold again
    of another entry
    Undo and Redo of entered dice      the dice of the record are used, and the next is asked for
    paint, locks and the like          the table so far is built again on the new ground

While nothing is asked for, dice may begin to wait by it, or wait no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.entered_dice import RECORD

if TYPE_CHECKING:
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.systems.cordery.entered_dice import EnteredDice


class EntryFollower:
    """Tells a ``DiceEntry`` of changes of the map."""

    def __init__(self, throwing: Throwing, entry: DiceEntry) -> None:
        self._throwing = throwing
        self._entry = entry
        self._record = throwing.entry_record
        self._recorded_dice = self._record.read()
        """The dice in the record of the current map, as it was last read; None without any."""

    def change_map(self) -> None:
        """End the questions about the map that was left, as another map is current."""
        self._entry.end_inquiry()
        self._recorded_dice = self._record.read()

    def follow_change(self, region: Region) -> None:
        """Follow a change of the current map; see the table at the top."""
        previous_dice = self._recorded_dice
        is_record_changed = RECORD in region.records or region.everything
        if is_record_changed:
            self._recorded_dice = self._record.read()
        if self._record.is_writing:
            return  # the entry itself has changed the map
        if self._entry.is_asking:
            self._follow_while_asking(region, previous_dice, is_record_changed=is_record_changed)
            return

        if is_record_changed or region.structure:
            self._entry.waiting_changed.emit()
            if previous_dice is None:
                # The laying of its table was undone, or the beginning of a change redone.
                self._entry.resume_on_map()
        else:
            self._entry.show_waiting_table()  # the ground may have changed
        self._apply_choices_changed_by_undo(previous_dice)

    def _follow_while_asking(
        self, region: Region, previous_dice: EnteredDice | None, *, is_record_changed: bool
    ) -> None:
        """Follow a change of the map while dice are asked for.

        ``previous_dice`` were in the record before the change, None without one.
        """
        entry = self._entry
        if entry.has_other_table or region.reshaped:
            entry.abandon(restores_choices=not entry.has_other_table)
            return

        # A change whose first question was not asked yet has no record, and needs none.
        if not entry.is_recorded and not is_record_changed:
            entry.ask_again()
            return

        # Undo has taken away the record, or has brought back that of another entry.
        dice = self._recorded_dice
        if dice is None or dice.changes_table != entry.dice.changes_table:
            entry.abandon(restores_choices=True)
            return

        if is_record_changed:
            entry.use_recorded_dice(dice)
            self._apply_choices_changed_by_undo(previous_dice)
        entry.ask_again()

    def _apply_choices_changed_by_undo(self, previous_dice: EnteredDice | None) -> None:
        """Change the choices as the record has changed by an undo step.

        ``previous_dice`` were in the record before. Choices for a change of the table that lies
        hold only while its dice are asked for.
        """
        dice = self._recorded_dice
        if dice is None or previous_dice is None:
            return
        if dice.changes_table and not self._entry.is_asking:
            return
        previous_choices = vars(Choices.of(previous_dice.choices))
        changes: dict[str, object] = {}
        for name, value in vars(Choices.of(dice.choices)).items():
            if value != previous_choices[name]:
                changes[name] = value
        if changes:
            self._throwing.map_choices.choose(**changes)
