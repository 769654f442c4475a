"""The warnings of the game's own map builder, and hints about start lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.problems import Fix, Problem, Severity, ValueChange
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_OF_LABEL, cell_name
from randomizer.systems.colossus.properties import START_LIST
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.planes.composite import Composite

_CELLS = np.array(CELL_OF_HEX)
_CLIFF = COLOSSUS.hexside_code("c")
_SLOPE = COLOSSUS.hexside_code("s")
_WALL = COLOSSUS.hexside_code("w")
HIGHEST = 3
"""The highest elevation on maps of the game; its builder offers no other."""

_TOWER, _LAKE, _TREE = (COLOSSUS.terrain_code(name) for name in ("Tower", "Lake", "Tree"))


def check_battleland(composite: Composite) -> tuple[Problem, ...]:
    """Return what is unusual about every hexside, by hex; then hints about the start list.

    Each warning names the cell and the side. Five are those of the game's builder, as the project's
    fact sheet on Colossus records it. Ours is that the ground does not fall at a slope, a wall or a
    cliff. A cliff on level ground is none of these: it bars the way as any cliff does, and maps of
    the game have some.
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
                warnings = _hexside_warnings(cell, side, code, terrain, elevation)
                if not warnings:
                    warnings = _level_warnings(elevations, cell, side, code)
                problems += warnings
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
    warnings = []
    for code_word, words in faults:
        fixes = [_erasing(cell, side, code)]
        if elevation == 0 and code_word in ("slope-on-ground", "wall-on-ground"):
            fixes.insert(0, _raising(cell, 1))
        warnings.append(_warning(cell, side, code_word, words, fixes))
    return warnings


def _warning(cell: int, side: int, code_word: str, words: str, fixes: list[Fix]) -> Problem:
    """Return the warning of a hexside; ``fixes`` are at least one, the likeliest first."""
    return Problem(
        Severity.WARNING,
        code_word,
        f"{cell_name(cell)}, {GRID.layout.side_names[side]} side: {words}",
        cell=cell,
        side=side,
        fix=fixes[0],
        other_fixes=tuple(fixes[1:]),
    )


def _erasing(cell: int, side: int, code: int) -> Fix:
    """Return the fix that erases a hexside of this code."""
    name = COLOSSUS.hexsides[code - 1].name.lower()
    return Fix(f"Erase the {name}", values=(_hexside_change(cell, side, 0),))


def _raising(cell: int, elevation: int) -> Fix:
    """Return the fix that raises a hex to an elevation."""
    change = ValueChange("elevation", cell, elevation)
    return Fix(f"Raise {cell_name(cell)} to {elevation}", values=(change,))


def _hexside_change(cell: int, side: int, code: int) -> ValueChange:
    """Return the change that gives a side of a hex a hexside, or none (0)."""
    return ValueChange("hexside", cell * GRID.degree + side, code)


def _level_warnings(
    elevations: NDArray[np.integer[Any]], cell: int, side: int, code: int
) -> list[Problem]:
    """Return the warning of a hexside from which the ground does not fall; [] if it does.

    ``elevations`` is the flat plane of the map.
    """
    hexside = COLOSSUS.hexsides[code - 1]
    twin = GRID.twin(cell, side)
    if not hexside.higher or twin is None:
        return []
    other_cell, other_side = twin
    elevation = int(elevations[cell])
    other_elevation = int(elevations[other_cell])
    is_level = elevation == other_elevation
    if elevation > other_elevation or (is_level and code == _CLIFF):
        return []

    name = hexside.name.lower()
    other_name = cell_name(other_cell)
    fixes = [_erasing(cell, side, code)]
    if not is_level:
        words = f"a {name} stands on the low side: {other_name} is higher"
        changes = (
            _hexside_change(cell, side, 0),
            _hexside_change(other_cell, other_side, code),
        )
        fixes.insert(0, Fix(f"Give the {name} to {other_name}", values=changes))
    else:
        words = f"a {name} stands on level ground: {other_name} is as high"
        if elevation < HIGHEST:
            fixes.insert(0, _raising(cell, elevation + 1))
    return [_warning(cell, side, "hexside-on-level", words, fixes)]


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
