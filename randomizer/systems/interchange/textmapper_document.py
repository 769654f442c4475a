"""The content of a file of Text Mapper: its regions, paths and hexsides, line by line.

    document = read_document(text, problems)     # ProblemError with its line
    document.regions[3, 4].code                  # "green fir-forest"
    document.lines[7].facts                      # the steps of a path

A *line* is a line of text here. What Text Mapper calls a line, from hex to hex such as a road, is a
*path*. The statements that a map shows are told in ``textmapper_statements``. All other lines of a
file (definitions, comments, further texts) stay in it, and are not understood.

A file can have several *levels*, the storeys of a dungeon for example, of which one is shown: that
of the first region or path with a content. Lines of other levels stay in the file::

    0304 forest            level 0, which is shown
    030401 cave            level 1, which is not
    0304-030501 stairs     from level 0 to level 1, which is not shown either
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
from randomizer.model.terrain.terrain import MAX_WAYS
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.foreign.terrain_codes import check_code
from randomizer.systems.interchange.textmapper_lines import Lines, lines_of_map
from randomizer.systems.interchange.textmapper_paths import hexes_on
from randomizer.systems.interchange.textmapper_statements import (
    Edge,
    Point,
    Region,
    Side,
    SplitHexside,
    SplitLine,
    edge_between,
    read_hexside,
    read_region,
    split_line,
)

POINTS = "points"
"""The entry in the state of a label that is the label's size in the file."""

MAX_STEPS = 1_000_000
"""The largest number of steps of all paths of a file together, from hex to hex.

A short text can name hexes far apart, and each step between them takes memory.
"""

_MAX_WARNINGS = 20
"""The most kinds of paths that are reported, each by a warning: a long list helps nobody."""

_SWAP = re.compile(r"option\s+swap-even-odd(?!\s+false)\b.*", re.ASCII)
"""The option by which odd columns are pushed down, not even ones.

The hexes of a column that is pushed down lie half a hex lower than those of its neighbours.
"""

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
    line_end = "\n"
    if "\r\n" in text:
        line_end = "\r\n"
    texts = split_lines(text)
    if not texts[-1]:
        texts.pop()  # what follows the last line end is no line
    map_lines = lines_of_map(texts)
    texts_of_map = texts[map_lines.start : map_lines.stop]
    refuse_prose(texts_of_map, map_lines.start)

    # Two things hold for all lines, and are known only from all of them.
    level = _shown_level(texts_of_map)
    pushes_odd = any(_SWAP.fullmatch(line) for line in texts_of_map)

    reader = _LineReader(level, pushes_odd=pushes_odd)
    lines = list[Line]()
    for index, line in enumerate(texts):
        if index in map_lines:
            lines.append(reader.read_line(line, index + 1))
        else:
            lines.append(Line(line, None, NO_FACTS))
    problems += reader.warnings()
    assert reader.extent is not None, "a statement of the shown level has a content"
    return Document(
        line_end=line_end,
        lines=lines,
        map_lines=map_lines,
        regions=reader.regions,
        columns=frozenset(reader.columns),
        level=level,
        box=_box_of(reader.extent, pushes_odd=pushes_odd),
    )


def _shown_level(lines: Sequence[str]) -> int:
    """Return the level that is shown: that of the first region or path with a content.

    Raises ProblemError if there is none.
    """
    for line in lines:
        statement = split_line(line)
        if statement is None or statement.level is None:
            continue
        if len(statement.points) > 1:
            has_content = _leads_on(statement) and _can_be_a_way(_kind_of(statement))
        else:
            has_content = not read_region(statement.points[0], statement.content).is_empty
        if has_content:
            return statement.level
    raise fault("this has no region such as 0304 forest", 1)


def _kind_of(path: SplitLine) -> str:
    """Return the kind of a path: "trail" for ``0304-0506 trail``."""
    return path.content.split()[0]


def _can_be_a_way(kind: str) -> bool:
    """Return whether a way of a map can have the name of a kind of paths."""
    return kind.isprintable() and len(kind) <= LONGEST_WORD


def _leads_on(path: SplitLine) -> bool:
    """Return whether a path has a step. ``0304-0304 trail`` has none."""
    return len(set(path.points)) > 1


def refuse_prose(lines: Sequence[str], first_line: int = 0) -> None:
    """Raise ProblemError for a text that is mostly prose (``are_mostly_prose``).

    ``first_line`` is the index of the first of these lines in their file.
    """
    counts = Lines(lines)
    if not counts.are_mostly_prose:
        return
    prose = len(counts.prose)
    total = sum(bool(line.strip()) for line in lines)
    verb = many(prose, "is no statement", "are no statements")
    message = (
        f"{prose:,} of {counted(total, 'line')} {verb} of Text Mapper such as 0304 forest: "
        "this is another text"
    )
    raise fault(message, first_line + counts.prose[0] + 1)


class _Extent(NamedTuple):
    """The lowest and highest columns and rows of hexes."""

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
        # One column more than the points have: ``_box_of`` may add one.
        check_size(extent.right - extent.left + 2, extent.bottom - extent.top + 1, line)
        return extent

    @property
    def corners(self) -> list[Point]:
        """Two opposite corners, which have the same extent."""
        return [(self.left, self.top), (self.right, self.bottom)]


