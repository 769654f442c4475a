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
RAMP_COLOURS = 64


class LandShade(NamedTuple):
    """``codes`` (n,) say which of ``colours``, translucent, lies over each cell; -1: none."""

    codes: NDArray[np.intp]
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

    ``overlay`` is ``height_colours``, ``water_depth`` or ``passability`` as the system says it.
    None if it is not drawn or the map has nothing of the kind.
    """
    system = battlemap.system
    plane = composite.plane(battlemap.system.height)
    if not overlays.shows(overlay) or plane is None:
        return None
    if overlay == "passability":
        if not system.passability_reach:
            return None
        kinds, codes = system.passability(battlemap, composite.planes, cells)
        free = np.array([not hinders for _text, hinders in kinds])
        colours = tuple(hindrance(hinders) for _text, hinders in kinds)
        return LandShade(np.where(free[codes], -1, codes), colours)
    if overlay == "water_depth":
        depth = water_depth(battlemap, composite, cells)
        if depth is None:
            return None
        codes = _codes(depth / DEPTHS)
        return LandShade(np.where(depth > 0, codes, -1), _ramp(DEPTH_STOPS))
    if system.corner_heights is None:
        elevations = battlemap.terrain_set.elevations
        share = (plane.reshape(-1)[cells] - min(elevations)) / max(
            max(elevations) - min(elevations), 1
        )
    else:
        water = np.float32(system.water_level(battlemap) or 0.0)
        above = heights_around(battlemap.grid, plane, cells).mean(axis=0) - water
        share = 1 - 0.5 ** (np.maximum(above, 0) / (HALFWAY * system.steep_rise))
    return LandShade(_codes(share), _ramp(HEIGHT_STOPS))


def _codes(share: NDArray[np.floating]) -> NDArray[np.intp]:
    return np.asarray(np.clip(share * RAMP_COLOURS, 0, RAMP_COLOURS - 1), np.intp)


def _ramp(stops: tuple[str, ...]) -> tuple[QColor, ...]:
    colours = [QColor.fromRgb(int(colour)) for colour in heat_colours(stops)]
    for colour in colours:
        colour.setAlphaF(RAMP_OPACITY)
    return tuple(colours[:: 256 // RAMP_COLOURS])
