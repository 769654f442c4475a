"""The content of a table as JSON objects, as words and as a text to set it up from.

    area_record(grid, planes, cell)     # {"contours": 1, "ground": "Village", "road": ["north"]}
    area_words(grid, planes, cell)      # "hill, village, road towards north"
    table_text(battlemap)               # a line such as "  0304  hill, village" for each area

An area is a cell of a wargame table; ``planes`` are arrays with a value for each area.
``table_files`` writes the records and the texts into files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import crossing_cells
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES, CrossingSpec, sides_of
from randomizer.systems.cordery.page_parts import part_of_step
from randomizer.systems.cordery.table.areas import (
    CROSSING_SPECS,
    CROSSINGS,
    TERRAINS,
    RouteInArea,
)
from randomizer.systems.cordery.table.broad_rivers import broad_areas
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

Planes = Mapping[str, Plane]
"""The planes of a table by their names."""


def area_record(grid: Grid, planes: Planes, cell: int) -> dict[str, Any]:
    """Return the contents of an area as JSON; {} for open ground::

        {"contours": 1, "ground": "Village", "road": ["north", "east"], "place": 2}

    A ``river``, ``road`` (or ``track``) and ``rail`` have the names of the sides by which they
    leave. ``crossing`` says how a road crosses a river: "ford" or "bridge". ``place`` is the number
    of the inhabited place to which the area belongs.
    """
    record: dict[str, Any] = {}
    contours = int(planes["elevation"].flat[cell])
    if contours:
        record["contours"] = contours
    terrain_code = int(planes["terrain"].flat[cell])
    if terrain_code:
        record["ground"] = TERRAINS.terrains[terrain_code].name
    for kind in (RIVER, ROAD, RAIL):
        route = RouteInArea.of_value(int(planes[kind].flat[cell]))
        if route is None:
            continue
        name = kind
        if route.is_track:
            name = "track"
        record[name] = [grid.layout.side_names[side] for side in sides_of(route.sides, grid.degree)]
    for crossing in crossings_in_area(grid, planes, cell):
        if crossing in CROSSINGS:  # a ford or a bridge: those of railways follow from the routes
            record["crossing"] = crossing
            break
    place = int(planes["place"].flat[cell])
    if place:
        record["place"] = place
    return record


def crossings_in_area(grid: Grid, planes: Planes, cell: int) -> list[str]:
    """Return the crossings of routes in an area: "ford", "bridge", "railway bridge" ..."""
    names = []
    routes_in_area = {kind for kind in (RIVER, ROAD, RAIL) if int(planes[kind].flat[cell]) & MARKS}
    for spec in CROSSING_SPECS:
        if not {spec.over, spec.under} <= routes_in_area:
            continue
        number_of_kind = int(spec.at(planes, [cell])[0])  # counted from 1; 0: no crossing
        if not number_of_kind:
            continue
        # Some crossings are recorded in a plane; all others follow from the ways of the two routes.
        if spec.plane or _crosses(grid, planes, spec, cell):
            names.append(spec.kinds[number_of_kind - 1])
    return names


def _crosses(grid: Grid, planes: Planes, crossing: CrossingSpec, cell: int) -> bool:
    """Return whether two routes that run through an area cross there.

    Two routes can run through the same areas for a while. If the first one comes from the left of
    the second and leaves it to the right, they cross; if it leaves to the left again, they do not.
    """
    links_below = _links(grid, planes[crossing.under])
    links_above = _links(grid, planes[crossing.over])
    if crossing.under == RIVER:  # a river is always the route below
        river = planes[RIVER].reshape(-1)
        areas_of_river = np.flatnonzero(river & PRESENT).tolist()
        broad = broad_areas(grid, {area: int(river[area]) & SIDES for area in areas_of_river})
        # Where a river is two areas wide, all of an area is water: a route there crosses it.
        if cell in broad:
            return True
        # The links of such areas do not tell where the river runs.
        links_below[list(broad)] = False
    # ``crossing_cells`` tests many areas at once; here it is one.
    return cell in crossing_cells(grid, [links_below, links_above], [cell])


def _links(grid: Grid, plane: Plane) -> NDArray[np.bool_]:
    """Return the sides by which a route leaves each area, (size, degree), from its plane."""
    values = plane.reshape(-1)
    bits = (values[:, None] >> np.arange(grid.degree)) & 1
    return np.asarray(bits == 1)


def area_words(grid: Grid, planes: Planes, cell: int) -> str:
    """Return an area in words: "hill of two contours, village, road from north to east".

    "" for open ground.
    """
    record = area_record(grid, planes, cell)
    words = []
    if record.get("contours") == 1:
        words.append("hill")
    elif "contours" in record:
        words.append("hill of two contours")
    if "ground" in record:
        words.append(record["ground"].lower())
    for kind in (RIVER, ROAD, "track", RAIL):
        if kind in record:
            name = kind
            if kind == RAIL:
                name = "railway"
            words.append(f"{name} {_course(record[kind])}".strip())
    return ", ".join([*words, *crossings_in_area(grid, planes, cell)])


def _course(sides: list[str]) -> str:
    """Return the sides by which a route leaves an area as words: "from north to east".

    "" if it leaves by none.
    """
    if not sides:
        return ""
    if len(sides) == 1:
        return f"towards {sides[0]}"
    if len(sides) == 2:
        return f"from {sides[0]} to {sides[1]}"
    *first_sides, last_side = sides
    return f"towards {', '.join(first_sides)} and {last_side}"


def table_text(battlemap: BattleMap) -> str:
    """Return the table as a list to set it up from: a line for each area that is not bare.

    The dice log follows if the table was rolled.
    """
    grid = battlemap.grid
    planes = battlemap.composite().planes
    kind = "hexes"
    if grid.degree == 4:
        kind = "squares"
    rows = [f"Table of {grid.width} x {grid.height} {kind}"]
    for y in range(grid.height):
        rows += ["", f"Row {y + 1}"]
        is_open_ground = True
        for x in range(grid.width):
            cell = grid.cell(x, y)
            if cell < 0:
                continue  # a corner of a turned table
            words = area_words(grid, planes, cell)
            if words:
                rows.append(f"  {battlemap.system.cell_name(grid, cell)}  {words}")
                is_open_ground = False
        if is_open_ground:
            rows.append("  open ground")
    log = dice_log(battlemap)
    if log:
        rows += ["", "Dice", *(f"  {line}" for line in log)]
    return "\n".join(rows) + "\n"


def dice_log(battlemap: BattleMap) -> tuple[str, ...]:
    """Return the log lines of all visible rolled layers, from the lowest layer to the topmost.

    A layer has the whole log of its roll, but only the lines of the layer's own part are returned.
    """
    lines = list[str]()
    for layer in battlemap.layers:
        if not layer.visible or layer.roll is None:
            continue
        for line in layer.roll.origins:
            # A line begins with the number of its step on the page, such as "2.1".
            step = line.split(" ", 1)[0]
            if part_of_step(step) == layer.roll.part:
                lines.append(line)
    return tuple(lines)
