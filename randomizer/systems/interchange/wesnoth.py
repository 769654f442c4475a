"""The format ``wesnoth``: maps of Battle for Wesnoth, base and overlay codes (``Gg^Fp``).

``WesnothCodec.parse`` reads a file and ``WesnothCodec.compose`` writes one::

    Gg, Gg^Fp, 1 Ke        grass, a wood on grass, a keep where player 1 starts

A file is rows of codes between commas. A *start* is a word before a code: the number of a player or
a name. In a scenario (WML) the rows are the value of ``map_data``; all around them stays.

The map in a file has a *border* of one cell on every side, which the game shows and does not play
on. It is shown like all else here. A map of ours that is not from Wesnoth is only what is played
on: it gets a border when it is written.

A column of hexes is *pushed* if it lies half a hex lower than its neighbours. In a file the columns
0, 2, 4 ... are pushed, on our maps 1, 3, 5 ...: so a masked column is put before those of the file,
and is left out again when the map is written::

    in the file    0 1 2 3        on our map    0 1 2 3 4
                     b   d                      .   b   d
                   a   c                          a   c
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, place_of, split_lines
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import CITY, START, TOWN
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.new_map import check_size, foreign_map
from randomizer.systems.interchange.foreign.source import Source, lines_of
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import visible_ways
from randomizer.systems.interchange.wesnoth_codes import terrain_of, with_road, with_village

_VILLAGES = {CITY: "Vhc", TOWN: "Vh", "village": "Vh"}
"""The overlays of settlements by kinds of things."""

OFF_MAP = "_off^_usr"
"""The code as which cells are written that do not exist."""

_CODE = r"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
"""A terrain code, such as Gg^Fet: a terrain, and an overlay."""

_CELL = re.compile(rf"\s*(?:(\w+)\s+)?({_CODE})\s*")
"""A cell: the start of a player, if there is one, and a code."""

_MAP_DATA = re.compile(r'^[ \t]*map_data[ \t]*=[ \t]*_?[ \t]*"(?!\{)', re.MULTILINE)
"""The text before the rows in a scenario; a name in braces is that of a file."""

_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
"""The number of a player."""

_MAX_PLAYERS = 9999
"""The highest number that ``_NUMBER`` takes."""

_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
"""A start: the number of a player, or a name."""


class WesnothCodec(Codec):
    """Reads and writes rows of codes."""

    program = "Wesnoth"
    code = re.compile(_CODE)

    def parse(self, source: Source, _problems: list[Problem]) -> BattleMap:
        """Return the map of a file of rows, or of a scenario that has the rows in it."""
        reader = _RowReader()
        text = source.text
        span = _span_of_map(text)
        first_line, first_column = place_of(text, span.start)
        for number, line in enumerate(split_lines(text[span]), first_line):
            column = 1
            if number == first_line:  # in a scenario the first row is behind map_data="
                column = first_column
            if _is_row(line):
                reader.read_row(line, number, column)
        if not reader.rows:
            raise fault("this has no row of terrains", 1)
        return _build_map(reader.codes, np.array(reader.rows, np.int64), reader.starts)

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the rows of a map, with its border.

        Cells that are as in the original keep their text.
        """
        cells = self._cells_for_file(battlemap)
        if original.data:
            # The original is written again in the same way: where both are equal its text stays.
            original_cells = self._cells_for_file(self.parse(original, []))
            whole_text = original.text
            span = _span_of_map(whole_text)
            lines = lines_of(whole_text[span])
            new_text = _replace_rows(lines, original_cells.rows, cells.rows)
            text = f"{whole_text[: span.start]}{new_text}{whole_text[span.stop :]}"
        else:
            text = "".join(f"{', '.join(row)}\n" for row in cells.rows)
        lost = losses(
            battlemap,
            battlemap.composite(),
            start=cells.lost_start_count,
            terrain=cells.replaced_cells,
        )
        # Roads and villages that stand in codes are not lost.
        lost["line"] -= cells.road_count
        lost["object"] -= cells.village_count
        return Written(original.encoded(text), lost)

    def _cells_for_file(self, battlemap: BattleMap) -> _FileCells:
        """Return the texts of all cells with the border, and what is and is not in them."""
        composite = battlemap.composite()
        grid = battlemap.grid
        visible = self.visible_codes(battlemap, composite)
        numbers = np.arange(grid.size).reshape(grid.height, grid.width)
        plain_codes = np.array(visible.codes, object)
        plain_codes[~np.isin(numbers.ravel(), grid.cells)] = OFF_MAP

        # One code has room for one overlay: a village comes before a road. Starts stand before the
        # whole code, so they come last.
        texts = plain_codes.copy()
        villages = _village_overlays(battlemap)
        for cell, overlay in villages.items():
            texts[cell] = with_village(plain_codes[cell], overlay)
        road_count = 0
        road_sides = _road_sides(battlemap, composite)
        for cell in np.flatnonzero(road_sides).tolist():
            if cell not in villages:
                road_code = with_road(plain_codes[cell], int(road_sides[cell]))
                texts[cell] = road_code.code
                if road_code.shows_road:
                    road_count += 1

        starts = _starts_for_file(battlemap)
        for cell, name in starts.names.items():
            texts[cell] = f"{name} {texts[cell]}"

        if _has_masked_first_column(grid):
            rows = texts[numbers[:, 1:]]  # the map has its border
        else:
            # A border like the cells beside it, without what stands on them.
            rows = plain_codes[np.pad(numbers, 1, mode="edge")]
            rows[1:-1, 1:-1] = texts[numbers]
        return _FileCells(
            rows=rows.tolist(),
            replaced_cells=visible.replaced_cells,
            lost_start_count=starts.lost_count,
            road_count=road_count,
            village_count=len(villages),
        )


