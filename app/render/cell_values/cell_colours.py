"""One colour for each cell: how a map is drawn where cells are too small for pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.cell_values.heat import heat_colours
from app.render.cell_values.land_shades import LandShade, hindrance, land_shade
from app.render.cell_values.opacity_passes import OpacityPass, without_unset
from app.render.cell_values.relief import (
    BRIGHT,
    LIGHT_COLOUR,
    LIGHT_OPACITY,
    SHADE_COLOUR,
    SHADE_OPACITY,
    contour_cells,
    relief,
    shallows_opacity,
    water_depth,
    water_opacity,
)
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import mean_colour
from app.render.style import drawn_style
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, at_borders, codes_of, regions_of
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank

DEEPEST = -6
"""Lower elevations are drawn like this one."""

HIGHEST = 6
"""Higher elevations are drawn like this one."""

LEVELS = HIGHEST - DEEPEST + 1
"""How many elevations are drawn differently."""

CONTOUR = QColor("#2b1d10").rgb()
CONTOUR_SHARE = 0.45
"""Colour and opacity of contour lines where cells have one colour."""

SHALLOWS = QColor(BRIGHT)

MARKED = 0.5
"""The opacity of the colours of the cell list and of locks over a cell."""

LIGHT, SHADE = (np.uint32(QColor(colour).rgb()) for colour in (LIGHT_COLOUR, SHADE_COLOUR))

STEPS_SEEN_FROM_FAR = 0.45
"""How strong the light is on landscapes where cells are too small for steps."""


def mix_colours(
    base: NDArray[np.uint32], over: NDArray[np.uint32] | int, share: NDArray[np.uint32] | int
) -> NDArray[np.uint32]:
    """``base`` with ``over`` drawn on it (0xffRRGGBB); ``share`` is from 0 (base) to 256 (over)."""
    part = np.asarray(share, np.uint32)
    on = np.asarray(over, np.uint32)
    rest = np.uint32(256) - part
    red_blue = np.uint32(0xFF00FF)
    green = np.uint32(0x00FF00)
    result = (((base & red_blue) * rest + (on & red_blue) * part) >> np.uint32(8)) & red_blue
    result |= (((base & green) * rest + (on & green) * part) >> np.uint32(8)) & green
    result |= np.uint32(0xFF000000)
    return np.asarray(result, np.uint32)


def _shaded(colours: NDArray[np.uint32], shade: LandShade | None) -> NDArray[np.uint32]:
    """Colours (n,) with a shade over them."""
    if shade is None:
        return colours
    over = np.array([colour.rgb() for colour in shade.colours], np.uint32)[shade.codes]
    shares = np.array([round(colour.alphaF() * 256) for colour in shade.colours], np.uint32)
    return mix_colours(colours, over, np.where(shade.codes < 0, np.uint32(0), shares[shade.codes]))


REGION_TINT = 48
"""How much of a region's colour its inner cells have, in 1/256."""

REGION_BORDER = 200
"""How much of a region's colour the cells at its border have, in 1/256."""


