"""The statements of a file of Text Mapper: its regions, lines and hexsides, line by line.

    document = read_document(text, problems)     # ProblemError with its line
    document.regions[3, 4].code                  # "green fir-forest"

A point is (column, row) as the file counts. Text Mapper has three kinds of statements that we show:

    0304 green fir-forest "Deep Forest" 30     a region: types of a hex, its label, the label's size
    0304-0506 trail                            a line of a kind from hex to hex
    # hexside 0304 2 w                         a hexside of ours, which the program skips as comment

All other lines (definitions, comments, further texts) stay in the file, and are not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, split_lines
from randomizer.model.terrain.terrain import MOST_WAYS, Hexside, Terrain
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.textmapper_lines import (
    LONG,
    SHORT,
    STATEMENT,
    Lines,
    is_sentence,
    lines_of_map,
)

BLANK = Terrain("blank", "#efe9dc", description="A cell of which the file says nothing")
"""The first terrain of every map of the program."""

CLIFF = Hexside("cliff", "c", "#5b5048")
"""The first hexside of every map of the program."""

POINTS = "points"
"""The entry of a label's state that is the size in its file."""

MOST_STEPS = 1_000_000
"""The largest number of steps of all lines of a file together, from hex to hex.

A short text can name hexes far apart, and each step between them takes memory.
"""

_MOST_WARNINGS = 20
"""The most kinds of lines that are reported, each by a warning: a long list helps nobody."""

_A = re.ASCII

_ONE = re.compile(r"(?:^|-)(-?\d\d)(-?\d\d)(\d\d)?", _A)
"""A point such as 0304, or 030401 with its level, in a chain of points."""

_LONG_ONE = re.compile(r"(?:^|-)(-?\d{2,7})\.(-?\d{2,7})(?:\.(\d{2,7}))?", _A)
"""A point such as 100.102, or 100.102.01 with its level, in a chain of points."""

_SIDE = re.compile(rf"#\s*hexside\s+({SHORT}|{LONG})\s+([0-5])\s+(\S)\s*", _A)
"""A hexside of ours: the hex, the number of the side, and the letter of the hexside."""

_SWAP = re.compile(r"option\s+swap-even-odd(?!\s+false)\b.*", _A)
"""The option by which odd columns are pushed down, not even ones."""

_TAG = re.compile(r'\b([a-z]+)=["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?')
"""A tag such as ``name="Moor" 30``: its name, text and size."""

_TEXT = re.compile(r'["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?((?:\s*[a-z]+\([^)]+\))*)')
"""A text in quotes, its size, and the transforms behind it such as ``translate(0,20)``."""

_CLIFF = re.compile(r"cliff[0-5]")
"""The type of a hex with a cliff, and the number of its side."""

_STEPS = (
    ((-1, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 1)),
    ((-1, -1), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0)),
)
"""The neighbours of hexes in columns that are pushed down, and in those that are not.

They are in the order in which the program tries them.
"""

Point = tuple[int, int]
"""Column and row as the file numbers them; both can be negative."""


class Region(NamedTuple):
    """The statements on one hex together."""

    point: Point
    code: str = ""
    """Its types but cliffs, in their order, which lie above one another."""
    cliffs: frozenset[int] = frozenset()
    """The sides with a cliff, numbered as ours."""
    label: str = ""
    size: int = 0
    """The size of the label, 0 for the usual one."""
    further_texts: str = ""
    """All further texts and tags, as they are written."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing of it that a map can show."""
        return not (self.code or self.cliffs or self.label)


class Edge(NamedTuple):
    """A step of a line from a hex to a neighbour; the lower point is its start."""

    kind: str
    """The kind of the line, such as "trail"."""
    start: Point
    end: Point


class Side(NamedTuple):
    """A hexside of ours."""

    point: Point
    """The hex that it belongs to."""
    side: int
    """The number of the side, as ours."""
    letter: str
    """The letter of the hexside in the terrain set."""


Facts = frozenset[Edge | Side]
"""What a line says of the map, besides regions."""

NO_FACTS: Facts = frozenset()


