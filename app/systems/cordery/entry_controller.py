"""Wires the entering of dice to the panel, the map and the status line: ``EntryController``.

``DiceEntry`` asks for the dice of a table that a person throws. Its signals, and those of the map,
change what is in sight::

    DiceEntry            what is shown
    asked                the question, by ``QuestionView``; the table so far, by ``TableSoFarView``
    ended                neither of them
    laying               sentences in the status line once the table is laid, by ``EntryMessages``
    refused              a sentence why there is no table
    waiting_changed      a banner in the panel: some dice are entered, and the rest can follow

The other way round, what the user clicks and types becomes a call of ``DiceEntry``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect, later
from app.systems.cordery.entry_follower import EntryFollower
from app.systems.cordery.entry_messages import EntryMessages
from app.systems.cordery.question_view import QuestionView
from app.systems.cordery.table_messages import NO_DIE_WANTED, TableNews, describe_waiting
from app.systems.cordery.table_so_far_view import TableSoFarView

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.inquiry import CompletedTable, Inquiry
    from app.systems.cordery.log_controller import LogController
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region


class EntryController(QObject):
    """Lets a person enter dice at the desk."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        entry: DiceEntry,
        log: LogController,
        news: TableNews,
        parent: QObject,
    ) -> None:
        """``news`` gets what is to be told when all dice are there and the table is laid."""
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._log = log
        self._follower = EntryFollower(throwing, entry)
        self._messages = EntryMessages(desk, news)
        self._table_so_far = TableSoFarView(desk, panel, throwing, entry, log)
        self._question = QuestionView(desk, panel, throwing, log, self._table_so_far)
        self._connect_entry()
        self._connect_panel()
        self._connect_map()
        self._show_waiting_dice()
        # From the event loop: the panel is still being made.
        later(self, self._show_state_of_map)

    def _connect_entry(self) -> None:
        """Begin to ask when dice are wanted, and show what comes of it."""
        throwing = self._throwing
        entry = self._entry
        connect(throwing.setups.dice_wanted, self._begin_table)
        connect(throwing.entry_wanted, entry.begin_change)
        connect(throwing.entry_record.unreadable, self._desk.say)
        connect(entry.asked, self._show_question)
        connect(entry.laying, self._on_laying)
        connect(entry.refused, self._on_refused)
        connect(entry.ended, self._hide_question)
        connect(entry.waiting_changed, self._show_waiting_dice)
        connect(entry.waiting_table.built, self._table_so_far.show_waiting)
        connect(entry.waiting_table.none_to_show, self._table_so_far.hide_waiting)

    def _connect_panel(self) -> None:
        """Enter what the user answers, in the strip and by the buttons around it."""
        panel = self._panel
        entry = self._entry
        connect(panel.enter_button.clicked, entry.begin_table)
        connect(panel.waiting.accepted, entry.resume)
        connect(panel.drop_button.clicked, self._drop_dice)
        strip = panel.strip
        connect(strip.entered, entry.enter_score)
        connect(strip.taken_back, entry.take_back_die)
        connect(strip.rest_wanted, entry.throw_remaining_dice)
        connect(strip.ended, self._stop)
        connect(strip.surplus_digit, self._tell_surplus_digit)
        connect(strip.impossible_score, self._messages.tell_wrong_score)
        strip.redirect_digits_of(self._desk.canvas)
        strip.redirect_digits_of(panel)
        dock = self._desk.docks["dice"]
        connect(dock.visibilityChanged, lambda _visible: later(self, self._on_panel_shown))

    def _connect_map(self) -> None:
        """Follow the current map, and its changes."""
        connect(self._desk.document.map_replaced, self._on_map_replaced)
        connect(self._desk.document.changed, self._on_map_changed)

    # --- the map ----------------------------------------------------------------------------

    def _on_map_replaced(self) -> None:
        self._follower.on_map_replaced()
        self._show_state_of_map()

    def _on_map_changed(self, region: Region) -> None:
        self._follower.on_map_changed(region)
        self._table_so_far.show_on_map()  # the ground below it may have changed

    def _show_state_of_map(self) -> None:
        """Bring the panel to the state of the map that has become current.

        - Nothing was thrown for it: the choices come to the front.
        - It was made for entered dice, and has none yet: the first one is asked for.
        - Dice wait, since another map was current or the file was closed: the next is asked for.
        """
        self._messages.forget_table()
        is_bare = not self._throwing.table.parts()
        if is_bare:
            self._panel.show_choices_page()
        has_record = self._throwing.entry_record.read() is not None
        if self._entry.waiting_dice is not None:
            self._entry.resume_on_map()
        elif has_record and is_bare:
            self._begin_table()

    def _begin_table(self) -> None:
        """Ask for the dice of a table; a key may want that, so the panel comes to the front."""
        self._desk.docks.show("dice")
        self._entry.begin_table()

    # --- a question -------------------------------------------------------------------------

    def _show_question(self, inquiry: Inquiry) -> None:
        """Ask for the next die, and tell what became of those before."""
        self._messages.tell_before_question(inquiry)
        self._question.show(inquiry)
        self._messages.show_question(inquiry)

    def _on_panel_shown(self) -> None:
        """Ask in the status line, or do so no more: the panel was shown or hidden."""
        inquiry = self._entry.inquiry
        if inquiry is not None:
            self._messages.show_question(inquiry)

    def _tell_surplus_digit(self) -> None:
        self._desk.say(NO_DIE_WANTED)

    # --- the end of the questions -----------------------------------------------------------

    def _hide_question(self) -> None:
        self._messages.clear_question()
        self._question.hide()

    def _on_laying(self, completed: CompletedTable) -> None:
        """Note what to tell of a table of entered dice, and keep its log and the strip quiet."""
        self._log.stay_at_end()
        if completed.entered_count and not completed.program_count:
            self._panel.strip.ignore_digits()  # the user may still be typing
        self._messages.note_laying(completed)

    def _stop(self) -> None:
        """Ask for no more dice, and tell what became of those that were entered."""
        stopped_dice = self._entry.dice
        had_keyboard = self._question.has_keyboard()
        self._entry.stop()
        waiting_dice = self._entry.waiting_dice
        self._messages.tell_stopped(stopped_dice, waiting_dice)
        is_waiting = waiting_dice is not None and not stopped_dice.changes_table
        if is_waiting and had_keyboard:
            self._panel.waiting.button.setFocus()

    def _on_refused(self, reason: str) -> None:
        self._panel.strip.ignore_digits()  # as after the last die: the user may still be typing
        self._messages.tell_refusal(reason)

    # --- dice that wait ---------------------------------------------------------------------

    def _show_waiting_dice(self) -> None:
        """Offer to go on with a table of which some dice were entered; hide the offer without."""
        banner = self._panel.waiting
        dice = self._entry.waiting_dice
        self._panel.enter_button.setEnabled(dice is None and not self._entry.is_asking)
        if dice is None:
            banner.say("")
            return
        text = describe_waiting(dice)
        banner.say(text.sentence)
        banner.button.setText(text.button)

    def _drop_dice(self) -> None:
        self._entry.drop_dice()
        self._desk.say("The dice that you entered are dropped; Undo brings them back.")
