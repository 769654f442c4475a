"""Symmetric painting: an edit of a cell is repeated on its twins.

A symmetry is a few turns (or a mirror) about a centre. The centre is a point of a lattice six times
finer than that of the cells (corners are on thirds of it, middles of sides on halves); only centres
about which cells map to cells are valid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells, axial_of, cells_of_axial
from randomizer.geometry.stamp import nearest_copy
from randomizer.geometry.turn import INWARD, Turn, axis_words, reflection, rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout
    from randomizer.model.things.things import Thing

NONE = "none"

Centre = tuple[int, int]
"""Axial (q, r), times six."""

Shift = tuple[int, int]
"""An axial (q, r) translation."""

_SAME_PLACE = 1e-6
"""Twins of a thing that are nearer to each other (map units) are one."""

_SAMPLE = 4000
"""About how many cells of a large board are used to find the best centre."""


@dataclass(frozen=True)
class Symmetry:
    """``kind`` is one of ``kinds``; the twins of every cell are around ``centre``.

    Raises ValueError for a kind that the layout does not have, or a centre about which cells would
    not map to cells.
    """

    layout: Layout
    kind: str
    centre: Centre = (0, 0)

    def __post_init__(self) -> None:
        if any(shift_about(turn, self.centre) is None for turn in _turns(self.layout, self.kind)):
            raise ValueError(f"{self.kind} about {self.centre} would tear cells apart")

    @cached_property
    def _twins(self) -> tuple[tuple[Turn, Shift], ...]:
        """For every twin the turn about the origin, and the translation after it."""
        turns = ((turn, shift_about(turn, self.centre)) for turn in _turns(self.layout, self.kind))
        return tuple((turn, shift) for turn, shift in turns if shift is not None)

    @property
    def order(self) -> int:
        """The number of cells painted at once, if all twins exist and differ."""
        return len(self._twins) + 1

    def images(self, grid: Grid, cells: Cells) -> NDArray[np.intp]:
        """Return the twins of cells of shape (n,): (order, n), row 0 the cells themselves.

        -1 where the twin would be outside the map.
        """
        q, r = axial_of(grid, np.asarray(cells, np.intp))
        result = np.empty((self.order, len(q)), np.intp)
        result[0] = cells
        for row, (turn, shift) in enumerate(self._twins, 1):
            to_q, to_r = turn.apply(q, r)
            result[row] = cells_of_axial(grid, to_q + shift[0], to_r + shift[1])
        return result

    def side_images(self, grid: Grid, cells: Cells, sides: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the twins of hexsides ``cell * degree + side``: (order, n), -1 outside the map."""
        images = self.images(grid, cells)
        turns = [Turn(self.layout, 0), *(turn for turn, _shift in self._twins)]
        table = np.array([[turn.side(side) for side in range(grid.degree)] for turn in turns])
        return np.where(images >= 0, images * grid.degree + table[:, sides], -1)

    def thing_images(self, grid: Grid, thing: Thing, *, is_text: bool = False) -> list[Thing]:
        """Return the thing and its twins, turned with their cells, all with its id.

        Twins outside the map are left out, and those in the place of another one. The twins of a
        text can be read.
        """
        result = [thing]
        cell = grid.cell_at(thing.x, thing.y)
        if cell < 0:
            return result
        x, y = nearest_copy(grid, thing.x, thing.y)
        cx, cy = grid.centre(cell)
        images = self.images(grid, np.array([cell]))[1:, 0].tolist()
        for image, (turn, _shift) in zip(images, self._twins, strict=True):
            if image < 0:
                continue
            off_x, off_y = turn.point((x - cx) * INWARD, (y - cy) * INWARD)
            to_x, to_y = grid.centre(image)
            at = (to_x + off_x, to_y + off_y)
            if all(math.dist(at, (image.x, image.y)) > _SAME_PLACE for image in result):
                turned_angle = turn.text_angle if is_text else turn.angle
                angle = turned_angle(thing.angle)
                result.append(replace(thing, x=at[0], y=at[1], angle=angle))
        return result

    def corner_images(self, grid: Grid, corners: Cells) -> NDArray[np.intp]:
        """Return the twins of corners (n,) of a grid that ``has_corners``: (order, n), -1 off the
        map.
        """
        y, x = np.divmod(np.asarray(corners, np.intp), grid.width + 1)
        result = np.empty((self.order, len(x)), np.intp)
        result[0] = corners
        for row, (turn, shift) in enumerate(self._twins, 1):
            # Twice the place of the corner, so that it is a whole number.
            twice_x, twice_y = turn.apply(2 * x - 1, 2 * y - 1)
            to_x = (twice_x + 1) // 2 + shift[0]
            to_y = (twice_y + 1) // 2 + shift[1]
            inside = (to_x >= 0) & (to_x <= grid.width) & (to_y >= 0) & (to_y <= grid.height)
            result[row] = np.where(inside, to_y * (grid.width + 1) + to_x, -1)
        return result

    def twins(self, grid: Grid, cell: int) -> list[int]:
        """Return other cells painted with ``cell``, each once, without those outside the map."""
        images = self.images(grid, np.array([cell]))[:, 0].tolist()
        return [image for image in dict.fromkeys(images) if image not in (-1, cell)]

    def twin_sides(self, grid: Grid, cell: int, side: int) -> list[tuple[int, int]]:
        """Return the other hexsides (cell, side) that are painted with one."""
        images = self.side_images(grid, np.array([cell]), np.array([side]))[:, 0].tolist()
        own_side = cell * grid.degree + side
        twins = [image for image in dict.fromkeys(images) if image not in (-1, own_side)]
        return [(image // grid.degree, image % grid.degree) for image in twins]

    def off_board(self, grid: Grid, cells: Cells) -> tuple[int, int]:
        """Return how many twins of the cells are outside the map, of how many."""
        images = self.images(grid, cells)
        return int((images < 0).sum()), images.size - len(cells)

    def warning(self, grid: Grid, cells: Cells) -> str:
        """Return a warning of twins outside the map; "" if there are none."""
        return off_board_warning(*self.off_board(grid, cells))


def off_board_warning(missing: int, count: int) -> str:
    """Return a warning that ``missing`` of ``count`` twins are outside the map; "" if none is."""
    if not missing:
        return ""
    lie = "lies" if missing == 1 else "lie"
    return f"{missing:,} of {count:,} twins {lie} off the board"


def shift_about(turn: Turn, centre: tuple[int, ...]) -> Shift | None:
    """Return the translation that turns a turn about the origin into one about ``centre``.

    None if cells would not map to cells.
    """
    to = turn.apply(*centre)
    if any(
        (from_coordinate - target) % 6 for from_coordinate, target in zip(centre, to, strict=True)
    ):
        return None
    return (centre[0] - to[0]) // 6, (centre[1] - to[1]) // 6


def _turns(layout: Layout, kind: str) -> list[Turn]:
    """Return the turns to a cell's twins. Raises ValueError for an unknown kind."""
    degree = layout.degree
    word = kind.rstrip("0123456789")
    number = kind.lstrip("abcdefghijklmnopqrstuvwxyz")
    count = int(number or 0)
    if kind == NONE:
        return []
    if word == "turn" and count > 1 and degree % count == 0:
        return [rotation(layout, degree // count * step) for step in range(1, count)]
    if word == "mirror" and number and count < degree:
        return [reflection(layout, count)]
    raise ValueError(f"{layout.name} has no symmetry {kind}")


def kinds(grid: Grid) -> list[tuple[str, str]]:
    """Return the symmetries that a grid can have, with words for a menu.

    On a wrapped grid only those that map its seam onto itself.
    """
    layout = grid.layout
    folds = {2: "Two-fold turn", 3: "Three-fold turn", 4: "Four-fold turn", 6: "Six-fold turn"}
    result = [(NONE, "No symmetry")]
    result += [
        (f"turn{count}", words) for count, words in folds.items() if layout.degree % count == 0
    ]
    result += [
        (f"mirror{axis}", f"Mirror line from {axis_words(layout, axis)}".replace(" and ", " to "))
        for axis in range(layout.degree)
    ]
    if not grid.wrap:
        return result
    return [(kind, words) for kind, words in result if _keeps_seam(grid, kind)]


def _keeps_seam(grid: Grid, kind: str) -> bool:
    q, r = grid.axial(grid.width, 0)
    return all(turn.apply(q, r) in ((q, r), (-q, -r)) for turn in _turns(grid.layout, kind))


def centred_on(grid: Grid, kind: str, cell: int) -> Symmetry:
    """Return the symmetry about the centre of a cell, which is valid for every kind."""
    q, r = grid.axial(*grid.xy(cell))
    return Symmetry(grid.layout, kind, (6 * q, 6 * r))


def best_centre(grid: Grid, kind: str) -> Symmetry:
    """Return symmetry about the middle of the board, with the most cells whose twins all exist."""
    return Symmetry(grid.layout, kind, middle(grid, _turns(grid.layout, kind)))


def middle(grid: Grid, turns: Sequence[Turn]) -> Centre:
    """Return the centre about which the turns keep the most cells on the board.

    Corners and middles of sides are tried as well as cells; among equals the one nearest to the
    middle wins. On large boards a sample of the cells decides.
    """
    step = max(1, grid.size // _SAMPLE)
    step += step > 1 and grid.width % step == 0  # a step that does not always hit the same columns
    cells = np.arange(0, grid.size, step, dtype=np.intp)
    if grid.mask is not None:
        cells = cells[grid.mask.flat[cells]]
    q, r = axial_of(grid, cells)
    left, top, right, bottom = grid.bounds
    basis = np.array(grid.layout.basis)
    point = np.array(((left + right) / 2, (top + bottom) / 2))
    at = np.round(6 * (point @ np.linalg.inv(basis))).astype(int).tolist()
    result: list[tuple[int, float, Centre]] = []
    reach = 9  # one and a half cells to every side
    for centre in product(*(range(near - reach, near + reach + 1) for near in at)):
        shifts = [shift_about(turn, centre) for turn in turns]
        whole = np.ones(len(cells), np.bool_)
        for turn, shift in zip(turns, shifts, strict=True):
            if shift is None:
                break
            to_q, to_r = turn.apply(q, r)
            whole &= cells_of_axial(grid, to_q + shift[0], to_r + shift[1]) >= 0
        else:
            off = float(np.linalg.norm(np.array(centre) / 6 @ basis - point))
            result.append((-int(whole.sum()), round(off, 6), (centre[0], centre[1])))
    return min(result)[2]
