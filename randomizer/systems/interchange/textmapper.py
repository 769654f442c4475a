"""The format ``textmapper``: maps of Text Mapper, a line a hex or a way, in any order.

    0304 green fir-forest "Deep Forest" 30
    0304-0506 trail

All types of a hex are one code. A map is written by changing the lines of its file: what says the
same stays as it is, with all that we have no place for (definitions, comments, further texts); what
was changed is written anew, and what is new follows. Even numbers of columns are pushed down; where
the first column of a file is even, a masked one is put before. The file says no layout: maps of
other layouts are written with column and row as they are.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.layer import Planes
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, split_lines
from randomizer.model.routes import SIDES
from randomizer.model.terrain import MOST_WAYS, Hexside, Terrain, Way
from randomizer.model.terrain_check import LONGEST_WORD
from randomizer.model.texts import clean_line
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    Written,
    cell_of,
    check_size,
    fault,
    foreign_map,
    losses,
    shown_ways,
    warning,
    way_planes,
)

BLANK = Terrain("blank", "#efe9dc", description="A cell of which the file says nothing")
CLIFF = Hexside("cliff", "c", "#5b5048")
MOST_STEPS = 1_000_000
"""Of all lines of a file together, from cell to cell."""

POINTS = "points"
"""The entry of a label's state that is the size in its file."""

_STYLES = {"river": "water", "canal": "water", "road": "road", "rail": "rail", "railway": "rail"}
_COLOURS = {"water": "#3f86bd", "road": "#8a6d45", "rail": "#4a4540", "track": "#a3773f"}

_NUMBER = r"-?\d\d"
_POINT = rf"{_NUMBER}{_NUMBER}(?:\d\d)?"
_LONG_POINT = r"-?\d{2,7}\.-?\d{2,7}(?:\.\d{2,7})?"
_A = re.ASCII
_REGION = re.compile(rf"({_POINT}|{_LONG_POINT})\s+(.*)", _A)
_LINE = re.compile(rf"({_POINT}(?:-{_POINT})+|{_LONG_POINT}(?:-{_LONG_POINT})+)\s+(\S+)(.*)", _A)
_ONE = re.compile(r"(-?\d\d)(-?\d\d)(\d\d)?", _A)
_LONG_ONE = re.compile(r"(-?\d{2,7})\.(-?\d{2,7})(?:\.(\d{2,7}))?", _A)
_SIDE = re.compile(rf"#\s*hexside\s+({_POINT}|{_LONG_POINT})\s+([0-5])\s+(\S)\s*", _A)
_TAG = re.compile(r'\b([a-z]+)=["“]([^"”]+)["”]\s*(\d{1,9})?')
_TEXT = re.compile(r'["“]([^"”]+)["”]\s*(\d{1,9})?((?:\s*[a-z]+\([^)]+\))*)')
_CLIFF = re.compile(r"cliff[0-5]")
_QUOTES = str.maketrans('"“”\r\n', "’’’  ")
_STEPS = (
    ((-1, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 1)),
    ((-1, -1), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0)),
)
"""The neighbours in columns of even and of odd numbers, in the order in which the program tries."""

Point = tuple[int, int]
Edge = tuple[int, int]


class Region(NamedTuple):
    """What a line says of a hex: its types without cliffs, sides with cliffs, and its label."""

    point: Point
    code: str
    cliffs: frozenset[int]
    label: str = ""
    size: int = 0
    further: str = ""


class Line(NamedTuple):
    """A line from hex to hex, with all cells between."""

    path: tuple[Point, ...]
    kind: str


class Side(NamedTuple):
    """A hexside of ours, which the program takes for a comment."""

    point: Point
    side: int
    letter: str


@dataclass
class Document:
    """The statements of a file: each line with what it says, None for what is kept as it is."""

    statements: list[tuple[str, Region | Line | Side | None]] = field(default_factory=list)
    level: int = 0
    left: int = 1
    top: int = 1
    width: int = 0
    height: int = 0
    end: str = "\n"

    def cell(self, point: Point, grid: Grid) -> int:
        """The cell of a point, -1 for none."""
        return grid.cell(point[0] - self.left, point[1] - self.top)

    def point(self, cell: int, grid: Grid) -> Point:
        """The point of a cell."""
        x, y = grid.xy(cell)
        return x + self.left, y + self.top

    def name(self, *points: Point) -> str:
        """Points as they are written."""
        plain = all(abs(number) < 100 for point in points for number in point) and self.level < 100
        if plain:
            level = f"{self.level:02}" if self.level else ""
            return "-".join(f"{_two(x)}{_two(y)}{level}" for x, y in points)
        level = f".{self.level:02}" if self.level or len(points) > 1 else ""
        return "-".join(f"{_two(x)}.{_two(y)}{level}" for x, y in points)


