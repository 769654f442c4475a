"""Regions: named, coloured sets of cells. A plane holds codes, a record the table of the codes.

The plane (``System.regions``) is one like any other, so that layers, turns, stamps, undo and
comparisons hold for regions, too::

    add_region(battlemap, MapRegion("Rohan", "#7a9e3f")).apply(battlemap)
    paint(battlemap, layer_id, battlemap.system.regions.name, cells, 0)
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.setting import COLOUR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane

RECORD = "regions"
"""The record with the table: a JSON list of objects with name and colour; null: taken away."""

NO_REGION = 0xFFFF
"""The value of a cell that is in no region."""

MOST_REGIONS = 1000
"""How many regions a map can have, those that were taken away included."""

LONGEST_NAME = 100
"""The most characters of the name of a region."""


class MapRegion(NamedTuple):
    """A region, without its cells."""

    name: str
    colour: str
    """As "#rrggbb"."""


Regions = tuple[MapRegion | None, ...]
"""The regions by their codes; None for one that was taken away."""


def regions_of(records: Mapping[str, MapRecord]) -> Regions:
    """Return the regions of a map; an entry of the record that cannot be one is None."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return ()
    return _table(record.text)


@registered(bytes_each=250 * KB)
@lru_cache(2)
def _table(text: str) -> Regions:
    """Return the regions of the text of a record."""
    entries = parse_json(text.encode(), largest=LARGEST_DATA)
    if isinstance(entries, list):
        return tuple(map(_region, entries[:MOST_REGIONS]))
    return ()


def _region(entry: object) -> MapRegion | None:
    """Return the region of an object of JSON; None if it is none."""
    if not isinstance(entry, dict):
        return None
    region = MapRegion(entry.get("name", ""), entry.get("colour", ""))
    if fault_in_region(region):
        return None
    return region


def fault_in_region(region: MapRegion) -> str:
    """Return why no map can have this region, as a sentence without its stop; "" if one can."""
    name, colour = region
    if not isinstance(colour, str) or not re.fullmatch(COLOUR, colour):
        return f"“{colour!s:.20}” is no colour like #7a9e3f"
    if not isinstance(name, str) or not name:
        return "A region needs a name"
    fault = fault_in_line(name, LONGEST_NAME)
    if fault:
        return f"The name of a region {fault}"
    return ""


def record_of(regions: Sequence[MapRegion | None]) -> MapRecord | None:
    """Return the record of a table; None for an empty one."""
    if not regions:
        return None
    entries: list[dict[str, str] | None] = []
    for region in regions:
        if region is None:
            entries.append(None)  # it keeps its code, so that those of the others stay
        else:
            entries.append(region._asdict())
    return MapRecord(json.dumps(entries, ensure_ascii=False), is_json=True, touched=True)


def free_name(regions: Regions) -> str:
    """Return ``Region 2``: a name that none of the regions has."""
    names = {region.name for region in regions if region}
    number = len(names) + 1
    while f"Region {number}" in names:
        number += 1
    return f"Region {number}"


def cells_by_region(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """Return how many cells each region of the table has, shape (n,); 0 for one that is gone."""
    regions = regions_of(battlemap.records)
    codes = codes_of(battlemap, composite)[battlemap.grid.cells]
    sizes = np.bincount(codes[codes < len(regions)], minlength=len(regions))
    return np.where([region is not None for region in regions], sizes, 0)


def codes_of(battlemap: BattleMap, composite: Composite) -> NDArray[np.uint16]:
    """Return the codes of all cells, flat; ``NO_REGION`` where a map has no regions."""
    spec = battlemap.system.regions
    if spec is None:
        return np.full(battlemap.grid.size, NO_REGION, np.uint16)
    return np.asarray(composite.planes[spec.name].reshape(-1))


def at_borders(grid: Grid, codes: Plane, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of ``cells`` (n,) have a side at which their region ends."""
    is_at_border = np.zeros(len(cells), np.bool_)
    for side in range(grid.degree):
        cells_beyond = grid.neighbours_of(cells, side)
        has_other_code = codes[np.maximum(cells_beyond, 0)] != codes[cells]
        is_at_border |= (cells_beyond < 0) | has_other_code
    return is_at_border


def joined(ours: Regions, theirs: Regions) -> Regions:
    """Return our regions, and behind them those whose names theirs alone have."""
    names = {region.name for region in ours if region}
    return (*ours, *(region for region in theirs if region and region.name not in names))


def in_table(values: NDArray[np.uint16], theirs: Regions, regions: Regions) -> NDArray[np.uint16]:
    """Return codes of ``theirs`` as those of the ``regions`` with the same names."""
    return translated(values, names_of(theirs), regions)


def translated(
    values: NDArray[np.uint16], theirs: Sequence[str], regions: Regions
) -> NDArray[np.uint16]:
    """Return codes whose names are ``theirs`` as those of the ``regions`` with the same names.

    A name "" is that of no region. The result has ``NO_REGION`` where there is no region of the
    name. ``values`` have any shape.
    """
    codes: dict[str, int] = {}
    for code, region in enumerate(regions):
        if region is not None:
            codes.setdefault(region.name, code)  # the first of several
    # The table has the new code of every code there can be; of most it is NO_REGION.
    table = np.full(NO_REGION + 1, NO_REGION, np.uint16)
    for code, name in enumerate(theirs[:NO_REGION]):
        if name in codes:
            table[code] = codes[name]
    return table[values.astype(np.uint16)]


def names_of(regions: Regions) -> list[str]:
    """Return the names of regions by code, "" for one that was taken away."""
    names = []
    for region in regions:
        if region is None:
            names.append("")
        else:
            names.append(region.name)
    return names
