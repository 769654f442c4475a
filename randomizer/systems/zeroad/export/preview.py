"""The picture of a map in the game's list: 512 x 512 pixels, the left upper 400 x 300 are shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.preview_picture import colour_png
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE, flip_rows
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.records import water_in
from randomizer.systems.zeroad.map.terrain_set import terrain_set_of

SIZE = 512
"""The pixels along the picture."""
SHOWN_WIDTH = 400
SHOWN_HEIGHT = 300
"""The pixels that are shown; the map is a square in the middle of them."""

_LEAST_SHADE = 0.55
"""The darkest slope is drawn in this share of its colour."""
_MOST_SHADE = 1.35
"""The brightest slope is drawn in this share of its colour."""
_METRES_OF_SHADE = 8
"""A tile that rises by so many metres from its light corner to the other one is black."""
_WATER = np.array([46, 92, 138])
"""The colour of deep water."""
_MOST_DEPTH_M = 12.0
"""From about this depth on the ground hardly shows through the water."""
_LEAST_DEPTH_M = 0.5
"""Added to the depth, so that the shore can be seen."""
_DOT_RADIUS = 2
"""The pixels from the middle of an entity's dot to its edge."""
_PLAYERS = (
    (255, 255, 255),  # Gaia's are not drawn
    (21, 55, 149),
    (150, 20, 20),
    (86, 180, 31),
    (231, 200, 5),
    (50, 170, 170),
    (160, 80, 200),
    (220, 115, 16),
    (64, 64, 64),
)
"""The colours of players where the settings name none."""


def preview_png(data: MapData) -> bytes:
    """Return the picture as a PNG."""
    picture = np.zeros((SIZE, SIZE, 3), np.uint8)
    margin = (SHOWN_WIDTH - SHOWN_HEIGHT) // 2
    picture[:SHOWN_HEIGHT, margin : margin + SHOWN_HEIGHT] = _map_picture(data, SHOWN_HEIGHT)
    return colour_png(picture)


def _map_picture(data: MapData, edge: int) -> NDArray[np.uint8]:
    """Return the map as edge x edge pixels, north above."""
    indices = np.arange(edge) * data.size // edge
    tiles = np.ix_(indices, indices)
    terrains = terrain_set_of(data.texture_names).terrains
    colours = np.array([_rgb(terrain.colour) for terrain in terrains])
    metres = flip_rows(data.heights).astype(np.float64) / UNITS_PER_METRE

    # The ground, in the light from the upper left; then the water over it.
    rise = (metres[:-1, :-1] - metres[1:, 1:]) / _METRES_OF_SHADE
    shade = np.clip(1 - rise, _LEAST_SHADE, _MOST_SHADE)[tiles]
    pixels = colours[flip_rows(data.textures)[tiles]] * shade[..., None]
    depth = water_in(data.environment, data.sea_level) - metres[:-1, :-1][tiles]
    share = np.clip((depth + _LEAST_DEPTH_M) / _MOST_DEPTH_M, 0.5, 0.95)[..., None]
    pixels = np.where(depth[..., None] > 0, pixels * (1 - share) + _WATER * share, pixels)
    picture: NDArray[np.uint8] = np.clip(pixels, 0, 255).astype(np.uint8)
    _draw_players(picture, data)
    if data.settings.get("CircularMap") is True:
        distance = np.hypot(*(np.mgrid[:edge, :edge] - (edge - 1) / 2))
        picture[distance > edge / 2] = 0
    return picture


def _draw_players(picture: NDArray[np.uint8], data: MapData) -> None:
    """Draw a dot for each entity of a player, in the player's colour."""
    edge = len(picture)
    size = data.size
    for entity in data.entities:
        if not entity.player:
            continue
        x = int(entity.x * edge / size)
        y = int((size - entity.z) * edge / size)
        rows = slice(max(0, y - _DOT_RADIUS), max(0, y + _DOT_RADIUS + 1))
        columns = slice(max(0, x - _DOT_RADIUS), max(0, x + _DOT_RADIUS + 1))
        picture[rows, columns] = _colour_of_player(data, entity.player)


def _colour_of_player(data: MapData, number: int) -> tuple[int, int, int]:
    """Return the colour of a player in the settings of a map, else the usual one."""
    usual = _PLAYERS[number % len(_PLAYERS)]
    players = data.settings.get("PlayerData")
    if not isinstance(players, list) or number >= len(players):
        return usual
    if not isinstance(players[number], dict):
        return usual
    return _colour_or(players[number].get("Color"), usual)


def _colour_or(colour: Any, usual: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a colour as the game's settings have it; the usual one for any other value."""
    try:
        red, green, blue = (min(255, max(0, int(colour[name]))) for name in "rgb")
    except (TypeError, LookupError, ValueError, OverflowError):  # no colour of the game
        return usual
    return red, green, blue


def _rgb(colour: str) -> tuple[int, int, int]:
    """Return the parts of a colour ``#rrggbb``."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
