"""A tile in words, and the usual priority of its texture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.tiles import usual_priority
from randomizer.systems.zeroad.map_format.map_json import map_of
from randomizer.systems.zeroad.system import SYSTEM


def _map(height: int, size: int = 16) -> MapData:
    textures, priorities = np.zeros((2, size, size), np.uint16)
    textures[0, 0] = 1
    priorities[0, 0] = 5
    heights = np.full((size + 1, size + 1), height, np.uint16)
    return MapData(size, heights, ("medit_grass_field", "temp_road"), textures, priorities, ())


@pytest.mark.parametrize(
    ("height", "words"),
    [
        (2116, "temp_road, height 3, priority 5"),
        (1840, "temp_road, height 0, priority 5"),
        (1564, "temp_road, height -3, 3 under water, priority 5"),
        (1835, "temp_road, height -0.1, 0.1 under water, priority 5"),
    ],
)
def test_a_tile_is_told_in_the_scale_of_scripts(height, words):
    battlemap = map_of(_map(height))
    corner = battlemap.grid.cell(0, 15)
    assert SYSTEM.describe(battlemap, battlemap.composite().planes, corner) == words


def test_a_single_tile_of_a_large_map_has_its_priority_too():
    shown = map_of(_map(0, 512)).composite()
    assert usual_priority(shown, 1) == 5
    assert usual_priority(shown, 0) == 0
    assert usual_priority(shown, 7) == 0


def test_a_texture_in_every_third_column_has_its_most_common_priority() -> None:
    data = _map(0, 192)
    data.textures[:, 1::3] = 2
    data.priorities[:, 1::3] = 9
    data.textures[0, 0] = 2  # the only such tile that the step 3 meets
    data.priorities[0, 0] = 4
    data = replace(data, texture_names=(*data.texture_names, "medit_sand"))
    assert usual_priority(map_of(data).composite(), 2) == 9


def test_the_most_common_priority_counts_and_the_lowest_of_several():
    data = _map(0)
    data.textures[:2] = 1
    data.priorities[0] = 9
    data.priorities[1] = 4
    assert usual_priority(map_of(data).composite(), 1) == 4
    data.priorities[1, :3] = 9
    assert usual_priority(map_of(data).composite(), 1) == 9
