"""Paints terrain without a stroke of the brush: for commands, and for the keys of build mode."""

from __future__ import annotations

from app.desk.desk import Desk
from app.tools.painting import left_out, paint
from randomizer.geometry.areas import Cells
from randomizer.model.hand.step_texts import step_text
from randomizer.model.hand.targets import left_out_words, why_not


def paint_terrain(desk: Desk, cells: Cells, code: int, text: str) -> bool:
    """Paint a terrain as one undo step, called ``text``.

    A message tells what is left out, or why nothing can be painted. False if nothing was changed
    or said, since the cells have that terrain already.
    """
    document = desk.document
    plane = document.battlemap.system.terrain
    refusal = why_not(document.battlemap, document.active_layer_id)
    if plane is None or refusal:
        document.refuse(refusal)
        return True
    message_of_locked_layers = left_out_words(left_out(document, plane, cells).layers)
    edit = paint(document, plane, cells, code)
    if edit is not None:
        text = step_text(text, document.battlemap, [edit])
    is_painted = document.push(edit, text)
    if message_of_locked_layers:
        desk.say(message_of_locked_layers)
    return is_painted or bool(message_of_locked_layers)
