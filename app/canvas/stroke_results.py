"""What the user is told after a stroke: what it did, or why it changed nothing.

``ActiveTool`` asks for the one or the other when a stroke has ended. Most strokes are seen on the
map, so that nothing is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import Pointer, Tool


def result_of_stroke(document: MapDocument, tool: Tool) -> str:
    """Return what a stroke that has just become an undo step did, as text; "" if that is seen."""
    return _locks_text(document, tool) or tool.result_text(document)


def _locks_text(document: MapDocument, tool: Tool) -> str:
    """Return a text about locked cells over which the stroke that has just ended painted.

    It says what their locks hold from now on; "" if there is nothing to say.
    """
    step = document.history.next_undo
    if not tool.changes_planes or tool.erases or step is None or step.edit is None:
        return ""
    from app.tools.painted_locks import painted_locks_text

    return painted_locks_text(document, step.edit)


def why_stroke_changed_nothing(document: MapDocument, tool: Tool, pointer: Pointer) -> str:
    """Return why a stroke that ended at a pointer changed nothing, as a sentence.

    "" if nobody has to be told.
    """
    preview = tool.preview(document, pointer)
    if len(preview.left_out) or preview.left_out_sides or len(preview.left_out_corners):
        return f"{preview.note}."
    if _is_outside_selection(document, pointer):
        return (
            "Only what is selected is painted. Ctrl+Shift+A selects nothing, "
            "then everything can be painted."
        )
    return tool.why_nothing(document)


def _is_outside_selection(document: MapDocument, pointer: Pointer) -> bool:
    """Return whether cells are selected, and the one pointed at is none of them."""
    selection = document.selection
    if not len(selection):
        return False
    return not selection.contains(np.array([pointer.cell]))[0]
