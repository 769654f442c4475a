"""A map as it is drawn in a picture: with which painter, on which ground, as shapes or as images.

    drawn_map = vector_map(request, battlemap, composite, ImagePiecePainter(unit))
    drawn_map.draw_in_steps(painter, area, detail.texts, detail.cells)    # detail.py

A map is drawn either as *shapes*, which are sharp at any size, or as *images*, which take less room
where cells are many or finely painted. Lengths on a map are in map units: a hex has a radius of
one. ``unit`` is the scale, the pixels (in ``PagePlan`` the millimetres) that a map unit has in the
picture.
"""

from __future__ import annotations

from PySide6.QtGui import QColor

from app.paper.map_part import is_dark
from app.paper.page_plan import MM_PER_INCH, PagePlan
from app.paper.picture_request import PictureRequest
from app.render.vector.piece_painter import (
    ImagePiecePainter,
    PiecePainter,
    ShapePiecePainter,
)
from app.render.vector.vector_map import VectorMap
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MAX_CELLS_AS_SHAPES = 100
"""Maps of up to so many cells are drawn on pages as shapes, larger ones as images.

Raising it makes the PDFs of the maps between the old and the new number many times larger.
"""

IMAGE_DOTS_PER_INCH = 300
"""The resolution of images in a PDF. Files grow with its square."""

MAX_PICTURE_PIXELS = 60_000_000
"""The ground of a map on pages is one image if that has up to so many pixels.

Above, it is drawn piece by piece: each piece is stored once, however often it occurs, and takes
less room than one image of so large a paper.
"""


def vector_map(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    piece_painter: PiecePainter,
    *,
    on_paper: bool = False,
    coarse: bool = False,
    is_one_picture: bool = False,
) -> VectorMap:
    """Return a map to be drawn as requested.

    - ``on_paper``: a light background is white.
    - ``coarse``: what is hardly seen in a small picture is left out.
    - ``is_one_picture``: the whole ground is drawn as one image, which only goes with a painter of
      images.
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
        is_one_picture=is_one_picture,
        is_titled=any(request.page_titles(battlemap, composite)),
    )


def page_map(
    request: PictureRequest,
    plan: PagePlan,
    battlemap: BattleMap,
    composite: Composite,
    max_cells_as_shapes: int = MAX_CELLS_AS_SHAPES,
) -> VectorMap:
    """Return a map to be drawn on pages.

    Maps of up to ``max_cells_as_shapes`` cells are drawn as shapes, if their terrains are no
    pictures.
    """
    image_unit = plan.unit * IMAGE_DOTS_PER_INCH / MM_PER_INCH
    piece_painter: PiecePainter
    is_one_picture = False
    if _has_pictures(request, battlemap) or battlemap.grid.size > max_cells_as_shapes:
        piece_painter = ImagePiecePainter(image_unit)
        ground_pixels = image_unit**2 * plan.box.width * plan.box.height
        is_one_picture = ground_pixels <= MAX_PICTURE_PIXELS
    else:
        piece_painter = ShapePiecePainter()
    return vector_map(
        request,
        battlemap,
        composite,
        piece_painter,
        on_paper=True,
        is_one_picture=is_one_picture,
    )


def _has_pictures(request: PictureRequest, battlemap: BattleMap) -> bool:
    """Return whether the terrains are drawn as pictures, and not as plain colours and signs.

    Pictures have soft shadows and thousands of shapes: as shapes a table of 72 hexes would take
    16 MB. A plan (in the game's black and white) shows none, whatever the theme.
    """
    is_drawn_as_plan = request.overlays.plan and bool(battlemap.system.plan_style)
    return request.theme.has_pictures and not is_drawn_as_plan
