"""Paints the first page of a poster, which shows how its pages lie beside each other."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.appearance.painting import saved_state
from app.paper.map_part import SCREEN_DOTS_PER_MM, paint_map, rect
from app.paper.page_plan import Box, PagePlan
from app.paper.page_text import cell_sizes, draw_text, paint_head
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

NAME_HEIGHT = 1 / 7
"""The type size of the name of a page, as a share of the height of its outline."""

NAME_WIDTH = 1 / 8
"""The most that it can be, as a share of the width of the outline."""

LABEL_LETTER_WIDTH = 1.2
"""The width of the white behind a letter of the name, as a share of the type size."""

LABEL_HEIGHT = 1.5
"""The height of the white, as a share of the type size."""

LETTER_WIDTH = 0.64
"""The usual width of a letter, as a share of the type size."""

CAPITAL_HEIGHT = 0.72
"""The height of a capital, as a share of the type size."""


def paint_overview_page(
    painter: QPainter, vector_map: VectorMap, plan: PagePlan, heading: str
) -> Generator[None, None, None]:
    """Paint the page that shows how the pages of a poster lie; yield after each piece of the map.

    With all but the painter bound it is a ``PaintPage``.
    """
    sheet = plan.sheet
    map_room = Box(
        left=sheet.margin,
        top=sheet.margin + sheet.head + _OVERVIEW_TEXT_MM,
        right=sheet.width - sheet.margin,
        bottom=sheet.height - sheet.margin,
    )
    scale = min(map_room.width / plan.width, map_room.height / plan.height)

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
        draw_text(painter, QPointF(sheet.margin, first_baseline + index * _OVERVIEW_LINE_MM), line)

    with saved_state(painter):
        painter.translate(map_room.left, map_room.top)
        with saved_state(painter):
            painter.setClipRect(QRectF(0, 0, plan.width * scale, plan.height * scale))
            painter.scale(plan.unit * scale, plan.unit * scale)
            painter.translate(-plan.box.left, -plan.box.top)
            detail = plan.unit * scale * SCREEN_DOTS_PER_MM
            yield from paint_map(painter, vector_map, plan.box, detail)
        paint_tiling(painter, plan, scale, QColor(0, 0, 0))


def paint_tiling(painter: QPainter, plan: PagePlan, scale: float, ink: QColor) -> None:
    """Draw the outlines and names of a poster's pages; ``scale`` is in its units a millimetre."""
    with saved_state(painter):
        painter.setPen(QPen(ink, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for page in plan.pages():
            box = rect(page.box)
            box = QRectF(box.topLeft() * scale, box.size() * scale)
            painter.drawRect(box)
            name = page.label.partition(" ")[0]  # of "B2 of C3" the first word
            _paint_page_name(painter, box, name)


def _paint_page_name(painter: QPainter, box: QRectF, name: str) -> None:
    """Paint the name of a page on white in the middle of its outline."""
    size = min(box.height() * NAME_HEIGHT, box.width() * NAME_WIDTH)
    with saved_state(painter):
        painter.setOpacity(_LABEL_OPACITY)
        label = QRectF(0, 0, size * LABEL_LETTER_WIDTH * len(name), size * LABEL_HEIGHT)
        label.moveCenter(box.center())
        painter.fillRect(label, QColor(255, 255, 255))
    name_width = LETTER_WIDTH * size * len(name)
    capital_height = CAPITAL_HEIGHT * size
    baseline = box.center() + QPointF(-name_width / 2, capital_height / 2)
    draw_text(painter, baseline, name, size)
