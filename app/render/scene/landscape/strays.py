"""Strays over the edges of cells of landscapes: trees before woods, floes before ice.

``strays`` finds where any stand in a part of a map, and ``stray_piece`` draws those at one side of
a cell. A stray stands half in the cell beyond the side, so that the edge of a wood is no wall.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_geometry import side_middle
from app.render.pictures.cell_noise import hash_cells
from app.render.piece import Piece
from app.render.scene.landscape.picture_groups import PictureGroups
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.landscape.placement import Placement, piece_of_group
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

SIDE_HASH_BITS = 12
"""The bits of the hash that chooses a side: many, so that no side is chosen more often."""

SIDE_SALT = 3
"""The salt of this hash: any number will do that other hashes of cells do not have."""

VARIANT_SALT = 5
"""The salt of the hash that chooses the variant of floes."""

VARIANT_HASH_BITS = 1
"""The bits of the hash that chooses the variant of floes: it is the variant itself."""

VARIANTS = 1 << VARIANT_HASH_BITS
"""The number of variants of floes over one side; trees have one."""


def strays(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the trees that stray from woods over their edge, and the floes before ice.

    The placement has codes (``stray_piece``). Trees stray to open land of the same elevation: not
    into water or other woods, not over a step, not on what people built. Floes drift in water.
    """
    degree = pieces.layout.degree
    has_strays = groups.has_strays[part.terrain]
    drifts = groups.drifts[part.terrain]  # True for ice, False for woods
    trees = _tree_candidates(part, np.flatnonzero(has_strays & ~drifts), degree)
    floes = _floe_candidates(np.flatnonzero(has_strays & drifts), degree)
    rows = np.concatenate([trees.rows, floes.rows])
    sides = np.concatenate([trees.sides, floes.sides])

    # Of these the ones with free ground beyond the side.
    beyond = part.terrain_around[sides, rows]
    is_free = np.where(drifts[rows], groups.is_water[beyond], groups.is_open[beyond])
    is_free &= part.rises[sides, rows] == 0
    rows = rows[is_free]
    sides = sides[is_free]

    south = part.centres[rows, 1] + _souths_of_sides(pieces.layout)[sides]
    random_variants = hash_cells(part.cells[rows], bits=VARIANT_HASH_BITS, salt=VARIANT_SALT)
    variants = np.where(drifts[rows], random_variants, 0)
    codes = pack((part.terrain[rows], sides, variants), _bases(degree))
    return Placement(codes, rows, south)


class _Candidates(NamedTuple):
    """Sides of cells over which there may be strays, one entry for each: arrays (n,)."""

    rows: NDArray[np.intp]
    """The cells, as indices in their part."""

    sides: NDArray[np.intp]
    """The side of each of these cells."""


def _tree_candidates(part: ScenePart, rows: NDArray[np.intp], degree: int) -> _Candidates:
    """Return two opposite sides of each of some cells of woods, chosen by the cell's hash."""
    first_sides = hash_cells(part.cells[rows], SIDE_HASH_BITS, salt=SIDE_SALT) % degree
    opposite_sides = (first_sides + degree // 2) % degree
    return _Candidates(np.concatenate([rows, rows]), np.concatenate([first_sides, opposite_sides]))


def _floe_candidates(rows: NDArray[np.intp], degree: int) -> _Candidates:
    """Return all sides of each of some cells of ice: first side 0 of all, then side 1 of all."""
    return _Candidates(np.tile(rows, degree), np.repeat(np.arange(degree), len(rows)))


def _bases(degree: int) -> tuple[int, ...]:
    """Return the bases of the codes of strays (``piece_codes``): terrain, side and variant."""
    return (degree, VARIANTS)


@registered(count=6, bytes_each=KB)
@cache
def _souths_of_sides(layout: Layout) -> NDArray[np.float64]:
    """Return how far south of a cell's centre the middles of its sides lie, (degree,)."""
    return np.array([side_middle(layout, side).y() for side in range(layout.degree)])


def stray_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the trees or floes that stray over a side of a terrain's cell."""
    terrain, side, variant = unpack(code, _bases(pieces.layout.degree))
    name = f"{groups.prefix}-stray{side}-{variant + 1}"
    return piece_of_group(pieces, terrain, name, ("stray", code))
