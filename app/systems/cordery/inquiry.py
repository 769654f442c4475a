"""Asks for the dice of one table that a person throws, one die after the other: ``Inquiry``.

How many dice a table takes depends on what they show. So the table is built again after each die,
as far as its dice are known, and the first one that is missing is asked for::

    inquiry.begin()             the table is built in the background
    inquiry.asked               it lacks ``inquiry.next_die``: Hill 1 row, a D6
    inquiry.enter_score(4)      writes the score into the map, and builds the table again
    inquiry.asked               now it lacks the die after that
    ...
    inquiry.completed           it lacks no die

Each die is an undo step of the map, which keeps all of them in a record (entry_record.py). Two
kinds of tables are asked for:

- a *new table*: no die is known at first; its record is made at the beginning;
- a *change* of the table that lies on the map: the dice of that one are known. Its record is made
  with the first question, so that a change which lacks no die is one undo step: that which lays it.

``DiceEntry`` makes an ``Inquiry`` when dice are to be entered, and closes it when that ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.rolling.rolling import Rolling
from app.systems.cordery.entered_tables import (
    TableSoFar,
    build_so_far,
    build_with_rest,
    find_unused_dice,
    scores_of,
    scores_text,
    settings_with,
    thrown_rest,
)
from app.systems.cordery.throwing import OWN_DICE, THROWN_REST, Throwing
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.dice_log import BuiltTable
from randomizer.systems.cordery.entered_dice import EnteredDice
from randomizer.systems.cordery.page_parts import PARTS, part_of_die, part_of_step


class CompletedTable(NamedTuple):
    """A table of which all dice are there."""

    settings: Mapping[str, object]
    """The settings that lay it."""

    title: str
    """The text of the undo step that lays it."""

    entered_count: int
    """The number of its dice that were entered; 0 if all of them were known before."""

    program_count: int
    """The number of its dice that the program has thrown in place of the person."""

    unused_dice: tuple[str, ...]
    """The names of the entered throws for which it has no use."""


class Inquiry(QObject):
    """The questions for the dice of one table, from the first to the last."""

    asked = Signal()
    """``next_die`` is asked for."""

    completed = Signal(object)
    """(CompletedTable): no die is missing any more. Nothing is asked after that."""

    refused = Signal(str)
    """(message): the reason why the dice make no table. Nothing is asked after that."""

    record_refused = Signal()
    """The map refuses the record of the dice, and has told why. Nothing is asked after that."""

    def __init__(
        self, dice: EnteredDice, title: str, throwing: Throwing, rolling: Rolling, parent: QObject
    ) -> None:
        """``dice`` are those of the table so far.

        ``title`` is the text of the undo step with which the map gets their record.
        """
        super().__init__(parent)
        self._throwing = throwing
        self._rolling = rolling
        self._record = throwing.entry_record
        self._title = title
        self._job = LatestJob(self)
        """Builds the table."""
        self._rolls_on_map = self._read_rolls_on_map()
        """The rolls of the table that lay on the map at the beginning; [] for a bare map."""
        self._scores_typed_ahead: list[int] = []
        """The scores that were typed while the table was being built, in their order."""
        self.is_recorded = False
        """True once the map has the record of these dice."""
        self.dice = dice
        """The dice so far. The record has them, too, once there is one."""
        self.table: BuiltTable | None = None
        """The table so far; None until it is built for the first time."""
        self.unused_dice: tuple[str, ...] = ()
        """The names of the entered throws for which the table so far has no use."""

    @property
    def next_die(self) -> DieWantedError | None:
        """The die that is asked for; None until there is a question."""
        if self.table is None:
            return None
        return self.table.next_die

    @property
    def busy(self) -> bool:
        """True while the table is being built, before the next die is asked for."""
        return self._job.busy

    def later_parts_with_dice(self) -> list[str]:
        """Return the parts with entered dice after the part whose die is asked for.

        There are such parts if a choice, or a die that was taken back, makes an earlier part ask
        for more dice.
        """
        die = self.next_die
        if die is None:
            return []
        later_parts = PARTS[PARTS.index(part_of_step(die.step)) + 1 :]
        parts_with_dice = {part_of_die(name) for name in self.dice.throws}
        return [part for part in later_parts if part in parts_with_dice]

    # --- begin and end ----------------------------------------------------------------------

    def begin(self) -> None:
        """Ask for the first die that is missing, once the table is built."""
        is_new_change = self.dice.changes_table and not self._record.exists
        # The record of a new change is made with the first question.
        if is_new_change or self._write(self.dice, self._title):
            self.build_again()
        else:
            self.record_refused.emit()

    def continue_question_of(self, previous: Inquiry) -> None:
        """Take over what is asked by another inquiry, which this one replaces.

        Its question stays in sight until this inquiry asks one.
        """
        self.table = previous.table
        self._scores_typed_ahead = previous._scores_typed_ahead

    def close(self) -> None:
        """Ask no more, and emit nothing any more. The record of the map stays as it is."""
        self._job.cancel()
        self._scores_typed_ahead = []
        self.deleteLater()

    # --- the dice ---------------------------------------------------------------------------

    def enter_score(self, score: int) -> None:
        """Enter the score of the die that is asked for; while a table is built, of the next one."""
        if self._job.busy:
            self._scores_typed_ahead.append(score)
            return
        die = self.next_die
        if die is None:
            return
        dice = self.dice.with_die(die.name, die.count, score)
        scores = dice.throws.get(die.name, dice.incomplete_throw)
        name = die.name[:1].upper() + die.name[1:]
        if self._write(dice, f"Enter {name}: {scores_text(scores)}"):
            self._ask_next_die()

    def take_back_die(self) -> None:
        """Take the last die back: one that was typed ahead, else the last one in the map.

        If the last undo step of the map entered this die, that step is undone. Otherwise taking it
        back is an undo step of its own.
        """
        if self._scores_typed_ahead:
            self._scores_typed_ahead.pop()
            return
        if self._job.busy or self.dice.count == 0:
            return
        dice = self.dice.without_last()
        if self._record.undo_would_leave(dice):
            self._record.undo_last_step()
            # Those of the record: they know how many dice were expected then.
            self.dice = self._record.read() or dice
        elif not self._write(dice, "Take back a die"):
            return
        self._ask_next_die()

    def change_choices(self, values: Mapping[str, object], text: str) -> bool:
        """Change choices of the table, as an undo step named ``text``, and build it with them.

        Return False if the map refuses that; then nothing is changed.
        """
        dice = with_choices(self.dice, values)
        if not self.is_recorded:
            self.dice = dice  # the first question writes them, as the beginning of the change
        elif not self._write(dice, text):
            return False
        self.build_again()
        return True

    def throw_remaining_dice(self) -> None:
        """Let the program throw all dice that are still missing."""
        if self.table is None:
            return
        self._scores_typed_ahead.clear()
        # A seed of its own: with the one of the panel each table would get the same dice.
        key = DrawKey(self._rolling.key_choice.choose_seed(), 0).checked()
        work = partial(build_with_rest, self.dice, key, self._rolling.next_base())
        self._job.run(work, self._on_rest_thrown, self._on_failed)

    def _write(self, dice: EnteredDice, text: str) -> bool:
        """Write dice into the record of the map, as an undo step; False if the map refuses it."""
        if not self._record.write(dice, text):
            return False
        self.dice = dice
        self.is_recorded = True
        return True

    # --- when the map has changed -----------------------------------------------------------

    @property
    def has_other_table_on_map(self) -> bool:
        """True if another table lies on the map than at the beginning."""
        return self._read_rolls_on_map() != self._rolls_on_map

    def is_about(self, dice: EnteredDice) -> bool:
        """Return whether dice of the map's record are for this table, not for one of another kind.

        Undo can bring back the dice of a new table in place of those of a change.
        """
        return dice.changes_table == self.dice.changes_table

    def use_recorded_dice(self, dice: EnteredDice) -> None:
        """Go on with the dice that Undo or Redo has brought; ``build_again`` is to follow."""
        self.dice = dice
        self._scores_typed_ahead.clear()  # they were meant for other questions

    def _read_rolls_on_map(self) -> list[Roll | None]:
        """Return the rolls of the parts of the table that lies on the map now."""
        return [layer.roll for layer in self._throwing.table.parts().values()]

    # --- a round: build the table, and ask for the next die -----------------------------------

    def build_again(self) -> None:
        """Build the table as far as its dice are known, in a job, and ask for the next die.

        That is done after each change of its dice, of its choices, or of the map below it.
        """
        work = partial(build_so_far, self.dice, self._throwing.key, self._rolling.next_base())
        self._job.run(work, self._on_built, self._on_failed)

    def _ask_next_die(self) -> None:
        """Ask for the next die of an incomplete throw, or build the table and find the next one."""
        die = self.next_die
        # A die that was taken back can belong to the throw before the one that is asked for.
        is_same_throw = die is not None and self.dice.incomplete_name == die.name
        if self.dice.incomplete_throw and is_same_throw:
            self._ask()
        else:
            self.build_again()

    def _on_built(self, so_far: TableSoFar) -> None:
        """Ask for the next die of a table that is built so far, if one is missing."""
        table = so_far.table
        dice = self.dice
        if so_far.dice_count is not None:
            dice = dice.with_estimate(so_far.dice_count)
        if table.next_die is not None:
            # An incomplete throw of another name is not asked for any more.
            dice = dice.without_other_incomplete_throw(table.next_die.name)
        self.dice = dice
        self.table = table
        self.unused_dice = find_unused_dice(dice, table)
        if table.next_die is None:
            self._complete(table)
        # The first question of a change makes the record.
        elif self.is_recorded or self._write(dice, self._title):
            self._ask()
        else:
            self.record_refused.emit()

    def _ask(self) -> None:
        """Ask for the next die; a score that was typed ahead answers at once."""
        self.asked.emit()
        if self._scores_typed_ahead and not self._job.busy:
            self.enter_score(self._scores_typed_ahead.pop(0))

    def _complete(self, table: BuiltTable) -> None:
        """Report that the table lacks no die."""
        title = OWN_DICE
        if self.dice.count == 0 and not self.is_recorded:
            title = self._title  # no die had to be entered: the step is named for the change
        settings = settings_with(self.dice, scores_of(table))
        self.completed.emit(CompletedTable(settings, title, self.dice.count, 0, self.unused_dice))

    def _on_rest_thrown(self, table: BuiltTable) -> None:
        """Report that the program has thrown the last dice of the table."""
        rest = thrown_rest(self.dice, table)
        unused_dice = find_unused_dice(self.dice, table)
        self.completed.emit(
            CompletedTable(
                rest.settings, THROWN_REST, self.dice.count, rest.dice_count, unused_dice
            )
        )

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Report the first reason why the dice make no table."""
        self.refused.emit(problems[0].message)


def with_choices(dice: EnteredDice, values: Mapping[str, object]) -> EnteredDice:
    """Return dice for a table with other choices; ``values`` are those of the changed settings."""
    choices = {**dice.choices, **values}
    # With other choices the table takes another number of dice: it is estimated anew.
    dice = replace(dice, choices=choices, expected_count=0)
    return dice.for_road(Choices.of(choices).road)
