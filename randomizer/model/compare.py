"""The differences between two maps of one system, in words, and edits that take them over.

Maps are compared by what they show (``ShownMap``), whatever their layers are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.edits.value_edits import compound, set_locks, set_property
from randomizer.model.hand.links import with_links_mended
from randomizer.model.hand.targets import change_property, paint, why_not
from randomizer.model.map.carriers import with_link
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import NO_REGION, Regions, in_table, joined, regions_of
from randomizer.model.planes.corners import cells_with, existing_corners
from randomizer.model.planes.planes import Place, is_blank
from randomizer.model.problems import error
from randomizer.model.system.property import UNSET, PropertyKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.system.property import Property
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.things import Thing

ThingPair = tuple["Thing | None", "Thing | None"]
"""A thing of our map and one of theirs."""

LISTED = 1000
"""The most differences that are put into words."""


@dataclass(frozen=True, eq=False)
class ShownMap:
    """Everything of a map that is compared. ``of`` copies it, so that no edit changes it."""

    system: System
    grid: Grid
    composite: Composite
    locked_cells: NDArray[np.bool_]
    locked_sides: NDArray[np.bool_]
    things: tuple[Thing, ...]
    regions: Regions = ()

    @classmethod
    def of(cls, battlemap: BattleMap, composite: Composite | None = None) -> ShownMap:
        """Return what a map shows now; ``composite`` is its composite, if the caller has it."""
        sides = battlemap.locked_sides
        return cls(
            battlemap.system,
            battlemap.grid,
            battlemap.composite() if composite is None else composite.copy(),
            battlemap.locked_cells.copy(),
            sides if is_blank(sides) else sides.copy(),
            tuple(battlemap.visible_things()),
            regions_of(battlemap.records),
        )

    def property_value(self, map_property: Property) -> Any:
        """Return what is compared of a property: UNSET where it is not set, of a flag its default
        then.
        """
        if map_property.kind is PropertyKind.FLAG:
            return map_property.of(self.composite.properties)
        return self.composite.properties.get(map_property.name, UNSET)


class DifferenceKind(StrEnum):
    """What differs; the kinds of planes have the values of ``Place``."""

    PROPERTY = "property"
    CELL = "cell"
    SIDE = "side"
    CORNER = "corner"
    CELL_LOCK = "lock"
    SIDE_LOCK = "side lock"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    ``index`` is a flat plane index, an index into ``System.properties``, or a key of
    ``Comparison.things``.
    """

    kind: DifferenceKind
    index: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """All differences: ``indices`` has the ascending indices of each kind (see ``Difference``).

    ``things`` are pairs (ours, theirs) of things with the same id that differ, by this id; where
    only theirs has it, (None, theirs) by its inverted id (``~id``). Things that look the same are
    no difference, whatever their ids.
    """

    ours: ShownMap
    theirs: ShownMap
    indices: Mapping[DifferenceKind, NDArray[np.intp]]
    things: Mapping[int, ThingPair]

    @cached_property
    def count(self) -> int:
        """The number of differences."""
        return sum(len(indices) for indices in self.indices.values())

    def listed(self, limit: int = LISTED) -> list[Difference]:
        """Return the first ``LISTED`` differences, kind by kind."""
        result: list[Difference] = []
        for kind, indices in self.indices.items():
            result += (Difference(kind, i) for i in indices[: limit - len(result)].tolist())
        return result

    @cached_property
    def sides(self) -> NDArray[np.intp]:
        """The sides (``cell * degree + side``) on which something differs, ascending."""
        marked = np.zeros(self.ours.grid.size * self.ours.grid.degree, np.bool_)
        marked[self.indices[DifferenceKind.SIDE]] = True
        marked[self.indices[DifferenceKind.SIDE_LOCK]] = True
        return np.flatnonzero(marked)

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The cells with a difference, on their sides and corners too, ascending."""
        grid = self.ours.grid
        points = [
            Difference(DifferenceKind.THING, i) for i in self.indices[DifferenceKind.THING].tolist()
        ]
        single = [self.place(point)[0] for point in points]
        for number in self.indices[DifferenceKind.PROPERTY].tolist():
            single += self._named_cells(self.ours.system.properties[number])
        marked = np.zeros(grid.size, np.bool_)
        for cells in (
            self.indices[DifferenceKind.CELL],
            self.indices[DifferenceKind.CELL_LOCK],
            self.sides // grid.degree,
            cells_with(grid, self.indices[DifferenceKind.CORNER]),
            np.array([cell for cell in single if cell is not None], np.intp),
        ):
            marked[cells] = True
        return np.flatnonzero(marked)

    def _named_cells(self, map_property: Property) -> list[int]:
        """Return the cells that only one of the maps names in a property, ascending."""
        if map_property.kind is not PropertyKind.NAMES:
            return []
        here, theirs = (set(map_property.of(face.composite.properties)) for face in self._faces)
        cells = (self.ours.system.cell_of_name(self.ours.grid, name) for name in here ^ theirs)
        return sorted(cell for cell in cells if cell is not None)

    @property
    def _faces(self) -> tuple[ShownMap, ShownMap]:
        return self.ours, self.theirs

    def place(self, difference: Difference) -> tuple[int | None, int | None]:
        """Return the cell of a difference, and its side if it has one; None if it has no place."""
        kind = difference.kind
        index = difference.index
        grid = self.ours.grid
        if kind in (DifferenceKind.CELL, DifferenceKind.CELL_LOCK):
            return index, None
        if kind in (DifferenceKind.SIDE, DifferenceKind.SIDE_LOCK):
            return index // grid.degree, index % grid.degree
        if kind is DifferenceKind.CORNER:
            return int(cells_with(grid, np.array([index], np.intp))[-1]), None
        if kind is DifferenceKind.THING:
            ours, theirs = self.things[index]
            thing = ours or theirs
            assert thing is not None
            cell = grid.cell_at(thing.x, thing.y)
            return (None if cell < 0 else cell), None
        return next(iter(self._named_cells(self.ours.system.properties[index])), None), None

    # --- in words ---------------------------------------------------------------------------

    def words(self, difference: Difference) -> str:
        """Return a difference in words, ours first: ``D4: Brambles 0 | Tree 1``."""
        kind = difference.kind
        index = difference.index
        if kind is DifferenceKind.PROPERTY:
            return self._property_words(self.ours.system.properties[index])
        if kind is DifferenceKind.THING:
            return _pair_words(*self.things[index], self.ours.system.thing_rules.file_entry)
        here, theirs = (self._value_words(face, kind, index) for face in (self.ours, self.theirs))
        return f"{self._place_words(difference)}: {here} | {theirs}"

    def _place_words(self, difference: Difference) -> str:
        system = self.ours.system
        grid = self.ours.grid
        if difference.kind is DifferenceKind.CORNER:
            return system.corner_name(grid, difference.index)
        cell, side = self.place(difference)
        assert cell is not None
        name = system.cell_name(grid, cell)
        if side is None:
            return name
        return f"{name} {grid.layout.side_names[side]}"

    def _value_words(self, face: ShownMap, kind: DifferenceKind, index: int) -> str:
        if kind in (DifferenceKind.CELL_LOCK, DifferenceKind.SIDE_LOCK):
            if kind is DifferenceKind.CELL_LOCK:
                locks = face.locked_cells
            else:
                locks = face.locked_sides
            return "locked" if locks.flat[index] else "not locked"
        terrain_set = face.composite.terrain_set
        system = face.system
        layout = face.grid.layout
        ways = {spec.name: "" for spec in (*system.ways, system.flow, system.flow_width) if spec}
        ways |= {route.plane: route.name for route in system.routes_of(terrain_set)} if ways else {}
        words = []
        for spec in system.shown_planes:
            if spec.place.value == kind.value:
                value = int(face.composite.planes[spec.name].flat[index])
                if spec == system.terrain:
                    words.append(terrain_set.terrains[value].name)
                elif spec == system.hexside:
                    words.append(terrain_set.hexsides[value - 1].name if value else "none")
                elif spec.name in ways:
                    if ways[spec.name] and value:
                        names = enumerate(layout.side_names)
                        sides = ", ".join(name for side, name in names if value >> side & 1)
                        words.append(f"{ways[spec.name]} ({sides})")
                elif spec == system.regions:
                    if value < len(face.regions):
                        region = face.regions[value]
                    else:
                        region = None
                    words.append(region.name if region else "")
                else:
                    words.append(str(value))
        return " ".join(filter(None, words))

    def _property_words(self, map_property: Property) -> str:
        label = map_property.label.lower()
        here, theirs = (map_property.of(face.composite.properties) for face in self._faces)
        if map_property.kind is PropertyKind.NAMES and here and theirs:
            only = [
                f"only {where} {', '.join(name for name in mine if name not in other)}"
                for where, mine, other in (("here", here, theirs), ("there", theirs, here))
                if set(mine) - set(other)
            ]
            return f"{label}: {'; '.join(only) or 'another order'}"
        here, theirs = (
            map_property.words(face.property_value(map_property)) for face in self._faces
        )
        return f"{label}: {here} | {theirs}"

    # --- taking over ------------------------------------------------------------------------

    def take(
        self, battlemap: BattleMap, layer_id: int, differences: Iterable[Difference] | None = None
    ) -> Edit | None:
        """Return the edit after which our map shows what theirs shows at ``differences`` (None:
        all).

        Each value goes into its target with the layer ``layer_id`` active (``model.targets``); what
        a locked layer sets is left out. None if nothing would change. Raises ProblemError if that
        layer is hidden or locked.
        """
        if differences is None:
            chosen = dict(self.indices)
        else:
            chosen = {kind: np.empty(0, np.intp) for kind in DifferenceKind}
            for one in differences:
                chosen[one.kind] = np.append(chosen[one.kind], one.index)
        why = why_not(battlemap, layer_id)
        if why:
            raise error("layer-refuses", why)
        edits: list[Edit | None] = []
        for spec in battlemap.system.shown_planes:
            ours, theirs = (face.composite.planes[spec.name] for face in (self.ours, self.theirs))
            index = chosen[DifferenceKind(spec.place.value)]
            index = index[ours.flat[index] != theirs.flat[index]]
            known_set = self.ours.composite.terrain_set
            _refuse_unknown(battlemap, known_set, spec, theirs.flat[index])
            if spec == battlemap.system.regions:
                _refuse_unknown_region(battlemap, self.theirs.regions, theirs.flat[index])
            edits.append(paint(battlemap, layer_id, spec.name, index, theirs.flat[index]))
        for number in chosen[DifferenceKind.PROPERTY].tolist():
            map_property = battlemap.system.properties[number]
            name = map_property.name
            value = self.theirs.property_value(map_property)
            if value is not UNSET:
                edits.append(change_property(battlemap, layer_id, name, value))
                continue
            setting = [  # each of them would show
                layer for layer in battlemap.layers if layer.visible and name in layer.properties
            ]
            if not any(layer.locked for layer in setting):
                edits += (set_property(battlemap, layer.id, name, value) for layer in setting)
        for kind, sides in ((DifferenceKind.CELL_LOCK, False), (DifferenceKind.SIDE_LOCK, True)):
            locks = self.theirs.locked_sides if sides else self.theirs.locked_cells
            for locked in (True, False):
                index = chosen[kind][locks.flat[chosen[kind]] == locked]
                edits.append(set_locks(battlemap, index, locked, sides=sides))
        pairs = [self.things[i] for i in chosen[DifferenceKind.THING].tolist()]
        edits += (
            change_things(
                battlemap,
                [theirs for ours, theirs in pairs if ours and theirs],
                [ours.id for ours, theirs in pairs if ours and not theirs],
            ),
            add_things(
                battlemap, layer_id, [theirs for ours, theirs in pairs if theirs and not ours]
            ),
        )
        return with_links_mended(battlemap, compound(edits))


def compare(ours: ShownMap, theirs: ShownMap) -> Comparison:
    """Return all differences. Raises ProblemError for maps of different systems or grids."""
    if ours.system is not theirs.system:
        one, other = (with_article(face.system.title) for face in (ours, theirs))
        words = f"{one} and {other} cannot be compared"
        raise error("other-system", words)
    here, other_grid = (_grid_words(face.grid) for face in (ours, theirs))
    if here != other_grid:
        raise error("other-grid", f"the grids differ: here {here}, there {other_grid}")
    exist = [
        np.bool_(True) if face.grid.mask is None else face.grid.mask for face in (ours, theirs)
    ]
    if not np.array_equal(exist[0], exist[1]):
        raise error("other-grid", "the grids differ: not the same cells exist")
    ours, theirs = _in_one_table(*_in_one_set(ours, theirs))
    names = [
        number
        for number, each in enumerate(ours.system.properties)
        if ours.property_value(each) != theirs.property_value(each)
    ]
    entry = ours.system.thing_rules.file_entry
    things = _unlike_things(ours.things, theirs.things, entry)
    pairs: dict[Place, list[tuple[Plane, Plane]]] = {place: [] for place in Place}
    for spec in ours.system.shown_planes:
        both = ours.composite.planes[spec.name], theirs.composite.planes[spec.name]
        pairs[spec.place].append(both)
    differences = {
        DifferenceKind.PROPERTY: np.array(names, np.intp),
        **{DifferenceKind(place.value): _unlike(ours.grid, pairs[place]) for place in Place},
        DifferenceKind.CELL_LOCK: _unlike(ours.grid, [(ours.locked_cells, theirs.locked_cells)]),
        DifferenceKind.SIDE_LOCK: _unlike(ours.grid, [(ours.locked_sides, theirs.locked_sides)]),
        DifferenceKind.THING: np.array(sorted(things), np.intp),
    }
    return Comparison(ours, theirs, differences, things)


def _in_one_set(ours: ShownMap, theirs: ShownMap) -> tuple[ShownMap, ShownMap]:
    """Return both maps in codes of our terrain set, to which what theirs shows besides is added."""
    before = theirs.composite.terrain_set
    terrain_set = ours.composite.terrain_set
    if before == terrain_set:
        return ours, theirs
    system = ours.system
    layer = Layer(0, "", planes=dict(theirs.composite.planes))
    terrain_set = with_missing(system, (layer,), before, terrain_set)
    planes = translated_layer(system, layer, before, terrain_set).planes
    return (
        replace(ours, composite=replace(ours.composite, terrain_set=terrain_set)),
        replace(
            theirs, composite=replace(theirs.composite, terrain_set=terrain_set, planes=planes)
        ),
    )


def _in_one_table(ours: ShownMap, theirs: ShownMap) -> tuple[ShownMap, ShownMap]:
    """Return both maps in codes of our regions, to which those that theirs alone has are added."""
    spec = ours.system.regions
    if spec is None or ours.regions == theirs.regions:
        return ours, theirs
    table = joined(ours.regions, theirs.regions)
    shown = theirs.composite
    values = in_table(shown.planes[spec.name], theirs.regions, table)
    planes = {**shown.planes, spec.name: values}
    return (
        replace(ours, regions=table),
        replace(theirs, regions=table, composite=replace(shown, planes=planes)),
    )


def _refuse_unknown_region(battlemap: BattleMap, regions: Regions, values: Plane) -> None:
    """Raise ProblemError for codes of regions that the map has not."""
    ours = regions_of(battlemap.records)
    for code in np.unique(values[values != NO_REGION]).tolist():
        if code >= len(ours) or ours[code] != regions[code]:
            name = regions[code].name if regions[code] else ""
            raise error("compare-region", f"this map has no region “{name}”: add it first")


def _refuse_unknown(
    battlemap: BattleMap, terrain_set: TerrainSet, spec: PlaneSpec, values: Plane
) -> None:
    """Raise ProblemError for codes of ``terrain_set`` that the map's own set lacks."""
    ours = battlemap.terrain_set
    most = {
        battlemap.system.terrain: (len(ours.terrains), terrain_set.terrains),
        battlemap.system.hexside: (len(ours.hexsides) + 1, ("", *terrain_set.hexsides)),
    }.get(spec)
    if most is None or not len(values) or values.max() < most[0]:
        return
    name = getattr(most[1][int(values.max())], "name", "")
    raise error("compare-terrain", f"this map has no “{name}”: its terrain set is another one")


