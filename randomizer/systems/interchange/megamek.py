"""The format ``board``: maps of MegaMek, with elevations, terrains of levels, exits and themes.

    hex 0304 2 "woods:1;road:1:9" "grass"

The order of the hexes decides, not their numbers. All terrains of a hex are one code, the theme
behind it (``woods:1 "grass"``), but for roads, bridges and cliffs, whose exits are ways and
hexsides. A road that stands in a code has the exits that the game gives it, as long as its way has
just these; a bridge whose exits are in the file stands there as ``bridge:1:*``.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, split_lines
from randomizer.model.terrain.terrain import Hexside, Way
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    Written,
    check_size,
    fault,
    foreign_map,
    losses,
    shown_ways,
    table_rows,
    warning,
    way_planes,
)

CLEAR = "clear"
"""The code of a hex without terrains."""

WAYS = (
    Way("road:1", "road", "#8d8d8d", cost=0.5, description="Paved road"),
    Way("road:2", "road", "#a89a82", cost=0.5, description="Alley"),
    Way("road:3", "track", "#8a6d45", cost=0.5, description="Dirt road"),
    Way("road:4", "track", "#a3a096", cost=0.5, description="Gravel road"),
    Way("bridge", "road", "#6f5b43", cost=0.5, description="Bridge"),
)
BRIDGE = 4
CLIFF = Hexside("cliff_top", "c", "#5b5048", higher=True, description="The top of a cliff")
_NUMBER_OF_WAY = {way.name: number for number, way in enumerate(WAYS)}
_NUMBER_OF_STYLE = {"road": 0, "track": 2}

_NEW_BRIDGE = "bridge:1:{};bridge_elev:1;bridge_cf:90"


@registered(count=1, bytes_each=10 * KB)
@cache
def terrain_names() -> Mapping[str, bool]:
    """Return the terrains of the game, and whether it makes them itself when it loads a board."""
    return {name: bool(marks) for name, *marks in table_rows("board_terrains.tsv")}


_HEX = (
    (re.compile(r"\s*hex\s+(\d+)\s", re.IGNORECASE), "hex and its number"),
    (re.compile(r"\s*(-?\d+)(?![^\s\"])"), "the level of the hex"),
    (re.compile(r'\s*"([^"]*)"'), "the terrains of the hex in quotes"),
    (re.compile(r'\s*(?:"([^"]*)")?\s*(?:#.*)?$'), "a theme in quotes, and no more"),
)
_THEME = re.compile(r'(?:\s*+"[^"]*")?')

_SIZE = re.compile(r"\s*size\s+(\d{1,9})\s+(\d{1,9})\s*(?:#.*)?", re.IGNORECASE)
_TERRAIN = re.compile(r"([A-Za-z_]\w*):(-?\d{1,9})(?::(\d{1,2}))?", re.ASCII)
_CODE = re.compile(r'(?:clear|[a-z_]\w*:-?\d[^"]*)(?: "[^"]*")?', re.ASCII)


class BoardCodec(Codec):
    """Reads and writes boards."""

    program = "MegaMek"
    code = _CODE

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        reader = _Reader(problems)
        text = source.text
        for number, line in enumerate(_board_lines(text), 1):
            word = _word(line)
            if word == "size":
                reader.read_size(line, number)
            elif word == "hex":
                reader.read_hex(line, number)
        return reader.battlemap(_roads_to_pavement(text))

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the board of a map: hexes that are as they were in the original keep their
        lines.
        """
        text = original.text
        hexes = self._hexes(battlemap, text)
        grid = battlemap.grid
        former_rows = list[str]()
        former_size = (0, 0)
        if original.data:
            former_map = self.parse(original, [])
            former_size = (former_map.grid.width, former_map.grid.height)
            former_rows = self._hexes(former_map, text).rows
        hex_lines = [line for line in _board_lines(text) if _word(line) == "hex"]
        former_lines = dict(zip(former_rows, hex_lines, strict=False))
        rows = [former_lines.get(row, row) for row in hexes.rows]
        size = (grid.width, grid.height)
        if former_size == size:
            # A file that ends early has clear hexes there: they are written once one is not.
            count = len(hex_lines)
            if rows[count:] == former_rows[count:]:
                rows = rows[:count]
            board = _with_hexes(original.lines(), rows)
        else:
            board = _new_board(text, size, rows)
        own = {"elevation": 0, "line": hexes.lost_ways, "hexside": hexes.lost_hexsides}
        lost = losses(battlemap, hexes.shown, **own, terrain=hexes.nearest)
        hints: tuple[str, ...] = ()
        if hexes.undrawn:
            cells = counted(hexes.undrawn, "hex", "hexes")
            hints = (f"roads of {cells} that terrains name: there is no way",)
        return Written(original.encoded(board), lost, hints)

    def _hexes(self, battlemap: BattleMap, text: str) -> _Hexes:
        """Return the statements of all hexes of a map; ``text`` is that of its original, "" for
        none.
        """
        shown = battlemap.composite()
        grid = battlemap.grid
        codes, nearest = self.shown_codes(battlemap, shown)
        ways, lost_ways = _links(battlemap, shown)
        cliffs, lost_hexsides = _cliffs(battlemap, shown)
        automatic = _automatic(grid, ways, codes, _roads_to_pavement(text))
        parts = {code: _parts(code) for code in set(codes)}
        heights = np.broadcast_to(shown.planes["elevation"], (grid.height, grid.width)).reshape(-1)
        rows = list[str]()
        undrawn = 0
        for cell, (code, height) in enumerate(zip(codes, heights.tolist(), strict=True)):
            terrains, theme = parts[code]
            links = {number: int(plane[cell]) for number, plane in ways.items() if plane[cell]}
            usual = {number: int(automatic[number][cell]) for number in links}
            named = {_NUMBER_OF_WAY.get(token) for token in terrains} - {None}
            undrawn += bool(named - links.keys())
            hex_text = _hex_text(terrains, links, usual, int(cliffs[cell]))
            x, y = grid.xy(cell)
            rows.append(f'hex {x + 1:02}{y + 1:02} {height} "{hex_text}" "{theme}"')
        return _Hexes(rows, shown, nearest, lost_ways, lost_hexsides, undrawn)


