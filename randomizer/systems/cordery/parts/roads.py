"""Parts 3 and 6 of the page: roads, tracks and railways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from randomizer.model.grid.parallel_runs import crossing_cells
from randomizer.systems.cordery.dice.tables import BRIDGE as BRIDGE_SCORES
from randomizer.systems.cordery.parts.route_search import Step, Walk, Ways
from randomizer.systems.cordery.parts.routes import add_route, log_route, route_ends
from randomizer.systems.cordery.table.features import BRIDGE, FORD, RAIL, RIVER, ROAD, SETTLEMENT
from randomizer.systems.cordery.table.route_costs import RouteCosts, broad_areas
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_edges import side_towards


def add_roads(builder: TableBuilder) -> Iterator[str]:
    """Steps 3.1 to 3.3."""
    table = builder.table
    throws = builder.throws
    word = builder.choices.road
    river = table.routes[RIVER].links
    throws.begin("3.3")
    for cell in _crossed_by_hand(builder):
        drawn = Step(cell, crossed=(RIVER,))
        _cross(builder, f"{word} at {builder.name(cell)}", "roads", [drawn])
    for number in range(1, builder.choices.roads + 1):
        name = f"{word} {number}"
        throws.begin("3.1")
        ends = route_ends(builder, name)
        if ends is not None:
            steps = add_route(builder, name, "roads", ROAD, ends)
            throws.begin("3.3")
            _cross(builder, name, "roads", steps or [])
    yield "3.1"
    if river:
        yield "3.3"


def _crossed_by_hand(builder: TableBuilder) -> list[int]:
    """Return the areas in which roads drawn by hand cross a river, and do not just share its
    area.
    """
    grid = builder.table.grid
    routes = builder.table.routes
    links = [routes[kind].links for kind in (RIVER, ROAD)]
    shared = sorted(links[0].keys() & links[1].keys())
    broad = broad_areas(grid, links[0])
    linked = [np.zeros((grid.size, grid.degree), np.bool_) for _ in links]
    for linked_here, of_route in zip(linked, links, strict=True):
        for cell, sides in of_route.items():
            linked_here[cell] = sides >> np.arange(grid.degree) & 1 > 0
    linked[0][list(broad)] = False
    narrow = crossing_cells(grid, linked, [cell for cell in shared if cell not in broad])
    return sorted({*narrow, *broad.intersection(shared)})


def join_places(builder: TableBuilder) -> Iterator[str]:
    """Step 3.4, after part 5: join villages and towns that no road passes beside."""
    table = builder.table
    throws = builder.throws
    grid = builder.table.grid
    road = table.routes[ROAD]
    throws.begin("3.4")
    if not road.links and any(len(place) > 1 for place in table.places):
        throws.say("No road crosses this table: villages and towns are joined to none")
    for number, place in enumerate(table.places, 1):
        near = {cell for area in place for cell in (area, *grid.neighbours(area))}
        if len(place) < 2 or not near.isdisjoint(road.links) or not road.links:
            continue
        name = f"{builder.choices.road} to {table.ground[place[0]].lower()} {number}"
        costs = RouteCosts(table, ROAD)
        ways = Ways(costs, [start for area in place for start in costs.begin_at(area)], road.links)
        if ways.cost is None:
            words = f"There is no way for the {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step 3.4: {words}")
            continue
        walk = Walk(grid, throws, name, builder.name)
        walk.go(ways)
        door, *steps = walk.steps()
        cells = [step.cell for step in steps]
        road.join(grid, cells)
        road.leave(cells[0], side_towards(grid, cells[0], door.cell))
        # It belongs to the part that placed the place.
        log_route(builder, name, "habitation", ROAD, steps)
        _cross(builder, name, "habitation", steps)
    yield "3.4"


def _cross(builder: TableBuilder, name: str, part: str, steps: Sequence[Step]) -> None:
    """Step 3.3: one die for each crossing of a river decides between ford and bridge."""
    table = builder.table
    throws = builder.throws
    number = 0
    kind = ""
    for step in steps:
        cell = step.cell
        if RIVER not in step.crossed or cell in table.crossings:
            if RIVER in step.crossed:
                kind = table.crossings[cell]
            else:
                kind = ""
            continue
        if kind:  # a river two areas wide
            table.crossings[cell] = kind
        else:
            number += 1
            kind = _crossing(builder, f"{name} crossing {number}", cell)
        table.set_origin(part, (cell,), len(throws.log) - 1)


def _crossing(builder: TableBuilder, name: str, cell: int) -> str:
    throws = builder.throws
    kind = throws.decided_word(name, (FORD, BRIDGE))
    reason = "as decided"
    if kind is None:
        score = throws.d6(f"{name} die")
        kind = BRIDGE if score in BRIDGE_SCORES else FORD
        reason = f"D6 = {score}"
        other_kind = FORD if kind == BRIDGE else BRIDGE
        if _used_up(builder, kind) and not _used_up(builder, other_kind):
            reason = f"{reason}, but the box holds no {kind} any more"
            kind = other_kind
    builder.table.crossings[cell] = kind
    throws.say(f"{name.capitalize()} at {builder.name(cell)}: {reason}: a {kind}", cell)
    return kind


def _used_up(builder: TableBuilder, kind: str) -> bool:
    return builder.used_up(
        kind, sum(crossing == kind for crossing in builder.table.crossings.values())
    )


def add_railways(builder: TableBuilder) -> Iterator[str]:
    """Steps 6.1 to 6.3."""
    throws = builder.throws
    for number in range(1, builder.choices.railways + 1):
        name = f"railway {number}"
        throws.begin("6.1")
        ends = route_ends(builder, name)
        if ends is None:
            continue
        areas_to_pass = _beside_places(builder) if builder.choices.detour else ()
        steps = add_route(builder, name, "railways", RAIL, ends, areas_to_pass) or []
        for step, noun, route in (
            ("6.2", "a bridge over the river", RIVER),
            ("6.3", "a level crossing", ROAD),
        ):
            throws.begin(step)
            for area in steps:
                if route in area.crossed:
                    where = builder.name(area.cell)
                    throws.say(f"{name.capitalize()} has {noun} at {where}", area.cell)
    yield "6.1"
    yield "6.2"
    yield "6.3"


def _beside_places(builder: TableBuilder) -> set[int]:
    """Return the areas of villages and towns, and those beside them."""
    table = builder.table
    areas = {area for place in table.places if len(place) > 1 for area in place}
    areas = {area for area in areas if table.ground.get(area) != SETTLEMENT}
    return areas | {neighbour for area in areas for neighbour in table.grid.neighbours(area)}
