"""Pictures of what cells show, for the tilesets of other programs, painted without the desk.

    paint_plainly(battlemap, [Look("terrain", 0, 3), None], 120, 104)      # a PNG

A *look* is one value of one plane, such as terrain 3, or a road from side 0 to side 3. The PNG has
a picture for each, 8 in a row; the picture of None is clear.

Terrains are their own pictures or their colours, hexsides and ways lines. The desk has painters for
terrains, hexsides and ways that draw as it does on the screen (``app.paper.tileset``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageOps

from randomizer.formats.tile_looks import Look
from randomizer.model.map.regions import regions_of
from randomizer.model.records.assets import picture_size

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

COLUMNS = 8
"""The number of pictures in a row of a tileset."""

MAX_DECODED = 2**28
"""The most pixels of all the user's own pictures that are decoded for one tileset.

Terrains whose pictures come after that are painted in their colours. More take more memory.
"""

REGION_ALPHA = 110
"""The opacity, of 255, of a region's colour over what is below it."""

_SHADE_OF_STEP = 30
"""The opacity, of 255, of light or shade for each step of elevation."""

_MAX_SHADE = 160
"""The greatest opacity of light or shade; with more, the terrain is hardly seen."""

_FLOW_COLOUR = "#1e5a96"
"""The colour of the arrows of flow."""

_INK = "#1e1a16"
"""The colour of numbers."""

Point = tuple[float, float]
"""A point of a cell in pixels (x, y), from its upper left corner."""

NO_PICTURES: Mapping[str, Image.Image] = MappingProxyType({})
"""The user's own pictures on a map that has none, by digest."""

Pixels = NDArray[np.uint8]
"""The pixels of a picture as RGBA, shape (height, width, 4)."""

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
"""The endings of the files that ``read_pixels`` reads."""

MAX_PIXELS = 2**24
"""The most pixels of a picture that is read: more take too much memory."""


def read_pixels(data: bytes) -> Pixels:
    """Return the pixels of a PNG, JPEG or WebP. Raises ValueError for others and damaged ones."""
    size = picture_size(data)
    if size is None:
        raise ValueError("it is no picture (PNG, JPEG or WebP)")
    if not 0 < size[0] * size[1] <= MAX_PIXELS:
        raise ValueError(f"{size[0]:,} x {size[1]:,} pixels are not read")
    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as file:
            image: Image.Image = file
            if image.mode.startswith("I"):  # 16 bits, of which the lower are left out
                image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
            return np.array(image.convert("RGBA"))
    except Exception as failed:  # whatever the decoder of a format says of damaged bytes
        raise ValueError("it is damaged") from failed


