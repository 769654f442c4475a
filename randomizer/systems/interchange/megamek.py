"""The format ``board``: maps of MegaMek, with elevations, terrains of levels, exits and themes.

A board has a statement for each hex: number, elevation, terrains with their levels, and theme::

    hex 0304 2 "woods:1;road:1:9" "grass"

``BoardCodec.parse`` reads a board and ``BoardCodec.compose`` writes one. The order of the hexes
decides, not their numbers. All terrains of a hex are one *code*, a terrain of our map, with the
theme behind it (``woods:1 "grass"``). Roads, bridges and cliffs are *ways* and *hexsides* of our
map instead, since they have *exits*: the sides by which they lead to neighbours, as bits (9 is
north and south). A road that stands in a code has the exits that the game gives it, as long as its
way has just these; a bridge whose exits are in the file stands there as ``bridge:1:*``.
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
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.new_map import check_size, foreign_map
from randomizer.systems.interchange.foreign.pictures import table_rows
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import visible_ways, way_planes

CLEAR = "clear"
"""The code of a hex without terrains."""

_SIDES = 6
"""The sides of a hex; exits and cliffs are bits of them, bit 0 for the north."""

WAYS = (
    Way("road:1", "road", "#8d8d8d", cost=0.5, description="Paved road"),
    Way("road:2", "road", "#a89a82", cost=0.5, description="Alley"),
    Way("road:3", "track", "#8a6d45", cost=0.5, description="Dirt road"),
    Way("road:4", "track", "#a3a096", cost=0.5, description="Gravel road"),
    Way("bridge", "road", "#6f5b43", cost=0.5, description="Bridge"),
)
"""What is a way on the map: all roads by their levels, and bridges of all levels as one."""

BRIDGE = 4
"""The index in ``WAYS`` of "bridge"."""

CLIFF = Hexside("cliff_top", "c", "#5b5048", higher=True, description="The top of a cliff")
_NUMBER_OF_WAY = {way.name: number for number, way in enumerate(WAYS)}
"""The index in ``WAYS``, by name."""

_NUMBER_OF_STYLE = {"road": 0, "track": 2}
"""The ways as which those of other maps are written, by their styles."""

_NEW_BRIDGE = "bridge:1:{};bridge_elev:1;bridge_cf:90"
"""The terrains of a bridge with its exits; the game refuses one without an elevation."""

_MOST_UNKNOWN_NAMES = 20
"""The largest number of unknown terrains that are reported, each by a problem of its own."""


@registered(count=1, bytes_each=10 * KB)
@cache
def terrain_names() -> Mapping[str, bool]:
    """Return the terrains of the game by name: True if it makes them when it loads a board."""
    return {name: bool(marks) for name, *marks in table_rows("board_terrains.tsv")}


_HEX = (
    (re.compile(r"\s*hex\s+(\d+)\s", re.IGNORECASE), "hex and its number"),
    (re.compile(r"\s*(-?\d+)(?![^\s\"])"), "the level of the hex"),
    (re.compile(r'\s*"([^"]*)"'), "the terrains of the hex in quotes"),
    (re.compile(r'\s*(?:"([^"]*)")?\s*(?:#.*)?$'), "a theme in quotes, and no more"),
)
"""The parts of the statement ``hex`` in their order, and the words for what is expected there."""

_TERRAINS_PART = 2
"""The index in ``_HEX`` of the terrains."""

_THEME = re.compile(r'(?:\s*+"[^"]*")?')
"""The theme of a hex, which may be missing, without what follows."""

_SIZE = re.compile(r"\s*size\s+(\d{1,9})\s+(\d{1,9})\s*(?:#.*)?", re.IGNORECASE)
"""The statement ``size`` with width and height."""

_TERRAIN = re.compile(r"([A-Za-z_]\w*):(-?\d{1,9})(?::(\d{1,2}))?", re.ASCII)
"""A terrain with its level, and its exits if it has any."""

_CODE = re.compile(r'(?:clear|[a-z_]\w*:-?\d[^"]*)(?: "[^"]*")?', re.ASCII)
"""A code of ours: the terrains of a hex and its theme."""

_LONGEST_LEVEL = 6
"""The characters of a level: -32767 needs six, and ``int`` of more is slow."""

_OPTION_BYTES = 65536
"""The beginning of a board in which its options are looked for."""


class BoardCodec(Codec):
    """Reads and writes boards."""

    program = "MegaMek"
    code = _CODE

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a board."""
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
        """Return the board of a map; hexes that are as in the original keep their lines."""
        text = original.text
        hexes = self._hexes(battlemap, text)
        grid = battlemap.grid

        # A hex whose statement is that of the original map is written as it was there.
        original_rows = list[str]()
        original_size = (0, 0)
        if original.data:
            original_map = self.parse(original, [])
            original_size = (original_map.grid.width, original_map.grid.height)
            original_rows = self._hexes(original_map, text).rows
        hex_lines = [line for line in _board_lines(text) if _word(line) == "hex"]
        # A file that ends early has fewer lines than its map has hexes.
        original_lines = dict(zip(original_rows, hex_lines, strict=False))
        rows = [original_lines.get(row, row) for row in hexes.rows]

        size = (grid.width, grid.height)
        if original_size == size:
            # The hexes that a file lacks at its end are clear: they are written once one is not.
            count = len(hex_lines)
            if rows[count:] == original_rows[count:]:
                rows = rows[:count]
            board = _with_hexes(original.lines(), rows)
        else:
            board = _new_board(text, size, rows)

        lost = losses(
            battlemap,
            hexes.composite,
            elevation=0,
            line=hexes.lost_ways,
            hexside=hexes.lost_hexsides,
            terrain=hexes.nearest,
        )
        hints: tuple[str, ...] = ()
        if hexes.undrawn:
            cells = counted(hexes.undrawn, "hex", "hexes")
            hints = (f"roads of {cells} that terrains name: there is no way",)
        return Written(original.encoded(board), lost, hints)

    def _hexes(self, battlemap: BattleMap, text: str) -> _Hexes:
        """Return the statements of all hexes of a map.

        ``text`` is that of its original, "" for none; it says whether roads lead to pavement.
        """
        composite = battlemap.composite()
        grid = battlemap.grid
        codes, nearest = self.visible_codes(battlemap, composite)
        ways, lost_ways = _links(battlemap, composite)
        cliffs, lost_hexsides = _cliffs(battlemap, composite)
        automatic = _automatic_exits(grid, ways, codes, _roads_to_pavement(text))
        terrains_and_theme = {code: _split_code(code) for code in set(codes)}
        elevation = composite.planes["elevation"]
        heights = np.broadcast_to(elevation, (grid.height, grid.width)).reshape(-1)

        rows = list[str]()
        undrawn = 0
        for cell, (code, height) in enumerate(zip(codes, heights.tolist(), strict=True)):
            terrains, theme = terrains_and_theme[code]
            # The ways that run through the cell, by number.
            links = {number: int(plane[cell]) for number, plane in ways.items() if plane[cell]}
            exits_by_game = {number: int(automatic[number][cell]) for number in links}
            roads_of_code = {_NUMBER_OF_WAY.get(token) for token in terrains} - {None}
            if not roads_of_code <= links.keys():
                undrawn += 1
            hex_text = _hex_text(terrains, links, exits_by_game, int(cliffs[cell]))
            x, y = grid.xy(cell)
            # Boards count columns and rows from 1.
            rows.append(f'hex {x + 1:02}{y + 1:02} {height} "{hex_text}" "{theme}"')
        return _Hexes(
            rows=rows,
            composite=composite,
            nearest=nearest,
            lost_ways=lost_ways,
            lost_hexsides=lost_hexsides,
            undrawn=undrawn,
        )


