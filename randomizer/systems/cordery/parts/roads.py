"""Parts 3 and 6 of the page: roads, tracks and railways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import crossing_cells
from randomizer.systems.cordery.dice.tables import BRIDGE as BRIDGE_SCORES
from randomizer.systems.cordery.parts.route_search import Step, Walk, Ways
from randomizer.systems.cordery.parts.routes import add_route, log_route, route_ends
from randomizer.systems.cordery.table.counting_order import side_towards
from randomizer.systems.cordery.table.features import BRIDGE, FORD, RAIL, RIVER, ROAD, SETTLEMENT
from randomizer.systems.cordery.table.route_costs import RouteCosts, broad_areas
from randomizer.systems.cordery.table.table_builder import TableBuilder


def add_roads(builder: TableBuilder) -> Iterator[str]:
    """Add roads or tracks.

    Steps 3.1 and 3.2: where each enters, leaves and runs. Step 3.3: a die for each crossing of a
    river. Step 3.4 follows part 5: see ``join_places``.
    """
    table = builder.table
    throws = builder.throws
    word = builder.choices.road
    river = table.routes[RIVER].links
    # Roads that a hand has drawn cross rivers, too: their crossings get their dice first.
    throws.begin("3.3")
    for cell in _crossed_by_hand(builder):
        step = Step(cell, crossed=(RIVER,))
        _cross(builder, f"{word} at {builder.name(cell)}", "roads", [step])
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
    """Return the areas in which roads drawn by hand cross a river, ascending.

    Where road and river only share an area, or run along each other, there is no crossing.
    """
    grid = builder.table.grid
    river_links = builder.table.routes[RIVER].links
    road_links = builder.table.routes[ROAD].links
    shared_areas = sorted(river_links.keys() & road_links.keys())
    broad = broad_areas(grid, river_links)
    river_sides = _linked_sides(grid, river_links)
    # A river two areas wide is water all over, so that its links say nothing of where one crosses.
    river_sides[list(broad)] = False
    narrow_areas = [cell for cell in shared_areas if cell not in broad]
    crossed = crossing_cells(grid, [river_sides, _linked_sides(grid, road_links)], narrow_areas)
    return sorted({*crossed, *broad.intersection(shared_areas)})


def _linked_sides(grid: Grid, links: Mapping[int, int]) -> NDArray[np.bool_]:
    """Return by which sides a route leaves each area, shape (size, degree)."""
    is_linked = np.zeros((grid.size, grid.degree), np.bool_)
    for cell, sides in links.items():
        is_linked[cell] = sides >> np.arange(grid.degree) & 1 > 0
    return is_linked


def join_places(builder: TableBuilder) -> Iterator[str]:
    """Join villages and towns that no road passes beside with the nearest one: step 3.4.

    It comes after part 5, since only then the villages are known.
    """
    table = builder.table
    throws = builder.throws
    grid = builder.table.grid
    road = table.routes[ROAD]
    throws.begin("3.4")
    if not road.links and any(len(place) > 1 for place in table.places):
        throws.say("No road crosses this table: villages and towns are joined to none")
    for number, village in enumerate(table.places, 1):
        areas_beside = set(village)
        for area in village:
            areas_beside.update(grid.neighbours(area))
        is_passed = not areas_beside.isdisjoint(road.links)
        if len(village) < 2 or is_passed or not road.links:
            continue
        name = f"{builder.choices.road} to {table.ground[village[0]].lower()} {number}"
        costs = RouteCosts(table, ROAD)
        starts = []
        for area in village:
            starts += costs.begin_at(area)
        ways = Ways(costs, starts, road.links)
        if ways.cost is None:
            words = f"There is no way for the {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step 3.4: {words}")
            continue
        walk = Walk(grid, throws, name, builder.name)
        walk.go(ways)
        # The road ends at the side of the houses: the village's own area holds no piece of road.
        house, *steps = walk.steps()
        cells = [step.cell for step in steps]
        road.join(grid, cells)
        road.leave(cells[0], side_towards(grid, cells[0], house.cell))
        # It belongs to the layer of the village, so that throwing part 5 again takes it away, too.
        log_route(builder, name, "habitation", ROAD, steps)
        _cross(builder, name, "habitation", steps)
    yield "3.4"


def _cross(builder: TableBuilder, name: str, part: str, steps: Sequence[Step]) -> None:
    """Let one die for each crossing of a river decide between ford and bridge: step 3.3.

    ``part`` is the part of the page to whose layer the crossings belong.
    """
    table = builder.table
    throws = builder.throws
    number = 0
    previous_kind = ""  # of the crossing in the area before this one, "" if there was none
    for step in steps:
        cell = step.cell
        if RIVER not in step.crossed:
            previous_kind = ""
            continue
        if cell in table.crossings:
            previous_kind = table.crossings[cell]
            continue
        if previous_kind:
            # The river is two areas wide: both have one ford, or one bridge.
            table.crossings[cell] = previous_kind
        else:
            number += 1
            previous_kind = _crossing(builder, f"{name} crossing {number}", cell)
        table.set_origin(part, (cell,), len(throws.log) - 1)


def _crossing(builder: TableBuilder, name: str, cell: int) -> str:
    """Add a crossing of a road and a river to an area, and return its kind: FORD or BRIDGE.

    If the box has no more of that kind, it is the other one, unless that is used up, too.
    """
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
    """Return whether all fords, or bridges, of the box are on the table."""
    used = sum(crossing == kind for crossing in builder.table.crossings.values())
    return builder.is_used_up(kind, used)


def add_railways(builder: TableBuilder) -> Iterator[str]:
    """Add railways.

    Step 6.1: where each enters, leaves and runs. Steps 6.2 and 6.3: it has a bridge wherever it
    crosses a river, a level crossing wherever it crosses a road.
    """
    throws = builder.throws
    for number in range(1, builder.choices.railways + 1):
        name = f"railway {number}"
        throws.begin("6.1")
        ends = route_ends(builder, name)
        if ends is None:
            continue
        areas_to_pass = _areas_at_villages(builder) if builder.choices.detour else ()
        steps = add_route(builder, name, "railways", RAIL, ends, areas_to_pass) or []
        throws.begin("6.2")
        _log_crossings(builder, name, steps, RIVER, "a bridge over the river")
        throws.begin("6.3")
        _log_crossings(builder, name, steps, ROAD, "a level crossing")
    yield "6.1"
    yield "6.2"
    yield "6.3"


def _log_crossings(
    builder: TableBuilder, name: str, steps: Sequence[Step], route: str, noun: str
) -> None:
    """Log where a railway crosses the routes of a kind; ``noun`` is what it has there."""
    for step in steps:
        if route in step.crossed:
            area = builder.name(step.cell)
            builder.throws.say(f"{name.capitalize()} has {noun} at {area}", step.cell)


def _areas_at_villages(builder: TableBuilder) -> set[int]:
    """Return the areas of villages and towns, and those beside them."""
    table = builder.table
    areas = set[int]()
    for village in table.places:
        for area in village:
            # No railway bends for settlements.
            if len(village) > 1 and table.ground.get(area) != SETTLEMENT:
                areas.add(area)
                areas.update(table.grid.neighbours(area))
    return areas
