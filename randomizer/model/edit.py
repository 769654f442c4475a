"""One change of a map with its inverse. ``Edit.apply`` is the only code that changes a map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.indices import Indices, ascending
from randomizer.model.layer import Layer
from randomizer.model.planes import Place, Plane, write
from randomizer.model.things import Thing, Things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.grid import Grid

MANY_PLACES = 50_000
"""Beyond so many it is quicker to draw the whole map again than one place after the other."""


@dataclass(frozen=True, slots=True)
class Region:
    """What an edit touched: some cells' looks, or (``everything``) anything at all.

    ``structure`` tells that the layer list or a layer's properties changed, ``locks`` that locks
    did, ``things`` that placed things did, ``reshaped`` that the grid is another. ``planes`` names
    the planes whose values changed at ``cells``.
    """

    cells: Indices = field(default_factory=lambda: np.empty(0, np.intp))
    everything: bool = False
    structure: bool = False
    locks: bool = False
    things: bool = False
    reshaped: bool = False
    planes: frozenset[str] = frozenset()

    def union(self, other: Region) -> Region:
        """Both regions together."""
        return Region.of((self, other))

    @classmethod
    def of(cls, regions: Iterable[Region]) -> Region:
        """All regions together."""
        found = (cls(), *regions)
        return cls(
            ascending(np.concatenate([region.cells for region in found])),
            any(region.everything for region in found),
            any(region.structure for region in found),
            any(region.locks for region in found),
            any(region.things for region in found),
            any(region.reshaped for region in found),
            frozenset().union(*(region.planes for region in found)),
        )


class Edit(Protocol):
    """A reversible change. Applying the inverse afterwards restores the map bit for bit."""

    def apply(self, battlemap: BattleMap) -> None:
        """Change the map. Raises KeyError, the map unchanged, for a layer that is not there."""

    def inverse(self) -> Edit:
        """The edit that takes this one back."""

    def region(self, battlemap: BattleMap) -> Region:
        """What has to be drawn again after this edit."""

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Bring the live composite of all layers up to date after this edit was applied.

        The cost grows with the edit, not with the map. False if it has to be composed again.
        """


