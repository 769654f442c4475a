"""Regions: a light tint, a band along the border within the region, and the name in its middle.

Scenes draw tint and bands as ``batches`` of pieces. Names are placed for a whole map
(``region_names``) and drawn at each scale by the ``RegionNames``, as they make way for the names of
things. ``border_bands`` serves other areas, too, such as locked ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.render.cell_geometry import apothem
from app.render.piece import Piece
from app.render.scene.batch import Batch, TextBatch
from app.render.scene.icons import text_width
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.shades import tile
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.scene.things.names import Names
from app.render.scene.things.thing_labels import shifted_inward
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
"""The least width of the band along a border, in map units."""

BAND_PIXELS = 2.0
"""The least width of the band along a border, in pixels, ..."""

MOST_BAND = 0.4
"""... but never more than so many map units, which is less than half a cell."""

LEAST_NAME = 8.0
"""Names of regions that would have fewer logical pixels are left out."""

MOST_NAME = 34.0
"""Names of regions never have more logical pixels."""

NAME_SHARE = 0.22
"""The type size of a name as a share of the root of the region's cells, in map units."""

LEAST_NAME_UNITS = 0.3
"""The least type size of a name, in map units, for regions of very few cells."""

SHORTEST_NAME = 4
"""Shorter names count as if they had so many letters: else they would be as wide as the region."""

LETTER = 0.62
"""The width of a letter as a share of its size, about: it decides how large a name is."""

LINE_HEIGHT = 1.25
"""The height of a name, with descenders and halo, as a share of its type size."""

SIZES_TRIED = (1.0, 0.8, 0.6, 0.45)
"""Shares of its type size in which a name is tried, until it has room between other names."""


def has_regions(battlemap: BattleMap, composite: Composite) -> bool:
    """Return whether any cell of a map may be in a region."""
    spec = battlemap.system.regions
    return spec is not None and not is_blank(composite.planes[spec.name])


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the tint of cells in regions, and the bands at the borders, if ``has_regions``."""
    regions = regions_of(part.battlemap.records)
    colours = {code: region.colour for code, region in enumerate(regions) if region}
    is_region = np.zeros(NO_REGION + 1, np.bool_)
    is_region[list(colours)] = True
    codes = codes_of(part.battlemap, part.composite)
    codes_of_part = codes[part.cells]
    inside = np.flatnonzero(is_region[codes_of_part])
    if not len(inside):
        return
    tints = []
    for code, indices in places_by_value(codes_of_part[inside].astype(np.intp)):
        tint = QColor(colours[code])
        tint.setAlphaF(TINT)
        tints.append((tile(pieces.layout, tint), inside[indices]))
    width = min(MOST_BAND, max(BAND, BAND_PIXELS * pieces.pixel))
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
    # Where the area of each cell ends: (sides, n).
    ends_at_side = [_ends(part, codes, codes_of_part, side) for side in range(degree)]
    ends = np.stack(ends_at_side)[:, inside]
    for side in range(degree):
        at_border = np.flatnonzero(ends[side])
        rows = inside[at_border]
        # The key of a band: the code of its area, and whether bands go on along the side before it
        # (bit 1) and the one after it (bit 0).
        joins_before = ends[side - 1][at_border]
        joins_after = ends[(side + 1) % degree][at_border]
        keys = codes_of_part[rows].astype(np.intp) * 4 + 2 * joins_before + joins_after
        for key, indices in places_by_value(keys):
            joins = _Joins(previous_side=bool(key & 2), next_side=bool(key & 1))
            yield _band(pieces.layout, side, joins, colours[key // 4], width), rows[indices]


def _ends(
    part: ScenePart,
    codes: NDArray[np.uint8] | NDArray[np.uint16],
    codes_of_part: NDArray[np.uint8] | NDArray[np.uint16],
    side: int,
) -> NDArray[np.bool_]:
    """Return whether the area of each cell of a part (n,) ends at a side."""
    beyond = part.neighbours(side)
    return np.asarray((beyond < 0) | (codes[np.maximum(beyond, 0)] != codes_of_part))


class _Joins(NamedTuple):
    """The other sides of its cell along which a band goes on."""

    previous_side: bool
    """True if it goes on along the side before its own."""

    next_side: bool
    """True if it goes on along the side after its own."""


def _band(layout: Layout, side: int, joins: _Joins, colour: str, width: float) -> Piece:
    """Return the band along a side of a cell.

    Where it does not go on (``joins``) it ends at the next side, where the band of the cell beyond
    that begins.
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

    key = ("region", side, tuple(joins), colour, round(width, 4))
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


