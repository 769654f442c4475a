"""Roads of free maps that end in water are told, with their cell."""

from __future__ import annotations

from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.hand.targets import paint_fixes
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.system import free_map


def map_with_road(side_bits: int, terrain: str):
    battlemap = free_map(FLAT, 4, 4)
    layer = battlemap.layers[0]
    for spec in battlemap.system.planes:
        layer.planes[spec.name] = spec.blank(battlemap.grid).copy()
    names = [way.name for way in battlemap.terrain_set.ways]
    layer.planes[f"way{names.index('Road') + 1}"].flat[5] = PRESENT | side_bits
    layer.planes["terrain"].flat[5] = battlemap.terrain_set.terrain_code(terrain)
    return battlemap


def messages(battlemap):
    problems = battlemap.system.check(battlemap, battlemap.composite())
    return [problem.message for problem in problems]


def test_a_road_that_ends_in_the_sea_is_told():
    water = next(each.name for each in free_map(FLAT, 2, 2).terrain_set.terrains if each.water)
    for side_bits in (0, 1, 4):
        assert messages(map_with_road(side_bits, water)) == [
            f"Road ends in water ({water}) at 0202."
        ]
    assert messages(map_with_road(0b1001, water)) == [], "it goes on: a bridge"


def test_a_road_that_crosses_wide_water_is_told_and_taken_away_with_no_half_link():
    """Two lakes with one cell of land between them: their road is one piece, with one fix."""
    battlemap = free_map(SQUARE, 9, 1)
    layer = battlemap.layers[0]
    for spec in battlemap.system.planes:
        layer.planes[spec.name] = spec.blank(battlemap.grid).copy()
    names = [way.name for way in battlemap.terrain_set.ways]
    plane = f"way{names.index('Road') + 1}"
    east = 1 << 1
    west = 1 << 3
    layer.planes[plane][0] = [PRESENT | east, *[PRESENT | east | west] * 7, PRESENT | west]
    is_water_by_code = [terrain.water for terrain in battlemap.terrain_set.terrains]
    layer.planes["terrain"][0] = is_water_by_code.index(False)
    layer.planes["terrain"][0, [2, 3, 5, 6]] = is_water_by_code.index(True)
    (problem,) = battlemap.system.check(battlemap, battlemap.composite())
    assert problem.message == "Road crosses 4 squares of water at 0301."
    paint_fixes(battlemap, layer.id, [problem.fix]).apply(battlemap)
    road = battlemap.composite().planes[plane]
    assert road[0].tolist() == [
        *(PRESENT | east, PRESENT | west),
        *[0] * 5,
        *(PRESENT | east, PRESENT | west),
    ]
    assert messages(battlemap) == []


def test_a_road_that_ends_on_land_is_not_told():
    land = next(each.name for each in free_map(FLAT, 2, 2).terrain_set.terrains if not each.water)
    assert messages(map_with_road(1, land)) == []
