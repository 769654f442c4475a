"""Transitions of grounds of a landscape: that of a higher terrain reaches into lower cells.

Over the ground of every cell (``fading_grounds``) two things are drawn: the *shores*, where land
reaches into the cells of water (``shores``); and the *transitions*, the grounds of higher terrains
within a mask (``transition_pieces``). Which terrain is higher, and which has a shore, is in
``ground_traits``. A *ground code* is the number of a ground there, or ``NO_GROUND``. A *mask* says
over which sides and corners a ground reaches into a cell (``side_masks``).

A scene calls ``batches``, where reading begins: it finds what reaches into which cells, all cells
at once, and has a piece made for each combination that occurs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.cell_colours import DEEPEST
from app.render.scene.batch import Batch
from app.render.scene.landscape.edge_shapes import PLAIN, SHAPES, shapes_at
from app.render.scene.landscape.ground_traits import NO_GROUND, GroundTraits, traits_of
from app.render.scene.landscape.grounds import families_in, terrains_around
from app.render.scene.landscape.shores import shore_piece
from app.render.scene.landscape.side_masks import (
    all_sides,
    next_sides,
    previous_sides,
    without_corners_at_sides,
)
from app.render.scene.landscape.transition_pieces import (
    Transition,
    transition_codes,
    transition_piece,
)
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces


class _Neighbourhood(NamedTuple):
    """The cells of a part into which another ground reaches."""

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    grounds_reaching: NDArray[np.intp]
    """The grounds that reach in over sides and corners, (sides, n), or ``NO_GROUND``."""

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
        grounds_reaching=np.where(reaches_in[:, rows], grounds_around[:, rows], NO_GROUND),
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
    if traits.meadow == NO_GROUND:  # the terrain set has no meadow
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
    is_higher = traits.priority[grounds_around] > traits.priority[grounds]
    # The faces of rock bend, so the ground of a neighbour goes on below them: whatever it is, it
    # reaches into a cell of rock.
    is_below_rock = traits.is_rock[grounds] & (grounds_around != NO_GROUND)
    is_below_rock[degree:] = False  # no face stands on a corner alone
    # Other walls stand straight on the edge of the cell, where the grounds on both sides end.
    ends_at_own_wall = traits.is_walled[grounds] & ~is_below_rock
    ends_at_wall = ends_at_own_wall | traits.is_walled[grounds_around]
    # A picture of the user's own is shown as it is.
    is_foreign = traits.is_foreign[grounds] | traits.is_foreign[grounds_around]
    # Terrains of one family fade into each other instead (``fading_grounds``).
    is_of_same_family = (family[grounds] != 0) & (family[grounds_around] == family[grounds])
    is_kept_out = ends_at_wall | is_foreign | is_of_same_family
    result: NDArray[np.bool_] = (is_higher | is_below_rock) & ~is_kept_out
    return result


def _shore_batches(
    pieces: Pieces, part: ScenePart, neighbourhood: _Neighbourhood
) -> Iterator[Batch]:
    """Yield one batch with the shores in the cells of water, or none."""
    has_beach = traits_of(pieces.terrain_set).has_beach[neighbourhood.grounds_reaching]
    masks = bit_masks(has_beach & neighbourhood.is_water)
    masks = without_corners_at_sides(masks, part.grid.degree)
    (at_shore,) = masks.nonzero()
    if not len(at_shore):
        return
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
    grounds_reaching = np.where(is_step, NO_GROUND, neighbourhood.grounds_reaching)
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
    is_crisp = traits.is_crisp[reaching.ground_codes] | is_narrow
    transitions = Transition(
        ground_code=reaching.ground_codes,
        ground_mask=reaching.masks,
        mask=_masks_extended_below_higher(traits, grounds_reaching, reaching, part.grid.degree),
        shape=neighbourhood.shapes[cell_indices],
        is_crisp=is_crisp.astype(np.intp),
        tint=part.elevation[rows] - DEEPEST,
    )
    make_piece = partial(transition_piece, pieces)
    numbers = pieces.numbers("transition", transition_codes(transitions), make_piece)
    yield Batch(numbers, rows)


class _GroundsBeyond(NamedTuple):
    """The grounds around cells, one entry for each ground around each cell: arrays (k,)."""

    ground_codes: NDArray[np.intp]
    """The ground ``ground_codes[i]`` lies around the cell ``cell_indices[i]``."""

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
    cells, ``NO_GROUND`` (-1) where none counts. So ``beyond = [[5, 7], [5, -1], ...]`` gives the
    ground 5 at the cell 0 with the mask 0b0011, and the ground 7 at the cell 1 with the mask
    0b0001.
    """
    sides, cell_indices = np.nonzero(beyond != NO_GROUND)
    ground_codes = beyond[sides, cell_indices]

    # All the sides of one cell beyond which one ground lies have the same number; sorted by it
    # they form a run, whose bits are joined to one mask.
    pair_numbers = priority[ground_codes] * beyond.shape[1] + cell_indices
    order = np.argsort(pair_numbers, kind="stable")
    pair_numbers = pair_numbers[order]
    is_first = np.ones(len(pair_numbers), np.bool_)
    is_first[1:] = pair_numbers[1:] != pair_numbers[:-1]
    (starts,) = is_first.nonzero()
    if not len(starts):  # ``reduceat`` needs one
        return _GroundsBeyond(ground_codes, cell_indices, masks=np.zeros(0, np.intp))
    masks = np.bitwise_or.reduceat(1 << sides[order], starts)
    masks = without_corners_at_sides(masks, degree)
    firsts = order[starts]
    return _GroundsBeyond(ground_codes[firsts], cell_indices[firsts], masks)


def _masks_extended_below_higher(
    traits: GroundTraits, grounds_reaching: NDArray[np.intp], reaching: _GroundsBeyond, degree: int
) -> NDArray[np.intp]:
    """Return the masks (k,) of ``reaching``, with the sides over which a ground goes on.

    It goes on from its own sides to the next ones as long as a higher ground lies there, and is
    drawn below that one. If it ended at its own sides, neither of two lands that meet at a corner
    of the cell would fill the bay between them. Water does not go on below land.

    Of a hexagon with woods (w) beyond the side 0, rock (r) beyond 1, 2 and 4, and nothing beyond 3
    and 5, the woods go on over the sides 1 and 2; nothing leads them to the side 4::

        side        0 1 2 3 4 5
        beyond      w r r - r -
        the woods   w w w - - -
    """
    # Where no ground reaches in, ``NO_GROUND`` has the least priority.
    grounds_around = grounds_reaching[:degree, reaching.cell_indices]
    is_higher = traits.priority[grounds_around] > traits.priority[reaching.ground_codes]
    # The sides, as bits, over which the ground goes on if it reaches one beside them.
    open_sides = bit_masks(is_higher & ~traits.is_water[reaching.ground_codes])

    masks = reaching.masks
    # Each round goes on by one side in both directions, so after degree - 1 all sides are reached.
    # Mostly there is nowhere to go on already after the first.
    for _ in range(degree - 1):
        sides = masks & all_sides(degree)
        sides_beside = next_sides(sides, degree) | previous_sides(sides, degree)
        new_sides = sides_beside & open_sides & ~masks
        if not new_sides.any():
            break
        masks = masks | new_sides
    return without_corners_at_sides(masks, degree)
