"""The bar below the editor of scripts that finds and replaces text.

``ScriptPanel`` has one; ``ScriptActions`` opens it. A *hit* is a range of the text in which the
query was found. All hits are found by one ``Search`` (text_search.py), which is made again whenever
the text or the query changes, and are marked in the editor. The *current* hit is the one that is
exactly selected there: the selection is the only state that says which hit comes next.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QShowEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from app.features.script.editor import ScriptEditor
from app.features.script.editor_bar import EditorBar
from app.features.script.text_search import Hit, Query, Search, search
from app.qt_guard import connect, guarded
from app.scripts.script_text import units
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, TextEdit

PARAGRAPH_SEPARATOR = "\N{PARAGRAPH SEPARATOR}"
"""The character in Qt's selected text where a line ends."""


class FindBar(EditorBar):
    """Finds and replaces text in the editor, where all hits are marked while the bar is shown.

    ``EditorBar`` has the line for messages, and calls ``_enter`` and ``leave`` for keys.
    """

    fix_requested = Signal(object)
    """The edits of this ``Fix``, which replace hits, are to be made as one step of undo.

    They are made before the signal returns: the bar then goes on with the new text.
    """

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self._search = Search(Query(""), text="")
        """The last search; at first, and while the bar is hidden, it is for nothing."""
        self._origin = 0
        """The position in the text from which the first hit is wanted while a query is typed: with
        each letter the hit stays where it is, or moves on."""
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
        self.previous_button = self._button("", "The hit before (Shift+Enter)", "Previous hit")
        self.previous_button.setArrowType(Qt.ArrowType.UpArrow)
        self.next_button = self._button("", "The hit behind (Enter)", "Next hit")
        self.next_button.setArrowType(Qt.ArrowType.DownArrow)
        self.close_button = self._button(
            "\N{MULTIPLICATION SIGN}", "Close (Escape)", "Close the search"
        )

    def _make_replace_widgets(self) -> None:
        """Make the field for the replacement and its buttons, a row that can be hidden."""
        self.replacement = described(QLineEdit(placeholderText="Replace with"), "Replacement")
        self.replace_button = tool_button("Replace", "This hit, and go to the next one (Enter)")
        self.replace_all_button = tool_button("Replace all", "All hits, as one step of undo")
        self._replace_row = QWidget()

    def _lay_out(self) -> None:
        """Put the search, the replacement and the message below each other."""
        find_widgets = (
            (self.field, 1),
            self.count,
            *self._options,
            self.previous_button,
            self.next_button,
            self.close_button,
        )
        find_row = lay_out(QHBoxLayout(), *find_widgets, spacing=2)
        replace_widgets = ((self.replacement, 1), self.replace_button, self.replace_all_button)
        lay_out(QHBoxLayout(self._replace_row), *replace_widgets, margins=0, spacing=2)
        lay_out(QVBoxLayout(self), find_row, self._replace_row, self.message, margins=0, spacing=2)

    def _connect(self) -> None:
        """Connect the fields and buttons, and follow the editor."""
        editor = self._editor
        connect(self.field.textEdited, self._on_typed)
        for option in self._options:
            connect(option.toggled, self._on_typed)
        connect(self.next_button.clicked, lambda: self.step())
        connect(self.previous_button.clicked, lambda: self.step(back=True))
        connect(self.close_button.clicked, self.leave)
        connect(self.replace_button.clicked, self.replace_current)
        connect(self.replace_all_button.clicked, self.replace_all)
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
        """Show the bar, with ``replace`` the field for a replacement, too.

        What is selected within a line is searched for, else what was searched for last.
        """
        cursor = self._editor.textCursor()
        selected_text = cursor.selectedText()
        is_in_one_line = PARAGRAPH_SEPARATOR not in selected_text
        if selected_text and is_in_one_line and self._editor.hasFocus():
            self.field.setText(selected_text)
        self._origin = cursor.selectionStart()
        self._replace_row.setVisible(replace and not self._editor.isReadOnly())
        self.show()
        self._search_again()
        self.field.selectAll()
        self.field.setFocus()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Search again: while another panel was in front, the text may have become another."""
        super().showEvent(event)
        self._follow_editor()

    def leave(self) -> None:
        """Hide the bar and the marks, and give the keyboard back to the editor."""
        super().leave()
        self._search_again()  # for nothing, which removes the marks

    def _enter(self, *, back: bool) -> None:
        """Replace a hit, or go to the next one, by the field that has the keyboard."""
        if self.replacement.hasFocus():
            self.replace_current()
        else:
            self.step(back=back)

    # --- finding ----------------------------------------------------------------------------

    def _query(self) -> Query:
        """Return what the field and the options ask for; for nothing while the bar is hidden."""
        if self.isHidden():
            return Query("")
        return Query(
            self.field.text(),
            match_case=self.match_case.isChecked(),
            whole_words=self.whole_words.isChecked(),
            is_regex=self.regular.isChecked(),
        )

    def _follow_editor(self) -> None:
        """Search the text of the editor, which may be another one now."""
        if not self.isVisible():
            return
        if self._editor.isReadOnly():
            self._replace_row.hide()
        self._search_again()

    def _on_typed(self) -> None:
        """Search for what was typed, and go to the first hit from where the search began."""
        self._search_again()
        hit = self._search.first_from(self._origin)
        if hit is not None:
            self._go_to(hit)

    def _search_again(self) -> None:
        """Find and mark all hits of the query in the text of the editor."""
        query = self._query()
        text = self._editor.text()
        if (query, text) == (self._search.query, self._search.text):
            return  # Qt reports a change of the text also when only its colours have changed
        self._search = search(self._editor.document(), query, text)
        hits = self._search.hits
        self._show_message(self._search.message)
        self._editor.overlays.mark_hits([(hit.start, hit.end) for hit in hits])
        for button in (
            self.next_button,
            self.previous_button,
            self.replace_button,
            self.replace_all_button,
        ):
            button.setEnabled(bool(hits))
        self._show_count()

    def _current_index(self) -> int | None:
        """Return the index of the hit that is selected, None if none is."""
        cursor = self._editor.textCursor()
        return self._search.index_of(cursor.selectionStart(), cursor.selectionEnd())

    def _show_count(self) -> None:
        """Show ``3 of 12`` while a hit is selected, else ``12 hits``."""
        current = self._current_index()
        total = len(self._search.hits)
        if current is not None:
            text = f"{current + 1} of {total}"
        elif not self.field.text() or self._search.message:
            text = ""
        else:
            text = counted(total, "hit")
        self.count.setText(text)

    def step(self, *, back: bool = False) -> None:
        """Select the next hit, or with ``back`` the one before; behind the last the first follows.

        Opens the bar if nothing was searched for yet.
        """
        if not self.field.text():
            self.open()
            return
        self.show()
        self._search_again()
        cursor = self._editor.textCursor()
        if back:
            hit = self._search.last_up_to(cursor.selectionStart())
        else:
            hit = self._search.first_from(cursor.selectionEnd())
        if hit is not None:
            self._go_to(hit)

    def _go_to(self, hit: Hit) -> None:
        """Select a hit, from which further letters of the query are searched."""
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

    def replace_current(self) -> None:
        """Replace the hit that is selected, and select the next one; else only select one."""
        current = self._current_index()
        if current is not None and not self._editor.isReadOnly():
            hit = self._search.hits[current]
            edit = self._replacing_edit(hit)
            self._request_edits([edit])
            # The search goes on behind the replacement, which may hold the searched text itself.
            end = hit.start + units(edit.replacement)
            self._select(end, end)
        self.step()

    def replace_all(self) -> None:
        """Replace all hits, as one step of undo."""
        hits = self._search.hits
        if hits and not self._editor.isReadOnly():
            count = counted(len(hits), "hit")
            self._request_edits([self._replacing_edit(hit) for hit in hits])
            self._editor.reported.emit(f"Replaced {count}")

    def _replacing_edit(self, hit: Hit) -> TextEdit:
        """Return the edit that replaces a hit by what was typed for it."""
        text = self._editor.script_text
        line, column = text.line_and_column(hit.start)
        end_line, end_column = text.line_and_column(hit.end)
        template = self.replacement.text()
        replacement = hit.replacement(template, is_regex=self.regular.isChecked())
        return TextEdit(line, column, end_line, end_column, replacement)

    def _request_edits(self, edits: Sequence[TextEdit]) -> None:
        """Let these edits, which replace one hit each, be made as one step of undo."""
        self.fix_requested.emit(Fix(f"Replace {counted(len(edits), 'hit')}", tuple(edits)))
