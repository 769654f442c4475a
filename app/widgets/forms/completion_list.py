"""The list of words that fit where one writes; the keyboard stays in the text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QListWidget, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.languages.language import Completion

_ROWS = 8
_WIDTH = 260
_WIDEST = 460
_MOST = 150
"""So many words are listed; who wants another one writes a letter more."""


class CompletionList(QFrame):
    """A window of its own, so that a narrow panel does not cut it off.

    The help on the current word stands below the words. In a ``brief`` list helps are a few words
    and stand beside their words, and there is no current word until a key or click chooses one: so
    Enter does what it does without the list. ``chosen()``: a word was clicked.
    """

    chosen = Signal()

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
        self.rows.addItems(
            [_row(completion) for completion in self._completions] if self._brief else self.texts
        )
        self.rows.setCurrentRow(-1 if self._brief else 0)
        self._place(beside)
        self.show()

    def _place(self, beside: QRect) -> None:
        row = self.rows.sizeHintForRow(0)
        self.rows.setFixedHeight(row * min(_ROWS, len(self._completions)) + 2)
        if self._brief:
            widest = self.rows.sizeHintForColumn(0) + 2 * row
        else:
            widest = 0
        self.setFixedWidth(min(max(_WIDTH, widest), _WIDEST))
        # As high as the longest help needs: a list that changes its height while one goes through
        # it is hard to read.
        room = QRect(0, 0, _WIDTH - 12, 10_000)
        lines = [
            self._help.fontMetrics().boundingRect(
                room, int(Qt.TextFlag.TextWordWrap), _help_text(completions)
            )
            for completions in self._completions
        ]
        self._help.setFixedHeight(max(line.height() for line in lines) + 8)
        self.adjustSize()
        screen = self._text.screen().availableGeometry()
        x = max(screen.left(), min(beside.left(), screen.right() - self.width()))
        y = beside.bottom() + 2
        if y + self.height() > screen.bottom():
            y = beside.top() - self.height() - 2
        self.move(QPoint(x, y))

    def step(self, rows: int) -> None:
        """Go so many rows down (up if negative); from the last to the first and back by one."""
        count = len(self._completions)
        row = self.rows.currentRow()
        if row < 0:
            self.rows.setCurrentRow(0 if rows > 0 else count - 1)
        elif abs(rows) == 1:
            self.rows.setCurrentRow((row + rows) % count)
        else:
            self.rows.setCurrentRow(max(0, min(count - 1, row + rows)))

    def _explain(self, row: int) -> None:
        self._help.setText(
            _help_text(self._completions[row]) if 0 <= row < len(self._completions) else ""
        )


def _help_text(completions: Completion) -> str:
    return f"{completions.kind.capitalize()}. {completions.help}"


def _row(completion: Completion) -> str:
    return f"{completion.word}   {completion.help}".rstrip()