SPOTS = 40
"""So many cells of a region, from its middle outwards, are tried for its name. More take longer in
each frame of a map with many regions."""

SPOT_SHIFT = 0.5
"""In a small region a name can stand so far above or below the middle of a cell, in map units."""

INK = 170
"""Names have the colours of their regions, darker by this (``QColor.darker``)."""


class PlacedName(NamedTuple):
    """The name of a region at one scale; lengths are map units."""

    text: str

    point: NDArray[np.float64]
    """Its middle, (2,)."""

    size: float
    """The type size."""

    half: NDArray[np.float64]
    """Half of its width and height, (2,)."""

    colour: str
    """The colour of the region."""


@dataclass(eq=False)
class RegionNames:
    """The names of the n regions of a map that have cells, and where each can stand."""

    grid: Grid
    """The grid of the map, out of which no name reaches."""

    texts: tuple[str, ...] = ()

    spots: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, SPOTS, 2)))
    """The points at which the middle of a name can be, (n, SPOTS, 2), the best first, in map
    units."""

    sizes: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """The type sizes, (n,), in map units."""

    colours: tuple[str, ...] = ()
    """The colours of the regions."""

    _latest: tuple[float, Names, list[PlacedName]] | None = field(default=None, init=False)
    """The arguments and the result of the last call of ``placed``: all frames of a pan share them.
    """

    def placed(self, scale: float, names: Names) -> list[PlacedName]:
        """Return those that can be read at a scale.

        None lies on one of ``names``, on the symbol of a thing, or on another region's name: it
        stands elsewhere in its region, or is smaller, or is left out until there is room.
        """
        if self._latest is None or self._latest[0] != scale or self._latest[1] is not names:
            self._latest = (scale, names, self._place(scale, names))
        return self._latest[2]

    def _place(self, scale: float, names: Names) -> list[PlacedName]:
        """Find the points of ``placed``."""
        if not self.texts:
            return []
        obstacles = names.boxes(scale)
        rows = zip(self.texts, self.spots, self.sizes.tolist(), self.colours, strict=True)
        result = []
        for text, spots, size, colour in rows:
            full_size = min(size, MOST_NAME / scale)
            for share in SIZES_TRIED:
                type_size = full_size * share
                if type_size * scale < LEAST_NAME:
                    break
                half = _half_extent(text, type_size, scale)
                point = self._free_spot(spots, half, obstacles)
                if point is not None:
                    result.append(PlacedName(text, point, type_size, half, colour))
                    obstacles = obstacles.joined(TextBoxes(point[None], half[None]))
                    break
        return result

    def left_out(self, scale: float, names: Names) -> tuple[str, ...]:
        """Return the names that could be read at a scale and have no room."""
        placed_texts = {name.text for name in self.placed(scale, names)}
        readable_texts = []
        for text, size in zip(self.texts, self.sizes.tolist(), strict=True):
            if min(size * scale, MOST_NAME) >= LEAST_NAME:
                readable_texts.append(text)
        return tuple(text for text in readable_texts if text not in placed_texts)

    def _free_spot(
        self, spots: NDArray[np.float64], half: NDArray[np.float64], obstacles: TextBoxes
    ) -> NDArray[np.float64] | None:
        """Return the best of the spots (SPOTS, 2) at which a name touches no obstacle.

        ``half`` (2,) is half the size of the name. None if no spot is free.
        """
        inner_spots = shifted_inward(spots, half, self.grid)
        # Most obstacles are far from the region: they are not compared with each spot.
        first = inner_spots.min(axis=0)
        last = inner_spots.max(axis=0)
        area = QRectF(QPointF(*first.tolist()), QPointF(*last.tolist()))
        near_obstacles = obstacles.near(area, float(half.max()))
        is_taken = near_obstacles.overlap(inner_spots, half)
        if is_taken.all():
            return None
        return np.asarray(inner_spots[is_taken.argmin()])

    def name_at(self, x: float, y: float, scale: float, names: Names) -> str:
        """Return the name that covers a point (map units) at a scale, "" if none does."""
        for name in self.placed(scale, names):
            if (np.abs(name.point - (x, y)) <= name.half).all():
                return name.text
        return ""

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
        """Yield the names that may reach into ``area`` (map units) and can be read."""
        for name in self.placed(scale, names):
            reach = float(name.half.max()) + name.size
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
        # A cell may have a code that is no region's.
        if code >= len(regions):
            continue
        region = regions[code]
        if region is None:
            continue
        centres = grid.centres_of(grid.cells[indices])
        size = _name_size(region.name, centres)
        rows.append((region.name, _spots(centres), size, region.colour))
    if not rows:
        return RegionNames(grid)
    texts, spots, sizes, colours = zip(*rows, strict=True)
    return RegionNames(grid, texts, np.array(spots), np.array(sizes), colours)


