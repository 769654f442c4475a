"""Part 3 of the page: roads and tracks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from randomizer.systems.cordery.features import BRIDGE, FORD, MOUNTAIN, RIVER, ROAD, TREES
from randomizer.systems.cordery.routes import Step, StepCost, costs_to, most_direct, side_towards
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.tables import BRIDGE as BRIDGE_SCORES
from randomizer.systems.cordery.ways import (
    IN_RIVER,
    ROUND_HILLS,
    ROUND_TREES,
    lay_line,
    lay_way,
    route_ends,
)


def lay_roads(laying: Laying) -> Iterator[str]:
    """Steps 3.1 to 3.3."""
    table, throws, word = laying.table, laying.throws, laying.choices.road
    river = table.routes[RIVER].links
    throws.begin("3.3")
    for cell in sorted(river.keys() & table.routes[ROAD].links.keys()):  # a hand's roads
        _cross(laying, f"{word} at {laying.name(cell)}", "roads", [cell])
    for number in range(1, laying.choices.roads + 1):
        name = f"{word} {number}"
        throws.begin("3.1")
        ends = route_ends(laying, name, lambda cell: table.bare(cell) and not table.high(cell))
        if ends is not None:
            way = lay_way(laying, name, "roads", table.routes[ROAD], ends, _cost(laying))
            throws.begin("3.3")
            _cross(laying, name, "roads", [] if way is None else way)
    yield "3.1"
    if river:
        yield "3.3"


def join_places(laying: Laying) -> Iterator[str]:
    """Step 3.4, when part 5 has been laid: villages and towns that no road passes next to."""
    table, throws, grid = laying.table, laying.throws, laying.table.grid
    road = table.routes[ROAD]
    throws.begin("3.4")
    for number, place in enumerate(table.places, 1):
        near = {cell for area in place for cell in (area, *grid.neighbours(area))}
        if len(place) < 2 or not near.isdisjoint(road.links) or not road.links:
            continue
        name = f"{laying.choices.road} to {table.ground[place[0]].lower()} {number}"
        way = _shortest_join(laying, name, place)
        if way is None:
            words = f"There is no way for the {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step 3.4: {words}")
            continue
        door, *rest = (step.cell for step in way)
        road.join(grid, rest)
        road.leave(rest[0], side_towards(grid, rest[0], door))
        lay_line(laying, name, "habitation", way[1:])  # it came with the place
        _cross(laying, name, "habitation", rest)
    yield "3.4"


def _shortest_join(laying: Laying, name: str, place: Sequence[int]) -> list[Step] | None:
    """The most direct way from any area of a place to any road, the place's first area first."""
    grid, goals, cost = laying.table.grid, laying.table.routes[ROAD].links, _cost(laying)

    def cost_out(here: int, there: int) -> int | None:
        return cost(here, there) if there not in place else None

    left = costs_to(grid, goals, cost_out)
    doors = [area for area in place if area in left]
    if not doors:
        return None
    door = min(doors, key=left.__getitem__)
    return most_direct(grid, laying.throws, name, door, goals, cost_out, laying.name)


def _cost(laying: Laying) -> StepCost:
    """What a road's step costs: none into mountains, lakes, marshes, houses, or along a river."""
    table = laying.table
    river, road = table.routes[RIVER], table.routes[ROAD]

    def cost(here: int, there: int) -> int | None:
        ground = table.ground.get(there)
        if ground == MOUNTAIN or (ground is not None and ground not in TREES):
            return None
        if there in table.locked and there not in road.links:
            return None
        if river.runs_along(table.grid, here, there):
            return None
        trees = ROUND_TREES if ground is not None else 0
        wet = IN_RIVER if there in river.links else 0
        return 1 + wet + trees + ROUND_HILLS * table.contours.get(there, 0)

    return cost


def _cross(laying: Laying, name: str, kind_of_layer: str, way: Sequence[int]) -> None:
    """Step 3.3: a ford or a bridge wherever the way crosses a river, one die a crossing."""
    table, throws = laying.table, laying.throws
    river = table.routes[RIVER].links
    number = 0
    kind = ""
    for cell, before in zip(way, (-1, *way), strict=False):
        if cell not in river or cell in table.crossings:
            kind = table.crossings.get(cell, "")
            continue
        if before not in river or not kind:
            number += 1
            kind = _crossing(laying, f"{name} crossing {number}", cell)
        else:
            table.crossings[cell] = kind
        table.put(kind_of_layer, (cell,), len(throws.log) - 1)


def _crossing(laying: Laying, name: str, cell: int) -> str:
    throws = laying.throws
    kind = throws.decided_word(name, (FORD, BRIDGE))
    how = "as decided"
    if kind is None:
        score = throws.d6(f"{name} die")
        kind, how = (BRIDGE if score in BRIDGE_SCORES else FORD), f"D6 = {score}"
        other = FORD if kind == BRIDGE else BRIDGE
        if _spent(laying, kind) and not _spent(laying, other):
            kind, how = other, f"{how}, but the box holds no {kind} any more"
    laying.table.crossings[cell] = kind
    throws.say(f"{name.capitalize()} at {laying.name(cell)}: {how}: a {kind}", cell)
    return kind


def _spent(laying: Laying, kind: str) -> bool:
    return laying.spent(kind, sum(what == kind for what in laying.table.crossings.values()))
