"""The edit that draws a route along a way: its links, and what comes with them.

    crossings = crossings_along(grid, cells)         # the sides that the way crosses, in its order
    edit = route_edit(document, options, crossings, DrawnRiver(), erase=False)

The links themselves are worked out in route_links.py, the flow of rivers in river_flow.py, and the
kinds of crossings, such as bridge or ford, in crossings.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.tools.crossings import new_crossings
from app.tools.painting import paint
from app.tools.river_flow import DrawnRiver, edits_that_stop_flow
from app.tools.route_links import (
    SideCrossing,
    linked_values,
    links_across,
    side_at_edge,
    unlinked_values,
)
from randomizer.model.edits.value_edits import compound

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from app.tools.pointer import Pointer
    from randomizer.model.edits.edit import Edit
    from randomizer.model.planes.routes import RouteSpec


def chosen_route(document: MapDocument, options: ToolOptions) -> RouteSpec:
    """Return the route that is chosen in the options, the last one if the map has fewer."""
    routes = document.battlemap.system.routes_of(document.battlemap.terrain_set)
    return routes[min(options.route, len(routes) - 1)]


def crossing_of_edge(
    document: MapDocument, pointer: Pointer, *, comes_in: bool = False
) -> list[SideCrossing]:
    """Return how a route crosses the edge of the map at the pointer: once, or [] for not at all.

    It leaves the map, or with ``comes_in`` comes in.
    """
    side = side_at_edge(document.battlemap.grid, pointer)
    if side is None:
        return []
    return [SideCrossing(side, comes_in)]


def route_edit(
    document: MapDocument,
    options: ToolOptions,
    crossings: Sequence[SideCrossing],
    river: DrawnRiver,
    *,
    erase: bool,
) -> Edit | None:
    """Return the edit that links cells across sides, or (``erase``) unlinks them; twins too.

    ``river`` has the width with which a river begins, and goes on with that at the last side. None
    if no side is crossed, or nothing changes.
    """
    if not crossings:
        return None
    route = chosen_route(document, options)
    plane = document.battlemap.system.plane(route.plane)
    former_values = document.composite.planes[route.plane].reshape(-1)

    # The links themselves.
    links_by_side = links_across(document, options, crossings, plane)
    if erase:
        values = unlinked_values(former_values, links_by_side)
    else:
        values = linked_values(former_values, links_by_side, route)
    cells = sorted(values)
    edits = [paint(document, plane, cells, [values[cell] for cell in cells])]

    # What goes with them: the flow of a river, and the kinds of new crossings.
    if route.is_river and erase:
        edits += edits_that_stop_flow(document, values)
    elif route.is_river:
        edits += river.flow_along(document, links_by_side, former_values)
    edits += new_crossings(document, route, values)
    return compound(edits)
