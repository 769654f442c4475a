"""Steps between elevations: which cells have which rims, and on which cells shadows fall.

A rim lies on the sides of a cell beyond which the land is lower, so that cells of one elevation
make one plateau without lines in it; where a hexside lies it is drawn instead. A step of two or
three units has the pieces of lower ones, too: a drop of 2 is drawn as the rims of height 1 and 2.

``batches`` finds the cells of a scene that have steps; ``draw_rim`` and ``draw_shadow`` draw one
piece. Sides and corners are told by bit masks: bit ``n`` is side ``n``, clockwise. Lengths are map
units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import fill_together
from app.render.cell_geometry import neighbour_centres, side_ends
from app.render.cell_values.relief import SUN
from app.render.pictures.ground_phase import hash_cells
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.convex import Point, area, clip, hull
from app.render.scene.edges.drop_lines import KNOTS, Bends, Contour, End, Knot, contour
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.terrain.terrain import TerrainSet

HIGHEST_STEP = 3
"""Steps of more units than this are drawn like these."""

RIMS = (0.14, 0.22, 0.30)
"""The widths of rims, of the heights 1 to 3."""

SHADOWS = (0.26, 0.44, 0.60)
"""How far shadows fall, of steps of the heights 1 to 3."""

NESTED = 4
"""A soft edge is this many translucent shapes, one in the other."""

LIGHT = QColor(255, 251, 232)
"""The colour of rims that face the light."""

DARK = QColor(48, 30, 12)
"""The colour of rims that are turned from the light."""

SHADOW = QColor(26, 20, 30)
"""The colour of the shadow on the lower land."""

RIM_OPACITY = (0.46, 0.34, 0.28)
"""The opacity of rims at the contour, of the heights 1 to 3, where they face the light or are
turned from it. A high step has the rims of lower ones, too."""

SHADOW_OPACITY = (0.44, 0.26, 0.20)
"""The opacity of shadows at the foot of the step, of the heights 1 to 3. A high step has the
shadows of lower ones, too."""

FOOT = 0.07
"""How far the darkness at the foot of a step reaches, on all sides."""

FOOT_OPACITY = 0.10
"""The opacity of the darkness at the foot of a step."""

LINE = 0.03
"""The width of the line along a step."""

REACH = 0.22
"""How far rims may reach over the sides of the cell."""


def draw_rim(
    painter: QPainter,
    layout: Layout,
    bends: Bends,
    height: int,
    sides: int,
    drops: int,
    ends: int,
    variant: int,
) -> None:
    """Draw the rim of steps of ``height`` at ``sides`` (a bit mask) of the higher cell.

    ``drops`` are all sides at which the land drops. At the corners ``ends`` (a bit mask) a contour
    that leaves the cell turns round the lower neighbour; at others it goes straight on.
    """
    for side in _sides_of(layout, sides):
        first_end, last_end = _ends(layout, side, drops, ends)
        line = contour(layout, side, first_end, last_end, bends, variant)
        _draw_rim_of(painter, line, height, bends.strength)
        if height == 1:  # once: higher steps have the rims of lower ones, too
            _draw_outside(painter, layout, side, line, bends.strength)
            _draw_line(painter, line, bends.strength)


def rim_box(layout: Layout, sides: int, height: int) -> QRectF:
    """Return the box of what ``draw_rim`` draws."""
    box = QRectF()
    for side in _sides_of(layout, sides):
        (ax, ay), (bx, by) = side_ends(layout, side)
        in_x = (ay - by) * RIMS[height - 1]
        in_y = (bx - ax) * RIMS[height - 1]
        corners = ((ax, ay), (bx, by), (ax + in_x, ay + in_y), (bx + in_x, by + in_y))
        box = box.united(QPolygonF([QPointF(*corner) for corner in corners]).boundingRect())
    return box.adjusted(-REACH, -REACH, REACH, REACH)


def shadow_box(layout: Layout, height: int, neighbour_mask: int) -> QRectF:
    """Return the box of what ``draw_shadow`` draws."""
    box = _swept(layout, neighbour_mask, SHADOWS[height - 1]).boundingRect()
    if height == 1:
        box = box.united(_feet(layout, neighbour_mask, FOOT).boundingRect())
    return box


def _sides_of(layout: Layout, mask: int) -> Iterator[int]:
    """Yield the sides of a bit mask."""
    for side in range(layout.degree):
        if mask >> side & 1:
            yield side


def _ends(layout: Layout, side: int, drops: int, ends: int) -> tuple[End, End]:
    """Return how the contour of a side goes on beyond its first and its last corner.

    ``drops`` and ``ends`` are as in ``draw_rim``.
    """
    degree = layout.degree

    def end_at(corner: int, next_side: int) -> End:
        if drops >> next_side & 1:
            return End.AROUND
        if ends >> corner & 1:
            return End.AWAY
        return End.STRAIGHT

    # Corner ``n`` lies between the sides ``n - 1`` and ``n``.
    following = (side + 1) % degree
    return end_at(side, (side - 1) % degree), end_at(following, following)


def _draw_rim_of(painter: QPainter, line: Contour, height: int, strength: float) -> None:
    """Draw the soft band inside of a contour: light where it faces the sun, else dark.

    It is made of ``NESTED`` bands of growing width, so that it fades inwards.
    """
    opacity = RIM_OPACITY[height - 1] * strength
    for step in range(1, NESTED + 1):
        width = RIMS[height - 1] * (step / NESTED) ** 1.5
        quads = []
        for knot, next_knot in pairwise(line):
            facing = (knot.facing + next_knot.facing) / 2
            colour = DARK
            if facing > 0:
                colour = LIGHT
            share = 0.12 + 0.88 * abs(facing)
            ink = _ink(colour, opacity * share / NESTED * 1.6)
            quads.append((_strip(knot, next_knot, 0, -width), ink))
        fill_together(painter, quads)


def _draw_outside(
    painter: QPainter, layout: Layout, side: int, line: Contour, strength: float
) -> None:
    """Darken the cell outside its contour, at rounded corners, as the lower land.

    Each piece of the contour and its foot, the nearest piece of the straight side, make a
    quadrangle; where the contour runs along the side or outside of it there is nothing to darken.
    """
    (ax, ay) = layout.corners[side]
    (bx, by) = layout.corners[(side + 1) % layout.degree]
    length = math.hypot(bx - ax, by - ay)
    # The direction of the side.
    ex = (bx - ax) / length
    ey = (by - ay) / length

    feet = []
    distances = []
    for knot in line:
        along = min(max((knot.x - ax) * ex + (knot.y - ay) * ey, 0.0), length)
        foot = QPointF(ax + ex * along, ay + ey * along)
        feet.append(foot)
        distances.append((foot.x() - knot.x) * ey - (foot.y() - knot.y) * ex)
    # At its ends the contour is rounded, and the whole corner lies outside of it.
    feet[0] = QPointF(ax, ay)
    feet[-1] = QPointF(bx, by)

    quads = []
    for i in range(KNOTS - 1):
        if max(distances[i], distances[i + 1]) < 1e-3:
            continue
        facing = (line[i].facing + line[i + 1].facing) / 2
        ink = _ink(SHADOW, (0.16 + 0.34 * max(0.0, -facing)) * strength)
        quad = QPolygonF((line[i].offset(0), line[i + 1].offset(0), feet[i + 1], feet[i]))
        quads.append((quad, ink))
    fill_together(painter, quads)


def _draw_line(painter: QPainter, line: Contour, strength: float) -> None:
    """Draw the thin line along a contour: light where it faces the sun, else dark."""
    dark = []
    light = []
    for a, b in pairwise(line):
        facing = (a.facing + b.facing) / 2
        if facing > 0:  # a dark hair outside of the light one: else it would be lost on snow
            dark.append((_strip(a, b, LINE * 0.45, LINE * 1.15), _ink(DARK, 0.30 * strength)))
            ink = _ink(LIGHT, (0.25 + 0.6 * facing) * strength)
            light.append((_strip(a, b, -LINE / 2, LINE / 2), ink))
        else:
            ink = _ink(DARK, (0.35 - 0.45 * facing) * strength)
            dark.append((_strip(a, b, -LINE / 2, LINE / 2), ink))
    fill_together(painter, dark)
    fill_together(painter, light)


def _strip(a: Knot, b: Knot, inner: float, outer: float) -> QPolygonF:
    """Return what lies between two knots, from ``inner`` to ``outer`` outside of the contour."""
    return QPolygonF((a.offset(inner), b.offset(inner), b.offset(outer), a.offset(outer)))


def _ink(colour: QColor, opacity: float) -> QColor:
    ink = QColor(colour)
    ink.setAlphaF(opacity)
    return ink


def draw_shadow(
    painter: QPainter, layout: Layout, height: int, neighbour_mask: int, strength: float = 1.0
) -> None:
    """Draw the shadow of neighbours that are at least ``height`` higher on the lower cell.

    ``neighbour_mask`` are the sides where they lie; on squares the bits from 4 on are the corners.
    ``strength`` is that of ``Bends``.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    colour = QColor(SHADOW)
    colour.setAlphaF(SHADOW_OPACITY[height - 1] / NESTED * 1.2 * strength)
    for step in range(1, NESTED + 1):
        far = SHADOWS[height - 1] * step / NESTED
        painter.fillPath(_swept(layout, neighbour_mask, far), colour)
    if height == 1:
        colour.setAlphaF(FOOT_OPACITY * strength)
        for width in (FOOT / 2, FOOT):
            painter.fillPath(_feet(layout, neighbour_mask, width), colour)


