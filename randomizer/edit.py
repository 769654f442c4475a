"""One change of a map with its inverse. ``Edit.apply`` is the only code that changes a map."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.battlemap import PROPERTIES, TOUCHED, BattleMap, Layer, Place, Plane, write
from randomizer.shaping.shapes import ascending, is_ascending
from randomizer.things import Thing, Things

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from randomizer.grid import Grid

Indices = NDArray[np.intp]
"""Flat indices into a plane, ascending, shape (n,)."""

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
        ...

    def inverse(self) -> Edit:
        """The edit that takes this one back."""
        ...

    def region(self, battlemap: BattleMap) -> Region:
        """What has to be drawn again after this edit."""
        ...


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


def _fitting(values: Any, dtype: Any) -> Plane:
    """``values`` as an array of ``dtype``. Raises ValueError if that would change one of them."""
    given = np.asarray(values)
    if given.dtype == dtype:
        return given
    fitting = given.astype(dtype) if given.dtype.kind in "biu" or not given.size else None
    if fitting is None or (fitting != given).any():
        limits: Any = np.iinfo(dtype)
        raise ValueError(f"here stand whole numbers from {limits.min} to {limits.max}: {values}")
    return fitting


def _places(index: Iterable[int], size: int) -> Indices:
    """``index`` as an array. Raises IndexError for a place that a plane of ``size`` has not."""
    is_array = isinstance(index, np.ndarray)
    places = np.asarray(index, np.intp) if is_array else np.fromiter(index, np.intp)
    if places.size and not 0 <= places.min() <= places.max() < size:
        raise IndexError(f"places are 0 to {size - 1}, not {places.min()} to {places.max()}")
    return places


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
        write(values, self.index, _fitting(self.after, values.dtype))

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


_SHOWN_PROPERTIES = ("visible", "opacity", "startlist")


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


def set_values(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """The edit that writes ``values`` (one, or one each) at flat ``index`` of a layer's plane.

    Places that hold the value already are left out; None if nothing would change. In a rolled layer
    the places are marked as touched by hand, so that a re-roll keeps them: those too that a hand
    gave the value they had. ``index`` may repeat a place only with the same value.

    Raises KeyError for a layer or plane that is not there, IndexError for a place off the plane,
    ValueError for values that the plane cannot hold or that are not as many as the places.
    """
    layer = battlemap.layer(layer_id)
    spec = battlemap.system.plane(plane)
    places = _places(index, math.prod(spec.shape(battlemap.grid)))
    given = np.broadcast_to(_fitting(values, spec.dtype), places.shape)
    where, after = places, given
    if not is_ascending(places):
        where, first, again = np.unique(places, return_index=True, return_inverse=True)
        after = given[first]
        if (after[again] != given).any():
            raise ValueError("one place cannot have two values")
    present = layer.planes.get(plane)
    if present is None:
        before = np.full(len(where), spec.unset, spec.dtype)
    else:
        before = present.reshape(-1)[where]
    different = before != after
    edits: list[Edit] = []
    if different.any():
        edits.append(
            PlaneEdit(layer_id, plane, where[different], before[different], after[different])
        )
    if layer.roll is not None and spec.shown:
        touched = set_values(battlemap, layer_id, TOUCHED + plane, where, 1)
        if touched is not None:
            edits.append(touched)
    return compound(edits)


def set_property(battlemap: BattleMap, layer_id: int, name: str, value: Any) -> Edit | None:
    """The edit that sets title, subtitle, tower or startlist; None if it is so already.

    Raises KeyError for another name, or a layer that is not there.
    """
    if name not in PROPERTIES:
        raise KeyError(name)
    layer = battlemap.layer(layer_id)
    edits: list[Edit] = []
    before = getattr(layer, name)
    if before != value:
        edits.append(LayerProperty(layer_id, name, before, value))
        if layer.roll is not None and name not in layer.touched_properties:
            touched = layer.touched_properties
            edits.append(LayerProperty(layer_id, "touched_properties", touched, touched | {name}))
    return compound(edits)


def set_locks(
    battlemap: BattleMap, index: Iterable[int], locked: bool, *, sides: bool = False
) -> Edit | None:
    """The edit that locks or unlocks cells (or hexsides: ``cell * degree + side``).

    None if nothing would change. Raises IndexError for a place off the map.
    """
    locks = battlemap.locked_sides if sides else battlemap.locked_cells
    where = ascending(_places(index, locks.size))
    where = where[locks.reshape(-1)[where] != locked]
    if not len(where):
        return None
    after = np.full(len(where), locked, np.bool_)
    return LockEdit(sides, where, ~after, after)


def parts(edit: Edit) -> Iterator[Edit]:
    """The simple edits that an edit consists of, first to last."""
    if isinstance(edit, Compound):
        for part in edit.edits:
            yield from parts(part)
    else:
        yield edit


def kept_out(battlemap: BattleMap, edit: Edit) -> Layer | None:
    """The locked layer that refuses ``edit``, None if none does.

    A locked layer refuses other values, other contents and being taken away; that it is shown,
    moved, renamed or unlocked it does not.
    """
    locked = {layer.id: layer for layer in battlemap.layers if layer.locked}
    if not locked:
        return None
    for part in parts(edit):
        if isinstance(part, PlaneEdit) or (
            isinstance(part, LayerProperty) and part.name in PROPERTIES
        ):
            touched = part.layer_id
        elif isinstance(part, LayerRemove):
            touched = part.layer.id
        elif isinstance(part, LayerReplace):
            touched = part.before.id
        else:
            continue
        if touched in locked:
            return locked[touched]
    return None


def compound(edits: Iterable[Edit | None]) -> Edit | None:
    """One edit out of several, flattened; None if there is none."""
    flat: list[Edit] = []
    for edit in edits:
        if isinstance(edit, Compound):
            flat.extend(edit.edits)
        elif edit is not None:
            flat.append(edit)
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else Compound(tuple(flat))


def squash(edits: Iterable[Edit]) -> Edit | None:
    """One edit with the effect of all, in order; plane and lock edits of one target are merged.

    A stroke's many small edits become few: each place keeps its first ``before`` and its last
    ``after``; a place that ends as it began is dropped. Edits of different planes commute, so only
    edits of the layer stack end a run.
    """
    done: list[Edit] = []
    pending: dict[tuple[object, ...], list[PlaneEdit | LockEdit]] = {}

    def flush() -> None:
        for group in pending.values():
            merged = _merge(group)
            if len(merged.index):
                done.append(merged)
        pending.clear()

    for edit in chain.from_iterable(parts(edit) for edit in edits):
        if isinstance(edit, PlaneEdit):
            pending.setdefault((edit.layer_id, edit.plane), []).append(edit)
        elif isinstance(edit, LockEdit):
            pending.setdefault((edit.sides,), []).append(edit)
        else:
            flush()
            done.append(edit)
    flush()
    return compound(done)


def _merge(group: list[PlaneEdit | LockEdit]) -> PlaneEdit | LockEdit:
    if len(group) == 1:
        return group[0]
    index = np.concatenate([edit.index for edit in group])
    before = np.concatenate([edit.before for edit in group])
    after = np.concatenate([edit.after for edit in group])
    where, first = np.unique(index, return_index=True)
    _, last = np.unique(index[::-1], return_index=True)
    before, after = before[first], after[::-1][last]
    different = before != after
    return replace(
        group[0], index=where[different], before=before[different], after=after[different]
    )
