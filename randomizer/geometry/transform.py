"""A whole map turned, flipped, resized or shifted, as one edit.

    turned = turn_map(battlemap, rotation(battlemap.grid.layout, 1))
    turned.edit                  # turns the map
    turned.lost                  # the number of cells and things that would be lost

The tools and commands of the desk call ``turn_map``, ``resize_map`` and ``shift_map``. Each works
out two things: the new grid, and for every existing cell its *image*, the cell of the new grid to
which it comes. ``move_contents`` (cell_moves.py) does the rest, which is the same for all three.

Positions are of two kinds. Those of the file, (x, y), are column and row. *Axial* ones, (q, r), are
measured along two directions of the layout, so that a step to a neighbour adds the same everywhere;
only these can be turned.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, axial_of
from randomizer.geometry.cell_moves import CellMove, Transformed, move_contents
from randomizer.geometry.symmetry import middle, shift_about
from randomizer.geometry.turn import Turn
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.system.system import System

BoolArray = NDArray[np.bool_]

MAX_CELLS = 4_000_000
"""The most cells of a map, those included that do not exist."""


def turn_map(battlemap: BattleMap, turn: Turn, *, keep_board: bool = False) -> Transformed:
    """Return the map turned or flipped (``turn.rotation``, ``turn.left_right`` ...).

    The board turns, too: a rectangle of hexes turned by 60 degrees is slanted in a larger one, with
    masked cells in its corners. With ``keep_board`` (and for games with one board) the board stays
    and what leaves it is lost. Raises ProblemError for a turn that does not map the seam of a
    wrapped map onto itself, and for a board that would become too large.
    """
    grid = battlemap.grid
    if grid.wrap:
        _check_seam(grid, turn)
    q, r = turn.apply(*axial_of(grid, grid.cells))
    if keep_board or battlemap.system.fixed_grid:
        # About the middle of the board, so that as much as possible stays on it.
        shift = shift_about(turn, middle(grid, [turn]))
        assert shift is not None, "the middle is a centre about which cells map to cells"
        new_grid = grid
        x, y = grid.offset(q + shift[0], r + shift[1])
    elif grid.wrap:
        # Columns may lie beyond the seam, rows may not.
        x, y = _wrapped_xy(grid, turn, q, r)
        new_grid = _board(grid, grid.width, int(y.max()) + 1, x % grid.width, y)
    else:
        # The board is as large as what was turned.
        x, y = _from_zero(grid, q, r)
        new_grid = _board(grid, int(x.max()) + 1, int(y.max()) + 1, x, y)
    check_system(battlemap.system, new_grid)
    images = new_grid.cells_of_xy(x, y)
    return move_contents(battlemap, CellMove(grid, new_grid, images, turn))


def resize_map(
    battlemap: BattleMap,
    width: int,
    height: int,
    anchor: tuple[float, float] = (0.0, 0.0),
) -> Transformed:
    """Return the map with another number of columns and rows.

    ``anchor`` is the position of the present map in the new one: from (0, 0) at the left and the
    top of the screen to (1, 1) at the right and the bottom. Hexes with alternately shifted columns
    (or rows) can only move by an even number of them: an odd one is added, or cut, at the other
    end. Raises ProblemError for an invalid size, and for a game with one board.
    """
    grid = battlemap.grid
    system = battlemap.system
    if system.fixed_grid:
        raise error("resize-board", f"the board of a {system.title} has one size")
    check_size(width, height)
    try:
        new_grid = replace(grid, width=width, height=height, mask=None)
    except ValueError as problem:
        raise error("resize-seam", f"this world wraps: {problem}") from problem
    check_system(system, new_grid)
    dx, dy = _shift_of_resize(grid, width, height, anchor)
    if grid.mask is not None:
        mask = _resized_mask(grid.mask, width, height, dx, dy)
        if not mask.any():
            raise error("resize-empty", "that would cut off every cell of the map")
        if not mask.all():  # a grid on which all cells exist has no mask
            new_grid = replace(new_grid, mask=mask)

    ys, xs = np.divmod(grid.cells, grid.width)
    new_xs = xs + dx
    # On a wrapped grid a column beyond the seam would be one on the other side of the map.
    is_inside = (new_xs >= 0) & (new_xs < width)
    images = new_grid.cells_of_xy(np.where(is_inside, new_xs, 0), ys + dy)
    images = np.where(is_inside, images, -1)
    return move_contents(battlemap, CellMove(grid, new_grid, images, _no_turn(grid)))


def _shift_of_resize(
    grid: Grid, width: int, height: int, anchor: tuple[float, float]
) -> tuple[int, int]:
    """Return the column and row of the new map at which the first cell of the old one comes to lie.

    They are below 0 where the map is cut at the left or the top.
    """
    share_x, share_y = anchor
    if grid.layout.shear is Shear.OBLIQUE:  # there the first row is at the bottom of the screen
        share_y = 1 - share_y
    dx = round((width - grid.width) * share_x)
    dy = round((height - grid.height) * share_y)
    # An odd number would exchange shifted and unshifted columns; ``int`` rounds towards 0.
    if grid.layout.shear is Shear.COLUMNS:
        dx = int(dx / 2) * 2
    elif grid.layout.shear is Shear.ROWS:
        dy = int(dy / 2) * 2
    return dx, dy


def _resized_mask(old_mask: BoolArray, width: int, height: int, dx: int, dy: int) -> BoolArray:
    """Return the mask of a resized map: new cells exist, old ones are as they were."""
    old_height, old_width = old_mask.shape
    mask = np.ones((height, width), np.bool_)
    # The part of the new map that the old one covers; the two slices of both have one shape.
    first_x = max(0, dx)
    first_y = max(0, dy)
    covered = mask[first_y : max(0, old_height + dy), first_x : max(0, old_width + dx)]
    remaining = old_mask[first_y - dy :, first_x - dx :]
    covered[:] = remaining[: covered.shape[0], : covered.shape[1]]
    return mask


def shift_map(battlemap: BattleMap, dx: int, dy: int) -> Transformed:
    """Return the map moved by columns and rows; what leaves at one edge enters at the other.

    Alternately shifted columns (or rows) keep their neighbours: moved by an odd number of columns,
    every second column moves half a cell less, the others half a cell more. Shifting back restores
    the map. Only what lands on a hole of the board is lost.
    """
    grid = battlemap.grid
    y, x = np.divmod(grid.cells, grid.width)
    if grid.layout.shear is Shear.COLUMNS:
        new_x, shift_along = _shift_columns(x, dx, grid.width)
        new_y = y + dy + shift_along
    elif grid.layout.shear is Shear.ROWS:  # as columns, with x and y exchanged
        new_y, shift_along = _shift_columns(y, dy, grid.height)
        new_x = x + dx + shift_along
    else:
        new_x = x + dx
        new_y = y + dy
    images = grid.cells_of_xy(new_x % grid.width, new_y % grid.height)
    return move_contents(battlemap, CellMove(grid, grid, images, _no_turn(grid)))


def _no_turn(grid: Grid) -> Turn:
    """Return the turn that leaves everything in a cell as it is."""
    return Turn(grid.layout, 0)


def _shift_columns(columns: Cells, steps: int, count: int) -> tuple[Cells, Cells]:
    """Return columns moved cyclically by ``steps``, and how many cells each moves along itself.

    ``columns`` and both results have shape (n,); ``count`` is the number of columns of the map.

    Every second column is shifted by half a cell. So a column that comes to one of the other kind
    must also move half a cell along itself to keep its neighbours. It can only move by whole cells,
    so the columns of one kind move by one, and the others not at all::

        columns 0 1 2 3 of four, by one step
        new_columns     1 2 3 0
        rounds          0 0 0 1
        pairs_passed    0 1 0 -1      (0>>1) to (1>>1), (1>>1) to (2>>1), ...
        shift_along     0 1 0 1       less the pairs of the shift, 0, and 2 pairs for the round

    Columns that went round the map are counted apart, so that a shift back by the same number is
    the inverse.
    """
    steps = int(np.fmod(steps, count))
    rounds, new_columns = np.divmod(columns + steps, count)
    # Two columns are a pair, one of each kind. A column moves along itself if it has passed one
    # pair more, or less, than the shift itself does. Columns that went round begin at 0 again: for
    # them the pairs of the whole map are added.
    pairs_passed = (new_columns >> 1) - (columns >> 1)
    pairs_of_shift = int(steps / 2)  # rounded towards 0, so that a shift back is the inverse
    pairs_of_rounds = rounds * (count // 2)
    shift_along = pairs_passed - pairs_of_shift + pairs_of_rounds
    return new_columns, shift_along


# --- boards ---------------------------------------------------------------------------------------


def check_system(system: System, grid: Grid) -> None:
    """Raise ProblemError for a grid that no map of the system can have."""
    why_not = system.why_not_grid(grid)
    if why_not:
        raise error("map-size", why_not)


def check_size(width: int, height: int) -> None:
    """Raise ProblemError for a size that no map can have."""
    if width < 1 or height < 1:
        raise error("map-size", "a map needs at least one column and one row")
    if width * height > MAX_CELLS:
        raise error(
            "map-size",
            f"a map of {width:,} x {height:,} would be too large (at most {MAX_CELLS:,} cells)",
        )


def _board(grid: Grid, width: int, height: int, x: Cells, y: Cells) -> Grid:
    """Return a grid of this size, of whose cells only those at ``x`` and ``y`` (n,) exist."""
    check_size(width, height)
    mask = None
    if len(x) < width * height:
        mask = np.zeros((height, width), np.bool_)
        mask[y, x] = True
    return replace(grid, width=width, height=height, mask=mask)


def _from_zero(grid: Grid, q: Cells, r: Cells) -> tuple[Cells, Cells]:
    """Return file coordinates of axial ones, all moved so that the first column and row are 0.

    Where the cells lie in the axial plane does not matter: a map that six turns of 60 degrees have
    brought back to its shape is the same map, wherever it has moved on the way.
    """
    if grid.layout.shear is Shear.COLUMNS:  # the shift decides which columns are the lower ones
        q = q - q.min()
    elif grid.layout.shear is Shear.ROWS:
        r = r - r.min()
    x, y = grid.offset(q, r)
    return x - x.min(), y - y.min()


def _check_seam(grid: Grid, turn: Turn) -> None:
    """Raise ProblemError if a turn does not map the seam of a wrapped map onto itself."""
    seam = grid.step_around  # the step once around the map
    if turn.apply(*seam) not in (seam, (-seam[0], -seam[1])):
        raise error(
            "turn-seam",
            "this world wraps from east to west: it can be flipped or turned half round",
        )


def _wrapped_xy(grid: Grid, turn: Turn, q: Cells, r: Cells) -> tuple[Cells, Cells]:
    """Return file coordinates of turned axial ones on a wrapped map, in rows from 0.

    If top and bottom are exchanged, alternately shifted rows can fit only half a cell farther
    around; nothing is lost by that.
    """
    if grid.layout.shear is Shear.COLUMNS:
        # Either the columns are shifted as before, or all are moved by one: what needs fewer rows.
        row_spans = []
        for column_shift in range(2):
            _x, y = grid.offset(q + column_shift, r)
            row_spans.append(np.ptp(y))
        column_shift = int(np.argmin(row_spans))
        x, y = grid.offset(q + column_shift, r)
    else:
        x, y = grid.offset(q, r)
        if grid.layout.shear is Shear.OBLIQUE:
            x = x - (y.min() >> 1)
        elif grid.layout.shear is Shear.ROWS:
            r = r - r.min()
            x, y = grid.offset(q + (int(r.max()) >> 1), r)
    return x, y - y.min()
