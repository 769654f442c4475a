"""Lists on paper: sections of lines, set in columns, page by page."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.paper.page import Sheet
from app.paper.paint import FONT_PIXELS, TYPE_MM, paint_head, type_font, write

COLUMN_MM = 80.0
"""Columns are at least as wide; narrower ones break most lines."""

GAP_MM = 8.0
PITCH_MM = 4.2
"""From one line to the next."""

TITLE_MM = 3.8
INDENT = "      "
"""Before what is left of a line that was too long for its column."""


class Section(NamedTuple):
    """A list with its title."""

    title: str
    lines: Sequence[str]


class Line(NamedTuple):
    """A line as it is set; "" between two sections."""

    text: str
    is_title: bool = False


Column = list[Line]


def column_width(sheet: Sheet) -> tuple[int, float]:
    """How many columns a sheet has, and how wide each is."""
    count = max(1, int((sheet.inner_width + GAP_MM) // (COLUMN_MM + GAP_MM)))
    return count, (sheet.inner_width + GAP_MM) / count - GAP_MM


def set_in_columns(sections: Sequence[Section], sheet: Sheet) -> list[list[Column]]:
    """The columns of each page. No title stands alone at the foot of a column."""
    count, width = column_width(sheet)
    most = max(2, int(sheet.inner_height // PITCH_MM))
    columns: list[Column] = [[]]
    for line in _lines(sections, width):
        column = columns[-1]
        if len(column) >= most - line.is_title:
            columns.append(column := [])
        if column or line.text:
            column.append(line)
    columns = [column for column in columns if column]
    return [columns[first : first + count] for first in range(0, len(columns), count)]


def _lines(sections: Sequence[Section], width: float) -> Iterator[Line]:
    """All lines, broken where they are too long."""
    metrics = QFontMetricsF(type_font())
    most = width * FONT_PIXELS / TYPE_MM
    for section in sections:
        yield Line("")
        yield Line(section.title, is_title=True)
        for text in section.lines:
            yield from map(Line, _broken(text, metrics, most))


def _broken(text: str, metrics: QFontMetricsF, most: float) -> Iterator[str]:
    """A line in pieces of at most so many pixels; a word longer than that stays whole."""
    line, *words = text.split(" ")
    for word in words:
        if metrics.horizontalAdvance(f"{line} {word}") > most and line.strip():
            yield line
            line = INDENT + word
        else:
            line = f"{line} {word}"
    yield line


def columns_steps(
    painter: QPainter, columns: Sequence[Column], sheet: Sheet, heading: str
) -> Generator[None, None, None]:
    """Paint a page of lists; the painter's unit is the millimetre, from the sheet's corner."""
    paint_head(painter, sheet, heading)
    _count, width = column_width(sheet)
    for index, column in enumerate(columns):
        left, top = sheet.margin + index * (width + GAP_MM), sheet.margin + sheet.head
        for row, line in enumerate(column, 1):
            at = QPointF(left, top + row * PITCH_MM - (PITCH_MM - TYPE_MM))
            write(painter, at, line.text, TITLE_MM if line.is_title else TYPE_MM)
        yield
