"""The light on the land and the water over it, on maps whose heights lie on corners (as of 0 A.D.).

The light comes from the north-west. The water lies at one height; its shore is where the land rises
out of it, with a bright line and damp ground beside it. Neither follows the borders of cells, so
both are worked out pixel by pixel, as a picture that is laid over the ground. Slopes and depths are
measured in *steep rises* (``System.steep_rise``), the rise of a map unit that counts as steep: so
maps with different units of height look alike. ``light_and_water_batches`` yields the picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.cell_geometry import map_box
from app.render.cell_values.relief import (
    LIGHT_COLOUR,
    LIGHT_OPACITY,
    SHADE_COLOUR,
    SHADE_OPACITY,
    light_of_slopes,
)
from app.render.cell_values.water import SHALLOWS_COLOUR, shallows_opacity, water_opacity
from app.render.scene.batch import PixelBox, SurfaceBatch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.surface.lattice import (
    Window,
    line_weights,
    slope_weights,
    spline_weights,
    window_of,
)

Channels = NDArray[np.floating]
"""A value for each pixel: shape (height, width), float32.

The type says only "floating", as numpy's types do not tell the precision of results.
"""

LIT_TO = 0.4
"""The depth of water, in steep rises, from which on no light and shade is seen on the ground."""

DAMP = "#4a3b22"
"""The colour of the damp ground at the shore."""

DAMP_OPACITY = 0.22
"""The opacity of the damp colour right at the shore; it fades out from there."""

DAMP_REACH = 0.45
"""How far the damp ground reaches from the shore, in map units."""

FOAM_WIDTH = 0.07
"""Half the width of the bright line along the shore, in map units."""

MIN_FOAM_PIXELS = 1.2
"""The least half width of the bright line, in pixels."""

FOAM_OPACITY = 0.5
"""The opacity of the middle of the bright line."""

FOAM_FROM = 10.0
"""With fewer pixels in a map unit the bright line is fainter, as it is too wide there."""

MIN_SLOPE = 0.02
"""Flatter land, in steep rises a map unit, counts as so steep: else all of a flat is shore."""


def light_and_water_batches(pieces: Pieces, part: ScenePart) -> Iterator[SurfaceBatch]:
    """Yield one picture of the light and the water over all of a map.

    None is yielded if both overlays are switched off, or if the map has no heights of corners.
    """
    heights = part.composite.plane(part.system.corner_heights)
    if heights is None:
        return
    level: float | None = None
    if part.overlays.shows_water(part.system):
        level = part.system.water_level(part.battlemap)
    is_lit = part.overlays.shows_relief(part.system)
    if not is_lit and level is None:
        return

    picture = _LightAndWater(pieces, part, heights, level, is_lit=is_lit)
    yield SurfaceBatch(picture.pixels, map_box(part.grid))


@dataclass(frozen=True, eq=False)
class _LightAndWater:
    """The picture of the light and the water on a map."""

    pieces: Pieces
    """Its theme has the colour of water."""

    part: ScenePart
    """The map."""

    heights: NDArray[np.generic]
    """The heights of all corners of the map, (rows, columns)."""

    water_level: float | None
    """The height of the water; None if no water is drawn."""

    is_lit: bool
    """True if there are light and shade."""

    def pixels(self, box: PixelBox) -> NDArray[np.uint32]:
        """Return the pixels of a box: (height, width), 0xAARRGGBB."""
        relief = _relief_at(self.heights, self.water_level, box)

        # How much light falls on the land, from -1 (shade) to 1 (light). Below water there is less
        # of it, the deeper the less.
        steep_rise = self.part.system.steep_rise
        light: Channels = light_of_slopes(relief.rise_to_right, relief.rise_downwards, steep_rise)
        height_over_water = relief.height_over_water
        depth: Channels | None = None
        if height_over_water is not None:
            depth = height_over_water / np.float32(-steep_rise)
            light *= np.float32(1) - np.clip(depth * np.float32(1 / LIT_TO), 0, 1)
        if not self.is_lit:
            light = np.zeros_like(light)

        brightness = np.maximum(light, 0)
        darkness = brightness - light
        layers = _Layers(
            light_opacity=brightness * np.float32(LIGHT_OPACITY),
            shade_opacity=darkness * np.float32(SHADE_OPACITY),
        )
        if depth is not None:
            to_right = relief.rise_to_right
            downwards = relief.rise_downwards
            slope = np.sqrt(to_right * to_right + downwards * downwards)
            slope /= np.float32(steep_rise)
            _blend_water_over(layers, self.pieces, depth, slope, box.unit)
        return layers.pixels()


class _Relief(NamedTuple):
    """The relief at each pixel of a box; heights are in the unit of the map."""

    rise_to_right: Channels
    """The slope to the right: how much the land rises in a map unit."""

    rise_downwards: Channels
    """The slope downwards on the screen."""

    height_over_water: Channels | None
    """The height above the water, below 0 under it; None if there is no water in or near the
    box."""


def _relief_at(heights: NDArray[np.generic], level: float | None, box: PixelBox) -> _Relief:
    """Return how the land lies at the pixels of a box.

    Heights between corners are splines (``lattice``). Their values at all pixels are a product of
    three matrices: weights of rows, heights of corners, weights of columns; and so are their
    slopes, with the weights of slopes in one direction.
    """
    # A corner with the number i lies half a map unit before the tile with this number.
    xs = box.xs + 0.5
    ys = box.ys + 0.5
    columns = window_of(xs)
    rows = window_of(ys)
    corner_heights = _heights_of_window(heights, rows, columns)
    if level is not None:
        corner_heights -= np.float32(level)
    across = spline_weights(xs, columns).T
    down = spline_weights(ys, rows)
    rise_to_right = down @ corner_heights @ slope_weights(xs, columns).T
    rise_downwards = slope_weights(ys, rows) @ corner_heights @ across

    height_over_water = None
    if level is not None and corner_heights.min() < 0:
        height_over_water = line_weights(ys, rows) @ corner_heights @ line_weights(xs, columns).T
    return _Relief(rise_to_right, rise_downwards, height_over_water)


def _heights_of_window(
    heights: NDArray[np.generic], rows: Window, columns: Window
) -> NDArray[np.float32]:
    """Return the heights of the corners in some rows and columns.

    Corners beyond the map have the height to which the slope at its edge would go on.
    """
    # The rows, then the columns, which are the rows of the transposed heights.
    return _continued(_continued(heights, rows).T, columns).T


def _continued(heights: NDArray[np.generic], rows: Window) -> NDArray[np.float32]:
    """Return the ``rows`` of heights.

    At most one of them may lie before the first row of the map, and one after the last: these rise
    as much as the two rows beside them.
    """
    count = len(heights)
    # The row outside is at first the same as the outermost row of the map, and the row beside it
    # is that row itself: so the difference of the two outermost rows is added.
    result = heights[np.clip(rows.numbers, 0, count - 1)].astype(np.float32)
    if rows.first < 0:
        result[0] += result[1] - heights[1]
    if rows.end > count:
        result[-1] += result[-2] - heights[count - 2]
    return result


class _Layers:
    """A picture of translucent colours that are laid over one another, from the bottom up.

    The bottom are light and shade in the given opacities. At each pixel one of these is 0, so that
    both can simply be added.
    """

    def __init__(self, light_opacity: Channels, shade_opacity: Channels) -> None:
        self._opacity = light_opacity + shade_opacity
        """The opacity of the picture, 0 to 1."""
        self._channels: list[Channels] = []
        """Red, green and blue, 0 to 1, each multiplied by the opacity ("premultiplied")."""
        light_components = _components(QColor(LIGHT_COLOUR))
        shade_components = _components(QColor(SHADE_COLOUR))
        for light_component, shade_component in zip(
            light_components, shade_components, strict=True
        ):
            light = light_opacity * np.float32(light_component)
            self._channels.append(light + shade_opacity * np.float32(shade_component))

    def blend_over(self, colour: QColor, opacity: Channels) -> None:
        """Lay a colour over the picture, in an opacity from 0 to 1 for each pixel.

        The arrays of the picture are changed in place.
        """
        transparency = 1 - opacity
        for channel, component in zip(self._channels, _components(colour), strict=True):
            channel *= transparency
            channel += opacity * np.float32(component)
        self._opacity *= transparency
        self._opacity += opacity

    def pixels(self) -> NDArray[np.uint32]:
        """Return the picture as premultiplied colours, 0xAARRGGBB: shape (height, width)."""
        result = np.zeros(self._opacity.shape, np.uint32)
        for shift, channel in zip((24, 16, 8, 0), (self._opacity, *self._channels), strict=True):
            component = np.rint(channel * np.float32(255)).astype(np.uint32)
            result |= component << np.uint32(shift)
        return result


def _components(colour: QColor) -> tuple[float, float, float]:
    """Return red, green and blue of a colour, 0 to 1."""
    return colour.redF(), colour.greenF(), colour.blueF()


def _blend_water_over(
    layers: _Layers, pieces: Pieces, depth: Channels, slope: Channels, unit: float
) -> None:
    """Lay damp ground, water and the bright line of the shore over a picture.

    ``depth`` is that of the water in steep rises, below 0 where the land rises out of it. ``slope``
    is that of the land, in steep rises a map unit. ``unit`` is the number of pixels in a map unit.
    """
    # The distance from the shore in map units, below 0 on land: the depth divided by the slope. So
    # lines along the shore are as wide on flat land as on steep land.
    from_shore = depth / np.maximum(slope, np.float32(MIN_SLOPE))

    # The share of each pixel that water covers: half of it if the shore is in its middle.
    covered = np.clip(from_shore * np.float32(unit) + np.float32(0.5), 0, 1)
    dampness = np.clip(1 + from_shore / np.float32(DAMP_REACH), 0, 1) * (1 - covered)
    layers.blend_over(QColor(DAMP), dampness * np.float32(DAMP_OPACITY))
    water_depth = np.maximum(depth, 0)
    layers.blend_over(pieces.theme.water, water_opacity(water_depth) * covered)
    layers.blend_over(QColor(SHALLOWS_COLOUR), shallows_opacity(water_depth) * covered)

    # The bright line begins at the shore, and is brightest half its width away from it.
    half_width = np.float32(max(FOAM_WIDTH, MIN_FOAM_PIXELS / unit))
    foam = np.clip(1 - np.abs(from_shore - half_width) / half_width, 0, 1)
    foam_opacity = np.float32(FOAM_OPACITY * min(1.0, unit / FOAM_FROM))
    layers.blend_over(QColor("white"), foam * foam_opacity)
