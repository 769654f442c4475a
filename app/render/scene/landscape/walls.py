"""The walls and towers around castles, camps, caves and chasms, on the sides of their cells.

Ground is *walled* if its picture is one of ``ground_traits.WALLED``, which gives it a ``WallKind``.
One wall goes around all connected cells of one kind: a castle and a keep beside it are within one
wall. Walls stand on the sides beyond which the kind differs, towers on the corners where two
straight walls meet; walls of caves and chasms are *bent*, and have no towers. A bent wall is one of
eight drawings, whose numbers are sums::

    0   ends at both ends of its side         + 4   in the second of two shapes
    1   goes on before its side
    2   goes on after it
    3   goes on at both ends

``walls_around``, where reading begins, returns the walls of all cells as *codes*, integers that say
which drawing stands there. ``features`` has ``wall_piece`` make a piece of each code, and draws
them with all else that stands on cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_geometry import side_middle
from app.render.pictures.cell_noise import hash_cells
from app.render.piece import Piece
from app.render.scene.landscape.ground_traits import BENT_WALLS, WallKind
from app.render.scene.landscape.map_ends import area_within_ends, ends_of_features
from app.render.scene.landscape.picture_groups import PictureGroups
from app.render.scene.landscape.placement import Placement, joined, piece_of_group
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout

GOES_ON_BEFORE = 1
"""Added to the number of a bent wall if the ground goes on beyond the side before its own."""

GOES_ON_AFTER = 2
"""Added to the number of a bent wall if the ground goes on beyond the side after its own."""

SECOND_SHAPE = 4
"""Added to the number of a bent wall for the second of the two shapes that each has."""

STRAIGHT = 0
"""The number of a straight wall: its group in the picture is that of a bent one with none of these.
"""

TOWER = 8
"""The number of the tower on the first corner of a side, above those of all walls."""

DRAWINGS_OF_SIDE = TOWER + 1
"""How many drawings there are for a side of a terrain: eight walls, and the tower."""

SHAPE_SALT = 20
"""The shapes of the walls on side i are chosen by hashes with the salt 20 + i."""

TOWER_LATER = 0.01
"""Towers stand so much further south (map units) than the walls that end in them.

Things are drawn from north to south, and a wall must not cover its tower.
"""

PIT_EARLIER = 0.03
"""The walls of holes count as standing so much further north (map units) than their cell's middle.

So a bridge in the cell is drawn over them.
"""

PIT_ORDER = 0.02
"""The order of a hole's walls: one whose middle is y south of the cell's counts as -y times this.

