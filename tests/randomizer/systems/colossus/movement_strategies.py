"""Battlelands of every kind for the tests of movement and fairness, and the board's symmetries."""

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


def maps_of(terrain, elevation, hexside, start=None) -> Battlelands:
    """One battleland from arrays (27,), (27,), (27, 6) and (27,)."""
    return Battlelands(
        np.asarray(terrain)[:, None],
        np.asarray(elevation)[:, None],
        np.asarray(hexside, np.uint8)[:, :, None],
        None if start is None else np.asarray(start)[:, None],
    )


@st.composite
def battlelands(draw, starts=True) -> Battlelands:
    """One battleland on which a part of the hexes and hexsides are not plain."""

    def some(shape, most):
        return draw(arrays(np.uint8, shape, elements=st.integers(0, most), fill=st.just(0)))

    start = None
    if starts and draw(st.booleans()):
        start = draw(arrays(np.bool_, HEX_COUNT, fill=st.just(False)))
    terrain = some(HEX_COUNT, len(COLOSSUS.terrains) - 1)
    sides = some((HEX_COUNT, 6), len(COLOSSUS.hexsides))
    return maps_of(terrain, some(HEX_COUNT, 3).astype(np.int16), sides, start)


def together(maps: list[Battlelands]) -> Battlelands:
    """Several battlelands in one."""
    starts = [np.zeros((HEX_COUNT, 1), np.bool_) if m.start is None else m.start for m in maps]
    return Battlelands(
        np.concatenate([m.terrain for m in maps], axis=1),
        np.concatenate([m.elevation for m in maps], axis=1),
        np.concatenate([m.hexside for m in maps], axis=2),
        np.concatenate(starts, axis=1),
    )


def turned(maps: Battlelands, *, mirror: bool) -> Battlelands:
    """The same ground turned by a third of a circle, or mirrored top to bottom.

    A half turn does not map the three-cornered board onto itself.
    """
    to_hex, to_side = _motion(mirror)
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


def _motion(mirror: bool) -> tuple[list[int], list[int]]:
    """Where each hex and each side goes."""
    centres = [complex(*GRID.centre(cell)) for cell in CELL_OF_HEX]
    middle = sum(centres) / HEX_COUNT
    third = complex(math.cos(2 * math.pi / 3), math.sin(2 * math.pi / 3))

    def image(point: complex) -> complex:
        away = point - middle
        return middle + (away.conjugate() if mirror else away * third)

    def hex_at(point: complex) -> int:
        near = [abs(point - centre) for centre in centres]
        assert min(near) < 1e-6
        return near.index(min(near))

    to_hex = [hex_at(image(centre)) for centre in centres]
    inner = next(i for i, around in enumerate(NEIGHBOURS) if -1 not in around)
    target = to_hex[inner]
    to_side = [NEIGHBOURS[target].index(to_hex[other]) for other in NEIGHBOURS[inner]]
    return to_hex, to_side
