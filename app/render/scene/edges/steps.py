"""Steps between elevations: which cells have which rims, and on which cells shadows fall.

A rim lies on the sides of a cell beyond which the land is lower, so that cells of one elevation
make one plateau without lines in it; where a hexside lies it is drawn instead. A step of two or
three units has the pieces of lower ones, too. Lengths are map units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

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
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.terrain.terrain import TerrainSet

HIGHEST_STEP = 3
"""Steps of more units than this are drawn like these."""

RIMS = (0.14, 0.22, 0.30)
"""How wide the rim of a step is, by its height."""

SHADOWS = (0.26, 0.44, 0.60)
"""How far the shadow of a step falls, by its height."""

NESTED = 4
"""A soft edge is this many translucent shapes, one in the other."""

LIGHT = QColor(255, 251, 232)
DARK = QColor(48, 30, 12)
SHADOW = QColor(26, 20, 30)

RIM_OPACITY = (0.46, 0.34, 0.28)
"""Of the rims at the contour, where they face the light or are turned from it, by the height."""

SHADOW_OPACITY = (0.44, 0.26, 0.20)
"""Of the shadow at the foot of the step, by the height: a high step has all that lower ones have.
"""

FOOT = 0.07
FOOT_OPACITY = 0.10
"""How far the darkness at the foot of a step reaches on all sides, and its opacity."""

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
    for side in range(layout.degree):
        if sides >> side & 1:
            line = contour(layout, side, *_ends(layout, side, drops, ends), bends, variant)
            _draw_rim_of(painter, line, height, bends.strength)
            if height == 1:
                _draw_outside(painter, layout, side, line, bends.strength)
                _draw_line(painter, line, bends.strength)


def rim_box(layout: Layout, sides: int, height: int) -> QRectF:
    """Return the box of what ``draw_rim`` draws."""
    box = QRectF()
    for side in range(layout.degree):
        if sides >> side & 1:
            (ax, ay), (bx, by) = side_ends(layout, side)
            in_x = (ay - by) * RIMS[height - 1]
            in_y = (bx - ax) * RIMS[height - 1]
            corners = ((ax, ay), (bx, by), (ax + in_x, ay + in_y), (bx + in_x, by + in_y))
            box = box.united(QPolygonF([QPointF(*corner) for corner in corners]).boundingRect())
    return box.adjusted(-REACH, -REACH, REACH, REACH)


def shadow_box(layout: Layout, height: int, around: int) -> QRectF:
    """Return the box of what ``draw_shadow`` draws."""
    box = _swept(layout, around, SHADOWS[height - 1]).boundingRect()
    return box.united(_feet(layout, around, FOOT).boundingRect() if height == 1 else box)


def _ends(layout: Layout, side: int, drops: int, ends: int) -> tuple[End, End]:
    """Return how the contour of a side goes on beyond its two corners."""
    degree = layout.degree
    result = []
    for corner, other in ((side, side - 1), ((side + 1) % degree, side + 1)):
        if drops >> other % degree & 1:
            result.append(End.AROUND)
        else:
            result.append(End.AWAY if ends >> corner & 1 else End.STRAIGHT)
    return result[0], result[1]


def _draw_rim_of(painter: QPainter, line: Contour, height: int, strength: float) -> None:
    opacity = RIM_OPACITY[height - 1] * strength
    for step in range(1, NESTED + 1):
        deep = RIMS[height - 1] * (step / NESTED) ** 1.5
        quads = []
        for a, b in pairwise(line):
            facing = (a.facing + b.facing) / 2
            colour = QColor(LIGHT if facing > 0 else DARK)
            colour.setAlphaF(opacity * (0.12 + 0.88 * abs(facing)) / NESTED * 1.6)
            quad = QPolygonF((a.offset(0), b.offset(0), b.offset(-deep), a.offset(-deep)))
            quads.append((quad, colour))
        fill_together(painter, quads)


def _draw_outside(
    painter: QPainter, layout: Layout, side: int, line: Contour, strength: float
) -> None:
    """Draw the cell outside its contour, at rounded corners, as the lower land."""
    (ax, ay) = layout.corners[side]
    (bx, by) = layout.corners[(side + 1) % layout.degree]
    length = math.hypot(bx - ax, by - ay)
    ex = (bx - ax) / length
    ey = (by - ay) / length
    outside = []
    for i in range(KNOTS - 1):
        knots = (line[i], line[i + 1])
        feet = []
        deep = 0.0
        for knot in knots:
            along = min(max((knot.x - ax) * ex + (knot.y - ay) * ey, 0.0), length)
            foot = QPointF(ax + ex * along, ay + ey * along)
            deep = max(deep, (foot.x() - knot.x) * ey - (foot.y() - knot.y) * ex)
            feet.append(foot)
        if i == 0:
            feet[0] = QPointF(ax, ay)
        elif i == KNOTS - 2:
            feet[1] = QPointF(bx, by)
        if deep < 1e-3:
            continue
        facing = (knots[0].facing + knots[1].facing) / 2
        colour = QColor(SHADOW)
        colour.setAlphaF((0.16 + 0.34 * max(0.0, -facing)) * strength)
        quad = QPolygonF((knots[0].offset(0), knots[1].offset(0), feet[1], feet[0]))
        outside.append((quad, colour))
    fill_together(painter, outside)


def _draw_line(painter: QPainter, line: Contour, strength: float) -> None:
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
    painter: QPainter, layout: Layout, height: int, around: int, strength: float = 1.0
) -> None:
    """Draw the shadow of neighbours that are at least ``height`` higher on the lower cell.

    ``around`` are the sides where they lie; on squares the bits from 4 on are the corners.
    ``strength`` is that of ``Bends``.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    colour = QColor(SHADOW)
    colour.setAlphaF(SHADOW_OPACITY[height - 1] / NESTED * 1.2 * strength)
    for step in range(1, NESTED + 1):
        far = SHADOWS[height - 1] * step / NESTED
        painter.fillPath(_swept(layout, around, far), colour)
    if height == 1:
        colour.setAlphaF(FOOT_OPACITY * strength)
        for width in (FOOT / 2, FOOT):
            painter.fillPath(_feet(layout, around, width), colour)


