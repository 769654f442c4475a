"""Compares two maps by what they show, whatever their layers are.

The desk shows the differences and takes over single ones (take_over.py); map_differences.py adds
those that are not seen. Their texts are in difference_texts.py. ::

    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    for difference in comparison.listed():
        print(difference_text(comparison, difference))

"Ours" is the map that is edited, "theirs" the one with which it is compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.carriers import with_link
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import Regions, joint_regions, regions_of, with_codes_of
from randomizer.model.planes.corners import cells_with, existing_corners
from randomizer.model.planes.planes import Element, is_blank
from randomizer.model.problems import error
from randomizer.model.system.property import UNSET, PropertyKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.property import Property
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

MAX_LISTED = 1000
"""The most differences in a list: one of more is slow, and nobody reads it."""


@dataclass(frozen=True, eq=False)
class ShownMap:
    """The content of a map that is compared: what its visible layers show, locks and things."""

    system: System
    grid: Grid
    composite: Composite
    """The values that the visible layers show."""
    locked_cells: NDArray[np.bool_]
    """Shape (height, width)."""
    locked_sides: NDArray[np.bool_]
    """Shape (height, width, degree)."""
    things: tuple[Thing, ...]
    """The things of all visible layers."""
    regions: Regions = ()
    """The names of the codes in the plane of regions; () for a system without that plane."""

    @classmethod
    def of(cls, battlemap: BattleMap, composite: Composite | None = None) -> ShownMap:
        """Return a copy of what a map shows now, which later edits do not change.

        ``composite`` is the map's composite, if the caller has it.
        """
        if composite is None:
            composite_copy = battlemap.composite()
        else:
            composite_copy = composite.copy()
        locked_sides = battlemap.locked_sides
        if not is_blank(locked_sides):  # a blank array is never written to
            locked_sides = locked_sides.copy()
        return cls(
            system=battlemap.system,
            grid=battlemap.grid,
            composite=composite_copy,
            locked_cells=battlemap.locked_cells.copy(),
            locked_sides=locked_sides,
            things=tuple(battlemap.visible_things()),
            regions=regions_of(battlemap.records),
        )

    def property_value(self, map_property: Property) -> Any:
        """Return the value by which a property is compared.

        It is UNSET where the property is not set; a flag then has its default, as both look alike.
        """
        if map_property.kind is PropertyKind.FLAG:
            return map_property.of(self.composite.properties)
        return self.composite.properties.get(map_property.name, UNSET)


class DifferenceKind(StrEnum):
    """A kind of differences. CELL, SIDE and CORNER stand for all planes of that ``Element``."""

    PROPERTY = "property"
    CELL = "cell"
    SIDE = "side"
    CORNER = "corner"
    CELL_LOCK = "lock"
    SIDE_LOCK = "side lock"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two maps."""

    kind: DifferenceKind
    index: int
    """The number by which the element that differs is found; its meaning depends on the kind.

    PROPERTY: the index into ``System.properties``. THING: the key of ``Comparison.things``. Values
    and locks of cells, sides and corners: the flat index into their planes.
    """


class ThingPair(NamedTuple):
    """A thing of our map and the one of theirs that differs from it."""

    ours: Thing | None
    """None where our map has no such thing."""
    theirs: Thing | None
    """None where their map has no such thing."""

    @property
    def any_thing(self) -> Thing:
        """Our thing, or theirs if we have none."""
        thing = self.ours or self.theirs
        assert thing is not None, "one of the maps has the thing"
        return thing


