"""A whole map turned, flipped, resized or shifted, as one edit.

Every layer is transformed with all that it shows, and so are locks, placed things and start lists
(by the names that cells get); the picture below the grid moves along. Rolled layers lose their roll
record, touched marks and origins, because script, seed and number would no longer give what they
show; undo brings them back.

What leaves the map is lost and counted: cells on which something is set or locked, and placed
things. Where cells become neighbours that were none (at the seam of a shift), two corners become
one: that of the right and lower cell stays; a route that would lead from one into the other without
an answer ends before.

The tools and commands of the desk call ``turn_map``, ``resize_map`` and ``shift_map``. Each works
out two things: the new grid, and for every existing cell its *image*, the cell of the new grid to
which it comes. ``_move_contents`` does the rest, which is the same for all three.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells, axial_of
from randomizer.geometry.symmetry import middle, shift_about
from randomizer.geometry.turn import INWARD, Turn
from randomizer.model.edits.edit import Edit, Reshape, Shape
from randomizer.model.edits.value_edits import compound
from randomizer.model.fixtures import RECORD as FIXTURES
from randomizer.model.fixtures import carry_fixtures
from randomizer.model.grid.grid import Grid
from randomizer.model.hand.links import without_half_links
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.map_picture import carry_picture, common_motion
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, blank, is_blank
from randomizer.model.problems import error
from randomizer.model.system.property import PropertyKind
from randomizer.model.system.system import System
from randomizer.model.things.things import Thing, Things

BoolArray = NDArray[np.bool_]

MOST_CELLS = 4_000_000
"""The most cells of a map, those included that do not exist."""


@dataclass(frozen=True, slots=True)
class Transformed:
    """The result of a transformation."""

    edit: Edit
    """The edit that transforms the map."""

    lost: int
    """The number of cells and things that it would lose."""

    @classmethod
    def of(
        cls,
        battlemap: BattleMap,
        shape: Shape,
        points: NDArray[np.float64],
        new_points: NDArray[np.float64],
        lost: int,
    ) -> Transformed:
        """Return the edit that gives a map another shape.

        ``points`` (n, 2) of the map come to ``new_points``, from which the motion of the picture
        below the grid, and of walls and lights, is worked out. ``lost`` is as the field.
        """
        edits: list[Edit | None] = [Reshape(Shape.of(battlemap), shape)]
        has_picture_or_fixtures = not battlemap.records.keys().isdisjoint((PICTURE, FIXTURES))
        motion = None
        if has_picture_or_fixtures:
            motion = common_motion(points, new_points)
        # None: the points have no motion in common (the two halves of a shift).
        if motion is not None:
            edits.append(carry_picture(battlemap, motion))
            edits.append(carry_fixtures(battlemap, motion))
        edit = compound(edits)
        assert edit is not None, "the first of the edits is one"
        return cls(edit, lost)


# --- the transformations --------------------------------------------------------------------------


def turn_map(battlemap: BattleMap, turn: Turn, *, keep_board: bool = False) -> Transformed:
    """Return the map turned or flipped (``turn.rotation``, ``turn.left_right`` ...).

    The board turns, too: a rectangle of hexes turned by 60 degrees is slanted in a larger one, with
    masked cells in its corners. With ``keep_board`` (and for games with one board) the board stays
    and what leaves it is lost. Raises ProblemError for a turn that does not map the seam of a
    wrapped map onto itself, and for a board that would become too large.
    """
    grid = battlemap.grid
    cells = grid.cells
    q, r = turn.apply(*axial_of(grid, cells))
    if keep_board or battlemap.system.fixed_grid:
        shift = shift_about(turn, middle(grid, [turn]))
        assert shift is not None, "the middle is a centre about which cells map to cells"
        new_grid = grid
        x, y = grid.offset(q + shift[0], r + shift[1])
    elif grid.wrap:
        x, y = _wrapped_xy(grid, turn, q, r)
        new_grid = _board(grid, grid.width, int(y.max()) + 1, x % grid.width, y)
    else:
        x, y = _from_zero(grid, q, r)
        new_grid = _board(grid, int(x.max()) + 1, int(y.max()) + 1, x, y)
    check_system(battlemap.system, new_grid)
    return _move_contents(battlemap, new_grid, cells, new_grid.cells_of_xy(x, y), turn)


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

    cells = grid.cells
    ys, xs = np.divmod(cells, grid.width)
    new_xs = xs + dx
    # On a wrapped grid a column beyond the seam would be one on the other side of the map.
    is_inside = (new_xs >= 0) & (new_xs < width)
    images = new_grid.cells_of_xy(np.where(is_inside, new_xs, 0), ys + dy)
    images = np.where(is_inside, images, -1)
    return _move_contents(battlemap, new_grid, cells, images, Turn(grid.layout, 0))


def _shift_of_resize(
    grid: Grid, width: int, height: int, anchor: tuple[float, float]
) -> tuple[int, int]:
    """Return by how many columns and rows the old map lies farther on in the new one."""
    share_x, share_y = anchor
    if grid.layout.shear == "oblique":  # there the first row is at the bottom of the screen
        share_y = 1 - share_y
    dx = round((width - grid.width) * share_x)
    dy = round((height - grid.height) * share_y)
    # An odd number would exchange shifted and unshifted columns; ``int`` rounds towards 0.
    if grid.layout.shear == "columns":
        dx = int(dx / 2) * 2
    elif grid.layout.shear == "rows":
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
    the map. Only what meets a hole of the board is lost.
    """
    grid = battlemap.grid
    cells = grid.cells
    y, x = np.divmod(cells, grid.width)
    if grid.layout.shear == "columns":
        new_x, shift_along = _shift_columns(x, dx, grid.width)
        new_y = y + dy + shift_along
    elif grid.layout.shear == "rows":  # as columns, with x and y exchanged
        new_y, shift_along = _shift_columns(y, dy, grid.height)
        new_x = x + dx + shift_along
    else:
        new_x = x + dx
        new_y = y + dy
    images = grid.cells_of_xy(new_x % grid.width, new_y % grid.height)
    return _move_contents(battlemap, grid, cells, images, Turn(grid.layout, 0))


