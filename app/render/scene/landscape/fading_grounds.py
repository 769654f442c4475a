"""Grounds of a landscape into which similar ones fade from the cells beside them.

Terrains of one *family* fade into each other: so the sea gets deeper from cell to cell without an
edge, and dry grass passes into green (``ground_traits.families``). A cell shows its own ground and
at most two others of its family, the lowest and the highest beside it, each as a colour in an image
of opacities over the whole cell (``fade_opacities``)::

    deep | sea | shallow     the cell of sea has two fades: "deep" from its left side,
                             "shallow" from its right side, over its own colour

A scene calls ``ground_batches``, where reading begins: it returns the grounds of all cells, with
fades or without. First it finds which cells have fades, all cells at once, then it makes a piece
for each combination that occurs. ``transitions`` draws shores and other grounds over these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.cell_values.cell_colours import DEEPEST
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.fade_opacities import FADE_PIXELS, fade_box, fade_opacities
from app.render.scene.landscape.ground_traits import fading_terrains, traits_of
from app.render.scene.landscape.grounds import (
    GROUND_BASES,
    MASKS,
    families_in,
    ground_codes,
    ground_digits,
    ground_of_code,
    ground_piece,
    terrains_around,
)
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import TerrainSet

_Number = TypeVar("_Number", int, NDArray[np.intp])


class _Fades(NamedTuple, Generic[_Number]):
    """The grounds that fade into a cell, as five numbers, or into n cells, as five arrays (n,).

    Grounds are told by their indices in ``fading_terrains``, and where they lie by a mask: one bit
    for each side, above these one for each corner of a square. So 0b000011 is beyond the sides 0
    and 1.
    """

    lowest: _Number
    """The lowest of the other grounds around the cell, 0 if ``low_mask`` is 0."""
    low_mask: _Number
    """The sides and corners beyond which the lowest one lies."""
    highest: _Number
    """The highest of the other grounds, 0 if ``high_mask`` is 0."""
    high_mask: _Number
    """The sides and corners beyond which the highest one lies; 0 if there is only one other."""
    unrelated_mask: _Number
    """The sides and corners beyond which no ground of the same family lies."""


def _bases_of_fading(terrain_set: TerrainSet) -> tuple[int, ...]:
    """Return the bases of the codes of fading grounds (``piece_codes``).

    Their digits are those of ``_Fades``, of which the first has no base, and of ``ground_digits``.
    """
    fading_count = len(fading_terrains(terrain_set))
    terrain_count = len(terrain_set.terrains)
    return (MASKS, fading_count, MASKS, MASKS, terrain_count, *GROUND_BASES)


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield one batch with the ground of every cell, in the tint of its elevation."""
    rows = np.arange(len(part.cells), dtype=np.intp)
    terrain = traits_of(pieces.terrain_set).ground_code[part.terrain]
    codes = ground_codes(terrain, part.phases, part.elevation)
    make_whole = partial(ground_of_code, pieces)
    fading_rows, fades = _find_fades(pieces, part)
    if not len(fading_rows):
        yield Batch(pieces.numbers("ground", codes, make_whole), rows)
        return

    # Two kinds of pieces: whole grounds, and grounds into which others fade.
    numbers = np.empty(len(rows), np.intp)
    is_whole = np.ones(len(rows), np.bool_)
    is_whole[fading_rows] = False
    numbers[is_whole] = pieces.numbers("ground", codes[is_whole], make_whole)
    own_grounds = ground_digits(
        terrain[fading_rows], part.phases[fading_rows], part.elevation[fading_rows]
    )
    fading_codes = pack((*fades, *own_grounds), _bases_of_fading(pieces.terrain_set))
    make_fading = partial(_fading_ground, pieces)
    numbers[fading_rows] = pieces.numbers("fading", fading_codes, make_fading)
    yield Batch(numbers, rows)


# --- finding what fades ---------------------------------------------------------------------------


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


_NO_ROWS = np.zeros(0, np.intp)

_NO_FADES = _Fades(_NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS)
"""The fades of a part in which no ground lies beside another one of its family."""


def _find_fades(
    pieces: Pieces, part: ScenePart
) -> tuple[NDArray[np.intp], _Fades[NDArray[np.intp]]]:
    """Return which cells of a part have others beside them that fade into them, and what these are.

    The cells are their indices in the part, (n,).
    """
    traits = traits_of(pieces.terrain_set)
    family = families_in(traits, part)
    grounds = traits.ground_code[part.terrain]
    can_fade = family[grounds] > 0
    if not can_fade.any():
        return _NO_ROWS, _NO_FADES
    grounds_around = traits.ground_code[terrains_around(part)]
    is_related = (family[grounds_around] == family[grounds]) & can_fade
    # Nothing fades over a step in the ground, which is an edge by itself.
    is_related &= part.rises == 0
    (rows,) = (is_related & (grounds_around != grounds)).any(axis=0).nonzero()
    if not len(rows):
        return _NO_ROWS, _NO_FADES

    # From here on only the cells with another ground of their family beside them.
    is_related = is_related[:, rows]
    around = _FadingAround(
        is_related=is_related,
        is_other=is_related & (grounds_around[:, rows] != grounds[rows]),
        fade_number=traits.fade_number[grounds_around[:, rows]],
        fade_number_of_cell=traits.fade_number[grounds[rows]],
    )
    return rows, _fades_of(pieces.terrain_set, around)


def _fades_of(terrain_set: TerrainSet, around: _FadingAround) -> _Fades[NDArray[np.intp]]:
    """Return the grounds that fade into n cells, each of which has one or more others around it."""
    is_other = around.is_other
    # Sides without another ground get a number that is passed over: by ``min`` as it is higher than
    # all others, by ``max`` as it is lower.
    above_all = len(fading_terrains(terrain_set))
    below_all = -1
    lowest = np.where(is_other, around.fade_number, above_all).min(axis=0)
    highest = np.where(is_other, around.fade_number, below_all).max(axis=0)
    fade_number = _without_third_grounds(terrain_set, around, lowest, highest)
    low_mask = bit_masks(is_other & (fade_number == lowest))
    high_mask = bit_masks(is_other & (fade_number == highest) & (highest != lowest))
    return _Fades(
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

    These are the ``lowest`` and the ``highest`` (n,). A third ground between them is drawn as the
    one of three whose colour is nearest to its own:

    - the lowest or the highest: their number takes its place;
    - the cell's own ground: its number stays, and is in neither mask, so that nothing fades there.
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


# --- drawing --------------------------------------------------------------------------------------


def _fading_ground(pieces: Pieces, code: int) -> Piece:
    """Return a ground into which others fade from the sides, by a code of ``ground_batches``."""
    *fade_digits, terrain, phase, tint = unpack(code, _bases_of_fading(pieces.terrain_set))
    fades = _Fades(*fade_digits)
    elevation = tint + DEEPEST
    whole = ground_piece(pieces, terrain, phase, elevation)

    fading = fading_terrains(pieces.terrain_set)
    opacities = fade_opacities(pieces.layout, fades.low_mask, fades.high_mask, fades.unrelated_mask)
    images = []
    for fade_number, opacity in ((fades.lowest, opacities.low), (fades.highest, opacities.high)):
        if opacity.any():
            colour = pieces.ground_colour(int(fading[fade_number]), elevation)
            images.append(_fade_image(opacity, colour))
    box = fade_box(pieces.layout)

    def draw_fades(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image in images:
            painter.drawImage(box, image)

    return Piece(
        ("fading", *fades, terrain, phase, tint),
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
