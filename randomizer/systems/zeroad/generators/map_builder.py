"""Places entities and paints textures on a new map, for the generators that are written in Python.

The library of our JavaScript scripts (``mod/maps/random/battlelands``) does the same for them; the
biomes and the units of the civilisations are in the same JSON files. A generator works like this::

    builder = MapBuilder(settings, heights, draws)
    builder.paint_ground()
    builder.place_base(1, town.x, town.z)
    ring = Ring(town.x, town.z, nearest=8, farthest=13)
    spot = builder.find_spot(ring, builder.land)              # a ``Point``, or None
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
from numpy.typing import NDArray

from randomizer.systems.zeroad.generators.draws import Draws, Field, noise
from randomizer.systems.zeroad.generators.tile_box import Mask, Point, TileBox, box_around, shrunk
from randomizer.systems.zeroad.map.coordinates import (
    FULL_TURN,
    SEA_LEVEL,
    UNITS_PER_METRE,
    fine,
    fine_angle,
)
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.mod_library import library_data

BORDER = 4
"""The tiles at the edge of a map on which nothing stands: the game's border and one more."""

STEEP = 2.5
"""A rise in metres from one corner of a tile to another on which nothing is placed."""

# Heights in metres above the water.

_SHORE_FROM = -1.2
"""The lowest ground that is painted as shore; below it is seabed."""

_LAND_FROM = 1.3
"""The lowest ground that is painted as land. If it is larger, shores are wider."""

_DRY_FROM = 0.5
"""A tile whose corners are all above this is dry: entities of the land can stand there."""

_DEEP_FROM = -1.5
"""A tile whose corners are all below this is water: fish can swim there."""

_HILL_FROM = 7
"""The lowest ground that is painted as hill, where it is steep enough."""

_HILL_SLOPE = 1.2
"""The least rise of a tile in metres for that: with a larger one more of a hill looks like land."""

# Forests.

_FARTHEST_FLOOR = 2
"""The tiles beyond the root of the number of trees within which the floor of a forest lies.

The floor has 1.5 tiles a tree, which fill a circle of 0.7 times that root: all of them are in
reach, even where the edge is irregular.
"""

_CHANCES_OF_ALL_KINDS = 3
"""The number of equal chances from which the kind of a tree is drawn."""

_CHANCES_OF_FIRST_KIND = 2
"""The chances of these for the first kind of the forest: two of three trees, on an average."""

_FLOOR_OF_TREE = 1.5
"""The tiles of a forest's floor for each of its trees: with fewer it has no gaps."""

_FOREST_BLUR = 0.45
"""The share of a forest's radius by which its edge is irregular."""

_PLACES_IN_TILE = (0.2, 0.8)
"""The range of a tree's position within its tile, along x and z; if wider, some trees overlap."""

# Patches of land with another texture.

_PATCH_NOISE = 0.35
"""Beyond this noise, above and below, land has another texture; if larger, patches are smaller."""

_PATCH_WIDTH = 14
"""The width of such patches in tiles, roughly."""

# Groups of entities on a circle.

_GROUP_TURNS = (-0.2, 0.2)
"""The range by which an entity is turned from its regular place, in steps to the next place."""

_GROUP_DISTANCES = (0.7, 1.0)
"""The range of its distance from the middle, as a share of the radius."""

# Places for entities.

_RING_WIDENINGS = (1, 1.5, 2)
"""The factors by which a ring is widened, one after the other, until a free tile lies in it."""

# Bases of players, in tiles.

_PAVED_RADIUS = 5.5
"""The radius of the paved ground around a civil centre."""

_CENTRE_GAP = 7
"""The radius around a civil centre within which nothing else is placed."""

_UNIT_DISTANCE = 6
"""The distance of the first units of a player from the civil centre."""

_USUAL_CIV = "athen"
"""The civilisation of a player whose settings name none."""

