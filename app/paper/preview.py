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
from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.paper.bitmaps import image
from app.paper.detail import Detail
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

MAX_CELLS = 12_000
"""Previews of maps with more cells have one colour for each cell.

To draw the pictures of this many cells takes two seconds.
"""

MAX_SIDE = 4000
"""The largest width or height, in pixels, in which a preview is drawn to be made smaller: 64 MB."""


class _Export(NamedTuple):
    """What a preview has in common with the export that it shows."""

    detail: Detail
    """How finely the export is drawn: so the preview has the same names, lines and signs."""

    is_on_paper: bool
    """True if a light background is white."""


class _Way(Enum):
    """The way in which a preview is drawn."""

    AS_IT_IS = auto()
    """At its own size, with the detail of the export."""

    ONE_COLOUR = auto()
    """At its own size, with one colour for each cell."""

    ENLARGED = auto()
    """Larger, so that the terrains of its cells are pictures, and then made smaller."""


def preview(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    scale_on_paper: float | None = None,
) -> Generator[int, None, QImage]:
    """Return a small picture of the map, at most ``side`` x ``side`` pixels.

    It shows what the export of the request will look like. There are three cases:

    - The request is for a picture in pixels (``request.pixels``).
    - It is for paper. Then ``scale_on_paper`` is the scale of the names there (``Detail.texts``),
      which follows from the plan of the pages.
    - Neither is given. There is no export: the small picture is wanted for itself.

    The yielded numbers are those of ``image``.
    """
    box = request.box(battlemap, composite)
    longest_side = max(box.width, box.height)
    scale = side / longest_side
    if request.pixels is not None:  # the preview is no larger than the export
        scale = min(scale, request.pixels_per_unit(battlemap.grid.layout))
    factor = _enlargement(battlemap, scale)
    enlarged_side = math.ceil(scale * factor * longest_side)
    export = _export_of(request, battlemap, composite, scale_on_paper)
    way = _way_to_draw(request, battlemap, export, factor, enlarged_side)

    detail: Detail | None = None
    if export is not None:
        detail = export.detail
        if way is _Way.ONE_COLOUR:
            detail = detail._replace(cells=scale)
    if way is _Way.ENLARGED:
        # Without the pixels of the request, else the image would be no larger than the export.
        request = replace(request, pixels=None)
        side = enlarged_side
    picture = yield from image(
        request,
        battlemap,
        composite,
        side,
        detail=detail,
        coarse=way is _Way.ENLARGED,
        on_paper=export is not None and export.is_on_paper,
    )
    if way is _Way.ENLARGED:
        return _shrunken(picture, factor)
    return picture


def _export_of(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    scale_on_paper: float | None,
) -> _Export | None:
    """Return the export that a preview shows; None if there is none (see ``preview``)."""
    if request.pixels is not None:
        unit = request.pixels_per_unit(battlemap.grid.layout)
        box = request.box(battlemap, composite)
        return _Export(Detail.of_picture(box, unit), is_on_paper=False)
    if scale_on_paper is not None:
        detail = Detail(texts=scale_on_paper, cells=scale_on_paper * CELL_DETAIL)
        return _Export(detail, is_on_paper=True)
    return None


def _way_to_draw(
    request: PictureRequest,
    battlemap: BattleMap,
    export: _Export | None,
    factor: int,
    enlarged_side: int,
) -> _Way:
    """Return how a preview is drawn.

    Enlarged by ``factor`` it would have up to ``enlarged_side`` pixels a side.
    """
    # A ground that is a surface is worked out pixel by pixel, at every scale: that needs no larger
    # drawing, and is possible for maps of any size.
    style = drawn_style(battlemap.system, request.overlays, request.theme)
    if style.draws_surface(battlemap.system, request.theme):
        return _Way.AS_IT_IS
    # To draw the pictures of so many cells would take too long, or too much memory.
    if battlemap.grid.size > MAX_CELLS or enlarged_side > MAX_SIDE:
        return _Way.ONE_COLOUR
    # The export itself is so small that its cells have one colour each: so have those of a preview.
    if export is not None and not _shows_pictures(battlemap, export.detail.cells):
        return _Way.AS_IT_IS
    if factor == 1:  # cells have pictures at the size of the preview already
        return _Way.AS_IT_IS
    return _Way.ENLARGED


def _shows_pictures(battlemap: BattleMap, scale: float) -> bool:
    """Return whether the terrains of cells are pictures at this scale, not one colour each."""
    return cell_size(battlemap.grid, scale) >= sprites_from(battlemap)


def _enlargement(battlemap: BattleMap, preview_scale: float) -> int:
    """Return the factor by which a preview has to be enlarged for its cells to have pictures.

    It is a power of two, and 1 if cells have pictures at this scale already.
    """
    factor = 1
    while not _shows_pictures(battlemap, preview_scale * factor):
        factor *= 2
    return factor


def _shrunken(picture: QImage, factor: int) -> QImage:
    """Return a picture made smaller by a factor."""
    return picture.scaled(
        math.ceil(picture.width() / factor),
        math.ceil(picture.height() / factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def thumbnail(request: PictureRequest, battlemap: BattleMap, side: int) -> Steps:
    """Return a PNG of the whole map, at most ``side`` x ``side`` pixels, without any text."""
    overlays = bare_of_texts(request.overlays)
    request = replace(request, pixels=None, overlays=overlays)
    copied_map, composite = snapshot(battlemap, battlemap.composite(), overlays)
    small_picture = yield from preview(request, copied_map, composite, side)
    writer = PngWriter(small_picture.width(), small_picture.height())
    writer.add(small_picture)
    return writer.finish()
