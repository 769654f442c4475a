"""Strays over the edges of cells of landscapes: trees before woods, floes before ice.

``strays`` finds where any stand in a part of a map, and ``stray_piece`` draws those at one side of
a cell. A stray stands half in the cell beyond the side, so that the edge of a wood is no wall.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from app.render.cell_geometry import side_middle
from app.render.pictures.cell_noise import hash_cells
from app.render.piece import Piece
from app.render.scene.landscape.picture_groups import PictureGroups
from app.render.scene.landscape.placement import Placement, piece_of_group
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout

SIDE_HASH_BITS = 12
"""The bits of the hash that chooses a side: many, so that no side is chosen more often."""

SIDE_SALT = 3
"""The salt of this hash."""

VARIANT_SALT = 5
"""The salt of the hash that chooses the variant of floes."""

VARIANTS = 2
"""The number of variants of floes over one side; trees have one."""


def strays(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the trees that stray from woods over their edge, and the floes before ice.

    The placement has codes (``stray_piece``). Trees stray to open land of the same elevation: not
    into water or other woods, not over a step, not on what people built. Floes drift in water.
    """
    degree = pieces.layout.degree
    has_strays = groups.has_strays[part.terrain]
    drifts = groups.drifts[part.terrain]  # True for ice, False for woods

    # Trees try two opposite sides of their cell, the first chosen by its hash; floes all sides. So
    # there is an entry for each side that is tried, and for the cell that tries it.
    (standing,) = (has_strays & ~drifts).nonzero()
    first_side = hash_cells(part.cells[standing], SIDE_HASH_BITS, salt=SIDE_SALT) % degree
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
    random_variant = hash_cells(part.cells[rows], bits=1, salt=VARIANT_SALT)  # 0 or 1
    variant = np.where(drifts[rows], random_variant, 0)
    codes = (part.terrain[rows] * degree + sides) * VARIANTS + variant
    return Placement(codes, rows, south)


@registered(count=6, bytes_each=KB)
@cache
def _souths_of_sides(layout: Layout) -> NDArray[np.float64]:
    """Return how far south of a cell's centre the middles of its sides lie, (degree,)."""
    return np.array([side_middle(layout, side).y() for side in range(layout.degree)])


def stray_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the trees or floes that stray over a side of a terrain's cell."""
    terrain_and_side, variant = divmod(code, VARIANTS)
    terrain, side = divmod(terrain_and_side, pieces.layout.degree)
    name = f"{groups.prefix}-stray{side}-{variant + 1}"
    return piece_of_group(pieces, terrain, name, ("stray", code))
