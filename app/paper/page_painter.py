"""Paints pages at their true size: the map, its title and footer, and registration marks.

``paint_document`` is what printing and PDF files use; it paints the pages of a ``PagePlan``
(page_plan.py) one after the other. Begin with ``paint_map_page``. Functions that paint on a page
take a painter whose unit is the millimetre, from the sheet's left top corner.
"""

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

LEAST_LIGHT = 128
"""Grounds whose lightness (0 to 255) is lower are dark."""

_BASELINE = 0.7
"""How far down in its line the baseline of a title is, as a share of the line's height."""

_RULER_NAME_MM = 14.0
"""The distance from the beginning of the ruler's length in words to the ruler."""

_OVERVIEW_TEXT_MM = 12.0
"""The height of the two lines of text above an overview."""

_FIRST_BASELINE_MM = 8.0
"""The distance from the first of these lines to the overview below it."""

_OVERVIEW_LINE_MM = 5.0
"""The distance from the first of these lines to the second."""

_LABEL_OPACITY = 0.75
"""The opacity of the white behind the names of pages in an overview, so that the map shows."""


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
    return colour.lightness() < LEAST_LIGHT


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
        """The number of pages begun."""
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
        # The painter of a page works in millimetres.
        dots_per_mm = self._device.logicalDpiX() / MM_PER_INCH
        with saved_state(self._painter), closing(page(self._painter)) as steps:
            self._painter.scale(dots_per_mm, dots_per_mm)
            yield from steps

    def close(self) -> None:
        """End the document."""
        self._painter.end()


def _layout(sheet: Sheet) -> QPageLayout:
    """Return the page layout of a whole sheet, without Qt's own margins."""
    size = QSizeF(sheet.width, sheet.height)
    orientation = QPageLayout.Orientation.Portrait
    if sheet.width > sheet.height:
        # The size of a page is that of the upright sheet; its orientation turns it.
        size.transpose()
        orientation = QPageLayout.Orientation.Landscape
    page_size = QPageSize(size, QPageSize.Unit.Millimeter)
    layout = QPageLayout(page_size, orientation, QMarginsF())
    layout.setMode(QPageLayout.Mode.FullPageMode)
    return layout


def paint_map_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, page: Page, heading: str
) -> Generator[None, None, None]:
    """Paint one page of the map, as ``PaintPage``."""
    # The point of the sheet where the left top corner of the whole picture would lie.
    page_left, page_top = plan.origin(page)
    origin = QPointF(page_left - page.box.left, page_top - page.box.top)

    if any(plan.titles):
        paint_titles(painter, plan, page_top)
    else:
        paint_head(painter, plan.sheet, heading)
    yield from _paint_map_of_page(painter, vector_map, plan, page, origin)

    if plan.page_count == 1:
        paint_frame(painter, plan, rect(page.box).translated(origin))
    else:
        _paint_registration_marks(painter, plan, page, origin)
        heading = f"{heading}   page {page.label}"
    footer = cell_sizes(vector_map.battlemap, vector_map.composite, plan)
    if not any(plan.titles):
        footer = f"{heading}   {footer}"
    _paint_footer(painter, plan, footer)


def _paint_map_of_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, page: Page, origin: QPointF
) -> Iterator[None]:
    """Paint the part of the map that a page shows, in short steps.

    ``origin`` is the point of the sheet where the left top corner of the whole picture would lie.
    """
    # ``page.box`` is in millimetres of the picture, ``map_box`` in map units.
    map_box = Box(
        left=plan.box.left + page.box.left / plan.unit,
        top=plan.box.top + page.box.top / plan.unit,
        right=plan.box.left + page.box.right / plan.unit,
        bottom=plan.box.top + page.box.bottom / plan.unit,
    )
    with saved_state(painter):
        painter.translate(origin)
        painter.setClipRect(rect(page.box))
        painter.scale(plan.unit, plan.unit)
        painter.translate(-plan.box.left, -plan.box.top)
        yield from paint_map(painter, vector_map, map_box, plan.unit * SCREEN_DOTS_PER_MM)


