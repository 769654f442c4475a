"""The ground of every cell of a landscape, into which similar ones fade from the cells beside it.

Terrains of one *family* fade into each other: so the sea gets deeper from cell to cell without an
edge, and dry grass passes into green (``ground_traits.families``). A cell shows its own ground and
at most two others of its family, the lowest and the highest beside it, each as a colour in an image
of opacities over the whole cell (``fade_opacities``)::

    deep | sea | shallow     the cell of sea has two fades: "deep" from its left side,
                             "shallow" from its right side, over its own colour

A *piece* is a picture that is drawn once and shown in every cell that looks the same. Which one a
cell shows is told by a *code*, a number of all that makes pieces differ.

``transitions`` draws shores and other grounds over these. A scene calls ``ground_batches``, where
reading begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import PHASES
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.fade_opacities import FADE_PIXELS, fade_box, fade_opacities
from app.render.scene.landscape.ground_traits import (
    GroundTraits,
    fading_terrains,
    traits_of,
)
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import TerrainSet

MASKS = 256
"""Masks are below this: the sides and, of squares, the corners are 8 bits at most."""


class _FadeCode(NamedTuple):
    """The grounds that fade into a cell: five numbers, or five arrays (n,) for n cells.

    ``split`` returns numbers, ``_fades`` makes arrays. Grounds are told by their indices in
    ``fading_terrains``, and where they lie by a mask: one bit
    for each side, above these one for each corner of a square. So 0b000011 is beyond the sides 0
    and 1. ``joined`` makes one number of the five, and ``split`` the five of one number again.
    """

    lowest: Any
    """The lowest of the other grounds around the cell, 0 if ``low_mask`` is 0."""
    low_mask: Any
    """The sides and corners beyond which the lowest one lies."""
    highest: Any
    """The highest of the other grounds, 0 if ``high_mask`` is 0."""
    high_mask: Any
    """The sides and corners beyond which the highest one lies; 0 if there is only one other."""
    unrelated_mask: Any
    """The sides and corners beyond which no ground of the same family lies."""

    def joined(self, fading_count: int) -> Any:
        """Return the code as one number, or as one array (n,).

        ``fading_count`` is the number of fading grounds of the set.
        """
        low = self.lowest * MASKS + self.low_mask
        high = (low * fading_count + self.highest) * MASKS + self.high_mask
        return high * MASKS + self.unrelated_mask

    @classmethod
    def split(cls, number: int, fading_count: int) -> _FadeCode:
        """Return the code of a number of ``joined``."""
        remainder, unrelated_mask = divmod(number, MASKS)
        remainder, high_mask = divmod(remainder, MASKS)
        remainder, highest = divmod(remainder, fading_count)
        lowest, low_mask = divmod(remainder, MASKS)
        return cls(lowest, low_mask, highest, high_mask, unrelated_mask)


class _FadingAround(NamedTuple):
    """What lies around n cells that can fade, beyond their sides and corners: arrays (sides, n)."""

    is_related: NDArray[np.bool_]
    """True if there is a ground of the cell's own family."""

    is_other: NDArray[np.bool_]
    """True if that is another ground than the cell's own."""

    fade_number: NDArray[np.intp]
    """Its index in ``fading_terrains``; without a meaning where ``is_related`` is False."""

    fade_number_of_cell: NDArray[np.intp]
    """The index of the ground of the cell itself, (n,)."""


class _Fades(NamedTuple):
    """The cells of a part into which others fade."""

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    codes: NDArray[np.intp]
    """The numbers of their ``_FadeCode``, (n,)."""


NO_FADES = _Fades(np.zeros(0, np.intp), np.zeros(0, np.intp))
"""The fades of a part in which no ground lies beside another one of its family."""


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield one batch with the ground of every cell, in the tint of its elevation."""
    rows = np.arange(len(part.cells), dtype=np.intp)
    terrain = traits_of(pieces.terrain_set).ground_code[part.terrain]
    codes = _ground_codes(terrain, part.phases, part.elevation)
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
    fading_codes = _fading_codes(pieces, fades.codes, codes[fades.rows])
    make_fading = partial(_fading_ground, pieces)
    numbers[fades.rows] = pieces.numbers("fading", fading_codes, make_fading)
    yield Batch(numbers, rows)


# --- codes of grounds, and of grounds into which others fade
# ---------------------------------------


def _ground_codes(
    terrain: NDArray[np.intp], phases: NDArray[np.intp], elevation: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the codes (n,) of whole grounds; the arguments have the shape (n,)."""
    tint = elevation - DEEPEST
    return (terrain * PHASES + phases) * TINTS + tint


def _ground_of_code(pieces: Pieces, code: int) -> Piece:
    """Return the whole ground with a code of ``_ground_codes``."""
    terrain_and_phase, tint = divmod(code, TINTS)
    terrain, phase = divmod(terrain_and_phase, PHASES)
    return ground(pieces, terrain, phase, elevation=tint + DEEPEST)


def _ground_code_count(pieces: Pieces) -> int:
    """Return the number of codes that ``_ground_codes`` can return: they are less than this."""
    return len(pieces.terrain_set.terrains) * PHASES * TINTS


