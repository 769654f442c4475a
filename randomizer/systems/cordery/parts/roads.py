"""Parts 3 and 6 of Cordery's page: roads, tracks and railways.

The page is a list of steps by which a wargamer lays out a table with dice; its areas are the cells
of the table. The ``generator`` calls ``add_roads`` for part 3, ``join_villages`` once part 5 has
placed the villages, and ``add_railways`` for part 6. All three build while they are iterated over,
and yield the number of each step when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import crossing_cells
from randomizer.systems.cordery.dice.scores import options_text, other_scores
from randomizer.systems.cordery.dice.tables import BRIDGE as BRIDGE_SCORES
from randomizer.systems.cordery.parts.habitation import place_titles
from randomizer.systems.cordery.parts.route_search import Step, Walk, cheapest_ways
from randomizer.systems.cordery.parts.routes import add_route, record_route, route_ends
from randomizer.systems.cordery.table.broad_rivers import broad_areas
from randomizer.systems.cordery.table.counting_order import side_towards
from randomizer.systems.cordery.table.features import BRIDGE, FORD, RAIL, RIVER, ROAD, SETTLEMENT
from randomizer.systems.cordery.table.route_moves import RouteMoves
from randomizer.systems.cordery.table.table_builder import TableBuilder


def add_roads(builder: TableBuilder) -> Iterator[str]:
    """Add roads or tracks; yield the number of each step when it is done.

    Steps 3.1 and 3.2: where each enters, leaves and runs. Step 3.3: a die for each crossing of a
    river; it is skipped where no river is on the table. Step 3.4 follows part 5: see
    ``join_villages``.
    """
    table = builder.table
    throws = builder.throws
    road_noun = builder.choices.road  # "road" or "track"
    river = table.routes[RIVER].links
    # Roads that were drawn by hand cross rivers, too: dice for their crossings come first.
    throws.begin("3.3")
    for cell in _areas_crossed_by_hand(builder):
        step = Step(cell, crossed=(RIVER,))
        _add_crossings(builder, f"{road_noun} at {builder.name_of(cell)}", "roads", [step])
    for number in range(1, builder.choices.roads + 1):
        name = f"{road_noun} {number}"
        throws.begin("3.1")
        ends = route_ends(builder, name)
        if ends is not None:
            steps = add_route(builder, name, "roads", ROAD, ends)
            throws.begin("3.3")
            if steps is not None:
                _add_crossings(builder, name, "roads", steps)
    yield "3.1"  # with 3.2: a road is one area wide, and no die is thrown for that
    if river:
        yield "3.3"


def _areas_crossed_by_hand(builder: TableBuilder) -> list[int]:
    """Return the areas in which roads that were drawn by hand cross a river, ascending.

    A road and a river that only share an area, or run along each other, do not cross.
    """
    grid = builder.table.grid
    river_links = builder.table.routes[RIVER].links
    road_links = builder.table.routes[ROAD].links
    shared_areas = sorted(river_links.keys() & road_links.keys())
    broad = broad_areas(grid, river_links)
    river_sides = _linked_sides(grid, river_links)
    # Where a river is two areas wide, each of them is all water. So a road in such an area crosses
    # the river in any case, and its links do not tell where the river runs.
    river_sides[list(broad)] = False
    narrow_areas = [cell for cell in shared_areas if cell not in broad]
    crossed = crossing_cells(grid, [river_sides, _linked_sides(grid, road_links)], narrow_areas)
    return sorted({*crossed, *broad.intersection(shared_areas)})


def _linked_sides(grid: Grid, links: Mapping[int, int]) -> NDArray[np.bool_]:
    """Return links as booleans, shape (areas of the grid, sides): True where a route leaves."""
    is_linked = np.zeros((grid.size, grid.degree), np.bool_)
    for cell, sides in links.items():
        bits = (sides >> np.arange(grid.degree)) & 1
        is_linked[cell] = bits == 1
    return is_linked


def join_villages(builder: TableBuilder) -> Iterator[str]:
    """Join each village, town and city that no road passes with the nearest road: step 3.4.

    A road passes a village if it runs through one of its areas or beside one. If nothing is joined,
    the log says why. The step is called after part 5, since only then the villages are known.
    """
    table = builder.table
    throws = builder.throws
    road = table.routes[ROAD]
    throws.begin("3.4")
    titles = place_titles(table)
    if not titles:
        throws.say("There is no village or town to join to a road")
    elif not road.links:
        throws.say("No road crosses this table: villages and towns are joined to none")
    for areas in table.places:
        if not road.links or areas[0] not in titles:
            continue
        title = titles[areas[0]]
        # A road to one village can pass the next one.
        if _is_passed(builder, areas):
            names = ", ".join(map(builder.name_of, areas))
            throws.say(f"{title.capitalize()} at {names}: a road passes it", *areas)
        else:
            _join_to_road(builder, f"{builder.choices.road} to {title}", areas)
    yield "3.4"


def _is_passed(builder: TableBuilder, village: Sequence[int]) -> bool:
    """Return whether a road runs through one of a village's areas, or beside one."""
    areas_at_village = set(village)
    for area in village:
        areas_at_village.update(builder.table.grid.neighbours(area))
    return not areas_at_village.isdisjoint(builder.table.routes[ROAD].links)


