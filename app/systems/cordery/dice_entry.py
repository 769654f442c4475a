"""Begins and ends the entering of dice that a person throws: ``DiceEntry``.

While dice of a table are asked for, an ``Inquiry`` (inquiry.py) has all that belongs to it: its
questions, the dice so far, and their record in the map. It is made when somebody wants to enter
dice, and dropped when the last question is answered or the entering ends otherwise.

The dice of the current map are in one of these states::

    none       the map has no record of dice, and nothing is asked for
    building   there is an inquiry, and its table is built for the first question
    asking     there is an inquiry, and a die is asked for
    waiting    the map has a record of dice, but there is no inquiry: ``waiting_dice``

These methods lead from one state to another::

    begin_table          none or waiting -> building     a new table
    begin_change         none -> building                other choices for the table on the map
    begin_part_again     none -> building                other dice for one part of that table
    resume               waiting -> building             the dice that are still missing
    stop                 building or asking -> waiting   dice of a new table are kept
                         building or asking -> none      dice of a change are dropped
    leave_map            building or asking -> waiting   another map is current
    abandon              building or asking -> none      the map has changed so that the dice are
                                                         not for it (see ``EntryFollower``)

When all dice are there, the table is laid, and the state is *none*. If the map refuses the record,
or the dice make no table, the entering ends as by ``stop``.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.rolling import Rolling
from app.systems.cordery.inquiry import CompletedTable, Inquiry, with_choices
from app.systems.cordery.throwing import Throwing
from app.systems.cordery.waiting_table import WaitingTable
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice, ThrowScores
from randomizer.systems.cordery.page_parts import TITLES, part_of_die

BEGIN_TABLE = "Enter the dice"
"""The text of the undo step that begins to ask for the dice of a new table."""


class DiceEntry(QObject):
    """Lets a person enter the dice of a table of the current map, in one ``Inquiry`` at a time."""

    asked = Signal(object)
    """(Inquiry): its next die is asked for."""

    ended = Signal()
    """Nothing is asked for any more."""

    laying = Signal(object)
    """(CompletedTable): a table whose dice were entered is about to be laid."""

    refused = Signal(str)
    """(message): the reason why the dice make no table; nothing is asked for any more."""

    given_up = Signal()
    """Nothing is asked for any more, and no table is laid: the one on the map stays."""

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
        self.inquiry: Inquiry | None = None
        """The questions about the current map; None while nothing is asked for."""
        self.waiting_table = WaitingTable(throwing, rolling, self)
        """Builds the table so far of dice in the state *waiting*."""
        self._resumes_itself: WeakKeyDictionary[OpenMap, bool] = WeakKeyDictionary()
        """Whether an inquiry goes on by itself when its map is current again.

        False after ``stop``. A map about which nothing was asked since it was opened is missing.
        """
        connect(self.waiting_changed, self.update_waiting_table)

    # --- the state --------------------------------------------------------------------------

    @property
    def is_asking(self) -> bool:
        """True in the states *building* and *asking*."""
        return self.inquiry is not None

    @property
    def has_question(self) -> bool:
        """True in the state *asking*."""
        return self.inquiry is not None and self.inquiry.table is not None

    @property
    def busy(self) -> bool:
        """True while a table so far is being built: for a question, or as its dice wait."""
        is_inquiry_busy = self.inquiry is not None and self.inquiry.busy
        return is_inquiry_busy or self.waiting_table.busy

    @property
    def dice(self) -> EnteredDice:
        """The dice so far of the inquiry; no dice while nothing is asked for."""
        if self.inquiry is None:
            return EnteredDice()
        return self.inquiry.dice

    @property
    def waiting_dice(self) -> EnteredDice | None:
        """The dice of the current map in the state *waiting*; None in the other states."""
        if self.is_asking:
            return None
        return self.waiting_table.dice

    def update_waiting_table(self) -> None:
        """Show the table so far in the state *waiting*; in the others none is built for it."""
        if self.is_asking:
            self.waiting_table.cancel()
        else:
            self.waiting_table.show()

    # --- begin ------------------------------------------------------------------------------

    def begin_table(self) -> None:
        """Ask for all dice of a new table, or for those that a begun one still lacks.

        Decisions stay; dice that are fixed by hand belong to another table and are dropped.
        """
        waiting_dice = self.waiting_dice
        if waiting_dice is not None and not waiting_dice.changes_table:
            self.resume()
            return
        choices = self._throwing.map_choices.values_without_dice
        self._throwing.map_choices.choose(**choices)
        self._begin(EnteredDice(choices), BEGIN_TABLE)

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
            known_throws=self._known_throws(),
            previous_choices=dict(previous_choices),
        )
        dice = dice.for_road(throwing.map_choices.choices.road)
        self._begin(dice, "Change the table")

    def begin_part_again(self, part: str) -> None:
        """Ask for the dice of one part of the current table; those of the other parts are known.

        Features of later parts stay where they are as long as their areas are free, and else are
        placed by the dice that they had.
        """
        throws_of_other_parts = {
            name: scores
            for name, scores in self._known_throws().items()
            if part_of_die(name) != part
        }
        dice = EnteredDice(
            self._choices_of_change(self._throwing.table.previous_areas_for(part)),
            known_throws=throws_of_other_parts,
            previous_choices=dict(self._throwing.map_choices.values),
        )
        self._begin(dice, f"Throw again: {TITLES[part].lower()}")

    def _known_throws(self) -> ThrowScores:
        """Return the scores of all throws of the current table that are known, by name.

        The dice that are fixed by hand are known even if the log has no scores.
        """
        throwing = self._throwing
        return {**throwing.map_choices.fixed_scores(), **throwing.table.scores_in_log()}

    def _choices_of_change(self, previous_areas: str) -> dict[str, object]:
        """Return the choices for a change of the current table, whose dice are known.

        ``previous_areas`` is the setting of that name.
        """
        return {
            **self._throwing.map_choices.values_without_dice,
            "program_dice": self._throwing.map_choices.choices.program_dice,
            "previous_areas": previous_areas,
        }

    def resume(self) -> None:
        """Ask for the dice that the map's table still lacks."""
        waiting_dice = self.waiting_dice
        if waiting_dice is None:
            return
        self._throwing.map_choices.replace(waiting_dice.choices)
        self._begin(waiting_dice, "Go on entering")

    def resume_on_map(self) -> None:
        """Ask for the next die of a map that has become current, unless the user has stopped.

        If a table lies on a map that was just opened, nothing is asked until the user resumes. A
        table that lacks no die is not laid: it was laid before, and that was undone.
        """
        if self.waiting_dice is None:
            return
        is_bare = not self._throwing.table.parts()
        if self._resumes_itself.get(self._document.current_map, is_bare):
            self.waiting_table.ask_if_incomplete(self.resume)

    def _begin(self, dice: EnteredDice, title: str) -> None:
        """Begin an inquiry about a table with these dice so far; ``title`` is its undo step."""
        inquiry = Inquiry(dice, title, self._throwing, self._rolling, self)
        connect(inquiry.asked, self._on_asked)
        connect(inquiry.completed, self._lay)
        connect(inquiry.refused, self._on_refused)
        connect(inquiry.record_refused, self.stop)
        if self.inquiry is not None:
            # Something was decided during an inquiry.
            inquiry.continue_question_of(self.inquiry)
            self.inquiry.close()
        self.inquiry = inquiry
        self._resumes_itself[self._document.current_map] = True
        inquiry.begin()
        self.waiting_changed.emit()

    def _on_asked(self) -> None:
        self._throwing.setups.set_entering(True)
        self.asked.emit(self.inquiry)

    # --- enter ------------------------------------------------------------------------------

    def enter_score(self, score: int) -> None:
        """Enter the score of the die that is asked for; see ``Inquiry.enter_score``."""
        if self.inquiry is not None:
            self.inquiry.enter_score(score)

    def take_back_die(self) -> None:
        """Take back the last die of the table that is asked about."""
        if self.inquiry is not None:
            self.inquiry.take_back_die()

    def throw_remaining_dice(self) -> None:
        """Let the program throw all dice that are still asked for, and lay the table."""
        if self.inquiry is not None:
            self.inquiry.throw_remaining_dice()

    def change_choices(self, values: Mapping[str, object], text: str) -> None:
        """Change choices of the table whose dice are entered, or wait; an undo step named ``text``.

        With other choices the table may need other dice.
        """
        if self.inquiry is not None:
            is_changed = self.inquiry.change_choices(values, text)
        else:
            waiting_dice = self.waiting_dice
            assert waiting_dice is not None, "called only while dice are entered, or wait"
            is_changed = self._record.write(with_choices(waiting_dice, values), text)
        if is_changed:
            self._throwing.map_choices.choose(**values)
            self.waiting_changed.emit()

    # --- end --------------------------------------------------------------------------------

    def _lay(self, completed: CompletedTable) -> None:
        """Lay the table, all of whose dice are there: one undo step, which drops their record."""
        self._end()
        self.laying.emit(completed)
        change = MapChange({RECORD: None})
        self._throwing.lay_entered(completed.settings, change, completed.title)

    def stop(self) -> None:
        """End the inquiry before all dice are there.

        The map keeps the dice of a new table, and ``resume`` asks for the rest. Those of a change
        are dropped with the change, and the previous choices hold again. If no die was entered,
        nothing is left in the map.
        """
        inquiry = self.inquiry
        self._end()
        if inquiry is None:
            return
        self._resumes_itself[self._document.current_map] = False
        previous_choices = inquiry.dice.previous_choices
        if previous_choices is not None:
            self._throwing.map_choices.replace(previous_choices)
        elif inquiry.table is not None:
            self.waiting_table.show_built(inquiry.table)  # it is in sight without being built anew
        if self._record.was_made_by_last_step():
            # No die was entered after the beginning.
            self._record.undo_last_step()
            self.waiting_changed.emit()
        elif previous_choices is not None and self._record.exists:
            self.drop_dice()
        self.given_up.emit()

    def _on_refused(self, reason: str) -> None:
        self.stop()
        self.refused.emit(reason)

    def leave_map(self) -> None:
        """End the inquiry, as another map is current; the record and the choices stay."""
        self._end()

    def abandon(self, *, restores_choices: bool) -> None:
        """End the inquiry, as the map is not the one any more for which it was begun.

        With ``restores_choices`` those hold again with which a changed table was laid.
        """
        previous_choices = self.dice.previous_choices
        self._end()
        if previous_choices is not None and restores_choices:
            self._throwing.map_choices.replace(previous_choices)
        self.given_up.emit()

    def drop_dice(self) -> None:
        """Forget the dice that the map holds: one undo step."""
        self._record.drop()

    def _end(self) -> None:
        """Drop the inquiry, if there is one; the record and the choices stay as they are."""
        had_question = self.has_question
        if self.inquiry is not None:
            self.inquiry.close()
            self.inquiry = None
        if had_question:
            self._throwing.setups.set_entering(False)
            self.ended.emit()
        self.waiting_changed.emit()