def _fading_codes(
    pieces: Pieces, fade_codes: NDArray[np.intp], ground_codes: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the codes (n,) of grounds with fades, of the codes (n,) of both."""
    return fade_codes * _ground_code_count(pieces) + ground_codes


# --- pieces ---------------------------------------------------------------------------------------


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
    is_related = (family[grounds_around] == family[grounds]) & can_fade
    # Nothing fades over a step in the ground, which is an edge by itself.
    is_related &= part.rises == 0
    (rows,) = (is_related & (grounds_around != grounds)).any(axis=0).nonzero()
    if not len(rows):
        return NO_FADES

    # From here on only the cells with another ground of their family beside them.
    is_related = is_related[:, rows]
    around = _FadingAround(
        is_related=is_related,
        is_other=is_related & (grounds_around[:, rows] != grounds[rows]),
        fade_number=traits.fade_number[grounds_around[:, rows]],
        fade_number_of_cell=traits.fade_number[grounds[rows]],
    )
    code = _code_of_fades(pieces.terrain_set, around)
    return _Fades(rows, code.joined(len(fading_terrains(pieces.terrain_set))))


def _code_of_fades(terrain_set: TerrainSet, around: _FadingAround) -> _FadeCode:
    """Return the grounds that fade into n cells, each of which has one or more others around it."""
    fading_count = len(fading_terrains(terrain_set))
    is_other = around.is_other
    # Beyond a side without another ground a number above, or below, all of them stands.
    lowest = np.where(is_other, around.fade_number, fading_count).min(axis=0)
    highest = np.where(is_other, around.fade_number, -1).max(axis=0)
    fade_number = _without_third_grounds(terrain_set, around, lowest, highest)
    low_mask = bit_masks(is_other & (fade_number == lowest))
    high_mask = bit_masks(is_other & (fade_number == highest) & (highest != lowest))
    return _FadeCode(
        lowest=np.where(low_mask > 0, lowest, 0),
        low_mask=low_mask,
        highest=np.where(high_mask > 0, highest, 0),
        high_mask=high_mask,
        unrelated_mask=bit_masks(~around.is_related),
    )


def _without_third_grounds(
    terrain_set: TerrainSet,
    around: _FadingAround,
    lowest: NDArray[np.intp],
    highest: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Return the fade numbers around cells, (sides, n), with at most two others around each.

    One that is neither the ``lowest`` nor the ``highest`` (n,) of the others is replaced by that of
    these two whose colour is nearer to its own, if it is nearer than that of the cell's own ground.
    Else it stays, is in neither mask, and so counts as the cell's own.
    """
    fade_number = around.fade_number
    is_third = around.is_other & (fade_number != lowest) & (fade_number != highest)
    if not is_third.any():
        return fade_number
    distances = _colour_distances(terrain_set)
    to_lowest = distances[fade_number, lowest]
    to_highest = distances[fade_number, highest]
    to_cell = distances[fade_number, around.fade_number_of_cell]
    is_like_lowest = is_third & (to_lowest <= to_highest) & (to_lowest < to_cell)
    is_like_highest = is_third & (to_highest < to_lowest) & (to_highest < to_cell)
    result = np.where(is_like_lowest, lowest, fade_number)
    return np.where(is_like_highest, highest, result)


@registered(bytes_each=40 * KB)
@lru_cache(4)
def _colour_distances(terrain_set: TerrainSet) -> NDArray[np.float64]:
    """Return how far the colours of ``fading_terrains`` are apart, in a square array.

    The distance is Euclidean, in levels of red, green and blue (0 to 255).
    """
    colours = []
    for terrain in fading_terrains(terrain_set).tolist():
        colour = QColor(terrain_set.terrains[terrain].colour)
        colours.append((colour.red(), colour.green(), colour.blue()))
    rgb = np.array(colours, np.float64).reshape(-1, 3)
    return np.asarray(np.linalg.norm(rgb[:, None] - rgb[None], axis=-1), np.float64)


def _fading_ground(pieces: Pieces, code: int) -> Piece:
    """Return a ground into which others fade from the sides, by a code of ``_fading_codes``."""
    fade_code, ground_code = divmod(code, _ground_code_count(pieces))
    whole = _ground_of_code(pieces, ground_code)
    elevation = ground_code % TINTS + DEEPEST

    fading = fading_terrains(pieces.terrain_set)
    fade = _FadeCode.split(fade_code, len(fading))
    opacities = fade_opacities(pieces.layout, fade.low_mask, fade.high_mask, fade.unrelated_mask)
    images = []
    for fade_number, opacity in ((fade.lowest, opacities.low), (fade.highest, opacities.high)):
        if opacity.any():
            colour = pieces.ground_colour(int(fading[fade_number]), elevation)
            images.append(_fade_image(opacity, colour))
    box = fade_box(pieces.layout)

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


def _fade_image(opacity: NDArray[np.float64], colour: QColor) -> QImage:
    """Return a colour in opacities from 0 to 1, (``FADE_PIXELS``, ``FADE_PIXELS``)."""
    alpha = np.rint(opacity * 255).astype(np.uint32)
    rgb = np.uint32(colour.rgb() & 0xFFFFFF)
    pixels = np.ascontiguousarray((alpha << 24) | rgb)
    size = FADE_PIXELS
    # A copy: Qt does not own the bytes.
    return QImage(pixels.tobytes(), size, size, QImage.Format.Format_ARGB32).copy()
