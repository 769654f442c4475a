"""The placement of a grid in a picture: an affine map from map units to pixels.

    # By the positions of three cells, in pixels:
    placement = placement_by_corners(grid, [(41, 38), (941, 40), (39, 930)])
    placement.pixels(grid.centres())    # (cells, 2) pixels

A person gives three points (``placement_by_corners``, ``placement_by_points``), or ``alignment``
searches for the placement. The other modules of tracing read the colours of cells by it
(``colours_at``). A map unit is the unit of ``Grid.centres``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.grid.layouts import Shear
from randomizer.model.problems import error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout


MIN_DOUBLE_AREA = 1.0
"""Twice the least area of the triangle of three points of a picture, in square pixels.

Points with a smaller triangle are on one line but for a pixel, and give no placement.
"""

MIN_DETERMINANT = 1e-9
"""The least determinant of three points of the map.

Points with a smaller one are on one line, but for errors of rounding.
"""


@dataclass(frozen=True)
class Placement:
    """An affine map from map units (x, y) to pixels: (a x + c y + e, b x + d y + f).

    The order of the six numbers is that of an SVG matrix.
    """

    a: float
    """Pixels to the right for a map unit to the right."""

    b: float
    """Pixels down for a map unit to the right; not 0 in a picture that is turned."""

    c: float
    """Pixels to the right for a map unit down; not 0 in a picture that is turned."""

    d: float
    """Pixels down for a map unit down."""

    e: float
    """The column of the origin of the map, in pixels."""

    f: float
    """The row of the origin of the map, in pixels."""

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the positions in the picture, in pixels, of points (n, 2) of the map: (n, 2)."""
        turned = points @ np.array([[self.a, self.b], [self.c, self.d]])
        return np.asarray(turned + np.array([self.e, self.f]))

    def enlarged(self, times: float) -> Placement:
        """Return the placement in the same picture made ``times`` times larger."""
        return self.shrunken(1 / times)

    def shrunken(self, times: float) -> Placement:
        """Return the placement in the same picture made ``times`` times smaller."""
        return Placement(*(np.array(self.values) / times).tolist())

    def shift(self, x: float, y: float) -> Placement:
        """Return the placement moved ``x`` pixels to the right and ``y`` pixels down."""
        return Placement(self.a, self.b, self.c, self.d, self.e + x, self.f + y)

    @property
    def values(self) -> tuple[float, ...]:
        """The six numbers, from ``a`` to ``f``."""
        return self.a, self.b, self.c, self.d, self.e, self.f

    def pixels_across(self, layout: Layout) -> float:
        """Return the distance of the centres of neighbouring cells, in pixels.

        If the scale differs by direction, it is the geometric mean.
        """
        pixels_of_square_unit = abs(self.a * self.d - self.b * self.c)
        return layout.neighbour_distance * math.sqrt(pixels_of_square_unit)


def placement_by_corners(grid: Grid, corners: Sequence[tuple[float, float]]) -> Placement:
    """Return the placement of a grid by the positions of three cells in the picture.

    ``corners`` are the centres of the three ``corner_cells``, (x, y) in pixels. Raises ProblemError
    if they are on one line.
    """
    return placement_by_points(grid.centres_of(corner_cells(grid)).tolist(), corners, "corners")


def placement_by_points(
    points: Sequence[Sequence[float]], pixels: Sequence[Sequence[float]], name: str
) -> Placement:
    """Return the placement that takes three points of the map to three pixels of the picture.

    Both have shape (3, 2). Raises ProblemError, with the ``name`` of the points, if they are on one
    line in the map or in the picture.
    """
    map_rows = np.column_stack([points, np.ones(3)])
    picture_points = np.array(pixels, np.float64)
    x_to_second, y_to_second = picture_points[1] - picture_points[0]
    x_to_third, y_to_third = picture_points[2] - picture_points[0]
    double_area = abs(x_to_second * y_to_third - y_to_second * x_to_third)
    if double_area < MIN_DOUBLE_AREA or abs(np.linalg.det(map_rows)) < MIN_DETERMINANT:
        raise error("corners", f"the three {name} are on one line")
    return Placement(*np.linalg.solve(map_rows, picture_points).ravel().tolist())


def corner_cells(grid: Grid) -> NDArray[np.intp]:
    """Return the cells at the top left, the top right and the bottom left: (3,)."""
    top_left = 0
    bottom_left = grid.size - grid.width
    if grid.layout.shear is Shear.OBLIQUE:  # rows are counted upwards
        top_left, bottom_left = bottom_left, top_left
    top_right = top_left + grid.width - 1
    return np.array([top_left, top_right, bottom_left], np.intp)


def shrunken(picture: NDArray[np.uint8], times: int) -> NDArray[np.float32]:
    """Return a picture made smaller: each pixel is the mean of ``times`` x ``times``."""
    height, width = (side // times for side in picture.shape[:2])
    if times == 1:
        return picture.astype(np.float32)
    # Each new pixel is a block of old ones. The first rows of all blocks are added, then all second
    # rows, and so on; then the columns likewise. ``np.add.reduceat``, which is shorter to write,
    # takes up to fourteen times as long.
    row_sums = np.zeros((height, width * times, 3), np.uint32)
    for row in range(times):
        row_sums += picture[row : height * times : times, : width * times]
    sums = np.zeros((height, width, 3), np.uint32)
    for column in range(times):
        sums += row_sums[:, column::times]
    return np.asarray(sums / times**2, np.float32)


def colours_at(
    picture: NDArray[Any], placement: Placement, points: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the colours at points of the map, and which of these are in the picture.

    The shapes are (..., 2), (..., 3) and (...). Between the middles of four pixels their colours
    are mixed (bilinearly); a point outside of the picture has the colour of its edge.
    """
    # Half a pixel less, so that whole numbers are the middles of pixels.
    positions = placement.pixels(points.reshape(-1, 2)) - 0.5
    height, width = picture.shape[:2]
    x, y = positions.T
    is_inside = (x > -1) & (x < width) & (y > -1) & (y < height)
    # A little less than the last pixel, so that there is a pixel to the right and one below.
    x = x.clip(0, width - 1.001)
    y = y.clip(0, height - 1.001)
    left = x.astype(np.intp)
    top = y.astype(np.intp)
    share_of_right = (x - left).astype(np.float32)[:, None]
    share_of_bottom = (y - top).astype(np.float32)[:, None]
    # The minimum is for pictures of a single column or row.
    right = np.minimum(left + 1, width - 1)
    bottom = np.minimum(top + 1, height - 1)
    upper_left = _pixels_at(picture, top, left)
    upper_right = _pixels_at(picture, top, right)
    lower_left = _pixels_at(picture, bottom, left)
    lower_right = _pixels_at(picture, bottom, right)
    upper = upper_left * (1 - share_of_right) + upper_right * share_of_right
    lower = lower_left * (1 - share_of_right) + lower_right * share_of_right
    mixed = upper * (1 - share_of_bottom) + lower * share_of_bottom
    shape = points.shape[:-1]
    return mixed.reshape(*shape, 3), is_inside.reshape(shape)


def _pixels_at(
    picture: NDArray[Any], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[Any]:
    """Return the pixels of a picture (height, width, 3) in rows (n,) and columns (n,): (n, 3)."""
    if picture.flags.c_contiguous:
        # A fifth of the time that two indices take.
        width = picture.shape[1]
        return np.asarray(picture.reshape(-1, 3).take(rows * width + columns, axis=0))
    # A drawn picture is no contiguous array: flat indices would copy all of it.
    return np.asarray(picture[rows, columns])