class Line(NamedTuple):
    """A line of a file, and the content of the map that stands in it."""

    text: str
    """Without its line end."""
    point: Point | None
    """The hex of a region, whose content is in ``Document.regions``; None for other lines."""
    facts: Facts
    """The steps of a line, or the hexside."""


@dataclass
class Document:
    """The content of a file, with the box of the hexes that it names."""

    line_end: str = "\n"
    lines: list[Line] = field(default_factory=list)
    of_map: range = range(0)
    """The indices of the lines of the map: in a note in Markdown those of a block, else all."""
    regions: dict[Point, Region] = field(default_factory=dict)
    """All statements on a hex together: those of later lines lie above earlier ones."""
    columns: set[int] = field(default_factory=set)
    """The columns that have something to show."""
    level: int = 0
    """The level that is shown; lines of other levels stay in the file."""
    left: int = 1
    """The column of the map's first column."""
    top: int = 1
    """The row of the map's first row."""
    width: int = 0
    height: int = 0

    def cell(self, point: Point, grid: Grid) -> int:
        """Return the cell of a point, -1 for none."""
        column, row = point
        return grid.cell(column - self.left, row - self.top)

    def point(self, cell: int, grid: Grid) -> Point:
        """Return the point of a cell."""
        x, y = grid.xy(cell)
        return x + self.left, y + self.top

    def add(self, upper: Region, line: int) -> None:
        """Lay a region above that of the same hex, whose label stays if it has one.

        Raises ProblemError for types that are together no code of a terrain.
        """
        lower = self.regions.get(upper.point, Region(upper.point))
        code = f"{lower.code} {upper.code}".strip()
        Codes().number(code or BLANK.name, line)  # raises for what is no code
        labelled_region = upper
        if lower.label:
            labelled_region = lower
        self.regions[upper.point] = Region(
            upper.point,
            code=code,
            cliffs=lower.cliffs | upper.cliffs,
            label=labelled_region.label,
            size=labelled_region.size,
            further_texts=f"{lower.further_texts} {upper.further_texts}".strip(),
        )

    def text(self, statement: Region | Side) -> str:
        """Return a region, or a hexside, as a line without its end."""
        name = self.name(statement.point)
        if isinstance(statement, Side):
            return f"# hexside {name} {statement.side} {statement.letter}"
        words = [name, statement.code]
        # The program numbers sides clockwise from the north-west, we from the north.
        words += sorted(f"cliff{(side + 1) % 6}" for side in statement.cliffs)
        if statement.label:
            words.append(f'"{statement.label}"')
            if statement.size:
                words.append(str(statement.size))
        words.append(statement.further_texts)
        return " ".join(word for word in words if word)

    def name(self, *points: Point) -> str:
        """Return points as they are written: 0304-0506, or 100.100.00-101.100.00.

        Two digits a number are enough up to 99. Lines in the long notation need the level as well:
        the program fails without it.
        """
        is_short = all(abs(number) < 100 for number in (self.level, *chain(*points)))
        has_level = self.level != 0 or (len(points) > 1 and not is_short)
        names = list[str]()
        for point in points:
            numbers = list(point)
            if has_level:
                numbers.append(self.level)
            digits = list[str]()
            for number in numbers:
                if number < 0:
                    digits.append(f"{number:03}")  # a sign and two digits
                else:
                    digits.append(f"{number:02}")
            separator = "" if is_short else "."
            names.append(separator.join(digits))
        return "-".join(names)


def edge_between(kind: str, point: Point, neighbour: Point) -> Edge:
    """Return the step between two hexes, the same one in both directions."""
    if point < neighbour:
        return Edge(kind, point, neighbour)
    return Edge(kind, neighbour, point)


def read_document(text: str, problems: list[Problem]) -> Document:
    """Return the statements of a file; what of them is not shown goes to ``problems``.

    Raises ProblemError for a text without regions, for prose, and for a map that is too large.
    """
    return _Reader(text, problems).document()


