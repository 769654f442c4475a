"""Makes maps of islands: each player starts on one, others with resources lie around.

What lies between the players' islands is there once for each player, at the same distance from the
middle, so that all have the same::

        o   1   o           1 2 3 4   the islands of the players, on a circle
      4     O     2         O         an island in the middle, if there is room
        o   3   o           o         further islands, turned around the middle

``packaged`` lists this generator; begin with ``islands``, which names the stages. The sizes of
resources are chosen so that a player's island has about as much as a town on dry land
(``open_country``). Lengths are in tiles.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.zeroad.generators.bases import place_base
from randomizer.systems.zeroad.generators.draws import Draws
from randomizer.systems.zeroad.generators.forests import plant_forest
from randomizer.systems.zeroad.generators.ground_textures import paint_ground
from randomizer.systems.zeroad.generators.island_relief import Island, island_relief
from randomizer.systems.zeroad.generators.map_builder import (
    BORDER,
    MapBuilder,
    Ring,
    point_from_middle,
)
from randomizer.systems.zeroad.generators.tile_box import Mask
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

# The islands of players.

STARTS_AT = 0.31
"""How far from the middle players start, as a share of the map's edge."""

SMALLEST_START = 11.5
"""The least radius of a player's island, however little room there is."""

# Where there is room, the radius is _START_RADIUS + map size / _MAP_TILES_FOR_START_TILE.
_START_RADIUS = 14
_MAP_TILES_FOR_START_TILE = 14

_SHARE_OF_NEIGHBOUR = 0.38
"""The largest radius, as a share of the distance of neighbours; with 0.5 islands would meet."""

# Other islands.

SMALLEST_CENTRE = 8
"""The island in the middle is left out if its radius would not be larger."""

_SMALLEST_RADIUS = 7
"""The least radius of a further island."""

# The greatest radius of a further island is _LARGEST_RADIUS + map size / _MAP_TILES_FOR_TILE, that
# of the island in the middle _CENTRE_RADIUS + map size / _MAP_TILES_FOR_TILE.
_LARGEST_RADIUS = 8
_CENTRE_RADIUS = 10
_MAP_TILES_FOR_TILE = 22

_START_WITH_COAST = 1.15
"""How far the coast of a player's island reaches inwards, as a multiple of its radius."""

_SEA_AROUND_CENTRE = 6
"""The tiles of sea between that coast and the island in the middle."""

_RADIUS_WITH_COAST = 1.1
"""How far the coast of an island reaches, as a multiple of its radius, when others are drawn."""

_SEA_BETWEEN = 4
"""The tiles of sea between two islands with such coasts, at least."""

TRIES = 150
"""The number of times that further islands are drawn; with more, more of the sea is filled."""

# Resources, by their distance from the civil centre.

_CHICKEN_FROM = 7
_BERRIES_FROM = 8
_MINES_FROM = 9
_FORESTS_FROM = 9
_HUNT_FROM = 10
_FAR_MINES_FROM = 17

_TOWN_REACH = 14.0
"""The distance from a civil centre within which lies what belongs to the town."""

_LARGE_ISLAND = 22
"""Islands of players with a larger radius have further mines, away from the civil centre."""

# A player's island has _MIN_TREES + _TREES_BY_AREA * radius ** 2 trees.
_MIN_TREES = 60
_TREES_BY_AREA = 0.11

_FOREST_TRIES = 12
"""The number of times that a forest is planted there; where there is no room none grows."""

_FOREST_PARTS = 3
"""The number of forests that the trees are divided into, if each finds room for its trees."""

_TREES_BY_RADIUS = 2.2
"""The trees on another island for each tile of its radius."""

_SMALLEST_WITH_ANIMALS = 10
"""Islands where nobody starts have animals to hunt if their radius is larger."""

_SCHOOLS = 4
"""The number of schools of fish off the coast of a player's island."""

_FISHING_DISTANCE = 16
"""How far off a coast fish are at most."""

_FISHING_REACH = 14
"""How far beyond the radius of their island the fish of a player are."""


