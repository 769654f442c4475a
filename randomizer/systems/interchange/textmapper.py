"""The format ``textmapper``: maps of Text Mapper, a line a hex or a way, in any order.

    0304 green fir-forest "Deep Forest" 30
    0304-0506 trail

All types of a hex are one code. A map is written by changing the lines of its file: what says the
same stays as it is, with all that we have no place for (definitions, comments, further texts); what
was changed is written anew, and what is new follows. Even numbers of columns are pushed down; where
the first column of a file is even, a masked one is put before. With ``option swap-even-odd`` odd
numbers are. The file says no layout: maps of other layouts are written with column and row as they
are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, split_lines
from randomizer.model.terrain.terrain import MOST_WAYS, Hexside, Terrain, Way
from randomizer.model.terrain.terrain_check import LONGEST_WORD, MOST_HEXSIDES
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    Written,
    chains,
    check_size,
    fault,
    foreign_map,
    losses,
    shown_ways,
    warning,
    way_planes,
)
from randomizer.systems.interchange.textmapper_lines import (
    LONG,
    SHORT,
    STATEMENT,
    Lines,
    is_sentence,
    lines_of_map,
)

BLANK = Terrain("blank", "#efe9dc", description="A cell of which the file says nothing")
CLIFF = Hexside("cliff", "c", "#5b5048")
MOST_STEPS = 1_000_000
"""Of all lines of a file together, from cell to cell."""

POINTS = "points"
"""The entry of a label's state that is the size in its file."""

_STYLES = {"river": "water", "canal": "water", "road": "road", "rail": "rail", "railway": "rail"}
_COLOURS = {"water": "#3f86bd", "road": "#8a6d45", "rail": "#4a4540", "track": "#a3773f"}

_A = re.ASCII
_ONE = re.compile(r"(?:^|-)(-?\d\d)(-?\d\d)(\d\d)?", _A)
_LONG_ONE = re.compile(r"(?:^|-)(-?\d{2,7})\.(-?\d{2,7})(?:\.(\d{2,7}))?", _A)
_SIDE = re.compile(rf"#\s*hexside\s+({SHORT}|{LONG})\s+([0-5])\s+(\S)\s*", _A)
_SWAP = re.compile(r"option\s+swap-even-odd(?!\s+false)\b.*", _A)
_TAG = re.compile(r'\b([a-z]+)=["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?')
_TEXT = re.compile(r'["“](?P<text>[^"”]+)["”]\s*(?P<size>\d{1,9})?((?:\s*[a-z]+\([^)]+\))*)')
_CLIFF = re.compile(r"cliff[0-5]")
_QUOTES = str.maketrans('"“”\r\n', "’’’  ")
_STEPS = (
    ((-1, 0), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 1)),
    ((-1, -1), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0)),
)
"""The neighbours in columns of even and of odd numbers, in the order in which the program tries."""

Point = tuple[int, int]


class Region(NamedTuple):
    """The content of a hex: its types without cliffs, sides with cliffs, and its label."""

    point: Point
    code: str = ""
    cliffs: frozenset[int] = frozenset()
    label: str = ""
    size: int = 0
    further: str = ""


class Edge(NamedTuple):
    """A step of a line of a kind, the lower point first."""

    kind: str
    one: Point
    other: Point


class Side(NamedTuple):
    """A hexside of ours, which the program takes for a comment."""

    point: Point
    side: int
    letter: str


Facts = frozenset[Edge | Side]
NONE: Facts = frozenset()


