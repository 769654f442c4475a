"""Islands: a Python generator. Each player starts on an island; others with resources lie around.

``packaged`` lists it; begin with ``islands``, which names the stages. What lies between the
players' islands is there once for each player, at the same distance from the middle, so that all
have the same.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from randomizer.generator import DrawKey
from randomizer.systems.zeroad.generators.draws import Draws, Field, noise, smooth
from randomizer.systems.zeroad.generators.map_builder import (
    BORDER,
    MapBuilder,
    Mask,
    point_from_middle,
)
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

# Lengths are in tiles, heights in metres above the water.

STARTS_AT = 0.31
"""How far from the middle players start, as a part of the map's edge."""

STRAIT = 4.5
"""Where two islands meet the water is as deep as so many tiles off a coast: too deep to walk."""

SHELF = 12.0
"""The depth of the sea far from the coast."""

SMALLEST_START = 11.5
"""The least radius of a player's island, however little room there is."""

SMALLEST_CENTRE = 8
"""The island in the middle is left out if its radius would not be larger."""

TRIES = 150
"""So often further islands are drawn; with more tries more of the sea is filled."""

COAST_SWING = 0.42
"""How far a coast runs in and out, as a part of the island's radius."""

_FISHING_DISTANCE = 16
"""How far off a coast fish are at most."""

_SMALLEST_WITH_ANIMALS = 10
"""Islands where nobody starts have animals to hunt if their radius is larger."""

_LARGE_ISLAND = 22
"""Islands of players with a larger radius have further mines, away from the civil centre."""


@dataclass(frozen=True)
class Island:
    """An island before its coast gets irregular."""

    x: float
    z: float
    """The middle, in tiles."""

    radius: float
    """In tiles."""

    player: int = 0
    """The player (from 1) who starts there; 0: nobody."""


class _Relief(NamedTuple):
    """The relief of a map of n x n tiles."""

    heights: Field
    """(n + 1, n + 1): the heights of the corners, in metres above the water."""

    inland: Field
    """(n, n): how many tiles inland each tile is; below 0 how far off the coast."""

    island_numbers: Field
    """(n, n): the index of the island to which each tile belongs."""


