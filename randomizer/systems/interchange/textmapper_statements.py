"""The statements of Text Mapper: what one line of a file says, and how that is written.

    statement = statement_of('0304 green fir-forest "Deep Forest" 30')
    region_of(statement.path[0], statement.content).code       # "green fir-forest"
    points_text([(3, 4), (5, 6)], level=0)                     # "0304-0506"

There are three kinds of statements that we show::

    0304 green fir-forest "Deep Forest" 30     a region: types of a hex, its label, the label's size
    0304-0506 trail                            a line of a kind from hex to hex
    # hexside 0304 2 w                         a hexside of ours, which the program skips as comment

A *point* is the column and row of a hex. Numbers above 99 need the long notation, 100.102 instead
of 0304. Behind both can stand the *level*, the storey of a dungeon for example: 030401, 100.102.01.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from randomizer.model.basics.texts import clean_line
from randomizer.model.terrain.terrain import Hexside, Terrain
from randomizer.systems.interchange.textmapper_lines import LONG, SHORT, STATEMENT, is_sentence

BLANK = Terrain("blank", "#efe9dc", description="A cell of which the file says nothing")
"""The first terrain of every map of the program."""

CLIFF = Hexside("cliff", "c", "#5b5048")
"""The first hexside of every map of the program."""

_A = re.ASCII

_ONE = re.compile(r"(?:^|-)(-?\d\d)(-?\d\d)(\d\d)?", _A)
"""A point such as 0304, or 030401 with its level, in a chain of points."""

_LONG_ONE = re.compile(r"(?:^|-)(-?\d{2,7})\.(-?\d{2,7})(?:\.(\d{2,7}))?", _A)
"""A point such as 100.102, or 100.102.01 with its level, in a chain of points."""

_SIDE = re.compile(rf"#\s*hexside\s+({SHORT}|{LONG})\s+([0-5])\s+(\S)\s*", _A)
"""A hexside of ours: the hex, the number of the side, and the letter of the hexside."""

_TAG = re.compile(r'\b([a-z]+)=["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?')
"""A tag such as ``name="Moor" 30``: its name, text and size."""

_TEXT = re.compile(r'["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?((?:\s*[a-z]+\([^)]+\))*)')
"""A text in quotes, its size, and the transforms behind it such as ``translate(0,20)``."""

_CLIFF = re.compile(r"cliff[0-5]")
"""The type of a hex with a cliff, and the number of its side."""

_STEPS_IF_PUSHED_DOWN = ((-1, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 1))
"""The steps (columns, rows) to the neighbours of a hex in a column that is pushed down.

They are in the order in which the program tries them.
"""

_STEPS_ELSE = ((-1, -1), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0))
"""The same for a hex in one of the other columns."""

Point = tuple[int, int]
"""Column and row as the file numbers them; both can be negative."""


class Region(NamedTuple):
    """The statements on one hex together."""

    point: Point
    """The hex."""
    code: str = ""
    """Its types but cliffs, in their order, which lie above one another."""
    cliffs: frozenset[int] = frozenset()
    """The sides with a cliff, numbered as ours."""
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


class Side(NamedTuple):
    """A hexside of ours."""

    point: Point
    """The hex that it belongs to."""
    side: int
    """The number of the side, as ours."""
    letter: str
    """The letter of the hexside in the terrain set."""


def edge_between(kind: str, point: Point, neighbour: Point) -> Edge:
    """Return the step between two hexes, the same one in both directions."""
    if point < neighbour:
        return Edge(kind, point, neighbour)
    return Edge(kind, neighbour, point)


class Statement(NamedTuple):
    """A line of a file that begins with points: a region, or a line from hex to hex."""

    path: list[Point]
    """The one point of a region, or those that a line names."""
    level: int | None
    """The level of all points, None for points of several levels."""
    content: str
    """The text behind the points."""


# --- reading a statement ---


def statement_of(line: str) -> Statement | None:
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
    return Statement(path, level, match[2])


def hexside_in(line: str) -> Side | None:
    """Return the hexside that a comment of ours names, None for other lines."""
    match = _SIDE.fullmatch(line)
    if match is None or not match[3].isprintable():
        return None
    name, side, letter = match.groups()
    statement = statement_of(f"{name} ")
    assert statement is not None, "the name of a hex and a blank are a statement"
    return Side(statement.path[0], int(side), letter)


def region_of(point: Point, text: str) -> Region:
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
    types = list[str]()
    cliffs = set[int]()
    for word in words:
        if _CLIFF.fullmatch(word):
            cliffs.add(_our_side(int(word.removeprefix("cliff"))))
        else:
            types.append(word)
    region = Region(
        point, " ".join(types), frozenset(cliffs), further_texts=" ".join(further_texts)
    )
    if label is None:
        return region
    return region._replace(label=clean_line(label["text"]), size=int(label["size"] or 0))


def hexes_on(points: Sequence[Point], *, pushes_odd: bool) -> Iterator[Point]:
    """Yield the points of a line and all hexes between them, as the program draws it.

    From each hex it goes on to the neighbour that is nearest to the next point, by the distance
    of columns and rows; of several to the one that it tries first. With ``pushes_odd`` the odd
    columns of the file are pushed down, else the even ones.
    """
    x, y = points[0]
    yield x, y
    for end_x, end_y in points[1:]:
        while (x, y) != (end_x, end_y):
            is_odd = x % 2 == 1
            steps = _STEPS_ELSE
            if is_odd == pushes_odd:
                steps = _STEPS_IF_PUSHED_DOWN
            neighbours = [(x + step_x, y + step_y) for step_x, step_y in steps]
            distances = [(end_x - to_x) ** 2 + (end_y - to_y) ** 2 for to_x, to_y in neighbours]
            x, y = neighbours[distances.index(min(distances))]
            yield x, y


# --- writing a statement ---


def statement_text(statement: Region | Side, level: int) -> str:
    """Return a region, or a hexside, as a line without its end."""
    name = points_text([statement.point], level)
    if isinstance(statement, Side):
        return f"# hexside {name} {statement.side} {statement.letter}"
    words = [name, statement.code]
    words += sorted(f"cliff{_side_of_program(side)}" for side in statement.cliffs)
    if statement.label:
        words.append(f'"{statement.label}"')
        if statement.size:
            words.append(str(statement.size))
    words.append(statement.further_texts)
    return " ".join(word for word in words if word)


def points_text(points: Sequence[Point], level: int) -> str:
    """Return points as they are written: 0304-0506, or 100.100.00-101.100.00.

    Two digits a number are enough up to 99. Lines in the long notation need the level as well:
    the program fails without it.
    """
    is_short = all(abs(number) < 100 for number in (level, *chain(*points)))
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


# The program numbers the sides of a hex clockwise from the north-west, we from the north.


def _our_side(side_of_program: int) -> int:
    """Return the number of a side as ours."""
    return (side_of_program - 1) % 6


def _side_of_program(side: int) -> int:
    """Return the number of a side as the program's."""
    return (side + 1) % 6
