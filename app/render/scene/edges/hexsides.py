"""Hexsides: the drawings on the sides of cells, such as walls and rivers, joined at their ends.

At each end of a side a hexside may go on along other sides that meet there: *around* its own cell,
*away* from it, or, on squares, *straight* on. Seen with the cell of the hexside ``====`` below it::

         on hexes                    on squares

               away                       away
              .                            |
    =========:                     ========+-------- straight
      cell    .                      cell  |
               around                    around

``_Neighbourhood`` finds which of them it takes, for all hexsides of a part of a map at once;
``batches`` makes one piece for each combination of a hexside, a side and two ends. What hexsides
look like is in ``hexside_shapes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPolygonF

from app.render.cell_geometry import side_ends
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges.hexside_line import INWARDS, OUTWARDS, HexsideLine
from app.render.scene.edges.side_curves import Bends, End, bends_of, side_curve
from app.render.scene.edges.steps import raised_codes
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import PlaneSpec, is_blank
from randomizer.model.terrain.terrain import Hexside

Indices = NDArray[np.intp]
"""The numbers of n cells or sides, (n,)."""

Mask = NDArray[np.bool_]
"""True or False for each of n hexsides, (n,)."""

BOX_MARGIN = 0.12
"""Room around the box of a hexside for rounded corners, in map units."""

EDGE_BENDS = Bends(corner_distance=0.05, smoothness=0.9, sway=0.0)
"""The shape of hexsides that lie on the edge itself, such as rivers."""

_SIDE_BITS = 3
"""The bits of the number of a side in a code: hexes have six."""

_END_BITS = 3
"""The bits of an end of a hexside in a code: two for the ``End``, one for whether it is open."""


class _Code(NamedTuple):
    """All that the drawing of a hexside depends on: six numbers, or six arrays (n,) for n hexsides.

    ``split`` returns one with numbers; ``batches`` makes one with arrays.

    ``joined`` makes one number of the six, so that numpy finds the different drawings among many
    hexsides. The wall (2) on side 4 that goes straight on (0) at its first corner, and away (2) and
    is open at its last one, is 0b10_100_000_101: hexside, side, start, end.
    """

    hexside: Any
    """The code of the hexside, from 1 on."""

    side: Any
    """The number of the side of its cell."""

    start: Any
    """The value of ``End`` at the first corner of the side."""

    is_open_at_start: Any
    """1 if no hexside goes on there, else 0."""

    end: Any
    """The value of ``End`` at the last corner of the side."""

    is_open_at_end: Any
    """1 if no hexside goes on at the last corner, else 0."""

    def joined(self) -> Any:
        """Return the code as one number, or one array."""
        start = (self.start << 1) | self.is_open_at_start
        end = (self.end << 1) | self.is_open_at_end
        number = (self.hexside << _SIDE_BITS) | self.side
        number = (number << _END_BITS) | start
        return (number << _END_BITS) | end

    @classmethod
    def split(cls, number: int) -> _Code:
        """Return the code of a number of ``joined``."""
        rest, end = divmod(number, 1 << _END_BITS)
        rest, start = divmod(rest, 1 << _END_BITS)
        code_of_hexside, side = divmod(rest, 1 << _SIDE_BITS)
        return cls(
            hexside=code_of_hexside,
            side=side,
            start=start >> 1,
            is_open_at_start=start & 1,
            end=end >> 1,
            is_open_at_end=end & 1,
        )


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the hexsides of a part in one batch."""
    spec = part.system.hexside
    if spec is None or is_blank(part.composite.planes[spec.name]):
        return
    hexsides = part.values(spec)
    rows, sides = np.nonzero(hexsides)
    if not len(rows):
        return
    codes = hexsides[rows, sides].astype(np.intp)
    neighbourhood = _Neighbourhood(part, spec)
    is_raised = raised_codes(pieces.terrain_set)[codes]
    cells = part.cells[rows]
    starts = neighbourhood.ends(cells, sides, is_raised, at_last_corner=False)
    ends = neighbourhood.ends(cells, sides, is_raised, at_last_corner=True)
    code = _Code(
        hexside=codes,
        side=sides,
        start=starts.turns,
        is_open_at_start=starts.is_open,
        end=ends.turns,
        is_open_at_end=ends.is_open,
    )
    make = partial(_piece, pieces)
    yield Batch(pieces.numbers("hexside", code.joined(), make), rows, fine=pieces.fine)


def single_piece(pieces: Pieces, kind_code: int, side: int) -> Piece:
    """Return the piece of a hexside on one side of a cell, joined to nothing.

    ``kind_code`` is a value of the plane of hexsides, from 1 on.
    """
    code = _Code(
        hexside=kind_code,
        side=side,
        start=End.STRAIGHT,
        is_open_at_start=1,
        end=End.STRAIGHT,
        is_open_at_end=1,
    )
    return _piece(pieces, code.joined())


