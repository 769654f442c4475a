"""The boxes that important texts and symbols fill on a map, so that lesser texts stay off them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF


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
        return TextBoxes(points, np.concatenate([self.halves, other.halves]))

    def near(self, area: QRectF, reach: float) -> TextBoxes:
        """Return the boxes that come as near as ``reach``, in map units, to an area."""
        first = np.array(area.topLeft().toTuple()) - reach
        last = np.array(area.bottomRight().toTuple()) + reach
        is_near = (self.points + self.halves >= first) & (self.points - self.halves <= last)
        is_box_near = is_near.all(axis=1)
        return TextBoxes(self.points[is_box_near], self.halves[is_box_near])

    def overlap(
        self, points: NDArray[np.float64], halves: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return which of n further texts would lie on one of the boxes: (n,).

        ``points`` (n, 2) are the middles of the texts, ``halves`` half their sizes: (2,) if all are
        equally large, else (n, 2).
        """
        is_on_box = np.zeros(len(points), np.bool_)
        for point, half in zip(self.points, self.halves, strict=True):
            # Two boxes overlap if their middles are nearer than their half sizes, across and down.
            is_on_box |= (np.abs(points - point) < halves + half).all(axis=1)
        return is_on_box


NO_BOXES = TextBoxes(np.zeros((0, 2)), np.zeros((0, 2)))
"""The boxes of a map on which no text is drawn."""
