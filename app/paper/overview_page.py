"""Paints the first page of a poster, which shows how its pages lie beside each other."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.appearance.painting import saved_state
from app.paper.map_part import SCREEN_DOTS_PER_MM, paint_map, rect
from app.paper.page_plan import Box, PagePlan
from app.paper.page_text import cell_sizes, paint_head, write
from randomizer.model.basics.plurals import counted

if TYPE_CHECKING:
    from app.render.vector.vector_map import VectorMap

_OVERVIEW_TEXT_MM = 12.0
"""The height of the two lines of text above an overview."""

_FIRST_BASELINE_MM = 8.0
"""The distance from the first of these lines to the overview below it."""

_OVERVIEW_LINE_MM = 5.0
"""The distance from the first of these lines to the second."""

_LABEL_OPACITY = 0.75
"""The opacity of the white behind the names of pages in an overview, so that the map shows."""


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
