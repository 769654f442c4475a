"""The strip that asks for dice entered by hand, wired to the map, the log and the status line."""

from __future__ import annotations

from enum import Enum, auto
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
from app.systems.cordery.dice_entry_strip import WRONG_SCORE
from app.systems.cordery.dice_log import NO_ROW
from app.systems.cordery.die_questions import describe_die, describe_score
from app.systems.cordery.table_messages import (
    NO_DIE_WANTED,
    NO_PAINT,
    SHOWS_PANEL,
    TableNews,
    describe_dropped,
    describe_returning_dice,
    describe_unused_dice,
)
from randomizer.model.basics.plurals import counted
from randomizer.systems.cordery.page_parts import PARTS, part_of_step
from randomizer.systems.cordery.table.counting_order import middle_of_quarter

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.log_controller import LogController
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.model.map.layer import Layer
    from randomizer.systems.cordery.dice.wanted_die import DieWantedError
    from randomizer.systems.cordery.dice_log import BuiltTable


class _StatusText(Enum):
    """What this controller shows in the status line, and clears when it does not hold any more."""

    NOTHING = auto()

    QUESTION = auto()
    """The question for the next die: the panel, which asks for it, cannot be seen."""

    WRONG_SCORE = auto()
    """No die shows the digit that was typed. It goes with the next question."""


