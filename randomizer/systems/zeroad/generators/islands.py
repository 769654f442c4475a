"""Islands: a Python generator. Each player starts on an island; others with resources lie around.

What lies between the players' islands is there once for each player, at the same distance from the
middle, so that all have the same.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from randomizer.generator import DrawKey
from randomizer.systems.zeroad.generators.map_builder import (
    BORDER,
    Draws,
    Grid,
    MapBuilder,
    Mask,
    noise,
    polar,
    smooth,
)
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

STARTS_AT = 0.31
"""How far from the middle players start, as a part of the map's edge."""

STRAIT = 4.5
"""Where two islands meet the water is as deep as so many tiles off a coast: too deep to walk."""

SHELF = 12.0
"""The depth of the sea in metres, far from the coast."""


@dataclass(frozen=True)
class Island:
    """Its middle and radius in tiles, and the player (from 1) who starts there; 0: nobody."""

    x: float
    z: float
    radius: float
    player: int = 0


def islands(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """The map of a key. Yields progress (1 to 99)."""
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    island_list = _layout(draws, size, players)
    yield 5
    heights, coast, nearest = _relief(draws, size, island_list)
    yield 40
    builder = MapBuilder(settings, heights, draws)
    builder.paint_ground()
    yield 60
    own = [nearest == number for number in range(len(island_list))]
    starts = [(island, own[i]) for i, island in enumerate(island_list) if island.player]
    others = [(island, own[i]) for i, island in enumerate(island_list) if not island.player]
    for island, _where in starts:
        builder.base(island.player, island.x, island.z)
    for island, where in starts:
        _settle(builder, island, where & builder.land)
        yield 60 + island.player * 20 // players
    for island, where in others:
        _furnish(builder, island, where & builder.land)
    yield 85
    far = builder.water & (coast > -16)
    for island, _where in starts:
        for _school in range(4):
            spot = builder.spot(island.x, island.z, island.radius, island.radius + 14, far)
            builder.group(builder.biome["fish"], 1, spot, 0, 4)
    yield 95
    return builder.finished()


def _layout(draws: Draws, size: int, players: int) -> list[Island]:
    """Return the players' islands on a circle, the others in between, in turns around the
    middle.
    """
    ring = size * STARTS_AT
    middle = size / 2
    turn = draws.number(0, FULL_TURN)
    if players > 1:
        chord = 2 * ring * math.sin(math.pi / players)
    else:
        chord = math.inf
    radius = max(11.5, min(14 + size / 14, chord * 0.38, middle - BORDER - ring))
    islands_placed = [
        Island(*polar(middle, ring, turn + i * FULL_TURN / players), radius, i + 1)
        for i in range(players)
    ]
    centre = min(10 + size / 22, ring - radius * 1.15 - 6)
    if centre > 8:
        islands_placed.append(Island(middle, middle, centre))
    for _try in range(150):
        wide = draws.number(7, 8 + size / 22)
        away = draws.number(wide, middle - BORDER - wide)
        where = turn + draws.number(0, FULL_TURN)
        more = [
            Island(*polar(middle, away, where + i * FULL_TURN / players), wide)
            for i in range(players)
        ]
        if _clear([*islands_placed, *more], len(islands_placed)):
            islands_placed += more
    return islands_placed


def _clear(islands: list[Island], first_new: int) -> bool:
    """Return whether there is a strait around each of the islands from one on."""
    return all(
        math.hypot(new.x - other_island.x, new.z - other_island.z)
        > (new.radius + other_island.radius) * 1.1 + 4
        for number, new in enumerate(islands[first_new:], first_new)
        for other_island in islands[:number]
    )


def _relief(draws: Draws, size: int, island_list: list[Island]) -> tuple[Grid, Grid, Grid]:
    """Heights of corners; then by tile how far inland it is (in tiles), and its island's number."""
    shape = (size + 1, size + 1)
    inland = np.full(shape, -3 * SHELF)
    nearest = np.zeros(shape)
    bumps = np.zeros(shape)
    second = inland.copy()
    ragged = noise(draws, size + 1, 16, 4)
    rolling = (noise(draws, size + 1, 11) + 0.6) * 1.4
    for number, island in enumerate(island_list):
        box, away = _around(island, size)
        swing = min(10.0, island.radius * 0.42 - 1.2)
        wave = ragged[box] * swing * smooth(away / island.radius - 0.25)
        depth = island.radius - away + wave
        nearest[box][depth > inland[box]] = number
        second[box] = np.maximum(second[box], np.minimum(inland[box], depth))
        inland[box] = np.maximum(inland[box], depth)
    inland = np.minimum(inland, inland - second - STRAIT)
    bumps += rolling * smooth((inland - 4) / 6)
    for island in island_list:
        box, away = _around(island, size)
        if island.player:
            bumps[box] *= smooth(away / 7 - 1.2)  # flat where the civil centre stands
        else:
            top = draws.number(4, 6 + island.radius * 0.9)
            rise = smooth(1.25 - away / island.radius * 2.1)
            bumps[box] += top * rise * (ragged[box] * 0.35 + 0.8)
    land = 3 * (1 - np.exp(-np.maximum(inland, 0) / 2.4))
    sea = -SHELF * (1 - np.exp(np.minimum(inland, 0) / 9))
    heights = land + sea + np.maximum(bumps, -1.2 * smooth(inland / 4))
    return heights, inland[:-1, :-1], nearest[:-1, :-1]


def _around(island: Island, size: int) -> tuple[tuple[slice, slice], Grid]:
    """Return the corners of a box around an island and the sea near it, and how far from it they
    are.
    """
    reach = island.radius * 1.4 + 3 * SHELF
    low_z, low_x = (max(0, int(middle - reach)) for middle in (island.z, island.x))
    box = slice(low_z, int(island.z + reach) + 1), slice(low_x, int(island.x + reach) + 1)
    rows, columns = (np.arange(size + 1.0)[part] for part in box)
    return box, np.hypot(rows[:, None] - island.z, columns - island.x)


def _settle(builder: MapBuilder, island: Island, where: Mask) -> None:
    """Place what each player has: the same everywhere, near the civil centre."""
    biome = builder.biome
    x = island.x
    z = island.z
    edge = island.radius
    near = min(14.0, edge)
    for mine in (biome["metal"], biome["stone"]):
        builder.group(mine, 1, builder.spot(x, z, 9, near, where, 2), 0, 3)
    builder.group(biome["berries"], 6, builder.spot(x, z, 8, near, where, 2), 1.6, 1.5)
    builder.group(biome["chicken"], 8, builder.spot(x, z, 7, near, where), 1.5, 0.5)
    planted = 0
    target = int(60 + edge * edge * 0.11)
    for _clump in range(12):
        spot = builder.spot(x, z, 9, edge, where)
        planted += builder.forest(min(target // 3, target - planted), spot, where)
        if planted >= target:
            break
    builder.group(biome["hunt"], 6, builder.spot(x, z, 10, edge, where), 1.6, 0)
    if edge > 22:
        for mine in (biome["metal"], biome["stone"]):
            builder.group(mine, 1, builder.spot(x, z, 17, edge, where, 2), 0, 3)


def _furnish(builder: MapBuilder, island: Island, where: Mask) -> None:
    """Place what lies on an island where nobody starts."""
    x = island.x
    z = island.z
    edge = island.radius
    for mine in (builder.biome["metal"], builder.biome["stone"]):
        builder.group(mine, 1, builder.spot(x, z, 0, edge, where, 2), 0, 3)
    builder.forest(int(edge * 2.2), builder.spot(x, z, 0, edge, where), where)
    if edge > 10:
        builder.group(builder.biome["hunt"], 5, builder.spot(x, z, 0, edge, where), 1.5, 0)
