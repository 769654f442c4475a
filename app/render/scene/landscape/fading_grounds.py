"""The ground of every cell of a landscape, into which similar ones fade from the cells beside it.

Terrains of one *family* fade into each other: so the sea gets deeper from cell to cell without an
edge. All terrains that fade are called *waters* here, as most of them are
(``ground_traits.families``). A cell shows its own water and at most two others, the lowest and the
highest beside it, each as a colour in an image of opacities over the whole cell
(``fade_opacities``)::

    deep | sea | shallow     the cell of sea has two fades: "deep" from its left side,
                             "shallow" from its right side, over its own colour

A *piece* is a picture that is drawn once and shown in every cell that looks the same. Which one a
cell shows is told by a *code*, a number of all that makes pieces differ.

``transitions`` draws shores and other grounds over these. A scene calls ``ground_batches``, where
reading begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.cell_geometry import cell_outline, neighbour_centres
from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import MARGIN, PHASES
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.ground_traits import (
    GroundTraits,
    fading_terrains,
    traits_of,
)
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

FADE_PIXELS = 24
"""The image in which one water fades out over a cell of another has so many rows and columns."""

FADE_CURVE = 2.5
"""With a larger exponent waters keep their own colour for longer before they fade."""

REACH_OF_SQUARES = 1.5
"""A cell's colour fades out at this distance from its centre, in map units. No centre of a cell
beyond the neighbours comes so near to a cell: so the cells around a point agree on its colour."""

REACH_OF_HEXES = 2.0
"""The same of hexes."""

MASKS = 256
"""Masks are below this: the sides and, of squares, the corners are 8 bits at most."""


class _FadeCode(NamedTuple):
    """The waters that fade into a cell: five numbers, or five arrays (n,) for n cells.

    Waters are told by their indices in ``fading_terrains``, and where they lie by a mask: one bit
    for each side, above these one for each corner of a square. So 0b000011 is beyond the sides 0
    and 1. ``joined`` makes one number of the five, and ``split`` the five of one number again.
    """

    lowest: Any
    """The lowest of the other waters around the cell, 0 if ``low_mask`` is 0."""
    low_mask: Any
    """The sides and corners beyond which the lowest one lies."""
    highest: Any
    """The highest of the other waters, 0 if ``high_mask`` is 0."""
    high_mask: Any
    """The sides and corners beyond which the highest one lies; 0 if there is only one other."""
    dry_mask: Any
    """The sides and corners beyond which no water lies."""

    def joined(self, water_count: int) -> Any:
        """Return the code as one number, or as one array (n,); there are so many waters in all."""
        low = self.lowest * MASKS + self.low_mask
        high = (low * water_count + self.highest) * MASKS + self.high_mask
        return high * MASKS + self.dry_mask

    @classmethod
    def split(cls, number: int, water_count: int) -> _FadeCode:
        """Return the code of a number of ``joined``."""
        remainder, dry_mask = divmod(number, MASKS)
        remainder, high_mask = divmod(remainder, MASKS)
        remainder, highest = divmod(remainder, water_count)
        lowest, low_mask = divmod(remainder, MASKS)
        return cls(lowest, low_mask, highest, high_mask, dry_mask)


class _WatersAround(NamedTuple):
    """The waters around n cells, beyond each of their sides and corners: arrays (sides, n)."""

    is_water: NDArray[np.bool_]
    """True if there is water of the cell's own family."""

    is_other: NDArray[np.bool_]
    """True if that is another water than the cell's own."""

    water: NDArray[np.intp]
    """Which water it is; without a meaning where ``is_water`` is False."""

    water_of_cell: NDArray[np.intp]
    """The water of the cell itself, (n,)."""


class _Fades(NamedTuple):
    """The cells of a part into which others fade."""

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    codes: NDArray[np.intp]
    """The numbers of their ``_FadeCode``, (n,)."""


NO_FADES = _Fades(np.zeros(0, np.intp), np.zeros(0, np.intp))
"""The fades of a part in which no water lies beside another one."""


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield one batch with the ground of every cell, in the tint of its elevation."""
    rows = np.arange(len(part.cells), dtype=np.intp)
    terrain = traits_of(pieces.terrain_set).ground_code[part.terrain]
    codes = (terrain * PHASES + part.phases) * TINTS + part.elevation - DEEPEST
    make_whole = partial(_ground_of_code, pieces)
    fades = _fades(pieces, part)
    if not len(fades.rows):
        yield Batch(pieces.numbers("ground", codes, make_whole), rows)
        return

    # Two kinds of pieces: whole grounds, and grounds into which others fade.
    numbers = np.empty(len(rows), np.intp)
    is_whole = np.ones(len(rows), np.bool_)
    is_whole[fades.rows] = False
    numbers[is_whole] = pieces.numbers("ground", codes[is_whole], make_whole)
    fading_codes = fades.codes * _ground_code_count(pieces) + codes[fades.rows]
    make_fading = partial(_fading_ground, pieces)
    numbers[fades.rows] = pieces.numbers("fading", fading_codes, make_fading)
    yield Batch(numbers, rows)


def _ground_code_count(pieces: Pieces) -> int:
    """Return the number of codes of grounds: terrain, phase and tint."""
    return len(pieces.terrain_set.terrains) * PHASES * TINTS


def _ground_of_code(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a cell by its code: terrain, phase and tint."""
    terrain_and_phase, tint = divmod(code, TINTS)
    terrain, phase = divmod(terrain_and_phase, PHASES)
    return ground(pieces, terrain, phase, elevation=tint + DEEPEST)


