"""The light and shade of the relief, smooth between the centres of cells.

Each cell has a soft patch that fades out towards the centres of its neighbours. The patches of
cells with equal light add up to an even tone, which is that of the overview raster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

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
from app.render.scene.edges.map_edges import near_map_edge
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout

Part = tuple[list[Point], Point, Point, list[float]]
"""A polygon, where its light begins and ends, and the shares of the light on the way."""


REACH = 0.75
"""How far patches reach over the box of their cell, in map units."""

LIGHTS = 32
"""The number of different lights, and of shades."""

STOPS = 4
"""A patch fades out in this many pieces of even slope, and on squares in twice as many strips."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the patches of all cells that are not flat."""
    if not part.overlays.shows_relief(part.system) or part.system.corner_heights is not None:
        return  # light on heights of corners is worked out pixel by pixel
    light = relief(part.battlemap, part.composite, part.cells)
    steps = np.rint(light * LIGHTS).astype(np.intp) + LIGHTS
    rows = np.flatnonzero(steps != LIGHTS)
    codes = steps[rows] << 8 | _missing(part, rows)

    def make(code: int) -> Piece:
        step = (code >> 8) - LIGHTS
        colour = QColor(LIGHT_COLOUR if step > 0 else SHADE_COLOUR)
        strongest = LIGHT_OPACITY if step > 0 else SHADE_OPACITY
        draw = partial(
            _draw,
            layout=pieces.layout,
            colour=colour,
            opacity=abs(step) / LIGHTS * strongest,
            missing=code & 255,
        )
        return Piece(("relief", code), _box(pieces.layout), draw)

    yield Batch(pieces.numbers("relief", codes, make), rows)


def _missing(part: ScenePart, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Bit masks of the neighbours (as ``neighbour_centres``) that the map does not show."""
    result = np.zeros(len(rows), np.intp)
    grid = part.grid
    cells = part.cells[rows]
    near = np.flatnonzero(near_map_edge(grid, cells))
    if not len(near):
        return result
    centres = grid.centres_of(cells[near])
    for bit, away in enumerate(neighbour_centres(grid.layout)):
        others = grid.cells_at(centres + away)
        # Beyond the seam of a map that wraps there are cells, but they are shown elsewhere.
        apart = grid.centres_of(np.maximum(others, 0)) - centres - away
        result[near] |= ((others < 0) | (np.abs(apart).max(axis=1) > 0.1)).astype(np.intp) << bit
    return result


def _box(layout: Layout) -> QRectF:
    centres = neighbour_centres(layout)
    wide, high = (max(ends) for ends in zip(*centres, strict=True))
    return QRectF(-wide, -high, 2 * wide, 2 * high)


def _draw(painter: QPainter, layout: Layout, colour: QColor, opacity: float, missing: int) -> None:
    """Draw a patch; nothing of it on the neighbours ``missing`` (a bit mask)."""
    painter.setPen(Qt.PenStyle.NoPen)
    around = neighbour_centres(layout)
    windows = None
    if missing:
        shown = [at for bit, at in enumerate(around) if not missing >> bit & 1]
        windows = [[(x + cx, y + cy) for x, y in layout.corners] for cx, cy in ((0, 0), *shown)]
    if windows is None:  # smooth edges would show between the parts; the outer ones are invisible
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if layout.degree == 4:
        parts = _strips()
    else:
        parts = _triangles(around)
    for polygon, start, end, shares in parts:
        gradient = QLinearGradient(QPointF(*start), QPointF(*end))
        for place, share in enumerate(shares):
            shade = QColor(colour)
            # The patches of cells with equal light make an even tone where they overlap.
            shade.setAlphaF(1 - (1 - opacity) ** share)
            gradient.setColorAt(place / (len(shares) - 1), shade)
        painter.setBrush(gradient)
        for part in [polygon] if windows is None else [clip(polygon, window) for window in windows]:
            if len(part) > 2:
                painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in part]))


def _triangles(around: Sequence[Point]) -> Iterator[Part]:
    """Yield the triangles between the centre and two neighbours."""
    shares = [1 - stop / STOPS for stop in range(STOPS + 1)]
    for i, (ax, ay) in enumerate(around):
        bx, by = around[(i + 1) % len(around)]
        yield [(0.0, 0.0), (ax, ay), (bx, by)], (0.0, 0.0), ((ax + bx) / 2, (ay + by) / 2), shares


def _strips() -> Iterator[Part]:
    """Strips across a square and halfway into the squares at its left and right."""
    count = 2 * STOPS
    across = [1 - abs(stop) / STOPS for stop in range(-STOPS, STOPS + 1)]
    for row in range(-count, count):
        top = row / count
        bottom = (row + 1) / count
        share = 1 - abs(top + bottom) / 2
        strip = [(-1.0, top), (1.0, top), (1.0, bottom), (-1.0, bottom)]
        yield strip, (-1.0, 0.0), (1.0, 0.0), [share * each for each in across]