def islands(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """Return the map of a key; yields progress, 1 to 99."""
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    island_list = _layout(draws, size, players)
    yield 5

    relief = _relief(draws, size, island_list)
    yield 40

    builder = MapBuilder(settings, relief.heights, draws)
    builder.paint_ground()
    yield 60

    # All bases first, so that nothing else stands where one is to be.
    tiles_of_islands = [relief.island_numbers == index for index in range(len(island_list))]
    for island in island_list:
        if island.player:
            builder.place_base(island.player, island.x, island.z)
    for island, tiles in zip(island_list, tiles_of_islands, strict=True):
        if island.player:
            _place_resources_of_player(builder, island, tiles & builder.land)
            yield 60 + island.player * 20 // players
    for island, tiles in zip(island_list, tiles_of_islands, strict=True):
        if not island.player:
            _place_resources(builder, island, tiles & builder.land)
    yield 85

    fishing_ground = builder.water & (relief.inland > -_FISHING_DISTANCE)
    for island in island_list:
        if island.player:
            _place_fish(builder, island, fishing_ground)
    yield 95
    return builder.map_data()


def _layout(draws: Draws, size: int, players: int) -> list[Island]:
    """Return the islands: the players' on a circle, others wherever there is sea enough.

    Those others are drawn once and turned around the middle, so that each player has the same.
    """
    middle = size / 2
    start_distance = size * STARTS_AT
    start_direction = draws.number(0, FULL_TURN)
    radius = _start_radius(size, players, start_distance)
    layout = []
    for number in range(players):
        direction = start_direction + number * FULL_TURN / players
        x, z = point_from_middle(middle, start_distance, direction)
        layout.append(Island(x, z, radius, number + 1))

    # One in the middle, as large as the strait between it and the players' islands leaves it.
    central_radius = min(10 + size / 22, start_distance - radius * 1.15 - 6)
    if central_radius > SMALLEST_CENTRE:
        layout.append(Island(middle, middle, central_radius))

    for _try in range(TRIES):
        radius = draws.number(7, 8 + size / 22)
        distance = draws.number(radius, middle - BORDER - radius)
        first_direction = start_direction + draws.number(0, FULL_TURN)
        new_islands = []
        for number in range(players):
            direction = first_direction + number * FULL_TURN / players
            x, z = point_from_middle(middle, distance, direction)
            new_islands.append(Island(x, z, radius))
        if _are_clear(new_islands, layout):
            layout += new_islands
    return layout


def _start_radius(size: int, players: int, start_distance: float) -> float:
    """Return the radius of the players' islands.

    It grows with the map, as far as the islands of neighbours and the border leave room.
    """
    distance_of_neighbours = math.inf
    if players > 1:
        distance_of_neighbours = 2 * start_distance * math.sin(math.pi / players)
    room_to_border = size / 2 - BORDER - start_distance
    radius = min(14 + size / 14, distance_of_neighbours * 0.38, room_to_border)
    return max(SMALLEST_START, radius)


def _are_clear(new_islands: list[Island], islands: list[Island]) -> bool:
    """Return whether there is a strait around each of some new islands."""
    for number, island in enumerate(new_islands):
        for neighbour in (*islands, *new_islands[:number]):
            distance = math.hypot(island.x - neighbour.x, island.z - neighbour.z)
            if distance <= (island.radius + neighbour.radius) * 1.1 + 4:
                return False
    return True


def _relief(draws: Draws, size: int, island_list: list[Island]) -> _Relief:
    """Return the relief: irregular coasts, straits between islands, hills where nobody starts."""
    ragged = noise(draws, size + 1, 16, 4)
    rolling = (noise(draws, size + 1, 11) + 0.6) * 1.4
    inland, island_numbers = _coasts(size, island_list, ragged)

    # Hills begin some tiles inland; each island where nobody starts has one in its middle.
    bumps = rolling * smooth((inland - 4) / 6)
    for island in island_list:
        box, distances = _surroundings(island, size)
        if island.player:
            bumps[box] *= smooth(distances / 7 - 1.2)  # flat where the civil centre stands
        else:
            top = draws.number(4, 6 + island.radius * 0.9)
            rise = smooth(1.25 - distances / island.radius * 2.1)
            bumps[box] += top * rise * (ragged[box] * 0.35 + 0.8)

    # From the coast the land rises to 3 metres, and the sea sinks to its depth, ever more slowly.
    land = 3 * (1 - np.exp(-np.maximum(inland, 0) / 2.4))
    sea = -SHELF * (1 - np.exp(np.minimum(inland, 0) / 9))
    heights = land + sea + np.maximum(bumps, -1.2 * smooth(inland / 4))
    return _Relief(heights, inland[:-1, :-1], island_numbers[:-1, :-1])


def _coasts(size: int, island_list: list[Island], ragged: Field) -> tuple[Field, Field]:
    """Return how many tiles inland each corner is, and its island's index; (n + 1, n + 1) both.

    Each corner belongs to the island that it is farthest inland of; beyond all it is deep sea.
    ``ragged`` is noise that makes the coasts irregular.
    """
    shape = (size + 1, size + 1)
    inland = np.full(shape, -3 * SHELF)
    second_inland = inland.copy()
    island_numbers = np.zeros(shape)
    for number, island in enumerate(island_list):
        box, distances = _surroundings(island, size)
        swing = min(10.0, island.radius * COAST_SWING - 1.2)
        wave = ragged[box] * swing * smooth(distances / island.radius - 0.25)
        inland_of_island = island.radius - distances + wave
        island_numbers[box][inland_of_island > inland[box]] = number
        second_inland[box] = np.maximum(
            second_inland[box], np.minimum(inland[box], inland_of_island)
        )
        inland[box] = np.maximum(inland[box], inland_of_island)
    # Where two islands overlap there is a strait: on its middle line both are equally near.
    return np.minimum(inland, inland - second_inland - STRAIT), island_numbers


def _surroundings(island: Island, size: int) -> tuple[tuple[slice, slice], Field]:
    """Return the box [z, x] of corners around an island and the sea near it.

    The second result are the distances of its corners from the middle of the island.
    """
    reach = island.radius * 1.4 + 3 * SHELF
    rows = slice(max(0, int(island.z - reach)), int(island.z + reach) + 1)
    columns = slice(max(0, int(island.x - reach)), int(island.x + reach) + 1)
    corners = np.arange(size + 1.0)
    distances = np.hypot(corners[rows][:, None] - island.z, corners[columns] - island.x)
    return (rows, columns), distances


def _place_resources_of_player(builder: MapBuilder, island: Island, tiles: Mask) -> None:
    """Place what each player has on ``tiles`` of the island: the same for all."""
    biome = builder.biome
    x = island.x
    z = island.z
    edge = island.radius
    near = min(14.0, edge)  # what belongs to the town
    builder.place_mines(x, z, nearest=9, farthest=near, where=tiles)
    spot = builder.find_spot(x, z, nearest=8, farthest=near, where=tiles, gap=2)
    builder.place_group(biome["berries"], 6, spot, radius=1.6, gap=1.5)
    spot = builder.find_spot(x, z, nearest=7, farthest=near, where=tiles)
    builder.place_group(biome["chicken"], 8, spot, radius=1.5, gap=0.5)

    trees = 0
    tree_target = int(60 + edge * edge * 0.11)  # by the area of the island
    for _forest in range(12):
        spot = builder.find_spot(x, z, nearest=9, farthest=edge, where=tiles)
        trees += builder.plant_forest(min(tree_target // 3, tree_target - trees), spot, tiles)
        if trees >= tree_target:
            break

    spot = builder.find_spot(x, z, nearest=10, farthest=edge, where=tiles)
    builder.place_group(biome["hunt"], 6, spot, radius=1.6, gap=0)
    if edge > _LARGE_ISLAND:
        builder.place_mines(x, z, nearest=17, farthest=edge, where=tiles)


def _place_resources(builder: MapBuilder, island: Island, tiles: Mask) -> None:
    """Place what is on ``tiles`` of an island where nobody starts."""
    x = island.x
    z = island.z
    edge = island.radius
    builder.place_mines(x, z, nearest=0, farthest=edge, where=tiles)
    spot = builder.find_spot(x, z, nearest=0, farthest=edge, where=tiles)
    builder.plant_forest(int(edge * 2.2), spot, tiles)
    if edge > _SMALLEST_WITH_ANIMALS:
        spot = builder.find_spot(x, z, nearest=0, farthest=edge, where=tiles)
        builder.place_group(builder.biome["hunt"], 5, spot, radius=1.5, gap=0)


def _place_fish(builder: MapBuilder, island: Island, fishing_ground: Mask) -> None:
    """Place four schools of fish off the coast of a player's island."""
    for _school in range(4):
        spot = builder.find_spot(
            island.x,
            island.z,
            nearest=island.radius,
            farthest=island.radius + 14,
            where=fishing_ground,
        )
        builder.place_group(builder.biome["fish"], 1, spot, radius=0, gap=4)
