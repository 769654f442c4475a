"""Pictures as files: PNG at a chosen scale, SVG and PDF at a true size, whole or not at all."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from app.paper.page_painter import SCREEN_DOTS_PER_MM, document_steps, is_dark, rect
from app.paper.page_plan import (
    HAIR,
    MM_PER_INCH,
    Box,
    Plan,
    across,
    check_hex_mm,
    one_page,
    own_page,
    picture_box,
    poster,
    sheets,
)
from app.paper.png import PngWriter, strips
from app.paper.svg import SvgSymbolPainter, document
from app.render.detail import MARGIN
from app.render.overlay_options import Overlays
from app.render.picture_source import OwnPictures, Pictures
from app.render.theme import COLOUR_SETS, Theme, theme
from app.render.vector.symbol_painter import SymbolPainter
from app.render.vector.vector_map import VectorMap, snapshot
from randomizer.model.cell_words import cell_words
from randomizer.model.problems import error
from randomizer.storage.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite
    from randomizer.model.layouts import Layout

KINDS = {".png": "PNG picture", ".svg": "SVG drawing", ".pdf": "PDF to print"}
"""Suffixes and titles of the pictures that can be written."""

ON_PAPER = Overlays(locks=False)
"""What is drawn unless something else is asked for."""

LOOKS = {
    "light": "Pictures on light",
    "dark": "Pictures on dark",
    **{name: title for name, title in COLOUR_SETS if name != "pictures"},
}
"""Names and titles of the colours that a picture can have."""

HEX_MM = 38.0
"""The size of a hex if none is asked for: that of common tabletop hexes."""

HEX_PIXELS = 120
"""The pixels of a hex of a PNG, flat to flat, if no size is asked for."""

DOTS_PER_INCH = 300.0
"""PNGs of a true size have so many pixels, if no other number is asked for."""

MOST_SIDE = 30_000
MOST_PIXELS = 400_000_000
"""Larger PNGs are opened by hardly any program, and take gigabytes there."""

LEAST_PIXELS, MOST_HEX_PIXELS = 1.0, 4000.0

SHAPES_CELLS = 400
"""Maps of more cells are not drawn as shapes: their PDF has images."""

SVG_CELLS = 100_000
"""An SVG of more cells is larger than any program opens."""

PDF_DOTS_PER_INCH = 1200

IMAGE_DOTS_PER_INCH = 300
"""The images in the PDF of a large map."""

BORDER = 0.1
"""Room around a board whose sides have no names, in map units: its rim is drawn there."""


def look(name: str) -> Theme:
    """The colours of one of ``LOOKS``. Raises KeyError for another name."""
    return theme(name) if name in ("light", "dark") else theme("light", name)


@dataclass(frozen=True, slots=True)
class Order:
    """What a picture is to be.

    ``hex_mm`` None: as large as one page holds. ``pixels`` a hex, flat to flat, are for PNG alone;
    None: from ``hex_mm``. ``paper`` None: a page as large as the picture. ``head``: so many mm are
    kept at the top of a page for its title.
    """

    hex_mm: float | None = HEX_MM
    pixels: float | None = None
    paper: str | None = None
    orientation: str = "auto"
    margin: float = 10.0
    poster: bool = False
    overlap: float = 10.0
    overview: bool = True
    head: float = 0.0
    colours: Theme = field(default_factory=partial(theme, "light"))
    overlays: Overlays = ON_PAPER
    pictures: Pictures = field(default_factory=OwnPictures)

    @property
    def size_mm(self) -> float:
        """The size of a hex where no page says it."""
        return HEX_MM if self.hex_mm is None else self.hex_mm

    def box(self, battlemap: BattleMap) -> Box:
        """What of the map's surroundings belongs to the picture, in map units."""
        named = self.overlays.entry_sides and battlemap.system.entry_sides
        return picture_box(battlemap.grid, MARGIN if named else BORDER)

    def plan(self, battlemap: BattleMap) -> Plan:
        """How the picture lies on its pages. Raises ProblemError if it cannot."""
        box, layout = self.box(battlemap), battlemap.grid.layout
        if self.paper is None:
            return own_page(box, layout, self.size_mm)
        lying = sheets(self.paper, self.orientation, self.margin, self.head)
        if self.poster:
            return poster(box, layout, lying, self.size_mm, self.overlap)
        return one_page(box, layout, lying, self.hex_mm)

    def pixels_per_unit(self, layout: Layout) -> float:
        """The scale of a PNG. Raises ProblemError for one that no picture has."""
        pixels = self.pixels
        if pixels is None:
            check_hex_mm(self.size_mm, layout)
            pixels = self.size_mm * DOTS_PER_INCH / MM_PER_INCH
        if not LEAST_PIXELS <= pixels <= MOST_HEX_PIXELS:
            raise error(
                "pixels",
                f"a {cell_words(layout)[0]} of {pixels:g} pixels cannot be drawn "
                f"({LEAST_PIXELS:g} to {MOST_HEX_PIXELS:g})",
            )
        return pixels / across(layout)