def _swept(layout: Layout, neighbour_mask: int, far: float) -> QPainterPath:
    """Return what neighbours would cover of the cell, moved away from the sun by ``far``."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for bit in range(len(neighbour_centres(layout))):
        if neighbour_mask >> bit & 1:
            path.addPath(_swept_by(layout, bit, far))
    return path


@registered(bytes_each=500)
@lru_cache(1000)
def _swept_by(layout: Layout, bit: int, far: float) -> QPainterPath:
    """Return what one neighbour would cover."""
    dx = -SUN[0] * far
    dy = -SUN[1] * far
    cx, cy = neighbour_centres(layout)[bit]
    # What a convex shape sweeps over is the hull of where it starts and where it ends.
    corners = [(x + cx, y + cy) for x, y in layout.corners]
    moved_corners = [(x + dx, y + dy) for x, y in corners]
    return _union([hull(corners + moved_corners)], layout)


def _feet(layout: Layout, neighbour_mask: int, width: float) -> QPainterPath:
    """Return the strips of the cell, of this width, along its sides ``neighbour_mask``."""
    strips = []
    for side in _sides_of(layout, neighbour_mask):
        (ax, ay) = layout.corners[side]
        (bx, by) = layout.corners[(side + 1) % layout.degree]
        length = math.hypot(bx - ax, by - ay)
        nx = (ay - by) / length * width
        ny = (bx - ax) / length * width
        strips.append([(ax, ay), (bx, by), (bx + nx, by + ny), (ax + nx, ay + ny)])
    return _union(strips, layout)


def _union(polygons: Sequence[Sequence[Point]], layout: Layout) -> QPainterPath:
    """Return what of convex polygons, clockwise on the screen, lies in the cell."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for polygon in polygons:
        inside = clip(polygon, layout.corners)
        if len(inside) > 2 and area(inside) > 1e-6:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in inside]))
            path.closeSubpath()
    return path


