"""The format ``cells``: a line a cell, by which maps are compared with those of other programs.

The lines are for people and for tools that compare texts, such as ``diff``::

    # Free map, flat, 40 x 30
    0101    0       0       Woods   2       0=c 2=d road=0,3

``CELLS`` is the format of the catalogue. ``_terrains``, ``_elevations``, ``_hexsides`` and
``_ways`` make a column each: a list with a text for each existing cell of the grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.formats.format import Format
from randomizer.formats.losses import lost_things
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.planes import PlaneSpec


class CellLines(Format):
    """The format ``cells``, for maps of every system; it cannot be read back.

    A line has, separated by tabs: name, x and y (from 0), terrain (its name), elevation, hexsides
    (``0=c 2=d``: side and letter) and ways (``road=0,3 pine-track=1``: sides). What no visible
    layer sets is empty. Lines that begin with ``#`` are comments.
    """

    name = "cells"
    title = "Cells, a line each"
    suffixes = (".cells",)
    readable = False
    joint = b""
    """The bytes between the maps of a file with several: none, each begins with a comment."""
    largest = 0
    """The largest file that is read, in bytes: none is."""

    def recognises(self, _data: bytes) -> bool:
        """Return False: such a file is not read back."""
        return False

    def read(self, _data: bytes, path: str | None = None) -> ReadResult:
        """Return no map but a problem: such a file is not read back."""
        message = "A map written as cells cannot be read"
        return ReadResult(None, (Problem(Severity.ERROR, "write-only", message, path),))

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers of a map, in UTF-8; the provenance is a comment."""
        return "".join(f"{line}\n" for line in _lines(battlemap, provenance)).encode()

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of its game."""
        warnings = battlemap.system.check(battlemap, battlemap.composite())
        return (*warnings, *lost_things(self, battlemap))


CELLS = CellLines()
"""The format of the catalogue."""


def _lines(battlemap: BattleMap, provenance: Provenance | None) -> Iterator[str]:
    """Yield the lines of the file, without their ends."""
    system = battlemap.system
    grid = battlemap.grid
    description = f"{system.title}, {grid.layout.name}, {grid.width} x {grid.height}"
    if grid.wrap:
        description += ", wrapped"
    yield f"# {description}"
    if provenance is not None:
        yield f"# {_one_line(provenance.words)}"
    columns = (_terrains(battlemap), _elevations(battlemap), _hexsides(battlemap), _ways(battlemap))
    for cell, *texts in zip(grid.cells.tolist(), *columns, strict=True):
        x, y = grid.xy(cell)
        yield "\t".join((system.cell_name(grid, cell), str(x), str(y), *texts))


def _terrains(battlemap: BattleMap) -> list[str]:
    """Return the name of the terrain of each existing cell."""
    names = [_one_line(terrain.name) for terrain in battlemap.terrain_set.terrains]
    return _cell_texts(battlemap, battlemap.system.terrain, lambda code: names[code])


def _elevations(battlemap: BattleMap) -> list[str]:
    """Return the elevation of each existing cell."""
    return _cell_texts(battlemap, battlemap.system.elevation, str)


def _cell_texts(
    battlemap: BattleMap, spec: PlaneSpec | None, text_of: Callable[[int], str]
) -> list[str]:
    """Return the text of its value for each existing cell.

    It is "" where a plane of cells is not set, or if the system has no such plane.
    """
    cells = battlemap.grid.cells
    if spec is None:
        return [""] * len(cells)
    texts = []
    for value in _values(battlemap, spec)[cells].tolist():
        text = ""
        if value != spec.unset:
            text = text_of(value)
        texts.append(text)
    return texts


def _hexsides(battlemap: BattleMap) -> list[str]:
    """Return the hexsides of each existing cell by their sides: ``0=c 2=d``."""
    spec = battlemap.system.hexside
    grid = battlemap.grid
    texts_by_cell: dict[int, list[str]] = {cell: [] for cell in grid.cells.tolist()}
    if spec is not None:
        values = _values(battlemap, spec)
        has_hexside = (values != 0) & (values != spec.unset)  # 0 is "no hexside"
        for element in np.flatnonzero(has_hexside).tolist():
            cell, side = divmod(element, grid.degree)
            if cell in texts_by_cell:
                letter = battlemap.terrain_set.hexside_letter(int(values[element]))
                texts_by_cell[cell].append(f"{side}={letter}")
    return [" ".join(texts) for texts in texts_by_cell.values()]  # in the order of ``grid.cells``


def _ways(battlemap: BattleMap) -> list[str]:
    """Return the ways (the system's routes) of each existing cell: ``road=0,3 pine-track=1``."""
    system = battlemap.system
    grid = battlemap.grid
    texts_by_cell: dict[int, list[str]] = {cell: [] for cell in grid.cells.tolist()}
    for route in system.routes_of(battlemap.terrain_set):
        spec = system.plane(route.plane)
        values = _values(battlemap, spec)
        name = _one_line(route.name).lower().replace(" ", "-")  # spaces separate the ways of a cell
        has_route = route.runs(values) & (values != spec.unset)
        for cell in np.flatnonzero(has_route).tolist():
            if cell in texts_by_cell:
                # The value of a way has a bit for each side of the cell to which it runs.
                sides = [str(side) for side in range(grid.degree) if values[cell] >> side & 1]
                texts_by_cell[cell].append(f"{name}={','.join(sides)}")
    return [" ".join(texts) for texts in texts_by_cell.values()]  # in the order of ``grid.cells``


def _values(battlemap: BattleMap, spec: PlaneSpec) -> NDArray[Any]:
    """Return what visible layers set of a plane, flat, and its unset value elsewhere."""
    return battlemap.values_or_unset(spec).reshape(-1)


def _one_line(text: str) -> str:
    """Return a text without tabs and ends of lines, which separate columns and cells."""
    return " ".join(text.split())
