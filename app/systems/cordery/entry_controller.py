"""Asks for dice that a person throws: wires ``DiceEntry`` to the strip, the map and the log.

The way of one die from its question to the next::

    entry.asked            _ask: TableSoFarView shows the table so far, the strip asks for the die
    strip.entered          the user has clicked a score, or typed it wherever the keyboard is
    entry.enter_score      writes it into the map, builds the table, and asks again
    entry.laying           no die is missing: the table is laid
    entry.ended            _end_entry turns off all that a question has turned on

What the status line tells meanwhile is the subject of ``EntryMessages``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.canvas.overlays import MapCaption
from app.qt_guard import connect, later
from app.systems.cordery.dice_log import NO_ROW
from app.systems.cordery.entry_follower import EntryFollower
from app.systems.cordery.entry_messages import EntryMessages
from app.systems.cordery.table_messages import NO_DIE_WANTED, NO_PAINT, TableNews
from app.systems.cordery.table_so_far_view import TableSoFarView
from randomizer.systems.cordery.table.counting_order import middle_of_quarter

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.log_controller import LogController
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.systems.cordery.dice.wanted_die import DieWantedError
    from randomizer.systems.cordery.dice_log import BuiltTable


class EntryController(QObject):
    """Asks for the dice of a table where a person sees it.

    ``news`` gets what is to be told when all dice are there and the table is laid.
    """

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
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._log = log
        self._follower = EntryFollower(throwing, entry)
        self._messages = EntryMessages(desk, entry, news)
        self._table_so_far = TableSoFarView(desk, panel, throwing, entry, log)
        self._connect_entry()
        self._connect_panel()
        self._connect_map()
        self._show_waiting_dice()
        # From the event loop: the panel is still being made.
        later(self, self._begin_or_resume_entry)

    def _connect_entry(self) -> None:
        """Begin to ask when dice are wanted, and follow the questions to their end."""
        throwing = self._throwing
        entry = self._entry
        connect(throwing.dice_wanted, self._begin_entry)
        connect(throwing.entry_wanted, entry.begin_change)
        connect(throwing.entry_record.unreadable, self._desk.say)
        connect(entry.asked, self._ask)
        connect(entry.laying, self._on_laying)
        connect(entry.refused, self._tell_refusal)
        connect(entry.ended, self._end_entry)
        connect(entry.waiting_changed, self._show_waiting_dice)
        connect(entry.waiting_table.built, self._table_so_far.show_waiting)

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
        connect(strip.ended, self._stop_entry)
        connect(strip.surplus_digit, self._say_that_no_die_is_asked_for)
        connect(strip.impossible_score, self._messages.tell_wrong_score)
        strip.redirect_digits_of(self._desk.canvas)
        strip.redirect_digits_of(panel)
        dock = self._desk.docks["dice"]
        connect(dock.visibilityChanged, lambda _visible: later(self, self._ask_in_status_line))

    def _connect_map(self) -> None:
        """Follow the current map, and its changes."""
        connect(self._desk.document.map_replaced, self._on_map_replaced)
        connect(self._desk.document.changed, self._on_map_changed)

    # --- beginning, and following the map ---------------------------------------------------

    def _on_map_replaced(self) -> None:
        """End the inquiry about the map that is left; then see about that of the current one."""
        self._follower.change_map()
        self._begin_or_resume_entry()

    def _on_map_changed(self, region: Region) -> None:
        """Let the inquiry follow a change of the map; then show the table so far on that map."""
        self._follower.follow_change(region)
        self._table_so_far.show_on_map()

    def _begin_or_resume_entry(self) -> None:
        """Show the choices for a table where nothing was thrown.

        If it was made for dice that are entered by hand, and none is yet, ask for the first one. If
        dice wait, since another map was current or the file was closed, ask for the next one.
        """
        self._messages.forget_table()
        if not self._throwing.table.parts():
            self._panel.show_choices_page()
        dice = self._throwing.entry_record.read()
        if dice is None:
            return
        if self._entry.waiting_dice is not None:
            self._entry.resume_on_map()
        elif not self._throwing.table.parts():
            self._begin_entry()

    def _begin_entry(self) -> None:
        """Ask for the dice of a table; a key may want that, so the panel comes to the front."""
        self._desk.docks.show("dice")
        self._entry.begin_table()

    # --- a question -------------------------------------------------------------------------

    def _ask(self, table: BuiltTable) -> None:
        """Ask for the next die of a table so far; it must lack one."""
        die = table.next_die
        assert die is not None
        # The desk: the dock is named as the one that asks, and no tool paints, whichever is taken.
        self._desk.docks.room.await_answer_in("dice")
        self._desk.canvas.active_tool.refuse_paint(NO_PAINT)
        # The table so far, before the strip is shown.
        self._messages.tell_before_question(die)
        self._table_so_far.show_with_question(table)
        # The question itself.
        self._number_quarters(die)
        self._redirect_digits_of_panel()
        replaces_table = bool(self._throwing.table.parts()) and not self._entry.dice.changes_table
        self._panel.strip.ask(die, self._entry.dice, replaces_table=replaces_table)
        self._messages.forget_wrong_score()
        self._messages.ask_in_status_line(die)

    def _number_quarters(self, die: DieWantedError) -> None:
        """Number the quarters of the map edge that a die chooses from, on the map."""
        grid = self._desk.document.battlemap.grid
        captions = []
        for quarter in die.quarters:
            middle = middle_of_quarter(grid, quarter)
            if middle is not None:
                captions.append(MapCaption(*middle, str(quarter)))
        self._desk.canvas.overlays.show_captions(captions)

    def _redirect_digits_of_panel(self) -> None:
        """Let the digits be scores wherever the keyboard is in the panel, but for text fields.

        A person turns to a choice or a tab meanwhile, and goes on typing scores. The fields of the
        choices can be others with each table, so they are looked for with each question; Qt
        installs the filter of a widget that has it already only once.
        """
        strip = self._panel.strip
        for widget in self._panel.findChildren(QWidget):
            if widget is not strip and not _takes_text(widget):
                strip.redirect_digits_of(widget)

    def _ask_in_status_line(self) -> None:
        """Ask in the status line, or do so no more: the panel was shown or hidden."""
        die = None
        if self._entry.has_question and self._log.table_so_far is not None:
            die = self._log.table_so_far.next_die
        self._messages.ask_in_status_line(die)

    # --- the end of the questions -----------------------------------------------------------

    def _on_laying(self, count: int, program_count: int) -> None:
        """Follow the laying of a table by ``count`` entered dice, and others of the program."""
        self._log.stay_at_end()
        if count and not program_count:
            self._panel.strip.ignore_digits()  # the user may still be typing
        self._messages.note_laying(count, program_count)

    def _stop_entry(self) -> None:
        """Ask for no more dice, and tell what became of those that were entered."""
        stopped_dice = self._entry.dice
        has_keyboard = self._has_strip_keyboard()
        self._messages.forget_table()
        self._entry.stop()
        self._messages.tell_stopped(stopped_dice)
        is_waiting = not stopped_dice.changes_table and self._entry.waiting_dice is not None
        if is_waiting and has_keyboard:
            self._panel.waiting.button.setFocus()

    def _tell_refusal(self, reason: str) -> None:
        self._panel.strip.ignore_digits()  # as after the last die: the user may still be typing
        self._desk.say(reason)

    def _say_that_no_die_is_asked_for(self) -> None:
        self._desk.say(NO_DIE_WANTED)

    def _end_entry(self) -> None:
        """Turn off all that a question has turned on: no die is asked for any more."""
        self._messages.end_questions()
        # The desk.
        self._desk.docks.room.await_answer_in("")
        self._desk.canvas.active_tool.refuse_paint("")
        self._desk.canvas.overlays.show_captions(())
        # The strip.
        if self._has_strip_keyboard():
            self._panel.log.setFocus()  # Qt would choose a field, into which one types by mistake
        self._panel.strip.hide()
        # The map and the log of its table.
        self._table_so_far.hide()
        self._log.mark_areas(NO_ROW)

    def _has_strip_keyboard(self) -> bool:
        """Return whether the keyboard is with the strip or a button of it."""
        focused_widget = self._panel.window().focusWidget()
        strip = self._panel.strip
        return focused_widget is strip or strip.isAncestorOf(focused_widget)

    # --- dice that wait ---------------------------------------------------------------------

    def _show_waiting_dice(self) -> None:
        """Offer to go on with a table of which some dice were entered."""
        dice = self._entry.waiting_dice
        self._panel.enter_button.setEnabled(dice is None and not self._entry.is_asking)
        if dice is None:
            self._panel.waiting.say("")
            return
        subject = "A table"
        if dice.changes_table:
            subject = "A change of the table"
        if 0 < dice.expected_count <= dice.count:  # it was laid, and that was undone
            text = f"{subject} is not laid; its {dice.count} dice are kept in the map."
            button_text = f"Lay it ({dice.count} dice)"
        else:
            entered = f"{dice.progress} are entered, and kept in the map"
            text = f"{subject} waits for its dice: {entered}."
            button_text = f"Go on entering ({dice.progress})"
        self._panel.waiting.say(text)
        self._panel.waiting.button.setText(button_text)

    def _drop_dice(self) -> None:
        self._entry.drop_dice()
        self._desk.say("The dice that you entered are dropped; Undo brings them back.")


def _takes_text(widget: QWidget) -> bool:
    """Return whether digits can be typed into a widget."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit)
