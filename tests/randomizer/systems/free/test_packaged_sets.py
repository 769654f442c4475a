"""The terrain sets that come with the package."""

from __future__ import annotations

import pytest

from randomizer.model.grid.layouts import FLAT
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.terrain.terrain_check import check_terrain_set
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.packaged_sets import LANDSCAPE, PACKAGED_SETS, packaged_set
from randomizer.systems.free.system import SYSTEM, free_map


def listed(terrain_set: TerrainSet) -> list[str]:
    """The names of the terrains as lists show them."""
    return [terrain.name for terrain in sorted(terrain_set.terrains, key=lambda each: each.order)]


def test_a_new_free_map_begins_with_grassland_of_the_set_landscape() -> None:
    battlemap = free_map(FLAT, 3, 3)
    assert battlemap.terrain_set is SYSTEM.terrain_set is packaged_set(LANDSCAPE)
    assert battlemap.terrain_set.terrains[0].name == "Grassland"


def test_landscape_has_what_worlds_are_made_of_from_the_deep_sea_to_the_city() -> None:
    known = packaged_set("Landscape")
    assert listed(known) == [
        *("Deep sea", "Sea", "Shallows", "Beach", "Grassland", "Farmland", "Heath", "Wood"),
        *("Pine wood", "Jungle", "Swamp", "Desert", "Badlands", "Hills", "Mountains"),
        *("High mountains", "Snow", "Ice", "Volcano", "Built-up area", "Dense built-up area"),
    ]
    assert [terrain.name for terrain in known.terrains if terrain.water] == [
        "Deep sea",
        "Sea",
        "Shallows",
    ]
    assert [terrain.name for terrain in known.terrains if terrain.cost is None] == [
        "Deep sea",
        "Sea",
    ]
    assert known.elevations == tuple(range(-2, 10))


def test_battlefield_has_clear_ground_first_and_four_hexsides() -> None:
    known = packaged_set("Battlefield")
    names = ("Clear", "Woods", "Orchard", "Crops", "Rough", "Marsh", "Water", "Urban", "Fortified")
    assert [terrain.name for terrain in known.terrains] == listed(known) == list(names)
    sides = [(hexside.name, hexside.letter) for hexside in known.hexsides]
    assert sides == [("Wall", "w"), ("Hedge", "h"), ("Stream", "s"), ("Bank", "b")]


def test_rooms_begin_as_rock_and_have_floors_doors_walls_and_stairs() -> None:
    rooms = packaged_set("Rooms")
    assert listed(rooms) == [
        *("Rock", "Floor", "Wall", "Door", "Stairs down", "Stairs up", "Pillar", "Boards"),
        *("Rubble", "Cave", "Water", "Pit", "Yard"),
    ]
    impassable = [terrain.name for terrain in rooms.terrains if terrain.cost is None]
    assert impassable == ["Rock", "Wall", "Water", "Pit"]
    assert [hexside.name for hexside in rooms.hexsides] == ["Wall"]


def test_titan_hazards_are_those_of_colossus() -> None:
    known = packaged_set("Titan hazards")
    assert (known.terrains, known.hexsides) == (COLOSSUS.terrains, COLOSSUS.hexsides)


@pytest.mark.parametrize("name", PACKAGED_SETS)
def test_every_set_is_one_that_maps_can_have_and_is_read_once(name: str) -> None:
    known = packaged_set(name)
    check_terrain_set(known)
    assert known.name == name
    assert packaged_set(name) is known
    letters = [terrain.letters[:1] for terrain in known.terrains]
    assert len(set(letters)) == len(letters)


@pytest.mark.parametrize("name", ["Landscape", "Battlefield"])
def test_worlds_and_battlefields_have_the_same_ways(name: str) -> None:
    ways = [(way.name, way.style) for way in packaged_set(name).ways]
    assert ways == [("Road", "road"), ("Track", "track"), ("Railway", "rail"), ("River", "water")]


def test_there_is_no_set_of_another_name() -> None:
    with pytest.raises(KeyError):
        packaged_set("../colossus")
