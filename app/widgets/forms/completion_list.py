"""The list of words that fit at the cursor of a text; the keyboard stays in the text.

``Completer`` (completer.py) chooses the words and handles the keys; this is only the window.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QListWidget, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.languages.language import Completion

_ROWS = 8
"""The most rows that are seen at once; others are scrolled to."""

_WIDTH = 260
"""The least width of a list with helps below its words, in logical pixels: room for a sentence."""

_WIDEST = 460
"""The most width of a list, in logical pixels: longer words are cut, and longer helps wrapped."""

_MOST = 150
"""The most words that are listed: whoever looks for another one writes a letter more."""

WORD_MARGIN = 12
"""Room beside the longest word, in logical pixels."""


class CompletionList(QFrame):
    """Words in a window of their own, so that a narrow panel does not cut it off.

    The help on the current word stands below the words. In a ``brief`` list helps are a few words
    and stand beside their words, and there is no current word until a key or click chooses one: so
    Enter does what it does without the list.
    """

    chosen = Signal()
    """A word was clicked; it is ``current``."""

    def __init__(self, parent: QWidget, *, brief: bool = False) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip)
        self._text = parent
        self._brief = brief
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._completions: tuple[Completion, ...] = ()
        self.rows = described(QListWidget(), "Words that fit here")
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setUniformItemSizes(True)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        connect(self.rows.currentRowChanged, self._explain)
        connect(self.rows.itemClicked, lambda _item: self.chosen.emit())
        self._help = plain_label(wordWrap=True)
        self._help.setMargin(4)
        self._help.setAutoFillBackground(True)
        self._help.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        lay_out(QVBoxLayout(self), self.rows, self._help, margins=1, spacing=0)
        self._help.setHidden(brief)  # with a parent: else it is a window, and is shown

    @property
    def current(self) -> Completion | None:
        """The word of the current row."""
        row = self.rows.currentRow()
        if 0 <= row < len(self._completions):
            return self._completions[row]
        return None

    @property
    def texts(self) -> list[str]:
        """The words as shown."""
        return [completion.word for completion in self._completions]

    def offer(self, completions: Sequence[Completion], beside: QRect) -> None:
        """Show these words (at least one) below or above ``beside`` (global)."""
        self._completions = tuple(completions[:_MOST])
        self.rows.setFont(self._text.font())
        self.rows.clear()
        if self._brief:
            self.rows.addItems([_row_text(completion) for completion in self._completions])
            self.rows.setCurrentRow(-1)
        else:
            self.rows.addItems(self.texts)
            self.rows.setCurrentRow(0)
        self._place(beside)
        self.show()

    def _place(self, beside: QRect) -> None:
        """Make the list as large as its words and its longest help, and put it below ``beside``.

        It stays on the screen, and is put above if there is no room below.
        """
        row_height = self.rows.sizeHintForRow(0)
        row_count = min(_ROWS, len(self._completions))
        self.rows.setFixedHeight(row_height * row_count + 2)
        frame = 2 * (self.frameWidth() + 1)
        width = self.rows.sizeHintForColumn(0) + frame + WORD_MARGIN
        if len(self._completions) > _ROWS:
            width += self.rows.verticalScrollBar().sizeHint().width()
        screen = self._text.screen().availableGeometry()
        widest = min(_WIDEST, screen.width())
        if self._brief:
            width = min(width, widest)
        else:
            width = min(max(_WIDTH, width), widest)
            self._fit_help(width - frame)
        self.setFixedWidth(width)
        self.adjustSize()
        x = max(screen.left(), min(beside.left(), screen.right() - self.width()))
        y = beside.bottom() + 2
        if y + self.height() > screen.bottom():
            y = beside.top() - self.height() - 2
        self.move(QPoint(x, y))

    def _fit_help(self, width: int) -> None:
        """Make the help as high as the longest one needs.

        A list that changes its height while one goes through it is hard to read.
        """
        margins = 2 * self._help.margin()
        room = QRect(0, 0, width - margins, 10_000)
        wrapped = int(Qt.TextFlag.TextWordWrap)
        metrics = self._help.fontMetrics()
        highest = 0
        for completion in self._completions:
            text_height = metrics.boundingRect(room, wrapped, _help_text(completion)).height()
            highest = max(highest, text_height)
        self._help.setFixedHeight(highest + margins)

    def step(self, rows: int) -> None:
        """Make the word ``rows`` further down the current one (further up if negative).

        A step by one goes from the last word to the first, and back; a longer one stops there.
        Without a current word it is the first, or the last.
        """
        count = len(self._completions)
        row = self.rows.currentRow()
        if row < 0 and rows > 0:
            self.rows.setCurrentRow(0)
        elif row < 0:
            self.rows.setCurrentRow(count - 1)
        elif abs(rows) == 1:
            self.rows.setCurrentRow((row + rows) % count)
        else:
            self.rows.setCurrentRow(max(0, min(count - 1, row + rows)))

    def _explain(self, row: int) -> None:
        """Show the help on the word of a row; -1 is no row."""
        if 0 <= row < len(self._completions):
            self._help.setText(_help_text(self._completions[row]))
        else:
            self._help.setText("")


def _help_text(completion: Completion) -> str:
    return f"{completion.kind.capitalize()}. {completion.help}"


def _row_text(completion: Completion) -> str:
    """Return the word and its help, as a brief list shows them."""
    return f"{completion.word}   {completion.help}".rstrip()