class DifferencePosition(NamedTuple):
    """The position of a difference on the map."""

    cell: int | None
    """None for a difference that is on no cell."""
    side: int | None = None
    """None for a difference of a whole cell."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """All differences between two maps, in codes of one terrain set and one table of regions."""

    ours: ShownMap
    theirs: ShownMap
    indices: Mapping[DifferenceKind, NDArray[np.intp]]
    """The indices of the differences of each kind, ascending (see ``Difference.index``)."""
    things: Mapping[int, ThingPair]
    """The things that differ, paired by their ids. Its keys are these ids.

    A thing that theirs alone has is under its inverted id (``~id``, which is below 0), as another
    thing of ours may have the id. Things that look the same are no difference, whatever their ids.
    """

    @cached_property
    def count(self) -> int:
        """The number of differences."""
        return sum(len(indices) for indices in self.indices.values())

    def listed(self, limit: int = MAX_LISTED) -> list[Difference]:
        """Return the first ``limit`` differences, kind by kind."""
        differences: list[Difference] = []
        for kind, indices in self.indices.items():
            remaining = limit - len(differences)
            differences += (Difference(kind, index) for index in indices[:remaining].tolist())
        return differences

    def part(self, kind: DifferenceKind, indices: NDArray[np.intp]) -> Comparison:
        """Return the comparison with some differences of one kind alone."""
        no_indices: dict[DifferenceKind, NDArray[np.intp]] = dict.fromkeys(
            self.indices, np.empty(0, np.intp)
        )
        return replace(self, indices={**no_indices, kind: indices})

    @cached_property
    def sides(self) -> NDArray[np.intp]:
        """The sides (``cell * degree + side``) on which something differs, ascending."""
        marks = np.zeros(self.ours.grid.size * self.ours.grid.degree, np.bool_)
        marks[self.indices[DifferenceKind.SIDE]] = True
        marks[self.indices[DifferenceKind.SIDE_LOCK]] = True
        return np.flatnonzero(marks)

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The cells with a difference, on their sides and corners too, ascending."""
        grid = self.ours.grid
        marks = np.zeros(grid.size, np.bool_)
        marks[self.indices[DifferenceKind.CELL]] = True
        marks[self.indices[DifferenceKind.CELL_LOCK]] = True
        marks[self.sides // grid.degree] = True
        marks[cells_with(grid, self.indices[DifferenceKind.CORNER])] = True
        for thing_key in self.indices[DifferenceKind.THING].tolist():
            position = self.position(Difference(DifferenceKind.THING, thing_key))
            if position.cell is not None:
                marks[position.cell] = True
        for number in self.indices[DifferenceKind.PROPERTY].tolist():
            marks[self._differing_cells(self.ours.system.properties[number])] = True
        return np.flatnonzero(marks)

    def _differing_cells(self, map_property: Property) -> list[int]:
        """Return the cells that only one of the maps names in a property, ascending."""
        if map_property.kind is not PropertyKind.NAMES:
            return []
        our_names = set(map_property.of(self.ours.composite.properties))
        their_names = set(map_property.of(self.theirs.composite.properties))
        cells = []
        for name in our_names ^ their_names:
            cell = self.ours.system.cell_of_name(self.ours.grid, name)
            if cell is not None:  # a list can hold any words
                cells.append(cell)
        return sorted(cells)

    def position(self, difference: Difference) -> DifferencePosition:
        """Return where a difference is, so that it can be shown there.

        The position of a corner is the last of its cells, that of a list of cells the first cell
        that only one map names.
        """
        index = difference.index
        grid = self.ours.grid
        match difference.kind:
            case DifferenceKind.CELL | DifferenceKind.CELL_LOCK:
                return DifferencePosition(index)
            case DifferenceKind.SIDE | DifferenceKind.SIDE_LOCK:
                cell, side = divmod(index, grid.degree)
                return DifferencePosition(cell, side)
            case DifferenceKind.CORNER:
                cells = cells_with(grid, np.array([index], np.intp))
                return DifferencePosition(int(cells[-1]))
            case DifferenceKind.THING:
                thing = self.things[index].any_thing
                cell = grid.cell_at(thing.x, thing.y)
                if cell < 0:  # things can stand beside the grid
                    return DifferencePosition(None)
                return DifferencePosition(cell)
            case DifferenceKind.PROPERTY:
                named_cells = self._differing_cells(self.ours.system.properties[index])
                if not named_cells:
                    return DifferencePosition(None)
                return DifferencePosition(named_cells[0])


def compare(ours: ShownMap, theirs: ShownMap) -> Comparison:
    """Return all differences. Raises ProblemError for maps of different systems or grids."""
    _refuse_other_kind(ours, theirs)
    # Equal codes must mean the same in both maps before planes are compared.
    ours, theirs = _with_one_terrain_set(ours, theirs)
    ours, theirs = _with_one_table_of_regions(ours, theirs)
    system = ours.system
    grid = ours.grid

    properties = []
    for index, map_property in enumerate(system.properties):
        if ours.property_value(map_property) != theirs.property_value(map_property):
            properties.append(index)
    indices = {DifferenceKind.PROPERTY: np.array(properties, np.intp)}

    # A cell is one difference, however many planes differ there.
    plane_pairs: dict[Element, list[tuple[Plane, Plane]]] = {element: [] for element in Element}
    for spec in system.shown_planes:
        pair = (ours.composite.planes[spec.name], theirs.composite.planes[spec.name])
        plane_pairs[spec.element].append(pair)
    for element, pairs in plane_pairs.items():
        indices[DifferenceKind(element.value)] = differing_indices(grid, element, pairs)
    cell_locks = (ours.locked_cells, theirs.locked_cells)
    side_locks = (ours.locked_sides, theirs.locked_sides)
    indices[DifferenceKind.CELL_LOCK] = differing_indices(grid, Element.CELL, [cell_locks])
    indices[DifferenceKind.SIDE_LOCK] = differing_indices(grid, Element.SIDE, [side_locks])

    things = differing_things(ours.things, theirs.things, system.thing_rules.file_entry)
    indices[DifferenceKind.THING] = np.array(sorted(things), np.intp)
    return Comparison(ours, theirs, indices, things)


def _refuse_other_kind(ours: ShownMap, theirs: ShownMap) -> None:
    """Raise ProblemError for maps of different systems or grids."""
    if ours.system is not theirs.system:
        our_title = with_article(ours.system.title)
        their_title = with_article(theirs.system.title)
        raise error("other-system", f"{our_title} and {their_title} cannot be compared")
    our_grid = _grid_text(ours.grid)
    their_grid = _grid_text(theirs.grid)
    if our_grid != their_grid:
        raise error("other-grid", f"the grids differ: here {our_grid}, there {their_grid}")
    if not np.array_equal(existing_cells(ours.grid), existing_cells(theirs.grid)):
        raise error("other-grid", "the grids differ: not the same cells exist")


def _grid_text(grid: Grid) -> str:
    """Return all of a grid but its mask in words: size, layout, and whether it wraps.

    Grids with the same words and the same mask have the same cells.
    """
    text = f"{grid.width} x {grid.height} {grid.layout.name}"
    if grid.wrap:
        text += ", wrapping"
    return text


def existing_cells(grid: Grid) -> NDArray[np.bool_]:
    """Return which cells of a grid exist, (height, width)."""
    if grid.mask is None:
        return np.ones((grid.height, grid.width), np.bool_)
    return grid.mask


def _with_one_terrain_set(ours: ShownMap, theirs: ShownMap) -> tuple[ShownMap, ShownMap]:
    """Return both maps in codes of our terrain set.

    Terrains and hexsides that only theirs shows are added to the set.
    """
    their_set = theirs.composite.terrain_set
    if their_set == ours.composite.terrain_set:
        return ours, theirs
    system = ours.system
    # The functions that translate codes take layers, so the composite becomes one (without an id).
    layer = Layer(0, "", planes=dict(theirs.composite.planes))
    terrain_set = with_missing(system, (layer,), their_set, ours.composite.terrain_set)
    planes = translated_layer(system, layer, their_set, terrain_set).planes
    our_composite = replace(ours.composite, terrain_set=terrain_set)
    their_composite = replace(theirs.composite, terrain_set=terrain_set, planes=planes)
    return replace(ours, composite=our_composite), replace(theirs, composite=their_composite)


def _with_one_table_of_regions(ours: ShownMap, theirs: ShownMap) -> tuple[ShownMap, ShownMap]:
    """Return both maps in codes of our table of regions, to which those of theirs are added."""
    spec = ours.system.regions
    if spec is None or ours.regions == theirs.regions:
        return ours, theirs
    table = joint_regions(ours.regions, theirs.regions)
    composite = theirs.composite
    values = with_codes_of(composite.planes[spec.name], theirs.regions, table)
    planes = {**composite.planes, spec.name: values}
    translated = replace(theirs, regions=table, composite=replace(composite, planes=planes))
    return replace(ours, regions=table), translated


def differing_things(
    ours: Iterable[Thing], theirs: Iterable[Thing], entry: str
) -> dict[int, ThingPair]:
    """Return the things that differ, by the keys of ``Comparison.things``.

    ``entry`` of their states is not compared (``ThingRules.file_entry``).
    """
    our_things = {thing.id: thing for thing in ours}
    their_things = {thing.id: thing for thing in theirs}

    # Things with the same id that look the same are no difference.
    for thing_id in our_things.keys() & their_things.keys():
        our_values = _compared_values(our_things[thing_id], entry)
        their_values = _compared_values(their_things[thing_id], entry)
        if our_values == their_values:
            del our_things[thing_id]
            del their_things[thing_id]

    # Nor are things that look the same under other ids: a map that was rolled again has other ids.
    ids_by_values: dict[object, list[int]] = {}
    for thing in their_things.values():
        ids_by_values.setdefault(_compared_values(thing, entry), []).append(thing.id)
    for thing in list(our_things.values()):
        ids = ids_by_values.get(_compared_values(thing, entry))
        if ids:
            del our_things[thing.id]
            del their_things[ids.pop()]

    # All others differ: a thing of ours from that of theirs with its id, if there is one.
    pairs: dict[int, ThingPair] = {}
    for thing_id, thing in our_things.items():
        pairs[thing_id] = ThingPair(thing, their_things.pop(thing_id, None))
    for thing_id, thing in their_things.items():
        pairs[~thing_id] = ThingPair(None, thing)
    return pairs


def _compared_values(thing: Thing, entry: str) -> tuple[object, ...]:
    """Return all of a thing that is compared: not its id, its layer and ``entry`` of its state."""
    state = with_link(thing, entry, None).state
    return (thing.kind, thing.x, thing.y, thing.angle % 360, thing.owner, thing.label, state)


def differing_indices(
    grid: Grid, element: Element, pairs: Iterable[tuple[Plane, Plane]]
) -> NDArray[np.intp]:
    """Return the flat indices, ascending, at which planes differ on existing cells or corners.

    ``pairs`` are planes of our map and theirs, all of values of the same kind of elements.
    """
    differs: NDArray[np.bool_] | None = None  # None until the first pair was compared
    for our_plane, their_plane in pairs:
        # Blank planes hold one value, spread: comparing them would cost as much as real ones.
        are_blank = is_blank(our_plane) and is_blank(their_plane)
        if are_blank and our_plane.flat[0] == their_plane.flat[0]:
            continue
        pair_differs = our_plane != their_plane
        if differs is None:
            differs = pair_differs
        else:
            differs |= pair_differs
    if differs is None:
        return np.empty(0, np.intp)
    if grid.mask is not None:
        if element is Element.CORNER:
            exists = existing_corners(grid)
        else:  # of cells, or of their sides
            exists = grid.mask
        differs[~exists] = False
    return np.flatnonzero(differs)
