"""Makes pictures of maps: PNG at a chosen scale, SVG and PDF at a true size, images of all sizes.

The dialog of pictures, the command line and printing ask for them with a ``PictureRequest``.
``picture`` returns the bytes of a file, and is where reading begins: it calls ``png``, ``svg`` or
``pdf``. ``VectorMap`` draws the map; these functions choose its scale and its *detail*, that is,
how large names are and what is left out. All are generators that yield the percentage done
(``app.paper.steps``), so that the job that runs them can be cancelled.

A *unit* is the number of pixels in a map unit, a *box* a rectangle in map units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from app.appearance.painting import painting
from app.paper.notes_key import key_pages
from app.paper.page_painter import (
    CELL_DETAIL,
    SCREEN_DOTS_PER_MM,
    is_dark,
    paint_document,
    rect,
)
from app.paper.page_plan import HAIR, MM_PER_INCH, Box, PagePlan, own_page
from app.paper.picture_request import KINDS, PictureRequest, titles_of
from app.paper.png import PngWriter, strips
from app.paper.steps import Steps, write_work
from app.paper.svg import SvgPiecePainter, document
from app.render.vector.piece_painter import PiecePainter
from app.render.vector.vector_map import VectorMap, snapshot
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error
from randomizer.model.system.system import System

MOST_SIDE = 30_000
"""The longest side of a PNG, in pixels: hardly any program opens larger ones."""

MOST_PIXELS = 400_000_000
"""The largest PNG: larger ones take gigabytes of memory where they are opened."""

WHOLE_SIDE = 1200.0
"""Names of a PNG can be read if a screen shows it shrunk to so many pixels on its longer side."""

LEAST_TEXT_SCALE = 12.0
"""Names of a PNG are never larger than on a screen where a hex has this radius, in logical pixels.

Nobody looks at a very large map as a whole, and its names would hide it.
"""

SHRINK = 0.999
"""The proposed size is so much smaller than the largest one, since sides are rounded up."""

SHAPES_CELLS = 100
"""A PDF of a map with more cells has images instead of shapes; so has one whose terrains are drawn
with pictures, of which a table of 72 hexes would have 16 MB."""

SVG_CELLS = 100_000
"""The most cells of an SVG: no program opens larger ones."""

PDF_DOTS_PER_INCH = 1200
"""The resolution of lines and letters in a PDF."""

IMAGE_DOTS_PER_INCH = 300
"""The resolution of images in a PDF."""

MOST_PICTURE_PIXELS = 60_000_000
"""The ground of a print is one picture up to so many pixels; on larger paper the pieces of which it
consists, each stored once, take less room."""


class Detail(NamedTuple):
    """The levels of detail of a picture: hex radii in the logical pixels of a screen.

    They are those of a screen on which the map would look as in the picture (``VectorMap.steps``).
    """

    texts: float
    """For names, signs, the legend and lines."""

    cells: float
    """For cells and what lies on them."""


def kind_of(path: Path) -> str:
    """Return the suffix of ``path``, one of ``KINDS``. Raises ProblemError for another one."""
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        raise error(
            "picture-suffix",
            f"what picture this is to be cannot be told from its suffix ({', '.join(KINDS)})",
            path=str(path),
        )
    return suffix


def picture(
    kind: str, request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> Steps:
    """Return the file of a picture of one of ``KINDS``, as the map is now.

    The first step raises ProblemError if the map cannot be drawn as requested.
    """
    make_picture = {".png": png, ".svg": svg, ".pdf": pdf}[kind]
    return make_picture(request, *snapshot(battlemap, composite, request.overlays))


def png(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Yield a PNG, drawn strip by strip."""
    layout = battlemap.grid.layout
    unit = request.pixels_per_unit(layout)
    width, height = png_size(request, battlemap, composite)
    pixels_per_mm = 0.0  # unknown
    if request.hex_mm:
        pixels_per_mm = layout.cell_width * unit / request.hex_mm
    writer = PngWriter(width, height, pixels_per_mm)
    drawn_map = vector_map(request, battlemap, composite, PiecePainter(unit))
    box = request.box(battlemap, composite)
    detail = Detail(text_scale(box, unit), cells=unit)
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


