"""What Python generators build their maps with: draws, noise, places for entities, textures.

The library of our JavaScript scripts (``mod/maps/random/battlelands``) does the same for them; the
biomes and the units of the civilisations are in the same JSON files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.dice import stream, streams, word, words_of_streams
from randomizer.systems.zeroad.map.coordinates import (
    FULL_TURN,
    SEA_LEVEL,
    UNITS_PER_METRE,
    fine,
    fine_angle,
)
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity, MapData
from randomizer.systems.zeroad.map.mod_library import library_data

Grid = NDArray[np.float64]
Mask = NDArray[np.bool_]

BORDER = 4
"""So many tiles at the edge of a map nothing stands: the game's border and one more."""

STEEP = 2.5
"""A rise in metres from one corner of a tile to another on which nothing is placed."""


class Draws:
    """Draws of one map, each at the next site, so that the same key gives the same draws."""

    def __init__(self, key: DrawKey) -> None:
        self._key = key
        self._site = 0

    def number(self, least: float = 0.0, most: float = 1.0) -> float:
        """Return a number from ``least`` to below ``most``."""
        self._site += 1
        drawn = word(*self._key, self._site) >> 11
        return least + (most - least) * drawn / 2.0**53

    def index(self, count: int) -> int:
        """Return a whole number from 0 to below ``count``."""
        return min(count - 1, int(self.number(0, count)))

    def grid(self, *shape: int) -> Grid:
        """Numbers from 0 to below 1."""
        self._site += 1
        positions = np.arange(math.prod(shape), dtype=np.uint64)
        starts = streams(self._key.seed, positions + np.uint64(stream(0, self._site)))
        drawn = words_of_streams(starts, self._key.number) >> np.uint64(11)
        return (drawn.astype(np.float64) / 2.0**53).reshape(shape)


def noise(draws: Draws, size: int, feature: float, octaves: int = 3) -> Grid:
    """Smooth noise (size, size), about -1 to 1: hills and dales some ``feature`` tiles wide."""
    total = np.zeros((size, size))
    weight = 1.0
    weights = 0.0
    for _octave in range(octaves):
        positions = np.arange(size) / max(feature, 1.0)
        cells = positions.astype(np.int64)
        lattice = draws.grid(cells[-1] + 2, cells[-1] + 2) * 2 - 1
        part = smooth(positions - cells)
        rows = lattice[cells] * (1 - part[:, None]) + lattice[cells + 1] * part[:, None]
        total += weight * (rows[:, cells] * (1 - part) + rows[:, cells + 1] * part)
        weights += weight
        weight = weight / 2
        feature = feature / 2
    return total / weights * 1.6


def smooth(part: Any) -> Any:
    """0 up to 0, 1 from 1 on, in between a curve without corners."""
    part = np.clip(part, 0.0, 1.0)
    return part * part * (3 - 2 * part)


def polar(middle: float, away: float, angle: float) -> tuple[float, float]:
    """Return the point (x, z) that lies ``away`` from (middle, middle) in a direction, in radians
    clockwise from the north.
    """
    return middle + away * math.sin(angle), middle + away * math.cos(angle)


