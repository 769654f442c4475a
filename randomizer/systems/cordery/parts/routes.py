"""What rivers, roads and railways share: two ends by dice, and the cheapest way between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from randomizer.model.problems import error
from randomizer.systems.cordery.dice.throws import Decision
from randomizer.systems.cordery.parts.route_search import RimPoint, Step, Walk, Ways, rim_point
from randomizer.systems.cordery.table.counting_order import outward_side
from randomizer.systems.cordery.table.feature_places import decided_area
from randomizer.systems.cordery.table.features import LAKE, RIVER
from randomizer.systems.cordery.table.route_costs import AREA, BUILT, RouteCosts
from randomizer.systems.cordery.table.table_builder import TableBuilder

MOST_BEND = 4 * AREA
"""How much more a way may cost that bends to pass a place."""

Ends = tuple[RimPoint, RimPoint]


def route_ends(builder: TableBuilder, name: str) -> Ends | None:
    """Return where a route enters and leaves, by two dice; None, with a warning, if no area is
    free.

    At the rim hills, mountains and locked areas are not free.
    """
    table = builder.table
    grid = builder.table.grid
    throws = builder.throws

    def free(cell: int) -> bool:
        return not table.high(cell) and cell not in table.locked

    entry = rim_point(grid, throws, f"{name} entry", 0, free, builder.name)
    if entry is not None:
        start, quarter = entry
        leave = rim_point(
            grid,
            throws,
            f"{name} exit",
            quarter,
            lambda cell: cell != start.cell and free(cell),
            builder.name,
        )
        if leave is not None:
            return start, leave[0]
    table.warn("no-rim", f"step {throws.step}: the rim has no free area for {name}.")
    return None


def add_route(
    builder: TableBuilder,
    name: str,
    part: str,
    kind: str,
    ends: Ends,
    passing: Collection[int] = (),
) -> list[Step] | None:
    """Add the cheapest way between two points of the map edge, for a route of a ``kind``.

    It bends a little to pass one of the areas ``passing``, inhabited ones among them. The decision
    "``name`` through" sets an area that it passes instead. None, with a warning, if there is no
    way; a warning too if it crosses hills. Raises ProblemError if none passes the decided area.
    """
    table = builder.table
    throws = builder.throws
    grid = builder.table.grid
    start, end = ends
    entering, leaving = (outward_side(grid, *point) for point in ends)
    led = Decision(f"{name} through")
    through = decided_area(grid, throws, led, builder.name)
    walk = Walk(grid, throws, name, builder.name)
    houses = 0 if passing else BUILT
    costs = RouteCosts(table, kind, leaving=(end.cell, leaving), houses=houses)
    if through is not None and through not in (start.cell, end.cell):
        first = RouteCosts(table, kind, avoided=(end.cell,))
        ways = Ways(first, first.enter_at(start.cell, entering), (through,))
        if ways.cost is not None:
            walk.go(ways)
            gone = {*walk.cells} - {through}
            second = RouteCosts(table, kind, leaving=(end.cell, leaving), avoided=gone)
            ways = Ways(second, walk.last)
        if ways.cost is None:
            raise error("decision", f"{led.name} {builder.name(through)}: there is no way")
    else:
        ways = Ways(costs, costs.enter_at(start.cell, entering))
        if ways.cost is None:
            words = f"There is no way for {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step {throws.step}: {words}")
            return None
        if passing:
            bent = RouteCosts(
                table, kind, leaving=(end.cell, leaving), houses=houses, passing=passing
            )
            bending = Ways(bent, bent.enter_at(start.cell, entering))
            if bending.cost is not None and bending.cost <= ways.cost + MOST_BEND:
                if bending.cost > ways.cost:
                    throws.say(f"{name.capitalize()} bends to pass a village or town")
                ways = bending
    walk.go(ways)
    steps = walk.steps()
    route = table.routes[kind]
    route.join(grid, [step.cell for step in steps])
    route.leave(start.cell, entering)
    route.leave(end.cell, leaving)
    log_route(builder, name, part, kind, steps)
    return steps


def log_route(
    builder: TableBuilder, name: str, part: str, kind: str, steps: Sequence[Step]
) -> None:
    """Log a way, and the hills and lakes through which it goes as there is no way around."""
    table = builder.table
    throws = builder.throws
    way = [step.cell for step in steps]
    names = ", ".join(
        builder.name(step.cell) + (f" ({step.words})" if step.words else "") for step in steps
    )
    table.set_origin(part, way, throws.say(f"{name.capitalize()} runs through {names}", *way))
    hill_cells = [cell for cell in way if cell in table.contours]
    if hill_cells:
        hill_names = ", ".join(map(builder.name, hill_cells))
        words = f"Hills bar every way: {name} goes through the lowest, at {hill_names}."
        throws.say(words, *hill_cells)
        table.warn("through-hills", f"step {throws.step}: {words}")
    wet = [cell for cell in way if table.ground.get(cell) == LAKE and kind != RIVER]
    if wet:
        hill_names = ", ".join(map(builder.name, wet))
        words = f"No other way is left: {name} goes over the lake at {hill_names}."
        throws.say(words, *wet)
        table.warn("over-lake", f"step {throws.step}: {words}")
