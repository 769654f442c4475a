"""Transitions of grounds of a landscape: that of a higher terrain reaches into lower cells.

Over the ground of every cell (``fading_grounds``) two things are drawn: the *shores*, where land
reaches into the cells of water (``shores``); and the *transitions*, the grounds of higher terrains
within a mask (``edge_masks``) with a soft rim (``mask_rims``). Which terrain is higher, and which
has a shore, is in ``ground_traits``. A *ground code* is the number of a ground; -1, for none, finds
the last entry of each of its arrays. A scene
calls ``batches``, where reading begins: it finds what reaches into which cells, all cells at once,
and makes a piece for each combination that occurs.

A *mask* says from where a ground reaches into a cell: one bit for each side, and for squares one
for each corner above those. A square with forest beyond the sides 1 and 2, and rock beyond the
corner 0, has two transitions::

    forest  0b0000_0110     the sides 1 and 2; the corner between them is covered with them
    rock    0b0001_0000     the corner 0 alone
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import faint
from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.piece import Mask, Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.edge_lines import LEVELS
from app.render.scene.landscape.edge_masks import EdgeMask, region
from app.render.scene.landscape.edge_patches import patches
from app.render.scene.landscape.edge_shapes import PLAIN, SHAPES, phase_of_shape, shapes_at
from app.render.scene.landscape.fading_grounds import (
    MASKS,
    families_in,
    ground,
    terrains_around,
)
from app.render.scene.landscape.ground_traits import GroundTraits, traits_of
from app.render.scene.landscape.mask_rims import (
    Rim,
    RimLevel,
    box_around,
    fill_rim,
    reach_over_sides,
)
from app.render.scene.landscape.shores import shore_piece
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces


class _RimStyle(NamedTuple):
    """The rim of a transition, in the colour of the ground that reaches in."""

    levels: Rim
    """The translucent levels of the mask, the outermost first."""

    whole_level: int = LEVELS - 1
    """The level whose area is filled without letting anything through."""


CRISP = _RimStyle((RimLevel(4, 0.3), RimLevel(5, 0.5)))
"""The narrow rim of coasts and of what people made."""

SOFT = _RimStyle((RimLevel(0, 0.13), RimLevel(1, 0.2), RimLevel(2, 0.28), RimLevel(4, 0.5)))
"""The wide rim of land in the cells of other land: one fades into the other."""

LONE = _RimStyle((RimLevel(0, 0.2), RimLevel(1, 0.3), RimLevel(2, 0.45)), whole_level=3)
"""The wide rim of land all around a single cell of other land.

Of the other ground only a spot is left, as under the tents of a camp.
"""

PATCH_OPACITY = 0.55
"""With more, the patches that are scattered beyond a soft rim would look cut out."""


class _TransitionCode(NamedTuple):
    """A transition: six numbers, or six arrays (n,) for n transitions.

    ``joined`` makes one number of the six, by which numpy finds the different pieces among many
    cells; ``split`` makes the six of one number again, for the piece that is drawn.
    """

    ground_code: Any
    """The ground that reaches into the cell."""
    mask: Any
    """The sides and corners over which it reaches in, as bits."""
    own_mask: Any
    """Those of ``mask`` beyond which the ground itself lies.

    Beyond the others there is a higher one, below which it goes on (``_going_on_below_higher``).
    """
    shape: Any
    """The shape of the edge (``edge_shapes``), which has one phase of the ground's picture."""
    is_crisp: Any
    """1 for a ``CRISP`` rim, 0 for a ``SOFT`` one."""
    tint: Any
    """The elevation, counted from ``DEEPEST``: so it is never negative."""

    def joined(self) -> Any:
        """Return the code as one number, or as one array (n,)."""
        masks = (self.ground_code * MASKS + self.mask) * MASKS + self.own_mask
        edge = masks * SHAPES + self.shape
        return (edge * 2 + self.is_crisp) * TINTS + self.tint

    @classmethod
    def split(cls, number: int) -> _TransitionCode:
        """Return the code of a number of ``joined``."""
        remainder, tint = divmod(number, TINTS)
        remainder, is_crisp = divmod(remainder, 2)
        remainder, shape = divmod(remainder, SHAPES)
        remainder, own_mask = divmod(remainder, MASKS)
        ground_code, mask = divmod(remainder, MASKS)
        return cls(ground_code, mask, own_mask, shape, is_crisp, tint)