def _unlike_things(
    ours: Iterable[Thing], theirs: Iterable[Thing], entry: str
) -> dict[int, ThingPair]:
    """Return the things that differ beside ``entry`` of their states, see ``Comparison.things``."""
    look = partial(_look, entry=entry)
    here, other_things = ({thing.id: thing for thing in things} for things in (ours, theirs))
    for thing_id in [
        i for i in here.keys() & other_things.keys() if look(here[i]) == look(other_things[i])
    ]:
        del here[thing_id], other_things[thing_id]
    same_look: dict[object, list[int]] = {}
    for thing in other_things.values():
        same_look.setdefault(look(thing), []).append(thing.id)
    for thing in list(here.values()):
        others = same_look.get(look(thing))
        if others:
            del here[thing.id], other_things[others.pop()]
    pairs: dict[int, ThingPair] = {
        i: (thing, other_things.pop(i, None)) for i, thing in here.items()
    }
    return pairs | {~i: (None, thing) for i, thing in other_things.items()}


def _look(thing: Thing, entry: str) -> tuple[object, ...]:
    """Everything that a map shows or knows of a thing, whatever its id, layer and ``entry``."""
    place = (thing.x, thing.y, thing.angle % 360)
    state = with_link(thing, entry, None).state
    return (thing.kind, *place, thing.owner, thing.label, state)


