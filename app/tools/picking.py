"""Tools that do not change the map: eyedropper, centre of symmetry, pan.

The first two write into ``ToolOptions``; the canvas itself pans.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.cell_or_side import CellOrSideTool
from app.tools.pointer import Pointer, means_edge
from app.tools.tool import Tool
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import Plane

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.tool import Preview


class EyedropperTool(Tool):
    """Chooses the terrain and elevation of a cell, or near an edge its hexside, in the palette.

    Where heights lie on corners it chooses the height to level to.
    """

    name = "eyedropper"
    title = "Eyedropper"
    words = "pick pipette colour sample"
    icon = "eyedropper"
    shortcut = "I"
    tip = "Take the terrain and elevation of a {cell} (near an edge: the {side}) into the palette."
    text = "Pick"
    changes_planes = False

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Choose the values under the pointer in the options; return no edit."""
        composite = document.composite
        system = document.battlemap.system
        hexsides = composite.plane(system.hexside)
        if hexsides is not None and means_edge(document.battlemap, pointer.hit):
            self.options.choose(hexside=_hexside_at(document.battlemap.grid, hexsides, pointer))
            return None

        heights = composite.plane(system.corner_heights)
        if heights is not None:
            self.options.choose(corner_level=int(heights.flat[pointer.corner]))
        terrains = composite.plane(system.terrain)
        if terrains is not None:
            self.options.choose(terrain=int(terrains.flat[pointer.cell]))
        elevations = composite.plane(system.elevation)
        if elevations is not None:
            self.options.choose(elevation=int(elevations.flat[pointer.cell]))
        return None

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        # Fresh options: whatever brush is chosen, one cell or one edge is picked.
        single_brush = CellOrSideTool(type(self.options)())
        return single_brush.preview(document, pointer)


def _hexside_at(grid: Grid, hexsides: Plane, pointer: Pointer) -> int:
    """Return the hexside of the edge at the pointer, whichever of the two cells has it; 0: none.

    ``hexsides`` has the shape (height, width, sides).
    """
    side_here = pointer.cell * grid.degree + pointer.side
    hexside = int(hexsides.flat[side_here])
    twin = grid.twin(pointer.cell, pointer.side)
    if hexside or twin is None:
        return hexside
    neighbour, side_of_neighbour = twin
    return int(hexsides.flat[neighbour * grid.degree + side_of_neighbour])


class CentreTool(Tool):
    """Chooses the cell that is the centre of symmetric painting."""

    name = "centre"
    title = "Centre of symmetry"
    words = "symmetry mirror axis"
    icon = "symmetry"
    shortcut = "C"
    tip = "Click on the {cell} about which painting is repeated; the tool options say how."
    changes_planes = False
    uses = frozenset({"symmetry"})

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Choose the cell under the pointer as the centre; return no edit."""
        self.options.choose(centre=pointer.cell)
        return None


class PanTool(Tool):
    """Moves the view: the canvas does so for tools with ``pans``."""

    name = "pan"
    title = "Pan"
    words = "hand move scroll"
    icon = "pan"
    shortcut = "P"
    pans = True
    changes_planes = False
    tip = "Move the view. Space with the left button, or the middle button, does so in every tool."
