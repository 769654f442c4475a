"""Steps between elevations: which cells have rims, and on which cells shadows fall.

A *rim* lies on the sides of a cell beyond which the land is lower, so that cells of one elevation
make one plateau without lines in it; where a hexside lies it is drawn instead. A *shadow* lies on
the lower cell. A step of two or three units has the pieces of lower ones, too: a drop of 2 is drawn
as the rims and the shadows of height 1 and 2.

``batches`` finds the cells of a scene that have steps. Their pieces are drawn by ``rims`` and
``step_shadows``. Bit masks tell sides: bit ``n`` is side ``n``, clockwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.cell_noise import hash_cells
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges.rims import Rim, draw_rim, rim_box
from app.render.scene.edges.side_curves import bends_of
from app.render.scene.edges.step_shadows import draw_shadow, shadow_box
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.planes.planes import is_blank
from randomizer.model.terrain.terrain import TerrainSet

HIGHEST_STEP = 3
"""Steps of more units than this are drawn like these."""

NEIGHBOUR_BITS = 8
"""The bits of a mask of neighbours: of squares those beyond four sides and four corners."""

VARIANT_BITS = 2
"""The bits of the variant of a rim: there are four."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the shadows at the feet of steps, then their rims."""
    if part.is_flat or not len(part.cells):
        return
    rises = part.rises
    if rises.any():
        yield from _shadows(pieces, rises)
        yield from _rims(pieces, part, rises)


def steps_of_single_cell(pieces: Pieces, elevation: int) -> Iterator[Piece]:
    """Yield the steps of a cell all of whose neighbours have elevation 0.

    A higher cell has rims, a lower one lies in the shadow of its neighbours.
    """
    all_sides = (1 << pieces.layout.degree) - 1
    for height in range(1, min(abs(elevation), HIGHEST_STEP) + 1):
        if elevation > 0:
            # No corner is asked for: the curve goes round the cell at all of them.
            rim = Rim(height, sides=all_sides, drops=all_sides, corners_away=0)
            yield _rim_piece(pieces, rim)
        else:
            yield _shadow_piece(pieces, height, all_sides)


# --- shadows --------------------------------------------------------------------------------------


