"""Between a script's text and the hexes of the map: what the text means, and what is selected."""

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
    """Connects the editor's text with the cells of the map, in both directions."""

    pointed = Signal(object)
    """frozenset[int]: the cells that the text at the cursor is about.

    There are none when the editor has lost the keyboard focus.
    """

    def __init__(self, document: MapDocument, editor: ScriptEditor, scripts: Scripts) -> None:
        super().__init__(editor)
        self._document = document
        self._editor = editor
        self._scripts = scripts
        self._pointed: frozenset[int] = frozenset()
        editor.cells_of_text = self._in_words
        for signal in (
            editor.cursorPositionChanged,
            editor.selectionChanged,
            editor.focus_changed,
            scripts.checker.checked,
        ):
            connect(signal, self._point)
        self.insert_action = QAction(self)
        """Writes the selected cells into the script."""
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
        """Tell which cells the cursor's place in the text is about."""
        cells: frozenset[int] = frozenset()
        if self._editor.hasFocus():
            line, column, end_line, end_column = self._editor.selected_place()
            checker = self._scripts.checker
            cells = checker.cells_between((line, column), (end_line, end_column))
        if cells != self._pointed:
            self._pointed = cells
            self.pointed.emit(cells)

    def _names(self, cells: Iterable[int]) -> str:
        battlemap = self._document.battlemap
        return " ".join(battlemap.system.cell_name(battlemap.grid, cell) for cell in cells)

    def _in_words(self, line: int, column: int) -> str:
        """Return the cells that a place of the text is about, where their names say more than the
        text.
        """
        cells = self._scripts.checker.cells_at(line, column)
        if len(cells) < 2 or self._scripts.why_other_map():
            return ""
        title = cell_text("{Cells} that can be meant", self._document.battlemap.grid.layout)
        return f"{title}: {self._names(sorted(cells))}"

    def _insert_selected(self) -> None:
        """Write the cells that are selected on the map as a list of the script's language."""
        cells = self._document.selection.cells.tolist()
        if not self._why_not_insert() and (text := self._editor.language.cell_list(cells)):
            self._editor.insert_list(text)
            self._editor.setFocus()

    def _why_not_insert(self) -> str:
        """Return why the cells selected on the map cannot be written; "" if they can."""
        if not len(self._document.selection):
            layout = self._document.battlemap.grid.layout
            return cell_text("Select {cells} on the map first.", layout)
        if self._scripts.why_other_map():
            return "This script has no names for them."
        return ""

    def _enable(self) -> None:
        self.insert_action.setVisible(self._editor.language.offers(Language.cell_list))
        disable(self.insert_action, self._why_not_insert())