class _Start(NamedTuple):
    """A start that stands before the code of a cell."""

    x: int
    """The column on our map, which has one before those of the file."""
    y: int
    """The row."""
    name: str
    """The number of a player, or a name."""


class _RowReader:
    """Reads the rows of a file one by one, and keeps what they hold."""

    def __init__(self) -> None:
        self.codes = Codes()
        """The codes of all cells, each with a number."""
        self.rows = list[list[int]]()
        """The numbers of the codes of cells, row by row."""
        self.starts = list[_Start]()
        """The starts before codes."""

    def read_row(self, line: str, number: int, column: int) -> None:
        """Read a row; ``number`` and ``column`` are its position in the file.

        Raises ProblemError.
        """
        width = line.count(",") + 1
        if self.rows and width != len(self.rows[0]):
            first_width = len(self.rows[0])
            message = f"this row has {width:,} cells, the first {first_width:,}: no rectangle"
            raise fault(message, number)
        check_size(width + 1, len(self.rows) + 1, number)
        row = list[int]()
        for part in line.split(","):
            cell = _CELL.fullmatch(part)
            if cell is None:
                message = f"{part.strip()!r:.40} is no terrain such as Gg^Fp"
                raise fault(message, number, column)
            start_name = cell[1]
            code = cell[2]
            if start_name:
                if not _NAME.fullmatch(start_name):
                    raise fault(f"no start can be called {start_name!r:.40}", number, column)
                self.starts.append(_Start(len(row) + 1, len(self.rows), start_name))
            row.append(self.codes.number(code, number, column))
            column += len(part) + len(",")
        self.rows.append(row)


class _FileCells(NamedTuple):
    """The cells of a map with its border, as they stand in a file."""

    rows: list[list[str]]
    """The text of each cell, row by row: "Gg" or "1 Ke"."""
    replaced_cells: int
    """The number of cells with the code of another, similar terrain, as theirs has none."""
    lost_start_count: int
    """The number of starts that cannot be written."""
    road_count: int
    """The number of cells whose road is in their code."""
    village_count: int
    """The number of cells whose settlement is in their code."""


def _road_sides(battlemap: BattleMap, composite: Composite) -> NDArray[Any]:
    """Return the sides by which roads and tracks leave each cell, as bits of shape (cells,).

    A cell with one has the bit ``PRESENT``, too; one without any is 0.
    """
    roads = np.zeros(battlemap.grid.size, np.uint8)
    for way, plane in visible_ways(battlemap, composite):
        if way.style in ("road", "track"):
            roads |= plane
    return roads


def _village_overlays(battlemap: BattleMap) -> dict[int, str]:
    """Return the overlay of the settlement on each cell that has one."""
    villages = dict[int, str]()
    for thing in battlemap.visible_things():
        overlay = _VILLAGES.get(thing.kind)
        if overlay is None:
            continue
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if cell >= 0:
            villages.setdefault(cell, overlay)
    return villages


