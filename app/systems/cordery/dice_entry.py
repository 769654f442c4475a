"""Asks for the dice of a table that are thrown at a real table, one after the other.

A *table* is a map that dice lay by the steps of Cordery's page. The dice are asked for in one of
two cases:

- a *new table*: no die is known at first, and the map shows what is laid so far;
- a *change* of the table that lies: its dice are known, and only those that the change needs in
  addition are asked for. The old table stays in sight until they are there.

What a person enters goes into a record of the map at once (entry_record.py), as an undo step. So a
map that is opened, or becomes current again, can go on with its dice. A map is in one of these
states:

    none       it has no record of dice, and nothing is asked for
    building   the table is built for the first question: ``is_asking``, not ``has_question``
    asking     a die is asked for: ``is_asking`` and ``has_question``
    waiting    it has such a record, but nobody asks for more dice: ``waiting_dice``. What the map
               shows then is the subject of ``WaitingTable``

``begin_table``, ``begin_change``, ``begin_part_again`` and ``resume`` lead to *building*, ``stop``
away from *asking*. Undo and other changes of the map are followed by ``EntryFollower``. All
questions about one table are an *inquiry* (``_Inquiry``). One round of it::

    ask_again           builds the table in the background, as far as its dice are known
    _on_built           finds the next die, or lays the table (``_lay``) if none is missing
    _emit_question      emits ``asked``
    enter_score         writes the score into the map, and begins the next round
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.map_change import MapChange
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
from app.systems.cordery.waiting_table import WaitingTable
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice_log import BuiltTable
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice
from randomizer.systems.cordery.page_parts import PARTS, TITLES, part_of_die, part_of_step

BEGIN_TABLE = "Enter the dice"
"""The text of the undo step that begins to ask for the dice of a new table."""


class _LastAct(Enum):
    """What became last of the inquiry about a map; it decides whether the inquiry resumes itself.

    A map that was just opened has none of these: its inquiry resumes if no table lies there.
    """

    BEGUN = auto()
    """An inquiry has begun, and was not stopped: it resumes when the map is current again."""

    STOPPED = auto()
    """The user has stopped entering dice: they wait until the user resumes."""


@dataclass(eq=False)
class _Inquiry:
    """The state while dice of one table are asked for; it ends with the last question."""

    table_identity: list[Roll | None]
    """The rolls of the parts that lay on the map when the inquiry began; [] for a bare map.

    If they are others later, the map has another table.
    """

    title: str
    """The text of the undo step that begins it."""

    is_recorded: bool
    """True once that step is made, and the map has the record of its dice.

    A new table is recorded at once. A change of a table is recorded with its first question, so
    that a change which lacks no die is one step: that which lays the table.
    """

    table: BuiltTable | None = None
    """The table so far, which lacks a die; None until it is built for the first time.

    (For a moment it lacks none: when it is complete, and about to be laid.)
    """

    typed_ahead: list[int] = field(default_factory=list)
    """The scores that were typed while the table was being built, in their order."""


class DiceEntry(QObject):
    """Asks for the dice of a table one by one, and keeps what is entered in the map."""

    asked = Signal(object)
    """(BuiltTable): the table so far, whose ``next_die`` is asked for."""

    ended = Signal()
    """Nothing is asked for any more."""

    laying = Signal(int, int)
    """(count, program_count): a table is about to be laid with ``count`` dice that were entered.

    The program has thrown ``program_count`` more dice for it.
    """

    refused = Signal(str)
    """(message): the reason why the dice make no table; nothing is asked for any more."""

    waiting_changed = Signal()
    """``waiting_dice`` changed."""

    def __init__(
        self, document: MapDocument, throwing: Throwing, rolling: Rolling, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._throwing = throwing
        self._rolling = rolling
        self._record = throwing.entry_record
        self._job = LatestJob(self)
        """Builds tables; a newer build replaces one that is not finished."""
        self.waiting_table = WaitingTable(throwing, rolling, self._job, self)
        """Builds the table so far of dice in the state *waiting*."""
        self._inquiry: _Inquiry | None = None
        """The inquiry about the current map; None while nothing is asked for."""
        self.dice = EnteredDice()
        """The dice of the current inquiry, or of the last one."""
        self.unused_dice: tuple[str, ...] = ()
        """The names of the entered throws for which the table so far has no use."""
        self._last_acts: WeakKeyDictionary[OpenMap, _LastAct] = WeakKeyDictionary()
        """What became last of the inquiry about each map; no entry for a map without one."""
        connect(self.waiting_changed, self.show_waiting_table)

    # --- what is asked for ------------------------------------------------------------------

    @property
    def is_asking(self) -> bool:
        """True during an inquiry: in the states *building* and *asking*."""
        return self._inquiry is not None

    @property
    def has_question(self) -> bool:
        """True in the state *asking*: from the first question of an inquiry to its end."""
        return self._table is not None

    @property
    def _table(self) -> BuiltTable | None:
        """The table so far, whose ``next_die`` is asked for; None unless ``has_question``."""
        if self._inquiry is None:
            return None
        return self._inquiry.table

    @property
    def busy(self) -> bool:
        """True if the table so far is being built, before the next die is asked for."""
        return self._job.busy

    def later_parts_with_dice(self) -> list[str]:
        """Return the parts with entered dice after the part whose die is asked for.

        There are such parts if a choice, or a die that was taken back, makes an earlier part ask
        for more dice.
        """
        table = self._table
        if table is None or table.next_die is None:
            return []
        later_parts = PARTS[PARTS.index(part_of_step(table.next_die.step)) + 1 :]
        parts_of_dice = {part_of_die(name) for name in self.dice.throws}
        return [part for part in later_parts if part in parts_of_dice]

    @property
    def waiting_dice(self) -> EnteredDice | None:
        """The dice of the current map in the state *waiting*; None in the other states."""
        if self.is_asking:
            return None
        return self.waiting_table.dice

    # --- beginning --------------------------------------------------------------------------

    def begin_table(self) -> None:
        """Ask for all dice of a new table, or for those that a begun one still lacks.

        Decisions stay; dice that are fixed by hand belong to another table and are dropped.
        """
        waiting = self.waiting_dice
        if waiting is not None and not waiting.changes_table:
            self.resume()
            return
        choices = self._throwing.map_choices.values_without_dice
        self._throwing.map_choices.choose(**choices)
        self._begin(EnteredDice(choices), BEGIN_TABLE)

    def resume(self) -> None:
        """Ask for the dice that the map's table still lacks."""
        waiting = self.waiting_dice
        if waiting is None:
            return
        self._throwing.map_choices.replace(waiting.choices)
        self._begin(waiting, "Go on entering")

    def resume_on_map(self) -> None:
        """Ask for the next die of a map that has become current, unless the user has stopped.

        If a table lies on a map that was just opened, nothing is asked until the user resumes. A
        table that lacks no die is not laid: it was laid before, and that was undone.
        """
        if self.waiting_dice is None:
            return
        last_act = self._last_acts.get(self._document.current_map)
        is_bare = not self._throwing.table.parts()
        if last_act is _LastAct.BEGUN or (last_act is None and is_bare):
            self.waiting_table.ask_if_incomplete(self.resume)

    def begin_change(self, previous_choices: Mapping[str, object]) -> None:
        """Ask for the dice that the current table lacks with its new choices.

        ``previous_choices`` are those with which it was laid; they hold again if the user stops.
        """
        throwing = self._throwing
        previous_areas = throwing.table.previous_areas
        if throwing.map_choices.choices.chains != Choices.of(previous_choices).chains:
            previous_areas = ""  # chains are seen only where the dice place features
        dice = EnteredDice(
            self._choices_of_change(previous_areas),
            known_throws=throwing.known_dice(),
            previous_choices=dict(previous_choices),
        )
        dice = dice.for_road(throwing.map_choices.choices.road)
        self._begin(dice, "Change the table")

    def begin_part_again(self, part: str) -> None:
        """Ask for the dice of one part of the current table; those of the other parts are known.

        Features of later parts stay where they are as long as their areas are free, and else are
        placed by the dice that they had.
        """
        dice = EnteredDice(
            self._choices_of_change(self._throwing.table.previous_areas_for(part)),
            known_throws=self._throwing.known_dice(except_part=part),
            previous_choices=dict(self._throwing.map_choices.values),
        )
        self._begin(dice, f"Throw again: {TITLES[part].lower()}")

    def _choices_of_change(self, previous_areas: str) -> dict[str, object]:
        """Return the choices for a change of the current table, whose dice are known.

        ``previous_areas`` is the setting of that name.
        """
        return {
            **self._throwing.map_choices.values_without_dice,
            "program_dice": self._throwing.map_choices.choices.program_dice,
            "previous_areas": previous_areas,
        }

    # --- entering ---------------------------------------------------------------------------

    def change_choices(self, values: Mapping[str, object], text: str) -> None:
        """Change choices of the table whose dice are entered, or wait; an undo step named ``text``.

        With other choices the table may need other dice.
        """
        self._throwing.map_choices.choose(**values)
        dice = self.dice
        if not self.is_asking:
            dice = self._record.read() or dice
        # With other choices the number of dice is another one: it is estimated anew.
        dice = replace(dice, choices={**dice.choices, **values}, expected_count=0)
        dice = dice.for_road(self._throwing.map_choices.choices.road)
        if self._inquiry is None:
            self._write(dice, text)
            self.waiting_changed.emit()
            return
        if self._inquiry.is_recorded:
            self._write(dice, text)
        else:
            self.dice = dice  # the first question writes it, as the beginning of the change
        self.ask_again()

    def enter_score(self, score: int) -> None:
        """Enter the score of the die that is asked for; while a table is built, of the next one."""
        if self._inquiry is None:
            return
        if self._job.busy:
            self._inquiry.typed_ahead.append(score)
            return
        table = self._inquiry.table
        if table is None or table.next_die is None:
            return
        die = table.next_die
        dice = self.dice.with_die(die.name, die.count, score)
        scores = dice.throws.get(die.name, dice.incomplete_throw)
        name = die.name[:1].upper() + die.name[1:]
        if self._write(dice, f"Enter {name}: {scores_text(scores)}"):
            self._ask_next_die()

    def throw_remaining_dice(self) -> None:
        """Let the program throw all dice that are still asked for, and lay the table."""
        if self._inquiry is None or self._inquiry.table is None:
            return
        self._inquiry.typed_ahead.clear()
        # A seed of its own: with the one of the panel each table would get the same dice.
        key = DrawKey(self._rolling.key_choice.choose_seed(), 0).checked()
        work = partial(build_with_rest, self.dice, key, self._rolling.next_base())
        self._job.run(work, self._on_rest_thrown, self._fail)

    def take_back_die(self) -> None:
        """Take the last die back: one that was typed ahead, else the last one in the map.

        If the last undo step of the map entered this die, that step is undone. Otherwise taking it
        back is an undo step of its own.
        """
        if self._inquiry is not None and self._inquiry.typed_ahead:
            self._inquiry.typed_ahead.pop()
            return
        if self._job.busy or not self.can_take_back:
            return
        dice = self.dice.without_last()
        if self._record.undo_would_leave(dice):
            self._record.undo_last_step()
            # Those of the record: they know how many dice were expected then.
            self.dice = self._record.read() or dice
        elif not self._write(dice, "Take back a die"):
            return
        self._ask_next_die()

    @property
    def can_take_back(self) -> bool:
        """True if there is a die to take back."""
        return self.dice.count > 0

    # --- ending -----------------------------------------------------------------------------

    def stop(self) -> None:
        """End the inquiry, as the user wants.

        The map keeps the dice of a new table, and ``resume`` asks for the rest. Those of a change
        are dropped with the change, and the previous choices hold again. If no die was entered,
        nothing is left in the map.
        """
        inquiry = self._inquiry
        if inquiry is None:
            self.end_inquiry()  # a table whose dice wait may be being built
            return
        self._last_acts[self._document.current_map] = _LastAct.STOPPED
        self.end_inquiry()
        if self.dice.previous_choices is None:
            self._stop_new_table(inquiry)
        else:
            self._stop_change(self.dice.previous_choices)

    def _stop_new_table(self, inquiry: _Inquiry) -> None:
        """Leave the dice of a new table in the map, with the table so far in sight."""
        if inquiry.table is not None:
            self.waiting_table.show_built(inquiry.table)
        self._undo_beginning_without_dice()

    def _stop_change(self, previous_choices: Mapping[str, object]) -> None:
        """Go back from a change of the table to the choices with which it was laid."""
        self._throwing.map_choices.replace(previous_choices)
        if not self._undo_beginning_without_dice() and self._record.exists:
            self.drop_dice()

    def _undo_beginning_without_dice(self) -> bool:
        """Take back the step that began the record, if no die was entered after it.

        Return whether that is so.
        """
        if not self._record.was_made_by_last_step():
            return False
        self._record.undo_last_step()
        self.waiting_changed.emit()
        return True

    def drop_dice(self) -> None:
        """Forget the dice that the map holds: one undo step."""
        self._record.drop()

    def end_inquiry(self) -> None:
        """End the inquiry; the record of the map and the choices stay as they are."""
        self._job.cancel()
        was_under_way = self.has_question
        self._inquiry = None
        if was_under_way:
            self._throwing.set_entering(False)
            self.ended.emit()
        self.waiting_changed.emit()

    # --- for ``EntryFollower``, which follows the map ----------------------------------------

    @property
    def has_other_table(self) -> bool:
        """True if the map has another table than the one that the inquiry is about."""
        inquiry = self._inquiry
        return inquiry is not None and self._table_identity() != inquiry.table_identity

    @property
    def is_recorded(self) -> bool:
        """True if the map has the record of the inquiry; a change has none before a question."""
        return self._inquiry is not None and self._inquiry.is_recorded

    def use_recorded_dice(self, dice: EnteredDice) -> None:
        """Go on with other dice, which Undo or Redo has brought; ``ask_again`` is to follow."""
        self.dice = dice
        if self._inquiry is not None:
            self._inquiry.typed_ahead.clear()  # they were meant for other questions

    def abandon(self, *, restores_choices: bool) -> None:
        """End the inquiry, as the map is not the one any more for which it was begun.

        With ``restores_choices`` those hold again with which a changed table was laid.
        """
        previous_choices = self.dice.previous_choices
        self.end_inquiry()
        if previous_choices is not None and restores_choices:
            self._throwing.map_choices.replace(previous_choices)

    def show_waiting_table(self) -> None:
        """Show the table so far of dice that wait; while dice are asked for, none wait."""
        if not self.is_asking:
            self.waiting_table.show()

    # --- asking for dice --------------------------------------------------------------------

    def _begin(self, dice: EnteredDice, text: str) -> None:
        """Begin an inquiry for a table with the dice ``dice`` so far.

        Its beginning is an undo step named ``text``: for a new table now, for a change with the
        first question.
        """
        self.dice = dice
        is_deferred = dice.changes_table and not self._record.exists
        inquiry = _Inquiry(self._table_identity(), text, is_recorded=not is_deferred)
        if self._inquiry is not None:
            # Something was decided during an inquiry: its question stays until the next one.
            inquiry.table = self._inquiry.table
            inquiry.typed_ahead = self._inquiry.typed_ahead
        self._inquiry = inquiry
        self._last_acts[self._document.current_map] = _LastAct.BEGUN
        if inquiry.is_recorded and not self._write(dice, text):
            self.stop()  # the map refuses the record, and has told why
            return
        self.waiting_changed.emit()
        self.ask_again()

    def _table_identity(self) -> list[Roll | None]:
        """Return the rolls of the parts of the table that lies now."""
        return [layer.roll for layer in self._throwing.table.parts().values()]

    def _write(self, dice: EnteredDice, text: str) -> bool:
        """Write dice into the map's record as an undo step; return False if the map refuses it."""
        is_written = self._record.write(dice, text)
        if is_written:
            self.dice = dice
        return is_written

    def _ask_next_die(self) -> None:
        """Ask for the next die of an incomplete throw, or for the next throw."""
        name_of_question = ""
        table = self._table
        if table is not None and table.next_die is not None:
            name_of_question = table.next_die.name
        # A die that was taken back can belong to the throw before the one that is asked for.
        if self.dice.incomplete_throw and self.dice.incomplete_name == name_of_question:
            self._emit_question()
        else:
            self.ask_again()

    def ask_again(self) -> None:
        """Build the table as far as its dice are known, in a job, and ask for the next die.

        That is done after each change of its dice, of its choices, or of the map below it.
        """
        work = partial(build_so_far, self.dice, self._throwing.key, self._rolling.next_base())
        self._job.run(work, self._on_built, self._fail)

    def _on_built(self, so_far: TableSoFar) -> None:
        """Ask for the next die of a table that is built so far, or lay it if none is missing."""
        inquiry = self._inquiry
        assert inquiry is not None, "the job is cancelled when an inquiry ends"
        table = so_far.table
        dice = self.dice
        if so_far.dice_count is not None:
            dice = dice.with_estimate(so_far.dice_count)
        if table.next_die is not None:
            # An incomplete throw of another name is not asked for any more.
            dice = dice.without_other_incomplete_throw(table.next_die.name)
        self.dice = dice
        inquiry.table = table
        self.unused_dice = find_unused_dice(dice, table)
        if table.next_die is None:
            self._lay(table, inquiry)
            return
        self._throwing.set_entering(True)
        if not inquiry.is_recorded:
            inquiry.is_recorded = True
            if not self._write(dice, inquiry.title):
                self.stop()  # the map refuses the record, and has told why
                return
        self._emit_question()

    def _emit_question(self) -> None:
        """Ask for the next die; a score that was typed ahead answers at once."""
        self.asked.emit(self._table)
        inquiry = self._inquiry
        if inquiry is not None and inquiry.typed_ahead and not self._job.busy:
            self.enter_score(inquiry.typed_ahead.pop(0))

    def _lay(self, table: BuiltTable, inquiry: _Inquiry) -> None:
        """Lay the table, all of whose dice are there, as one undo step.

        If no die had to be entered for it, the step is named for the change that began the inquiry.
        """
        settings = settings_with(self.dice, scores_of(table))
        count = self.dice.count
        title = OWN_DICE
        if count == 0 and not inquiry.is_recorded:
            title = inquiry.title
        self.end_inquiry()
        self.laying.emit(count, 0)
        self._throwing.lay_entered(settings, MapChange({RECORD: None}), title)

    def _on_rest_thrown(self, table: BuiltTable) -> None:
        """Lay the table, whose last dice the program has thrown."""
        self.unused_dice = find_unused_dice(self.dice, table)
        rest = thrown_rest(self.dice, table)
        count = self.dice.count
        self.end_inquiry()
        self.laying.emit(count, rest.dice_count)
        self._throwing.lay_entered(rest.settings, MapChange({RECORD: None}), THROWN_REST)

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        """Stop asking, and tell the first reason why the dice make no table."""
        self.stop()
        self.refused.emit(problems[0].message)
