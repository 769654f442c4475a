"""What stands on the ground of landscapes: trees, mountains, houses, pools.

A picture may have groups that close up over the sides between alike cells (a wood), and groups that
span two or three cells (a mountain): ``packaging/pictures/compose.py`` names them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPolygonF

from app.render.cell_geometry import (
    STANDING_REACH,
    cell_box,
    cell_outline,
    neighbour_centres,
    side_middle,
)
from app.render.pictures.ground_phase import hash_cells, patch_of
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_pictures import VARIANTS, Pictures
from app.render.piece import Piece, closed_path
from app.render.scene.batch import Batch
from app.render.scene.edges.map_edges import map_edge_sides, near_map_edge
from app.render.scene.landscape.transitions import (
    BENT_WALLS,
    WALLED,
    built_up,
    picture_of,
)
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

PERIOD = 24
"""The division repeats after so many columns and rows; an even number."""


class Kind(NamedTuple):
    """A kind of span: its name in pictures, and the sides of its owner beyond which it goes on."""

    name: str
    sides: tuple[int, ...]


class Spans(NamedTuple):
    """The division of a layout into single cells, pairs and trios, in a square that repeats.

    A pair or trio is drawn as one where its cells are alike: what a cell shows depends on its
    neighbours alone. ``role`` (PERIOD, PERIOD) is that of each cell, 0 for single ones.
    """

    kinds: tuple[Kind, ...]
    role: NDArray[np.intp]
    kind_of_role: NDArray[np.intp]
    """The number of the kind, by role."""
    is_owner: NDArray[np.bool_]
    """True if the cell draws the picture, by role."""
    sides_of_role: NDArray[np.intp]
    """A bit mask of the sides beyond which the other cells lie, by role; 0 for single cells."""


def kinds_of(layout: Layout) -> tuple[Kind, ...]:
    """Return the pairs of a layout, and its trios around the corners that a cell owns."""
    pairs = {"flat": (2, 3, 4), "square": (1, 2)}.get(layout.name, (1, 2, 3))
    trios = {"flat": (2, 5), "square": ()}.get(layout.name, (0, 3))
    return (
        *(Kind(f"pair{side}", (side,)) for side in pairs),
        *(Kind(f"trio{corner}", ((corner - 1) % 6, corner)) for corner in trios),
    )


@registered(count=6, bytes_each=100 * KB)
@cache
def spans_of(layout: Layout) -> Spans:
    """Return the division of a layout: trios first, then pairs, at random."""
    kinds = kinds_of(layout)
    grid = Grid(layout, 3 * PERIOD, 3 * PERIOD)
    rng = random.Random(7)
    role = np.zeros((PERIOD, PERIOD), np.intp)
    roles: list[tuple[int, bool, int]] = [(0, False, 0)]
    numbers: dict[tuple[int, bool, int], int] = {}

    def owned(kind: int, x: int, y: int) -> list[int]:
        start = grid.cell(x + PERIOD, y + PERIOD)
        return [start, *(grid.neighbour(start, side) for side in kinds[kind].sides)]

    def place(cell: int) -> tuple[int, int]:
        x, y = grid.xy(cell)
        return y % PERIOD, x % PERIOD

    trios = [number for number, kind in enumerate(kinds) if len(kind.sides) > 1]
    pairs = [number for number, kind in enumerate(kinds) if len(kind.sides) == 1]
    for chosen, chance in ((trios, 0.34), (pairs, 0.5)):
        tries = [(kind, x, y) for kind in chosen for x in range(PERIOD) for y in range(PERIOD)]
        rng.shuffle(tries)
        for kind, x, y in tries:
            cells = owned(kind, x, y)
            if any(role[place(cell)] for cell in cells) or rng.random() > chance:
                continue
            for cell in cells:
                sides = 0
                for side in range(grid.degree):
                    if grid.neighbour(cell, side) in cells:
                        sides |= 1 << side
                key = kind, cell == cells[0], sides
                if key not in numbers:
                    numbers[key] = len(roles)
                    roles.append(key)
                role[place(cell)] = numbers[key]
    return Spans(
        kinds,
        role,
        np.array([kind for kind, _is_owner, _sides in roles], np.intp),
        np.array([is_owner for _kind, is_owner, _sides in roles], np.bool_),
        np.array([sides for _kind, _is_owner, sides in roles], np.intp),
    )


def spans_at(
    part: ScenePart, spanning: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return kind of span that each cell (n,) of ``part`` draws, -1 for none, and which are hidden.

    Hidden are cells on which another one draws. Cells are alike if they have the same terrain, of
    those that are ``spanning`` (terrains,), and elevation.
    """
    grid = part.grid
    division = spans_of(grid.layout)
    ys, xs = np.divmod(part.cells, grid.width)
    role = division.role[ys % PERIOD, xs % PERIOD]
    role[~spanning[part.terrain]] = 0
    alike = part.alike_sides
    if grid.wrap:  # nothing is drawn over the seam
        columns = part.around % grid.width
        is_inside = (columns != 0) & (columns != grid.width - 1)
        is_inside &= (xs != 0) & (xs != grid.width - 1)
        alike = alike & bit_masks(is_inside)
    sides = division.sides_of_role[role]
    goes_on = (sides > 0) & (sides & ~alike == 0)
    is_owner = division.is_owner[role]
    drawn = np.where(goes_on & is_owner, division.kind_of_role[role], -1)
    return drawn, goes_on & ~is_owner


