"""Shuffling units: every unit that can move goes some hexes to where it could stand."""

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


def passable(period: Period, battlemap: BattleMap) -> dict[str, set[int]]:
    """For each type of unit that can move: the codes of terrains that it can move on."""
    names = {
        terrain_type.name: number
        for number, terrain_type in enumerate(terrain_set_of(period).terrains)
    }
    codes = [
        (code, names[terrain.name])
        for code, terrain in enumerate(battlemap.terrain_set.terrains)
        if terrain.name in names
    ]
    speed = period.row("speed")
    moves = period.table("moves")
    return {
        name: {code for code, terrain in codes if moves[number, terrain] >= 0}
        for name, number in kind_numbers(period).items()
        if speed[number] > 0
    }


def shuffle_units(
    battlemap: BattleMap,
    composite: Composite,
    period: Period,
    unit_ids: Iterable[int],
    most: int,
    seed: int,
) -> Edit | None:
    """Return the edit that moves each of these units at most ``most`` hexes; None for no change.

    Units that cannot move, and those that another one carries, stay; what a unit carries goes with
    it. A unit takes a way over terrain that it can move on, and ends on an empty hex, each of those
    (and its own) as likely as the others. Units of locked layers stay.
    """
    spec = battlemap.system.terrain
    assert spec is not None
    grid = battlemap.grid
    terrain = composite.planes[spec.name].reshape(-1)
    allowed = passable(period, battlemap)
    links = carriers_on(battlemap)
    inside = np.ones(grid.size, np.bool_)
    inside[edge_cells(grid)] = False
    open_to = {kind: inside & np.isin(terrain, sorted(codes)) for kind, codes in allowed.items()}
    cargo_by_carrier: dict[int, list[int]] = defaultdict(list)
    for unit_id, carrier_id in links.items():
        cargo_by_carrier[carrier_id].append(unit_id)
    things: dict[int, Thing] = {}
    locked_ids: set[int] = set()
    for layer in battlemap.layers:
        things.update(layer.things)
        if layer.locked:
            locked_ids.update(layer.things)
    units_on_cell: Counter[int] = Counter()
    for thing in things.values():
        if thing.id not in links:
            units_on_cell[grid.cell_at(thing.x, thing.y)] += 1
    moved: list[Thing] = []
    for thing_id in sorted(unit_ids):
        thing = things[thing_id]
        cell = grid.cell_at(thing.x, thing.y)
        if thing_id in links or thing.kind not in allowed or cell < 0:
            continue
        load = _all_aboard(thing_id, cargo_by_carrier)
        if not locked_ids.isdisjoint(load):
            continue
        reachable = _reached(grid, cell, most, open_to[thing.kind])
        free_cells = [cell]
        free_cells += [target for target in reachable if not units_on_cell[target]]
        new_cell = free_cells[word(seed, thing_id, most) % len(free_cells)]
        if new_cell != cell:
            x, y = grid.centre(new_cell)
            moved += (replace(things[load_id], x=x, y=y) for load_id in load)
            units_on_cell[cell] -= 1
            units_on_cell[new_cell] += 1
    return change_things(battlemap, moved)


def _all_aboard(thing_id: int, cargo_by_carrier: dict[int, list[int]]) -> list[int]:
    """Return a unit and all that it carries."""
    result = [thing_id]
    for carrier in result:
        result += cargo_by_carrier.get(carrier, ())
    return result


def _reached(grid: Grid, cell: int, most: int, open_to: NDArray[np.bool_]) -> list[int]:
    """Return the cells, ascending, to which a way of at most ``most`` steps leads.

    ``open_to`` says of every cell whether a way may lead there, shape (size,).
    """
    table = grid.neighbour_table
    free = open_to.copy()
    free[cell] = False
    rim = np.array([cell])
    cells = []
    for _step in range(most):
        rim = np.unique(table[rim])
        rim = rim[rim >= 0]
        rim = rim[free[rim]]
        if not len(rim):
            break
        free[rim] = False
        cells.append(rim)
    if cells:
        return sorted(np.concatenate(cells).tolist())
    return []
