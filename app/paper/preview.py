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


class _ExportDetail(NamedTuple):
    """The detail of the export that a preview shows; scales are in logical pixels a map unit."""

    texts: float
    """The scale at which names, signs, the legend and lines are drawn (``Detail.texts``)."""

    cells: float
    """The scale at which cells and what lies on them are drawn (``Detail.cells``)."""

    is_on_paper: bool
    """True if the export is on paper: its light background is white."""


class _PreviewPlan(NamedTuple):
    """How a preview is drawn."""

    factor: int
    """The factor by which it is drawn larger, to be made smaller then; 1 for as it is."""

    enlarged_side: int
    """The longest side of what is drawn, in pixels."""

    cell_scale: float | None
    """The scale at which cells are drawn (``Detail.cells``); None for that of the picture."""


def preview(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    scale: float = math.inf,
) -> Generator[int, None, QImage]:
    """Return a small picture of the map, at most ``side`` x ``side`` pixels.

    ``scale`` is the scale of the export, in logical pixels a map unit, if ``request.pixels`` does
    not tell it, as on paper. Infinity means that there is no export, and that the small picture is
    wanted for itself. The yielded numbers are those of ``image``.
    """
    export = _export_detail(request, battlemap, composite, scale)
    plan = _preview_plan(request, battlemap, composite, side, export)
    is_on_paper = export is not None and export.is_on_paper
    detail_of_texts = None
    if export is not None:
        detail_of_texts = export.texts
    if plan.factor == 1:
        return (
            yield from image(
                request,
                battlemap,
                composite,
                side,
                on_paper=is_on_paper,
                detail_of_texts=detail_of_texts,
                detail_of_cells=plan.cell_scale,
            )
        )

    enlarged_image = yield from image(
        replace(request, pixels=None),  # their number would keep it as small as the export
        battlemap,
        composite,
        plan.enlarged_side,
        coarse=True,
        on_paper=is_on_paper,
        detail_of_texts=detail_of_texts,
        detail_of_cells=plan.cell_scale,
    )
    return enlarged_image.scaled(
        math.ceil(enlarged_image.width() / plan.factor),
        math.ceil(enlarged_image.height() / plan.factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def _export_detail(
    request: PictureRequest, battlemap: BattleMap, composite: Composite, scale: float
) -> _ExportDetail | None:
    """Return the detail of the export; None if there is none. ``scale`` is as in ``preview``."""
    if request.pixels is not None:
        export_scale = request.pixels_per_unit(battlemap.grid.layout)
        box = request.box(battlemap, composite)
        return _ExportDetail(text_scale(box, export_scale), export_scale, is_on_paper=False)
    if math.isinf(scale):
        return None
    return _ExportDetail(scale, scale * CELL_DETAIL, is_on_paper=True)


def _preview_plan(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    export: _ExportDetail | None,
) -> _PreviewPlan:
    """Return how a preview of at most ``side`` x ``side`` pixels is drawn."""
    box = request.box(battlemap, composite)
    longest_side = max(box.width, box.height)
    preview_scale = side / longest_side
    if request.pixels is not None:  # the preview is no larger than the export
        preview_scale = min(preview_scale, request.pixels_per_unit(battlemap.grid.layout))
    factor = _enlargement(battlemap, preview_scale)
    enlarged_side = math.ceil(preview_scale * factor * longest_side)
    cell_scale = None
    if export is not None:
        cell_scale = export.cells

    # A ground that is a surface is worked out pixel by pixel, at every scale: that needs no larger
    # drawing, and is possible for maps of any size.
    style = drawn_style(battlemap.system, request.overlays, request.theme)
    is_surface = style.draws_surface(battlemap.system, request.theme)
    if is_surface:
        return _PreviewPlan(1, side, cell_scale)
    if battlemap.grid.size > MOST_CELLS or enlarged_side > MOST_SIDE:
        return _PreviewPlan(1, side, preview_scale)  # at which cells have one colour each
    # Without an export cells have pictures; else they have what the export shows.
    if cell_scale is None or cell_size(battlemap.grid, cell_scale) >= sprites_from(battlemap):
        return _PreviewPlan(factor, enlarged_side, cell_scale)
    return _PreviewPlan(1, side, cell_scale)


def _enlargement(battlemap: BattleMap, preview_scale: float) -> int:
    """Return the factor by which a picture has to be enlarged for cells to have pictures.

    It is a power of two, and 1 if cells have pictures at this scale already.
    """
    factor = 1
    while cell_size(battlemap.grid, preview_scale * factor) < sprites_from(battlemap):
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