class _Hexes(NamedTuple):
    """The hexes of a map as statements, and the numbers of cells that lose something."""

    rows: list[str]
    """The statements, row by row of the map."""
    composite: Composite
    """What the map shows."""
    nearest: int
    """Cells whose terrain the game lacks: they get the nearest one."""
    lost_ways: int
    """Cells with a way that a board cannot have."""
    lost_hexsides: int
    """Hexsides other than cliffs."""
    undrawn: int
    """Cells whose code names a road although the map has no way there."""


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
    """Return the lines of a board with other rows for its hexes, whose comments stay.

    Further rows than the board has hexes stand before its ``end``, or behind the last line.
    """
    rows_left = deque(rows)
    new_lines = list[str]()
    line_end = _line_end(lines[0])
    has_ended = False
    for line in lines:
        word = _word(line)
        if word == "end" and not has_ended:
            new_lines += [f"{row}{line_end}" for row in rows_left]
            rows_left.clear()
            has_ended = True
        if word != "hex" or has_ended:  # what stands behind the end is no part of the board
            new_lines.append(line)
            continue
        row = rows_left.popleft()
        original_row = line.rstrip("\r\n")
        if row != original_row:
            row += _comment_behind_hex(original_row)
        end_of_this_line = line[len(original_row) :]  # the last line can be without one
        new_lines.append(row + end_of_this_line)
    if rows_left and not new_lines[-1].endswith(("\n", "\r")):
        new_lines.append(line_end)
    new_lines += [f"{row}{line_end}" for row in rows_left]
    return "".join(new_lines)


