"""Places entities and paints textures on a new map, for the generators that are written in Python.

The library of our JavaScript scripts (``mod/maps/random/battlelands``) does the same for them; the
biomes and the units of the civilisations are in the same JSON files. A generator works like this::

    builder = MapBuilder(settings, heights, draws)
    paint_ground(builder)                                     # ground_textures.py
    place_base(builder, 1, town.x, town.z)                    # bases.py
    ring = Ring(town.x, town.z, nearest=8, farthest=13)
    spot = builder.find_spot(ring, builder.dry_tiles)         # a ``Point``, or None
    builder.place_group(builder.biome["berries"], 6, spot, radius=1.6, gap=1.5)
    map_data = builder.map_data()

Arrays are indexed by [z, x]; lengths are in tiles, heights in metres above the water. The tile
[4, 7] is the square from x = 7, z = 4 to x = 8, z = 5; its centre is (7.5, 4.5).

A tile is *free* until something occupies it: nothing is placed on tiles that are not free.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from randomizer.systems.zeroad.generators.draws import Draws, Field
from randomizer.systems.zeroad.generators.tile_box import Mask, Point, box_around, eroded
from randomizer.systems.zeroad.map.coordinates import (
    FULL_TURN,
    SEA_LEVEL,
    UNITS_PER_METRE,
    rounded,
    rounded_angle,
)
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.mod_library import library_data

BORDER = 4
"""The tiles at the edge of a map on which nothing stands: the game's border and one more."""

STEEP = 2.5
"""A rise in metres from one corner of a tile to another on which nothing is placed."""

_DRY_FROM = 0.5
"""A tile whose corners are all above this is dry: entities of the land can stand there.

Heights are in metres above the water.
"""

_DEEP_FROM = -1.5
"""A tile whose corners are all below this is water: fish can swim there."""

# Groups of entities on a circle.

_GROUP_TURNS = (-0.2, 0.2)
"""The range by which an entity is turned from its regular place, in steps to the next place."""

_GROUP_DISTANCES = (0.7, 1.0)
"""The range of its distance from the middle, as a share of the radius."""

# Places for entities.

_RING_WIDENINGS = (1, 1.5, 2)
"""The factors by which a ring is widened, one after the other, until a free tile lies in it."""

TILE_M = 4.0
"""The edge of a tile in metres."""

_CAMERA_HEIGHT_M = 150
"""The height of the camera with which the map is shown first."""

_CAMERA_DECLINATION = math.pi / 6
"""The angle by which that camera looks down."""


def point_from_middle(middle: float, distance: float, direction: float) -> Point:
    """Return the point at a distance from (middle, middle), its direction in radians.

    Directions go clockwise from the north.
    """
    return Point(middle + distance * math.sin(direction), middle + distance * math.cos(direction))


class Ring(NamedTuple):
    """The ground between two distances from a point, in tiles."""

    x: float
    z: float
    nearest: float
    """The least distance from the point."""
    farthest: float
    """The greatest distance from the point."""


