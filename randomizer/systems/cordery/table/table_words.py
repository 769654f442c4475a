"""The content of a table as JSON objects, as words and as a text to set it up from.

``area_record`` is the object of an area, which ``table_files`` writes; ``area_words`` is the same
in words, and ``text_of`` the list of all areas with the dice log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.parallel_runs import crossing_cells
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES, CrossingSpec
from randomizer.systems.cordery.choices import part_of_step
from randomizer.systems.cordery.table.areas import (
    CROSSING_SPECS,
    CROSSINGS,
    TERRAINS,
    TRACK,
)
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD
from randomizer.systems.cordery.table.route_costs import broad_areas

Planes = Mapping[str, Plane]
"""The planes of a table by their names."""


def sides_of(grid: Grid, value: int) -> list[int]:
    """Return the sides whose bits are set in a link plane's value."""
    return [side for side in range(grid.degree) if value >> side & 1]


def area_record(grid: Grid, planes: Planes, cell: int) -> dict[str, Any]:
    """Return what an area holds as JSON; {} for open ground.

    ``contours``; ``ground``; ``river``, ``road`` (or ``track``) and ``rail`` with the names of the
    sides they leave by; ``crossing`` of a road and a river; the number of the ``place``.
    """
    record: dict[str, Any] = {}
    contours = int(planes["elevation"].flat[cell])
    code = int(planes["terrain"].flat[cell])
    if contours:
        record["contours"] = contours
    if code:
        record["ground"] = TERRAINS.terrains[code].name
    for kind in (RIVER, ROAD, RAIL):
        value = int(planes[kind].flat[cell])
        if value & PRESENT:
            name = kind
            if value & TRACK:
                name = "track"
            record[name] = [grid.layout.side_names[side] for side in sides_of(grid, value)]
    for crossing in crossings(grid, planes, cell):
        if crossing in CROSSINGS:
            record["crossing"] = crossing
            break
    place = int(planes["place"].flat[cell])
    if place:
        record["place"] = place
    return record


def crossings(grid: Grid, planes: Planes, cell: int) -> list[str]:
    """Return the crossings of routes in an area: "ford", "bridge", "railway bridge" ..."""
    names = []
    through = {kind for kind in (RIVER, ROAD, RAIL) if int(planes[kind].flat[cell]) & MARKS}
    for spec in CROSSING_SPECS:
        if not {spec.over, spec.under} <= through:
            continue
        kind = int(spec.at(planes, [cell])[0])
        if kind and (spec.plane or _crosses(grid, planes, spec, cell)):
            names.append(spec.kinds[kind - 1])
    return names


def _crosses(grid: Grid, planes: Planes, crossing: CrossingSpec, cell: int) -> bool:
    """Return whether two routes that run through an area cross there.

    They may share sides for some areas: they cross if one then comes out on the other hand of the
    other, and do not if they only meet and part again.
    """
    links = []
    broad: frozenset[int] = frozenset()
    for plane in (crossing.under, crossing.over):
        values = planes[plane].reshape(-1)
        links.append(values[:, None] >> np.arange(grid.degree) & 1 > 0)
        if plane == RIVER:
            present = np.flatnonzero(values & PRESENT).tolist()
            broad = broad_areas(grid, {way: int(values[way]) & SIDES for way in present})
    # Where a river is two areas wide all of an area is water, so that a route in it crosses it.
    if cell in broad:
        return True
    links[0][list(broad)] = False
    return cell in crossing_cells(grid, links, [cell])


def area_words(grid: Grid, planes: Planes, cell: int) -> str:
    """Return the contents of an area: "hill of two contours, village, road from north to east"."""
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
            name = "railway" if kind == RAIL else kind
            words.append(f"{name} {_course(record[kind])}".strip())
    return ", ".join([*words, *crossings(grid, planes, cell)])


def _course(sides: list[str]) -> str:
    """Return where a route runs in an area, "" if it leaves by no side."""
    if not sides:
        return ""
    if len(sides) == 1:
        return f"towards {sides[0]}"
    if len(sides) == 2:
        return f"from {sides[0]} to {sides[1]}"
    *first_sides, last_side = sides
    return f"towards {', '.join(first_sides)} and {last_side}"


def text_of(battlemap: BattleMap) -> str:
    """Return the table as a list to set it up from, row by row.

    The dice log follows if the table was rolled.
    """
    grid = battlemap.grid
    planes = battlemap.composite().planes
    kind = "squares" if grid.degree == 4 else "hexes"
    rows = [f"Table of {grid.width} x {grid.height} {kind}"]
    for y in range(grid.height):
        rows += ["", f"Row {y + 1}"]
        has_text = False
        for x in range(grid.width):
            cell = grid.cell(x, y)
            if cell < 0:
                continue
            words = area_words(grid, planes, cell)
            if words:
                rows.append(f"  {battlemap.system.cell_name(grid, cell)}  {words}")
                has_text = True
        if not has_text:
            rows.append("  open ground")
    log = dice_log(battlemap)
    if log:
        rows += ["", "Dice", *(f"  {line}" for line in log)]
    return "\n".join(rows) + "\n"


def dice_log(battlemap: BattleMap) -> tuple[str, ...]:
    """Return the log lines of all visible rolled layers, of each those of its own part."""
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