def _span_of_map(text: str) -> slice:
    """Return which part of a file are the rows: a scenario has them as a value in quotes."""
    value = _MAP_DATA.search(text)
    if value is None:
        return slice(0, len(text))
    end = text.find('"', value.end())
    if end < 0:
        end = len(text)
    return slice(value.end(), end)


def _is_row(line: str) -> bool:
    """Return whether a line holds cells: others are blank or say something of the map."""
    return bool(line.strip()) and "=" not in line


def _replace_rows(lines: list[str], original_rows: list[list[str]], rows: list[list[str]]) -> str:
    """Return the lines of a file with other cells, which keeps its lines that are no rows.

    Rows of another size are all new, and stand where the first row was.
    """
    has_same_height = len(rows) == len(original_rows)
    has_same_size = has_same_height and len(rows[0]) == len(original_rows[0])
    line_end = "\n"
    if lines[0].endswith("\r\n"):
        line_end = "\r\n"
    new_lines = list[str]()
    row_number = 0
    for line in lines:
        if not _is_row(line):
            new_lines.append(line)
            continue
        if has_same_size:
            new_lines.append(_replace_cells(line, original_rows[row_number], rows[row_number]))
        elif row_number == 0:
            new_lines += [f"{', '.join(row)}{line_end}" for row in rows]
        row_number += 1
    return "".join(new_lines)


def _replace_cells(line: str, original_row: list[str], row: list[str]) -> str:
    """Return a row of a file in which the cells that changed are written anew."""
    cells = line.split(",")
    for column, (original_cell, cell) in enumerate(zip(original_row, row, strict=True)):
        if cell != original_cell:
            # The blanks around a cell stay.
            cell_in_file = cells[column]
            start = len(cell_in_file) - len(cell_in_file.lstrip())
            end = len(cell_in_file.rstrip())
            cells[column] = cell_in_file[:start] + cell + cell_in_file[end:]
    return ",".join(cells)


def _has_masked_first_column(grid: Grid) -> bool:
    """Return whether the first column is masked, as the one that ``_build_map`` adds.

    That tells a map of Wesnoth, whose outermost cells are its border, from other maps. Another map
    whose first column was masked by hand is taken for one, too.
    """
    return grid.mask is not None and grid.width > 1 and not grid.mask[:, 0].any()


def _build_map(codes: Codes, cells: np.ndarray, starts: list[_Start]) -> BattleMap:
    """Return the map of a file, with a masked column before its first one.

    ``cells`` are the numbers of the codes, of shape (rows, columns) as in the file.
    """
    height, width = cells.shape
    mask = np.ones((height, width + 1), np.bool_)
    mask[:, 0] = False
    grid = Grid(FLAT, width + 1, height, mask)
    # ``str.split`` makes words of codes that ``terrain_of`` does not know.
    terrains, indices = codes.terrains(str.split, cells, terrain_of)
    unset = 0xFFFF
    plane = np.full((height, width + 1), unset, np.uint16)
    plane[:, 1:] = indices
    things = []
    for number, start in enumerate(starts, 1):
        owner = 0
        label = start.name
        if _NUMBER.fullmatch(start.name):
            owner = int(start.name)
            label = ""
        x, y = grid.centre(grid.cell(start.x, start.y))
        things.append(Thing(number, START, x, y, owner=owner, label=label))
    return foreign_map("Wesnoth", grid, terrains, {"terrain": plane}, things=things)


class _FileStarts(NamedTuple):
    """The starts that are written before codes."""

    names: dict[int, str]
    """The name of the start on each cell that has one."""

    lost_count: int
    """The number of starts that cannot be written."""


def _starts_for_file(battlemap: BattleMap) -> _FileStarts:
    """Return the starts of a map.

    A start is lost if it has no name of Wesnoth's, or one that another start has, or lies on a cell
    with one, or beside the map.
    """
    starts: dict[int, str] = {}
    names = set[str]()
    lost_count = 0
    for thing in battlemap.visible_things():
        if thing.kind != START:
            continue
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        name = thing.label
        if 0 < thing.owner <= _MAX_PLAYERS:
            name = str(thing.owner)
        has_cell = cell >= 0 and cell not in starts
        has_name = name not in names and _NAME.fullmatch(name) is not None
        if not has_cell or not has_name:
            lost_count += 1
            continue
        names.add(name)
        starts[cell] = name
    return _FileStarts(starts, lost_count)


CODEC = WesnothCodec()