def _line_end(text: str) -> str:
    """Return the end of the lines of a text: that of Windows if any line has it."""
    if "\r\n" in text:
        return "\r\n"
    return "\n"


def _comment_behind_hex(line: str) -> str:
    """Return the comment behind the statement of a hex, with the blanks before it."""
    position = 0
    name, level, terrains = (pattern for pattern, _expected in _HEX[:3])
    # ``_HEX`` takes theme and comment in one part; here the theme alone is needed.
    for pattern in (name, level, terrains, _THEME):
        part = pattern.match(line, position)
        assert part is not None, "the line was read as a hex"
        position = part.end()
    return line[position:].rstrip()


def _new_board(text: str, size: tuple[int, int], rows: list[str]) -> str:
    """Return a board of another size than the original, with all of its lines but the hexes."""
    lines_before_size = list[str]()
    lines_behind_size = list[str]()
    lines = lines_before_size
    for line in _board_lines(text):
        if _word(line) == "size":
            lines = lines_behind_size
        elif _word(line) not in ("hex", ""):
            lines.append(line)
    line_end = _line_end(text)
    width, height = size
    all_lines = (*lines_before_size, f"size {width} {height}", *lines_behind_size, *rows, "end")
    return "".join(f"{line}{line_end}" for line in all_lines)


def _roads_to_pavement(text: str) -> bool:
    """Return whether roads have exits to pavement; they have unless the board says no."""
    option = re.search(r"(?im)^\s*option\s+exit_roads_to_pavement\s+(\w+)", text[:_OPTION_BYTES])
    return option is None or option[1].lower() != "false"


# --- reading -------------------------------------------------------------------------------------


class _Hex(NamedTuple):
    """The content of a hex but for its elevation; hexes with the same texts share one."""

    code: int
    """The number of the code."""
    ways: dict[int, int | None]
    """The exits (bits of sides) of each way in it; None for automatic ones."""
    cliffs: int
    """The sides (bits) with a cliff."""


class _BoardTerrain(NamedTuple):
    """A terrain in the statement of a hex, such as ``road:1:9``."""

    name: str
    """Its name in lower case."""
    level: int
    exits: int | None
    """The sides (bits) by which it leads to neighbours, None if the game chooses them."""

    @property
    def way(self) -> int | None:
        """The number of the way in ``WAYS`` that it is, None if it is none.

        Bridges of all levels are one way; the level of a road is its kind.
        """
        if self.name == "bridge":
            return BRIDGE
        return _NUMBER_OF_WAY.get(f"{self.name}:{self.level}")

    @property
    def token(self) -> str:
        """The terrain as in the file."""
        if self.exits is None:
            return f"{self.name}:{self.level}"
        return f"{self.name}:{self.level}:{self.exits}"


def _parts_of_hex(line: str, number: int) -> list[re.Match[str]]:
    """Return the parts of the statement ``hex`` as in ``_HEX``; group 1 of each is its value.

    ``number`` is that of the line. Raises ProblemError where a part is missing.
    """
    position = 0
    parts = list[re.Match[str]]()
    for pattern, expected in _HEX:
        part = pattern.match(line, position)
        if part is None:
            raise fault(f"expected: {expected}", number, position + 1)
        parts.append(part)
        position = part.end()
    return parts


def _terrains_in(text: str, line: int, column: int) -> Iterator[_BoardTerrain]:
    """Yield the terrains of a hex from its text, which begins at this line and column.

    Raises ProblemError at the first one that has no level.
    """
    for token in text.split(";"):
        stripped = token.strip()
        if stripped:
            match = _TERRAIN.fullmatch(stripped)
            if match is None:
                message = f"{stripped!r:.40} is no terrain with a level, such as woods:1"
                raise fault(message, line, column)
            exits = None
            if match[3] is not None:
                exits = int(match[3])
            yield _BoardTerrain(match[1].lower(), int(match[2]), exits)
        column += len(token) + 1


