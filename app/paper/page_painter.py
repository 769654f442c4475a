"""Paints pages at their true size: the map, its title and footer, and registration marks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPen,
)

from app.appearance.painting import saved_state
from app.paper.page_plan import (
    MM_PER_INCH,
    TITLE_LINES_MM,
    Box,
    Page,
    PagePlan,
    Sheet,
    title_room,
)
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.problems import error

if TYPE_CHECKING:
    from app.render.vector.vector_map import VectorMap
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite

SCREEN_DOTS_PER_MM = 96 / MM_PER_INCH
"""Names and signs are as large on paper as on a screen of this density."""

CELL_DETAIL = 1.6
"""Cells on paper show what they show on a screen that is this many times as dense.

Print is finer than a screen: numbers, grid lines and hexsides can still be read there.
"""

TYPE_MM = 3.0
"""The type size of the text beside the map."""

HEAD_TYPE_MM = 4.5
"""The type size of the heading of a page without a title."""

FONT_PIXELS = 32
"""Text is set in this pixel size and scaled."""

RULER_MM = 50.0
"""The length of the ruler in the footer, with which the printer's scale is checked."""

TICK_MM = 4.0
"""The length of the ticks in the margins, where these are wide enough."""

CROSS_MM = 2.5
"""The length of each of the four arms of a cross."""

FROM_MAP_MM = 1.0
"""The distance of ticks from the map."""

HAIRLINE_MM = 0.15
"""The width of the lines of ticks, crosses and the ruler."""

TITLE_TYPE_MM = (7.5, 4.2)
"""The type sizes of a title and a subtitle."""

FRAME_MM = ((1.0, 0.2), (2.0, 0.7))
"""The lines of the frame of a page: how far they lie outside of the map, and their widths."""

LEAST_FRAME_MARGIN_MM = 6.0
"""Printers leave out about so much: on a narrower margin there is no frame."""


def rect(box: Box) -> QRectF:
    """Return a box as a QRectF."""
    return QRectF(box.left, box.top, box.width, box.height)


def paint_map(painter: QPainter, vector_map: VectorMap, box: Box, scale: float) -> Iterator[None]:
    """Paint the part ``box`` of a map; the painter's unit is the map unit.

    ``scale`` is that of ``VectorMap.steps``, for texts.
    """
    if is_dark(vector_map.ground):  # a light one is the paper
        painter.fillRect(rect(box), vector_map.ground)
    yield from vector_map.steps(painter, rect(box), scale, scale * CELL_DETAIL)


def is_dark(colour: QColor) -> bool:
    """Return whether light colours are needed on this ground."""
    return colour.lightness() < 128


def paint_document(
    device: QPagedPaintDevice,
    vector_map: VectorMap,
    plan: PagePlan,
    heading: str,
    *,
    overview: bool = True,
    more: Sequence[tuple[Sheet, PaintPage]] = (),
) -> Generator[int, None, None]:
    """Paint every page in short steps, which yield the percentage done.

    With ``overview`` a poster begins with a page that shows how the others lie. The pages ``more``
    follow the map, each on its sheet. Raises ProblemError if the device takes no pages.
    """
    on_map = map_pages(vector_map, plan, heading, overview=overview)
    pages = [*((plan.sheet, page) for page in on_map), *more]
    with closing(PagePainter(device, plan.sheet)) as painter:
        for index, (sheet, page) in enumerate(pages):
            with closing(painter.steps(page, sheet)) as steps:
                for _ in steps:
                    yield 100 * index // len(pages)


PaintPage = Callable[[QPainter], Generator[None, None, None]]
"""Paints a page in short steps; the painter's unit is the millimetre, from the sheet's corner."""


def map_pages(
    vector_map: VectorMap, plan: PagePlan, heading: str, *, overview: bool
) -> list[PaintPage]:
    """Return pages of a map; with ``overview`` those of a poster begin with one that shows them."""
    pages: list[PaintPage] = [
        partial(paint_map_page, vector_map=vector_map, plan=plan, page=page, heading=heading)
        for page in plan.pages()
    ]
    if overview and len(pages) > 1:
        overview_page = partial(
            paint_overview_page, vector_map=vector_map, plan=plan, heading=heading
        )
        return [overview_page, *pages]
    return pages