def _shadows(pieces: Pieces, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """Yield the shadows on lower cells, a batch for each height.

    ``rises`` (sides and corners, n) tell by how much the neighbours are higher.
    """

    def make_piece(code: int) -> Piece:
        height, neighbours = divmod(code, 1 << NEIGHBOUR_BITS)
        return _shadow_piece(pieces, height, neighbours)

    for height in range(1, HIGHEST_STEP + 1):
        higher_neighbours = bit_masks(rises >= height)
        (rows,) = higher_neighbours.nonzero()
        if not len(rows):
            return  # there is no higher step either
        codes = height << NEIGHBOUR_BITS | higher_neighbours[rows]
        yield Batch(pieces.numbers("step shadow", codes, make_piece), rows, fine=pieces.fine)


def _shadow_piece(pieces: Pieces, height: int, neighbours: int) -> Piece:
    """Return the shadow of ``neighbours`` (a bit mask) that are at least ``height`` higher."""
    draw = partial(
        draw_shadow,
        layout=pieces.layout,
        height=height,
        neighbours=neighbours,
        strength=bends_of(pieces).strength,
    )
    box = shadow_box(pieces.layout, height, neighbours)
    return Piece(("step shadow", height, neighbours), box, draw)


# --- rims -----------------------------------------------------------------------------------------


def _rims(pieces: Pieces, part: ScenePart, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """Yield the rims of ``part``, a batch for each height; ``rises`` are ``ScenePart.rises``."""
    degree = pieces.layout.degree
    side_rises = rises[:degree]
    corner_rises = rises[degree:]  # of squares; hexes have none
    is_drop = side_rises < 0
    if not is_drop.any():
        return
    hexsides = _hexsides_of(part)
    drops = bit_masks(is_drop | hexsides.raised)
    corners_away = None
    if degree == 4:
        corners_away = bit_masks(corner_rises >= 0)
    variants = np.zeros(len(part.cells), np.intp)
    if bends_of(pieces).sway:
        variants = hash_cells(part.cells, VARIANT_BITS)
    packing = _RimPacking(degree)

    def make_piece(code: int) -> Piece:
        return _rim_piece(pieces, packing.rim(code))

    for height in range(1, HIGHEST_STEP + 1):
        sides = bit_masks((side_rises <= -height) & ~hexsides.covered)
        (rows,) = sides.nonzero()
        if len(rows):  # hexsides may cover all of one height and not of the next
            codes = packing.codes(height, sides, drops, corners_away, variants)
            numbers = pieces.numbers("step rim", codes[rows], make_piece)
            yield Batch(numbers, rows, fine=pieces.fine)


def _rim_piece(pieces: Pieces, rim: Rim) -> Piece:
    """Return the piece of the rims of a cell."""
    draw = partial(draw_rim, layout=pieces.layout, rim=rim, bends=bends_of(pieces))
    return Piece(("step rim", *rim), rim_box(pieces.layout, rim), draw)


@dataclass(frozen=True)
class _RimPacking:
    """Packs rims of cells into integers, the codes of their pieces.

    A code has, from its lowest bits on: the variant, of squares the corners, the drops, the sides,
    and the height. As a bit mask of sides has as many bits as a cell has sides, codes stay small,
    and pieces are found fast (``piece_store.TABLED``).
    """

    degree: int
    """The number of sides of a cell."""

    def codes(
        self,
        height: int,
        sides: NDArray[np.intp],
        drops: NDArray[np.intp],
        corners_away: NDArray[np.intp] | None,
        variants: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Return the codes (n,) of rims, whose fields are given as arrays (n,).

        ``corners_away`` is None for hexes: a hex has all of its corners in it.
        """
        codes = height << self.degree | sides
        codes = codes << self.degree | drops
        if corners_away is not None:
            codes = codes << self.degree | corners_away
        return np.asarray(codes << VARIANT_BITS | variants)

    def rim(self, code: int) -> Rim:
        """Return the rim of a code."""
        mask_size = 1 << self.degree
        rest, variant = divmod(code, 1 << VARIANT_BITS)
        corners_away = mask_size - 1
        if self.degree == 4:
            rest, corners_away = divmod(rest, mask_size)
        rest, drops = divmod(rest, mask_size)
        height, sides = divmod(rest, mask_size)
        return Rim(height, sides, drops, corners_away, variant)


# --- hexsides -------------------------------------------------------------------------------------


class _Hexsides(NamedTuple):
    """The sides of n cells at which hexsides lie: arrays of shape (degree, n)."""

    covered: NDArray[np.bool_]
    """True for sides with a hexside of either of their cells. Neither draws a rim under it."""

    raised: NDArray[np.bool_]
    """True for sides with a hexside of the cell itself that says that the land drops there."""


def _hexsides_of(part: ScenePart) -> _Hexsides:
    """Return at which sides of the cells of ``part`` hexsides are shown."""
    degree = part.grid.degree
    spec = part.system.hexside
    covered = np.zeros((degree, len(part.cells)), np.bool_)
    if spec is None or not part.overlays.hexsides or is_blank(part.composite.planes[spec.name]):
        return _Hexsides(covered=covered, raised=covered)
    codes = part.values(spec)
    for side in range(degree):
        neighbours = part.neighbour_cells[side]
        # Where there is no neighbour cell 0 stands in, and is not counted.
        codes_beyond = part.sides_at(spec, np.maximum(neighbours, 0), part.grid.opposite(side))
        covered[side] = (codes[:, side] > 0) | ((neighbours >= 0) & (codes_beyond > 0))
    raised = raised_codes(part.composite.terrain_set)[codes].T
    return _Hexsides(covered, raised)


def raised_codes(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which codes of hexsides are raised: lie between a higher and a lower cell.

    The result has an entry for each code; code 0 is no hexside.
    """
    # One that has a ground, such as a dune of sand, belongs to the cell of that ground.
    is_raised = [hexside.higher or bool(hexside.ground) for hexside in terrain_set.hexsides]
    return np.array([False, *is_raised])
