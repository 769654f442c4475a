"""Lists on paper: sections of lines, set in columns on as many pages as they take.

The key of notes and the pages of a campaign are such lists::

    pages = set_in_columns([Section("Towns", ["Aldford", "Brill"])], sheet)
    for columns in pages:
        for _step in paint_columns(painter, columns, sheet, "Notes"): ...
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.paper.page_plan import Sheet
from app.paper.page_text import FONT_PIXELS, TYPE_MM, paint_head, type_font, write

COLUMN_MM = 80.0
"""The least width of a column; narrower ones break most lines."""

GAP_MM = 8.0
"""The room between two columns."""

PITCH_MM = 4.2
"""The distance from one line to the next."""

TITLE_MM = 3.8
"""The type size of titles."""

INDENT = "      "
"""The beginning of the second and later lines of a text that is too long for its column."""


class Section(NamedTuple):
    """A title and the texts under it."""

    title: str
    """The title, which stands above the texts; a long one takes several lines."""
    lines: Sequence[str]
    """The texts; one that is too long for a column becomes several lines of it."""


class Line(NamedTuple):
    """A line of a column."""

    text: str
    """Empty for the line that separates two sections; indented where a text goes on."""
    is_title: bool = False
    """True for the title of a section, which is set in larger type."""


Column = list[Line]
"""The lines of a column, from the top."""


def column_count(sheet: Sheet) -> int:
    """Return the number of columns on a sheet."""
    return max(1, int((sheet.inner_width + GAP_MM) // (COLUMN_MM + GAP_MM)))


def column_width(sheet: Sheet) -> float:
    """Return the width of each column on a sheet, in millimetres."""
    return (sheet.inner_width + GAP_MM) / column_count(sheet) - GAP_MM


def set_in_columns(sections: Sequence[Section], sheet: Sheet) -> list[list[Column]]:
    """Return the columns of each page.

    A title stays with the next line, and so does a line before an indented one. A section stays in
    one column unless that takes one more page.
    """
    columns_a_page = column_count(sheet)
    width = column_width(sheet)
    column_height = max(2, int(sheet.inner_height // PITCH_MM))  # a title and a line fit at least
    section_lines = [list(_lines(section, width)) for section in sections]
    columns = _columns(section_lines, column_height, keep_sections_whole=True)
    dense_columns = _columns(section_lines, column_height, keep_sections_whole=False)
    if _pages_for(dense_columns, columns_a_page) < _pages_for(columns, columns_a_page):
        columns = dense_columns
    starts = range(0, len(columns), columns_a_page)
    return [columns[start : start + columns_a_page] for start in starts]


def _pages_for(columns: Sequence[Column], columns_a_page: int) -> int:
    """Return how many pages these columns take."""
    return math.ceil(len(columns) / columns_a_page)


def _columns(
    sections: Sequence[Sequence[Line]], column_height: int, *, keep_sections_whole: bool
) -> list[Column]:
    """Return the columns, of at most ``column_height`` lines each, of sections set one by one.

    ``keep_sections_whole``: a section that fits into one column is not split.
    """
    columns: list[Column] = [[]]
    for lines in sections:
        # A section begins below the one above it, or in a new column if it fits only there.
        if columns[-1]:
            lines_left = column_height - len(columns[-1])
            fits_below = len(lines) + 1 <= lines_left  # with a line that separates the sections
            fits_in_one_column = len(lines) <= column_height
            if keep_sections_whole and fits_in_one_column and not fits_below:
                columns.append([])
        if columns[-1]:
            columns[-1].append(Line(""))

        # Its lines go into the last column, those that have to be together into a new one.
        for index, line in enumerate(lines):
            lines_needed = min(_count_together(lines[index:]), column_height)
            if len(columns[-1]) + lines_needed > column_height:
                columns.append([])
            columns[-1].append(line)

    # A separator at the end of a column separates nothing: the next section began a new column.
    for column in columns:
        if column and not column[-1].text:
            column.pop()
    return [column for column in columns if column]


def _count_together(lines: Sequence[Line]) -> int:
    """Return how many lines, from the first on, have to be in one column.

    For instance a title, the first line of a text below it, and the indented one that goes on with
    that: without the third, a column could end with the title alone.
    """
    count = 1
    for line, next_line in pairwise(lines):
        if not _stays_with_next(line, next_line):
            break
        count += 1
    return count


def _stays_with_next(line: Line, next_line: Line) -> bool:
    """Return whether the next line has to be in the same column.

    It has to be below a title, and where it is indented and this line is not: it goes on with it.
    """
    is_indented = line.text.startswith(" ")
    is_next_indented = next_line.text.startswith(" ")
    return line.is_title or (is_next_indented and not is_indented)


def _lines(section: Section, width: float) -> Iterator[Line]:
    """Yield the lines of a section in a column of that ``width`` (mm)."""
    metrics = QFontMetricsF(type_font())
    width_in_pixels = width * FONT_PIXELS / TYPE_MM  # of the font
    width_in_title_pixels = width * FONT_PIXELS / TITLE_MM
    for text in _broken(section.title, metrics, width_in_title_pixels):
        yield Line(text, is_title=True)
    for text in section.lines:
        yield from map(Line, _broken(text, metrics, width_in_pixels))


def _broken(text: str, metrics: QFontMetricsF, width: float) -> Iterator[str]:
    """Yield a text as lines of at most ``width`` pixels; a word that is longer is not split.

    All lines but the first are indented. Blanks in the text stay, so that it can be indented.
    """
    line, *words = text.split(" ")
    for word in words:
        is_too_long = metrics.horizontalAdvance(f"{line} {word}") > width
        if is_too_long and line.strip():
            yield line
            line = INDENT + word
        else:
            line = f"{line} {word}"
    yield line


def paint_columns(
    painter: QPainter, columns: Sequence[Column], sheet: Sheet, heading: str
) -> Generator[None, None, None]:
    """Paint a page of lists, a column in each step.

    The painter's unit is the millimetre, from the sheet's left top corner.
    """
    paint_head(painter, sheet, heading)
    width = column_width(sheet)
    for index, column in enumerate(columns):
        left = sheet.margin + index * (width + GAP_MM)
        top = sheet.margin + sheet.head
        for row, line in enumerate(column, 1):
            # The text stands at the top of its line: the gap to the next one is below it.
            baseline = top + row * PITCH_MM - (PITCH_MM - TYPE_MM)
            type_size = TYPE_MM
            if line.is_title:
                type_size = TITLE_MM
            write(painter, QPointF(left, baseline), line.text, type_size)
        yield
