"""Roads, bridges and cliffs of MegaMek's boards as ways and hexsides of our map.

On a board a road is a terrain of a hex, such as ``road:1:9``: of the kind 1, with the *exits* 9,
which are bits of the sides by which it leaves the hex. Our map has *ways* for that; a terrain set
lists them, and ``WAYS`` is the list of every map that is read from a board. A way is known by its
index in ``WAYS``, which is called its number:

    number_of_terrain("road", 1)       # 0, since WAYS[0] is "road:1"
    number_of_terrain("woods", 1)      # None

A road without exits in the file (``road:1``) gets *automatic exits* from the game;
``automatic_exits`` repeats its rule, so that our reader and writer know them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.terrain.terrain import Hexside, Way

SIDE_COUNT = 6
"""The sides of a hex. Exits and cliffs are bits of sides, from bit 0 for the north clockwise."""

WAYS = (
    Way("road:1", "road", "#8d8d8d", cost=0.5, description="Paved road"),
    Way("road:2", "road", "#a89a82", cost=0.5, description="Alley"),
    Way("road:3", "track", "#8a6d45", cost=0.5, description="Dirt road"),
    Way("road:4", "track", "#a3a096", cost=0.5, description="Gravel road"),
    Way("bridge", "road", "#6f5b43", cost=0.5, description="Bridge"),
)
"""The ways of a map from a board.

Roads are told apart by their level, which is the kind of the road. Bridges of all levels, which are
heights, are one way.
"""

_NUMBER_OF_WAY = {way.name: number for number, way in enumerate(WAYS)}
"""The index in ``WAYS``, by name."""

BRIDGE = _NUMBER_OF_WAY["bridge"]
"""The number of bridges."""

_NUMBER_OF_STYLE = {"road": _NUMBER_OF_WAY["road:1"], "track": _NUMBER_OF_WAY["road:3"]}
"""For ways of maps that are no boards the number of the way that is written, by their styles.

A way of another style, such as a river, is lost.
"""

CLIFF = Hexside("cliff_top", "c", "#5b5048", higher=True, description="The top of a cliff")
"""The only hexside of a map from a board."""


def number_of_terrain(name: str, level: int) -> int | None:
    """Return the number of the way that a terrain of a board is; None if it is no way."""
    if name == "bridge":
        return BRIDGE
    return _NUMBER_OF_WAY.get(f"{name}:{level}")


def number_of_token(token: str) -> int | None:
    """Return the number of the way that a token of a code is; None if it is no way.

    A *code* is the name of a terrain of our map, and has the terrains of a hex as tokens, such as
    ``road:1`` or ``bridge:1:*``. A road with exits is no way there: reading puts only the second
    road of a kind in a hex into the code with its exits, since a map can hold one of them as a way.
    """
    if token.split(":")[0] == "bridge":
        return BRIDGE
    return _NUMBER_OF_WAY.get(token)


def number_on_board(way: Way) -> int | None:
    """Return the number as which a way of any map is written; None if no board can have it."""
    return _NUMBER_OF_WAY.get(way.name, _NUMBER_OF_STYLE.get(way.style))


def automatic_exits(
    grid: Grid,
    ways: Mapping[int, NDArray[Any]],
    codes: Sequence[str],
    *,
    exit_to_pavement: bool,
) -> dict[int, NDArray[Any]]:
    """Return the exits that the game gives to ways whose exits are not in the file.

    The result has an array (cells,) of bits of sides for each way, by number. It is 0 where the way
    does not run.

    The rule: a road or bridge leads to each neighbour with the same road or bridge. Roads lead to
    pavement as well, unless the board forbids that (``exit_to_pavement`` is False). ``ways`` are
    arrays (cells,) by number, more than 0 where the way runs; ``codes`` are those of all cells.
    """
    exits_by_way = {}
    # With a semicolon before the name, so that no terrain counts whose name only ends like it.
    is_paved = np.array([";pavement:" in f";{code}" for code in codes])
    neighbours = grid.neighbour_table
    for number, plane in ways.items():
        has_way = plane > 0
        is_destination = has_way
        if exit_to_pavement and number != BRIDGE:
            is_destination = has_way | is_paved
        # By cell and side, (cells, 6); where there is no neighbour the index is -1, which is masked
        # out.
        leads_to = (neighbours >= 0) & is_destination[neighbours]
        # True at the sides 0 and 3 becomes the bits 0b001001.
        exits = (leads_to << np.arange(SIDE_COUNT)).sum(axis=1)
        exits_by_way[number] = np.where(has_way, exits, 0)
    return exits_by_way
