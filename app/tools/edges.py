"""The brush for the Wang sets of a map: it chooses tiles by their sides and corners.

A *Wang set* of Tiled tells for each of its tiles which colour each of its sides and corners has.
The brush gives cells a colour; ``randomizer.geometry.wang_painting`` finds the tiles that fit.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.brushes import BrushTool
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer, side_twins
from app.tools.preview import Preview
from randomizer.geometry.areas import Cells
from randomizer.geometry.wang_painting import paint_colour, paint_sides
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.wang_sets import PaintedColour, painted_colours
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument

NO_SETS = "This map has no tileset whose edges fit by themselves (Wang sets of Tiled)."
"""The reason why the tool can do nothing on a map without Wang sets."""


def colours_of(battlemap: BattleMap) -> tuple[PaintedColour, ...]:
    """Return the colours of all Wang sets of a map; ``ToolOptions.edges`` is an index."""
    return painted_colours(battlemap.records, battlemap.grid.degree)


def terrain_of_colour(battlemap: BattleMap, painted: PaintedColour) -> int:
    """Return the index of a terrain that shows a colour, as its picture for the user.

    A Wang set has a code for each of its tiles, the terrain that the tile is, and a row of
    ``values``: the numbers of the colours of its sides and corners. The terrain is the tile that
    the set names for it, else the tile with most sides and corners of it; 0 if the terrain set has
    neither.
    """
    wang_set = painted.wang_set
    index_by_code = {
        terrain.code: index for index, terrain in enumerate(battlemap.terrain_set.terrains)
    }
    if painted.colour.tile in index_by_code:
        return index_by_code[painted.colour.tile]
    sides_and_corners = (wang_set.values == painted.number).sum(axis=1)
    fullest_tile = wang_set.codes[int(sides_and_corners.argmax())]
    return index_by_code.get(fullest_tile, 0)


class EdgesTool(BrushTool):
    """Paints a colour of a Wang set; the cells around get the tiles that fit, selected or not.

    A brush of one cell draws the side that is pointed at: in a set of edges (roads, fences), and in
    others that have sides while Shift is held.
    """

    name = "edges"
    title = "Automatic edges"
    words = "wang autotile terrain transition tiled corner side blob road fence"
    icon = "edges"
    shortcut = "Shift+B"
    tip = (
        "Paint with a tileset of Tiled whose edges fit by themselves: tiles are chosen by their "
        "{sides} and corners, the {cells} around follow. In a set of roads or fences, or with "
        "Shift, a click draws the {side} it is nearest to."
    )
    text = "Paint with edges"

    def suits(self, system: System) -> bool:
        """Return whether maps of a system have terrain sets of their own, such as tilesets."""
        return system.users_edit_terrain_sets

    def lacks(self, system: System) -> str:
        if system.users_edit_terrain_sets:
            return ""
        return "tilesets"

    def plane(self, system: System) -> PlaneSpec:
        assert system.terrain is not None, "the tool suits the map"
        return system.terrain

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if the map has no Wang sets."""
        if self._chosen_colour(document) is None:
            return NO_SETS
        return super().why_not_here(document)

    def why_nothing(self, document: MapDocument) -> str:
        return "Nothing was changed: it is so already, or no tile of the set fits here."

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return cell and side: the brush draws either, and only the document tells which."""
        return (pointer.cell, pointer.side)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        painted = self._chosen_colour(document)
        if painted is None:
            return None
        cells, terrains = self._changed_cells(document, pointer, painted)
        return paint(document, self.plane(document.battlemap.system), cells, terrains)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        painted = self._chosen_colour(document)
        if painted is None:
            return Preview()
        cells, terrains = self._changed_cells(document, pointer, painted)
        barred = left_out(document, self.plane(document.battlemap.system), cells)
        if self._draws_side(painted, pointer):
            sides = side_twins(document, self.options, CellSide(pointer.cell, pointer.side))
            preview = Preview(cells, terrains, sides=tuple((side, None) for side in sides))
        else:
            reached = self.reach(document, pointer)
            preview = Preview(cells, terrains, lost=reached.lost, note=reached.note)
        return mark_left_out(document, preview, barred)

    def _chosen_colour(self, document: MapDocument) -> PaintedColour | None:
        """Return the chosen colour; the last one if the map has fewer, None if it has none."""
        colours = colours_of(document.battlemap)
        if not colours:
            return None
        return colours[min(self.options.edges, len(colours) - 1)]

    def _draws_side(self, painted: PaintedColour, pointer: Pointer) -> bool:
        """Return whether a click here draws one side: with Shift, or in a set of edges."""
        wang_set = painted.wang_set
        asks_for_side = pointer.shift or wang_set.kind == "edge"
        has_smallest_brush = self.options.radius == 0
        return asks_for_side and wang_set.has_sides and has_smallest_brush

    def _changed_cells(
        self, document: MapDocument, pointer: Pointer, painted: PaintedColour
    ) -> tuple[Cells, NDArray[np.int64]]:
        """Return the cells (n,) that a click here would change, and their new terrains (n,)."""
        battlemap = document.battlemap
        layer = document.active_layer_id
        if self._draws_side(painted, pointer):
            sides = side_twins(document, self.options, CellSide(pointer.cell, pointer.side))
            return paint_sides(battlemap, layer, painted, sides)
        return paint_colour(battlemap, layer, painted, self.reach(document, pointer).cells)