Made = TypeVar("Made")

Steps = Generator[int, None, bytes]
"""Work in short steps: per cent done, and at last the file."""


def kind_of(path: Path) -> str:
    """The suffix by which a picture is made. Raises ProblemError for another one."""
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        raise error(
            "picture-suffix",
            f"what picture this is to be cannot be told from its suffix ({', '.join(KINDS)})",
            path=str(path),
        )
    return suffix


def picture(kind: str, order: Order, battlemap: BattleMap, composite: Composite) -> Steps:
    """The file of a picture. Raises ProblemError, at its first step, if there can be none."""
    make = {".png": png, ".svg": svg, ".pdf": pdf}[kind]
    return make(order, battlemap, composite)


def png(order: Order, battlemap: BattleMap, composite: Composite) -> Steps:
    """A PNG, painted strip by strip."""
    unit = order.pixels_per_unit(battlemap.grid.layout)
    width, height = png_size(order, battlemap)
    size = across(battlemap.grid.layout) * unit
    density = size / order.hex_mm if order.hex_mm else 0.0
    writer = PngWriter(width, height, density)
    drawn = vector_map(order, battlemap, composite, SymbolPainter(unit))
    for first, end in strips(width, height):
        strip = QImage(width, end - first, QImage.Format.Format_RGB32)
        if strip.isNull():
            raise error("no-memory", "there is not enough memory for so wide a picture")
        yield from _paint_strip(strip, drawn, order.box(battlemap), unit, first)
        writer.add(strip)
        yield 100 * end // height
    return writer.finish()


def image(
    order: Order, battlemap: BattleMap, composite: Composite, side: int
) -> Generator[int, None, QImage]:
    """The whole map as an image of at most ``side`` pixels a side, at most those of the order."""
    box = order.box(battlemap)
    unit = side / max(box.width, box.height)
    if order.pixels is not None:
        unit = min(unit, order.pixels_per_unit(battlemap.grid.layout))
    width, height = (math.ceil(length * unit - HAIR) for length in (box.width, box.height))
    result = QImage(width, height, QImage.Format.Format_RGB32)
    drawn = vector_map(order, battlemap, composite, SymbolPainter(unit))
    yield from _paint_strip(result, drawn, box, unit, 0)
    return result


