"""Shows the question for a die all over the desk: ``QuestionView``.

While the dice of a table are asked for, the strip in the dice panel asks, the map shows the table
so far, and no tool paints. All of that begins with ``show`` and ends with ``hide``::

    view.show(inquiry)      for each die that is asked for
    view.hide()             once nothing is asked for any more
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.canvas.overlays import MapCaption
from app.systems.cordery.table_messages import NO_PAINT
from randomizer.systems.cordery.table.counting_order import middle_of_quarter

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.inquiry import Inquiry
    from app.systems.cordery.log_controller import LogController
    from app.systems.cordery.table_so_far_view import TableSoFarView
    from app.systems.cordery.throwing import Throwing
    from randomizer.systems.cordery.dice.wanted_die import DieWantedError


class QuestionView:
    """What the desk shows while a die is asked for."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        log: LogController,
        table_so_far: TableSoFarView,
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._log = log
        self._table_so_far = table_so_far

    def show(self, inquiry: Inquiry) -> None:
        """Ask for the next die of an inquiry; it must have one."""
        table = inquiry.table
        die = inquiry.next_die
        assert table is not None
        assert die is not None
        # Other panels must not cover this one, and a stray click must not paint other ground.
        self._desk.docks.room.await_answer_in("dice")
        self._desk.canvas.active_tool.refuse_paint(NO_PAINT)
        is_first_question = self._panel.strip.isHidden()
        if is_first_question:
            self._panel.show_log_page()  # later the user may turn to a choice meanwhile
        self._table_so_far.show_with_question(table)
        self._log.mark_areas_of_next_die()
        self._number_quarters(die)
        self._redirect_digits_of_panel()
        has_table = bool(self._throwing.table.parts())
        replaces_table = has_table and not inquiry.dice.changes_table
        self._panel.strip.ask(die, inquiry.dice, replaces_table=replaces_table)

    def hide(self) -> None:
        """End all that ``show`` has begun."""
        self._desk.docks.room.await_answer_in("")
        self._desk.canvas.active_tool.refuse_paint("")  # no reason: it may paint again
        self._desk.canvas.overlays.show_captions(())
        # Before the strip is hidden: Qt would then give the keyboard to a field, into which the
        # next digits would be typed by mistake.
        if self.has_keyboard():
            self._panel.log.setFocus()
        self._panel.strip.hide()
        self._table_so_far.hide()
        self._log.mark_areas_of_next_die()  # there is none: nothing is marked any more

    def has_keyboard(self) -> bool:
        """Return whether the keyboard is with the strip or a button of it."""
        focused_widget = self._panel.window().focusWidget()
        strip = self._panel.strip
        return focused_widget is strip or strip.isAncestorOf(focused_widget)

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


def _takes_text(widget: QWidget) -> bool:
    """Return whether digits can be typed into a widget."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit)