def _join_to_road(builder: TableBuilder, name: str, village: Sequence[int]) -> None:
    """Add a road, called ``name``, from a village to the nearest road, with its crossings; log it.

    It takes the cheapest way. If there is no way, a warning is added instead.
    """
    table = builder.table
    throws = builder.throws
    grid = table.grid
    road = table.routes[ROAD]
    moves = RouteMoves(table, ROAD)
    starts = [moves.begin_at(area) for area in village]
    ways = cheapest_ways(moves, starts, road.links)
    if ways is None:
        words = f"There is no way for the {name}: it is left out."
        throws.say(words)
        table.warn("no-way", f"step 3.4: {words}")
        return
    walk = Walk(grid, throws, name, builder.name_of)
    walk.go(ways)

    # The road ends at the side of the houses: the village's own area holds no piece of road.
    # There are an area of the village and one of the road at least, with one between them, since
    # no road passes the village.
    house, *steps = walk.steps()
    cells = [step.cell for step in steps]
    road.join(grid, cells)
    side_of_house = side_towards(grid, cells[0], house.cell)
    road.add_exit(cells[0], side_of_house)
    # The road belongs to the layer of the village, so that it goes when part 5 is thrown again.
    record_route(builder, name, "habitation", ROAD, steps)
    _add_crossings(builder, name, "habitation", steps)


def _add_crossings(builder: TableBuilder, name: str, part: str, steps: Sequence[Step]) -> None:
    """Add a ford or a bridge wherever a way crosses a river, by a die for each of them: step 3.3.

    ``name`` is that of the road, ``part`` the part of the page to whose layer the crossings belong.
    Areas that have a crossing already keep it.
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
            # Two areas of river in a row look like one river two areas wide, even where they are
            # two rivers side by side: both areas have one ford, or one bridge.
            table.crossings[cell] = previous_kind
        else:
            number += 1
            previous_kind = _add_crossing(builder, f"{name} crossing {number}", cell)
        table.set_origin(part, (cell,), len(throws.log) - 1)


def _add_crossing(builder: TableBuilder, name: str, cell: int) -> str:
    """Add a crossing of a road and a river to an area, and return its kind: FORD or BRIDGE.

    A decision gives the kind, or else a die. If the box has no piece more of the kind that was
    thrown, the crossing is of the other kind, unless that is used up, too. The box does not limit
    decisions.
    """
    throws = builder.throws
    kind = throws.ask_word(name, (FORD, BRIDGE))
    if kind is not None:
        reason = "as decided"
    else:
        options = {"a ford": other_scores(BRIDGE_SCORES), "a bridge": BRIDGE_SCORES}
        score = throws.d6(f"{name} die", options_text(options))
        reason = f"D6 = {score}"
        if score in BRIDGE_SCORES:
            kind = BRIDGE
            substitute = FORD
        else:
            kind = FORD
            substitute = BRIDGE
        if _is_used_up(builder, kind) and not _is_used_up(builder, substitute):
            reason = f"{reason}, but the box holds no {kind} any more"
            kind = substitute
    builder.table.crossings[cell] = kind
    throws.say(f"{name.capitalize()} at {builder.name_of(cell)}: {reason}: a {kind}", cell)
    return kind


def _is_used_up(builder: TableBuilder, kind: str) -> bool:
    """Return whether the table holds all fords, or all bridges, of the box."""
    used = sum(crossing == kind for crossing in builder.table.crossings.values())
    return builder.is_used_up(kind, used)


def add_railways(builder: TableBuilder) -> Iterator[str]:
    """Add railways; yield the number of each step when it is done.

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
        areas_to_pass = set[int]()
        if builder.choices.detour:
            areas_to_pass = _areas_at_villages(builder)
        steps = add_route(builder, name, "railways", RAIL, ends, areas_to_pass)
        if steps is None:
            steps = []  # there is no way; the two steps are begun all the same
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
    """Log the areas in which a railway crosses a river (``route`` RIVER) or a road (ROAD).

    ``noun`` is the crossing that the line tells: "a level crossing".
    """
    for step in steps:
        if route in step.crossed:
            area = builder.name_of(step.cell)
            builder.throws.say(f"{name.capitalize()} has {noun} at {area}", step.cell)


def _areas_at_villages(builder: TableBuilder) -> set[int]:
    """Return the areas of villages, towns and cities, and those beside them."""
    table = builder.table
    areas = set[int]()
    for village in table.places:
        for area in village:
            # No railway bends for a settlement, which is a place of one area, or an area that a
            # person has painted as one.
            if len(village) > 1 and table.ground.get(area) != SETTLEMENT:
                areas.add(area)
                areas.update(table.grid.neighbours(area))
    return areas
