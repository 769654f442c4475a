"""Symmetric painting: an edit of a cell is repeated on its twins.

A symmetry is a few turns (or a mirror) about a centre: "turn3" repeats a cell twice, a third of a
turn and two thirds farther on. Tools paint with it::

    symmetry = best_centre(grid, "turn3")
    symmetry.images(grid, cells)          # shape (3, n): the cells, then their twins

The centre can be that of a cell, a corner, or the middle of a side. In axial coordinates these are
at whole numbers, at thirds and at halves, so that a centre is told in sixths: by whole numbers.
Only centres about which cells map to cells are valid.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, axial_of, cells_of_axial
from randomizer.geometry.turn import INWARD, Turn, axis_words, reflection, rotation
from randomizer.model.basics.plurals import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout
    from randomizer.model.things.things import Thing

NONE = "none"
"""The kind of no symmetry."""

_PARTS = 6
"""The coordinates of centres are in so many parts of the step from cell to cell."""

Centre = tuple[int, int]
"""The axial coordinates (q, r) of a centre, in sixths (``_PARTS``)."""

Shift = tuple[int, int]
"""An axial (q, r) translation."""

_SAME_POINT = 1e-6
"""Twins of a thing that are nearer to each other, in map units, are one."""

_SAMPLE = 4000
"""About how many cells of a large board are used to find the best centre.

