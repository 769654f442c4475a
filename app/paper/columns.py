"""Lists on paper: sections of lines, set in columns, page by page."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.paper.page_painter import FONT_PIXELS, TYPE_MM, paint_head, type_font, write
from app.paper.page_plan import Sheet

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
    """The columns of each page. No title stands alone at the foot of a column, nor does a line
    before an indented one; a section stays in one column where that takes no page more.
    """
    count, width = column_width(sheet)
    most = max(2, int(sheet.inner_height // PITCH_MM))
    broken = [list(_lines(section, width)) for section in sections]
    ways = [_columns(broken, most, whole=whole) for whole in (True, False)]
    columns = min(ways, key=lambda way: -(-len(way) // count))
    return [columns[first : first + count] for first in range(0, len(columns), count)]


def _columns(sections: Sequence[Sequence[Line]], most: int, *, whole: bool) -> list[Column]:
    """Columns of at most so many lines; ``whole``: sections that fit into one are in one."""
    columns: list[Column] = [[]]
    for lines in sections:
        if columns[-1]:
            room = most - len(columns[-1])
            columns += [[]] if whole and room <= len(lines) <= most else []
        if columns[-1]:
            columns[-1].append(Line(""))
        for line, following in zip_longest(lines, lines[1:], fillvalue=Line("")):
            with_next = line.is_title or following.text[:1] == " " != line.text[:1]
            if len(columns[-1]) >= most - with_next:
                columns.append([])
            columns[-1].append(line)
    for column in columns:
        if column and not column[-1].text:
            column.pop()
    return [column for column in columns if column]


def _lines(section: Section, width: float) -> Iterator[Line]:
    """A title and its lines, broken where they are too long."""
    metrics = QFontMetricsF(type_font())
    most = width * FONT_PIXELS / TYPE_MM
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
