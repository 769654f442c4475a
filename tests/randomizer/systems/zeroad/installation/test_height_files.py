"""Height maps that scripts load: greyscale pictures of every kind, and PMP terrains."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.height_files import (
    grey_of_png,
    heights_of_picture,
    terrain_of_pmp,
)


def png(
    rows: list[bytes], width: int, depth: int = 8, colour: int = 0, interlaced: int = 0
) -> bytes:
    """A PNG file whose rows have their filter first."""
    header = struct.pack(">IIBBBBB", width, len(rows), depth, colour, 0, 0, interlaced)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")]
    made = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        made += struct.pack(">I", len(data)) + kind + data
        made += struct.pack(">I", zlib.crc32(kind + data))
    return made


def filtered(pixels: NDArray[np.uint8], kinds: list[int], step: int) -> list[bytes]:
    """Rows filtered by the formulas of the specification, one kind of filter a row."""
    height, stride = pixels.shape
    at = np.zeros((height + 1, stride + step), int)
    at[1:, step:] = pixels
    rows = []
    for y, kind in enumerate(kinds, start=1):
        row = bytearray([kind])
        for x in range(step, stride + step):
            left = at[y, x - step]
            up = at[y - 1, x]
            corner = at[y - 1, x - step]
            estimate = left + up - corner
            nearest = min((left, up, corner), key=lambda each: abs(estimate - each))
            guess = [0, left, up, (left + up) // 2, nearest][kind]
            row.append((at[y, x] - guess) % 256)
        rows.append(bytes(row))
    return rows


@given(
    data=st.data(),
    kinds=st.lists(st.integers(0, 4), min_size=1, max_size=6),
    colour=st.sampled_from([0, 2, 4, 6]),
    width=st.integers(1, 6),
)
@settings(max_examples=40, deadline=None)
def test_every_filter_is_undone(
    data: st.DataObject, kinds: list[int], colour: int, width: int
) -> None:
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    count = len(kinds) * width * channels
    values = np.frombuffer(data.draw(st.binary(min_size=count, max_size=count)), np.uint8)
    pixels = values.reshape(len(kinds), width * channels)
    grey = grey_of_png(png(filtered(pixels, kinds, channels), width, 8, colour))
    assert grey is not None
    coloured = pixels.reshape(len(kinds), width, channels)[
        ..., : {2: 1, 4: 3}.get(channels, channels)
    ]
    assert np.array_equal(grey, coloured.max(axis=2))


def test_few_bits_and_many_are_eight() -> None:
    assert grey_of_png(png([b"\0\xa0"], 4, 1)).tolist() == [[255, 0, 255, 0]]  # type: ignore[union-attr]
    assert grey_of_png(png([b"\0\x1b"], 4, 2)).tolist() == [[0, 85, 170, 255]]  # type: ignore[union-attr]
    assert grey_of_png(png([b"\0\x1f"], 2, 4)).tolist() == [[17, 255]]  # type: ignore[union-attr]
    assert grey_of_png(png([b"\0\x12\x34"], 1, 16)).tolist() == [[0x12]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        png([b"\0\0"], 1)[:-30],
        png([b"\0\0"], 1, interlaced=1),
        png([b"\0\0"], 1, colour=3),
        png([b"\5\0"], 1),
        png([b"\0\0"], 2),
        png([], 1),
        png([b"\0\0"], 2**31),
    ],
)
def test_what_is_no_such_picture_is_nothing(data: bytes) -> None:
    assert grey_of_png(data) is None
    assert heights_of_picture(data) is None


def test_heights_are_whole_patches_from_the_south_with_the_last_twice() -> None:
    pixels = np.arange(20 * 17, dtype=np.uint32).reshape(20, 17).astype(np.uint8)
    heights = heights_of_picture(png([b"\0" + row.tobytes() for row in pixels], 17))
    assert heights is not None
    square = heights.reshape(17, 17)
    assert square[16, :16].tolist() == [256 * int(value) for value in pixels[0, :16]]
    assert square[1].tolist() == square[0].tolist()  # the south: the picture's row 15, twice
    assert square[0, 16] == square[0, 15] == 256 * int(pixels[15, 15])


def test_a_picture_smaller_than_a_patch_has_no_heights() -> None:
    assert heights_of_picture(png([b"\0\0"] * 20, 1)) is None


def pmp(patches: int = 2, version: int = 7) -> bytes:
    side = patches * 16
    heights = np.arange((side + 1) ** 2, dtype="<u2")
    data = heights.tobytes() + struct.pack("<I", 2)
    for name in (b"grass", "Dünen".encode()):
        data += struct.pack("<I", len(name)) + name
    for patch_z in range(patches):
        for patch_x in range(patches):
            for z in range(16):
                for x in range(16):
                    number = (patch_z * 16 + z) * side + patch_x * 16 + x
                    data += struct.pack("<HHI", number, 0xFFFF, 0)
    return struct.pack("<4sIII", b"PSMP", version, len(data), patches) + data


def test_a_terrain_has_heights_by_rows_and_textures_by_columns() -> None:
    terrain = terrain_of_pmp(pmp())
    assert terrain is not None
    assert terrain["textureNames"] == ["grass", "Dünen"]
    assert terrain["height"] == list(range(33 * 33))
    assert terrain["textureIDs"][3 * 32 + 20] == 20 * 32 + 3  # x 3, z 20


@pytest.mark.parametrize(
    "data", [b"", b"PSMP", pmp(version=6), pmp()[:-1], pmp()[:40], pmp(1)[:1000], b"X" + pmp(1)[1:]]
)
def test_what_is_no_terrain_is_nothing(data: bytes) -> None:
    assert terrain_of_pmp(data) is None