def refuse_prose(lines: Sequence[str], first_line: int = 0) -> None:
    """Raise ProblemError for a text that is mostly prose, though a line begins like a hex.

    ``first_line`` is the index of the first of these lines in their file.
    """
    counts = Lines(lines)
    if not is_prose(lines, counts):
        return
    prose = len(counts.prose)
    total = sum(bool(line.strip()) for line in lines)
    verb = many(prose, "is no statement", "are no statements")
    message = (
        f"{prose:,} of {counted(total, 'line')} {verb} of Text Mapper such as 0304 forest: "
        "this is another text"
    )
    raise fault(message, first_line + counts.prose[0] + 1)


def is_prose(lines: Sequence[str], counts: Lines) -> bool:
    """Return whether a text is mostly prose, though a line begins like a hex.

    ``counts`` are those of the same lines. A text in which no line begins like a hex has another
    error: it has no region.
    """
    prose = len(counts.prose)
    is_mostly_prose = prose > 0 and prose >= counts.hexes
    return is_mostly_prose and any(STATEMENT.fullmatch(line) for line in lines)


class _Statement(NamedTuple):
    """A line that begins with points."""

    path: list[Point]
    """One point of a region, or those that a line names."""
    level: int | None
    """The level of all points, None for points of several levels."""
    content: str
    """The text behind the points."""


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
    """Reads the lines of one file in their order."""

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self._problems = problems
        self._lines = split_lines(text)
        if not self._lines[-1]:
            self._lines.pop()  # what follows the last line end is no line
        self._document = Document()
        if "\r\n" in text:
            self._document.line_end = "\r\n"
        self._pushes_odd = False
        """True if the odd columns of the file are pushed down, not the even ones."""
        self._extent: _Extent | None = None
        """The extent of the hexes that are shown, None before the first of them."""
        self._step_count = 0
        """The number of steps of all lines so far (``MOST_STEPS``)."""
        self._lines_of_other_levels = 0
        """The number of lines that are kept, but not shown."""
        self._kinds = dict[str, int]()
        """The number of each kind of lines, in the order in which they come."""

    def document(self) -> Document:
        """Return the document. Raises ProblemError."""
        document = self._document
        document.of_map = lines_of_map(self._lines)
        map_lines = self._lines[document.of_map.start : document.of_map.stop]
        refuse_prose(map_lines, document.of_map.start)
        self._pushes_odd = any(_SWAP.fullmatch(line) for line in map_lines)
        for index, line in enumerate(self._lines):
            if index in document.of_map:
                document.lines.append(self._read_line(line, index + 1))
            else:
                document.lines.append(Line(line, None, NO_FACTS))
        if self._extent is None:
            raise fault("this has no region such as 0304 forest", 1)
        self._report_lines_not_shown()
        self._set_box(self._extent)
        return document

    def _read_line(self, line: str, number: int) -> Line:
        """Return a line with its content. Raises ProblemError."""
        statement = _statement_of(line)
        if statement is None:
            return Line(line, None, _hexside_in(line))
        if self._extent is None and statement.level is not None:
            # Nothing was shown yet: the first level with a content becomes that of the map.
            self._document.level = statement.level
        if statement.level != self._document.level:
            self._lines_of_other_levels += 1
            return Line(line, None, NO_FACTS)
        if len(statement.path) > 1:
            return Line(line, None, self._edges_of(statement, number))
        region = _region_of(statement.path[0], statement.content)
        if region.is_empty:
            return Line(line, None, NO_FACTS)
        self._document.add(region, number)
        self._include([region.point], number)
        return Line(line, region.point, NO_FACTS)

    def _edges_of(self, statement: _Statement, number: int) -> Facts:
        """Return the steps of a line; none for one whose kind a map cannot show.

        Raises ProblemError.
        """
        for (x, y), (next_x, next_y) in pairwise(statement.path):
            self._step_count += abs(x - next_x) + abs(y - next_y)
        if self._step_count > MOST_STEPS:
            raise fault(f"the lines of a map have at most {MOST_STEPS:,} steps", number)
        kind = statement.content.split()[0]
        kind_number = self._kinds.setdefault(kind, len(self._kinds))
        if kind_number >= MOST_WAYS or not kind.isprintable() or len(kind) > LONGEST_WORD:
            return NO_FACTS
        # Before the line is followed: one that leads far takes long.
        self._extent_with(statement.path, number)
        path = list(_hexes_on(statement.path, pushes_odd=self._pushes_odd))
        edges = frozenset(
            edge_between(kind, point, next_point) for point, next_point in pairwise(path)
        )
        if edges:
            self._include(path, number)
        return edges

    def _extent_with(self, points: Sequence[Point], number: int) -> _Extent:
        """Return the extent with further points. Raises ProblemError if the map is too large."""
        if self._extent is None:
            return _Extent.around(points, number)
        return _Extent.around([*points, *self._extent.corners], number)

    def _include(self, points: Sequence[Point], number: int) -> None:
        """Note that hexes are shown. Raises ProblemError if the map is too large."""
        self._document.columns.update(column for column, _row in points)
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

    def _set_box(self, extent: _Extent) -> None:
        """Set the box of the map. Our first column is never pushed down.

        If the first one of the file is, the map gets another one before it.
        """
        is_odd = extent.left % 2 == 1
        is_pushed_down = is_odd == self._pushes_odd
        document = self._document
        document.left = extent.left
        if is_pushed_down:
            document.left -= 1
        document.top = extent.top
        document.width = extent.right - document.left + 1
        document.height = extent.bottom - document.top + 1


