"""The maps that a script is learned from, as arrays.

    boards, problems = boards_of([("Marsh.xml", battlemap), ...])
    boards.terrain[0]                # (27,): the terrains of the first map, by hex id

The command line and the desk call ``boards_of`` with the maps that are open, and hand the
``Boards`` to ``learn``.
"""

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

HIGHEST_OF_SCRIPTS = 2
"""The highest elevation that a script can place."""


@dataclass(frozen=True, eq=False)
class Boards:
    """n battlelands by hex id, read-only."""

    names: tuple[str, ...]
    """The names of the maps."""

    terrain: NDArray[np.uint8]
    """(n, 27): the code of the terrain of each hex."""

    elevation: NDArray[np.uint8]
    """(n, 27): the elevation of each hex, at most ``HIGHEST_OF_SCRIPTS``."""

    hexside: NDArray[np.uint8]
    """(n, 27, 6): the code of the hexside at each side, 0 for none."""

    tower: NDArray[np.bool_]
    """(n,): True for maps that are towers."""

    start: NDArray[np.bool_]
    """(n, 27): True for the hexes of the start lists."""

    def __len__(self) -> int:
        return len(self.names)

    def subset(self, map_indices: Sequence[int] | NDArray[np.intp]) -> Boards:
        """Return the battlelands with these indices."""
        map_indices = np.asarray(map_indices, np.intp)
        return Boards(
            names=tuple(self.names[index] for index in map_indices.tolist()),
            terrain=self.terrain[map_indices],
            elevation=self.elevation[map_indices],
            hexside=self.hexside[map_indices],
            tower=self.tower[map_indices],
            start=self.start[map_indices],
        )


class _Board(NamedTuple):
    """One battleland by hex id, as in ``Boards``."""

    name: str
    terrain: NDArray[Any]
    elevation: NDArray[Any]
    """The elevations as the map has them, which can be above ``HIGHEST_OF_SCRIPTS``."""
    hexside: NDArray[Any]
    tower: bool
    start: list[bool]


def boards_of(maps: Iterable[tuple[str, BattleMap]]) -> tuple[Boards, tuple[Problem, ...]]:
    """Return the battlelands among maps with their names, and warnings.

    Warnings tell which maps are left out, because they are no battlelands, and which are changed,
    because a script cannot place what they have.
    """
    problems: list[Problem] = []
    boards = []
    for name, battlemap in maps:
        if battlemap.system is not SYSTEM:
            message = "This is no battleland of Colossus; it is left out."
            problems.append(Problem(Severity.WARNING, "no-battleland", message, path=name))
            continue
        board = _board(name, battlemap.composite())
        if (board.elevation > HIGHEST_OF_SCRIPTS).any():
            highest = HIGHEST_OF_SCRIPTS
            message = f"A script gives no elevation above {highest}; higher hexes count as that."
            problems.append(Problem(Severity.WARNING, "high-elevation", message, path=name))
        boards.append(board)
    return _joined(boards), tuple(problems)


def _board(name: str, composite: Composite) -> _Board:
    """Return what the visible layers of a battleland show."""
    cells = np.array(CELL_OF_HEX)
    start = START_LIST.of(composite.properties) or ()
    return _Board(
        name=name,
        terrain=np.asarray(composite.planes[TERRAIN.name]).reshape(-1)[cells],
        elevation=np.asarray(composite.planes[ELEVATION.name]).reshape(-1)[cells],
        hexside=np.asarray(composite.planes[HEXSIDE.name]).reshape(-1, 6)[cells],
        tower=bool(TOWER.of(composite.properties)),
        start=[label in start for label in HEX_OF_LABEL],
    )


def _joined(boards: Sequence[_Board]) -> Boards:
    """Return battlelands as arrays; higher elevations than ``HIGHEST_OF_SCRIPTS`` become that."""
    terrains = [board.terrain for board in boards]
    elevations = [np.clip(board.elevation, 0, HIGHEST_OF_SCRIPTS) for board in boards]
    hexsides = [board.hexside for board in boards]
    starts = [board.start for board in boards]
    # Reshaped for the case of no maps, whose arrays would have no axis of hexes.
    count = len(boards)
    return Boards(
        names=tuple(board.name for board in boards),
        terrain=np.array(terrains, np.uint8).reshape(count, HEX_COUNT),
        elevation=np.array(elevations, np.uint8).reshape(count, HEX_COUNT),
        hexside=np.array(hexsides, np.uint8).reshape(count, HEX_COUNT, 6),
        tower=np.array([board.tower for board in boards], np.bool_),
        start=np.array(starts, np.bool_).reshape(count, HEX_COUNT),
    )
