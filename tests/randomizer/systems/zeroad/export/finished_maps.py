"""Small finished maps of 0 A.D. for tests, and the maps that their exported scripts make.

A map is exported as a script (``maps/random/finished.js``); ``run_fixed`` runs one in the engine,
and ``assert_same`` compares its map with the one that was exported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import run_script
from randomizer.systems.zeroad.map.coordinates import rounded, rounded_angle
from randomizer.systems.zeroad.map.map_data import Entity, MapData
from randomizer.systems.zeroad.map_format.map_schema import read_map_data

TEMPLATES = ("gaia/tree/oak", "structures/athen/civil_centre", "units/athen/infantry “a”")
"""The templates of things; the last one has characters that a script must quote."""

FIRST_ID = 150
"""The id of the first thing."""


def finished_map(size: int, seed: int = 1, entities: int = 40, **settings: Any) -> MapData:
    """Return a map with values of all sizes, the same for the same arguments.

    By the seed it has one to five textures, and a camera and an environment or none.
    """
    dice = np.random.default_rng(seed)

    # Arrays that are random in one part, and of one value in the other, which is packed shorter.
    names = tuple(f"texture {number}" for number in range(1 + seed % 5))
    heights = dice.integers(0, 65536, (size + 1, size + 1)).astype(np.uint16)
    heights[: size // 2] = 2116
    textures = dice.integers(0, len(names), (size, size)).astype(np.uint16)
    textures[size // 4 :] = 0
    priorities = (textures * 7).astype(np.uint16)

    placed_entities = []
    for number in range(entities):
        template = TEMPLATES[int(dice.integers(0, len(TEMPLATES)))]
        player = int(dice.integers(0, 4))
        x = rounded(float(dice.uniform(0, size)))
        z = rounded(float(dice.uniform(0, size)))
        angle = rounded_angle(float(dice.uniform(-7, 7)))
        placed_entities.append(Entity(FIRST_ID + number, template, player, x, z, angle))

    camera: dict[str, Any] | None = None
    if seed % 2:
        camera = {"Position": {"x": 1.5, "y": 2.0, "z": -3.25}, "Rotation": 0.5}
    environment: dict[str, Any] | None = None
    if seed % 3:
        water = {"WaterBody": {"Height": 19.9, "Type": "lake"}}
        environment = {"SkySet": "cirrus", "Water": water}
    return MapData(
        size=size,
        heights=heights,
        texture_names=names,
        textures=textures,
        priorities=priorities,
        entities=tuple(placed_entities),
        camera=camera,
        environment=environment,
        settings=settings,
    )


@st.composite
def finished_maps(draw: st.DrawFn) -> MapData:
    """Return a map of 16 x 16 or 32 x 32 tiles."""
    size = draw(st.sampled_from((16, 32)))
    seed = draw(st.integers(0, 10**6))
    return finished_map(size, seed, draw(st.integers(0, 30)))


def run_fixed(script: bytes, size: int, players: int, seed: int) -> MapData:
    """Return the map that an exported script makes in the engine for these choices."""
    chosen = {
        "Size": size,
        "Seed": seed,
        "PlayerData": [{"Civ": "gaia"}, *({"Civ": "spart"} for _ in range(players))],
    }
    steps = run_script(Script("maps/random/finished.js", script.decode()), chosen, ())
    try:
        while True:
            next(steps)
    except StopIteration as end:
        data, problems = read_map_data(end.value.data)
        assert data is not None, problems
        assert not problems
        return data


def assert_same(actual: MapData, expected: MapData) -> None:
    """Check that two maps are equal in everything."""
    for name in ("heights", "textures", "priorities"):
        assert np.array_equal(getattr(actual, name), getattr(expected, name)), name
    for name in ("size", "texture_names", "entities", "camera", "environment", "sea_level"):
        assert getattr(actual, name) == getattr(expected, name), name