def paint_titles(painter: QPainter, plan: PagePlan, map_top: float) -> None:
    """Paint a bold title and an italic subtitle, centred above the map.

    The map begins at ``map_top``, in millimetres. A text that is too long gets smaller type.
    """
    sheet = plan.sheet
    top = map_top - title_room(plan.titles)
    styles = zip(plan.titles, TITLE_LINES_MM, TITLE_TYPE_MM, (True, False), strict=True)
    for text, line_height, type_size, is_bold in styles:
        if not text:
            continue
        font = type_font()
        font.setBold(is_bold)
        font.setItalic(not is_bold)
        # The width of the text in type of one millimetre; it grows with the size of the type.
        unit_width = QFontMetricsF(font).horizontalAdvance(text) / FONT_PIXELS
        size = min(type_size, sheet.inner_width / unit_width)
        baseline = top + line_height * _BASELINE
        left = (sheet.width - unit_width * size) / 2
        write(painter, QPointF(left, baseline), text, size, font)
        top += line_height


def paint_frame(painter: QPainter, plan: PagePlan, box: QRectF) -> None:
    """Paint the lines around the map of a page, as the maps of an atlas have them.

    ``box`` is the map on the sheet, in millimetres. A narrow margin has no room for them.
    """
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

    ``origin`` is the point of the sheet where the left top corner of the whole picture would lie.
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
    """Paint the text of the footer, and a ruler to check the printer's scale with.

    A narrow margin has no footer, and a sheet as narrow as three rulers no ruler.
    """
    sheet = plan.sheet
    margin = sheet.margin
    if margin < TICK_MM + TYPE_MM:
        return
    with saved_state(painter):
        # Below the ticks, but on the sheet.
        bottom = sheet.height - margin + FROM_MAP_MM + TICK_MM + TYPE_MM
        bottom = min(bottom, sheet.height - 1)
        baseline = bottom - 0.6
        write(painter, QPointF(margin, baseline), text)
        if sheet.inner_width <= 3 * RULER_MM:
            return
        right = sheet.width - margin
        left = right - RULER_MM
        write(painter, QPointF(left - _RULER_NAME_MM, baseline), f"{RULER_MM:g} mm")
        painter.setPen(QPen(QColor(0, 0, 0), HAIRLINE_MM))
        painter.drawLine(QLineF(left, bottom - 1, right, bottom - 1))
        for x in (left, right):
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
    if font is None:
        font = type_font()
    with saved_state(painter):
        painter.translate(at)
        painter.scale(size / FONT_PIXELS, size / FONT_PIXELS)
        painter.setFont(font)
        painter.setPen(QColor(0, 0, 0))
        painter.drawText(QPointF(), text)


def paint_overview_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, heading: str
) -> Generator[None, None, None]:
    """Paint the page that shows how the pages of a poster lie, as ``PaintPage``."""
    sheet = plan.sheet
    map_room = Box(
        left=sheet.margin,
        top=sheet.margin + sheet.head + _OVERVIEW_TEXT_MM,
        right=sheet.width - sheet.margin,
        bottom=sheet.height - sheet.margin,
    )
    shrink = min(map_room.width / plan.width, map_room.height / plan.height)

    paint_head(painter, sheet, heading)
    sizes = cell_sizes(vector_map.battlemap, vector_map.composite, plan)
    first_line = f"{counted(plan.page_count, 'page')}, {sizes}. Print at 100 %."
    if not sheet.head:  # then the heading stands nowhere else
        first_line = f"{heading}: {first_line}"
    lines = (
        first_line,
        "Cut along the ticks in the margins, or glue the pages so that the crosses meet.",
    )
    first_baseline = map_room.top - _FIRST_BASELINE_MM
    for index, line in enumerate(lines):
        write(painter, QPointF(sheet.margin, first_baseline + index * _OVERVIEW_LINE_MM), line)

    with saved_state(painter):
        painter.translate(map_room.left, map_room.top)
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
            name = page.label.partition(" ")[0]  # of "B2 of C3" the first word
            _paint_page_name(painter, box, name)


def _paint_page_name(painter: QPainter, box: QRectF, name: str) -> None:
    """Paint the name of a page on white in the middle of its outline, a seventh of it high."""
    size = min(box.height() / 7, box.width() / 8)
    with saved_state(painter):
        painter.setOpacity(_LABEL_OPACITY)
        label = QRectF(0, 0, size * 1.2 * len(name), size * 1.5)
        label.moveCenter(box.center())
        painter.fillRect(label, QColor(255, 255, 255))
    # Letters are about 0.64 times as wide as the type size, and capitals 0.72 times as high.
    baseline = box.center() + QPointF(-0.32 * size * len(name), 0.36 * size)
    write(painter, baseline, name, size)
