"""What stands on the ground of landscapes: trees, mountains, houses, pools, walls.

The picture of a terrain has groups for single cells, for the sides over which it closes up to alike
cells (a wood), and for two or three cells (a mountain); see ``picture_groups``. ``batches`` decides
which of them each cell shows, for the scene. All that a cell shows is one number, its *code*:

    terrain * CODES + (variant * MASKS + closed_sides) * FEW + side_variant

Pieces are made of codes (``_piece``), once for all cells that have the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.render.cell_geometry import side_middle
from app.render.pictures.ground_phase import hash_cells, patch_of
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.ground_traits import built_up
from app.render.scene.landscape.map_ends import area_within_ends, ends_of_features
from app.render.scene.landscape.picture_groups import MOST_VARIANTS, PictureGroups, groups_of
from app.render.scene.landscape.placement import Placement, joined, piece_of_group, with_pieces
from app.render.scene.landscape.spans import RiverCells, kinds_of, river_cells, spans_at
from app.render.scene.landscape.walls import wall_piece, walls_around
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

LEAST_LOWER = 2
"""A cell of a range is at its rim if the land is lower beyond so many sides."""

TURNS = (0, -1, 1)
"""By how many sides an end of a way may be moved. The groups of a way are in this order: that with
the number 3 * i + j + 1 has its first end moved by ``TURNS[i]`` and its last by ``TURNS[j]``."""

FEW = 2
"""The number of variants of what stands on sides and on spans."""

MASKS = 8
"""The number of masks of ``PictureGroups.sides``, of which there are three at most."""

SINGLES = MOST_VARIANTS * MASKS * FEW
"""The number of codes of single cells of a terrain."""

MOST_SPANS = 8
"""Layouts have no more kinds of spans (``kinds_of``)."""

CODES = SINGLES + MOST_SPANS * FEW
"""The number of codes of a terrain: those of single cells, then ``kind * FEW + side_variant`` of
spans."""

_groups_of_scenes: WeakKeyDictionary[Pieces, PictureGroups] = WeakKeyDictionary()
"""The groups of the pictures of each scene."""


class CellGroups(NamedTuple):
    """The groups of its picture that each cell shows if it stands alone: arrays (cells,)."""

    variant: NDArray[np.intp]
    """The variant of what stands within the cell, below ``MOST_VARIANTS``. Of a way it is the index
    in ``TURNS`` of its first end."""

    closed_sides: NDArray[np.intp]
    """A bit mask of ``PictureGroups.sides`` over which the cell closes up. Of a way it is the index
    in ``TURNS`` of its last end."""

    side_variant: NDArray[np.intp]
    """The variant of what stands on sides and on spans, below ``FEW``."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield what stands on the cells in one batch, from the north to the south."""
    groups = _groups_of_scene(pieces)
    placements = [_features(pieces, part, groups)]
    # What no cell of the part has is left out: an edit draws a few cells again.
    if groups.has_strays[part.terrain].any():
        strays = _strays(pieces, part, groups)
        placements.append(with_pieces(pieces, "stray", strays, groups, _stray_piece))
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
    towns = ScenePart(
        part.battlemap, part.composite, part.overlays, part.cells[rows], part.opacity_pass
    )
    for batch in batches(pieces, towns):
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
    # First each cell as if it stood alone, then those that draw the picture of a span.
    rivers = river_cells(part)
    cell_groups = _cell_groups(groups, part, rivers)
    codes = _codes_of_singles(cell_groups)
    rows = np.arange(len(part.cells), dtype=np.intp)
    kind_of_span = np.full(len(part.cells), -1, np.intp)
    if groups.has_spans[part.terrain].any():
        kind_of_span, is_hidden = spans_at(part, groups.has_spans, rivers)
        codes_of_spans = SINGLES + kind_of_span * FEW + cell_groups.side_variant
        codes = np.where(kind_of_span >= 0, codes_of_spans, codes)
        (rows,) = (~is_hidden).nonzero()
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
        codes_of_set = len(groups.variants) * CODES
        end_codes = ends[~is_whole] * codes_of_set + codes[~is_whole]
        make_cut = partial(_piece_at_end, pieces, groups)
        numbers[~is_whole] = pieces.numbers("feature at an end", end_codes, make_cut)
    return numbers


