"""One colour for each cell: how a map is drawn where cells are too small for pictures.

``CellColours.of`` lays the colours over each other in the order in which pictures of cells are
drawn: terrain, light and shade, water, regions, contour lines, heat map, cell list and locks.
Colours are 0xffRRGGBB in arrays of shape (n,), one for each cell that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.cell_values.contours import contour_cells
from app.render.cell_values.heat import heat_colours
from app.render.cell_values.land_shades import LandShade, ShadeOverlay, hindrance_colour, land_shade
from app.render.cell_values.opacity_passes import OpacityPass, passes_over_picture
from app.render.cell_values.relief import (
    LIGHT_COLOUR,
    LIGHT_OPACITY,
    SHADE_COLOUR,
    SHADE_OPACITY,
    relief,
)
from app.render.cell_values.water import (
    SHALLOWS_COLOUR,
    shallows_opacity,
    water_depth,
    water_opacity,
)
from app.render.overlay_options import Overlays
from app.render.pictures.mean_colours import mean_colour
from app.render.style import drawn_style
from app.render.theme import Theme
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, at_borders, codes_of, regions_of
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.terrain.terrain import Terrain

CellIndices = slice | NDArray[np.intp]
"""The indices of n cells, (n,), or a slice of them that has both ends."""

DEEPEST = -6
"""Lower elevations are drawn like this one."""

HIGHEST = 6
"""Higher elevations are drawn like this one."""

LEVELS = HIGHEST - DEEPEST + 1
"""How many elevations are drawn differently."""

CONTOUR = QColor("#2b1d10").rgb()
"""The colour of contour lines where cells have one colour."""

CONTOUR_OPACITY = 0.45
"""The opacity of contour lines."""

SHALLOWS = QColor(SHALLOWS_COLOUR)
"""The colour of shallow water, over that of all water."""

FULL_SHARE = 256
"""The share of a colour in a mixture if it covers what is below (``mix_colours``).

Opacities are numbers from 0 to 1 everywhere else: a share is an opacity times this.
"""

MARKED = 0.5
"""The opacity of the colours of the cell list and of locks over a cell."""

LIGHT = np.uint32(QColor(LIGHT_COLOUR).rgb())
"""The colour over cells in the light, 0xffRRGGBB."""

SHADE = np.uint32(QColor(SHADE_COLOUR).rgb())
"""The colour over cells in the shade, 0xffRRGGBB."""

STEPS_SEEN_FROM_FAR = 0.45
"""How strong the light is on landscapes where cells are too small for steps."""


def mix_colours(
    base: NDArray[np.uint32], upper: NDArray[np.uint32] | int, share: NDArray[np.uint32] | int
) -> NDArray[np.uint32]:
    """Return ``base`` with ``upper`` drawn on it; ``share`` is from 0 (base) to 256 (upper).

    Red and blue are mixed in one multiplication, as two numbers of 16 bits: 8 bits lie between
    them, into which the product of 8 bits and ``share`` fits. Bits 8 to 15 of each product are the
    result::

        0x00RR00BB * share  ->  0xRRrrBBbb  ->  >> 8, & 0x00FF00FF  ->  0x00RR00BB
    """
    upper_share = np.asarray(share, np.uint32)
    base_share = np.uint32(FULL_SHARE) - upper_share
    upper = np.asarray(upper, np.uint32)
    red_blue = np.uint32(0xFF00FF)
    green = np.uint32(0x00FF00)
    eight = np.uint32(8)  # a division by 256
    result = (
        ((base & red_blue) * base_share + (upper & red_blue) * upper_share) >> eight
    ) & red_blue
    result |= (((base & green) * base_share + (upper & green) * upper_share) >> eight) & green
    result |= np.uint32(0xFF000000)
    return np.asarray(result, np.uint32)


def _with_shade(colours: NDArray[np.uint32], shade: LandShade | None) -> NDArray[np.uint32]:
    """Return colours (n,) with a shade over them."""
    if shade is None:
        return colours
    shade_colours = np.array([colour.rgb() for colour in shade.colours], np.uint32)
    opacities = np.array(
        [round(colour.alphaF() * FULL_SHARE) for colour in shade.colours], np.uint32
    )
    codes = np.maximum(shade.codes, 0)
    opacity = np.where(shade.codes < 0, np.uint32(0), opacities[codes])  # -1 is no shade
    return mix_colours(colours, shade_colours[codes], opacity)


def _count(cells: CellIndices) -> int:
    """Return how many cells there are."""
    if isinstance(cells, slice):
        return int(cells.stop - cells.start)
    return len(cells)


REGION_SHARE = 48
"""How much of a region's colour its inner cells have, of ``FULL_SHARE``."""

