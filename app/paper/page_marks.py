"""Draws the marks of a page: the frame of a single page, ticks and crosses where posters are cut.

A poster is printed on several pages, which are cut along the ticks, or glued so that the crosses
meet::

          |           |            ticks in the margin, at the cuts
        --+-----------+--
          |  +     +  |            crosses on the map, where cuts cross
        --+-----------+--
          |           |

Painters have the millimetre for their unit, from the sheet's left top corner.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.appearance.painting import saved_state
from app.paper.map_part import rect
from app.paper.page_plan import Page, PagePlan

TICK_MM = 4.0
"""The length of the ticks in the margins, where these are wide enough."""

CROSS_MM = 2.5
"""The length of each of the four arms of a cross."""

TICK_GAP_MM = 1.0
"""The distance of ticks from the map."""

HAIRLINE_MM = 0.15
"""The width of the lines of ticks and crosses, and of the ruler of page_text.py."""


class _FrameLine(NamedTuple):
    """A line of the frame around the map of a page."""

    distance_mm: float
    """Its distance from the map."""

    width_mm: float


_FRAME = (
    _FrameLine(distance_mm=1.0, width_mm=0.2),
    _FrameLine(distance_mm=2.0, width_mm=0.7),
)
"""The frame: a thin line, and a broad one outside of it, as the maps of an atlas have them."""

MIN_FRAME_MARGIN_MM = 6.0
"""The narrowest margin that has a frame: printers cannot print nearer to the edge of the paper."""


def paint_frame(painter: QPainter, plan: PagePlan, box: QRectF) -> None:
    """Paint the frame around the map of a page; a narrow margin has no room for it.

    ``box`` is the map on the sheet, in millimetres.
    """
    if plan.sheet.margin < MIN_FRAME_MARGIN_MM:
        return
    with saved_state(painter):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line in _FRAME:
            pen = QPen(QColor(0, 0, 0), line.width_mm)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            distance = line.distance_mm
            painter.drawRect(box.adjusted(-distance, -distance, distance, distance))


def paint_registration_marks(
    painter: QPainter, plan: PagePlan, page: Page, origin: QPointF
) -> None:
    """Paint ticks in the margins at the cuts, and crosses on the map where cuts cross.

    ``origin`` is where (0, 0) of the picture is on the sheet: off it for most pages of a poster.
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

    ``origin`` is as in ``paint_registration_marks``. Ticks begin ``TICK_GAP_MM`` outside the map.
    """
    length = min(TICK_MM, plan.sheet.margin - TICK_GAP_MM)
    if length <= 0:
        return []
    box = rect(page.box).translated(origin)
    left = box.left() - TICK_GAP_MM
    top = box.top() - TICK_GAP_MM
    right = box.right() + TICK_GAP_MM
    bottom = box.bottom() + TICK_GAP_MM
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