def islands(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """Return the map of a key; yields the progress, 1 to 99.

    ``settings`` are those that a random map script gets; Gaia is the first of its ``PlayerData``.
    """
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    all_islands = _layout(draws, size, players)
    yield 5

    relief = island_relief(draws, size, all_islands)
    yield 40

    builder = MapBuilder(settings, relief.heights, draws)
    paint_ground(builder)
    yield 60

    # All bases first, so that nothing else stands where one is to be.
    for island in all_islands:
        if island.player is not None:
            place_base(builder, island.player, island.x, island.z)
    for index, island in enumerate(all_islands):
        if island.player is not None:
            tiles = (relief.island_numbers == index) & builder.dry_tiles
            _place_resources_of_player(builder, island, tiles)
            yield 60 + island.player * 20 // players
    for index, island in enumerate(all_islands):
        if island.player is None:
            tiles = (relief.island_numbers == index) & builder.dry_tiles
            _place_resources(builder, island, tiles)
    yield 85

    fishing_ground = builder.deep_tiles & (relief.inland > -_FISHING_DISTANCE)
    for island in all_islands:
        if island.player is not None:
            _place_fish(builder, island, fishing_ground)
    yield 95
    return builder.map_data()


def _layout(draws: Draws, size: int, players: int) -> list[Island]:
    """Return the islands: the players' on a circle, others wherever there is sea enough."""
    middle = size / 2
    start_distance = size * STARTS_AT
    start_direction = draws.number(0, FULL_TURN)
    start_radius = _start_radius(size, players, start_distance)
    layout = []
    starts = _around_middle(size, players, start_distance, start_direction, start_radius)
    for player, island in enumerate(starts, 1):
        layout.append(Island(island.x, island.z, island.radius, player))

    # One in the middle, as large as the strait between it and the players' islands leaves it.
    start_coast = start_distance - start_radius * _START_WITH_COAST
    central_radius = min(
        _CENTRE_RADIUS + size / _MAP_TILES_FOR_TILE, start_coast - _SEA_AROUND_CENTRE
    )
    if central_radius > SMALLEST_CENTRE:
        layout.append(Island(middle, middle, central_radius))

    # Further ones are drawn once and turned around the middle, so that each player has the same.
    for _try in range(TRIES):
        radius = draws.number(_SMALLEST_RADIUS, _LARGEST_RADIUS + size / _MAP_TILES_FOR_TILE)
        # On a small map the second number may be the smaller one: the distance lies between them
        # all the same, and ``_are_clear`` refuses most of these islands.
        distance = draws.number(radius, middle - BORDER - radius)
        direction = start_direction + draws.number(0, FULL_TURN)
        new_islands = _around_middle(size, players, distance, direction, radius)
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
    radius = min(
        _START_RADIUS + size / _MAP_TILES_FOR_START_TILE,
        distance_of_neighbours * _SHARE_OF_NEIGHBOUR,
        room_to_border,
    )
    return max(SMALLEST_START, radius)


def _around_middle(
    size: int, players: int, distance: float, direction: float, radius: float
) -> list[Island]:
    """Return an island for each player, the first in a direction from the middle of the map."""
    copies = []
    for number in range(players):
        turned_direction = direction + number * FULL_TURN / players
        x, z = point_from_middle(size / 2, distance, turned_direction)
        copies.append(Island(x, z, radius))
    return copies


def _are_clear(new_islands: Sequence[Island], islands: Sequence[Island]) -> bool:
    """Return whether there is sea between each of some new islands and all others."""
    for index, island in enumerate(new_islands):
        for neighbour in (*islands, *new_islands[:index]):
            distance = math.hypot(island.x - neighbour.x, island.z - neighbour.z)
            reach_of_both = (island.radius + neighbour.radius) * _RADIUS_WITH_COAST
            if distance <= reach_of_both + _SEA_BETWEEN:
                return False
    return True


def _place_resources_of_player(builder: MapBuilder, island: Island, tiles: Mask) -> None:
    """Place what each player has on ``tiles`` of the island: the same for all."""
    biome = builder.biome
    x = island.x
    z = island.z
    edge = island.radius
    near = min(_TOWN_REACH, edge)
    builder.place_mines(Ring(x, z, nearest=_MINES_FROM, farthest=near), tiles)
    berries_ring = Ring(x, z, nearest=_BERRIES_FROM, farthest=near)
    spot = builder.find_spot(berries_ring, tiles, free_around=2)
    builder.place_group(biome["berries"], 6, spot, radius=1.6, gap=1.5)
    spot = builder.find_spot(Ring(x, z, nearest=_CHICKEN_FROM, farthest=near), tiles)
    builder.place_group(biome["chicken"], 8, spot, radius=1.5, gap=0.5)

    trees = 0
    tree_target = int(_MIN_TREES + edge * edge * _TREES_BY_AREA)
    for _forest in range(_FOREST_TRIES):
        spot = builder.find_spot(Ring(x, z, nearest=_FORESTS_FROM, farthest=edge), tiles)
        count = min(tree_target // _FOREST_PARTS, tree_target - trees)
        trees += plant_forest(builder, count, spot, tiles)
        if trees >= tree_target:
            break

    spot = builder.find_spot(Ring(x, z, nearest=_HUNT_FROM, farthest=edge), tiles)
    builder.place_group(biome["hunt"], 6, spot, radius=1.6, gap=0)
    if edge > _LARGE_ISLAND:
        builder.place_mines(Ring(x, z, nearest=_FAR_MINES_FROM, farthest=edge), tiles)


def _place_resources(builder: MapBuilder, island: Island, tiles: Mask) -> None:
    """Place what is on ``tiles`` of an island where nobody starts."""
    whole_island = Ring(island.x, island.z, nearest=0, farthest=island.radius)
    builder.place_mines(whole_island, tiles)
    spot = builder.find_spot(whole_island, tiles)
    plant_forest(builder, int(island.radius * _TREES_BY_RADIUS), spot, tiles)
    if island.radius > _SMALLEST_WITH_ANIMALS:
        spot = builder.find_spot(whole_island, tiles)
        builder.place_group(builder.biome["hunt"], 5, spot, radius=1.5, gap=0)


def _place_fish(builder: MapBuilder, island: Island, fishing_ground: Mask) -> None:
    """Place schools of fish off the coast of a player's island."""
    off_coast = Ring(
        island.x, island.z, nearest=island.radius, farthest=island.radius + _FISHING_REACH
    )
    for _school in range(_SCHOOLS):
        spot = builder.find_spot(off_coast, fishing_ground)
        builder.place_group(builder.biome["fish"], 1, spot, radius=0, gap=4)
