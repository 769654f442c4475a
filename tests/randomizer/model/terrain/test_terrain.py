"""Terrain sets: names, letters and the numbers that planes hold."""

from __future__ import annotations

import pytest

from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet

MOOR = TerrainSet(
    "Moor",
    (Terrain("Heath", "#808040"), Terrain("Bog", "#404020", "o", ("Mire",))),
    (Hexside("Ditch", "d", "#000000"), Hexside("Fence", "f", "#ffffff")),
    (0, 1),
)


def test_a_terrains_code_is_its_position() -> None:
    assert [MOOR.terrain_code(terrain.name) for terrain in MOOR.terrains] == [0, 1]
    assert MOOR.has_terrain("Bog")
    for other in ("bog", "Mire", "o", ""):
        assert not MOOR.has_terrain(other)
        with pytest.raises(KeyError):
            MOOR.terrain_code(other)


def test_a_hexsides_code_is_its_position_and_one_more() -> None:
    assert [MOOR.hexside_code(letter) for letter in " df"] == [0, 1, 2]
    assert [MOOR.hexside_letter(code) for code in range(3)] == [" ", "d", "f"]
    with pytest.raises(KeyError):
        MOOR.hexside_code("x")