class _Neighbourhood(NamedTuple):
    """The cells of a part into which another ground reaches."""

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    grounds_reaching: NDArray[np.intp]
    """The grounds that reach in beyond sides and corners, (sides, n); -1 where none does."""

    is_water: NDArray[np.bool_]
    """True if the cell itself is water, (n,)."""

    is_rock: NDArray[np.bool_]
    """True if the cell itself is rock with walls around it, (n,)."""

    is_flat: NDArray[np.bool_]
    """True if the cell itself is a mere colour, (n,)."""

    shapes: NDArray[np.intp]
    """The shapes of the edges in the cells, (n,)."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield shores, then the transitions from the lowest terrain to the highest."""
    neighbourhood = _neighbourhood(pieces, part)
    if len(neighbourhood.rows):
        yield from _shore_batches(pieces, part, neighbourhood)
        yield from _transition_batches(pieces, part, neighbourhood)


def _neighbourhood(pieces: Pieces, part: ScenePart) -> _Neighbourhood:
    """Return what reaches into which cells of a part."""
    traits = traits_of(pieces.terrain_set)
    grounds = traits.ground_code[part.terrain]
    grounds_around = traits.ground_code[terrains_around(part)]
    has_meadow_between = _has_meadow_between(traits, grounds, grounds_around)
    grounds_around = np.where(has_meadow_between, traits.meadow, grounds_around)
    family = families_in(traits, part)
    reaches_in = _reaches_in(traits, family, grounds, grounds_around, part.grid.degree)
    reaches_in |= has_meadow_between
    rows = np.flatnonzero(reaches_in.any(axis=0))
    if pieces.coarse:  # fewer different pieces, for tiles of a map seen from afar
        shapes = np.full(len(rows), PLAIN, np.intp)
    else:
        shapes = shapes_at(part.grid.layout, part.centres[rows])
    return _Neighbourhood(
        rows,
        grounds_reaching=np.where(reaches_in[:, rows], grounds_around[:, rows], -1),
        is_water=traits.is_water[grounds[rows]],
        is_rock=traits.is_rock[grounds[rows]],
        is_flat=traits.is_flat[grounds[rows]],
        shapes=shapes,
    )


