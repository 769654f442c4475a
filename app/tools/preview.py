"""The preview that a tool gives to the canvas: what a click, or the end of a drag, would change.

``Tool.preview`` returns a ``Preview``; ``app.canvas.preview_overlay`` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.pointer import NO_CELLS, CellSide
from randomizer.geometry.areas import Cells
from randomizer.geometry.distance import Point
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.tools.pointer import Reach


class Circle(NamedTuple):
    """The edge of a round brush, in map units."""

    x: float
    """How far its middle lies to the right."""

    y: float
    """How far its middle lies down."""

    radius: float
    """Its radius."""


@dataclass(frozen=True, eq=False)
class Preview:
    """The change that a click here, or the end of the drag, would make."""

    cells: Cells = field(default_factory=lambda: NO_CELLS)
    """The cells that would change, shape (n,): ascending, or in the order of a stamp."""

    terrains: NDArray[np.integer] | None = None
    """The terrain codes that ``cells`` would get, shape (n,); None if they keep theirs."""

    sides: tuple[tuple[CellSide, int | None], ...] = ()
    """The hexsides that would change, with the codes they would get (None: they keep theirs)."""

    corners: Cells = field(default_factory=lambda: NO_CELLS)
    """The flat indices of the corners that would change, shape (n,)."""

    circles: tuple[Circle, ...] = ()
    """The edges of round brushes."""

    lost: Cells = field(default_factory=lambda: NO_CELLS)
    """The cells that have a symmetric twin outside the map, shape (n,)."""

    left_out: Cells = field(default_factory=lambda: NO_CELLS)
    """The cells that would stay as they are since a locked layer sets them, shape (n,)."""

    left_out_sides: tuple[CellSide, ...] = ()
    """The hexsides that would stay as they are since a locked layer sets them."""

    left_out_corners: Cells = field(default_factory=lambda: NO_CELLS)
    """The flat indices of the corners that would stay, since a locked layer sets them, (n,)."""

    points: tuple[tuple[float, float], ...] = ()
    """The points (x, y) of a line that is being drawn, in map units."""

    lines: tuple[tuple[Point, Point], ...] = ()
    """Straight lines with dots at their ends, in map units."""

    caption: str = ""
    """The text that is written at the end of the last of ``lines``."""

    things: tuple[Thing, ...] = ()
    """The things that would be placed."""

    note: str = ""
    """A remark for the user, without a full stop; "" for none."""

    @classmethod
    def of(cls, reach: Reach, terrain: int | None = None) -> Preview:
        """Return the preview of cells that all get one terrain code; None: they keep theirs."""
        if terrain is None:
            terrains = None
        else:
            terrains = np.full(len(reach.cells), terrain)
        return cls(reach.cells, terrains, lost=reach.lost, note=reach.note)
