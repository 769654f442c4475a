"""Small finished maps for tests, and what the engine of the scripts makes of their scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from randomizer.systems.zeroad.engine.script_run import Script, run_script
from randomizer.systems.zeroad.map.coordinates import fine, fine_angle
from randomizer.systems.zeroad.map.map_data import Entity, MapData
from randomizer.systems.zeroad.map_format.map_schema import read_map_data

TEMPLATES = ("gaia/tree/oak", "structures/athen/civil_centre", "units/athen/infantry “a”")


def finished_map(size: int, seed: int = 1, entities: int = 40, **settings: Any) -> MapData:
    """A map with values of all sizes: the same for the same arguments."""
    dice = np.random.default_rng(seed)
    names = tuple(f"texture {number}" for number in range(1 + seed % 5))
    heights = dice.integers(0, 65536, (size + 1, size + 1)).astype(np.uint16)
    heights[: size // 2] = 2116
    textures = dice.integers(0, len(names), (size, size)).astype(np.uint16)
    textures[size // 4 :] = 0
    priorities = (textures * 7).astype(np.uint16)
    placed = tuple(
        Entity(
            150 + number,
            TEMPLATES[int(dice.integers(0, 3))],
            int(dice.integers(0, 4)),
            fine(float(dice.uniform(0, size))),
            fine(float(dice.uniform(0, size))),
            fine_angle(float(dice.uniform(-7, 7))),
        )
        for number in range(entities)
    )
    environment = {"SkySet": "cirrus", "Water": {"WaterBody": {"Height": 19.9, "Type": "lake"}}}
    camera = {"Position": {"x": 1.5, "y": 2.0, "z": -3.25}, "Rotation": 0.5}
    return MapData(
        size,
        heights,
        names,
        textures,
        priorities,
        placed,
        camera if seed % 2 else None,
        environment if seed % 3 else None,
        settings=settings,
    )


@st.composite
def finished_maps(draw: st.DrawFn) -> MapData:
    """Maps of 16 or 32 tiles."""
    size = draw(st.sampled_from((16, 32)))
    seed = draw(st.integers(0, 10**6))
    return finished_map(size, seed, draw(st.integers(0, 30)))


def run_fixed(script: bytes, size: int, players: int, seed: int) -> MapData:
    """What the script returns for these choices, in an engine."""
    chosen = {
        "Size": size,
        "Seed": seed,
        "PlayerData": [{"Civ": "gaia"}, *({"Civ": "spart"} for _ in range(players))],
    }
    running = run_script(Script("maps/random/finished.js", script.decode()), chosen, ())
    try:
        while True:
            next(running)
    except StopIteration as end:
        data, problems = read_map_data(end.value.data)
        assert data is not None, problems
        assert not problems
        return data


def assert_same(made: MapData, wanted: MapData) -> None:
    """The same map, all of it."""
    for name in ("heights", "textures", "priorities"):
        assert np.array_equal(getattr(made, name), getattr(wanted, name)), name
    for name in ("size", "texture_names", "entities", "camera", "environment", "sea_level"):
        assert getattr(made, name) == getattr(wanted, name), name
