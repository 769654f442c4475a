"""The table so far of dice that wait: they were entered, but nobody asks for the rest now.

Dice wait in the record of a map (entry_record.py): after *Stop*, when the map is opened or becomes
current, and when an undo step brings the record back. There are two cases:

- dice of a *new table* wait on a bare map: it shows the table as far as these dice lay it;
- dice of a *change* wait while the old table lies: that one stays in sight, and nothing is built.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.rolling.rolling import Rolling
from app.systems.cordery.entered_tables import build_known
from app.systems.cordery.throwing import Throwing
from randomizer.model.problems import Problem
from randomizer.systems.cordery.dice_log import BuiltTable
from randomizer.systems.cordery.entered_dice import EnteredDice


class WaitingTable(QObject):
    """Builds the table so far of the dice that wait on the current map.

    It knows the record of the map and its layers, but not whether ``DiceEntry`` asks for the dice.
    While it does they do not wait: then only ``cancel`` is called. One build cancels the other, so
    ``show`` and ``ask_if_incomplete`` are called for different events.
    """

    built = Signal(object)
    """(BuiltTable): the table to show in place of the bare map; it lacks a die."""

    none_to_show = Signal()
    """The map itself is to be shown."""

    def __init__(self, throwing: Throwing, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._throwing = throwing
        self._rolling = rolling
        self._job = LatestJob(self)
        """Builds the tables; a newer build replaces one that is not finished."""

    @property
    def busy(self) -> bool:
        """True while a table is being built."""
        return self._job.busy

    @property
    def dice(self) -> EnteredDice | None:
        """The dice in the record of the current map; None without a record that has any.

        The record of a change counts even without dice: it holds the choices of the change.
        """
        dice = self._throwing.entry_record.read()
        if dice is None or (dice.count == 0 and not dice.changes_table):
            return None
        return dice

    @property
    def shown_dice(self) -> EnteredDice | None:
        """The dice whose table so far is shown: those of a new table on a bare map, else None."""
        dice = self.dice
        if dice is None or dice.changes_table or self._throwing.table.parts():
            return None
        return dice

    def show(self) -> None:
        """Build the table so far in the background, and emit it (``built``)."""
        dice = self.shown_dice
        if dice is None:
            self._job.cancel()
            self.none_to_show.emit()
        else:
            self._build(dice, self._emit)

    def cancel(self) -> None:
        """Build nothing any more, as dice are asked for; what is shown stays."""
        self._job.cancel()

    def show_built(self, table: BuiltTable) -> None:
        """Emit the table so far, which is built already, if it is to be shown."""
        if self.shown_dice is not None:
            self._emit(table)

    def _emit(self, table: BuiltTable) -> None:
        """Emit a table if it lacks a die; else it was laid, and that was undone."""
        if table.next_die is None:
            self.none_to_show.emit()
        else:
            self.built.emit(table)

    def ask_if_incomplete(self, ask_for_dice: Callable[[], None]) -> None:
        """Call ``ask_for_dice`` if the table of the dice lacks a die.

        A table that lacks none was laid before, and that was undone: it is not to be laid again.
        Whether one lacks a die is known only once it is built, so the call comes later.
        """
        dice = self.dice
        if dice is None:
            return

        def ask_for_lacking_dice(table: BuiltTable) -> None:
            if table.next_die is not None:
                ask_for_dice()

        self._build(dice, ask_for_lacking_dice)

    def _build(self, dice: EnteredDice, on_built: Callable[[BuiltTable], None]) -> None:
        """Build the table as far as the dice are known, in a job, and call ``on_built`` with it."""
        work = partial(build_known, dice, self._throwing.key, self._rolling.next_base())
        self._job.run(work, on_built, self._on_failed)

    def _on_failed(self, _problems: tuple[Problem, ...]) -> None:
        """Show the bare map: the reason is told when the user goes on entering."""
        self.none_to_show.emit()