@dataclass(eq=False)
class CellColours:
    """The colours of a map's cells in one theme and with some overlays.

    ``of`` reads the map as it is when it is called. ``heat`` has the ``Heat.ramp_indices`` of all
    cells (size,), ``heat_share`` is its opacity. ``see_through``: cells that no layer sets have no
    colour, 0, since a picture lies below them.
    """

    battlemap: BattleMap
    passes: tuple[OpacityPass, ...]
    theme: Theme
    overlays: Overlays
    heat: NDArray[np.intp] | None
    heat_share: float = 0.0
    see_through: bool = False
    ways: bool = True
    """Whether cells have the colours of the ways through them; else these are drawn over them."""

    def __post_init__(self) -> None:
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        self._terrain_set = self._style.pictured(self.battlemap.terrain_set)
        self._table = self._terrain_table()

    def _terrain_table(self) -> NDArray[np.uint32]:
        """Return the colour of each terrain at each elevation, 0xffRRGGBB: shape (terrains *
        LEVELS,).
        """
        theme = self.theme
        terrains = self._terrain_set.terrains
        style = self._style
        colour_of = partial(mean_colour, theme) if style.landscape else theme.terrain_colour
        plain = np.array([colour_of(terrain).rgb() for terrain in terrains], np.uint32)
        shades = [hindrance(terrain.hinders) for terrain in terrains]
        over = np.array([shade.rgb() for shade in shades], np.uint32)
        share = np.array([round(shade.alphaF() * 256) for shade in shades], np.uint32)
        table = np.empty((len(terrains), LEVELS), np.uint32)
        for elevation in range(DEEPEST, HIGHEST + 1):
            colours = plain
            hill = style.hill_colour(theme, elevation)
            if self.overlays.elevation and hill is not None:
                colours = plain.copy()
                colours[0] = hill.rgb()
            elif self.overlays.elevation:
                for tint in theme.tints_of(elevation):
                    colours = mix_colours(colours, tint.rgb(), tint.alpha())
            if self.overlays.passability:
                colours = mix_colours(colours, over, share)
            table[:, elevation - DEEPEST] = colours
        return table.ravel()

    def of(
        self, composite: Composite, cells: slice | NDArray[np.intp], starts: NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Return the colours (n,), 0xffRRGGBB, of ``cells``: indices or a slice of them.

        ``starts`` are those of the cell list (``cell_list.listed_cells``).
        """
        system = self.battlemap.system
        specs = tuple(spec for spec in (system.terrain, system.elevation) if spec is not None)
        colours = self._ground(composite, self.passes[0], cells)
        for each in self.passes[1:]:
            own = each.draws(specs, cells)
            share = round(each.opacity * 256)
            over = mix_colours(colours, self._ground(composite, each, cells), share)
            if own is None:
                colours = over
            else:
                colours = np.where(own, over, colours)
        shown = (self.battlemap, composite, self.overlays, cells)
        colours = _shaded(colours, land_shade("height_colours", *shown))
        strength = self._relief_strength()
        if strength:
            light = relief(self.battlemap, composite, cells)
            bright = light > 0
            most = np.where(bright, LIGHT_OPACITY, SHADE_OPACITY) * (strength * 256)
            amount = (np.abs(light) * most).astype(np.uint32)
            colours = mix_colours(colours, np.where(bright, LIGHT, SHADE), amount)
        if self.overlays.shows_water(system):
            colours = self._under_water(colours, composite, cells)
        for overlay in ("water_depth", "passability"):
            colours = _shaded(colours, land_shade(overlay, *shown))
        if self.overlays.regions:
            colours = self._in_regions(colours, composite, cells)
        if self.overlays.contour_step:
            passed = contour_cells(self.battlemap, composite, self.overlays.contour_step, cells)
            colours[passed] = mix_colours(colours[passed], CONTOUR, round(CONTOUR_SHARE * 256))
        if self.heat is not None:
            heat = self.heat[cells]
            share = round(self.heat_share * 256)
            hot = mix_colours(colours, heat_colours()[np.maximum(heat, 0)], share)
            colours = np.where(heat >= 0, hot, colours)
        self._draw_cell_list_and_locks(colours, cells, starts)
        if self.see_through:
            bare = np.ones(len(colours), np.bool_)
            for each in without_unset(self.battlemap, self.passes):
                drawn = each.draws(specs, cells)
                bare &= False if drawn is None else ~drawn
            colours[bare] = 0
        return colours

    def _under_water(
        self, colours: NDArray[np.uint32], composite: Composite, cells: slice | NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Colours (n,) with the water over them."""
        depth = water_depth(self.battlemap, composite, cells)
        if depth is None:
            return colours
        layers = ((self.theme.water, water_opacity(depth)), (SHALLOWS, shallows_opacity(depth)))
        for colour, opacity in layers:
            amount = np.rint(np.where(depth > 0, opacity, 0) * 256).astype(np.uint32)
            colours = mix_colours(colours, colour.rgb(), amount)
        return colours

    def _in_regions(
        self, colours: NDArray[np.uint32], composite: Composite, cells: slice | NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Colours (n,) with those of regions over them, at borders strong ones."""
        battlemap = self.battlemap
        spec = battlemap.system.regions
        if spec is None or is_blank(composite.planes[spec.name]):
            return colours
        table = np.zeros(NO_REGION + 1, np.uint32)
        regions = regions_of(battlemap.records)
        for code, region in enumerate(regions):
            if region is not None:
                table[code] = QColor(region.colour).rgb()
        codes = codes_of(battlemap, composite)
        own = codes[cells]
        places = np.flatnonzero(table[own])
        if not len(places):
            return colours
        if isinstance(cells, slice):
            at = places + cells.start
        else:
            at = cells[places]
        ends = at_borders(battlemap.grid, codes, at)
        share = np.where(ends, REGION_BORDER, REGION_TINT).astype(np.uint32)
        colours[places] = mix_colours(colours[places], table[own[places]], share)
        return colours

    def _relief_strength(self) -> float:
        """Return how strong light and shade are: 1 for the overlay, less where steps are drawn
        nearby.
        """
        system = self.battlemap.system
        overlays = self.overlays
        if overlays.shows_relief(system):
            return 1.0
        has_steps = overlays.elevation and system.elevation is not None
        land = self._style.landscape and self.theme.colour_set == "pictures"
        return STEPS_SEEN_FROM_FAR if has_steps and land else 0.0

    def _ground(
        self, composite: Composite, drawn: OpacityPass, cells: slice | NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        terrain_count = len(self._table) // LEVELS
        system = self.battlemap.system
        if system.terrain is None:
            if isinstance(cells, slice):
                count = cells.stop - cells.start
            else:
                count = len(cells)
            index = np.zeros(count, np.intp)
        else:
            index = drawn.values(composite, system.terrain, cells).astype(np.intp)
        np.minimum(index, terrain_count - 1, out=index)
        index *= LEVELS
        index -= DEEPEST
        spec = system.elevation
        if spec is not None and not (drawn.own is None and is_blank(composite.planes[spec.name])):
            index += np.clip(drawn.values(composite, spec, cells), DEEPEST, HIGHEST)
        colours = np.asarray(self._table[index])
        for route in system.routes_of(self._terrain_set) if self.ways else ():
            if drawn.own is None and is_blank(composite.planes[route.plane]):
                continue
            values = drawn.values(composite, system.plane(route.plane), cells)
            colours[route.runs(values)] = self.theme.route_cell_colour(route).rgb()
        return colours

    def _draw_cell_list_and_locks(
        self, colours: NDArray[np.uint32], cells: slice | NDArray[np.intp], starts: NDArray[np.intp]
    ) -> None:
        share = round(MARKED * 256)
        if self.overlays.cell_list and len(starts):
            if isinstance(cells, slice):
                places = starts[(starts >= cells.start) & (starts < cells.stop)] - cells.start
            else:
                places = np.flatnonzero(np.isin(cells, starts))
            colours[places] = mix_colours(colours[places], self.theme.cell_list.rgb(), share)
        locks = self.battlemap.locked_cells
        if self.overlays.locks and not is_blank(locks):
            places = np.flatnonzero(locks.reshape(-1)[cells])
            colours[places] = mix_colours(colours[places], self.theme.lock.rgb(), share)


def listed_cells(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """Return the cells of the map's cell list (``System.cell_list``), ascending (n,).

    Names of no cell are left out.
    """
    system = battlemap.system
    names = system.listed_cells(composite.properties)
    cells = {system.cell_of_name(battlemap.grid, name) for name in names}
    return np.array(sorted(cell for cell in cells if cell is not None), np.intp)