class _Reader:
    """Reads the statements of one board, and makes its map at the end."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self._size = (0, 0)
        """Width and height; (0, 0) before the statement ``size``."""
        self._codes = Codes()
        """The codes of the hexes so far, which get numbers."""
        self._hexes: list[_Hex] = []
        """The contents of the hexes, row by row of the map."""
        self._heights: list[int] = []
        """Their levels."""
        self._hex_of_texts: dict[tuple[str, str], _Hex] = {}
        """Terrains that were read already, by their text and that of the theme."""
        self._unknown_names: dict[str, int] = {}
        """The first line of each terrain that the game lacks."""
        self._misnumbered = 0
        """The number of hexes whose number is not that of their position."""

    def read_size(self, line: str, number: int) -> None:
        """Read the statement ``size``. Raises ProblemError."""
        size = _SIZE.fullmatch(line)
        if size is None or self._size != (0, 0):
            raise fault("a board has one size: size WIDTH HEIGHT", number)
        self._size = int(size[1]), int(size[2])
        check_size(*self._size, number)

    def read_hex(self, line: str, number: int) -> None:
        """Read the statement ``hex``. Raises ProblemError.

        The order of the statements gives a hex its position: the game ignores the number in it.
        """
        parts = _parts_of_hex(line, number)
        name, level, terrains, theme = (part[1] or "" for part in parts)
        width, height = self._size
        hex_index = len(self._hexes)
        if hex_index >= width * height:
            raise fault(f"the size of the board is for {width * height:,} hexes, no more", number)
        # Elevations are stored in 16 bits, of which the lowest number means "not set".
        if len(level) > _LONGEST_LEVEL or not -0x8000 < int(level) <= 0x7FFF:
            column = line.find(level) + 1
            raise fault(f"{level:.20} is no level that a hex can have", number, column)

        row, column = divmod(hex_index, width)
        name_by_order = f"{column + 1:02}{row + 1:02}"
        if name.lstrip("0") != name_by_order.lstrip("0"):
            self._misnumbered += 1

        # Many hexes have the same texts, which are read once.
        content = self._hex_of_texts.get((terrains, theme))
        if content is None:
            column_of_terrains = parts[_TERRAINS_PART].start(1) + 1
            content = self._read_terrains(terrains, theme, number, column_of_terrains)
            self._hex_of_texts[terrains, theme] = content
        self._hexes.append(content)
        self._heights.append(int(level))

    def _read_terrains(self, text: str, theme: str, line: int, column: int) -> _Hex:
        """Return the content of a hex: ``text`` is such as ``woods:1;road:1:9``.

        ``line`` and ``column`` are where it begins in the file. Roads and cliffs with exits are
        ways and hexsides alone. A road without exits and a bridge are in the code as well, since
        the map could not tell them from others (docs/adr/0028). Raises ProblemError.
        """
        terrains_of_game = terrain_names()
        tokens = list[str]()
        ways = dict[int, int | None]()
        cliffs = 0
        for terrain in _terrains_in(text, line, column):
            name = terrain.name
            if name not in terrains_of_game:
                self._unknown_names.setdefault(name, line)
                continue
            is_made_by_game = terrains_of_game[name]
            if is_made_by_game:
                continue
            if name == "cliff_top" and terrain.level == 1 and terrain.exits is not None:
                cliffs |= terrain.exits & SIDES
                continue
            way = terrain.way
            if way is None or way in ways:
                # No way, or a second one of its kind, for which the map has no place.
                tokens.append(terrain.token)
                continue
            ways[way] = terrain.exits
            if terrain.exits is None:
                tokens.append(terrain.token)
            elif way == BRIDGE:
                # Its level is in the code, its exits are those of the way.
                tokens.append(f"{name}:{terrain.level}:*")
        code = ";".join(tokens) or CLEAR
        words_of_theme = " ".join(theme.split())
        if words_of_theme:
            code += f' "{words_of_theme}"'
        return _Hex(self._codes.number(code, line), ways, cliffs)

    def battlemap(self, roads_to_pavement: bool) -> BattleMap:
        """Return the map of all hexes. Raises ProblemError."""
        width, height = self._size
        if not width:
            raise fault("a board begins with its size: size WIDTH HEIGHT", 1)
        self._add_missing_hexes()
        self._report_faults()
        grid = Grid(FLAT, width, height)
        numbers = np.array([content.code for content in self._hexes]).reshape(height, width)
        terrains, indices = self._codes.terrains(_words_of, numbers)
        planes: Planes = {
            "terrain": indices,
            "elevation": np.array(self._heights, np.int16).reshape(height, width),
        }
        codes = [terrains[index].code for index in indices.flat]
        planes |= way_planes(grid, self._links(grid, codes, roads_to_pavement))
        if any(content.cliffs for content in self._hexes):
            planes["hexside"] = self._cliff_plane(grid)
        return foreign_map(
            "MegaMek", grid, terrains, planes, hexsides=(CLIFF,), ways=WAYS, tactical=True
        )

    def _add_missing_hexes(self) -> None:
        """Fill a board that ends early as the game does, with clear hexes of level 0."""
        width, height = self._size
        missing = width * height - len(self._hexes)
        if missing:
            message = f"Missing: {counted(missing, 'hex', 'hexes')}, clear and of level 0 here"
            self._problems.append(warning(message))
            clear_hex = _Hex(self._codes.number(CLEAR), {}, 0)
            self._hexes += [clear_hex] * missing
            self._heights += [0] * missing

    def _report_faults(self) -> None:
        """Report the faults that do not hinder reading, each kind once."""
        if self._misnumbered:
            hexes = counted(self._misnumbered, "hex", "hexes")
            message = f"The number of {hexes} is wrong: the order counts"
            self._problems.append(warning(message))
        for name, line in list(self._unknown_names.items())[:_MOST_UNKNOWN_NAMES]:
            message = f"MegaMek has no terrain “{name:.40}”: it is left out"
            self._problems.append(warning(message, line))

    def _links(
        self, grid: Grid, codes: list[str], roads_to_pavement: bool
    ) -> dict[int, dict[int, int]]:
        """Return for each way the exits (bits of sides) of its cells.

        Automatic exits follow from the neighbours, so all cells of the ways must be known first.
        """
        links: dict[int, dict[int, int]] = defaultdict(dict)
        for cell, content in enumerate(self._hexes):
            for way, exits in content.ways.items():
                links[way][cell] = (exits or 0) & SIDES
        ways = dict[int, NDArray[Any]]()
        for way, exits_of_cell in links.items():
            ways[way] = np.zeros(grid.size, np.uint8)
            ways[way][list(exits_of_cell)] = PRESENT
        automatic = _automatic_exits(grid, ways, codes, roads_to_pavement)
        for cell, content in enumerate(self._hexes):
            for way, exits in content.ways.items():
                if exits is None:
                    links[way][cell] = int(automatic[way][cell])
        return links

    def _cliff_plane(self, grid: Grid) -> NDArray[np.uint8]:
        """Return the plane of hexsides, (height, width, 6), with all cliffs."""
        unset = 0xFF
        cliff = 1  # the code of the first hexside of the set, which is ``CLIFF``
        hexsides = np.full((grid.size, _SIDES), unset, np.uint8)
        for cell, content in enumerate(self._hexes):
            for side in range(_SIDES):
                if content.cliffs >> side & 1:
                    hexsides[cell, side] = cliff
        return hexsides.reshape(grid.height, grid.width, _SIDES)


def _words_of(code: str) -> list[str]:
    """Return the words by which a picture is chosen for a code.

    They are its terrains but for ways and what belongs to buildings; without any, its theme.
    """
    terrains, _, theme = code.partition(' "')
    names_and_levels = [token.split(":") for token in terrains.split(";")]
    words = []
    for name, *_levels in names_and_levels:
        if not name.startswith(("bldg_", "bridge", "road")):
            words.append(name)
    if ["water", "0"] in names_and_levels:
        # Water of depth 0 is a ford, with a picture of its own.
        words = ["water-0", *(word for word in words if word != "water")]
    if words not in ([], [CLEAR]):
        return words
    return [theme.strip('"').lower() or CLEAR, CLEAR]


def _automatic_exits(
    grid: Grid, ways: dict[int, NDArray[Any]], codes: list[str], roads_to_pavement: bool
) -> dict[int, NDArray[Any]]:
    """Return the exits (bits of sides) that the game gives to ways without exits, by way.

    A road or bridge leads to each neighbour with the same one; roads lead to pavement as well,
    unless an option of the board says no. ``ways`` are flat planes, ``codes`` those of all cells.
    """
    exits_by_way = {}
    is_paved = np.array([";pavement:" in f";{code}" for code in codes])
    neighbours = grid.neighbour_table
    for number, plane in ways.items():
        has_way = plane > 0
        joins = has_way
        if roads_to_pavement and number != BRIDGE:
            joins = has_way | is_paved
        leads_to = (neighbours >= 0) & joins[neighbours]
        exits = (leads_to << np.arange(_SIDES)).sum(axis=1)
        exits_by_way[number] = exits * has_way
    return exits_by_way


# --- writing -------------------------------------------------------------------------------------


def _split_code(code: str) -> tuple[list[str], str]:
    """Return the terrains of a code, and its theme; "" for none."""
    terrains, _, theme = code.partition(' "')
    tokens = list[str]()
    if terrains != CLEAR:
        tokens = terrains.split(";")
    return tokens, theme.removesuffix('"')


def _links(battlemap: BattleMap, composite: Composite) -> tuple[dict[int, NDArray[Any]], int]:
    """Return the flat planes of the ways that a board can have, and how many cells have others.

    The planes are by the index of the way in ``WAYS``; two ways of a map can be written as one.
    """
    ways: dict[int, NDArray[Any]] = {}
    lost_cells = 0
    for way, plane in visible_ways(battlemap, composite):
        number = _NUMBER_OF_WAY.get(way.name, _NUMBER_OF_STYLE.get(way.style))
        if number is None:
            lost_cells += int(np.count_nonzero(plane))
        elif number in ways:
            ways[number] = ways[number] | plane
        else:
            ways[number] = plane
    return ways, lost_cells


def _cliffs(battlemap: BattleMap, composite: Composite) -> tuple[NDArray[Any], int]:
    """Return the sides (bits) of each cell that have cliffs, (cells,), and the number of others.

    Every hexside with "cliff" in its name is one.
    """
    values = composite.planes["hexside"].reshape(battlemap.grid.size, -1)
    kinds = battlemap.terrain_set.hexsides
    codes = [code for code, kind in enumerate(kinds, 1) if "cliff" in kind.name.lower()]
    is_cliff = np.isin(values, codes)
    lost = np.count_nonzero(values) - np.count_nonzero(is_cliff)
    bits_of_sides = np.arange(is_cliff.shape[1])
    return (is_cliff << bits_of_sides).sum(axis=1), int(lost)


def _hex_text(
    terrains: list[str], links: dict[int, int], automatic: dict[int, int], cliffs: int
) -> str:
    """Return the terrains of a hex as text, such as ``woods:1;road:1:9``.

    ``terrains`` are those of its code. ``links`` are the values of its ways by number and
    ``automatic`` the exits that the game would give them; ``cliffs`` are sides (bits).
    """
    tokens = list[str]()
    links_left = dict(links)  # of ways that no terrain of the code names
    names_bridge = any(token.startswith("bridge:") for token in terrains)
    bridge_was_erased = names_bridge and BRIDGE not in links

    # The terrains of the code, with the exits that their ways have on the map.
    for token in terrains:
        name = token.split(":")[0]
        if bridge_was_erased and name.startswith("bridge"):
            continue  # with its elevation and strength, which mean nothing without it
        if name == "bridge":
            way: int | None = BRIDGE
        else:
            way = _NUMBER_OF_WAY.get(token)
        if way is None:
            tokens.append(token)
        elif way in links_left:
            exits = links_left.pop(way) & SIDES
            is_automatic = not token.endswith("*") and exits == automatic[way]
            if is_automatic:
                tokens.append(token)  # without exits: the game gives it the same ones
            else:
                tokens.append(f"{token.removesuffix(':*')}:{exits}")

    # Ways and cliffs that the code does not name.
    for way_number, link in links_left.items():
        exits = link & SIDES
        if way_number == BRIDGE:
            tokens.append(_NEW_BRIDGE.format(exits))
        else:
            tokens.append(f"{WAYS[way_number].name}:{exits}")
    if cliffs:
        tokens.append(f"cliff_top:1:{cliffs}")
    return ";".join(tokens)


CODEC = BoardCodec()
