"""Open country: a Python generator. Broad grassland with low hills, woods and mines.

It is what a player of 0 A.D. knows as Mainland: all walk to each other over dry land. What lies
between the towns is there once for each player, at the same distance from the middle, so that all
have the same.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from randomizer.generator import DrawKey
from randomizer.systems.zeroad.generators.map_builder import (
    BORDER,
    Draws,
    Grid,
    MapBuilder,
    noise,
    polar,
    smooth,
)
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

STARTS_AT = 0.33
"""How far from the middle players start, as a part of the map's edge."""

TOWN_RADIUS = 16.0
"""So many tiles around a civil centre are left to the town: neither hills nor woods of all."""

TRIES = 40
"""So often a place is drawn for the hills, and for the woods: more fill the map."""

LAND_HEIGHT = 4.0
"""The usual height of the land above the water, in metres."""


class Place(NamedTuple):
    """A round place: its middle and radius, in tiles."""

    x: float
    z: float
    radius: float


def open_country(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """The map of a key. Yields progress (1 to 99)."""
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    turn = draws.number(0, FULL_TURN)
    towns = _turned(size, players, Place(size * STARTS_AT, turn, TOWN_RADIUS))
    hills = _places_for_all(draws, size, towns, towns, (5, 6 + size / 24))
    woods = _places_for_all(draws, size, towns, [*towns, *hills], (5, 7 + size / 32))
    yield 10
    builder = MapBuilder(settings, _heights(draws, size, towns, hills), draws)
    builder.paint_ground()
    yield 40
    for player, town in enumerate(towns, 1):
        builder.base(player, town.x, town.z)
    for town in towns:
        _settle(builder, town)
    yield 60
    for number, hill in enumerate(hills):
        # The turned copies of one hill follow one another: they get the same ore.
        ore = ("metal", "stone")[number // players % 2]
        spot = builder.spot(hill.x, hill.z, 0, hill.radius, builder.land, 2)
        builder.group(builder.biome[ore], 1, spot, 0, 3)
    yield 75
    for wood in woods:
        spot = builder.spot(wood.x, wood.z, 0, wood.radius / 2, builder.land)
        builder.forest(int(wood.radius**2), spot, builder.land)
        spot = builder.spot(wood.x, wood.z, wood.radius, wood.radius + 8, builder.land)
        builder.group(builder.biome["hunt"], 5, spot, 1.6, 0)
    yield 95
    return builder.finished()


def _turned(size: int, players: int, place: Place) -> list[Place]:
    """Return a place once for each player, turned around the middle of the map.

    Its ``x`` is its distance from there, in tiles, its ``z`` its direction, in radians.
    """
    turned_places = []
    for player in range(players):
        x, z = polar(size / 2, place.x, place.z + player * FULL_TURN / players)
        turned_places.append(Place(x, z, place.radius))
    return turned_places


def _places_for_all(
    draws: Draws,
    size: int,
    towns: Sequence[Place],
    taken: Sequence[Place],
    radii: tuple[float, float],
) -> list[Place]:
    """Return places that lie the same way from every town and touch neither each other nor those
    that are ``taken``.
    """
    players = len(towns)
    places: list[Place] = []
    for _try in range(TRIES):
        radius = draws.number(*radii)
        away = draws.number(0, size / 2 - BORDER - radius)
        more = _turned(size, players, Place(away, draws.number(0, FULL_TURN), radius))
        if _is_clear(more, [*taken, *places]):
            places += more
    return places


def _is_clear(more: Sequence[Place], taken: Sequence[Place]) -> bool:
    """Return whether new places touch neither each other nor those that are taken."""
    for number, place in enumerate(more):
        for other in (*taken, *more[:number]):
            if math.hypot(place.x - other.x, place.z - other.z) < place.radius + other.radius + 2:
                return False
    return True


def _heights(draws: Draws, size: int, towns: Sequence[Place], hills: Sequence[Place]) -> Grid:
    """Return the heights of the corners [z, x]: rolling land, low hills, level towns."""
    corners = np.arange(size + 1.0)
    heights = LAND_HEIGHT + noise(draws, size + 1, 24) * 1.6
    ragged = noise(draws, size + 1, 12)
    for hill in hills:
        away = np.hypot(corners[:, None] - hill.z, corners - hill.x)
        inward = 1 - away / hill.radius + ragged * 0.25
        heights += (3 + hill.radius * 0.45) * smooth(inward * 1.4)
    for town in towns:
        away = np.hypot(corners[:, None] - town.z, corners - town.x)
        natural = smooth(away / 8 - 1.2)
        heights = heights * natural + LAND_HEIGHT * (1 - natural)
    return np.maximum(heights, 1.5)  # no puddles


def _settle(builder: MapBuilder, town: Place) -> None:
    """Place what each player has near the civil centre: the same for all."""
    biome = builder.biome
    land = builder.land
    x = town.x
    z = town.z
    for mine in (biome["metal"], biome["stone"]):
        builder.group(mine, 1, builder.spot(x, z, 10, 16, land, 2), 0, 3)
    builder.group(biome["berries"], 6, builder.spot(x, z, 8, 13, land, 2), 1.6, 1.5)
    builder.group(biome["chicken"], 8, builder.spot(x, z, 7, 12, land), 1.5, 0.5)
    builder.group(biome["hunt"], 6, builder.spot(x, z, 13, 24, land), 1.6, 0)
    tiles_each = builder.size**2 / len(builder.players)
    trees = max(75, int(130 * min(1.0, tiles_each / 6000)))
    planted = 0
    for _clump in range(12):
        if planted >= trees:
            break
        spot = builder.spot(x, z, 12, 22, land)
        planted += builder.forest(min(trees // 3 + 1, trees - planted), spot, land)
