"""The format ``cells``: a line a cell, by which maps are compared with those of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.formats import Format, Provenance, ReadResult, lost_things
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
    largest = 0

    def recognises(self, _data: bytes) -> bool:
        """Always False: it is not read back."""
        return False

    def read(self, _data: bytes, path: str | None = None) -> ReadResult:
        """Always a Problem: it is not read back."""
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
    system = battlemap.system
    grid = battlemap.grid
    wrapped = ", wrapped" if grid.wrap else ""
    yield f"# {system.title}, {grid.layout.name}, {grid.width} x {grid.height}{wrapped}"
    if provenance is not None:
        yield f"# {_one_line(provenance.words)}"
    texts = (_terrains(battlemap), _elevations(battlemap), _hexsides(battlemap), _ways(battlemap))
    for cell, *columns in zip(grid.cells.tolist(), *texts, strict=True):
        x, y = grid.xy(cell)
        yield "\t".join((system.cell_name(grid, cell), str(x), str(y), *columns))


def _terrains(battlemap: BattleMap) -> list[str]:
    names = [_one_line(terrain.name) for terrain in battlemap.terrain_set.terrains]
    return _cell_texts(battlemap, battlemap.system.terrain, lambda code: names[code])


def _elevations(battlemap: BattleMap) -> list[str]:
    return _cell_texts(battlemap, battlemap.system.elevation, str)


def _hexsides(battlemap: BattleMap) -> list[str]:
    letters = battlemap.terrain_set.hexside_letter
    spec = battlemap.system.hexside
    grid = battlemap.grid
    texts = dict.fromkeys(grid.cells.tolist(), "")
    values = _values(battlemap, spec)
    for element in np.flatnonzero((values != 0) & (values != spec.unset)).tolist() if spec else ():
        cell, side = divmod(element, grid.degree)
        if cell in texts:
            texts[cell] += f"{' ' * bool(texts[cell])}{side}={letters(int(values[element]))}"
    return list(texts.values())


def _ways(battlemap: BattleMap) -> list[str]:
    system = battlemap.system
    grid = battlemap.grid
    texts = dict.fromkeys(grid.cells.tolist(), "")
    for route in system.routes_of(battlemap.terrain_set):
        spec = system.plane(route.plane)
        values = _values(battlemap, spec)
        name = _one_line(route.name).lower().replace(" ", "-")
        for cell in np.flatnonzero(route.runs(values) & (values != spec.unset)).tolist():
            if cell in texts:
                sides = [str(side) for side in range(grid.degree) if values[cell] >> side & 1]
                texts[cell] += f"{' ' * bool(texts[cell])}{name}={','.join(sides)}"
    return list(texts.values())


def _cell_texts(
    battlemap: BattleMap, spec: PlaneSpec | None, text_of: Callable[[int], str]
) -> list[str]:
    """Return a text for each existing cell, "" where a plane of cells is not set."""
    cells = battlemap.grid.cells
    if spec is None:
        return [""] * len(cells)
    unset = spec.unset
    values = _values(battlemap, spec)[cells].tolist()
    return ["" if value == unset else text_of(value) for value in values]


def _values(battlemap: BattleMap, spec: PlaneSpec | None) -> NDArray[Any]:
    """Return the values of a plane that visible layers set, flat, the others its unset value."""
    if spec is None:
        return np.zeros(0, np.intp)
    return battlemap.set_values(spec).reshape(-1)


def _one_line(text: str) -> str:
    """Return a text without tabs and ends of lines."""
    return " ".join(text.split())