@dataclass
class Document:
    """The lines of a file: the text of each, the hex that it is about, and what else it says.

    ``regions`` are all that lines say of a hex together: the later lie above the earlier.
    ``of_map`` are the indices of the lines of the map in a note, of all lines in another file.
    """

    lines: list[tuple[str, Point | None, Facts]] = field(default_factory=list)
    of_map: range = range(0)
    regions: dict[Point, Region] = field(default_factory=dict)
    columns: set[int] = field(default_factory=set)
    level: int = 0
    left: int = 1
    top: int = 1
    width: int = 0
    height: int = 0
    end: str = "\n"

    def cell(self, point: Point, grid: Grid) -> int:
        """Return the cell of a point, -1 for none."""
        return grid.cell(point[0] - self.left, point[1] - self.top)

    def point(self, cell: int, grid: Grid) -> Point:
        """Return the point of a cell."""
        x, y = grid.xy(cell)
        return x + self.left, y + self.top

    def add(self, more: Region, line: int) -> None:
        """Lay a region above what is there. Raises ProblemError."""
        point, old, cliffs, label, size, further = self.regions.get(more.point, Region(more.point))
        code = f"{old} {more.code}".strip()
        Codes().number(code or BLANK.name, line)
        label, size = (label, size) if label else (more.label, more.size)
        further = f"{further} {more.further}".strip()
        self.regions[point] = Region(point, code, cliffs | more.cliffs, label, size, further)

    def text(self, each: Region | Side) -> str:
        """Return a hex, or a hexside, as a line."""
        if isinstance(each, Side):
            return f"# hexside {self.name(each.point)} {each.side} {each.letter}"
        cliffs = " ".join(sorted(f"cliff{(side + 1) % 6}" for side in each.cliffs))
        label = f'"{each.label}"' if each.label else ""
        size = str(each.size) if each.label and each.size else ""
        parts = (self.name(each.point), each.code, cliffs, label, size, each.further)
        return " ".join(filter(None, parts))

    def name(self, *points: Point) -> str:
        """Points as they are written."""
        is_short = all(abs(number) < 100 for number in (self.level, *chain(*points)))
        has_level = self.level or (len(points) > 1 and not is_short)
        level = (self.level,) if has_level else ()
        names = [[f"{each:0{2 + (each < 0)}}" for each in (*at, *level)] for at in points]
        return "-".join(("" if is_short else ".").join(name) for name in names)


def _edge(kind: str, one: Point, other: Point) -> Edge:
    if one < other:
        return Edge(kind, one, other)
    return Edge(kind, other, one)


