"""One word of a period: its meaning, and a table of its values that can be typed over.

``WordView`` changes nothing itself. Its signals tell which value the user wants to change or to
see; a value is named by its ``Slot``, the word and the types that it is for. Below the table stands
where the current value is set. One that a line sets together with others cannot be typed over; then
*Set here* offers a new line that sets it alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded
from app.systems.xconq.period.inspector_model import WordValues
from app.systems.xconq.period.value_texts import describe_slot, shown_default
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from app.widgets.layout.wrapping_row import WrappingRow
from randomizer.systems.xconq.period.slots import Slot, assignment_of, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import Word

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

MIN_COLUMN_WIDTH = 24
"""The least width of a column of the table, in logical pixels: a table can have fifty of them."""

COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
"""With one of these held a letter is a command."""


class ValueTable(QTableView):
    """A table whose cells are typed over; letters and digits are no shortcuts there."""

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Claim what is typed before the menus do."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            text = event.text()
            is_command = bool(event.modifiers() & COMMAND_MODIFIERS)
            if text and text.isprintable() and not is_command:
                event.accept()
                return True
        return super().event(event)


class WordView(QWidget):
    """The meaning and the values of one word."""

    typed = Signal(object, object)
    """(Slot, value): a value is to be changed where it is set."""

    own_line_wanted = Signal(object, object)
    """(Slot, value): a new line is to set a value."""

    line_wanted = Signal(object)
    """(Slot): the line that sets a value is to be shown."""

    refused = Signal(str)
    """(message): what was typed is no value."""

    back_wanted = Signal()
    """The user wants to see all words again."""

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
        self._word: Word | None = None
        self._make_texts()
        self._make_table()
        self._make_buttons()
        self._lay_out()
        connect(self.model.typed, self.typed)
        connect(self.model.refused, self.refused)
        connect(self.table.selectionModel().currentChanged, lambda *_indices: self._show_where())
        connect(self.table.doubleClicked, self._on_double_click)
        connect(self.go_to_line_button.clicked, self._emit_line_wanted)
        connect(self.own_line_button.clicked, self._emit_own_line_wanted)
        connect(self.back_button.clicked, self.back_wanted)
        self.show_word(None)

    def show_word(self, word: Word | None) -> None:
        """Show the meaning and the values of a word; None for an invitation to choose one."""
        self._word = word
        self.model.show_word(self._period, word)
        if word is None:
            self.title.setText("")
            self.help.setText("Choose a word to see its values.")
        else:
            self.title.setText(f"{word.title} ({word.usage})")
            self.help.setText(help_of(word))
        self.table.setVisible(word is not None)
        if self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(0, 0))
        self._show_where()

    def show_period(self, period: Period | None) -> None:
        """Show the values of another period; the current cell of the table stays."""
        self._period = period
        # The position, since the index is not valid any more once the model was reset.
        index = self.table.currentIndex()
        has_current_cell = index.isValid()
        row = index.row()
        column = index.column()
        self.model.show_word(period, self._word)
        if has_current_cell:
            self.table.setCurrentIndex(self.model.index(row, column))
        self._show_where()

    # --- construction -----------------------------------------------------------------------

    def _make_texts(self) -> None:
        """Make the texts above and below the table."""
        self.title = plain_label(wordWrap=True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.help = plain_label(wordWrap=True)
        self.where_label = plain_label(wordWrap=True)
        # It has room for its text before a value is chosen: the table keeps its height.
        self.where_label.setMinimumHeight(2 * self.where_label.fontMetrics().lineSpacing())

    def _make_table(self) -> None:
        """Make the table and its model."""
        self.model = WordValues()
        self.table = described(ValueTable(), "Values of the word")
        self.table.setTabKeyNavigation(False)
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setMinimumSectionSize(MIN_COLUMN_WIDTH)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )

    def _make_buttons(self) -> None:
        """Make the buttons below the table; two of them keep their room while they are hidden."""
        self.back_button = tool_button("Words", "Back to all words of the period")
        self.back_button.setArrowType(Qt.ArrowType.LeftArrow)
        self.back_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.go_to_line_button = tool_button("Go to line", "Show where the value is set")
        self.own_line_button = tool_button(
            "Set here", "Append a line to the period that sets this value alone"
        )
        for button in (self.go_to_line_button, self.own_line_button):
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)

    def _lay_out(self) -> None:
        """Put all below each other; the table gets the height that is left."""
        buttons = WrappingRow(self.back_button, self.go_to_line_button, self.own_line_button)
        lay_out(
            QVBoxLayout(self),
            self.title,
            self.help,
            (self.table, 1),
            self.where_label,
            buttons,
            margins=0,
            spacing=4,
        )

    # --- the current value ------------------------------------------------------------------

    def _current_slot(self) -> Slot | None:
        """Return the value of the current cell; None if no cell is current."""
        index = self.table.currentIndex()
        if index.isValid() and self._word is not None:
            return self.model.slot(index)
        return None

    def _show_where(self) -> None:
        """Tell where the value of the current cell is set, and offer its line, or a new one."""
        period = self._period
        slot = self._current_slot()
        self.go_to_line_button.setVisible(period is not None and slot is not None)
        self.own_line_button.setVisible(False)
        if period is None or slot is None:
            self.where_label.setText("")
            return
        self.where_label.setText(describe_slot(period, slot))
        self.go_to_line_button.setEnabled(assignment_of(period, slot) is not None)
        self.own_line_button.setVisible(why_not_plain(period, slot) is not None)

    def _on_double_click(self, index: QModelIndex) -> None:
        """Show the line of a value that cannot be typed over."""
        slot = self.model.slot(index)
        if self._period is not None and why_not_plain(self._period, slot) is not None:
            self.line_wanted.emit(slot)

    def _emit_line_wanted(self) -> None:
        """Ask for the line that sets the current value."""
        slot = self._current_slot()
        if slot is not None:
            self.line_wanted.emit(slot)

    def _emit_own_line_wanted(self) -> None:
        """Ask for a new line that sets the current value to what it is."""
        slot = self._current_slot()
        if slot is not None and self._period is not None:
            self.own_line_wanted.emit(slot, value_of(self._period, slot))


def help_of(word: Word) -> str:
    """Return the help of a word: its meaning, its default, and whether it has an effect."""
    sentences = [word.help, f"Default: {shown_default(word)}."]
    if word.not_implemented:
        sentences.append("The original program does nothing with it.")
    elif word.not_simulated:
        sentences.append("Kept in the file; nothing here depends on it.")
    return " ".join(sentences)