_UNITS_OF_UNKNOWN_CIV = {"support_female_citizen": 4}
"""The first units of a civilisation that the package does not know: all have these."""

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
        self._settings = settings
        self._draws = draws
        self._heights = heights
        """(n + 1, n + 1): the heights of the corners of tiles."""
        self.size = heights.shape[0] - 1
        """n, the number of tiles along the map."""

        biomes = library_data("biomes.json")
        self.biome = biomes.get(settings.get("Biome") or "", next(iter(biomes.values())))
        """The textures and templates of the chosen biome, the first one without a choice."""
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
        self._ground: Field = corners.mean(axis=0)
        """(n, n): the mean height of each tile."""
        self._slope: Field = np.ptp(corners, axis=0)
        """(n, n): the rise from the lowest to the highest corner of each tile."""
        self._inside: Mask = self._distance_from_middle() < self.size / 2 - BORDER
        """(n, n): the tiles that are not at the edge."""
        self.land: Mask = corners.min(axis=0) > _DRY_FROM
        """(n, n): the tiles that are dry all over."""
        self.water: Mask = corners.max(axis=0) < _DEEP_FROM
        """(n, n): the tiles that are under deep water all over."""

        self.free: Mask = self._inside & (self._slope < STEEP)
        """(n, n): the tiles where an entity can still be placed; they become fewer."""

    def _distance_from_middle(self) -> Field:
        """Return the distance of the centre of each tile from the middle of the map, (n, n).

        On a square map it is the greater of the distances along x and z, so that all tiles at the
        edge are equally far.
        """
        offsets = np.arange(self.size) + 0.5 - self.size / 2
        if self._settings.get("CircularMap"):
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

    def paint_ground(self) -> None:
        """Paint all tiles with textures of the biome, by height and slope.

        The land has a usual texture, and patches of two other ones, as noise is high or low.
        """
        textures = self.biome["textures"]
        is_land = self._ground >= _LAND_FROM
        is_shore = (self._ground >= _SHORE_FROM) & ~is_land
        self.paint(textures["seabed"], self._ground < _SHORE_FROM)
        self.paint(textures["shore"], is_shore)
        usual, high_patch, low_patch = textures["main"]
        patches = noise(self._draws, self.size, _PATCH_WIDTH)
        self.paint(usual, is_land)
        self.paint(high_patch, is_land & (patches > _PATCH_NOISE))
        self.paint(low_patch, is_land & (patches < -_PATCH_NOISE))
        is_hill = (self._ground > _HILL_FROM) & (self._slope > _HILL_SLOPE)
        self.paint(textures["hill"], is_land & is_hill)
        self.paint(textures["cliff"], is_land & (self._slope > STEEP))

    # --- entities ------------------------------------------------------------------------------

    def place(self, template: str, x: float, z: float, gap: float = 0, player: int = 0) -> None:
        """Place an entity of a player, 0 for Gaia, at a position in tiles.

        Nothing else is placed on the tiles that are less than ``gap`` away. With 0 its tile stays
        free, too.
        """
        angle = fine_angle(self._draws.number(0, FULL_TURN))
        entity_id = FIRST_ID + len(self._entities)
        self._entities.append(Entity(entity_id, template, player, fine(x), fine(z), angle))
        if gap:
            self._occupy(x, z, gap)

    def find_spot(self, ring: Ring, where: Mask, free_around: int = 1) -> Point | None:
        """Return the centre of a free tile in a ring, drawn among the tiles of ``where``.

        The tiles up to ``free_around`` away from it are free as well, if there is such a tile. If
        not, fewer free tiles around it are enough, and then a ring that reaches up to twice as far.
        None if there is no free tile either.
        """
        for widening in _RING_WIDENINGS:
            # The tiles in reach, of which one is drawn.
            reach = ring.farthest * widening
            box = box_around(self.size, ring.x, ring.z, reach)
            can_stand = where[box.rows, box.columns] & self.free[box.rows, box.columns]
            can_stand &= (box.distances >= ring.nearest) & (box.distances <= reach)
            for free_tiles in range(free_around, -1, -1):
                candidates = np.flatnonzero(shrunk(can_stand, free_tiles))
                if len(candidates):
                    drawn_tile = int(candidates[self._draws.index(len(candidates))])
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
            angle = (number + self._draws.number(*_GROUP_TURNS)) / count * FULL_TURN
            distance = 0.0
            if count > 1:
                distance = radius * self._draws.number(*_GROUP_DISTANCES)
            x = spot.x + distance * math.sin(angle)
            z = spot.z + distance * math.cos(angle)
            if self._inside[int(z), int(x)]:
                self.place(template, x, z)
        self._occupy(spot.x, spot.z, radius + gap)

    def place_mines(self, ring: Ring, where: Mask) -> None:
        """Place a mine of metal and one of stone in a ring, on tiles of ``where``.

        The spot of each has free tiles around it, and nothing else is placed near it later.
        """
        for mine in (self.biome["metal"], self.biome["stone"]):
            spot = self.find_spot(ring, where, free_around=2)
            self.place_group(mine, 1, spot, radius=0, gap=3)

    def plant_forest(self, count: int, spot: Point | None, where: Mask) -> int:
        """Plant up to ``count`` trees around a spot, and return how many were planted.

        A forest has two kinds of trees of the biome. It grows on free tiles of ``where``, from the
        spot to an irregular edge. Without a spot (None) nothing is planted.
        """
        if spot is None:
            return 0

        # Its floor, which has more tiles than trees. No other entity gets a place on it.
        reach = _FARTHEST_FLOOR + math.sqrt(count)
        box = box_around(self.size, spot.x, spot.z, reach)
        floor_tiles = self._forest_floor(box, reach, int(count * _FLOOR_OF_TREE), where)
        is_floor = box.mask_on_map(floor_tiles, self.size)
        self.paint(self.biome["textures"]["forest"], is_floor)

        # The trees, on tiles of the floor that are drawn, so that there are gaps.
        trees = self.biome["trees"]
        first_tree = self._draws.index(len(trees))
        first_kind = trees[first_tree]
        second_kind = trees[(first_tree + 1) % len(trees)]
        shuffled_tiles = sorted(floor_tiles.tolist(), key=lambda _tile: self._draws.number())
        tree_tiles = shuffled_tiles[:count]  # fewer where the floor has found no room
        for tile in tree_tiles:
            corner = box.corner_of(tile)
            x = corner.x + self._draws.number(*_PLACES_IN_TILE)
            z = corner.z + self._draws.number(*_PLACES_IN_TILE)
            kind = second_kind
            if self._draws.index(_CHANCES_OF_ALL_KINDS) < _CHANCES_OF_FIRST_KIND:
                kind = first_kind
            self.place(kind, x, z)
        self.free &= ~is_floor
        return len(tree_tiles)

    def _forest_floor(
        self, box: TileBox, reach: float, count: int, where: Mask
    ) -> NDArray[np.intp]:
        """Return the floor of a forest: flat indices of up to ``count`` tiles of a box.

        They are those free tiles among ``where`` that are nearest to the middle of the box, by
        distances that are blurred by draws of up to a part of ``reach``: so the edge is irregular.
        """
        blur = self._draws.field(*box.distances.shape) * reach * _FOREST_BLUR
        blurred_distances = box.distances + blur
        is_allowed = (where & self.free)[box.rows, box.columns]
        blurred_distances[~is_allowed] = np.inf  # so these come last, and are cut off
        nearest_tiles = np.argsort(blurred_distances, axis=None, kind="stable")
        allowed_count = np.count_nonzero(is_allowed)
        return nearest_tiles[: min(count, allowed_count)]

    def place_base(self, player: int, x: float, z: float) -> None:
        """Place the civil centre and the first units of a player (from 1), on paved ground.

        Nomads have the units alone, on ground that is free for their town.
        """
        civ = self.players[player - 1].get("Civ") or _USUAL_CIV

        # The civil centre, on paved ground.
        if self._settings.get("Nomad"):
            self._occupy(x, z, _CENTRE_GAP)
        else:
            box = box_around(self.size, x, z, _PAVED_RADIUS)
            paved_tiles = np.flatnonzero(box.distances < _PAVED_RADIUS)
            is_paved = box.mask_on_map(paved_tiles, self.size)
            self.paint(self.biome["textures"]["road"], is_paved)
            self.place(f"structures/{civ}/civil_centre", x, z, _CENTRE_GAP, player)

        # The units, on a circle around it: ``units`` has an entry for each.
        units: list[str] = []
        counts_of_units = library_data("civs.json").get(civ, _UNITS_OF_UNKNOWN_CIV)
        for unit, count in counts_of_units.items():
            units += [unit] * count
        for number, unit in enumerate(units):
            angle = number / len(units) * FULL_TURN
            unit_x = x + _UNIT_DISTANCE * math.sin(angle)
            unit_z = z + _UNIT_DISTANCE * math.cos(angle)
            self.place(f"units/{civ}/{unit}", unit_x, unit_z, 0, player)

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
            settings=self._settings,
        )

    def _occupy(self, x: float, z: float, radius: float) -> None:
        """Let nothing be placed on the tiles that are less than ``radius`` away."""
        box = box_around(self.size, x, z, radius)
        self.free[box.rows, box.columns] &= box.distances >= radius
