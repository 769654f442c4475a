"""Writes PNG files in strips, so that only a strip of a large picture is in memory.

    writer = PngWriter(width, height)
    for first_row, end_row in strips(width, height):
        writer.add(...)                  # an image of these rows
    data = writer.finish()

Qt writes whole images only; ``export`` draws its large pictures with this. The format is that of
the PNG specification (W3C)::

    signature
    chunk IHDR    width, height, kind of pixels
    chunk pHYs    pixels a metre, where the picture has a true scale
    chunk IDAT    rows, compressed by zlib; the next IDAT goes on in the same stream
    chunk IEND

Before it is compressed a row is *filtered*: it becomes its differences from the row above, which
are mostly 0 in maps and so take less room.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG."""

STRIP_BYTES = 4 * 1024 * 1024
"""The memory of a strip; most pictures are one strip.

If it is larger, a picture needs more memory; if it is smaller, more pieces are drawn twice, at the
edges of strips.
"""

LEVEL = 6
"""The compression level of zlib, from 1 (fast) to 9 (small); 6 is its default."""

_CHANNELS = 3
"""The bytes of a pixel in the file: red, green and blue."""

_BYTES_IN_MEMORY = 4
"""The bytes of a pixel of the strip that is drawn: Qt's format is of 32 bits."""

_FILTER_UP = 2
"""The filter of a row that holds its differences to the row above."""

_WINDOW_BITS = 15
"""The size of zlib's window as a power of two: its largest."""

_MEMORY_LEVEL = 9
"""The size of zlib's tables, from 1 to 9: the largest are the fastest."""


def strips(width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield the rows of a picture strip by strip, as (first, end)."""
    rows = max(1, STRIP_BYTES // (_BYTES_IN_MEMORY * width))
    for first in range(0, height, rows):
        yield first, min(first + rows, height)


class PngWriter:
    """A PNG of ``width`` x ``height`` opaque pixels that grows from top to bottom.

    ``pixels_per_mm`` is its true scale, None if it has none. Add all rows, then call ``finish``.
    """

    def __init__(self, width: int, height: int, pixels_per_mm: float | None = None) -> None:
        self._rows_left = height
        """The number of rows that are still to be added."""
        self._last_row = np.zeros(_CHANNELS * width, np.uint8)
        """The last row of the strip before; zeros above the first strip, as the filter has it."""
        self._packer = zlib.compressobj(
            LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_FILTERED
        )
        # 8 bits a channel, colour type 2 (red, green, blue), and 0 for the only compression, the
        # only set of filters, and no interlacing.
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        self._parts = [SIGNATURE, _chunk(b"IHDR", header)]
        """The parts of the file so far."""
        if pixels_per_mm is not None:
            pixels_per_metre = round(pixels_per_mm * 1000)
            # The last number, 1, says that the unit is the metre.
            scale = struct.pack(">IIB", pixels_per_metre, pixels_per_metre, 1)
            self._parts.append(_chunk(b"pHYs", scale))

    def add(self, strip: QImage) -> None:
        """Add the next rows, of the whole width."""
        rows = _rows(strip)
        self._rows_left -= len(rows)
        rows_above = np.vstack([self._last_row[None], rows[:-1]])
        self._last_row = rows[-1].copy()
        # Each row begins with the number of its filter. Differences are modulo 256, as uint8 is.
        filtered = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
        filtered[:, 0] = _FILTER_UP
        np.subtract(rows, rows_above, out=filtered[:, 1:])
        packed = self._packer.compress(filtered.data)
        if packed:
            self._parts.append(_chunk(b"IDAT", packed))

    def finish(self) -> bytes:
        """End the file, of which all rows were added, and return it; to be called once."""
        assert self._rows_left == 0, "each row is added once"
        self._parts += [_chunk(b"IDAT", self._packer.flush()), _chunk(b"IEND", b"")]
        return b"".join(self._parts)


def _rows(strip: QImage) -> NDArray[np.uint8]:
    """Return the pixels as red, green, blue: shape (height, 3 * width)."""
    image = strip.convertToFormat(QImage.Format.Format_RGB888)
    pixels = np.frombuffer(image.constBits(), np.uint8)
    # Qt pads each line to a multiple of four bytes.
    rows = pixels.reshape(image.height(), image.bytesPerLine())[:, : _CHANNELS * image.width()]
    return rows.copy()  # the memory belongs to the image


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk: the length of its data, its kind, the data, and a checksum of both."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
