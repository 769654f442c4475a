"""PNG files as arrays of red, green, blue and alpha, for pictures of tiles; the core has no Qt.

pixels = read_png(data)            # (height, width, 4) uint8; ValueError for what is none
write_png(pixels[:32, :32])
"""

from __future__ import annotations

import struct
import zlib
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

MOST_PIXELS = 2**24
"""Of a picture: more take too much memory."""

_BAND = 512

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def read_png(data: bytes) -> Pixels:
    """Return the pixels of a PNG. Raises ValueError for a damaged, interlaced or large one."""
    try:
        return _read(data)
    except (struct.error, zlib.error, IndexError, KeyError) as failed:
        raise ValueError("it is damaged") from failed


def _read(data: bytes) -> Pixels:
    if not data.startswith(_SIGNATURE):
        raise ValueError("it is no PNG")
    parts = defaultdict[bytes, list[bytes]](list)
    at = len(_SIGNATURE)
    while at + 12 <= len(data) and b"IEND" not in parts:
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        parts[kind].append(data[at + 8 : at + 8 + size])
        at += size + 12
    chunks = {kind: b"".join(each) for kind, each in parts.items()}
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if not 0 < width * height <= MOST_PIXELS or interlaced or depth not in (1, 2, 4, 8, 16):
        raise ValueError(f"{width:,} x {height:,} pixels of this kind are not read")
    channels = _CHANNELS[colour]
    stride, step = (width * channels * depth + 7) // 8, max(1, channels * depth // 8)
    raw = zlib.decompressobj().decompress(chunks[b"IDAT"], height * (stride + 1))
    if len(raw) < height * (stride + 1):
        raise ValueError("it is damaged")
    rows = np.frombuffer(raw, np.uint8).reshape(height, stride + 1)
    values = _samples(_unfiltered(rows[:, 1:], rows[:, 0], step), width * channels, depth)
    return _coloured(values.reshape(height, width, channels), depth, colour, chunks)


def _unfiltered(rows: Pixels, filters: Pixels, step: int) -> Pixels:
    """The bytes of rows without the filter of each.

    A byte depends on those to the left, above, and above to the left (``step`` bytes are a pixel):
    all bytes of a diagonal are worked out at once, of ``_BAND`` rows.
    """
    height, stride = rows.shape
    if filters.max() > 4:
        raise ValueError("it is damaged")
    if not filters.any():
        return rows
    columns = -(-stride // step)
    result = np.zeros((height + 1, columns, step), np.int16)
    result[1:].reshape(height, -1)[:, :stride] = rows
    for top in range(0, height, _BAND):
        band = result[top : top + _BAND + 1]
        count = len(band) - 1
        diagonals = np.zeros((columns + count + 2, count + 1, step), np.int16)  # [x + y + 2, y]
        for y in range(count + 1):
            diagonals[y + 2 : y + 2 + columns, y] = band[y]
        kinds = np.repeat(filters[top : top + count, None], step, axis=1)
        masks = [(kinds == kind).astype(np.int16) for kind in range(1, 5)]
        for at in range(3, columns + count + 2):
            first, last = max(1, at - columns - 1), min(count, at - 2) + 1
            left, above = diagonals[at - 1, first:last], diagonals[at - 1, first - 1 : last - 1]
            corner = diagonals[at - 2, first - 1 : last - 1]
            far_left, far_above = np.abs(above - corner), np.abs(left - corner)
            far_corner = np.abs(left + above - 2 * corner)
            paeth = np.where(far_above <= far_corner, above, corner)
            paeth = np.where((far_left <= far_above) & (far_left <= far_corner), left, paeth)
            guesses = (left, above, (left + above) >> 1, paeth)
            for mask, guess in zip(masks, guesses, strict=True):
                diagonals[at, first:last] += mask[first - 1 : last - 1] * guess
            diagonals[at, first:last] &= 0xFF
        for y in range(1, count + 1):
            band[y] = diagonals[y + 2 : y + 2 + columns, y]
    return result[1:].reshape(height, -1)[:, :stride].astype(np.uint8)


def _samples(rows: Pixels, count: int, depth: int) -> Pixels:
    """The values of rows of bytes, ``count`` in each; of two bytes the first."""
    if depth == 16:
        return rows[:, ::2]
    if depth == 8:
        return rows
    bits = np.unpackbits(rows, axis=1).reshape(len(rows), -1, depth)
    values: Pixels = np.packbits(bits, axis=2).squeeze(2)[:, :count] >> np.uint8(8 - depth)
    return values


def _coloured(values: Pixels, depth: int, colour: int, chunks: dict[bytes, bytes]) -> Pixels:
    clear = chunks.get(b"tRNS", b"")
    if colour == 3:
        palette = np.zeros((256, 4), np.uint8)
        colours = np.frombuffer(chunks[b"PLTE"][: 3 * 256], np.uint8)
        palette[: len(colours) // 3, :3] = colours[: len(colours) // 3 * 3].reshape(-1, 3)
        palette[:, 3] = 255
        palette[: len(clear[:256]), 3] = np.frombuffer(clear[:256], np.uint8)
        return palette[values[:, :, 0]]
    pixels = np.full((*values.shape[:2], 4), 255, np.uint8)
    scaled = values * (255 // (2**depth - 1)) if depth < 8 else values
    pixels[:, :, :3] = scaled[:, :, : 3 if colour & 2 else 1]
    if colour & 4:
        pixels[:, :, 3] = values[:, :, -1]
    elif clear:
        each = [clear[at] if depth == 16 else clear[at + 1] for at in range(0, len(clear) - 1, 2)]
        pixels[(values == np.array(each[: values.shape[2]], np.uint8)).all(axis=2), 3] = 0
    return pixels


def write_png(pixels: Pixels) -> bytes:
    """Return the PNG of (height, width, 4) values of red, green, blue and alpha."""
    height, width, _four = pixels.shape
    rows = np.zeros((height, 1 + 4 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
