"""Transitions of grounds of a landscape: that of a higher terrain reaches into lower cells.

Over the ground of every cell (``fading_grounds``) two things are drawn: the *shores*, where land
reaches into the cells of water (``shores``); and the *transitions*, the grounds of higher terrains
within a mask (``transition_pieces``). Who reaches in, beyond a side or a corner of the cell::

    the grounds there and in the cell                             reaches in
    field beside water or walls, water beside a field             a strip of meadow between them
    a picture of the user's own, in either                        nothing: it is shown as it is
    both of one family                                            nothing: they fade
    walls beyond the side, or around the cell (but for rock)      nothing: grounds end at a wall
    any ground, and the cell is rock with bent walls              the ground, below the walls
    a ground of higher priority                                   the ground

The first line that fits counts. The terrains are told by ``ground_traits``, where they have *ground
codes*. A *mask* says over which sides and corners a ground reaches into a cell (``side_masks``).

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
from app.render.scene.landscape.shores import shore_piece
from app.render.scene.landscape.side_masks import (
    all_sides,
    next_sides,
    previous_sides,
    without_corners_at_sides,
)
from app.render.scene.landscape.surroundings import Surroundings, surroundings_of
from app.render.scene.landscape.transition_pieces import (
    Transitions,
    transition_codes,
    transition_piece,
)
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces


class _Reached(NamedTuple):
    """The n cells of a part into which another ground reaches.

    In arrays (neighbours, n) the first rows are those of the sides; of squares, those of the
    corners follow, as in ``Surroundings``.
    """

    rows: NDArray[np.intp]
    """Their indices among the cells of the part, (n,)."""

    grounds: NDArray[np.intp]
    """Their own ground codes, (n,)."""

    grounds_reaching: NDArray[np.intp]
    """The codes of grounds that reach in over sides and corners, (neighbours, n).

    ``NO_GROUND`` where none does.
    """

    shapes: NDArray[np.intp]
    """The shapes of the edges in the cells, (n,)."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield shores, then the transitions from the lowest terrain to the highest."""
    reached = _reached_cells(pieces, part)
    if len(reached.rows):
        yield from _shore_batches(pieces, part, reached)
        yield from _transition_batches(pieces, part, reached)


# --- who reaches into whom ------------------------------------------------------------------------

# Arrays of ``GroundTraits`` are looked up by ground codes. ``NO_GROUND``, which is -1, finds their
# last entry, which they have for it: a priority below all others, and False.


def _reached_cells(pieces: Pieces, part: ScenePart) -> _Reached:
    """Return what reaches into which cells of a part."""
    traits = traits_of(pieces.terrain_set)
    surroundings = surroundings_of(traits, part)
    grounds_reaching = _grounds_reaching(traits, surroundings, part.grid.degree)
    rows = np.flatnonzero((grounds_reaching != NO_GROUND).any(axis=0))
    if pieces.coarse:  # fewer different pieces, for tiles of a map seen from afar
        shapes = np.full(len(rows), PLAIN, np.intp)
    else:
        shapes = shapes_at(part.grid.layout, part.centres[rows])
    return _Reached(
        rows,
        grounds=surroundings.grounds[rows],
        grounds_reaching=grounds_reaching[:, rows],
        shapes=shapes,
    )


def _grounds_reaching(
    traits: GroundTraits, surroundings: Surroundings, degree: int
) -> NDArray[np.intp]:
    """Return the ground that reaches into each of n cells over each side and corner.

    The shape is (neighbours, n), with ``NO_GROUND`` where none does: see the table of the module.
    ``degree`` is the number of sides of a cell.
    """
    grounds = surroundings.grounds
    grounds_around = surroundings.grounds_around
    is_higher = traits.priority[grounds_around] > traits.priority[grounds]
    # The walls of rock bend, so the ground of a neighbour goes on below them.
    is_below_rock = traits.is_rock[grounds] & (grounds_around != NO_GROUND)
    is_below_rock[degree:] = False  # no wall stands on a corner alone
    # Other walls stand straight on the edge of the cell, where the grounds on both sides end.
    ends_at_own_wall = traits.is_walled[grounds] & ~is_below_rock
    ends_at_wall = ends_at_own_wall | traits.is_walled[grounds_around]
    is_foreign = traits.is_foreign[grounds] | traits.is_foreign[grounds_around]
    is_kept_out = ends_at_wall | is_foreign | surroundings.is_of_same_family
    reaches_in = (is_higher | is_below_rock) & ~is_kept_out
    result = np.where(reaches_in, grounds_around, NO_GROUND)
    if traits.meadow != NO_GROUND:
        has_meadow_between = _has_meadow_between(traits, grounds, grounds_around)
        result = np.where(has_meadow_between, traits.meadow, result)
    return result


