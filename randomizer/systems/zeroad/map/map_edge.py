"""The edge of a map of 0 A.D.: a square, or a circle if the settings say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.system.edges import RoundEdge
from randomizer.systems.zeroad.map.records import settings_of_map

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap

MAP_BORDER = 3
"""The width, in tiles, of the edge of a map where units cannot walk."""


def round_edge(battlemap: BattleMap) -> RoundEdge | None:
    """Return the edge of a circular map, in tiles; None for a square map."""
    if settings_of_map(battlemap).get("CircularMap") is not True:
        return None
    map_radius = battlemap.grid.width / 2 - 1  # the game ends its maps a tile earlier
    return RoundEdge(map_radius, unit_radius=map_radius - MAP_BORDER)
