"""Makes picture files: PNG at a chosen scale, SVG and PDF at a true size."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
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
from app.render.level_of_detail import cell_size, sprites_from
from app.render.overlay_options import bare_of_texts
from app.render.style import drawn_style
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

MOST_PREVIEW_CELLS = 12_000
"""Previews of larger maps have a colour for each cell: this many pictures take two seconds."""

MOST_PREVIEW_SIDE = 4000
"""Previews are drawn at most so large, in pixels, and then made smaller: 64 MB."""

WHOLE_SIDE = 1200.0
"""Names of a PNG are to be read where its longer side has so many pixels: the whole on a screen."""

LEAST_TEXT_SCALE = 12.0
"""Hexes of a PNG are never smaller beside names: radius, in logical pixels. Nobody looks at a very
large map as a whole, and its names would hide it."""

SHAPES_CELLS = 100
"""A PDF of a map with more cells has images instead of shapes."""

SVG_CELLS = 100_000
"""The most cells of an SVG: no program opens larger ones."""

PDF_DOTS_PER_INCH = 1200
"""The resolution of a PDF, but for its images."""

IMAGE_DOTS_PER_INCH = 300
"""The resolution of images in a PDF."""

MOST_PICTURE_PIXELS = 60_000_000
"""The ground of a print is one picture up to so many pixels; on larger paper the pieces of which it
consists, each stored once, take less room."""


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
    make = {".png": png, ".svg": svg, ".pdf": pdf}[kind]
    return make(request, *snapshot(battlemap, composite, request.overlays))


def png(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Yield a PNG, drawn strip by strip."""
    unit = request.pixels_per_unit(battlemap.grid.layout)
    width, height = png_size(request, battlemap, composite)
    size = battlemap.grid.layout.cell_width * unit
    density = size / request.hex_mm if request.hex_mm else 0.0
    writer = PngWriter(width, height, density)
    drawn = vector_map(request, battlemap, composite, PiecePainter(unit))
    box = request.box(battlemap, composite)
    detail = (text_scale(box, unit), unit)
    for first, end in strips(width, height):
        strip = QImage(width, end - first, QImage.Format.Format_RGB32)
        if strip.isNull():
            raise error("no-memory", "there is not enough memory for so wide a picture")
        yield from paint_strip(
            strip, drawn, box, unit, first, detail=detail, is_exact=request.flush
        )
        writer.add(strip)
        yield 100 * end // height
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
    pieces from image to image. ``coarse`` is as in ``Pieces``, ``on_paper`` as in ``vector_map``.
    ``scale`` and ``cell_scale`` are the
    levels of detail (``VectorMap.steps``), None for those of the image itself.
    """
    box = request.box(battlemap, composite)
    unit = side / max(box.width, box.height)
    if request.pixels is not None:
        unit = min(unit, request.pixels_per_unit(battlemap.grid.layout))
    width, height = image_size(box, unit)
    result = QImage(width, height, QImage.Format.Format_RGB32)
    if piece_painter is None or piece_painter.unit != unit:
        piece_painter = PiecePainter(unit)
    drawn = vector_map(
        request, battlemap, composite, piece_painter, on_paper=on_paper, coarse=coarse
    )
    detail = (scale or text_scale(box, unit), cell_scale or scale or unit)
    yield from paint_strip(result, drawn, box, unit, 0, detail=detail)
    return result


def image_size(box: Box, unit: float) -> tuple[int, int]:
    """Return the width and the height in pixels of an image with ``unit`` pixels a map unit."""
    return math.ceil(box.width * unit - HAIR), math.ceil(box.height * unit - HAIR)


def text_scale(box: Box, unit: float) -> float:
    """Return the scale for whose size of hexes names and signs of a picture are drawn.

    A picture with so many pixels is looked at as a whole, made smaller, and its names are to be
    read there: they are as large beside its hexes as on a screen that shows the whole.
    """
    whole = WHOLE_SIDE / max(box.width, box.height)
    return min(unit, max(whole, LEAST_TEXT_SCALE))


def preview(
    request: PictureRequest,
    battlemap: BattleMap,
    composite: Composite,
    side: int,
    scale: float = math.inf,
) -> Generator[int, None, QImage]:
    """Return a picture of the map made smaller, at most ``side`` x ``side`` pixels.

    ``scale`` is that of a picture on paper (hex radius, in logical pixels): names and the legend,
    lines and signs are those of the picture, not those of a small one. It does not matter for a
    picture with pixels of its own, and is infinity for a small one that is a preview of nothing.

    The preview is drawn larger and made smaller if cells have pictures at that scale. Cells of a
    very large map are drawn as they are.
    """
    box = request.box(battlemap, composite)
    grid = battlemap.grid
    longest = max(box.width, box.height)

    # The scale of the preview (``unit``), and the scales of the picture that it is a preview of:
    # those for texts and for cells (None: it is a preview of nothing).
    unit = side / longest
    if request.pixels is not None:
        scale = request.pixels_per_unit(grid.layout)
        unit = min(unit, scale)
    cell_scale = None
    scale_of_texts = None
    on_paper = False
    if request.pixels is not None:
        cell_scale = scale
        scale_of_texts = text_scale(box, scale)
    elif not math.isinf(scale):
        cell_scale = scale * CELL_DETAIL
        scale_of_texts = scale
        on_paper = True

    # How many times larger it has to be drawn so that cells have pictures.
    least = sprites_from(battlemap)
    factor = 1
    while cell_size(grid, unit * factor) < least:
        factor *= 2
    enlarged_side = math.ceil(unit * factor * longest)

    # A ground that is a surface is worked out pixel by pixel, at every scale: that needs no larger
    # drawing, and is possible for maps of any size.
    style = drawn_style(battlemap.system, request.overlays, request.theme)
    is_surface = style.draws_surface(battlemap.system, request.theme)
    is_too_large = grid.size > MOST_PREVIEW_CELLS or enlarged_side > MOST_PREVIEW_SIDE
    if is_too_large and not is_surface:
        return (
            yield from image(
                request, battlemap, composite, side, scale=scale_of_texts, cell_scale=unit
            )
        )
    has_pictures_of_cells = cell_scale is None or cell_size(grid, cell_scale) >= least
    if is_surface or factor == 1 or not has_pictures_of_cells:
        return (
            yield from image(
                request,
                battlemap,
                composite,
                side,
                on_paper=on_paper,
                scale=scale_of_texts,
                cell_scale=cell_scale,
            )
        )

    enlarged = yield from image(
        replace(request, pixels=None),  # else it would be no larger than the picture
        battlemap,
        composite,
        enlarged_side,
        coarse=True,
        on_paper=on_paper,
        scale=scale_of_texts,
        cell_scale=cell_scale,
    )
    return enlarged.scaled(
        math.ceil(enlarged.width() / factor),
        math.ceil(enlarged.height() / factor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


def thumbnail(request: PictureRequest, battlemap: BattleMap, side: int) -> Steps:
    """Return a PNG of the whole map, at most ``side`` x ``side`` pixels, without any text."""
    overlays = bare_of_texts(request.overlays)
    request = replace(request, pixels=None, overlays=overlays)
    still = snapshot(battlemap, battlemap.composite(), overlays)
    drawn = yield from preview(request, *still, side)
    writer = PngWriter(drawn.width(), drawn.height(), 0.0)
    writer.add(drawn)
    return writer.finish()


def png_size(
    request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> tuple[int, int]:
    """Width and height of a PNG in pixels. Raises ProblemError if they are too large."""
    unit = request.pixels_per_unit(battlemap.grid.layout)
    box = request.box(battlemap, composite)
    hair = HAIR if request.flush else 0.0
    width, height = (math.ceil(side * unit - hair) for side in (box.width, box.height))
    if max(width, height) > MOST_SIDE or width * height > MOST_PIXELS:
        most = min(MOST_SIDE / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
        raise error(
            "picture-too-large",
            f"the picture would have {width:,} x {height:,} pixels; it may have {MOST_SIDE:,} a "
            f"side and {MOST_PIXELS:,} in all. Ask for at most "
            f"{math.floor(most * unit * battlemap.grid.layout.cell_width * 0.999)} pixels "
            f"a {cell_words(battlemap.grid.layout).cell}",
        )
    return width, height


def paint_strip(
    strip: QImage,
    drawn: VectorMap,
    box: Box,
    unit: float,
    first: int,
    *,
    is_exact: bool = False,
    detail: tuple[float, float],
) -> Iterator[int]:
    """Draw the rows of a picture from ``first`` on; ``box`` is the whole picture in map units.

    It begins at a whole pixel, up to one off the corner of the box, unless it ``is_exact``.
    ``detail`` are the levels of detail (``VectorMap.steps``).
    """
    left = box.left * unit
    top = box.top * unit
    if not is_exact:
        left = math.floor(left)
        top = math.floor(top)
    strip.fill(drawn.ground)
    with painting(strip) as painter:
        painter.translate(-left, -top - first)
        painter.scale(unit, unit)
        above = box.top + (first - 1) / unit
        part = Box(box.left, above, box.right, above + (strip.height() + 2) / unit)
        with closing(drawn.steps(painter, rect(part), *detail)) as steps:
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
    piece_painter = SvgPiecePainter()
    drawn = vector_map(request, battlemap, composite, piece_painter, on_paper=True)
    others = QBuffer()  # what is drawn besides pieces
    others.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(others)
    with painting(generator) as painter:
        scale = plan.unit * SCREEN_DOTS_PER_MM
        with closing(drawn.steps(painter, rect(plan.box), scale, scale * CELL_DETAIL)) as steps:
            for _ in steps:
                yield 50
    if is_dark(drawn.ground):
        background = drawn.ground.name()
    else:
        background = ""
    return document(
        plan, heading(battlemap.system, composite, request.name), background, piece_painter, others
    )


def pdf(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Yield a PDF of one page or of many."""
    plan = request.plan(battlemap, composite)
    buffer = QBuffer()
    title = heading(battlemap.system, composite, request.name)
    writer = pdf_writer(buffer, title)
    drawn = page_map(request, plan, battlemap, composite)
    more = key_pages(request, plan, battlemap, composite, title)
    yield from paint_document(writer, drawn, plan, title, overview=request.overview, more=more)
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
    """Return a map to be drawn on pages: as shapes up to ``most_shapes`` cells, else as images."""
    unit = 0.0
    picture_unit: float | None = None
    image_unit = plan.unit * IMAGE_DOTS_PER_INCH / MM_PER_INCH
    if battlemap.grid.size > most_shapes:
        unit = image_unit
    if image_unit**2 * plan.box.width * plan.box.height <= MOST_PICTURE_PIXELS:
        picture_unit = unit or None
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
        coarse,
        picture_unit,
        is_titled=any(request.page_titles(battlemap, composite)),
    )


def heading(system: System, composite: Composite, name: str) -> str:
    """Return the title of a map on paper: its texts, else its ``name``."""
    texts = titles_of(system, composite)
    return " - ".join(text for text in texts if text) or name or "A map"


def export_work(
    path: Path, request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """Return the work of a job: write a picture of the map as it is now; gives ``path``.

    It gives None if it was cancelled. Raises ProblemError for a suffix that is none of ``KINDS``.
    """
    return write_work(path, picture(kind_of(path), request, battlemap, composite))
