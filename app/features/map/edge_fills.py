"""Commands that fill edges of the map, or of the selection, with the hexsides of a rule."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.hand.targets import left_out, left_out_words, paint, why_not
from randomizer.model.system.system import EdgeFill

if TYPE_CHECKING:
    from app.document.document import MapDocument

FillResult = tuple["Edit | None", int, str]
"""The edit that fills the edges, the number of hexsides, and what cannot be filled, as text."""


class EdgeFills(QObject):
    """Runs the edge fills of a system."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def run(self, fill: EdgeFill) -> None:
        """Fill every edge that the rule fits and that has no hexside yet."""
        run(self._fill(fill))

    async def _fill(self, fill: EdgeFill) -> None:
        document = self._desk.document
        work = partial(edges_to_fill, document, fill)
        edit, count, locked = await self._work.result(fill.title, work)
        if edit is None or document.push(edit, fill.title):
            if count:
                text = counted(count, "hexside")
            else:
                text = "no such edge"
            self._desk.say(f"{fill.title}: {locked or text}")


def edges_to_fill(document: MapDocument, fill: EdgeFill) -> FillResult:
    """Return the edit for the active layer, on the selected cells or, if there are none, on all.

    The map is only read, so that it may run on another thread.
    """
    battlemap = document.battlemap
    system = document.battlemap.system
    terrain_set = battlemap.terrain_set
    letters = {hexside.letter for hexside in terrain_set.hexsides}
    if fill.letter not in letters or system.hexside is None:
        return None, 0, ""  # this system has no such hexside
    if len(document.selection):
        cells = document.selection.cells
    else:
        cells = battlemap.grid.cells
    code = terrain_set.hexside_code(fill.letter)
    planes = EdgePlanes.of(system, document.composite)
    elements, codes = fitting_edges(battlemap.grid, planes, terrain_set, cells, [code])
    layer = document.active_layer_id
    locked = left_out(battlemap, layer, system.hexside.name, elements)
    edit = paint(battlemap, layer, system.hexside.name, elements, codes)
    why = why_not(battlemap, layer) or left_out_words(locked.layers)
    return edit, len(elements) - len(locked.elements), why
