"""Finds where the name of a sea, a lake or mountains stands on its own ground, clear of towns.

A name is tried as a box of its letters. ``named_things`` makes ``NamePlaces``, reserves the ground
of towns and their names, and then asks for the place of each area, the largest first:

    places = NamePlaces(grid, is_locked)
    places.reserve_town(cell, "Brandenmouth")
    place = places.place("Sea of Arnon", cells_of_sea, lettering)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.things.lettering import Lettering

_LETTER = 0.95
"""The width of a spaced letter as a share of the type size, of the widest usual letters."""

_DENSE_LETTER = 0.65
"""The same width of a letter that is not spaced."""

_LINE = 1.2
"""The height of a line as a share of the type size."""

_TOWN_LETTER = 0.42
"""The width of a letter of a town's name, in cells, where the whole map is seen on a screen."""

_TOWN_LINE = 1.0
"""The height of a town's name, in cells, as for ``_TOWN_LETTER``."""

_TOWN_SYMBOL = 0.5
"""Half the size of the symbol of a town, in cells."""

_MARGINS = (1.0, 0.3, 0.05)
"""The widths of free ground around a name, in cells: the widest for which there is a place counts.
"""

_ANGLES = (0.0, 330.0, 30.0, 300.0, 60.0)
"""The angles at which a name can stand, in degrees clockwise, the best first."""

_SMALLEST_SHARE = 0.55
"""The smallest type size that is tried, as a share of the usual one: smaller ones are hard to read.
"""

_MAX_CELLS = 2_000
"""So many cells of an area are tried at most; with fewer, a bay that has room can be missed."""

_FIRST_POINTS = 8
"""The number of points of a name that are tested first, for many cells at once.

They discard most cells, so that all points are tested for few.
"""

_CELLS_AT_ONCE = 32
"""So many cells are tried at once: with more, some are tried for nothing behind the first place."""

_STEP = 0.5
"""The distance of the points at which the ground below a name is looked at, in cells."""


class _TypeSetting(NamedTuple):
    """A way to set a name in type: one of those that are tried, the best first."""

    size_share: float
    """The type size as a share of the usual one."""

    is_spaced: bool
    """True if the letters stand apart."""


_SETTINGS = (
    _TypeSetting(1.0, is_spaced=True),
    _TypeSetting(0.75, is_spaced=True),
    _TypeSetting(_SMALLEST_SHARE, is_spaced=True),
    _TypeSetting(0.75, is_spaced=False),
    _TypeSetting(_SMALLEST_SHARE, is_spaced=False),
)
"""The settings that are tried, the best first."""


class _Box(NamedTuple):
    """The box of a name's letters, in cells, around its middle."""

    half_width: float

    half_height: float

    def with_margin(self, margin: float) -> _Box:
        """Return a box that is wider on all sides."""
        return _Box(self.half_width + margin, self.half_height + margin)


class NamePlace(NamedTuple):
    """The place at which a name stands, with its angle and size."""

    cell: int
    """The cell of its middle."""

    angle: float
    """In degrees, clockwise."""

    size: float
    """The type size in cells, 0 for the usual one of its kind."""

    is_spaced: bool = True
    """False if its letters do not stand apart, though those of its kind do."""


class _Spot(NamedTuple):
    """The positions at which a box lies on free ground."""

    cell: int
    """The cell of its middle."""

    angle: float
    """In degrees, clockwise."""