class PagePainter:
    """Paints pages on a device, one after the other, on the same ``sheet`` unless told another.

    Raises ProblemError if the device takes no pages.
    """

    def __init__(self, device: QPagedPaintDevice, sheet: Sheet) -> None:
        device.setPageLayout(_layout(sheet))
        self._device = device
        self._sheet = sheet
        self._painter = QPainter(device)
        self._count = 0
        if not self._painter.isActive():
            raise error("not-printed", "the printer, or the file it prints into, takes no page")

    def steps(self, page: PaintPage, sheet: Sheet | None = None) -> Generator[None, None, None]:
        """Paint the next page, on ``sheet`` from now on if there is one.

        Raises ProblemError if the device does not take it.
        """
        if sheet is not None and sheet != self._sheet:
            self._sheet = sheet
            self._device.setPageLayout(_layout(sheet))
        if self._count and not self._device.newPage():
            raise error("not-printed", f"no page came after the first {self._count}")
        self._count += 1
        dots_per_mm = self._device.logicalDpiX() / MM_PER_INCH
        with saved_state(self._painter), closing(page(self._painter)) as steps:
            self._painter.scale(dots_per_mm, dots_per_mm)
            yield from steps

    def close(self) -> None:
        """End the document."""
        self._painter.end()


def _layout(sheet: Sheet) -> QPageLayout:
    """Return the page layout of a whole sheet, without Qt's own margins."""
    lying = sheet.width > sheet.height
    size = QSizeF(sheet.width, sheet.height)
    page = QPageSize(size.transposed() if lying else size, QPageSize.Unit.Millimeter)
    if lying:
        way = QPageLayout.Orientation.Landscape
    else:
        way = QPageLayout.Orientation.Portrait
    layout = QPageLayout(page, way, QMarginsF())
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def paint_map_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, page: Page, heading: str
) -> Generator[None, None, None]:
    """Paint one page of the map, as ``PaintPage``."""
    is_single = plan.columns * plan.rows == 1
    left, top = plan.origin(page)
    if any(plan.titles):
        paint_titles(painter, plan, top)
    else:
        paint_head(painter, plan.sheet, heading)

    # The page's part of the map: ``page.box`` is in millimetres of the poster, ``part`` in map
    # units, in which the map is painted.
    part = Box(
        plan.box.left + page.box.left / plan.unit,
        plan.box.top + page.box.top / plan.unit,
        plan.box.left + page.box.right / plan.unit,
        plan.box.top + page.box.bottom / plan.unit,
    )
    with saved_state(painter):
        painter.translate(left - page.box.left, top - page.box.top)
        painter.setClipRect(rect(page.box))
        painter.scale(plan.unit, plan.unit)
        painter.translate(-plan.box.left, -plan.box.top)
        yield from paint_map(painter, vector_map, part, plan.unit * SCREEN_DOTS_PER_MM)

    if is_single:
        paint_frame(painter, plan, rect(page.box).translated(left, top))
    else:
        _paint_registration_marks(
            painter, plan, page, QPointF(left - page.box.left, top - page.box.top)
        )
        heading = f"{heading}   page {page.label}"
    footer = cell_sizes(vector_map.battlemap, vector_map.composite, plan)
    if not any(plan.titles):
        footer = f"{heading}   {footer}"
    _paint_footer(painter, plan, footer)


def paint_titles(painter: QPainter, plan: PagePlan, map_top: float) -> None:
    """Paint the title and the subtitle of a page, centred above the map, which begins there."""
    sheet = plan.sheet
    top = map_top - title_room(plan.titles)
    styles = zip(plan.titles, TITLE_LINES_MM, TITLE_TYPE_MM, (True, False), strict=True)
    for text, line_height, type_size, is_bold in styles:
        if not text:
            continue
        font = type_font()
        font.setBold(is_bold)
        font.setItalic(not is_bold)
        width = QFontMetricsF(font).horizontalAdvance(text) / FONT_PIXELS
        size = min(type_size, sheet.inner_width / width)
        baseline = top + line_height * 0.7
        left = (sheet.width - width * size) / 2
        write(painter, QPointF(left, baseline), text, size, font)
        top += line_height


