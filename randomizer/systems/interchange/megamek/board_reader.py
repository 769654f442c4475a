"""Makes a map of the statements of a board.

    reader = BoardReader(problems)
    reader.read_size("size 16 17", 1)
    reader.read_hex('hex 0101 2 "woods:1;road:1:9" "grass"', 2)        # and so on, hex by hex
    battlemap = reader.battlemap(exit_to_pavement=True)

The map is made at the end: only when all hexes are known can the exits be told that the game gives
to roads by their neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.new_map import check_size, foreign_map
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import way_planes
from randomizer.systems.interchange.megamek.board_ways import (
    BRIDGE,
    CLIFF,
    SIDE_COUNT,
    WAYS,
    automatic_exits,
    number_of_terrain,
)
from randomizer.systems.interchange.megamek.notation import (
    CLEAR,
    HexStatement,
    read_hex_statement,
    read_size_statement,
    read_terrains,
    split_code,
    terrain_names,
)

_NO_SIZE = (0, 0)
"""Width and height of a board before its statement ``size``: it has room for no hex."""

_LONGEST_LEVEL = 6
"""The characters of a level: -32767 needs six, and ``int`` of more is slow."""

_MAX_UNKNOWN_NAMES = 20
"""The largest number of unknown terrains that are reported, each by a problem of its own."""

_UNSET_HEXSIDE = 0xFF
"""The value in a plane of hexsides that leaves a side to the layers below."""

_CLIFF_CODE = 1
"""The value in a plane of hexsides for the first one of the terrain set, which is ``CLIFF``."""


class _HexContent(NamedTuple):
    """The content of a hex without its elevation; hexes with the same texts share one object."""

    code_number: int
    """The number of its code in ``Codes``; the code is the name of its terrain on our map."""
    ways: dict[int, int | None]
    """The exits of each way in it, by the number of the way.

    They are bits of sides: 0b001001 are the sides 0 and 3. None: the game chooses the exits.
    """
    cliffs: int
    """The sides with a cliff, as bits."""


class BoardReader:
    """Reads the statements of one board, and makes its map at the end."""

    def __init__(self, problems: list[Problem]) -> None:
        """Report what does not hinder reading to ``problems``."""
        self._problems = problems
        self._size = _NO_SIZE
        """Width and height."""
        self._codes = Codes()
        """The codes of the hexes so far, which get numbers."""
        self._hexes: list[_HexContent] = []
        """The contents of the hexes, row by row of the map."""
        self._heights: list[int] = []
        """The levels of the hexes, in the same order."""
        self._content_by_texts: dict[tuple[str, str], _HexContent] = {}
        """Contents that were read already, by the texts of their terrains and their theme."""
        self._unknown_names: dict[str, int] = {}
        """The first line of each terrain that the game lacks."""
        self._misnumbered_hexes = 0
        """The number of hexes whose number is not that of their position."""

    def read_size(self, line: str, line_number: int) -> None:
        """Read the statement ``size``. Raises ProblemError."""
        size = read_size_statement(line)
        if size is None or self._size != _NO_SIZE:
            raise fault("a board has one size: size WIDTH HEIGHT", line_number)
        self._size = size
        check_size(*size, line_number)

    def read_hex(self, line: str, line_number: int) -> None:
        """Read the statement ``hex``. Raises ProblemError.

        The order of the statements gives a hex its position: the game ignores the number in it.
        """
        statement = read_hex_statement(line, line_number)
        level = statement.level
        width, height = self._size
        hex_index = len(self._hexes)
        if hex_index >= width * height:
            message = f"the size of the board is for {width * height:,} hexes, no more"
            raise fault(message, line_number)
        # Elevations are stored in 16 bits, of which the lowest number means "not set".
        if len(level) > _LONGEST_LEVEL or not -0x8000 < int(level) <= 0x7FFF:
            level_column = line.find(level) + 1
            raise fault(f"{level:.20} is no level that a hex can have", line_number, level_column)

        row, column = divmod(hex_index, width)
        number_by_order = f"{column + 1:02}{row + 1:02}"
        if statement.number.lstrip("0") != number_by_order.lstrip("0"):
            self._misnumbered_hexes += 1

        # Many hexes have the same texts, which are read once.
        texts = (statement.terrains, statement.theme)
        content = self._content_by_texts.get(texts)
        if content is None:
            content = self._read_content(statement, line_number)
            self._content_by_texts[texts] = content
        self._hexes.append(content)
        self._heights.append(int(level))

    def _read_content(self, statement: HexStatement, line_number: int) -> _HexContent:
        """Return the content of a hex. Raises ProblemError.

        Roads and cliffs with exits are ways and hexsides alone. A road without exits and a bridge
        are in the code as well. A way on the map has exits in any case: only by its code ``road:1``
        a road whose exits the game adds differs from one that has them (docs/adr/0028).
        """
        terrains_of_game = terrain_names()
        tokens = list[str]()
        ways = dict[int, int | None]()
        cliffs = 0
        column = statement.terrains_column
        for terrain in read_terrains(statement.terrains, line_number, column):
            name = terrain.name
            if name not in terrains_of_game:
                self._unknown_names.setdefault(name, line_number)
                continue
            is_made_by_game = terrains_of_game[name]
            if is_made_by_game:
                continue  # the game makes it anew when it loads the board
            if name == "cliff_top" and terrain.level == 1 and terrain.exits is not None:
                cliffs |= terrain.exits & SIDES
                continue
            way = number_of_terrain(name, terrain.level)
            if way is None or way in ways:
                # No way, or a second one of its kind, which the map cannot hold as a way.
                tokens.append(terrain.token)
                continue
            ways[way] = terrain.exits
            if terrain.exits is None:
                tokens.append(terrain.token)
            elif way == BRIDGE:
                # Its level is in the code, its exits are those of the way.
                tokens.append(f"{name}:{terrain.level}:*")
        code = ";".join(tokens) or CLEAR
        words_of_theme = " ".join(statement.theme.split())
        if words_of_theme:
            code += f' "{words_of_theme}"'
        return _HexContent(self._codes.number(code, line_number), ways, cliffs)

    def battlemap(self, *, exit_to_pavement: bool) -> BattleMap:
        """Return the map of all hexes; it is called once, after the last of them.

        Raises ProblemError.

        ``exit_to_pavement`` is True if roads of the board lead to pavement by themselves.
        """
        width, height = self._size
        if self._size == _NO_SIZE:
            raise fault("a board begins with its size: size WIDTH HEIGHT", 1)
        self._add_missing_hexes()
        self._report_faults()

        grid = Grid(FLAT, width, height)
        numbers = np.array([content.code_number for content in self._hexes]).reshape(height, width)
        terrains, indices = self._codes.terrains(_picture_words, numbers)
        planes: Planes = {
            "terrain": indices,
            "elevation": np.array(self._heights, np.int16).reshape(height, width),
        }
        codes = [terrains[index].code for index in indices.flat]
        planes |= way_planes(grid, self._exits_of_ways(grid, codes, exit_to_pavement))
        if any(content.cliffs for content in self._hexes):
            planes["hexside"] = self._cliff_plane(grid)
        return foreign_map(
            "MegaMek", grid, terrains, planes, hexsides=(CLIFF,), ways=WAYS, tactical=True
        )

    def _add_missing_hexes(self) -> None:
        """Fill a board that ends early as the game does, with clear hexes of level 0."""
        width, height = self._size
        missing_count = width * height - len(self._hexes)
        if missing_count:
            hexes = counted(missing_count, "hex", "hexes")
            message = f"Missing: {hexes}, clear and of level 0 here"
            self._problems.append(warning(message))
            clear_hex = _HexContent(self._codes.number(CLEAR), ways={}, cliffs=0)
            self._hexes += [clear_hex] * missing_count
            self._heights += [0] * missing_count

    def _report_faults(self) -> None:
        """Report the faults that do not hinder reading, each kind once."""
        if self._misnumbered_hexes:
            hexes = counted(self._misnumbered_hexes, "hex", "hexes")
            message = f"The number of {hexes} is wrong: the order counts"
            self._problems.append(warning(message))
        for name, line_number in list(self._unknown_names.items())[:_MAX_UNKNOWN_NAMES]:
            message = f"MegaMek has no terrain “{name:.40}”: it is left out"
            self._problems.append(warning(message, line_number))

    def _exits_of_ways(
        self, grid: Grid, codes: list[str], exit_to_pavement: bool
    ) -> dict[int, dict[int, int]]:
        """Return the exits (bits of sides) of all cells with ways: {way: {cell: exits}}.

        ``codes`` are those of all cells, row by row: they tell which cells have pavement.
        """
        # The exits that are in the file; automatic ones are 0 for now.
        exits_of_ways: dict[int, dict[int, int]] = defaultdict(dict)
        for cell, content in enumerate(self._hexes):
            for way, exits in content.ways.items():
                exits_of_ways[way][cell] = (exits or 0) & SIDES

        # Automatic exits lead to neighbours with the same way, so all cells of it are marked first.
        ways = dict[int, NDArray[Any]]()
        for way, exits_of_cells in exits_of_ways.items():
            ways[way] = np.zeros(grid.size, np.uint8)
            ways[way][list(exits_of_cells)] = PRESENT
        automatic = automatic_exits(grid, ways, codes, exit_to_pavement=exit_to_pavement)
        for cell, content in enumerate(self._hexes):
            for way, exits in content.ways.items():
                if exits is None:
                    exits_of_ways[way][cell] = int(automatic[way][cell])
        return exits_of_ways

    def _cliff_plane(self, grid: Grid) -> NDArray[np.uint8]:
        """Return the plane of hexsides, (height, width, 6), with all cliffs."""
        hexsides = np.full((grid.size, SIDE_COUNT), _UNSET_HEXSIDE, np.uint8)
        for cell, content in enumerate(self._hexes):
            for side in range(SIDE_COUNT):
                has_cliff = content.cliffs & (1 << side)
                if has_cliff:
                    hexsides[cell, side] = _CLIFF_CODE
        return hexsides.reshape(grid.height, grid.width, SIDE_COUNT)


def _picture_words(code: str) -> list[str]:
    """Return the words by which a picture is chosen for a code, the best first.

    They are its terrains but for ways and what belongs to buildings; without any, its theme.
    """
    terrains, theme = split_code(code)
    words = []
    for token in terrains:
        name, _colon, _level = token.partition(":")
        if not name.startswith(("bldg_", "bridge", "road")):
            words.append(name)
    if "water:0" in terrains:
        # Water of depth 0 is a ford, with a picture of its own.
        words = ["water-0", *(word for word in words if word != "water")]
    if words not in ([], [CLEAR]):
        return words
    return [theme.lower() or CLEAR, CLEAR]
