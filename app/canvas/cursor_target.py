"""What the keyboard cursor points at in its cell: the cell as a whole, or a part of it.

Comma and full stop go round the *targets* of a cell, for instance those of a hex with hexsides::

    whole cell -> side 0 -> side 1 -> ... -> side 5 -> whole cell

A tool may offer *stops* instead, points of its own such as the things that stand on the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System


class TargetKind(Enum):
    """A kind of place in a cell."""

    CELL = auto()
    """The cell as a whole."""

    SIDE = auto()
    """One of its sides, on which a hexside may lie."""

    CORNER = auto()
    """One of its corners, on maps that have heights there."""

    STOP = auto()
    """One of the points that the tool offers on the cell (``Tool.stops``)."""


@dataclass(frozen=True)
class CursorTarget:
    """A place in a cell."""

    kind: TargetKind
    """The kind of place."""

    number: int = 0
    """Which side, corner or stop it is, from 0; always 0 for the cell as a whole."""

    @property
    def side(self) -> int | None:
        """The number of the side; None for other places."""
        return self._number_of(TargetKind.SIDE)

    @property
    def corner(self) -> int | None:
        """The number of the corner; None for other places."""
        return self._number_of(TargetKind.CORNER)

    @property
    def stop(self) -> int | None:
        """The number of the stop; None for other places."""
        return self._number_of(TargetKind.STOP)

    def _number_of(self, kind: TargetKind) -> int | None:
        """Return the number if the place is of this kind, else None."""
        if self.kind is kind:
            return self.number
        return None

    def in_next_cell(self) -> CursorTarget:
        """Return what the cursor points at after a step to another cell.

        A corner stays chosen, so that one can shape land corner by corner.
        """
        if self.kind is TargetKind.CORNER:
            return self
        return WHOLE_CELL


WHOLE_CELL = CursorTarget(TargetKind.CELL)
"""The cell as a whole."""


def targets_of_cell(system: System, grid: Grid, stop_count: int) -> list[CursorTarget]:
    """Return the targets of a cell in the order in which they are gone through.

    With stops, of which the tool offers ``stop_count``, these are the only ones beside the cell.
    Otherwise there are the sides on maps with hexsides, and the corners on maps with heights there;
    a map with neither has sides.
    """
    targets = [WHOLE_CELL]
    if stop_count:
        targets += _numbered(TargetKind.STOP, stop_count)
        return targets
    has_corners = system.corner_heights is not None
    if system.hexside is not None or not has_corners:
        targets += _numbered(TargetKind.SIDE, grid.degree)
    if has_corners:
        targets += _numbered(TargetKind.CORNER, grid.degree)
    return targets


def _numbered(kind: TargetKind, count: int) -> list[CursorTarget]:
    """Return the targets of a kind with the numbers below ``count``."""
    return [CursorTarget(kind, number) for number in range(count)]
