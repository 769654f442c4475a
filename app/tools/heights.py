"""The height brush: it shapes land whose heights lie on the corners of squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.tools.painting import left_out, mark_corners, paint
from app.tools.pointer import Pointer, selected_corners
from app.tools.tool import Preview, Tool
from randomizer.geometry.height_brush import HeightBrush, HeightStroke
from randomizer.geometry.symmetry import off_board_warning
from randomizer.model.corners import corner_points
from randomizer.model.planes import PlaneRole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.indices import Indices
    from randomizer.model.system import System
    from randomizer.model.targets import LeftOut

RIM = 0.5
"""The edge of the brush is drawn so far beyond the outermost corners, in cells."""


class HeightTool(Tool):
    """Raises, lowers, smooths, flattens or levels the heights of corners under a round brush."""

    name = "height"
    title = "Height brush"
    icon = "height"
    shortcut = "A"
    tip = (
        "Raise, lower, smooth, flatten or level the land: click, drag, or hold the button. Ctrl "
        "and click takes the height to level to."
    )
    text = "Shape land"
    needs = PlaneRole.HEIGHT
    uses = frozenset({"radius", "corners", "symmetry"})
    sweeps = True
    repeat_ms = 100

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stroke: HeightStroke | None = None
        self._last = -1

    def suits(self, system: System) -> bool:
        return system.corner_heights is not None

    def lacks(self, system: System) -> str:
        return "" if self.suits(system) else "heights at corners"

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._stroke = self._begun(document)
        self._last = pointer.corner

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the way from the last corner to this one."""
        return (self._last, pointer.corner)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        stroke = self._stroke
        if stroke is None:
            return None
        start, self._last = self._last, pointer.corner
        change = stroke.change(pointer.corner if start < 0 else start, pointer.corner)
        change = change.some(self._free(document, change.corners)[0])
        stroke.take(change)
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, change.corners, change.heights)

    def lift(self) -> None:
        """Go on where the pointer comes back, with nothing between."""
        self._last = -1

    def repeat(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return shape the land here once more."""
        if self._stroke is not None:
            self._stroke.again()
        self._last = -1
        return self.edit(document, pointer)

    def forget(self) -> None:
        self._stroke, self._last = None, -1

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap, corner = document.battlemap, pointer.corner
        grid, spec = battlemap.grid, self.plane(battlemap.system)
        symmetry = self.options.symmetry(grid)
        change = (self._stroke or self._begun(document)).change(corner, corner)
        free, kept = self._free(document, change.corners)
        shown = document.composite.planes[spec.name].reshape(-1)
        free &= shown[change.corners] != change.heights
        centres = np.array([corner], np.intp)
        if symmetry is not None:
            centres = np.unique(symmetry.corner_images(grid, centres))
        points = corner_points(grid, centres[centres >= 0]).tolist()
        preview = Preview(
            corners=change.corners[free],
            circles=tuple((x, y, self.options.radius + RIM) for x, y in points),
            note=off_board_warning(change.missing, change.twins),
        )
        return mark_corners(preview, kept)

    def _begun(self, document: MapDocument) -> HeightStroke:
        options, battlemap = self.options, document.battlemap
        spec = self.plane(battlemap.system)
        brush = HeightBrush(
            options.corner_mode,
            options.radius,
            options.corner_soft,
            options.corner_amount,
            options.corner_strength,
        )
        return HeightStroke(
            battlemap.grid,
            document.composite.planes[spec.name],
            brush,
            spec.limits,
            options.corner_level,
            options.symmetry(battlemap.grid),
        )

    def _free(self, document: MapDocument, corners: Indices) -> tuple[NDArray[np.bool_], LeftOut]:
        """Which of the corners (n,) can be changed, and those that a locked layer holds.

        If anything is selected, only the corners of selected cells can be changed.
        """
        plane = self.plane(document.battlemap.system)
        free = selected_corners(document, corners)
        kept = left_out(document, plane, corners[free])
        if len(kept.places):
            free &= ~np.isin(corners, kept.places)
        return free, kept
