"""Connects the text of a script with the cells of the map, in both directions.

The cells that the text at the cursor is about are marked on the map (``pointed``) and named in the
editor's tooltips; the cells that are selected on the map can be written into the text
(``insert_action``). ``RandomizePanel`` has a ``CellsOfText``.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app.appearance.icons import icon
from app.commands.commands import disable
from app.document.cell_texts import CellTexts
from app.document.document import MapDocument
from app.features.script.editor import ScriptEditor
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from randomizer.languages.language import Language
from randomizer.model.grid.cell_words import cell_text


class CellsOfText(QObject):
    """Knows the cells of the text in an editor, and writes selected cells into it."""

    pointed = Signal(object)
    """The text at the cursor is about these cells now, a frozenset[int].

    It is empty when the editor has lost the keyboard.
    """

    def __init__(self, document: MapDocument, editor: ScriptEditor, scripts: Scripts) -> None:
        super().__init__(editor)
        self._document = document
        self._editor = editor
        self._scripts = scripts
        self._pointed: frozenset[int] = frozenset()
        """The cells that were emitted last."""
        editor.cells_of_text = self._names_at
        for signal in (
            editor.cursorPositionChanged,
            editor.selectionChanged,
            editor.focus_changed,
            scripts.checker.checked,
        ):
            connect(signal, self._point)
        self.insert_action = QAction(self)
        """Writes the cells selected on the map into the script."""
        self.insert_action.setObjectName("script.insert")
        texts = CellTexts(document, self)
        texts.keep(self.insert_action.setText, "Insert the selected &{cells}")
        texts.keep(
            self.insert_action.setStatusTip,
            "Write the {cells} selected on the map into the script, as the shortest list",
        )
        self.insert_action.setShortcut(QKeySequence("Ctrl+Shift+I"))
        connect(self.insert_action.triggered, lambda: self._insert_selected())
        editor.addAction(self.insert_action)
        for signal in (
            document.selection_changed,
            document.map_replaced,
            scripts.script_changed,
            editor.language_changed,
        ):
            connect(signal, self._enable)
        self._enable()

    def draw_icons(self) -> None:
        """Draw the icon in the palette's colour."""
        self.insert_action.setIcon(icon("select"))

    def _point(self) -> None:
        """Emit the cells that the selected text, or the text at the cursor, is about."""
        cells: frozenset[int] = frozenset()
        if self._editor.hasFocus():
            start, end = self._editor.selected_range()
            cells = self._scripts.checker.cells_between(start, end)
        if cells != self._pointed:
            self._pointed = cells
            self.pointed.emit(cells)

    def _names(self, cells: Iterable[int]) -> str:
        """Return the names of cells, with blanks between them."""
        battlemap = self._document.battlemap
        return " ".join(battlemap.system.cell_name(battlemap.grid, cell) for cell in cells)

    def _names_at(self, line: int, column: int) -> str:
        """Return the names of the cells that the text at a line and column is about.

        "" for one cell, which the text names itself, and for none; and if the script is for other
        maps than the current one, whose cells have other names.
        """
        cells = self._scripts.checker.cells_at(line, column)
        if len(cells) <= 1 or self._scripts.why_other_map():
            return ""
        title = cell_text("{Cells} that can be meant", self._document.battlemap.grid.layout)
        return f"{title}: {self._names(sorted(cells))}"

    def _insert_selected(self) -> None:
        """Write the cells that are selected on the map as a list of the script's language."""
        if self._why_not_insert():
            return
        cells = self._document.selection.cells.tolist()
        text = self._editor.language.cell_list(cells)
        if text:
            self._editor.insert_list(text)
            self._editor.setFocus()

    def _why_not_insert(self) -> str:
        """Return why the cells selected on the map cannot be written; "" if they can."""
        if len(self._document.selection) == 0:
            layout = self._document.battlemap.grid.layout
            return cell_text("Select {cells} on the map first.", layout)
        if self._scripts.why_other_map():
            return "This script has no names for them."
        return ""

    def _enable(self) -> None:
        """Show the action if the language has lists of cells, and enable it if there are some."""
        self.insert_action.setVisible(self._editor.language.offers(Language.cell_list))
        disable(self.insert_action, self._why_not_insert())