REGION_BORDER_SHARE = 200
"""How much of a region's colour the cells at its border have, of ``FULL_SHARE``."""


@dataclass(eq=False)
class CellColours:
    """The colours of a map's cells in one theme and with some overlays.

    ``of`` reads the map as it is when it is called.
    """

    battlemap: BattleMap
    """The map."""

    passes: tuple[OpacityPass, ...]
    """The layers that are drawn together, from the bottom up, with their opacity."""

    theme: Theme
    """The colours of terrains and marks."""

    overlays: Overlays
    """The overlays that are shown."""

    heat: NDArray[np.intp] | None
    """The ``Heat.ramp_indices`` of all cells of the map, shape (size,); None: no heat map."""

    heat_opacity: float = 0.0
    """The opacity of the heat map."""

    unset_is_transparent: bool = False
    """True if cells that no layer sets have no colour, 0, since a picture lies below them."""

    draws_ways: bool = True
    """True if cells have the colours of the ways through them; else these are drawn over them."""

    def __post_init__(self) -> None:
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        """The style in which the map is drawn."""
        self._terrain_set = self._style.terrain_set_as_drawn(self.battlemap.terrain_set)
        """The terrains, with the pictures whose colours are used."""
        self._table = self._terrain_table()
        """The colour of each terrain at each elevation (``_terrain_table``)."""
        system = self.battlemap.system
        self._land_specs = tuple(
            spec for spec in (system.terrain, system.elevation) if spec is not None
        )
        """The planes that decide in which cells a pass of layers draws its ground."""

    def _terrain_table(self) -> NDArray[np.uint32]:
        """Return the colour of each terrain at each elevation, shape (terrains * ``LEVELS``,).

        The entry of a terrain at an elevation is ``terrain * LEVELS + elevation - DEEPEST``.
        """
        theme = self.theme
        terrains = self._terrain_set.terrains
        colour_of: Callable[[Terrain], QColor] = theme.terrain_colour
        if self._style.landscape:
            colour_of = partial(mean_colour, theme)
        terrain_colours = np.array([colour_of(terrain).rgb() for terrain in terrains], np.uint32)
        hindrances = [hindrance_colour(terrain.hinders) for terrain in terrains]
        hindrance_colours = np.array([colour.rgb() for colour in hindrances], np.uint32)
        opacities = np.array(
            [round(colour.alphaF() * FULL_SHARE) for colour in hindrances], np.uint32
        )
        table = np.empty((len(terrains), LEVELS), np.uint32)
        for elevation in range(DEEPEST, HIGHEST + 1):
            colours = terrain_colours
            hill_colour = self._style.hill_colour(theme, elevation)
            if self.overlays.elevation and hill_colour is not None:
                # Hills lie on bare ground, the first terrain.
                colours = terrain_colours.copy()
                colours[0] = hill_colour.rgb()
            elif self.overlays.elevation:
                for tint in theme.tints_of(elevation):
                    colours = mix_colours(colours, tint.rgb(), round(tint.alphaF() * FULL_SHARE))
            if self.overlays.passability:
                colours = mix_colours(colours, hindrance_colours, opacities)
            table[:, elevation - DEEPEST] = colours
        return table.ravel()

    def of(
        self, composite: Composite, cells: CellIndices, cell_list: NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Return the colours (n,), 0xffRRGGBB, of n cells.

        ``cell_list`` (k,) are the cells of the map's cell list (``listed_cells``).
        """
        # From the bottom up: each step returns the colours with its own over them.
        system = self.battlemap.system
        colours = self._ground_of_all_passes(composite, cells)
        colours = self._with_shade_of(ShadeOverlay.HEIGHTS, colours, composite, cells)
        colours = self._with_light(colours, composite, cells)
        if self.overlays.shows_water(system):
            colours = self._with_water(colours, composite, cells)
        for overlay in (ShadeOverlay.WATER_DEPTH, ShadeOverlay.PASSABILITY):
            colours = self._with_shade_of(overlay, colours, composite, cells)
        if self.overlays.regions:
            colours = self._with_regions(colours, composite, cells)
        if self.overlays.contour_step:
            has_line = contour_cells(self.battlemap, composite, self.overlays.contour_step, cells)
            share = round(CONTOUR_OPACITY * FULL_SHARE)
            colours[has_line] = mix_colours(colours[has_line], CONTOUR, share)
        if self.heat is not None:
            colours = self._with_heat(colours, self.heat[cells])
        self._mark_cell_list_and_locks(colours, cells, cell_list)
        if self.unset_is_transparent:
            colours[self._is_unset(cells)] = 0
        return colours

    def _ground_of_all_passes(self, composite: Composite, cells: CellIndices) -> NDArray[np.uint32]:
        """Return the ground of all passes, translucent ones over those below them."""
        colours = self._ground_of_pass(composite, self.passes[0], cells)
        for opacity_pass in self.passes[1:]:
            ground = self._ground_of_pass(composite, opacity_pass, cells)
            mixed = mix_colours(colours, ground, round(opacity_pass.opacity * FULL_SHARE))
            is_drawn = opacity_pass.draws(self._land_specs, cells)
            if is_drawn is None:
                colours = mixed
            else:
                colours = np.where(is_drawn, mixed, colours)
        return colours

    def _with_shade_of(
        self,
        overlay: ShadeOverlay,
        colours: NDArray[np.uint32],
        composite: Composite,
        cells: CellIndices,
    ) -> NDArray[np.uint32]:
        """Return colours with those of an overlay of ``land_shades`` over them, if it is shown."""
        shade = land_shade(overlay, self.battlemap, composite, self.overlays, cells)
        return _with_shade(colours, shade)

    def _with_light(
        self, colours: NDArray[np.uint32], composite: Composite, cells: CellIndices
    ) -> NDArray[np.uint32]:
        """Return colours with the light and shade of the relief."""
        strength = self._relief_strength()
        if not strength:
            return colours
        light = relief(self.battlemap, composite, cells)
        is_lit = light > 0
        full_opacity = np.where(is_lit, LIGHT_OPACITY, SHADE_OPACITY) * (strength * FULL_SHARE)
        share = (np.abs(light) * full_opacity).astype(np.uint32)
        return mix_colours(colours, np.where(is_lit, LIGHT, SHADE), share)

    def _with_heat(
        self, colours: NDArray[np.uint32], ramp_indices: NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Return colours with the heat map over them; an index of -1 is a cell without a value."""
        heat = heat_colours()[np.maximum(ramp_indices, 0)]
        mixed = mix_colours(colours, heat, round(self.heat_opacity * FULL_SHARE))
        return np.where(ramp_indices >= 0, mixed, colours)

    def _is_unset(self, cells: CellIndices) -> NDArray[np.bool_]:
        """Return in which cells (n,) no visible layer sets the ground."""
        result = np.ones(_count(cells), np.bool_)
        for opacity_pass in passes_over_picture(self.battlemap, self.passes):
            is_drawn = opacity_pass.draws(self._land_specs, cells)
            if is_drawn is None:
                result[:] = False
            else:
                result &= ~is_drawn
        return result

    def _with_water(
        self, colours: NDArray[np.uint32], composite: Composite, cells: CellIndices
    ) -> NDArray[np.uint32]:
        """Return colours with the water over them; shallows are bright."""
        depth = water_depth(self.battlemap, composite, cells)
        if depth is None:
            return colours
        layers = ((self.theme.water, water_opacity(depth)), (SHALLOWS, shallows_opacity(depth)))
        for colour, opacity in layers:
            share = np.rint(np.where(depth > 0, opacity, 0) * FULL_SHARE).astype(np.uint32)
            colours = mix_colours(colours, colour.rgb(), share)
        return colours

    def _with_regions(
        self, colours: NDArray[np.uint32], composite: Composite, cells: CellIndices
    ) -> NDArray[np.uint32]:
        """Return colours with those of regions over them, at borders strong ones."""
        battlemap = self.battlemap
        spec = battlemap.system.regions
        if spec is None or is_blank(composite.planes[spec.name]):
            return colours
        # The colour of each region by its code, 0 for codes without a region.
        region_colours = np.zeros(NO_REGION + 1, np.uint32)
        for code, region in enumerate(regions_of(battlemap.records)):
            if region is not None:
                region_colours[code] = QColor(region.colour).rgb()
        codes = codes_of(battlemap, composite)
        colour_of_cells = region_colours[codes[cells]]
        rows = np.flatnonzero(colour_of_cells)
        if not len(rows):
            return colours
        if isinstance(cells, slice):
            cells_in_regions = rows + cells.start
        else:
            cells_in_regions = cells[rows]
        is_border = at_borders(battlemap.grid, codes, cells_in_regions)
        share = np.where(is_border, REGION_BORDER_SHARE, REGION_SHARE).astype(np.uint32)
        colours[rows] = mix_colours(colours[rows], colour_of_cells[rows], share)
        return colours

    def _relief_strength(self) -> float:
        """Return how strong light and shade are, 0 for none: 1 if the overlay is shown.

        On landscapes they are shown without it, too: seen from nearer, cells have steps.
        """
        system = self.battlemap.system
        if self.overlays.shows_relief(system):
            return 1.0
        has_steps = self.overlays.elevation and system.elevation is not None
        is_landscape = self._style.landscape and self.theme.has_pictures
        if has_steps and is_landscape:
            return STEPS_SEEN_FROM_FAR
        return 0.0

    def _ground_of_pass(
        self, composite: Composite, opacity_pass: OpacityPass, cells: CellIndices
    ) -> NDArray[np.uint32]:
        """Return the colours of terrains, elevations and ways as a pass shows them."""
        system = self.battlemap.system
        # index = terrain * LEVELS + elevation - DEEPEST, as in ``_terrain_table``. It is worked out
        # in place, since a large map has millions of cells.
        if system.terrain is None:
            index = np.zeros(_count(cells), np.intp)
        else:
            index = opacity_pass.values(composite, system.terrain, cells).astype(np.intp)
        terrain_count = len(self._table) // LEVELS
        np.minimum(index, terrain_count - 1, out=index)
        index *= LEVELS
        index -= DEEPEST
        elevation = system.elevation
        if elevation is not None and not self._shows_blank(composite, opacity_pass, elevation.name):
            index += np.clip(opacity_pass.values(composite, elevation, cells), DEEPEST, HIGHEST)
        colours = np.asarray(self._table[index])
        if self.draws_ways:
            for route in system.routes_of(self._terrain_set):
                if self._shows_blank(composite, opacity_pass, route.plane):
                    continue
                values = opacity_pass.values(composite, system.plane(route.plane), cells)
                colours[route.runs(values)] = self.theme.route_cell_colour(route).rgb()
        return colours

    @staticmethod
    def _shows_blank(composite: Composite, opacity_pass: OpacityPass, plane: str) -> bool:
        """Return whether a pass shows a plane of the composite in which nothing is set."""
        return opacity_pass.shows_composite and is_blank(composite.planes[plane])

    def _mark_cell_list_and_locks(
        self,
        colours: NDArray[np.uint32],
        cells: CellIndices,
        cell_list: NDArray[np.intp],
    ) -> None:
        """Mark the cells of the cell list and locked cells in ``colours``, which are changed."""
        share = round(MARKED * FULL_SHARE)
        if self.overlays.cell_list and len(cell_list):
            if isinstance(cells, slice):
                is_asked_for = (cell_list >= cells.start) & (cell_list < cells.stop)
                rows = cell_list[is_asked_for] - cells.start
            else:
                rows = np.flatnonzero(np.isin(cells, cell_list))
            colours[rows] = mix_colours(colours[rows], self.theme.cell_list.rgb(), share)
        locks = self.battlemap.locked_cells
        if self.overlays.locks and not is_blank(locks):
            rows = np.flatnonzero(locks.reshape(-1)[cells])
            colours[rows] = mix_colours(colours[rows], self.theme.lock.rgb(), share)


def listed_cells(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """Return the cells of the map's cell list (``System.cell_list``), ascending (n,).

    Names of no cell are left out.
    """
    system = battlemap.system
    names = system.listed_cells(composite.properties)
    cells = set()
    for name in names:
        cell = system.cell_of_name(battlemap.grid, name)
        if cell is not None:
            cells.add(cell)
    return np.array(sorted(cells), np.intp)
