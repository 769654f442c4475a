"""The places that important texts and symbols take, so that others make way for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF


class TextBoxes(NamedTuple):
    """Boxes in map units: ``points`` (k, 2) are their middles, ``halves`` (k, 2) half their sizes.

    boxes = names.boxes(scale).joined(region_names.boxes(scale, names))
    free_points = points[~boxes.overlap(points, half_of_a_number)]
    """

    points: NDArray[np.float64]
    halves: NDArray[np.float64]

    def joined(self, other: TextBoxes) -> TextBoxes:
        """Return the boxes of both."""
        points = np.concatenate([self.points, other.points])
        return TextBoxes(points, np.concatenate([self.halves, other.halves]))

    def near(self, area: QRectF, reach: float) -> TextBoxes:
        """Return those that come as near as ``reach`` to an area; both are in map units."""
        first = np.array(area.topLeft().toTuple()) - reach
        last = np.array(area.bottomRight().toTuple()) + reach
        is_near = (self.points + self.halves >= first) & (self.points - self.halves <= last)
        is_box_near = is_near.all(axis=1)
        return TextBoxes(self.points[is_box_near], self.halves[is_box_near])

    def overlap(
        self, points: NDArray[np.float64], halves: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return which texts at ``points`` (n, 2) would lie on a box.

        ``halves`` (2,) or (n, 2) are half the sizes of the texts.
        """
        result = np.zeros(len(points), np.bool_)
        for point, half in zip(self.points, self.halves, strict=True):
            result |= (np.abs(points - point) < halves + half).all(axis=1)
        return result


NO_BOXES = TextBoxes(np.zeros((0, 2)), np.zeros((0, 2)))
