"""Regions: a light tint, a band along the border within the region, and the name in its middle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.render.cell_geometry import apothem
from app.render.piece import Piece
from app.render.scene.batch import Batch, TextBatch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.shades import tile
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.scene.things.thing_labels import Names, shifted_inward
from app.render.theme import Theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, codes_of, regions_of
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank

TINT = 0.16
"""The opacity of a region's colour over its cells."""

BAND = 0.13
BAND_PIXELS = 2.0
"""The least width of the band along a border, in map units and in pixels."""

LEAST_NAME = 8.0
MOST_NAME = 34.0
"""Names of regions have at least so many logical pixels, or are left out, and at most so many."""

NAME_SHARE = 0.22
"""The type size of a name as a share of the root of the region's cells, in map units."""

LETTER = 0.62
"""The width of a letter as a share of its size."""


def has_regions(battlemap: BattleMap, composite: Composite) -> bool:
    """Return whether any cell of a map may be in a region."""
    spec = battlemap.system.regions
    return spec is not None and not is_blank(composite.planes[spec.name])


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the tint of cells in regions, and the bands at the borders."""
    if not part.overlays.regions or not has_regions(part.battlemap, part.composite):
        return
    regions = regions_of(part.battlemap.records)
    valid = np.zeros(NO_REGION + 1, np.bool_)
    valid[[code for code, region in enumerate(regions) if region]] = True
    codes = codes_of(part.battlemap, part.composite)
    codes_of_part = codes[part.cells]
    inside = np.flatnonzero(valid[codes_of_part])
    if not len(inside):
        return
    colours = {code: region.colour for code, region in enumerate(regions) if region}
    tints = []
    for code, indices in places_by_value(codes_of_part[inside].astype(np.intp)):
        tint = QColor(colours[code])
        tint.setAlphaF(TINT)
        tints.append((tile(pieces.layout, tint), inside[indices]))
    width = min(0.4, max(BAND, BAND_PIXELS * pieces.pixel))
    batch = pieces.batch([*tints, *border_bands(pieces, part, codes, inside, colours, width)])
    if batch is not None:
        yield batch


def border_bands(
    pieces: Pieces,
    part: ScenePart,
    codes: NDArray[np.uint8] | NDArray[np.uint16],
    inside: NDArray[np.intp],
    colours: Mapping[int, str],
    width: float,
) -> Iterator[tuple[Piece, NDArray[np.intp]]]:
    """Yield the bands within the borders of areas of one code, with the rows of their cells.

    Rows are indices of cells in ``part``. ``codes`` (cells,) are those of all cells of the map;
    only the rows ``inside`` (n,) get bands, in the ``colours`` of their codes. ``width`` is in map
    units.
    """
    codes_of_part = codes[part.cells]
    degree = pieces.layout.degree
    ends = np.stack([_ends(part, codes, codes_of_part, side) for side in range(degree)])[:, inside]
    for side in range(degree):
        at_border = np.flatnonzero(ends[side])
        rows = inside[at_border]
        # The key of a band: the code of its area, and whether bands go on along the side before it
        # (bit 1) and the one after it (bit 0).
        joins_before = ends[side - 1][at_border]
        joins_after = ends[(side + 1) % degree][at_border]
        keys = codes_of_part[rows].astype(np.intp) * 4 + 2 * joins_before + joins_after
        for key, indices in places_by_value(keys):
            colour = colours[key // 4]
            joins = (bool(key & 2), bool(key & 1))
            yield _band(pieces.layout, side, joins, colour, width), rows[indices]


def _ends(
    part: ScenePart,
    codes: NDArray[np.uint8] | NDArray[np.uint16],
    codes_of_part: NDArray[np.uint8] | NDArray[np.uint16],
    side: int,
) -> NDArray[np.bool_]:
    """Return whether the region of each cell of a part (n,) ends at a side."""
    beyond = part.neighbours(side)
    return np.asarray((beyond < 0) | (codes[np.maximum(beyond, 0)] != codes_of_part))


def _band(layout: Layout, side: int, joins: tuple[bool, bool], colour: str, width: float) -> Piece:
    """Return the band along a side of a cell.

    ``joins`` says whether a band goes on along the side before, and along the next one. Where none
    does, it ends at that side, where the band of the cell beyond it begins.
    """
    corners = layout.corners
    degree = layout.degree
    first = corners[side]
    last = corners[(side + 1) % degree]
    inner = [
        _inner(layout, last, corners[(side + 2) % degree], joins[1], width),
        _inner(layout, first, corners[side - 1], joins[0], width),
    ]
    polygon = QPolygonF([QPointF(*corner) for corner in (first, last, *inner)])

    def draw(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawConvexPolygon(polygon)

    key = ("region", side, joins, colour, round(width, 4))
    return Piece(key, polygon.boundingRect(), draw, draft=QColor(colour))


def _inner(
    layout: Layout,
    corner: tuple[float, float],
    beyond: tuple[float, float],
    joined: bool,
    width: float,
) -> tuple[float, float]:
    """Return the inner point of a band at a corner; ``beyond`` is the other end of the adjacent
    side.
    """
    (x, y) = corner
    share = width / apothem(layout)
    if joined:
        return x * (1 - share), y * (1 - share)
    length = math.hypot(beyond[0] - x, beyond[1] - y)
    share = width / math.sin(2 * math.pi / layout.degree) / length
    return x + (beyond[0] - x) * share, y + (beyond[1] - y) * share


SPOTS = 12
"""So many cells of a region, from its middle to half its size, are tried for its name."""

INK = 170
"""Names have the colours of their regions, darker by this (``QColor.darker``)."""


class PlacedName(NamedTuple):
    """The name of a region at one scale, in map units: its middle (2,), the type size, and half of
    its extent (2,)."""

    text: str
    point: NDArray[np.float64]
    size: float
    half: NDArray[np.float64]
    colour: str


class RegionNames(NamedTuple):
    """The names of regions: where each can stand (n, SPOTS, 2), the best first, and ``sizes`` (n,).

    Both are in map units. ``grid`` is that of the map, out of which no name reaches.
    """

    grid: Grid
    texts: tuple[str, ...] = ()
    spots: NDArray[np.float64] = np.zeros((0, SPOTS, 2))
    sizes: NDArray[np.float64] = np.zeros(0)
    colours: tuple[str, ...] = ()

    def placed(self, scale: float, names: Names) -> list[PlacedName]:
        """Return those that can be read at a scale.

        They make way for ``names`` and the things that have them, where a region has room.
        """
        obstacles = names.boxes(scale)
        rows = zip(self.texts, self.spots, self.sizes.tolist(), self.colours, strict=True)
        result = []
        for text, spots, size, colour in rows:
            type_size = min(size, MOST_NAME / scale)
            if type_size * scale < LEAST_NAME:
                continue
            half = np.array((LETTER * len(text), 1.0)) * type_size / 2
            inner_spots = shifted_inward(spots, half, self.grid)
            away = np.abs(inner_spots[:, None] - obstacles.points)  # (SPOTS, obstacles, 2)
            collisions = (away < half + obstacles.halves).all(axis=2).sum(axis=1)
            point = inner_spots[collisions.argmin()]
            result.append(PlacedName(text, point, type_size, half, colour))
        return result

    def boxes(self, scale: float, names: Names) -> TextBoxes:
        """Return the boxes of the names that can be read at a scale."""
        placed = self.placed(scale, names)
        if not placed:
            return NO_BOXES
        points = np.array([name.point for name in placed])
        return TextBoxes(points, np.array([name.half for name in placed]))

    def batches(
        self, scale: float, area: QRectF, theme: Theme, names: Names
    ) -> Iterator[TextBatch]:
        """Yield those that may reach into ``area`` (map units) and can be read."""
        for name in self.placed(scale, names):
            reach = name.size * (1 + LETTER * len(name.text))
            near = area.adjusted(-reach, -reach, reach, reach)
            if near.contains(QPointF(*name.point.tolist())):
                ink = QColor(name.colour).darker(INK)
                halo = theme.label_halo
                yield TextBatch([name.text], name.point[None], name.size, ink, halo, bold=True)


def region_names(battlemap: BattleMap, composite: Composite) -> RegionNames:
    """Return the names of all regions that have cells, each best on the cell next to its middle."""
    if not has_regions(battlemap, composite):
        return RegionNames(battlemap.grid)
    grid = battlemap.grid
    regions = regions_of(battlemap.records)
    codes = codes_of(battlemap, composite)[grid.cells].astype(np.intp)
    rows = []
    for code, indices in places_by_value(codes):
        region = regions[code] if code < len(regions) else None
        if region is not None:
            centres = grid.centres_of(grid.cells[indices])
            away = centres - centres.mean(axis=0)
            room = (np.ptp(centres[:, 0]) + 1) / (LETTER * max(4, len(region.name)))
            size = max(min(NAME_SHARE * math.sqrt(len(indices)), room), 0.3)
            order = (away**2).sum(axis=1).argsort(kind="stable")
            spots = order[np.linspace(0, len(order) // 2, SPOTS).astype(np.intp)]
            rows.append((region.name, centres[spots], size, region.colour))
    if not rows:
        return RegionNames(grid)
    texts, spots, sizes, colours = zip(*rows, strict=True)
    return RegionNames(grid, texts, np.array(spots), np.array(sizes), colours)
