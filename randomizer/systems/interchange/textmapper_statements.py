r"""Reads and writes the statements of Text Mapper: the lines of a file that a map shows.

There are three kinds of them::

    0304 green fir-forest "Deep Forest" 30     a region: types of a hex, its label, the label's size
    0304-0506 trail                            a line of a kind from hex to hex
    # hexside 0304 2 w                         a hexside; an addition of Battlelands Builder, which
                                               Text Mapper skips as a comment

A *point* is the column and row of a hex. Numbers above 99 need the long notation, 100.102 instead
of 0304. Behind both can stand the *level*, the storey of a dungeon for example: 030401, 100.102.01.

A line that begins with points is split first, then the text behind a single point is read::

    line = split_line('0304 green fir-forest "Deep Forest" 30')
    line.points                                  # [(3, 4)]
    region = read_region((3, 4), line.content)
    region.code                                  # "green fir-forest"
    region_text(region, level=0)                 # the same line again
    points_text([(3, 4), (5, 6)], level=0)       # "0304-0506"

The sides of a hex are numbered clockwise, in Text Mapper from the north-west, in this program from
the north. ``Region`` and ``Side`` have the numbers of this program::

         1                    0
      0 ___ 2              5 ___ 1
       /   \                /   \
       \___/                \___/
      5     3              4     2
         4                    3
    Text Mapper          this program
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from randomizer.model.basics.texts import clean_line
from randomizer.systems.interchange.textmapper_lines import LONG, SHORT, STATEMENT, is_sentence

_SHORT_POINT = re.compile(r"(?:^|-)(?P<column>-?\d\d)(?P<row>-?\d\d)(?P<level>\d\d)?", re.ASCII)
"""A point such as 0304, or 030401 with its level, in a chain of points."""

_LONG_POINT = re.compile(
    r"(?:^|-)(?P<column>-?\d{2,7})\.(?P<row>-?\d{2,7})(?:\.(?P<level>\d{2,7}))?", re.ASCII
)
"""A point such as 100.102, or 100.102.01 with its level, in a chain of points."""

_HEXSIDE = re.compile(
    rf"#\s*hexside\s+(?P<point>{SHORT}|{LONG})\s+(?P<side>[0-5])\s+(?P<letter>\S)\s*", re.ASCII
)
"""A comment that is a hexside, such as ``# hexside 0304 2 w``."""

_TAG = re.compile(r'\b(?P<name>[a-z]+)=["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?')
"""A tag such as ``name="Moor" 30``: its name, text and size."""

_TEXT = re.compile(
    r'["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?(?P<transforms>(?:\s*[a-z]+\([^)]+\))*)'
)
"""A text in quotes, its size, and the transforms behind it such as ``translate(0,20)``."""

_CLIFF = re.compile(r"cliff(?P<side>[0-5])")
"""The type of a hex with a cliff: "cliff0" is one at the north-west."""

Point = tuple[int, int]
"""Column and row as the file numbers them; both can be negative."""


class SplitLine(NamedTuple):
    """A line of a file that begins with points, split behind them."""

    points: list[Point]
    """The one point of a region, or those that a line from hex to hex names."""

    level: int | None
    """The level of all points, None for points of several levels."""

    content: str
    """The text behind the points; it has a word if there are several points."""


class Region(NamedTuple):
    """What one statement, or all statements on a hex together, say of the hex."""

    point: Point
    """The hex."""

    code: str = ""
    """Its types but cliffs, with blanks between them; each lies above those before it."""
    cliffs: frozenset[int] = frozenset()
    """The sides with a cliff, as this program numbers them."""
    label: str = ""
    """Its label, "" for none."""
    size: int = 0
    """The size of the label, 0 for the usual one."""
    further_texts: str = ""
    """All further texts and tags, as they are written."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing of it that a map can show."""
        return not (self.code or self.cliffs or self.label)


class Edge(NamedTuple):
    """A step of a line between two neighbours. Both directions are the same step."""

    kind: str
    """The kind of the line, such as "trail"."""
    start: Point
    """The lower one of the two points."""
    end: Point
    """The neighbour of that."""


class SplitHexside(NamedTuple):
    """A comment that is a hexside, with the level of its hex."""

    side: Side
    level: int


class Side(NamedTuple):
    """A hexside: what lies between a hex and one of its neighbours, such as a wall."""

    point: Point
    """The hex that it belongs to."""
    side: int
    """The number of the side, as this program numbers them."""
    letter: str
    """The letter of the hexside in the terrain set."""


