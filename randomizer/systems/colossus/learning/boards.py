"""The maps that a script is learned from, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.properties import START_LIST, TOWER
from randomizer.systems.colossus.system import ELEVATION, HEXSIDE, SYSTEM, TERRAIN

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

HIGHEST = 2
"""The highest elevation that a script can place."""


@dataclass(frozen=True, eq=False)
class Boards:
    """n battlelands by hex id, read-only.

    ``terrain`` and ``elevation`` (n, 27) and ``hexside`` (n, 27, 6), all uint8; elevations are at
    most 2. ``tower`` (n) and ``start`` (n, 27) are the flags and start lists.
    """

    names: tuple[str, ...]
    terrain: NDArray[np.uint8]
    elevation: NDArray[np.uint8]
    hexside: NDArray[np.uint8]
    tower: NDArray[np.bool_]
    start: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.names)

    def subset(self, rows: Sequence[int] | NDArray[np.intp]) -> Boards:
        """Return the battlelands with these indices."""
        rows = np.asarray(rows, np.intp)
        return Boards(
            tuple(self.names[row] for row in rows.tolist()),
            self.terrain[rows],
            self.elevation[rows],
            self.hexside[rows],
            self.tower[rows],
            self.start[rows],
        )


def boards_of(maps: Iterable[tuple[str, BattleMap]]) -> tuple[Boards, tuple[Problem, ...]]:
    """Return the battlelands among named maps, and a Problem for what is left out or changed."""
    problems: list[Problem] = []
    names = []
    planes = []
    towers = []
    starts = []
    for name, battlemap in maps:
        if battlemap.system is not SYSTEM:
            message = "This is no battleland of Colossus; it is left out."
            problems.append(Problem(Severity.WARNING, "no-battleland", message, name))
            continue
        composite = battlemap.composite()
        cells = np.array(CELL_OF_HEX)
        terrain, elevation = (
            np.asarray(composite.planes[spec.name]).reshape(-1)[cells]
            for spec in (TERRAIN, ELEVATION)
        )
        if (elevation > HIGHEST).any():
            message = f"A script gives no elevation above {HIGHEST}; higher hexes count as that."
            problems.append(Problem(Severity.WARNING, "high-elevation", message, name))
        names.append(name)
        hexside = np.asarray(composite.planes[HEXSIDE.name]).reshape(-1, 6)[cells]
        planes.append((terrain, np.clip(elevation, 0, HIGHEST), hexside))
        towers.append(bool(TOWER.of(composite.properties)))
        start = START_LIST.of(composite.properties) or ()
        starts.append([label in start for label in HEX_OF_LABEL])
    terrain, elevation, hexside = (
        np.array([plane[index] for plane in planes], np.uint8).reshape(len(names), *shape)
        for index, shape in enumerate(((27,), (27,), (27, 6)))
    )
    boards = Boards(
        tuple(names),
        terrain,
        elevation,
        hexside,
        np.array(towers, np.bool_),
        np.array(starts, np.bool_).reshape(len(names), 27),
    )
    return boards, tuple(problems)