def _cell_groups(groups: PictureGroups, part: ScenePart, rivers: RiverCells) -> CellGroups:
    """Return the groups that cells show if no neighbour's picture goes on over them.

    In a range rivers run between the lower summits of its rim.
    """
    terrain = part.terrain
    hashes = hash_cells(part.cells, 16)
    variant = _variants_in_patches(groups, part, hashes)
    side_variant = hash_cells(part.cells, 1, salt=1)
    closed_sides = np.zeros(len(part.cells), np.intp)
    rim_count = groups.rims[terrain]
    if rim_count.any():
        # Of terrains without a rim the remainder is not used: 1 avoids a division by 0.
        rim_variant = MOST_VARIANTS // 2 + hashes % np.maximum(rim_count, 1)
        is_low = _at_rim(groups, part) | (rivers.has_river & (rim_count > 0))
        variant = np.where(is_low, rim_variant, variant)
        # With the variants of rims and two of each side ranges would have more pictures than woods.
        side_variant = np.where(rim_count > 0, variant & 1, side_variant)
    if groups.closes_up[terrain].any():
        closed_sides = _closed_sides(groups, part)
    is_way = groups.way_side[terrain] >= 0
    if is_way.any():
        first_turn, last_turn = _turns_of_ways(groups, part)
        variant = np.where(is_way, first_turn, variant)
        closed_sides = np.where(is_way, last_turn, closed_sides)
        side_variant = np.where(is_way, 0, side_variant)
    return CellGroups(variant, closed_sides, side_variant)