def edge_between(kind: str, point: Point, neighbour: Point) -> Edge:
    """Return the step between two hexes, the same one in both directions."""
    if point < neighbour:
        return Edge(kind, point, neighbour)
    return Edge(kind, neighbour, point)


# --- reading a statement ---


def split_line(line: str) -> SplitLine | None:
    """Return a line that is a region or a line from hex to hex; None for any other line.

    None as well for prose that begins with a number, such as "1066 Battle of Hastings."
    """
    statement = STATEMENT.fullmatch(line)
    if statement is None or is_sentence(line):
        return None
    chain_of_points = statement["points"]
    content = statement["content"]
    points = list[Point]()
    levels = set[int]()
    pattern = _LONG_POINT if "." in chain_of_points else _SHORT_POINT
    for match in pattern.finditer(chain_of_points):
        points.append((int(match["column"]), int(match["row"])))
        levels.add(int(match["level"] or 0))
    if len(points) > 1 and not content.strip():
        return None  # a line from hex to hex must have a kind
    level = levels.pop() if len(levels) == 1 else None
    return SplitLine(points, level, content)


def read_hexside(line: str) -> SplitHexside | None:
    """Return the hexside that a comment names, None for any other line."""
    match = _HEXSIDE.fullmatch(line)
    if match is None or not match["letter"].isprintable():
        return None
    point_line = split_line(f"{match['point']} ")
    assert point_line is not None, "a point and a blank are a line that can be split"
    assert point_line.level is not None, "one point has one level"
    side = Side(point_line.points[0], int(match["side"]), match["letter"])
    return SplitHexside(side, point_line.level)


def read_region(point: Point, content: str) -> Region:
    """Return the region at a point that the text behind the point describes."""
    # Tags are taken out first, then texts: what is left are types.
    tags = list(_TAG.finditer(content))
    content_without_tags = _TAG.sub(" ", content)
    texts = list(_TEXT.finditer(content_without_tags))
    words = re.sub('["“”]', "", _TEXT.sub(" ", content_without_tags)).split()

    # The label is the tag ``name``, else the first text without a transform. A map cannot show the
    # other tags and texts, which are kept as they are written.
    names = [tag for tag in tags if tag["name"] == "name"]
    plain_texts = [text for text in texts if not text["transforms"]]
    label = next(iter([*names, *plain_texts]), None)
    further_texts = [match[0].strip() for match in (*tags, *texts) if match is not label]

    types = list[str]()
    cliffs = set[int]()
    for word in words:
        cliff = _CLIFF.fullmatch(word)
        if cliff is None:
            types.append(word)
        else:
            cliffs.add(_side_of_text_mapper_side(int(cliff["side"])))

    region = Region(
        point, " ".join(types), frozenset(cliffs), further_texts=" ".join(further_texts)
    )
    if label is None:
        return region
    return region._replace(label=clean_line(label["text"]), size=int(label["size"] or 0))


# --- writing a statement ---


def region_text(region: Region, level: int) -> str:
    """Return a region as a line without its end."""
    words = [points_text([region.point], level), region.code]
    words += sorted(f"cliff{_text_mapper_side(side)}" for side in region.cliffs)
    if region.label:
        words.append(f'"{region.label}"')
        if region.size:
            words.append(str(region.size))
    words.append(region.further_texts)
    return " ".join(word for word in words if word)


def hexside_text(side: Side, level: int) -> str:
    """Return a hexside as a line without its end."""
    return f"# hexside {points_text([side.point], level)} {side.side} {side.letter}"


def points_text(points: Sequence[Point], level: int) -> str:
    """Return points as they are written: 0304-0506, or 100.100.00-101.100.00.

    ``level`` is that of all points.
    """
    # The short notation has two digits for each number.
    is_short = all(abs(number) < 100 for number in (level, *chain(*points)))
    # Level 0 need not be written, but Text Mapper fails at a line in the long notation without it.
    has_level = level != 0 or (len(points) > 1 and not is_short)
    separator = "" if is_short else "."
    texts = list[str]()
    for point in points:
        numbers = list(point)
        if has_level:
            numbers.append(level)
        texts.append(separator.join(map(_digits, numbers)))
    return "-".join(texts)


def _digits(number: int) -> str:
    """Return a number of a point with at least two digits, and a sign before them if needed."""
    if number < 0:
        return f"{number:03}"
    return f"{number:02}"


def _side_of_text_mapper_side(text_mapper_side: int) -> int:
    """Return the number of a side in this program: 0 for 1, the north."""
    return (text_mapper_side - 1) % 6


def _text_mapper_side(side: int) -> int:
    """Return the number of a side in Text Mapper: 1 for 0, the north."""
    return (side + 1) % 6
