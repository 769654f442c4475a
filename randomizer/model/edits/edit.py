"""Edits: reversible changes of a map. ``Edit.apply`` is the only code that changes a map.

``Edit`` is what every edit can do. It holds the old state and the new one, so that its inverse is
the same edit with the two exchanged; the map must be in the old state when it is applied. The names
of its fields are those of its record in the journal. ``Compound`` makes one edit of several.

Here are also the edits of what one layer contains (values of a plane, properties, things) and of
locks. Those of the stack of layers are in stack_edits.py, of terrain sets in terrain_edits.py, of
records in record_edits.py, of the grid in reshape.py. A *composite* is what all visible layers show
together; the desk keeps one up to date with ``Edit.refresh``::

    edit = PlaneEdit(layer_id, "terrain", cells, old_values, new_values)
    edit.apply(battlemap)
    redraw(edit.region(battlemap))
    edit.inverse().apply(battlemap)  # as if nothing had happened

Most edits are not made by their constructors, but by functions that know what may be edited and
what is there now, such as ``set_values`` (value_edits.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.indices import Indices, ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import cells_with
from randomizer.model.planes.planes import Element, Plane, write
from randomizer.model.system.property import UNSET
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MANY_PLACES = 50_000
"""If more elements or things than this change, the whole map is drawn again, which is faster.

If it is larger, an edit of half the map is slower to show than one of all of it.
"""


@dataclass(frozen=True, slots=True)
class Region:
    """The parts of a map that an edit changed, and that must be drawn or computed again::

    region = edit.region(battlemap)
    if region.everything or "terrain" in region.planes:
        ...
    """

    cells: Indices = field(default_factory=lambda: np.empty(0, np.intp))
    """The cells whose look can have changed, ascending: flat indices."""
    everything: bool = False
    """True if the look of any cell can have changed; ``cells`` need not name them."""
    structure: bool = False
    """True if the list of layers, or a field or property of a layer, has changed."""
    locks: bool = False
    """True if locks of cells or sides were set or removed."""
    things: bool = False
    """True if things were placed, changed or removed."""
    reshaped: bool = False
    """True if the map has another grid, and with it all that depends on it (``Shape``)."""
    planes: frozenset[str] = frozenset()
    """The names of the planes whose values changed at ``cells``."""
    terrain_set: bool = False
    """True if the map has another terrain set."""
    records: frozenset[str] = frozenset()
    """The names of the records that changed."""
    points: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
    """The points at which the changed things are now, and were: shape (n, 2), in map units.

    Their cells are not among ``cells``: below the things these look the same.
    """

    def union(self, other: Region) -> Region:
        """Return the region of all that changed in either of the two."""
        return Region.of((self, other))

    @classmethod
    def of(cls, regions: Iterable[Region]) -> Region:
        """Return the union of all regions."""
        united = (cls(), *regions)  # numpy cannot join an empty list of arrays
        return cls(
            cells=ascending(np.concatenate([region.cells for region in united])),
            everything=any(region.everything for region in united),
            structure=any(region.structure for region in united),
            locks=any(region.locks for region in united),
            things=any(region.things for region in united),
            reshaped=any(region.reshaped for region in united),
            planes=frozenset().union(*(region.planes for region in united)),
            terrain_set=any(region.terrain_set for region in united),
            records=frozenset().union(*(region.records for region in united)),
            points=np.concatenate([region.points for region in united]),
        )


class Edit(Protocol):
    """A reversible change. Applying the inverse afterwards restores the map bit for bit."""

    def apply(self, battlemap: BattleMap) -> None:
        """Change the map. Raises KeyError, the map unchanged, if a layer is not there."""

    def inverse(self) -> Edit:
        """Return the edit that undoes this one."""

    def region(self, battlemap: BattleMap) -> Region:
        """Return what has to be drawn again after this edit."""

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Bring the composite of all layers up to date after this edit was applied.

        The cost grows with the edit, not with the map. Returns False, with the composite as it was
        or half refreshed, if it has to be composed anew.
        """


