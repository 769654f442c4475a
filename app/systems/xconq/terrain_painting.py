"""Painting terrain into cells at once, without a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.painting import left_out, paint
from randomizer.model.targets import left_out_words, why_not

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.geometry.shapes import Cells


def paint_terrain(desk: Desk, cells: Cells, code: int, text: str) -> bool:
    """Paint a terrain as one undo step; what is left out or refused is said.

    False if the cells have that terrain already.
    """
    document = desk.document
    plane = document.battlemap.system.terrain
    refusal = why_not(document.battlemap, document.active_layer_id)
    if plane is None or refusal:
        document.refuse(refusal)
        return True
    kept = left_out_words(left_out(document, plane, cells).layers)
    painted = document.push(paint(document, plane, cells, code), text)
    if kept:
        desk.say(kept)
    return painted or bool(kept)
