"""Where the cells of a grid lie in a picture."""

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
    """Map units to pixels, as x' = a x + c y + e, y' = b x + d y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points (n, 2) of the map lie in the picture."""
        turned = points @ np.array([[self.a, self.b], [self.c, self.d]])
        return np.asarray(turned + np.array([self.e, self.f]))

    def shrunken(self, times: float) -> Placement:
        """Return the placement in the picture made so many times smaller."""
        return Placement(*(np.array(self.values) / times).tolist())

    def shift(self, x: float, y: float) -> Placement:
        """Return the placement so many pixels to the right and down."""
        return Placement(self.a, self.b, self.c, self.d, self.e + x, self.f + y)

    @property
    def values(self) -> tuple[float, ...]:
        """The six numbers."""
        return self.a, self.b, self.c, self.d, self.e, self.f

    def pixels_across(self, layout: Layout) -> float:
        """Return how many pixels lie from centre to centre of neighbours."""
        (qx, qy), (rx, ry) = layout.basis
        q, r = layout.steps[0]
        area = abs(self.a * self.d - self.b * self.c)
        return math.hypot(q * qx + r * rx, q * qy + r * ry) * math.sqrt(area)


def placement_of(grid: Grid, corners: Sequence[tuple[float, float]]) -> Placement:
    """Return the placement by where three ``corner_cells`` have their centres in the picture
    (pixels).

    Raises ProblemError if they are on one line.
    """
    return placement_by(grid.centres_of(corner_cells(grid)).tolist(), corners, "corners")


def placement_by(
    points: Sequence[Sequence[float]], pixels: Sequence[Sequence[float]], name: str
) -> Placement:
    """Return the placement by where three points of the map (map units) lie in the picture
    (pixels).

    Raises ProblemError, with their ``name``, if they are on one line here or there.
    """
    picture_points = np.column_stack([points, np.ones(3)])
    ends = np.array(pixels, np.float64)
    (x, y) = ends[1] - ends[0]
    (right, down) = ends[2] - ends[0]
    if abs(x * down - y * right) < 1 or abs(np.linalg.det(picture_points)) < 1e-9:
        raise error("corners", f"the three {name} are on one line")
    return Placement(*np.linalg.solve(picture_points, ends).ravel().tolist())


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
    """Return the colours at points (..., 2) of the map, between pixels, and which are in the
    picture.
    """
    at = placement.pixels(points.reshape(-1, 2)) - 0.5
    height, width = picture.shape[:2]
    x, y = at.T
    inside = (x > -1) & (x < width) & (y > -1) & (y < height)
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