def _swept(layout: Layout, around: int, far: float) -> QPainterPath:
    """Return what neighbours would cover of the cell, moved away from the sun by ``far``."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for bit in range(len(neighbour_centres(layout))):
        if around >> bit & 1:
            path.addPath(_swept_by(layout, bit, far))
    return path


@registered(bytes_each=500)
@lru_cache(1000)
def _swept_by(layout: Layout, bit: int, far: float) -> QPainterPath:
    """Return what one neighbour would cover."""
    dx = -SUN[0] * far
    dy = -SUN[1] * far
    cx, cy = neighbour_centres(layout)[bit]
    corners = [(x + cx, y + cy) for x, y in layout.corners]
    return _union([hull([*corners, *((x + dx, y + dy) for x, y in corners)])], layout)


def _feet(layout: Layout, around: int, width: float) -> QPainterPath:
    """Strips of the cell along its sides ``around``."""
    parts = []
    for side in range(layout.degree):
        if around >> side & 1:
            (ax, ay) = layout.corners[side]
            (bx, by) = layout.corners[(side + 1) % layout.degree]
            length = math.hypot(bx - ax, by - ay)
            nx = (ay - by) / length * width
            ny = (bx - ax) / length * width
            parts.append([(ax, ay), (bx, by), (bx + nx, by + ny), (ax + nx, ay + ny)])
    return _union(parts, layout)


def _union(polygons: Sequence[Sequence[Point]], layout: Layout) -> QPainterPath:
    """Return what of convex polygons, clockwise on the screen, lies in the cell."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for polygon in polygons:
        part = clip(polygon, layout.corners)
        if len(part) > 2 and area(part) > 1e-6:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in part]))
            path.closeSubpath()
    return path


BOARD_BENDS = Bends(0.03, 0.25, 0.0)
LANDSCAPE_BENDS = Bends(0.2, 0.95, 0.05, 0.62)
"""How contours run, by ``Style.landscape``."""


