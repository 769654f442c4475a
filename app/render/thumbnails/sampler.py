"""The cells under the pixels of a small picture of a whole map, for thumbnails of rolls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize

from randomizer.model.grid.grid import Grid


@dataclass(frozen=True, eq=False)
class Sampler:
    """A picture of ``width`` x ``height`` pixels, and where it lies on a map."""

    grid: Grid
    """The grid of the map."""
    width: int
    """The width of the picture, in pixels."""
    height: int
    """The height of the picture, in pixels."""

    scale: float
    """The number of pixels in a map unit."""

    left: float
    """Where its left end lies, in map units."""

    top: float
    """Where its upper end lies, in map units."""

    @classmethod
    def centred(cls, grid: Grid, size: QSize) -> Sampler:
        """Return the sampler of a picture of this size with the whole map in its middle."""
        left, top, right, bottom = grid.bounds
        width = size.width()
        height = size.height()
        scale = min(width / (right - left), height / (bottom - top))
        picture_left = (left + right - width / scale) / 2
        picture_top = (top + bottom - height / scale) / 2
        return cls(grid, width, height, scale, picture_left, picture_top)

    @classmethod
    def around(cls, grid: Grid, width: float, height: float) -> Sampler:
        """Return the sampler of a picture of the map alone, in at most so many pixels."""
        left, top, right, bottom = grid.bounds
        scale = min(width / (right - left), height / (bottom - top))
        pixel_width = max(1, int((right - left) * scale))
        pixel_height = max(1, int((bottom - top) * scale))
        return cls(grid, pixel_width, pixel_height, scale, left, top)

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The cell under the middle of each pixel (height, width), -1 off the map."""
        xs = self.left + (np.arange(self.width) + 0.5) / self.scale
        ys = self.top + (np.arange(self.height) + 0.5) / self.scale
        points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        return self.grid.shown_cells_at(points).reshape(self.height, self.width)

    def pixels_at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points (n, 2) of the map lie in the picture, in pixels."""
        return np.asarray((points - (self.left, self.top)) * self.scale)
