"""Small pictures of maps: the preview of an export in its dialog, and thumbnails of files.

At a small scale a map is drawn with one colour for each cell, and not with the pictures of its
terrains. A preview has to show what the export will look like. So ``preview`` draws the map larger
than asked for, at a scale at which cells have pictures, and makes the image smaller. Names, lines
and signs are as large beside the cells as in the export.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.paper.bitmaps import image
from app.paper.map_drawing import text_scale
from app.paper.map_part import CELL_DETAIL
from app.paper.page_plan import Box
from app.paper.picture_request import PictureRequest
from app.paper.png import PngWriter
from app.paper.steps import Steps
from app.render.level_of_detail import cell_size, sprites_from
from app.render.overlay_options import bare_of_texts
from app.render.style import drawn_style
from app.render.vector.snapshots import snapshot
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MOST_CELLS = 12_000
"""Previews of maps with more cells have one colour for each cell.

To draw the pictures of this many cells takes two seconds.
"""

MOST_SIDE = 4000
"""The largest width or height, in pixels, in which a preview is drawn to be made smaller: 64 MB."""


class _ShownDetail(NamedTuple):
    """The detail of the export that a preview shows.

    Scales are hex radii in logical pixels. Both are None if there is no export: then the preview
    has the detail that its own size allows.
    """

    texts: float | None
    """The scale at which names, signs, the legend and lines are drawn (``Detail.texts``)."""

    cells: float | None
    """The scale at which cells and what lies on them are drawn (``Detail.cells``)."""

    is_on_paper: bool
    """True if the export is on paper: its light background is white."""


def preview(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    scale: float = math.inf,
) -> Generator[int, None, QImage]:
    """Return a small picture of the map, at most ``side`` x ``side`` pixels.

    ``scale`` is the scale of the export (hex radius in logical pixels) if ``request.pixels`` does
    not tell it, as on paper; infinity if there is no export, and the small picture is wanted for
    itself. The yielded numbers are those of ``image``.
    """
    # The scale of the preview: that of the export if it is smaller.
    box = request.box(battlemap, composite)
    longest_side = max(box.width, box.height)
    pixels_per_unit = side / longest_side
    if request.pixels is not None:
        scale = request.pixels_per_unit(battlemap.grid.layout)
        pixels_per_unit = min(pixels_per_unit, scale)
    detail = _shown_detail(request, box, scale)
    factor = _enlargement(battlemap, pixels_per_unit)
    enlarged_side = math.ceil(pixels_per_unit * factor * longest_side)
    is_too_large = battlemap.grid.size > MOST_CELLS or enlarged_side > MOST_SIDE

    # Draw it as it is if the export has no pictures of cells either, or if it has them in any case.
    style = drawn_style(battlemap.system, request.overlays, request.theme)
    # A ground that is a surface is worked out pixel by pixel, at every scale: that needs no larger
    # drawing, and is possible for maps of any size.
    is_surface = style.draws_surface(battlemap.system, request.theme)
    export_scale = scale
    if detail.cells is not None:
        export_scale = detail.cells
    has_pictures_in_export = cell_size(battlemap.grid, export_scale) >= sprites_from(battlemap)
    needs_enlarging = factor > 1 and has_pictures_in_export and not is_surface
    if is_too_large or not needs_enlarging:
        cell_scale = detail.cells
        if is_too_large and not is_surface:
            cell_scale = pixels_per_unit  # at this scale cells have one colour each
        return (
            yield from image(
                request,
                battlemap,
                composite,
                side,
                on_paper=detail.is_on_paper,
                detail_of_texts=detail.texts,
                detail_of_cells=cell_scale,
            )
        )

    # Draw it enlarged, so that cells have pictures, and make the image smaller.
    enlarged_image = yield from image(
        replace(request, pixels=None),  # else it would be no larger than the export
        battlemap,
        composite,
        enlarged_side,
        coarse=True,
        on_paper=detail.is_on_paper,
        detail_of_texts=detail.texts,
        detail_of_cells=detail.cells,
    )
    return enlarged_image.scaled(
        math.ceil(enlarged_image.width() / factor),
        math.ceil(enlarged_image.height() / factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def _shown_detail(request: PictureRequest, box: Box, scale: float) -> _ShownDetail:
    """Return the detail of the export of a preview; ``scale`` is as in ``preview``."""
    if request.pixels is not None:
        return _ShownDetail(text_scale(box, scale), scale, is_on_paper=False)
    if math.isinf(scale):
        return _ShownDetail(None, None, is_on_paper=False)
    return _ShownDetail(scale, scale * CELL_DETAIL, is_on_paper=True)


def _enlargement(battlemap: BattleMap, pixels_per_unit: float) -> int:
    """Return the factor by which a picture has to be enlarged for cells to have pictures.

    It is a power of two, and 1 if cells have pictures at this scale already.
    """
    factor = 1
    while cell_size(battlemap.grid, pixels_per_unit * factor) < sprites_from(battlemap):
        factor *= 2
    return factor


def thumbnail(request: PictureRequest, battlemap: BattleMap, side: int) -> Steps:
    """Return a PNG of the whole map, at most ``side`` x ``side`` pixels, without any text."""
    overlays = bare_of_texts(request.overlays)
    request = replace(request, pixels=None, overlays=overlays)
    copied_map, composite = snapshot(battlemap, battlemap.composite(), overlays)
    small_picture = yield from preview(request, copied_map, composite, side)
    writer = PngWriter(small_picture.width(), small_picture.height())
    writer.add(small_picture)
    return writer.finish()
