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

ROWS = 8
"""The most rows that are seen at once; others are scrolled to."""

_MIN_WIDTH = 260
"""The least width of a list with helps below its words, in logical pixels: room for a sentence."""

_MAX_WIDTH = 460
"""The most width of a list, in logical pixels: longer words are cut, and longer helps wrapped."""

_MAX_WORDS = 150
"""The most words that are listed; typing on brings in the rest."""

WORD_MARGIN = 12
"""The space beside the longest word, in logical pixels."""

MARGIN = 1
"""The space around words and help, in logical pixels."""

HELP_MARGIN = 4
"""The space around the text of a help, in logical pixels."""

CURSOR_GAP = 2
"""The space between the list and the line of the cursor, in logical pixels."""

_NO_LIMIT = 10_000
"""A height in logical pixels that no text reaches."""


class CompletionList(QFrame):
    """A list of words in a window of its own, so that a narrow panel does not cut it off.

    The help on the current word stands below the words. A ``brief`` list differs: its helps are a
    few words and stand beside their words, it may be narrow, and it has no current word until a key
    or click chooses one. So Enter does what it does without the list.
    """

    chosen = Signal()
    """A word was clicked; it is ``current``."""

    def __init__(self, parent: QWidget, *, brief: bool = False) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip)
        self._editor = parent
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
        self._help.setMargin(HELP_MARGIN)
        self._help.setAutoFillBackground(True)
        self._help.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        lay_out(QVBoxLayout(self), self.rows, self._help, margins=MARGIN, spacing=0)
        self._help.setHidden(brief)  # with a parent: else it is a window, and is shown

    @property
    def current(self) -> Completion | None:
        """The word of the current row, None without one."""
        row = self.rows.currentRow()
        if 0 <= row < len(self._completions):
            return self._completions[row]
        return None

    @property
    def texts(self) -> list[str]:
        """The words of the list, from the top."""
        return [completion.word for completion in self._completions]

    def offer(self, completions: Sequence[Completion], beside: QRect) -> None:
        """Show these words (at least one) below or above ``beside``, a box in global pixels."""
        self._completions = tuple(completions[:_MAX_WORDS])
        self.rows.setFont(self._editor.font())
        self.rows.clear()
        if self._brief:
            self.rows.addItems([_row_text(completion) for completion in self._completions])
            self.rows.setCurrentRow(-1)
        else:
            self.rows.addItems(self.texts)
            self.rows.setCurrentRow(0)
        self._fit_size()
        self._move_beside(beside)
        self.show()

    def _fit_size(self) -> None:
        """Make the list as large as its words and its longest help, within its limits."""
        row_height = self.rows.sizeHintForRow(0)
        row_count = min(ROWS, len(self._completions))
        self.rows.setFixedHeight(row_height * row_count + 2 * MARGIN)
        frame_width = 2 * (self.frameWidth() + MARGIN)
        width = self.rows.sizeHintForColumn(0) + frame_width + WORD_MARGIN
        if len(self._completions) > ROWS:
            width += self.rows.verticalScrollBar().sizeHint().width()
        screen = self._editor.screen().availableGeometry()
        width = min(width, _MAX_WIDTH, screen.width())
        if not self._brief:
            width = max(width, min(_MIN_WIDTH, screen.width()))
            self._fit_help(width - frame_width)
        self.setFixedWidth(width)
        self.adjustSize()

    def _move_beside(self, beside: QRect) -> None:
        """Put the list below a box in global pixels, or above it if there is no room below."""
        screen = self._editor.screen().availableGeometry()
        x = max(screen.left(), min(beside.left(), screen.right() - self.width()))
        y = beside.bottom() + CURSOR_GAP
        if y + self.height() > screen.bottom():
            y = max(screen.top(), beside.top() - self.height() - CURSOR_GAP)
        self.move(QPoint(x, y))

    def _fit_help(self, width: int) -> None:
        """Make the help as high as the longest one needs that is wrapped to a width.

        A list that changes its height while one goes through it is hard to read.
        """
        margins = 2 * self._help.margin()
        text_box = QRect(0, 0, width - margins, _NO_LIMIT)
        wrapped = int(Qt.TextFlag.TextWordWrap)
        metrics = self._help.fontMetrics()
        max_height = 0
        for completion in self._completions:
            box = metrics.boundingRect(text_box, wrapped, _help_text(completion))
            max_height = max(max_height, box.height())
        self._help.setFixedHeight(max_height + margins)

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
    """Return the help on a word, such as ``Keyword. Begins an area.``"""
    return f"{completion.kind.capitalize()}. {completion.help}"


def _row_text(completion: Completion) -> str:
    """Return the word and its help, as a brief list shows them."""
    return f"{completion.word}   {completion.help}".rstrip()
