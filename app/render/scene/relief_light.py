"""The light and shade of maps with elevations of cells, smooth between the centres of cells.

Each cell has a soft patch of light or shade, strongest at its centre, that fades out towards the
centres of its neighbours. Painters know no such gradient, so a patch is drawn in facets, of which
each fades in one direction: triangles of hexes, strips of squares. The patches of cells with equal
light add up to an even tone, which is that of the overview raster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPolygonF

from app.render.cell_geometry import neighbour_centres
from app.render.cell_values.relief import (
    LIGHT_COLOUR,
    LIGHT_OPACITY,
    SHADE_COLOUR,
    SHADE_OPACITY,
    relief,
)
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.convex import Point, clip
from app.render.scene.edges.map_edges import may_lie_at_map_edge
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout


class _Facet(NamedTuple):
    """A polygon whose light changes in one direction."""

    polygon: list[Point]
    """Its corners around the centre of the cell, in map units."""

    start: Point
    """Where the first of ``shares`` is, in map units."""

    end: Point
    """Where the last of ``shares`` is."""

    shares: list[float]
    """The shares of the patch's light, 0 to 1, in equal steps from ``start`` to ``end``."""


PATCH_REACH = 0.75
"""How far patches reach over the box of their cell, in map units; painters allow for it."""

LIGHTS = 32
"""The number of different lights, and of shades: the more, the more different patches there are."""

NEIGHBOUR_BITS = 8
"""The bits of a mask of neighbours: six of a hex; four of a square, and four across its corners."""

MAX_CENTRE_ERROR = 0.1
"""A neighbour farther than this from where it would lie (map units) is shown elsewhere."""

SLOPE_PIECES = 4
"""A patch fades out in this many pieces of even slope."""

STRIPS_PER_SIDE = 2 * SLOPE_PIECES
"""A patch of a square has this many strips above its centre, and as many below it."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the patches of all cells of a part that are lighter or darker than level land.

    The map has heights of cells: light on heights of corners is worked out pixel by pixel
    (``surface.light_and_water``).
    """
    light = relief(part.battlemap, part.composite, part.cells)  # from -1 to 1
    light_levels = np.rint(light * LIGHTS).astype(np.intp)
    rows = np.flatnonzero(light_levels)
    # The code of a patch: the level of light, from 0 (the darkest shade) on, and in its lowest bits
    # a mask of the neighbours that are missing.
    levels_from_darkest = light_levels[rows] + LIGHTS
    codes = (levels_from_darkest << NEIGHBOUR_BITS) | _missing(part, rows)
    yield Batch(pieces.numbers("relief", codes, partial(_patch, pieces.layout)), rows)


def _patch(layout: Layout, code: int) -> Piece:
    """Return the patch with a code that ``batches`` has made."""
    level_from_darkest, missing = divmod(code, 1 << NEIGHBOUR_BITS)
    light_level = level_from_darkest - LIGHTS
    if light_level > 0:
        colour = QColor(LIGHT_COLOUR)
        strongest = LIGHT_OPACITY
    else:
        colour = QColor(SHADE_COLOUR)
        strongest = SHADE_OPACITY
    opacity = abs(light_level) / LIGHTS * strongest
    draw = partial(_draw, layout=layout, colour=colour, opacity=opacity, missing=missing)
    return Piece(("relief", code), _box(layout), draw)


