"""Find and replace: one terrain, hexside, elevation, way or text of a map by another.

    result = replace_in_map(battlemap, [Replacement(Subject.TERRAIN, "Wood", "Pine wood")])
    if result.edit is not None:
        result.edit.apply(battlemap)

The dialog and the command line call ``replace_in_map``. It checks the names
(replacement_names.py), then makes three edits, one after the other: of the terrain set, if a new
name is to be added to it; of values (value_replacement.py, way_replacement.py); of texts
(text_replacement.py). All replacements of a kind are made at once, so two of them can exchange two
terrains, or two texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.replacement_names import (
    Replacement,
    Subject,
    check_replacements,
    elevation_number,
    names_of,
    with_new_names,
)
from randomizer.geometry.text_replacement import replace_texts
from randomizer.geometry.value_replacement import value_changes
from randomizer.geometry.way_replacement import way_changes
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import chained
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.problems import error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class MapReplacement:
    """The result of ``replace_in_map``."""

    edit: Edit | None
    """The edit that replaces; None if there is nothing to replace."""

    count: int
    """The number of values and texts that the edit replaces."""

    locked: tuple[str, ...]
    """The names of locked layers, which hold an old value or text and are not changed."""


def replace_in_map(
    battlemap: BattleMap,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None = None,
    *,
    add: bool = False,
) -> MapReplacement:
    """Return the edit that replaces in all layers that are not locked, hidden ones too.

    It replaces in ``cells`` only, unless these are None. Where no layer sets a terrain and the map
    shows the old one, the lowest visible layer gets the new one. With ``add`` a new name that the
    terrain set lacks is added to it, as a copy of the old one. The map is not changed. Raises
    ProblemError for an old name that the map does not know, and for a new one unless ``add``; for a
    terrain set that would become too large, and for a text that would become too long.
    """
    check_replacements(battlemap, replacements, add=add)
    return _MapReplacer(battlemap, replacements, cells).replace()


class _MapReplacer:
    """Makes the edit of some replacements, and counts what it replaces. It is used once."""

    def __init__(
        self,
        battlemap: BattleMap,
        replacements: Sequence[Replacement],
        cells: NDArray[np.intp] | None,
    ) -> None:
        self._map = battlemap
        self._replacements = replacements
        self._cells = cells
        self._count = 0
        """How many values and texts are replaced so far."""
        self._locked_names: dict[str, None] = {}
        """The names of the locked layers that hold an old value or text, each once."""

    def replace(self) -> MapReplacement:
        """Return the edit, and what it replaces."""
        # Values and texts are looked for in the map as the edits before have left it: values can
        # have the numbers of new names only once these are in the terrain set.
        stages = [self._add_new_names, self._replace_values, self._replace_texts]
        edit = chained(self._map, stages)
        return MapReplacement(edit, self._count, tuple(self._locked_names))

    def _add_new_names(self) -> Edit | None:
        """Return the edit that adds the new names to the terrain set.

        Raises ProblemError if it cannot have them, as where it would become too large.
        """
        terrain_set = with_new_names(self._map, self._replacements)
        try:
            return change_terrain_set(self._map, terrain_set)
        except ValueError as failed:
            raise error("not-replaced", str(failed)) from failed

    def _replace_values(self) -> Edit | None:
        """Return the edit of the planes of all layers, and count what it changes."""
        changes = [
            *value_changes(self._map, self._replacements, self._cells),
            *way_changes(self._map, self._replacements, self._cells),
        ]
        edits = []
        for change in changes:
            layer = change.layer
            if layer.locked:
                self._locked_names[layer.name] = None
                continue
            self._count += len(change.elements)
            edits.append(
                set_values(self._map, layer.id, change.plane, change.elements, change.values)
            )
        return compound(edits)

    def _replace_texts(self) -> Edit | None:
        """Return the edit of the texts of all layers, and count what it changes."""
        changes = replace_texts(self._map, self._replacements, self._cells)
        self._count += changes.count
        self._locked_names |= dict.fromkeys(changes.locked_names)
        return changes.edit


def cells_with(
    battlemap: BattleMap, composite: Composite, subject: Subject, name: str
) -> NDArray[np.intp]:
    """Return the cells that show a terrain, an elevation, a way, or a hexside on one side.

    There are none for names that the map does not know, and for texts.
    """
    system = battlemap.system
    cells = battlemap.grid.cells
    if subject is Subject.ELEVATION:
        plane = composite.plane(system.elevation)
        number = elevation_number(name)
        if plane is None or number is None:
            return np.empty(0, np.intp)
        return np.asarray(cells[plane.reshape(-1)[cells] == number])

    code = names_of(battlemap, subject).get(name)
    if code is None:
        return np.empty(0, np.intp)
    if subject is Subject.WAY:
        route = system.routes_of(battlemap.terrain_set)[code]
        route_plane = composite.planes.get(route.plane)
        if route_plane is None:
            return np.empty(0, np.intp)
        return cells[route.runs(route_plane.reshape(-1)[cells])]
    if subject is Subject.HEXSIDE:
        plane = composite.plane(system.hexside)
        code += 1  # 0 on the plane is no hexside
    else:
        plane = composite.plane(system.terrain)
    if plane is None:
        return np.empty(0, np.intp)
    # A row for each cell, with a column for each of its sides, or one for its terrain.
    has_code = plane.reshape(battlemap.grid.size, -1)[cells] == code
    return np.asarray(cells[has_code.any(axis=1)])
