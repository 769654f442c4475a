"""Terrain sets of one's own for tests, with pictures."""

from __future__ import annotations

import struct
import zlib

from hypothesis import strategies as st

from randomizer.model.records.assets import asset_digest, assets_of, only
from randomizer.model.terrain.terrain import (
    MOST_WAYS,
    WAY_STYLES,
    Hexside,
    Terrain,
    TerrainSet,
    Way,
)
from randomizer.storage.files.terrain_files import OwnTerrains


def png(width: int, height: int, colour: tuple[int, int, int] = (200, 60, 120)) -> bytes:
    """A PNG of one colour. Of a size beyond all sense only the header is true."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    rows = (b"\0" + bytes(colour) * width) * height if width * height < 2**20 else b""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


PNG = png(8, 6)
PICTURES = {asset_digest(data): data for data in (PNG, png(3, 3, (0, 90, 200)))}

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


@st.composite
def own_terrains(draw: st.DrawFn) -> OwnTerrains:
    """Any set with the pictures that it names."""

    def several(each: st.SearchStrategy, least: int, most: int) -> tuple:
        return tuple(
            draw(st.lists(each, min_size=least, max_size=most, unique_by=lambda each: each.name))
        )

    hexsides = several(st.builds(Hexside, name=_NAMES, letter=st.just("x"), colour=_COLOURS), 0, 3)
    terrain_set = TerrainSet(
        draw(_NAMES),
        several(_TERRAINS, 1, 6),
        tuple(
            Hexside(hexside.name, letter, hexside.colour)
            for hexside, letter in zip(hexsides, "abc", strict=False)
        ),
        tuple(draw(st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True))),
        several(_WAYS, 0, MOST_WAYS),
    )
    return OwnTerrains(terrain_set, only(PICTURES, assets_of(terrain_set)))
