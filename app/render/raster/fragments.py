"""Draws pixmaps at many places with one call of Qt, ``QPainter.drawPixmapFragments``.

The painter's unit is one pixel of the pixmaps.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from operator import itemgetter
from typing import Any

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtGui import QPainter, QPixmap

FIELDS = 10
"""A ``QPainter::PixmapFragment`` is this many doubles: x and y of its middle, sourceLeft,
sourceTop, width, height, scaleX, scaleY, rotation, opacity.
"""

FROM_MIDDLE = slice(0, 2)
"""The fields of a fragment that say where its middle is."""

FEW = 3
"""Up to this many single calls are quicker than one for all."""

FEW_KEYS = 24
"""As ``FEW``, for pixmaps of several kinds."""

FEW_PREPARED = 1
"""As ``FEW``, for fragments that are made already."""

SIZE = slice(4, 6)
"""The fields of a fragment that say its width and height."""


def draw_fragments(
    painter: QPainter,
    pixmap: QPixmap,
    corners: NDArray[np.float64],
    opacity: NDArray[np.float64] | float = 1.0,
) -> None:
    """Draw ``pixmap`` with its left top corner at each of ``corners`` (n, 2), in whole pixels.

    ``opacity`` is one value, or one for each place (n,).
    """
    width = pixmap.width()
    height = pixmap.height()
    if len(corners) <= FEW and isinstance(opacity, float):
        for x, y in corners.tolist():
            painter.drawPixmap(int(x), int(y), width, height, pixmap)
        return
    fragments = np.empty((len(corners), FIELDS), np.float64)
    np.add(corners, (width / 2, height / 2), out=fragments[:, :2])
    fragments[:, 2:9] = (0, 0, width, height, 1, 1, 0)
    fragments[:, 9] = opacity
    _draw(painter, fragments, pixmap)


def draw_prepared(painter: QPainter, fragments: NDArray[np.float64], pixmap: QPixmap) -> None:
    """Draw parts of ``pixmap``: ``fragments`` (n, FIELDS), contiguous in memory."""
    if len(fragments) <= FEW_PREPARED:
        for x, y, left, top, width, height, *_ in fragments.tolist():
            corner = int(x - width / 2), int(y - height / 2)
            painter.drawPixmap(*corner, pixmap, int(left), int(top), int(width), int(height))
        return
    _draw(painter, fragments, pixmap)


def draw_by_key(
    painter: QPainter,
    keys: NDArray[np.int64],
    middles: NDArray[np.float64],
    pixmap_of: Callable[[int], QPixmap],
) -> None:
    """Draw the pixmap of each of ``keys`` (n,) around its point of ``middles`` (n, 2).

    They are drawn in the order of their keys, and moved to whole pixels. ``pixmap_of`` returns the
    pixmap of a key.
    """
    if len(keys) <= FEW_KEYS:
        keyed_points = zip(keys.tolist(), middles.tolist(), strict=True)
        for key, (x, y) in sorted(keyed_points, key=itemgetter(0)):
            pixmap = pixmap_of(key)
            width = pixmap.width()
            height = pixmap.height()
            corner = floor(x - width / 2 + 0.5), floor(y - height / 2 + 0.5)
            painter.drawPixmap(*corner, width, height, pixmap)
        return
    # Fragments ordered by key: those of one key lie together, and are one call of Qt.
    order = np.argsort(keys, kind="stable")
    ordered_keys = keys[order]
    ends = np.append(np.flatnonzero(np.diff(ordered_keys)) + 1, len(ordered_keys)).tolist()
    fragments = np.empty((len(keys), FIELDS), np.float64)
    fragments[:, FROM_MIDDLE] = middles[order]
    fragments[:, 2:] = (0, 0, 0, 0, 1, 1, 0, 1)  # the size is set below
    start = 0
    for end in ends:
        pixmap = pixmap_of(int(ordered_keys[start]))
        fragments_of_key = fragments[start:end]
        size = (pixmap.width(), pixmap.height())
        half = np.array(size) / 2
        corners = np.floor(fragments_of_key[:, FROM_MIDDLE] - half + 0.5)
        fragments_of_key[:, FROM_MIDDLE] = corners + half
        fragments_of_key[:, SIZE] = size
        _draw(painter, fragments_of_key, pixmap)
        start = end


def _draw(painter: QPainter, fragments: NDArray[np.float64], pixmap: QPixmap) -> None:
    """Hand over ``fragments`` (n, FIELDS), contiguous in memory, without copying them."""
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), pixmap)
