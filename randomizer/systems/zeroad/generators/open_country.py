"""Makes maps of open country: broad grassland with low hills, woods and mines.

It is what a player of 0 A.D. knows as Mainland: all walk to each other over dry land. The towns
stand on a circle. Each hill and each wood is there once for each player: the copies are turned
around the middle of the map, so that all players have the same around their town.

``open_country`` is the generator; begin there. It puts the map together by a ``MapBuilder``, which
knows how to place entities and to paint the ground. Lengths are in tiles, heights in metres above
the water. The tuned numbers have no other source than how the maps look and play.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.zeroad.generators.bases import place_base
from randomizer.systems.zeroad.generators.draws import Draws, Field, noise, smooth
from randomizer.systems.zeroad.generators.forests import plant_forest
from randomizer.systems.zeroad.generators.ground_textures import paint_ground
from randomizer.systems.zeroad.generators.map_builder import (
    BORDER,
    MapBuilder,
    Ring,
    point_from_middle,
)
from randomizer.systems.zeroad.map.coordinates import FULL_TURN
from randomizer.systems.zeroad.map.map_data import MapData

STARTS_AT = 0.33
"""The distance of the towns from the middle, as a share of the map's edge."""

# A town, by the distance from its civil centre in tiles:
#
#     0 ......... 9.6 ......... 17.6         level up to LEVEL_TOWN * TOWN_SLOPE, then a slope of
#     level ground    slope     natural      TOWN_SLOPE; hills and woods begin at TOWN_RADIUS

TOWN_RADIUS = 16.0
"""The radius in tiles around a civil centre in which there are no hills and no woods."""

TOWN_SLOPE = 8.0
"""The tiles over which the level ground of a town goes over into the land around it."""

LEVEL_TOWN = 1.2
"""The radius of the level ground of a town, in units of ``TOWN_SLOPE``."""

SMALLEST_AREA = 5
"""The smallest radius of a hill or wood."""

# The largest hill has the radius HILL_RADIUS + map size / MAP_TILES_FOR_HILL_TILE.
HILL_RADIUS = 6
MAP_TILES_FOR_HILL_TILE = 24

# The largest wood has the radius WOOD_RADIUS + map size / MAP_TILES_FOR_WOOD_TILE.
WOOD_RADIUS = 7
MAP_TILES_FOR_WOOD_TILE = 32

ROLLING_HEIGHT = 1.6
"""The metres by which the land rises and falls; with more, water would stand in the hollows."""

ROLLING_WIDTH = 24
"""The width of these rises, roughly."""

RAGGED_WIDTH = 12
"""The width of the bulges and bays at the foot of a hill, roughly."""

RAGGEDNESS = 0.25
"""How far noise moves the foot of a hill, as a share of its radius; without it hills are round."""

HILL_HEIGHT = 3.0
"""The height in metres of the smallest hill."""

HILL_STEEPNESS = 0.45
"""The metres that a hill gains for each tile of its radius."""

HILL_TOP = 1.4
"""The factor of the nearness to a hill's middle, which is 1 there and 0 at its foot.

The height no longer rises where the product is above 1: so the middle is level, for its ore.
"""

LOWEST_LAND = 1.5
"""The lowest height of land in metres; if it were lower, water would stand in the hollows."""

TRIES = 40
"""The number of times that an area is drawn for the hills, and for the woods.

With more of them hills and woods fill the map.
"""

AREA_GAP = 2.0
"""The least distance between two areas, in tiles."""

LAND_HEIGHT = 4.0
"""The usual height of the land above the water, in metres."""

MAX_TREES = 130
"""The trees near the town of a player, if there is enough land for each."""

MIN_TREES = 75
"""The trees near a town on the smallest maps: enough to begin with."""

TILES_FOR_MOST_TREES = 6000
"""The tiles of the map for each player from which on a town has ``MAX_TREES``."""

FOREST_PARTS = 3
"""The number of forests that the trees are divided into, if each finds room for its trees."""

MAX_FORESTS = 12
"""The number of times that a forest is planted near a town; where there is no room none grows."""


MINES_FROM = 10
"""The least distance of a town's mines from its civil centre."""

MINES_TO = 16
"""The greatest distance of these mines, where there is room."""

FORESTS_FROM = 12
"""The least distance of a town's forests from its civil centre."""

