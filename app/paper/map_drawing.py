"""A map as it is drawn in a picture: how it is composed, and with how much detail.

    drawn_map = vector_map(request, battlemap, composite, ImagePiecePainter(unit))
    drawn_map.draw_in_steps(painter, area, detail.texts, detail.cells)

Lengths on a map are in map units: a hex has a radius of one. ``unit`` is the scale, the pixels that
a map unit has in the picture; a *box* is a rectangle in map units. The *detail* says how large
names are, and what is left out of cells: it is the scale of a screen, in its logical pixels a map
unit, on which the map would look like the picture. So both are scales, and can be compared.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor

from app.paper.map_part import is_dark
from app.paper.page_plan import MM_PER_INCH, Box, PagePlan
from app.paper.picture_request import PictureRequest
from app.render.vector.piece_painter import (
    ImagePiecePainter,
    PiecePainter,
    ShapePiecePainter,
)
from app.render.vector.vector_map import VectorMap
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

WHOLE_SIDE = 1200.0
"""The longer side, in pixels, of a PNG that a screen shows as a whole: names can be read then."""

LEAST_TEXT_SCALE = 12.0
"""The least scale for names of a PNG: smaller scales would mean larger names beside its hexes.

Nobody looks at a very large map as a whole, and its names would hide it.
"""

MOST_CELLS_AS_SHAPES = 100
"""The most cells of a map that is drawn on pages as shapes; larger ones are drawn as images.

If it is larger, PDFs of maps of that size are many times larger.
"""

IMAGE_DOTS_PER_INCH = 300
"""The resolution of images in a PDF. If it is larger, files are larger by its square."""

MOST_PICTURE_PIXELS = 60_000_000
"""The ground of a print is one picture up to so many pixels.

On larger paper the pieces of which it consists, each stored once, take less room.
"""


class Detail(NamedTuple):
    """The levels of detail of a picture: hex radii in the logical pixels of a screen.

    They are those of a screen on which the map would look as in the picture
    (``VectorMap.draw_in_steps``).
    """

    texts: float
    """For names, signs, the legend and lines."""

    cells: float
    """For cells and what lies on them."""


def text_scale(box: Box, unit: float) -> float:
    """Return the level of detail for names and signs of a picture, as in ``Detail.texts``.

    A large picture is looked at as a whole, made smaller, and its names are to be read there. So
    they are as large beside its hexes as on a screen that shows the whole map: with 100 pixels a
    unit and a map of 60 x 40 units, as at 1200 / 60 = 20.
    """
    unit_on_screen = WHOLE_SIDE / max(box.width, box.height)
    return min(unit, max(unit_on_screen, LEAST_TEXT_SCALE))


def vector_map(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    piece_painter: PiecePainter,
    *,
    on_paper: bool = False,
    coarse: bool = False,
    picture_unit: float | None = None,
) -> VectorMap:
    """Return a map to be drawn as requested; on paper a light background is white.

    ``picture_unit`` is as in ``VectorMap``.
    """
    ground = request.theme.background
    if on_paper and not is_dark(ground):
        ground = QColor("white")
    return VectorMap(
        battlemap,
        composite,
        request.theme,
        request.pictures,
        request.overlays,
        piece_painter,
        ground,
        coarse=coarse,
        picture_unit=picture_unit,
        is_titled=any(request.page_titles(battlemap, composite)),
    )


def page_map(
    request: PictureRequest,
    plan: PagePlan,
    battlemap: BattleMap,
    composite: Composite,
    most_cells_as_shapes: int = MOST_CELLS_AS_SHAPES,
) -> VectorMap:
    """Return a map to be drawn on pages.

    A map of up to ``most_cells_as_shapes`` cells is drawn as shapes, a larger one as images.
    Pictures of terrains are images on all maps: they have soft shadows and thousands of shapes. If
    they were drawn as shapes a table of 72 hexes would have 16 MB.
    """
    image_unit = plan.unit * IMAGE_DOTS_PER_INCH / MM_PER_INCH
    piece_painter: PiecePainter = ShapePiecePainter()
    picture_unit: float | None = None
    is_drawn_as_plan = request.overlays.plan and battlemap.system.plan_style != ""
    has_pictures = request.theme.colour_set == "pictures" and not is_drawn_as_plan
    if has_pictures or battlemap.grid.size > most_cells_as_shapes:
        piece_painter = ImagePiecePainter(image_unit)
        picture_pixels = image_unit**2 * plan.box.width * plan.box.height
        if picture_pixels <= MOST_PICTURE_PIXELS:
            picture_unit = image_unit
    return vector_map(
        request,
        battlemap,
        composite,
        piece_painter,
        on_paper=True,
        picture_unit=picture_unit,
    )