If larger, the choice takes longer; if smaller, a centre can be chosen that loses a few cells.
"""

_REACH = 9
"""Centres are tried up to so many sixths of a step from the middle: one and a half cells."""


class _TwinMotion(NamedTuple):
    """The motion that takes a cell to one of its twins: a turn about the origin, then a shift."""

    turn: Turn
    """It leaves the axial origin where it is."""

    shift: Shift
    """Added to the coordinates of what was turned."""


class TwinCounts(NamedTuple):
    """The numbers of twins of some cells."""

    off_board: int
    """The number of twins that are outside the map."""

    total: int
    """The number of all twins."""


class SymmetryKind(NamedTuple):
    """A kind of symmetry, as a menu offers it."""

    name: str
    """Its name, such as "turn3"."""

    title: str
    """Its words for the menu."""


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of maps of one layout.

    Raises ValueError for a kind that the layout does not have, or a centre about which cells would
    not map to cells.
    """

    layout: Layout

    kind: str
    """The name of one of ``kinds``, such as "turn3" or "mirror0"."""

    centre: Centre = (0, 0)
    """The point about which the twins of a cell lie."""

    def __post_init__(self) -> None:
        for turn in _turns(self.layout, self.kind):
            if shift_about(turn, self.centre) is None:
                raise ValueError(f"{self.kind} about {self.centre} does not map cells to cells")

    @cached_property
    def _motions(self) -> tuple[_TwinMotion, ...]:
        """The motion to each of the twins."""
        motions = []
        for turn in _turns(self.layout, self.kind):
            shift = shift_about(turn, self.centre)
            assert shift is not None, "checked when the symmetry was made"
            motions.append(_TwinMotion(turn, shift))
        return tuple(motions)

    @property
    def order(self) -> int:
        """The number of cells painted at once, if all twins exist and differ."""
        return len(self._motions) + 1

    @property
    def centre_point(self) -> tuple[float, float]:
        """The centre as a point (x, y) in map units."""
        q, r = self.centre
        return self.layout.point(q / _PARTS, r / _PARTS)

    @property
    def mirror(self) -> Turn | None:
        """The mirror at a line through the axial origin; None for a symmetry that only turns."""
        for turn in _turns(self.layout, self.kind):
            if turn.mirrors:
                return turn
        return None

    def images(self, grid: Grid, cells: Cells) -> NDArray[np.intp]:
        """Return the twins of cells of shape (n,): (order, n), row 0 the cells themselves.

        -1 where the twin would be outside the map.
        """
        q, r = axial_of(grid, np.asarray(cells, np.intp))
        result = np.empty((self.order, len(q)), np.intp)
        result[0] = cells
        for row, (turn, shift) in enumerate(self._motions, 1):
            to_q, to_r = turn.apply(q, r)
            result[row] = cells_of_axial(grid, to_q + shift[0], to_r + shift[1])
        return result

    def side_images(self, grid: Grid, cells: Cells, sides: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the twins of hexsides ``cell * degree + side``: (order, n), -1 outside the map."""
        images = self.images(grid, cells)
        # The image of each side in each twin, (order, degree); row 0: sides of the cell itself.
        images_of_sides = [list(range(grid.degree))]
        for motion in self._motions:
            images_of_sides.append([motion.turn.side(side) for side in range(grid.degree)])
        side_table = np.array(images_of_sides)
        return np.where(images >= 0, images * grid.degree + side_table[:, sides], -1)

    def thing_images(self, grid: Grid, thing: Thing, *, is_text: bool = False) -> list[Thing]:
        """Return the thing and its twins, turned with their cells, all with its id.

        Twins outside the map are left out, and those at the point of another one. With ``is_text``
        no twin is upside down.
        """
        twins = [thing]
        cell = grid.cell_at(thing.x, thing.y)
        if cell < 0:
            return twins
        x, y = grid.shown_point(thing.x, thing.y)
        centre_x, centre_y = grid.centre(cell)
        images = self.images(grid, np.array([cell]))[1:, 0].tolist()
        for image, (turn, _shift) in zip(images, self._motions, strict=True):
            if image < 0:
                continue
            dx, dy = turn.point((x - centre_x) * INWARD, (y - centre_y) * INWARD)
            image_x, image_y = grid.centre(image)
            point = (image_x + dx, image_y + dy)
            if any(math.dist(point, (twin.x, twin.y)) <= _SAME_POINT for twin in twins):
                continue
            if is_text:
                angle = turn.text_angle(thing.angle)
            else:
                angle = turn.angle(thing.angle)
            twins.append(replace(thing, x=point[0], y=point[1], angle=angle))
        return twins

    def corner_images(self, grid: Grid, corners: Cells) -> NDArray[np.intp]:
        """Return the twins of corners (n,): (order, n), row 0 the corners, -1 outside the map.

        The grid must have corners (``Grid.has_corners``).
        """
        y, x = np.divmod(np.asarray(corners, np.intp), grid.width + 1)
        result = np.empty((self.order, len(x)), np.intp)
        result[0] = corners
        for row, (turn, shift) in enumerate(self._motions, 1):
            # Corner (x, y) is at (x - 0.5, y - 0.5): twice that are whole numbers.
            twice_x, twice_y = turn.apply(2 * x - 1, 2 * y - 1)
            to_x = (twice_x + 1) // 2 + shift[0]
            to_y = (twice_y + 1) // 2 + shift[1]
            inside = (to_x >= 0) & (to_x <= grid.width) & (to_y >= 0) & (to_y <= grid.height)
            result[row] = np.where(inside, to_y * (grid.width + 1) + to_x, -1)
        return result

    def twins(self, grid: Grid, cell: int) -> list[int]:
        """Return the twins of a cell, each once, without itself and those outside the map."""
        images = self.images(grid, np.array([cell]))[:, 0].tolist()
        return [image for image in dict.fromkeys(images) if image not in (-1, cell)]

    def twin_sides(self, grid: Grid, cell: int, side: int) -> list[tuple[int, int]]:
        """Return the twins (cell, side) of a hexside, each once, without itself."""
        images = self.side_images(grid, np.array([cell]), np.array([side]))[:, 0].tolist()
        hexside = cell * grid.degree + side
        twins = [image for image in dict.fromkeys(images) if image not in (-1, hexside)]
        return [(image // grid.degree, image % grid.degree) for image in twins]

    def off_board(self, grid: Grid, cells: Cells) -> TwinCounts:
        """Count the twins of the cells, and those of them that are outside the map."""
        images = self.images(grid, cells)
        return TwinCounts(off_board=int((images < 0).sum()), total=images.size - len(cells))

    def warning(self, grid: Grid, cells: Cells) -> str:
        """Return a warning of twins outside the map; "" if there are none."""
        counts = self.off_board(grid, cells)
        return off_board_warning(missing=counts.off_board, count=counts.total)


def off_board_warning(missing: int, count: int) -> str:
    """Return a warning that ``missing`` of ``count`` twins are outside the map; "" if none is."""
    if not missing:
        return ""
    return f"{missing:,} of {count:,} twins {many(missing, 'lies', 'lie')} off the board"


def shift_about(turn: Turn, centre: tuple[int, ...]) -> Shift | None:
    """Return the translation that turns a turn about the origin into one about ``centre``.

    None if cells would not map to cells.
    """
    q, r = centre
    turned_q, turned_r = turn.apply(q, r)
    # The turn moves the centre, so the translation moves it back: by whole cells, or not at all.
    shift_q, parts_q = divmod(q - turned_q, _PARTS)
    shift_r, parts_r = divmod(r - turned_r, _PARTS)
    if parts_q or parts_r:
        return None
    return shift_q, shift_r


def _turns(layout: Layout, kind: str) -> list[Turn]:
    """Return the turns, or the mirror, about the origin by which a cell comes to its twins.

    Raises ValueError for an unknown kind.

    A kind is a word and a number: "turn3" (thirds of a turn), "mirror0" (``turn.reflection``).
    """
    if kind == NONE:
        return []
    degree = layout.degree
    match = re.fullmatch("(turn|mirror)([0-9])", kind)
    if match is not None:
        word = match[1]
        number = int(match[2])
        if word == "mirror" and number < degree:
            return [reflection(layout, number)]
        if word == "turn" and number > 1 and degree % number == 0:
            sides_per_turn = degree // number
            return [rotation(layout, sides_per_turn * count) for count in range(1, number)]
    raise ValueError(f"{layout.name} has no symmetry {kind}")


def kinds(grid: Grid) -> list[SymmetryKind]:
    """Return the symmetries that a grid can have; the first is ``NONE``.

    On a wrapped grid they are only those that map its seam onto itself.
    """
    layout = grid.layout
    folds = {2: "Two-fold turn", 3: "Three-fold turn", 4: "Four-fold turn", 6: "Six-fold turn"}
    all_kinds = [SymmetryKind(NONE, "No symmetry")]
    for count, title in folds.items():
        if layout.degree % count == 0:
            all_kinds.append(SymmetryKind(f"turn{count}", title))
    for axis in range(layout.degree):
        ends = axis_words(layout, axis).replace(" and ", " to ")  # "north and south"
        title = f"Mirror line from {ends}"
        all_kinds.append(SymmetryKind(f"mirror{axis}", title))
    if not grid.wrap:
        return all_kinds
    return [kind for kind in all_kinds if _keeps_seam(grid, kind.name)]


def _keeps_seam(grid: Grid, kind: str) -> bool:
    """Return whether all turns map the step once around a wrapped map to itself or its reverse."""
    q, r = grid.step_around
    return all(turn.apply(q, r) in ((q, r), (-q, -r)) for turn in _turns(grid.layout, kind))


def centred_on(grid: Grid, kind: str, cell: int) -> Symmetry:
    """Return the symmetry about the centre of a cell, which is valid for every kind."""
    q, r = grid.axial(*grid.xy(cell))
    return Symmetry(grid.layout, kind, (_PARTS * q, _PARTS * r))


def best_centre(grid: Grid, kind: str) -> Symmetry:
    """Return the symmetry about ``middle``: of the most cells all twins are on the board."""
    return Symmetry(grid.layout, kind, middle(grid, _turns(grid.layout, kind)))


def middle(grid: Grid, turns: Sequence[Turn]) -> Centre:
    """Return the centre about which the turns keep the most cells on the board.

    Corners and middles of sides are tried as well as cells; among equals the one nearest to the
    middle of the board wins. On large boards a sample of the cells decides.
    """
    q, r = axial_of(grid, _sample_of_cells(grid))
    left, top, right, bottom = grid.bounds
    basis = np.array(grid.layout.basis)
    board_middle = np.array(((left + right) / 2, (top + bottom) / 2))
    nearest = np.round(_PARTS * (board_middle @ np.linalg.inv(basis))).astype(int).tolist()

    # All valid centres around the middle, the best first.
    candidates: list[tuple[int, float, Centre]] = []
    near_middle = [range(near - _REACH, near + _REACH + 1) for near in nearest]
    for centre_q, centre_r in product(*near_middle):
        count = _count_with_all_twins(grid, q, r, turns, (centre_q, centre_r))
        if count is None:
            continue
        point = np.array((centre_q, centre_r)) / _PARTS @ basis
        distance = float(np.linalg.norm(point - board_middle))
        # Rounded, since the last digits differ between computers.
        candidates.append((-count, round(distance, 6), (centre_q, centre_r)))
    _count, _distance, centre = min(candidates)
    return centre


def _sample_of_cells(grid: Grid) -> Cells:
    """Return some 4000 existing cells, spread over the board; all of a small board."""
    step = max(1, grid.size // _SAMPLE)
    if step > 1 and grid.width % step == 0:
        step += 1  # else the sample would be of a few columns only
    cells = np.arange(0, grid.size, step, dtype=np.intp)
    if grid.mask is not None:
        cells = cells[grid.mask.flat[cells]]
    return cells


def _count_with_all_twins(
    grid: Grid, q: Cells, r: Cells, turns: Sequence[Turn], centre: Centre
) -> int | None:
    """Return how many of the cells at axial (q, r), (n,) each, have all their twins on the board.

    None if a turn about the centre does not map cells to cells.
    """
    shifts = [shift_about(turn, centre) for turn in turns]
    if None in shifts:
        return None
    has_all_twins = np.ones(len(q), np.bool_)
    for turn, shift in zip(turns, shifts, strict=True):
        assert shift is not None
        turned_q, turned_r = turn.apply(q, r)
        twins = cells_of_axial(grid, turned_q + shift[0], turned_r + shift[1])
        has_all_twins &= twins >= 0
    return int(has_all_twins.sum())
