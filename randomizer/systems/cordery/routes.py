"""What rivers, roads and railways share: two ends by dice, and a path between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from randomizer.model.problems import error
from randomizer.systems.cordery.feature_places import decided_area
from randomizer.systems.cordery.features import Route
from randomizer.systems.cordery.route_search import RimPoint, Step, StepCost, most_direct, rim_point
from randomizer.systems.cordery.table_builder import TableBuilder
from randomizer.systems.cordery.table_edges import outward_side
from randomizer.systems.cordery.throws import Decision

ROUND_HILLS = 10_000
"""The cost of a contour: more than any path around hills."""
ROUND_TREES = 100
"""The cost of trees that stand already when a route is added."""
IN_RIVER = 3
"""The cost of an area of river for a road or railway: high enough to cross a wide one straight."""

Ends = tuple[RimPoint, RimPoint]


def route_ends(builder: TableBuilder, name: str, free: Callable[[int], bool]) -> Ends | None:
    """Where a route enters and leaves, by two dice; None, with a warning, if no area is free."""
    grid, throws = builder.table.grid, builder.throws
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
    builder.table.warn("no-rim", f"step {throws.step}: the rim has no free area for {name}.")
    return None


def add_route(
    builder: TableBuilder,
    name: str,
    kind: str,
    route: Route,
    ends: Ends,
    cost: StepCost,
    bend: Callable[[], list[Step]] = list,
) -> list[int] | None:
    """Add the most direct path between two points of the map edge, or what ``bend`` gives.

    The decision "``name`` through" sets an area it passes. None, with a warning, if there is no
    path; a warning too if it crosses hills. Raises ProblemError if no path passes the decided area.
    """
    table, throws, grid = builder.table, builder.throws, builder.table.grid
    start, end = ends
    led = Decision(f"{name} through")
    steps = bend() if led.name not in throws.fixed else []
    through = decided_area(grid, throws, led, builder.name)
    if through is not None and through not in (start.cell, end.cell):
        steps = route_through(builder, name, (start.cell, through, end.cell), cost)
        if not steps:
            raise error("decision", f"{led.name} {builder.name(through)}: there is no way")
    if not steps:
        direct = most_direct(grid, throws, name, start.cell, (end.cell,), cost, builder.name)
        if direct is None:
            words = f"There is no way for {name}: it is left out."
            throws.say(words)
            table.warn("no-way", f"step {throws.step}: {words}")
            return None
        steps = direct
    way = [step.cell for step in steps]
    route.join(grid, way)
    for cell, edge in ends:
        route.leave(cell, outward_side(grid, cell, edge))
    log_route(builder, name, kind, steps)
    return way


def route_through(
    builder: TableBuilder, name: str, points: Sequence[int], cost: StepCost
) -> list[Step]:
    """The path through three areas; [] if there is none that enters no area twice."""
    start, through, end = points
    gone = {end}

    def onward(here: int, there: int) -> int | None:
        return None if there in gone else cost(here, there)

    grid, throws = builder.table.grid, builder.throws
    way = most_direct(grid, throws, name, start, (through,), onward, builder.name)
    gone = {step.cell for step in way or ()} - {through}
    rest = way and most_direct(grid, throws, name, through, (end,), onward, builder.name)
    return [*way, *rest[1:]] if way and rest else []


def log_route(builder: TableBuilder, name: str, kind: str, steps: Sequence[Step]) -> None:
    """Log a path, and the hills that it crosses because there is no way around."""
    table, throws = builder.table, builder.throws
    way = [step.cell for step in steps]
    names = ", ".join(
        builder.name(step.cell) + (f" ({step.words})" if step.words else "") for step in steps
    )
    table.set_origin(kind, way, throws.say(f"{name.capitalize()} runs through {names}", *way))
    over = [cell for cell in way if cell in table.contours]
    if over:
        places = ", ".join(map(builder.name, over))
        words = f"Hills bar every way: {name} goes through the lowest, at {places}."
        throws.say(words, *over)
        table.warn("through-hills", f"step {throws.step}: {words}")
