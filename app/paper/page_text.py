"""Writes the texts of a page beside the map: its title or heading, and its footer.

Painters have the millimetre for their unit, from the sheet's left top corner. Text is set in a font
of ``FONT_PIXELS``, which is scaled: Qt knows fonts in whole pixels only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.appearance.painting import saved_state
from app.paper.page_marks import HAIRLINE_MM, TICK_GAP_MM, TICK_MM
from app.paper.page_plan import TITLE_LINES_MM, PagePlan, Sheet, title_room
from randomizer.model.grid.cell_words import cell_words

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite

TYPE_MM = 3.0
"""The type size of the text beside the map."""

HEAD_TYPE_MM = 4.5
"""The type size of the heading of a page without a title."""

FONT_PIXELS = 32
"""Text is set in this pixel size and scaled."""


class _TitleStyle(NamedTuple):
    """The looks of a title or a subtitle."""

    line_mm: float
    """The height of its line."""

    type_mm: float
    """The size of its type, unless it is too long."""

    is_bold: bool

    is_italic: bool


_TITLE_STYLES = (
    _TitleStyle(TITLE_LINES_MM[0], type_mm=7.5, is_bold=True, is_italic=False),
    _TitleStyle(TITLE_LINES_MM[1], type_mm=4.2, is_bold=False, is_italic=True),
)
"""The styles of the title and of the subtitle."""

RULER_MM = 50.0
"""The length of the ruler in the footer, with which the printer's scale is checked."""

_BASELINE = 0.7
"""How far down in its line the baseline of a title is, as a share of the line's height."""

_RULER_NAME_MM = 14.0
"""The distance from the beginning of the ruler's length in words to the ruler."""


_MIN_EDGE_MM = 1.0
"""The least distance of the footer from the edge of the sheet."""

_DESCENT_MM = 0.6
"""How far letters such as "g" reach below the baseline of the footer."""

_RULER_TICK_MM = 2.0
"""The height of the ticks at both ends of the ruler."""

_GAP_MM = 3.0
"""The least gap between the text of the footer and the length of the ruler in words."""


def draw_text(
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


def type_font() -> QFont:
    """Return the font of text beside the map, of ``FONT_PIXELS``."""
    font = QFont()
    font.setPixelSize(FONT_PIXELS)
    return font


def paint_head(painter: QPainter, sheet: Sheet, heading: str) -> None:
    """Paint the heading of a page, if its sheet has a head."""
    if sheet.head:
        draw_text(
            painter, QPointF(sheet.margin, sheet.margin + HEAD_TYPE_MM), heading, HEAD_TYPE_MM
        )


def paint_titles(painter: QPainter, plan: PagePlan, map_top: float) -> None:
    """Paint a bold title and an italic subtitle, centred above the map.

    The map begins at ``map_top``, in millimetres. A text that is too long gets smaller type.
    """
    sheet = plan.sheet
    top = map_top - title_room(plan.titles)
    for text, style in zip(plan.titles, _TITLE_STYLES, strict=True):
        if not text:
            continue
        font = type_font()
        font.setBold(style.is_bold)
        font.setItalic(style.is_italic)
        # The width of the text in type of one millimetre; it grows with the size of the type.
        unit_width = QFontMetricsF(font).horizontalAdvance(text) / FONT_PIXELS
        size = min(style.type_mm, sheet.inner_width / unit_width)
        baseline = top + style.line_mm * _BASELINE
        left = (sheet.width - unit_width * size) / 2
        draw_text(painter, QPointF(left, baseline), text, size, font)
        top += style.line_mm


def cell_sizes(battlemap: BattleMap, composite: Composite, plan: PagePlan) -> str:
    """Return how wide the cells are on paper, and in the world if the map says it.

    Such as "hexes 12.0 mm = 6 miles".
    """
    layout = battlemap.grid.layout
    text = f"{cell_words(layout).cells} {plan.hex_mm(layout):.1f} mm"
    width = battlemap.system.cell_width(battlemap, composite.properties)
    if width is None:
        return text
    return f"{text} = {width.text()}"


def paint_footer(painter: QPainter, plan: PagePlan, text: str) -> None:
    """Paint the text of the footer, and a ruler to check the printer's scale with.

    A narrow margin has no footer, and a sheet as narrow as three rulers no ruler. A text that is
    too long gets smaller type.
    """
    sheet = plan.sheet
    margin = sheet.margin
    if margin < TICK_MM + TYPE_MM:
        return
    with saved_state(painter):
        # Below the ticks, but on the sheet.
        bottom = sheet.height - margin + TICK_GAP_MM + TICK_MM + TYPE_MM
        bottom = min(bottom, sheet.height - _MIN_EDGE_MM)
        baseline = bottom - _DESCENT_MM
        has_ruler = sheet.inner_width > 3 * RULER_MM
        room = sheet.inner_width
        if has_ruler:
            room -= RULER_MM + _RULER_NAME_MM + _GAP_MM
        # The width of the text in type of one millimetre; it grows with the size of the type.
        unit_width = QFontMetricsF(type_font()).horizontalAdvance(text) / FONT_PIXELS
        size = TYPE_MM
        if unit_width * TYPE_MM > room:
            size = room / unit_width
        draw_text(painter, QPointF(margin, baseline), text, size)
        if not has_ruler:
            return
        right = sheet.width - margin
        left = right - RULER_MM
        draw_text(painter, QPointF(left - _RULER_NAME_MM, baseline), f"{RULER_MM:g} mm")
        painter.setPen(QPen(QColor(0, 0, 0), HAIRLINE_MM))
        middle = bottom - _RULER_TICK_MM / 2
        painter.drawLine(QLineF(left, middle, right, middle))
        for x in (left, right):
            painter.drawLine(QLineF(x, bottom - _RULER_TICK_MM, x, bottom))
