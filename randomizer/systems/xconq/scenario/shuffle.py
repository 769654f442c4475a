"""Shuffling units: every unit that can move goes some hexes, to a cell where it could stand.

Units move one after the other, each from its cell to a free one that it can reach. The cell comes
from a *keyed* die: a number that follows from the seed and the unit, so that the same seed moves
the same units in the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.dice import word
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.carriers import carriers_on
from randomizer.systems.xconq.scenario.areas import edge_cells
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.units.unit_kinds import kind_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.things import Thing
    from randomizer.systems.xconq.period.period import Period


def passable_terrains_by_kind(period: Period, battlemap: BattleMap) -> dict[str, set[int]]:
    """Return the terrains that each type of unit can move on, by the name of its kind.

    Terrains are codes of the map: {"tank": {2, 4, 5}, "ship": {0, 1}}. Types that cannot move are
    left out, and so are terrains of the map that the period does not have.
    """
    types_by_name = {
        terrain_type.name: index
        for index, terrain_type in enumerate(terrain_set_of(period).terrains)
    }
    type_by_code = {
        code: types_by_name[terrain.name]
        for code, terrain in enumerate(battlemap.terrain_set.terrains)
        if terrain.name in types_by_name
    }
    speed = period.row("speed")
    moves = period.table("moves")
    result: dict[str, set[int]] = {}
    for name, unit in kind_numbers(period).items():
        if speed[unit] > 0:
            result[name] = {
                code for code, terrain in type_by_code.items() if moves[unit, terrain] >= 0
            }
    return result


def shuffle_units(
    battlemap: BattleMap,
    composite: Composite,
    period: Period,
    unit_ids: Iterable[int],
    max_hexes: int,
    seed: int,
) -> Edit | None:
    """Return the edit that moves each of these units some hexes; None for no change.

    Units that cannot move, and those that another one carries, stay; what a unit carries goes with
    it. A unit takes a way of at most ``max_hexes`` over terrain that it can move on, and ends on
    an empty hex, each of those (and its own) as likely as the others. Units of locked layers stay.
    """
    grid = battlemap.grid
    board = _Board(battlemap, composite, period)
    moved: list[Thing] = []
    # In the order of their ids, as a unit that moves takes a free cell away from later ones.
    for unit_id in sorted(unit_ids):
        unit = board.units[unit_id]
        cell = grid.cell_at(unit.x, unit.y)
        if cell < 0 or not board.can_move(unit):
            continue
        free_cells = [cell]
        for target in _reachable_cells(grid, cell, max_hexes, board.open_cells[unit.kind]):
            if not board.units_on_cell[target]:
                free_cells.append(target)
        random_number = word(seed, unit_id, max_hexes)
        new_cell = free_cells[random_number % len(free_cells)]
        if new_cell != cell:
            x, y = grid.centre(new_cell)
            for load_id in board.load(unit_id):
                moved.append(replace(board.units[load_id], x=x, y=y))
            board.move_unit(cell, new_cell)
    return change_things(battlemap, moved)


class _Board:
    """The units of a map while they are shuffled, with what they carry and where they can move."""

    def __init__(self, battlemap: BattleMap, composite: Composite, period: Period) -> None:
        grid = battlemap.grid
        self.units: dict[int, Thing] = {}
        """The units of all layers, hidden ones, too, by id."""
        self._locked_ids: set[int] = set()
        for layer in battlemap.layers:
            self.units.update(layer.things)
            if layer.locked:
                self._locked_ids.update(layer.things)

        self._carriers = carriers_on(battlemap)
        self._cargo: dict[int, list[int]] = defaultdict(list)
        for unit_id, carrier_id in self._carriers.items():
            self._cargo[carrier_id].append(unit_id)

        self.units_on_cell: Counter[int] = Counter()
        """The number of units on each cell, without carried ones."""
        for unit in self.units.values():
            if unit.id not in self._carriers:
                self.units_on_cell[grid.cell_at(unit.x, unit.y)] += 1

        spec = battlemap.system.terrain
        assert spec is not None
        terrain = composite.planes[spec.name].reshape(-1)
        is_inner = np.ones(grid.size, np.bool_)
        is_inner[edge_cells(grid)] = False
        self.open_cells: dict[str, NDArray[np.bool_]] = {
            kind: is_inner & np.isin(terrain, sorted(codes))
            for kind, codes in passable_terrains_by_kind(period, battlemap).items()
        }
        """For each kind of unit that can move: True for the cells that it can enter, (size,)."""

    def can_move(self, unit: Thing) -> bool:
        """Return whether a unit can move by itself, and nothing of it or in it is locked."""
        if unit.id in self._carriers or unit.kind not in self.open_cells:
            return False
        return self._locked_ids.isdisjoint(self.load(unit.id))

    def load(self, unit_id: int) -> list[int]:
        """Return the ids of a unit and of all that it carries, and what these carry."""
        loaded_ids = []
        queue = [unit_id]
        while queue:
            next_id = queue.pop()
            loaded_ids.append(next_id)
            queue += self._cargo.get(next_id, ())
        return loaded_ids

    def move_unit(self, cell: int, new_cell: int) -> None:
        """Note that a unit, with all that it carries, has moved from one cell to another."""
        self.units_on_cell[cell] -= 1
        self.units_on_cell[new_cell] += 1


def _reachable_cells(
    grid: Grid, cell: int, max_steps: int, is_open: NDArray[np.bool_]
) -> list[int]:
    """Return the other cells, ascending, that are at most ``max_steps`` away over open cells.

    ``is_open`` has a value for each cell, shape (size,). The search spreads from the cell ring by
    ring.
    """
    table = grid.neighbour_table
    is_unvisited = is_open.copy()
    is_unvisited[cell] = False
    ring = np.array([cell])
    rings = []
    for _step in range(max_steps):
        neighbours = np.unique(table[ring])
        neighbours = neighbours[neighbours >= 0]  # -1 stands for the outside of the map
        ring = neighbours[is_unvisited[neighbours]]
        if not len(ring):
            break
        is_unvisited[ring] = False
        rings.append(ring)
    if not rings:
        return []
    return sorted(np.concatenate(rings).tolist())