def _piece(pieces: Pieces, number: int) -> Piece:
    """Return the piece of a joined ``_Code``."""
    code = _Code.split(number)
    kind = pieces.terrain_set.hexsides[code.hexside - 1]
    bends = EDGE_BENDS
    if raised_codes(pieces.terrain_set)[code.hexside]:
        bends = bends_of(pieces)
    draw = partial(_draw_on_curve, layout=pieces.layout, hexside=kind, code=code, bends=bends)
    return Piece(("hexside", number), hexside_box(pieces.layout, code.side), draw)


def _draw_on_curve(
    painter: QPainter, layout: Layout, hexside: Hexside, code: _Code, bends: Bends
) -> None:
    """Draw a hexside along its side.

    The sprites of the first paint come from a file. So the curve is made here, not with the piece,
    and the module of the shapes is imported here.
    """
    from app.render.scene.edges.hexside_shapes import draw_hexside

    line = HexsideLine(
        side_curve(layout, code.side, End(code.start), End(code.end), bends),
        open_start=bool(code.is_open_at_start),
        open_end=bool(code.is_open_at_end),
    )
    draw_hexside(painter, hexside, line)


class _NextSides(NamedTuple):
    """For each of n sides another one on which its line may go on: arrays of shape (n,)."""

    cells: Indices
    """The cells, -1 where there is none."""

    sides: Indices
    """The numbers of the sides of these cells."""

    beyond: Indices
    """The cells beyond the sides, -1 where there is none; of a step the lower ones."""


class _SidesAtCorner(NamedTuple):
    """The other sides that meet at one corner of each of n sides.

    Of each the ``cells`` are those that would lie on the high side if the line went on there.
    """

    around: _NextSides
    """The next side of the cell itself."""

    straight: _NextSides | None
    """The side opposite; None on hexes, where three cells meet at a corner."""

    away: _NextSides
    """The side of the neighbour."""


class _Continuations(NamedTuple):
    """Along which of ``_SidesAtCorner`` something goes on, for each of n sides: arrays (n,)."""

    around: Mask
    """True where it goes on round the cell itself, along its next side."""

    straight: Mask
    """True where it goes straight on; on hexes never."""

    away: Mask
    """True where it goes on round the neighbour."""

    def any(self) -> Mask:
        """Return where it goes on at all, shape (n,)."""
        return self.around | self.straight | self.away


class _Ends(NamedTuple):
    """The continuations of n hexsides at one of their corners."""

    turns: NDArray[np.intp]
    """Values of ``End``, (n,)."""

    is_open: NDArray[np.intp]
    """1 where no hexside goes on, else 0, (n,)."""


