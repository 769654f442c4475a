"""Edits of a map's regions: one is added, renamed, coloured, taken away.

A *region* is a named area, such as a country. The table of regions is a record of the map. A cell
holds the *code* of its region, its index in the table, so a region that is removed leaves a gap
(None) there. The panel of regions calls these functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.map.regions import (
    MAX_REGIONS,
    RECORD,
    MapRegion,
    fault_in_region,
    record_of,
    regions_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap


def add_region(battlemap: BattleMap, region: MapRegion) -> Edit | None:
    """Return the edit that adds a region, behind all others.

    Raises ValueError, with a message, if there are too many, or for one that no map can have.
    """
    return _set_region_table(battlemap, (*regions_of(battlemap.records), region))


def change_region(battlemap: BattleMap, code: int, region: MapRegion) -> Edit | None:
    """Return the edit that gives a region another name or colour; None for no change.

    Raises IndexError for a code that no region has, and ValueError, with a message, for a region
    that no map can have.
    """
    regions = list(regions_of(battlemap.records))
    regions[code] = region
    return _set_region_table(battlemap, regions)


def remove_region(battlemap: BattleMap, code: int) -> Edit | None:
    """Return the edit that removes a region, and takes its cells out of all layers but locked ones.

    Its code stays unused: cells of locked layers still hold it, and would show a region that got
    it.
    """
    spec = battlemap.system.regions
    assert spec is not None, "the map has regions"
    edits: list[Edit | None] = []
    for layer in battlemap.layers:
        plane = layer.planes.get(spec.name)
        if plane is not None and not layer.locked:
            cells = np.flatnonzero(plane == code)
            edits.append(set_values(battlemap, layer.id, spec.name, cells, spec.unset))
    regions = list(regions_of(battlemap.records))
    regions[code] = None
    return compound([*edits, _set_region_table(battlemap, regions)])


def _set_region_table(battlemap: BattleMap, regions: Sequence[MapRegion | None]) -> Edit | None:
    """Return the edit that sets the table of regions; None for no change.

    Raises ValueError, with a message, for too many regions, and for one that no map can have.
    """
    if len(regions) > MAX_REGIONS:
        raise ValueError(f"A map has at most {MAX_REGIONS:,} regions")
    for region in regions:
        if region is None:  # the gap of a region that was removed
            continue
        fault = fault_in_region(region)
        if fault:
            raise ValueError(fault)
    return set_record(battlemap, RECORD, record_of(regions))