def bends_of(pieces: Pieces) -> Bends:
    """Return how contours run in the style of a scene."""
    return LANDSCAPE_BENDS if pieces.style.landscape else BOARD_BENDS


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Shadows at the feet of steps, then their rims."""
    if part.flat or not len(part.cells):
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
                around=everywhere,
                strength=bends.strength,
            )
            yield Piece(("shadow alone", height), shadow_box(layout, height, everywhere), shadow)


def _bits(marks: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Bit masks (n,) of ``marks`` (bits, n)."""
    result = np.zeros(marks.shape[1], np.intp)
    for bit, row in enumerate(marks):
        result |= row.astype(np.intp) << bit
    return result


def _shadows(pieces: Pieces, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """``rises`` (sides and corners, n): by how much the neighbours are higher."""

    def make(code: int) -> Piece:
        height = code >> 8
        around = code & 255
        box = shadow_box(pieces.layout, height, around)
        draw = partial(
            draw_shadow,
            layout=pieces.layout,
            height=height,
            around=around,
            strength=bends_of(pieces).strength,
        )
        return Piece(("step shadow", height, around), box, draw)

    for height in range(1, HIGHEST_STEP + 1):
        masks = _bits(rises >= height)
        places = np.flatnonzero(masks)
        if not len(places):
            return
        numbers = pieces.numbers("step shadow", masks[places] | height << 8, make)
        yield Batch(numbers, places, fine=pieces.fine)


def _rims(pieces: Pieces, part: ScenePart, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """Yield the rims of ``part``, with ``ScenePart.rises``."""
    degree = pieces.layout.degree
    corners = rises[degree:]
    rises = rises[:degree]
    bends = bends_of(pieces)
    covered, raised = _hexsides(part)
    dropping = _bits((rises < 0) | raised)
    # The corners at which a contour that leaves the cell turns round the lower neighbour.
    if degree == 4:
        ends = _bits(corners >= 0)
    else:
        ends = np.zeros(len(part.cells), np.intp)
    if bends.sway:
        variant = hash_cells(part.cells, 2)
    else:
        variant = np.zeros(len(part.cells), np.intp)
    everywhere = (1 << degree) - 1

    def make(code: int) -> Piece:
        draw = partial(
            draw_rim,
            layout=pieces.layout,
            bends=bends,
            height=code >> 16,
            sides=code >> 10 & 63,
            drops=code >> 4 & 63,
            ends=code & 15 if degree == 4 else everywhere,
            variant=code & 3 if degree == 6 else code >> 14 & 3,
        )
        box = rim_box(pieces.layout, code >> 10 & (1 << degree) - 1, code >> 16)
        return Piece(("step rim", code), box, draw)

    # Bits of a code: the corners 0-3 (of squares) or the variant 0-1, drops 4-9, sides 10-15 (of
    # squares 10-13 and the variant), height 16-17.
    codes = dropping << 4 | (ends | variant << 14 if degree == 4 else variant)
    for height in range(1, HIGHEST_STEP + 1):
        sides = _bits((rises <= -height) & ~covered)
        places = np.flatnonzero(sides)
        if len(places):
            keys = (codes | sides << 10 | height << 16)[places]
            yield Batch(pieces.numbers("step rim", keys, make), places, fine=pieces.fine)


def _hexsides(part: ScenePart) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which sides (degree, n) have a hexside, and which a raised one of the cell itself."""
    degree = part.grid.degree
    spec = part.system.hexside
    covered = np.zeros((degree, len(part.cells)), np.bool_)
    if spec is None or not part.overlays.hexsides or is_blank(part.composite.planes[spec.name]):
        return covered, covered
    own = part.values(spec)
    raised = raised_codes(part.composite.terrain_set)[own].T
    for side in range(degree):
        others = part.neighbours(side)
        beyond = part.sides_at(spec, np.maximum(others, 0), part.grid.opposite(side))
        covered[side] = (own[:, side] > 0) | ((others >= 0) & (beyond > 0))
    return covered, raised


def raised_codes(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return whether each code of a hexside (0: none) lies between a higher and a lower cell."""
    return np.array([False, *(side.higher or bool(side.ground) for side in terrain_set.hexsides)])
