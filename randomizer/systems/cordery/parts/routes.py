"""What rivers, roads and railways share: two ends by dice, and the cheapest way between them.

A route enters the table at one point of its edge and leaves it at another. Dice choose both, and
where several ways between them are equally cheap, a die chooses among these at each fork.
``rim_points`` chooses the ends, ``route_moves`` has the moves of a route and their costs, and
``route_search`` finds the cheapest ways.

``water`` and ``roads`` call ``route_ends`` and then ``add_route`` for each of their routes::

    ends = route_ends(builder, "road 1")
    if ends is not None:
        steps = add_route(builder, "road 1", "roads", ROAD, ends)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.parts.rim_points import RimPoint, choose_rim_point
from randomizer.systems.cordery.parts.route_search import Step, Walk, Ways, cheapest_ways
from randomizer.systems.cordery.table.counting_order import outward_side
from randomizer.systems.cordery.table.feature_places import decided_area
from randomizer.systems.cordery.table.features import LAKE, RIVER
from randomizer.systems.cordery.table.route_costs import AREA, BUILT
from randomizer.systems.cordery.table.route_moves import Exit, RouteMoves
from randomizer.systems.cordery.table.table_builder import TableBuilder

LARGEST_DETOUR = 4 * AREA
"""The additional cost at which a way still bends to pass a village or town: that of four areas.

