"""Names of undo steps of changes made by hand: what was painted, how much and where.

After a stroke of the brush with Tree over four hexes, of which C3 was the first, *Undo* is called
"Tree, 4 hexes by C3".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit, LockEdit, PlaneEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Element

PAINT = "Paint "
"""The beginning of the texts of tools that do nothing but paint one value.

The name of such a step begins with the value instead: "Tree, 4 hexes".
"""


def step_text(text: str, battlemap: BattleMap, edits: Sequence[Edit]) -> str:
    """Return the name of an undo step: "Tree, 4 hexes by C3", "Fill: Tree, 12 hexes by C3".

    ``text`` is what the tool is called, ``edits`` are those of a stroke in their order, or one that
    has been applied. The cell is the first that they changed. The text alone is the name of steps
    that change something else than values and locks (things, records, layers), that change heights
    of corners, and of which nothing can be seen.
    """
    changes = _visible_changes(battlemap, edits)
    if not changes:
        return text
    if any(_element_of(battlemap, change) is Element.CORNER for change in changes):
        return text  # a corner is at no single cell by which the step could be named
    amount = _amount_text(battlemap, changes)
    value = _value_name(battlemap, changes)
    if not value:
        return f"{text}, {amount}"
    if text.startswith(PAINT):
        return f"{value}, {amount}"
    return f"{text}: {value}, {amount}"


def _visible_changes(battlemap: BattleMap, edits: Sequence[Edit]) -> list[PlaneEdit | LockEdit]:
    """Return the changes of values and locks that can be seen; [] if edits change anything else."""
    changes: list[PlaneEdit | LockEdit] = []
    for edit in edits:
        for part in parts(edit):
            if not isinstance(part, PlaneEdit | LockEdit):
                return []
            if _is_shown(battlemap, part):
                changes.append(part)
    return changes


def _amount_text(battlemap: BattleMap, changes: Sequence[PlaneEdit | LockEdit]) -> str:
    """Return how much was changed, and where: "1 hex, C3", "4 hexes by C3", "2 sides by C3"."""
    grid = battlemap.grid
    words = cell_words(grid.layout)
    if all(_element_of(battlemap, change) is Element.SIDE for change in changes):
        count = _count_distinct([change.index for change in changes], grid.size * grid.degree)
        amount = counted(count, words.side, words.sides)
    else:
        cells = [_cells_of(battlemap, change) for change in changes]
        count = _count_distinct(cells, grid.size)
        amount = counted(count, words.cell, words.cells)
    first_cell = int(_cells_of(battlemap, changes[0])[0])
    cell_name = battlemap.system.cell_name(grid, first_cell)
    if count == 1:
        return f"{amount}, {cell_name}"
    return f"{amount} by {cell_name}"


def _count_distinct(index_arrays: Sequence[Indices], size: int) -> int:
    """Return how many different indices below ``size`` the arrays have together."""
    # With np.unique a change of a million hexsides would block the window for half a second.
    is_changed = np.zeros(size, np.bool_)
    for indices in index_arrays:
        is_changed[indices] = True
    return int(np.count_nonzero(is_changed))


def _is_shown(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> bool:
    """Return whether a change can be seen; marks of where a value comes from cannot."""
    is_mark = isinstance(change, PlaneEdit) and not battlemap.system.plane(change.plane).shown
    return len(change.index) > 0 and not is_mark


def _element_of(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> Element:
    """Return whether a change is one of cells, sides or corners."""
    if isinstance(change, PlaneEdit):
        return battlemap.system.plane(change.plane).element
    if change.sides:
        return Element.SIDE
    return Element.CELL


def _cells_of(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> Indices:
    """Return the cells of a change of cells or sides, in its order."""
    if _element_of(battlemap, change) is Element.SIDE:
        return change.index // battlemap.grid.degree
    return change.index


def _value_name(battlemap: BattleMap, changes: Sequence[PlaneEdit | LockEdit]) -> str:
    """Return the name of the one value that all changes set in one plane; "" if there is none."""
    first = changes[0]
    if not isinstance(first, PlaneEdit):
        return ""
    value = int(first.new_values[0])
    for change in changes:
        if not isinstance(change, PlaneEdit) or change.plane != first.plane:
            return ""
        if (change.new_values != value).any():
            return ""
    system = battlemap.system
    plane = system.plane(first.plane)
    terrain_set = battlemap.terrain_set
    if value == plane.unset:
        return ""
    if plane == system.terrain and value < len(terrain_set.terrains):
        return terrain_set.terrains[value].name
    if plane == system.hexside and 0 < value <= len(terrain_set.hexsides):
        return terrain_set.hexsides[value - 1].name
    if plane == system.elevation:
        text = system.elevation_text(value)
        return text[:1].upper() + text[1:]
    return ""
