"""Crossings of two routes in one cell, such as a road over a river: bridges, fords and the like.

Where a system tells kinds of a crossing apart, a plane holds the kind of each cell: 0 where nothing
crosses, else a number from 1, the place of the kind in ``CrossingSpec.kinds``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from app.tools.painting import paint
from randomizer.model.edits.edit import Edit
from randomizer.model.planes.routes import MARKS, RouteSpec

if TYPE_CHECKING:
    from app.document.document import MapDocument

FIRST_KIND = 1


def new_crossings(
    document: MapDocument, route: RouteSpec, values: Mapping[int, int]
) -> Iterator[Edit | None]:
    """Yield the edits that set the first kind of crossing where a route crosses another one anew.

    ``values`` are the new values of the route's plane, by cell.
    """
    battlemap = document.battlemap
    planes = document.composite.planes
    for crossing in battlemap.system.crossings:
        if not crossing.plane or route.plane not in (crossing.over, crossing.under):
            continue
        crossed_plane = crossing.over
        if route.plane == crossing.over:
            crossed_plane = crossing.under
        crossed_values = planes[crossed_plane].reshape(-1)
        kinds = planes[crossing.plane].reshape(-1)
        cells = []
        for cell, value in sorted(values.items()):
            is_crossing = value & MARKS and crossed_values[cell] & MARKS
            if is_crossing and not kinds[cell]:
                cells.append(cell)
        yield paint(document, battlemap.system.plane(crossing.plane), cells, FIRST_KIND)


def edit_to_next_kind(document: MapDocument, cell: int) -> Edit | None:
    """Return the edit that sets the next kind of crossing in a cell; None without a crossing.

    After the last kind the first one follows again.
    """
    battlemap = document.battlemap
    planes = document.composite.planes
    for crossing in battlemap.system.crossings:
        if crossing.plane and crossing.at(planes, [cell])[0]:
            kind = int(planes[crossing.plane].flat[cell])
            next_kind = FIRST_KIND
            if kind < len(crossing.kinds):
                next_kind = kind + 1
            return paint(document, battlemap.system.plane(crossing.plane), [cell], next_kind)
    return None
