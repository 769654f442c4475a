"""Previews: PNG files as they are, textures of packaged games as PNG files."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.mod_paths import PREVIEWS
from randomizer.systems.zeroad.installation.preview_picture import (
    SHOWN,
    colour_png,
    pixels_of_dds,
    preview_of,
)

RED = 0xF800
BLUE = 0x001F


def dds(blocks: list[bytes], width: int = 4, height: int = 4, kind: bytes = b"DXT1") -> bytes:
    header = struct.pack("<4sIIII", b"DDS ", 124, 0, height, width).ljust(84, b"\0") + kind
    return header.ljust(128, b"\0") + b"".join(blocks)


def block(first: int, second: int, codes: list[int]) -> bytes:
    packed = sum(code << (2 * place) for place, code in enumerate(codes))
    return struct.pack("<HHI", first, second, packed)


CODES = [0, 1, 2, 3] + [0] * 12


def colours(data: bytes) -> list[list[int]]:
    pixels = pixels_of_dds(data)
    assert pixels is not None
    found: list[list[int]] = pixels[0].tolist()
    return found


def test_a_block_has_two_colours_and_two_between() -> None:
    assert colours(dds([block(RED, BLUE, CODES)])) == [
        [255, 0, 0],
        [0, 0, 255],
        [170, 0, 85],
        [85, 0, 170],
    ]


def test_a_block_with_the_colours_the_other_way_has_one_between_and_black() -> None:
    assert colours(dds([block(BLUE, RED, CODES)]))[2:] == [[127, 0, 127], [0, 0, 0]]
    with_alpha = dds([bytes(8) + block(BLUE, RED, CODES)], kind=b"DXT5")
    assert colours(with_alpha)[2:] == [[85, 0, 170], [170, 0, 85]]


def test_blocks_lie_row_by_row() -> None:
    blocks = [block(colour, 0, [0] * 16) for colour in (RED, BLUE, 0x07E0, 0xFFFF)]
    pixels = pixels_of_dds(dds(blocks, 8, 8))
    assert pixels is not None
    assert pixels[::4, ::4].tolist() == [[[255, 0, 0], [0, 0, 255]], [[0, 255, 0], [255] * 3]]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"DDS " * 40,
        dds([block(RED, BLUE, CODES)])[:-1],
        dds([block(RED, BLUE, CODES)], kind=b"DX10"),
        dds([block(RED, BLUE, CODES)], width=3),
        dds([block(RED, BLUE, CODES)], width=0),
        dds([block(RED, BLUE, CODES)], width=2**31, height=2**31),
    ],
)
def test_what_is_no_such_texture_is_nothing(data: bytes) -> None:
    assert pixels_of_dds(data) is None


def read_png(data: bytes) -> NDArray[np.uint8]:
    width, height = struct.unpack_from(">II", data, 16)
    start = data.index(b"IDAT")
    (length,) = struct.unpack_from(">I", data, start - 4)
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + length]), np.uint8)
    return rows.reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def test_a_texture_becomes_a_png_of_the_part_that_is_shown() -> None:
    texture = dds([block(RED, BLUE, [1] * 16)] * 128 * 128, 512, 512)
    files = {
        f"{PREVIEWS}a.png.cached.dds": texture,
        f"{PREVIEWS}b.png": b"\x89PNG...",
        f"{PREVIEWS}c.png": b"x",
    }
    picture = preview_of(files.get, "a.png")
    assert picture is not None
    pixels = read_png(picture)
    assert pixels.shape == (SHOWN[1], SHOWN[0], 3)
    assert (pixels == (0, 0, 255)).all()
    assert preview_of(files.get, "b.png") == b"\x89PNG..."
    assert preview_of(files.get, "c.png") is None
    assert preview_of(files.get, "none.png") is None


def test_a_written_png_is_read_again() -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(read_png(colour_png(pixels)), pixels)
