"""Regions: named, coloured sets of cells, such as countries.

A map keeps them in two places. The *table* lists the regions and is a record of the map; the index
of a region in it is its *code*. A plane (``System.regions``) has the code of its region for each
cell. It is a plane like any other, so layers, undo and comparisons need nothing special for it::

    add_region(battlemap, MapRegion("Rohan", "#7a9e3f")).apply(battlemap)    # gets the code 0
    paint(battlemap, layer_id, battlemap.system.regions.name, cells, 0)

Two maps may give one region different codes. ``joint_regions`` makes one table of two, and
``with_codes_of`` translates the codes of a plane.
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
"""The record with the table: a JSON list of objects with name and colour.

A region that was removed leaves null, so that the codes of those behind it stay.
"""

NO_REGION = 0xFFFF
"""The value of a cell that is in no region."""

MAX_REGIONS = 1000
"""The most regions of a table, removed ones included."""

LONGEST_NAME = 100
"""The most characters of the name of a region."""


class MapRegion(NamedTuple):
    """A region, without its cells."""

    name: str
    colour: str
    """Its colour on the map, as "#rrggbb"."""


Regions = tuple[MapRegion | None, ...]
"""A table: the regions by their codes, None for a region that was removed."""


def regions_of(records: Mapping[str, MapRecord]) -> Regions:
    """Return the table of a map; an entry of the record that is no valid region becomes None."""
    record = records.get(RECORD)
    if record is None or not record.is_json:
        return ()
    return _table(record.text)


@registered(bytes_each=250 * KB)
@lru_cache(2)
def _table(text: str) -> Regions:
    """Return the table that is written in the text of a record, which is valid JSON."""
    entries = parse_json(text.encode(), largest=LARGEST_DATA)
    if isinstance(entries, list):
        return tuple(map(_region, entries[:MAX_REGIONS]))
    return ()


def _region(entry: object) -> MapRegion | None:
    """Return an entry of the record as a region; None if it is not a valid one."""
    if not isinstance(entry, dict):
        return None
    region = MapRegion(entry.get("name", ""), entry.get("colour", ""))  # of any types yet
    if fault_in_region(region):
        return None
    return region


def fault_in_region(region: MapRegion) -> str:
    """Return why no map can have this region, as a sentence without its stop; "" if one can.

    Its fields can be of any type: a file of a stranger may hold anything.
    """
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
    """Return a name that none of the regions has, such as ``Region 2``."""
    names = {region.name for region in regions if region}
    number = len(names) + 1
    while f"Region {number}" in names:
        number += 1
    return f"Region {number}"


def cells_by_region(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """Return how many cells each of the n regions has, shape (n,); 0 for a removed region."""
    regions = regions_of(battlemap.records)
    codes = codes_of(battlemap, composite)[battlemap.grid.cells]
    sizes = np.bincount(codes[codes < len(regions)], minlength=len(regions))
    return np.where([region is not None for region in regions], sizes, 0)


def codes_of(battlemap: BattleMap, composite: Composite) -> NDArray[np.uint16]:
    """Return the codes of all cells, shape (size,).

    They are all ``NO_REGION`` if the system has no regions.
    """
    spec = battlemap.system.regions
    if spec is None:
        return np.full(battlemap.grid.size, NO_REGION, np.uint16)
    return np.asarray(composite.planes[spec.name].reshape(-1))


def at_borders(grid: Grid, codes: Plane, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of ``cells`` (n,) have a side at which their region ends: booleans (n,).

    ``codes`` (size,) are those of all cells. A region ends at the edge of the map, too.
    """
    is_at_border = np.zeros(len(cells), np.bool_)
    for side in range(grid.degree):
        cells_beyond = grid.neighbours_of(cells, side)
        # -1 is no cell. It is compared with cell 0, which does not matter: it is a border anyway.
        has_other_code = codes[np.maximum(cells_beyond, 0)] != codes[cells]
        is_at_border |= (cells_beyond < 0) | has_other_code
    return is_at_border


def joint_regions(ours: Regions, theirs: Regions) -> Regions:
    """Return one table of two: all of ours, then those of theirs whose names ours does not have."""
    names = {region.name for region in ours if region}
    return (*ours, *(region for region in theirs if region and region.name not in names))


def with_codes_of(
    values: NDArray[np.uint16], theirs: Regions, regions: Regions
) -> NDArray[np.uint16]:
    """Return codes of the table ``theirs`` as codes of the same regions, by name, in ``regions``.

    It is ``NO_REGION`` where ``regions`` has no such name. ``values`` have any shape.
    """
    return translated(values, names_of(theirs), regions)


def translated(
    values: NDArray[np.uint16], theirs: Sequence[str], regions: Regions
) -> NDArray[np.uint16]:
    """Return codes translated by name, as ``with_codes_of`` does.

    ``theirs`` are the names that the codes in ``values`` stand for; "" stands for no region.
    """
    codes: dict[str, int] = {}
    for code, region in enumerate(regions):
        if region is not None:
            codes.setdefault(region.name, code)  # of several regions of one name the first
    # A look-up array translates all values at once: its index is any uint16, the old code.
    new_codes = np.full(NO_REGION + 1, NO_REGION, np.uint16)
    for old_code, name in enumerate(theirs[:NO_REGION]):  # a longer table has no more codes
        if name in codes:
            new_codes[old_code] = codes[name]
    return new_codes[values.astype(np.uint16)]


def names_of(regions: Regions) -> list[str]:
    """Return the names of regions by code, "" for a removed one."""
    names = []
    for region in regions:
        if region is None:
            names.append("")
        else:
            names.append(region.name)
    return names
