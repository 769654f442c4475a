"""Roads, bridges and cliffs of boards as ways and hexsides of our map.

``WAYS`` and ``CLIFF`` are those of every map that is read from a board; ``way_of_terrain`` tells
which way a terrain is. The game gives *automatic exits* to a road or bridge whose exits are not in
the file; ``automatic_exits`` repeats its rule, so that reader and writer know them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.terrain.terrain import Hexside, Way

SIDE_COUNT = 6
"""The sides of a hex; exits and cliffs are bits of them, bit 0 for the north."""

WAYS = (
    Way("road:1", "road", "#8d8d8d", cost=0.5, description="Paved road"),
    Way("road:2", "road", "#a89a82", cost=0.5, description="Alley"),
    Way("road:3", "track", "#8a6d45", cost=0.5, description="Dirt road"),
    Way("road:4", "track", "#a3a096", cost=0.5, description="Gravel road"),
    Way("bridge", "road", "#6f5b43", cost=0.5, description="Bridge"),
)
"""The ways of a map from a board: all roads by their levels, and bridges of all levels as one."""

BRIDGE = 4
"""The index in ``WAYS`` of "bridge"."""

_NUMBER_OF_WAY = {way.name: number for number, way in enumerate(WAYS)}
"""The index in ``WAYS``, by name."""

_NUMBER_OF_STYLE = {"road": 0, "track": 2}
"""The indices in ``WAYS`` as which ways of other maps are written, by their styles."""

CLIFF = Hexside("cliff_top", "c", "#5b5048", higher=True, description="The top of a cliff")
"""The only hexside of a map from a board."""


def way_of_terrain(name: str, level: int) -> int | None:
    """Return the number in ``WAYS`` of the way that a terrain is; None if it is none.

    Bridges of all levels are one way; the level of a road is its kind.
    """
    if name == "bridge":
        return BRIDGE
    return _NUMBER_OF_WAY.get(f"{name}:{level}")


def way_of_token(token: str) -> int | None:
    """Return the number in ``WAYS`` of a terrain of a code, such as ``road:1`` or ``bridge:1:*``.

    None for roads with exits: a code has one only where it is the second of its kind in a hex,
    which the map holds as a part of the terrain.
    """
    if token.split(":")[0] == "bridge":
        return BRIDGE
    return _NUMBER_OF_WAY.get(token)


def way_on_board(way: Way) -> int | None:
    """Return the number in ``WAYS`` as which a way of any map is written; None if it is lost."""
    return _NUMBER_OF_WAY.get(way.name, _NUMBER_OF_STYLE.get(way.style))


def automatic_exits(
    grid: Grid,
    ways: Mapping[int, NDArray[Any]],
    codes: Sequence[str],
    *,
    exit_to_pavement: bool,
) -> dict[int, NDArray[Any]]:
    """Return the exits (bits of sides) that the game gives to ways without exits, by way.

    A road or bridge leads to each neighbour with the same one. Roads lead to pavement as well,
    unless the board forbids it (``exit_to_pavement``). ``ways`` are flat planes by number, more
    than 0 where the way runs; ``codes`` are those of all cells.
    """
    exits_by_way = {}
    # The semicolon before it keeps terrains out whose names end like it.
    is_paved = np.array([";pavement:" in f";{code}" for code in codes])
    neighbours = grid.neighbour_table
    for number, plane in ways.items():
        has_way = plane > 0
        is_joined = has_way
        if exit_to_pavement and number != BRIDGE:
            is_joined = has_way | is_paved
        leads_to = (neighbours >= 0) & is_joined[neighbours]
        exits = (leads_to << np.arange(SIDE_COUNT)).sum(axis=1)
        exits_by_way[number] = exits * has_way
    return exits_by_way