class TextMapperCodec(Codec):
    """Reads and writes lines about hexes."""

    program = "Text Mapper"
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        document = _document(source.text, problems)
        mask = np.ones((document.height, document.width), np.bool_)
        mask[:, 0] = document.left in document.columns
        grid = Grid(FLAT, document.width, document.height, None if mask.all() else mask)
        regions = {document.cell(point, grid): region for point, region in document.regions.items()}
        codes = Codes()
        links = dict[str, dict[int, int]]()
        sides = list[tuple[int, int, str]]()
        for fact in chain(*(facts for _text, _point, facts in document.lines)):
            if isinstance(fact, Side):
                sides.append((document.cell(fact.point, grid), fact.side, fact.letter))
            elif isinstance(fact, Edge):
                bits = links.setdefault(fact.kind, defaultdict(int))
                one, other = (document.cell(point, grid) for point in (fact.one, fact.other))
                side = grid.neighbour_table[one].tolist().index(other)
                bits[one] |= 1 << side
                bits[other] |= 1 << grid.opposite(side)
        sides += [
            (at, side, CLIFF.letter) for at, region in regions.items() for side in region.cliffs
        ]
        painted = {at: codes.number(region.code) for at, region in regions.items() if region.code}
        numbers = np.array(list(painted.values()), np.int64)
        terrains, indices = codes.terrains(lambda code: code.lower().split(), numbers)
        terrains = tuple(
            replace(terrain, name=f"{terrain.name} (type)")
            if terrain.name == BLANK.name
            else terrain
            for terrain in terrains
        )
        planes = {SYSTEM.terrain.name: SYSTEM.terrain.allocate(grid)}
        planes[SYSTEM.terrain.name].flat[list(painted)] = indices + np.uint16(1)
        sides = [each for each in sides if each[0] >= 0]
        further = sorted({letter for *_at, letter in sides} - {CLIFF.letter})
        letters = [CLIFF.letter, *further][:MOST_HEXSIDES]
        if sides:
            planes[SYSTEM.hexside.name] = plane = SYSTEM.hexside.allocate(grid)
        for cell, side, letter in sides:
            if letter in letters:
                plane.reshape(grid.size, -1)[cell, side] = letters.index(letter) + 1
        labels = [(cell, each) for cell, each in sorted(regions.items()) if each.label]
        return foreign_map(
            self.program,
            grid,
            (BLANK, *terrains),
            planes | way_planes(grid, dict(enumerate(links.values()))),
            hexsides=[CLIFF, *(Hexside(f"hexside {at}", at, "#7d5a3c") for at in letters[1:])],
            ways=[_way(kind) for kind in links],
            things=[
                Thing(at, LABEL, *grid.centre(cell), label=each.label, state=state)
                for at, (cell, each) in enumerate(labels, 1)
                for state in [State({POINTS: each.size} if each.size else {})]
            ],
        )

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the lines of the original that still hold, and what is new."""
        grid = battlemap.grid
        document = Document()
        former = _Shown({}, {}, 0, 0)
        lines = list[str]()
        if original.data:
            document = _document(original.text, [])
            former = _shown(self.parse(original, []), document, is_own=True)
            lines = original.lines()
        is_own = bool(original.data) or battlemap.terrain_set.name == self.program
        shown = _shown(battlemap, document, is_own=is_own)
        rows = _rows(document, lines, former, shown)
        block = len(rows) - (len(lines) - document.of_map.stop)
        map_rows = rows[document.of_map.start : block]
        commented = 0
        if _are_other_text(map_rows):
            map_rows = [*_definitions(battlemap, shown, document.end), *map_rows]
            commented = _comment_prose(map_rows)
        rows[document.of_map.start : block] = map_rows
        hints = list[str]()
        if commented:
            texts = counted(commented, "line")
            hints.append(f"{texts} of other text: written as comments, so that the map is one")
        if grid.layout is not FLAT:
            square = ", for squares with --square" if grid.degree == 4 else ""
            hints.append(f"Text Mapper knows no layout: column and row are as they are{square}")
        own = {"hexside": 0, "line": shown.lost_ways, "label": shown.lost_labels}
        lost = losses(battlemap, battlemap.composite(), **own)
        return Written(original.encoded("".join(row.text for row in rows)), lost, tuple(hints))


# --- reading -------------------------------------------------------------------------------------


def _document(text: str, problems: list[Problem]) -> Document:
    """Return the statements of a text. Raises ProblemError."""
    document = Document(end="\r\n" if "\r\n" in text else "\n")
    lines = split_lines(text)
    ends = list[Point]()
    steps = 0
    other_levels = 0
    kinds = dict[str, int]()
    document.of_map = lines_of_map(lines)
    map_lines = lines[document.of_map.start : document.of_map.stop]
    _refuse_prose(map_lines, document.of_map.start)
    pushes_odd = any(map(_SWAP.fullmatch, map_lines))
    for number, line in enumerate(lines[: len(lines) - (not lines[-1])], 1):
        if number - 1 not in document.of_map:
            document.lines.append((line, None, NONE))
            continue
        path, level, rest = ([], 0, "") if is_sentence(line) else _points(line)
        region = None
        facts = NONE
        if path and not ends and level >= 0:
            document.level = level
        if path and level != document.level:
            other_levels += 1
        elif len(path) > 1:
            steps += sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(path))
            if steps > MOST_STEPS:
                raise fault(f"the lines of a map have at most {MOST_STEPS:,} steps", number)
            kind = rest.split()[0]
            is_word = kind.isprintable() and len(kind) <= LONGEST_WORD
            if kinds.setdefault(kind, len(kinds)) < MOST_WAYS and is_word:
                _check_extent([*path, *ends], number)  # a long way is slow to walk
                path = list(_path(path, pushes_odd=pushes_odd))
                facts = frozenset(_edge(kind, *pair) for pair in pairwise(path))
        elif path and any((each := _region(path[0], rest))[1:4]):
            region = path[0]
            document.add(each, number)
        elif (side := _SIDE.fullmatch(line)) and side[3].isprintable():
            facts = frozenset({Side(_points(f"{side[1]} ")[0][0], int(side[2]), side[3])})
        document.lines.append((line, region, facts))
        if region or (facts and path):
            document.columns.update(x for x, _y in path)
            ends = _check_extent([*path, *ends], number)
    if not ends:
        raise fault("this has no region such as 0304 forest", 1)
    if other_levels:
        verb = many(other_levels, "is", "are")
        message = f"{counted(other_levels, 'line')} of other levels {verb} kept, but not shown"
        problems.append(warning(message))
    for kind in list(kinds)[MOST_WAYS:][:20]:
        message = f"lines of “{kind:.40}” are kept, but not shown: a map has {MOST_WAYS} kinds"
        problems.append(warning(message))
    (left, document.top), (right, bottom) = ends
    first_parity = 0 if pushes_odd else 1
    document.left = left - (left % 2 != first_parity)
    document.width = right - document.left + 1
    document.height = bottom - document.top + 1
    return document


def _refuse_prose(lines: Sequence[str], lines_before: int = 0) -> None:
    """Raise ProblemError for a text that is mostly prose, though a line begins like a hex."""
    counted_lines = Lines(lines)
    if _is_other_text(lines, counted_lines):
        prose = len(counted_lines.prose)
        total = sum(bool(line.strip()) for line in lines)
        verb = many(prose, "is no statement", "are no statements")
        message = (
            f"{prose:,} of {counted(total, 'line')} {verb} of Text Mapper such as 0304 forest: "
            "this is another text"
        )
        raise fault(message, lines_before + counted_lines.prose[0] + 1)


def _is_other_text(lines: Sequence[str], counted_lines: Lines) -> bool:
    """Return whether a text is mostly prose, though a line begins like a hex."""
    prose = len(counted_lines.prose)
    is_mostly_prose = prose > 0 and prose >= counted_lines.hexes
    return is_mostly_prose and any(map(STATEMENT.fullmatch, lines))


def _check_extent(points: list[Point], line: int) -> list[Point]:
    """Return the lowest and the highest coordinates. Raises ProblemError if they are too far."""
    xs = [x for x, _y in points]
    ys = [y for _x, y in points]
    check_size(max(xs) - min(xs) + 2, max(ys) - min(ys) + 1, line)
    return [(min(xs), min(ys)), (max(xs), max(ys))]


def _points(line: str) -> tuple[list[Point], int, str]:
    """Return the points at the start of a line, their level (-1 for several), the rest; [] for
    none.
    """
    match = STATEMENT.fullmatch(line)
    if match:
        points = (_LONG_ONE if "." in match[1] else _ONE).findall(match[1])
    else:
        points = []
    if match is None or (len(points) > 1 and not match[2]):  # a line is of a kind
        return [], 0, ""
    levels = {int(level or 0) for *_at, level in points}
    path = [(int(x), int(y)) for x, y, _level in points]
    return path, levels.pop() if len(levels) == 1 else -1, match[2]


def _region(point: Point, text: str) -> Region:
    """Return what stands behind the coordinates of a hex: its label is its name, else the first
    text.
    """
    tags = list(_TAG.finditer(text))
    text = _TAG.sub(" ", text)
    texts = list(_TEXT.finditer(text))
    words = re.sub('["“”]', "", _TEXT.sub(" ", text)).split()
    names = [tag for tag in tags if tag[1] == "name"]
    label = next(iter((*names, *(each for each in texts if not each[3]))), None)
    further = " ".join(each[0].strip() for each in (*tags, *texts) if each is not label)
    cliffs = frozenset((int(word[5:]) + 5) % 6 for word in words if _CLIFF.fullmatch(word))
    code = " ".join(word for word in words if not _CLIFF.fullmatch(word))
    name, size = (clean_line(label["text"]), int(label["size"] or 0)) if label else ("", 0)
    return Region(point, code, cliffs, name, size, further)


def _path(points: list[Point], *, pushes_odd: bool) -> Iterator[Point]:
    """Yield the points and all cells between them, as the program goes from one to the next."""
    x, y = points[0]
    yield x, y
    for end_x, end_y in points[1:]:
        while (x, y) != (end_x, end_y):
            around = [(x + dx, y + dy) for dx, dy in _STEPS[(x + pushes_odd) % 2]]
            x, y = min(around, key=lambda at: (end_x - at[0]) ** 2 + (end_y - at[1]) ** 2)
            yield x, y


def _way(kind: str) -> Way:
    words = re.split(r"[^a-z]+", kind.lower())
    style = next((_STYLES[word] for word in words if word in _STYLES), "track")
    return Way(kind, style, _COLOURS[style])


# --- writing -------------------------------------------------------------------------------------


class _Shown(NamedTuple):
    """The content of a map: its regions, its hexsides and steps of ways; labels, ways left out."""

    regions: dict[Point, Region]
    others: dict[Edge | Side, None]
    lost_labels: int
    lost_ways: int


class _Row(NamedTuple):
    """A line to be written, with its end; whether it says something of the map."""

    text: str
    is_fact: bool


def _shown(battlemap: BattleMap, document: Document, *, is_own: bool) -> _Shown:
    composite = battlemap.composite()
    regions, sides, lost_labels = _shown_regions(battlemap, composite, document, is_own)
    edges, lost_ways = _shown_edges(battlemap, composite, document)
    return _Shown(regions, dict.fromkeys((*edges, *sides)), lost_labels, lost_ways)


def _rows(document: Document, lines: Sequence[str], former: _Shown, shown: _Shown) -> list[_Row]:
    """Return the lines of a file in which what differs from the former map is changed.

    A line stays if all that it says of the map is as it was. The first line of a region that
    changed says all of it, its other lines go.
    """
    rows = list[_Row]()
    rows_of_map = 0
    regions_left = dict(shown.regions)
    others_left = dict(shown.others)
    for index, line in enumerate(lines):
        if index == document.of_map.stop:
            rows_of_map = len(rows)
        text, point, others = document.lines[index]
        end = line[len(text) :]
        gone = {fact for fact in others if fact in former.others and fact not in shown.others}
        if point is None and not gone:
            rows.append(_Row(line, bool(others)))
            for fact in others:
                others_left.pop(fact, None)
        elif point is not None and shown.regions.get(point) == former.regions.get(point):
            rows.append(_Row(line, is_fact=True))
            regions_left.pop(point, None)
        elif point is not None and point in regions_left:
            further = document.regions[point].further
            region = regions_left.pop(point)._replace(further=further)
            rows.append(_Row(document.text(region) + end, is_fact=True))
    new = [document.text(region) for region in regions_left.values()]
    steps = (fact for fact in others_left if isinstance(fact, Edge))
    for kind, group in groupby(steps, key=itemgetter(0)):
        for path in chains(edge[1:] for edge in group):
            new.append(f"{document.name(*path)} {kind}")
    new += [document.text(fact) for fact in others_left if isinstance(fact, Side)]
    rows_of_map = rows_of_map or len(rows)
    if new and rows and not rows[-1].text.endswith(("\n", "\r")):
        rows[-1] = rows[-1]._replace(text=rows[-1].text + document.end)
    new_rows = [_Row(f"{text}{document.end}", is_fact=True) for text in new]
    return [*rows[:rows_of_map], *new_rows, *rows[rows_of_map:]]


def _comment_prose(rows: list[_Row]) -> int:
    """Turn prose into comments if lines would be taken for another text; return how much.

    Raises ProblemError for lines that would be nevertheless.
    """
    if not _are_other_text(rows):
        return 0
    count = 0
    for index in Lines(_texts(rows)).prose:
        if not rows[index].is_fact:
            rows[index] = _Row(f"# {rows[index].text}", is_fact=False)
            count += 1
    _refuse_prose(_texts(rows))
    return count


def _texts(rows: Iterable[_Row]) -> list[str]:
    return [row.text.rstrip("\r\n") for row in rows]


def _are_other_text(rows: Iterable[_Row]) -> bool:
    texts = _texts(rows)
    return _is_other_text(texts, Lines(texts))


def _definitions(battlemap: BattleMap, shown: _Shown, end: str) -> Iterator[_Row]:
    """Define the types in capitals that regions begin with: else these are read as sentences."""
    colours = {terrain.code: terrain.colour for terrain in battlemap.terrain_set.terrains}
    words = dict[str, str]()
    for region in shown.regions.values():
        if region.code[:1].isupper():
            words.setdefault(region.code.split()[0], colours.get(region.code, BLANK.colour))
    for word, colour in words.items():
        yield _Row(f'{word} attributes fill="{colour}"{end}', is_fact=True)


def _shown_regions(
    battlemap: BattleMap, shown: Composite, document: Document, is_own: bool
) -> tuple[dict[Point, Region], list[Side], int]:
    """Return what cells that have anything show, by column; hexsides but cliffs; and labels left
    out.
    """
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    labels, lost_labels = _shown_labels(battlemap)
    own = [terrain.code if is_own else "" for terrain in terrain_set.terrains]
    codes = _distinct(
        code or ("" if is_own and terrain.name == BLANK.name else _word(terrain.name))
        for code, terrain in zip(own, terrain_set.terrains, strict=True)
    )
    cells = shown.planes["terrain"].reshape(-1)
    hexsides = shown.planes["hexside"].reshape(grid.size, -1)
    used = np.array([code != "" for code in codes])[cells] | (hexsides > 0).any(axis=1)
    used[list(labels)] = True
    regions = dict[Point, Region]()
    sides = list[Side]()
    for cell in sorted(grid.cells[used[grid.cells]].tolist(), key=lambda cell: cell % grid.width):
        point = document.point(cell, grid)
        cliffs = set[int]()
        for side in np.flatnonzero(hexsides[cell]).tolist():
            hexside = terrain_set.hexsides[hexsides[cell, side] - 1]
            if hexside.name == CLIFF.name and grid.layout is FLAT:
                cliffs.add(side)
            else:
                sides.append(Side(point, side, hexside.letter))
        each = Region(point, codes[cells[cell]], frozenset(cliffs), *labels.get(cell, ()))
        if any(each[1:4]):
            regions[point] = each
    return regions, sides, lost_labels


def _word(name: str) -> str:
    """Return a name as one word of the program."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "terrain"