def _statement_of(line: str) -> _Statement | None:
    """Return the statement that a line is; None for prose and other lines."""
    match = STATEMENT.fullmatch(line)
    if match is None or is_sentence(line):
        return None
    pattern = _ONE
    if "." in match[1]:
        pattern = _LONG_ONE
    points = pattern.findall(match[1])
    if len(points) > 1 and not match[2]:
        return None  # a line has a kind
    path = [(int(column), int(row)) for column, row, _level in points]
    levels = {int(level or 0) for _column, _row, level in points}
    level: int | None = None
    if len(levels) == 1:
        level = levels.pop()
    return _Statement(path, level, match[2])


def _hexside_in(line: str) -> Facts:
    """Return the hexside that a comment of ours names, nothing for other lines."""
    match = _SIDE.fullmatch(line)
    if match is None or not match[3].isprintable():
        return NO_FACTS
    name, side, letter = match.groups()
    statement = _statement_of(f"{name} ")
    assert statement is not None, "the name of a hex and a blank are a statement"
    return frozenset({Side(statement.path[0], int(side), letter)})


def _region_of(point: Point, text: str) -> Region:
    """Return the region that the text behind a hex describes.

    Its label is the tag ``name``, else the first text without a transform; all other tags and
    texts are further ones.
    """
    tags = list(_TAG.finditer(text))
    text_without_tags = _TAG.sub(" ", text)
    texts = list(_TEXT.finditer(text_without_tags))
    words = re.sub('["“”]', "", _TEXT.sub(" ", text_without_tags)).split()
    names = [tag for tag in tags if tag[1] == "name"]
    plain_texts = [match for match in texts if not match[3]]
    label = next(iter([*names, *plain_texts]), None)
    further_texts = [match[0].strip() for match in (*tags, *texts) if match is not label]
    # The program numbers sides clockwise from the north-west, we from the north.
    cliffs = frozenset(
        (int(word.removeprefix("cliff")) - 1) % 6 for word in words if _CLIFF.fullmatch(word)
    )
    code = " ".join(word for word in words if not _CLIFF.fullmatch(word))
    region = Region(point, code, cliffs, further_texts=" ".join(further_texts))
    if label is None:
        return region
    return region._replace(label=clean_line(label["text"]), size=int(label["size"] or 0))


def _hexes_on(points: list[Point], *, pushes_odd: bool) -> Iterator[Point]:
    """Yield the points of a line and all hexes between them, as the program draws it.

    From each hex it goes on to the neighbour that is nearest to the next point, by the distance
    of columns and rows, of equal ones to the first of ``_STEPS``.
    """
    x, y = points[0]
    yield x, y
    for end_x, end_y in points[1:]:
        while (x, y) != (end_x, end_y):
            steps = _STEPS[(x + pushes_odd) % 2]
            neighbours = [(x + step_x, y + step_y) for step_x, step_y in steps]
            distances = [(end_x - to_x) ** 2 + (end_y - to_y) ** 2 for to_x, to_y in neighbours]
            x, y = neighbours[distances.index(min(distances))]
            yield x, y
