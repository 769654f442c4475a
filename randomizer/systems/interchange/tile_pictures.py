"""Pictures of what cells show, for the tilesets of other programs: plain ones, without the desk.

The desk draws better ones: it sets ``PAINTERS.current``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from randomizer.model.battlemap import BattleMap

COLUMNS = 8
"""So many pictures are in a row."""


class Look(NamedTuple):
    """A value of a plane of a map, on one of the sides if the plane has sides."""

    plane: str
    side: int
    value: int


Painter = Callable[["BattleMap", Sequence[Look | None], int, int], bytes]
"""Returns a PNG of pictures of ``width`` x ``height`` pixels in rows; None is left empty."""


class Painters:
    """Who paints the pictures."""

    def __init__(self) -> None:
        self.current: Painter = paint_plainly


def paint_plainly(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Paint looks in their colours: areas for terrains, lines for hexsides and ways, numbers."""
    from PIL import Image, ImageDraw  # the desk imports this module when it starts

    corners = battlemap.grid.layout.corners
    right, bottom = (max(each) for each in zip(*corners, strict=True))
    points = [(width * (0.5 + x / right / 2), height * (0.5 + y / bottom / 2)) for x, y in corners]
    rows = -(-len(looks) // COLUMNS)
    sheet = Image.new("RGBA", (COLUMNS * width, rows * height))
    for at, look in enumerate(looks):
        if look is not None:
            picture = Image.new("RGBA", (width, height))
            _paint(ImageDraw.Draw(picture), battlemap, look, [*points, points[0]])
            sheet.paste(picture, (at % COLUMNS * width, at // COLUMNS * height))
    file = BytesIO()
    sheet.save(file, "PNG")
    return file.getvalue()


def _paint(
    draw: ImageDraw, battlemap: BattleMap, look: Look, corners: list[tuple[float, float]]
) -> None:
    terrain_set, plane, value = battlemap.terrain_set, look.plane, look.value
    ways = dict(zip((spec.name for spec in battlemap.system.ways), terrain_set.ways, strict=False))
    width, height = draw.im.size
    middle, line = (width / 2, height / 2), max(2, height // 14)
    if plane == "terrain":
        draw.polygon(corners, terrain_set.terrains[value].colour)
    elif plane == "elevation" and value:
        shade = (255, 255, 255) if value > 0 else (0, 0, 0)
        draw.polygon(corners, (*shade, min(160, 30 * abs(value))))
        draw.text(middle, str(value), "#1e1a16", anchor="mm", font_size=max(6, height // 4))
    elif plane == "hexside" and value:
        draw.line(
            corners[look.side : look.side + 2], terrain_set.hexsides[value - 1].colour, 2 * line
        )
    elif plane in ways:
        for side in range(len(corners) - 1):
            if value >> side & 1:
                (ax, ay), (bx, by) = corners[side : side + 2]
                draw.line([middle, ((ax + bx) / 2, (ay + by) / 2)], ways[plane].colour, line)


PAINTERS = Painters()
"""The one that paints now."""
