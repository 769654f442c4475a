"""Grounds of a landscape into which similar ones fade from the cells beside them.

Terrains of one *family* fade into each other: so the sea gets deeper from cell to cell without an
edge, and dry grass passes into green (``ground_traits.families``). ``fading_terrains`` has them in
one order, waters from the deepest on. A cell shows its own ground and at most two others of its
family: of those beside it the *lowest* in that order, and the *highest*. Each is a colour in an
image of opacities over the whole cell (``fade_opacities``)::

    deep | sea | shallow     into the cell of sea fade the lowest, "deep", from its left side, and
                             the highest, "shallow", from its right side

A scene calls ``ground_batches``, where reading begins: it returns the grounds of all cells, with
fades or without. First it finds which cells have fades, all cells at once, then it makes a piece
for each combination that occurs. ``transitions`` draws shores and other grounds over these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.fade_opacities import FADE_PIXELS, fade_box, fade_opacities
from app.render.scene.landscape.ground_traits import fading_terrains, traits_of
from app.render.scene.landscape.grounds import (
    GROUND_CODES_A_TERRAIN,
    GroundLook,
    ground_codes,
    ground_piece,
)
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.landscape.side_masks import MASKS
from app.render.scene.landscape.surroundings import Surroundings, surroundings_of
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import TerrainSet


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield one batch with the ground of every cell, in the tint of its elevation."""
    traits = traits_of(pieces.terrain_set)
    surroundings = surroundings_of(traits, part)
    whole_codes = ground_codes(surroundings.grounds, part.phases, part.elevation)
    fades = _find_fades(pieces.terrain_set, surroundings, part.rises)

    # Two kinds of pieces: grounds into which others fade, and whole grounds.
    numbers = np.empty(len(part.cells), np.intp)
    is_whole = np.ones(len(part.cells), np.bool_)
    if len(fades.rows):
        is_whole[fades.rows] = False
        own_codes = whole_codes[fades.rows]
        if pieces.coarse:
            # Fewer different pieces, for tiles of a map seen from afar: nearly each cell with fades
            # would have one of its own, since they lie over other sides in each of the phases.
            any_phase = np.zeros(len(fades.rows), np.intp)
            own_codes = ground_codes(
                surroundings.grounds[fades.rows], any_phase, part.elevation[fades.rows]
            )
        codes = _fading_codes(pieces.terrain_set, fades, own_codes)
        numbers[fades.rows] = pieces.numbers("fading", codes, partial(_fading_ground, pieces))
    make_whole = partial(_whole_ground, pieces)
    numbers[is_whole] = pieces.numbers("ground", whole_codes[is_whole], make_whole)
    yield Batch(numbers, rows=np.arange(len(part.cells), dtype=np.intp))


def _whole_ground(pieces: Pieces, code: int) -> Piece:
    """Return a ground by a code of ``ground_codes``."""
    return ground_piece(pieces, GroundLook.of_code(code))


# --- finding what fades ---------------------------------------------------------------------------


class _Fades(NamedTuple):
    """The grounds that fade into n cells.

    All fields are arrays (n,). Grounds are told by their indices in ``fading_terrains``, and where
    they lie by masks (``side_masks``): 0b000011 is beyond the sides 0 and 1.
    """

    rows: NDArray[np.intp]
    """The cells, as indices in their part."""
    lowest: NDArray[np.intp]
    """The lowest of the other grounds around a cell, 0 if ``low_mask`` is 0."""
    low_mask: NDArray[np.intp]
    """The sides and corners beyond which the lowest one lies."""
    highest: NDArray[np.intp]
    """The highest of the other grounds, 0 if ``high_mask`` is 0."""
    high_mask: NDArray[np.intp]
    """The sides and corners beyond which the highest one lies; 0 if there is only one other."""
    unrelated_mask: NDArray[np.intp]
    """The sides and corners beyond which no ground of the same family lies."""