def paint_frame(painter: QPainter, plan: PagePlan, box: QRectF) -> None:
    """Paint the lines around the map of a page, as the maps of an atlas have them."""
    if plan.sheet.margin < LEAST_FRAME_MARGIN_MM:
        return
    with saved_state(painter):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for distance, width in FRAME_MM:
            pen = QPen(QColor(0, 0, 0), width)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(box.adjusted(-distance, -distance, distance, distance))


def _paint_registration_marks(
    painter: QPainter, plan: PagePlan, page: Page, origin: QPointF
) -> None:
    """Paint ticks in the margins at the cuts, and crosses on the map where cuts cross.

    ``origin`` is where the picture's left top corner would lie on the sheet.
    """
    ticks = _ticks_at_cuts(plan, page, origin)
    crosses = []
    for mark_x, mark_y in plan.registration_marks(page):
        x = mark_x + origin.x()
        y = mark_y + origin.y()
        crosses.append(QLineF(x - CROSS_MM, y, x + CROSS_MM, y))
        crosses.append(QLineF(x, y - CROSS_MM, x, y + CROSS_MM))
    with saved_state(painter):
        # A white line below each black one, so that crosses show on dark maps.
        painter.setPen(QPen(QColor(255, 255, 255), 3 * HAIRLINE_MM))
        painter.drawLines(crosses)
        painter.setPen(QPen(QColor(0, 0, 0), HAIRLINE_MM))
        painter.drawLines(crosses)
        painter.drawLines(ticks)


def _ticks_at_cuts(plan: PagePlan, page: Page, origin: QPointF) -> list[QLineF]:
    """Return the ticks in the margins of a page, two for each cut; none in a narrow margin.

    ``origin`` is as in ``_paint_registration_marks``. Ticks begin ``FROM_MAP_MM`` outside the map.
    """
    length = min(TICK_MM, plan.sheet.margin - FROM_MAP_MM)
    if length <= 0:
        return []
    box = rect(page.box).translated(origin)
    left = box.left() - FROM_MAP_MM
    top = box.top() - FROM_MAP_MM
    right = box.right() + FROM_MAP_MM
    bottom = box.bottom() + FROM_MAP_MM
    xs, ys = plan.cuts_of(page)
    ticks = []
    for cut_x in xs:
        x = cut_x + origin.x()
        ticks.append(QLineF(x, top, x, top - length))
        ticks.append(QLineF(x, bottom, x, bottom + length))
    for cut_y in ys:
        y = cut_y + origin.y()
        ticks.append(QLineF(left, y, left - length, y))
        ticks.append(QLineF(right, y, right + length, y))
    return ticks


def cell_sizes(battlemap: BattleMap, composite: Composite, plan: PagePlan) -> str:
    """Return how wide the cells are on paper, and in the world if the map says it: ``hexes 12.0 mm
    = 6 miles``.
    """
    layout = battlemap.grid.layout
    text = f"{cell_words(layout).cells} {plan.hex_mm(layout):.1f} mm"
    width = battlemap.system.cell_width(battlemap, composite.properties)
    if width is None:
        return text
    return f"{text} = {width.text()}"


