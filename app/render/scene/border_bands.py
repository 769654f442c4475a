"""Bands along the borders of areas of cells, within them: regions, locked areas.

Each cell draws the bands at those of its sides where its area ends. A band is a strip that is
slanted at a corner where another band of the cell goes on, and else ends at the adjacent side,
where the band of the neighbour begins::

      +---------------+      At the upper and the right side the area ends: their bands join at the
      |             / |      corner between them. The upper band ends at the left side, where that
      +------------   |      of the neighbour begins, as the right one does at the lower side.
                  |   |
                  |   |
                  +---+
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.render.cell_geometry import apothem
from app.render.piece import Piece, PiecePlaces
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout


class Areas(NamedTuple):
    """The areas of a map, such as its regions, of which bands are drawn."""

    codes: NDArray[np.uint8] | NDArray[np.uint16]
    """The number of the area of each cell of the map, shape (size,): neighbours of one number are
    in one area."""

    colours: Mapping[int, str]
    """The colours of the areas with bands, by their numbers."""


def border_bands(
    pieces: Pieces, part: ScenePart, areas: Areas, rows: NDArray[np.intp], width: float
) -> Iterator[PiecePlaces]:
    """Yield the bands within the borders of areas, each with the rows of its cells.

    Rows are indices of cells in ``part``. Only ``rows`` (n,) get bands; their areas have colours.
    ``width`` is in map units.
    """
    codes_of_part = areas.codes[part.cells]
    degree = pieces.layout.degree
    ends = _is_border(part, areas.codes)[:, rows]
    for side in range(degree):
        at_border = np.flatnonzero(ends[side])
        rows_at_border = rows[at_border]
        joins_before = ends[side - 1][at_border]
        joins_after = ends[(side + 1) % degree][at_border]
        # All bands of one area with the same joins are one piece.
        codes = codes_of_part[rows_at_border].astype(np.intp)
        keys = _keys_of(codes, joins_before, joins_after)
        for key, indices in places_by_value(keys):
            code, joins = _parts_of_key(key)
            band = _band(pieces.layout, side, joins, areas.colours[code], width)
            yield band, rows_at_border[indices]


def _is_border(part: ScenePart, codes: NDArray[np.uint8] | NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Return at which sides of the cells of a part their areas end, (degree, n).

    ``codes`` are as in ``Areas``.
    """
    codes_of_part = codes[part.cells]
    ends_at_sides = []
    for side in range(part.grid.degree):
        beyond = part.neighbour_cells[side]
        is_other = codes[np.maximum(beyond, 0)] != codes_of_part
        ends_at_sides.append((beyond < 0) | is_other)
    return np.stack(ends_at_sides)


class _Joins(NamedTuple):
    """The other sides of its cell along which a band goes on."""

    previous_side: bool
    """True if it goes on along the side before its own."""

    next_side: bool
    """True if it goes on along the side after its own."""


def _keys_of(
    codes: NDArray[np.intp], joins_before: NDArray[np.bool_], joins_after: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return one number (n,) for the area and the joins of each band: 0b10_1_1 for area 2."""
    return (codes << 2) + 2 * joins_before + joins_after


def _parts_of_key(key: int) -> tuple[int, _Joins]:
    """Return the area and the joins of a key of ``_keys_of``."""
    joins = _Joins(previous_side=bool(key & 0b10), next_side=bool(key & 0b01))
    return key >> 2, joins


def _band(layout: Layout, side: int, joins: _Joins, colour: str, width: float) -> Piece:
    """Return the band along a side of a cell.

    Where it does not go on (``joins``) it ends at the adjacent side, as in the picture of this
    module.
    """
    corners = layout.corners
    degree = layout.degree
    first = corners[side]
    last = corners[(side + 1) % degree]
    inner_last = _inner_corner(
        layout, last, corners[(side + 2) % degree], is_joined=joins.next_side, width=width
    )
    inner_first = _inner_corner(
        layout, first, corners[side - 1], is_joined=joins.previous_side, width=width
    )
    polygon = QPolygonF([QPointF(*corner) for corner in (first, last, inner_last, inner_first)])

    def draw(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawConvexPolygon(polygon)

    key = ("border band", side, tuple(joins), colour, round(width, 4))
    return Piece(key, polygon.boundingRect(), draw, draft=QColor(colour))


def _inner_corner(
    layout: Layout,
    corner: tuple[float, float],
    beyond: tuple[float, float],
    *,
    is_joined: bool,
    width: float,
) -> tuple[float, float]:
    """Return the inner corner of a band at a corner of its cell.

    ``beyond`` is the other end of the adjacent side.
    """
    x, y = corner
    if is_joined:
        # On the way to the centre: there the inner edges of both bands meet.
        share = width / apothem(layout)
        return x * (1 - share), y * (1 - share)
    # On the adjacent side, where the distance from the band's own side is its width.
    length = math.hypot(beyond[0] - x, beyond[1] - y)
    share = width / math.sin(2 * math.pi / layout.degree) / length
    return x + (beyond[0] - x) * share, y + (beyond[1] - y) * share
