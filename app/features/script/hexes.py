"""Between a script's text and the hexes of the map: what the text means, and what is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.features.script.editor import ScriptEditor
from app.scripts.checking import ScriptChecker
from randomizer.model.cell_words import suited


class ScriptHexes(QObject):
    """``pointed(frozenset)``: the cells that the text at the cursor is about, none when the editor
    has lost the keyboard. ``other_map()`` says why the script is not one for the map in front, ""
    if it is.
    """

    pointed = Signal(object)

    def __init__(
        self,
        document: MapDocument,
        editor: ScriptEditor,
        checker: ScriptChecker,
        other_map: Callable[[], str],
    ) -> None:
        super().__init__(editor)
        self._document, self._editor, self._checker = document, editor, checker
        self._other_map = other_map
        self._pointed: frozenset[int] = frozenset()
        editor.cells_in_words = self._in_words
        for signal in (
            editor.cursorPositionChanged,
            editor.selectionChanged,
            editor.focus_changed,
            checker.checked,
        ):
            signal.connect(self._point)

    def _point(self) -> None:
        """Tell which cells the cursor's place in the text is about."""
        cells: frozenset[int] = frozenset()
        if self._editor.hasFocus():
            line, column, end_line, end_column = self._editor.selected_place()
            cells = self._checker.cells_between((line, column), (end_line, end_column))
        if cells != self._pointed:
            self._pointed = cells
            self.pointed.emit(cells)

    def _names(self, cells: Iterable[int]) -> str:
        battlemap = self._document.battlemap
        return " ".join(battlemap.system.cell_name(battlemap.grid, cell) for cell in cells)

    def _in_words(self, line: int, column: int) -> str:
        """The cells that a place of the text is about, where their names say more than the text."""
        cells = self._checker.cells_at(line, column)
        if len(cells) < 2 or self._other_map():
            return ""
        return f"Hexes that can be meant: {self._names(sorted(cells))}"

    def insert_selected(self) -> None:
        """Write the cells that are selected on the map as a list of the script's language."""
        language = self._editor.language
        if language is not None and not self.why_not_insert():
            cells = self._document.selection.cells.tolist()
            self._editor.insert_list(language.shortest_list(cells))
            self._editor.setFocus()

    def why_not_insert(self) -> str:
        """Why the cells selected on the map cannot be written; "" if they can."""
        if not len(self._document.selection):
            return suited("Select hexes on the map first.", self._document.battlemap.grid.layout)
        return "This script has no names for them." if self._other_map() else ""
