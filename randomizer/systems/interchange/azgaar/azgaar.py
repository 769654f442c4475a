"""Reads worlds of Azgaar's Fantasy Map Generator: the format ``azgaar``, which is never written.

A user exports a world as "full" JSON. It is a Voronoi diagram, whose cells have no common size or
shape (here without all that is not read):

    {"pack": {"cells": [{"p": [410.2, 77.5], "h": 34, "biome": 6, "state": 2, "f": 3}, ...],
              "features": [..., {"type": "lake", "group": "salt", "name": "Orm"}, ...]}}

``p`` is the point of a cell in pixels, ``h`` its height (to 100, land from 20 on), and ``f`` the
number of its *feature*: a sea, lake or island. Exports of versions before 1.99 have no routes, only
a number for each cell that has a road.

The map is made of about as many hexes as the world has cells. A hex gets the biome, the feature and
the state that have the larger part of its area. Begin at ``_import_world``. Its stages are modules:

1. ``document`` checks the JSON;
2. ``world`` makes arrays of the cells, and chooses the grid of hexes;
3. ``hex_shares`` tells which cell has the largest part of a hex;
4. ``terrains``, ``ways`` and ``things`` fill the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats.losses import NOT_KEPT
from randomizer.model.basics.texts import clean_line
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.map.regions import (
    MAX_REGIONS,
    NO_REGION,
    RECORD,
    MapRegion,
    fault_in_region,
    record_of,
)
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, Severity
from randomizer.systems.interchange.azgaar.document import Document
from randomizer.systems.interchange.azgaar.hex_shares import Samples, majority, sample_points
from randomizer.systems.interchange.azgaar.terrains import (
    HEIGHTS_OF_STEP,
    coloured,
    elevations,
    level_lakes,
    number_terrain_codes,
    words_of,
)
from randomizer.systems.interchange.azgaar.things import place_things, set_properties
from randomizer.systems.interchange.azgaar.ways import WayReader
from randomizer.systems.interchange.azgaar.world import SEA_LEVEL, World
from randomizer.systems.interchange.foreign.codec import Codec
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes, colour_for

_LOST_LISTS = ("provinces", "cultures", "religions", "zones")
"""The lists of an export that have no place on a map. Hints to the user use these names, too."""

_LONGEST_REGION_NAME = 80
"""The most characters of the name of a state; an export can have names of any length."""

_STATE_NUMBERS = 65_536
"""The count of the numbers of states that ``World`` accepts, from 0 on: those of 16 bits."""


class AzgaarCodec(Codec):
    """Reads worlds of Azgaar's generator; it writes none."""

    program = "Azgaar's generator"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of an export; hints tell what of it is not kept.

        Raises ProblemError with the line of a value that is wrong.
        """
        world = World(Document(source))
        imported = _import_world(world)
        lost = [f"{word} ({count:,})" for word, count in imported.lost.items() if count]
        hints = [f"Elevations are steps of {HEIGHTS_OF_STEP} of its 100 heights"]
        if lost:
            hints.append(f"Not kept: {', '.join(lost)}")
        problems += [Problem(Severity.HINT, NOT_KEPT, hint) for hint in hints]
        return imported.battlemap


class _ImportedWorld(NamedTuple):
    """The map that is made of a world."""

    battlemap: BattleMap
    lost: Mapping[str, int]
    """The numbers of what is not kept, by nouns such as "cultures"."""


def _import_world(world: World) -> _ImportedWorld:
    """Return the map of a world. Raises ProblemError.

    A hex is land or water by the larger part of its area. The smaller part does not count any
    more: the terrain of a hex of land is the one that has the largest share of its land.
    """
    # Which hexes are land, by sample points all over the map: each lies in one hex and one cell.
    all_samples = sample_points(world)
    is_cell_land = world.heights >= SEA_LEVEL
    is_sample_land = is_cell_land[all_samples.cells]
    is_hex_land = majority(world, all_samples.hexes, is_sample_land) == 1

    # From here on only those points count that are land in a hex of land, or water in one of water.
    samples = all_samples.where(is_sample_land == is_hex_land[all_samples.hexes])

    # The planes: terrains by their codes, elevations, states as regions, and ways.
    codes = Codes()
    code_numbers_of_cells = number_terrain_codes(world, codes)
    code_numbers = majority(world, samples.hexes, code_numbers_of_cells[samples.cells])
    terrains, terrains_of_hexes = codes.terrains(words_of, code_numbers)
    coloured_terrains = [coloured(world, terrain) for terrain in terrains]
    planes: Planes = {"terrain": terrains_of_hexes.reshape(world.shape)}
    planes["elevation"] = elevations(world, samples, is_hex_land)
    regions, planes["region"] = _regions(world, samples, is_hex_land)
    ways = WayReader(world).draw(planes)  # adds the planes of the ways

    # The map of these planes, and what lies on it.
    battlemap = foreign_map(AzgaarCodec.program, world.grid, coloured_terrains, planes, ways=ways)
    level_lakes(world, battlemap)  # changes the elevations, now that terrains are known as water
    record = record_of(regions)
    if record is not None:
        battlemap.records[RECORD] = record
    set_properties(world, battlemap)
    lost = {"cells with a road but no route": world.road_cells_without_route}
    lost.update(place_things(world, battlemap))
    for name in _LOST_LISTS:
        # Entry 0 of such a list stands for "none", as the state 0 is neutral.
        numbers = [number for number, _entry in world.document.entries("pack", name) if number]
        lost[name] = len(numbers)
    return _ImportedWorld(battlemap, lost)


def _regions(
    world: World, samples: Samples, is_land: NDArray[np.bool_]
) -> tuple[list[MapRegion], Plane]:
    """Return the states as regions, and the plane of regions (rows, columns).

    ``is_land`` (hexes,) tells which hexes are land. The sea is in no region, and neither are states
    beyond the ``MAX_REGIONS`` that a map can have.
    """
    regions: list[MapRegion] = []
    region_of_state = np.full(_STATE_NUMBERS, NO_REGION, np.uint16)
    for number, state in world.document.entries("pack", "states"):
        is_neutral = number == 0
        if is_neutral or number >= _STATE_NUMBERS or len(regions) == MAX_REGIONS:
            continue
        stated_name = str(state.get("fullName") or state.get("name") or "")
        name = clean_line(stated_name)[:_LONGEST_REGION_NAME]
        is_taken = any(region.name == name for region in regions)
        if not name or is_taken:
            ending = f" {number}"
            name = f"{name[: _LONGEST_REGION_NAME - len(ending)]}{ending}".strip()
        region = MapRegion(name, str(state.get("color")))
        if fault_in_region(region):  # its colour is none, or is missing
            region = MapRegion(name, colour_for(name))
        region_of_state[number] = len(regions)
        regions.append(region)
    states_of_hexes = majority(world, samples.hexes, world.states[samples.cells])
    regions_of_hexes = np.where(is_land, region_of_state[states_of_hexes], NO_REGION)
    return regions, regions_of_hexes.astype(np.uint16).reshape(world.shape)


CODEC = AzgaarCodec()