With a larger one routes would pass villages that are farther from the direct way.
"""


class RouteEnds(NamedTuple):
    """The two points of the map edge between which a route runs."""

    entry: RimPoint
    exit: RimPoint

    def outward_sides(self, grid: Grid) -> tuple[int, int]:
        """Return the sides of the two areas by which the route enters and leaves the table."""
        return outward_side(grid, *self.entry), outward_side(grid, *self.exit)


def route_ends(builder: TableBuilder, name: str) -> RouteEnds | None:
    """Throw or decide the two areas at which a route enters and leaves the table.

    They are on the rim, and neither hills nor mountains nor locked. If there are no two such areas,
    a warning is added and the result is None.
    """
    table = builder.table
    throws = builder.throws

    def is_free(cell: int) -> bool:
        return not table.is_high(cell) and cell not in table.locked

    entry = choose_rim_point(builder, f"{name} entry", clockwise_from=0, is_free=is_free)
    if entry is not None:
        entry_cell = entry.point.cell

        def is_free_exit(cell: int) -> bool:
            return cell != entry_cell and is_free(cell)

        # The quarter of the exit is counted on from that of the entry.
        exit_choice = choose_rim_point(
            builder, f"{name} exit", clockwise_from=entry.quarter, is_free=is_free_exit
        )
        if exit_choice is not None:
            return RouteEnds(entry.point, exit_choice.point)
    table.warn("no-rim", f"step {throws.step}: the rim has no free area for {name}.")
    return None


def add_route(
    builder: TableBuilder,
    name: str,
    part: str,
    kind: str,
    ends: RouteEnds,
    areas_to_pass: Collection[int] = (),
) -> list[Step] | None:
    """Add a route by the cheapest way between two points of the map edge, and return its steps.

    If there is no way, a warning is added and the result is None.

    Args:
        builder: The table that is being built.
        name: The name of the route in the log and in decisions: "road 1".
        part: The part of the page to whose layer the route belongs.
        kind: RIVER, ROAD or RAIL.
        ends: The points at which it enters and leaves the table.
        areas_to_pass: The areas of villages and those beside them; the route bends a little to
            pass one of them, which is enough.

    Raises ProblemError if a person has decided an area that the route is to pass ("``name``
    through"), and no way passes it.
    """
    table = builder.table
    grid = table.grid
    through = Decision(f"{name} through", DecisionKind.AREA)
    through_cell = decided_area(grid, builder.throws, through, builder.name_of)
    walk = Walk(grid, builder.throws, name, builder.name_of)
    if through_cell is None or through_cell in (ends.entry.cell, ends.exit.cell):
        ways = _cheapest_ways(builder, name, kind, ends, areas_to_pass)
        if ways is None:
            words = f"There is no way for {name}: it is left out."
            builder.throws.say(words)
            table.warn("no-way", f"step {builder.throws.step}: {words}")
            return None
    else:
        ways = _walk_through(builder, walk, kind, ends, through_cell)
        if ways is None:
            message = f"{through.name} {builder.name_of(through_cell)}: there is no way"
            raise error("decision", message)
    walk.go(ways)
    steps = walk.steps()

    route = table.routes[kind]
    route.join(grid, [step.cell for step in steps])
    for point in ends:
        route.add_exit(point.cell, outward_side(grid, *point))
    record_route(builder, name, part, kind, steps)
    return steps


def _cheapest_ways(
    builder: TableBuilder, name: str, kind: str, ends: RouteEnds, areas_to_pass: Collection[int]
) -> Ways | None:
    """Return the cheapest ways from end to end, None if there is no way.

    If some ways pass one of ``areas_to_pass``, and cost at most ``LARGEST_DETOUR`` more, these are
    returned instead.
    """
    table = builder.table
    grid = table.grid
    entry_side, exit_side = ends.outward_sides(grid)
    leaving = Exit(ends.exit.cell, exit_side)
    # A route that is to pass a village may run through its houses at no cost.
    house_cost = BUILT
    if areas_to_pass:
        house_cost = 0

    moves = RouteMoves(table, kind, leaving=leaving, houses=house_cost)
    ways = cheapest_ways(moves, moves.enter_at(ends.entry.cell, entry_side))
    if ways is None:
        return None
    if not areas_to_pass:
        return ways

    moves = RouteMoves(table, kind, leaving=leaving, houses=house_cost, areas_to_pass=areas_to_pass)
    bending_ways = cheapest_ways(moves, moves.enter_at(ends.entry.cell, entry_side))
    if bending_ways is None or bending_ways.cost > ways.cost + LARGEST_DETOUR:
        return ways
    if bending_ways.cost > ways.cost:
        builder.throws.say(f"{name.capitalize()} bends to pass a village or town")
    return bending_ways


def _walk_through(
    builder: TableBuilder, walk: Walk, kind: str, ends: RouteEnds, through_cell: int
) -> Ways | None:
    """Walk from the entry to a decided area, and return the ways on from there to the exit.

    The walk has then ended in that area: the caller walks one of the ways returned. None if there
    is no way to the area or from there. The second half avoids the areas of the first one, so that
    the route never runs over itself.
    """
    table = builder.table
    grid = table.grid
    entry_side, exit_side = ends.outward_sides(grid)
    leaving = Exit(ends.exit.cell, exit_side)

    moves_to_area = RouteMoves(table, kind, avoided=(ends.exit.cell,))
    starts = moves_to_area.enter_at(ends.entry.cell, entry_side)
    ways_to_area = cheapest_ways(moves_to_area, starts, goals=(through_cell,))
    if ways_to_area is None:
        return None
    walk.go(ways_to_area)

    walked_cells = set(walk.cells) - {through_cell}
    moves_to_exit = RouteMoves(table, kind, leaving=leaving, avoided=walked_cells)
    return cheapest_ways(moves_to_exit, walk.last)


def record_route(
    builder: TableBuilder, name: str, part: str, kind: str, steps: Sequence[Step]
) -> None:
    """Log a way, and set its line as the origin of its areas in the layer of ``part``.

    If it crosses hills or lakes, that is logged, too, and a warning is added: a way goes there only
    if there is no other one.
    """
    table = builder.table
    throws = builder.throws
    cells = [step.cell for step in steps]

    names = []
    for step in steps:
        cell_name = builder.name_of(step.cell)
        if step.words:
            cell_name = f"{cell_name} ({step.words})"
        names.append(cell_name)
    line = throws.say(f"{name.capitalize()} runs through {', '.join(names)}", *cells)
    table.set_origin(part, cells, line)

    hill_cells = [cell for cell in cells if cell in table.contours]
    if hill_cells:
        hill_names = ", ".join(map(builder.name_of, hill_cells))
        words = f"Hills bar every way: {name} goes through the lowest, at {hill_names}."
        throws.say(words, *hill_cells)
        table.warn("through-hills", f"step {throws.step}: {words}")

    lake_cells: list[int] = []
    if kind != RIVER:  # a river runs through lakes at no cost
        lake_cells = [cell for cell in cells if table.ground.get(cell) == LAKE]
    if lake_cells:
        lake_names = ", ".join(map(builder.name_of, lake_cells))
        words = f"No other way is left: {name} goes over the lake at {lake_names}."
        throws.say(words, *lake_cells)
        table.warn("over-lake", f"step {throws.step}: {words}")
