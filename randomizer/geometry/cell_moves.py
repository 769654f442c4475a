"""All contents of a map carried along when its cells come to other positions of another grid.

    move = CellMove(grid, new_grid, images, turn)      # where each cell comes to
    moved = move_contents(battlemap, move)
    moved.edit                                         # transforms the map
    moved.lost                                         # what it would lose

Every layer is moved with all that it shows, and so are locks, placed things and lists of cells (by
the names that cells get); the picture below the grid and its walls and lights move along. Rolled
layers lose their roll record, touched marks and origins, because script, seed and number would no
longer give what they show; undo brings them back.

What leaves the map is lost and counted: cells on which something is set or locked, and things.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.geometry.turn import INWARD
from randomizer.model.edits.reshape import Reshape, Shape
from randomizer.model.edits.value_edits import compound
from randomizer.model.fixtures_motion import carry_fixtures
from randomizer.model.fixtures_record import RECORD as FIXTURES
from randomizer.model.hand.links import remove_half_links
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.map_picture import carry_picture, common_motion
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Element, PlaneSpec, blank, is_blank
from randomizer.model.system.property import PropertyKind
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.geometry.areas import Cells
    from randomizer.geometry.turn import Turn
    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

    BoolArray = NDArray[np.bool_]

_CELL_LOCKS = PlaneSpec("locked_cells", "?", Element.CELL, unset=0, default=0)
"""The locks of cells as a plane: they are an array beside the planes, and move like these."""

_SIDE_LOCKS = PlaneSpec("locked_sides", "?", Element.SIDE, unset=0, default=0)
"""The locks of sides, likewise."""


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


class CellMove:
    """The moves of the cells of a grid to cells of another one."""

    def __init__(self, old_grid: Grid, new_grid: Grid, images: Cells, turn: Turn) -> None:
        """Take the image of each existing cell of ``old_grid``, in the order of ``Grid.cells``.

        ``images`` (n,) are cells of ``new_grid``, -1 for a cell that is lost. ``turn`` is that of
        what is in a cell: sides, ways, things.
        """
        stays = images >= 0
        self.old_grid = old_grid
        self.new_grid = new_grid
        self.turn = turn
        self.source: Cells = old_grid.cells[stays]
        """The cells that stay on the map."""
        self.target: Cells = images[stays]
        """The cells of ``new_grid`` to which these move, in the same order."""
        self.lost: Cells = old_grid.cells[~stays]
        """The cells that leave the map."""
        self._image_of_cell = np.full(old_grid.size, -1, np.int64)
        self._image_of_cell[self.source] = self.target

    def image(self, cell: int) -> int:
        """Return where a cell comes to; -1 for one that is lost, and for -1, no cell."""
        if cell < 0:
            return -1
        return int(self._image_of_cell[cell])


def move_contents(battlemap: BattleMap, move: CellMove) -> Transformed:
    """Return the transformation that moves all contents of a map along with its cells.

    Where cells become neighbours that were none (at the seam of a shift), two corners become one:
    that of the right and lower cell stays.
    """
    is_content_lost = np.zeros(len(move.lost), np.bool_)  # for each of the lost cells
    lost_things = 0
    layers = []
    for layer in battlemap.layers:
        moved = _move_layer(battlemap, layer, move)
        layers.append(moved.layer)
        is_content_lost |= moved.is_content_lost
        lost_things += moved.lost_things
    # A link of a way into a cell that has no link back is removed, from the new planes in place.
    remove_half_links(replace(battlemap, grid=move.new_grid, layers=layers))

    locked_cells = _move_plane(battlemap.locked_cells, _CELL_LOCKS, move)
    is_content_lost |= _is_set_at(battlemap.locked_cells, _CELL_LOCKS, move.lost)
    if is_blank(battlemap.locked_sides):
        locked_sides = blank(_SIDE_LOCKS.shape(move.new_grid), 0, np.bool_)
    else:
        locked_sides = _move_plane(battlemap.locked_sides, _SIDE_LOCKS, move)
        is_content_lost |= _is_set_at(battlemap.locked_sides, _SIDE_LOCKS, move.lost)

    shape = Shape(move.new_grid, tuple(layers), locked_cells, locked_sides)
    centres = move.old_grid.centres_of(move.source)
    new_centres = move.new_grid.centres_of(move.target)
    lost = int(is_content_lost.sum()) + lost_things
    return Transformed.of(battlemap, shape, centres, new_centres, lost)


# --- layers --------------------------------------------------------------------------------------


class _MovedLayer(NamedTuple):
    """A layer with its contents moved, and what has left the map."""

    layer: Layer

    is_content_lost: BoolArray
    """For each of ``CellMove.lost`` whether a value that the layer set there is lost."""

    lost_things: int
    """The number of things that are lost."""


def _move_layer(battlemap: BattleMap, layer: Layer, move: CellMove) -> _MovedLayer:
    """Return a layer with all that it shows moved; it has no roll any more."""
    system = battlemap.system
    planes = {}
    is_content_lost = np.zeros(len(move.lost), np.bool_)
    for name, plane in layer.planes.items():
        spec = system.plane(name)
        if spec.shown:
            planes[name] = _move_plane(plane, spec, move)
            is_content_lost |= _is_lost_at(plane, spec, move)
    properties = dict(layer.properties)
    for prop in system.properties:
        if prop.kind is PropertyKind.NAMES and prop.name in properties:
            properties[prop.name] = _move_names(properties[prop.name], system, move)
    things = _move_things(battlemap, layer.things, move)
    lost_things = len(layer.things) - len(things)
    moved = without_roll(layer, planes, properties, things)
    return _MovedLayer(moved, is_content_lost, lost_things)


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


def _move_names(names: Iterable[str], system: System, move: CellMove) -> tuple[str, ...]:
    """Return the names that the cells of a list get; those that leave the map are left out.

    A name that is none of a cell stays. A list can name a cell many times.
    """
    new_names: dict[str, str | None] = {}
    moved = []
    for name in names:
        if name not in new_names:
            new_names[name] = _new_name(name, system, move)
        new_name = new_names[name]
        if new_name is not None:
            moved.append(new_name)
    return tuple(moved)


def _new_name(name: str, system: System, move: CellMove) -> str | None:
    """Return the name of the cell that a named cell comes to, None if it leaves the map."""
    cell = system.cell_of_name(move.old_grid, name)
    if cell is None:
        return name
    image = move.image(cell)
    if image < 0:
        return None
    return system.cell_name(move.new_grid, image)


# --- planes --------------------------------------------------------------------------------------


def _move_plane(plane: Plane, spec: PlaneSpec, move: CellMove) -> Plane:
    """Return a plane of the new grid with the values of all cells that stay; unset elsewhere.

    The values of sides and corners move with their cells.
    """
    moved = spec.allocate(move.new_grid)
    degree = move.old_grid.degree
    if spec.element is Element.CELL:
        values = plane.reshape(-1)[move.source]
        if spec.links:
            values = move.turn.turn_links(values, spec.unset)
        moved.flat[move.target] = values
    elif spec.element is Element.SIDE:
        sides = plane.reshape(-1, degree)[move.source]
        moved.reshape(-1, degree)[move.target] = move.turn.turn_sides(sides)
    else:
        corners = plane.reshape(-1)[corners_of(move.old_grid, move.source)]
        values = move.turn.turn_corners(corners)
        new_corners = corners_of(move.new_grid, move.target)
        # Where cells meet that did not before, several write into one corner. The last one stays:
        # corner 0, at the upper left, of the cell on the lower right. So 0 comes last, the others
        # in any order.
        for corner in (2, 3, 1, 0):
            moved.reshape(-1)[new_corners[:, corner]] = values[:, corner]
    return moved


def _is_lost_at(plane: Plane, spec: PlaneSpec, move: CellMove) -> BoolArray:
    """Return for each of the lost cells (n,) whether a value of the plane is lost with it."""
    if spec.element is not Element.CORNER:
        return _is_set_at(plane, spec, move.lost)
    # A corner is lost only if none of its cells stays.
    is_corner_lost = plane.reshape(-1) != spec.unset
    is_corner_lost[corners_of(move.old_grid, move.source)] = False
    is_lost: BoolArray = is_corner_lost[corners_of(move.old_grid, move.lost)].any(axis=1)
    return is_lost


def _is_set_at(plane: Plane, spec: PlaneSpec, cells: Cells) -> BoolArray:
    """Return for each of ``cells`` (n,) whether a plane of cells or sides sets a value there."""
    ys, xs = np.divmod(cells, plane.shape[1])
    is_set = plane[ys, xs] != spec.unset
    axes_of_sides = tuple(range(1, is_set.ndim))  # none for a plane of cells
    is_cell_set: BoolArray = is_set.any(axis=axes_of_sides)
    return is_cell_set


# --- things --------------------------------------------------------------------------------------


def _move_things(battlemap: BattleMap, things: Things, move: CellMove) -> list[Thing]:
    """Return the things of a layer, each moved and turned with the cell it is on.

    Those on no cell, on one that is lost, or on one on which they cannot stand are left out.
    """
    moved = []
    for thing in things.values():
        image = move.image(move.old_grid.cell_at(thing.x, thing.y))
        if image >= 0:
            moved.append(_move_thing(battlemap, thing, image, move))
    if not moved:
        return moved

    # A thing that stood where it could not (a file can have that) is not lost for that.
    why_not = battlemap.system.thing_rules.why_not
    new_map = BattleMap.new(battlemap.system, move.new_grid, terrain_set=battlemap.terrain_set)
    new_map.records = battlemap.records
    standing = []
    for thing in moved:
        old_thing = things[thing.id]
        can_stand = not why_not(new_map, move.new_grid.cell_at(thing.x, thing.y))
        if can_stand or why_not(battlemap, move.old_grid.cell_at(old_thing.x, old_thing.y)):
            standing.append(thing)
    return standing


def _move_thing(battlemap: BattleMap, thing: Thing, image: int, move: CellMove) -> Thing:
    """Return a thing moved with its cell, which comes to ``image``."""
    x, y = move.old_grid.shown_point(thing.x, thing.y)
    centre_x, centre_y = move.old_grid.centre(move.old_grid.cell_at(thing.x, thing.y))
    new_centre_x, new_centre_y = move.new_grid.centre(image)
    # A little towards the centre, so that rounding does not move it across the edge of the cell.
    dx, dy = move.turn.point((x - centre_x) * INWARD, (y - centre_y) * INWARD)
    if thing.kind in battlemap.system.text_kinds:
        angle = move.turn.text_angle(thing.angle)
    else:
        angle = move.turn.angle(thing.angle)
    return replace(
        thing,
        x=new_centre_x + dx,
        y=new_centre_y + dy,
        angle=angle,
        key="",  # of the roll, which the layer has no more
        touched=False,
    )
