"""The tool that lays the picture below the grid where it belongs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.tools.tool import Preview, Tool
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.cell_words import cell_text, cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import MapPicture, picture_of, set_picture, suits
from randomizer.model.problems import ProblemError
from randomizer.model.system.system import System
from randomizer.tracing.placement import placement_by

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer

NO_PICTURE = "The map has no picture: Map > Picture under the map... lays one."
LOCKED = "The picture is locked: the panel Picture unlocks it."

LEAST_ARM = 0.2
"""So near its middle, in map units, the picture cannot be grabbed to turn it."""

TEXTS = {
    "move": "Move the picture",
    "turn": "Turn the picture",
    "cells": "Place the picture by three {cells}",
}
"""The names of undo steps by what a drag does."""


class PictureTool(Tool):
    """Moves the picture, enlarges and turns it about its middle, or lays it by three cells.

    For each of these one click tells the cell, the next where it is in the picture; or one drag
    does both.
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
        self._before: MapPicture | None = None
        self._touches = 0
        self._adds = True
        self._cells: list[int] = []
        self._places: list[tuple[float, float]] = []  # of these cells in the picture, as it lies

    def suits(self, system: System) -> bool:
        return suits(system)

    def lacks(self, system: System) -> str:
        return "" if self.suits(system) else "picture"

    def why_not_here(self, document: MapDocument) -> str:
        picture = picture_of(document.battlemap.records)
        if picture is None:
            return NO_PICTURE
        return LOCKED if picture.locked else ""

    def step_text(self) -> str:
        return TEXTS[self.options.picture_drag]

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Grab the picture, or take the cell here."""
        self._pressed = pointer
        self._before = picture_of(document.battlemap.records)
        self._adds = len(self._cells) == len(self._places)
        if self.options.picture_drag == "cells" and self._adds:
            self._cells.append(pointer.cell)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return a new key each time: the picture can be dragged back to where it was."""
        self._touches += 1
        return (self._touches,)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Move the picture along with the pointer, or turn it after the pointer."""
        old_picture = self._before
        pressed = self._pressed
        if old_picture is None or pressed is None or self.options.picture_drag == "cells":
            return None
        if (pointer.x, pointer.y) == (pressed.x, pressed.y):
            return set_picture(document.battlemap, old_picture)  # dragged back
        if self.options.picture_drag == "move":
            moved = old_picture.similar(1, 0, pointer.x - pressed.x, pointer.y - pressed.y)
        else:
            arm, to = (np.subtract((at.x, at.y), old_picture.middle) for at in (pressed, pointer))
            if min(math.hypot(*arm), math.hypot(*to)) < LEAST_ARM:
                return None
            angle = math.atan2(to[1], to[0]) - math.atan2(arm[1], arm[0])
            moved = old_picture.similar(math.hypot(*to) / math.hypot(*arm), math.degrees(angle))
        return set_picture(document.battlemap, moved._replace(placed=True))

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Lay the picture by three cells, once it is known where each of them is in it."""
        old_picture = self._before
        pressed = self._pressed
        if old_picture is None or pressed is None or self.options.picture_drag != "cells":
            return
        if not self._adds or pointer.cell != pressed.cell:
            self._places.append((pointer.x, pointer.y))
        if len(self._places) < 3:
            return
        cells = self._cells
        placements = self._places
        self._cells = []
        self._places = []
        grid = document.battlemap.grid
        points = grid.centres_of(np.array(cells, np.intp)).tolist()
        pixels = np.column_stack([placements, np.ones(3)]) @ old_picture.matrix
        try:
            placement = placement_by(points, pixels.tolist(), cell_words(grid.layout).cells)
        except ProblemError as refusal:
            document.refuse(f"Nothing is moved: {refusal.problems[0].message}.")
            return
        picture = old_picture._replace(placement=placement.values, placed=True)
        yield set_picture(document.battlemap, picture)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        why_not = self.why_not_here(document)
        picture = picture_of(document.battlemap.records)
        if picture is None or why_not:
            return Preview(note=why_not.removesuffix("."))
        if self.options.picture_drag != "cells":
            corners = picture.outline[[0, 1, 2, 3, 0]].tolist()
            return Preview(points=tuple((x, y) for x, y in corners))
        grid = document.battlemap.grid
        number = len(self._places) + 1
        if len(self._cells) < number:
            note = cell_text(f"Click a {{cell}} ({number} of 3)", grid.layout)
            return Preview(np.unique([*self._cells, pointer.cell]), note=note)
        note = cell_text(
            f"Click where this {{cell}} is in the picture ({number} of 3)", grid.layout
        )
        line = grid.centre(self._cells[-1]), (pointer.x, pointer.y)
        return Preview(np.unique(self._cells), points=line, note=note)

    def forget(self) -> None:
        self._pressed = self._before = None

    def map_changed(self) -> None:
        """The cells that were clicked are another map's, or the picture lies elsewhere."""
        self._cells = []
        self._places = []
