"""Places the bases of players on a map in the making: a civil centre with the first units.

    place_base(builder, 1, town.x, town.z)

Lengths are in tiles.
"""

from __future__ import annotations

import math

import numpy as np

from randomizer.systems.zeroad.generators.map_builder import MapBuilder
from randomizer.systems.zeroad.generators.tile_box import box_around
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.mod_library import library_data

_PAVED_RADIUS = 5.5
"""The radius of the paved ground around a civil centre."""

_CENTRE_GAP = 7
"""The radius around a civil centre within which nothing else is placed."""

_UNIT_DISTANCE = 6
"""The distance of the first units of a player from the civil centre."""

_USUAL_CIV = "athen"
"""The civilisation of a player whose settings name none."""

_UNITS_OF_UNKNOWN_CIV = {"support_female_citizen": 4}
"""The first units of a civilisation that the package does not know: all have these."""


def place_base(builder: MapBuilder, player: int, x: float, z: float) -> None:
    """Place the civil centre and the first units of a player (from 1), on paved ground.

    Nomads have the units alone, on ground that is free for their town.
    """
    civ = builder.players[player - 1].get("Civ") or _USUAL_CIV

    # The civil centre, on paved ground.
    if builder.settings.get("Nomad"):
        builder.occupy(x, z, _CENTRE_GAP)
    else:
        box = box_around(builder.size, x, z, _PAVED_RADIUS)
        paved_tiles = np.flatnonzero(box.distances < _PAVED_RADIUS)
        is_paved = box.mask_on_map(paved_tiles, builder.size)
        builder.paint(builder.biome["textures"]["road"], is_paved)
        builder.place(f"structures/{civ}/civil_centre", x, z, gap=_CENTRE_GAP, player=player)

    # The units, on a circle around it: ``units`` has an entry for each.
    units: list[str] = []
    counts_of_units = library_data("civs.json").get(civ, _UNITS_OF_UNKNOWN_CIV)
    for unit, count in counts_of_units.items():
        units += [unit] * count
    for index, unit in enumerate(units):
        angle = index / len(units) * FULL_TURN
        unit_x = x + _UNIT_DISTANCE * math.sin(angle)
        unit_z = z + _UNIT_DISTANCE * math.cos(angle)
        builder.place(f"units/{civ}/{unit}", unit_x, unit_z, player=player)