def _missing(part: ScenePart, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return bit masks (n,) of the neighbours of some cells that the map does not show.

    The bits are in the order of ``neighbour_centres``. ``rows`` (n,) are indices of the cells among
    those of the part.
    """
    masks = np.zeros(len(rows), np.intp)
    grid = part.grid
    cells = part.cells[rows]
    near = np.flatnonzero(may_lie_at_map_edge(grid, cells))
    if not len(near):
        return masks
    centres = grid.centres_of(cells[near])
    for bit, to_neighbour in enumerate(neighbour_centres(grid.layout)):
        neighbours = grid.cells_at(centres + to_neighbour)
        # Beyond the seam of a map that wraps there are cells, but they are shown elsewhere.
        gap = grid.centres_of(np.maximum(neighbours, 0)) - centres - to_neighbour
        is_missing = (neighbours < 0) | (np.abs(gap).max(axis=1) > MAX_CENTRE_ERROR)
        masks[near] |= is_missing.astype(np.intp) << bit
    return masks


def _box(layout: Layout) -> QRectF:
    """Return the box of a patch: it reaches to the centres of all neighbours."""
    centres = neighbour_centres(layout)
    half_width = max(x for x, _y in centres)
    half_height = max(y for _x, y in centres)
    return QRectF(-half_width, -half_height, 2 * half_width, 2 * half_height)


def _draw(painter: QPainter, layout: Layout, colour: QColor, opacity: float, missing: int) -> None:
    """Draw a patch in map units: a colour, in this ``opacity`` at the centre of the cell.

    Nothing is drawn over the neighbours in the bit mask ``missing``, which do not exist.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    if layout.degree == 4:
        facets = _strips()
    else:
        facets = _triangles(neighbour_centres(layout))
    if not missing:
        # Without smooth edges, which would show between the facets. Outer edges are not seen, since
        # the patch has faded out there.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        outlines = None
    else:
        outlines = _existing_outlines(layout, missing)
    for facet in facets:
        painter.setBrush(_gradient(facet, colour, opacity))
        if outlines is None:
            _draw_polygon(painter, facet.polygon)
            continue
        for outline in outlines:
            _draw_polygon(painter, clip(facet.polygon, outline))


def _existing_outlines(layout: Layout, missing: int) -> list[list[Point]]:
    """Return the outlines of a cell and of its neighbours that are not in a bit mask ``missing``.

    They lie around the centre of the cell.
    """
    outlines: list[list[Point]] = [list(layout.corners)]
    for bit, (centre_x, centre_y) in enumerate(neighbour_centres(layout)):
        is_missing = (missing >> bit) & 1
        if not is_missing:
            outlines.append([(x + centre_x, y + centre_y) for x, y in layout.corners])
    return outlines


def _gradient(facet: _Facet, colour: QColor, opacity: float) -> QLinearGradient:
    """Return the paint of a facet: a colour that fades from an opacity by ``facet.shares``."""
    gradient = QLinearGradient(QPointF(*facet.start), QPointF(*facet.end))
    for index, share in enumerate(facet.shares):
        shade = QColor(colour)
        # What is seen through two patches with shares that add up to 1 is (1 - opacity), the same
        # as through one: so equal patches make an even tone where they overlap.
        shade.setAlphaF(1 - (1 - opacity) ** share)
        gradient.setColorAt(index / (len(facet.shares) - 1), shade)
    return gradient


def _draw_polygon(painter: QPainter, polygon: list[Point]) -> None:
    """Draw a polygon; nothing if it has less than three corners, after it was clipped."""
    if len(polygon) > 2:
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in polygon]))


def _triangles(neighbours: Sequence[Point]) -> Iterator[_Facet]:
    """Yield the triangles between the centre of a hex and those of two neighbours.

    The light is full at the centre and 0 on the line between the two.
    """
    shares = [1 - stop / SLOPE_PIECES for stop in range(SLOPE_PIECES + 1)]
    for i, (ax, ay) in enumerate(neighbours):
        bx, by = neighbours[(i + 1) % len(neighbours)]
        middle = ((ax + bx) / 2, (ay + by) / 2)
        yield _Facet([(0.0, 0.0), (ax, ay), (bx, by)], (0.0, 0.0), middle, shares)


def _strips() -> Iterator[_Facet]:
    """Yield strips across a square that reach halfway into the squares on all sides of it.

    The light of a strip is a share of that of the middle one, by its distance from the middle.
    """
    stops = range(-SLOPE_PIECES, SLOPE_PIECES + 1)
    across = [1 - abs(stop) / SLOPE_PIECES for stop in stops]
    for row in range(-STRIPS_PER_SIDE, STRIPS_PER_SIDE):
        top = row / STRIPS_PER_SIDE
        bottom = (row + 1) / STRIPS_PER_SIDE
        share_of_strip = 1 - abs(top + bottom) / 2
        polygon = [(-1.0, top), (1.0, top), (1.0, bottom), (-1.0, bottom)]
        shares = [share_of_strip * share for share in across]
        yield _Facet(polygon, (-1.0, 0.0), (1.0, 0.0), shares)