MOST_VARIANTS = 8
"""Single cells have at most so many variants, pictures over sides and spans ``FEW``.

Of so many the first half stands in some patches of a terrain, the other half in the others. In
ranges the other half stands at the rim.
"""

RANGES = {"Hills": 1, "Snowy hills": 1, "Mountains": 2, "High mountains": 2, "Volcano": 2}
"""Pictures of heights that make ranges, and how high they are among them."""

LEAST_LOWER = 2
"""A cell of a range is at its rim if the land is lower beyond so many sides."""

FEW = 2

OPEN_LAND = frozenset(
    {
        *("Plains", "Grassland", "Beach", "Sand", "Desert", "Heath", "Rough", "Hills", "Swamp"),
        *("Bog", "Badlands", "Country town", "Dirt", "Cobbles", "Cave floor", "Flowers"),
    }
)
"""The pictures of land in which trees and bushes stray."""

END_BITS = 6
"""The bits of a mask of sides beyond which the map ends."""

FAR_FROM_END = 5.0
"""Nothing that stands on a cell reaches an end of the map that is so far away (map units)."""

BEYOND_END = 1.005
"""Cells beyond the end of the map are so much larger than cells, so that no seam shows between two.
"""

TURNS = (0, -1, 1)
"""By how many sides an end of a way is moved; groups of bent ways are in this order."""

WALLS = 5
"""A side has so many codes: its walls, by whether the same ground goes on beyond the sides before
(bit 0) and after it (bit 1), and the tower on its first corner."""

TOWER_LATER = 0.01
"""Towers are drawn after the walls that end in them, which stand as far south."""

MASKS = 8
"""The sides between alike cells that a cell draws, as a bit mask, are below this."""

SINGLES = MOST_VARIANTS * MASKS * FEW
CODES = SINGLES + 8 * FEW
"""A terrain has so many codes: single cells (variant, mask, variant of sides), then spans."""


class PictureGroups(NamedTuple):
    """The arrangement of the pictures of a set's terrains: most are arrays of shape (terrains,)."""

    prefix: str
    sides: tuple[int, ...]
    """Those over which a cell closes up."""
    variants: NDArray[np.intp]
    """The number of variants of single cells."""
    close: NDArray[np.bool_]
    """True if they close up over the sides between alike cells."""
    span: NDArray[np.bool_]
    """True if they span two or three alike cells."""
    stray: NDArray[np.bool_]
    """True if some of them stray into other land."""
    open: NDArray[np.bool_]
    """True for land into which others stray; one value more for -1, where no cell is."""
    rims: NDArray[np.intp]
    """The number of variants of cells at the rim of a range, 0 for what makes none."""
    height: NDArray[np.intp]
    """That of ``RANGES``, 0 for all else; one value more for -1: ranges go on beyond the map."""
    kind: NDArray[np.intp]
    """The first terrain that has the same picture."""
    walled: NDArray[np.intp]
    """The number of ``WALLED``, 0 for what has no walls."""
    way_side: NDArray[np.intp]
    """The first of the two opposite sides to which a way leads (a bridge), -1 for what is none; one
    value more for -1."""