def image(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    piece_painter: PiecePainter | None = None,
    *,
    coarse: bool = False,
    on_paper: bool = False,
    scale: float | None = None,
    cell_scale: float | None = None,
) -> Generator[int, None, QImage]:
    """Return the whole map as an image of at most ``side`` x ``side`` pixels.

    Hexes have at most the pixels that are requested. A ``piece_painter`` of the same scale keeps
    pieces from image to image; one of another scale is not used. ``coarse`` is as in ``Pieces``,
    ``on_paper`` as in ``vector_map``. ``scale`` and ``cell_scale`` are the levels of ``Detail`` for
    texts and for cells, None for those of the image itself; a scale of texts alone is that of
    cells, too. The yielded numbers are 0, since an image is one step of a job.
    """
    box = request.box(battlemap, composite)
    unit = side / max(box.width, box.height)
    if request.pixels is not None:
        unit = min(unit, request.pixels_per_unit(battlemap.grid.layout))
    width, height = image_size(box, unit)
    result = QImage(width, height, QImage.Format.Format_RGB32)
    if piece_painter is None or piece_painter.unit != unit:
        piece_painter = PiecePainter(unit)
    drawn_map = vector_map(
        request, battlemap, composite, piece_painter, on_paper=on_paper, coarse=coarse
    )
    if cell_scale is None:
        cell_scale = unit
        if scale is not None:
            cell_scale = scale
    if scale is None:
        scale = text_scale(box, unit)
    detail = Detail(texts=scale, cells=cell_scale)
    result.fill(drawn_map.ground)
    yield from paint_strip(result, drawn_map, box, unit, first_row=0, detail=detail)
    return result


def image_size(box: Box, unit: float) -> tuple[int, int]:
    """Return the width and the height in pixels of an image with ``unit`` pixels a map unit."""
    return math.ceil(box.width * unit - HAIR), math.ceil(box.height * unit - HAIR)


def text_scale(box: Box, unit: float) -> float:
    """Return the level of detail for names and signs of a picture, as in ``Detail.texts``.

    A large picture is looked at as a whole, made smaller, and its names are to be read there. So
    they are as large beside its hexes as on a screen that shows the whole map.
    """
    unit_on_screen = WHOLE_SIDE / max(box.width, box.height)
    return min(unit, max(unit_on_screen, LEAST_TEXT_SCALE))


