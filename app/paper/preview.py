"""Small pictures of maps: the preview of a picture that a dialog shows, and thumbnails of files.

A small picture drawn as such would have a colour for each cell. So ``preview``, where reading
begins, draws it larger, so that cells have pictures, and makes it smaller; its names, lines and
signs are those of the picture that it is a preview of.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.paper.export import image, text_scale
from app.paper.page_painter import CELL_DETAIL
from app.paper.page_plan import Box
from app.paper.picture_request import PictureRequest
from app.paper.png import PngWriter
from app.paper.steps import Steps
from app.render.level_of_detail import cell_size, sprites_from
from app.render.overlay_options import bare_of_texts
from app.render.style import drawn_style
from app.render.vector.vector_map import snapshot
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MOST_CELLS = 12_000
"""Previews of larger maps have a colour for each cell: this many pictures take two seconds."""

MOST_SIDE = 4000
"""Previews are drawn at most so large, in pixels, and then made smaller: 64 MB."""


class _ShownDetail(NamedTuple):
    """The detail of the picture that a preview shows; None where it is a preview of nothing."""

    texts: float | None
    """As ``Detail.texts``."""

    cells: float | None
    """As ``Detail.cells``."""

    is_on_paper: bool
    """True if the picture is on paper: its light background is white."""


def preview(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    scale: float = math.inf,
) -> Generator[int, None, QImage]:
    """Return a picture of the map made smaller, at most ``side`` x ``side`` pixels.

    ``scale`` is that of the picture (hex radius, in logical pixels), where it has no pixels of its
    own; infinity for a small picture that is a preview of nothing. Cells of a very large map have
    one colour each.
    """
    box = request.box(battlemap, composite)
    longest_side = max(box.width, box.height)
    unit = side / longest_side
    if request.pixels is not None:
        scale = request.pixels_per_unit(battlemap.grid.layout)
        unit = min(unit, scale)
    detail = _shown_detail(request, box, scale)

    # A ground that is a surface is worked out pixel by pixel, at every scale: that needs no larger
    # drawing, and is possible for maps of any size.
    style = drawn_style(battlemap.system, request.overlays, request.theme)
    is_surface = style.draws_surface(battlemap.system, request.theme)
    factor = _enlargement(battlemap, unit)
    enlarged_side = math.ceil(unit * factor * longest_side)
    is_too_large = battlemap.grid.size > MOST_CELLS or enlarged_side > MOST_SIDE
    if is_too_large and not is_surface:
        return (
            yield from image(
                request,
                battlemap,
                composite,
                side,
                on_paper=detail.is_on_paper,
                scale=detail.texts,
                cell_scale=unit,
            )
        )

    cell_scale = detail.cells
    if cell_scale is None:
        cell_scale = scale
    cells_have_pictures = cell_size(battlemap.grid, cell_scale) >= sprites_from(battlemap)
    if is_surface or factor == 1 or not cells_have_pictures:
        return (
            yield from image(
                request,
                battlemap,
                composite,
                side,
                on_paper=detail.is_on_paper,
                scale=detail.texts,
                cell_scale=detail.cells,
            )
        )

    enlarged = yield from image(
        replace(request, pixels=None),  # else it would be no larger than the picture
        battlemap,
        composite,
        enlarged_side,
        coarse=True,
        on_paper=detail.is_on_paper,
        scale=detail.texts,
        cell_scale=detail.cells,
    )
    return enlarged.scaled(
        math.ceil(enlarged.width() / factor),
        math.ceil(enlarged.height() / factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def _shown_detail(request: PictureRequest, box: Box, scale: float) -> _ShownDetail:
    """Return the detail of the picture of a preview, by its scale (infinity: of nothing)."""
    if request.pixels is not None:
        return _ShownDetail(text_scale(box, scale), scale, is_on_paper=False)
    if math.isinf(scale):
        return _ShownDetail(None, None, is_on_paper=False)
    return _ShownDetail(scale, scale * CELL_DETAIL, is_on_paper=True)


def _enlargement(battlemap: BattleMap, unit: float) -> int:
    """Return how many times larger than at ``unit`` pixels a map unit cells have pictures.

    It is a power of two, and 1 where they have pictures already.
    """
    factor = 1
    while cell_size(battlemap.grid, unit * factor) < sprites_from(battlemap):
        factor *= 2
    return factor


def thumbnail(request: PictureRequest, battlemap: BattleMap, side: int) -> Steps:
    """Return a PNG of the whole map, at most ``side`` x ``side`` pixels, without any text."""
    overlays = bare_of_texts(request.overlays)
    request = replace(request, pixels=None, overlays=overlays)
    copied_map, composite = snapshot(battlemap, battlemap.composite(), overlays)
    small_picture = yield from preview(request, copied_map, composite, side)
    writer = PngWriter(small_picture.width(), small_picture.height(), 0.0)
    writer.add(small_picture)
    return writer.finish()
