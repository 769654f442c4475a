"""Small maps of Tiled with Wang sets for tests: ``SQUARES``, of corners, and ``HEXES``.

Each has a tile for every combination of two colours, grass and sea.
"""

from __future__ import annotations

from base64 import b64encode
from itertools import product

import numpy as np

from randomizer.systems.interchange.tiled.tiled_pictures import write_png

GRASS = 1
SEA = 2
"""The numbers of the two colours in the Wang sets."""

CORNERS = (1, 3, 5, 7)
"""The directions of Tiled in which a square has corners: from the north-east clockwise."""

SQUARE_TILES = list(product((GRASS, SEA), repeat=4))
"""The colours of the four corners of each tile: north-east, south-east, south-west, north-west."""

HEX_SIDES = (0, 1, 3, 4, 5, 7)
"""The directions of Tiled in which a flat-top hex has sides: from the north clockwise."""

HEX_TILES = list(product((GRASS, SEA), repeat=6))
"""The colours of the six sides of each tile."""

TILE_PIXELS = 16
"""The width and height of a tile."""


def _picture(count: int) -> str:
    """Return a PNG of tiles side by side in base64; each tile is of another colour."""
    pixels = np.full((TILE_PIXELS, TILE_PIXELS * count, 4), (60, 160, 60, 255), np.uint8)
    for number in range(count):
        left = TILE_PIXELS * number
        pixels[:, left : left + TILE_PIXELS, 2] = 3 * number
    return b64encode(write_png(pixels)).decode()


def _tileset(kind: str, directions: tuple[int, ...], tiles: list[tuple[int, ...]]) -> str:
    """Return a tileset with a Wang set of a kind, whose tiles have these colours in directions."""
    lines = []
    for number, colours in enumerate(tiles):
        wang_id = [0] * 8
        for direction, colour in zip(directions, colours, strict=True):
            wang_id[direction] = colour
        text = ",".join(map(str, wang_id))
        lines.append(f'   <wangtile tileid="{number}" wangid="{text}"/>\n')
    count = len(tiles)
    counts = f'tilecount="{count}" columns="{count}"'
    return f""" <tileset firstgid="1" name="Coast" tilewidth="16" tileheight="16" {counts}>
  <image format="png"><data encoding="base64">{_picture(count)}</data></image>
  <wangsets>
   <wangset name="Shore" type="{kind}" tile="-1">
    <wangcolor name="Grass" color="#11aa11" tile="0" probability="1"/>
    <wangcolor name="Sea" color="#1111aa" tile="{count - 1}" probability="1"/>
{"".join(lines)}   </wangset>
  </wangsets>
 </tileset>
"""


def _map(attributes: str, tileset: str, width: int, height: int) -> str:
    """Return a map that is all grass, with one tileset; ``attributes`` say its orientation."""
    row = ",".join("1" * width)
    rows = ",\n".join([row] * height)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" {attributes} width="{width}" height="{height}" tilewidth="16" tileheight="16" \
infinite="0" nextlayerid="2" nextobjectid="1">
{tileset} <layer id="1" name="Ground" width="{width}" height="{height}">
  <data encoding="csv">
{rows}
</data>
 </layer>
</map>
"""


SQUARES = _map('orientation="orthogonal"', _tileset("corner", CORNERS, SQUARE_TILES), 6, 5)
HEXES = _map(
    'orientation="hexagonal" hexsidelength="8" staggeraxis="x" staggerindex="odd"',
    _tileset("mixed", HEX_SIDES, HEX_TILES),
    6,
    5,
)


def rows_of(text: str) -> list[list[int]]:
    """Return the global ids of the cells of a map above, row by row."""
    cells = text.partition('<data encoding="csv">\n')[2].partition("</data>")[0]
    return [[int(cell) for cell in row.split(",") if cell] for row in cells.split()]
