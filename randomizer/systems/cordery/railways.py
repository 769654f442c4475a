"""Part 6 of the page: railways."""

from __future__ import annotations

from collections.abc import Iterator

from randomizer.systems.cordery.features import RAIL, RIVER, ROAD, SETTLEMENT
from randomizer.systems.cordery.routes import add_route, route_ends
from randomizer.systems.cordery.table_builder import TableBuilder


def add_railways(builder: TableBuilder) -> Iterator[str]:
    """Steps 6.1 to 6.3."""
    throws = builder.throws
    for number in range(1, builder.choices.railways + 1):
        name = f"railway {number}"
        throws.begin("6.1")
        ends = route_ends(builder, name)
        if ends is None:
            continue
        passing = _beside_places(builder) if builder.choices.detour else ()
        steps = add_route(builder, name, "railways", RAIL, ends, passing) or []
        for step, what, route in (
            ("6.2", "a bridge over the river", RIVER),
            ("6.3", "a level crossing", ROAD),
        ):
            throws.begin(step)
            for area in steps:
                if route in area.crossed:
                    where = builder.name(area.cell)
                    throws.say(f"{name.capitalize()} has {what} at {where}", area.cell)
    yield "6.1"
    yield "6.2"
    yield "6.3"


def _beside_places(builder: TableBuilder) -> set[int]:
    """The areas of villages and towns, and those beside them."""
    table = builder.table
    areas = {area for place in table.places if len(place) > 1 for area in place}
    areas = {area for area in areas if table.ground.get(area) != SETTLEMENT}
    return areas | {other for area in areas for other in table.grid.neighbours(area)}
