"""What the script panel knows about the text in its editor: ``ScriptContext``."""

from __future__ import annotations

from collections.abc import Mapping

from app.features.script.cells_of_text import CellsOfText
from app.features.script.editor_context import EditorContext
from app.scripts.scripts import Scripts


class ScriptContext(EditorContext):
    """Answers the questions of the editor about the script that is current when it asks."""

    def __init__(self, scripts: Scripts, cells_of_text: CellsOfText) -> None:
        self._scripts = scripts
        self._cells_of_text = cells_of_text

    def cell_help(self, line: int, column: int) -> str:
        """Return the cells that the text at a line and column is about, as text; "" for none."""
        return self._cells_of_text.help_at(line, column)

    def line_help(self, line: int) -> str:
        """Return what another panel knows about a line, as text; "" for nothing."""
        return self._scripts.editor_link.line_help(line)

    def further_texts(self) -> Mapping[str, str]:
        """Return the further files of the script, by name."""
        return self._scripts.further_texts

    def may_take_map_step(self, *, is_redo: bool) -> bool:
        """Return whether the next step of the map is one of the text, or no map holds the text."""
        return self._scripts.map_script.may_take_step(is_redo=is_redo)
