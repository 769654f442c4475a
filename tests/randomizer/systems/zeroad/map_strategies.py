"""Hypothesis strategies of map data, and small maps made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from randomizer.systems.zeroad.map.coordinates import fine, fine_angle
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map_format.map_schema import plain_data

NAMES = ("medit_grass_field_a", "desert_sand_dunes_50", "alpine_cliff_a", "temp_road", "xyzzy")
TEMPLATES = ("gaia/tree/oak", "gaia/ore/desert_large", "units/athen/hero_pericles", "actor|a.xml")


def map_data(
    size: int = 16, seed: int = 0, entities: tuple[Entity, ...] = (), **more: Any
) -> MapData:
    """A map with random heights, textures and priorities."""
    draw = np.random.default_rng(seed)
    return MapData(
        size,
        draw.integers(0, 65536, (size + 1, size + 1)).astype(np.uint16),
        NAMES,
        draw.integers(0, len(NAMES), (size, size)).astype(np.uint16),
        draw.integers(0, 4, (size, size)).astype(np.uint16),
        entities,
        **more,
    )


@st.composite
def maps(draw: st.DrawFn, *, any_numbers: bool = False) -> MapData:
    """Map data as ``read_map_data`` gives them.

    Without ``any_numbers`` ids are from ``FIRST_ID`` on, and numbers those that things can have.
    """
    size = draw(st.sampled_from((16, 32)))
    positions = st.floats(0, size)
    turns = st.floats(-20, 20)
    if not any_numbers:
        positions = positions.map(fine)
        turns = turns.map(fine_angle)
    placed = draw(
        st.lists(
            st.tuples(
                st.sampled_from(TEMPLATES),
                st.integers(0, 8),
                positions,
                positions,
                turns,
            ),
            max_size=5,
        )
    )
    ids = list(range(FIRST_ID, FIRST_ID + len(placed)))
    if any_numbers:
        some = st.lists(st.integers(0, 65535), unique=True, min_size=len(ids), max_size=len(ids))
        ids = draw(some)
    entities = tuple(Entity(number, *each) for number, each in zip(ids, placed, strict=True))
    data = st.none() | st.dictionaries(st.text("aüb ", max_size=3), st.floats(-9, 9), max_size=2)
    return map_data(
        size,
        draw(st.integers(0, 2**20)),
        entities,
        camera=draw(data),
        environment=draw(data),
        sea_level=draw(st.sampled_from((20.0, 5.5))),
    )


def same(one: MapData, other: MapData) -> bool:
    """Whether two maps are equal in everything."""
    arrays = ("heights", "textures", "priorities")
    rest = ("size", "texture_names", "entities", "camera", "environment", "sea_level")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays) and all(
        getattr(one, name) == getattr(other, name) for name in rest
    )


def raw_map(size: int = 16) -> dict[str, Any]:
    """A sound map as a script returns it, with two entities."""
    entities = (
        Entity(150, "gaia/tree/oak", 0, 3.5, 4.0, 0.0),
        Entity(151, "units/athen/hero_pericles", 1, 8.0, 8.0, fine_angle(1.0)),
    )
    return plain_data(map_data(size, 1, entities, camera={}, environment={}))
