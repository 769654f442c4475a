"""Features on the ground of landscapes: trees, mountains, houses, pools, walls.

The picture of a terrain has groups for single cells, for the sides over which it closes up to alike
cells (a wood), for two or three cells (a mountain), and for ways; see ``picture_groups``.
``batches`` decides which of them each cell shows, for the scene, as a *code* (``feature_codes``).
Pieces are made of codes (``_piece``), once for all cells that have the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.render.pictures.cell_noise import hash_cells, patch_of
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.feature_codes import (
    CODES,
    TURNS,
    Single,
    Span,
    code_count,
    codes_of_singles,
    codes_of_spans,
    codes_of_ways,
    groups_of_code,
    split_code,
)
from app.render.scene.landscape.ground_traits import built_up
from app.render.scene.landscape.map_ends import area_within_ends, ends_of_features
from app.render.scene.landscape.picture_groups import (
    FIRST_RIM_VARIANT,
    MAX_VARIANTS,
    PictureGroups,
    groups_of,
)
from app.render.scene.landscape.placement import Placement, joined, with_pieces
from app.render.scene.landscape.spans import (
    NO_KIND,
    RiverCells,
    kinds_of,
    river_cells,
    spans_at,
)
from app.render.scene.landscape.strays import stray_piece, strays
from app.render.scene.landscape.walls import wall_piece, walls_around
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

MIN_LOWER = 2
"""A cell of a range is at its rim if the land is lower beyond so many sides."""

HASH_BITS = 16
"""The variant of a cell is the remainder of a hash of so many bits."""

_groups_of_scenes: WeakKeyDictionary[Pieces, PictureGroups] = WeakKeyDictionary()
"""The groups of the pictures of each scene."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield what stands on the cells in one batch, from the north to the south."""
    groups = _groups_of_scene(pieces)
    placements = [_features(pieces, part, groups)]
    # What no cell of the part has is left out: an edit draws a few cells again.
    if groups.has_strays[part.terrain].any():
        placement_of_strays = strays(pieces, part, groups)
        placements.append(with_pieces(pieces, "stray", placement_of_strays, groups, stray_piece))
    if groups.walled[part.terrain].any():
        walls = walls_around(pieces, part, groups)
        placements.append(with_pieces(pieces, "wall", walls, groups, wall_piece))
    placement = joined(placements)
    order = np.argsort(placement.south, kind="stable")
    yield Batch(placement.numbers[order], placement.rows[order])


def town_batches(pieces: Pieces, part: ScenePart, has_way: NDArray[np.bool_]) -> Iterator[Batch]:
    """Yield again what stands on those cells of towns that have a way: it passes under houses.

    ``has_way`` (n,) marks the cells of the part with a road or river, which was drawn over them.
    """
    rows = np.flatnonzero(has_way & built_up(pieces.terrain_set)[part.terrain])
    if not len(rows):
        return
    for batch in batches(pieces, part.of_rows(rows)):
        yield batch._replace(rows=rows[batch.rows])


def _groups_of_scene(pieces: Pieces) -> PictureGroups:
    """Return the groups of the pictures of a scene, worked out once for it."""
    groups = _groups_of_scenes.get(pieces)
    if groups is None:
        groups = groups_of(pieces.layout, pieces.terrain_set, pieces.pictures)
        _groups_of_scenes[pieces] = groups
    return groups


