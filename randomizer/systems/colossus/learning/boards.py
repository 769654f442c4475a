"""The maps that a script is learned from, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, HEX_OF_LABEL
from randomizer.systems.colossus.properties import START_LIST, TOWER
from randomizer.systems.colossus.system import ELEVATION, HEXSIDE, SYSTEM, TERRAIN

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite

HIGHEST = 2
"""The highest elevation that a script can place."""


@dataclass(frozen=True, eq=False)
class Boards:
    """n battlelands by hex id, read-only."""

    names: tuple[str, ...]

    terrain: NDArray[np.uint8]
    """(n, 27)."""

    elevation: NDArray[np.uint8]
    """(n, 27): at most ``HIGHEST``."""

    hexside: NDArray[np.uint8]
    """(n, 27, 6)."""

    tower: NDArray[np.bool_]
    """(n,): whether each is a tower."""

    start: NDArray[np.bool_]
    """(n, 27): the hexes of the start lists."""

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


class _Planes(NamedTuple):
    """The planes of one battleland by hex id."""

    terrain: NDArray[Any]
    elevation: NDArray[Any]
    hexside: NDArray[Any]


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
        planes_of_map = _planes(composite)
        if (planes_of_map.elevation > HIGHEST).any():
            message = f"A script gives no elevation above {HIGHEST}; higher hexes count as that."
            problems.append(Problem(Severity.WARNING, "high-elevation", message, name))
        names.append(name)
        planes.append(planes_of_map)
        towers.append(bool(TOWER.of(composite.properties)))
        start = START_LIST.of(composite.properties) or ()
        starts.append([label in start for label in HEX_OF_LABEL])

    # Without any map the arrays have no shape of their own.
    count = len(names)
    elevations = [np.clip(board.elevation, 0, HIGHEST) for board in planes]
    boards = Boards(
        tuple(names),
        np.array([board.terrain for board in planes], np.uint8).reshape(count, HEX_COUNT),
        np.array(elevations, np.uint8).reshape(count, HEX_COUNT),
        np.array([board.hexside for board in planes], np.uint8).reshape(count, HEX_COUNT, 6),
        np.array(towers, np.bool_),
        np.array(starts, np.bool_).reshape(count, HEX_COUNT),
    )
    return boards, tuple(problems)


def _planes(composite: Composite) -> _Planes:
    cells = np.array(CELL_OF_HEX)
    return _Planes(
        np.asarray(composite.planes[TERRAIN.name]).reshape(-1)[cells],
        np.asarray(composite.planes[ELEVATION.name]).reshape(-1)[cells],
        np.asarray(composite.planes[HEXSIDE.name]).reshape(-1, 6)[cells],
    )
