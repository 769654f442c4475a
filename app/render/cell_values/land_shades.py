"""The colours of three overlays: heights of land, depths of water, and passability for units.

``land_shade`` returns which translucent colour such an overlay lays over each cell. The painters of
cells that are pictures (``scene.shades``) and of cells with one colour each (``cell_colours``) both
ask it, so that a map looks alike at every scale.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.cell_values.heat import DEPTH_STOPS, HEIGHT_STOPS, heat_colours
from app.render.cell_values.water import DEEPEST_SHOWN, water_depth
from app.render.overlay_options import Overlays
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import heights_around
from randomizer.model.planes.planes import Plane


class ShadeOverlay(StrEnum):
    """The overlays of this module, by their names in ``Overlays``."""

    HEIGHTS = "height_colours"
    """The land in colours from green (low) to white (high)."""

    WATER_DEPTH = "water_depth"
    """The water in colours from light (shallow) to dark (deep)."""

    PASSABILITY = "passability"
    """The ground that hinders units, where the system works it out from heights."""


class HindranceLook(NamedTuple):
    """The look of ground that hinders units."""

    colour: str
    """The colour, as #rrggbb."""

    opacity: float
    """The opacity of the colour over the cell, 0 to 1."""


HINDRANCE_LOOKS = {
    "ships": HindranceLook("#d6f1ff", 0.45),
    "slows": HindranceLook("#e0a100", 0.30),
    "ground": HindranceLook("#c2410c", 0.45),
    "all": HindranceLook("#3b0764", 0.60),
}
"""The look by which units are hindered: a value of ``Terrain.hinders`` or ``System.passability``.

Their lightness alone tells them apart, for every kind of colour vision: from light (only ships
pass) to dark (nobody does).
"""

NO_HINDRANCE = HindranceLook("#000000", 0.0)
"""The look of ground that does not hinder: clear."""

HALFWAY = 10.0
"""The height above the water that has the middle of the colours, in units of ``System.steep_rise``.

On maps of 0 A.D. that are 40 m. Each further such height halves the distance to the last colour:
land 80 m high has three quarters of the ramp, land 120 m high seven eighths.
"""

RAMP_OPACITY = 0.75
"""The opacity of the colours of heights and depths over a cell."""

SHADE_COLOURS = 64
"""The number of colours of heights, and of depths: a divisor of the 256 of ``heat_colours``."""


class LandShade(NamedTuple):
    """Translucent colours over n cells."""

    codes: NDArray[np.intp]
    """The index in ``colours`` of the colour over each cell, -1 for none: shape (n,)."""

    colours: tuple[QColor, ...]
    """The colours that occur, and perhaps others."""


def hindrance_colour(hinders: str) -> QColor:
    """Return the translucent colour of a value of ``Terrain.hinders``; a clear one for ""."""
    look = HINDRANCE_LOOKS.get(hinders, NO_HINDRANCE)
    colour = QColor(look.colour)
    colour.setAlphaF(look.opacity)
    return colour


def land_shade(
    overlay: ShadeOverlay,
    battlemap: BattleMap,
    composite: Composite,
    overlays: Overlays,
    cells: slice | NDArray[np.intp],
) -> LandShade | None:
    """Return the colours that an overlay lays over ``cells``: indices, or a slice of whole rows.

    None if the overlay is switched off, or if the map lacks what it shows: heights, water, or a
    passability that the system works out.
    """
    if not overlays.shows(overlay):
        return None
    heights = composite.plane(battlemap.system.height)
    if heights is None:
        return None
    if overlay is ShadeOverlay.PASSABILITY:
        return _passability_shade(battlemap, composite, cells)
    if overlay is ShadeOverlay.WATER_DEPTH:
        return _depth_shade(battlemap, composite, cells)
    return _height_shade(battlemap, heights, cells)


def _passability_shade(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> LandShade | None:
    """Return the colours over cells that hinder units, which the system works out from heights.

    None for systems that do not: theirs hinder by their terrains alone.
    """
    system = battlemap.system
    if not system.passability_reach:
        return None
    # The kinds of ground as (text, hinders), and the index of each cell's kind.
    kinds, codes = system.passability(battlemap, composite.planes, cells)
    is_free = np.array([not hinders for _text, hinders in kinds])
    colours = tuple(hindrance_colour(hinders) for _text, hinders in kinds)
    return LandShade(np.where(is_free[codes], -1, codes), colours)


def _depth_shade(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> LandShade | None:
    """Return colours of the depth of the water over cells, None on a map without water."""
    depth = water_depth(battlemap, composite, cells)
    if depth is None:
        return None
    codes = _codes(depth / DEEPEST_SHOWN)
    return LandShade(np.where(depth > 0, codes, -1), _ramp(DEPTH_STOPS))


def _height_shade(
    battlemap: BattleMap, heights: Plane, cells: slice | NDArray[np.intp]
) -> LandShade:
    """Return the colours of the heights of cells, from green (low) to white (high).

    Elevations of cells lie between two limits, over which the colours are spread evenly. Heights of
    corners have no upper limit: the higher the land, the less its colour changes (``HALFWAY``).
    """
    system = battlemap.system
    if system.corner_heights is None:
        elevations = battlemap.terrain_set.elevations
        lowest = min(elevations)
        extent = max(max(elevations) - lowest, 1)
        share = (heights.reshape(-1)[cells] - lowest) / extent
    else:
        water_level = np.float32(system.water_level(battlemap) or 0.0)
        # Four corners a cell: its height is their mean.
        mean_height = heights_around(battlemap.grid, heights, cells).mean(axis=0)
        above_water = np.maximum(mean_height - water_level, 0)
        share = 1 - 0.5 ** (above_water / (HALFWAY * system.steep_rise))
    return LandShade(_codes(share), _ramp(HEIGHT_STOPS))


def _codes(share: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the indices of colours of a ramp for shares (n,) of its length, from 0 to 1."""
    return np.asarray(np.clip(share * SHADE_COLOURS, 0, SHADE_COLOURS - 1), np.intp)


def _ramp(stops: tuple[str, ...]) -> tuple[QColor, ...]:
    """Return ``SHADE_COLOURS`` translucent colours that pass evenly through all ``stops``."""
    colours = [QColor.fromRgb(int(colour)) for colour in heat_colours(stops)]
    for colour in colours:
        colour.setAlphaF(RAMP_OPACITY)
    return tuple(colours[:: len(colours) // SHADE_COLOURS])
