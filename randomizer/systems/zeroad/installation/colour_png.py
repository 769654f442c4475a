"""PNG files of colours, written without a library: for previews."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def colour_png(pixels: NDArray[np.uint8]) -> bytes:
    """The PNG file of (height, width, 3) values of red, green and blue."""
    height, width, _three = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    made = b"\x89PNG\r\n\x1a\n"
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    for kind, data in chunks:
        made += struct.pack(">I", len(data)) + kind + data
        made += struct.pack(">I", zlib.crc32(kind + data))
    return made