def ground(pieces: Pieces, terrain: int, phase: int, elevation: int) -> Piece:
    """Return the ground of a cell, in the tint of its elevation.

    ``phase`` is the part of the terrain's picture that the cell shows.
    """

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)

    colour = pieces.ground_colour(terrain, elevation)
    outline = pieces.outline
    key = ("ground", terrain, phase, elevation)
    return Piece(key, outline.boundingRect(), draw, clip=outline, draft=colour, terrain=terrain)


def families_in(traits: GroundTraits, part: ScenePart) -> NDArray[np.intp]:
    """Return the families of terrains as in ``traits``, on maps with corner heights only of waters.

    The land of these maps is drawn as a surface.
    """
    if part.system.corner_heights is not None:
        return np.where(traits.is_water, traits.family, 0)
    return traits.family


def terrains_around(part: ScenePart) -> NDArray[np.intp]:
    """Return the terrains beyond the sides, and of squares beyond the corners; -1 for no cell.

    The shape is (sides, n) or (sides + corners, n).
    """
    if part.grid.degree == 4:
        return np.concatenate([part.terrain_around, part.terrain_at_corners])
    return part.terrain_around


def _fades(pieces: Pieces, part: ScenePart) -> _Fades:
    """Return which cells have others beside them that fade into them, and what these are."""
    traits = traits_of(pieces.terrain_set)
    family = families_in(traits, part)
    grounds = traits.ground_code[part.terrain]
    can_fade = family[grounds] > 0
    if not can_fade.any():
        return NO_FADES
    grounds_around = traits.ground_code[terrains_around(part)]
    is_water = (family[grounds_around] == family[grounds]) & can_fade
    # Beyond a step in the ground water counts as none: the step is an edge by itself.
    is_water &= part.rises == 0
    (rows,) = (is_water & (grounds_around != grounds)).any(axis=0).nonzero()
    if not len(rows):
        return NO_FADES

    # From here on only the cells with another water beside them.
    is_water = is_water[:, rows]
    around = _WatersAround(
        is_water=is_water,
        is_other=is_water & (grounds_around[:, rows] != grounds[rows]),
        water=traits.fade_number[grounds_around[:, rows]],
        water_of_cell=traits.fade_number[grounds[rows]],
    )
    code = _code_of_waters(pieces.terrain_set, around)
    return _Fades(rows, code.joined(len(fading_terrains(pieces.terrain_set))))


def _code_of_waters(terrain_set: TerrainSet, around: _WatersAround) -> _FadeCode:
    """Return the waters that fade into n cells."""
    water_count = len(fading_terrains(terrain_set))
    is_other = around.is_other
    # Where there is no other water a number above, or below, all waters stands in its place.
    lowest = np.where(is_other, around.water, water_count).min(axis=0)
    highest = np.where(is_other, around.water, -1).max(axis=0)
    water = _without_third_waters(terrain_set, around, lowest, highest)
    low_mask = bit_masks(is_other & (water == lowest))
    high_mask = bit_masks(is_other & (water == highest) & (highest != lowest))
    return _FadeCode(
        lowest=np.where(low_mask > 0, lowest, 0),
        low_mask=low_mask,
        highest=np.where(high_mask > 0, highest, 0),
        high_mask=high_mask,
        dry_mask=bit_masks(~around.is_water),
    )


