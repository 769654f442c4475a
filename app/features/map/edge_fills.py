"""Fills edges of the map, or of the selection, with the hexsides of a rule.

A system has such rules (``System.edge_fills``): one sets cliffs, for instance, where the land drops
far enough. ``feature.py`` makes a command of each rule, which calls ``EdgeFills.run``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from app.background.actions import run
from app.desk.desk import Desk
from app.desk.large_work import LargeWork
from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.hand import targets
from randomizer.model.system.edges import EdgeFill

if TYPE_CHECKING:
    from app.document.document import MapDocument


class FillResult(NamedTuple):
    """A planned fill, see ``edges_to_fill``."""

    edit: Edit | None
    """The edit that sets the hexsides; None if there is nothing to set."""

    side_count: int
    """The number of hexsides that it sets."""

    why_not: str
    """The reason why some or all edges cannot be filled, as text; "" if all can.

    There can be an edit all the same, for the others.
    """


class EdgeFills(QObject):
    """Runs the edge fills of the current map's system."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def run(self, fill: EdgeFill) -> None:
        """Fill every edge that the rule fits and that has no hexside yet."""
        run(self._fill(fill))

    async def _fill(self, fill: EdgeFill) -> None:
        """Make one undo step of a fill, and tell how many hexsides it set, or why not all."""
        document = self._desk.document
        work = partial(edges_to_fill, document, fill)
        result: FillResult = await self._work.result(fill.title, work)
        if result.edit is not None and not document.push(result.edit, fill.title):
            return  # it was refused, and the user was told
        if result.why_not:
            text = result.why_not
        elif result.side_count > 0:
            text = counted(result.side_count, "hexside")
        else:
            text = "no such edge"
        self._desk.say(f"{fill.title}: {text}")


def edges_to_fill(document: MapDocument, fill: EdgeFill) -> FillResult:
    """Return the fill of the edges of the selected cells, or of all cells if none are selected.

    The edit is for the active layer. This runs on another thread and only reads the map, which
    ``LargeWork`` keeps from being edited meanwhile.
    """
    battlemap = document.battlemap
    system = document.battlemap.system
    terrain_set = battlemap.terrain_set
    letters = {hexside.letter for hexside in terrain_set.hexsides}
    if fill.letter not in letters or system.hexside is None:
        # The terrain set has been changed since the command was offered.
        return FillResult(edit=None, side_count=0, why_not="the map has no such hexside any more")
    if len(document.selection):
        cells = document.selection.cells
    else:
        cells = battlemap.grid.cells

    code = terrain_set.hexside_code(fill.letter)
    planes = EdgePlanes.of(system, document.composite)
    # The numbers of the sides (n,), and the code of the hexside that each of them gets (n,).
    sides, codes = fitting_edges(battlemap.grid, planes, terrain_set, cells, [code])
    layer_id = document.active_layer_id
    left_out_sides = targets.left_out(battlemap, layer_id, system.hexside.name, sides)
    edit = targets.paint(battlemap, layer_id, system.hexside.name, sides, codes)
    reason = targets.why_not(battlemap, layer_id)
    if not reason:
        reason = targets.left_out_words(left_out_sides.layers)
    side_count = len(sides) - len(left_out_sides.elements)
    return FillResult(edit=edit, side_count=side_count, why_not=reason)
