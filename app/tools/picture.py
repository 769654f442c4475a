"""The tool that moves the picture under the map: a scan, say, whose hexes are to fit the grid.

A drag moves or turns the picture: ``PictureTool.edit`` does so while the pointer moves. With the
tool option *Place by three points* the user tells three times which cell is where in the picture:
``PictureTool.finish`` notes it when the button is released.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from app.tools.options import PictureDrag
from app.tools.tool import Preview, Tool
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import MapPicture, picture_of, set_picture, suits
from randomizer.model.problems import ProblemError
from randomizer.model.system.system import System
from randomizer.tracing.placement import placement_by_points

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer

NO_PICTURE = "The map has no picture: Map > Picture under the map... lays one."
"""The reason why the tool can do nothing on a map without a picture."""
LOCKED = "The picture is locked: the panel Picture unlocks it."
"""The reason why it can do nothing with a locked one."""

LEAST_ARM = 0.2
"""The least distance from the middle of the picture at which it can be grabbed to turn it.

In map units: the angle of a shorter arm would jump with each pixel.
"""

NEEDED_CELLS: Final = 3
"""The number of cells that tell how a picture lies."""

TEXTS = {
    PictureDrag.MOVE: "Move the picture",
    PictureDrag.TURN: "Turn the picture",
    PictureDrag.CELLS: "Place the picture by three {cells}",
}
"""The names of undo steps by what a drag does."""


class PictureTool(Tool):
    """Moves the picture, enlarges and turns it about its middle, or lays it by three cells.

    ``_grab`` is the drag of the first two; ``_three_cells`` is what the user has told for the last.
    """

    name = "picture"
    title = "Picture"
    words = "background scan move align"
    icon = "picture"
    shortcut = "Shift+P"
    tip = (
        "Drag the picture that lies under the map. By three points: click a {cell}, then where it "
        "is in the picture, and so two more."
    )
    uses = frozenset({"picture"})
    changes_planes = False
    is_eyedropper_with_ctrl = False
    drags_between_cells = True
    needs_exact_point = True
    finds_way_between = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._grab: _Grab | None = None
        """The press that moves or turns the picture; None between presses, and if it tells cells.
        """
        self._touches = 0
        """The number of keys that ``touch_key`` has returned."""
        self._three_cells = _ThreeCells()
        """What the user has told so far to lay the picture by three cells."""

    def suits(self, system: System) -> bool:
        return suits(system)

    def lacks(self, system: System) -> str:
        if self.suits(system):
            return ""
        return "picture"

    def why_not_here(self, document: MapDocument) -> str:
        picture = picture_of(document.battlemap.records)
        if picture is None:
            return NO_PICTURE
        if picture.locked:
            return LOCKED
        return ""

    def step_text(self) -> str:
        return TEXTS[PictureDrag(self.options.picture_drag)]

    @property
    def _asks_for_cells(self) -> bool:
        """True if the user tells where cells are in the picture, False if drags move or turn it."""
        return self.options.picture_drag == PictureDrag.CELLS

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the picture, or begin to tell a cell or its point."""
        picture = picture_of(document.battlemap.records)
        if self._asks_for_cells:
            self._three_cells.press(pointer.cell)
        elif picture is not None:
            self._grab = _Grab(pointer, picture)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a new key each time: the picture can be dragged back to where it was."""
        self._touches += 1
        return (self._touches,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Move the picture along with the pointer, or turn it after the pointer."""
        if self._grab is None:
            return None
        pressed, old_picture = self._grab
        if (pointer.x, pointer.y) == (pressed.x, pressed.y):
            return set_picture(document.battlemap, old_picture)  # dragged back
        if self.options.picture_drag == PictureDrag.MOVE:
            new_picture: MapPicture | None = old_picture.similar(
                1, 0, pointer.x - pressed.x, pointer.y - pressed.y
            )
        else:
            new_picture = _turned(old_picture, pressed, pointer)
        if new_picture is None:
            return None
        return set_picture(document.battlemap, new_picture._replace(placed=True))

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Note a cell or its point; with the third point yield the edit that lays the picture."""
        picture = picture_of(document.battlemap.records)
        if picture is None or not self._asks_for_cells:
            return
        told = self._three_cells
        told.release(pointer.cell, (pointer.x, pointer.y))
        if len(told.points) < NEEDED_CELLS:
            return

        self._three_cells = _ThreeCells()
        edit = _lay_by_cells(document, picture, told)
        if edit is not None:
            yield edit

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        why_not = self.why_not_here(document)
        picture = picture_of(document.battlemap.records)
        if picture is None or why_not:
            return Preview(note=why_not.removesuffix("."))
        if not self._asks_for_cells:
            corners = picture.outline[[0, 1, 2, 3, 0]].tolist()  # the first again closes the line
            return Preview(points=tuple((x, y) for x, y in corners))

        grid = document.battlemap.grid
        cells = self._three_cells.cells_with_pressed
        points = self._three_cells.points
        is_point_next = len(points) < len(cells)
        progress = f"({len(points) + 1} of {NEEDED_CELLS})"
        if not is_point_next:
            note = cell_text("Click a {cell} " + progress, grid.layout)
            return Preview(np.unique([*cells, pointer.cell]), note=note)
        note = cell_text("Click where this {cell} is in the picture " + progress, grid.layout)
        line = (grid.centre(cells[-1]), (pointer.x, pointer.y))
        return Preview(np.unique(cells), points=line, note=note)

    def forget(self) -> None:
        self._grab = None
        self._three_cells.cancel_press()

    def map_changed(self) -> None:
        """Drop the cells told so far: the map is another one, or its picture lies elsewhere."""
        self._three_cells = _ThreeCells()


class _Grab(NamedTuple):
    """The press of a drag that moves or turns the picture."""

    pointer: Pointer
    """The pointer at the press."""

    picture: MapPicture
    """The picture at the press."""


class _ThreeCells:
    """The cells that the user tells, each with the point at which the picture shows it now.

    A click tells a cell, and the next click its point; a drag from one cell to another tells both.
    A cell counts from the release of the button on, so that Escape takes a press back.
    """

    def __init__(self) -> None:
        self.cells: list[int] = []
        """The cells that were told, at most ``NEEDED_CELLS``."""
        self.points: list[tuple[float, float]] = []
        """The points of these cells, in map units; that of the last one may not be told yet."""
        self._pressed_cell: int | None = None
        """The cell that is pressed; None between presses, and while a point is pressed."""

    @property
    def cells_with_pressed(self) -> list[int]:
        """The cells, with the one that is pressed now."""
        if self._pressed_cell is None:
            return self.cells
        return [*self.cells, self._pressed_cell]

    def press(self, cell: int) -> None:
        """Begin to tell a cell, if all cells so far have their points; else a point."""
        if len(self.cells) == len(self.points):
            self._pressed_cell = cell

    def release(self, cell: int, point: tuple[float, float]) -> None:
        """Tell what is pressed; the pointer is at ``point`` in ``cell`` now."""
        pressed_cell = self._pressed_cell
        self._pressed_cell = None
        if pressed_cell is not None:
            self.cells.append(pressed_cell)
        is_click_on_cell = pressed_cell == cell
        if not is_click_on_cell:
            self.points.append(point)

    def cancel_press(self) -> None:
        """Forget the cell that is pressed."""
        self._pressed_cell = None


def _turned(picture: MapPicture, pressed: Pointer, pointer: Pointer) -> MapPicture | None:
    """Return a picture turned and scaled about its middle by a drag from one point to another.

    The point under ``pressed`` comes to lie under ``pointer``. None if one of them is nearer to the
    middle than ``LEAST_ARM``.
    """
    old_arm = np.subtract((pressed.x, pressed.y), picture.middle)
    new_arm = np.subtract((pointer.x, pointer.y), picture.middle)
    old_length = math.hypot(*old_arm)
    new_length = math.hypot(*new_arm)
    if min(old_length, new_length) < LEAST_ARM:
        return None
    angle = math.atan2(new_arm[1], new_arm[0]) - math.atan2(old_arm[1], old_arm[0])
    return picture.similar(new_length / old_length, math.degrees(angle))


def _lay_by_cells(document: MapDocument, picture: MapPicture, told: _ThreeCells) -> Edit | None:
    """Return the edit that lays a picture so that what shows at the points will show at the cells.

    Refuses, and returns None, if they do not tell how the picture lies: three cells on one line.
    """
    grid = document.battlemap.grid
    centres = grid.centres_of(np.array(told.cells, np.intp)).tolist()
    # The matrix of a picture takes points (x, y, 1) of the map to its pixels.
    pixels = np.column_stack([told.points, np.ones(len(told.points))]) @ picture.matrix
    try:
        placement = placement_by_points(centres, pixels.tolist(), cell_words(grid.layout).cells)
    except ProblemError as refusal:
        document.refuse(f"Nothing is moved: {refusal.problems[0].message}.")
        return None
    moved_picture = picture._replace(placement=placement.values, placed=True)
    return set_picture(document.battlemap, moved_picture)
