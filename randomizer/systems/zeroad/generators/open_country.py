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
    Field,
    MapBuilder,
    noise,
    point_from_middle,
    smooth,
)
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

STARTS_AT = 0.33
"""How far from the middle players start, as a part of the map's edge."""

TOWN_RADIUS = 16.0
"""The radius in tiles around a civil centre in which there are no hills and no woods."""

TOWN_SLOPE = 8.0
"""The tiles over which the level ground of a town goes over into the land around it."""

LEVEL_TOWN = 1.2
"""The radius of the level ground of a town, in units of ``TOWN_SLOPE``."""

ROLLING = 1.6
"""By so many metres the land rises and falls; more would leave puddles, see ``LOWEST_LAND``."""

RAGGEDNESS = 0.25
"""How far noise moves the foot of a hill, as a share of its radius; without it hills are round."""

HILL_HEIGHT = 3.0
"""The height in metres of the smallest hill."""

HILL_STEEPNESS = 0.45
"""The metres that a hill gains for each tile of its radius."""

HILL_TOP = 1.4
"""With more than 1 the middle of a hill is level; the ore of the hill stands there."""

LOWEST_LAND = 1.5
"""The lowest height of land in metres: lower, and water stands in the hollows."""

TRIES = 40
"""So often an area is drawn for the hills, and for the woods: more fill the map."""

GAP = 2.0
"""The least distance between two areas, in tiles."""

LAND_HEIGHT = 4.0
"""The usual height of the land above the water, in metres."""


class Area(NamedTuple):
    """A round area: its middle and radius, in tiles."""

    x: float
    z: float
    radius: float


class _Radii(NamedTuple):
    """The radii between which that of an area is drawn, in tiles."""

    smallest: float
    largest: float


def open_country(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """Return the map of a key; yields progress, 1 to 99."""
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    direction = draws.number(0, FULL_TURN)
    towns = _areas_around(size, players, size * STARTS_AT, direction, TOWN_RADIUS)
    hills = _areas_for_all(draws, size, players, towns, _Radii(5, 6 + size / 24))
    woods = _areas_for_all(draws, size, players, [*towns, *hills], _Radii(5, 7 + size / 32))
    yield 10

    builder = MapBuilder(settings, _heights(draws, size, towns, hills), draws)
    builder.paint_ground()
    yield 40

    # All bases first, so that nothing else stands where one is to be.
    for player, town in enumerate(towns, 1):
        builder.place_base(player, town.x, town.z)
    for town in towns:
        _place_resources(builder, town)
    yield 60

    for number, hill in enumerate(hills):
        # The turned copies of one hill follow one another: they get the same ore.
        ore = ("metal", "stone")[number // players % 2]
        spot = builder.find_spot(
            hill.x, hill.z, nearest=0, farthest=hill.radius, where=builder.land, gap=2
        )
        builder.place_group(builder.biome[ore], 1, spot, radius=0, gap=3)
    yield 75

    for wood in woods:
        _plant_wood(builder, wood)
    yield 95
    return builder.map_data()


def _areas_around(
    size: int, players: int, distance: float, direction: float, radius: float
) -> list[Area]:
    """Return an area once for each player, turned around the middle of the map.

    The first one lies at this distance and direction (in radians) from the middle.
    """
    areas = []
    for player in range(players):
        player_direction = direction + player * FULL_TURN / players
        x, z = point_from_middle(size / 2, distance, player_direction)
        areas.append(Area(x, z, radius))
    return areas


def _areas_for_all(
    draws: Draws,
    size: int,
    players: int,
    occupied: Sequence[Area],
    radii: _Radii,
) -> list[Area]:
    """Return areas that lie the same way from the town of every player.

    They touch neither one another nor those that are ``occupied``. The turned copies of one area
    follow one another.
    """
    areas: list[Area] = []
    for _try in range(TRIES):
        radius = draws.number(radii.smallest, radii.largest)
        distance = draws.number(0, size / 2 - BORDER - radius)
        direction = draws.number(0, FULL_TURN)
        new_areas = _areas_around(size, players, distance, direction, radius)
        if _are_clear(new_areas, [*occupied, *areas]):
            areas += new_areas
    return areas


def _are_clear(new_areas: Sequence[Area], occupied: Sequence[Area]) -> bool:
    """Return whether new areas touch neither one another nor those that are occupied.

    ``GAP`` tiles stay free between two of them.
    """
    for number, area in enumerate(new_areas):
        for neighbour in (*occupied, *new_areas[:number]):
            distance = math.hypot(area.x - neighbour.x, area.z - neighbour.z)
            if distance < area.radius + neighbour.radius + GAP:
                return False
    return True


def _heights(draws: Draws, size: int, towns: Sequence[Area], hills: Sequence[Area]) -> Field:
    """Return the heights of the corners [z, x] in metres: rolling land, low hills, level towns."""
    corners = np.arange(size + 1.0)
    heights = LAND_HEIGHT + noise(draws, size + 1, 24) * ROLLING
    ragged = noise(draws, size + 1, 12)
    for hill in hills:
        distances = np.hypot(corners[:, None] - hill.z, corners - hill.x)
        nearness = 1 - distances / hill.radius + ragged * RAGGEDNESS
        height = HILL_HEIGHT + hill.radius * HILL_STEEPNESS
        heights += height * smooth(nearness * HILL_TOP)
    for town in towns:
        distances = np.hypot(corners[:, None] - town.z, corners - town.x)
        natural_share = smooth(distances / TOWN_SLOPE - LEVEL_TOWN)
        heights = heights * natural_share + LAND_HEIGHT * (1 - natural_share)
    return np.maximum(heights, LOWEST_LAND)


def _place_resources(builder: MapBuilder, town: Area) -> None:
    """Place what each player has near the civil centre: the same for all."""
    biome = builder.biome
    land = builder.land
    x = town.x
    z = town.z
    builder.place_mines(x, z, nearest=10, farthest=16, where=land)
    spot = builder.find_spot(x, z, nearest=8, farthest=13, where=land, gap=2)
    builder.place_group(biome["berries"], 6, spot, radius=1.6, gap=1.5)
    spot = builder.find_spot(x, z, nearest=7, farthest=12, where=land)
    builder.place_group(biome["chicken"], 8, spot, radius=1.5, gap=0.5)
    spot = builder.find_spot(x, z, nearest=13, farthest=24, where=land)
    builder.place_group(biome["hunt"], 6, spot, radius=1.6, gap=0)

    # Fewer trees where there is less land for each player, but enough to begin with.
    tiles_of_player = builder.size**2 / len(builder.players)
    tree_target = max(75, int(130 * min(1.0, tiles_of_player / 6000)))
    trees = 0
    for _forest in range(12):
        if trees >= tree_target:
            break
        spot = builder.find_spot(x, z, nearest=12, farthest=22, where=land)
        trees += builder.plant_forest(min(tree_target // 3 + 1, tree_target - trees), spot, land)


def _plant_wood(builder: MapBuilder, wood: Area) -> None:
    """Plant the trees of a wood, and place animals to hunt at its edge."""
    land = builder.land
    spot = builder.find_spot(wood.x, wood.z, nearest=0, farthest=wood.radius / 2, where=land)
    builder.plant_forest(int(wood.radius**2), spot, land)
    edge = wood.radius
    spot = builder.find_spot(wood.x, wood.z, nearest=edge, farthest=edge + 8, where=land)
    builder.place_group(builder.biome["hunt"], 5, spot, radius=1.6, gap=0)
