"""The brush for the elevations of cells: it sets, raises, lowers, smooths or roughens them.

Heights at the corners of squares have a brush of their own (heights.py).

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.brushes import BRUSH, BrushTool, first_twins
from app.tools.options import ElevationMode
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import Pointer
from app.tools.tool import Preview
from randomizer.geometry.areas import Cells
from randomizer.geometry.cell_elevations import (
    raise_elevations,
    roughen_elevations,
    smooth_elevations,
)
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import PlaneRole
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


@dataclass
class _Stroke:
    """The stroke under way; it lives from the press of the button to its release."""

    pressed_elevation: int
    """The elevation of the cell where the stroke began, which a plateau gets."""

    is_changed: NDArray[np.bool_]
    """True for the cells that the stroke has changed, shape (size,): it changes each once."""

    def mark_new(self, cells: Cells) -> Cells:
        """Mark ``cells`` (n,) as changed; return those that were not before."""
        new_cells = cells[~self.is_changed[cells]]
        self.is_changed[new_cells] = True
        return new_cells


class ElevationTool(BrushTool):
    """Sets, raises, lowers, smooths or roughens elevations, or spreads one; each cell once a
    stroke.
    """

    name = "elevation"
    title = "Elevation brush"
    words = "height raise lower level paint"
    icon = "elevation"
    shortcut = "H"
    tip = (
        "Paint the chosen elevation (keys 0 to 3 choose it), or raise, lower, smooth, roughen, or "
        "spread the elevation under the press."
    )
    text = "Paint elevation"
    needs = PlaneRole.HEIGHT
    uses = BRUSH | {"height"}

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stroke: _Stroke | None = None
        """The stroke under way, None between strokes."""

    def suits(self, system: System) -> bool:
        """Return whether a system has no heights at corners: those have the height brush."""
        return not _has_heights_only_at_corners(system)

    def why_not(self, system: System) -> str:
        if _has_heights_only_at_corners(system):
            return f"{with_article(system.noun, 'A')} has heights at its corners, no elevations."
        return super().why_not(system)

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        elevations = document.composite.planes[self.plane(document.battlemap.system).name]
        self._stroke = _Stroke(
            pressed_elevation=int(elevations.flat[pointer.cell]),
            is_changed=np.zeros(document.battlemap.grid.size, np.bool_),
        )

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Change the elevation of the cells that this stroke has not changed."""
        stroke = self._stroke
        assert stroke is not None, "the canvas starts a stroke before it applies the tool"
        plane = self.plane(document.battlemap.system)
        reached = self.reach(document, pointer).cells
        barred = left_out(document, plane, reached)
        cells = stroke.mark_new(np.setdiff1d(reached, barred.elements))
        elevations = self._new_elevations(document, cells, stroke.pressed_elevation)
        return paint(document, plane, cells, elevations)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        reached = self.reach(document, pointer)
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, Preview.of(reached), barred)

    def result_text(self, document: MapDocument) -> str:
        """Return a text about the new elevations: maps seen from afar show none."""
        if self._stroke is None:
            return ""
        battlemap = document.battlemap
        cells = np.flatnonzero(self._stroke.is_changed)
        if not len(cells):
            return ""
        elevations = document.composite.planes[self.plane(battlemap.system).name].flat[cells]
        lowest = int(elevations.min())
        highest = int(elevations.max())
        words = cell_words(battlemap.grid.layout)
        if len(cells) == 1:
            name = battlemap.system.cell_name(battlemap.grid, int(cells[0]))
            return f"{name} is at elevation {lowest} now"
        cells_text = counted(len(cells), words.cell, words.cells)
        if lowest == highest:
            return f"{cells_text} are at elevation {lowest} now"
        return f"{cells_text} are at elevations {lowest} to {highest} now"

    def forget(self) -> None:
        self._stroke = None

    def _new_elevations(
        self, document: MapDocument, cells: Cells, pressed_elevation: int
    ) -> object:
        """Return the new elevations of cells: an array (n,), or one number for all of them."""
        options = self.options
        grid = document.battlemap.grid
        elevations = document.composite.planes[self.plane(document.battlemap.system).name]
        possible_elevations = document.battlemap.terrain_set.elevations
        lowest = min(possible_elevations)
        highest = max(possible_elevations)
        match ElevationMode(options.height_mode):
            case ElevationMode.SET:
                return options.elevation
            case ElevationMode.RAISE:
                return raise_elevations(elevations, cells, options.step, lowest, highest)
            case ElevationMode.LOWER:
                return raise_elevations(elevations, cells, -options.step, lowest, highest)
            case ElevationMode.SMOOTH:
                return smooth_elevations(grid, elevations, cells)
            case ElevationMode.PLATEAU:
                return pressed_elevation
            case ElevationMode.ROUGHEN:
                keys = first_twins(options.symmetry(grid), grid, cells)
                rough_elevations = roughen_elevations(elevations, cells, keys, options.step)
                return np.clip(rough_elevations, lowest, highest).astype(elevations.dtype)


def _has_heights_only_at_corners(system: System) -> bool:
    """Return whether maps of a system have heights at the corners of squares, and none of cells."""
    return system.height is not None and system.elevation is None
