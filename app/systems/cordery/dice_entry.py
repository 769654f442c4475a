"""Dice that are thrown at a real table, asked for one after the other.

Those of a new table begin with nothing known, and the map shows what is laid so far. Where a table
lies and something about it is decided, its dice are known: only those that they do not answer are
asked for, and the table stays in sight until they are there.

What a person enters goes into a record of the map at once (entry_record.py). So a map that is
opened, or comes back to the front, can go on with its entry. An entry is in one of these states:

    none       the map has no record of dice, and nothing is asked for
    building   the table is built for the first question: ``is_asking``, not ``under_way``
    asking     a die is asked for: ``is_asking`` and ``under_way``
    waiting    the map has such a record, but nobody asks for more: ``waiting_dice``

``begin_table``, ``begin_change``, ``begin_part_again`` and ``resume`` lead to *building*, ``stop``
and ``leave_map`` away from *asking*. One round of asking: ``_ask`` builds the table in the
background, as far as its dice are known; ``_on_built`` asks for the next die (``asked``);
``enter_score`` writes its score into the map, and asks again. When no die is missing, ``_lay`` lays
the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.rolling import Rolling
from app.systems.cordery.entered_tables import (
    TableSoFar,
    build_known,
    build_so_far,
    build_with_rest,
    scores_of,
    scores_text,
    settings_with,
    thrown_rest,
    unused_dice,
)
from app.systems.cordery.entry_record import EntryRecord
from app.systems.cordery.throwing import OWN_DICE, THROWN_REST, Throwing
from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Roll
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice_log import BuiltTable
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice
from randomizer.systems.cordery.page_parts import PARTS, TITLES, part_of_die, part_of_step

BEGIN_TABLE = "Enter the dice"
"""The text of the undo step that begins to ask for the dice of a new table."""


@dataclass(eq=False)
class _Inquiry:
    """What is kept while dice of one table are asked for, from the first question to the last."""

    rolls: list[Roll | None]
    """The rolls of the parts that lay on the map when it began; [] for a bare map."""

    text_of_beginning: str
    """The text of the undo step that begins a change of a table; "" once that step is made.

    It is made with the first question: a change that lacks no die is laid as one step.
    """

    table: BuiltTable | None = None
    """The table so far; None until it is built for the first time."""

    typed_ahead: list[int] = field(default_factory=list)
    """Scores that came while the table was being built, in their order."""


class DiceEntry(QObject):
    """Asks for the dice of a table one by one, and keeps what is entered in the map."""

    asked = Signal(object)
    """(BuiltTable): the table so far, whose ``next_die`` is asked for."""

    ended = Signal()
    """Nothing is asked for any more."""

    laid = Signal(int, int)
    """(count, program_count): a table is laid for which so many dice were entered.

    ``program_count`` more are dice that the program has thrown instead.
    """

    refused = Signal(str)
    """(message): why the dice make no table."""

    waiting_changed = Signal()
    """``waiting_dice`` changed."""

    waiting_built = Signal(object)
    """(BuiltTable | None): the table so far whose dice wait on a bare map; None if there is none.
    """

    def __init__(
        self, document: MapDocument, throwing: Throwing, rolling: Rolling, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._throwing = throwing
        self._rolling = rolling
        self._record = EntryRecord(document)
        self._job = LatestJob(self)
        """Builds tables; a newer build replaces one that is not finished."""
        self._inquiry: _Inquiry | None = None
        """The inquiry that is going on; None while nothing is asked for."""
        self.dice = EnteredDice()
        """The dice of the table for which is asked, or was asked last."""
        self.unused_dice: tuple[str, ...] = ()
        """The names of the entered throws that nothing of the table so far has asked for."""
        self._recorded_dice = throwing.entered_dice()
        """The dice in the record of the current map, None without one."""
        self._asked_maps: WeakSet[OpenMap] = WeakSet()
        """The maps whose dice are asked for whenever they are current, until the user stops."""
        self._stopped_maps: WeakSet[OpenMap] = WeakSet()
        """The maps whose dice wait because the user has stopped entering them."""
        connect(self.waiting_changed, self._build_waiting_table)

    # --- what is asked for ------------------------------------------------------------------

    @property
    def is_asking(self) -> bool:
        """True while dice are asked for, or the table is built for the first question."""
        return self._inquiry is not None

    @property
    def under_way(self) -> bool:
        """True while dice are asked for, from the first question on."""
        return self._table is not None

    @property
    def _table(self) -> BuiltTable | None:
        """The table so far, whose ``next_die`` is asked for; None before the first question."""
        if self._inquiry is None:
            return None
        return self._inquiry.table

    @property
    def busy(self) -> bool:
        """True if the table so far is being built, before the next die is asked for."""
        return self._job.busy

    def later_parts_with_dice(self) -> list[str]:
        """Return the parts after the one whose die is asked for, of which dice are entered.

        There are none unless a choice, or a die taken back, has changed what is asked for.
        """
        table = self._table
        if table is None or table.next_die is None:
            return []
        later_parts = PARTS[PARTS.index(part_of_step(table.next_die.step)) + 1 :]
        parts_of_dice = {part_of_die(name) for name in self.dice.throws}
        return [part for part in later_parts if part in parts_of_dice]

    @property
    def waiting_dice(self) -> EnteredDice | None:
        """The dice that the map holds for a table which is not laid, and nobody asks for more."""
        if self.is_asking:
            return None
        dice = self._throwing.entered_dice()
        if dice is None or (dice.count == 0 and not dice.changes_table):
            return None
        return dice

    # --- beginning --------------------------------------------------------------------------

    def begin_table(self) -> None:
        """Ask for all dice of a new table, or for those that a begun one still lacks.

        What was decided stays decided.
        """
        waiting = self.waiting_dice
        if waiting is not None and not waiting.changes_table:
            self.resume()
            return
        choices = self._throwing.choices_without_dice
        self._throwing.choose(**choices)
        self._begin(EnteredDice(choices), BEGIN_TABLE)

    def resume(self) -> None:
        """Ask for the dice that the map's table still lacks."""
        waiting = self.waiting_dice
        if waiting is None:
            return
        self._throwing.replace_choices(waiting.choices)
        self._begin(waiting, "Go on entering")

    def resume_on_map(self) -> None:
        """Ask for the next die of a map that has become current, unless the user has stopped.

        Where a table lies on a map that was opened, that stays in sight: its user asks for more. A
        table that lacks no die is not laid by this: its laying was undone.
        """
        waiting = self.waiting_dice
        current_map = self._document.current_map
        if waiting is None or current_map in self._stopped_maps:
            return
        if current_map in self._asked_maps or not self._throwing.table.parts():
            work = partial(build_known, waiting, self._throwing.key, self._rolling.next_base())
            self._job.run(work, self._on_built_for_map, self._on_waiting_failed)

    def _on_built_for_map(self, table: BuiltTable) -> None:
        if table.next_die is not None:
            self.resume()

    def begin_change(self, previous_choices: Mapping[str, object]) -> None:
        """Ask for the dice of the current table that are not known, as something was decided.

        ``previous_choices`` hold again if the entry is stopped.
        """
        throwing = self._throwing
        previous_areas = throwing.table.previous_areas
        if throwing.choices.chains != Choices.of(previous_choices).chains:
            previous_areas = ""  # chains are seen only where the dice place features
        dice = EnteredDice(
            self._choices_of_change(previous_areas),
            known_throws=throwing.known_dice(),
            previous_choices=dict(previous_choices),
        )
        dice = dice.for_road(throwing.choices.road)
        self._begin(dice, "Change the table")

    def begin_part_again(self, part: str) -> None:
        """Ask for the dice of one part of the current table; those of the other parts are known.

        What later parts have laid stays where it still can, and else has the dice that it had.
        """
        dice = EnteredDice(
            self._choices_of_change(self._throwing.table.areas_after(part)),
            known_throws=self._throwing.known_dice(except_part=part),
            previous_choices=dict(self._throwing.chosen),
        )
        self._begin(dice, f"Throw again: {TITLES[part].lower()}")

    def _choices_of_change(self, previous_areas: str) -> dict[str, object]:
        """Return the choices for a change of the current table, whose dice are known.

        ``previous_areas`` is the setting of that name.
        """
        return {
            **self._throwing.choices_without_dice,
            "program_dice": self._throwing.choices.program_dice,
            "previous_areas": previous_areas,
        }

    # --- entering ---------------------------------------------------------------------------

    def change_choices(self, values: Mapping[str, object], text: str) -> None:
        """Change choices of the table whose dice are entered, or wait; an undo step named ``text``.

        Other dice may be asked for then.
        """
        self._throwing.choose(**values)
        dice = self.dice
        if not self.is_asking:
            dice = self._throwing.entered_dice() or dice
        # With other choices the number of dice is another one: it is estimated anew.
        dice = replace(dice, choices={**dice.choices, **values}, expected_count=0)
        dice = dice.for_road(self._throwing.choices.road)
        is_begun_in_map = self._inquiry is None or not self._inquiry.text_of_beginning
        if is_begun_in_map:
            self._write(dice, text)
        else:
            self.dice = dice  # the first question writes it, as the beginning of the change
        if self.is_asking:
            self._ask()
        else:
            self.waiting_changed.emit()

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
            self._go_on_asking()

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

        If the last undo step entered it, that step is undone; else taking it back is a step.
        """
        if self._inquiry is not None and self._inquiry.typed_ahead:
            self._inquiry.typed_ahead.pop()
            return
        if self._job.busy or not self.can_take_back:
            return
        dice = self.dice.without_last()
        if self._record.last_step_followed(dice):
            self._record.undo_last_step()
            # Those of the record: they know how many dice were expected then.
            self.dice = self._throwing.entered_dice() or dice
        elif not self._write(dice, "Take back a die"):
            return
        self._go_on_asking()

    @property
    def can_take_back(self) -> bool:
        """True if there is a die to take back."""
        return self.dice.count > 0

    # --- ending -----------------------------------------------------------------------------

    def stop(self) -> None:
        """Ask for nothing more: the map keeps the dice, and ``resume`` asks for the rest.

        Dice for a change of the table that lies go with that change: what was chosen before it
        holds again. An entry without any dice leaves nothing behind.
        """
        dice = self.dice
        table = self._table
        was_asking = self.is_asking
        if was_asking:
            self._stopped_maps.add(self._document.current_map)
            self._asked_maps.discard(self._document.current_map)
        self._end_inquiry()
        if not was_asking:
            return
        if table is not None and self._has_table_to_show():
            self.waiting_built.emit(table)  # at once: it stays in sight
        if dice.previous_choices is not None:
            self._throwing.replace_choices(dice.previous_choices)
        if self._record.last_step_made_record():
            self._record.undo_last_step()
            self.waiting_changed.emit()
        elif dice.changes_table and self._record.exists:
            self.drop_dice()

    def drop_dice(self) -> None:
        """Forget the dice that the map holds: one undo step."""
        self._record.drop()

    def leave_map(self) -> None:
        """Ask for nothing more, as another map is current."""
        self._end_inquiry()
        self._recorded_dice = self._throwing.entered_dice()

    def _end_inquiry(self) -> None:
        """Ask for nothing more; what the map holds and what is chosen stays as it is."""
        self._job.cancel()
        was_under_way = self.under_way
        self._inquiry = None
        if was_under_way:
            self._throwing.set_entering(False)
            self.ended.emit()
        self.waiting_changed.emit()

    # --- following the map ------------------------------------------------------------------

    def follow_change(self, region: Region) -> None:
        """Follow a change of the map: undo and redo take dice and choices, and give them back.

        After any other change, such as paint, the table is built on other ground, and the dice go
        on. With another table, another grid, or no record, nothing is asked for any more.
        """
        previous_dice = self._recorded_dice
        is_record_changed = RECORD in region.records or region.everything
        if is_record_changed:
            self._recorded_dice = self._throwing.entered_dice()
        if self._record.is_writing:
            return  # this object itself has changed the map
        if self._inquiry is not None:
            self._follow_while_asking(
                self._inquiry, region, previous_dice, is_record_changed=is_record_changed
            )
            return
        if is_record_changed or region.structure:
            self.waiting_changed.emit()
            if previous_dice is None:
                # The laying of its table was undone, or the beginning of a change redone.
                self.resume_on_map()
        else:
            self._build_waiting_table()  # the ground can be another
        self._take_choices_of_step(previous_dice)

    def _follow_while_asking(
        self,
        inquiry: _Inquiry,
        region: Region,
        previous_dice: EnteredDice | None,
        *,
        is_record_changed: bool,
    ) -> None:
        """Follow a change of the map, as ``follow_change``, while dice are asked for.

        ``previous_dice`` were in the record before the change, None without one.
        """
        dice = self._recorded_dice
        is_other_table = self._rolls_of_table() != inquiry.rolls
        is_same_entry = not region.reshaped and not is_other_table
        if inquiry.text_of_beginning and is_same_entry and not is_record_changed:
            self._ask()  # the change of the table is in no record yet
            return
        if dice is None or dice.changes_table != self.dice.changes_table or not is_same_entry:
            self._leave_undone_entry(is_other_table=is_other_table)
            return
        if is_record_changed:
            inquiry.typed_ahead.clear()  # they were meant for other questions
            self.dice = dice
            self._take_choices_of_step(previous_dice)
        self._ask()

    def _take_choices_of_step(self, previous_dice: EnteredDice | None) -> None:
        """Take the choices that the undo step of a choice has changed in the record.

        ``previous_dice`` were in the record before. Choices for a change of the table that lies
        hold only while its dice are asked for.
        """
        dice = self._recorded_dice
        if dice is None or previous_dice is None:
            return
        if dice.changes_table and not self.is_asking:
            return
        previous_choices = vars(Choices.of(previous_dice.choices))
        changes: dict[str, object] = {}
        for name, value in vars(Choices.of(dice.choices)).items():
            if value != previous_choices[name]:
                changes[name] = value
        if changes:
            self._throwing.choose(**changes)

    def _leave_undone_entry(self, *, is_other_table: bool) -> None:
        """Ask for nothing more, as the map is not the one for which it was asked.

        If the beginning of a change was undone, what was chosen before it holds again.
        """
        previous_choices = self.dice.previous_choices
        self._end_inquiry()
        if previous_choices is not None and not is_other_table:
            self._throwing.replace_choices(previous_choices)

    # --- dice that wait ---------------------------------------------------------------------

    def _has_table_to_show(self) -> bool:
        """Return whether dice wait on a bare map. A table that lies stays in sight instead."""
        waiting = self.waiting_dice
        if waiting is None or waiting.changes_table:
            return False
        return not self._throwing.table.parts()

    def _build_waiting_table(self) -> None:
        """Build the table so far whose dice wait, to be shown."""
        if self.is_asking:
            return
        waiting = self.waiting_dice
        if waiting is None or not self._has_table_to_show():
            self._job.cancel()
            self.waiting_built.emit(None)
            return
        work = partial(build_known, waiting, self._throwing.key, self._rolling.next_base())
        self._job.run(work, self._on_waiting_built, self._on_waiting_failed)

    def _on_waiting_built(self, table: BuiltTable) -> None:
        self.waiting_built.emit(table)

    def _on_waiting_failed(self, _problems: tuple[Problem, ...]) -> None:
        self.waiting_built.emit(None)  # the reason is told when the user goes on

    # --- asking for dice --------------------------------------------------------------------

    def _begin(self, dice: EnteredDice, text: str) -> None:
        """Begin to ask for the dice that a table lacks beside those that are entered.

        The beginning is an undo step named ``text``, unless the map has such a record already. That
        of a change is made once a die is lacking.
        """
        self.dice = dice
        inquiry = _Inquiry(self._rolls_of_table(), text_of_beginning="")
        if self._inquiry is not None:
            # Something is decided while dice are asked for: the question stays until the next one.
            inquiry.table = self._inquiry.table
            inquiry.typed_ahead = self._inquiry.typed_ahead
        self._inquiry = inquiry
        self._stopped_maps.discard(self._document.current_map)
        self._asked_maps.add(self._document.current_map)
        if dice.changes_table and not self._record.exists:
            inquiry.text_of_beginning = text
        else:
            self._write(dice, text)
        self.waiting_changed.emit()
        self._ask()

    def _rolls_of_table(self) -> list[Roll | None]:
        return [layer.roll for layer in self._throwing.table.parts().values()]

    def _write(self, dice: EnteredDice, text: str) -> bool:
        """Put dice into the map's record as an undo step; False if it refuses them."""
        is_written = self._record.write(dice, text)
        if is_written:
            self.dice = dice
        return is_written

    def _go_on_asking(self) -> None:
        """Ask for the next die of the throw under way, or for the next throw."""
        name_of_question = ""
        table = self._table
        if table is not None and table.next_die is not None:
            name_of_question = table.next_die.name
        # A die that was taken back can belong to the throw before the one that is asked for.
        if self.dice.incomplete_throw and self.dice.incomplete_name == name_of_question:
            self._ask_for_die()
        else:
            self._ask()

    def _ask(self) -> None:
        """Build the table as far as its dice are known, and ask for the next one."""
        work = partial(build_so_far, self.dice, self._throwing.key, self._rolling.next_base())
        self._job.run(work, self._on_built, self._fail)

    def _on_built(self, so_far: TableSoFar) -> None:
        """Ask for the next die of a table that is built so far, or lay it if none is missing."""
        inquiry = self._inquiry
        assert inquiry is not None, "the job is cancelled when an inquiry ends"
        table = so_far.table
        dice = self.dice
        if so_far.dice_count is not None:
            dice = dice.expecting(so_far.dice_count)
        if table.next_die is not None:
            dice = dice.for_throw(table.next_die.name)  # another one is asked for no more
        self.dice = dice
        inquiry.table = table
        self.unused_dice = unused_dice(dice, table)
        if table.next_die is None:
            self._lay(table, text_of_beginning=inquiry.text_of_beginning)
            return
        self._throwing.set_entering(True)
        if inquiry.text_of_beginning:
            text = inquiry.text_of_beginning
            inquiry.text_of_beginning = ""
            self._write(dice, text)
        self._ask_for_die()

    def _ask_for_die(self) -> None:
        """Ask for the next die; a score that was typed ahead answers at once."""
        self.asked.emit(self._table)
        inquiry = self._inquiry
        if inquiry is not None and inquiry.typed_ahead and not self._job.busy:
            self.enter_score(inquiry.typed_ahead.pop(0))

    def _lay(self, table: BuiltTable, *, text_of_beginning: str) -> None:
        """Lay the table, all of whose dice are there.

        If no die was entered for it, the undo step has the text of the beginning, unless that is a
        step already ("").
        """
        settings = settings_with(self.dice, scores_of(table))
        count = self.dice.count
        title = OWN_DICE
        if count == 0:
            title = text_of_beginning or OWN_DICE
        self._end_inquiry()
        self.laid.emit(count, 0)
        self._throwing.lay_entered(settings, MapChange({RECORD: None}), title)

    def _on_rest_thrown(self, table: BuiltTable) -> None:
        """Lay the table, whose last dice the program has thrown."""
        self.unused_dice = unused_dice(self.dice, table)
        rest = thrown_rest(self.dice, table)
        count = self.dice.count
        self._end_inquiry()
        self.laid.emit(count, rest.dice_count)
        self._throwing.lay_entered(rest.settings, MapChange({RECORD: None}), THROWN_REST)

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        """Stop asking, and tell the first reason why the dice make no table."""
        self.stop()
        self.refused.emit(problems[0].message)