FORESTS_TO = 22
"""The greatest distance of these forests, where there is room."""

HUNT_BESIDE_WOOD = 8
"""The tiles beyond the edge of a wood within which animals to hunt are."""


class Area(NamedTuple):
    """A round area: its middle and radius, in tiles."""

    x: float
    z: float
    radius: float


class _FoodGroup(NamedTuple):
    """A group of entities with food near the town of each player; lengths are in tiles."""

    entry: str
    """The entry of a biome that names the template."""
    size: int
    """The number of entities."""
    nearest: float
    """The least distance of the middle of the group from the town."""
    farthest: float
    """The greatest distance of that middle, where there is room."""
    radius: float
    """The radius of the circle on which the entities stand."""
    gap: float
    """The distance beyond that circle up to which nothing else is placed."""
    free_around: int
    """The free tiles around the middle that are looked for."""


TOWN_FOOD = (
    _FoodGroup("berries", 6, nearest=8, farthest=13, radius=1.6, gap=1.5, free_around=2),
    _FoodGroup("chicken", 8, nearest=7, farthest=12, radius=1.5, gap=0.5, free_around=1),
    _FoodGroup("hunt", 6, nearest=13, farthest=24, radius=1.6, gap=0, free_around=1),
)
"""The food near the town of each player, in the order in which it is placed."""


class _Radii(NamedTuple):
    """The radii between which that of an area is drawn, in tiles."""

    smallest: float
    largest: float


def open_country(settings: Mapping[str, Any], key: DrawKey) -> Generator[int, None, MapData]:
    """Return the map of a key; yield the progress, 1 to 99.

    ``settings`` are those that a random map script gets; Gaia is the first of its ``PlayerData``.
    """
    draws = Draws(key)
    size = int(settings["Size"])
    players = len(settings["PlayerData"]) - 1
    direction = draws.number(0, FULL_TURN)
    towns = _areas_around(
        size, players, distance=size * STARTS_AT, direction=direction, radius=TOWN_RADIUS
    )
    largest_hill = HILL_RADIUS + size / MAP_TILES_FOR_HILL_TILE
    radii_of_hills = _Radii(SMALLEST_AREA, largest_hill)
    hills = _draw_symmetric_areas(draws, size, players, towns, radii_of_hills)
    largest_wood = WOOD_RADIUS + size / MAP_TILES_FOR_WOOD_TILE
    radii_of_woods = _Radii(SMALLEST_AREA, largest_wood)
    woods = _draw_symmetric_areas(draws, size, players, [*towns, *hills], radii_of_woods)
    yield 10

    builder = MapBuilder(settings, _heights(draws, size, towns, hills), draws)
    paint_ground(builder)
    yield 40

    # All bases first, so that nothing else stands where one is to be.
    for player, town in enumerate(towns, 1):
        place_base(builder, player, town.x, town.z)
    for town in towns:
        _place_resources(builder, town)
    yield 60

    for index, hill in enumerate(hills):
        # The copies of one hill follow one another and get the same ore; the next hill gets the
        # other one.
        ore = "metal"
        if index // players % 2 == 1:
            ore = "stone"
        whole_hill = Ring(hill.x, hill.z, nearest=0, farthest=hill.radius)
        spot = builder.find_spot(whole_hill, builder.dry_tiles, free_around=2)
        builder.place_group(builder.biome[ore], 1, spot, radius=0, gap=3)
    yield 75

    for wood in woods:
        _plant_wood(builder, wood)
    yield 95
    return builder.map_data()


def _areas_around(
    size: int, players: int, distance: float, direction: float, radius: float
) -> list[Area]:
    """Return the copies of an area, one for each player, turned around the middle of the map.

    The first one lies at this distance and direction, in radians, from the middle.
    """
    areas = []
    for player in range(players):
        player_direction = direction + player * FULL_TURN / players
        x, z = point_from_middle(size / 2, distance, player_direction)
        areas.append(Area(x, z, radius))
    return areas