class _Neighbourhood:
    """Finds what goes on at the ends of hexsides of a part: other hexsides, and steps of the land.

    A raised hexside, such as a cliff, lies between a higher and a lower cell and belongs to the
    higher one. It goes on where the land drops, as the curves of steps do. A flat one, such as a
    river, lies on the edge, may be set on either of its cells, and goes on in flat ones only.
    """

    def __init__(self, part: ScenePart, spec: PlaneSpec) -> None:
        self._part = part
        self._grid = part.grid
        self._spec = spec
        """The plane of hexsides."""
        self._is_raised = raised_codes(part.composite.terrain_set)
        """True for the codes of raised hexsides, False for flat ones and for 0, none."""

    def ends(
        self, cells: Indices, sides: Indices, is_raised: Mask, *, at_last_corner: bool
    ) -> _Ends:
        """Return how the hexsides at ``sides`` of ``cells`` go on at one of their two corners.

        ``is_raised`` says which of them are raised; all arrays have the shape (n,).
        """
        sides_there = self._sides_at_corner(cells, sides, at_last_corner=at_last_corner)
        drops = _continuations(sides_there, self._drops)
        raised = _continuations(sides_there, self._has_raised)
        flat = _continuations(sides_there, self._has_flat)
        # A raised hexside turns to where the land drops, with or without a hexside there; only if
        # a raised one lies there is its end not open.
        turns = np.where(is_raised, _turns_of_drops(drops), _turns_of_flat(flat))
        goes_on = np.where(is_raised, raised.any(), flat.any())
        return _Ends(turns, is_open=(~goes_on).astype(np.intp))

    def _sides_at_corner(
        self, cells: Indices, sides: Indices, *, at_last_corner: bool
    ) -> _SidesAtCorner:
        """Return the sides that meet ``sides`` of ``cells`` (n,) at one of their corners.

        The cells at such a corner, seen with the cell of the side below it::

            on hexes                  on squares

              opposite                 opposite | diagonal
            ============.              =========+---------
               cell      : beside        cell   | beside
        """
        degree = self._grid.degree
        turn = -1
        if at_last_corner:
            turn = 1
        beside = self._across(cells, (sides + turn) % degree)
        opposite = self._across(cells, sides)
        around = _NextSides(cells, (sides + turn) % degree, beside)
        if degree == 6:  # three cells meet at a corner
            away = _NextSides(beside, (sides - turn) % degree, opposite)
            return _SidesAtCorner(around, straight=None, away=away)
        diagonal = self._across(opposite, (sides + turn) % degree)
        straight = _NextSides(beside, sides, diagonal)
        away = _NextSides(diagonal, (sides - turn) % degree, opposite)
        return _SidesAtCorner(around, straight, away)

    def _across(self, cells: Indices, sides: Indices) -> Indices:
        """Return the neighbours of ``cells`` (n,) beyond ``sides`` (n,), -1 where there is none."""
        grid = self._grid
        steps = np.array(grid.layout.steps)
        existing = np.maximum(cells, 0)  # the result of the others is replaced by -1
        ys, xs = np.divmod(existing, grid.width)
        q, r = grid.axial(xs, ys)
        neighbours = grid.cells_of_xy(*grid.offset(q + steps[sides, 0], r + steps[sides, 1]))
        return np.where(cells >= 0, neighbours, -1)

    def _drops(self, next_sides: _NextSides) -> Mask:
        """Return where the land drops across these sides, or a raised hexside says so, (n,)."""
        has_raised = self._has_raised(next_sides)
        if self._part.is_flat:  # a map without elevations
            return has_raised
        spec = self._part.system.elevation
        height = self._part.values_at(spec, np.maximum(next_sides.cells, 0))
        height_beyond = self._part.values_at(spec, np.maximum(next_sides.beyond, 0))
        exists = (next_sides.cells >= 0) & (next_sides.beyond >= 0)
        return np.asarray(has_raised | (exists & (height > height_beyond)))

    def _has_raised(self, next_sides: _NextSides) -> Mask:
        """Return where a raised hexside of the first cell lies on these sides, (n,)."""
        return np.asarray(self._is_raised[self._codes(next_sides.cells, next_sides.sides)])

    def _has_flat(self, next_sides: _NextSides) -> Mask:
        """Return where a flat hexside of either cell lies on these sides, (n,)."""
        degree = self._grid.degree
        code = self._codes(next_sides.cells, next_sides.sides)
        code_beyond = self._codes(next_sides.beyond, (next_sides.sides + degree // 2) % degree)
        is_flat = (code > 0) & ~self._is_raised[code]
        return is_flat | ((code_beyond > 0) & ~self._is_raised[code_beyond])

    def _codes(self, cells: Indices, sides: Indices) -> NDArray[np.intp]:
        """Return the codes of the hexsides at ``sides`` of ``cells`` (n,), 0 where a cell is -1."""
        codes = self._part.sides_at(self._spec, np.maximum(cells, 0), sides)
        return np.where(cells >= 0, codes, 0).astype(np.intp)


def _continuations(
    sides_there: _SidesAtCorner, goes_on: Callable[[_NextSides], Mask]
) -> _Continuations:
    """Return along which of these sides something goes on; ``goes_on`` tells it of one of them."""
    around = goes_on(sides_there.around)
    straight = np.zeros(len(around), np.bool_)
    if sides_there.straight is not None:
        straight = goes_on(sides_there.straight)
    return _Continuations(around, straight, goes_on(sides_there.away))


def _turns_of_drops(drops: _Continuations) -> NDArray[np.intp]:
    """Return the values of ``End`` (n,) of drops: round the cell itself where there is a choice."""
    turns = np.where(drops.away & ~drops.straight, int(End.AWAY), int(End.STRAIGHT))
    return np.where(drops.around, int(End.AROUND), turns)


def _turns_of_flat(lines: _Continuations) -> NDArray[np.intp]:
    """Return the values of ``End`` (n,) of lines along edges: straight where more than two meet."""
    further_lines = lines.around.astype(np.intp) + lines.straight + lines.away
    return np.where(further_lines > 1, int(End.STRAIGHT), _turns_of_drops(lines))


def hexside_box(layout: Layout, side: int) -> QRectF:
    """Return the box of a hexside around the cell's centre."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    # As long as the side, and at a right angle to it.
    out = QPointF(by - ay, ax - bx)
    corners = []
    for end in (QPointF(ax, ay), QPointF(bx, by)):
        corners.append(end + out * OUTWARDS)
        corners.append(end - out * INWARDS)
    box = QPolygonF(corners).boundingRect()
    return box.adjusted(-BOX_MARGIN, -BOX_MARGIN, BOX_MARGIN, BOX_MARGIN)
