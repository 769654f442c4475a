"""The same picture in many places with one call: a frame's cells, marks and letters."""

from __future__ import annotations

from math import floor
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import shiboken6
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from PySide6.QtGui import QPixmap

    from app.render.raster.cell_sheet import CellSheet

FIELDS = 10
"""A fragment: x, y, sourceLeft, sourceTop, width, height, scaleX, scaleY, rotation, opacity."""

FEW = 3
"""Up to so many single calls are quicker than one for all."""

FEW_KEYS = 24
"""As ``FEW``, for pictures of several kinds."""


def draw_fragments(
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
    fragments = np.empty((len(corners), FIELDS), np.float64)
    np.add(corners, (width / 2, height / 2), out=fragments[:, :2])
    fragments[:, 2:9] = (0, 0, width, height, 1, 1, 0)
    fragments[:, 9] = opacity
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), pixmap)


def stamp_from(
    painter: QPainter,
    sheet: CellSheet,
    sources: NDArray[np.float64],
    corners: NDArray[np.float64],
) -> None:
    """Draw sprites of a sheet: ``sources`` are corners on it, ``corners`` whole pixels, (n, 2)."""
    fragments = np.empty((len(corners), FIELDS), np.float64)
    np.add(corners, (sheet.width / 2, sheet.height / 2), out=fragments[:, :2])
    fragments[:, 2:4] = sources
    fragments[:, 4:] = (sheet.width, sheet.height, 1, 1, 0, 1)
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), sheet.pixmap)


def draw_by_key(
    painter: QPainter,
    keys: NDArray[np.int64],
    points: NDArray[np.float64],
    pixmap_of: Callable[[int], QPixmap | None],
    *,
    centred: bool = False,
) -> None:
    """``draw_fragments`` for each key that occurs, ascending; ``keys`` (n,), ``points`` (n, 2).

    Points are whole pixels, the corners of pictures, or (``centred``) any points, their middles.
    ``pixmap_of`` may give None: nothing is drawn.
    """
    if len(keys) <= FEW_KEYS:
        for key, (x, y) in sorted(
            zip(keys.tolist(), points.tolist(), strict=True), key=itemgetter(0)
        ):
            pixmap = pixmap_of(key)
            if pixmap is not None:
                width, height = pixmap.width(), pixmap.height()
                if centred:
                    x, y = floor(x - width / 2 + 0.5), floor(y - height / 2 + 0.5)
                painter.drawPixmap(int(x), int(y), width, height, pixmap)
        return
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ends = np.append(np.flatnonzero(np.diff(ordered)) + 1, len(ordered)).tolist()
    fragments = np.empty((len(keys), FIELDS), np.float64)
    fragments[:, :2] = points[order]
    fragments[:, 2:] = (0, 0, 0, 0, 1, 1, 0, 1)
    start, address = 0, fragments.ctypes.data
    for end in ends:
        pixmap = pixmap_of(int(ordered[start])) if end > start else None
        if pixmap is not None:
            size = (pixmap.width(), pixmap.height())
            middle = (size[0] / 2, size[1] / 2)
            part = fragments[start:end]
            if centred:
                np.floor(part[:, :2] - (middle[0] - 0.5, middle[1] - 0.5), out=part[:, :2])
            part[:, :2] += middle
            part[:, 4:6] = size
            first: Any = shiboken6.wrapInstance(
                address + start * FIELDS * 8, QPainter.PixmapFragment
            )
            painter.drawPixmapFragments(first, end - start, pixmap)
        start = end


def groups(keys: NDArray[np.int64]) -> list[tuple[int, NDArray[np.intp]]]:
    """Each key that occurs, ascending, and its places in ascending order."""
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    cuts = np.flatnonzero(np.diff(sorted_keys)) + 1
    parts = np.split(order, cuts)
    return [(int(keys[part[0]]), part) for part in parts if len(part)]
