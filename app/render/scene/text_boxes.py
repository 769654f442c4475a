"""The boxes that important texts and symbols fill on a map, so that lesser texts stay off them.

The renderer draws names, then the texts of cells. It hands the boxes of what matters more to what
matters less, which leaves out its texts that would lie on them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from randomizer.model.grid.grid import Grid

MAX_PAIRS_AT_ONCE = 20_000
"""At most so many pairs of a text and a box are compared at once: else arrays grow too large."""


class TextBoxes(NamedTuple):
    """The boxes of k texts and symbols, in map units.

    The numbers of cells, for instance, are drawn only where no name of a place lies::

        is_hidden = boxes_of_names.overlap(points_of_numbers, half_size_of_number)
        free_points = points_of_numbers[~is_hidden]
    """

    points: NDArray[np.float64]
    """(k, 2): the middles of the boxes, x and y."""

    halves: NDArray[np.float64]
    """(k, 2): half the widths and half the heights of the boxes."""

    def joined(self, other: TextBoxes) -> TextBoxes:
        """Return these boxes and the ``other`` ones."""
        points = np.concatenate([self.points, other.points])
        halves = np.concatenate([self.halves, other.halves])
        return TextBoxes(points, halves)

    def near(self, area: QRectF, reach: float) -> TextBoxes:
        """Return the boxes that come as near as ``reach``, in map units, to an area."""
        if not len(self.points):
            return self
        wider_area = area.adjusted(-reach, -reach, reach, reach)
        left_top = np.array([wider_area.left(), wider_area.top()])
        right_bottom = np.array([wider_area.right(), wider_area.bottom()])
        # A box meets the area if it does so across (column 0) and down (column 1).
        ends_behind_start = self.points + self.halves >= left_top
        starts_before_end = self.points - self.halves <= right_bottom
        is_near = (ends_behind_start & starts_before_end).all(axis=1)
        return TextBoxes(self.points[is_near], self.halves[is_near])

    def overlap(
        self, points: NDArray[np.float64], halves: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return which of n further texts would lie on one of the boxes: (n,).

        ``points`` (n, 2) are the middles of the texts, ``halves`` half their sizes: (2,) if all are
        equally large, else (n, 2).
        """
        if not len(self.points):
            return np.zeros(len(points), np.bool_)
        # Two boxes overlap if their middles are nearer than their half sizes, across and down.
        if len(points) * len(self.points) <= MAX_PAIRS_AT_ONCE:
            halves_of_texts = np.broadcast_to(halves, points.shape)[:, None]
            distances = np.abs(points[:, None] - self.points)
            is_near = distances < halves_of_texts + self.halves
            return np.asarray(np.any(np.all(is_near, axis=2), axis=1))
        is_on_box = np.zeros(len(points), np.bool_)
        for point, half in zip(self.points, self.halves, strict=True):
            is_on_box |= (np.abs(points - point) < halves + half).all(axis=1)
        return is_on_box


NO_BOXES = TextBoxes(np.zeros((0, 2)), np.zeros((0, 2)))
"""The boxes of a map on which no text is drawn."""


def shifted_inward(
    points: NDArray[np.float64], halves: NDArray[np.float64], grid: Grid
) -> NDArray[np.float64]:
    """Return the middles (n, 2) of texts moved so that none reaches out of the map, if it has room.

    ``halves`` (n, 2) are half their extents. Both are in map units. A text that is wider than the
    map is centred on it.
    """
    left, top, right, bottom = grid.bounds
    middle = np.array(((left + right) / 2, (top + bottom) / 2))
    half_of_map = np.array(((right - left) / 2, (bottom - top) / 2))
    largest_distance = np.maximum(half_of_map - halves, 0.0)  # of a text from the middle of the map
    return np.clip(points, middle - largest_distance, middle + largest_distance)
