"""Draws pixmaps at many positions with one call of Qt, ``QPainter.drawPixmapFragments``.

A *fragment* (``QPainter::PixmapFragment``) is a part of a pixmap with the position where it is
drawn. In Python each would be an object; here all are one array with a row of ``FIELDS`` doubles
for each, which is the memory that Qt reads. So a frame can draw many thousands of them::

    draw_fragments(painter, pixmap, corners)              # one pixmap at n positions
    draw_by_key(painter, keys, middles, pixmap_of)        # a few pixmaps, chosen by a key
    draw_prepared(painter, fragments, atlas_pixmap)       # parts of one pixmap; the caller made
                                                          # the array
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
"""The doubles of a ``QPainter::PixmapFragment``.

They are, in this order: x, y (its middle on the painter), sourceLeft, sourceTop, width, height (the
part of the pixmap), scaleX, scaleY, rotation, opacity.
"""

MIDDLE = slice(0, 2)
"""The fields x and y."""

SOURCE = slice(2, 6)
"""The fields sourceLeft, sourceTop, width and height: the part of the pixmap."""

SOURCE_CORNER = slice(2, 4)
"""The fields sourceLeft and sourceTop."""

SIZE = slice(4, 6)
"""The fields width and height."""

OPACITY = 9
"""The field opacity."""

HALF_PIXEL = 0.5
"""What is added before ``floor`` rounds to the nearest pixel."""

AFTER_MIDDLE = slice(2, FIELDS)
"""The fields after x and y."""

PLAIN_FIELDS = (0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0)
"""The fields after x and y of a fragment that is neither scaled nor turned, and opaque.

Its part of the pixmap begins at the left top corner, and has no size yet: ``SIZE`` is set next.
"""

SINGLE_CALLS_OF_PIXMAP = 3
"""At up to this many positions ``draw_fragments`` draws quicker by single calls of Qt."""

SINGLE_CALLS_BY_KEY = 24
"""At up to this many positions ``draw_by_key`` draws quicker by single calls.

There are more of them than elsewhere, since it has to sort before it can draw all at once.
"""

SINGLE_CALLS_PREPARED = 1
"""Up to this many fragments ``draw_prepared`` draws quicker by single calls: its array is there."""


def draw_fragments(
    painter: QPainter,
    pixmap: QPixmap,
    corners: NDArray[np.float64],
    opacity: NDArray[np.float64] | float = 1.0,
) -> None:
    """Draw ``pixmap`` with its left top corner at each of ``corners`` (n, 2), in whole pixels.

    ``opacity`` is one value for all positions, or an array (n,) with one for each; the float 1.0 is
    the quickest.
    """
    width = pixmap.width()
    height = pixmap.height()
    is_opaque = isinstance(opacity, float) and opacity == 1.0
    if is_opaque and len(corners) <= SINGLE_CALLS_OF_PIXMAP:
        for x, y in corners.tolist():
            painter.drawPixmap(int(x), int(y), width, height, pixmap)
        return
    fragments = np.empty((len(corners), FIELDS), np.float64)
    np.add(corners, (width / 2, height / 2), out=fragments[:, MIDDLE])
    fragments[:, AFTER_MIDDLE] = PLAIN_FIELDS
    fragments[:, SIZE] = (width, height)
    fragments[:, OPACITY] = opacity
    _draw(painter, fragments, pixmap)


def draw_prepared(painter: QPainter, fragments: NDArray[np.float64], pixmap: QPixmap) -> None:
    """Draw parts of ``pixmap``: ``fragments`` (n, FIELDS), contiguous in memory.

    They must be opaque, neither scaled nor turned, and lie at whole pixels.
    """
    if len(fragments) <= SINGLE_CALLS_PREPARED:
        for x, y, source_left, source_top, width, height, *_ in fragments.tolist():
            left = int(x - width / 2)
            top = int(y - height / 2)
            source = (int(source_left), int(source_top), int(width), int(height))
            painter.drawPixmap(left, top, pixmap, *source)
        return
    _draw(painter, fragments, pixmap)


def draw_by_key(
    painter: QPainter,
    keys: NDArray[np.int64],
    middles: NDArray[np.float64],
    pixmap_of: Callable[[int], QPixmap],
) -> None:
    """Draw the pixmap of each of ``keys`` (n,) around its point of ``middles`` (n, 2).

    They are drawn in the order of their keys, those with the same key in the order given.
    ``pixmap_of`` returns the pixmap of a key. Pixmaps are moved to whole pixels, by ``floor`` of
    the coordinate + ``HALF_PIXEL``: unlike ``round`` it rounds all halves up, so that equal pixmaps
    in a row stay equally far apart.
    """
    if len(keys) <= SINGLE_CALLS_BY_KEY:
        keyed_points = zip(keys.tolist(), middles.tolist(), strict=True)
        for key, (x, y) in sorted(keyed_points, key=itemgetter(0)):
            pixmap = pixmap_of(key)
            width = pixmap.width()
            height = pixmap.height()
            left = floor(x - width / 2 + HALF_PIXEL)
            top = floor(y - height / 2 + HALF_PIXEL)
            painter.drawPixmap(left, top, width, height, pixmap)
        return

    # Fragments ordered by key: those of one key follow one another, and are drawn by one call.
    order = np.argsort(keys, kind="stable")
    ordered_keys = keys[order]
    fragments = np.empty((len(keys), FIELDS), np.float64)
    fragments[:, MIDDLE] = middles[order]
    fragments[:, AFTER_MIDDLE] = PLAIN_FIELDS

    ends = np.append(np.flatnonzero(np.diff(ordered_keys)) + 1, len(ordered_keys)).tolist()
    start = 0
    for end in ends:
        pixmap = pixmap_of(int(ordered_keys[start]))
        fragments_of_key = fragments[start:end]  # a view: what is set here is set in the array
        size = (pixmap.width(), pixmap.height())
        half_size = np.array(size) / 2
        corners = np.floor(fragments_of_key[:, MIDDLE] - half_size + HALF_PIXEL)
        fragments_of_key[:, MIDDLE] = corners + half_size
        fragments_of_key[:, SIZE] = size
        _draw(painter, fragments_of_key, pixmap)
        start = end


def _draw(painter: QPainter, fragments: NDArray[np.float64], pixmap: QPixmap) -> None:
    """Draw all ``fragments`` (n, FIELDS), contiguous in memory, without copying them.

    Qt's function takes the address of the first of n fragments in C++. PySide passes an object on
    as its address, so this is given an object whose memory is that of the array.
    """
    # Not ``fragments.ctypes.data``, which imports modules each time.
    address, _is_read_only = fragments.__array_interface__["data"]
    first: Any = shiboken6.wrapInstance(address, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(fragments), pixmap)
