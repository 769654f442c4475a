"""Battlelands of every kind for the tests of movement and fairness, and the board's symmetries.

``battlelands`` is a Hypothesis strategy of one battleland; ``turned`` gives the same one turned or
mirrored, which must be as fair.
"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.movement import EVERYTHING, Battlelands
from randomizer.systems.colossus.terrain_set import COLOSSUS

CREATURES = (
    Creature(),
    Creature(native_to=EVERYTHING),
    Creature(flies=True),
    Creature(flies=True, native_to=EVERYTHING),
    *(Creature(native_to=frozenset({name})) for name in ("Tree", "Lake", "Slope", "River")),
    Creature(flies=True, native_to=frozenset({"Volcano"})),
)
"""Creatures that move in different ways: natives of nothing, of all, of one hazard; fliers."""


def maps_of(terrain, elevation, hexside, start=None) -> Battlelands:
    """Return one battleland from arrays (27,), (27,), (27, 6) and, for its start list, (27,)."""
    if start is not None:
        start = np.asarray(start)[:, None]
    return Battlelands(
        terrain=np.asarray(terrain)[:, None],
        elevation=np.asarray(elevation)[:, None],
        hexside=np.asarray(hexside, np.uint8)[:, :, None],
        start=start,
    )


def _mostly_plain(shape: int | tuple[int, int], greatest: int) -> st.SearchStrategy:
    """Return arrays of values from 0 to ``greatest``, most of them 0."""
    return arrays(np.uint8, shape, elements=st.integers(0, greatest), fill=st.just(0))


@st.composite
def battlelands(draw, starts=True) -> Battlelands:
    """Return one battleland on which some hexes and hexsides are not plain.

    With ``starts`` it can have a start list.
    """
    start = None
    if starts and draw(st.booleans()):
        start = draw(arrays(np.bool_, HEX_COUNT, fill=st.just(False)))
    terrain = draw(_mostly_plain(HEX_COUNT, len(COLOSSUS.terrains) - 1))
    hexside = draw(_mostly_plain((HEX_COUNT, 6), len(COLOSSUS.hexsides)))
    elevation = draw(_mostly_plain(HEX_COUNT, 3)).astype(np.int16)
    return maps_of(terrain, elevation, hexside, start)


def together(maps: list[Battlelands]) -> Battlelands:
    """Return several battlelands as one value; those without a start list have an empty one."""
    starts = []
    for battleland in maps:
        if battleland.start is None:
            starts.append(np.zeros((HEX_COUNT, 1), np.bool_))
        else:
            starts.append(battleland.start)
    return Battlelands(
        terrain=np.concatenate([battleland.terrain for battleland in maps], axis=1),
        elevation=np.concatenate([battleland.elevation for battleland in maps], axis=1),
        hexside=np.concatenate([battleland.hexside for battleland in maps], axis=2),
        start=np.concatenate(starts, axis=1),
    )


def turned(maps: Battlelands, *, mirror: bool) -> Battlelands:
    """Return the same battlelands turned by a third of a circle, or mirrored top to bottom.

    A half turn does not map the three-cornered board onto itself.
    """
    to_hex, to_side = _images(mirror)
    terrain = np.empty_like(maps.terrain)
    elevation = np.empty_like(maps.elevation)
    hexside = np.empty_like(maps.hexside)
    terrain[to_hex] = maps.terrain
    elevation[to_hex] = maps.elevation
    for number, target in enumerate(to_hex):
        hexside[target, to_side] = maps.hexside[number]
    start = None
    if maps.start is not None:
        start = np.empty_like(maps.start)
        start[to_hex] = maps.start
    return Battlelands(terrain, elevation, hexside, start)


def _images(mirror: bool) -> tuple[list[int], list[int]]:
    """Return the image of each hex, and that of each side."""
    # Points are complex numbers: to turn is to multiply, to mirror is to conjugate.
    centres = [complex(*GRID.centre(cell)) for cell in CELL_OF_HEX]
    middle = sum(centres) / HEX_COUNT
    third_of_turn = complex(math.cos(2 * math.pi / 3), math.sin(2 * math.pi / 3))
    to_hex = []
    for centre in centres:
        from_middle = centre - middle
        if mirror:
            image = middle + from_middle.conjugate()
        else:
            image = middle + from_middle * third_of_turn
        distances = [abs(image - candidate) for candidate in centres]
        assert min(distances) < 1e-6, "the board is mapped onto itself"
        to_hex.append(distances.index(min(distances)))

    # Sides follow from a hex that has all its neighbours.
    inner_hex = next(i for i, neighbours in enumerate(NEIGHBOURS) if -1 not in neighbours)
    neighbours_of_image = NEIGHBOURS[to_hex[inner_hex]]
    to_side = []
    for neighbour in NEIGHBOURS[inner_hex]:
        to_side.append(neighbours_of_image.index(to_hex[neighbour]))
    return to_hex, to_side