def _two(number: int) -> str:
    return f"{'-' if number < 0 else ''}{abs(number):02}"


class TextMapperCodec(Codec):
    """Reads and writes lines about hexes."""

    program = "Text Mapper"
    flat_only = False

    def is_code(self, code: str) -> bool:
        """Return whether a code is words."""
        return bool(code)

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a text. Raises ProblemError."""
        document = _document(source.text, problems)
        grid = _grid(document)
        codes = Codes()
        regions: dict[int, Region] = {}
        rows: dict[int, int] = {}
        links: dict[str, set[Edge]] = defaultdict(set)
        sides = list[tuple[int, int, str]]()
        for number, (_text, each) in enumerate(document.statements, 1):
            if isinstance(each, Region):
                cell = document.cell(each.point, grid)
                regions[cell] = _joined(regions.get(cell), each)
                rows[cell] = number
            elif isinstance(each, Line):
                links[each.kind].update(_edges(document, grid, each))
            elif isinstance(each, Side) and document.cell(each.point, grid) >= 0:
                sides.append((document.cell(each.point, grid), each.side, each.letter))
        sides += [(at, side, "c") for at, each in regions.items() for side in each.cliffs]
        painted = {
            at: codes.number(each.code, rows[at]) for at, each in regions.items() if each.code
        }
        cells = np.array(list(painted.values()), np.int64)
        terrains, indices = codes.terrains(_words_of, cells)
        plane = np.full((grid.height, grid.width), 0xFFFF, np.uint16)
        plane.flat[list(painted)] = indices + np.uint16(1)
        planes: Planes = {"terrain": plane}
        if sides:
            planes["hexside"] = np.full((grid.height, grid.width, 6), 0xFF, np.uint8)
        hexsides = _hexsides(letter for _cell, _side, letter in sides)
        letters = {hexside.letter: code for code, hexside in enumerate(hexsides, 1)}
        for cell, side, letter in sides:
            planes["hexside"].reshape(-1, 6)[cell, side] = letters[letter]
        ways = [_way(kind) for kind in links]
        planes |= way_planes(
            grid, {at: _bits(grid, each) for at, each in enumerate(links.values())}
        )
        return foreign_map(
            self.program,
            grid,
            (BLANK, *terrains),
            planes,
            hexsides=hexsides,
            ways=ways,
            things=_labels(grid, regions),
        )

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """The lines of the original that still hold, and what is new."""
        shown, grid = battlemap.composite(), battlemap.grid
        document = _document(original.text, []) if original.data else Document()
        is_own = bool(original.data) or battlemap.terrain_set.name == self.program
        regions, sides, lost_labels = _shown_regions(battlemap, shown, document, is_own)
        edges, lost_lines = _shown_edges(battlemap, shown)
        rows = _keep_lines(document, grid, regions, edges, sides)
        rows += [_region_text(document, each) for each in regions.values()]
        for kind, left in edges.items():
            for chain in _chains(left):
                points = [document.point(cell, grid) for cell in chain]
                rows.append(f"{document.name(*points)} {kind}")
        rows += [f"# hexside {document.name(at)} {side} {letter}" for at, side, letter in sides]
        hints: tuple[str, ...] = ()
        if grid.layout is not FLAT:
            square = ", for squares with --square" if grid.degree == 4 else ""
            hints = (f"Text Mapper knows no layout: column and row are as they are{square}",)
        lost = losses(battlemap, shown, hexside=0, line=lost_lines, label=lost_labels)
        text = "".join(f"{row}{document.end}" for row in rows)
        return Written(text.encode(), lost, hints)


# --- reading -------------------------------------------------------------------------------------


def _document(text: str, problems: list[Problem]) -> Document:
    """The statements of a text. Raises ProblemError."""
    document = Document(end="\r\n" if "\r\n" in text else "\n")
    lines = split_lines(text)
    steps, other_levels, kinds = 0, 0, dict[str, int]()
    left, top, right, bottom = (math.inf, math.inf, -math.inf, -math.inf)
    for number, line in enumerate(lines[: len(lines) - (not lines[-1])], 1):
        path, level = _points(line)
        each: Region | Line | Side | None = None
        if path and left == math.inf and level >= 0:
            document.level = level
        if path and level != document.level:
            other_levels += 1
        elif len(path) > 1 and (match := _LINE.fullmatch(line)):
            steps += sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(path))
            if steps > MOST_STEPS:
                raise fault(f"the lines of a map have at most {MOST_STEPS:,} steps", number)
            kind = match[2]
            if kinds.setdefault(kind, len(kinds)) < MOST_WAYS and _is_word(kind):
                path = list(_path(path))
                each = Line(tuple(path), kind) if len(path) > 1 else None
        elif path and (match := _REGION.fullmatch(line)):
            region = _region(path[0], match[2])
            each = region if region.code or region.cliffs or region.label else None
        elif side := _SIDE.fullmatch(line):
            each = Side(_points(f"{side[1]} ")[0][0], int(side[2]), side[3])
        document.statements.append((line, each))
        if isinstance(each, Region | Line):
            columns, rows = [x for x, _y in path], [y for _x, y in path]
            left, right = min(left, *columns), max(right, *columns)
            top, bottom = min(top, *rows), max(bottom, *rows)
            check_size(int(right - left) + 2, int(bottom - top) + 1, number)
    if left == math.inf:
        raise fault("this has no region such as 0304 forest", 1)
    if other_levels:
        message = f"{counted(other_levels, 'line')} of other levels are kept, but not shown"
        problems.append(warning(message))
    for kind in list(kinds)[MOST_WAYS:][:20]:
        message = f"lines of “{kind:.40}” are kept, but not shown: a map has {MOST_WAYS} kinds"
        problems.append(warning(message))
    document.left, document.top = int(left) - (left % 2 == 0), int(top)
    document.width, document.height = int(right) - document.left + 1, int(bottom - top) + 1
    return document


def _is_word(kind: str) -> bool:
    """Whether a type of lines can be the name of a way."""
    return kind.isprintable() and len(kind) <= LONGEST_WORD


def _points(line: str) -> tuple[list[Point], int]:
    """The points at the start of a line and their level, -1 for several; [] for none."""
    match = _LINE.fullmatch(line) or _REGION.fullmatch(line)
    if match is None:
        return [], 0
    path, levels, at = list[Point](), set[int](), 0
    one = _LONG_ONE if "." in match[1] else _ONE
    while point := one.match(match[1], at):
        path.append((int(point[1]), int(point[2])))
        levels.add(int(point[3] or 0))
        at = point.end() + 1
    return path, levels.pop() if len(levels) == 1 else -1


def _region(point: Point, text: str) -> Region:
    """What stands behind the coordinates of a hex."""
    label, size = "", 0
    further = list[str]()

    def take_tag(match: re.Match[str]) -> str:
        nonlocal label, size
        if match[1] == "name" and not label:
            label, size = match[2], int(match[3] or 0)
        else:
            further.append(match[0].strip())
        return " "

    def take_text(match: re.Match[str]) -> str:
        nonlocal label, size
        if label or match[3]:
            further.append(match[0].strip())
        else:
            label, size = match[1], int(match[2] or 0)
        return " "

    words = re.sub('["“”]', "", _TEXT.sub(take_text, _TAG.sub(take_tag, text))).split()
    cliffs = frozenset((int(word[5:]) + 5) % 6 for word in words if _CLIFF.fullmatch(word))
    code = " ".join(word for word in words if not _CLIFF.fullmatch(word))
    return Region(point, code, cliffs, clean_line(label), size, " ".join(further))


def _joined(before: Region | None, more: Region) -> Region:
    """Two lines about one hex as one: the second lies above the first."""
    if before is None:
        return more
    label, size = (before.label, before.size) if before.label else (more.label, more.size)
    code = f"{before.code} {more.code}".strip()
    further = f"{before.further} {more.further}".strip()
    return Region(before.point, code, before.cliffs | more.cliffs, label, size, further)


def _path(points: list[Point]) -> Iterator[Point]:
    """The points and all cells between them, as the program goes from one to the next."""
    x, y = points[0]
    yield x, y
    for end_x, end_y in points[1:]:
        while (x, y) != (end_x, end_y):
            around = [(x + dx, y + dy) for dx, dy in _STEPS[x % 2]]
            x, y = min(around, key=lambda at: (end_x - at[0]) ** 2 + (end_y - at[1]) ** 2)
            yield x, y


def _grid(document: Document) -> Grid:
    columns = {
        point[0]
        for _text, each in document.statements
        for point in (each.path if isinstance(each, Line) else (each.point,) if each else ())
    }
    if document.left in columns:
        return Grid(FLAT, document.width, document.height)
    mask = np.ones((document.height, document.width), np.bool_)
    mask[:, 0] = False
    return Grid(FLAT, document.width, document.height, mask)


def _edges(document: Document, grid: Grid, line: Line) -> set[Edge]:
    """The pairs of neighbours between which a line goes, the lower cell first."""
    cells = [document.cell(point, grid) for point in line.path]
    return {(min(a, b), max(a, b)) for a, b in pairwise(cells)}


def _bits(grid: Grid, edges: Iterable[Edge]) -> dict[int, int]:
    """The sides (bits) by which edges leave cells."""
    bits: dict[int, int] = defaultdict(int)
    for one, other in edges:
        for cell, beyond in ((one, other), (other, one)):
            bits[cell] |= 1 << grid.neighbour_table[cell].tolist().index(beyond)
    return bits


def _way(kind: str) -> Way:
    words = re.split(r"[^a-z]+", kind.lower())
    style = next((_STYLES[word] for word in words if word in _STYLES), "track")
    return Way(kind, style, _COLOURS[style])


def _hexsides(letters: Iterable[str]) -> list[Hexside]:
    """The hexsides of a map, cliffs always among them."""
    further = sorted({letter for letter in letters if letter.isprintable()} - {"c"})
    return [CLIFF, *(Hexside(f"hexside {each}", each, "#7d5a3c") for each in further)]


def _words_of(code: str) -> list[str]:
    return code.lower().split()


def _labels(grid: Grid, regions: Mapping[int, Region]) -> Iterator[Thing]:
    labelled = [(cell, each) for cell, each in sorted(regions.items()) if each.label]
    for number, (cell, each) in enumerate(labelled, 1):
        state = State({POINTS: each.size} if each.size else {})
        yield Thing(number, LABEL, *grid.centre(cell), label=each.label, state=state)


# --- writing -------------------------------------------------------------------------------------


def _shown_regions(
    battlemap: BattleMap, shown: Composite, document: Document, is_own: bool
) -> tuple[dict[int, Region], list[Side], int]:
    """What cells that have anything show, by column; hexsides but cliffs; and labels left out."""
    grid, known = battlemap.grid, battlemap.terrain_set
    labels, lost_labels = _shown_labels(battlemap)
    codes = _distinct(
        terrain.code if is_own and terrain.code else _word(terrain.name)
        for terrain in known.terrains
    )
    for number, terrain in enumerate(known.terrains):
        if is_own and not terrain.code and terrain.name == BLANK.name:
            codes[number] = ""
    cells = shown.planes["terrain"].reshape(-1)
    hexsides = shown.planes["hexside"].reshape(grid.size, -1)
    used = np.array([code != "" for code in codes])[cells] | (hexsides > 0).any(axis=1)
    used[list(labels)] = True
    regions: dict[int, Region] = {}
    sides = list[Side]()
    for cell in sorted(grid.cells[used[grid.cells]].tolist(), key=lambda cell: cell % grid.width):
        point, cliffs = document.point(cell, grid), set[int]()
        for side in np.flatnonzero(hexsides[cell]).tolist():
            hexside = known.hexsides[hexsides[cell, side] - 1]
            if hexside.name == CLIFF.name and grid.layout is FLAT:
                cliffs.add(side)
            else:
                sides.append(Side(point, side, hexside.letter))
        each = Region(point, codes[cells[cell]], frozenset(cliffs), *labels.get(cell, ("", 0)))
        if each.code or cliffs or each.label:
            regions[cell] = each
    return regions, sides, lost_labels


def _word(name: str) -> str:
    """A name as one word of the program."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "terrain"


