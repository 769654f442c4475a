"""Draws the picture of a map for the game's list of maps.

    data = preview_png(mapdata)        # the bytes of a PNG file

The picture has 512 x 512 pixels, of which the game shows the left upper 400 x 300. The map is a
square of 300 x 300 in the middle of these: its ground in the colours of the textures, shaded by the
slope, with water over it, and a dot for each entity of a player.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.preview_picture import SHOWN, colour_png
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE, flip_rows
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.terrain_set import terrain_set_of
from randomizer.systems.zeroad.map.water_height import environment_water_metres

SIZE = 512
"""The width and height of the picture in pixels."""

_MIN_SHADE = 0.55
"""The factor by which the colour of the darkest slope is multiplied."""

_MAX_SHADE = 1.35
"""The factor by which the colour of the brightest slope is multiplied."""

_METRES_OF_SHADE = 8
"""The metres by which a tile falls away from the light that darken it by 100 %.

Those by which it rises lighten it; both only up to the two factors above.
"""

_WATER = np.array([46, 92, 138])
"""The colour of deep water: red, green and blue."""

_MAX_DEPTH_M = 12.0
"""The depth in metres from which on the ground hardly shows through the water."""

_SHORE_DEPTH_M = 0.5
"""The metres that are added to the depth; with more, shallow water looks deeper."""

_MIN_WATER = 0.5
"""The share of the colour of water where it is shallow."""

_MAX_WATER = 0.95
"""The share of the colour of water where it is deep."""

_DOT_RADIUS = 2
"""The pixels from the middle of an entity's dot to its edge."""

_USUAL_COLOURS = (
    (255, 255, 255),  # of Gaia, whose entities are not drawn
    (21, 55, 149),
    (150, 20, 20),
    (86, 180, 31),
    (231, 200, 5),
    (50, 170, 170),
    (160, 80, 200),
    (220, 115, 16),
    (64, 64, 64),
)
"""The colours of players whose settings name none, by player: red, green and blue."""


def preview_png(data: MapData) -> bytes:
    """Return the picture of a map as the bytes of a PNG file."""
    picture = np.zeros((SIZE, SIZE, 3), np.uint8)
    shown_width, shown_height = SHOWN
    side = shown_height
    margin = (shown_width - side) // 2
    picture[:side, margin : margin + side] = _map_picture(data, side)
    return colour_png(picture)


def _map_picture(data: MapData, side: int) -> NDArray[np.uint8]:
    """Return a map as a square picture with the north above, (side, side, 3)."""
    # ``tiles`` are the rows and columns of the tile that each pixel shows: an index for an array of
    # tiles (n, n), whose result has a value for each pixel (side, side).
    indices = np.arange(side) * data.size // side
    tiles = np.ix_(indices, indices)
    metres = flip_rows(data.heights).astype(np.float64) / UNITS_PER_METRE  # (n + 1, n + 1)

    ground = _ground_colours(data, metres)[tiles]
    depth = environment_water_metres(data.environment, data.sea_level) - metres[:-1, :-1][tiles]
    picture = np.clip(_with_water(ground, depth), 0, 255).astype(np.uint8)
    _draw_players(picture, data)
    if data.settings.get("CircularMap") is True:
        picture[~_is_in_circle(side)] = 0
    return picture


def _ground_colours(data: MapData, metres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colour of each tile, (n, n, 3), shaded by its slope.

    ``metres`` (n + 1, n + 1) are the heights of the corners. The light comes from the upper left:
    the more a tile falls from that corner to the lower right one, the darker it is.
    """
    terrains = terrain_set_of(data.texture_names).terrains
    colours = np.array([_rgb(terrain.colour) for terrain in terrains])
    fall = (metres[:-1, :-1] - metres[1:, 1:]) / _METRES_OF_SHADE
    shade = np.clip(1 - fall, _MIN_SHADE, _MAX_SHADE)
    shaded_colours: NDArray[np.float64] = colours[flip_rows(data.textures)] * shade[..., None]
    return shaded_colours


def _with_water(ground: NDArray[np.float64], depth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of pixels (side, side, 3) with water over those of positive depth.

    ``depth`` (side, side) is in metres, at the upper left corner of the tile.
    """
    depth_share = (depth + _SHORE_DEPTH_M) / _MAX_DEPTH_M
    water_share = np.clip(depth_share, _MIN_WATER, _MAX_WATER)[..., None]
    is_water = depth[..., None] > 0
    return np.where(is_water, ground * (1 - water_share) + _WATER * water_share, ground)


def _is_in_circle(side: int) -> NDArray[np.bool_]:
    """Return which pixels a round map has, (side, side)."""
    offsets = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(offsets[:, None], offsets) <= side / 2)


def _draw_players(picture: NDArray[np.uint8], data: MapData) -> None:
    """Draw a dot into ``picture`` for each entity of a player, in the player's colour.

    The north of the map is above, while z grows to the north. Positions of entities are in tiles.
    """
    side = len(picture)
    size = data.size
    for entity in data.entities:
        if not entity.player:
            continue
        x = int(entity.x * side / size)
        y = int((size - entity.z) * side / size)
        rows = slice(max(0, y - _DOT_RADIUS), max(0, y + _DOT_RADIUS + 1))
        columns = slice(max(0, x - _DOT_RADIUS), max(0, x + _DOT_RADIUS + 1))
        picture[rows, columns] = _colour_of_player(data, entity.player)


def _colour_of_player(data: MapData, number: int) -> tuple[int, int, int]:
    """Return the colour of a player in the settings of a map, else the usual one."""
    usual = _USUAL_COLOURS[number % len(_USUAL_COLOURS)]
    players = data.settings.get("PlayerData")
    if not isinstance(players, list) or number >= len(players):
        return usual
    if not isinstance(players[number], dict):
        return usual
    try:
        return _colour_of_object(players[number].get("Color"))
    except (TypeError, LookupError, ValueError, OverflowError):
        return usual


def _colour_of_object(colour: Any) -> tuple[int, int, int]:
    """Return the colour of an object {"r": 21, "g": 55, "b": 149} of the game's settings.

    Settings come from scripts and files: any other value raises TypeError, LookupError, ValueError
    or OverflowError.
    """
    red, green, blue = (min(255, max(0, int(colour[name]))) for name in "rgb")
    return red, green, blue


def _rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour ``#rrggbb``, each 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
