"""The tool that moves the picture under the map: a scan, say, whose hexes are to fit the grid.

The tool option ``PictureDrag`` says what the mouse does:

- ``MOVE`` and ``TURN``: a drag moves or turns the picture while the pointer moves
  (``PictureTool.edit``). The tool remembers the press of the drag, a ``_Grab``.
- ``CELLS``: the user clicks a cell of the map, then the point at which the picture shows this cell
  now, and so two more pairs. With the third point (``PictureTool.finish``) the picture is laid so
  that it shows each of the cells where it is on the map. The tool remembers the pairs in
  ``_ThreeCells``.

A *stroke* is what happens from the press of the button to its release. ``Tool`` (tool.py) tells
which methods are called in it, and explains all attributes and methods that are overridden here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from app.tools.options import PictureDrag
from app.tools.preview import Preview
from app.tools.tool import Tool
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

MIN_ARM = 0.2
"""The least distance from the middle of the picture at which it can be grabbed to turn it.

In map units: the angle of a shorter arm would jump with each pixel.
"""

NEEDED_CELLS: Final = 3
"""The number of cells by which a picture is laid: fewer leave its shape open."""

TEXTS = {
    PictureDrag.MOVE: "Move the picture",
    PictureDrag.TURN: "Turn the picture",
    PictureDrag.CELLS: "Place the picture by three {cells}",
}
"""The names of undo steps by what a drag does."""


class PictureTool(Tool):
    """Moves the picture, enlarges and turns it about its middle, or lays it by three cells."""

    name = "picture"
    title = "Picture"
    words = "background scan move align"
    icon = "picture"
    shortcut = "Shift+P"
    tip = (
        "Drag the picture that lies under the map. By three points: click a {cell}, then where it "
        "is in the picture, and so two more."
    )
    uses = frozenset({"picture"})  # the tool bar shows the choice of ``PictureDrag``
    changes_planes = False  # the picture is in no layer: a locked one does not stop the tool
    is_eyedropper_with_ctrl = False  # there is no terrain to pick up
    drags_between_cells = True  # Enter begins a stroke, and the next Enter ends it
    needs_exact_point = True  # a picture is moved by less than a cell
    finds_way_between = True  # only the two ends of a drag matter, not the cells on the way

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._grab: _Grab | None = None
        """The press of the stroke that moves or turns the picture; None in no such stroke."""
        self._touches = 0
        """The number of keys that ``touch_key`` has returned."""
        self._three_cells = _ThreeCells()
        """The cells and points that the user has clicked so far to lay the picture.

        They stay from stroke to stroke, until there are three or the map changes.
        """

    def suits(self, system: System) -> bool:
        """Return whether maps of a system can have a picture: else the tool is not offered."""
        return suits(system)

    def lacks(self, system: System) -> str:
        """Return "picture" if maps of a system can have none, "" if they can."""
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
    def _lays_by_cells(self) -> bool:
        """True if the user clicks cells and points, False if drags move or turn the picture."""
        return self.options.picture_drag == PictureDrag.CELLS

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the picture, or press a cell or its point."""
        picture = picture_of(document.battlemap.records)
        if self._lays_by_cells:
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
                factor=1.0, degrees=0.0, right=pointer.x - pressed.x, down=pointer.y - pressed.y
            )
        else:
            new_picture = _turned(old_picture, pressed, pointer)
        if new_picture is None:
            return None
        return set_picture(document.battlemap, new_picture._replace(placed=True))

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit]:
        """Note a cell or its point; with the third point yield the edit that lays the picture."""
        picture = picture_of(document.battlemap.records)
        if picture is None or not self._lays_by_cells:
            return
        three_cells = self._three_cells
        three_cells.release(pointer.cell, (pointer.x, pointer.y))
        if not three_cells.are_complete:
            return

        self._three_cells = _ThreeCells()
        edit = _lay_by_cells(document, picture, three_cells)
        if edit is not None:
            yield edit

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return the outline of the picture, or the cells clicked so far and what to click next."""
        why_not = self.why_not_here(document)
        picture = picture_of(document.battlemap.records)
        if picture is None or why_not:
            return Preview(note=why_not.removesuffix("."))
        if not self._lays_by_cells:
            corners = picture.outline[[0, 1, 2, 3, 0]].tolist()  # the first again closes the line
            return Preview(points=tuple((x, y) for x, y in corners))

        grid = document.battlemap.grid
        cells = self._three_cells.cells_with_pressed
        points = self._three_cells.points
        progress = f"({len(points) + 1} of {NEEDED_CELLS})"
        is_cell_next = len(cells) == len(points)
        if is_cell_next:
            note = cell_text("Click a {cell} " + progress, grid.layout)
            return Preview(np.unique([*cells, pointer.cell]), note=note)
        note = cell_text("Click where this {cell} is in the picture " + progress, grid.layout)
        line = (grid.centre(cells[-1]), (pointer.x, pointer.y))
        return Preview(np.unique(cells), points=line, note=note)

    def forget(self) -> None:
        """Drop the press of the stroke; the cells and points of earlier strokes stay."""
        self._grab = None
        self._three_cells.cancel_press()

    def map_changed(self) -> None:
        """Drop the cells clicked so far: the map is another one, or its picture lies elsewhere."""
        self._three_cells = _ThreeCells()


class _Grab(NamedTuple):
    """The press of a drag that moves or turns the picture."""

    pointer: Pointer
    """The pointer at the press."""

    picture: MapPicture
    """The picture at the press."""


class _ThreeCells:
    """The cells that the user clicks, each with the point at which the picture shows it now::

        click on a cell      cells: A        points:           the point of A is next
        click on a point     cells: A        points: P         a cell is next
        drag from B to Q     cells: A, B     points: P, Q      both at once; a cell is next

    A press counts only when the button is released, so that Escape takes it back.
    """

    def __init__(self) -> None:
        self.cells: list[int] = []
        """The cells, at most ``NEEDED_CELLS``."""
        self.points: list[tuple[float, float]] = []
        """The points of these cells, in map units: as many as cells, or one less if the point of
        the last cell is next."""
        self._pressed_cell: int | None = None
        """The cell that is pressed; None between presses, and while a point is pressed."""

    @property
    def are_complete(self) -> bool:
        """True if there are enough cells with their points to lay the picture."""
        return len(self.points) >= NEEDED_CELLS

    @property
    def cells_with_pressed(self) -> list[int]:
        """The cells, with the one that is pressed now."""
        if self._pressed_cell is None:
            return self.cells
        return [*self.cells, self._pressed_cell]

    def press(self, cell: int) -> None:
        """Press ``cell`` if a cell is next; if a point is next, only its release matters."""
        if len(self.cells) == len(self.points):
            self._pressed_cell = cell

    def release(self, cell: int, point: tuple[float, float]) -> None:
        """Note what was pressed; the button is released at ``point`` in ``cell``."""
        pressed_cell = self._pressed_cell
        self._pressed_cell = None
        if pressed_cell is None:
            # The point of the last cell was next: it is here.
            self.points.append(point)
        elif pressed_cell == cell:
            # A click on a cell: the next click is on its point.
            self.cells.append(cell)
        else:
            # A drag from a cell to its point.
            self.cells.append(pressed_cell)
            self.points.append(point)

    def cancel_press(self) -> None:
        """Forget the cell that is pressed."""
        self._pressed_cell = None


def _turned(picture: MapPicture, pressed: Pointer, pointer: Pointer) -> MapPicture | None:
    """Return a picture turned and scaled about its middle by a drag from one point to another.

    The point under ``pressed`` comes to lie under ``pointer``. None if one of them is nearer to the
    middle than ``MIN_ARM``.
    """
    old_arm = np.subtract((pressed.x, pressed.y), picture.middle)
    new_arm = np.subtract((pointer.x, pointer.y), picture.middle)
    old_length = math.hypot(*old_arm)
    new_length = math.hypot(*new_arm)
    if min(old_length, new_length) < MIN_ARM:
        return None
    angle = math.atan2(new_arm[1], new_arm[0]) - math.atan2(old_arm[1], old_arm[0])
    return picture.similar(new_length / old_length, math.degrees(angle))


def _lay_by_cells(
    document: MapDocument, picture: MapPicture, three_cells: _ThreeCells
) -> Edit | None:
    """Return the edit that lays a picture so that what shows at the points will show at the cells.

    If that is not possible, as with three cells on one line, tell the user why and return None.
    """
    grid = document.battlemap.grid
    centres = grid.centres_of(np.array(three_cells.cells, np.intp)).tolist()
    # The matrix of a picture takes points (x, y, 1) of the map to its pixels.
    points = np.array(three_cells.points)
    pixels = np.column_stack([points, np.ones(len(points))]) @ picture.matrix
    try:
        placement = placement_by_points(centres, pixels.tolist(), cell_words(grid.layout).cells)
    except ProblemError as refusal:
        document.refuse(f"Nothing is moved: {refusal.problems[0].message}.")
        return None
    moved_picture = picture._replace(placement=placement.values, placed=True)
    return set_picture(document.battlemap, moved_picture)
