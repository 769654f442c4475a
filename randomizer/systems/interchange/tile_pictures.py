"""Pictures of what cells show, for the tilesets of other programs, painted without the desk.

    paint_plainly(battlemap, [Look("terrain", 0, 3), None], 120, 104)      # a PNG

Terrains are their own pictures or their colours, hexsides and ways lines. The desk has painters for
terrains, hexsides and ways that draw as it does on the screen (``app.paper.tileset``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageOps

from randomizer.formats import Look
from randomizer.model.map.regions import regions_of
from randomizer.model.records.assets import picture_size

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

COLUMNS = 8
"""So many pictures are in a row."""

MOST_DECODED = 2**28
"""Pixels of all pictures of the user's own that are decoded for one tileset."""

REGION_ALPHA = 110
"""How much of what is below a region its tile hides, of 255."""

_FLOW_COLOUR = "#1e5a96"
_INK = "#1e1a16"

Points = list[tuple[float, float]]
NO_PICTURES: Mapping[str, Image.Image] = MappingProxyType({})


Pixels = NDArray[np.uint8]

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
MOST_PIXELS = 2**24
"""Of a picture: more take too much memory."""


def read_pixels(data: bytes) -> Pixels:
    """Return the pixels of a PNG, JPEG or WebP. Raises ValueError for others and damaged ones."""
    size = picture_size(data)
    if size is None:
        raise ValueError("it is no picture (PNG, JPEG or WebP)")
    if not 0 < size[0] * size[1] <= MOST_PIXELS:
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
    rows = -(-len(looks) // COLUMNS)
    sheet = Image.new("RGBA", (COLUMNS * width, rows * height))
    own_pictures = _own_pictures(battlemap, looks, (width, height))
    for number, look in enumerate(looks):
        if look is not None:
            row, column = divmod(number, COLUMNS)
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
    """Return the picture of one look; what means "nothing here" is clear.

    ``own_pictures`` are those of the user's own, in that size, by their digests.
    """
    terrain_set = battlemap.terrain_set
    system = battlemap.system
    ways = dict(zip((spec.name for spec in system.ways), terrain_set.ways, strict=False))
    corners = _corners(battlemap, width, height)
    picture = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(picture)
    middle = (width / 2, height / 2)
    line_width = max(2, height // 14)
    if look.plane == "terrain":
        terrain = terrain_set.terrains[look.value]
        draw.polygon(corners, terrain.colour)
        if terrain.asset in own_pictures:
            cell = Image.new("L", picture.size)
            ImageDraw.Draw(cell).polygon(corners, 255)
            covered = Image.alpha_composite(picture, own_pictures[terrain.asset])
            picture.paste(covered, (0, 0), cell)
    elif look.plane == "elevation" and look.value:
        shade = (255, 255, 255) if look.value > 0 else (0, 0, 0)
        draw.polygon(corners, (*shade, min(160, 30 * abs(look.value))))
        _draw_number(draw, look.value, height)
    elif look.plane == "hexside" and look.value:
        colour = terrain_set.hexsides[look.value - 1].colour
        draw.line(corners[look.side : look.side + 2], colour, 2 * line_width)
    elif look.plane in ways and look.value:
        colour = ways[look.plane].colour
        box = [middle[0] - line_width, middle[1] - line_width]
        draw.ellipse([*box, middle[0] + line_width, middle[1] + line_width], colour)
        for end in _side_middles(look.value, corners):
            draw.line([middle, end], colour, line_width)
    elif look.plane == "flow":
        for end in _side_middles(look.value, corners):
            _draw_arrow(draw, middle, end, line_width)
    elif look.plane == "flow_width" and look.value:
        _draw_number(draw, look.value, height)
    elif look.plane == "region":
        regions = regions_of(battlemap.records)
        if look.value < len(regions):
            region = regions[look.value]
        else:
            region = None
        if region is not None:
            red, green, blue = bytes.fromhex(region.colour[1:])
            draw.polygon(corners, (red, green, blue, REGION_ALPHA))
            draw.line(corners, (red, green, blue, 255), line_width)
    return picture


def _own_pictures(
    battlemap: BattleMap, looks: Sequence[Look | None], size: tuple[int, int]
) -> dict[str, Image.Image]:
    """Return the pictures of the user's own that looks need, in the size of a cell, by their
    digests.
    """
    pictures = dict[str, Image.Image]()
    pixels_left = MOST_DECODED
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


def _corners(battlemap: BattleMap, width: int, height: int) -> Points:
    """Return the corners of a cell in pixels, the first one once more at the end."""
    corners = battlemap.grid.layout.corners
    right = max(x for x, _y in corners)
    bottom = max(y for _x, y in corners)
    points = [(width * (0.5 + x / right / 2), height * (0.5 + y / bottom / 2)) for x, y in corners]
    return [*points, points[0]]


def _side_middles(sides: int, corners: Points) -> Points:
    """Return the middles of the sides whose bits are set."""
    points = Points()
    for side in range(len(corners) - 1):
        if sides >> side & 1:
            (ax, ay), (bx, by) = corners[side : side + 2]
            points.append(((ax + bx) / 2, (ay + by) / 2))
    return points


def _draw_number(draw: ImageDraw.ImageDraw, number: int, height: int) -> None:
    """Draw a number in the middle of a cell."""
    width, _height = draw.im.size
    font_size = max(6, height // 4)
    draw.text((width / 2, height / 2), str(number), _INK, anchor="mm", font_size=font_size)


def _draw_arrow(
    draw: ImageDraw.ImageDraw, start: tuple[float, float], end: tuple[float, float], width: int
) -> None:
    """Draw an arrow on the outer half of the way from the middle to a side."""
    right = (end[0] - start[0]) / 2
    down = (end[1] - start[1]) / 2
    half_way = (start[0] + right, start[1] + down)
    draw.line([half_way, end], _FLOW_COLOUR, width)
    left_wing = (half_way[0] - down / 2 + right / 2, half_way[1] + right / 2 + down / 2)
    right_wing = (half_way[0] + down / 2 + right / 2, half_way[1] - right / 2 + down / 2)
    draw.polygon([end, left_wing, right_wing], _FLOW_COLOUR)
