"""What rivers, roads and railways have in common: two ends by dice, and a way laid between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from randomizer.model.problems import error
from randomizer.systems.cordery.feature_places import decided_area
from randomizer.systems.cordery.features import Route
from randomizer.systems.cordery.routes import RimPoint, Step, StepCost, most_direct, rim_point
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.table_edges import outward_side
from randomizer.systems.cordery.throws import Decision

ROUND_HILLS = 10_000
"""What a contour costs a route: more than any way round hills."""
ROUND_TREES = 100
"""What trees cost a route that is laid when they stand already."""
IN_RIVER = 3
"""What an area of river costs a road or railway: enough to cross a wide one straight."""

Ends = tuple[RimPoint, RimPoint]


def route_ends(laying: Laying, name: str, free: Callable[[int], bool]) -> Ends | None:
    """Where a route enters and leaves, by two dice; None, and a problem, where there is no room."""
    grid, throws = laying.table.grid, laying.throws
    entry = rim_point(grid, throws, f"{name} entry", 0, free, laying.name)
    if entry is not None:
        start, quarter = entry
        leave = rim_point(
            grid,
            throws,
            f"{name} exit",
            quarter,
            lambda cell: cell != start.cell and free(cell),
            laying.name,
        )
        if leave is not None:
            return start, leave[0]
    laying.table.warn("no-rim", f"step {throws.step}: the rim has no free area for {name}.")
    return None


def lay_way(
    laying: Laying,
    name: str,
    kind: str,
    route: Route,
    ends: Ends,
    cost: StepCost,
    bend: Callable[[], list[Step]] = list,
) -> list[int] | None:
    """Lay the most direct way between two points of the rim, or what ``bend`` finds.

    A hand may have decided "``name`` through" an area instead. None, said and warned of, where
    there is no way; said where it goes through hills or trees. Raises ProblemError where no way
    leads to what was decided.
    """
    table, throws, grid = laying.table, laying.throws, laying.table.grid
    start, end = ends
    led = Decision(f"{name} through")
    steps = bend() if led.name not in throws.fixed else []
    through = decided_area(grid, throws, led, laying.name)
    if through is not None and through not in (start.cell, end.cell):
        steps = way_by(laying, name, (start.cell, through, end.cell), cost)
        if not steps:
            raise error("decision", f"{led.name} {laying.name(through)}: there is no way")
    if not steps:
        direct = most_direct(grid, throws, name, start.cell, (end.cell,), cost, laying.name)
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
    lay_line(laying, name, kind, steps)
    return way


def way_by(laying: Laying, name: str, points: Sequence[int], cost: StepCost) -> list[Step]:
    """The way by three areas, where there is one that runs through no area twice; else []."""
    start, through, end = points
    gone = {end}

    def onward(here: int, there: int) -> int | None:
        return None if there in gone else cost(here, there)

    grid, throws = laying.table.grid, laying.throws
    way = most_direct(grid, throws, name, start, (through,), onward, laying.name)
    gone = {step.cell for step in way or ()} - {through}
    rest = way and most_direct(grid, throws, name, through, (end,), onward, laying.name)
    return [*way, *rest[1:]] if way and rest else []


def lay_line(laying: Laying, name: str, kind: str, steps: Sequence[Step]) -> None:
    """Log a way that was laid, and what it goes through that it would rather have gone round."""
    table, throws = laying.table, laying.throws
    way = [step.cell for step in steps]
    names = ", ".join(
        laying.name(step.cell) + (f" ({step.words})" if step.words else "") for step in steps
    )
    table.put(kind, way, throws.say(f"{name.capitalize()} runs through {names}", *way))
    over = [cell for cell in way if cell in table.contours]
    if over:
        places = ", ".join(map(laying.name, over))
        words = f"Hills bar every way: {name} goes through the lowest, at {places}."
        throws.say(words, *over)
        table.warn("through-hills", f"step {throws.step}: {words}")
