"""Writes the hexes of a map as statements of a MegaMek board.

``BoardCodec`` calls ``hex_statements``; ``board_text`` then puts the statements into a file. The
statement of a cell is made of three things:

- the *code* of its terrain, with the terrains of a hex and a theme: ``woods:1;road:1 "grass"``;
- the ways of the map in the cell, with their *exits*: bits of the sides by which they leave it;
- the cliffs at its sides.

So a cell of this code, whose road leaves by the sides 0 and 3, becomes, with a cliff at side 1:

    hex 0304 2 "woods:1;road:1:9;cliff_top:1:2" "grass"

A way is known by its number, which is its index in ``board_ways.WAYS``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.routes import SIDES
from randomizer.systems.interchange.foreign.ways import visible_ways
from randomizer.systems.interchange.megamek.board_ways import (
    BRIDGE,
    WAYS,
    automatic_exits,
    number_of_token,
    number_on_board,
)
from randomizer.systems.interchange.megamek.notation import split_code

_NEW_BRIDGE = "bridge:1:{};bridge_elev:1;bridge_cf:90"
"""The terrains of a bridge that no code names, with its exits put in.

The game refuses a bridge without an elevation.
"""


class HexStatements(NamedTuple):
    """The hexes of a map as statements, and the numbers of cells that lose something."""

    rows: list[str]
    """The statements, row by row of the map."""
    lost_ways: int
    """The number of cells with a way that a board cannot have."""
    lost_hexsides: int
    """The number of hexsides other than cliffs."""
    roads_without_way: int
    """The number of cells whose code names a road although the map has no way there."""


def hex_statements(
    battlemap: BattleMap, composite: Composite, codes: Sequence[str], *, exit_to_pavement: bool
) -> HexStatements:
    """Return the statements of all hexes of a map.

    ``composite`` is what the map shows, ``codes`` are those of all cells, row by row.
    ``exit_to_pavement`` is True if roads of the board lead to pavement by themselves.
    """
    grid = battlemap.grid
    ways, lost_ways = _ways_on_board(battlemap, composite)
    cliffs, lost_hexsides = _cliffs(battlemap, composite)
    automatic_planes = automatic_exits(grid, ways, codes, exit_to_pavement=exit_to_pavement)
    terrains_and_themes = {code: split_code(code) for code in set(codes)}
    elevation = composite.planes["elevation"]
    heights = np.broadcast_to(elevation, (grid.height, grid.width)).reshape(-1)

    rows = list[str]()
    roads_without_way = 0
    for cell, (code, height) in enumerate(zip(codes, heights.tolist(), strict=True)):
        terrains, theme = terrains_and_themes[code]
        # The exits of the ways that run through the cell, by number: on the map, and as the game
        # would give them. A plane is 0 where the way does not run.
        exits_on_map = dict[int, int]()
        exits_by_game = dict[int, int]()
        for number, plane in ways.items():
            if plane[cell]:
                exits_on_map[number] = int(plane[cell]) & SIDES
                exits_by_game[number] = int(automatic_planes[number][cell])
        for token in terrains:
            number_of_road = number_of_token(token)
            if number_of_road in (None, BRIDGE):
                continue
            if number_of_road not in exits_on_map:
                roads_without_way += 1
                break
        hex_text = _hex_text(terrains, exits_on_map, exits_by_game, cliffs=int(cliffs[cell]))
        x, y = grid.xy(cell)
        # Boards count columns and rows from 1.
        rows.append(f'hex {x + 1:02}{y + 1:02} {height} "{hex_text}" "{theme}"')
    return HexStatements(
        rows=rows,
        lost_ways=lost_ways,
        lost_hexsides=lost_hexsides,
        roads_without_way=roads_without_way,
    )


def _ways_on_board(
    battlemap: BattleMap, composite: Composite
) -> tuple[dict[int, NDArray[Any]], int]:
    """Return the planes (cells,) of the ways that a board can have, by number.

    Two ways of a map can be written as one, whose plane has the exits of both. The second value is
    the number of cells with ways that a board cannot have.
    """
    ways: dict[int, NDArray[Any]] = {}
    lost_cells = 0
    for way, plane in visible_ways(battlemap, composite):
        number = number_on_board(way)
        if number is None:
            lost_cells += int(np.count_nonzero(plane))
        elif number in ways:
            ways[number] = ways[number] | plane
        else:
            ways[number] = plane
    return ways, lost_cells


def _cliffs(battlemap: BattleMap, composite: Composite) -> tuple[NDArray[Any], int]:
    """Return the sides of each cell that have cliffs, as bits, (cells,).

    A hexside is a cliff if its name has the word "cliff". The second value is the number of
    hexsides that are no cliffs.
    """
    values = composite.planes["hexside"].reshape(battlemap.grid.size, -1)
    kinds = battlemap.terrain_set.hexsides
    cliff_codes = [code for code, kind in enumerate(kinds, 1) if "cliff" in kind.name.lower()]
    is_cliff = np.isin(values, cliff_codes)
    lost = np.count_nonzero(values) - np.count_nonzero(is_cliff)
    bits_of_sides = np.arange(is_cliff.shape[1])
    return (is_cliff << bits_of_sides).sum(axis=1), int(lost)


def _hex_text(
    terrains: Sequence[str],
    exits_on_map: Mapping[int, int],
    exits_by_game: Mapping[int, int],
    *,
    cliffs: int,
) -> str:
    """Return the terrains of a hex as text, such as ``woods:1;road:1:9``.

    ``terrains`` are those of its code. ``exits_on_map`` are the exits of the ways in its cell, by
    number, and ``exits_by_game`` those that the game would give to these ways. Exits and ``cliffs``
    are bits of sides.
    """
    tokens = list[str]()
    ways_left = dict(exits_on_map)  # ways that no terrain of the code names
    names_bridge = any(token.startswith("bridge:") for token in terrains)
    is_bridge_erased = names_bridge and BRIDGE not in exits_on_map

    # The terrains of the code, with the exits that their ways have on the map.
    for token in terrains:
        if is_bridge_erased and token.startswith("bridge"):
            continue  # with its elevation and strength, which mean nothing without it
        way = number_of_token(token)
        if way is None:
            tokens.append(token)
        elif way in ways_left:
            exits = ways_left.pop(way)
            # A token with "*" is a bridge whose exits were in the file, and are to be again.
            is_automatic = not token.endswith("*") and exits == exits_by_game[way]
            if is_automatic:
                tokens.append(token)  # without exits: the game gives it the same ones
            else:
                tokens.append(f"{token.removesuffix(':*')}:{exits}")
        elif way in exits_on_map:
            tokens.append(token)  # a second bridge of the hex: one way on the map is both
        # Else the way is no more on the map: a user has erased the road that the code names.

    # Ways and cliffs that the code does not name.
    for way_number, exits in ways_left.items():
        if way_number == BRIDGE:
            tokens.append(_NEW_BRIDGE.format(exits))
        else:
            tokens.append(f"{WAYS[way_number].name}:{exits}")
    if cliffs:
        tokens.append(f"cliff_top:1:{cliffs}")
    return ";".join(tokens)