_groups_of_scenes: WeakKeyDictionary[Pieces, PictureGroups] = WeakKeyDictionary()
"""The groups of the pictures of each scene."""


class CellGroups(NamedTuple):
    """Which groups of its picture each cell shows if it stands alone: arrays of shape (cells,)."""

    variant: NDArray[np.intp]
    """The variant of what stands within the cell; of a way the number of its first end's turn."""
    closed_sides: NDArray[np.intp]
    """A bit mask of ``PictureGroups.sides`` over which the cell closes up; of a way the number of
    its last end's turn.
    """
    side_variant: NDArray[np.intp]
    """The variant of what stands on sides and over several cells, below ``FEW``."""


class Placement(NamedTuple):
    """Drawings and where they stand: arrays of shape (drawings,)."""

    numbers: NDArray[np.intp]
    """Those of the pieces, or the codes from which pieces are made."""
    rows: NDArray[np.intp]
    """The places of their cells among those of the part."""
    south: NDArray[np.float64]
    """The y at which they stand, in map units: what stands further south is drawn later."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield what stands on the cells in one batch, from the north to the south."""
    groups = _groups_of_scene(pieces)
    placements = [_features(pieces, part, groups)]
    if groups.stray.any():
        strays = _strays(pieces, part, groups)
        placements.append(_with_pieces(pieces, "stray", strays, groups, _stray_piece))
    if groups.walled.any():
        walls = _walls(pieces, part, groups)
        placements.append(_with_pieces(pieces, "wall", walls, groups, _wall_piece))
    numbers = np.concatenate([placement.numbers for placement in placements])
    rows = np.concatenate([placement.rows for placement in placements])
    south = np.concatenate([placement.south for placement in placements])
    order = np.argsort(south, kind="stable")
    yield Batch(numbers[order], rows[order])


def _groups_of_scene(pieces: Pieces) -> PictureGroups:
    """Return the groups of the pictures of a scene, worked out once for it."""
    groups = _groups_of_scenes.get(pieces)
    if groups is None:
        groups = groups_of(pieces.layout, pieces.terrain_set, pieces.pictures)
        _groups_of_scenes[pieces] = groups
    return groups


def _with_pieces(
    pieces: Pieces,
    kind: str,
    placement: Placement,
    groups: PictureGroups,
    make: Callable[[Pieces, PictureGroups, int], Piece],
) -> Placement:
    """Return a placement of codes with the pieces that ``make`` makes of them."""
    numbers = pieces.numbers(kind, placement.numbers, partial(make, pieces, groups))
    return placement._replace(numbers=numbers)