def _cells_of(battlemap: BattleMap, place: Place, index: Indices) -> Indices:
    grid = battlemap.grid
    if place is Place.SIDE:
        return ascending(index // grid.degree)
    if place is Place.CORNER:
        ys, xs = np.divmod(index, grid.width + 1)
        inside = []
        for y, x in ((ys, xs), (ys, xs - 1), (ys - 1, xs), (ys - 1, xs - 1)):
            on_map = (y >= 0) & (y < grid.height) & (x >= 0) & (x < grid.width)
            inside.append((y * grid.width + x)[on_map])
        return ascending(np.concatenate(inside))
    return index


def fitting(values: Any, dtype: Any) -> Plane:
    """``values`` as an array of ``dtype``. Raises ValueError if that would change one of them."""
    given = np.asarray(values)
    if given.dtype == dtype:
        return given
    fitting = given.astype(dtype) if given.dtype.kind in "biu" or not given.size else None
    if fitting is None or (fitting != given).any():
        limits: Any = np.iinfo(dtype)
        raise ValueError(f"here stand whole numbers from {limits.min} to {limits.max}: {values}")
    return fitting


@dataclass(frozen=True, eq=False)
class PlaneEdit:
    """New values at some places of one plane of one layer; all arrays have shape (n,)."""

    layer_id: int
    plane: str
    index: Indices
    before: Plane
    after: Plane

    def apply(self, battlemap: BattleMap) -> None:
        """Write ``after``; a plane that the layer lacks is allocated.

        Raises ValueError for a value that the plane cannot hold.
        """
        layer = battlemap.layer(self.layer_id)
        values = layer.planes.get(self.plane)
        if values is None:
            values = battlemap.system.plane(self.plane).allocate(battlemap.grid)
            layer.planes[self.plane] = values
        write(values, self.index, fitting(self.after, values.dtype))

    def inverse(self) -> PlaneEdit:
        """The same places with the values exchanged."""
        return PlaneEdit(self.layer_id, self.plane, self.index, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """The cells whose values changed; everything if they are very many."""
        planes = frozenset((self.plane,))
        if len(self.index) > MANY_PLACES:
            return Region(everything=True, planes=planes)
        place = battlemap.system.plane(self.plane).place
        return Region(_cells_of(battlemap, place, self.index), planes=planes)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """The values at the places that changed."""
        battlemap.refresh_plane(shown, self.plane, self.index)
        return True


@dataclass(frozen=True, eq=False)
class LayerInsert:
    """A layer comes into the stack at position ``index`` (0 is the bottom)."""

    index: int
    layer: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Put the layer in. It must not be in another map.

        Raises ValueError for an id that the map has already, IndexError for a position that the
        stack has not.
        """
        if any(layer.id == self.layer.id for layer in battlemap.layers):
            raise ValueError(f"the map has a layer {self.layer.id} already")
        if not 0 <= self.index <= len(battlemap.layers):
            raise IndexError(f"the stack has no position {self.index}")
        battlemap.layers.insert(self.index, self.layer)

    def inverse(self) -> LayerRemove:
        """Take it out again."""
        return LayerRemove(self.index, self.layer)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Another stack of layers is composed again."""
        return False


def _expect(battlemap: BattleMap, index: int, layer: Layer) -> None:
    """Raises KeyError unless ``layer`` stands at position ``index`` of the stack."""
    if battlemap.index_of(layer.id) != index:
        raise KeyError(f"layer {layer.id} is not at position {index}")


@dataclass(frozen=True, eq=False)
class LayerRemove:
    """The layer at position ``index`` leaves the stack."""

    index: int
    layer: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Take the layer out."""
        _expect(battlemap, self.index, self.layer)
        del battlemap.layers[self.index]

    def inverse(self) -> LayerInsert:
        """Put it back."""
        return LayerInsert(self.index, self.layer)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Another stack of layers is composed again."""
        return False


@dataclass(frozen=True, eq=False)
class LayerReplace:
    """The layer at position ``index`` is exchanged for another (a re-roll keeps its id)."""

    index: int
    before: Layer
    after: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Exchange the layers."""
        _expect(battlemap, self.index, self.before)
        battlemap.layers[self.index] = self.after

    def inverse(self) -> LayerReplace:
        """Exchange them back."""
        return LayerReplace(self.index, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Another stack of layers is composed again."""
        return False


@dataclass(frozen=True, slots=True)
class LayerMove:
    """A layer goes from one position of the stack to another (counted after it was taken out)."""

    start: int
    end: int

    def apply(self, battlemap: BattleMap) -> None:
        """Move the layer."""
        battlemap.layers.insert(self.end, battlemap.layers.pop(self.start))

    def inverse(self) -> LayerMove:
        """Move it back."""
        return LayerMove(self.end, self.start)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Another stack of layers is composed again."""
        return False


_SHOWN_PROPERTIES = ("visible", "opacity", "startlist")
_NOT_COMPOSED = ("name", "opacity", "locked", "touched_properties")


@dataclass(frozen=True, slots=True)
class LayerProperty:
    """A field of a layer other than its planes: name, visible, title, tower, startlist ..."""

    layer_id: int
    name: str
    before: Any
    after: Any

    def apply(self, battlemap: BattleMap) -> None:
        """Set the field. Raises AttributeError for one that layers have not."""
        layer = battlemap.layer(self.layer_id)
        getattr(layer, self.name)
        setattr(layer, self.name, self.after)

    def inverse(self) -> LayerProperty:
        """Set it back."""
        return LayerProperty(self.layer_id, self.name, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything where the look may change; the layer list only for a name."""
        return Region(everything=self.name in _SHOWN_PROPERTIES, structure=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Only fields that a composite does not depend on leave it as it is."""
        return self.name in _NOT_COMPOSED


@dataclass(frozen=True, eq=False)
class LockEdit:
    """Locks of cells (``sides`` False) or of hexsides; arrays of shape (n,), values bool."""

    sides: bool
    index: Indices
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]

    def apply(self, battlemap: BattleMap) -> None:
        """Set the locks; where none was set yet, their array is allocated."""
        name = "locked_sides" if self.sides else "locked_cells"
        locks = getattr(battlemap, name)
        if not locks.flags.writeable:
            locks = locks.copy()
            setattr(battlemap, name, locks)
        write(locks, self.index, self.after)

    def inverse(self) -> LockEdit:
        """Set them back."""
        return LockEdit(self.sides, self.index, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """The cells whose locks changed; everything if they are very many."""
        if len(self.index) > MANY_PLACES:
            return Region(everything=True, locks=True)
        place = Place.SIDE if self.sides else Place.CELL
        return Region(_cells_of(battlemap, place, self.index), locks=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """A composite holds no locks."""
        return True


@dataclass(frozen=True, slots=True)
class ThingsEdit:
    """Placed things go, come or change: those ``before`` make way for those ``after``."""

    before: tuple[Thing, ...]
    after: tuple[Thing, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Exchange them. Raises KeyError if one is not there, or is there already."""
        battlemap.things.exchange(self.before, self.after)

    def inverse(self) -> ThingsEdit:
        """Exchange them back."""
        return ThingsEdit(self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """The cells they lie on."""
        points = np.array([(thing.x, thing.y) for thing in (*self.before, *self.after)], np.float64)
        cells = np.unique(battlemap.grid.cells_at(points.reshape(-1, 2)))
        return Region(cells[cells >= 0], things=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """A composite holds no things."""
        return True


@dataclass(frozen=True, eq=False)
class Shape:
    """Everything of a map that depends on its grid. ``layers`` are in the map while it has it."""

    grid: Grid
    layers: tuple[Layer, ...]
    locked_cells: NDArray[np.bool_]
    locked_sides: NDArray[np.bool_]
    things: Things

    @classmethod
    def of(cls, battlemap: BattleMap) -> Shape:
        """The shape that a map has now."""
        return cls(
            battlemap.grid,
            tuple(battlemap.layers),
            battlemap.locked_cells,
            battlemap.locked_sides,
            battlemap.things,
        )


@dataclass(frozen=True, eq=False)
class Reshape:
    """The whole map is turned, flipped, resized or shifted: another grid, other layers."""

    before: Shape
    after: Shape

    def apply(self, battlemap: BattleMap) -> None:
        """Exchange everything at once."""
        battlemap.grid = self.after.grid
        battlemap.layers[:] = self.after.layers
        battlemap.locked_cells = self.after.locked_cells
        battlemap.locked_sides = self.after.locked_sides
        battlemap.things = self.after.things

    def inverse(self) -> Reshape:
        """Exchange it back."""
        return Reshape(self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True, locks=True, things=True, reshaped=True)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Another grid is composed again."""
        return False


@dataclass(frozen=True, eq=False)
class Compound:
    """Several edits as one, applied in order."""

    edits: tuple[Edit, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Apply all, first to last, or none: if one fails, those before it are taken back."""
        done: list[Edit] = []
        try:
            for edit in self.edits:
                edit.apply(battlemap)
                done.append(edit)
        except BaseException:
            for edit in reversed(done):
                edit.inverse().apply(battlemap)
            raise

    def inverse(self) -> Compound:
        """The inverses, last to first."""
        return Compound(tuple(edit.inverse() for edit in reversed(self.edits)))

    def region(self, battlemap: BattleMap) -> Region:
        """All regions together."""
        return Region.of(edit.region(battlemap) for edit in self.edits)

    def refresh(self, battlemap: BattleMap, shown: Composite) -> bool:
        """Part by part, up to the first that cannot."""
        return all(edit.refresh(battlemap, shown) for edit in self.edits)
