"""The bars below the editor of scripts: find and replace, go to a line.

``RandomizePanel`` has both; ``ScriptActions`` opens them. A *hit* is a range of the text that
``text_search`` has found. The hits are searched for again whenever the text or the query changes,
and are marked in the editor; the *current* hit is the one that is exactly selected.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPalette, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.text_colours import inks
from app.features.script.editor import ScriptEditor
from app.features.script.text_search import Hit, Query, find_hits
from app.qt_guard import connect, guarded
from app.scripts.script_text import units
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, ProblemError, TextEdit

_LINE_AND_COLUMN = re.compile(
    r"""
    \s*  (?P<line> \d{1,9}) \s*
    (?: [:,] \s* (?P<column> \d{1,9}) \s* )?
    """,
    re.ASCII | re.VERBOSE,
)
"""The texts that can be typed to go to a line: ``12``, ``12:5`` or ``12, 5``."""

_PARAGRAPH_SEPARATOR = "\N{PARAGRAPH SEPARATOR}"
"""The character in Qt's selected text where a line ends."""

_START = attrgetter("start")
"""The key to bisect hits by their starts; they are in the order of the text."""

_END = attrgetter("end")
"""The key to bisect hits by their ends."""


class EditorBar(QFrame):
    """The base of both bars: hidden until it is opened; Escape goes back to the editor."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__()
        self._editor = editor
        self.message = described(plain_label(wordWrap=True), "What is wrong")
        self.message.hide()
        self.hide()

    def leave(self) -> None:
        """Hide the bar and give the keyboard back to the editor."""
        self.hide()
        self._editor.setFocus()

    def _show_message(self, text: str) -> None:
        """Show what is wrong with what was typed; "" hides the message."""
        palette = self._editor.palette()
        palette.setColor(QPalette.ColorRole.WindowText, inks(palette).error)
        self.message.setPalette(palette)
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _enter(self, *, back: bool) -> None:
        """Do what Enter does; ``back``: Shift was held."""
        raise NotImplementedError

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that the fields leave: Enter, Shift+Enter and Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)


class FindBar(EditorBar):
    """Finds and replaces text in the editor, where all hits are marked while the bar is shown."""

    fix_requested = Signal(object)
    """The edits of this ``Fix``, which replace hits, are to be made as one step of undo."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self._hits: list[Hit] = []
        """The hits of the last search, in the order of the text."""
        self._searched: tuple[Query, str] | None = None
        """The query and the text of the last search; None before the first."""
        self._origin = 0
        """The position from which what is being typed is searched."""
        self._make_find_widgets()
        self._make_replace_widgets()
        self._lay_out()
        self._connect()

    # --- construction -----------------------------------------------------------------------

    def _make_find_widgets(self) -> None:
        """Make the field for what is searched, its options, and the buttons that go to hits."""
        self.field = described(QLineEdit(placeholderText="Find"), "Text to find")
        self.count = described(plain_label(), "Hits")
        self.match_case = self._toggle("Aa", "Match case")
        self.whole_words = self._toggle("W", "Whole words only")
        self.regular = self._toggle(".*", "Regular expression (PCRE), within one line")
        self._options = (self.match_case, self.whole_words, self.regular)
        self.previous = self._button("", "The hit before (Shift+Enter)", "Previous hit")
        self.previous.setArrowType(Qt.ArrowType.UpArrow)
        self.next = self._button("", "The hit behind (Enter)", "Next hit")
        self.next.setArrowType(Qt.ArrowType.DownArrow)
        self.close_button = self._button(
            "\N{MULTIPLICATION SIGN}", "Close (Escape)", "Close the search"
        )

    def _make_replace_widgets(self) -> None:
        """Make the field for the replacement and its buttons, a row that can be hidden."""
        self.replacement = described(QLineEdit(placeholderText="Replace with"), "Replacement")
        self.replace = tool_button("Replace", "This hit, and go to the next one (Enter)")
        self.replace_all = tool_button("Replace all", "All hits, as one step of undo")
        self._replace_row = QWidget()

    def _lay_out(self) -> None:
        """Put the search, the replacement and the message below each other."""
        find_widgets = (
            (self.field, 1),
            self.count,
            *self._options,
            self.previous,
            self.next,
            self.close_button,
        )
        find_row = lay_out(QHBoxLayout(), *find_widgets, spacing=2)
        replace_widgets = ((self.replacement, 1), self.replace, self.replace_all)
        lay_out(QHBoxLayout(self._replace_row), *replace_widgets, margins=0, spacing=2)
        lay_out(QVBoxLayout(self), find_row, self._replace_row, self.message, margins=0, spacing=2)

    def _connect(self) -> None:
        """Connect the fields and buttons, and follow the editor."""
        editor = self._editor
        connect(self.field.textEdited, self._on_typed)
        for option in self._options:
            connect(option.toggled, self._on_typed)
        connect(self.next.clicked, lambda: self.step())
        connect(self.previous.clicked, lambda: self.step(back=True))
        connect(self.close_button.clicked, self.leave)
        connect(self.replace.clicked, self.replace_one)
        connect(self.replace_all.clicked, self.replace_every)
        connect(editor.textChanged, self._follow_editor)
        connect(editor.language_changed, self._follow_editor)
        connect(editor.selectionChanged, self._show_count)

    def _button(self, text: str, tip: str, name: str) -> QToolButton:
        """Return a button; ``name`` is what a screen reader calls it."""
        button = tool_button(text, tip, name)
        button.setAutoRaise(True)
        return button

    def _toggle(self, text: str, tip: str) -> QToolButton:
        """Return a button that stays down, for an option of the search."""
        button = self._button(text, tip, tip)
        button.setCheckable(True)
        return button

    def add_keys(self, actions: list[QAction]) -> None:
        """Let the keys of these actions of the editor hold in the fields, too."""
        self.field.addActions(actions)
        self.replacement.addActions(actions)

    # --- opening and closing ----------------------------------------------------------------

    def open(self, *, replace: bool = False) -> None:
        """Show the bar with what is selected within a line, else with what was searched last."""
        cursor = self._editor.textCursor()
        selected_text = cursor.selectedText()
        is_in_one_line = _PARAGRAPH_SEPARATOR not in selected_text
        if selected_text and is_in_one_line and self._editor.hasFocus():
            self.field.setText(selected_text)
        self._origin = cursor.selectionStart()
        self._replace_row.setVisible(replace and not self._editor.isReadOnly())
        self.show()
        self._search()
        self.field.selectAll()
        self.field.setFocus()

    def leave(self) -> None:
        """Hide the bar and the marks, and give the keyboard back to the editor."""
        super().leave()
        self._search()  # finds nothing while the bar is hidden, which removes the marks

    def _enter(self, *, back: bool) -> None:
        """Replace a hit, or go to the next one, by the field that has the keyboard."""
        if self.replacement.hasFocus():
            self.replace_one()
        else:
            self.step(back=back)

    # --- finding ----------------------------------------------------------------------------

    def _query(self) -> Query:
        """Return what the field and the options ask for."""
        return Query(
            self.field.text(),
            match_case=self.match_case.isChecked(),
            whole_words=self.whole_words.isChecked(),
            regular=self.regular.isChecked(),
        )

    def _follow_editor(self) -> None:
        """Search the text of the editor, which may be another one now."""
        if not self.isVisible():
            return
        if self._editor.isReadOnly():
            self._replace_row.hide()
        self._search()

    def _on_typed(self) -> None:
        """Search for what was typed, and go to the first hit from where the search began."""
        self._search()
        if self._hits:
            next_hit = bisect_left(self._hits, self._origin, key=_START)
            self._go(next_hit % len(self._hits))  # behind the last one the first follows

    def _search(self) -> None:
        """Find and mark all hits; none while the bar is hidden.

        Nothing is done if query and text are those of the last search: Qt reports a change of the
        text also when only its colours have changed.
        """
        query = self._query()
        text = self._editor.text()
        if self.isHidden():
            query = Query("")
        if self._searched == (query, text):
            return
        self._searched = (query, text)
        self._hits = []
        message = ""
        try:
            self._hits = find_hits(self._editor.document(), query)
        except ProblemError as reason:
            message = reason.problems[0].message
        self._show_message(message)
        self._editor.overlays.mark_hits([(hit.start, hit.end) for hit in self._hits])
        for button in (self.next, self.previous, self.replace, self.replace_all):
            button.setEnabled(bool(self._hits))
        self._show_count()

    def _current(self) -> int | None:
        """Return the index of the hit that is selected, None if none is."""
        cursor = self._editor.textCursor()
        index = bisect_left(self._hits, cursor.selectionStart(), key=_START)
        if index < len(self._hits):
            hit = self._hits[index]
            if (hit.start, hit.end) == (cursor.selectionStart(), cursor.selectionEnd()):
                return index
        return None

    def _show_count(self) -> None:
        """Show ``3 of 12`` while a hit is selected, else ``12 hits``."""
        current = self._current()
        total = len(self._hits)
        if current is not None:
            text = f"{current + 1} of {total}"
        elif not self.field.text() or self.message.text():
            text = ""
        else:
            text = counted(total, "hit")
        self.count.setText(text)

    def step(self, *, back: bool = False) -> None:
        """Select the next hit, or the one before; behind the last one the first follows."""
        if not self.field.text():
            self.open()
            return
        self.show()
        self._search()
        if self._hits:
            cursor = self._editor.textCursor()
            if back:
                index = bisect_right(self._hits, cursor.selectionStart(), key=_END) - 1
            else:
                index = bisect_left(self._hits, cursor.selectionEnd(), key=_START)
            self._go(index % len(self._hits))

    def _go(self, index: int) -> None:
        """Select a hit, from which further letters of the query are searched."""
        hit = self._hits[index]
        self._select(hit.start, hit.end)
        self._origin = hit.start
        self._show_count()

    def _select(self, start: int, end: int) -> None:
        """Select the text between two positions; what is out of view comes to its middle."""
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        is_in_view = self._editor.viewport().rect().contains(self._editor.cursorRect(cursor))
        self._editor.setTextCursor(cursor)
        if not is_in_view:
            self._editor.centerCursor()

    # --- replacing --------------------------------------------------------------------------

    def replace_one(self) -> None:
        """Replace the hit that is selected, and select the next one; else only select one."""
        current = self._current()
        if current is not None and not self._editor.isReadOnly():
            hit = self._hits[current]
            replacement = self._request_replacement([hit])
            # The search goes on behind the replacement, which may hold the searched text itself.
            end = hit.start + units(replacement)
            self._select(end, end)
        self.step()

    def replace_every(self) -> None:
        """Replace all hits, as one step of undo."""
        if self._hits and not self._editor.isReadOnly():
            count = counted(len(self._hits), "hit")
            self._request_replacement(self._hits)
            self._editor.reported.emit(f"Replaced {count}")

    def _request_replacement(self, hits: list[Hit]) -> str:
        """Let hits be replaced by what was typed; return the replacement of the last one."""
        text = self._editor.script_text
        template = self.replacement.text()
        edits = []
        for hit in hits:
            line, column = text.line_and_column(hit.start)
            end_line, end_column = text.line_and_column(hit.end)
            replacement = hit.replacement(template, regular=self.regular.isChecked())
            edits.append(TextEdit(line, column, end_line, end_column, replacement))
        self.fix_requested.emit(Fix(f"Replace {counted(len(hits), 'hit')}", tuple(edits)))
        return edits[-1].replacement


class LineBar(EditorBar):
    """Asks for a line of the editor's text, and goes there."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self.field = described(
            QLineEdit(placeholderText="Line, or line:column"), "Line, or line and column"
        )
        row = lay_out(QHBoxLayout(), plain_label("Go to line"), (self.field, 1), spacing=4)
        lay_out(QVBoxLayout(self), row, self.message, margins=0, spacing=2)
        connect(self.field.textEdited, lambda: self._show_message(""))

    def open(self) -> None:
        """Show the bar with the line of the cursor."""
        self.field.setText(str(self._editor.place()[0]))
        self._show_message("")
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def _enter(self, *, back: bool) -> None:
        """Go to the line that was typed, or show why there is none."""
        match = _LINE_AND_COLUMN.fullmatch(self.field.text())
        if match is None:
            self._show_message("This is no line: write 12, or 12:5 for a column, too")
            return
        line = int(match["line"])
        column = int(match["column"] or 1)
        line_count = self._editor.blockCount()
        if not 1 <= line <= line_count:
            self._show_message(f"The text has {counted(line_count, 'line')}")
            return
        self.leave()
        self._editor.go_to(line, max(1, column))
