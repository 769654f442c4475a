"""The bars below the editor of scripts: find and replace, go to a line."""

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

_LINE = re.compile(r"\s*(\d{1,9})\s*(?:[:,]\s*(\d{1,9})\s*)?", re.ASCII)

_START = attrgetter("start")
_END = attrgetter("end")


class EditorBar(QFrame):
    """A bar that is hidden until it is opened. Escape hides it and goes back to the editor."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__()
        self._editor = editor
        self.message = described(plain_label(wordWrap=True), "What is wrong")
        self.message.hide()
        self.hide()

    def leave(self) -> None:
        """Hide the bar; the editor has the keyboard again."""
        self.hide()
        self._editor.setFocus()

    def _show_message(self, text: str) -> None:
        """Say what is wrong with what was typed, "" if nothing."""
        palette = self._editor.palette()
        palette.setColor(QPalette.ColorRole.WindowText, inks(palette).error)
        self.message.setPalette(palette)
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _enter(self, *, back: bool) -> None:
        """Do what Enter does, with Shift ``back``."""
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
    """Finds and replaces text in the editor, where all hits are marked while the bar is shown.

    ``fix_wanted(Fix)``: these edits, which replace hits, are to be one step of undo.
    """

    fix_wanted = Signal(object)

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self._hits: list[Hit] = []
        self._searched: tuple[Query, str] | None = None
        self._origin = 0
        self.field = described(QLineEdit(placeholderText="Find"), "Text to find")
        self.count = described(plain_label(), "Hits")
        self.match_case = self._toggle("Aa", "Match case")
        self.whole_words = self._toggle("W", "Whole words only")
        self.regular = self._toggle(".*", "Regular expression (PCRE), within one line")
        self.previous = self._button("", "The hit before (Shift+Enter)", "Previous hit")
        self.previous.setArrowType(Qt.ArrowType.UpArrow)
        self.next = self._button("", "The hit behind (Enter)", "Next hit")
        self.next.setArrowType(Qt.ArrowType.DownArrow)
        self.close_button = self._button("\u00d7", "Close (Escape)", "Close the search")
        self.replacement = described(QLineEdit(placeholderText="Replace with"), "Replacement")
        self.replace = tool_button("Replace", "This hit, and go to the next one (Enter)")
        self.replace_all = tool_button("Replace all", "All hits, as one step of undo")
        self._replace_row = QWidget()
        lay_out(
            QHBoxLayout(self._replace_row),
            *((self.replacement, 1), self.replace, self.replace_all),
            margins=0,
            spacing=2,
        )
        options = (self.match_case, self.whole_words, self.regular)
        find_row = lay_out(
            QHBoxLayout(),
            *((self.field, 1), self.count, *options),
            *(self.previous, self.next, self.close_button),
            spacing=2,
        )
        lay_out(QVBoxLayout(self), find_row, self._replace_row, self.message, margins=0, spacing=2)
        connect(self.field.textEdited, self._on_typed)
        for option in options:
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
        button = tool_button(text, tip, name)
        button.setAutoRaise(True)
        return button

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = self._button(text, tip, tip)
        button.setCheckable(True)
        return button

    def add_keys(self, actions: list[QAction]) -> None:
        """Let the keys of these actions of the editor hold in the fields, too."""
        self.field.addActions(actions)
        self.replacement.addActions(actions)

    # --- opening and closing ----------------------------------------------------------------

    def open(self, *, replace: bool = False) -> None:
        """Show the bar with the text that is selected in one line, else with the last one."""
        cursor = self._editor.textCursor()
        selected = cursor.selectedText()
        if selected and "\u2029" not in selected and self._editor.hasFocus():
            self.field.setText(selected)
        self._origin = cursor.selectionStart()
        self._replace_row.setVisible(replace and not self._editor.isReadOnly())
        self.show()
        self._search()
        self.field.selectAll()
        self.field.setFocus()

    def leave(self) -> None:
        """Hide the bar and the marks; the editor has the keyboard again."""
        super().leave()
        self._search()

    def _enter(self, *, back: bool) -> None:
        if self.replacement.hasFocus():
            self.replace_one()
        else:
            self.step(back=back)

    # --- finding ----------------------------------------------------------------------------

    def _query(self) -> Query:
        options = (self.match_case, self.whole_words, self.regular)
        return Query(self.field.text(), *(option.isChecked() for option in options))

    def _follow_editor(self) -> None:
        """Another text is shown or was typed: search it, unless only its colours are new."""
        if self.isVisible():
            if self._editor.isReadOnly():
                self._replace_row.hide()
            self._search()

    def _on_typed(self) -> None:
        """Go to the first hit from where the search began."""
        self._search()
        if self._hits:
            next_hit = bisect_left(self._hits, self._origin, key=_START)
            self._go(next_hit % len(self._hits))

    def _search(self) -> None:
        """Find and mark all hits; none while the bar is hidden."""
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
        current = self._current()
        total = len(self._hits)
        if not self.field.text() or self.message.text():
            text = ""
        else:
            text = counted(total, "hit")
        self.count.setText(text if current is None else f"{current + 1} of {total}")

    def step(self, *, back: bool = False) -> None:
        """Select the next hit, or the one before; from the last one on to the first."""
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
        hit = self._hits[index]
        self._select(hit.start, hit.end)
        self._origin = hit.start
        self._show_count()

    def _select(self, start: int, end: int) -> None:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        visible = self._editor.viewport().rect().contains(self._editor.cursorRect(cursor))
        self._editor.setTextCursor(cursor)
        if not visible:
            self._editor.centerCursor()  # with the lines around it

    # --- replacing --------------------------------------------------------------------------

    def replace_one(self) -> None:
        """Replace the hit that is selected, and select the next one."""
        current = self._current()
        if current is not None and not self._editor.isReadOnly():
            hit = self._hits[current]
            end = hit.start + units(self._replaced([hit]))
            self._select(end, end)
        self.step()

    def replace_every(self) -> None:
        """Replace all hits: one step of undo."""
        if self._hits and not self._editor.isReadOnly():
            count = counted(len(self._hits), "hit")
            self._replaced(self._hits)
            self._editor.reported.emit(f"Replaced {count}")

    def _replaced(self, hits: list[Hit]) -> str:
        """Ask for hits to be replaced; returns the replacement of the last one."""
        place_of = self._editor.script_text.place_of
        template = self.replacement.text()
        regular = self.regular.isChecked()
        edits = [
            TextEdit(
                *(*place_of(hit.start), *place_of(hit.end)),
                hit.replacement(template, regular=regular),
            )
            for hit in hits
        ]
        self.fix_wanted.emit(Fix(f"Replace {counted(len(hits), 'hit')}", tuple(edits)))
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
        """Go to the line, or say why not."""
        typed = _LINE.fullmatch(self.field.text())
        lines = self._editor.blockCount()
        if typed is None:
            self._show_message("This is no line: write 12, or 12:5 for a column, too")
        elif not 1 <= int(typed[1]) <= lines:
            self._show_message(f"The text has {counted(lines, 'line')}")
        else:
            self.leave()
            self._editor.go_to(int(typed[1]), max(1, int(typed[2] or 1)))