class _Hexes(NamedTuple):
    """The hexes of a map as statements, row by row, and how many of what they lose.

    ``nearest`` are cells with a terrain that is none of the game, ``undrawn`` those with a terrain
    that names a road where no way is.
    """

    rows: list[str]
    shown: Composite
    nearest: int
    lost_ways: int
    lost_hexsides: int
    undrawn: int


def _word(line: str) -> str:
    """Return the word that a line begins with, in small letters; "" for a blank line."""
    words = line.split(None, 1)
    if words:
        return words[0].lower()
    return ""


def _board_lines(text: str) -> Iterator[str]:
    """Yield the lines of a board up to its end."""
    for line in split_lines(text):
        if _word(line) == "end":
            return
        yield line


def _with_hexes(lines: list[str], rows: list[str]) -> str:
    """Return the lines of a board with other ones for its hexes, whose comments stay.

    Rows beyond the hexes of the board follow its last line.
    """
    waiting = deque(rows)
    parts = list[str]()
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    is_over = False
    for line in lines:
        word = _word(line)
        if word == "end" and not is_over:
            parts += [f"{row}{end}" for row in waiting]
            waiting.clear()
            is_over = True
        if word != "hex" or is_over:
            parts.append(line)
            continue
        row = waiting.popleft()
        former_row = line.rstrip("\r\n")
        if row != former_row:
            row += _behind_hex(former_row)
        parts.append(row + line[len(former_row) :])
    if waiting and not parts[-1].endswith(("\n", "\r")):
        parts.append(end)
    parts += [f"{row}{end}" for row in waiting]
    return "".join(parts)


def _behind_hex(line: str) -> str:
    """Return the comment behind a hex, with the blanks before it."""
    at = 0
    for pattern in (*(pattern for pattern, _expected in _HEX[:3]), _THEME):
        part = pattern.match(line, at)
        assert part is not None, "the line was read as a hex"
        at = part.end()
    return line[at:].rstrip()


def _new_board(text: str, size: tuple[int, int], rows: list[str]) -> str:
    """Return a board of another size than the original, with all of its lines but the hexes."""
    before = list[str]()
    after = list[str]()
    lines = before
    for line in _board_lines(text):
        if _word(line) == "size":
            lines = after
        elif _word(line) not in ("hex", ""):
            lines.append(line)
    end = "\r\n" if "\r\n" in text else "\n"
    size_line = f"size {size[0]} {size[1]}"
    return "".join(f"{line}{end}" for line in (*before, size_line, *after, *rows, "end"))


def _roads_to_pavement(text: str) -> bool:
    """Return whether roads have exits to pavement, as they have if a board does not say
    otherwise.
    """
    option = re.search(r"(?im)^\s*option\s+exit_roads_to_pavement\s+(\w+)", text[:65536])
    return option is None or option[1].lower() != "false"


# --- reading -------------------------------------------------------------------------------------


class _Hex(NamedTuple):
    """A terrain list: the code, the ways in it (PRESENT: their exits are automatic), its cliffs."""

    code: int
    ways: dict[int, int | None]
    cliffs: int


