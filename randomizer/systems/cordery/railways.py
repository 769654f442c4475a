"""Part 6 of the page: railways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from randomizer.systems.cordery.features import HABITATION, RAIL, RIVER, ROAD, TREES
from randomizer.systems.cordery.route_search import Step, StepCost, costs_to
from randomizer.systems.cordery.routes import (
    IN_RIVER,
    ROUND_HILLS,
    ROUND_TREES,
    Ends,
    add_route,
    route_ends,
    route_through,
)
from randomizer.systems.cordery.table_builder import TableBuilder


def add_railways(builder: TableBuilder) -> Iterator[str]:
    """Steps 6.1 to 6.3."""
    table, throws = builder.table, builder.throws
    rail = table.routes[RAIL]
    for number in range(1, builder.choices.railways + 1):
        name = f"railway {number}"
        throws.begin("6.1")
        ends = route_ends(builder, name, _open_to_rails(builder))
        if ends is None:
            continue
        bend = partial(_detour, builder, name, ends)
        way = add_route(builder, name, "railways", rail, ends, _cost(builder), bend)
        for step, what, route in (
            ("6.2", "a bridge over the river", table.routes[RIVER]),
            ("6.3", "a level crossing", table.routes[ROAD]),
        ):
            throws.begin(step)
            for cell in dict.fromkeys(way or ()):
                if cell in route.links:
                    throws.say(f"{name.capitalize()} has {what} at {builder.name(cell)}", cell)
    yield "6.1"
    yield "6.2"
    yield "6.3"


def _open_to_rails(builder: TableBuilder) -> Callable[[int], bool]:
    """A test whether a railway can meet the map edge in an area; it can cross a road there."""
    table = builder.table
    taken = {*table.contours, *table.ground, *table.locked, *table.routes[RIVER].links}
    return lambda cell: cell not in taken


def _cost(builder: TableBuilder) -> StepCost:
    """The cost of a railway's step.

    None into mountains, lakes and marshes and along rivers and roads. Inhabited areas are passed
    only if the choice ``detour`` is set; trees are avoided if possible.
    """
    table = builder.table
    river, road, rail = (table.routes[kind] for kind in (RIVER, ROAD, RAIL))

    def cost(here: int, there: int) -> int | None:
        ground = table.ground.get(there)
        through = builder.choices.detour and ground in HABITATION
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


def _detour(builder: TableBuilder, name: str, ends: Ends) -> list[Step]:
    """The path that bends the least to pass beside a village or town; [] if not chosen or none.

    It crosses no hill that the direct path avoids and enters no area twice.
    """
    if not builder.choices.detour:
        return []
    table, grid, cost = builder.table, builder.table.grid, _cost(builder)
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
            way = route_through(builder, name, (start, cell, end), cost)
            if way and sum(table.contours.get(each, 0) for each, _words in way) <= climb:
                where = builder.name(cell)
                builder.throws.say(f"{name.capitalize()} bends to pass a place at {where}", cell)
                return way
    return []
