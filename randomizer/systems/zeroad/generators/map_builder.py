"""What Python generators build their maps with: positions for entities, and textures.

The library of our JavaScript scripts (``mod/maps/random/battlelands``) does the same for them; the
biomes and the units of the civilisations are in the same JSON files. A generator works like this::

    builder = MapBuilder(settings, heights, draws)
    builder.paint_ground()
    builder.place_base(1, x, z)
    spot = builder.find_spot(x, z, nearest=8, farthest=13, where=builder.land)
    builder.place_group(builder.biome["berries"], 6, spot, radius=1.6, gap=1.5)
    map_data = builder.map_data()

Arrays are indexed by [z, x]; lengths are in tiles, heights in metres above the water. The tile
[4, 7] is the square from x = 7, z = 4 to x = 8, z = 5; its centre is (7.5, 4.5).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.generators.draws import Draws, Field, noise
from randomizer.systems.zeroad.map.coordinates import (
    FULL_TURN,
    SEA_LEVEL,
    UNITS_PER_METRE,
    fine,
    fine_angle,
)
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.mod_library import library_data

Mask = NDArray[np.bool_]
"""A truth value for each tile, or for those of a part of the map."""

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

_CHANCES_OF_FIRST_KIND = 2
"""Of three trees so many are of the first kind of the forest, on an average."""

_FLOOR_OF_TREE = 1.5
"""The tiles of a forest's floor for each of its trees: with fewer it has no gaps."""

_FOREST_BLUR = 0.45
"""The share of a forest's radius by which its edge is irregular."""

_PLACES_IN_TILE = (0.2, 0.8)
"""Where a tree stands in its tile, along x and z: with a wider range some stand in one another."""

# Patches of land with another texture.

_PATCH_NOISE = 0.35
"""Beyond this noise, above and below, land has another texture; if larger, patches are smaller."""

_PATCH_WIDTH = 14
"""The width of such patches in tiles, roughly."""

# Groups of entities on a circle.

_GROUP_TURNS = (-0.2, 0.2)
"""How far an entity stands from its regular place on the circle, as a share of the next one's."""

_GROUP_DISTANCES = (0.7, 1.0)
"""How far it stands from the middle, as a share of the radius."""

# Bases of players, in tiles.

_PAVED_RADIUS = 5.5
"""How far the paved ground around a civil centre reaches."""

_CENTRE_GAP = 7
"""How far around a civil centre nothing else is placed."""

_UNIT_DISTANCE = 6
"""How far from a civil centre the first units of its player stand."""

TILE_M = 4.0
"""The edge of a tile in metres."""

_CAMERA_HEIGHT_M = 150
"""The height of the camera with which the map is shown first."""

_CAMERA_DECLINATION = math.pi / 6
"""The angle by which that camera looks down."""


class Point(NamedTuple):
    """A position on the map, in tiles."""

    x: float
    z: float


def point_from_middle(middle: float, distance: float, direction: float) -> Point:
    """Return the point at a distance from (middle, middle), its direction in radians.

    Directions go clockwise from the north.
    """
    return Point(middle + distance * math.sin(direction), middle + distance * math.cos(direction))


class _Box(NamedTuple):
    """The tiles of a box around a point."""

    rows: slice
    columns: slice

    distances: Field
    """The distance of the centre of each tile from the point, (rows, columns)."""

    def corner_of(self, index: int) -> Point:
        """Return the corner, nearest to the origin, of the tile with a flat index in the box."""
        row, column = divmod(index, self.distances.shape[1])
        return Point(self.columns.start + column, self.rows.start + row)

    def on_map(self, tiles: NDArray[np.intp], size: int) -> Mask:
        """Return a mask of the whole map, (size, size), of tiles with flat indices in the box."""
        is_in_box = np.zeros(self.distances.shape, np.bool_)
        is_in_box.reshape(-1)[tiles] = True
        mask = np.zeros((size, size), np.bool_)
        mask[self.rows, self.columns] = is_in_box
        return mask