# --- what a layer contains, and locks -------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PlaneEdit:
    """New values of some elements of one plane of one layer; all arrays have shape (n,)."""

    layer_id: int
    plane: str
    """The name of the plane."""
    index: Indices
    """Indices into the flat plane: cells, ``cell * degree + side``, or corners."""
    old_values: Plane
    """The values there now, ``unset`` where the layer sets none."""
    new_values: Plane
    """The values to be written."""

    def apply(self, battlemap: BattleMap) -> None:
        """Write ``new_values``; a plane that the layer lacks is allocated.

        Raises ValueError for a value that the plane cannot hold.
        """
        layer = battlemap.layer(self.layer_id)
        values = layer.planes.get(self.plane)
        if values is None:
            values = battlemap.system.plane(self.plane).allocate(battlemap.grid)
        write(values, self.index, fitting(self.new_values, values.dtype))
        layer.planes[self.plane] = values

    def inverse(self) -> PlaneEdit:
        """Return the edit with ``old_values`` and ``new_values`` exchanged."""
        return PlaneEdit(self.layer_id, self.plane, self.index, self.new_values, self.old_values)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the cells whose values changed; everything if they are very many."""
        planes = frozenset((self.plane,))
        if len(self.index) > MANY_PLACES:
            return Region(everything=True, planes=planes)
        element = battlemap.system.plane(self.plane).element
        return Region(_cells_of(battlemap, element, self.index), planes=planes)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Compose the changed elements anew; always possible."""
        battlemap.refresh_plane(composite, self.plane, self.index)
        return True


def fitting(values: Any, dtype: Any) -> Plane:
    """Return ``values`` as an array of ``dtype``, an integer type.

    Raises ValueError if that would change a value: 300 does not fit a byte, 1.5 no integer.
    """
    array = np.asarray(values)
    if array.dtype == dtype:
        return array
    has_whole_numbers = array.dtype.kind in "biu"  # bool, signed and unsigned integers
    is_empty = not array.size  # numpy makes an array of floats of an empty list
    if has_whole_numbers or is_empty:
        converted = array.astype(dtype)
        if (converted == array).all():
            return converted
    limits: Any = np.iinfo(dtype)
    raise ValueError(
        f"the values of a plane are whole numbers from {limits.min} to {limits.max}, "
        f"not {values!s:.80}"
    )


@dataclass(frozen=True, slots=True)
class PropertyEdit:
    """A new value of a property in one layer."""

    layer_id: int
    name: str
    """The name of a property of the map's system."""
    old_value: Any
    """The value in the layer now; UNSET if the layer does not set it."""
    new_value: Any
    """The value to be set; UNSET to remove it from the layer."""

    def apply(self, battlemap: BattleMap) -> None:
        """Set or unset the property. Raises KeyError if the system has no such property."""
        properties = battlemap.layer(self.layer_id).properties
        battlemap.system.property_named(self.name)  # raises before anything is changed
        if self.new_value is UNSET:
            properties.pop(self.name, None)
        else:
            properties[self.name] = self.new_value

    def inverse(self) -> PropertyEdit:
        """Return the edit with ``old_value`` and ``new_value`` exchanged."""
        return PropertyEdit(self.layer_id, self.name, self.new_value, self.old_value)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the whole map if the property is drawn, else only the properties."""
        return Region(everything=battlemap.system.property_named(self.name).shown, structure=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Look the property up in all layers; always possible."""
        battlemap.refresh_property(composite, self.name)
        return True


@dataclass(frozen=True, eq=False)
class LockEdit:
    """New locks of cells or of hexsides; all arrays have shape (n,)."""

    sides: bool
    """True for hexsides, False for cells."""
    index: Indices
    """The cells, or the hexsides: ``cell * degree + side``."""
    old_values: NDArray[np.bool_]
    """True for those that are locked now."""
    new_values: NDArray[np.bool_]
    """True for those that are to be locked."""

    def apply(self, battlemap: BattleMap) -> None:
        """Set the locks."""
        if self.sides:
            locks = _writable(battlemap.locked_sides)
            write(locks, self.index, self.new_values)
            battlemap.locked_sides = locks
        else:
            locks = _writable(battlemap.locked_cells)
            write(locks, self.index, self.new_values)
            battlemap.locked_cells = locks

    def inverse(self) -> LockEdit:
        """Return the edit that sets them back."""
        return LockEdit(self.sides, self.index, self.new_values, self.old_values)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the cells whose locks changed; everything if they are very many."""
        if len(self.index) > MANY_PLACES:
            return Region(everything=True, locks=True)
        element = Element.CELL
        if self.sides:
            element = Element.SIDE
        return Region(_cells_of(battlemap, element, self.index), locks=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True: a composite has no locks."""
        return True


