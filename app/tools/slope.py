"""The tool *Slope*: a drag from one height of the map to another makes the land between them even.

It works on heights at the corners of squares, and on elevations of cells. The box around both ends
is looked through for the corners or cells on the slope, which get their new heights; their
symmetric twins follow.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.areas import LineEnds
from app.tools.heights import RIM, cell_distance, changeable_elements
from app.tools.painting import mark_corners, mark_left_out, paint
from app.tools.pointer import NO_CELLS, Pointer
from app.tools.preview import Circle, Preview
from app.tools.tool import Tool
from randomizer.geometry.height_brush import HeightBrush, HeightMode, SlopeEnd, slope
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.corners import corner_points, corners_of
from randomizer.model.planes.planes import Element, PlaneRole, PlaneSpec

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.hand.targets import LeftOut


class _Slope(NamedTuple):
    """The change that a slope makes."""

    elements: Indices
    """The corners that change, or the cells on maps whose cells have heights: shape (n,)."""

    heights: NDArray[np.int64]
    """Their new heights, shape (n,)."""

    barred: LeftOut
    """The corners or cells on the slope that stay as they are, since a locked layer sets them."""

    ends: tuple[tuple[float, float], ...]
    """The points (x, y) from which and to which the slope leads, in map units."""


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
    shows_contours = True
    uses = frozenset({"radius", "soft", "symmetry"})
    drags_between_cells = True
    first_radius = 2

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._ends = LineEnds()
        """The ends of slopes, as corners or cells (``_element_at``)."""

    def _element_at(self, document: MapDocument, pointer: Pointer) -> int:
        """Return the corner that is pointed at, or the cell on maps whose cells have heights."""
        if document.battlemap.system.corner_heights is None:
            return pointer.cell
        return pointer.corner

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        element = self._element_at(document, pointer)
        self._ends.begin(document, element, goes_on=pointer.shift)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the same key for every pointer: only ``finish`` changes the map."""
        return ()

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        change = self._slope(document, pointer)
        plane = self.plane(document.battlemap.system)
        yield paint(document, plane, change.elements, change.heights)

    def stroke_made(self, document: MapDocument, pointer: Pointer) -> None:
        self._ends.finish(document, self._element_at(document, pointer))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap = document.battlemap
        change = self._slope(document, pointer)
        reach = (self.options.radius + RIM) * cell_distance(battlemap.grid)
        circles = tuple(Circle(x, y, reach) for x, y in change.ends)
        preview = Preview(NO_CELLS, points=change.ends, circles=circles)
        if battlemap.system.corner_heights is not None:
            return mark_corners(replace(preview, corners=change.elements), change.barred)
        return mark_left_out(document, replace(preview, cells=change.elements), change.barred)

    def forget(self) -> None:
        self._ends.end_line()

    def _slope(self, document: MapDocument, pointer: Pointer) -> _Slope:
        """Return the change of a slope that leads from the beginning of the drag to the pointer."""
        grid = document.battlemap.grid
        spec = self.plane(document.battlemap.system)
        end = self._element_at(document, pointer)
        start = self._ends.start_of_line_to(document, end, goes_on=pointer.shift)
        end_elements = np.array([start, end], np.intp)

        elements, heights = self._heights_between(document, end_elements)
        elements, heights = self._with_twins(grid, spec, elements, heights)
        is_changeable, barred = changeable_elements(document, spec, elements)
        ends = tuple((x, y) for x, y in _points_of(grid, spec, end_elements).tolist())
        return _Slope(elements[is_changeable], heights[is_changeable], barred, ends)

    def _heights_between(
        self, document: MapDocument, end_elements: Indices
    ) -> tuple[Indices, NDArray[np.int64]]:
        """Return the corners or cells (n,) on the slope between two of them, and new heights (n,).

        ``slope`` chooses them from those in the box around both ends.
        """
        options = self.options
        grid = document.battlemap.grid
        spec = self.plane(document.battlemap.system)
        step = cell_distance(grid)
        end_points = _points_of(grid, spec, end_elements)
        # The effect of the brush ends one cell beyond its radius.
        reach = (options.radius + 1) * step
        left, top = end_points.min(axis=0) - reach
        right, bottom = end_points.max(axis=0) + reach
        elements = cells_in_box(grid, Box(left, top, right, bottom)).cells
        if spec.element is Element.CORNER:
            elements = np.unique(corners_of(grid, elements))

        # ``slope`` measures in steps from cell to cell.
        heights_now = document.composite.planes[spec.name].reshape(-1).astype(np.int64)
        (start_x, start_y), (end_x, end_y) = (end_points / step).tolist()
        start_height, end_height = heights_now[end_elements].tolist()
        start = SlopeEnd(start_x, start_y, start_height)
        end = SlopeEnd(end_x, end_y, end_height)
        # ``slope`` looks at the width and the softness of a brush, whatever its mode.
        brush = HeightBrush(HeightMode.LEVEL, options.radius, options.corner_soft)
        points = _points_of(grid, spec, elements) / step
        heights, is_on_slope = slope(points, heights_now[elements], start, end, brush)
        lowest, highest = self._limits(document)
        return elements[is_on_slope], np.clip(heights[is_on_slope], lowest, highest)

    def _limits(self, document: MapDocument) -> tuple[int, int]:
        """Return the lowest and the highest height that the map can have."""
        spec = self.plane(document.battlemap.system)
        if spec.element is Element.CORNER:
            return spec.limits
        elevations = document.battlemap.terrain_set.elevations
        return min(elevations), max(elevations)

    def _with_twins(
        self, grid: Grid, spec: PlaneSpec, elements: Indices, heights: NDArray[np.int64]
    ) -> tuple[Indices, NDArray[np.int64]]:
        """Return corners or cells (n,) and heights (n,) with those of their symmetric twins.

        An element that belongs to several of them gets the height of the slope itself.
        """
        symmetry = self.options.symmetry(grid)
        if symmetry is None:
            return elements, heights
        if spec.element is Element.CORNER:
            twins = symmetry.corner_images(grid, elements)
        else:
            twins = symmetry.images(grid, elements)
        with_twins = np.concatenate([elements, twins.ravel()])
        heights_of_all = np.tile(heights, 1 + len(twins))
        # ``unique`` gives the first index of each element, and the slope itself stands first.
        unique_elements, first_index = np.unique(with_twins, return_index=True)
        on_map = unique_elements >= 0
        return unique_elements[on_map], heights_of_all[first_index][on_map]


def _points_of(grid: Grid, spec: PlaneSpec, elements: Indices) -> NDArray[np.float64]:
    """Return the points (n, 2) of corners or cells of a plane of heights, in map units."""
    if spec.element is Element.CORNER:
        return corner_points(grid, elements)
    return grid.centres_of(elements)
