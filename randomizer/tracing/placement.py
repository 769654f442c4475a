"""The placement of a grid in a picture: an affine map from map units to pixels.

    placement = placement_of(grid, [(41, 38), (941, 40), (39, 930)])   # pixels of three cells
    placement.pixels(grid.centres())                                   # (cells, 2) pixels

A person gives three points (``placement_of``, ``placement_by``), or ``alignment`` searches. The
rest of this room reads colours by it (``colours_at``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.problems import error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout


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
        """Return where points (n, 2) of the map lie in the picture."""
        turned = points @ np.array([[self.a, self.b], [self.c, self.d]])
        return np.asarray(turned + np.array([self.e, self.f]))

    def shrunken(self, times: float) -> Placement:
        """Return the placement in the same picture made ``times`` times smaller."""
        return Placement(*(np.array(self.values) / times).tolist())

    def shift(self, x: float, y: float) -> Placement:
        """Return the placement moved ``x`` pixels to the right and ``y`` pixels down."""
        return Placement(self.a, self.b, self.c, self.d, self.e + x, self.f + y)

    @property
    def values(self) -> tuple[float, ...]:
        """The six numbers in the order of the fields."""
        return self.a, self.b, self.c, self.d, self.e, self.f

    def pixels_across(self, layout: Layout) -> float:
        """Return the distance of the centres of two neighbours in pixels.

        In a picture that is stretched it is that of a square of the same area.
        """
        (qx, qy), (rx, ry) = layout.basis
        q, r = layout.steps[0]
        step_in_map_units = math.hypot(q * qx + r * rx, q * qy + r * ry)
        # The determinant is the area of a square map unit in pixels, its root the mean scale.
        area = abs(self.a * self.d - self.b * self.c)
        return step_in_map_units * math.sqrt(area)


def placement_of(grid: Grid, corners: Sequence[tuple[float, float]]) -> Placement:
    """Return the placement in which the three ``corner_cells`` have their centres at ``corners``.

    These are (x, y) in pixels. Raises ProblemError if they are on one line.
    """
    return placement_by(grid.centres_of(corner_cells(grid)).tolist(), corners, "corners")


def placement_by(
    points: Sequence[Sequence[float]], pixels: Sequence[Sequence[float]], name: str
) -> Placement:
    """Return the placement in which three ``points`` of the map (map units) lie at ``pixels``.

    Raises ProblemError if either three are on one line; it calls the points by their ``name``.
    """
    # Three points give six equations for the six numbers: [x y 1] @ [[a, b], [c, d], [e, f]].
    equations = np.column_stack([points, np.ones(3)])
    targets = np.array(pixels, np.float64)
    (x1, y1) = targets[1] - targets[0]
    (x2, y2) = targets[2] - targets[0]
    # Twice the area of a triangle is 0 if its corners are on one line: less than a square pixel in
    # the picture, and in map units 0 but for rounding.
    area_in_picture = abs(x1 * y2 - y1 * x2)
    area_on_map = abs(np.linalg.det(equations))
    if area_in_picture < 1 or area_on_map < 1e-9:
        raise error("corners", f"the three {name} are on one line")
    return Placement(*np.linalg.solve(equations, targets).ravel().tolist())


def corner_cells(grid: Grid) -> NDArray[np.intp]:
    """Return the cells at the top left, the top right and the bottom left: (3,)."""
    first = 0
    last = grid.size - grid.width
    if grid.layout.shear == "oblique":  # rows are counted upwards
        first, last = last, first
    return np.array([first, first + grid.width - 1, last], np.intp)


def shrunken(picture: NDArray[np.uint8], times: int) -> NDArray[np.float32]:
    """Return a picture made smaller: each pixel is the mean of ``times`` x ``times``."""
    height, width = (side // times for side in picture.shape[:2])
    if times == 1:
        return picture.astype(np.float32)
    # All first rows of the new pixels are added, then all second ones, and likewise columns:
    # ``np.add.reduceat``, which says it shorter, takes up to fourteen times as long.
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
    """Return the colours at points (..., 2) of the map, and which of these are in the picture.

    The shapes are (..., 3) and (...); a point outside has the colour of the nearest pixel.
    """
    # Bilinear interpolation between the four pixels around each point. A pixel has its colour at
    # its middle, so that half a pixel is taken off: then whole numbers are middles.
    positions = placement.pixels(points.reshape(-1, 2)) - 0.5
    height, width = picture.shape[:2]
    x, y = positions.T
    inside = (x > -1) & (x < width) & (y > -1) & (y < height)
    # A little less than the last pixel, so that there is one to the right and one below.
    x = x.clip(0, width - 1.001)
    y = y.clip(0, height - 1.001)
    left = x.astype(np.intp)
    top = y.astype(np.intp)
    share_of_right = (x - left).astype(np.float32)[:, None]
    share_of_bottom = (y - top).astype(np.float32)[:, None]
    right = np.minimum(left + 1, width - 1)
    bottom = np.minimum(top + 1, height - 1)
    # Two indices, as a drawn picture does not lie in one piece: to flatten it is to copy it.
    upper = picture[top, left] * (1 - share_of_right) + picture[top, right] * share_of_right
    lower = picture[bottom, left] * (1 - share_of_right) + picture[bottom, right] * share_of_right
    mixed = upper * (1 - share_of_bottom) + lower * share_of_bottom
    shape = points.shape[:-1]
    return mixed.reshape(*shape, 3), inside.reshape(shape)