def _without_third_waters(
    terrain_set: TerrainSet,
    around: _WatersAround,
    lowest: NDArray[np.intp],
    highest: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Return the waters around cells, (sides, n), with at most two others around each cell.

    One that is neither the ``lowest`` nor the ``highest`` (n,) of the others is replaced by that of
    these two whose colour is nearer to its own, if it is nearer than that of the cell's own water.
    Else it stays, is in neither mask, and so counts as the cell's own.
    """
    water = around.water
    is_third = around.is_other & (water != lowest) & (water != highest)
    if not is_third.any():
        return water
    distances = _colour_distances(terrain_set)
    to_lowest = distances[water, lowest]
    to_highest = distances[water, highest]
    to_cell = distances[water, around.water_of_cell]
    is_like_lowest = is_third & (to_lowest <= to_highest) & (to_lowest < to_cell)
    is_like_highest = is_third & (to_highest < to_lowest) & (to_highest < to_cell)
    result = np.where(is_like_lowest, lowest, water)
    return np.where(is_like_highest, highest, result)


@registered(bytes_each=40 * KB)
@lru_cache(4)
def _colour_distances(terrain_set: TerrainSet) -> NDArray[np.float64]:
    """Return how far the colours of ``fading_terrains`` are apart: shape (waters, waters).

    The distance is Euclidean, in levels of red, green and blue (0 to 255).
    """
    colours = []
    for terrain in fading_terrains(terrain_set).tolist():
        colour = QColor(terrain_set.terrains[terrain].colour)
        colours.append((colour.red(), colour.green(), colour.blue()))
    rgb = np.array(colours, np.float64).reshape(-1, 3)
    return np.asarray(np.linalg.norm(rgb[:, None] - rgb[None], axis=-1), np.float64)


def _fading_ground(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a water into which other waters fade from the sides.

    ``code`` is that of the fades, times the number of codes of grounds, plus that of the ground.
    """
    fade_code, ground_code = divmod(code, _ground_code_count(pieces))
    whole = _ground_of_code(pieces, ground_code)
    elevation = ground_code % TINTS + DEEPEST

    waters = fading_terrains(pieces.terrain_set)
    fade = _FadeCode.split(fade_code, len(waters))
    opacities = fade_opacities(pieces.layout, fade.low_mask, fade.high_mask, fade.dry_mask)
    images = []
    for water, opacity in zip((fade.lowest, fade.highest), opacities, strict=True):
        if opacity.any():
            colour = pieces.ground_colour(int(waters[water]), elevation)
            images.append(_fade_image(opacity, colour))
    box = _fade_box(pieces.layout)

    def draw_fades(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image in images:
            painter.drawImage(box, image)

    return Piece(
        ("fading", fade_code, ground_code),
        whole.box,
        whole.draw,
        clip=whole.clip,
        draft=whole.draft,
        part_of=whole,
        over=draw_fades,
    )


def _fade_box(layout: Layout) -> QRectF:
    """Return the box of a fade: a little larger than a cell, as grounds are."""
    return cell_outline(layout, 1 + MARGIN).boundingRect()


def _fade_image(opacity: NDArray[np.float64], colour: QColor) -> QImage:
    """Return a colour in opacities from 0 to 1, (``FADE_PIXELS``, ``FADE_PIXELS``)."""
    alpha = np.rint(opacity * 255).astype(np.uint32)
    rgb = np.uint32(colour.rgb() & 0xFFFFFF)
    pixels = np.ascontiguousarray((alpha << 24) | rgb)
    size = FADE_PIXELS
    # A copy: Qt does not own the bytes.
    return QImage(pixels.tobytes(), size, size, QImage.Format.Format_ARGB32).copy()


def fade_opacities(
    layout: Layout, low_mask: int, high_mask: int, dry_mask: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how strongly two other waters show in the box of a cell, the second over the first.

    Each has ``FADE_PIXELS`` rows and columns. At every point the water of the cell and those around
    have their share by ``_nearness``; cells without water (``dry_mask``) have none. Cells beside
    each other agree along their side.
    """
    nearness = _nearness(layout)
    nearness_of_cell = nearness[0]
    nearness_of_neighbours = nearness[1:]
    # Each neighbour is low, high, dry, or of the same water as the cell: one 0 or 1 for each.
    bits = np.arange(len(nearness_of_neighbours))
    is_low = (low_mask >> bits) & 1
    is_high = (high_mask >> bits) & 1
    is_dry = (dry_mask >> bits) & 1
    is_same = 1 - is_low - is_high - is_dry
    low = np.tensordot(is_low, nearness_of_neighbours, 1)
    high = np.tensordot(is_high, nearness_of_neighbours, 1)
    same = nearness_of_cell + np.tensordot(is_same, nearness_of_neighbours, 1)
    # The second is drawn over the first: of both only what it leaves is seen.
    return low / (low + same), high / (low + same + high)


@registered(count=6, bytes_each=45 * KB)
@cache
def _nearness(layout: Layout) -> NDArray[np.float64]:
    """Return how near points in the box of a cell are to its centre and to those of its neighbours.

    The shape is (1 + neighbours, ``FADE_PIXELS``, ``FADE_PIXELS``); the cell itself is the first.
    The values fall from 1 at a centre to 0 at the distance at which the colour has faded out.
    """
    reach = REACH_OF_HEXES
    if layout.degree == 4:
        reach = REACH_OF_SQUARES
    box = _fade_box(layout)
    steps = (np.arange(FADE_PIXELS) + 0.5) / FADE_PIXELS
    x = (box.left() + steps * box.width())[None, :]
    y = (box.top() + steps * box.height())[:, None]
    result = []
    for centre_x, centre_y in [(0.0, 0.0), *neighbour_centres(layout)]:
        distance = np.hypot(x - centre_x, y - centre_y) / reach
        result.append(np.maximum(1 - distance * distance, 0.0) ** FADE_CURVE)
    return np.array(result)