So they are drawn from south to north: the rock in the north goes down in front of the sides in the
south.
"""


class WalledCells(NamedTuple):
    """The cells of a part whose ground has walls around it."""

    rows: NDArray[np.intp]
    """The indices of these n cells among the cells of the part, (n,)."""

    terrain: NDArray[np.intp]
    """The codes of the terrains whose pictures have the walls of the cells, (n,)."""

    wall_kind: NDArray[np.intp]
    """The ``WallKind`` of the cells, (n,)."""

    goes_on: NDArray[np.bool_]
    """True if ground with walls of the same kind lies beyond a side, (sides, n).

    Beyond the end of the map it counts as going on, since no wall is drawn there.
    """


def walls_around(pieces: Pieces, part: ScenePart, groups: PictureGroups) -> Placement:
    """Return the walls and towers around the walled cells of a part, by codes (``wall_piece``)."""
    walled = _walled_cells(part, groups)
    placements = []
    for side in range(pieces.layout.degree):
        placements.append(_walls_on_side(pieces, part, walled, side))
        placements.append(_towers_on_corner(pieces, part, walled, corner=side))
    placement = joined(placements)

    # At an end of the map a picture is cut off there, so that it is another drawing.
    no_spans = np.full(len(part.cells), -1, np.intp)  # walls stand on single cells
    ends = ends_of_features(part, no_spans)[placement.rows]
    codes = placement.numbers  # of drawings that are not cut
    return placement._replace(numbers=ends * _code_count(pieces) + codes)


def _walled_cells(part: ScenePart, groups: PictureGroups) -> WalledCells:
    """Return the cells of a part that have walls around them."""
    rows = np.flatnonzero(groups.walled[part.terrain])
    terrain = groups.wall_terrain[part.terrain[rows]]
    wall_kind = groups.walled[terrain]
    terrain_around = part.terrain_around[:, rows]  # -1 beyond the end of the map
    kind_around = np.append(groups.walled, 0)[terrain_around]  # the last value is that of -1
    goes_on = (kind_around == wall_kind) | (terrain_around < 0)
    return WalledCells(rows, terrain, wall_kind, goes_on)


def _codes(
    pieces: Pieces, terrain: NDArray[np.intp], side: int, drawing: NDArray[np.intp] | int
) -> NDArray[np.intp]:
    """Return the codes (n,) of drawings of a side that no end of the map cuts off.

    ``terrain`` (n,) are codes of terrains, ``drawing`` is ``TOWER`` or the number of a wall.
    """
    return (terrain * pieces.layout.degree + side) * DRAWINGS_OF_SIDE + drawing


def _code_count(pieces: Pieces) -> int:
    """Return the number of codes that ``_codes`` can return: they are less than this."""
    return len(pieces.terrain_set.terrains) * pieces.layout.degree * DRAWINGS_OF_SIDE


def _walls_on_side(pieces: Pieces, part: ScenePart, walled: WalledCells, side: int) -> Placement:
    """Return the walls on one side of all cells.

    A straight wall ends in towers. A bent wall turns at its ends: where the ground goes on beyond
    the next side, towards the wall of the neighbour there, else along its own cell.
    """
    degree = pieces.layout.degree
    at_wall = np.flatnonzero(~walled.goes_on[side])
    rows = walled.rows[at_wall]
    goes_on_before = walled.goes_on[(side - 1) % degree, at_wall]
    goes_on_after = walled.goes_on[(side + 1) % degree, at_wall]
    shape = hash_cells(part.cells[rows], bits=1, salt=SHAPE_SALT + side)  # 0 or 1
    bends = goes_on_before * GOES_ON_BEFORE + goes_on_after * GOES_ON_AFTER + shape * SECOND_SHAPE
    wall_kind = walled.wall_kind[at_wall]
    drawing = np.where(_is_bent(wall_kind), bends, STRAIGHT)
    codes = _codes(pieces, walled.terrain[at_wall], side, drawing)

    middle_y = side_middle(pieces.layout, side).y()
    offset = np.where(wall_kind == WallKind.PIT, -PIT_ORDER * middle_y - PIT_EARLIER, middle_y)
    return Placement(codes, rows, south=part.centres[rows, 1] + offset)


def _towers_on_corner(
    pieces: Pieces, part: ScenePart, walled: WalledCells, corner: int
) -> Placement:
    """Return the towers on one corner of all cells with straight walls.

    Three cells meet at a corner of a hex. If one of them is within the walls, two walls of this
    cell meet there, and it draws the tower. If two are within, their walls meet in a notch, and the
    southernmost of the two draws the tower.
    """
    layout = pieces.layout
    sides = ((corner - 1) % layout.degree, corner)
    is_owner = np.zeros(len(walled.rows), np.bool_)
    for side, opposite in (sides, sides[::-1]):
        # In a notch the cell beyond one side is within, too.
        is_southern = _lies_south_of_neighbour(layout, side)
        is_owner |= ~walled.goes_on[opposite] & (~walled.goes_on[side] | is_southern)
    is_owner &= ~_is_bent(walled.wall_kind)
    at_tower = np.flatnonzero(is_owner)
    codes = _codes(pieces, walled.terrain[at_tower], corner, TOWER)
    rows = walled.rows[at_tower]
    southern_wall_y = max(side_middle(layout, side).y() for side in sides)
    south = part.centres[rows, 1] + southern_wall_y + TOWER_LATER
    return Placement(codes, rows, south)


def _lies_south_of_neighbour(layout: Layout, side: int) -> bool:
    """Return whether a cell lies further south than the one beyond a side.

    It does if the side lies in the north of the cell. Of two cells at the same height the eastern
    one counts as the southern: that whose side lies in the west.
    """
    middle = side_middle(layout, side)
    middle_y = round(middle.y(), 6)  # an error of rounding would make equal heights differ
    return middle_y < 0 or (middle_y == 0 and middle.x() < 0)


def _is_bent(wall_kind: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which of these kinds of walls (n,) are bent: booleans (n,)."""
    return np.isin(wall_kind, list(BENT_WALLS))


def wall_piece(pieces: Pieces, groups: PictureGroups, code: int) -> Piece:
    """Return the wall or tower with a code that ``walls_around`` has returned.

    It is a group of a terrain's picture (an SVG) with a name such as "flat-wall2-1"
    (``picture_groups``); the groups of a side are counted from 1.
    """
    ends, whole_code = divmod(code, _code_count(pieces))
    terrain_and_side, drawing = divmod(whole_code, DRAWINGS_OF_SIDE)
    terrain, side = divmod(terrain_and_side, pieces.layout.degree)
    if drawing == TOWER:
        name = f"{groups.prefix}-tower{side}-1"
    else:
        name = f"{groups.prefix}-wall{side}-{drawing + 1}"
    piece = piece_of_group(pieces, terrain, name, ("wall", code))
    if ends:  # a code of ends (``map_ends``), 0 where no end of the map is near
        piece = piece._replace(clip=area_within_ends(pieces.layout, (), ends))
    return piece