def _pair_words(ours: Thing | None, theirs: Thing | None, entry: str) -> str:
    """Two things in words; angle and state, without ``entry``, only where they differ."""
    one = ours or theirs
    assert one is not None
    here = _thing_words(ours)
    other = _thing_words(theirs)
    if ours and theirs:
        angles = [thing.angle % 360 for thing in (ours, theirs)]
        if angles[0] != angles[1]:
            here = f"{here} at {angles[0]:.0f}°"
            other = f"{other} at {angles[1]:.0f}°"
        for name in sorted((ours.state.keys() | theirs.state.keys()) - {entry}):
            values = ours.state.get(name), theirs.state.get(name)
            if values[0] != values[1]:
                here = f"{here}, {name} {values[0]}"
                other = f"{other}, {name} {values[1]}"
    return f"thing {one.id}: {here} | {other}"


def _thing_words(thing: Thing | None) -> str:
    if thing is None:
        return "none"
    label = f" “{thing.label}”" if thing.label else ""
    return f"{thing.kind}{label} of {thing.owner} at {thing.x:.1f}, {thing.y:.1f}"


def _unlike(grid: Grid, pairs: Iterable[tuple[Plane, Plane]]) -> NDArray[np.intp]:
    """Return the flat indices, ascending, at which planes differ on existing cells or corners."""
    unlike: Any = False
    for one, other in pairs:
        if not (is_blank(one) and is_blank(other) and one.flat[0] == other.flat[0]):
            unlike = unlike | (one != other)
    if grid.mask is not None and np.ndim(unlike):
        of_cells = np.shape(unlike)[:2] == grid.mask.shape
        unlike[~(grid.mask if of_cells else existing_corners(grid))] = False
    return np.flatnonzero(unlike)


def _grid_words(grid: Grid) -> str:
    wrap = ", wrapping" if grid.wrap else ""
    return f"{grid.width} x {grid.height} {grid.layout.name}{wrap}"
