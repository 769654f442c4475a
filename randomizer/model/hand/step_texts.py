"""What a change made by hand is called among the undo steps: what was painted, how much, where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit, LockEdit, PlaneEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.indices import Indices
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Place

PAINT = "Paint "
"""So begin the texts of tools that do nothing but paint one value: the value stands for them."""


def step_text(text: str, battlemap: BattleMap, edits: Sequence[Edit]) -> str:
    """Return the name of an undo step: "Tree, 4 hexes by C3", "Fill: Tree, 12 hexes by C3".

    ``text`` is what the tool is called, ``edits`` are those of a stroke in their order, or one that
    has been applied. The place is the first cell that they changed. The text alone is the name of
    steps that change something else than values and locks: things, records, layers.
    """
    single = [part for edit in edits for part in parts(edit)]
    changes = [part for part in single if isinstance(part, PlaneEdit | LockEdit)]
    if not changes or len(changes) < len(single):
        return text
    visible_changes = [change for change in changes if _is_shown(battlemap, change)]
    places = {_place_of(battlemap, change) for change in visible_changes}
    planes = {change.plane if isinstance(change, PlaneEdit) else "" for change in visible_changes}
    if not visible_changes or Place.CORNER in places:
        return text
    words = cell_words(battlemap.grid.layout)
    if places == {Place.SIDE}:
        sides = [change.index for change in visible_changes]
        count = _count_distinct(sides, battlemap.grid.size * battlemap.grid.degree)
        amount = counted(count, words.side, words.sides)
    else:
        cells = [_cells_of(battlemap, change) for change in visible_changes]
        count = _count_distinct(cells, battlemap.grid.size)
        amount = counted(count, words.cell, words.cells)
    first = int(_cells_of(battlemap, visible_changes[0])[0])
    where = battlemap.system.cell_name(battlemap.grid, first)
    if not amount.startswith("1 "):
        amount = f"{amount} by {where}"
    else:
        amount = f"{amount}, {where}"
    if len(planes) == 1:
        value = _value_name(battlemap, visible_changes)
    else:
        value = ""
    if not value:
        return f"{text}, {amount}"
    if text.startswith(PAINT):
        return f"{value}, {amount}"
    return f"{text}: {value}, {amount}"


def _count_distinct(index_arrays: Sequence[Indices], size: int) -> int:
    """Return how many different indices below ``size`` the arrays have together."""
    # np.unique would hold the window for half a second after a change of a million hexsides.
    is_changed = np.zeros(size, np.bool_)
    for indices in index_arrays:
        is_changed[indices] = True
    return int(np.count_nonzero(is_changed))


def _is_shown(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> bool:
    """Return whether a change can be seen; marks of where a value comes from cannot."""
    is_mark = isinstance(change, PlaneEdit) and not battlemap.system.plane(change.plane).shown
    return len(change.index) > 0 and not is_mark


def _place_of(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> Place:
    if isinstance(change, PlaneEdit):
        return battlemap.system.plane(change.plane).place
    return Place.SIDE if change.sides else Place.CELL


def _cells_of(battlemap: BattleMap, change: PlaneEdit | LockEdit) -> Indices:
    """Return the cells of a change of cells or sides, in its order."""
    if _place_of(battlemap, change) is Place.SIDE:
        return change.index // battlemap.grid.degree
    return change.index


def _value_name(battlemap: BattleMap, changes: Sequence[PlaneEdit | LockEdit]) -> str:
    """Return the name of the one value that all changes of a plane set; "" for several."""
    change = changes[0]
    if not isinstance(change, PlaneEdit):
        return ""
    value = int(change.after[0])
    if any((other_change.after != value).any() for other_change in changes):
        return ""
    system = battlemap.system
    plane = system.plane(change.plane)
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
