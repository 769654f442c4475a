"""Connects the text of a script with the cells of the map, in both directions.

The text at the cursor belongs to a statement of the script. The cells that this can set are marked
on the map (``pointed``) and named in the editor's tooltips; the cells that it did set on this map
are marked and named as such. The cells that are selected on the map can be written into the text
(``insert_action``). ``ScriptPanel`` has a ``CellsOfText``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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
from randomizer.model.edits.edit import Region
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.planes.planes import TOUCHED, PlaneSpec

NO_CELLS: frozenset[int] = frozenset()

ORIGIN_PLANE = "origin"
"""The plane of a rolled layer that has, for each cell, the number of the statement that set it."""


class PointedCells(NamedTuple):
    """The cells that the text at the cursor is about."""

    possible_cells: frozenset[int] = NO_CELLS
    """The cells that its statement can set."""

    set_cells: frozenset[int] = NO_CELLS
    """The possible cells that the statement has set on the present map."""


class CellsOfText(QObject):
    """Knows the cells of the text in an editor, and writes selected cells into it."""

    pointed = Signal(object, object)
    """The text at the cursor is about other cells now: the two sets of ``PointedCells``.

    Both are empty when the editor has lost the keyboard.
    """

    def __init__(self, document: MapDocument, editor: ScriptEditor, scripts: Scripts) -> None:
        super().__init__(editor)
        self._document = document
        self._editor = editor
        self._scripts = scripts
        self._pointed_cells = PointedCells()
        """The cells with which ``pointed`` was emitted last."""
        for signal in (
            editor.cursorPositionChanged,
            editor.selectionChanged,
            editor.focus_changed,
            scripts.checker.checked,
            document.map_replaced,
        ):
            connect(signal, self._emit_pointed_cells)
        connect(document.changed, self._on_changed)
        self.insert_action = self._make_insert_action()
        """Writes the cells selected on the map into the script."""
        for signal in (
            document.selection_changed,
            document.map_replaced,
            scripts.script_changed,
            editor.language_changed,
        ):
            connect(signal, self._update_action)
        self._update_action()

    def _make_insert_action(self) -> QAction:
        """Return the action, which is one of the editor's, too."""
        action = QAction(self)
        action.setObjectName("script.insert")
        texts = CellTexts(self._document, self)
        texts.keep_filled(action.setText, "Insert the selected &{cells}")
        texts.keep_filled(
            action.setStatusTip,
            "Write the {cells} selected on the map into the script, as the shortest list",
        )
        action.setShortcut(QKeySequence("Ctrl+Shift+I"))
        connect(action.triggered, lambda: self._insert_selected())
        self._editor.addAction(action)
        return action

    def draw_icons(self) -> None:
        """Draw the icon in the palette's colour."""
        self.insert_action.setIcon(icon("select"))

    def _on_changed(self, _region: Region) -> None:
        """Mark the cells again: a roll, or a hand, may have changed what the statement has set."""
        self._emit_pointed_cells()

    def _emit_pointed_cells(self) -> None:
        """Emit the cells that the selected text, or the text at the cursor, is about."""
        pointed_cells = PointedCells()
        if self._editor.hasFocus():
            start, end = self._editor.selected_range()
            cells = self._scripts.checker.cells_between(start, end)
            set_cells = NO_CELLS
            if start == end:
                line, column = start
                set_cells = self._cells_set_by_statement(line, column, cells)
            pointed_cells = PointedCells(cells, set_cells)
        if pointed_cells != self._pointed_cells:
            self._pointed_cells = pointed_cells
            self.pointed.emit(pointed_cells.possible_cells, pointed_cells.set_cells)

    def _cells_set_by_statement(
        self, line: int, column: int, cells: frozenset[int]
    ) -> frozenset[int]:
        """Return those of ``cells`` whose terrain the statement at a line and column has set.

        Cells that a hand or a later statement has changed are not among them. There are none if the
        map was rolled from another text.
        """
        statement = self._scripts.checker.statement_at(line, column)
        battlemap = self._document.battlemap
        terrain = battlemap.system.terrain
        if statement < 0 or terrain is None:  # no statement is there
            return NO_CELLS
        set_cells = [cell for cell in cells if self._is_set_by(cell, statement, terrain)]
        return frozenset(set_cells)

    def _is_set_by(self, cell: int, statement: int, terrain: PlaneSpec) -> bool:
        """Return whether the statement with a number has set the terrain of a cell."""
        layer = self._document.battlemap.owner(terrain.name, cell)
        if layer is None or layer.roll is None or layer.roll.script != self._editor.text():
            return False
        touched = layer.planes.get(TOUCHED + terrain.name)
        if touched is not None and touched.flat[cell]:
            return False  # a hand has changed it since
        origins = layer.planes.get(ORIGIN_PLANE)
        return origins is not None and bool(origins.flat[cell] == statement)

    def _names(self, cells: Iterable[int]) -> str:
        """Return the names of cells, with blanks between them."""
        battlemap = self._document.battlemap
        return " ".join(battlemap.system.cell_name(battlemap.grid, cell) for cell in cells)

    def help_at(self, line: int, column: int) -> str:
        """Return a tooltip on the cells that the text at a line and column is about; "" for none.

        Hexes made by this line (solid): D4 E5; possible in other rolls (dashed): F6
        """
        cells = self._scripts.checker.cells_at(line, column)
        # A single cell is named by the text itself.
        if len(cells) <= 1:
            return ""
        # A script for other maps than the current one has other names for its cells.
        if not self._scripts.fits_map:
            return ""
        layout = self._document.battlemap.grid.layout
        set_cells = self._cells_set_by_statement(line, column, cells)
        if not set_cells:
            title = cell_text("{Cells} that can be meant", layout)
            return f"{title}: {self._names(sorted(cells))}"
        title = cell_text("{Cells} made by this line (solid)", layout)
        text = f"{title}: {self._names(sorted(set_cells))}"
        further_cells = sorted(cells - set_cells)
        if further_cells:
            text += f"; possible in other rolls (dashed): {self._names(further_cells)}"
        return text

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
        if not self._scripts.fits_map:
            return "This script has no names for them."
        return ""

    def _update_action(self) -> None:
        """Show the action if the language has lists of cells, and enable it if there are some."""
        self.insert_action.setVisible(self._editor.language.offers(Language.cell_list))
        disable(self.insert_action, self._why_not_insert())
