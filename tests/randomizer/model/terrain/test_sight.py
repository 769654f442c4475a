"""What blocks sight: as the set says, else as picture and name tell."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.catalog.systems import system_named
from randomizer.model.terrain.sight import blocks_sight
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.interchange.foreign.terrain_codes import Codes


def blocking(terrain_set: TerrainSet) -> tuple[set[str], set[str]]:
    """Return the names of terrains and hexsides that block sight."""
    return (
        {terrain.name for terrain in terrain_set.terrains if blocks_sight(terrain)},
        {hexside.name for hexside in terrain_set.hexsides if blocks_sight(hexside)},
    )


@pytest.mark.parametrize(
    ("name", "terrains", "hexsides"),
    [
        ("Battlefield", {"Woods", "Urban"}, {"Wall", "Hedge"}),
        (
            "Landscape",
            {
                *("Wood", "Pine wood", "Jungle", "Mountains", "High mountains"),
                *("Volcano", "Built-up area", "Dense built-up area"),
            },
            {"Wall", "Cliff"},
        ),
        ("Titan hazards", {"Tree", "Stone"}, {"Wall", "Cliff"}),
        ("Rooms", {"Rock", "Wall", "Door"}, {"Wall"}),
    ],
)
def test_woods_mountains_houses_walls_and_cliffs_of_our_sets(name, terrains, hexsides) -> None:
    assert blocking(packaged_set(name)) == (terrains, hexsides)


@pytest.mark.parametrize(
    ("name", "terrains"),
    [
        ("colossus", {"Tree", "Stone"}),
        (
            "cordery",
            {
                *("Mountain", "Deciduous trees", "Coniferous trees", "Palm trees"),
                *("Settlement", "Village", "Town", "City"),
            },
        ),
        ("xconq", {"forest", "mountains"}),
        ("zeroad", set()),  # a texture is the ground alone
    ],
)
def test_terrains_of_games(name, terrains) -> None:
    system = system_named(name)
    assert system is not None
    assert blocking(system.terrain_set)[0] == terrains


@pytest.mark.parametrize(
    ("name", "blocks"),
    [
        ("Wall", True),
        ("Stone walls", True),
        ("Wall of stone", True),
        ("Dark Forest (thick)", True),
        ("Cliff 2", True),
        ("Forest road", False),
        ("Town square", False),
        ("Fruit trees", True),
        ("Hills", False),
        ("12", False),
        ("", False),
    ],
)
def test_the_noun_of_a_name_tells(name: str, blocks: bool) -> None:
    assert blocks_sight(Terrain(name, "#808080")) is blocks
    assert blocks_sight(Hexside(name, "a", "#808080")) is blocks


def test_a_set_can_say_otherwise() -> None:
    assert not blocks_sight(Terrain("Wall", "#808080", blocks_sight=False))
    assert blocks_sight(Terrain("Fog", "#808080", blocks_sight=True))
    assert blocks_sight(Terrain("My own", "#808080", picture="Conifers"))


def test_codes_of_other_programs_block_sight_by_their_pictures() -> None:
    codes = Codes()
    for code in ("woods:1", "building:2:9", "swamp:1"):
        codes.number(code)
    terrains, _cells = codes.terrains(lambda code: [code], np.zeros((1, 1), np.int64))
    assert {terrain.code for terrain in terrains if blocks_sight(terrain)} == {
        "woods:1",
        "building:2:9",
    }


def test_what_a_terrain_stands_on_does_not_count() -> None:
    assert blocks_sight(Terrain("Elmwood forest, dry grass", "#35684f"))
    assert not blocks_sight(Terrain("Dry grass, cut wood", "#b0b060"))


@pytest.mark.parametrize("name", ["Ruined city", "Ruined cities", "Fortress", "Fortresses"])
def test_nouns_block_sight_in_the_plural_too(name: str) -> None:
    assert blocks_sight(Terrain(name, "#808080"))