def _features(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return what stands within cells, over the sides between them and over several of them.

    A cell on which the picture of a span goes on, which another cell draws, has none of its own.
    """
    rivers = river_cells(part)
    # A cell that draws a span shows that; else one with a way shows the way; else what it has
    # alone.
    variants = _variants(groups, part, rivers)
    if pieces.coarse:  # fewer different pieces, for tiles of a map seen from afar
        side_variants = np.zeros(len(part.cells), np.intp)
    else:
        side_variants = _side_variants(groups, part, variants)
    codes = codes_of_singles(variants, _closed_sides(groups, part), side_variants)
    is_way = groups.way_side[part.terrain] >= 0
    if is_way.any():
        first_turns, last_turns = _turns_of_ways(groups, part)
        codes = np.where(is_way, codes_of_ways(first_turns, last_turns), codes)
    rows = np.arange(len(part.cells), dtype=np.intp)
    kind_of_span = np.full(len(part.cells), NO_KIND, np.intp)
    if groups.has_spans[part.terrain].any():
        spans = spans_at(part, groups.has_spans, rivers)
        kind_of_span = spans.kind
        codes = np.where(
            kind_of_span != NO_KIND, codes_of_spans(kind_of_span, side_variants), codes
        )
        rows = np.flatnonzero(~spans.is_hidden)
    codes += part.terrain * CODES
    ends = ends_of_features(part, kind_of_span)
    numbers = _numbers_of_features(pieces, groups, codes[rows], ends[rows])
    return Placement(numbers, rows, part.centres[rows, 1])


def _numbers_of_features(
    pieces: Pieces, groups: PictureGroups, codes: NDArray[np.intp], ends: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the numbers (n,) of the pieces of ``codes`` (n,), cut off at the ends of the map.

    ``ends`` (n,) are those of ``ends_of_features``; most cells lie far from any and show all.
    """
    numbers = np.empty(len(codes), np.intp)
    is_whole = ends == 0
    make_whole = partial(_piece, pieces, groups)
    numbers[is_whole] = pieces.numbers("feature", codes[is_whole], make_whole)
    if not is_whole.all():
        end_codes = ends[~is_whole] * code_count(groups) + codes[~is_whole]
        make_cut = partial(_piece_at_end, pieces, groups)
        numbers[~is_whole] = pieces.numbers("feature at an end", end_codes, make_cut)
    return numbers


# --- variants -------------------------------------------------------------------------------------


def _variants(groups: PictureGroups, part: ScenePart, rivers: RiverCells) -> NDArray[np.intp]:
    """Return the ``Single.variant`` of cells (n,).

    At the rim of a range, and where a river runs through it, stand lower summits. Their variants
    are those from ``FIRST_RIM_VARIANT`` on.
    """
    hashes = hash_cells(part.cells, HASH_BITS)
    variants = _variants_in_patches(groups, part, hashes)
    rim_count = groups.rims[part.terrain]
    if rim_count.any():
        # Of terrains without a rim the remainder is not used: 1 avoids a division by 0.
        rim_variants = FIRST_RIM_VARIANT + hashes % np.maximum(rim_count, 1)
        is_low = _at_rim(groups, part) | (rivers.has_river & (rim_count > 0))
        variants = np.where(is_low, rim_variants, variants)
    return variants


def _side_variants(
    groups: PictureGroups, part: ScenePart, variants: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the variants (n,) of what stands on sides and on spans, 0 or 1.

    ``variants`` (n,) are those of what stands within the cells.
    """
    at_random = hash_cells(part.cells, bits=1, salt=1)  # 0 or 1
    # The variant of a range's cell decides that of its sides. If both were free there would be too
    # many different pieces of ranges, which have variants for their rims besides.
    return np.where(groups.rims[part.terrain] > 0, variants & 1, at_random)


def _variants_in_patches(
    groups: PictureGroups, part: ScenePart, hashes: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the variants (n,) of cells by their ``hashes``.

    Of a picture with ``MAX_VARIANTS`` one half stands in some patches of the map and the other
    half in the others: a heath has groves and clearings.
    """
    count = groups.variants[part.terrain]
    in_patches = count == MAX_VARIANTS
    variant = hashes % np.where(in_patches, MAX_VARIANTS // 2, count)
    if in_patches.any():
        variant += in_patches * patch_of(part.grid, part.cells) * (MAX_VARIANTS // 2)
    return variant


def _at_rim(groups: PictureGroups, part: ScenePart) -> NDArray[np.bool_]:
    """Return a mask of the cells (n,) at the rim of a range of hills or mountains."""
    terrain = part.terrain
    lower_sides = groups.height[part.terrain_around] < groups.height[terrain]
    at_edge = lower_sides.sum(axis=0) >= MIN_LOWER
    return np.asarray((groups.rims[terrain] > 0) & at_edge)


def _closed_sides(groups: PictureGroups, part: ScenePart) -> NDArray[np.intp]:
    """Return bit masks (n,) of ``PictureGroups.sides`` over which cells close up.

    The same picture stands beyond them, at the same elevation.
    """
    terrain = part.terrain
    masks = np.zeros(len(terrain), np.intp)
    if not groups.closes_up[terrain].any():
        return masks
    picture = groups.first_with_picture[terrain]
    picture_around = groups.first_with_picture[part.terrain_around]
    is_level = part.rises_over_sides == 0
    goes_on = groups.closes_up[terrain] & (picture_around == picture) & is_level
    for bit, side in enumerate(groups.sides):
        masks |= goes_on[side].astype(np.intp) << bit
    return masks


def _turns_of_ways(
    groups: PictureGroups, part: ScenePart
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices in ``TURNS`` of the first and the last end of ways, (n,) each.

    0 for cells without a way. A way ends at two opposite sides. Where no way goes on beyond its
    end, but one leads here from beyond the side before or after that, the end is moved there.
    """
    degree = part.grid.degree
    # A way beyond a side leads here if it leads to that side or the opposite one.
    side_around = groups.way_side[part.terrain_around]
    sides = np.arange(degree)[:, None]
    leads_here = (side_around >= 0) & ((sides - side_around) % (degree // 2) == 0)
    first_side = groups.way_side[part.terrain]  # -1 for cells without a way
    last_side = first_side + degree // 2  # not reduced: ``_turns_of_ends`` does that
    has_way = first_side >= 0
    first_turns = np.where(has_way, _turns_of_ends(leads_here, first_side), 0)
    last_turns = np.where(has_way, _turns_of_ends(leads_here, last_side), 0)
    return first_turns, last_turns


def _turns_of_ends(leads_here: NDArray[np.bool_], sides: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the index in ``TURNS`` by which the end of a way at each of ``sides`` (n,) is moved.

    ``leads_here`` (degree, n) marks the sides of each cell beyond which a way leads to the cell.
    """
    degree = len(leads_here)
    rows = np.arange(len(sides))
    leads_here_by_turn = [leads_here[(sides + turn) % degree, rows] for turn in TURNS]
    # The first turn, straight on, is also what is left where no way leads here at all.
    return np.asarray(np.select(leads_here_by_turn, range(len(TURNS)), 0))


# --- pieces ---------------------------------------------------------------------------------------


def _piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the piece of a code: what stands on a cell, on its sides or on several cells.

    A picture without groups for the layout shows the feature that it has on boards.
    """
    terrain, standing = split_code(code)
    picture = pieces.pictures.picture_of_groups(pieces.terrain_set.terrains[terrain])
    if picture is None or not picture.count(f"{groups.prefix}-cell"):
        assert isinstance(standing, Single), "spans and ways have groups"
        return _piece_of_board(pieces, code, terrain, standing.variant)
    names = list(groups_of_code(pieces.layout, groups, code))
    box = QRectF()
    for name in names:
        box = box.united(picture.drawing(name).box)

    def draw(painter: QPainter) -> None:
        for name in names:
            pieces.pictures.group(painter, pieces.terrain_set.terrains[terrain], name)

    return Piece(("feature", code), box, draw, terrain=terrain)


def _piece_of_board(pieces: Pieces, code: int, terrain: int, variant: int) -> Piece:
    """Return the piece of a code that shows the feature of a terrain as boards do."""

    def draw(painter: QPainter) -> None:
        pieces.draw_feature(painter, terrain, variant)

    box = pieces.outline.boundingRect()
    return Piece(("feature", code), box, draw, terrain=terrain)


def _piece_at_end(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the piece of a code that is cut off at the ends of the map.

    ``code`` is made of the code of ends and that of the whole piece (``_numbers_of_features``).
    """
    ends, feature_code = divmod(code, code_count(groups))
    whole = _piece(pieces, groups, feature_code)
    standing = split_code(feature_code).standing
    sides: tuple[int, ...] = ()
    if isinstance(standing, Span):
        sides = kinds_of(pieces.layout)[standing.kind].sides
    clip = area_within_ends(pieces.layout, sides, ends)
    return whole._replace(key=("feature at an end", ends, feature_code), clip=clip, part_of=whole)
