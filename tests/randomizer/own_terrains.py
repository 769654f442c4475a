"""Terrain sets of a user's own for tests, with pictures.

``own_terrains`` is a Hypothesis strategy of any such set; ``png`` makes a picture of one colour.
"""

from __future__ import annotations

import struct
import zlib

from hypothesis import strategies as st

from randomizer.model.records.assets import asset_digest, assets_of, only
from randomizer.model.terrain.terrain import (
    MAX_WAYS,
    WAY_STYLES,
    Hexside,
    Terrain,
    TerrainSet,
    Way,
)
from randomizer.storage.files.terrain_files import OwnTerrains


def png(width: int, height: int, colour: tuple[int, int, int] = (200, 60, 120)) -> bytes:
    """Return a PNG of one colour (red, green, blue).

    One of a million pixels or more has only its header, for tests of what is too large.
    """
    rows = b""
    if width * height < 2**20:
        row = b"\0" + bytes(colour) * width  # 0: the row is not filtered
        rows = row * height
    # 8 bits a channel, colour type 2 (red, green, blue), and the usual compression and filters.
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG: length, kind, body and checksum."""
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


PNG = png(8, 6)
"""A small picture."""

PICTURES = {asset_digest(data): data for data in (PNG, png(3, 3, (0, 90, 200)))}
"""The pictures that terrains can have, by their digests."""

_NAMES = st.text("ABab é☃", min_size=1, max_size=6).filter(lambda text: text == text.strip())
_COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
_COSTS = st.none() | st.floats(0.25, 1000)
_LINES = st.sampled_from(("", "Wet ground; slow.", "“No”"))

_TERRAINS = st.builds(
    Terrain,
    name=_NAMES,
    colour=_COLOURS,
    description=_LINES,
    ground=st.sampled_from(("", "Snow")),
    hinders=st.sampled_from(("", "slows")),
    water=st.booleans(),
    body=st.booleans(),
    code=st.sampled_from(("", "Gg", "17")),
    cost=_COSTS,
    priority=st.none() | st.integers(-9, 9),
    asset=st.sampled_from(("", *PICTURES)),
    pattern=st.sampled_from(("", "dots")),
    order=st.integers(-5, 5),
)
_WAYS = st.builds(
    Way,
    name=_NAMES,
    style=st.sampled_from(WAY_STYLES),
    colour=_COLOURS,
    width=st.floats(0.25, 4),
    cost=_COSTS,
)


_LETTERS = "abc"
_HEXSIDES = st.builds(Hexside, name=_NAMES, letter=st.just("x"), colour=_COLOURS)


def _unique(entries: st.SearchStrategy, *, least: int, most: int) -> st.SearchStrategy:
    """Return lists of entries of a terrain set, all of different names."""
    return st.lists(entries, min_size=least, max_size=most, unique_by=lambda entry: entry.name)


@st.composite
def own_terrains(draw: st.DrawFn) -> OwnTerrains:
    """Return any set, with the pictures that it names."""
    # Letters of hexsides are unique in a set, so they are given one by one.
    hexsides = []
    drawn_hexsides = draw(_unique(_HEXSIDES, least=0, most=len(_LETTERS)))
    for hexside, letter in zip(drawn_hexsides, _LETTERS, strict=False):
        hexsides.append(Hexside(hexside.name, letter, hexside.colour))
    elevations = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True))
    terrain_set = TerrainSet(
        name=draw(_NAMES),
        terrains=tuple(draw(_unique(_TERRAINS, least=1, most=6))),
        hexsides=tuple(hexsides),
        elevations=tuple(elevations),
        ways=tuple(draw(_unique(_WAYS, least=0, most=MAX_WAYS))),
    )
    return OwnTerrains(terrain_set, only(PICTURES, assets_of(terrain_set)))
