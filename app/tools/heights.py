"""The height brush for heights at the corners of squares.

Some maps have a height at each corner of their squares, others an elevation for each cell; the word
*element* means the one or the other. How heights change is computed in
``randomizer.geometry.height_brush``; the tool turns pointers and options into its calls, and keeps
to the selection and to unlocked layers (``changeable_elements``).

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out, mark_corners, paint
from app.tools.pointer import Pointer, selected_corners
from app.tools.preview import Circle, Preview
from app.tools.tool import Tool
from randomizer.geometry.height_brush import HeightBrush, HeightMode, HeightStroke
from randomizer.geometry.symmetry import off_board_warning
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.corners import corner_points
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
    may_begin_outside = True
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
        change = drag.stroke.proposed_change(start, pointer.corner)
        plane = self.plane(document.battlemap.system)
        is_changeable, _barred = changeable_elements(document, plane, change.corners)
        change = change.restricted_to(is_changeable)
        drag.stroke.record(change)
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
        change = stroke.proposed_change(corner, corner)
        is_changeable, barred = changeable_elements(document, spec, change.corners)
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
                Circle(x, y, (self.options.radius + RIM) * cell_distance(grid)) for x, y in points
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


def changeable_elements(
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


def cell_distance(grid: Grid) -> float:
    """Return the distance of neighbouring cells in a row, in map units."""
    return grid.layout.column_distance