class EntryController(QObject):
    """Asks for the dice of a table where a person sees it, and tells what becomes of them.

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
        self._news = news
        self._told_unused_dice: set[str] = set()
        """The entered dice that are not used any more, as far as the user knows of them."""
        self._status_text = _StatusText.NOTHING
        """What the status line shows of this controller's texts."""
        strip = panel.strip
        connect(throwing.entry_wanted, entry.begin_change)
        connect(entry.asked, self._ask)
        connect(entry.ended, self._end_entry)
        connect(entry.refused, self._tell_refusal)
        connect(entry.laying, self._note_entered_dice)
        connect(entry.waiting_changed, self._show_waiting_dice)
        connect(entry.waiting_table.built, self._show_waiting_table)
        connect(throwing.dice_wanted, self._begin_entry)
        connect(throwing.entry_record.unreadable, desk.say)
        connect(panel.enter_button.clicked, entry.begin_table)
        connect(strip.entered, entry.enter_score)
        connect(strip.taken_back, entry.take_back_die)
        connect(strip.rest_wanted, entry.throw_remaining_dice)
        connect(strip.ended, self._stop_entry)
        connect(strip.surplus_digit, self._say_that_no_die_is_asked_for)
        connect(strip.impossible_score, self._say_that_no_die_shows_it)
        connect(panel.waiting.accepted, entry.resume)
        connect(panel.drop_button.clicked, self._drop_dice)
        connect(desk.document.map_replaced, self._on_map_replaced)
        connect(desk.document.changed, self._on_map_changed)
        dock = desk.docks["dice"]
        connect(dock.visibilityChanged, lambda _visible: later(self, self._ask_in_status_line))
        strip.redirect_digits_of(desk.canvas)
        strip.redirect_digits_of(panel)
        self._show_waiting_dice()
        later(self, self._begin_or_resume_entry)

    def _on_map_replaced(self) -> None:
        """End the inquiry about the map that is left; then see about that of the current one."""
        self._entry.leave_map()
        self._begin_or_resume_entry()

    def _on_map_changed(self, region: Region) -> None:
        """Let the inquiry follow a change of the map; then show the table so far on that map."""
        self._entry.follow_change(region)
        self._show_table_so_far()

    def _begin_or_resume_entry(self) -> None:
        """Show the choices for a table where nothing was thrown.

        If it was made for dice that are entered by hand, and none is yet, ask for the first one. If
        dice wait, since another map was current or the file was closed, ask for the next one.
        """
        self._told_unused_dice.clear()
        if not self._throwing.table.parts():
            self._panel.show_choices_page()
        dice = self._throwing.entry_record.read()
        if dice is None:
            return
        if self._entry.waiting_dice is not None:
            self._entry.resume_on_map()
        elif not self._throwing.table.parts():
            self._begin_entry()

    def _ask(self, built: BuiltTable) -> None:
        """Ask for the next die of a table that is built so far; it must lack one."""
        assert built.next_die is not None
        self._log.table_so_far = built  # first: the calls below show that one

        # Why it is asked, and what has become of the dice so far.
        self._desk.docks.room.asking_name = "dice"
        self._desk.canvas.active_tool.refuse_paint(NO_PAINT)
        self._tell_why_dice_are_asked_for()
        self._tell_what_became_of_dice(built.next_die)

        # The table so far, and the question itself.
        self._show_unfinished_table(built)
        self._number_quarters(built.next_die)
        self._redirect_digits_of_panel()
        replaces_table = bool(self._throwing.table.parts()) and not self._entry.dice.changes_table
        self._panel.strip.ask(built.next_die, self._entry.dice, replaces_table=replaces_table)
        if self._status_text is _StatusText.WRONG_SCORE:
            self._clear_status_text()
        self._ask_in_status_line()

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
        choices can be others with each table, so they are looked for with each question.
        """
        strip = self._panel.strip
        for widget in self._panel.findChildren(QWidget):
            if widget is not strip and not _takes_text(widget):
                strip.redirect_digits_of(widget)

    def _tell_why_dice_are_asked_for(self) -> None:
        """Tell once, with the first question, what the dice are for."""
        if self._news.lacking_dice:
            self._desk.say(self._news.lacking_dice)
            self._news.lacking_dice = ""

    def _tell_what_became_of_dice(self, die: DieWantedError) -> None:
        """Tell which of the entered dice wait for the die asked for now, or are not used any more.

        Dice wait for it after a choice that makes an earlier part ask for more dice.
        """
        choice = self._news.choice
        self._news.choice = ""
        news = self._describe_new_unused_dice(choice)
        later_parts = self._entry.later_parts_with_dice()
        if choice and later_parts:
            news = describe_returning_dice(choice, part_of_step(die.step), later_parts)
        if news:
            self._desk.say(news)

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

    def _show_unfinished_table(self, built: BuiltTable) -> None:
        """Show the log of a table so far, and the table."""
        panel = self._panel
        panel.player.disable()
        panel.fix_form.hide()
        if panel.strip.isHidden():  # with the first question; later the user may turn to a choice
            panel.show_log_page()
        panel.log.set_lines([str(entry.line) for entry in built.entries])
        panel.log.show_end()
        self._show_table_so_far()
        self._log.mark_areas(NO_ROW)

    def _show_table_so_far(self) -> None:
        """Show the table as it was built last while a die is asked for, with the paint over it.

        The table that lies stays in sight until the first die is there. While it is changed, its
        later parts stay until they are laid again.
        """
        built = self._log.table_so_far
        if built is None:
            return
        dice = self._entry.dice
        if not self._entry.is_asking:
            self._log.show_planes_on_map(built.planes)
        elif dice.count == 0:
            self._log.show_planes_on_map(None)
        elif dice.changes_table:
            self._log.show_planes_on_map(built.planes, self._later_layers(built))
        else:
            self._log.show_planes_on_map(built.planes)

    def _show_waiting_table(self, built: BuiltTable | None) -> None:
        """Show the table so far whose dice wait, with its log; None: the map and its own log.

        A table that lacks no die was laid, and that was undone: its map is shown without it.
        """
        if built is not None and built.next_die is None:
            built = None
        if built is None and self._log.table_so_far is None:
            return
        self._log.table_so_far = built
        if built is None:
            self._desk.canvas.show_instead(None)
        self._show_table_so_far()
        self._log.refresh()

    def _later_layers(self, built: BuiltTable) -> list[Layer]:
        """Return the layers of the parts after the one whose die is asked for."""
        assert built.next_die is not None
        number = PARTS.index(part_of_step(built.next_die.step))
        layers = self._throwing.table.parts()
        return [layers[part] for part in PARTS[number + 1 :] if part in layers]

    def _ask_in_status_line(self) -> None:
        """Ask for the next die in the status line while the panel cannot be seen."""
        die = None
        if self._entry.has_question and self._log.table_so_far is not None:
            die = self._log.table_so_far.next_die
        is_panel_visible = self._desk.docks.is_in_front("dice")
        if die is not None and not is_panel_visible:
            score = describe_score(die, len(self._entry.dice.incomplete_throw))
            text = f"{describe_die(die)}, and press {score}, 1 to 6. {SHOWS_PANEL}"
            self._desk.say(text, lasting=True)
            self._status_text = _StatusText.QUESTION
        elif self._status_text is _StatusText.QUESTION:
            self._clear_status_text()

    def _clear_status_text(self) -> None:
        self._status_text = _StatusText.NOTHING
        self._desk.say("")

    def _begin_entry(self) -> None:
        """Ask for the dice of a table; a key may want that, so the panel comes to the front."""
        self._desk.docks.show("dice")
        self._entry.begin_table()

    def _stop_entry(self) -> None:
        """Ask for no more dice, and tell what became of those that were entered."""
        stopped_dice = self._entry.dice
        self._told_unused_dice.clear()
        has_keyboard = self._has_strip_keyboard()
        self._entry.stop()
        self._news.text = ""
        dice = self._entry.waiting_dice
        if stopped_dice.changes_table:
            self._desk.say(describe_dropped(stopped_dice.count))
        elif dice is not None:
            self._desk.say(
                f"The table is not laid yet: the map keeps the {counted(dice.count, 'die', 'dice')}"
                " that you entered. Go on entering asks for the rest."
            )
            if has_keyboard:
                self._panel.waiting.button.setFocus()

    def _has_strip_keyboard(self) -> bool:
        """Return whether the keyboard is with the strip or a button of it."""
        focused_widget = self._panel.window().focusWidget()
        strip = self._panel.strip
        return focused_widget is strip or strip.isAncestorOf(focused_widget)

    def _drop_dice(self) -> None:
        self._entry.drop_dice()
        self._desk.say("The dice that you entered are dropped; Undo brings them back.")

    def _tell_refusal(self, reason: str) -> None:
        self._panel.strip.ignore_digits()  # as after the last die: the user may still be typing
        self._desk.say(reason)

    def _say_that_no_die_shows_it(self) -> None:
        self._desk.say(WRONG_SCORE)
        self._status_text = _StatusText.WRONG_SCORE

    def _say_that_no_die_is_asked_for(self) -> None:
        self._desk.say(NO_DIE_WANTED)

    def _note_entered_dice(self, count: int, program_count: int) -> None:
        """Note what to tell of a table that is being laid by ``count`` entered dice.

        ``program_count`` more were thrown by the program. With 0 of both all of its dice were known
        before, and what was noted then is told.
        """
        self._log.stays_at_end = True
        if program_count:
            dice = counted(program_count, "die", "dice")
            self._news.text = f"The program has thrown {dice} for you: the table is laid."
        elif count:
            self._panel.strip.ignore_digits()
            if count == 1:
                self._news.text = "Your die is there: the table is laid."
            else:
                self._news.text = f"All your {count} dice are there: the table is laid."
        if count or program_count:
            self._news.text = f"{self._news.text} {self._describe_new_unused_dice()}".rstrip()
        self._told_unused_dice.clear()

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

    def _end_entry(self) -> None:
        """Show the map and the log of its table again: no die is asked for any more."""
        self._news.lacking_dice = ""
        self._log.table_so_far = None
        self._desk.docks.room.asking_name = ""
        self._desk.canvas.active_tool.refuse_paint("")
        if self._status_text is not _StatusText.NOTHING:
            self._clear_status_text()
        self._log.mark_areas(NO_ROW)
        strip = self._panel.strip
        if self._has_strip_keyboard():
            self._panel.log.setFocus()  # Qt would choose a field, into which one types by mistake
        strip.hide()
        self._desk.canvas.overlays.show_captions(())
        self._desk.canvas.show_instead(None)
        self._log.refresh()


def _takes_text(widget: QWidget) -> bool:
    """Return whether digits can be typed into a widget."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit)
