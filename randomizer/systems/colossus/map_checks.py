"""The warnings of the game's own map builder, and hints about start lists.

``check_battleland`` is called while a map is edited, when it is saved, and for every edit that the
balancing of fairness tries. Most warnings have a *fix*, an edit that the user can choose: they are
about hexsides, the slopes, walls, cliffs and so on that a hex has at its sides.
"""

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

HIGHEST_OF_MAPS = 3
"""The highest elevation on maps of the game; its builder offers no higher one."""

_CELLS = np.array(CELL_OF_HEX)
"""The flat index of each hex in planes of cells, (27,)."""

_CLIFF = COLOSSUS.hexside_code("c")
_SLOPE = COLOSSUS.hexside_code("s")
_WALL = COLOSSUS.hexside_code("w")
_TOWER = COLOSSUS.terrain_code("Tower")
_LAKE = COLOSSUS.terrain_code("Lake")
_TREE = COLOSSUS.terrain_code("Tree")


def check_battleland(composite: Composite) -> tuple[Problem, ...]:
    """Return the warnings about hexsides, in the order of the hexes, then those of the start list.

    Each warning names the cell and the side. ``_hexside_warnings`` are those of the game's builder,
    as the project's fact sheet on Colossus records them; ``_level_warnings`` are our own.
    """
    terrains = composite.planes["terrain"].ravel()
    elevations = composite.planes["elevation"].ravel()
    hexsides = composite.planes["hexside"].reshape(-1, 6)
    cells_with_hexsides = _CELLS[hexsides[_CELLS].any(axis=1)]
    problems: list[Problem] = []
    for cell in cells_with_hexsides.tolist():
        terrain = int(terrains[cell])
        elevation = int(elevations[cell])
        for side, code in enumerate(hexsides[cell].tolist()):
            if code:
                warnings = _hexside_warnings(cell, side, code, terrain, elevation)
                if not warnings:  # one reason is enough to look at a hexside
                    warnings = _level_warnings(elevations, cell, side, code)
                problems += warnings
    return (*problems, *_start_list_hints(START_LIST.of(composite.properties)))


def _hexside_warnings(
    cell: int, side: int, code: int, terrain: int, elevation: int
) -> list[Problem]:
    """Return warnings about a hexside that the game's maps never have on such a hex.

    ``code`` is that of the hexside; ``terrain`` and ``elevation`` are those of its hex.
    """
    name = _hexside_name(code)
    ground = COLOSSUS.terrains[terrain].name
    erase = _erasing_fix(cell, side, code)
    raise_or_erase = [_raising_fix(cell, 1), erase]
    warnings = []
    if code == _SLOPE and elevation == 0:
        text = "a slope stands on elevation 0"
        warnings.append(_warning(cell, side, "slope-on-ground", text, raise_or_erase))
    if code == _WALL and terrain != _TOWER:
        text = f"a wall stands on {ground}, not on Tower"
        warnings.append(_warning(cell, side, "wall-off-tower", text, [erase]))
    if code == _WALL and elevation == 0:
        text = "a wall stands on elevation 0"
        warnings.append(_warning(cell, side, "wall-on-ground", text, raise_or_erase))
    if terrain == _LAKE:
        text = f"a Lake has a {name} at its side"
        warnings.append(_warning(cell, side, "hexside-on-lake", text, [erase]))
    if terrain == _TREE:
        text = f"a Tree has a {name} at its side"
        warnings.append(_warning(cell, side, "hexside-on-tree", text, [erase]))
    return warnings


def _warning(cell: int, side: int, problem_code: str, text: str, fixes: list[Fix]) -> Problem:
    """Return a warning about the hexside at a side of a cell.

    ``fixes`` are one or more, the likeliest first.
    """
    likeliest_fix, *other_fixes = fixes
    return Problem(
        Severity.WARNING,
        problem_code,
        f"{cell_name(cell)}, {GRID.layout.side_names[side]} side: {text}",
        cell=cell,
        side=side,
        fix=likeliest_fix,
        other_fixes=tuple(other_fixes),
    )


def _hexside_name(code: int) -> str:
    """Return the name of a hexside as it stands within a sentence."""
    return COLOSSUS.hexsides[code - 1].name.lower()


def _erasing_fix(cell: int, side: int, code: int) -> Fix:
    """Return the fix that erases a hexside of this code."""
    name = _hexside_name(code)
    return Fix(f"Erase the {name}", values=(_hexside_change(cell, side, 0),))


def _raising_fix(cell: int, elevation: int) -> Fix:
    """Return the fix that raises a hex to an elevation."""
    change = ValueChange("elevation", cell, elevation)
    return Fix(f"Raise {cell_name(cell)} to {elevation}", values=(change,))


def _hexside_change(cell: int, side: int, code: int) -> ValueChange:
    """Return the change that sets the hexside at a side of a cell to a code; 0 erases it."""
    return ValueChange("hexside", cell * GRID.degree + side, code)


def _level_warnings(
    elevations: NDArray[np.integer[Any]], cell: int, side: int, code: int
) -> list[Problem]:
    """Return the warning that the ground does not fall from a slope, wall or cliff; else [].

    A cliff on level ground gets none: it bars the way as any cliff does, and maps of the game have
    some. ``elevations`` is the flat plane of the map.
    """
    hexside = COLOSSUS.hexsides[code - 1]
    twin = GRID.twin(cell, side)  # the same edge as the neighbour has it
    if not hexside.higher or twin is None:
        return []
    other_cell, other_side = twin
    elevation = int(elevations[cell])
    other_elevation = int(elevations[other_cell])
    is_level = elevation == other_elevation
    if elevation > other_elevation or (is_level and code == _CLIFF):
        return []

    name = _hexside_name(code)
    other_name = cell_name(other_cell)
    fixes: list[Fix] = []  # the likeliest first
    if not is_level:
        text = f"a {name} stands on the low side: {other_name} is higher"
        changes = (
            _hexside_change(cell, side, 0),
            _hexside_change(other_cell, other_side, code),
        )
        fixes.append(Fix(f"Give the {name} to {other_name}", values=changes))
    else:
        text = f"a {name} stands on level ground: {other_name} is as high"
        if elevation < HIGHEST_OF_MAPS:
            fixes.append(_raising_fix(cell, elevation + 1))
    fixes.append(_erasing_fix(cell, side, code))
    return [_warning(cell, side, "hexside-on-level", text, fixes)]


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
