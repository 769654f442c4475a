"""Fill the edges of the map, or of what is selected, with the hexsides that belong there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desk.large_work import LargeWork
from randomizer.geometry.auto_edges import fitting_edges
from randomizer.model.edit_making import set_values
from randomizer.model.plurals import counted

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.document.document import MapDocument
    from randomizer.model.battlemap import EdgeFill
    from randomizer.model.edit import Edit

Found = tuple["Edit | None", int]
"""What fills the edges, and how many hexsides that are."""


class EdgeFills(QObject):
    """Runs the fills that a system has."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._work = LargeWork(desk)

    def run(self, fill: EdgeFill) -> None:
        """Fill every edge that the rule fits and that has no hexside yet."""
        document = self._desk.document
        self._work.run(fill.title, partial(edges_to_fill, document, fill), partial(self._do, fill))

    def _do(self, fill: EdgeFill, found: Found) -> None:
        edit, count = found
        if edit is None or self._desk.document.push(edit, fill.title):
            words = counted(count, "hexside") if count else "no such edge"
            self._desk.say(f"{fill.title}: {words}")


def edges_to_fill(document: MapDocument, fill: EdgeFill) -> Found:
    """The edit for the active layer, on selected cells if any are. The map is only read."""
    battlemap, planes = document.battlemap, document.composite.planes
    terrain_set = battlemap.system.terrain_set
    letters = {hexside.letter for hexside in terrain_set.hexsides}
    if fill.letter not in letters or not {"terrain", "elevation", "hexside"} <= planes.keys():
        return None, 0  # a map of another game
    cells = document.selection.cells if len(document.selection) else battlemap.grid.cells
    code = terrain_set.hexside_code(fill.letter)
    places, codes = fitting_edges(battlemap.grid, planes, terrain_set, cells, [code])
    layer = document.active_layer_id
    return set_values(battlemap, layer, "hexside", places, codes), len(places)