def _has_meadow_between(
    traits: GroundTraits, grounds: NDArray[np.intp], grounds_around: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return over which sides and corners a strip of meadow reaches in, (neighbours, n).

    Fields end in it before water and before walls, and the water has some of it, too. ``grounds``
    (n,) are those of the cells and ``grounds_around`` (neighbours, n) those around them.
    """
    ends_fields = traits.is_water[grounds_around] | traits.is_walled[grounds_around]
    is_field_that_ends = traits.is_field[grounds] & ends_fields
    is_water_at_field = traits.is_water[grounds] & traits.is_field[grounds_around]
    return is_field_that_ends | is_water_at_field


# --- shores and transitions -----------------------------------------------------------------------


def _shore_batches(pieces: Pieces, part: ScenePart, reached: _Reached) -> Iterator[Batch]:
    """Yield one batch with the shores in the cells of water, or none."""
    traits = traits_of(pieces.terrain_set)
    has_beach = traits.has_beach[reached.grounds_reaching] & traits.is_water[reached.grounds]
    masks = without_corners_at_sides(bit_masks(has_beach), part.grid.degree)
    at_shore = np.flatnonzero(masks)
    if not len(at_shore):
        return
    codes = masks[at_shore] * SHAPES + reached.shapes[at_shore]
    numbers = pieces.numbers("shore", codes, partial(shore_piece, pieces))
    yield Batch(numbers, reached.rows[at_shore])


def _transition_batches(pieces: Pieces, part: ScenePart, reached: _Reached) -> Iterator[Batch]:
    """Yield one batch with the transitions, or none.

    A cell with several higher grounds around it has several, from the lowest to the highest.
    """
    traits = traits_of(pieces.terrain_set)
    degree = part.grid.degree
    # A step is an edge by itself.
    is_step = part.rises[:, reached.rows] != 0
    grounds_reaching = np.where(is_step, NO_GROUND, reached.grounds_reaching)
    reaching = _grounds_by_priority(grounds_reaching, traits.priority, degree)
    if not len(reaching.cell_indices):
        return
    rows = reached.rows[reaching.cell_indices]
    own_grounds = reached.grounds[reaching.cell_indices]

    # Rims are narrow where a wide one would show below the walls of rock, on a mere colour or over
    # the sand of a beach. Marshes have no beach: their pools go over into open water.
    is_at_beach = traits.is_water[own_grounds] & traits.has_beach[reaching.ground_codes]
    has_narrow_rims = traits.is_rock[own_grounds] | traits.is_flat[own_grounds]
    is_crisp = traits.is_crisp[reaching.ground_codes] | is_at_beach | has_narrow_rims
    transitions = Transitions(
        ground_code=reaching.ground_codes,
        mask=_masks_below_higher_grounds(traits, grounds_reaching, reaching, degree),
        ground_mask=reaching.masks,
        shape=reached.shapes[reaching.cell_indices],
        tint=part.elevation[rows] - DEEPEST,
        is_crisp=is_crisp.astype(np.intp),
    )
    make_piece = partial(transition_piece, pieces)
    numbers = pieces.numbers("transition", transition_codes(transitions), make_piece)
    yield Batch(numbers, rows)


class _GroundsReaching(NamedTuple):
    """The grounds that reach into cells, one entry for each ground and each cell: arrays (k,)."""

    ground_codes: NDArray[np.intp]
    """The ground ``ground_codes[i]`` reaches into the cell ``cell_indices[i]``."""

    cell_indices: NDArray[np.intp]
    """The cell, as an index of ``_Reached``."""

    masks: NDArray[np.intp]
    """The sides and corners beyond which the ground lies, as bits."""


def _grounds_by_priority(
    grounds_reaching: NDArray[np.intp], priority: NDArray[np.intp], degree: int
) -> _GroundsReaching:
    """Return the grounds that reach into n cells, ordered by their ``priority``, then by cells.

    ``grounds_reaching`` (neighbours, n) are their codes, ``NO_GROUND`` (-1) for none. So with
    [[5, 7], [5, -1], ...] the ground 5 reaches into the cell 0 with the mask 0b0011, and the ground
    7 into the cell 1 with the mask 0b0001.
    """
    sides, cell_indices = np.nonzero(grounds_reaching != NO_GROUND)
    ground_codes = grounds_reaching[sides, cell_indices]
    if not len(sides):
        return _GroundsReaching(ground_codes, cell_indices, masks=np.zeros(0, np.intp))

    # All sides of one cell over which one ground reaches have the same number, as no two grounds
    # have the same priority. Sorted by it they form a run, whose bits are joined to one mask.
    run_numbers = priority[ground_codes] * grounds_reaching.shape[1] + cell_indices
    order = np.argsort(run_numbers, kind="stable")
    run_numbers = run_numbers[order]
    begins_run = np.ones(len(run_numbers), np.bool_)
    begins_run[1:] = run_numbers[1:] != run_numbers[:-1]
    run_starts = np.flatnonzero(begins_run)
    masks = np.bitwise_or.reduceat(1 << sides[order], run_starts)
    firsts = order[run_starts]
    return _GroundsReaching(
        ground_codes[firsts], cell_indices[firsts], without_corners_at_sides(masks, degree)
    )


def _masks_below_higher_grounds(
    traits: GroundTraits,
    grounds_reaching: NDArray[np.intp],
    reaching: _GroundsReaching,
    degree: int,
) -> NDArray[np.intp]:
    """Return the masks (k,) of ``reaching``, with the sides over which a ground goes on.

    It goes on from its own sides to the next ones as long as a higher ground lies there, and is
    drawn below that one. Each ground ends in a round tip at the corner where its sides end. If both
    did so where a lower and a higher one meet, the cell's own ground would show between the tips.
    Water does not go on below land.

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
