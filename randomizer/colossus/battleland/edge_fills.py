"""The builder's three fills: hexsides along every edge of a kind that is still empty on both sides.

Each is a pure function of the shown planes and returns what to set, by hex and side.
Source: the game's builder, as the project's fact sheet on Colossus records it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.colossus.board import CELL_OF_HEX, GRID
from randomizer.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from randomizer.battlemap import Plane

Fill = list[tuple[int, int, int]]
"""(cell, side, hexside code) of every side to set, by cell, then side."""

_PLAINS, _SAND = COLOSSUS.terrain_code("Plains"), COLOSSUS.terrain_code("Sand")

_FROM, _SIDE = (
    array.ravel() for array in np.meshgrid(np.array(CELL_OF_HEX), np.arange(6), indexing="ij")
)
_TO = GRID.neighbour_table[_FROM, _SIDE]
_INNER = _TO >= 0
_FROM, _SIDE, _TO = _FROM[_INNER], _SIDE[_INNER], _TO[_INNER]
"""Every inner edge from both of its hexes: cell, side, the cell across."""


def fill_slopes(planes: Mapping[str, Plane]) -> Fill:
    """Slopes where the elevations differ by exactly 1; they belong to the higher hex."""
    return _fill(planes, "s", lambda: _drop(planes) == 1)


def fill_cliffs(planes: Mapping[str, Plane]) -> Fill:
    """Cliffs where the elevations differ by 2 or more; they belong to the higher hex."""
    return _fill(planes, "c", lambda: _drop(planes) >= 2)


def fill_dunes(planes: Mapping[str, Plane]) -> Fill:
    """Dunes where Sand lies next to Plains; they belong to the Sand."""
    terrain = planes["terrain"].ravel()
    return _fill(planes, "d", lambda: (terrain[_FROM] == _SAND) & (terrain[_TO] == _PLAINS))


def _drop(planes: Mapping[str, Plane]) -> NDArray[np.int32]:
    """How much lower the other hex lies, for every edge from both sides."""
    elevation = planes["elevation"].ravel().astype(np.int32)
    drop: NDArray[np.int32] = elevation[_FROM] - elevation[_TO]
    return drop


def _fill(
    planes: Mapping[str, Plane], letter: str, wanted: Callable[[], NDArray[np.bool_]]
) -> Fill:
    hexside = planes["hexside"].reshape(-1, 6)
    empty = (hexside[_FROM, _SIDE] == 0) & (hexside[_TO, (_SIDE + 3) % 6] == 0)
    chosen = np.flatnonzero(empty & wanted())
    code = COLOSSUS.hexside_code(letter)
    return [
        (cell, side, code)
        for cell, side in sorted(zip(_FROM[chosen].tolist(), _SIDE[chosen].tolist(), strict=True))
    ]
