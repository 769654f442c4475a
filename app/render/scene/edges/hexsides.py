"""Which pieces of hexsides lie on which cells, and how each joins what goes on at its two ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.cell_geometry import side_ends
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges.drop_lines import Bends, End, contour
from app.render.scene.edges.hexside_shapes import INWARDS, OUTWARDS, HexsideLine, draw_hexside
from app.render.scene.edges.steps import bends_of, raised_codes
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import PlaneSpec, is_blank

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]


BOX_MARGIN = 0.12
"""Room around the box of a hexside for rounded corners, in map units."""

FLAT_BENDS = Bends(0.05, 0.9, 0.0)
"""How hexsides run that lie on the edge itself, such as rivers."""


class _Ends(NamedTuple):
    """The lines (n,) that go on at one end of each of some sides: round the cell, straight on
    (on squares) and round the neighbour.
    """

    around: Mask
    straight: Mask
    away: Mask


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the hexsides of a part."""
    spec = part.system.hexside
    if spec is None or is_blank(part.composite.planes[spec.name]):
        return
    codes = part.values(spec)
    rows, sides = np.nonzero(codes)
    if not len(rows):
        return
    present_codes = codes[rows, sides].astype(np.intp)
    around = _Around(part, spec)
    raised = raised_codes(pieces.terrain_set)[present_codes]
    keys = present_codes << 3 | sides
    for end in (0, 1):
        turn, is_open = around.ends(part.cells[rows], sides, end, raised)
        keys = keys << 3 | turn << 1 | is_open

    def make(key: int) -> Piece:
        return _piece(pieces, key)

    yield Batch(pieces.numbers("hexside", keys, make), rows, fine=pieces.fine)


def hexside(pieces: Pieces, code: int, side: int) -> Piece:
    """Hexside ``code`` (from 1 on) on one side of a cell, joined to nothing."""
    return _piece(pieces, (code << 3 | side) << 6 | 0b001001)


def _piece(pieces: Pieces, key: int) -> Piece:
    code = key >> 9
    side = key >> 6 & 7
    kind = pieces.terrain_set.hexsides[code - 1]
    raised = bool(raised_codes(pieces.terrain_set)[code])
    bends = bends_of(pieces) if raised else FLAT_BENDS
    line = contour(pieces.layout, side, End(key >> 4 & 3), End(key >> 1 & 3), bends)
    shown = HexsideLine(line, bool(key >> 3 & 1), bool(key & 1))
    draw = partial(draw_hexside, hexside=kind, line=shown)
    return Piece(("hexside", key), hexside_box(pieces.layout, side), draw)