def _features(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return what stands within cells, over the sides between them and over several of them.

    A cell on which a neighbour's picture goes on has none of its own.
    """
    cell_groups = _cell_groups(groups, part)
    codes = _codes_of_singles(cell_groups)
    rows = np.arange(len(part.cells), dtype=np.intp)
    kind_of_span = np.full(len(part.cells), -1, np.intp)
    if groups.span.any():
        kind_of_span, is_hidden = spans_at(part, groups.span)
        codes_of_spans = SINGLES + kind_of_span * FEW + cell_groups.side_variant
        codes = np.where(kind_of_span >= 0, codes_of_spans, codes)
        rows = np.flatnonzero(~is_hidden)
    codes += part.terrain * CODES
    ends = _ends_of_features(part, kind_of_span)
    numbers = _numbers_of_features(pieces, groups, codes[rows], ends[rows])
    return Placement(numbers, rows, part.centres[rows, 1])


def _numbers_of_features(
    pieces: Pieces, groups: PictureGroups, codes: NDArray[np.intp], ends: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the numbers (n,) of the pieces of features, cut off at the ``ends`` of the map.

    ``ends`` are codes of ``_ends_of_features``; most features stand far from any and are whole.
    """
    numbers = np.empty(len(codes), np.intp)
    is_whole = ends == 0
    make_whole = partial(_piece, pieces, groups)
    numbers[is_whole] = pieces.numbers("feature", codes[is_whole], make_whole)
    if not is_whole.all():
        end_codes = ends[~is_whole] * (len(groups.kind) * CODES) + codes[~is_whole]
        make_cut = partial(_piece_at_end, pieces, groups)
        numbers[~is_whole] = pieces.numbers("feature at an end", end_codes, make_cut)
    return numbers


def _cell_groups(groups: PictureGroups, part: ScenePart) -> CellGroups:
    """Return the groups that cells show if no neighbour's picture goes on over them."""
    terrain = part.terrain
    hashes = hash_cells(part.cells, 16)
    variant = _variants_in_patches(groups, part, hashes)
    side_variant = hash_cells(part.cells, 1, salt=1)
    closed_sides = np.zeros(len(part.cells), np.intp)
    if groups.rims.any():
        rim_count = groups.rims[terrain]
        rim_variant = MOST_VARIANTS // 2 + hashes % np.maximum(rim_count, 1)
        variant = np.where(_at_rim(groups, part), rim_variant, variant)
        # With the variants of rims and two of each side ranges would have more pictures than woods.
        side_variant = np.where(rim_count > 0, variant & 1, side_variant)
    if groups.close.any():
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
    half in the others: groves and clearings of a heath, say.
    """
    count = groups.variants[part.terrain]
    in_patches = count == MOST_VARIANTS
    variant = hashes % np.where(in_patches, MOST_VARIANTS // 2, count)
    if in_patches.any():
        variant += in_patches * patch_of(part.grid, part.cells) * (MOST_VARIANTS // 2)
    return variant


def _closed_sides(groups: PictureGroups, part: ScenePart) -> NDArray[np.intp]:
    """Return bit masks (n,) of ``PictureGroups.sides`` over which cells close up: the same picture
    stands beyond them, at the same elevation.
    """
    terrain = part.terrain
    kind_around = np.append(groups.kind, -1)[part.terrain_around]
    is_level = part.rises[: part.grid.degree] == 0
    goes_on = groups.close[terrain] & (kind_around == groups.kind[terrain]) & is_level
    masks = np.zeros(len(terrain), np.intp)
    for bit, side in enumerate(groups.sides):
        masks |= goes_on[side].astype(np.intp) << bit
    return masks


def _codes_of_singles(cell_groups: CellGroups) -> NDArray[np.intp]:
    """Return the codes (n,), below ``SINGLES``, of cells that stand alone.

    Without a closed side there is nothing on a side, and no variant of that.
    """
    side_variant = cell_groups.side_variant * (cell_groups.closed_sides > 0)
    return (cell_groups.variant * MASKS + cell_groups.closed_sides) * FEW + side_variant


def _map_ends(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return masks (n,) of the sides of cells beyond which the map ends, or goes on at its other
    end; 0 for cells that are -1.
    """
    result = np.zeros(len(cells), np.intp)
    near = np.flatnonzero(cells >= 0)
    near = near[near_map_edge(grid, cells[near])]
    if len(near):
        for side in range(grid.degree):
            edge, seam = map_edge_sides(grid, cells[near], side)
            result[near] |= (edge | seam).astype(np.intp) << side
    return result


def _ends_of_features(part: ScenePart, kind_of_span: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return codes (n,) of the ends of the map around what stands on cells, 0 for none.

    ``kind_of_span`` is -1 for single cells. A code has the masks (``_map_ends``) of the cell and of
    the further cells of its span, the first in the lowest bits.
    """
    if not _may_reach_ends(part):
        return np.zeros(len(part.cells), np.intp)
    result = _map_ends(part.grid, part.cells)
    for number, kind in enumerate(kinds_of(part.grid.layout)):
        rows = np.flatnonzero(kind_of_span == number)
        for place, side in enumerate(kind.sides, 1):
            ends = _map_ends(part.grid, part.around[side, rows])
            result[rows] |= ends << place * END_BITS
    return result


def _may_reach_ends(part: ScenePart) -> bool:
    """Return whether cells of the part may stand near an end of the map."""
    grid = part.grid
    if grid.mask is not None or not len(part.cells):
        return True
    left, top, right, bottom = grid.bounds
    x, y = part.centres.T
    near = FAR_FROM_END
    beside = x.min() - left < near or right - x.max() < near
    return bool(beside or y.min() - top < near or bottom - y.max() < near)


def _piece_at_end(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return what stands on cells as far as it does not stand out over the ends of the map."""
    ends, feature = divmod(code, len(pieces.terrain_set.terrains) * CODES)
    whole = _piece(pieces, groups, feature)
    span = feature % CODES - SINGLES
    if span >= 0:
        sides = kinds_of(pieces.layout)[span // FEW].sides
    else:
        sides = ()
    clip = _within_ends(pieces.layout, sides, ends)
    return whole._replace(key=("feature at an end", ends, feature), clip=clip, part_of=whole)


@registered(bytes_each=3 * KB)
@lru_cache(64)
def _within_ends(layout: Layout, sides: tuple[int, ...], ends: int) -> QPolygonF:
    """Return the surroundings of a cell and of those beyond its ``sides``, without what lies beyond
    the ``ends`` of the map, a code of ``_ends_of_features``.
    """
    steps = neighbour_centres(layout)
    path = QPainterPath()
    path.addRect(cell_box(layout, 2 * STANDING_REACH))
    for place, (x, y) in enumerate([(0.0, 0.0), *(steps[side] for side in sides)]):
        mask = ends >> place * END_BITS & ((1 << END_BITS) - 1)
        for side in range(layout.degree):
            if mask >> side & 1:
                step_x, step_y = steps[side]
                beyond = cell_outline(layout, BEYOND_END).translated(x + step_x, y + step_y)
                path = path.subtracted(closed_path(beyond))
    return path.toFillPolygon()


def _turns_of_ways(
    groups: PictureGroups, part: ScenePart
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the numbers of ``TURNS`` of the first and the last end of ways, (n,) each; 0 for cells
    without a way.

    A way ends at two opposite sides. Where none goes on beyond its end, but one comes from beyond
    the side before or after that, it bends to it.
    """
    degree = part.grid.degree
    side_around = groups.way_side[part.terrain_around]
    sides = np.arange(degree)[:, None]
    comes_here = (side_around >= 0) & ((sides - side_around) % (degree // 2) == 0)
    first_side = groups.way_side[part.terrain]
    rows = np.arange(len(first_side))
    ends = []
    for end in (first_side, first_side + degree // 2):
        straight, *bent = (comes_here[(end + turn) % degree, rows] for turn in TURNS)
        turn_number = np.select(bent, range(1, len(TURNS)), 0)
        ends.append(np.where(straight | (first_side < 0), 0, turn_number))
    return ends[0], ends[1]


def _at_rim(groups: PictureGroups, part: ScenePart) -> NDArray[np.bool_]:
    """Return which cells (n,) stand at the rim of a range."""
    terrain = part.terrain
    lower_sides = groups.height[part.terrain_around] < groups.height[terrain]
    at_edge = np.count_nonzero(lower_sides, axis=0) >= LEAST_LOWER
    return np.asarray((groups.rims[terrain] > 0) & at_edge)


def town_batches(pieces: Pieces, part: ScenePart, has_way: NDArray[np.bool_]) -> Iterator[Batch]:
    """Yield again the houses of towns on cells (n,) with a way: it passes under them."""
    rows = np.flatnonzero(has_way & built_up(pieces.terrain_set)[part.terrain])
    if not len(rows):
        return
    towns = ScenePart(part.battlemap, part.composite, part.overlays, part.cells[rows], part.shown)
    for batch in batches(pieces, towns):
        yield batch._replace(places=rows[batch.places])


def _strays(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return what strays from groves over their edge, by codes (``_stray_piece``).

    Each cell tries two opposite sides: nothing stands in water, in other groves, beyond a step, on
    what people built.
    """
    degree = pieces.layout.degree
    candidates = np.flatnonzero(groups.stray[part.terrain])
    first_side = hash_cells(part.cells[candidates], 12, salt=3) % degree
    sides = np.concatenate([first_side, (first_side + degree // 2) % degree])
    candidates = np.concatenate([candidates, candidates])
    beyond = part.terrain_around[sides, candidates]
    is_free = groups.open[beyond] & (part.rises[sides, candidates] == 0)
    rows = candidates[is_free]
    sides = sides[is_free]
    middles = np.array([side_middle(pieces.layout, side).y() for side in range(degree)])
    south = part.centres[rows, 1] + middles[sides]
    return Placement(part.terrain[rows] * degree + sides, rows, south)


class WalledCells(NamedTuple):
    """The cells of a part whose ground has walls around it."""

    rows: NDArray[np.intp]
    """Their places among the cells of the part, (n,)."""
    terrain: NDArray[np.intp]
    number: NDArray[np.intp]
    """Their numbers of ``WALLED``, (n,)."""
    goes_on: NDArray[np.bool_]
    """True if the ground of that number goes on beyond a side, (sides, n); it does beyond the map.
    """


def _walls(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the walls and towers around walled ground, by codes (``_wall_piece``).

    A wall stands on the sides beyond which no ground of the same number of ``WALLED`` lies.
    """
    rows = np.flatnonzero(groups.walled[part.terrain])
    terrain = part.terrain[rows]
    number = groups.walled[terrain]
    terrain_around = part.terrain_around[:, rows]
    is_same = np.append(groups.walled, 0)[terrain_around] == number
    walled = WalledCells(rows, terrain, number, is_same | (terrain_around < 0))
    placements = []
    for side in range(pieces.layout.degree):
        placements.append(_walls_on_side(pieces, part, walled, side))
        placements.append(_towers_on_corner(pieces, part, walled, side))
    return Placement(
        np.concatenate([placement.numbers for placement in placements]),
        np.concatenate([placement.rows for placement in placements]),
        np.concatenate([placement.south for placement in placements]),
    )


def _walls_on_side(pieces: Pieces, part: ScenePart, walled: WalledCells, side: int) -> Placement:
    """Return the walls on one side of all cells."""
    degree = pieces.layout.degree
    at_wall = np.flatnonzero(~walled.goes_on[side])
    before_side = walled.goes_on[side - 1, at_wall]
    after_side = walled.goes_on[(side + 1) % degree, at_wall]
    is_bent = walled.number[at_wall] == BENT_WALLS
    bends = np.where(is_bent, before_side + 2 * after_side, 0)
    codes = (walled.terrain[at_wall] * degree + side) * WALLS + bends
    rows = walled.rows[at_wall]
    south = part.centres[rows, 1] + side_middle(pieces.layout, side).y()
    return Placement(codes, rows, south)


def _towers_on_corner(
    pieces: Pieces, part: ScenePart, walled: WalledCells, corner: int
) -> Placement:
    """Return the towers on one corner of all cells.

    A tower stands where two walls meet: on a corner of one cell alone, or in a notch between two
    cells. Of the cells within the walls the southernmost draws it.
    """
    layout = pieces.layout
    sides = (corner - 1) % layout.degree, corner
    middles = {side: side_middle(layout, side) for side in sides}
    is_owner = np.zeros(len(walled.rows), np.bool_)
    for side, opposite in (sides, sides[::-1]):
        # In a notch the cell beyond one side is within, too. This cell lies further south if that
        # side lies in the north, or at the same height in the west.
        is_southern = (round(middles[side].y(), 6), middles[side].x()) < (0.0, 0.0)
        in_notch = is_southern & (walled.number != BENT_WALLS)
        is_owner |= ~walled.goes_on[opposite] & (~walled.goes_on[side] | in_notch)
    at_tower = np.flatnonzero(is_owner)
    codes = (walled.terrain[at_tower] * layout.degree + corner) * WALLS + WALLS - 1
    rows = walled.rows[at_tower]
    wall_south = max(middle.y() for middle in middles.values())
    return Placement(codes, rows, part.centres[rows, 1] + wall_south + TOWER_LATER)


def _wall_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the wall on a side of a terrain's cell, or the tower on a corner."""
    terrain_and_side, bends = divmod(code, WALLS)
    terrain, side = divmod(terrain_and_side, pieces.layout.degree)
    if bends == WALLS - 1:
        name = f"{groups.prefix}-tower{side}-1"
    else:
        name = f"{groups.prefix}-wall{side}-{bends + 1}"
    return _piece_of_group(pieces, terrain, name, ("wall", code))


def _stray_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return what strays over a side of a terrain's cell."""
    terrain, side = divmod(code, pieces.layout.degree)
    return _piece_of_group(pieces, terrain, f"{groups.prefix}-stray{side}-1", ("stray", code))


def _piece_of_group(pieces: Pieces, terrain: int, name: str, key: tuple[str, int]) -> Piece:
    """Return one group of a terrain's picture, which has it."""
    terrain_of_set = pieces.terrain_set.terrains[terrain]
    picture = pieces.pictures.standing(terrain_of_set)
    assert picture is not None, "only pictures with such groups have their codes"

    def draw(painter: QPainter) -> None:
        pieces.pictures.group(painter, terrain_of_set, name)

    return Piece(key, picture.drawing(name).box, draw, terrain=terrain)


def _piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return what stands on a cell, or on several, by a code of ``_features``.

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
    """Yield the names of the groups of a terrain's picture that a code below ``CODES`` stands for.

    ``flat-pair3-1`` is what spans two cells; a single cell has ``flat-cell-2`` and, over each side
    over which it closes up, ``flat-side3-1``.
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


def group_prefix(layout: Layout) -> str:
    """Return the word with which the names of a layout's groups begin in pictures."""
    return "pointy" if layout.name == "oblique" else layout.name


def groups_of(layout: Layout, terrain_set: TerrainSet, pictures: Pictures) -> PictureGroups:
    """Return how the terrains of a set stand, by the groups of their pictures."""
    prefix = group_prefix(layout)
    sides = tuple(kind.sides[0] for kind in kinds_of(layout) if kind.name.startswith("pair"))
    counts = [_GroupCounts(pictures.standing(terrain), prefix) for terrain in terrain_set.terrains]
    closes = [count.of(f"side{sides[0]}") > 0 for count in counts]
    heights = [RANGES.get(picture_of(terrain), 0) for terrain in terrain_set.terrains]
    is_open = []
    walled = []
    for terrain, count, is_grove in zip(terrain_set.terrains, counts, closes, strict=True):
        is_ours = not (terrain.water or terrain.asset)
        is_open.append(picture_of(terrain) in OPEN_LAND and is_ours and not is_grove)
        walled.append(WALLED.get(picture_of(terrain), 0) if count.is_drawn else 0)
    return PictureGroups(
        prefix=prefix,
        sides=sides,
        variants=np.array(
            [min(MOST_VARIANTS, count.of("cell") or VARIANTS) for count in counts], np.intp
        ),
        close=np.array(closes, np.bool_),
        span=np.array([count.of(f"pair{sides[0]}") > 0 for count in counts], np.bool_),
        stray=np.array([count.of("stray0") > 0 for count in counts], np.bool_),
        open=np.array([*is_open, False], np.bool_),
        rims=np.array([count.of("rim") for count in counts], np.intp),
        height=np.array([*heights, max(heights)], np.intp),
        kind=_kinds(terrain_set),
        walled=np.array(walled, np.intp),
        way_side=np.array([*(count.way_side() for count in counts), -1], np.intp),
    )


class _GroupCounts(NamedTuple):
    """Counts the groups of a picture for one layout; without a picture there are none."""

    picture: SvgPicture | None
    prefix: str

    @property
    def is_drawn(self) -> bool:
        """True if there is a picture."""
        return self.picture is not None

    def of(self, kind: str) -> int:
        """Return how many groups of a kind there are, such as ``cell``."""
        if self.picture is None:
            return 0
        return self.picture.count(f"{self.prefix}-{kind}")

    def way_side(self) -> int:
        """Return the first side to which the way in the picture leads, -1 if there is none."""
        for side in range(3):
            if self.of(f"way{side}"):
                return side
        return -1


def _kinds(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return for each terrain the first one that shows the same picture: shape (terrains,)."""
    first_of: dict[str, int] = {}
    return np.array(
        [
            first_of.setdefault(picture_of(terrain), code)
            for code, terrain in enumerate(terrain_set.terrains)
        ],
        np.intp,
    )
