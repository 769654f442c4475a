"""The same picture in many places with one call: a frame's cells, marks and letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import shiboken6
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPixmap

FEW = 3
"""Up to so many single calls are quicker than one for all."""


def stamp(
    painter: QPainter,
    pixmap: QPixmap,
    corners: NDArray[np.float64],
    opacity: NDArray[np.float64] | float = 1.0,
) -> None:
    """Draw ``pixmap`` with its corner at each of the whole pixels ``corners``, shape (n, 2).

    The painter's unit is one pixel of the pixmap; ``opacity`` is one value, or one for each place.
    """
    width, height = pixmap.width(), pixmap.height()
    if len(corners) <= FEW and isinstance(opacity, float):
        for x, y in corners.tolist():
            painter.drawPixmap(int(x), int(y), width, height, pixmap)
        return
    # x, y, sourceLeft, sourceTop, width, height, scaleX, scaleY, rotation, opacity
    fragments = np.empty((len(corners), 10), np.float64)
    np.add(corners, (width / 2, height / 2), out=fragments[:, :2])
    fragments[:, 2:9] = (0, 0, width, height, 1, 1, 0)
    fragments[:, 9] = opacity
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), pixmap)


def groups(keys: NDArray[np.int64]) -> list[tuple[int, NDArray[np.intp]]]:
    """Each key that occurs, ascending, and its places in ascending order."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    cuts = np.flatnonzero(np.diff(sorted_keys)) + 1
    parts = np.split(order, cuts)
    return [(int(keys[part[0]]), part) for part in parts if len(part)]
