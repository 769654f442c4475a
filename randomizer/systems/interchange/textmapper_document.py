"""The content of a file of Text Mapper: its regions, paths and hexsides, line by line.

    document = read_document(text, problems)     # ProblemError with its line
    document.regions[3, 4].code                  # "green fir-forest"
    document.lines[7].facts                      # the steps of a path

A *line* is a line of text here. What Text Mapper calls a line, from hex to hex such as a road, is a
*path*. The statements that a map shows are told in ``textmapper_statements``. All other lines of a
file (definitions, comments, further texts) stay in it, and are not understood. A file can have
several levels, of which one is shown: that of the first statement with a content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.basics.plurals import counted, many
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, split_lines
from randomizer.model.terrain.terrain import MOST_WAYS
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.textmapper_lines import lines_of_map, refuse_prose
from randomizer.systems.interchange.textmapper_paths import hexes_on
from randomizer.systems.interchange.textmapper_statements import (
    Edge,
    Point,
    Region,
    Side,
    SplitLine,
    edge_between,
    read_hexside,
    read_region,
    split_line,
)
from randomizer.systems.interchange.textmapper_terrains import BLANK

POINTS = "points"
"""The entry of a label's state that is the size in its file."""

MOST_STEPS = 1_000_000
"""The largest number of steps of all paths of a file together, from hex to hex.

A short text can name hexes far apart, and each step between them takes memory.
"""

_MOST_WARNINGS = 20
"""The most kinds of paths that are reported, each by a warning: a long list helps nobody."""

_SWAP = re.compile(r"option\s+swap-even-odd(?!\s+false)\b.*", re.ASCII)
"""The option by which odd columns are pushed down, not even ones."""

Facts = frozenset[Edge | Side]
"""What a line says of the map, besides regions."""

NO_FACTS: Facts = frozenset()


class Line(NamedTuple):
    """A line of a file, and the content of the map that stands in it.

    It has a region, or facts, or nothing that is shown.
    """

    text: str
    """Without its line end."""

    point: Point | None
    """The hex of a region, whose content is in ``Document.regions``; None for other lines."""

    facts: Facts
    """The steps of a path, or the hexside."""


class Box(NamedTuple):
    """The columns and rows that a map has."""

    left: int
    """The column, as the file numbers them, of the map's first column."""

    top: int
    """The row of the map's first row."""

    width: int
    """The number of columns."""

    height: int
    """The number of rows."""


NO_CELLS = Box(left=1, top=1, width=0, height=0)
"""The box of a new file, in which the first hex is 0101."""


@dataclass(frozen=True)
class Document:
    """The content of a file; by default that of a new file."""

    line_end: str = "\n"
    """The line end of the file."""

    lines: list[Line] = field(default_factory=list)
    """All lines of the file."""

    map_lines: range = range(0)
    """The indices of the lines of the map: in a note in Markdown those of a block, else all."""

    regions: dict[Point, Region] = field(default_factory=dict)
    """All statements on a hex together: those of later lines lie above earlier ones."""

    columns: frozenset[int] = frozenset()
    """The columns that have something to show."""

    level: int = 0
    """The level that is shown; lines of other levels stay in the file."""

    box: Box = NO_CELLS
    """The cells that the map has."""

    def cell(self, point: Point, grid: Grid) -> int:
        """Return the cell of a point, -1 for none."""
        column, row = point
        return grid.cell(column - self.box.left, row - self.box.top)

    def point(self, cell: int, grid: Grid) -> Point:
        """Return the point of a cell."""
        x, y = grid.xy(cell)
        return x + self.box.left, y + self.box.top


def read_document(text: str, problems: list[Problem]) -> Document:
    """Return the statements of a file; what of them is not shown goes to ``problems``.

    Raises ProblemError for a text without regions, for prose, and for a map that is too large.
    """
    return _Reader(text, problems).document()


