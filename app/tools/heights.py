"""The height brush for heights at the corners of squares, and slopes for all maps with heights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.areas import LineEnds
from app.tools.painting import left_out, mark_corners, mark_left_out, paint
from app.tools.pointer import NO_CELLS, Pointer, selected_corners
from app.tools.tool import Preview, Tool
from randomizer.geometry.height_brush import HeightBrush, HeightMode, HeightStroke, slope
from randomizer.geometry.symmetry import off_board_warning
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.corners import corner_points, corners_of
from randomizer.model.planes.planes import Place, PlaneRole, PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.hand.targets import LeftOut

RIM = 0.5
"""The edge of the brush is drawn so far beyond the outermost corners, in cells."""


class HeightTool(Tool):
    """Raises, lowers, smooths, flattens, levels or roughens corners under a round brush."""

    name = "height"
    title = "Height brush"
    words = "raise lower hill land sculpt terrain"
    icon = "height"
    shortcut = "A"
    tip = (
        "Raise, lower, smooth or roughen the land, or make a plateau: click, drag, or hold the "
        "button. Ctrl and click takes the height to level to."
    )
    text = "Shape land"
    needs = PlaneRole.HEIGHT
    uses = frozenset({"radius", "corners", "soft", "symmetry"})
    sweeps = True
    repeat_ms = 100
    first_radius = 4  # one corner alone is a needle that is hardly seen

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
        start = self._last
        self._last = pointer.corner
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
        self._stroke = None
        self._last = -1

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap = document.battlemap
        corner = pointer.corner
        grid = battlemap.grid
        spec = self.plane(battlemap.system)
        symmetry = self.options.symmetry(grid)
        change = (self._stroke or self._begun(document)).change(corner, corner)
        free, barred = self._free(document, change.corners)
        heights_now = document.composite.planes[spec.name].reshape(-1)
        free &= heights_now[change.corners] != change.heights
        centres = np.array([corner], np.intp)
        if symmetry is not None:
            centres = np.unique(symmetry.corner_images(grid, centres))
        points = corner_points(grid, centres[centres >= 0]).tolist()
        preview = Preview(
            corners=change.corners[free],
            circles=tuple((x, y, self.options.radius + RIM) for x, y in points),
            note=off_board_warning(change.missing, change.twins),
        )
        return mark_corners(preview, barred)

    def _begun(self, document: MapDocument) -> HeightStroke:
        options = self.options
        battlemap = document.battlemap
        spec = self.plane(battlemap.system)
        brush = HeightBrush(
            options.corner_mode,
            options.radius,
            options.corner_soft,
            options.corner_amount,
            options.corner_strength,
            options.corner_key,
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
        return _free(document, self.plane(document.battlemap.system), corners)


def _free(
    document: MapDocument, plane: PlaneSpec, elements: Indices
) -> tuple[NDArray[np.bool_], LeftOut]:
    """Return which corners or cells (n,) can be changed, and those that a locked layer holds.

    If anything is selected, only selected cells and their corners can be changed.
    """
    selection = document.selection
    if plane.place is Place.CORNER:
        free = selected_corners(document, elements)
    else:
        free = selection.contains(elements) | (not len(selection))
    barred = left_out(document, plane, elements[free])
    if len(barred.elements):
        free &= ~np.isin(elements, barred.elements)
    return free, barred


class SlopeTool(Tool):
    """Lays a straight slope from one height of the map to another, as wide as the brush."""

    name = "slope"
    title = "Slope"
    words = "ramp incline gradient"
    icon = "slope"
    shortcut = "N"
    tip = (
        "Drag from one height to another: between them the land gets an even slope, as wide as the "
        "brush. Shift and a click go on from the last end."
    )
    text = "Lay a slope"
    needs = PlaneRole.HEIGHT
    uses = frozenset({"radius", "soft", "symmetry"})
    spans = True
    first_radius = 2

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._ends = LineEnds()

    def _at(self, document: MapDocument, pointer: Pointer) -> int:
        """Return the corner or the cell that is pointed at, as heights lie there."""
        at_corners = document.battlemap.system.corner_heights is not None
        return pointer.corner if at_corners else pointer.cell

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        grid = document.battlemap.grid
        at = self._at(document, pointer)
        self._ends.start = self._ends.begin(grid, at, go_on=pointer.shift)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        return ()

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        elements, heights, _barred, _points = self._slope(document, pointer)
        self._ends.last = (document.battlemap.grid, self._at(document, pointer))
        yield paint(document, self.plane(document.battlemap.system), elements, heights)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap = document.battlemap
        elements, _heights, barred, points = self._slope(document, pointer)
        reach = (self.options.radius + RIM) * battlemap.grid.layout.basis[0][0]
        preview = Preview(NO_CELLS, points=points, circles=tuple((x, y, reach) for x, y in points))
        if battlemap.system.corner_heights is not None:
            return mark_corners(replace(preview, corners=elements), barred)
        return mark_left_out(document, replace(preview, cells=elements), barred)

    def forget(self) -> None:
        self._ends.start = None

    def _slope(
        self, document: MapDocument, pointer: Pointer
    ) -> tuple[Indices, NDArray[np.int64], LeftOut, tuple[tuple[float, float], ...]]:
        """Return the places that change and their heights, those left out, and the two ends."""
        battlemap = document.battlemap
        options = self.options
        plane = self.plane
        grid = battlemap.grid
        spec = plane(battlemap.system)
        end = self._at(document, pointer)
        ends = np.array([self._ends.begin(grid, end, go_on=pointer.shift), end], np.intp)
        at_corners = spec.place is Place.CORNER
        points_of = partial(corner_points, grid) if at_corners else grid.centres_of
        points = points_of(ends)
        unit = grid.layout.basis[0][0]
        reach = (options.radius + 1) * unit
        (left, top) = points.min(axis=0) - reach
        (right, bottom) = points.max(axis=0) + reach
        elements = grid.cells_in(left, top, right, bottom)
        if at_corners:
            elements = np.unique(corners_of(grid, elements))
        heights_now = document.composite.planes[spec.name].reshape(-1).astype(np.int64)
        elevations = battlemap.terrain_set.elevations
        if at_corners:
            limits = spec.limits
        else:
            limits = (min(elevations), max(elevations))
        first, last = (
            (x / unit, y / unit, height)
            for (x, y), height in zip(points.tolist(), heights_now[ends].tolist(), strict=True)
        )
        brush = HeightBrush(HeightMode.LEVEL, options.radius, options.corner_soft)
        heights, on_slope = slope(
            points_of(elements) / unit, heights_now[elements], (first, last), brush
        )
        elements = elements[on_slope]
        heights = np.clip(heights[on_slope], *limits)
        symmetry = options.symmetry(grid)
        if symmetry is not None:
            images_of = symmetry.corner_images if at_corners else symmetry.images
            images = np.concatenate([elements, images_of(grid, elements).ravel()])
            heights = np.tile(heights, len(images) // max(len(elements), 1))
            elements, where = np.unique(images, return_index=True)
            heights = heights[where][elements >= 0]
            elements = elements[elements >= 0]
        free, barred = _free(document, spec, elements)
        return elements[free], heights[free], barred, tuple(map(tuple, points.tolist()))