class NamePlaces:
    """The ground on which names of areas can stand."""

    def __init__(self, grid: Grid, is_locked: NDArray[np.bool_] | None) -> None:
        """Begin with all ground free; on locked cells, (cells,), no name has its middle."""
        self._grid = grid
        self._is_locked = is_locked
        self._is_taken = np.zeros(grid.size, np.bool_)
        """True for the cells on which no further name may stand, (cells,)."""
        self._neighbour_distance = grid.layout.neighbour_distance

    def reserve(self, cells: NDArray[np.bool_]) -> None:
        """Keep names off marked cells, (cells,)."""
        self._is_taken |= cells

    def reserve_town(self, cell: int, name: str) -> None:
        """Keep names off the symbol of a town and off its name, which stands below the symbol."""
        half_width = max(_TOWN_LETTER * len(name) / 2, _TOWN_SYMBOL)
        half_height = _TOWN_SYMBOL + _TOWN_LINE / 2
        offsets = _points_in_box(_Box(half_width, half_height), angle=0.0)
        offsets[:, 1] += _TOWN_LINE / 2  # downwards: the name is below the symbol
        self._take(cell, offsets)

    def place(
        self,
        name: str,
        cells: NDArray[np.intp],
        lettering: Lettering,
        wider_ground: NDArray[np.bool_] | None = None,
    ) -> NamePlace | None:
        """Return the best place for a name in an area, and keep later names off it.

        The name lies on the area alone, as near to its centre of gravity as it has room; else it
        reaches out onto ``wider_ground`` (cells,), is turned, is smaller, or its letters do not
        stand apart. None if there is no such place.
        """
        candidates = self._candidates(cells)
        area = np.zeros(self._grid.size, np.bool_)
        area[cells] = True
        grounds = [area & ~self._is_taken]
        if wider_ground is not None:
            grounds.append((area | wider_ground) & ~self._is_taken)
        for setting in _SETTINGS:
            box = _box_of(name, lettering.size * setting.size_share, is_spaced=setting.is_spaced)
            for ground in grounds:
                spot = self._spot_for(box, candidates, ground)
                if spot is None:
                    continue
                self._take(spot.cell, _points_in_box(box, spot.angle))
                size = 0.0
                if setting.size_share < 1:
                    size = round(lettering.size * setting.size_share, 1)
                return NamePlace(spot.cell, spot.angle, size, setting.is_spaced)
        return None

    def middle_place(self, cells: NDArray[np.intp], lettering: Lettering) -> NamePlace:
        """Return the place of a small name in the middle of an area, whatever it stands on.

        Unlike ``place`` it does not keep later names off.
        """
        middle = int(_from_middle(self._grid, cells)[0])
        return NamePlace(middle, 0.0, round(lettering.size * _SMALLEST_SHARE, 1))

    def _candidates(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the cells of an area that are tried as the middle of a name, the best first."""
        candidates = _from_middle(self._grid, cells)
        if self._is_locked is not None:
            candidates = candidates[~self._is_locked[candidates]]
        if len(candidates) > _MAX_CELLS:
            indices = np.linspace(0, len(candidates) - 1, _MAX_CELLS).astype(np.intp)
            candidates = candidates[indices]
        return candidates

    def _spot_for(
        self, box: _Box, candidates: NDArray[np.intp], ground: NDArray[np.bool_]
    ) -> _Spot | None:
        """Return the first candidate and angle at which a box lies on ground, None if none does.

        ``ground`` (cells,) marks the ground on which it may lie.
        """
        box_area = 4 * box.half_width * box.half_height
        if box_area > np.count_nonzero(ground):  # a cell has about the area 1 in these units
            return None
        for angle in _ANGLES:
            for margin in _MARGINS:
                offsets = _points_in_box(box.with_margin(margin), angle)
                cell = self._first_fitting(candidates, offsets, ground)
                if cell is not None:
                    return _Spot(cell, angle)
        return None

    def _first_fitting(
        self, cells: NDArray[np.intp], offsets: NDArray[np.float64], ground: NDArray[np.bool_]
    ) -> int | None:
        """Return the first cell around whose centre a text lies on ground alone, None for none.

        ``offsets`` are the points of the text, the outermost first. These are looked at for all
        cells, which leaves few for the rest.
        """
        cells = cells[self._fits(cells, offsets[:_FIRST_POINTS], ground)]
        for start in range(0, len(cells), _CELLS_AT_ONCE):
            some_cells = cells[start : start + _CELLS_AT_ONCE]
            fitting_cells = some_cells[self._fits(some_cells, offsets, ground)]
            if len(fitting_cells):
                return int(fitting_cells[0])
        return None

    def _fits(
        self, cells: NDArray[np.intp], offsets: NDArray[np.float64], ground: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Return whether all points at offsets (m, 2) from each cell (n,) are on ground, (n,)."""
        centres = self._grid.centres_of(cells)
        points = (centres[:, None] + offsets * self._neighbour_distance).reshape(-1, 2)
        left, top, right, bottom = self._grid.bounds
        is_on_map = ((points >= (left, top)) & (points <= (right, bottom))).all(axis=1)
        cells_below = self._grid.cells_at(points)
        is_on_ground = is_on_map & (cells_below >= 0) & ground[cells_below]
        return np.asarray(is_on_ground.reshape(len(cells), len(offsets)).all(axis=1))

    def _take(self, cell: int, offsets: NDArray[np.float64]) -> None:
        """Let no later name stand on the cells under points (n, 2), in cells from a cell."""
        centre = np.array(self._grid.centre(cell))
        cells = self._grid.cells_at(centre + offsets * self._neighbour_distance)
        self._is_taken[cells[cells >= 0]] = True


def _box_of(name: str, type_size: float, *, is_spaced: bool) -> _Box:
    """Return the box of a name of a type size, which is in cells."""
    letter_width = _DENSE_LETTER
    if is_spaced:
        letter_width = _LETTER
    return _Box(letter_width * len(name) * type_size / 2, _LINE * type_size / 2)


def _points_in_box(box: _Box, angle: float) -> NDArray[np.float64]:
    """Return points (n, 2) of a turned box, not more than ``_STEP`` apart, the outermost first.

    They are in cells, from the middle of the box; ``angle`` is in degrees clockwise.
    """
    half_width, half_height = box
    columns = 2 * math.ceil(half_width / _STEP) + 1
    rows = 2 * math.ceil(half_height / _STEP) + 1
    x, y = np.meshgrid(
        np.linspace(-half_width, half_width, columns),
        np.linspace(-half_height, half_height, rows),
    )
    points = np.stack([x.reshape(-1), y.reshape(-1)], axis=1)
    distances = (points * points).sum(axis=1)
    points = points[np.argsort(-distances, kind="stable")]
    cos = math.cos(math.radians(angle))
    sin = math.sin(math.radians(angle))
    return np.asarray(points @ np.array(((cos, sin), (-sin, cos))))


def _from_middle(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the cells of an area, the nearest to its centre of gravity first."""
    centres = grid.centres_of(cells)
    if grid.wrap:  # around the first cell
        x = centres[:, 0] - centres[0, 0]
        centres[:, 0] = x - np.round(x / grid.period) * grid.period
    offsets = centres - centres.mean(axis=0)
    squared_distances = (offsets * offsets).sum(axis=1)
    return cells[np.argsort(squared_distances, kind="stable")]
