"""Pictures of maps in pixels: PNG files at a chosen scale, and images of all sizes.

``png`` writes a file strip by strip, so that a picture of gigabytes needs no more memory than a
strip. ``image`` is for small pictures: previews, thumbnails, the clipboard. Both are generators
that yield the percentage done and return the picture (``app.paper.steps``). Lengths on a map are in
map units: a hex has a radius of one. ``unit`` is the scale, the pixels that a map unit has in the
picture; a *box* is a rectangle in map units.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from contextlib import closing

from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.paper.detail import Detail
from app.paper.map_drawing import vector_map
from app.paper.map_part import rect
from app.paper.page_plan import LENGTH_TOLERANCE, Box
from app.paper.picture_request import PictureRequest
from app.paper.png import PngWriter, strips
from app.paper.steps import Steps
from app.render.vector.piece_painter import ImagePiecePainter, PiecePainter
from app.render.vector.vector_map import VectorMap
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error

MAX_SIDE = 30_000
"""The longest side of a PNG, in pixels: hardly any program opens larger ones."""

MAX_PIXELS = 400_000_000
"""The largest PNG: larger ones take gigabytes of memory where they are opened."""

PROPOSAL_FACTOR = 0.999
"""The size that the message proposes is 0.1 % below the largest, since sides are rounded up."""


def png(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Return a PNG, drawn strip by strip; yield the percentage done."""
    layout = battlemap.grid.layout
    unit = request.pixels_per_unit(layout)
    width, height = png_size(request, battlemap, composite)
    pixels_per_mm: float | None = None
    if request.hex_mm:
        pixels_per_mm = layout.neighbour_distance * unit / request.hex_mm
    writer = PngWriter(width, height, pixels_per_mm)
    drawn_map = vector_map(request, battlemap, composite, ImagePiecePainter(unit))
    box = request.box(battlemap, composite)
    detail = Detail.of_picture(box, unit)
    for first_row, end_row in strips(width, height):
        strip = QImage(width, end_row - first_row, QImage.Format.Format_RGB32)
        if strip.isNull():
            raise error("no-memory", "there is not enough memory for so wide a picture")
        strip.fill(drawn_map.ground)
        yield from paint_strip(
            strip,
            drawn_map,
            box,
            unit,
            first_row=first_row,
            detail=detail,
            is_exact=request.flush,
        )
        writer.add(strip)
        yield 100 * end_row // height
    return writer.finish()


def png_size(
    request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> tuple[int, int]:
    """Return the width and height of a PNG in pixels. Raises ProblemError if it is too large."""
    layout = battlemap.grid.layout
    unit = request.pixels_per_unit(layout)
    box = request.box(battlemap, composite)
    if request.flush:
        width, height = image_size(box, unit)
    else:
        width = math.ceil(box.width * unit)
        height = math.ceil(box.height * unit)
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        share_of_side = MAX_SIDE / max(width, height)
        share_of_pixels = math.sqrt(MAX_PIXELS / (width * height))
        allowed_unit = min(share_of_side, share_of_pixels) * unit
        allowed_pixels = math.floor(allowed_unit * layout.neighbour_distance * PROPOSAL_FACTOR)
        raise error(
            "picture-too-large",
            f"the picture would have {width:,} x {height:,} pixels; it may have {MAX_SIDE:,} a "
            f"side and {MAX_PIXELS:,} in all. Ask for at most {allowed_pixels} pixels "
            f"a {cell_words(layout).cell}",
        )
    return width, height


def image(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    piece_painter: PiecePainter | None = None,
    *,
    detail: Detail | None = None,
    coarse: bool = False,
    on_paper: bool = False,
) -> Generator[int, None, QImage]:
    """Return the whole map as an image of at most ``side`` x ``side`` pixels.

    Hexes have at most the pixels that are requested.

    - ``piece_painter`` keeps its pieces from image to image, if these are of its scale; one of
      another scale is ignored. None if there are no pieces to be kept.
    - ``detail`` None stands for that of a picture of the size of the image.
    - ``coarse`` leaves out what is hardly seen in a small image.
    - ``on_paper`` makes a light background white.

    The yielded numbers are 0, since an image is one step of a job.
    """
    box = request.box(battlemap, composite)
    unit = side / max(box.width, box.height)
    if request.pixels is not None:
        unit = min(unit, request.pixels_per_unit(battlemap.grid.layout))
    width, height = image_size(box, unit)
    result = QImage(width, height, QImage.Format.Format_RGB32)
    if piece_painter is None or piece_painter.image_unit != unit:
        piece_painter = ImagePiecePainter(unit)
    drawn_map = vector_map(
        request, battlemap, composite, piece_painter, on_paper=on_paper, coarse=coarse
    )
    if detail is None:
        detail = Detail.of_picture(box, unit)
    result.fill(drawn_map.ground)
    yield from paint_strip(result, drawn_map, box, unit, first_row=0, detail=detail)
    return result


def image_size(box: Box, unit: float) -> tuple[int, int]:
    """Return the width and the height in pixels of an image with ``unit`` pixels a map unit.

    A side that is a whole number of pixels, but for rounding errors, gets no further pixel.
    """
    width = math.ceil(box.width * unit - LENGTH_TOLERANCE)
    height = math.ceil(box.height * unit - LENGTH_TOLERANCE)
    return width, height


def paint_strip(
    strip: QImage,
    drawn_map: VectorMap,
    box: Box,
    unit: float,
    first_row: int,
    *,
    is_exact: bool = False,
    detail: Detail,
) -> Iterator[int]:
    """Draw a strip of a picture: its rows from ``first_row`` on.

    ``box`` is the whole picture, ``unit`` its scale. The pixels of the strip stay where nothing is
    drawn. The picture begins at a whole pixel, up to one off the corner of the box, unless it
    ``is_exact``. It yields 0 at each step: these steps are places to cancel the work, and do not
    lower the percentage that a user sees, which only grows (``steps.py``).
    """
    left = box.left * unit
    top = box.top * unit
    if not is_exact:
        left = math.floor(left)
        top = math.floor(top)
    # A pixel more above and below, as the picture may begin up to a pixel off the box.
    area_top = box.top + (first_row - 1) / unit
    area_bottom = area_top + (strip.height() + 2) / unit
    area = rect(Box(box.left, area_top, box.right, area_bottom))
    with painting(strip) as painter:
        painter.translate(-left, -top - first_row)
        painter.scale(unit, unit)
        steps = drawn_map.draw_in_steps(painter, area, detail.texts, detail.cells)
        # Closed before the painter, also where the job is cancelled in the middle.
        with closing(steps):
            for _ in steps:
                yield 0
