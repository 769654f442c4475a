"""What the list of problems has of a wargame table."""

from __future__ import annotations

from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import TERRAINS
from tests.app.cordery_tables import table_with

EAST_AND_WEST = PRESENT | 1 << 1 | 1 << 3
"""A road that runs through a square from west to east."""


def problems_of_a_road_over_a_lake(length: int) -> list[str]:
    """The messages about a table with a road from edge to edge, ``length`` squares of it water."""
    lake = TERRAINS.terrain_code("Lake")
    values = {
        "road": {(x, 2): EAST_AND_WEST for x in range(5)},
        "terrain": {(x, 2): lake for x in range(1, 1 + length)},
    }
    battlemap = table_with("square", values)
    return [problem.message for problem in SYSTEM.check(battlemap, battlemap.composite())]


def test_a_road_over_a_lake_is_a_problem_and_a_bridge_is_none():
    assert problems_of_a_road_over_a_lake(0) == []
    assert problems_of_a_road_over_a_lake(1) == []
    (message,) = problems_of_a_road_over_a_lake(2)
    assert message == "Road crosses 2 squares of water at 0203."
