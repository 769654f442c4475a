"""What a terrain set of one's own may hold: ways, costs, priorities, pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from randomizer.model.terrain.terrain import MAX_WAYS, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import check_terrain_set

ROAD = Way("Road", "road", "#fbf3dc")
GRASS = Terrain("Grass", "#80c060")


def test_ways_costs_and_priorities_of_ones_own_are_fine() -> None:
    grass = replace(
        GRASS, cost=None, priority=-3, order=7, asset="0f" * 32, pattern="dots", code="Gg"
    )
    check_terrain_set(
        TerrainSet("Mine", (grass,), ways=(ROAD, replace(ROAD, name="Rail", cost=0.5)))
    )


@pytest.mark.parametrize(
    ("terrain", "ways", "message"),
    [
        (GRASS, (replace(ROAD, style="tunnel"),), "no way is drawn as 'tunnel'"),
        (GRASS, (replace(ROAD, width=0.0),), "its width"),
        (GRASS, (replace(ROAD, cost=-1.0),), "its cost"),
        (GRASS, (replace(ROAD, colour="white"),), "no colour"),
        (GRASS, (ROAD, ROAD), "two ways have the same name"),
        (GRASS, tuple(replace(ROAD, name=f"{n}") for n in range(MAX_WAYS + 1)), "0 to 8 ways"),
        (replace(GRASS, cost=0.0), (), "its cost"),
        (replace(GRASS, cost=float("nan")), (), "its cost"),
        (replace(GRASS, asset="../x"), (), "no digest"),
        (replace(GRASS, priority=99999), (), "out of range"),
        (replace(GRASS, code=" a"), (), "cannot be ' a'"),
    ],
)
def test_faults_are_named(terrain: Terrain, ways: tuple[Way, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_terrain_set(TerrainSet("Mine", (terrain,), ways=ways))