class MapBuilder:
    """A map in the making: its heights are there from the start, the rest is placed on it."""

    def __init__(self, settings: Mapping[str, Any], heights: Field, draws: Draws) -> None:
        """Begin a map of n x n tiles; ``heights`` has shape (n + 1, n + 1).

        ``settings`` are those that a random map script gets; Gaia is the first of its
        ``PlayerData``.
        """
        self.settings = settings
        """Those that the script gets."""
        self.draws = draws
        """The draws of the map; all of its parts draw from them in turn."""
        self._heights = heights
        """(n + 1, n + 1): the heights of the corners of tiles."""
        self.size = heights.shape[0] - 1
        """n, the number of tiles along the map."""

        biomes = library_data("biomes.json")
        chosen_biome = settings.get("Biome")
        if chosen_biome not in biomes:
            chosen_biome = next(iter(biomes))
        self.biome = biomes[chosen_biome]
        """The textures and templates of the chosen biome, of the first one without a choice."""
        self.players = [dict(player or {}) for player in settings["PlayerData"][1:]]
        """The data of the players, without Gaia."""

        # What is on the map so far.
        self._entities: list[Entity] = []
        """The entities in the order in which they were placed, which is that of their ids."""
        self._texture_names: list[str] = []
        """The textures that were painted, each once, in the order of their first tile."""
        self._textures = np.zeros((self.size, self.size), np.uint16)
        """(n, n): indices of ``_texture_names``."""

        # The ground, which does not change.
        corners = np.stack([heights[:-1, :-1], heights[1:, :-1], heights[:-1, 1:], heights[1:, 1:]])
        self.ground: Field = corners.mean(axis=0)
        """(n, n): the mean height of each tile."""
        self.slope: Field = np.ptp(corners, axis=0)
        """(n, n): the rise from the lowest to the highest corner of each tile."""
        self._inside: Mask = self._distance_from_middle() < self.size / 2 - BORDER
        """(n, n): the tiles that are not at the edge."""
        self.dry_tiles: Mask = corners.min(axis=0) > _DRY_FROM
        """(n, n): the tiles that are dry all over."""
        self.deep_tiles: Mask = corners.max(axis=0) < _DEEP_FROM
        """(n, n): the tiles that are under deep water all over."""

        self.free: Mask = self._inside & (self.slope < STEEP)
        """(n, n): the tiles where an entity can still be placed; ``occupy`` makes them fewer."""

    def _distance_from_middle(self) -> Field:
        """Return the distance of the centre of each tile from the middle of the map, (n, n).

        On a square map it is the greater of the distances along x and z, so that all tiles at the
        edge are equally far.
        """
        offsets = np.arange(self.size) + 0.5 - self.size / 2
        if self.settings.get("CircularMap"):
            return np.asarray(np.hypot(offsets[:, None], offsets))
        return np.asarray(np.maximum(np.abs(offsets)[:, None], np.abs(offsets)))

    # --- textures ------------------------------------------------------------------------------

    def paint(self, texture: str, where: Mask) -> None:
        """Give the tiles of a mask a texture.

        Where two textures meet, the game draws the one that was painted later over the other one.
        """
        if texture not in self._texture_names:
            self._texture_names.append(texture)
        self._textures[where] = self._texture_names.index(texture)

    # --- entities ------------------------------------------------------------------------------

    def place(self, template: str, x: float, z: float, gap: float = 0, player: int = 0) -> None:
        """Place an entity of a player, 0 for Gaia, at a position in tiles.

        Nothing else is placed on the tiles that are less than ``gap`` away. With 0 its tile stays
        free, too.
        """
        angle = rounded_angle(self.draws.number(0, FULL_TURN))
        entity_id = FIRST_ID + len(self._entities)
        self._entities.append(Entity(entity_id, template, player, rounded(x), rounded(z), angle))
        if gap:
            self.occupy(x, z, gap)

    def find_spot(self, ring: Ring, where: Mask, free_around: int = 1) -> Point | None:
        """Return the centre of a free tile in a ring, drawn among the tiles of ``where``.

        These are tried in turn:

        1. a tile in the ring with ``free_around`` free tiles on each side;
        2. one with fewer free tiles on each side;
        3. the same in a wider ring, by ``_RING_WIDENINGS``.

        None if even the widest ring has no free tile.
        """
        for widening in _RING_WIDENINGS:
            # The tiles in reach, of which one is drawn.
            reach = ring.farthest * widening
            box = box_around(self.size, ring.x, ring.z, reach)
            can_stand = where[box.rows, box.columns] & self.free[box.rows, box.columns]
            can_stand &= (box.distances >= ring.nearest) & (box.distances <= reach)
            for free_tiles in range(free_around, -1, -1):
                candidates = np.flatnonzero(eroded(can_stand, free_tiles))
                if len(candidates):
                    drawn_tile = int(candidates[self.draws.index(len(candidates))])
                    corner = box.corner_of(drawn_tile)
                    return Point(corner.x + 0.5, corner.z + 0.5)
        return None

    def place_group(
        self, template: str, count: int, spot: Point | None, radius: float, gap: float
    ) -> None:
        """Place several of a kind on a circle around a spot; none if there is no spot.

        They stand a little irregularly. Nothing else is placed on the tiles within the circle, and
        up to ``gap`` tiles beyond it.
        """
        if spot is None:
            return
        for number in range(count):
            angle = (number + self.draws.number(*_GROUP_TURNS)) / count * FULL_TURN
            distance = 0.0
            if count > 1:
                distance = radius * self.draws.number(*_GROUP_DISTANCES)
            x = spot.x + distance * math.sin(angle)
            z = spot.z + distance * math.cos(angle)
            if self._inside[int(z), int(x)]:
                self.place(template, x, z)
        self.occupy(spot.x, spot.z, radius + gap)

    def place_mines(self, ring: Ring, where: Mask) -> None:
        """Place a mine of metal and one of stone in a ring, on tiles of ``where``.

        The spot of each has free tiles around it, and nothing else is placed near it later.
        """
        for mine in (self.biome["metal"], self.biome["stone"]):
            spot = self.find_spot(ring, where, free_around=2)
            self.place_group(mine, 1, spot, radius=0, gap=3)

    def map_data(self) -> MapData:
        """Return the map as it is now."""
        # Heights in files are whole units above the lowest ground.
        units = np.floor((self._heights + SEA_LEVEL) * UNITS_PER_METRE).clip(0, 65535)
        middle_m = self.size / 2 * TILE_M
        camera = {
            "Position": {"x": middle_m, "y": _CAMERA_HEIGHT_M, "z": middle_m},
            "Rotation": 0,
            "Declination": _CAMERA_DECLINATION,
        }
        return MapData(
            size=self.size,
            heights=units.astype(np.uint16),
            texture_names=tuple(self._texture_names),
            textures=self._textures,
            priorities=self._textures.copy(),  # later textures are drawn over earlier ones
            entities=tuple(self._entities),
            camera=camera,
            environment=self.biome["environment"],
            settings=self.settings,
        )

    def occupy(self, x: float, z: float, radius: float) -> None:
        """Let nothing be placed on the tiles that are less than ``radius`` away."""
        box = box_around(self.size, x, z, radius)
        self.free[box.rows, box.columns] &= box.distances >= radius

    def occupy_tiles(self, tiles: Mask) -> None:
        """Let nothing be placed on these tiles."""
        self.free &= ~tiles
