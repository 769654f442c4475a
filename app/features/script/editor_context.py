"""What the editor of a script asks about its text: ``EditorContext``.

``ScriptContext`` answers for the script panel. An editor alone has an ``EditorContext``, which
knows nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.map.layer import NO_TEXTS


class EditorContext:
    """Answers questions about a text whose map and script are not known."""

    def cell_help(self, line: int, column: int) -> str:
        """Return the cells that the text at a line and column is about, as text; "" for none."""
        return ""

    def line_help(self, line: int) -> str:
        """Return help on a line as text; "" for none."""
        return ""

    def further_texts(self) -> Mapping[str, str]:
        """Return the texts of further files that the script uses, by their names."""
        return NO_TEXTS

    def may_take_map_step(self, *, is_redo: bool) -> bool:
        """Return whether the keys of Undo, or Redo, may take a step of the map.

        For a text that is stored in the map only a step that has changed this text.
        """
        return True
