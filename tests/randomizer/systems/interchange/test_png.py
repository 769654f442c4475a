"""PNG files are read as the specification says: all filters, depths and kinds of colours."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from randomizer.systems.interchange.png import read_png, write_png


def paeth(left: int, above: int, corner: int) -> int:
    """The nearest of three bytes to left + above - corner, as the specification says it."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda each: abs(guess - each))


def filtered(rows: np.ndarray, step: int, filters: list[int]) -> bytes:
    """Rows of bytes, each with its filter before it."""
    result = bytearray()
    for y, row in enumerate(rows.tolist()):
        kind = filters[y % len(filters)]
        result.append(kind)
        for x, value in enumerate(row):
            left = row[x - step] if x >= step else 0
            above = int(rows[y - 1, x]) if y else 0
            corner = int(rows[y - 1, x - step]) if y and x >= step else 0
            guess = (0, left, above, (left + above) // 2, paeth(left, above, corner))[kind]
            result.append((value - guess) % 256)
    return bytes(result)


def png(
    size: tuple[int, int], depth: int, colour: int, raw: bytes, *more: tuple[bytes, bytes]
) -> bytes:
    """A PNG file whose pixels are in two chunks."""
    header = struct.pack(">IIBBBBB", *size, depth, colour, 0, 0, 0)
    packed = zlib.compress(raw)
    chunks = [
        (b"IHDR", header),
        *more,
        (b"IDAT", packed[:9]),
        (b"IDAT", packed[9:]),
        (b"IEND", b""),
    ]
    parts = (struct.pack(">I", len(data)) + kind + data + b"\0" * 4 for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize("filters", [[0], [1], [2], [3], [4], [4, 1, 3, 0, 2]])
@pytest.mark.parametrize(("colour", "channels"), [(0, 1), (2, 3), (4, 2), (6, 4)])
def test_every_filter_of_every_kind_of_colours(filters, colour, channels) -> None:
    height, width = 521, 5  # more rows than are worked out at once
    values = np.random.default_rng(colour).integers(0, 256, (height, width, channels), np.uint8)
    raw = filtered(values.reshape(height, -1), channels, filters)
    pixels = read_png(png((width, height), 8, colour, raw))
    expected = np.full((height, width, 4), 255, np.uint8)
    expected[:, :, :3] = values[:, :, : 3 if colour & 2 else 1]
    if colour & 4:
        expected[:, :, 3] = values[:, :, -1]
    assert (pixels == expected).all()
    assert (read_png(write_png(pixels)) == pixels).all()


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_palettes_have_colours_and_transparency(depth: int) -> None:
    palette = np.arange(48, dtype=np.uint8)
    values = np.arange(10).reshape(2, 5) % min(16, 2**depth)
    rows = []
    for row in values.tolist():
        bits = "".join(f"{value:0{depth}b}" for value in row)
        bits += "0" * (-len(bits) % 8)
        rows.append(b"\0" + bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)))
    more = ((b"PLTE", palette.tobytes()), (b"tRNS", b"\x00\x80"))
    pixels = read_png(png((5, 2), depth, 3, b"".join(rows), *more))
    assert (pixels[:, :, 0] == values * 3).all()
    assert (pixels[:, :, 3] == np.choose(values.clip(0, 2), (0, 0x80, 255))).all()


def test_one_colour_can_be_transparent_and_deep_colours_lose_their_lower_bytes() -> None:
    raw = b"\0" + bytes((10, 1, 20, 2, 30, 3, 10, 1, 20, 2, 31, 3))
    pixels = read_png(png((2, 1), 16, 2, raw, (b"tRNS", bytes((0x0A, 1, 0x14, 2, 0x1E, 3)))))
    assert pixels.tolist() == [[[10, 20, 30, 0], [10, 20, 31, 255]]]
    grey = read_png(png((4, 1), 2, 0, b"\0\x1b"))
    assert grey[0, :, 0].tolist() == [0, 85, 170, 255]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"GIF89a", "no PNG"),
        (png((2, 2), 8, 2, b"\0" * 6), "damaged"),
        (png((2, 1), 8, 2, b"\x09" + b"\0" * 6), "damaged"),
        (png((2, 1), 8, 3, b"\0\0\0"), "damaged"),  # no palette
        (png((2, 1), 8, 5, b"\0\0\0"), "damaged"),
        (png((2, 1), 3, 0, b"\0\0\0"), "are not read"),
        (png((2**20, 2**20), 8, 2, b""), "are not read"),
        (png((0, 4), 8, 2, b""), "are not read"),
        (png((2, 1), 8, 2, b"\0" * 7)[:40], "damaged"),
    ],
)
def test_others_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_png(data)