def _has_meadow_between(
    traits: GroundTraits, grounds: NDArray[np.intp], grounds_around: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return over which sides and corners a strip of meadow reaches in, (sides, n).

    It takes the place of the ground that lies there: between fields and water, on either side, and
    in fields along walls. The parameters are those of ``_reaches_in``.
    """
    if traits.meadow < 0:  # the terrain set has no meadow
        return np.zeros(grounds_around.shape, np.bool_)
    ends_fields = traits.is_water[grounds_around] | traits.is_walled[grounds_around]
    is_water_at_field = traits.is_water[grounds] & traits.is_field[grounds_around]
    return (traits.is_field[grounds] & ends_fields) | is_water_at_field


def _reaches_in(
    traits: GroundTraits,
    family: NDArray[np.intp],
    grounds: NDArray[np.intp],
    grounds_around: NDArray[np.intp],
    degree: int,
) -> NDArray[np.bool_]:
    """Return beyond which sides and corners a ground lies that reaches into the cell, (sides, n).

    ``grounds`` (n,) are those of the cells and ``grounds_around`` (sides, n) those around them;
    ``degree`` is the number of sides, without corners. ``family`` is as in ``families_in``.
    """
    result: NDArray[np.bool_] = traits.priority[grounds_around] > traits.priority[grounds]
    # The faces of rock bend, so the ground of a neighbour goes on below them: whatever it is, it
    # reaches into a cell of rock.
    is_below_rock = traits.is_rock[grounds] & (grounds_around >= 0)
    is_below_rock[degree:] = False  # no face stands on a corner alone
    result |= is_below_rock
    # Other walls stand straight on the edge of the cell, where the grounds on both sides end.
    result &= ~(traits.is_walled[grounds] & ~is_below_rock)
    result &= ~traits.is_walled[grounds_around]
    # A picture of the user's own is shown as it is.
    result &= ~(traits.is_foreign[grounds] | traits.is_foreign[grounds_around])
    # Terrains of one family fade into each other (``fading_grounds``).
    result &= (family[grounds] == 0) | (family[grounds_around] != family[grounds])
    return result


def _shore_batches(
    pieces: Pieces, part: ScenePart, neighbourhood: _Neighbourhood
) -> Iterator[Batch]:
    """Yield one batch with the shores in the cells of water, or none."""
    if not neighbourhood.is_water.any():
        return
    has_beach = traits_of(pieces.terrain_set).has_beach[neighbourhood.grounds_reaching]
    masks = bit_masks(has_beach & neighbourhood.is_water)
    masks = _without_corners_at_sides(masks, part.grid.degree)
    (at_shore,) = masks.nonzero()
    codes = masks[at_shore] * SHAPES + neighbourhood.shapes[at_shore]
    numbers = pieces.numbers("shore", codes, partial(shore_piece, pieces))
    yield Batch(numbers, neighbourhood.rows[at_shore])


def _transition_batches(
    pieces: Pieces, part: ScenePart, neighbourhood: _Neighbourhood
) -> Iterator[Batch]:
    """Yield one batch with the transitions, or none.

    A cell with several higher grounds around it has several, from the lowest to the highest.
    """
    traits = traits_of(pieces.terrain_set)
    # A step is an edge by itself.
    is_step = part.rises[:, neighbourhood.rows] != 0
    grounds_reaching = np.where(is_step, -1, neighbourhood.grounds_reaching)
    reaching = _grounds_beyond(grounds_reaching, traits.priority, part.grid.degree)
    cell_indices = reaching.cell_indices
    if not len(cell_indices):
        return
    rows = neighbourhood.rows[cell_indices]
    # Rims are narrow where a wide one would show below the faces of rock or over the sand of a
    # beach. Marshes have no beach: their pools go over into open water, with a wide rim.
    at_beach = neighbourhood.is_water[cell_indices] & traits.has_beach[reaching.ground_codes]
    has_narrow_rims = neighbourhood.is_rock | neighbourhood.is_flat
    is_narrow = at_beach | has_narrow_rims[cell_indices]
    code = _TransitionCode(
        ground_code=reaching.ground_codes,
        own_mask=reaching.masks,
        mask=_going_on_below_higher(traits, grounds_reaching, reaching, part.grid.degree),
        shape=neighbourhood.shapes[cell_indices],
        is_crisp=traits.is_crisp[reaching.ground_codes] | is_narrow,
        tint=part.elevation[rows] - DEEPEST,
    )
    numbers = pieces.numbers("transition", code.joined(), partial(_transition, pieces))
    yield Batch(numbers, rows)


class _GroundsBeyond(NamedTuple):
    """The grounds around cells, one entry for each ground around each cell: arrays (k,)."""

    ground_codes: NDArray[np.intp]

    cell_indices: NDArray[np.intp]
    """The index of the cell in the ``_Neighbourhood``."""

    masks: NDArray[np.intp]
    """The sides and corners beyond which the ground lies, as bits."""


def _grounds_beyond(
    beyond: NDArray[np.intp], priority: NDArray[np.intp], degree: int
) -> _GroundsBeyond:
    """Return the grounds around cells, ordered by their ``priority`` and then by cells.

    No two grounds have the same priority (``ground_traits.priorities``).

    ``beyond`` (sides, n), or (sides + corners, n), are the ground codes beyond each side of n
    cells, -1 where none counts. So ``beyond = [[5, 7], [5, -1], ...]`` gives the ground 5 at the
    cell 0 with the mask 0b0011, and the ground 7 at the cell 1 with the mask 0b0001.
    """
    sides, cell_indices = np.nonzero(beyond >= 0)
    ground_codes = beyond[sides, cell_indices]

    # All the sides of one cell beyond which one ground lies have the same number; sorted by it
    # they form a run, whose bits are joined to one mask.
    pair_numbers = priority[ground_codes] * beyond.shape[1] + cell_indices
    order = np.argsort(pair_numbers, kind="stable")
    pair_numbers = pair_numbers[order]
    is_first = np.ones(len(pair_numbers), np.bool_)
    is_first[1:] = pair_numbers[1:] != pair_numbers[:-1]
    (starts,) = is_first.nonzero()
    if not len(starts):  # ``reduceat`` needs one; all three arrays are empty
        return _GroundsBeyond(ground_codes, cell_indices, sides)
    masks = np.bitwise_or.reduceat(1 << sides[order], starts)
    masks = _without_corners_at_sides(masks, degree)
    firsts = order[starts]
    return _GroundsBeyond(ground_codes[firsts], cell_indices[firsts], masks)


def _going_on_below_higher(
    traits: GroundTraits, grounds_reaching: NDArray[np.intp], reaching: _GroundsBeyond, degree: int
) -> NDArray[np.intp]:
    """Return the masks (k,) of ``reaching``, with the sides at which a ground goes on.

    It goes on from its own sides to the next ones as long as a higher ground lies there, and is
    drawn below that one. If it ended at its own sides, neither of two lands that meet at a corner
    of the cell would fill the bay between them. Water does not go on below land.
    """
    # -1, where no ground reaches in, has the least priority.
    priorities_around = traits.priority[grounds_reaching[:degree, reaching.cell_indices]]
    is_higher = priorities_around > traits.priority[reaching.ground_codes]
    higher_masks = bit_masks(is_higher & ~traits.is_water[reaching.ground_codes])
    all_sides = (1 << degree) - 1
    masks = reaching.masks
    # Each round goes on by one side in both directions, so after degree - 1 all sides are reached.
    # Mostly there is nowhere to go on already after the first.
    for _ in range(degree - 1):
        sides = masks & all_sides
        # Of hexes, 0b100001 (the sides 0 and 5) becomes 0b000011 and 0b110000. The bits that leave
        # the mask at its upper end are not in ``higher_masks``.
        clockwise = (sides << 1) | (sides >> (degree - 1))
        anticlockwise = (sides >> 1) | (sides << (degree - 1))
        new_sides = (clockwise | anticlockwise) & higher_masks & ~masks
        if not new_sides.any():
            break
        masks = masks | new_sides
    return _without_corners_at_sides(masks, degree)


def _without_corners_at_sides(masks: NDArray[np.intp], degree: int) -> NDArray[np.intp]:
    """Return masks (n,) of sides and corners without those corners that lie at a side of the mask.

    What reaches in over a side covers both corners at it. Only masks of squares have corners: bits
    4 to 7, of which corner ``n`` lies between the sides ``n - 1`` and ``n``.
    """
    if degree == 6:
        return masks
    sides = masks & 0b1111
    next_sides = ((sides << 1) & 0b1111) | (sides >> 3)  # side 0 follows side 3
    corners_at_sides = sides | next_sides
    return masks & ~(corners_at_sides << 4)


# --- transitions ----------------------------------------------------------------------------------


def _transition(pieces: Pieces, number: int) -> Piece:
    """Return the ground of a terrain within a mask, with a soft rim, by its ``_TransitionCode``."""
    code = _TransitionCode.split(number)
    elevation = code.tint + DEEPEST
    whole = ground(pieces, code.ground_code, phase_of_shape(pieces.layout, code.shape), elevation)
    edge = EdgeMask(
        pieces.layout,
        code.mask,
        code.shape,
        overlap=reach_over_sides(pieces),
        overlapped_sides=code.own_mask,
    )
    is_crisp = bool(code.is_crisp)
    rim = _rim_of(edge, is_crisp=is_crisp)
    innermost = RimLevel(rim.whole_level, 1.0)
    scattered: tuple[QPolygonF, ...] = ()
    if not is_crisp:
        scattered = patches(edge)

    def draw_rim(painter: QPainter) -> None:
        colour = pieces.ground_colour(code.ground_code, elevation)
        fill_rim(painter, edge, colour, rim.levels)
        _fill_patches(painter, scattered, colour)

    def draw_mask(painter: QPainter) -> None:
        black = QColor("#000000")  # of masks only the opacity counts
        fill_rim(painter, edge, black, (*rim.levels, innermost))
        _fill_patches(painter, scattered, black)

    key = (code.ground_code, code.mask, code.own_mask, code.shape, elevation, code.is_crisp)
    outermost = rim.levels[0]
    box = box_around(region(edge, outermost.level))
    for patch in scattered:
        box = box.united(box_around(patch))
    return Piece(
        ("transition", *key),
        box,
        whole.draw,
        clip=region(edge, innermost.level),
        draft=whole.draft,
        under=draw_rim,
        part_of=whole,
        terrain=code.ground_code,
        mask=Mask((edge.mask, edge.overlapped_sides, edge.shape, rim), draw_mask),
    )


def _rim_of(edge: EdgeMask, *, is_crisp: bool) -> _RimStyle:
    """Return the rim of a transition."""
    if is_crisp:
        return CRISP
    all_sides = (1 << edge.layout.degree) - 1
    if edge.mask == all_sides:
        return LONE
    return SOFT


def _fill_patches(painter: QPainter, scattered: tuple[QPolygonF, ...], colour: QColor) -> None:
    """Fill patches of a ground in a colour, through which what lies below shows."""
    if not scattered:
        return
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)  # patches may overlap
    for patch in scattered:
        path.addPolygon(patch)
        path.closeSubpath()
    painter.fillPath(path, faint(colour, PATCH_OPACITY))
