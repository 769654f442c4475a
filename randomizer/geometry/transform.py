"""A whole map turned, flipped, resized or shifted, as one edit.

Every layer is transformed with all that it shows, and so are locks, placed things and start lists
(by the names that cells get); the picture below the grid moves along. Rolled layers lose their roll
record, touched marks and origins, because script, seed and number would no longer give what they
show; undo brings them back.

What leaves the map is lost and counted: cells on which something is set or locked, and placed
things. Where cells become neighbours that were none (at the seam of a shift), two corners become
one: that of the right and lower cell stays; a route that would lead from one into the other without
an answer ends before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells, axial_of
from randomizer.geometry.stamp import nearest_copy
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
from randomizer.model.planes.planes import Place, Plane, PlaneSpec, blank, is_blank
from randomizer.model.problems import error
from randomizer.model.system.property import PropertyKind
from randomizer.model.system.system import System
from randomizer.model.things.things import Thing, Things

BoolArray = NDArray[np.bool_]

MOST_CELLS = 4_000_000
"""The largest map, masked cells included."""


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

        ``points`` (n, 2) come to ``new_points``: from these it is found how the picture below the
        grid, and walls and lights, have to move.
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
        assert edit is not None
        return cls(edit, lost)


# --- what there is to do --------------------------------------------------------------------------


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
        assert shift is not None  # the middle is one of the centres about which cells map to cells
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
        new = replace(grid, width=width, height=height, mask=None)
    except ValueError as problem:
        raise error("resize-seam", f"this world wraps: {problem}") from problem
    check_system(system, new)
    shear = grid.layout.shear
    down = 1 - anchor[1] if shear == "oblique" else anchor[1]
    dx = round((width - grid.width) * anchor[0])
    dy = round((height - grid.height) * down)
    if shear == "columns":
        dx = int(dx / 2) * 2
    elif shear == "rows":
        dy = int(dy / 2) * 2
    cells = grid.cells
    ys, xs = np.divmod(cells, grid.width)
    x = xs + dx
    y = ys + dy
    if grid.mask is not None:
        mask = np.ones((height, width), np.bool_)
        from_x = max(0, dx)
        from_y = max(0, dy)
        part = mask[from_y : max(0, grid.height + dy), from_x : max(0, grid.width + dx)]
        old = grid.mask[from_y - dy :, from_x - dx :]
        part[:] = old[: part.shape[0], : part.shape[1]]
        if not mask.any():
            raise error("resize-empty", "that would cut off every cell of the map")
        new = replace(new, mask=None if mask.all() else mask)
    inside = (x >= 0) & (x < width)
    images = np.where(inside, new.cells_of_xy(np.where(inside, x, 0), y), -1)
    return _move_contents(battlemap, new, cells, images, Turn(grid.layout, 0))


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
        to_x, moved = _rolled(x, dx, grid.width)
        to_y = y + dy + moved
    elif grid.layout.shear == "rows":
        to_y, moved = _rolled(y, dy, grid.height)
        to_x = x + dx + moved
    else:
        to_x = x + dx
        to_y = y + dy
    images = grid.cells_of_xy(to_x % grid.width, to_y % grid.height)
    return _move_contents(battlemap, grid, cells, images, Turn(grid.layout, 0))


def _rolled(at: Cells, by: int, count: int) -> tuple[Cells, Cells]:
    """Return columns moved cyclically by ``by`` of ``count``, and how far each moves along itself.

    Every second column is shifted by half a cell. So a column that comes to one of the other kind
    must also move half a cell along itself to keep its neighbours. The second result is how many
    whole cells that makes. Columns that went round the map are counted apart, so that a shift back
    by the same number is the inverse.
    """
    by = int(np.fmod(by, count))
    rounds, new_columns = np.divmod(at + by, count)
    along = (new_columns >> 1) - (at >> 1) - int(by / 2) + rounds * (count // 2)
    return new_columns, along


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
    """Return the grid with cells at (x, y) only."""
    check_size(width, height)
    mask = None
    if len(x) < width * height:
        mask = np.zeros((height, width), np.bool_)
        mask[y, x] = True
    return replace(grid, width=width, height=height, mask=mask)


def _from_zero(grid: Grid, q: Cells, r: Cells) -> tuple[Cells, Cells]:
    """File coordinates of axial ones, all moved so that the first column and row are 0.

    The position in the axial plane is ignored, so a full turn restores the map exactly.
    """
    if grid.layout.shear == "columns":  # the shift decides which columns are the lower ones
        q = q - q.min()
    elif grid.layout.shear == "rows":
        r = r - r.min()
    x, y = grid.offset(q, r)
    return x - x.min(), y - y.min()


def _wrapped_xy(grid: Grid, turn: Turn, q: Cells, r: Cells) -> tuple[Cells, Cells]:
    """File coordinates of turned axial ones on a wrapped map, in rows from 0.

    If top and bottom change places, alternately shifted rows can fit only half a cell farther
    around; nothing is lost by that.
    """
    seam = grid.axial(grid.width, 0)
    if turn.apply(*seam) not in (seam, (-seam[0], -seam[1])):
        raise error(
            "turn-seam",
            "this world wraps from east to west: it can be flipped or turned half round",
        )
    if grid.layout.shear == "columns":
        rows = (grid.offset(q + odd, r)[1] for odd in range(2))
        odd = int(np.argmin([np.ptp(row) for row in rows]))
        x, y = grid.offset(q + odd, r)
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
        cell_locks = PlaneSpec("locked_cells", "?", Place.CELL, 0, 0)
        side_locks = PlaneSpec("locked_sides", "?", Place.SIDE, 0, 0)
        locked_cells = self._plane(self._map.locked_cells, cell_locks)
        self._has_contents |= _set_at(self._map.locked_cells, cell_locks, self._lost_cells)
        if is_blank(self._map.locked_sides):
            return locked_cells, blank(side_locks.shape(self._new_grid), 0, np.bool_)
        locked_sides = self._plane(self._map.locked_sides, side_locks)
        self._has_contents |= _set_at(self._map.locked_sides, side_locks, self._lost_cells)
        return locked_cells, locked_sides

    def _plane(self, plane: Plane, spec: PlaneSpec) -> Plane:
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
    """Return a plane of the new grid: at ``target`` the values that ``source`` had, elsewhere
    unset.
    """
    moved = spec.allocate(new_grid)
    degree = old_grid.degree
    if spec.place is Place.CELL:
        values = plane.reshape(-1)[source]
        moved.flat[target] = turn.turn_links(values, spec.unset) if spec.links else values
    elif spec.place is Place.SIDE:
        moved.reshape(-1, degree)[target] = turn.turn_sides(plane.reshape(-1, degree)[source])
    else:
        values = turn.turn_corners(plane.reshape(-1)[corners_of(old_grid, source)])
        new_corners = corners_of(new_grid, target)
        # Where cells meet that did not before, several write into one corner. The last one stays:
        # corner 0, at the upper left, of the cell on the lower right.
        for corner in (2, 3, 1, 0):
            moved.reshape(-1)[new_corners[:, corner]] = values[:, corner]
    return moved


def _lost_at(plane: Plane, spec: PlaneSpec, grid: Grid, stay: Cells, gone: Cells) -> BoolArray:
    """Return whether something that the plane sets on each of the cells ``gone`` is lost with
    it.
    """
    if spec.place is not Place.CORNER:
        return _set_at(plane, spec, gone)
    lost = plane.reshape(-1) != spec.unset
    lost[corners_of(grid, stay)] = False
    result: BoolArray = lost[corners_of(grid, gone)].any(axis=1)
    return result


def _set_at(plane: Plane, spec: PlaneSpec, cells: Cells) -> BoolArray:
    """Return whether a plane of cells or sides sets something on each of the cells."""
    ys, xs = np.divmod(cells, plane.shape[1])
    is_set = plane[ys, xs] != spec.unset
    result: BoolArray = is_set.any(axis=tuple(range(1, is_set.ndim)))
    return result


def _things(
    battlemap: BattleMap, things: Things, new_grid: Grid, cells: Cells, images: Cells, turn: Turn
) -> list[Thing]:
    """Return the things of a layer, each moved with the cell it is on; those on no cell are
    lost.
    """
    grid = battlemap.grid
    text_kinds = battlemap.system.text_kinds
    result = []
    for thing in things.values():
        cell = grid.cell_at(thing.x, thing.y)
        if cell >= 0:
            image = int(images[np.searchsorted(cells, cell)])
        else:
            image = -1
        if image < 0:
            continue
        x, y = nearest_copy(grid, thing.x, thing.y)
        (cx, cy) = grid.centre(cell)
        (to_x, to_y) = new_grid.centre(image)
        off_x, off_y = turn.point((x - cx) * INWARD, (y - cy) * INWARD)
        if thing.kind in text_kinds:
            turned_angle = turn.text_angle
        else:
            turned_angle = turn.angle
        angle = turned_angle(thing.angle)
        moved = replace(thing, x=to_x + off_x, y=to_y + off_y, angle=angle, key="", touched=False)
        result.append(moved)
    return result


def _standing(
    battlemap: BattleMap, new_grid: Grid, old_things: Things, moved: list[Thing]
) -> list[Thing]:
    """Return the moved things without those that would come to where no thing can stand.

    What stood in such a place before (a file can have that) is not lost for it.
    """
    if not moved:
        return moved
    grid = battlemap.grid
    why_not = battlemap.system.thing_rules.why_not
    board = BattleMap.new(battlemap.system, new_grid, terrain_set=battlemap.terrain_set)
    board.records = battlemap.records
    return [
        thing
        for thing in moved
        if not why_not(board, new_grid.cell_at(thing.x, thing.y))
        or why_not(battlemap, grid.cell_at(old_things[thing.id].x, old_things[thing.id].y))
    ]
