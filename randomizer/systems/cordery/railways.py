"""Part 6 of the page: railways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from randomizer.systems.cordery.features import HABITATION, RAIL, RIVER, ROAD, TREES
from randomizer.systems.cordery.routes import Step, StepCost, costs_to
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.ways import (
    IN_RIVER,
    ROUND_HILLS,
    ROUND_TREES,
    Ends,
    lay_way,
    route_ends,
    way_by,
)


def lay_railways(laying: Laying) -> Iterator[str]:
    """Steps 6.1 to 6.3."""
    table, throws = laying.table, laying.throws
    rail = table.routes[RAIL]
    for number in range(1, laying.choices.railways + 1):
        name = f"railway {number}"
        throws.begin("6.1")
        ends = route_ends(laying, name, _open_to_rails(laying))
        if ends is None:
            continue
        bend = partial(_detour, laying, name, ends)
        way = lay_way(laying, name, "railways", rail, ends, _cost(laying), bend)
        for step, what, route in (
            ("6.2", "a bridge over the river", table.routes[RIVER]),
            ("6.3", "a level crossing", table.routes[ROAD]),
        ):
            throws.begin(step)
            for cell in dict.fromkeys(way or ()):
                if cell in route.links:
                    throws.say(f"{name.capitalize()} has {what} at {laying.name(cell)}", cell)
    yield "6.1"
    yield "6.2"
    yield "6.3"


def _open_to_rails(laying: Laying) -> Callable[[int], bool]:
    """Whether a railway may meet the rim in an area: a road there is crossed."""
    table = laying.table
    taken = {*table.contours, *table.ground, *table.locked, *table.routes[RIVER].links}
    return lambda cell: cell not in taken


def _cost(laying: Laying) -> StepCost:
    """None into mountains, lakes, marshes, or along a river or a road; houses are passed through
    only where the railway bends to do so, trees where there is no way around them."""
    table = laying.table
    river, road, rail = (table.routes[kind] for kind in (RIVER, ROAD, RAIL))

    def cost(here: int, there: int) -> int | None:
        ground = table.ground.get(there)
        through = laying.choices.detour and ground in HABITATION
        if ground is not None and ground not in TREES and not through:
            return None
        if there in table.locked and there not in rail.links:
            return None
        if river.runs_along(table.grid, here, there) or road.runs_along(table.grid, here, there):
            return None
        trees = ROUND_TREES if ground is not None else 0
        wet = IN_RIVER if there in river.links else 0
        return 1 + wet + trees + ROUND_HILLS * table.contours.get(there, 0)

    return cost


def _detour(laying: Laying, name: str, ends: Ends) -> list[Step]:
    """The way that bends the least to pass next to a village or town, if it may; none: [].

    No bend leads over a hill that the direct way goes round, and none comes back the way it went.
    """
    if not laying.choices.detour:
        return []
    table, grid, cost = laying.table, laying.table.grid, _cost(laying)
    start, end = ends[0].cell, ends[1].cell
    to_start, to_end = costs_to(grid, (start,), cost), costs_to(grid, (end,), cost)
    if start not in to_end:
        return []
    found: list[tuple[int, int]] = []
    for place in table.places:
        near = {cell for area in place for cell in grid.neighbours(area)} - set(place)
        for cell in near if len(place) > 1 else ():
            if cell in to_start and cell in to_end and table.bare(cell):
                hill = ROUND_HILLS * table.contours.get(cell, 0)
                found.append((to_start[cell] + to_end[cell] + hill, cell))
    climb = to_end[start] // ROUND_HILLS
    for length, cell in sorted(set(found)):
        if length // ROUND_HILLS <= climb:
            way = way_by(laying, name, (start, cell, end), cost)
            if way and sum(table.contours.get(each, 0) for each, _words in way) <= climb:
                where = laying.name(cell)
                laying.throws.say(f"{name.capitalize()} bends to pass a place at {where}", cell)
                return way
    return []
