"""The editor of a script's text, with its problems underlined.

``ScriptPanel`` has one ``ScriptEditor``, which shows the text of the current script
(``show_text``), coloured by the language of that script (``set_language``). It reads no files and
checks nothing itself: problems come by ``set_problems``, and requests go out as signals. Lines and
columns count from 1; a *position* counts UTF-16 code units from 0, as Qt does.

The editor shares its work with helpers: ``EditorKeys`` decides what a key does (editor_keys.py,
with a table of Undo and Redo), ``EditorOverlays`` draws over the text, ``ScriptCompleter`` shows
the list of words, ``LineNumbers`` is the margin, and ``tooltip`` tells about a position. What only
the panel knows about the text, the editor asks of its ``EditorContext``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QRegularExpression,
    QRegularExpressionMatch,
    Qt,
    Signal,
)
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
from app.features.script.editor_context import EditorContext
from app.features.script.editor_keys import (
    EditorKeys,
    KeyAction,
    KeyOwner,
    changes_text,
    key_owner,
)
from app.features.script.editor_overlays import EditorOverlays, Underlined, fixes_of
from app.features.script.fix_menu import insert_fixes
from app.features.script.highlighter import ScriptHighlighter
from app.features.script.line_numbers import LineNumbers
from app.features.script.text_help import tooltip
from app.qt_guard import connect, guarded
from app.scripts.script_text import Place, ScriptText
from randomizer.languages.language import PLAIN_TEXT, Language, SourceText
from randomizer.model.problems import Problem

END_OF_LINE = 10**6
"""A column that no line reaches, which stands for the end of the line."""

TAB_WIDTH = 3
"""The width of a tab in characters; a wider one wraps more lines, since the panel is narrow."""

NO_GAP_AFTER = " \t(,="
"""Characters after which a list of cells needs no blank before it."""

NO_GAP_BEFORE = " \t),#"
"""Characters before which a list of cells needs no blank behind it."""

NUMBER_WITH_POINT = QRegularExpression(r"(?<![\w.])[0-9]+\.[0-9]+(?![\w.])")
"""A number with digits behind its point."""


class TextRange(NamedTuple):
    """A part of the text."""

    start: Place

    end: Place
    """The place behind its last character; the same as ``start`` if it has none."""


class ScriptEditor(QPlainTextEdit):
    """Shows and edits the text of a script."""

    fix_requested = Signal(object, object)
    """A fix was chosen: its Problem and the Fix."""

    definition_requested = Signal()
    """The definition of the label at the cursor is to be shown."""

    save_requested = Signal()
    """Ctrl+S was pressed while the editor had the focus."""

    text_undone = Signal()
    """The user has undone an edit of the text, by its key."""

    commit_requested = Signal()
    """What was typed should be put into the map now: its Undo or Redo comes next, by the menu."""

    focus_changed = Signal()
    """The editor got or lost the keyboard focus."""

    language_changed = Signal()
    """The text is coloured, completed and explained by another language now."""

    reported = Signal(str)
    """A message for the status bar."""

    _is_made = False
    """True once the constructor has ended. Qt sends the first events before that can set a field:
    they find this value of the class."""

    def __init__(self, text: ScriptText) -> None:
        super().__init__()
        self.script_text = text
        """The document that is shown."""
        self.language = PLAIN_TEXT
        """The language that colours, completes and explains the text; see ``set_language``."""
        self.context = EditorContext()
        """What the panel knows about the text: it sets this once, when all its parts are made."""
        self._keys = EditorKeys()
        self._begins_undo_step = False
        """True after ``end_undo_step``, until the next key that changes the text."""

        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setTabChangesFocus(True)
        self.setAccessibleName("Script text")
        self.setAccessibleDescription("The text as shown here is what is rolled")
        self.overlays = EditorOverlays(self)
        self._highlighter = ScriptHighlighter(inks(self.palette()), self)
        self.numbers = LineNumbers(self, self.overlays)
        self.completer = ScriptCompleter(self, self.cursor_place, self.source)
        connect(self.blockCountChanged, self._fit_margin)
        connect(self.updateRequest, self.numbers.follow_text)
        connect(self.cursorPositionChanged, self.overlays.draw)
        connect(self.completer.reported, self.reported)
        connect(self.focus_changed, self.completer.close)
        self.show_text(text)
        self.overlays.draw()
        self._is_made = True

    # --- the text ---------------------------------------------------------------------------

    def text(self) -> str:
        """Return the text exactly as it is shown, with LF at the end of its lines."""
        return self.script_text.text()

    def source(self) -> SourceText:
        """Return the text as it is shown, with the texts of further files that it uses."""
        return SourceText(self.text(), texts=self.context.further_texts())

    def show_text(self, text: ScriptText) -> None:
        """Show a text from its start, without problems.

        It is another one than before, or the same one after its content was replaced.
        """
        self.set_problems(())
        if text is not self.document():
            self.unmark_lines()
            self.verticalScrollBar().setValue(0)
            self.script_text = text
            text.setDefaultFont(self.font())
            self.setDocument(text)
            self.setTabStopDistance(TAB_WIDTH * self.fontMetrics().horizontalAdvance(" "))
            self._highlighter.setDocument(text)
            self._fit_margin()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def insert_list(self, text: str) -> None:
        """Write a list of cells at the cursor, or over the selection, with blanks where needed."""
        cursor = self.textCursor()
        selection = self.selected_range()
        lines = self.text().split("\n")
        text_before = lines[selection.start.line - 1][: selection.start.column - 1]
        text_behind = lines[selection.end.line - 1][selection.end.column - 1 :]
        if text_before and text_before[-1] not in NO_GAP_AFTER:
            text = f" {text}"
        if text_behind and text_behind[0] not in NO_GAP_BEFORE:
            text = f"{text} "
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def set_language(self, language: Language) -> None:
        """Set the language that colours, completes and explains the text."""
        self.language = language
        self.completer.language = language
        self._highlighter.set_language(language)
        self.language_changed.emit()

    def end_undo_step(self) -> None:
        """Let all that is typed from now on be an undo step of its own."""
        self._begins_undo_step = True

    # --- lines and columns ------------------------------------------------------------------

    def cursor_place(self) -> Place:
        """Return the line and the column of the character before which the cursor stands."""
        return self.script_text.line_and_column(self.textCursor().position())

    def selected_range(self) -> TextRange:
        """Return where the selection begins and ends; without one both are at the cursor."""
        cursor = self.textCursor()
        start = self.script_text.line_and_column(cursor.selectionStart())
        end = self.script_text.line_and_column(cursor.selectionEnd())
        return TextRange(start, end)

    def go_to(
        self,
        line: int,
        column: int = 1,
        end_line: int | None = None,
        end_column: int | None = None,
    ) -> None:
        """Select the text from one line and column to another, scroll to it, take the focus.

        Without an end only the cursor is put there.
        """
        self.setTextCursor(self.script_text.selection(line, column, end_line, end_column))
        self.centerCursor()
        self.setFocus()

    def show_problem(self, problem: Problem) -> None:
        """Go to the text of a problem, wherever edits have moved it since."""
        cursor = self.overlays.cursor_of(problem)
        if cursor is not None:
            self.setTextCursor(cursor)
            self.centerCursor()
            self.setFocus()
        elif problem.line is not None:
            self.go_to(problem.line, problem.column or 1, problem.end_line, problem.end_column)

    def mark_lines(self, first_line: int, last_line: int) -> None:
        """Shade the lines of a statement and no others, and scroll it into view."""
        statement = self.script_text.selection(first_line, 1, last_line, END_OF_LINE)
        self.overlays.statement = statement
        start = self.script_text.selection(first_line, 1)
        if not self.viewport().rect().contains(self.cursorRect(start)):
            bar = self.verticalScrollBar()  # its values count lines as they are wrapped
            half_a_page = bar.pageStep() // 2
            bar.setValue(start.block().firstLineNumber() - half_a_page)
        self.overlays.draw()

    def unmark_lines(self) -> None:
        """Shade no statement."""
        self.overlays.statement = None
        self.overlays.draw()

    # --- problems ---------------------------------------------------------------------------

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Underline these problems and no others, except those without a line."""
        marks = []
        for problem in problems:
            if problem.line is None:
                continue
            cursor = self.script_text.selection(
                problem.line, problem.column or 1, problem.end_line, problem.end_column
            )
            marks.append(Underlined(cursor, problem))
        self.overlays.underline(marks)
        self.numbers.update()

    # --- hovering and menus -----------------------------------------------------------------

    def help_at(self, position: int) -> str:
        """Return a tooltip about a position, as HTML; "" if there is nothing to tell.

        It tells the problems there, then about the word, the cells that the text is about, and the
        line.
        """
        line, column = self.script_text.line_and_column(position)
        texts = (
            self.language.help_at(self.source(), line, column),
            self.context.cell_help(line, column),
            self.context.line_help(line),
        )
        return tooltip(self.overlays.problems_at(position), texts, self.language)

    @guarded(default=False)
    def viewportEvent(self, event: QEvent) -> bool:
        """Show help on the text under the mouse as a tooltip."""
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
        """Show Qt's menu, headed by fixes of the text there, and followed by the actions."""
        menu = self.createStandardContextMenu(event.pos())
        cursor = self.cursorForPosition(event.pos())
        fixes = fixes_of(self.overlays.problems_at(cursor.position()))
        insert_fixes(menu, fixes, self.fix_requested)
        if not self.textCursor().hasSelection():
            self.setTextCursor(cursor)  # the actions of the menu act there
        menu.addSeparator()
        menu.addActions(self.actions())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    # --- keys -------------------------------------------------------------------------------

    # The way of a key:
    #
    # 1. While the list of words is open, it gets the key (``completer.handle_key``).
    # 2. Qt asks if the key is for the editor or for a shortcut (``_answer_shortcut_override``).
    # 3. A key for the editor comes to ``keyPressEvent``, and ``EditorKeys`` says what it does.

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Take Ctrl+S before menus do, and the keys of the list of words while it is open."""
        if not isinstance(event, QKeyEvent):
            return super().event(event)
        if self.completer.handle_key(event):
            return True
        if event.type() == QEvent.Type.ShortcutOverride:
            return self._answer_shortcut_override(event)
        return super().event(event)

    def _answer_shortcut_override(self, event: QKeyEvent) -> bool:
        """Tell Qt whether a key is for the editor (accepted) or for a menu's shortcut (ignored).

        An accepted key comes again, to ``keyPressEvent``. Return False if Qt should go on to ask
        the widgets around the editor.
        """
        match key_owner(event, self.script_text):
            case KeyOwner.EDITOR:
                event.accept()
                return True
            case KeyOwner.MAP:
                return self._hand_undo_to_map(event)
            case KeyOwner.QT:
                return super().event(event)

    def _hand_undo_to_map(self, event: QKeyEvent) -> bool:
        """Leave a key of Undo or Redo to the menu, if the text allows a step of the map.

        1. What was typed is put into the map, as a step: it is the one to be undone.
        2. The panel is asked whether the step that would be undone or redone changes this text.
        3. If so, the key is ignored, and the menu takes it. Else it is accepted, and comes again,
           to ``keyPressEvent``, which tells why nothing happens.
        """
        self.commit_requested.emit()
        is_redo = event.matches(QKeySequence.StandardKey.Redo)
        if self.context.may_take_map_step(is_redo=is_redo):
            event.ignore()  # Qt's own editor would accept the key, and undo nothing
            return False
        event.accept()
        return True

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what a key stands for: save, undo, end the line, edit the text, or tell a message."""
        effect = self._keys.press(event, self.script_text)
        match effect.action:
            case KeyAction.SAVE:
                self.save_requested.emit()
                event.accept()
            case KeyAction.UNDO:
                super().keyPressEvent(event)
                self.text_undone.emit()
            case KeyAction.TELL:
                self.reported.emit(effect.message)
                event.accept()
            case KeyAction.END_LINE:
                self.textCursor().insertBlock()
                self.ensureCursorVisible()
            case KeyAction.EDIT:
                self._edit(event)

    def _edit(self, event: QKeyEvent) -> None:
        """Let Qt do what a key stands for, and offer words for the letters before the cursor."""
        self.completer.begin_typing()
        if self._begins_undo_step and changes_text(event):
            self._begins_undo_step = False
            self._edit_as_new_step(event)
        else:
            super().keyPressEvent(event)
        self.completer.end_typing(event)

    def _edit_as_new_step(self, event: QKeyEvent) -> None:
        """Let Qt do what a key stands for, as an undo step of its own.

        Qt adds a letter to the undo step of the letters before it, but not one that is typed within
        an edit block.
        """
        edit_block = self.textCursor()
        edit_block.beginEditBlock()
        super().keyPressEvent(event)
        edit_block.endEditBlock()

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the editor has the keyboard."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the editor has no longer the keyboard."""
        super().focusOutEvent(event)
        self._keys.forget_typing()
        self.focus_changed.emit()

    # --- mouse and drops --------------------------------------------------------------------

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the definition of the name under the mouse by Ctrl and a click."""
        super().mousePressEvent(event)
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.definition_requested.emit()

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a whole number, such as 0.3, where Qt ends the word at its point."""
        super().mouseDoubleClickEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        cursor = self.cursorForPosition(event.position().toPoint())
        line_start = cursor.block().position()
        number = _number_around(cursor.block().text(), cursor.positionInBlock())
        if number is not None:
            cursor.setPosition(line_start + number.capturedStart())
            cursor.setPosition(line_start + number.capturedEnd(), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    @guarded(default=False)
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text only: a dropped file is opened by the panel that holds the editor."""
        return source.hasText() and not source.hasUrls()

    # --- colours and margin ----------------------------------------------------------------

    def set_colours(self) -> None:
        """Draw everything in the colours of the present palette."""
        self._highlighter.set_colours(inks(self.palette()))
        self.overlays.draw()
        self.numbers.update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of this widget's own palette, which can change at any time."""
        super().changeEvent(event)
        # Qt sends the first of these events while the constructor still runs.
        if event.type() == QEvent.Type.PaletteChange and self._is_made:
            self.set_colours()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make the margin as high as the editor."""
        super().resizeEvent(event)
        self.numbers.fit_to_editor()

    def _fit_margin(self) -> None:
        """Make the margin as wide as the numbers of all lines need."""
        self.setViewportMargins(self.numbers.width_needed(), 0, 0, 0)
        self.numbers.fit_to_editor()


def _number_around(line: str, offset: int) -> QRegularExpressionMatch | None:
    """Return the number with a point in which an offset of a line lies; None if it is in none."""
    numbers = NUMBER_WITH_POINT.globalMatch(line)
    while numbers.hasNext():
        number = numbers.next()
        if number.capturedStart() <= offset <= number.capturedEnd():
            return number
    return None