class RegionNamesCache:
    """``region_names`` of the map asked for last, until ``forget``."""

    def __init__(self) -> None:
        self._battlemap: BattleMap | None = None
        """The map of the names, None before the first one."""
        self._composite: Composite | None = None
        self._names: RegionNames | None = None
        """None if they are to be found anew."""

    def of(self, battlemap: BattleMap, composite: Composite) -> RegionNames:
        """Return the names of regions: one object until ``forget``, or another map."""
        is_same = self._battlemap is battlemap and self._composite is composite
        if self._names is None or not is_same:
            self._battlemap = battlemap
            self._composite = composite
            self._names = region_names(battlemap, composite)
        return self._names

    def forget(self) -> None:
        """Find the names anew when they are asked for: a region has changed."""
        self._names = None


def _half_extent(text: str, type_size: float, scale: float) -> NDArray[np.float64]:
    """Return half the width and height, (2,), of a name; lengths are map units."""
    width = text_width(text, type_size * scale, bold=True) / scale
    return np.array((width, LINE_HEIGHT * type_size)) / 2


def _name_size(name: str, centres: NDArray[np.float64]) -> float:
    """Return the type size of a region's name in map units, by the ``centres`` (n, 2) of its cells.

    It grows with the region, but the name is not wider than that.
    """
    width_of_region = np.ptp(centres[:, 0]) + 1
    fitting_size = width_of_region / (LETTER * max(SHORTEST_NAME, len(name)))
    size = min(NAME_SHARE * math.sqrt(len(centres)), fitting_size)
    return float(max(size, LEAST_NAME_UNITS))


def _spots(centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``SPOTS`` points within a region, from its middle outwards: (SPOTS, 2).

    They are the ``centres`` (n, 2) of its cells, for a small region also points above and below
    them. Some occur several times.
    """
    away = centres - centres.mean(axis=0)
    order = (away**2).sum(axis=1).argsort(kind="stable")
    spots = centres[order]
    if len(spots) * 3 <= SPOTS:
        # A town often stands in the middle of one of the few cells.
        shift = np.array((0.0, SPOT_SHIFT))
        spots = np.concatenate([spots, spots - shift, spots + shift])
    chosen = np.linspace(0, len(spots) - 1, SPOTS).astype(np.intp)
    return np.asarray(spots[chosen])