class _Extent(NamedTuple):
    """The lowest and highest columns and rows of all hexes that are shown."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, points: Sequence[Point], line: int) -> _Extent:
        """Return the extent of points. Raises ProblemError if they are too far from one another."""
        columns = [column for column, _row in points]
        rows = [row for _column, row in points]
        extent = cls(min(columns), min(rows), max(columns), max(rows))
        # One column more than the points have, for the parity of the others.
        check_size(extent.right - extent.left + 2, extent.bottom - extent.top + 1, line)
        return extent

    @property
    def corners(self) -> list[Point]:
        """Two opposite corners, which have the same extent."""
        return [(self.left, self.top), (self.right, self.bottom)]


class _Reader:
    """Reads the lines of one file in their order; ``document`` is called once."""

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self._problems = problems
        """Gets warnings of what is not shown."""
        self._line_end = "\n"
        if "\r\n" in text:
            self._line_end = "\r\n"
        self._lines = split_lines(text)
        if not self._lines[-1]:
            self._lines.pop()  # what follows the last line end is no line
        self._regions: dict[Point, Region] = {}
        """The content of the hexes so far."""
        self._columns = set[int]()
        """The columns that have something to show."""
        self._extent: _Extent | None = None
        """The extent of the hexes that are shown, None before the first of them."""
        self._level = 0
        """The level that is shown: that of the last statement, until one has a content."""
        self._pushes_odd = False
        """True if the odd columns of the file are pushed down, not the even ones."""
        self._step_count = 0
        """The number of steps of all paths so far (``MOST_STEPS``)."""
        self._lines_of_other_levels = 0
        """The number of lines that are kept, but not shown."""
        self._kinds = dict[str, int]()
        """The kinds of paths so far, each with its number: they are numbered as they come."""

    def document(self) -> Document:
        """Return the document. Raises ProblemError."""
        map_lines = lines_of_map(self._lines)
        texts = self._lines[map_lines.start : map_lines.stop]
        refuse_prose(texts, map_lines.start)
        self._pushes_odd = any(_SWAP.fullmatch(line) for line in texts)
        lines = list[Line]()
        for index, line in enumerate(self._lines):
            if index in map_lines:
                lines.append(self._read_line(line, index + 1))
            else:
                lines.append(Line(line, None, NO_FACTS))
        if self._extent is None:
            raise fault("this has no region such as 0304 forest", 1)
        self._report_lines_not_shown()
        return Document(
            line_end=self._line_end,
            lines=lines,
            map_lines=map_lines,
            regions=self._regions,
            columns=frozenset(self._columns),
            level=self._level,
            box=_box_of(self._extent, pushes_odd=self._pushes_odd),
        )

    def _read_line(self, line: str, number: int) -> Line:
        """Return a line with its content. Raises ProblemError."""
        statement = split_line(line)
        if statement is None:
            hexside = read_hexside(line)
            if hexside is None:
                return Line(line, None, NO_FACTS)
            if self._extent is not None and hexside.level != self._level:
                self._lines_of_other_levels += 1
                return Line(line, None, NO_FACTS)
            return Line(line, None, frozenset({hexside.side}))

        if self._extent is None and statement.level is not None:
            self._level = statement.level
        if statement.level != self._level:
            self._lines_of_other_levels += 1
            return Line(line, None, NO_FACTS)

        if len(statement.points) > 1:
            return Line(line, None, self._steps_of_path(statement, number))
        region = read_region(statement.points[0], statement.content)
        if region.is_empty:
            return Line(line, None, NO_FACTS)
        lower_region = self._regions.get(region.point, Region(region.point))
        self._regions[region.point] = _combined(lower_region, region, number)
        self._include([region.point], number)
        return Line(line, region.point, NO_FACTS)

    def _steps_of_path(self, statement: SplitLine, number: int) -> Facts:
        """Return the steps of a path; none for one whose kind a map cannot show.

        Raises ProblemError.
        """
        for (x, y), (next_x, next_y) in pairwise(statement.points):
            self._step_count += abs(x - next_x) + abs(y - next_y)
        if self._step_count > MOST_STEPS:
            raise fault(f"the lines of a map have at most {MOST_STEPS:,} steps", number)
        kind = statement.content.split()[0]
        kind_number = self._kinds.setdefault(kind, len(self._kinds))
        if kind_number >= MOST_WAYS or not kind.isprintable() or len(kind) > LONGEST_WORD:
            return NO_FACTS
        # Before the path is followed: one that leads far takes long.
        self._check_extent(statement.points, number)
        path = list(hexes_on(statement.points, pushes_odd=self._pushes_odd))
        edges = frozenset(
            edge_between(kind, point, next_point) for point, next_point in pairwise(path)
        )
        if edges:
            self._include(path, number)
        return edges

    def _check_extent(self, points: Sequence[Point], number: int) -> None:
        """Raise ProblemError if the map would be too large with further points."""
        self._extent_with(points, number)

    def _extent_with(self, points: Sequence[Point], number: int) -> _Extent:
        """Return the extent with further points. Raises ProblemError if the map is too large."""
        if self._extent is None:
            return _Extent.around(points, number)
        return _Extent.around([*points, *self._extent.corners], number)

    def _include(self, points: Sequence[Point], number: int) -> None:
        """Note that hexes are shown. Raises ProblemError if the map is too large."""
        self._columns.update(column for column, _row in points)
        self._extent = self._extent_with(points, number)

    def _report_lines_not_shown(self) -> None:
        """Add warnings of lines of other levels, and of kinds of lines that are too many."""
        if self._lines_of_other_levels:
            lines = counted(self._lines_of_other_levels, "line")
            verb = many(self._lines_of_other_levels, "is", "are")
            message = f"{lines} of other levels {verb} kept, but not shown"
            self._problems.append(warning(message))
        for kind in list(self._kinds)[MOST_WAYS:][:_MOST_WARNINGS]:
            message = f"lines of “{kind:.40}” are kept, but not shown: a map has {MOST_WAYS} kinds"
            self._problems.append(warning(message))


def _combined(lower: Region, upper: Region, line: int) -> Region:
    """Return a region with a second one of the same hex above it; the label of the first stays.

    ``line`` is the number of the line of the second one. Raises ProblemError for types that are
    together no code of a terrain.
    """
    code = f"{lower.code} {upper.code}".strip()
    Codes().number(code or BLANK.name, line)  # raises for what is no code
    labelled_region = upper
    if lower.label:
        labelled_region = lower
    return Region(
        upper.point,
        code=code,
        cliffs=lower.cliffs | upper.cliffs,
        label=labelled_region.label,
        size=labelled_region.size,
        further_texts=f"{lower.further_texts} {upper.further_texts}".strip(),
    )


def _box_of(extent: _Extent, *, pushes_odd: bool) -> Box:
    """Return the cells of a map around an extent. Our first column is never pushed down.

    If the first one of the file is, the map gets another one before it.
    """
    left = extent.left
    is_odd = left % 2 == 1
    is_pushed_down = is_odd == pushes_odd
    if is_pushed_down:
        left -= 1
    return Box(
        left, extent.top, width=extent.right - left + 1, height=extent.bottom - extent.top + 1
    )
