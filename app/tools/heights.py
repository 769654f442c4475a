"""The height brush for heights at the corners of squares, and slopes for all maps with heights.

Some maps have a height at each corner of their squares, others an elevation for each cell; the word
*element* means the one or the other. How heights change is computed in
``randomizer.geometry.height_brush``; the tools here turn pointers and options into its calls, and
keep to the selection and to unlocked layers (``_changeable``).

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.areas import LineEnds
from app.tools.painting import left_out, mark_corners, mark_left_out, paint
from app.tools.pointer import NO_CELLS, Pointer, selected_corners
from app.tools.tool import Circle, Preview, Tool
from randomizer.geometry.height_brush import HeightBrush, HeightMode, HeightStroke, SlopeEnd, slope
from randomizer.geometry.symmetry import off_board_warning
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.corners import corner_points, corners_of
from randomizer.model.planes.planes import Element, PlaneRole, PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.hand.targets import LeftOut

RIM = 0.5
"""The distance of the circle of the brush from the outermost corners, in widths of a cell.

If it is larger, the circle that is drawn goes around corners that do not change.
"""


@dataclass
class _Drag:
    """The drag of the height brush that is under way; it lives from the press to the release."""

    stroke: HeightStroke
    """The heights of the stroke so far."""

    last_corner: int | None
    """The corner up to which the land is shaped, from where the next piece of the way leads.

    None if the next piece begins at its own end, with nothing in between: the pointer comes back
    from outside the map, or the button is held still.
    """


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
    shows_contours = True
    uses = frozenset({"radius", "corners", "soft", "symmetry"})
    finds_way_between = True
    repeat_ms = 100  # the land goes on changing while the button is held
    first_radius = 4  # one corner alone is a needle that is hardly seen

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._drag: _Drag | None = None
        """The drag under way, None between strokes."""

    def suits(self, system: System) -> bool:
        return system.corner_heights is not None

    def lacks(self, system: System) -> str:
        if self.suits(system):
            return ""
        return "heights at corners"

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._drag = _Drag(self._new_stroke(document, pointer.corner), pointer.corner)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the last corner and this one: each piece of the way is a touch of its own."""
        if self._drag is None or self._drag.last_corner is None:
            return (pointer.corner,)
        return (self._drag.last_corner, pointer.corner)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        drag = self._drag
        if drag is None:
            return None
        start = drag.last_corner
        if start is None:
            start = pointer.corner
        drag.last_corner = pointer.corner
        change = drag.stroke.preview_change(start, pointer.corner)
        plane = self.plane(document.battlemap.system)
        is_changeable, _barred = _changeable(document, plane, change.corners)
        change = change.some(is_changeable)
        drag.stroke.apply_change(change)
        return paint(document, plane, change.corners, change.heights)

    def resume_at_edge(self) -> None:
        """Begin anew where the pointer comes back, without the corners in between."""
        if self._drag is not None:
            self._drag.last_corner = None

    def repeat(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit that shapes the land here once more, while the button is held."""
        if self._drag is not None:
            self._drag.stroke.begin_next_round()
            self._drag.last_corner = None
        return self.edit(document, pointer)

    def forget(self) -> None:
        self._drag = None

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap = document.battlemap
        corner = pointer.corner
        grid = battlemap.grid
        spec = self.plane(battlemap.system)

        # The corners that one more touch here would give another height.
        if self._drag is None:
            stroke = self._new_stroke(document, corner)
        else:
            stroke = self._drag.stroke
        change = stroke.preview_change(corner, corner)
        is_changeable, barred = _changeable(document, spec, change.corners)
        heights_now = document.composite.planes[spec.name].reshape(-1)
        will_change = is_changeable & (heights_now[change.corners] != change.heights)

        # The brush and its symmetric twins as circles.
        symmetry = self.options.symmetry(grid)
        centres = np.array([corner], np.intp)
        if symmetry is not None:
            centres = np.unique(symmetry.corner_images(grid, centres))
        points = corner_points(grid, centres[centres >= 0]).tolist()
        preview = Preview(
            corners=change.corners[will_change],
            circles=tuple(
                Circle(x, y, (self.options.radius + RIM) * _step(grid)) for x, y in points
            ),
            note=off_board_warning(change.missing, change.twins),
        )
        return mark_corners(preview, barred)

    def _new_stroke(self, document: MapDocument, corner: int) -> HeightStroke:
        """Return a stroke that begins at a corner of the map as it is now.

        Its brush is the one that the options describe.
        """
        options = self.options
        battlemap = document.battlemap
        spec = self.plane(battlemap.system)
        heights = document.composite.planes[spec.name]
        level = options.corner_level
        if options.corner_mode is HeightMode.FLATTEN:
            level = int(heights.flat[corner])
        brush = HeightBrush(
            mode=options.corner_mode,
            radius=options.radius,
            soft=options.corner_soft,
            amount=options.corner_amount,
            strength=options.corner_strength,
            key=options.corner_key,
            level=level,
        )
        return HeightStroke(
            battlemap.grid,
            heights,
            brush,
            limits=spec.limits,
            symmetry=options.symmetry(battlemap.grid),
        )


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
        grid = document.battlemap.grid
        element = self._element_at(document, pointer)
        self._ends.begin(grid, element, goes_on=pointer.shift)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the same key for every pointer: only ``finish`` changes the map."""
        return ()

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        change = self._slope(document, pointer)
        self._ends.finish(document.battlemap.grid, self._element_at(document, pointer))
        plane = self.plane(document.battlemap.system)
        yield paint(document, plane, change.elements, change.heights)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        battlemap = document.battlemap
        change = self._slope(document, pointer)
        reach = (self.options.radius + RIM) * _step(battlemap.grid)
        circles = tuple(Circle(x, y, reach) for x, y in change.ends)
        preview = Preview(NO_CELLS, points=change.ends, circles=circles)
        if battlemap.system.corner_heights is not None:
            return mark_corners(replace(preview, corners=change.elements), change.barred)
        return mark_left_out(document, replace(preview, cells=change.elements), change.barred)

    def forget(self) -> None:
        self._ends.forget()

    def _slope(self, document: MapDocument, pointer: Pointer) -> _Slope:
        """Return the change of a slope that leads from the beginning of the drag to the pointer."""
        grid = document.battlemap.grid
        spec = self.plane(document.battlemap.system)
        end = self._element_at(document, pointer)
        start = self._ends.start_for(grid, end, goes_on=pointer.shift)
        end_elements = np.array([start, end], np.intp)

        elements, heights = self._heights_between(document, end_elements)
        elements, heights = self._with_twins(grid, spec, elements, heights)
        is_changeable, barred = _changeable(document, spec, elements)
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
        step = _step(grid)
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


def _changeable(
    document: MapDocument, plane: PlaneSpec, elements: Indices
) -> tuple[NDArray[np.bool_], LeftOut]:
    """Return which elements (n,) can be changed, and those that a locked layer sets.

    If anything is selected, only selected cells and their corners can be changed.
    """
    selection = document.selection
    if plane.element is Element.CORNER:
        is_changeable = selected_corners(document, elements)
    elif len(selection):
        is_changeable = selection.contains(elements)
    else:
        is_changeable = np.ones(len(elements), np.bool_)
    barred = left_out(document, plane, elements[is_changeable])
    is_changeable = is_changeable & ~np.isin(elements, barred.elements)
    return is_changeable, barred


def _step(grid: Grid) -> float:
    """Return the distance of neighbouring cells in a row, in map units."""
    return grid.layout.column_distance


def _points_of(grid: Grid, spec: PlaneSpec, elements: Indices) -> NDArray[np.float64]:
    """Return the points (n, 2) of corners or cells of a plane of heights, in map units."""
    if spec.element is Element.CORNER:
        return corner_points(grid, elements)
    return grid.centres_of(elements)
