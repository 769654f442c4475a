"""What the status line tells while dice are entered: ``EntryMessages``.

``EntryController`` calls it when something has happened. Most sentences are told once. Two stay in
the line until they hold no more (``_StatusText``): the question for the next die, while the panel
that asks it cannot be seen, and that no die shows the digit which was typed.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from app.systems.cordery.dice_entry_strip import WRONG_SCORE
from app.systems.cordery.die_questions import describe_die, describe_score
from app.systems.cordery.table_messages import (
    SHOWS_PANEL,
    TableNews,
    describe_dropped,
    describe_returning_dice,
    describe_unused_dice,
)
from randomizer.model.basics.plurals import counted
from randomizer.systems.cordery.page_parts import part_of_step

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from randomizer.systems.cordery.dice.wanted_die import DieWantedError
    from randomizer.systems.cordery.entered_dice import EnteredDice


class _StatusText(Enum):
    """Which text of this class the status line shows; it is cleared when it holds no more."""

    NOTHING = auto()

    QUESTION = auto()
    """The question for the next die: the panel, which asks for it, cannot be seen."""

    WRONG_SCORE = auto()
    """No die shows the digit that was typed. It goes with the next question."""


class EntryMessages:
    """Tells what becomes of the dice that are entered.

    ``news`` gets what is to be told when all dice are there and the table is laid.
    """

    def __init__(self, desk: Desk, entry: DiceEntry, news: TableNews) -> None:
        self._desk = desk
        self._entry = entry
        self._news = news
        self._told_unused_dice: set[str] = set()
        """The entered dice that are not used any more, as far as the user knows of them."""
        self._status_text = _StatusText.NOTHING
        """What the status line shows of these texts."""

    def forget_table(self) -> None:
        """Forget what was told, as the next dice are those of another table."""
        self._told_unused_dice.clear()

    # --- with a question --------------------------------------------------------------------

    def tell_before_question(self, die: DieWantedError) -> None:
        """Tell what the dice are for, with the first question, and what became of those so far."""
        if self._news.lacking_dice:
            self._desk.say(self._news.lacking_dice)
            self._news.lacking_dice = ""
        choice = self._news.choice
        self._news.choice = ""
        sentence = self._describe_new_unused_dice(choice)
        # After a choice that makes an earlier part ask for more dice, those of later parts wait.
        later_parts = self._entry.later_parts_with_dice()
        if choice and later_parts:
            sentence = describe_returning_dice(choice, part_of_step(die.step), later_parts)
        if sentence:
            self._desk.say(sentence)

    def _describe_new_unused_dice(self, choice: str = "") -> str:
        """Return a sentence about the unused dice that the user does not know of; "" for none.

        ``choice`` is the sentence about the choice that is the reason, if one is.
        """
        unused_dice = self._entry.unused_dice
        new_names = [name for name in unused_dice if name not in self._told_unused_dice]
        self._told_unused_dice = set(unused_dice)
        if not new_names:
            return ""
        return describe_unused_dice(new_names, choice)

    def ask_in_status_line(self, die: DieWantedError | None) -> None:
        """Ask for a die in the status line while the panel cannot be seen; None: none is asked for.

        What was wrong with the score typed before is told no more.
        """
        is_panel_visible = self._desk.docks.is_in_front("dice")
        if die is not None and not is_panel_visible:
            score = describe_score(die, len(self._entry.dice.incomplete_throw))
            text = f"{describe_die(die)}, and press {score}, 1 to 6. {SHOWS_PANEL}"
            self._desk.say(text, lasting=True)
            self._status_text = _StatusText.QUESTION
        elif self._status_text is _StatusText.QUESTION:
            self._clear_status_text()

    def tell_wrong_score(self) -> None:
        """Tell that no die shows the digit that was typed."""
        self._desk.say(WRONG_SCORE)
        self._status_text = _StatusText.WRONG_SCORE

    def forget_wrong_score(self) -> None:
        """Clear what was told by ``tell_wrong_score``: another die is asked for."""
        if self._status_text is _StatusText.WRONG_SCORE:
            self._clear_status_text()

    # --- at the end -------------------------------------------------------------------------

    def note_laying(self, count: int, program_count: int) -> None:
        """Note what to tell of a table that is being laid by ``count`` entered dice.

        ``program_count`` more were thrown by the program. With 0 of both all of its dice were known
        before: then the text stays that was noted for the choice by which it is laid again.
        """
        if program_count:
            dice = counted(program_count, "die", "dice")
            text = f"The program has thrown {dice} for you: the table is laid."
        elif count == 1:
            text = "Your die is there: the table is laid."
        elif count:
            text = f"All your {count} dice are there: the table is laid."
        else:
            text = ""
        if text:
            self._news.text = f"{text} {self._describe_new_unused_dice()}".rstrip()
        self.forget_table()

    def tell_stopped(self, stopped_dice: EnteredDice) -> None:
        """Tell what has become of the dice of an entry that the user has stopped."""
        self._news.text = ""
        waiting_dice = self._entry.waiting_dice
        if stopped_dice.changes_table:
            self._desk.say(describe_dropped(stopped_dice.count))
        elif waiting_dice is not None:
            dice = counted(waiting_dice.count, "die", "dice")
            self._desk.say(
                f"The table is not laid yet: the map keeps the {dice} that you entered. "
                "Go on entering asks for the rest."
            )

    def end_questions(self) -> None:
        """Clear the question, and forget what was to be told with one."""
        self._news.lacking_dice = ""
        if self._status_text is not _StatusText.NOTHING:
            self._clear_status_text()

    def _clear_status_text(self) -> None:
        self._status_text = _StatusText.NOTHING
        self._desk.say("")
