"""The format ``wesnoth``: maps of Battle for Wesnoth, base and overlay codes (``Gg^Fp``).

A file is rows of codes between commas; its border of one cell on every side is shown like all else.
In a file the columns 0, 2, 4 ... are pushed down, ours are 1, 3, 5 ...: one masked column is put
before, and is taken away when the map is written. A map without it is what is played on: it gets a
border. A start is a word before a code: the number of a player or a name.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, split_lines
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import START
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    Written,
    check_size,
    fault,
    foreign_map,
    losses,
    table_rows,
)

OFF_MAP = "_off^_usr"
"""What cells that do not exist are written as."""

_CODE = r"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
_CELL = re.compile(rf"\s*(?:(\w+)\s+)?({_CODE})\s*")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)


class WesnothCodec(Codec):
    """Reads and writes rows of codes."""

    program = "Wesnoth"
    code = re.compile(_CODE)

    def parse(self, source: Source, _problems: list[Problem]) -> BattleMap:
        codes = Codes()
        rows = list[list[int]]()
        starts = list[tuple[int, int, str]]()
        first = 0
        for number, line in enumerate(split_lines(source.text), 1):
            if not _is_row(line):
                continue
            width = line.count(",") + 1
            first = first or width
            if width != first:
                message = f"this row has {width:,} cells, the first {first:,}: no rectangle"
                raise fault(message, number)
            check_size(width + 1, len(rows) + 1, number)
            row = list[int]()
            column = 1
            for part in line.split(","):
                cell = _CELL.fullmatch(part)
                if cell is None:
                    message = f"{part.strip()!r:.40} is no terrain such as Gg^Fp"
                    raise fault(message, number, column)
                if cell[1]:
                    if not _NAME.fullmatch(cell[1]):
                        raise fault(f"no start can be called {cell[1]!r:.40}", number, column)
                    starts.append((len(row) + 1, len(rows), cell[1]))
                row.append(codes.number(cell[2], number, column))
                column += len(part) + 1
            rows.append(row)
        if not rows:
            raise fault("this has no row of terrains", 1)
        return _map_of(codes, np.array(rows, np.int64), starts)

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """The rows of a map, with its border; cells of the original that stay keep their text."""
        shown = battlemap.composite()
        rows, nearest, lost_starts = self._rows(battlemap)
        if original.data:
            former_rows = self._rows(self.parse(original, []))[0]
            text = _with_rows(original.lines(), former_rows, rows)
        else:
            text = "".join(f"{', '.join(row)}\n" for row in rows)
        lost = losses(battlemap, shown, start=lost_starts, terrain=nearest)
        return Written(original.encoded(text), lost)

    def _rows(self, battlemap: BattleMap) -> tuple[list[list[str]], int, int]:
        """The cells of a map with its border, and how many terrains and starts are not its own."""
        shown = battlemap.composite()
        grid = battlemap.grid
        codes, nearest = self.shown_codes(battlemap, shown)
        starts, lost_starts = _starts(battlemap)
        cells = np.arange(grid.size).reshape(grid.height, grid.width)
        texts = np.array(codes, object)
        texts[~np.isin(cells.ravel(), grid.cells)] = OFF_MAP
        before = np.array([starts.get(cell, "") for cell in range(grid.size)], object)
        if _has_parity_column(grid):
            rows = (before + texts)[cells[:, 1:]]
        else:  # a border like the cells beside it, without their starts
            rows = texts[np.pad(cells, 1, mode="edge")]
            rows[1:-1, 1:-1] = (before + texts)[cells]
        return rows.tolist(), nearest, lost_starts


def _is_row(line: str) -> bool:
    """Whether a line holds cells: others are blank or say something of the map."""
    return bool(line.strip()) and "=" not in line


def _with_rows(lines: list[str], former_rows: list[list[str]], rows: list[list[str]]) -> str:
    """Return the lines of a file with other cells; of another size all rows are new."""
    same_size = len(rows) == len(former_rows) and len(rows[0]) == len(former_rows[0])
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    parts = list[str]()
    numbers = iter(range(len(former_rows)))
    for line in lines:
        if not _is_row(line):
            parts.append(line)
            continue
        number = next(numbers)
        if same_size:
            parts.append(_with_cells(line, former_rows[number], rows[number]))
        elif number == 0:
            parts += [f"{', '.join(row)}{end}" for row in rows]
    return "".join(parts)


def _with_cells(line: str, former_row: list[str], row: list[str]) -> str:
    """Return a row of a file in which the cells that changed are written anew."""
    cells = line.split(",")
    for column, (former_cell, cell) in enumerate(zip(former_row, row, strict=True)):
        if cell != former_cell:
            typed = cells[column]
            start = len(typed) - len(typed.lstrip())
            cells[column] = typed[:start] + cell + typed[len(typed.rstrip()) :]
    return ",".join(cells)


def _has_parity_column(grid: Grid) -> bool:
    """Whether the first column is there only for the parity of the others."""
    return grid.mask is not None and grid.width > 1 and not grid.mask[:, 0].any()


def _map_of(codes: Codes, cells: np.ndarray, starts: list[tuple[int, int, str]]) -> BattleMap:
    height, width = cells.shape
    mask = np.ones((height, width + 1), np.bool_)
    mask[:, 0] = False
    grid = Grid(FLAT, width + 1, height, mask)
    names = {row[0]: row[1] for row in table_rows("wesnoth_codes.tsv")}

    def words_of(code: str) -> list[str]:
        base, _, overlay = code.partition("^")
        return [_meaning(names, part) for part in (base, overlay and f"^{overlay}")]

    terrains, indices = codes.terrains(words_of, cells)
    plane = np.full((height, width + 1), 0xFFFF, np.uint16)
    plane[:, 1:] = indices
    things = []
    for number, (x, y, name) in enumerate(starts, 1):
        owner = int(name) if _NUMBER.fullmatch(name) else 0
        at = grid.centre(grid.cell(x, y))
        things.append(Thing(number, START, *at, owner=owner, label="" if owner else name))
    return foreign_map("Wesnoth", grid, terrains, {"terrain": plane}, things=things)


def _meaning(names: dict[str, str], part: str) -> str:
    """What a base or an overlay (with ^) is, by its longest beginning that is in the table."""
    return next((names[part[:end]] for end in range(len(part), 0, -1) if part[:end] in names), "")


def _starts(battlemap: BattleMap) -> tuple[dict[int, str], int]:
    """What stands before the code of a cell, by cell, and how many starts cannot be written."""
    starts: dict[int, str] = {}
    used: Counter[str] = Counter()
    lost = 0
    for thing in battlemap.visible_things():
        if thing.kind != START:
            continue
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        name = str(thing.owner) if 0 < thing.owner < 10_000 else thing.label
        if cell < 0 or cell in starts or used[name] or not _NAME.fullmatch(name):
            lost += 1
            continue
        used[name] += 1
        starts[cell] = f"{name} "
    return starts, lost


CODEC = WesnothCodec()