def png_size(order: Order, battlemap: BattleMap) -> tuple[int, int]:
    """Width and height in pixels. Raises ProblemError if nothing could open such a PNG."""
    unit, box = order.pixels_per_unit(battlemap.grid.layout), order.box(battlemap)
    width, height = math.ceil(box.width * unit), math.ceil(box.height * unit)
    if max(width, height) > MOST_SIDE or width * height > MOST_PIXELS:
        most = min(MOST_SIDE / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
        raise error(
            "picture-too-large",
            f"the picture would have {width:,} x {height:,} pixels; it may have {MOST_SIDE:,} a "
            f"side and {MOST_PIXELS:,} in all. Ask for at most "
            f"{math.floor(most * unit * across(battlemap.grid.layout) * 0.999)} pixels "
            f"a {cell_words(battlemap.grid.layout)[0]}",
        )
    return width, height


def _paint_strip(
    strip: QImage, drawn: VectorMap, box: Box, unit: float, first: int
) -> Iterator[int]:
    strip.fill(drawn.ground)
    painter = QPainter(strip)
    try:
        painter.translate(-math.floor(box.left * unit), -math.floor(box.top * unit) - first)
        painter.scale(unit, unit)
        top = box.top + (first - 1) / unit
        part = Box(box.left, top, box.right, top + (strip.height() + 2) / unit)
        with closing(drawn.steps(painter, rect(part), unit)) as steps:
            for _ in steps:
                yield 0
    finally:
        painter.end()


def svg(order: Order, battlemap: BattleMap, composite: Composite) -> Steps:
    """An SVG, sized in millimetres."""
    if battlemap.grid.size > SVG_CELLS:
        raise error(
            "picture-too-large",
            f"an SVG of {battlemap.grid.size:,} cells would be too large to open "
            f"({SVG_CELLS:,} are the most); choose PNG or PDF",
        )
    plan = own_page(order.box(battlemap), battlemap.grid.layout, order.size_mm)
    symbols = SvgSymbolPainter()
    drawn = vector_map(order, battlemap, composite, symbols, on_paper=True)
    over = QBuffer()
    over.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(over)
    painter = QPainter(generator)
    try:
        scale = plan.unit * SCREEN_DOTS_PER_MM
        with closing(drawn.steps(painter, rect(plan.box), scale)) as steps:
            for _ in steps:
                yield 50
    finally:
        painter.end()
    background = drawn.ground.name() if is_dark(drawn.ground) else ""
    return document(plan, heading(composite), background, symbols, over)


def pdf(order: Order, battlemap: BattleMap, composite: Composite) -> Steps:
    """A PDF of one page or of many."""
    plan = order.plan(battlemap)
    buffer = QBuffer()
    writer = pdf_writer(buffer, heading(composite))
    drawn = page_map(order, plan, battlemap, composite)
    yield from document_steps(writer, drawn, plan, heading(composite), overview=order.overview)
    return bytes(buffer.data().data())


def pdf_writer(buffer: QBuffer, title: str) -> QPdfWriter:
    """What has the pages of a PDF; it writes them into ``buffer``, which must live as long."""
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DOTS_PER_INCH)
    writer.setTitle(title)
    writer.setCreator("Battlelands Builder")
    return writer


def page_map(
    order: Order,
    plan: Plan,
    battlemap: BattleMap,
    composite: Composite,
    most_shapes: int = SHAPES_CELLS,
) -> VectorMap:
    """A map ready for pages: of at most so many cells as shapes, of more as images."""
    unit = 0.0
    if battlemap.grid.size > most_shapes:
        unit = plan.unit * IMAGE_DOTS_PER_INCH / MM_PER_INCH
    return vector_map(order, battlemap, composite, SymbolPainter(unit), on_paper=True)


def vector_map(
    order: Order,
    battlemap: BattleMap,
    composite: Composite,
    symbols: SymbolPainter,
    *,
    on_paper: bool = False,
) -> VectorMap:
    """A map under the look of an order; paper is white, but for colours made for the dark."""
    look = order.colours
    ground = QColor("white") if on_paper and not is_dark(look.background) else look.background
    return VectorMap(battlemap, composite, look, order.pictures, order.overlays, symbols, ground)


def heading(composite: Composite) -> str:
    """What a map is called on paper."""
    return " - ".join(text for text in (composite.title, composite.subtitle) if text) or "A map"


def exporting(
    path: Path, order: Order, battlemap: BattleMap, composite: Composite
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """The work of a job: write a picture of the map as it is now; None if it was cancelled.

    Raises ProblemError for a suffix that means no picture.
    """
    return writing(path, picture(kind_of(path), order, *snapshot(battlemap, composite)))


def writing(
    path: Path, steps: Steps
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """The work of a job: write into ``path`` what the steps make; None if it was cancelled."""

    def work(progress: Callable[[int], None], cancelled: Callable[[], bool]) -> Path | None:
        data = run(steps, progress, cancelled)
        if data is None:
            return None
        write_atomically(path, data)
        return path

    return work


def run(
    steps: Generator[int, None, Made],
    progress: Callable[[int], None] = lambda _percent: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Made | None:
    """Run through all steps and give what they made; None if it was cancelled."""
    done = 0
    while not cancelled():
        try:
            percent = next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made
        if percent > done:
            done = percent
            progress(percent)
    steps.close()
    return None


def working(
    steps: Generator[int, None, Made],
) -> Callable[[Callable[[int], None], Callable[[], bool]], Made | None]:
    """``run`` as the work of a job."""
    return partial(run, steps)