def _shift_columns(columns: Cells, steps: int, count: int) -> tuple[Cells, Cells]:
    """Return columns moved cyclically by ``steps``, and how many cells each moves along itself.

    ``columns`` and both results have shape (n,); ``count`` is the number of columns of the map.

    Every second column is shifted by half a cell. So a column that comes to one of the other kind
    must also move half a cell along itself to keep its neighbours. It can only move by whole cells,
    so the columns of one kind move by one, and the others not at all: of columns 0 1 2 3 moved by
    one step, 1 and 3 move along. Columns that went round the map are counted apart, so that a shift
    back by the same number is the inverse.
    """
    steps = int(np.fmod(steps, count))
    rounds, new_columns = np.divmod(columns + steps, count)
    # The pairs of columns that a column has passed, less those of the shift itself.
    shift_along = (new_columns >> 1) - (columns >> 1) - int(steps / 2) + rounds * (count // 2)
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
    if width * height > MOST_CELLS:
        raise error(
            "map-size",
            f"a map of {width:,} x {height:,} would be too large (at most {MOST_CELLS:,} cells)",
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

    The position in the axial plane is ignored, so a full turn restores the map exactly.
    """
    if grid.layout.shear == "columns":  # the shift decides which columns are the lower ones
        q = q - q.min()
    elif grid.layout.shear == "rows":
        r = r - r.min()
    x, y = grid.offset(q, r)
    return x - x.min(), y - y.min()


def _wrapped_xy(grid: Grid, turn: Turn, q: Cells, r: Cells) -> tuple[Cells, Cells]:
    """Return file coordinates of turned axial ones on a wrapped map, in rows from 0.

    If top and bottom are exchanged, alternately shifted rows can fit only half a cell farther
    around; nothing is lost by that. Raises ProblemError if the seam is not mapped onto itself.
    """
    seam = grid.axial(grid.width, 0)  # the step once around the map
    if turn.apply(*seam) not in (seam, (-seam[0], -seam[1])):
        raise error(
            "turn-seam",
            "this world wraps from east to west: it can be flipped or turned half round",
        )
    if grid.layout.shear == "columns":
        # Either the columns are shifted as before, or all are moved by one: what needs fewer rows.
        row_spans = []
        for column_shift in range(2):
            _x, y = grid.offset(q + column_shift, r)
            row_spans.append(np.ptp(y))
        column_shift = int(np.argmin(row_spans))
        x, y = grid.offset(q + column_shift, r)
    else:
        x, y = grid.offset(q, r)
        if grid.layout.shear == "oblique":
            x = x - (y.min() >> 1)
        elif grid.layout.shear == "rows":
            r = r - r.min()
            x, y = grid.offset(q + (int(r.max()) >> 1), r)
    return x, y - y.min()


# --- carrying everything along --------------------------------------------------------------------


def _move_contents(
    battlemap: BattleMap, new_grid: Grid, cells: Cells, images: Cells, turn: Turn
) -> Transformed:
    """Return the map with everything moved from ``cells`` to ``images``.

    ``cells`` are all existing ones, ascending; ``images`` (n,) are where they come to on the new
    grid, -1 for those that are lost. ``turn`` is that of what is in a cell: sides, ways, things.
    """
    move = _Move(battlemap, new_grid, cells, images, turn)
    layers = [move.layer(layer) for layer in battlemap.layers]
    locked_cells, locked_sides = move.locks()
    # A way that leads into a cell without an answer ends before: this changes the new planes.
    without_half_links(replace(battlemap, grid=new_grid, layers=layers))
    shape = Shape(new_grid, tuple(layers), locked_cells, locked_sides)
    centres = battlemap.grid.centres_of(move.source)
    new_centres = new_grid.centres_of(move.target)
    return Transformed.of(battlemap, shape, centres, new_centres, move.count_lost())


class _Move:
    """The move of all cells of a map to a new grid; it counts what is lost on the way.

    It lives while one map is transformed.
    """

    source: Cells
    """The cells that stay on the map."""

    target: Cells
    """Where each of them comes to."""

    def __init__(
        self, battlemap: BattleMap, new_grid: Grid, cells: Cells, images: Cells, turn: Turn
    ) -> None:
        self._map = battlemap
        self._system = battlemap.system
        self._new_grid = new_grid
        self._cells = cells
        self._images = images
        self._turn = turn
        stays = images >= 0
        self.source = cells[stays]
        self.target = images[stays]
        self._lost_cells = cells[~stays]
        self._has_contents = np.zeros(len(self._lost_cells), np.bool_)
        """Which of the lost cells have something that is lost with them."""
        self._lost_things = 0
        self._new_names: dict[str, str | None] = {}
        """The new names of cells that were asked for."""

    def count_lost(self) -> int:
        """Return the number of lost cells with contents, and of lost things, so far."""
        return int(self._has_contents.sum()) + self._lost_things

    def layer(self, layer: Layer) -> Layer:
        """Return a layer with all that it shows moved; it has no roll any more."""
        planes = {}
        for name, plane in layer.planes.items():
            spec = self._system.plane(name)
            if spec.shown:
                planes[name] = self._plane(plane, spec)
                self._has_contents |= _lost_at(
                    plane, spec, self._map.grid, self.source, self._lost_cells
                )
        properties = dict(layer.properties)
        for prop in self._system.properties:
            if prop.kind is PropertyKind.NAMES and prop.name in properties:
                properties[prop.name] = self._moved_names(properties[prop.name])
        things = _things(
            self._map, layer.things, self._new_grid, self._cells, self._images, self._turn
        )
        things = _standing(self._map, self._new_grid, layer.things, things)
        self._lost_things += len(layer.things) - len(things)
        return without_roll(layer, planes, properties, things)

    def locks(self) -> tuple[Plane, Plane]:
        """Return the locks of cells and of sides, moved."""
        cell_locks = PlaneSpec("locked_cells", "?", Element.CELL, 0, 0)
        side_locks = PlaneSpec("locked_sides", "?", Element.SIDE, 0, 0)
        locked_cells = self._plane(self._map.locked_cells, cell_locks)
        self._has_contents |= _set_at(self._map.locked_cells, cell_locks, self._lost_cells)
        if is_blank(self._map.locked_sides):
            return locked_cells, blank(side_locks.shape(self._new_grid), 0, np.bool_)
        locked_sides = self._plane(self._map.locked_sides, side_locks)
        self._has_contents |= _set_at(self._map.locked_sides, side_locks, self._lost_cells)
        return locked_cells, locked_sides

    def _plane(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Return a plane, or an array of locks, moved."""
        return _moved(
            plane, spec, self._map.grid, self._new_grid, self.source, self.target, self._turn
        )

    def _moved_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names that cells of a list get; those that leave the map are left out."""
        new_names = []
        for name in names:
            if name not in self._new_names:
                self._new_names[name] = self._new_name(name)
            new_name = self._new_names[name]
            if new_name is not None:
                new_names.append(new_name)
        return tuple(new_names)

    def _new_name(self, name: str) -> str | None:
        """Return the name of the cell that a named cell comes to, None if it leaves the map.

        A name that is none of a cell stays.
        """
        cell = self._system.cell_of_name(self._map.grid, name)
        if cell is None:
            return name
        image = int(self._images[np.searchsorted(self._cells, cell)])
        if image >= 0:
            return self._system.cell_name(self._new_grid, image)
        return None


def without_roll(
    layer: Layer, planes: dict[str, Plane], properties: dict[str, Any], things: list[Thing]
) -> Layer:
    """Return a layer with other contents, which its roll would not give."""
    return replace(
        layer,
        planes=planes,
        properties=properties,
        things=Things(things),
        roll=None,
        touched_properties=frozenset(),
        removed_keys=frozenset(),
    )


def _moved(
    plane: Plane,
    spec: PlaneSpec,
    old_grid: Grid,
    new_grid: Grid,
    source: Cells,
    target: Cells,
    turn: Turn,
) -> Plane:
    """Return a plane of the new grid, with the values of the cells ``source`` at ``target``.

    It is unset elsewhere. The values of sides and corners move with their cells.
    """
    moved = spec.allocate(new_grid)
    degree = old_grid.degree
    if spec.element is Element.CELL:
        values = plane.reshape(-1)[source]
        if spec.links:
            values = turn.turn_links(values, spec.unset)
        moved.flat[target] = values
    elif spec.element is Element.SIDE:
        moved.reshape(-1, degree)[target] = turn.turn_sides(plane.reshape(-1, degree)[source])
    else:
        values = turn.turn_corners(plane.reshape(-1)[corners_of(old_grid, source)])
        new_corners = corners_of(new_grid, target)
        # Where cells meet that did not before, several write into one corner. The last one stays:
        # corner 0, at the upper left, of the cell on the lower right. So 0 comes last.
        for corner in (2, 3, 1, 0):
            moved.reshape(-1)[new_corners[:, corner]] = values[:, corner]
    return moved


def _lost_at(
    plane: Plane, spec: PlaneSpec, grid: Grid, staying_cells: Cells, lost_cells: Cells
) -> BoolArray:
    """Return for each of ``lost_cells`` (n,) whether a value of the plane is lost with it."""
    if spec.element is not Element.CORNER:
        return _set_at(plane, spec, lost_cells)
    # A corner is lost only if none of its cells stays.
    is_lost = plane.reshape(-1) != spec.unset
    is_lost[corners_of(grid, staying_cells)] = False
    result: BoolArray = is_lost[corners_of(grid, lost_cells)].any(axis=1)
    return result


def _set_at(plane: Plane, spec: PlaneSpec, cells: Cells) -> BoolArray:
    """Return for each of ``cells`` (n,) whether a plane of cells or sides sets a value there."""
    ys, xs = np.divmod(cells, plane.shape[1])
    is_set = plane[ys, xs] != spec.unset
    axes_of_sides = tuple(range(1, is_set.ndim))  # none for a plane of cells
    result: BoolArray = is_set.any(axis=axes_of_sides)
    return result


def _things(
    battlemap: BattleMap, things: Things, new_grid: Grid, cells: Cells, images: Cells, turn: Turn
) -> list[Thing]:
    """Return the things of a layer, each moved and turned with the cell it is on.

    Those on no cell, or on one that is lost, are left out.
    """
    grid = battlemap.grid
    text_kinds = battlemap.system.text_kinds
    result = []
    for thing in things.values():
        cell = grid.cell_at(thing.x, thing.y)
        if cell < 0:
            continue
        image = int(images[np.searchsorted(cells, cell)])
        if image < 0:
            continue
        x, y = grid.shown_point(thing.x, thing.y)
        centre_x, centre_y = grid.centre(cell)
        new_centre_x, new_centre_y = new_grid.centre(image)
        dx, dy = turn.point((x - centre_x) * INWARD, (y - centre_y) * INWARD)
        if thing.kind in text_kinds:
            angle = turn.text_angle(thing.angle)
        else:
            angle = turn.angle(thing.angle)
        moved = replace(
            thing,
            x=new_centre_x + dx,
            y=new_centre_y + dy,
            angle=angle,
            key="",  # of the roll, which the layer has no more
            touched=False,
        )
        result.append(moved)
    return result


def _standing(
    battlemap: BattleMap, new_grid: Grid, old_things: Things, moved: list[Thing]
) -> list[Thing]:
    """Return the moved things without those on cells on which no thing can stand.

    One that stood on such a cell before (a file can have that) is not lost for it.
    """
    if not moved:
        return moved
    grid = battlemap.grid
    why_not = battlemap.system.thing_rules.why_not
    new_map = BattleMap.new(battlemap.system, new_grid, terrain_set=battlemap.terrain_set)
    new_map.records = battlemap.records
    result = []
    for thing in moved:
        old_thing = old_things[thing.id]
        can_stand = not why_not(new_map, new_grid.cell_at(thing.x, thing.y))
        if can_stand or why_not(battlemap, grid.cell_at(old_thing.x, old_thing.y)):
            result.append(thing)
    return result
