"""Tools that leave the map as it is: eyedropper, centre of symmetry, pan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.brushes import CellOrSideTool
from app.tools.pointer import Pointer, is_side
from app.tools.tool import Tool
from randomizer.model.edits.edit import Edit

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
    paints = False

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Choose what is here in the options; no edit."""
        composite = document.composite
        grid = document.battlemap.grid
        system = document.battlemap.system
        hexsides = composite.plane(system.hexside)
        if hexsides is not None and is_side(document.battlemap, pointer.hit):
            hexside_here = hexsides[*divmod(pointer.cell, grid.width), pointer.side]
            neighbour, side = grid.twin(pointer.cell, pointer.side) or (pointer.cell, pointer.side)
            across = hexsides[*divmod(neighbour, grid.width), side]
            self.options.choose(hexside=int(hexside_here or across))
            return None
        heights = composite.plane(system.corner_heights)
        if heights is not None:
            self.options.choose(corner_level=int(heights.flat[pointer.corner]))
        for option, spec in (("terrain", system.terrain), ("elevation", system.elevation)):
            plane = composite.plane(spec)
            if plane is not None:
                self.options.choose(**{option: int(plane.flat[pointer.cell])})
        return None

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return CellOrSideTool(type(self.options)()).preview(document, pointer)


class CentreTool(Tool):
    """Chooses the centre of symmetric painting."""

    name = "centre"
    title = "Centre of symmetry"
    words = "symmetry mirror axis"
    icon = "symmetry"
    shortcut = "C"
    tip = "Click on the {cell} about which painting is repeated; the tool options say how."
    paints = False
    uses = frozenset({"symmetry"})

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Choose the cell as the centre; no edit."""
        self.options.choose(centre=pointer.cell)
        return None


class PanTool(Tool):
    """Moves the view."""

    name = "pan"
    title = "Pan"
    words = "hand move scroll"
    icon = "pan"
    shortcut = "P"
    pans = True
    paints = False
    tip = "Move the view. Space with the left button, or the middle button, does so in every tool."