def _distinct(words: Iterable[str]) -> list[str]:
    """Words, those that came before with a number behind."""
    result = list[str]()
    used = set[str]()
    for word in words:
        each, number = word, 1
        while each in used:
            number += 1
            each = f"{word}-{number}"
        used.add(each)
        result.append(each)
    return result


def _shown_labels(battlemap: BattleMap) -> tuple[dict[int, tuple[str, int]], int]:
    """The label of each cell and its size, and how many cannot be written."""
    labels: dict[int, tuple[str, int]] = {}
    lost = 0
    for thing in battlemap.visible_things():
        if thing.kind == LABEL:
            text, cell = thing.label.translate(_QUOTES), cell_of(battlemap, thing)
            if cell < 0 or cell in labels or not text:
                lost += 1
            else:
                size = thing.state.get(POINTS, 0)
                labels[cell] = (text, size if type(size) is int and 0 < size < 10**9 else 0)
    return labels, lost


def _shown_edges(battlemap: BattleMap, shown: Composite) -> tuple[dict[str, set[Edge]], int]:
    """The edges of each way, by its word, and how many cells have a way that leads nowhere."""
    grid, lost = battlemap.grid, 0
    ways = list(shown_ways(battlemap, shown))
    edges: dict[str, set[Edge]] = {}
    for word, (_way, plane) in zip(
        _distinct(_type(way.name) for way, _ in ways), ways, strict=True
    ):
        left = edges[word] = set()
        for cell in np.flatnonzero(plane).tolist():
            around = grid.neighbour_table[cell].tolist()
            sides = int(plane[cell]) & SIDES
            beyond = [at for side, at in enumerate(around) if sides >> side & 1]
            left |= {(min(cell, at), max(cell, at)) for at in beyond if at >= 0}
            lost += not any(at >= 0 for at in beyond)
    return edges, lost


