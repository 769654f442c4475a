"""The names of regions, in the middle of their cells.

The names of a map are found once (``region_names``), each with the points at which it may stand,
and placed anew at each scale, as they make way for the names of things::

    names = region_names(battlemap, composite)
    names.placed(scale=20.0, names=NO_NAMES)        # PlacedName("Moor", ...), ...
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from app.render.scene.batch import TextBatch
from app.render.scene.icons import text_width
from app.render.scene.regions import has_regions
from app.render.scene.text_boxes import NO_BOXES, TextBoxes, shifted_inward
from app.render.scene.things.names import Names
from app.render.theme import Theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import codes_of, regions_of
from randomizer.model.planes.composite import Composite

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


class RegionName(NamedTuple):
    """The name of a region, and where it can stand; lengths are map units."""

    text: str

    spots: NDArray[np.float64]
    """The points at which the middle of the name can be, (SPOTS, 2), the best first."""

    size: float
    """The type size."""

    colour: str
    """The colour of the region."""


class RegionNames:
    """The names of the regions of a map that have cells, to be placed at any scale.

    It is made for a map as it is, and is wrong after regions have changed.
    """

    def __init__(self, grid: Grid, names: tuple[RegionName, ...] = ()) -> None:
        self._grid = grid
        """The grid of the map, out of which no name reaches."""
        self.region_names = names
        """The names, in the order in which they get room."""
        self._latest_scale = 0.0
        """The scale for which ``placed`` was asked last; 0 before the first time."""
        self._latest_thing_names: Names | None = None
        """The names of things for which it was asked last."""
        self._latest_placed: list[PlacedName] = []
        """What it returned then: all frames of a pan share it."""

    def placed(self, scale: float, names: Names) -> list[PlacedName]:
        """Return those that can be read at a scale.

        None lies on one of ``names``, on the symbol of a thing, or on another region's name: it
        stands elsewhere in its region, or is smaller, or is left out until there is room.
        """
        if self._latest_scale != scale or self._latest_thing_names is not names:
            self._latest_placed = self._place(scale, names)
            self._latest_scale = scale
            self._latest_thing_names = names
        return self._latest_placed

    def _place(self, scale: float, names: Names) -> list[PlacedName]:
        """Find the points of ``placed``: one name after another, each where room is left."""
        if not self.region_names:
            return []
        obstacles = names.boxes(scale)
        result = []
        for region_name in self.region_names:
            placed_name = self._placed_name(region_name, scale, obstacles)
            if placed_name is not None:
                result.append(placed_name)
                box = TextBoxes(placed_name.point[None], placed_name.half[None])
                obstacles = obstacles.joined(box)
        return result

    def _placed_name(
        self, region_name: RegionName, scale: float, obstacles: TextBoxes
    ) -> PlacedName | None:
        """Return a name where it touches no obstacle, as large as possible; None without room."""
        text, spots, size, colour = region_name
        full_size = min(size, MOST_NAME / scale)
        for share in SIZES_TRIED:
            type_size = full_size * share
            if type_size * scale < LEAST_NAME:
                return None
            half = _half_extent(text, type_size, scale)
            point = self._free_spot(spots, half, obstacles)
            if point is not None:
                return PlacedName(text, point, type_size, half, colour)
        return None

    def _free_spot(
        self, spots: NDArray[np.float64], half: NDArray[np.float64], obstacles: TextBoxes
    ) -> NDArray[np.float64] | None:
        """Return the best of the spots (SPOTS, 2) at which a name touches no obstacle.

        ``half`` (2,) is half the size of the name. None if no spot is free.
        """
        inner_spots = shifted_inward(spots, half, self._grid)
        # Most obstacles are far from the region: they are not compared with each spot.
        first = inner_spots.min(axis=0)
        last = inner_spots.max(axis=0)
        area = QRectF(QPointF(*first.tolist()), QPointF(*last.tolist()))
        near_obstacles = obstacles.near(area, float(half.max()))
        is_taken = near_obstacles.overlap(inner_spots, half)
        if is_taken.all():
            return None
        return np.asarray(inner_spots[is_taken.argmin()])

    def left_out(self, scale: float, names: Names) -> tuple[str, ...]:
        """Return the names that could be read at a scale and have no room."""
        # Counted: two regions can have the same name, and room for only one of them.
        placed_counts = Counter(name.text for name in self.placed(scale, names))
        result = []
        for region_name in self.region_names:
            is_readable = min(region_name.size * scale, MOST_NAME) >= LEAST_NAME
            if not is_readable:
                continue
            if placed_counts[region_name.text]:
                placed_counts[region_name.text] -= 1
            else:
                result.append(region_name.text)
        return tuple(result)

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
    names = []
    for code, indices in places_by_value(codes):
        # A cell may have a code that is no region's.
        if code >= len(regions):
            continue
        region = regions[code]
        if region is None:
            continue
        centres = grid.centres_of(grid.cells[indices])
        size = _name_size(region.name, centres)
        names.append(RegionName(region.name, _spots(centres), size, region.colour))
    return RegionNames(grid, tuple(names))


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
