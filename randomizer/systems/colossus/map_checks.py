"""The warnings of the game's own map builder, and hints about start lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_OF_LABEL, cell_name
from randomizer.systems.colossus.properties import START_LIST
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from randomizer.model.planes.composite import Composite

_CELLS = np.array(CELL_OF_HEX)
_SLOPE = COLOSSUS.hexside_code("s")
_WALL = COLOSSUS.hexside_code("w")
_TOWER, _LAKE, _TREE = (COLOSSUS.terrain_code(name) for name in ("Tower", "Lake", "Tree"))


def check_battleland(composite: Composite) -> tuple[Problem, ...]:
    """Return the builder's five warnings for every hexside, by hex; then hints about the start
    list.

    Each warning names the cell and the side. Source: the game's builder, as the project's fact
    sheet on Colossus records it.
    """
    hexsides = composite.planes["hexside"].reshape(-1, 6)
    problems: list[Problem] = []
    marked = _CELLS[hexsides[_CELLS].any(axis=1)]
    terrains = composite.planes["terrain"].ravel()
    elevations = composite.planes["elevation"].ravel()
    for cell in marked.tolist():
        terrain = int(terrains[cell])
        elevation = int(elevations[cell])
        for side, code in enumerate(hexsides[cell].tolist()):
            if code:
                problems += _hexside_warnings(cell, side, code, terrain, elevation)
    return (*problems, *_start_list_hints(START_LIST.of(composite.properties)))


def _hexside_warnings(
    cell: int, side: int, code: int, terrain: int, elevation: int
) -> list[Problem]:
    """Return what is unusual about a hexside of a hex with this terrain and elevation."""
    name = COLOSSUS.hexsides[code - 1].name
    ground = COLOSSUS.terrains[terrain].name
    faults = []
    if code == _SLOPE and elevation == 0:
        faults.append(("slope-on-ground", "a slope stands on elevation 0"))
    if code == _WALL and terrain != _TOWER:
        faults.append(("wall-off-tower", f"a wall stands on {ground}, not on Tower"))
    if code == _WALL and elevation == 0:
        faults.append(("wall-on-ground", "a wall stands on elevation 0"))
    if terrain == _LAKE:
        faults.append(("hexside-on-lake", f"a Lake has a {name.lower()} at its side"))
    if terrain == _TREE:
        faults.append(("hexside-on-tree", f"a Tree has a {name.lower()} at its side"))
    where = f"{cell_name(cell)}, {GRID.layout.side_names[side]} side"
    return [
        Problem(Severity.WARNING, code_word, f"{where}: {words}", cell=cell, side=side)
        for code_word, words in faults
    ]


def _start_list_hints(startlist: tuple[str, ...]) -> list[Problem]:
    """Return a hint for each label that is no hex, or stands in the list twice."""
    problems = []
    seen: set[str] = set()
    for label in startlist:
        hex_id = HEX_OF_LABEL.get(label)
        if hex_id is None:
            problems.append(
                Problem(
                    Severity.HINT,
                    "start-unknown",
                    f"The start list names “{label}”, which is no hex of the board",
                )
            )
        elif label in seen:
            problems.append(
                Problem(
                    Severity.HINT,
                    "start-twice",
                    f"The start list names {label} more than once",
                    cell=CELL_OF_HEX[hex_id],
                )
            )
        seen.add(label)
    return problems