class _Reader:
    """Takes the statements of a board."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self._size = (0, 0)
        self._codes = Codes()
        self._hexes: list[_Hex] = []
        self._heights: list[int] = []
        self._lists: dict[tuple[str, str], _Hex] = {}
        self._unknown: dict[str, int] = {}
        self._misnumbered = 0

    def read_size(self, line: str, number: int) -> None:
        """Read the statement ``size``. Raises ProblemError."""
        size = _SIZE.fullmatch(line)
        if size is None or self._size != (0, 0):
            raise fault("a board has one size: size WIDTH HEIGHT", number)
        self._size = int(size[1]), int(size[2])
        check_size(*self._size, number)

    def read_hex(self, line: str, number: int) -> None:
        """Read the statement ``hex``. Raises ProblemError."""
        at = 0
        values = list[str]()
        for pattern, what in _HEX:
            part = pattern.match(line, at)
            if part is None:
                raise fault(f"expected: {what}", number, at + 1)
            values.append(part[1] or "")
            at = part.end()
            start = part.start(1)
            if what.startswith("the terrains"):
                terrains_at = start
        name, level, terrains, theme = values
        width, height = self._size
        count = len(self._hexes)
        if count >= width * height:
            raise fault(f"the size of the board is for {width * height:,} hexes, no more", number)
        if len(level) > 6 or not -0x8000 < int(level) <= 0x7FFF:
            raise fault(
                f"{level:.20} is no level that a hex can have", number, line.find(level) + 1
            )
        expected = f"{count % width + 1:02}{count // width + 1:02}"
        self._misnumbered += name.lstrip("0") != expected.lstrip("0")
        terrains_of_hex = self._lists.get((terrains, theme))
        if terrains_of_hex is None:
            terrains_of_hex = self._lists[terrains, theme] = self._terrains(
                terrains, theme, number, terrains_at + 1
            )
        self._hexes.append(terrains_of_hex)
        self._heights.append(int(level))

    def _terrains(self, text: str, theme: str, line: int, column: int) -> _Hex:
        names = terrain_names()
        tokens = list[str]()
        ways = dict[int, int | None]()
        cliffs = 0
        for token in text.split(";"):
            terrain = _TERRAIN.fullmatch(token.strip())
            if terrain is None and token.strip():
                message = f"{token.strip()!r:.40} is no terrain with a level, such as woods:1"
                raise fault(message, line, column)
            column += len(token) + 1
            if terrain is None or names.get(terrain[1].lower()):
                continue
            name = terrain[1].lower()
            level = int(terrain[2])
            exits = None if terrain[3] is None else int(terrain[3])
            way = BRIDGE if name == "bridge" else _NUMBER_OF_WAY.get(f"{name}:{level}")
            if exits is None:
                token = f"{name}:{level}"
            else:
                token = f"{name}:{level}:{exits}"
            if name not in names:
                self._unknown.setdefault(name, line)
            elif name == "cliff_top" and level == 1 and exits is not None:
                cliffs |= exits & SIDES
            elif way is None or way in ways:
                tokens.append(token)
            else:
                ways[way] = exits
                if way == BRIDGE or exits is None:
                    tokens.append(f"{name}:{level}{'' if exits is None else ':*'}")
        code = ";".join(tokens) or CLEAR
        theme = " ".join(theme.split())
        return _Hex(self._codes.number(f'{code} "{theme}"' if theme else code, line), ways, cliffs)

    def battlemap(self, roads_to_pavement: bool) -> BattleMap:
        """Return the map of all hexes. Raises ProblemError."""
        width, height = self._size
        if not width:
            raise fault("a board begins with its size: size WIDTH HEIGHT", 1)
        missing = width * height - len(self._hexes)
        if missing:
            message = f"Missing: {counted(missing, 'hex', 'hexes')}, clear and of level 0 here"
            self._problems.append(warning(message))
            self._hexes += [_Hex(self._codes.number(CLEAR), {}, 0)] * missing
            self._heights += [0] * missing
        if self._misnumbered:
            hexes = counted(self._misnumbered, "hex", "hexes")
            message = f"The number of {hexes} is wrong: the order counts"
            self._problems.append(warning(message))
        for name, line in list(self._unknown.items())[:20]:
            message = f"MegaMek has no terrain “{name:.40}”: it is left out"
            self._problems.append(warning(message, line))
        grid = Grid(FLAT, width, height)
        cells = np.array([each.code for each in self._hexes]).reshape(height, width)
        terrains, indices = self._codes.terrains(_words_of, cells)
        planes: Planes = {
            "terrain": indices,
            "elevation": np.array(self._heights, np.int16).reshape(cells.shape),
        }
        links: dict[int, dict[int, int]] = defaultdict(dict)
        hexsides = np.full((grid.size, 6), 0xFF, np.uint8)
        for cell, each in enumerate(self._hexes):
            for way, exits in each.ways.items():
                links[way][cell] = (exits or 0) & SIDES
            for side in range(6 if each.cliffs else 0):
                if each.cliffs >> side & 1:
                    hexsides[cell, side] = 1
        ways = {number: np.zeros(grid.size, np.uint8) for number in links}
        for number, at in links.items():
            ways[number][list(at)] = PRESENT
        codes = [terrains[index].code for index in indices.flat]
        automatic = _automatic(grid, ways, codes, roads_to_pavement)
        for cell, each in enumerate(self._hexes):
            for way, exits in each.ways.items():
                if exits is None:
                    links[way][cell] = int(automatic[way][cell])
        planes |= way_planes(grid, links)
        if (hexsides != 0xFF).any():
            planes["hexside"] = hexsides.reshape(height, width, 6)
        return foreign_map(
            "MegaMek", grid, terrains, planes, hexsides=(CLIFF,), ways=WAYS, tactical=True
        )


def _words_of(code: str) -> list[str]:
    """Return the names of the terrains in a code but what is a way; of clear hexes the theme."""
    terrains, _, theme = code.partition(' "')
    names = [each.split(":") for each in terrains.split(";")]
    words = [name for name, *_levels in names if not name.startswith(("bldg_", "bridge", "road"))]
    if ["water", "0"] in names:
        words = ["water-0", *(word for word in words if word != "water")]
    if words not in ([], [CLEAR]):
        return words
    return [theme.strip('"').lower() or CLEAR, CLEAR]


def _automatic(
    grid: Grid, ways: dict[int, NDArray[Any]], codes: list[str], roads_to_pavement: bool
) -> dict[int, NDArray[Any]]:
    """Return the exits that the game gives to roads and bridges without any: to their like, by
    way.
    """
    result = {}
    paved = np.array([";pavement:" in f";{code}" for code in codes])
    for number, plane in ways.items():
        joins = plane > 0
        if roads_to_pavement and number != BRIDGE:
            joins = joins | paved
        around = grid.neighbour_table
        open_sides = (around >= 0) & joins[around]
        result[number] = (open_sides << np.arange(6)).sum(axis=1) * (plane > 0)
    return result


# --- writing -------------------------------------------------------------------------------------


def _parts(code: str) -> tuple[list[str], str]:
    """Return the terrains of a code, and its theme."""
    terrains, _, theme = code.partition(' "')
    return [] if terrains == CLEAR else terrains.split(";"), theme.removesuffix('"')


def _links(battlemap: BattleMap, shown: Composite) -> tuple[dict[int, NDArray[Any]], int]:
    """Return the planes of the ways that a board has, by number, and the number of cells of
    others.
    """
    ways: dict[int, NDArray[Any]] = {}
    lost = 0
    for way, plane in shown_ways(battlemap, shown):
        number = _NUMBER_OF_WAY.get(way.name, _NUMBER_OF_STYLE.get(way.style))
        if number is None:
            lost += int(np.count_nonzero(plane))
        else:
            ways[number] = ways[number] | plane if number in ways else plane
    return ways, lost


def _cliffs(battlemap: BattleMap, shown: Composite) -> tuple[NDArray[Any], int]:
    """Return the sides of each cell (bits) that have cliffs, and how many other hexsides there
    are.
    """
    values = shown.planes["hexside"].reshape(battlemap.grid.size, -1)
    kinds = battlemap.terrain_set.hexsides
    codes = [code for code, kind in enumerate(kinds, 1) if "cliff" in kind.name.lower()]
    cliffs = np.isin(values, codes)
    lost = np.count_nonzero(values) - np.count_nonzero(cliffs)
    return (cliffs << np.arange(cliffs.shape[1])).sum(axis=1), int(lost)


def _hex_text(
    terrains: list[str], links: dict[int, int], automatic: dict[int, int], cliffs: int
) -> str:
    """Return the terrain list of a hex. ``links`` are values of planes of ways, by number."""
    tokens = list[str]()
    waiting = dict(links)
    is_erased = BRIDGE not in links and any(token.startswith("bridge:") for token in terrains)
    for token in terrains:
        name = token.split(":")[0]
        way = BRIDGE if name == "bridge" else _NUMBER_OF_WAY.get(token)
        if is_erased and name.startswith("bridge"):
            continue
        if way is None:
            tokens.append(token)
        elif way in waiting:
            exits = waiting.pop(way) & SIDES
            is_automatic = not token.endswith("*") and exits == automatic[way]
            tokens.append(token if is_automatic else f"{token.removesuffix(':*')}:{exits}")
    for way, link in waiting.items():
        if way == BRIDGE:
            text = _NEW_BRIDGE
        else:
            text = f"{WAYS[way].name}:{{}}"
        tokens.append(text.format(link & SIDES))
    if cliffs:
        tokens.append(f"cliff_top:1:{cliffs}")
    return ";".join(tokens)


CODEC = BoardCodec()