def _draw_symmetric_areas(
    draws: Draws,
    size: int,
    players: int,
    occupied: Sequence[Area],
    radii: _Radii,
) -> list[Area]:
    """Return areas of which each is there once for each player, turned around the middle.

    They touch neither one another nor those that are ``occupied``. The copies of one area follow
    one another. An area that is drawn where it has no room is left out.
    """
    areas: list[Area] = []
    for _try in range(TRIES):
        radius = draws.number(radii.smallest, radii.largest)
        distance = draws.number(0, size / 2 - BORDER - radius)
        direction = draws.number(0, FULL_TURN)
        new_areas = _areas_around(
            size, players, distance=distance, direction=direction, radius=radius
        )
        if _are_clear(new_areas, [*occupied, *areas]):
            areas += new_areas
    return areas


def _are_clear(new_areas: Sequence[Area], occupied: Sequence[Area]) -> bool:
    """Return whether new areas touch neither one another nor those that are occupied.

    ``AREA_GAP`` tiles stay free between two of them.
    """
    for index, area in enumerate(new_areas):
        for neighbour in (*occupied, *new_areas[:index]):
            distance = math.hypot(area.x - neighbour.x, area.z - neighbour.z)
            if distance < area.radius + neighbour.radius + AREA_GAP:
                return False
    return True


def _heights(draws: Draws, size: int, towns: Sequence[Area], hills: Sequence[Area]) -> Field:
    """Return the heights of the corners in metres, (size + 1, size + 1), by [z, x].

    The land rolls, hills stand on it, and the ground of towns is level.
    """
    corners = np.arange(size + 1.0)
    heights = LAND_HEIGHT + noise(draws, size + 1, ROLLING_WIDTH) * ROLLING_HEIGHT
    ragged = noise(draws, size + 1, RAGGED_WIDTH)
    for hill in hills:
        # 1 in the middle of the hill, about 0 at its foot.
        distances = np.hypot(corners[:, None] - hill.z, corners - hill.x)
        nearness = 1 - distances / hill.radius + ragged * RAGGEDNESS
        height = HILL_HEIGHT + hill.radius * HILL_STEEPNESS
        heights += height * smooth(nearness * HILL_TOP)
    for town in towns:
        # 0 on the level ground, 1 beyond its slope.
        distances = np.hypot(corners[:, None] - town.z, corners - town.x)
        natural_share = smooth(distances / TOWN_SLOPE - LEVEL_TOWN)
        heights = heights * natural_share + LAND_HEIGHT * (1 - natural_share)
    return np.maximum(heights, LOWEST_LAND)


def _place_resources(builder: MapBuilder, town: Area) -> None:
    """Place mines, berries, chickens, animals to hunt and forests near the town of a player.

    They are as many for each player, and about as far away.
    """
    land = builder.dry_tiles
    builder.place_mines(Ring(town.x, town.z, nearest=MINES_FROM, farthest=MINES_TO), land)
    for food in TOWN_FOOD:
        ring = Ring(town.x, town.z, food.nearest, food.farthest)
        spot = builder.find_spot(ring, land, food.free_around)
        template = builder.biome[food.entry]
        builder.place_group(template, food.size, spot, food.radius, food.gap)

    # Fewer trees where there is less land for each player. They stand in three forests, or in more
    # where these have no room for all of them.
    tiles_of_player = builder.size**2 / len(builder.players)
    share_of_trees = min(1.0, tiles_of_player / TILES_FOR_MOST_TREES)
    tree_target = max(MIN_TREES, int(MAX_TREES * share_of_trees))
    most_in_forest = tree_target // FOREST_PARTS + 1
    trees = 0
    forest_ring = Ring(town.x, town.z, nearest=FORESTS_FROM, farthest=FORESTS_TO)
    for _forest in range(MAX_FORESTS):
        if trees >= tree_target:
            break
        spot = builder.find_spot(forest_ring, land)
        trees += plant_forest(builder, min(most_in_forest, tree_target - trees), spot, land)


def _plant_wood(builder: MapBuilder, wood: Area) -> None:
    """Plant the trees of a wood, and place animals to hunt at its edge."""
    land = builder.dry_tiles
    inner_wood = Ring(wood.x, wood.z, nearest=0, farthest=wood.radius / 2)
    spot = builder.find_spot(inner_wood, land)
    plant_forest(builder, int(wood.radius**2), spot, land)
    edge_of_wood = Ring(
        wood.x, wood.z, nearest=wood.radius, farthest=wood.radius + HUNT_BESIDE_WOOD
    )
    spot = builder.find_spot(edge_of_wood, land)
    builder.place_group(builder.biome["hunt"], 5, spot, radius=1.6, gap=0)