def _writable(locks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return an array of locks; a copy if it is ``blank``, with one value stored for all.

    (Planes of layers are never blank; only composites and locks are.)
    """
    if locks.flags.writeable:
        return locks
    return locks.copy()


def _cells_of(battlemap: BattleMap, element: Element, index: Indices) -> Indices:
    """Return the cells, ascending, that show values at ``index`` of a plane."""
    grid = battlemap.grid
    if element is Element.SIDE:
        return ascending(index // grid.degree)
    if element is Element.CORNER:
        return cells_with(grid, index)
    return index


@dataclass(frozen=True, slots=True)
class ThingsEdit:
    """Things of a layer are removed, added or changed."""

    layer_id: int
    old_things: tuple[Thing, ...]
    """Things of the layer that it loses; () to add things alone."""
    new_things: tuple[Thing, ...]
    """Things that it gets; changed ones have ids of ``old_things``. () to remove things alone."""

    def apply(self, battlemap: BattleMap) -> None:
        """Replace ``old_things`` by ``new_things``.

        Raises KeyError if one is not in the layer, or the map has it already.
        """
        layer = battlemap.layer(self.layer_id)
        for other_layer in battlemap.layers:
            if other_layer is not layer and other_layer.things:
                for thing in self.new_things:
                    if thing.id in other_layer.things:
                        raise KeyError(f"there is a thing {thing.id} in another layer")
        # Computed first: once the things are exchanged, nothing may fail any more.
        next_thing_id = max((thing.id + 1 for thing in self.new_things), default=0)
        layer.things.exchange(self.old_things, self.new_things)
        battlemap.next_thing_id = max(battlemap.next_thing_id, next_thing_id)

    def inverse(self) -> ThingsEdit:
        """Return the edit that replaces them back."""
        return ThingsEdit(self.layer_id, self.new_things, self.old_things)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the points at which they are and were; everything if they are very many."""
        if len(self.old_things) + len(self.new_things) > MANY_PLACES:
            return Region(everything=True, things=True)
        points = [(thing.x, thing.y) for thing in (*self.old_things, *self.new_things)]
        return Region(things=True, points=np.array(points, np.float64).reshape(-1, 2))

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return True: a composite has no things."""
        return True


# --- several edits as one -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Compound:
    """Several edits as one, applied in order."""

    edits: tuple[Edit, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Apply all, first to last, or none: if one fails, those applied so far are undone."""
        applied: list[Edit] = []
        try:
            for edit in self.edits:
                edit.apply(battlemap)
                applied.append(edit)
        except BaseException:
            take_back(battlemap, applied)
            raise

    def inverse(self) -> Compound:
        """Return the inverses, last to first."""
        return Compound(tuple(edit.inverse() for edit in reversed(self.edits)))

    def region(self, battlemap: BattleMap) -> Region:
        """Return the union of all regions."""
        return Region.of(edit.region(battlemap) for edit in self.edits)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Refresh edit by edit, until one returns False; True if none does."""
        # ``all`` stops at the first one: then the composite is made anew, without the others.
        return all(edit.refresh(battlemap, composite) for edit in self.edits)


def take_back(battlemap: BattleMap, applied: Sequence[Edit]) -> None:
    """Apply the inverses of edits that were applied, last to first.

    An inverse that fails does not stop the others; the first fault is raised at the end.
    """
    faults: list[Exception] = []
    for edit in reversed(applied):
        try:
            edit.inverse().apply(battlemap)
        except Exception as fault:  # noqa: BLE001 - raised below
            faults.append(fault)
    if faults:
        raise faults[0]
