"""A period with few types, for tests of scenarios: men walk, boats carry them, towns stand."""

from __future__ import annotations

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.system import SYSTEM, TERRAIN

TEXT = """Xconq 0 -+---- A period for tests
Period 0
"tiny" period-name
"m" "men" "walk" utype
"b" "boat" "carries men" utype
"@" "town" "stands" utype
"f" "food" "what men eat" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
1 m speed  2 b speed
1 land m moves  1 sea b moves
1 u* hp
1 m @ capacity  2 m b capacity  3 b @ capacity
4 @ hold-volume  1 m volume  2 b volume
1 m @ make  true @ maker
m first-product
end
"""

SEA = 0
LAND = 1


def period():
    return read_period(TEXT).period


def world(width: int = 12, height: int = 8, *units: Thing, terrain: int = LAND) -> BattleMap:
    """A world of one terrain with these units, by the tiny period's terrains."""
    from dataclasses import replace

    grid = replace(SYSTEM.new_grid(), width=width, height=height)
    terrains = TerrainSet("tiny", (Terrain("sea", "#0000ff", "."), Terrain("land", "#00ff00", "+")))
    planes = {TERRAIN.name: np.full((height, width), terrain, np.uint8)}
    layer = Layer(1, "World", planes=planes, things=Things(units))
    return BattleMap.new(SYSTEM, grid, [layer], terrains)


def unit(number: int, kind: str, x: int, y: int, owner: int = 0, **state) -> Thing:
    """A unit on the cell x,y of a world of any size."""
    at = SYSTEM.new_grid()
    return Thing(number, kind, *at.centre(at.cell(x, y)), owner=owner, state=state)