def _paint_footer(painter: QPainter, plan: PagePlan, text: str) -> None:
    """Paint the text of the footer, and a ruler to check the printer's scale with."""
    margin = plan.sheet.margin
    sheet = plan.sheet
    if margin < TICK_MM + TYPE_MM:
        return
    with saved_state(painter):
        bottom = sheet.height - margin + FROM_MAP_MM + TICK_MM + TYPE_MM
        bottom = min(bottom, sheet.height - 1)
        write(painter, QPointF(margin, bottom - 0.6), text)
        if sheet.inner_width > 3 * RULER_MM:
            end = sheet.width - margin
            write(painter, QPointF(end - RULER_MM - 14, bottom - 0.6), f"{RULER_MM:g} mm")
            painter.setPen(QPen(QColor(0, 0, 0), HAIRLINE_MM))
            painter.drawLine(QLineF(end - RULER_MM, bottom - 1, end, bottom - 1))
            for x in (end - RULER_MM, end):
                painter.drawLine(QLineF(x, bottom - 2, x, bottom))


def paint_head(painter: QPainter, sheet: Sheet, heading: str) -> None:
    """Paint the title of a page, if its sheet has a head."""
    if sheet.head:
        write(painter, QPointF(sheet.margin, sheet.margin + HEAD_TYPE_MM), heading, HEAD_TYPE_MM)


def type_font() -> QFont:
    """Return the font of text beside the map, of ``FONT_PIXELS``."""
    font = QFont()
    font.setPixelSize(FONT_PIXELS)
    return font


def write(
    painter: QPainter, at: QPointF, text: str, size: float = TYPE_MM, font: QFont | None = None
) -> None:
    """Draw black text on a baseline that begins ``at``; ``size`` in the painter's units.

    A ``font`` is one of ``FONT_PIXELS``; None for that of ``type_font``.
    """
    with saved_state(painter):
        painter.translate(at)
        painter.scale(size / FONT_PIXELS, size / FONT_PIXELS)
        painter.setFont(type_font() if font is None else font)
        painter.setPen(QColor(0, 0, 0))
        painter.drawText(QPointF(), text)


def paint_overview_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, heading: str
) -> Generator[None, None, None]:
    """Paint the page that shows how the pages of a poster lie, as ``PaintPage``."""
    sheet = plan.sheet
    room = Box(
        sheet.margin,
        sheet.margin + sheet.head + 12,
        sheet.width - sheet.margin,
        sheet.height - sheet.margin,
    )
    shrink = min(room.width / plan.width, room.height / plan.height)
    paint_head(painter, sheet, heading)
    name = "" if sheet.head else f"{heading}: "
    sizes = cell_sizes(vector_map.battlemap, vector_map.composite, plan)
    lines = (
        f"{name}{counted(plan.columns * plan.rows, 'page')}, {sizes}. Print at 100 %.",
        "Cut along the ticks in the margins, or glue the pages so that the crosses meet.",
    )
    for index, line in enumerate(lines):
        write(painter, QPointF(sheet.margin, room.top - 8 + 5 * index), line)
    with saved_state(painter):
        painter.translate(room.left, room.top)
        with saved_state(painter):
            painter.setClipRect(QRectF(0, 0, plan.width * shrink, plan.height * shrink))
            painter.scale(plan.unit * shrink, plan.unit * shrink)
            painter.translate(-plan.box.left, -plan.box.top)
            scale = plan.unit * shrink * SCREEN_DOTS_PER_MM
            yield from paint_map(painter, vector_map, plan.box, scale)
        paint_tiling(painter, plan, shrink, QColor(0, 0, 0))


def paint_tiling(painter: QPainter, plan: PagePlan, shrink: float, ink: QColor) -> None:
    """Draw the outlines and names of a poster's pages; ``shrink``: painter's units a millimetre."""
    with saved_state(painter):
        painter.setPen(QPen(ink, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for page in plan.pages():
            box = rect(page.box)
            box = QRectF(box.topLeft() * shrink, box.size() * shrink)
            painter.drawRect(box)
            size = min(box.height() / 7, box.width() / 8)
            name = page.label.partition(" ")[0]
            with saved_state(painter):
                painter.setOpacity(0.75)
                label = QRectF(0, 0, size * 1.2 * len(name), size * 1.5)
                label.moveCenter(box.center())
                painter.fillRect(label, QColor(255, 255, 255))
            at = box.center() + QPointF(-0.32 * size * len(name), 0.36 * size)
            write(painter, at, name, size)
