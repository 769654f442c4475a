"""The format ``wesnoth``: maps of Battle for Wesnoth, base and overlay codes (``Gg^Fp``).

A file is rows of codes between commas; its border of one cell on every side is shown like all else.
In a file the columns 0, 2, 4 ... are pushed down, ours are 1, 3, 5 ...: one masked column is put
before, and is taken away when the map is written. A map without it is what is played on: it gets a
border. A start is a word before a code: the number of a player or a name. In a scenario (WML) the
rows are the value of ``map_data``; all around them stays.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, place_of, split_lines
from randomizer.model.terrain.terrain import Terrain
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import CITY, START, TOWN
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.new_map import check_size, foreign_map
from randomizer.systems.interchange.foreign.pictures import pictures, table_rows
from randomizer.systems.interchange.foreign.source import Source, lines_of
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import visible_ways

_BRIDGES = "|/\\"
"""The last letter of a bridge by the side that it leads to: north, north-east, south-east."""

_OVERLAYS = {CITY: "Vhc", TOWN: "Vh", "village": "Vh"}
"""The overlays of villages by kinds of things."""

HEIGHTS_PRIORITY = 8
"""The ``Terrain.priority`` of heights that stand on another ground, below that of sand, dirt and
grass: those reach up to the foot of a lone hill, where its ground would lie around it as a disc.
"""

OFF_MAP = "_off^_usr"
"""What cells that do not exist are written as."""

_CODE = r"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
_CELL = re.compile(rf"\s*(?:(\w+)\s+)?({_CODE})\s*")
_MAP_DATA = re.compile(r'^[ \t]*map_data[ \t]*=[ \t]*_?[ \t]*"(?!\{)', re.MULTILINE)
"""What stands before the rows in a scenario; a name in braces is that of a file."""

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
        text = source.text
        start, end = _span_of_map(text)
        first_line, first_column = place_of(text, start)
        for number, line in enumerate(split_lines(text[start:end]), first_line):
            if not _is_row(line):
                continue
            width = line.count(",") + 1
            first = first or width
            if width != first:
                message = f"this row has {width:,} cells, the first {first:,}: no rectangle"
                raise fault(message, number)
            check_size(width + 1, len(rows) + 1, number)
            row = list[int]()
            column = first_column if number == first_line else 1
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
        """Return the rows of a map, with its border; cells of the original that stay keep their
        text.
        """
        cells = self._cells(battlemap)
        if original.data:
            former_rows = self._cells(self.parse(original, [])).rows
            whole_text = original.text
            start, end = _span_of_map(whole_text)
            rows = _with_rows(lines_of(whole_text[start:end]), former_rows, cells.rows)
            text = f"{whole_text[:start]}{rows}{whole_text[end:]}"
        else:
            text = "".join(f"{', '.join(row)}\n" for row in cells.rows)
        lost = losses(
            battlemap, battlemap.composite(), start=cells.lost_starts, terrain=cells.nearest
        )
        lost["line"] -= cells.roads
        lost["object"] -= cells.villages
        return Written(original.encoded(text), lost)

    def _cells(self, battlemap: BattleMap) -> _Cells:
        shown = battlemap.composite()
        grid = battlemap.grid
        codes, nearest = self.visible_codes(battlemap, shown)
        starts, lost_starts = _starts(battlemap)
        numbers = np.arange(grid.size).reshape(grid.height, grid.width)
        plain = np.array(codes, object)
        plain[~np.isin(numbers.ravel(), grid.cells)] = OFF_MAP
        texts = plain.copy()
        villages = _villages(battlemap)
        for cell, overlay in villages.items():
            texts[cell] = _with_village(plain[cell], overlay)
        road_count = 0
        roads = _roads(battlemap, shown)
        for cell in np.flatnonzero(roads).tolist():
            if cell not in villages:
                texts[cell], has_road = _with_road(plain[cell], int(roads[cell]))
                road_count += has_road
        for cell, start in starts.items():
            texts[cell] = start + texts[cell]
        if _has_parity_column(grid):
            rows = texts[numbers[:, 1:]]
        else:  # a border like the cells beside it, without what stands on them
            rows = plain[np.pad(numbers, 1, mode="edge")]
            rows[1:-1, 1:-1] = texts[numbers]
        return _Cells(rows.tolist(), nearest, lost_starts, road_count, len(villages))


class _Cells(NamedTuple):
    """The cells of a map with its border, row by row.

    ``nearest`` is how many have the code of a picture, ``lost_starts`` how many starts cannot be
    written; ``roads`` and ``villages`` are the cells whose road or settlement is in their code.
    """

    rows: list[list[str]]
    nearest: int
    lost_starts: int
    roads: int
    villages: int


def _roads(battlemap: BattleMap, shown: Composite) -> NDArray[Any]:
    """Return the sides by which roads and tracks leave each cell (bits), with ``PRESENT``; 0 for
    none.
    """
    roads = np.zeros(battlemap.grid.size, np.uint8)
    for way, plane in visible_ways(battlemap, shown):
        if way.style in ("road", "track"):
            roads |= plane
    return roads


def _with_road(code: str, exits: int) -> tuple[str, bool]:
    """Return the code of a cell with a road, and whether it has one: dirt, or a bridge over water.

    Castles and villages are as good as roads and stay.
    """
    base, _, overlay = code.partition("^")
    if base[0] in "CKR" or overlay[:1] in ("V", "B"):
        return code, True
    if base[0] in "WS":
        counts = [(exits >> side & 1) + (exits >> side + 3 & 1) for side in range(3)]
        return f"{base}^Bw{_BRIDGES[counts.index(max(counts))]}", True
    if base[0] in "QX_":
        return code, False
    return "Re", True


def _villages(battlemap: BattleMap) -> dict[int, str]:
    """Return the overlay of the settlement on each cell that has one."""
    villages = dict[int, str]()
    for thing in battlemap.visible_things():
        overlay = _OVERLAYS.get(thing.kind)
        if overlay:
            cell = battlemap.grid.cell_at(thing.x, thing.y)
        else:
            cell = -1
        if overlay and cell >= 0:
            villages.setdefault(cell, overlay)
    return villages


def _with_village(code: str, overlay: str) -> str:
    """Return the code of a cell with a village; on water it is one of merfolk."""
    base, _, present = code.partition("^")
    if present.startswith("V"):
        return code
    if base.startswith("W"):
        return f"{base}^Vm"
    return f"{base}^{overlay}"


def _span_of_map(text: str) -> tuple[int, int]:
    """Return where a map begins and ends in a file: a scenario has it as a value in quotes."""
    value = _MAP_DATA.search(text)
    if value is None:
        return 0, len(text)
    end = text.find('"', value.end())
    return value.end(), len(text) if end < 0 else end


def _is_row(line: str) -> bool:
    """Return whether a line holds cells: others are blank or say something of the map."""
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
    """Return whether the first column is there only for the parity of the others."""
    return grid.mask is not None and grid.width > 1 and not grid.mask[:, 0].any()


def _map_of(codes: Codes, cells: np.ndarray, starts: list[tuple[int, int, str]]) -> BattleMap:
    height, width = cells.shape
    mask = np.ones((height, width + 1), np.bool_)
    mask[:, 0] = False
    grid = Grid(FLAT, width + 1, height, mask)
    terrains, indices = codes.terrains(str.split, cells, _terrain_of)
    plane = np.full((height, width + 1), 0xFFFF, np.uint16)
    plane[:, 1:] = indices
    things = []
    for number, (x, y, name) in enumerate(starts, 1):
        owner = int(name) if _NUMBER.fullmatch(name) else 0
        at = grid.centre(grid.cell(x, y))
        things.append(Thing(number, START, *at, owner=owner, label="" if owner else name))
    return foreign_map("Wesnoth", grid, terrains, {"terrain": plane}, things=things)


class _Meaning(NamedTuple):
    """What a base or an overlay is: its name, its picture ("" for none), its colour and the picture
    of its ground ("" for its own).

    Most overlays have no colour: they stand on the ground of the base.
    """

    name: str
    picture: str
    colour: str
    ground: str


@registered(count=1, bytes_each=60 * KB)
@cache
def _meanings() -> dict[str, _Meaning]:
    """Return the meanings of bases and overlays (with ^) by their codes."""
    return {code: _Meaning(*meaning) for code, *meaning in table_rows("wesnoth_codes.tsv")}


def _meaning(part: str) -> _Meaning | None:
    """Return what a base or an overlay (with ^) is, by its longest beginning that is in the
    table.
    """
    meanings = _meanings()
    for end in range(len(part), 0, -1):
        if part[:end] in meanings:
            return meanings[part[:end]]
    return None


def _terrain_of(code: str) -> Terrain | None:
    """Return the terrain of a code, without what is the same for all codes; None for an unknown
    base.

    What an overlay shows stands on the ground of the base, or, if it has a colour, on its own.
    """
    base_code, _, overlay_code = code.partition("^")
    base = _meaning(base_code)
    if base is None:
        return None
    if overlay_code:
        overlay = _meaning(f"^{overlay_code}")
    else:
        overlay = None
    is_water = any(picture.water for picture in pictures() if picture.name == base.picture)
    terrain = Terrain(
        base.name,
        base.colour,
        picture=base.picture,
        ground=base.ground,
        water=is_water,
        body=is_water,
        priority=HEIGHTS_PRIORITY if base.ground else None,
    )
    if not base.picture:
        return replace(terrain, pattern="plain")
    if overlay is None:
        return terrain
    name = f"{overlay.name}, {base.name.lower()}"
    if not overlay.picture:
        return replace(terrain, name=name)
    if overlay.colour:
        return Terrain(name, overlay.colour, picture=overlay.picture)
    return replace(terrain, name=name, picture=overlay.picture, ground=base.ground or base.picture)


def _starts(battlemap: BattleMap) -> tuple[dict[int, str], int]:
    """Return what stands before the code of a cell, by cell, and how many starts cannot be
    written.
    """
    starts: dict[int, str] = {}
    used: Counter[str] = Counter()
    lost = 0
    for thing in battlemap.visible_things():
        if thing.kind != START:
            continue
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if 0 < thing.owner < 10_000:
            name = str(thing.owner)
        else:
            name = thing.label
        if cell < 0 or cell in starts or used[name] or not _NAME.fullmatch(name):
            lost += 1
            continue
        used[name] += 1
        starts[cell] = f"{name} "
    return starts, lost


CODEC = WesnothCodec()
