"""Pictures of maps at a true size: SVG drawings, and PDF documents of one page or of many.

Both are generators (``app.paper.steps``).
"""

from __future__ import annotations

from contextlib import closing

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from app.appearance.painting import painting
from app.paper.map_drawing import page_map, vector_map
from app.paper.map_part import CELL_DETAIL, SCREEN_DOTS_PER_MM, is_dark, rect
from app.paper.notes_key import key_pages
from app.paper.page_painter import paint_document
from app.paper.page_plan import own_page
from app.paper.picture_request import PictureRequest, titles_of
from app.paper.steps import Steps
from app.paper.svg import SvgPiecePainter
from app.paper.svg import document as svg_document
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error
from randomizer.model.system.system import System

SVG_CELLS = 100_000
"""The most cells of an SVG: no program opens larger ones."""

PDF_DOTS_PER_INCH = 1200
"""The resolution of lines and letters in a PDF."""


def svg(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Return an SVG of a true size; yield the percentage done."""
    if battlemap.grid.size > SVG_CELLS:
        raise error(
            "picture-too-large",
            f"an SVG of {battlemap.grid.size:,} cells would be too large to open "
            f"({SVG_CELLS:,} are the most); choose PNG or PDF",
        )
    box = request.box(battlemap, composite)
    plan = own_page(box, battlemap.grid.layout, request.hex_mm_or_usual)
    # Pieces are collected by their painter; all that is drawn over them is written by Qt.
    piece_painter = SvgPiecePainter()
    drawn_map = vector_map(request, battlemap, composite, piece_painter, on_paper=True)
    overlay_svg = QBuffer()
    overlay_svg.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(overlay_svg)
    with painting(generator) as painter:
        scale = plan.unit * SCREEN_DOTS_PER_MM
        steps = drawn_map.draw_in_steps(painter, rect(plan.box), scale, scale * CELL_DETAIL)
        with closing(steps):
            for _ in steps:
                yield 50  # half of it, since it is not known how much there is to draw

    background = ""  # none: the paper is white
    if is_dark(drawn_map.ground):
        background = drawn_map.ground.name()
    map_title = heading(battlemap.system, composite, request.name)
    return svg_document(plan, map_title, background, piece_painter, overlay_svg)


def pdf(request: PictureRequest, battlemap: BattleMap, composite: Composite) -> Steps:
    """Return a PDF of one page or of many; yield the percentage done."""
    plan = request.plan(battlemap, composite)
    buffer = QBuffer()
    map_title = heading(battlemap.system, composite, request.name)
    writer = pdf_writer(buffer, map_title)
    drawn_map = page_map(request, plan, battlemap, composite)
    pages_of_key = key_pages(request, plan, battlemap, composite, map_title)
    yield from paint_document(
        writer, drawn_map, plan, map_title, overview=request.overview, pages_after_map=pages_of_key
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


def heading(system: System, composite: Composite, name: str) -> str:
    """Return the title of a map on paper: title and subtitle of the map, else its ``name``."""
    texts = [text for text in titles_of(system, composite) if text]
    if texts:
        return " - ".join(texts)
    if name:
        return name
    return "A map"
