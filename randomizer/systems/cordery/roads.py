"""Part 3 of the page: roads and tracks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from randomizer.systems.cordery.features import BRIDGE, FORD, MOUNTAIN, RIVER, ROAD, TREES
from randomizer.systems.cordery.route_search import (
    Step,
    StepCost,
    costs_to,
    most_direct,
    side_towards,
)
from randomizer.systems.cordery.routes import (
    IN_RIVER,
    ROUND_HILLS,
    ROUND_TREES,
    add_route,
    log_route,
    route_ends,
)
from randomizer.systems.cordery.table_builder import TableBuilder
from randomizer.systems.cordery.tables import BRIDGE as BRIDGE_SCORES


def add_roads(builder: TableBuilder) -> Iterator[str]:
    """Steps 3.1 to 3.3."""
    table, throws, word = builder.table, builder.throws, builder.choices.road
    river = table.routes[RIVER].links
    throws.begin("3.3")
    for cell in sorted(river.keys() & table.routes[ROAD].links.keys()):  # roads drawn by hand
        _cross(builder, f"{word} at {builder.name(cell)}", "roads", [cell])
    for number in range(1, builder.choices.roads + 1):
        name = f"{word} {number}"
        throws.begin("3.1")
        ends = route_ends(builder, name, lambda cell: table.bare(cell) and not table.high(cell))
        if ends is not None:
            way = add_route(builder, name, "roads", table.routes[ROAD], ends, _cost(builder))
            throws.begin("3.3")
            _cross(builder, name, "roads", [] if way is None else way)
    yield "3.1"
    if river:
        yield "3.3"


def join_places(builder: TableBuilder) -> Iterator[str]:
    """Step 3.4, after part 5: join villages and towns that no road passes beside."""
    table, throws, grid = builder.table, builder.throws, builder.table.grid
    road = table.routes[ROAD]
    throws.begin("3.4")
    for number, place in enumerate(table.places, 1):
        near = {cell for area in place for cell in (area, *grid.neighbours(area))}
        if len(place) < 2 or not near.isdisjoint(road.links) or not road.links:
            continue
        name = f"{builder.choices.road} to {table.ground[place[0]].lower()} {number}"
        way = _shortest_join(builder, name, place)
        if way is None:
            words = f"There is no way for the {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step 3.4: {words}")
            continue
        door, *rest = (step.cell for step in way)
        road.join(grid, rest)
        road.leave(rest[0], side_towards(grid, rest[0], door))
        log_route(builder, name, "habitation", way[1:])  # belongs to the part that placed the place
        _cross(builder, name, "habitation", rest)
    yield "3.4"


def _shortest_join(builder: TableBuilder, name: str, place: Sequence[int]) -> list[Step] | None:
    """The most direct path from any area of a place to any road; ties go to the first area."""
    grid, goals, cost = builder.table.grid, builder.table.routes[ROAD].links, _cost(builder)

    def cost_out(here: int, there: int) -> int | None:
        return cost(here, there) if there not in place else None

    left = costs_to(grid, goals, cost_out)
    doors = [area for area in place if area in left]
    if not doors:
        return None
    door = min(doors, key=left.__getitem__)
    return most_direct(grid, builder.throws, name, door, goals, cost_out, builder.name)


def _cost(builder: TableBuilder) -> StepCost:
    """The cost of a road's step. None into mountains, lakes, marshes, houses, and along a river."""
    table = builder.table
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


def _cross(builder: TableBuilder, name: str, kind_of_layer: str, way: Sequence[int]) -> None:
    """Step 3.3: one die for each crossing of a river decides between ford and bridge."""
    table, throws = builder.table, builder.throws
    river = table.routes[RIVER].links
    number = 0
    kind = ""
    for cell, before in zip(way, (-1, *way), strict=False):
        if cell not in river or cell in table.crossings:
            kind = table.crossings.get(cell, "")
            continue
        if before not in river or not kind:
            number += 1
            kind = _crossing(builder, f"{name} crossing {number}", cell)
        else:
            table.crossings[cell] = kind
        table.set_origin(kind_of_layer, (cell,), len(throws.log) - 1)


def _crossing(builder: TableBuilder, name: str, cell: int) -> str:
    throws = builder.throws
    kind = throws.decided_word(name, (FORD, BRIDGE))
    how = "as decided"
    if kind is None:
        score = throws.d6(f"{name} die")
        kind, how = (BRIDGE if score in BRIDGE_SCORES else FORD), f"D6 = {score}"
        other = FORD if kind == BRIDGE else BRIDGE
        if _used_up(builder, kind) and not _used_up(builder, other):
            kind, how = other, f"{how}, but the box holds no {kind} any more"
    builder.table.crossings[cell] = kind
    throws.say(f"{name.capitalize()} at {builder.name(cell)}: {how}: a {kind}", cell)
    return kind


def _used_up(builder: TableBuilder, kind: str) -> bool:
    return builder.used_up(kind, sum(what == kind for what in builder.table.crossings.values()))
