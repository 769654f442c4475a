"""Writes PNG files in strips, so that only a strip of a large picture is in memory."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"

STRIP_BYTES = 4 * 1024 * 1024
"""The memory of a strip; most pictures are one strip."""

LEVEL = 6
"""The compression level of zlib."""


def strips(width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield the rows of a picture strip by strip, as (first, end)."""
    rows = max(1, STRIP_BYTES // (4 * width))
    for first in range(0, height, rows):
        yield first, min(first + rows, height)


class PngWriter:
    """A PNG of ``width`` x ``height`` opaque pixels that grows from top to bottom.

    ``pixels_per_mm`` is its true scale, 0 for none. Add all rows, then call ``finish``.
    """

    def __init__(self, width: int, height: int, pixels_per_mm: float = 0.0) -> None:
        self._above = np.zeros(3 * width, np.uint8)
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 15, 9, zlib.Z_FILTERED)
        # 8 bits a channel, red green blue, in one pass.
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        self._parts = [SIGNATURE, _chunk(b"IHDR", header)]
        if pixels_per_mm:
            density = round(pixels_per_mm * 1000)
            self._parts.append(_chunk(b"pHYs", struct.pack(">IIB", density, density, 1)))

    def add(self, strip: QImage) -> None:
        """Add the next rows, of the whole width."""
        rows = _rows(strip)
        # Filter type 2: each row as its difference to the one above.
        shifted = np.vstack([self._above[None], rows[:-1]])
        self._above = rows[-1].copy()
        filtered = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
        filtered[:, 0] = 2
        np.subtract(rows, shifted, out=filtered[:, 1:])
        packed = self._packer.compress(filtered.data)
        if packed:
            self._parts.append(_chunk(b"IDAT", packed))

    def finish(self) -> bytes:
        """Return the file."""
        self._parts += [_chunk(b"IDAT", self._packer.flush()), _chunk(b"IEND", b"")]
        return b"".join(self._parts)


def _rows(strip: QImage) -> NDArray[np.uint8]:
    """Return the pixels as red, green, blue: shape (height, 3 * width)."""
    image = strip.convertToFormat(QImage.Format.Format_RGB888)
    pixels = np.frombuffer(image.constBits(), np.uint8)
    rows = pixels.reshape(image.height(), image.bytesPerLine())[:, : 3 * image.width()]
    return rows.copy()  # the memory belongs to the image


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
