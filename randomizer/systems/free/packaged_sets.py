"""The terrain sets that come with the package, by name: ``packaged_set("Battlefield")``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files

from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.storage.files.terrain_files import read_terrains
from randomizer.systems.colossus.terrain_set import COLOSSUS

LANDSCAPE = "Landscape"
BATTLEFIELD = "Battlefield"
ROOMS = "Rooms"
TITAN_HAZARDS = "Titan hazards"

PACKAGED_SETS = (LANDSCAPE, BATTLEFIELD, ROOMS, TITAN_HAZARDS)
"""The names of the sets, in the order in which they are offered."""


@registered(count=4, bytes_each=20 * KB)
@cache
def packaged_set(name: str) -> TerrainSet:
    """Return one of ``PACKAGED_SETS``; it is read when it is first asked for.

    Raises KeyError for another name.
    """
    if name not in PACKAGED_SETS:
        raise KeyError(name)
    if name == TITAN_HAZARDS:
        return replace(COLOSSUS, name=TITAN_HAZARDS)
    file = files("randomizer.systems.free").joinpath("terrain_sets", f"{name.lower()}.terrains")
    return read_terrains(file.read_bytes(), name).terrain_set