def _find_fades(
    terrain_set: TerrainSet, surroundings: Surroundings, rises: NDArray[np.intp]
) -> _Fades:
    """Return what fades into the cells of a part; a cell is left out if nothing does.

    ``rises`` is that of the part: nothing fades over a step in the ground, an edge by itself.
    """
    is_related = surroundings.is_of_same_family & (rises == 0)
    is_other = is_related & (surroundings.grounds_around != surroundings.grounds)
    rows = np.flatnonzero(is_other.any(axis=0))
    is_other = is_other[:, rows]

    # The lowest and the highest of the other grounds. Where there is none stands a number that is
    # passed over: by ``min`` as it is higher than all others, by ``max`` as it is lower.
    fade_numbers = traits_of(terrain_set).fade_number
    number_of_cell = fade_numbers[surroundings.grounds[rows]]
    numbers_around = fade_numbers[surroundings.grounds_around[:, rows]]
    above_all = len(fading_terrains(terrain_set))
    below_all = -1
    lowest = np.where(is_other, numbers_around, above_all).min(axis=0)
    highest = np.where(is_other, numbers_around, below_all).max(axis=0)

    # Where they lie. Third grounds are replaced first.
    is_third = is_other & (numbers_around != lowest) & (numbers_around != highest)
    if is_third.any():
        numbers_drawn = _without_third_grounds(
            _colour_distances(terrain_set), numbers_around, number_of_cell, lowest, highest
        )
        numbers_around = np.where(is_third, numbers_drawn, numbers_around)
    low_mask = bit_masks(is_other & (numbers_around == lowest))
    high_mask = bit_masks(is_other & (numbers_around == highest) & (highest != lowest))
    return _Fades(
        rows,
        lowest=np.where(low_mask > 0, lowest, 0),
        low_mask=low_mask,
        highest=np.where(high_mask > 0, highest, 0),
        high_mask=high_mask,
        unrelated_mask=bit_masks(~is_related[:, rows]),
    )


def _without_third_grounds(
    distances: NDArray[np.float64],
    numbers_around: NDArray[np.intp],
    number_of_cell: NDArray[np.intp],
    lowest: NDArray[np.intp],
    highest: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Return the grounds as which third grounds are drawn, (neighbours, n).

    All grounds are indices in ``fading_terrains``. A third ground, between the ``lowest`` (n,) and
    the ``highest`` (n,) around a cell, is drawn as the one whose colour is nearest to its own by
    ``distances`` (``_colour_distances``): the lowest, the highest, or that of the cell itself,
    ``number_of_cell`` (n,). In the last case its own number stays: it is in neither mask, so that
    nothing fades there.
    """
    to_lowest = distances[numbers_around, lowest]
    to_highest = distances[numbers_around, highest]
    to_cell = distances[numbers_around, number_of_cell]
    is_like_lowest = (to_lowest <= to_highest) & (to_lowest < to_cell)
    is_like_highest = (to_highest < to_lowest) & (to_highest < to_cell)
    result = np.where(is_like_lowest, lowest, numbers_around)
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


class _FadingLook(NamedTuple):
    """All that the picture of a ground depends on into which others fade.

    The first five are those of ``_Fades``, for one cell.
    """

    lowest: int
    low_mask: int
    highest: int
    high_mask: int
    unrelated_mask: int
    ground_code: int
    """The code of the cell's own ground (``ground_codes``)."""


def _bases(terrain_set: TerrainSet) -> tuple[int, ...]:
    """Return the bases of the fields of a ``_FadingLook`` behind the first (``piece_codes``)."""
    fading_count = len(fading_terrains(terrain_set))
    ground_code_count = len(terrain_set.terrains) * GROUND_CODES_A_TERRAIN
    return (MASKS, fading_count, MASKS, MASKS, ground_code_count)


def _fading_codes(
    terrain_set: TerrainSet, fades: _Fades, own_codes: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the codes (n,) of the ``_FadingLook`` of n cells, with ``own_codes`` of grounds."""
    digits = (
        fades.lowest,
        fades.low_mask,
        fades.highest,
        fades.high_mask,
        fades.unrelated_mask,
        own_codes,
    )
    return pack(digits, _bases(terrain_set))


def _fading_ground(pieces: Pieces, code: int) -> Piece:
    """Return a ground into which others fade from the sides, by a code of ``_fading_codes``."""
    look = _FadingLook(*unpack(code, _bases(pieces.terrain_set)))
    own_look = GroundLook.of_code(look.ground_code)
    whole = ground_piece(pieces, own_look)

    fading = fading_terrains(pieces.terrain_set)
    opacities = fade_opacities(pieces.layout, look.low_mask, look.high_mask, look.unrelated_mask)
    images = []
    for fade_number, opacity in ((look.lowest, opacities.low), (look.highest, opacities.high)):
        if opacity.any():
            colour = pieces.ground_colour(int(fading[fade_number]), own_look.elevation)
            images.append(_fade_image(opacity, colour))
    box = fade_box(pieces.layout)

    def draw_fades(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image in images:
            painter.drawImage(box, image)

    return Piece(
        ("fading", *look[:-1], *own_look),
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
    image = QImage(pixels.data, FADE_PIXELS, FADE_PIXELS, QImage.Format.Format_ARGB32)
    return image.copy()  # which owns its pixels; those of the first are the array's
