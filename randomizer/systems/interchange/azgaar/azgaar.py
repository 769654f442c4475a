"""The format ``azgaar``: the full JSON export of Azgaar's Fantasy Map Generator. It is only read.

A world there is a Voronoi diagram: ``pack.cells`` have a point ``p`` in pixels, a height ``h`` (to
100, land from 20 on), a ``biome``, a ``state``, and ``f``, the number of their sea, lake or island
in ``pack.features``. A hex here is land or water, and of a biome, a lake and a state, by the larger
part of its area. There are about as many hexes as the generator has cells.

Exports of versions before 1.99 have no routes, only a number for each cell that has a road.

Reading begins in ``AzgaarCodec.parse``: ``document`` is the JSON, ``world`` the cells and the grid,
``hex_shares`` what a hex gets of its cells; ``terrains``, ``ways`` and ``things`` fill the map.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import NOT_KEPT
from randomizer.model.basics.texts import clean_line
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.map.regions import (
    MOST_REGIONS,
    NO_REGION,
    RECORD,
    MapRegion,
    fault_in_region,
    record_of,
)
from randomizer.model.problems import Problem, Severity
from randomizer.systems.interchange.azgaar.document import Document
from randomizer.systems.interchange.azgaar.hex_shares import Samples, majority, sample_points
from randomizer.systems.interchange.azgaar.terrains import (
    HEIGHTS_OF_STEP,
    coloured,
    elevations,
    level_lakes,
    terrain_numbers,
    words_of,
)
from randomizer.systems.interchange.azgaar.things import place_things, set_properties
from randomizer.systems.interchange.azgaar.ways import WayReader
from randomizer.systems.interchange.azgaar.world import SEA_LEVEL, World
from randomizer.systems.interchange.foreign.codec import Codec
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes, colour_for

_LOST = (
    ("provinces", "provinces"),
    ("cultures", "cultures"),
    ("religions", "religions"),
    ("zones", "zones"),
)
"""The lists of an export that have no place on a map, each with the noun of its entries."""


class AzgaarCodec(Codec):
    """Reads worlds of Azgaar's generator."""

    program = "Azgaar's generator"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read an export. Raises ProblemError with the line of the value that is wrong."""
        world = World(Document(source))
        battlemap = _battlemap_of(world)
        lost = [f"{word} ({count:,})" for word, count in world.lost.items() if count]
        hints = [f"Elevations are steps of {HEIGHTS_OF_STEP} of its 100 heights"]
        if lost:
            hints.append(f"Not kept: {', '.join(lost)}")
        problems += [Problem(Severity.HINT, NOT_KEPT, hint) for hint in hints]
        return battlemap


def _battlemap_of(world: World) -> BattleMap:
    """Return the map of a world. Raises ProblemError.

    A hex is land or water by the larger part of its area. Its terrain, elevation and state are
    then those of the larger share of that part alone.
    """
    # Find which hexes are land, and the points that count for them.
    samples = sample_points(world)
    cell_is_land = world.heights >= SEA_LEVEL
    is_land = majority(world, samples.hexes, cell_is_land[samples.cells]) == 1
    samples = samples.where(cell_is_land[samples.cells] == is_land[samples.hexes])

    # Fill the planes.
    codes = Codes()
    numbers = terrain_numbers(world, codes)
    numbers_of_hexes = majority(world, samples.hexes, numbers[samples.cells])
    terrains, indices = codes.terrains(words_of, numbers_of_hexes)
    terrains = tuple(coloured(world, terrain) for terrain in terrains)
    planes: Planes = {"terrain": indices.reshape(world.shape)}
    planes["elevation"] = elevations(world, samples, is_land)
    regions, planes["region"] = _regions(world, samples, is_land)
    ways = WayReader(world).draw(planes)

    # Make the map of them, and add what lies on it.
    battlemap = foreign_map(AzgaarCodec.program, world.grid, terrains, planes, ways=ways)
    level_lakes(world, battlemap)
    record = record_of(regions)
    if record is not None:
        battlemap.records[RECORD] = record
    set_properties(world, battlemap)
    place_things(world, battlemap)
    for name, noun in _LOST:
        # The first entry of such a list stands for none.
        world.lost[noun] = sum(
            1 for number, _entry in world.document.entries("pack", name) if number
        )
    return battlemap


def _regions(
    world: World, samples: Samples, is_land: NDArray[np.bool_]
) -> tuple[list[MapRegion], Any]:
    """Return the states as regions, and the region of each hex; the sea is in none."""
    regions: list[MapRegion] = []
    codes = np.full(65_536, NO_REGION, np.uint16)
    for number, state in world.document.entries("pack", "states"):
        is_neutral = number == 0
        if is_neutral or number >= len(codes) or len(regions) == MOST_REGIONS:
            continue
        name = clean_line(str(state.get("fullName") or state.get("name") or ""))[:80]
        if not name or any(region.name == name for region in regions):
            name = f"{name} {number}".strip()
        region = MapRegion(name, str(state.get("color")))
        if fault_in_region(region):
            region = MapRegion(name, colour_for(name))
        codes[number] = len(regions)
        regions.append(region)
    states = majority(world, samples.hexes, world.states[samples.cells])
    region_codes = np.where(is_land, codes[states], NO_REGION)
    return regions, region_codes.astype(np.uint16).reshape(world.shape)


CODEC = AzgaarCodec()