def paint_plainly(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a PNG of pictures of ``width`` x ``height`` pixels in rows (``TilePainter``)."""
    rows = math.ceil(len(looks) / COLUMNS)
    sheet = Image.new("RGBA", (COLUMNS * width, rows * height))
    own_pictures = _own_pictures(battlemap, looks, (width, height))
    for index, look in enumerate(looks):
        if look is not None:
            row, column = divmod(index, COLUMNS)
            picture = plain_picture(battlemap, look, width, height, own_pictures)
            sheet.paste(picture, (column * width, row * height))
    file = BytesIO()
    sheet.save(file, "PNG")
    return file.getvalue()


def plain_picture(
    battlemap: BattleMap,
    look: Look,
    width: int,
    height: int,
    own_pictures: Mapping[str, Image.Image] = NO_PICTURES,
) -> Image.Image:
    """Return the picture of one look, RGBA. The look of a value such as "no hexside" is clear.

    ``own_pictures`` are the user's own pictures of terrains, of that size, by their digests.
    """
    cell = _CellPicture(_corners(battlemap, width, height), width, height)
    if look.plane == "terrain":
        terrain = battlemap.terrain_set.terrains[look.value]
        cell.draw_terrain(terrain.colour, own_pictures.get(terrain.asset))
    elif look.plane == "region":
        regions = regions_of(battlemap.records)
        region = None
        if look.value < len(regions):
            region = regions[look.value]
        if region is not None:
            cell.draw_region(region.colour)
    elif look.value != 0:  # in all other planes 0 means that there is nothing
        _draw_look(cell, battlemap, look)
    return cell.picture


def _draw_look(cell: _CellPicture, battlemap: BattleMap, look: Look) -> None:
    """Draw an elevation, a hexside, a way or flowing water into the picture of a cell."""
    terrain_set = battlemap.terrain_set
    planes_of_ways = (spec.name for spec in battlemap.system.ways)
    way_of_plane = dict(zip(planes_of_ways, terrain_set.ways, strict=False))
    if look.plane == "elevation":
        cell.draw_elevation(look.value)
    elif look.plane == "hexside":
        cell.draw_hexside(look.side, terrain_set.hexsides[look.value - 1].colour)
    elif look.plane in way_of_plane:
        cell.draw_way(look.value, way_of_plane[look.plane].colour)
    elif look.plane == "flow":
        cell.draw_flow(look.value)
    elif look.plane == "flow_width":
        cell.draw_number(look.value)


def _own_pictures(
    battlemap: BattleMap, looks: Sequence[Look | None], size: tuple[int, int]
) -> dict[str, Image.Image]:
    """Return the user's own pictures of the terrains among ``looks``, by their digests.

    They are scaled and cut to ``size`` (width, height), that of a cell.
    """
    pictures = dict[str, Image.Image]()
    pixels_left = MAX_DECODED
    for look in looks:
        if look is None or look.plane != "terrain":
            continue
        digest = battlemap.terrain_set.terrains[look.value].asset
        data = battlemap.assets.get(digest)
        if data is None or digest in pictures:
            continue
        width, height = picture_size(data) or (0, 0)
        if width * height > pixels_left:
            continue
        pixels_left -= width * height
        try:
            pixels = read_pixels(data)
        except ValueError:  # a picture that is damaged is its terrain's colour, as on the desk
            continue
        pictures[digest] = ImageOps.fit(Image.fromarray(pixels), size)
    return pictures


def _corners(battlemap: BattleMap, width: int, height: int) -> list[Point]:
    """Return the corners of a cell in pixels, the first one once more at the end."""
    corners = battlemap.grid.layout.corners  # in map units, from the middle of the cell
    right = max(x for x, _y in corners)
    bottom = max(y for _x, y in corners)
    points = list[Point]()
    for x, y in corners:
        share_x = (x / right + 1) / 2  # from 0 at the left edge to 1 at the right one
        share_y = (y / bottom + 1) / 2
        points.append((width * share_x, height * share_y))
    return [*points, points[0]]


class _CellPicture:
    """The picture of one cell while it is drawn; all lengths are in pixels."""

    def __init__(self, corners: list[Point], width: int, height: int) -> None:
        self.picture = Image.new("RGBA", (width, height))
        """What has been drawn so far; the rest is clear."""
        self._corners = corners
        """The corners as ``_corners`` returns them: side i is from corner i to corner i + 1."""
        self._draw = ImageDraw.Draw(self.picture)
        self._middle = (width / 2, height / 2)
        self._height = height
        self._line_width = max(2, height // 14)

    def draw_terrain(self, colour: str, own_picture: Image.Image | None) -> None:
        """Fill the cell with a colour and, if there is one, with a picture of its size over it."""
        self._draw.polygon(self._corners, colour)
        if own_picture is not None:
            cell_mask = Image.new("L", self.picture.size)
            ImageDraw.Draw(cell_mask).polygon(self._corners, 255)
            covered = Image.alpha_composite(self.picture, own_picture)
            self.picture.paste(covered, (0, 0), cell_mask)

    def draw_region(self, colour: str) -> None:
        """Fill the cell with a clear colour, "#rrggbb", and outline it with the full one."""
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        self._draw.polygon(self._corners, (red, green, blue, REGION_ALPHA))
        self._draw.line(self._corners, (red, green, blue, 255), self._line_width)

    def draw_elevation(self, elevation: int) -> None:
        """Make heights lighter and depths darker, the more the farther from 0, with the number."""
        shade = (0, 0, 0)
        if elevation > 0:
            shade = (255, 255, 255)
        opacity = min(_MAX_SHADE, _SHADE_OF_STEP * abs(elevation))
        self._draw.polygon(self._corners, (*shade, opacity))
        self.draw_number(elevation)

    def draw_hexside(self, side: int, colour: str) -> None:
        """Draw a line along a side."""
        self._draw.line(self._corners[side : side + 2], colour, 2 * self._line_width)

    def draw_way(self, sides: int, colour: str) -> None:
        """Draw a way from the middle, where it has a knot, to the sides whose bits are set."""
        x, y = self._middle
        radius = self._line_width
        self._draw.ellipse([x - radius, y - radius, x + radius, y + radius], colour)
        for end in self._side_middles(sides):
            self._draw.line([self._middle, end], colour, self._line_width)

    def draw_flow(self, sides: int) -> None:
        """Draw an arrow to each side whose bit is set, on the outer half of the line to it."""
        middle_x, middle_y = self._middle
        for tip in self._side_middles(sides):
            # The arrow is the vector (right, down), half of the line from the middle to the side.
            right = (tip[0] - middle_x) / 2
            down = (tip[1] - middle_y) / 2
            start = (middle_x + right, middle_y + down)
            self._draw.line([start, tip], _FLOW_COLOUR, self._line_width)

            # The head begins half-way along the arrow. Its wings are at right angles to the arrow,
            # half as long as it: (-down, right) is the vector turned by 90 degrees.
            neck_x = start[0] + right / 2
            neck_y = start[1] + down / 2
            one_wing = (neck_x - down / 2, neck_y + right / 2)
            other_wing = (neck_x + down / 2, neck_y - right / 2)
            self._draw.polygon([tip, one_wing, other_wing], _FLOW_COLOUR)

    def draw_number(self, number: int) -> None:
        """Draw a number in the middle of the cell."""
        font_size = max(6, self._height // 4)
        self._draw.text(self._middle, str(number), _INK, anchor="mm", font_size=font_size)

    def _side_middles(self, sides: int) -> list[Point]:
        """Return the middles of the sides whose bits are set: of 0 and 3 for 0b1001."""
        middles = list[Point]()
        for side, ((ax, ay), (bx, by)) in enumerate(pairwise(self._corners)):
            if sides & (1 << side):
                middles.append(((ax + bx) / 2, (ay + by) / 2))
        return middles