class MapBuilder:
    """A map in the making: heights of corners in the script's scale (water at 0), then the rest.

    ``free`` are the tiles where an entity can still be placed. Arrays are by [z, x].
    """

    def __init__(self, settings: Mapping[str, Any], heights: Grid, draws: Draws) -> None:
        self._settings = settings
        self.size = heights.shape[0] - 1
        self.heights = heights
        self.draws = draws
        biomes = library_data("biomes.json")
        self.biome = biomes.get(settings.get("Biome") or "", next(iter(biomes.values())))
        self.players = [dict(player or {}) for player in settings["PlayerData"][1:]]
        self.entities: list[Entity] = []
        corners = np.stack([heights[:-1, :-1], heights[1:, :-1], heights[:-1, 1:], heights[1:, 1:]])
        self.ground: Grid = corners.mean(axis=0)
        self.slope: Grid = np.ptp(corners, axis=0)
        middle = np.arange(self.size) + 0.5 - self.size / 2
        edge = np.maximum(np.abs(middle)[:, None], np.abs(middle))
        if settings.get("CircularMap"):
            edge = np.hypot(middle[:, None], middle)
        self.inside: Mask = edge < self.size / 2 - BORDER
        self.free: Mask = self.inside & (self.slope < STEEP)
        self.land: Mask = corners.min(axis=0) > 0.5
        self.water: Mask = corners.max(axis=0) < -1.5
        self.names: list[str] = []
        self.textures = np.zeros((self.size, self.size), np.uint16)

    # --- textures ------------------------------------------------------------------------------

    def paint(self, texture: str, where: Mask) -> None:
        """Give tiles a texture; one painted later is drawn over the others at the edges."""
        if texture not in self.names:
            self.names.append(texture)
        self.textures[where] = self.names.index(texture)

    def paint_ground(self) -> None:
        """The textures of the biome by height and slope, its kinds of ground in patches."""
        textures = self.biome["textures"]
        self.paint(textures["seabed"], self.ground < -1.2)
        self.paint(textures["shore"], (self.ground >= -1.2) & (self.ground < 1.3))
        land = self.ground >= 1.3
        patches = noise(self.draws, self.size, 14)
        usual, *others = textures["main"]
        self.paint(usual, land)
        for texture, where in zip(others, (patches > 0.35, patches < -0.35), strict=True):
            self.paint(texture, land & where)
        self.paint(textures["hill"], land & (self.ground > 7) & (self.slope > 1.2))
        self.paint(textures["cliff"], land & (self.slope > STEEP))

    # --- entities ------------------------------------------------------------------------------

    def place(self, template: str, x: float, z: float, gap: float = 0, player: int = 0) -> None:
        """Place an entity at tile coordinates, and keep the tiles less than ``gap`` away free."""
        angle = fine_angle(self.draws.number(0, FULL_TURN))
        number = FIRST_ID + len(self.entities)
        self.entities.append(Entity(number, template, player, fine(x), fine(z), angle))
        if gap:
            rows, columns, away = self._around(x, z, gap)
            self.free[rows, columns] &= away >= gap

    def spot(
        self, x: float, z: float, least: float, most: float, where: Mask, gap: int = 1
    ) -> tuple[float, float] | None:
        """Return a free place among ``where``, between two distances from a point.

        Where there is none with ``gap`` tiles free to each side, a narrower one is tried, then one
        up to twice as far; None if there is none either.
        """
        for reach in (most, most * 1.5, most * 2):
            rows, columns, away = self._around(x, z, reach)
            fitting = where[rows, columns] & self.free[rows, columns]
            fitting &= (away >= least) & (away <= reach)
            for narrow in range(gap, -1, -1):
                cells = np.flatnonzero(_shrunk(fitting, narrow))
                if len(cells):
                    chosen = int(cells[self.draws.index(len(cells))])
                    row, column = divmod(chosen, fitting.shape[1])
                    return columns.start + column + 0.5, rows.start + row + 0.5
        return None

    def group(
        self, template: str, count: int, spot: tuple[float, float] | None, radius: float, gap: float
    ) -> None:
        """Place several of a kind around a spot; none if there is no spot."""
        for number in range(count if spot else 0):
            assert spot is not None
            angle = (number + self.draws.number(-0.2, 0.2)) / count * FULL_TURN
            if count > 1:
                away = radius * self.draws.number(0.7, 1)
            else:
                away = 0.0
            x = spot[0] + away * math.sin(angle)
            z = spot[1] + away * math.cos(angle)
            if self.inside[int(z), int(x)]:
                self.place(template, x, z)
        if spot:
            rows, columns, away_from = self._around(*spot, radius + gap)
            self.free[rows, columns] &= away_from >= radius + gap

    def forest(self, count: int, spot: tuple[float, float] | None, where: Mask) -> int:
        """Plant up to ``count`` trees on free tiles around a spot, of two kinds; how many.

        They grow from the middle to an irregular edge, on the floor of the biome's forests.
        """
        if spot is None:
            return 0
        reach = 2 + math.sqrt(count)
        rows, columns, away = self._around(*spot, reach)
        ragged = away + self.draws.grid(*away.shape) * reach * 0.45
        ragged[~(where & self.free)[rows, columns]] = np.inf
        order = np.argsort(ragged, axis=None, kind="stable")
        order = order[np.isfinite(ragged.reshape(-1)[order])][: int(count * 1.5)]
        floor = np.zeros(away.shape, np.bool_)
        floor.reshape(-1)[order] = True
        window = np.zeros_like(self.free)
        window[rows, columns] = floor
        self.paint(self.biome["textures"]["forest"], window)
        trees = self.biome["trees"]
        first = self.draws.index(len(trees))
        kinds = trees[first], trees[(first + 1) % len(trees)]
        chosen = sorted(order.tolist(), key=lambda _tile: self.draws.number())[:count]
        for tile in chosen:
            row, column = divmod(tile, away.shape[1])
            x = columns.start + column + self.draws.number(0.2, 0.8)
            z = rows.start + row + self.draws.number(0.2, 0.8)
            self.place(kinds[self.draws.index(3) // 2], x, z)
        self.free &= ~window
        return len(chosen)

    def base(self, player: int, x: float, z: float) -> None:
        """The civil centre and the first units of a player (from 1), on a paved place."""
        civ = self.players[player - 1].get("Civ") or "athen"
        rows, columns, away = self._around(x, z, 8)
        window = np.zeros_like(self.free)
        window[rows, columns] = away < 5.5
        self.paint(self.biome["textures"]["road"], window)
        self.place(f"structures/{civ}/civil_centre", x, z, 7, player)
        units = library_data("civs.json").get(civ, {"support_female_citizen": 4})
        everyone = [unit for unit, count in units.items() for _each in range(count)]
        for number, unit in enumerate(everyone):
            angle = number / len(everyone) * FULL_TURN
            at = x + 6 * math.sin(angle), z + 6 * math.cos(angle)
            self.place(f"units/{civ}/{unit}", *at, 0, player)

    def finished(self) -> MapData:
        """Return the map as it is now."""
        units = np.floor((self.heights + SEA_LEVEL) * UNITS_PER_METRE).clip(0, 65535)
        middle = self.size * 2.0
        camera = {
            "Position": {"x": middle, "y": 150, "z": middle},
            "Rotation": 0,
            "Declination": math.pi / 6,
        }
        return MapData(
            self.size,
            units.astype(np.uint16),
            tuple(self.names),
            self.textures,
            self.textures.copy(),
            tuple(self.entities),
            camera,
            self.biome["environment"],
            settings=self._settings,
        )

    def _around(self, x: float, z: float, reach: float) -> tuple[slice, slice, Grid]:
        """Return the tiles of a box around a point: rows, columns, distances of their centres."""
        low = [max(0, math.floor(middle - reach)) for middle in (z, x)]
        high = [max(0, min(self.size, math.ceil(middle + reach) + 1)) for middle in (z, x)]
        rows, columns = (slice(*ends) for ends in zip(low, high, strict=True))
        dz = np.arange(rows.start, rows.stop)[:, None] + 0.5 - z
        dx = np.arange(columns.start, columns.stop) + 0.5 - x
        return rows, columns, np.hypot(dz, dx)


def _shrunk(mask: Mask, by: int) -> Mask:
    """Return the places of a mask whose neighbours up to ``by`` to each side are in it, too."""
    for _step in range(by):
        wide = np.pad(mask, 1)
        mask = mask & wide[2:, 1:-1] & wide[:-2, 1:-1] & wide[1:-1, 2:] & wide[1:-1, :-2]
    return mask