class _LineReader:
    """Reads the lines of one map in their order, and collects what they show together."""

    def __init__(self, level: int, *, pushes_odd: bool) -> None:
        self._level = level
        """The level that is shown."""
        self._pushes_odd = pushes_odd
        """True if the odd columns of the file are pushed down, not the even ones."""

        # What is shown so far.
        self.regions: dict[Point, Region] = {}
        """The content of the hexes."""
        self.columns = set[int]()
        """The columns that have something to show."""
        self.extent: _Extent | None = None
        """The extent of the hexes that are shown, None before the first of them."""
        self._kinds = set[str]()
        """The kinds of paths that are shown, at most ``MAX_WAYS``."""
        self._step_count = 0
        """The number of steps of all paths (``MAX_STEPS``)."""

        # What is kept in the file, but not shown.
        self._lines_of_other_levels = 0
        """The number of lines of other levels, or of several."""
        self._reason_by_kind = dict[str, str]()
        """Why paths of a kind are not shown."""

    def read_line(self, line: str, number: int) -> Line:
        """Return a line with its content. Raises ProblemError, which names the ``number``."""
        content: SplitLine | SplitHexside | None = split_line(line)
        if content is None:
            content = read_hexside(line)
        if content is None:
            return Line(line, None, NO_FACTS)
        # A line with points of several levels has the level None: it is not shown either.
        if content.level != self._level:
            self._lines_of_other_levels += 1
            return Line(line, None, NO_FACTS)
        if isinstance(content, SplitHexside):
            return Line(line, None, frozenset({content.side}))
        if len(content.points) > 1:
            return Line(line, None, self._read_path(content, number))

        region = read_region(content.points[0], content.content)
        if region.is_empty:
            return Line(line, None, NO_FACTS)
        self._add_region(region, number)
        return Line(line, region.point, NO_FACTS)

    def _add_region(self, region: Region, number: int) -> None:
        """Put a region above those of the same hex in lines before it. Raises ProblemError."""
        lower_region = self.regions.get(region.point, Region(region.point))
        self.regions[region.point] = _combined(lower_region, region, number)
        self._extend_to([region.point], number)

    def _read_path(self, statement: SplitLine, number: int) -> Facts:
        """Return the steps of a path; none for one whose kind a map cannot show.

        Raises ProblemError.
        """
        for (x, y), (next_x, next_y) in pairwise(statement.points):
            self._step_count += abs(x - next_x) + abs(y - next_y)
        if self._step_count > MAX_STEPS:
            raise fault(f"the lines of a map have at most {MAX_STEPS:,} steps", number)
        kind = _kind_of(statement)
        if not _leads_on(statement) or not self._admit_kind(kind):
            return NO_FACTS

        # The hexes that the line names are tried first: a path that leads too far takes long to be
        # followed.
        self._extend_to(statement.points, number)
        path = list(hexes_on(statement.points, pushes_odd=self._pushes_odd))
        self._extend_to(path, number)
        return frozenset(
            edge_between(kind, point, next_point) for point, next_point in pairwise(path)
        )

    def _admit_kind(self, kind: str) -> bool:
        """Add the kind of a path to those that are shown, if that can be; return whether it is one.

        If it cannot be, the reason is noted.
        """
        if kind in self._kinds:
            return True
        if not _can_be_a_way(kind):
            self._reason_by_kind[kind] = "no way can have this name"
            return False
        if len(self._kinds) == MAX_WAYS:
            self._reason_by_kind[kind] = f"a map has {MAX_WAYS} kinds"
            return False
        self._kinds.add(kind)
        return True

    def _extend_to(self, points: Sequence[Point], number: int) -> None:
        """Extend the map to hexes that are shown. Raises ProblemError if it is too large then."""
        self.columns.update(column for column, _row in points)
        corners = list[Point]()
        if self.extent is not None:
            corners = self.extent.corners
        self.extent = _Extent.around([*points, *corners], number)

    def warnings(self) -> list[Problem]:
        """Return warnings of the lines that were read and are not shown."""
        problems = list[Problem]()
        if self._lines_of_other_levels:
            lines = counted(self._lines_of_other_levels, "line")
            verb = many(self._lines_of_other_levels, "is", "are")
            message = f"{lines} of other levels {verb} kept, but not shown"
            problems.append(warning(message))
        for kind, reason in list(self._reason_by_kind.items())[:_MAX_WARNINGS]:
            # A name with unprintable characters is written with escapes.
            name = kind if kind.isprintable() else ascii(kind)[1:-1]
            message = f"lines of “{name:.40}” are kept, but not shown: {reason}"
            problems.append(warning(message))
        return problems


def _combined(lower: Region, upper: Region, line: int) -> Region:
    """Return a region with a second one of the same hex above it; the label of the first stays.

    ``line`` is the number of the line of the second one. Raises ProblemError for types that are
    together no code of a terrain.
    """
    code = f"{lower.code} {upper.code}".strip()
    if code:
        check_code(code, line)
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
    """Return the cells of a map around an extent.

    In the grid of this program the second, fourth ... columns are pushed down, never the first. If
    the first column of the extent is pushed down in the file, the box has one more before it.
    """
    left = extent.left
    is_odd = left % 2 == 1
    is_pushed_down = is_odd == pushes_odd
    if is_pushed_down:
        left -= 1
    return Box(
        left, extent.top, width=extent.right - left + 1, height=extent.bottom - extent.top + 1
    )
