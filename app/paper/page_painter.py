"""Paints the pages of a map at their true size.

``paint_document`` is what printing and PDF files use; it paints the pages of a ``PagePlan``
(page_plan.py) one after the other. A page has, from top to bottom::

    title and subtitle, or a heading      page_text.py
    the map, or the part of a poster      map_part.py
      with a frame, or ticks and crosses  page_marks.py
    the sizes of cells and a ruler        page_text.py

Functions that paint on a page take a painter whose unit is the millimetre, from the sheet's left
top corner.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QMarginsF, QPointF, QSizeF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPainter

from app.appearance.painting import saved_state
from app.paper.map_part import SCREEN_DOTS_PER_MM, paint_map, rect
from app.paper.overview_page import paint_overview_page
from app.paper.page_marks import paint_frame, paint_registration_marks
from app.paper.page_plan import MM_PER_INCH, Box, Page, PagePlan, Sheet
from app.paper.page_text import cell_sizes, paint_footer, paint_head, paint_titles
from randomizer.model.problems import error

if TYPE_CHECKING:
    from app.render.vector.vector_map import VectorMap


PaintPage = Callable[[QPainter], Generator[None, None, None]]
"""Paints a page in short steps; the painter's unit is the millimetre, from the sheet's corner."""


class SheetPage(NamedTuple):
    """A page, and the sheet of paper that it is painted on."""

    sheet: Sheet

    paint: PaintPage


def paint_document(
    device: QPagedPaintDevice,
    vector_map: VectorMap,
    plan: PagePlan,
    heading: str,
    *,
    overview: bool = True,
    pages_after_map: Sequence[SheetPage] = (),
) -> Generator[int, None, None]:
    """Paint every page in short steps, which yield the percentage done.

    With ``overview`` a poster begins with a page that shows how the others lie. The
    ``pages_after_map`` follow.  Raises ProblemError if the device takes no pages.
    """
    pages = []
    for paint_page in map_pages(vector_map, plan, heading, overview=overview):
        pages.append(SheetPage(plan.sheet, paint_page))
    pages += pages_after_map
    with closing(PagePainter(device, plan.sheet)) as painter:
        for index, page in enumerate(pages):
            with closing(painter.steps(page)) as steps:
                for _ in steps:
                    yield 100 * index // len(pages)


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
    """Paints pages on a device, one after the other; ``sheet`` is that of the first page.

    ``steps`` is called for each page and run to its end, then ``close`` ends the document. Raises
    ProblemError if the device takes no pages.
    """

    def __init__(self, device: QPagedPaintDevice, sheet: Sheet) -> None:
        device.setPageLayout(_layout(sheet))
        self._device = device
        self._sheet = sheet
        """The sheet of the page under way."""
        self._painter = QPainter(device)
        self._count = 0
        """The number of pages begun."""
        if not self._painter.isActive():
            raise error("not-printed", "the printer, or the file it prints into, takes no page")

    def steps(self, page: SheetPage) -> Generator[None, None, None]:
        """Paint the next page in short steps.

        Raises ProblemError, at the first step, if the device takes no more pages.
        """
        if page.sheet != self._sheet:
            self._sheet = page.sheet
            self._device.setPageLayout(_layout(page.sheet))
        if self._count and not self._device.newPage():
            raise error("not-printed", f"no page came after the first {self._count}")
        self._count += 1
        # The painter of a page works in millimetres.
        dots_per_mm = self._device.logicalDpiX() / MM_PER_INCH
        with saved_state(self._painter), closing(page.paint(self._painter)) as steps:
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
    """Paint one page of the map; with all but the painter bound it is a ``PaintPage``."""
    # Where (0, 0) of the picture is on the sheet: off it for most pages of a poster.
    page_left, page_top = plan.origin(page)
    origin = QPointF(page_left - page.box.left, page_top - page.box.top)

    if any(plan.titles):
        paint_titles(painter, plan, page_top)
    else:
        paint_head(painter, plan.sheet, heading)
    yield from _paint_map_of_page(painter, vector_map, plan, page, origin)

    footer_heading = heading
    if plan.page_count == 1:
        paint_frame(painter, plan, rect(page.box).translated(origin))
    else:
        paint_registration_marks(painter, plan, page, origin)
        footer_heading = f"{heading}   page {page.label}"
    footer = cell_sizes(vector_map.battlemap, vector_map.composite, plan)
    if not any(plan.titles):
        footer = f"{footer_heading}   {footer}"
    paint_footer(painter, plan, footer)


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
