"""The builder's three fills: hexsides along every edge of a kind that is still empty on both sides.

Each is a pure function of the shown planes and returns what to set, by hex and side.
Source: the game's builder, as the project's fact sheet on Colossus records it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.auto_edges import fitting_edges
from randomizer.colossus.board import CELL_OF_HEX, GRID
from randomizer.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.battlemap import Plane

Fill = list[tuple[int, int, int]]
"""(cell, side, hexside code) of every side to set, by cell, then side."""


def fill_slopes(planes: Mapping[str, Plane]) -> Fill:
    """Slopes where the elevations differ by exactly 1; they belong to the higher hex."""
    return _fill(planes, "s")


def fill_cliffs(planes: Mapping[str, Plane]) -> Fill:
    """Cliffs where the elevations differ by 2 or more; they belong to the higher hex."""
    return _fill(planes, "c")


def fill_dunes(planes: Mapping[str, Plane]) -> Fill:
    """Dunes where Sand lies next to Plains; they belong to the Sand."""
    return _fill(planes, "d")


def _fill(planes: Mapping[str, Plane], letter: str) -> Fill:
    code = COLOSSUS.hexside_code(letter)
    places, _codes = fitting_edges(GRID, planes, COLOSSUS, np.array(CELL_OF_HEX), [code])
    return [(*divmod(place, GRID.degree), code) for place in places.tolist()]