class _Around:
    """The surroundings of sides of cells."""

    def __init__(self, part: ScenePart, spec: PlaneSpec) -> None:
        self._part = part
        self._grid = part.grid
        self._spec = spec
        self._raised = raised_codes(part.composite.terrain_set)

    def ends(
        self, cells: Indices, sides: Indices, end: int, raised: Mask
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return how the hexsides at ``sides`` of ``cells`` (n,) go on at their start (0) or
        ``end`` (1).

        ``raised`` says of each whether it is. The values of ``End`` (n,), and 1 where no hexside
        goes on.
        """
        drops, ways = self._ways(cells, sides, end)
        result = np.where(raised, _drop_turns(drops), _turns(ways[False]))
        goes_on = np.where(raised, _any(ways[True]), _any(ways[False]))
        return result, (~goes_on).astype(np.intp)

    def _ways(self, cells: Indices, sides: Indices, end: int) -> tuple[_Ends, dict[bool, _Ends]]:
        """Return where the land drops beyond one end, and where raised and flat hexsides go on
        there.
        """
        degree = self._grid.degree
        turn = 1 if end else -1
        beside = self._across(cells, (sides + turn) % degree)
        opposite = self._across(cells, sides)
        # Each line that may go on is a side of a cell, with the cell beyond, the higher one first.
        around = (cells, (sides + turn) % degree, beside)
        if degree == 6:
            straight = None
            away = (beside, (sides - turn) % degree, opposite)
        else:
            diagonal = self._across(opposite, (sides + turn) % degree)
            straight = (beside, sides, diagonal)
            away = (diagonal, (sides - turn) % degree, opposite)
        lines = (around, straight, away)
        drops = _Ends(*(self._drops(line, len(cells)) for line in lines))
        on = {
            which: _Ends(*(self._lies_on(line, len(cells), which) for line in lines))
            for which in (True, False)
        }
        return drops, on

    def _across(self, cells: Indices, sides: Indices) -> Indices:
        """Return the neighbours of ``cells`` (n,) beyond ``sides`` (n,), -1 where there is none."""
        grid = self._grid
        steps = np.array(grid.layout.steps)
        inside = np.maximum(cells, 0)
        ys, xs = np.divmod(inside, grid.width)
        q, r = grid.axial(xs, ys)
        result = grid.cells_of_xy(*grid.offset(q + steps[sides, 0], r + steps[sides, 1]))
        return np.where(cells >= 0, result, -1)

    def _lies_on(
        self, line: tuple[Indices, Indices, Indices] | None, count: int, raised: bool
    ) -> Mask:
        """Return where a raised hexside of the first cell lies on a line, or a flat one of
        either.
        """
        if line is None:
            return np.zeros(count, np.bool_)
        cells, sides, others = line
        own = self._codes(cells, sides)
        if raised:
            return np.asarray(self._raised[own])
        far = (sides + self._grid.degree // 2) % self._grid.degree
        other = self._codes(others, far)
        return ((own > 0) & ~self._raised[own]) | ((other > 0) & ~self._raised[other])

    def _drops(self, line: tuple[Indices, Indices, Indices] | None, count: int) -> Mask:
        """Return where the land drops across a line, or a raised hexside says so."""
        result = self._lies_on(line, count, True)
        if line is None or self._part.is_flat:
            return result
        cells, _, others = line
        spec = self._part.system.elevation
        here, beyond = (self._part.values_at(spec, np.maximum(x, 0)) for x in (cells, others))
        return np.asarray(result | ((cells >= 0) & (others >= 0) & (here > beyond)))

    def _codes(self, cells: Indices, sides: Indices) -> NDArray[np.intp]:
        """Return the hexsides at ``sides`` of ``cells`` (n,), 0 where a cell is -1."""
        result = self._part.sides_at(self._spec, np.maximum(cells, 0), sides)
        return np.where(cells >= 0, result, 0).astype(np.intp)


def _any(ends: _Ends) -> Mask:
    return ends.around | ends.straight | ends.away


def _drop_turns(ends: _Ends) -> NDArray[np.intp]:
    """Return the values of ``End`` (n,) of drops: round the cell itself where there is a choice."""
    result = np.where(ends.away & ~ends.straight, int(End.AWAY), int(End.STRAIGHT))
    return np.where(ends.around, int(End.AROUND), result)


def _turns(ends: _Ends) -> NDArray[np.intp]:
    """Return the values of ``End`` (n,) of lines along edges: straight where more than two meet."""
    several = ends.around.astype(np.intp) + ends.straight + ends.away > 1
    return np.where(several, int(End.STRAIGHT), _drop_turns(ends))


def hexside_box(layout: Layout, side: int) -> QRectF:
    """Return the box of a hexside around the cell's centre."""
    (ax, ay), (bx, by) = side_ends(layout, side)
    out_x = by - ay
    out_y = ax - bx
    corners = [
        (x + out_x * far, y + out_y * far)
        for x, y in ((ax, ay), (bx, by))
        for far in (OUTWARDS, -INWARDS)
    ]
    xs, ys = zip(*corners, strict=True)
    box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return box.adjusted(-BOX_MARGIN, -BOX_MARGIN, BOX_MARGIN, BOX_MARGIN)