class MapBuilder:
    """A map in the making, from the heights of its corners on."""

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
        """(n, n): the tiles where an entity can still be placed."""

    def _distance_from_middle(self) -> Field:
        """Return how far each tile is from the middle: on a square map as squares, not circles."""
        offsets = np.arange(self.size) + 0.5 - self.size / 2
        if self._settings.get("CircularMap"):
            return np.asarray(np.hypot(offsets[:, None], offsets))
        return np.asarray(np.maximum(np.abs(offsets)[:, None], np.abs(offsets)))

    # --- textures ------------------------------------------------------------------------------

    def paint(self, texture: str, where: Mask) -> None:
        """Give tiles a texture; one painted later is drawn over the others at the edges."""
        if texture not in self._texture_names:
            self._texture_names.append(texture)
        self._textures[where] = self._texture_names.index(texture)

    def paint_ground(self) -> None:
        """Paint the textures of the biome by height and slope, its kinds of ground in patches."""
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
        """Place an entity, and keep the tiles less than ``gap`` away free; player 0 is Gaia."""
        angle = fine_angle(self._draws.number(0, FULL_TURN))
        entity_id = FIRST_ID + len(self._entities)
        self._entities.append(Entity(entity_id, template, player, fine(x), fine(z), angle))
        if gap:
            self._occupy(x, z, gap)

    def find_spot(
        self, x: float, z: float, nearest: float, farthest: float, where: Mask, gap: int = 1
    ) -> Point | None:
        """Return the middle of a free tile among ``where``, between two distances from a point.

        Where there is none with ``gap`` tiles free to each side, a narrower one is tried, then one
        up to twice as far; None if there is none either.
        """
        for reach in (farthest, farthest * 1.5, farthest * 2):
            # The tiles in reach, of which one is drawn.
            box = self._box_around(x, z, reach)
            can_stand = where[box.rows, box.columns] & self.free[box.rows, box.columns]
            can_stand &= (box.distances >= nearest) & (box.distances <= reach)
            for free_tiles in range(gap, -1, -1):
                tiles = np.flatnonzero(_shrunk(can_stand, free_tiles))
                if len(tiles):
                    corner = box.corner_of(int(tiles[self._draws.index(len(tiles))]))
                    return Point(corner.x + 0.5, corner.z + 0.5)
        return None

    def place_group(
        self, template: str, count: int, spot: Point | None, radius: float, gap: float
    ) -> None:
        """Place several of a kind on a circle around a spot; none if there is no spot.

        They stand a little irregularly. Up to ``gap`` tiles beyond the circle nothing else is
        placed.
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

    def place_mines(self, x: float, z: float, nearest: float, farthest: float, where: Mask) -> None:
        """Place a mine of metal and one of stone between two distances from a point.

        The spot of each has free tiles around it, and nothing else is placed near it later.
        """
        for mine in (self.biome["metal"], self.biome["stone"]):
            spot = self.find_spot(x, z, nearest, farthest, where, gap=2)
            self.place_group(mine, 1, spot, radius=0, gap=3)

    def plant_forest(self, count: int, spot: Point | None, where: Mask) -> int:
        """Plant up to ``count`` trees of two kinds on free tiles around a spot; return how many.

        They grow from the middle to an irregular edge, on the floor of the biome's forests. None
        is planted if there is no spot.
        """
        if spot is None:
            return 0
        # The floor.
        reach = _FARTHEST_FLOOR + math.sqrt(count)
        box = self._box_around(spot.x, spot.z, reach)
        floor_tiles = self._forest_floor(box, reach, int(count * _FLOOR_OF_TREE), where)
        is_floor = box.on_map(floor_tiles, self.size)
        self.paint(self.biome["textures"]["forest"], is_floor)

        # Trees on some of its tiles, chosen by lot, so that there are gaps.
        trees = self.biome["trees"]
        first_tree = self._draws.index(len(trees))
        first_kind = trees[first_tree]
        second_kind = trees[(first_tree + 1) % len(trees)]
        shuffled_tiles = sorted(floor_tiles.tolist(), key=lambda _tile: self._draws.number())
        tree_tiles = shuffled_tiles[:count]
        for tile in tree_tiles:
            corner = box.corner_of(tile)
            x = corner.x + self._draws.number(*_PLACES_IN_TILE)
            z = corner.z + self._draws.number(*_PLACES_IN_TILE)
            kind = second_kind
            if self._draws.index(3) < _CHANCES_OF_FIRST_KIND:
                kind = first_kind
            self.place(kind, x, z)
        self.free &= ~is_floor
        return len(tree_tiles)

    def _forest_floor(self, box: _Box, reach: float, count: int, where: Mask) -> NDArray[np.intp]:
        """Return the floor of a forest: flat indices of up to ``count`` tiles of a box.

        They are those free tiles among ``where`` that are nearest to the middle of the box, by
        distances that are blurred by draws of up to a part of ``reach``: so the edge is irregular.
        """
        blur = self._draws.field(*box.distances.shape) * reach * _FOREST_BLUR
        ragged = box.distances + blur
        ragged[~(where & self.free)[box.rows, box.columns]] = np.inf
        nearest_tiles = np.argsort(ragged, axis=None, kind="stable")
        is_allowed = np.isfinite(ragged.reshape(-1)[nearest_tiles])
        return nearest_tiles[is_allowed][:count]

    def place_base(self, player: int, x: float, z: float) -> None:
        """Place the civil centre and the first units of a player (from 1), on paved ground.

        Nomads have the units alone, on ground that is free for their town.
        """
        # The civil centre.
        civ = self.players[player - 1].get("Civ") or "athen"
        if self._settings.get("Nomad"):
            self._occupy(x, z, _CENTRE_GAP)
        else:
            box = self._box_around(x, z, _PAVED_RADIUS)
            paved_tiles = np.flatnonzero(box.distances < _PAVED_RADIUS)
            is_paved = box.on_map(paved_tiles, self.size)
            self.paint(self.biome["textures"]["road"], is_paved)
            self.place(f"structures/{civ}/civil_centre", x, z, _CENTRE_GAP, player)

        # The units, on a circle around it.
        units: list[str] = []  # one entry for each unit
        # A civilisation that the package does not know begins with women, which all have.
        counts_of_units = library_data("civs.json").get(civ, {"support_female_citizen": 4})
        for unit, count in counts_of_units.items():
            units += [unit] * count
        for number, unit in enumerate(units):
            angle = number / len(units) * FULL_TURN
            unit_x = x + _UNIT_DISTANCE * math.sin(angle)
            unit_z = z + _UNIT_DISTANCE * math.cos(angle)
            self.place(f"units/{civ}/{unit}", unit_x, unit_z, 0, player)

    def map_data(self) -> MapData:
        """Return the map as it is now."""
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
        box = self._box_around(x, z, radius)
        self.free[box.rows, box.columns] &= box.distances >= radius

    def _box_around(self, x: float, z: float, reach: float) -> _Box:
        """Return the tiles of the map that can be up to ``reach`` away from a point."""
        rows = self._tiles_along(z, reach)
        columns = self._tiles_along(x, reach)
        dz = np.arange(rows.start, rows.stop)[:, None] + 0.5 - z
        dx = np.arange(columns.start, columns.stop) + 0.5 - x
        return _Box(rows, columns, np.hypot(dz, dx))

    def _tiles_along(self, middle: float, reach: float) -> slice:
        """Return the rows, or the columns, of the map up to ``reach`` away from a position."""
        first = max(0, math.floor(middle - reach))
        end = max(0, min(self.size, math.ceil(middle + reach) + 1))
        return slice(first, end)


def _shrunk(mask: Mask, tiles: int) -> Mask:
    """Return the tiles of a mask whose neighbours up to ``tiles`` away are in it as well.

    What is outside of the mask's array is not in it.
    """
    for _step in range(tiles):
        wide = np.pad(mask, 1)
        mask = mask & wide[2:, 1:-1] & wide[:-2, 1:-1] & wide[1:-1, 2:] & wide[1:-1, :-2]
    return mask