def _variants_in_patches(
    groups: PictureGroups, part: ScenePart, hashes: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the variants (n,) of cells by their ``hashes``.

    Of a picture with ``MOST_VARIANTS`` one half stands in some patches of the map and the other
    half in the others: a heath has groves and clearings.
    """
    count = groups.variants[part.terrain]
    in_patches = count == MOST_VARIANTS
    variant = hashes % np.where(in_patches, MOST_VARIANTS // 2, count)
    if in_patches.any():
        variant += in_patches * patch_of(part.grid, part.cells) * (MOST_VARIANTS // 2)
    return variant


def _at_rim(groups: PictureGroups, part: ScenePart) -> NDArray[np.bool_]:
    """Return a mask of the cells (n,) at the rim of a range of hills or mountains."""
    terrain = part.terrain
    lower_sides = groups.height[part.terrain_around] < groups.height[terrain]
    at_edge = lower_sides.sum(axis=0) >= LEAST_LOWER
    return np.asarray((groups.rims[terrain] > 0) & at_edge)


def _closed_sides(groups: PictureGroups, part: ScenePart) -> NDArray[np.intp]:
    """Return bit masks (n,) of ``PictureGroups.sides`` over which cells close up.

    The same picture stands beyond them, at the same elevation.
    """
    terrain = part.terrain
    picture = groups.first_with_picture[terrain]
    picture_around = groups.first_with_picture[part.terrain_around]
    is_level = part.rises[: part.grid.degree] == 0
    goes_on = groups.closes_up[terrain] & (picture_around == picture) & is_level
    masks = np.zeros(len(terrain), np.intp)
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
    first_side = groups.way_side[part.terrain]
    rows = np.arange(len(first_side))
    ends = []
    for end in (first_side, first_side + degree // 2):
        is_straight, *is_bent = (leads_here[(end + turn) % degree, rows] for turn in TURNS)
        turn_number = np.select(is_bent, range(1, len(TURNS)), 0)
        ends.append(np.where(is_straight | (first_side < 0), 0, turn_number))
    return ends[0], ends[1]


def _codes_of_singles(cell_groups: CellGroups) -> NDArray[np.intp]:
    """Return the codes (n,), below ``SINGLES``, of cells that stand alone.

    Without a closed side there is nothing on a side, and no variant of that.
    """
    side_variant = cell_groups.side_variant * (cell_groups.closed_sides > 0)
    return (cell_groups.variant * MASKS + cell_groups.closed_sides) * FEW + side_variant


def _strays(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the trees that stray from woods over their edge, by codes (``_stray_piece``), and the
    floes before ice.

    Each cell tries two opposite sides, the first chosen by its hash. Trees stray to open land of
    the same elevation: not into water or other woods, not over a step, not on what people built.
    Floes drift in water, beyond all sides of ice.
    """
    degree = pieces.layout.degree
    has_strays = groups.has_strays[part.terrain]
    drifts = groups.drifts[part.terrain]
    (standing,) = (has_strays & ~drifts).nonzero()
    first_side = hash_cells(part.cells[standing], 12, salt=3) % degree
    (floating,) = (has_strays & drifts).nonzero()
    sides = np.concatenate(
        [
            first_side,
            (first_side + degree // 2) % degree,
            np.repeat(np.arange(degree), len(floating)),
        ]
    )
    candidates = np.concatenate([standing, standing, np.tile(floating, degree)])
    beyond = part.terrain_around[sides, candidates]
    is_free = np.where(drifts[candidates], groups.is_water[beyond], groups.is_open[beyond])
    is_free &= part.rises[sides, candidates] == 0
    rows = candidates[is_free]
    sides = sides[is_free]
    south = part.centres[rows, 1] + _souths_of_sides(pieces.layout)[sides]
    variant = hash_cells(part.cells[rows], 1, salt=5) * drifts[rows]
    codes = (part.terrain[rows] * degree + sides) * FEW + variant
    return Placement(codes, rows, south)


@registered(count=6, bytes_each=KB)
@cache
def _souths_of_sides(layout: Layout) -> NDArray[np.float64]:
    """Return how far south of a cell's centre the middles of its sides lie, (degree,)."""
    return np.array([side_middle(layout, side).y() for side in range(layout.degree)])


def _piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the piece of a code: what stands on a cell, on its sides or on several cells.

    A picture without groups for the layout shows the feature that it has on boards.
    """
    terrain, group_code = divmod(code, CODES)
    picture = pieces.pictures.standing(pieces.terrain_set.terrains[terrain])
    if picture is None or not picture.count(f"{groups.prefix}-cell"):
        variant = group_code // (MASKS * FEW)

        def draw_feature(painter: QPainter) -> None:
            pieces.draw_feature(painter, terrain, variant)

        box = pieces.outline.boundingRect()
        return Piece(("feature", code), box, draw_feature, terrain=terrain)
    names = list(groups_of_code(pieces.layout, groups, terrain, group_code))
    box = QRectF()
    for name in names:
        box = box.united(picture.drawing(name).box)

    def draw(painter: QPainter) -> None:
        for name in names:
            pieces.pictures.group(painter, pieces.terrain_set.terrains[terrain], name)

    return Piece(("feature", code), box, draw, terrain=terrain)


def groups_of_code(layout: Layout, groups: PictureGroups, terrain: int, code: int) -> Iterator[str]:
    """Yield the names of the groups that a code below ``CODES`` stands for.

    They are those of the picture of the terrain with the code ``terrain``. On two cells stands
    ``flat-pair3-1`` alone; a single cell has ``flat-cell-2`` and, over each side over which it
    closes up, ``flat-side3-1``.
    """
    prefix = groups.prefix
    if code >= SINGLES:
        span, side_variant = divmod(code - SINGLES, FEW)
        yield f"{prefix}-{kinds_of(layout)[span].name}-{side_variant + 1}"
        return
    variant_and_sides, side_variant = divmod(code, FEW)
    variant, closed_sides = divmod(variant_and_sides, MASKS)
    way_side = groups.way_side[terrain]
    if way_side >= 0:
        yield f"{prefix}-way{way_side}-{variant * len(TURNS) + closed_sides + 1}"
        return
    if groups.rims[terrain] and variant >= MOST_VARIANTS // 2:
        yield f"{prefix}-rim-{variant - MOST_VARIANTS // 2 + 1}"
    else:
        yield f"{prefix}-cell-{variant + 1}"
    for bit, side in enumerate(groups.sides):
        if closed_sides >> bit & 1:
            yield f"{prefix}-side{side}-{side_variant + 1}"


def _piece_at_end(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the piece of a code that is cut off at the ends of the map.

    ``code`` is made of the code of ends and that of the whole piece (``_numbers_of_features``).
    """
    ends, feature = divmod(code, len(pieces.terrain_set.terrains) * CODES)
    whole = _piece(pieces, groups, feature)
    span = feature % CODES - SINGLES
    if span >= 0:
        sides = kinds_of(pieces.layout)[span // FEW].sides
    else:
        sides = ()
    clip = area_within_ends(pieces.layout, sides, ends)
    return whole._replace(key=("feature at an end", ends, feature), clip=clip, part_of=whole)


def _stray_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the trees or floes that stray over a side of a terrain's cell."""
    terrain_and_side, variant = divmod(code, FEW)
    terrain, side = divmod(terrain_and_side, pieces.layout.degree)
    name = f"{groups.prefix}-stray{side}-{variant + 1}"
    return piece_of_group(pieces, terrain, name, ("stray", code))