def png_size(
    request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> tuple[int, int]:
    """Return the width and height of a PNG in pixels. Raises ProblemError if it is too large."""
    layout = battlemap.grid.layout
    unit = request.pixels_per_unit(layout)
    box = request.box(battlemap, composite)
    tolerance = 0.0
    if request.flush:  # its sides are whole pixels, but for rounding errors
        tolerance = HAIR
    width = math.ceil(box.width * unit - tolerance)
    height = math.ceil(box.height * unit - tolerance)
    if max(width, height) > MOST_SIDE or width * height > MOST_PIXELS:
        share_of_side = MOST_SIDE / max(width, height)
        share_of_pixels = math.sqrt(MOST_PIXELS / (width * height))
        allowed_unit = min(share_of_side, share_of_pixels) * unit
        allowed_pixels = math.floor(allowed_unit * layout.cell_width * SHRINK)
        raise error(
            "picture-too-large",
            f"the picture would have {width:,} x {height:,} pixels; it may have {MOST_SIDE:,} a "
            f"side and {MOST_PIXELS:,} in all. Ask for at most {allowed_pixels} pixels "
            f"a {cell_words(layout).cell}",
        )
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
    ``is_exact``. The yielded numbers are 0: the caller knows the progress.
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
        steps = drawn_map.steps(painter, area, scale=detail.texts, cell_scale=detail.cells)
        # Closed before the painter, also where the job is cancelled in the middle.
        with closing(steps):
            for _ in steps:
                yield 0


def svg(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Yield an SVG of a true size."""
    if battlemap.grid.size > SVG_CELLS:
        raise error(
            "picture-too-large",
            f"an SVG of {battlemap.grid.size:,} cells would be too large to open "
            f"({SVG_CELLS:,} are the most); choose PNG or PDF",
        )
    box = request.box(battlemap, composite)
    plan = own_page(box, battlemap.grid.layout, request.size_mm)
    # Pieces are collected by their painter; all that is drawn over them is written by Qt.
    piece_painter = SvgPiecePainter()
    drawn_map = vector_map(request, battlemap, composite, piece_painter, on_paper=True)
    drawn_over_pieces = QBuffer()
    drawn_over_pieces.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(drawn_over_pieces)
    with painting(generator) as painter:
        scale = plan.unit * SCREEN_DOTS_PER_MM
        steps = drawn_map.steps(painter, rect(plan.box), scale, scale * CELL_DETAIL)
        with closing(steps):
            for _ in steps:
                yield 50  # half of it, since it is not known how much there is to draw

    background = ""
    if is_dark(drawn_map.ground):
        background = drawn_map.ground.name()
    title = heading(battlemap.system, composite, request.name)
    return document(plan, title, background, piece_painter, drawn_over_pieces)


def pdf(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Yield a PDF of one page or of many."""
    plan = request.plan(battlemap, composite)
    buffer = QBuffer()
    title = heading(battlemap.system, composite, request.name)
    writer = pdf_writer(buffer, title)
    drawn_map = page_map(request, plan, battlemap, composite)
    pages_of_key = key_pages(request, plan, battlemap, composite, title)
    yield from paint_document(
        writer, drawn_map, plan, title, overview=request.overview, more=pages_of_key
    )
    return bytes(buffer.data().data())


def pdf_writer(buffer: QBuffer, title: str) -> QPdfWriter:
    """Return a device that writes the pages of a PDF into ``buffer``, which must outlive it."""
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DOTS_PER_INCH)
    writer.setTitle(title)
    writer.setCreator("Battlelands Builder")
    return writer


def page_map(
    request: PictureRequest,
    plan: PagePlan,
    battlemap: BattleMap,
    composite: Composite,
    most_shapes: int = SHAPES_CELLS,
) -> VectorMap:
    """Return a map to be drawn on pages: as shapes up to ``most_shapes`` cells, else as images.

    Pictures of terrains are images on all maps: they have soft shadows and thousands of shapes.
    """
    image_unit = plan.unit * IMAGE_DOTS_PER_INCH / MM_PER_INCH
    unit = 0.0  # a painter of pieces without a scale draws shapes
    picture_unit: float | None = None
    is_plan = request.overlays.plan and battlemap.system.plan_style != ""
    has_pictures = request.theme.colour_set == "pictures" and not is_plan
    if has_pictures or battlemap.grid.size > most_shapes:
        unit = image_unit
        picture_pixels = image_unit**2 * plan.box.width * plan.box.height
        if picture_pixels <= MOST_PICTURE_PIXELS:
            picture_unit = image_unit
    return vector_map(
        request,
        battlemap,
        composite,
        PiecePainter(unit),
        on_paper=True,
        picture_unit=picture_unit,
    )


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


def heading(system: System, composite: Composite, name: str) -> str:
    """Return the title of a map on paper: title and subtitle of the map, else its ``name``."""
    texts = [text for text in titles_of(system, composite) if text]
    if texts:
        return " - ".join(texts)
    if name:
        return name
    return "A map"


def export_work(
    path: Path, request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """Return the work of a job: write a picture of the map as it is now, and return ``path``.

    The work returns None if it was cancelled. Raises ProblemError for a suffix that is not one of
    ``KINDS``.
    """
    return write_work(path, picture(kind_of(path), request, battlemap, composite))
