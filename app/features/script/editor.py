"""The editor of a script's text, with its problems underlined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontDatabase,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip

from app.appearance.text_colours import inks
from app.features.script.completer import ScriptCompleter
from app.features.script.editor_overlays import EditorOverlays, Underlined
from app.features.script.highlighter import ScriptHighlighter
from app.features.script.line_numbers import LineNumbers
from app.qt_guard import connect, guarded
from app.scripts.script_text import ScriptText
from randomizer.languages.language import PLAIN_TEXT, Language, SourceText
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Fix, Problem

_BEYOND = 10**6
"""A column that no line reaches: its end."""


Cells = Callable[[int, int], str]
"""From a line and column to the cells that this place is about, in words; "" for none."""

STILL_HERE = "The keyboard is in the script: Escape once more gives it to the map"
"""Said at the first Escape after typing."""

NO_STEPS = "Nothing more was typed here; Undo in the menu takes back steps of the map"
"""Said at Ctrl+Z when all steps of the text are undone."""

TAB = 3
"""The width of a tab in characters: the panel is narrow."""


class ScriptEditor(QPlainTextEdit):
    """A view of a text; it neither reads files nor checks anything itself."""

    fix_requested = Signal(object, object)
    """A fix was chosen: its Problem and the Fix."""
    definition_requested = Signal()
    """The definition of the label at the cursor is to be shown."""
    save_requested = Signal()
    """Ctrl+S was pressed while the editor had the focus."""
    map_undo_wanted = Signal()
    """Undo or redo of a text whose steps are the map's: the map's shortcuts follow."""
    focus_changed = Signal()
    """The editor got or lost the keyboard focus."""
    language_changed = Signal()
    """Scripts of another language are shown."""
    reported = Signal(str)
    """A message for the status bar."""

    def __init__(self, text: ScriptText) -> None:
        super().__init__()
        self.script_text = text
        self._has_typed = False
        self.overlays = EditorOverlays(self)
        self.language = PLAIN_TEXT
        self.cells_of_text: Cells = lambda _line, _column: ""
        self.line_help: Callable[[int], str] = lambda _line: ""
        self.further_texts: Callable[[], Mapping[str, str]] = lambda: NO_TEXTS
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setTabChangesFocus(True)
        self.setAccessibleName("Script text")
        self.setAccessibleDescription("The text as shown here is what is rolled")
        self._highlighter = ScriptHighlighter(inks(self.palette()), self)
        self.numbers = LineNumbers(self, self.overlays)
        self.completer = ScriptCompleter(self, self.place, self.source)
        connect(self.blockCountChanged, self._make_room)
        connect(self.updateRequest, self._scroll_numbers)
        connect(self.cursorPositionChanged, self.overlays.draw)
        connect(self.completer.reported, self.reported)
        connect(self.focus_changed, self.completer.close)
        self.show_text(text)
        self.overlays.draw()

    # --- the text ---------------------------------------------------------------------------

    def text(self) -> str:
        """Return the text as shown, lines ended by LF; no character is replaced by a likely one."""
        return self.script_text.text()

    def source(self) -> SourceText:
        """Return the text as shown, with its further texts."""
        return SourceText(self.text(), texts=self.further_texts())

    def show_text(self, text: ScriptText) -> None:
        """Show another text, or one that has begun anew: from its start, without problems."""
        self.set_problems(())
        if text is not self.document():
            self.mark_lines(None)
            self.verticalScrollBar().setValue(0)
            self.script_text = text
            text.setDefaultFont(self.font())
            self.setDocument(text)
            self.setTabStopDistance(TAB * self.fontMetrics().horizontalAdvance(" "))
            self._highlighter.setDocument(text)
            self._make_room()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def insert_list(self, text: str) -> None:
        """Write a list of cells at the cursor, or over the selection, parted from other words."""
        cursor = self.textCursor()
        row = cursor.block().text()
        start = cursor.block().position()
        text_before = row[: cursor.selectionStart() - start]
        text_behind = row[cursor.selectionEnd() - start :]
        gap = " " if text_before and text_before[-1] not in " \t(,=" else ""
        end = " " if text_behind and text_behind[0] not in " \t),#" else ""
        cursor.insertText(f"{gap}{text}{end}")
        self.setTextCursor(cursor)

    def set_language(self, language: Language) -> None:
        """Set the language that colours, completes and explains the text."""
        self.language = language
        self.completer.language = language
        self._highlighter.set_language(language)
        self.language_changed.emit()

    # --- places -----------------------------------------------------------------------------

    def place(self) -> tuple[int, int]:
        """Return the line and the column (from 1) before which the cursor stands."""
        return self.script_text.place_of(self.textCursor().position())

    def selected_place(self) -> tuple[int, int, int, int]:
        """Return where the selection begins and ends.

        Both are the cursor's place if there is none.
        """
        cursor = self.textCursor()
        place_of = self.script_text.place_of
        return (*place_of(cursor.selectionStart()), *place_of(cursor.selectionEnd()))

    def go_to(
        self,
        line: int,
        column: int = 1,
        end_line: int | None = None,
        end_column: int | None = None,
    ) -> None:
        """Select a place (lines and columns from 1), scroll it into view, take the focus."""
        self.setTextCursor(self.script_text.selection(line, column, end_line, end_column))
        self.centerCursor()
        self.setFocus()

    def show_problem(self, problem: Problem) -> None:
        """Go to a problem's place, wherever edits have moved it since."""
        cursor = self.overlays.cursor_of(problem)
        if cursor is not None:
            self.setTextCursor(cursor)
            self.centerCursor()
            self.setFocus()
        elif problem.line is not None:
            self.go_to(problem.line, problem.column or 1, problem.end_line, problem.end_column)

    def mark_lines(self, lines: tuple[int, int] | None) -> None:
        """Shade a statement (its first and last line) until another call, scroll it into view."""
        self.overlays.statement = None
        if lines is not None:
            self.overlays.statement = self.script_text.selection(lines[0], 1, lines[1], _BEYOND)
            start = self.script_text.selection(lines[0], 1)
            if not self.viewport().rect().contains(self.cursorRect(start)):
                bar = self.verticalScrollBar()  # counts lines as they are wrapped
                bar.setValue(start.block().firstLineNumber() - bar.pageStep() // 2)
        self.overlays.draw()

    # --- problems ---------------------------------------------------------------------------

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Underline these instead of those before; problems without a place are left out."""
        self.overlays.underline(
            Underlined(
                self.script_text.selection(
                    problem.line, problem.column or 1, problem.end_line, problem.end_column
                ),
                problem,
            )
            for problem in problems
            if problem.line is not None
        )
        self.numbers.update()

    def set_colours(self) -> None:
        """Draw everything in the colours of the present palette."""
        self._highlighter.set_colours(inks(self.palette()))
        self.overlays.draw()
        self.numbers.update()

    # --- hovering and menus -----------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of this widget's own palette, which may be set late."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_highlighter"):
            self.set_colours()

    def help_at(self, position: int) -> str:
        """HTML about a position, "" for nothing: its problems, their explanations and fixes; then
        help on the word, the cells that the place is about, and help on its line.
        """
        problems = self.overlays.problems_at(position)
        language = self.language
        line_and_column = self.script_text.place_of(position)
        rows = []
        for problem in problems:
            row = escape(problem.message)
            explanation = language.problem_help(problem.code)
            row += "" if explanation is None else f"<br>{escape(explanation)}"
            for fix in problem.fixes:
                row += f"<br><i>Way out: {escape(fix.title)}</i>"
            rows.append(row)
        help_text = language.help_at(self.source(), *line_and_column)
        rows += [] if help_text is None else [escape(help_text)]
        further = self.cells_of_text(*line_and_column), self.line_help(line_and_column[0])
        rows += [escape(text) for text in further if text]
        if rows:
            return f"<p>{'</p><p>'.join(rows)}</p>"
        return ""

    @guarded(default=False)
    def viewportEvent(self, event: QEvent) -> bool:
        """Show the help of the place under the mouse as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.help_at(self.cursorForPosition(event.pos()).position())
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    @guarded
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The usual menu, headed by the fixes of the place under the mouse."""
        menu = self.createStandardContextMenu(event.pos())
        first = menu.actions()[0] if menu.actions() else None
        position = self.cursorForPosition(event.pos()).position()
        ways = [
            (problem_here, fix)
            for problem_here in self.overlays.problems_at(position)
            for fix in problem_here.fixes
        ]
        for problem, fix in ways:
            action = menu.addAction(f"Fix: {fix.title}")
            connect(action.triggered, partial(self._request_fix, problem, fix))
            if first is not None:
                menu.insertAction(first, action)
        if ways and first is not None:
            menu.insertSeparator(first)
        if not self.textCursor().hasSelection():
            self.setTextCursor(self.cursorForPosition(event.pos()))  # what follows is done there
        menu.addSeparator()
        menu.addActions(self.actions())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _request_fix(self, problem: Problem, fix: Fix, _checked: bool = False) -> None:
        self.fix_requested.emit(problem, fix)

    # --- keys, drops, the margin ------------------------------------------------------------

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Take Ctrl+S before menus do, and the keys of the list of words while it is open."""
        if not isinstance(event, QKeyEvent):
            return super().event(event)
        if self.completer.takes(event):
            return True
        if event.type() == QEvent.Type.ShortcutOverride:
            if event.matches(QKeySequence.StandardKey.Save):
                event.accept()
                return True
            if self._is_undo_of_map(event):
                self.map_undo_wanted.emit()
                event.ignore()  # else Qt's editor takes the keys, and undoes nothing
                return False
        return super().event(event)

    def _is_undo_of_map(self, event: QKeyEvent) -> bool:
        """Return whether keys undo or redo a step of the map: it holds the text, or the text has
        no steps.

        Steps of a text that were all undone are steps: who holds Ctrl+Z down undoes no roll.
        """
        keys = QKeySequence.StandardKey
        if not (event.matches(keys.Undo) or event.matches(keys.Redo)):
            return False
        text = self.script_text
        return not (text.isUndoAvailable() or text.isRedoAvailable())

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+S saves; Shift+Enter ends a line like Enter; letters bring words that fit.

        The first Escape after typing stays here: who meant to close a list of words that had closed
        already is not to paint with the next letters.
        """
        keys = QKeySequence.StandardKey
        if event.key() == Qt.Key.Key_Escape and self._has_typed:
            self._has_typed = False
            self.reported.emit(STILL_HERE)
            event.accept()
            return
        if event.text() and event.key() != Qt.Key.Key_Escape:
            self._has_typed = True
        if event.matches(keys.Save):
            self.save_requested.emit()
            event.accept()
        elif event.matches(keys.Undo) and not self.script_text.isUndoAvailable():
            self.reported.emit(NO_STEPS)
            event.accept()
        elif event.matches(QKeySequence.StandardKey.InsertLineSeparator):
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        else:
            self.completer.begin_typing()
            super().keyPressEvent(event)
            self.completer.end_typing(event)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ctrl and a click: go to the definition."""
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        if left and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.definition_requested.emit()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Emit ``focus_changed``."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Emit ``focus_changed``."""
        super().focusOutEvent(event)
        self._has_typed = False
        self.focus_changed.emit()

    @guarded(default=False)
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text only: a dropped file is opened by the panel around."""
        return source.hasText() and not source.hasUrls()

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers.width_needed(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        inside = self.contentsRect()
        width = self.numbers.width_needed()
        self.numbers.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def _scroll_numbers(self, rect: QRect, dy: int) -> None:
        if dy:
            self.numbers.scroll(0, dy)
        else:
            self.numbers.update(0, rect.y(), self.numbers.width(), rect.height())

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margin as high as the text."""
        super().resizeEvent(event)
        self._place_numbers()
