"""Hypothesis strategies of maps of 0 A.D. as data, and small maps made by hand.

``maps`` gives any map that can be read, ``map_data`` one map for given arguments, and ``raw_map``
one as a script of the game returns it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from randomizer.systems.zeroad.map.coordinates import rounded, rounded_angle
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map_format.map_schema import plain_data

NAMES = ("medit_grass_field_a", "desert_sand_dunes_50", "alpine_cliff_a", "temp_road", "xyzzy")
"""The textures of all these maps; the last one is none of the game."""

TEMPLATES = ("gaia/tree/oak", "gaia/ore/desert_large", "units/athen/hero_pericles", "actor|a.xml")
"""The templates of things: of nature, of a player, and a mere picture."""


def map_data(
    size: int = 16, seed: int = 0, entities: tuple[Entity, ...] = (), **more: Any
) -> MapData:
    """Return a map of ``size`` x ``size`` tiles with random heights, textures and priorities.

    ``more`` are further fields of ``MapData``.
    """
    draw = np.random.default_rng(seed)
    return MapData(
        size=size,
        heights=draw.integers(0, 65536, (size + 1, size + 1)).astype(np.uint16),
        texture_names=NAMES,
        textures=draw.integers(0, len(NAMES), (size, size)).astype(np.uint16),
        priorities=draw.integers(0, 4, (size, size)).astype(np.uint16),
        entities=entities,
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
        positions = positions.map(rounded)
        turns = turns.map(rounded_angle)

    # The fields of an entity behind its id: template, player, x, z and angle.
    players = st.integers(0, 8)
    fields = st.tuples(st.sampled_from(TEMPLATES), players, positions, positions, turns)
    fields_of_entities = draw(st.lists(fields, max_size=5))
    count = len(fields_of_entities)
    ids = list(range(FIRST_ID, FIRST_ID + count))
    if any_numbers:
        any_ids = st.lists(st.integers(0, 65535), unique=True, min_size=count, max_size=count)
        ids = draw(any_ids)
    entities = []
    for entity_id, entity_fields in zip(ids, fields_of_entities, strict=True):
        entities.append(Entity(entity_id, *entity_fields))

    data = st.none() | st.dictionaries(st.text("aüb ", max_size=3), st.floats(-9, 9), max_size=2)
    return map_data(
        size,
        seed=draw(st.integers(0, 2**20)),
        entities=tuple(entities),
        camera=draw(data),
        environment=draw(data),
        sea_level=draw(st.sampled_from((20.0, 5.5))),
    )


def same(first: MapData, second: MapData) -> bool:
    """Return whether two maps are equal in everything."""
    for name in ("heights", "textures", "priorities"):
        if not np.array_equal(getattr(first, name), getattr(second, name)):
            return False
    for name in ("size", "texture_names", "entities", "camera", "environment", "sea_level"):
        if getattr(first, name) != getattr(second, name):
            return False
    return True


def raw_map(size: int = 16) -> dict[str, Any]:
    """Return a valid map as a script returns it, with two entities."""
    entities = (
        Entity(150, "gaia/tree/oak", 0, 3.5, 4.0, 0.0),
        Entity(151, "units/athen/hero_pericles", 1, 8.0, 8.0, rounded_angle(1.0)),
    )
    return plain_data(map_data(size, 1, entities, camera={}, environment={}))
