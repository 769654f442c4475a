"""The tool that moves the picture under the map: a scan, say, whose hexes are to fit the grid.

A drag moves or turns the picture: ``PictureTool.edit`` does so while the pointer moves. With the
tool option *Place by three points* the user tells three times which cell is where in the picture:
``PictureTool.finish`` notes it when the button is released.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

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

    To lay it the user clicks a cell, then where this cell is in the picture as it lies now; or
    drags from the one to the other. After three cells the picture is laid so that they fit.
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
    paints = False
    picks = False
    spans = True
    exact = True
    sweeps = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._pressed: Pointer | None = None
        """The pointer at the beginning of the drag, None between drags."""
        self._picture_at_press: MapPicture | None = None
        """The picture at the beginning of the drag, None between drags."""
        self._touches = 0
        """The number of keys that ``touch_key`` has returned."""
        self._is_new_cell = True
        """True if the press of this drag told a cell, False if it tells where the last one is."""
        self._cells: list[int] = []
        """The cells that the user has told, at most ``NEEDED_CELLS``."""
        self._points: list[tuple[float, float]] = []
        """The points of the map at which the picture shows these cells, in map units.

        One is missing while the user is to tell where the last cell is.
        """

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
        """Grab the picture, or note the cell that is pressed.

        A press tells a cell if the last one has its point, else it tells the point of the last one.
        """
        self._pressed = pointer
        self._picture_at_press = picture_of(document.battlemap.records)
        self._is_new_cell = len(self._cells) == len(self._points)
        if self._asks_for_cells and self._is_new_cell:
            self._cells.append(pointer.cell)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a new key each time: the picture can be dragged back to where it was."""
        self._touches += 1
        return (self._touches,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Move the picture along with the pointer, or turn it after the pointer."""
        old_picture = self._picture_at_press
        pressed = self._pressed
        if old_picture is None or pressed is None or self._asks_for_cells:
            return None
        if (pointer.x, pointer.y) == (pressed.x, pressed.y):
            return set_picture(document.battlemap, old_picture)  # dragged back
        if self.options.picture_drag == PictureDrag.MOVE:
            by_x = pointer.x - pressed.x
            by_y = pointer.y - pressed.y
            new_picture: MapPicture | None = old_picture.similar(1, 0, by_x, by_y)
        else:
            new_picture = _turned(old_picture, pressed, pointer)
        if new_picture is None:
            return None
        return set_picture(document.battlemap, new_picture._replace(placed=True))

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Note where a cell is in the picture; with the third one yield the edit that lays it."""
        picture = self._picture_at_press
        pressed = self._pressed
        if picture is None or pressed is None or not self._asks_for_cells:
            return
        # A drag from a cell to its point tells both at once.
        was_dragged = pointer.cell != pressed.cell
        if was_dragged or not self._is_new_cell:
            self._points.append((pointer.x, pointer.y))
        if len(self._points) < NEEDED_CELLS:
            return

        cells = self._cells
        points = self._points
        self._cells = []
        self._points = []
        edit = _lay_by_cells(document, picture, cells, points)
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

        # The user tells cells and points in turn: first the cell with this number, then its point.
        number = len(self._points) + 1
        asks_for_cell = len(self._cells) < number
        if asks_for_cell:
            note = cell_text(f"Click a {{cell}} ({number} of 3)", grid.layout)
            return Preview(np.unique([*self._cells, pointer.cell]), note=note)
        note = cell_text(
            f"Click where this {{cell}} is in the picture ({number} of 3)", grid.layout
        )
        line = (grid.centre(self._cells[-1]), (pointer.x, pointer.y))
        return Preview(np.unique(self._cells), points=line, note=note)

    def forget(self) -> None:
        self._pressed = None
        self._picture_at_press = None

    def map_changed(self) -> None:
        """Drop the cells told so far: the map is another one, or its picture lies elsewhere."""
        self._cells = []
        self._points = []


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


def _lay_by_cells(
    document: MapDocument,
    picture: MapPicture,
    cells: list[int],
    points: list[tuple[float, float]],
) -> Edit | None:
    """Return the edit that lays a picture so that what shows at ``points`` now will show at cells.

    ``cells`` and ``points`` (in map units) belong together one by one. Refuses, and returns None,
    if they do not tell how the picture lies: three cells on one line.
    """
    grid = document.battlemap.grid
    centres = grid.centres_of(np.array(cells, np.intp)).tolist()
    # The matrix of a picture takes points (x, y, 1) of the map to its pixels.
    pixels = np.column_stack([points, np.ones(len(points))]) @ picture.matrix
    try:
        placement = placement_by_points(centres, pixels.tolist(), cell_words(grid.layout).cells)
    except ProblemError as refusal:
        document.refuse(f"Nothing is moved: {refusal.problems[0].message}.")
        return None
    moved_picture = picture._replace(placement=placement.values, placed=True)
    return set_picture(document.battlemap, moved_picture)
