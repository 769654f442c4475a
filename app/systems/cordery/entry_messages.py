"""The status line while a person enters the dice of a table: ``EntryMessages``.

``EntryController`` calls it at each event of the entry::

    tell_before_question    "Not used any more: hill 2 row, as what lies before is another now."
    show_question           the question itself, while the panel that asks it cannot be seen
    tell_wrong_score        no die shows the digit that was typed
    note_laying             notes for ``TableNews`` what is told when the table is laid
    tell_stopped            the user enters no more dice: what becomes of those that are there
    tell_refusal            the dice make no table
    clear_question          nothing is asked for any more

Entered dice become *unused* if a choice, or a die that was taken back, changes what the table is
asked for: its hill 3 has no dice any more, say, if it has two hills now.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from app.systems.cordery.dice_entry_strip import WRONG_SCORE
from app.systems.cordery.die_questions import describe_die, describe_score
from app.systems.cordery.table_messages import (
    SHOWS_PANEL,
    TableNews,
    describe_completed,
    describe_dropped,
    describe_kept,
    describe_returning_dice,
    describe_unused_dice,
)
from randomizer.systems.cordery.page_parts import part_of_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.desk.desk import Desk
    from app.systems.cordery.inquiry import CompletedTable, Inquiry
    from randomizer.systems.cordery.entered_dice import EnteredDice


class _LastingText(Enum):
    """The text of this class that stays in the status line until it is out of date."""

    NONE = auto()

    QUESTION = auto()
    """The question for the next die; until the panel is seen, or nothing is asked for."""

    WRONG_SCORE = auto()
    """No die shows the digit that was typed; until the next question."""


class EntryMessages:
    """Tells what becomes of the dice that are entered.

    ``news`` has what others have noted about the table that is to be laid, and is told with its
    first question, or when it is laid.
    """

    def __init__(self, desk: Desk, news: TableNews) -> None:
        self._desk = desk
        self._news = news
        self._told_unused_dice: set[str] = set()
        """The names of the unused dice that the user was told of."""
        self._lasting_text = _LastingText.NONE

    # --- with a question --------------------------------------------------------------------

    def tell_before_question(self, inquiry: Inquiry) -> None:
        """Tell what the dice are for, with the first question, and what became of those so far."""
        purpose = self._news.pop_lacking_dice()
        choice = self._news.pop_choice()
        new_unused_dice = self._not_told_yet(inquiry.unused_dice)
        self._told_unused_dice = set(inquiry.unused_dice)

        die = inquiry.next_die
        later_parts = inquiry.later_parts_with_dice()
        sentence = ""
        if die is not None and choice and later_parts:
            # The choice makes an earlier part ask for more dice, before those of later parts.
            sentence = describe_returning_dice(choice, part_of_step(die.step), later_parts)
        elif new_unused_dice:
            sentence = describe_unused_dice(new_unused_dice, choice)
        text = f"{purpose} {sentence}".strip()
        if text:
            self._desk.say(text)
            self._lasting_text = _LastingText.NONE  # it is covered

    def show_question(self, inquiry: Inquiry) -> None:
        """Ask for the next die in the status line if the panel cannot be seen.

        If it can, the panel asks, and the line does so no more. A wrong score that was told before
        belonged to an earlier question.
        """
        die = inquiry.next_die
        if die is not None and not self._desk.docks.is_in_front("dice"):
            score = describe_score(die, len(inquiry.dice.incomplete_throw))
            text = f"{describe_die(die)}, and press {score}, 1 to 6. {SHOWS_PANEL}"
            self._desk.say(text, lasting=True)
            self._lasting_text = _LastingText.QUESTION
        else:
            self._clear_lasting_text()

    def tell_wrong_score(self) -> None:
        """Tell that no die shows the digit that was typed."""
        self._desk.say(WRONG_SCORE)
        self._lasting_text = _LastingText.WRONG_SCORE

    # --- at the end -------------------------------------------------------------------------

    def note_laying(self, completed: CompletedTable) -> None:
        """Note what is to be told of a table that is being laid, all of whose dice are there."""
        text = describe_completed(completed.entered_count, completed.program_count)
        unused_dice = self._not_told_yet(completed.unused_dice)
        self.forget_table()
        if not text:
            return  # no die was entered: the text about the choice stays, which laid the table
        if unused_dice:
            text = f"{text} {describe_unused_dice(unused_dice)}"
        self._news.text = text

    def tell_stopped(self, stopped_dice: EnteredDice, waiting_dice: EnteredDice | None) -> None:
        """Tell what has become of the dice of an entry that the user has stopped.

        ``waiting_dice`` are those that the map has kept, None for none.
        """
        self.forget_table()
        self._news.forget()
        if stopped_dice.changes_table:
            self._desk.say(describe_dropped(stopped_dice.count))
        elif waiting_dice is not None:
            self._desk.say(describe_kept(waiting_dice.count))

    def tell_refusal(self, reason: str) -> None:
        """Tell why the dice make no table."""
        self._news.forget()
        self._desk.say(reason)

    def clear_question(self) -> None:
        """Clear the question, and forget what was to be told with one."""
        self._news.pop_lacking_dice()
        self._clear_lasting_text()

    def forget_table(self) -> None:
        """Forget what was told, as the next dice are those of another table."""
        self._told_unused_dice.clear()

    # --- helpers ----------------------------------------------------------------------------

    def _not_told_yet(self, unused_dice: Sequence[str]) -> list[str]:
        """Return the names of the unused dice that the user does not know of."""
        return [name for name in unused_dice if name not in self._told_unused_dice]

    def _clear_lasting_text(self) -> None:
        """Clear the status line if it shows a text of this class."""
        if self._lasting_text is not _LastingText.NONE:
            self._lasting_text = _LastingText.NONE
            self._desk.say("")
