"""The walls and towers around castles, camps and caves, on the sides and corners of their cells.

``features`` draws them with all else that stands on cells. Begin with ``walls_around``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_geometry import side_middle
from app.render.pictures.ground_phase import hash_cells
from app.render.piece import Piece
from app.render.scene.landscape.ground_traits import BENT_WALLS, PIT
from app.render.scene.landscape.map_ends import area_within_ends, ends_of_features
from app.render.scene.landscape.picture_groups import PictureGroups
from app.render.scene.landscape.placement import Placement, joined, piece_of_group
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

WALLS = 9
"""The number of codes of a side. Eight are its walls, by whether the same ground goes on beyond the
side before it (bit 0) and the side after it (bit 1), and by its shape (bit 2); the last one is
``TOWER``."""

TOWER = WALLS - 1
"""The code of the tower on the first corner of a side, which has the number of the side."""

SHAPE_SALT = 20
"""The shapes of the sides of a cell are chosen by hashes with this salt and those after it."""

TOWER_LATER = 0.01
"""Towers stand so much further south (map units) than the walls that end in them: things are drawn
from north to south, and a wall must not cover its tower."""


PIT_EARLIER = 0.03
"""The walls of holes count as standing so much further north (map units) than the middle of their
cell: a bridge is drawn over them."""

PIT_ORDER = 0.02
"""By this share their places count mirrored: the rock in the north of a hole goes down before the
sides in the south, which are thus drawn earlier."""


class WalledCells(NamedTuple):
    """The cells of a part whose ground has walls around it."""

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    terrain: NDArray[np.intp]
    """The codes of the terrains whose pictures have their walls, (n,)."""

    number: NDArray[np.intp]
    """Their numbers of ``WALLED``, (n,)."""

    goes_on: NDArray[np.bool_]
    """True if the ground of that number goes on beyond a side, (sides, n). It does beyond the end
    of the map, where no wall is drawn."""


def walls_around(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the walls and towers around walled ground, by codes (``wall_piece``).

    A wall stands on the sides beyond which no ground of the same number of ``WALLED`` lies.
    """
    rows = np.flatnonzero(groups.walled[part.terrain])
    terrain = groups.wall_terrain[part.terrain[rows]]
    number = groups.walled[terrain]
    terrain_around = part.terrain_around[:, rows]
    is_same = np.append(groups.walled, 0)[terrain_around] == number
    walled = WalledCells(rows, terrain, number, is_same | (terrain_around < 0))
    placements = []
    for side in range(pieces.layout.degree):
        placements.append(_walls_on_side(pieces, part, walled, side))
        placements.append(_towers_on_corner(pieces, part, walled, side))
    placement = joined(placements)
    ends = ends_of_features(part, np.full(len(part.cells), -1, np.intp))[placement.rows]
    code_count = _code_count(pieces)
    return placement._replace(numbers=ends * code_count + placement.numbers)


def _code_count(pieces: Pieces) -> int:
    """Return the number of codes of walls and towers that no end of the map cuts off."""
    return len(pieces.terrain_set.terrains) * pieces.layout.degree * WALLS


def _walls_on_side(pieces: Pieces, part: ScenePart, walled: WalledCells, side: int) -> Placement:
    """Return the walls on one side of all cells."""
    degree = pieces.layout.degree
    at_wall = np.flatnonzero(~walled.goes_on[side])
    # A straight wall (bends 0) ends in towers. A bent one turns, at an end beyond whose next side
    # the same ground goes on, towards the wall of the neighbour there.
    goes_on_before = walled.goes_on[side - 1, at_wall]
    goes_on_after = walled.goes_on[(side + 1) % degree, at_wall]
    number = walled.number[at_wall]
    is_bent = _is_bent(number)
    rows = walled.rows[at_wall]
    shape = hash_cells(part.cells[rows], 1, salt=SHAPE_SALT + side)
    bends = np.where(is_bent, goes_on_before + 2 * goes_on_after + 4 * shape, 0)
    codes = (walled.terrain[at_wall] * degree + side) * WALLS + bends
    middle = side_middle(pieces.layout, side).y()
    offset = np.where(number == PIT, -PIT_ORDER * middle - PIT_EARLIER, middle)
    south = part.centres[rows, 1] + offset
    return Placement(codes, rows, south)


def _towers_on_corner(
    pieces: Pieces, part: ScenePart, walled: WalledCells, corner: int
) -> Placement:
    """Return the towers on one corner of all cells.

    Three cells meet at a corner of a hex. Where one of them is within the walls two walls meet on
    its corner; where two are within they meet in a notch, and the southernmost of the two draws the
    tower. Bent walls have none.
    """
    layout = pieces.layout
    sides = ((corner - 1) % layout.degree, corner)
    middles = {side: side_middle(layout, side) for side in sides}
    is_owner = np.zeros(len(walled.rows), np.bool_)
    for side, opposite in (sides, sides[::-1]):
        # In a notch the cell beyond one side is within, too. This cell lies further south if that
        # side lies in the north, or at the same height in the west.
        is_southern = (round(middles[side].y(), 6), middles[side].x()) < (0.0, 0.0)
        is_owner |= ~walled.goes_on[opposite] & (~walled.goes_on[side] | is_southern)
    is_owner &= ~_is_bent(walled.number)
    at_tower = np.flatnonzero(is_owner)
    codes = (walled.terrain[at_tower] * layout.degree + corner) * WALLS + TOWER
    rows = walled.rows[at_tower]
    wall_south = max(middle.y() for middle in middles.values())
    return Placement(codes, rows, part.centres[rows, 1] + wall_south + TOWER_LATER)


def _is_bent(number: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which numbers of ``WALLED`` (n,) are those of ``BENT_WALLS``."""
    return np.isin(number, list(BENT_WALLS))


def wall_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the wall on a side of a terrain's cell, or the tower on a corner.

    ``code`` is made of the code of ends of the cell (``map_ends``) and that of the whole piece.
    """
    ends, whole_code = divmod(code, _code_count(pieces))
    terrain_and_side, bends = divmod(whole_code, WALLS)
    terrain, side = divmod(terrain_and_side, pieces.layout.degree)
    if bends == TOWER:
        name = f"{groups.prefix}-tower{side}-1"
    else:
        name = f"{groups.prefix}-wall{side}-{bends + 1}"
    piece = piece_of_group(pieces, terrain, name, ("wall", code))
    if ends:
        piece = piece._replace(clip=area_within_ends(pieces.layout, (), ends))
    return piece