def _type(name: str) -> str:
    """The name of a way as the type of a line: as it is if it is one word."""
    return name if re.fullmatch(r"\S+", name) else _word(name)


def _keep_lines(
    document: Document,
    grid: Grid,
    regions: dict[int, Region],
    edges: dict[str, set[Edge]],
    sides: list[Side],
) -> list[str]:
    """Keep the lines of the original, changed where hexes were; take out what they say."""
    before: dict[int, Region] = {}
    for _text, each in document.statements:
        if isinstance(each, Region):
            cell = document.cell(each.point, grid)
            before[cell] = _joined(before.get(cell), each)
    same = {
        cell
        for cell, each in before.items()
        if cell >= 0
        and regions.get(cell, Region(each.point, "", frozenset()))
        == each._replace(
            point=document.point(cell, grid), label=each.label.translate(_QUOTES), further=""
        )
    }
    present = {kind: set(each) for kind, each in edges.items()}
    rows = list[str]()
    for text, each in document.statements:
        if isinstance(each, Region):
            cell = document.cell(each.point, grid)
            if cell in same:
                regions.pop(cell, None)
                rows.append(text)
            elif cell in regions:
                further = before[cell].further
                rows.append(_region_text(document, regions.pop(cell)._replace(further=further)))
        elif isinstance(each, Line):
            own = _edges(document, grid, each)
            if own and own <= present.get(each.kind, set()):
                edges[each.kind] -= own
                rows.append(text)
        elif isinstance(each, Side):
            if each in sides:
                sides.remove(each)
                rows.append(text)
        else:
            rows.append(text)
    return rows


def _region_text(document: Document, region: Region) -> str:
    """A hex as a line."""
    cliffs = " ".join(sorted(f"cliff{(side + 1) % 6}" for side in region.cliffs))
    label = f'"{region.label}"' if region.label else ""
    size = str(region.size) if region.label and region.size else ""
    parts = (document.name(region.point), region.code, cliffs, label, size, region.further)
    return " ".join(filter(None, parts))


def _chains(edges: set[Edge]) -> Iterator[list[int]]:
    """Lines through all edges, each edge once: from ends and forks first, then the rings."""
    around: dict[int, set[int]] = defaultdict(set)
    for one, other in edges:
        around[one].add(other)
        around[other].add(one)
    forks = [cell for cell in sorted(around) if len(around[cell]) != 2]
    stops = set(forks)
    for start in (*forks, *sorted(around)):
        while around[start]:
            chain = [start]
            while around[chain[-1]] and (len(chain) == 1 or chain[-1] not in stops):
                following = min(around[chain[-1]])
                around[chain[-1]].discard(following)
                around[following].discard(chain[-1])
                chain.append(following)
            yield chain


CODEC = TextMapperCodec()
