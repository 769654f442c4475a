"""The actions at the cursor of a script: complete, fix, go to a definition, rename, find.

``ScriptPanel`` makes a ``ScriptActions`` for its editor, and ``feature.py`` a command of each
action. What an action does is asked of the language of the script; actions that it does not offer
are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence, QTextCursor
from PySide6.QtWidgets import QMenu

from app.commands.commands import disable
from app.features.script.editor import ScriptEditor
from app.features.script.editor_overlays import ProblemFix, fixes_of
from app.features.script.find_bar import FindBar
from app.features.script.fix_menu import add_fixes
from app.features.script.line_bar import LineBar
from app.features.script.rename_line import RenameLine
from app.qt_guard import connect
from randomizer.languages.language import Language, SourceText
from randomizer.model.problems import ProblemError

MENU_GAP = 2
"""The space between the cursor and the menu of fixes below it, in logical pixels."""


class ScriptActions(QObject):
    """The actions of one editor; their keys hold while it has the keyboard."""

    def __init__(self, editor: ScriptEditor, find_bar: FindBar, line_bar: LineBar) -> None:
        super().__init__(editor)
        self._editor = editor
        self._make_word_actions()
        self._make_search_actions(find_bar, line_bar)
        connect(editor.definition_requested, self.go_to_definition)
        connect(editor.language_changed, self._show_offered)
        connect(editor.numbers.bulb_clicked, self._offer_fixes_of_line)

    # --- construction -----------------------------------------------------------------------

    def _make_word_actions(self) -> None:
        """Make the actions that are about the word at the cursor."""
        self.complete = self._action(
            "complete", "&Complete the word", "Offer the words that fit here", "Ctrl+Space"
        )
        self.fix = self._action(
            "fix",
            "Ways &out of the problem",
            "Offer the fixes of the underlined place at the cursor",
            "Ctrl+.",
            "Alt+Return",
        )
        self.definition = self._action(
            "definition",
            "Go to the &definition",
            "Go to where the name at the cursor is defined (or Ctrl+click)",
            "F12",
        )
        self.rename = self._action(
            "rename",
            "Re&name everywhere",
            "Give the label or name at the cursor another one, wherever it stands",
            "F2",
        )
        connect(self.complete.triggered, self._editor.completer.offer_all)
        connect(self.fix.triggered, self.offer_fixes)
        connect(self.definition.triggered, self.go_to_definition)
        connect(self.rename.triggered, self.begin_rename)

    def _make_search_actions(self, find_bar: FindBar, line_bar: LineBar) -> None:
        """Make the actions that open the bars below the editor, or step through the hits."""
        self.find = self._action("find", "&Find", "Find text in the script", "Ctrl+F")
        self.replace = self._action("replace", "&Replace", "Find text and replace it", "Ctrl+H")
        self.find_next = self._action("find-next", "Find ne&xt", "Go to the next hit", "F3")
        self.find_previous = self._action(
            "find-previous", "Find &previous", "Go to the hit before", "Shift+F3"
        )
        self.go_to_line = self._action(
            "go-to-line", "Go to &line", "Go to a line of the script, or line:column", "Ctrl+G"
        )
        searches = [self.find, self.replace, self.find_next, self.find_previous, self.go_to_line]
        find_bar.add_keys(searches)
        connect(self.find.triggered, lambda: find_bar.open())
        connect(self.replace.triggered, lambda: find_bar.open(replace=True))
        connect(self.find_next.triggered, lambda: find_bar.step())
        connect(self.find_previous.triggered, lambda: find_bar.step(back=True))
        connect(self.go_to_line.triggered, lambda: line_bar.open())

    def _action(self, name: str, text: str, tip: str, *keys: str) -> QAction:
        """Return a new action of the editor, with the object name ``script.<name>``."""
        action = QAction(text, self)
        action.setObjectName(f"script.{name}")
        action.setStatusTip(tip)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._editor.addAction(action)
        return action

    def _show_offered(self) -> None:
        """Hide the actions that the language does not offer; disable Replace for a fixed text.

        It follows ``language_changed``: a text is made read-only before its language is set.
        """
        language = self._editor.language
        for action, method in (
            (self.complete, Language.completions),
            (self.definition, Language.definition),
            (self.rename, Language.references),
        ):
            is_offered = language.offers(method)
            action.setVisible(is_offered)
            why_not = ""
            if not is_offered:
                why_not = "The language of this script does not offer it."
            disable(action, why_not)
        why_not_replace = ""
        if self._editor.isReadOnly():
            why_not_replace = "This text cannot be edited."
        disable(self.replace, why_not_replace)

    # --- fixes ------------------------------------------------------------------------------

    def _offer_fixes_of_line(self, line: int) -> None:
        """Offer a menu of the fixes of a line, whose bulb in the margin was clicked."""
        self._show_fixes(self._editor.overlays.fixes_of_line(line))

    def offer_fixes(self) -> None:
        """Offer a menu of the fixes of the problems at the cursor, else of those of its line."""
        editor = self._editor
        cursor = editor.textCursor()
        line = cursor.blockNumber() + 1
        problems = editor.overlays.problems_at(cursor.position())
        fixes = fixes_of(problems)
        if not fixes:
            fixes = editor.overlays.fixes_of_line(line)
        if fixes:
            self._show_fixes(fixes)
        elif problems or editor.overlays.problems_of_line(line):
            editor.reported.emit("No way out is known here")
        else:
            editor.reported.emit("No problem is here")

    def _show_fixes(self, fixes: Sequence[ProblemFix]) -> None:
        """Show a menu of at least one fix below the cursor; its first action is chosen."""
        editor = self._editor
        menu = QMenu(editor)
        add_fixes(menu, fixes, editor.fix_requested)
        menu.setActiveAction(menu.actions()[0])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        below = editor.cursorRect().bottomLeft() + QPoint(0, MENU_GAP)
        menu.popup(editor.viewport().mapToGlobal(below))

    # --- names ------------------------------------------------------------------------------

    def go_to_definition(self) -> None:
        """Select the name at the cursor where it is defined, or report that it is nowhere."""
        editor = self._editor
        language = self._editor.language
        if not language.offers(Language.definition):
            return
        source = editor.source()
        line, column = editor.cursor_place()
        definition = language.definition(source, line, column)
        if definition is not None:
            editor.go_to(*definition)
        elif language.references(source, line, column):
            # The name is used but not defined here: the help of the language can tell what it is.
            message = language.help_at(source, line, column)
            if not message:
                message = "Nothing in this script defines it"
            editor.reported.emit(message)
        else:
            editor.reported.emit("No label or name stands here")

    def begin_rename(self) -> None:
        """Lay a field for a new name over the name at the cursor, or report why it must stay."""
        editor = self._editor
        language = self._editor.language
        if not language.offers(Language.references):
            return
        source = editor.source()
        line, column = editor.cursor_place()
        rename_to = partial(language.rename, source, line, column)
        cursor = self._name_at(source, line, column)
        try:
            rename_to(cursor.selectedText())  # raises if the name cannot be changed at all
        except ProblemError as reason:
            editor.reported.emit(f"Not renamed: {reason.problems[0].message}")
            return
        start = QTextCursor(cursor)
        start.setPosition(cursor.selectionStart())
        word_rect = editor.cursorRect(start)
        field = RenameLine(cursor.selectedText(), rename_to, word_rect, editor.viewport())
        connect(field.renamed, editor.script_text.apply_fix)

    def _name_at(self, source: SourceText, line: int, column: int) -> QTextCursor:
        """Return the name at a line and column, selected; for no name the cursor as it is."""
        editor = self._editor
        for use in editor.language.references(source, line, column):
            if use.line == line and use.column <= column <= use.end_column:
                return editor.script_text.selection(*use)
        return editor.textCursor()
