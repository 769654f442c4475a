"""Colours over cells that say how the land lies: heights, depths of water, passability.

What is laid over pictures of cells and over cells of one colour is decided here, once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.cell_values.heat import DEPTH_STOPS, HEIGHT_STOPS, heat_colours
from app.render.cell_values.relief import DEPTHS, water_depth
from app.render.overlay_options import Overlays
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import heights_around
from randomizer.model.planes.planes import Plane

HINDRANCES = {
    "ships": ("#d6f1ff", 0.45),
    "slows": ("#e0a100", 0.30),
    "ground": ("#c2410c", 0.45),
    "all": ("#3b0764", 0.60),
}
"""Colour and opacity over ground that hinders, by ``Terrain.hinders`` or ``System.passability``.

They are told apart by lightness alone.
"""

HALFWAY = 10.0
"""Land so many times the ``steep_rise`` above the water (40 m on maps of 0 A.D.) has the middle of
the colours; it comes half as near to the last one with each further such rise."""

RAMP_OPACITY = 0.75
"""The opacity of the colours of heights and depths over a cell."""

RAMP_COLOURS = 64
"""The number of colours of heights, and of depths: a divisor of the 256 of ``heat_colours``."""


class LandShade(NamedTuple):
    """Translucent colours over cells."""

    codes: NDArray[np.intp]
    """The index in ``colours`` of the colour over each cell, -1 for none: shape (n,)."""

    colours: tuple[QColor, ...]


def hindrance(hinders: str) -> QColor:
    """Return the translucent colour of a value of ``Terrain.hinders``, "" included."""
    name, share = HINDRANCES.get(hinders, ("#000000", 0.0))
    colour = QColor(name)
    colour.setAlphaF(share)
    return colour


def land_shade(
    overlay: str,
    battlemap: BattleMap,
    composite: Composite,
    overlays: Overlays,
    cells: slice | NDArray[np.intp],
) -> LandShade | None:
    """Return what an overlay lays over ``cells``, indices or the slice of whole rows.

    ``overlay`` is "height_colours", "water_depth" or "passability". None if it is not drawn or the
    map has nothing of the kind.
    """
    if not overlays.shows(overlay):
        return None
    heights = composite.plane(battlemap.system.height)
    if heights is None:
        return None
    if overlay == "passability":
        return _passability_shade(battlemap, composite, cells)
    if overlay == "water_depth":
        return _depth_shade(battlemap, composite, cells)
    return _height_shade(battlemap, heights, cells)


def _passability_shade(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> LandShade | None:
    """Return a shade over cells that hinder units, as a system works it out from heights.

    None if the system does not.
    """
    system = battlemap.system
    if not system.passability_reach:
        return None
    kinds, codes = system.passability(battlemap, composite.planes, cells)
    is_free = np.array([not hinders for _text, hinders in kinds])
    colours = tuple(hindrance(hinders) for _text, hinders in kinds)
    return LandShade(np.where(is_free[codes], -1, codes), colours)


def _depth_shade(
    battlemap: BattleMap, composite: Composite, cells: slice | NDArray[np.intp]
) -> LandShade | None:
    """Return colours of the depth of the water over cells, None on a map without water."""
    depth = water_depth(battlemap, composite, cells)
    if depth is None:
        return None
    codes = _codes(depth / DEPTHS)
    return LandShade(np.where(depth > 0, codes, -1), _ramp(DEPTH_STOPS))


def _height_shade(
    battlemap: BattleMap, heights: Plane, cells: slice | NDArray[np.intp]
) -> LandShade:
    """Return colours of the heights of cells, from the lowest to the highest.

    Elevations of cells have known limits, between which the colours are spread evenly. Heights of
    corners have no such limit: the higher the land, the less its colour changes (``HALFWAY``).
    """
    system = battlemap.system
    if system.corner_heights is None:
        elevations = battlemap.terrain_set.elevations
        lowest = min(elevations)
        extent = max(max(elevations) - lowest, 1)
        share = (heights.reshape(-1)[cells] - lowest) / extent
    else:
        water_level = np.float32(system.water_level(battlemap) or 0.0)
        mean_height = heights_around(battlemap.grid, heights, cells).mean(axis=0)
        above_water = np.maximum(mean_height - water_level, 0)
        share = 1 - 0.5 ** (above_water / (HALFWAY * system.steep_rise))
    return LandShade(_codes(share), _ramp(HEIGHT_STOPS))


def _codes(share: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the indices of colours of a ramp for shares (n,) of its length, from 0 to 1."""
    return np.asarray(np.clip(share * RAMP_COLOURS, 0, RAMP_COLOURS - 1), np.intp)


def _ramp(stops: tuple[str, ...]) -> tuple[QColor, ...]:
    """Return ``RAMP_COLOURS`` translucent colours that pass evenly through all ``stops``."""
    colours = [QColor.fromRgb(int(colour)) for colour in heat_colours(stops)]
    for colour in colours:
        colour.setAlphaF(RAMP_OPACITY)
    return tuple(colours[:: 256 // RAMP_COLOURS])
