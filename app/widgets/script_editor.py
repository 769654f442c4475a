"""The editor of a script's text, with its problems underlined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontDatabase,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from app.drawing.inks import inks
from app.widgets.line_numbers import LineNumbers
from app.widgets.script_highlighter import ScriptHighlighter, units
from randomizer.problems import Fix, Problem, Severity

_WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.HINT)

_TINT = 40
"""How strongly the place of a problem is tinted, of 255."""


Help = Callable[[str], str | None]
"""From a word, or a problem's code, to what can be said about it; None: nothing."""


def _no_help(_word: str) -> str | None:
    return None


class _Underlined(NamedTuple):
    """A problem and its place. The cursor moves along when text before it changes."""

    cursor: QTextCursor
    problem: Problem


class ScriptEditor(QPlainTextEdit):
    """Shows and edits a text; it neither reads files nor checks anything itself.

    ``edited()``: the text is another one now. ``fix_requested(Problem)``: a fix was chosen in the
    context menu. ``save_requested()``: Ctrl+S while the editor has the focus.
    ``focus_changed()``: the keyboard came or went.
    """

    edited = Signal()
    fix_requested = Signal(object)
    save_requested = Signal()
    focus_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._underlined: list[_Underlined] = []
        self._word_help: Help = _no_help
        self._problem_help: Help = _no_help
        self._text = ""
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setTabChangesFocus(True)
        self.setAccessibleName("Script text")
        self.setAccessibleDescription("The text as shown here is what is rolled")
        self._highlighter = ScriptHighlighter(self.document(), inks(self.palette()))
        self._numbers = LineNumbers(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_numbers)
        self.cursorPositionChanged.connect(self._mark)
        self.textChanged.connect(self._tell_edited)
        self._make_room()
        self._mark()

    # --- the text ---------------------------------------------------------------------------

    def text(self) -> str:
        """The text as shown, lines ended by LF; no character is replaced by a likely one."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Show another text: unmodified, nothing to undo, the cursor at its start."""
        self.set_problems(())
        self.setPlainText(text)
        self.document().setModified(False)

    def _tell_edited(self) -> None:
        """``textChanged`` comes for new colours too; tell of another text only."""
        text = self.text()
        if text != self._text:
            self._text = text
            self.edited.emit()

    def set_language(
        self,
        keywords: Iterable[str],
        word_help: Help,
        problem_help: Help = _no_help,
    ) -> None:
        """The words to colour, the help on words under the mouse, and what is behind problems."""
        self._highlighter.set_keywords(keywords)
        self._word_help = word_help
        self._problem_help = problem_help

    def apply_fix(self, fix: Fix) -> None:
        """Make the fix's edits, as one step of the text's own undo."""
        spans = sorted(
            (
                self._position(edit.line, edit.column),
                self._position(edit.end_line, edit.end_column),
                edit.replacement,
            )
            for edit in fix.edits
        )
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for start, end, replacement in reversed(spans):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(replacement)
        cursor.endEditBlock()

    # --- places -----------------------------------------------------------------------------

    def _position(self, line: int, column: int) -> int:
        """Where a line and column are in Qt's document; places beyond the text become its end."""
        block = self.document().findBlockByNumber(line - 1)
        if not block.isValid():
            return self.document().characterCount() - 1
        return block.position() + units(block.text()[: column - 1])

    def _selection(
        self, line: int, column: int, end_line: int | None, end_column: int | None
    ) -> QTextCursor:
        cursor = QTextCursor(self.document())
        start = self._position(line, column)
        end = start
        if end_line is not None and end_column is not None:
            end = max(start, self._position(end_line, end_column))
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def place(self) -> tuple[int, int]:
        """The line and the column (from 1) before which the cursor stands."""
        cursor = self.textCursor()
        text = cursor.block().text()
        before = text.encode("utf-16-le", "surrogatepass")[: 2 * cursor.positionInBlock()]
        column = len(before.decode("utf-16-le", "surrogatepass")) + 1
        return cursor.blockNumber() + 1, column

    def go_to(
        self,
        line: int,
        column: int = 1,
        end_line: int | None = None,
        end_column: int | None = None,
    ) -> None:
        """Select a place (lines and columns from 1), bring it into sight, take the keyboard."""
        self.setTextCursor(self._selection(line, column, end_line, end_column))
        self.centerCursor()
        self.setFocus()

    def show_problem(self, problem: Problem) -> None:
        """Go to a problem's place, wherever edits have moved it since."""
        for mark in self._underlined:
            if mark.problem == problem:
                self.setTextCursor(mark.cursor)
                self.centerCursor()
                self.setFocus()
                return
        if problem.line is not None:
            self.go_to(problem.line, problem.column or 1, problem.end_line, problem.end_column)

    # --- problems ---------------------------------------------------------------------------

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Underline these instead of those before; problems without a place are left out."""
        self._underlined = []
        for problem in problems:
            if problem.line is None:
                continue
            cursor = self._selection(
                problem.line, problem.column or 1, problem.end_line, problem.end_column
            )
            self._underlined.append(_Underlined(_with_something_to_see(cursor), problem))
        self._mark()
        self._numbers.update()

    def problems_at(self, position: int) -> list[Problem]:
        """The problems whose places hold a position of Qt's document, the worst first."""
        found = [
            mark.problem
            for mark in self._underlined
            if mark.cursor.selectionStart() <= position <= mark.cursor.selectionEnd()
        ]
        return sorted(found, key=lambda problem: _WORST_FIRST.index(problem.severity))

    def line_marks(self) -> dict[int, QColor]:
        """For every line (from 1) where a problem begins, the colour of the worst."""
        colours = inks(self.palette())
        marks: dict[int, QColor] = {}
        for severity in reversed(_WORST_FIRST):
            for mark in self._underlined:
                if mark.problem.severity is severity:
                    block = self.document().findBlock(mark.cursor.selectionStart())
                    marks[block.blockNumber() + 1] = colours.severity(severity)
        return marks

    def _mark(self) -> None:
        """Draw the underlines and the line of the cursor."""
        colours = inks(self.palette())
        line = QTextEdit.ExtraSelection()
        line_format = QTextCharFormat()
        line_format.setBackground(colours.current_line)
        line_format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        line.format = line_format
        here = self.textCursor()
        here.clearSelection()
        line.cursor = here
        selections = [line]
        for severity in reversed(_WORST_FIRST):  # what comes last is drawn on top
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            colour = QColor(colours.severity(severity))
            look.setUnderlineColor(colour)
            colour.setAlpha(_TINT)  # a wave alone is faint under one or two letters
            look.setBackground(colour)
            for mark in self._underlined:
                if mark.problem.severity is severity:
                    selection = QTextEdit.ExtraSelection()
                    selection.cursor = mark.cursor
                    selection.format = look
                    selections.append(selection)
        self.setExtraSelections(selections)

    def set_colours(self) -> None:
        """Draw everything in the colours of the present palette."""
        self._highlighter.set_colours(inks(self.palette()))
        self._mark()
        self._numbers.update()

    # --- hovering and menus -----------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """The palette that counts is this widget's own, and it may come late."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_highlighter"):
            self.set_colours()

    def help_at(self, position: int) -> str:
        """What to say about a position: its problems, what is behind them, their ways out; where
        there are none, help on the word.
        """
        problems = self.problems_at(position)
        if problems:
            rows = [escape(problem.message) for problem in problems]
            for row, problem in enumerate(problems):
                behind = self._problem_help(problem.code)
                if behind is not None:
                    rows[row] += f"<br>{escape(behind)}"
                if problem.fix is not None:
                    rows[row] += f"<br><i>Way out: {escape(problem.fix.title)}</i>"
            return "<p>" + "</p><p>".join(rows) + "</p>"
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        words = self._word_help(cursor.selectedText())
        return "" if words is None else f"<p>{escape(words)}</p>"

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what is wrong with the place under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            position = self.cursorForPosition(event.pos()).position()
            words = self.help_at(position)
            if words:
                QToolTip.showText(event.globalPos(), words, self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The usual menu, headed by the fixes of the place under the mouse."""
        menu = self.createStandardContextMenu(event.pos())
        first = menu.actions()[0] if menu.actions() else None
        position = self.cursorForPosition(event.pos()).position()
        fixable = [problem for problem in self.problems_at(position) if problem.fix is not None]
        for problem in fixable:
            assert problem.fix is not None
            action = menu.addAction(f"Fix: {problem.fix.title}")
            action.triggered.connect(
                lambda _checked=False, problem=problem: self.fix_requested.emit(problem)
            )
            if first is not None:
                menu.insertAction(first, action)
        if fixable and first is not None:
            menu.insertSeparator(first)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    # --- keys, drops, the margin ------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Ctrl+S is the script's while one writes in it, not the map's."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.matches(QKeySequence.StandardKey.Save)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+S saves; Shift+Enter ends a line like Enter."""
        if event.matches(QKeySequence.StandardKey.Save):
            self.save_requested.emit()
            event.accept()
        elif event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard came."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard went."""
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text only: a dropped file is opened by the panel around."""
        return source.hasText() and not source.hasUrls()

    def _make_room(self) -> None:
        self.setViewportMargins(self._numbers.width_needed(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        inside = self.contentsRect()
        width = self._numbers.width_needed()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def _scroll_numbers(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margin as high as the text."""
        super().resizeEvent(event)
        self._place_numbers()


def _with_something_to_see(cursor: QTextCursor) -> QTextCursor:
    """An empty place takes in the character behind it, or at a line's end the one before it."""
    if not cursor.hasSelection():
        keep = QTextCursor.MoveMode.KeepAnchor
        if not cursor.atBlockEnd():
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, keep)
        elif not cursor.atBlockStart():
            cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, keep)
    return cursor
