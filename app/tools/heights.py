"""The height brush: it shapes land whose heights lie on the corners of squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.brushes import paint
from app.tools.places import Pointer, selected_corners
from app.tools.tool import Preview, Tool
from randomizer.geometry.height_brush import HeightBrush, HeightChange, HeightStroke
from randomizer.geometry.symmetry import off_board_words
from randomizer.model.corners import corner_points
from randomizer.model.planes import Place, PlaneRole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit
    from randomizer.model.system import System


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
        """Only where heights lie on corners."""
        return system.height is not None and system.height.place is Place.CORNER

    def why_not(self, system: System) -> str:
        """Also refuses heights of cells."""
        return "" if self.suits(system) else f"A {system.title.lower()} has no heights at corners."

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Note the heights as they are now."""
        self._stroke = self._begun(document)
        self._last = pointer.corner

    def place(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """The way from the last corner to this one."""
        return (self._last, pointer.corner)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Shape the land on the way from the last corner to this one."""
        stroke = self._stroke
        if stroke is None:
            return None
        start, self._last = self._last, pointer.corner
        change = stroke.change(pointer.corner if start < 0 else start, pointer.corner)
        stroke.take(change)
        return self._edit(document, change)

    def lift(self) -> None:
        """Go on where the pointer comes back, with nothing between."""
        self._last = -1

    def repeat(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Shape the land here once more."""
        if self._stroke is not None:
            self._stroke.again()
        self._last = -1
        return self.edit(document, pointer)

    def forget(self) -> None:
        """Forget the stroke."""
        self._stroke, self._last = None, -1

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """The edge of the brush, and the corners that a click would change."""
        grid, corner = document.battlemap.grid, pointer.corner
        symmetry = self.options.symmetry(grid)
        stroke = self._stroke or self._begun(document)
        change = stroke.change(corner, corner)
        edit = self._edit(document, change)
        centres: NDArray[np.float64] = corner_points(grid, _images(document, self.options, corner))
        circles = tuple((x, y, self.options.radius + 0.5) for x, y in centres.tolist())
        words = "" if symmetry is None else off_board_words(change.missing, change.twins)
        return Preview(corners=_changed(edit), circles=circles, words=words)

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

    def _edit(self, document: MapDocument, change: HeightChange) -> Edit | None:
        """The edit of a change, only at the corners of selected cells if any are selected."""
        plane = self.plane(document.battlemap.system)
        inside = selected_corners(document, change.corners)
        return paint(document, plane, change.corners[inside], change.heights[inside])