def _distinct(words: Iterable[str]) -> list[str]:
    """Words, those that came before with a number behind."""
    result = dict[str, None]()
    for word in words:
        numbered = chain([word], (f"{word}-{number}" for number in count(2)))
        result[next(each for each in numbered if each not in result)] = None
    return list(result)


def _shown_labels(battlemap: BattleMap) -> tuple[dict[int, tuple[str, int]], int]:
    """Return the label of each cell and its size, and how many cannot be written."""
    labels = dict[int, tuple[str, int]]()
    lost = 0
    for thing in battlemap.visible_things():
        text = thing.label.translate(_QUOTES)
        size = thing.state.get(POINTS)
        if thing.kind == LABEL:
            cell = battlemap.grid.cell_at(thing.x, thing.y)
        else:
            cell = -1
        if text and cell >= 0 and cell not in labels:
            labels[cell] = (text, size if type(size) is int and 0 < size < 10**9 else 0)
        else:
            lost += thing.kind == LABEL
    return labels, lost


def _shown_edges(
    battlemap: BattleMap, shown: Composite, document: Document
) -> tuple[list[Edge], int]:
    """Return the steps of all ways, and how many cells have a way that leads nowhere."""
    grid = battlemap.grid
    lost = 0
    edges = list[Edge]()
    ways = list(shown_ways(battlemap, shown))
    names = [way.name for way, _plane in ways]
    kinds = _distinct(name if re.fullmatch(r"\S+", name) else _word(name) for name in names)
    for kind, (_way, plane) in zip(kinds, ways, strict=True):
        for cell in np.flatnonzero(plane).tolist():
            around = enumerate(grid.neighbour_table[cell].tolist())
            beyond = [at for side, at in around if at >= 0 and int(plane[cell]) >> side & 1]
            start = document.point(cell, grid)
            edges += [_edge(kind, start, document.point(at, grid)) for at in beyond]
            lost += not beyond
    return edges, lost


CODEC = TextMapperCodec()