BOARD_BENDS = Bends(rounding=0.03, turn=0.25, sway=0.0)
"""The shape of contours on boards: they nearly follow the edges of cells."""

LANDSCAPE_BENDS = Bends(rounding=0.2, turn=0.95, sway=0.05, strength=0.62)
"""The shape of contours in landscapes (``Style.landscape``)."""


def bends_of(pieces: Pieces) -> Bends:
    """Return the shape of contours in the style of a scene."""
    if pieces.style.landscape:
        return LANDSCAPE_BENDS
    return BOARD_BENDS


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the shadows at the feet of steps, then their rims."""
    if part.is_flat or not len(part.cells):
        return
    rises = part.rises
    if rises.any():
        yield from _shadows(pieces, rises)
        yield from _rims(pieces, part, rises)


def alone(pieces: Pieces, elevation: int) -> Iterator[Piece]:
    """Yield the steps of a cell all of whose neighbours have elevation 0."""
    layout = pieces.layout
    everywhere = (1 << pieces.layout.degree) - 1
    bends = bends_of(pieces)
    for height in range(1, min(abs(elevation), HIGHEST_STEP) + 1):
        if elevation > 0:
            rim = partial(
                draw_rim,
                layout=layout,
                bends=bends,
                height=height,
                sides=everywhere,
                drops=everywhere,
                ends=0,
                variant=0,
            )
            yield Piece(("rim alone", height), rim_box(layout, everywhere, height), rim)
        else:
            shadow = partial(
                draw_shadow,
                layout=layout,
                height=height,
                neighbour_mask=everywhere,
                strength=bends.strength,
            )
            yield Piece(("shadow alone", height), shadow_box(layout, height, everywhere), shadow)


def _shadows(pieces: Pieces, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """Yield the shadows on lower cells, a batch for each height.

    ``rises`` (sides and corners, n) tell by how much the neighbours are higher.
    """

    def make_piece(code: int) -> Piece:
        height = code >> 8
        neighbour_mask = code & 255
        box = shadow_box(pieces.layout, height, neighbour_mask)
        draw = partial(
            draw_shadow,
            layout=pieces.layout,
            height=height,
            neighbour_mask=neighbour_mask,
            strength=bends_of(pieces).strength,
        )
        return Piece(("step shadow", height, neighbour_mask), box, draw)

    # Bits of a code: the higher neighbours 0-7 (sides, of squares corners too), the height 8-9.
    for height in range(1, HIGHEST_STEP + 1):
        masks = bit_masks(rises >= height)
        (rows,) = masks.nonzero()
        if not len(rows):
            return
        numbers = pieces.numbers("step shadow", masks[rows] | height << 8, make_piece)
        yield Batch(numbers, rows, fine=pieces.fine)


class _RimKey(NamedTuple):
    """The look of the rim of a cell; as a number of 18 bits it is the key of its piece.

    Bits of hexes: variant 0-1, drops 4-9, sides 10-15, height 16-17. Bits of squares: ends 0-3,
    drops 4-7, sides 10-13, variant 14-15, height 16-17.
    """

    height: int
    sides: int
    """The sides with a rim, a bit mask."""
    drops: int
    """All sides at which the land drops, a bit mask."""
    ends: int
    """The corners at which a contour turns round the lower neighbour, a bit mask.

    All corners of hexes: only three cells meet there, and the contour always goes between two.
    """
    variant: int
    """Which of four ways contours sway, 0 to 3."""

    @classmethod
    def from_code(cls, code: int, degree: int) -> _RimKey:
        """Return the key that a number stands for."""
        all_sides = (1 << degree) - 1
        if degree == 4:
            ends = code & 15
            variant = code >> 14 & 3
        else:
            ends = all_sides
            variant = code & 3
        return cls(
            height=code >> 16,
            sides=code >> 10 & all_sides,
            drops=code >> 4 & all_sides,
            ends=ends,
            variant=variant,
        )


def _rims(pieces: Pieces, part: ScenePart, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """Yield the rims of ``part``, a batch for each height; ``rises`` are ``ScenePart.rises``."""
    degree = pieces.layout.degree
    bends = bends_of(pieces)
    side_rises = rises[:degree]
    corner_rises = rises[degree:]  # of squares; hexes have none
    drops = side_rises < 0
    if not drops.any():
        return

    def make_piece(code: int) -> Piece:
        key = _RimKey.from_code(code, degree)
        draw = partial(draw_rim, layout=pieces.layout, bends=bends, **key._asdict())
        return Piece(("step rim", code), rim_box(pieces.layout, key.sides, key.height), draw)

    # The codes without sides and height, as ``_RimKey`` says.
    covered, raised = _hexsides(part)
    codes = bit_masks(drops | raised) << 4
    if bends.sway:
        variant = hash_cells(part.cells, 2)
    else:
        variant = np.zeros(len(part.cells), np.intp)
    if degree == 4:
        codes |= bit_masks(corner_rises >= 0) | variant << 14
    else:
        codes |= variant

    for height in range(1, HIGHEST_STEP + 1):
        sides = bit_masks((side_rises <= -height) & ~covered)
        (rows,) = sides.nonzero()
        if len(rows):
            codes_of_height = (codes | sides << 10 | height << 16)[rows]
            numbers = pieces.numbers("step rim", codes_of_height, make_piece)
            yield Batch(numbers, rows, fine=pieces.fine)


def _hexsides(part: ScenePart) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which sides (degree, n) have a hexside, and which a raised one of the cell itself.

    A hexside belongs to one of the two cells at an edge; both draw no rim under it.
    """
    degree = part.grid.degree
    spec = part.system.hexside
    covered = np.zeros((degree, len(part.cells)), np.bool_)
    if spec is None or not part.overlays.hexsides or is_blank(part.composite.planes[spec.name]):
        return covered, covered
    codes = part.values(spec)
    raised = raised_codes(part.composite.terrain_set)[codes].T
    for side in range(degree):
        neighbours = part.neighbours(side)
        # Where there is no neighbour cell 0 stands in, and is not counted.
        codes_beyond = part.sides_at(spec, np.maximum(neighbours, 0), part.grid.opposite(side))
        covered[side] = (codes[:, side] > 0) | ((neighbours >= 0) & (codes_beyond > 0))
    return covered, raised


def raised_codes(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return whether each code of a hexside (0: none) lies between a higher and a lower cell."""
    return np.array([False, *(side.higher or bool(side.ground) for side in terrain_set.hexsides)])
