"""Connected areas of marked cells, of many maps at once.

Numbers of cells are those of ``original.py``: m cells, and m for everything off the map. Areas are
told by *labels*: all cells of an area have the lowest of their numbers as label, cells that are not
marked have m. On a row of five cells (m is 5)::

    marks     1 1 0 1 0 | 0        the last is off the map
    labels    0 0 5 3 5 | 5        two areas: cells 0 and 1, and cell 3
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]


def area_labels(marks: Marks, neighbours: Ints, barred: Marks | None = None) -> Ints:
    """Return the labels (n, m + 1) of the marked cells (n, m + 1) of n maps.

    ``neighbours`` (m + 1, degree) are those of each cell; ``barred`` (n, m, degree) marks the sides
    across which cells are not connected, None if there are none.
    """
    # Each cell takes the lowest label of its neighbours, and then that of the cell that its label
    # names, until nothing changes: labels travel through an area in leaps, not step by step.
    off_map = marks.shape[1] - 1
    labels = np.where(marks, np.arange(off_map + 1), off_map)
    maps = np.arange(len(marks))[:, None]
    while True:
        old_labels = labels
        for side in range(neighbours.shape[1]):
            neighbour_labels = labels[:, neighbours[:, side]]
            if barred is not None:
                neighbour_labels[:, :-1][barred[:, :, side]] = off_map
            labels = np.where(marks, np.minimum(labels, neighbour_labels), off_map)
        labels = labels[maps, labels]
        if np.array_equal(old_labels, labels):
            return labels


def area_counts(labels: Ints) -> Ints:
    """Return the number of areas of each map, (n,), by the labels of its cells (n, m + 1)."""
    # The cell with the lowest number of an area is the one whose label is its own number.
    cell_count = labels.shape[1] - 1
    is_first_of_area = labels[:, :-1] == np.arange(cell_count)
    return np.asarray(is_first_of_area.sum(axis=1))
