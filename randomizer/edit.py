"""One change of a map with its inverse. ``Edit.apply`` is the only code that changes a map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.battlemap import TOUCHED, BattleMap, Layer, Place, Plane

Indices = NDArray[np.intp]
"""Flat indices into a plane, ascending, shape (n,)."""


@dataclass(frozen=True, slots=True)
class Region:
    """What an edit touched: some cells' looks, or (``everything``) anything at all.

    ``structure`` tells that the layer list or a layer's properties changed, ``locks`` that locks
    did.
    """

    cells: Indices = field(default_factory=lambda: np.empty(0, np.intp))
    everything: bool = False
    structure: bool = False
    locks: bool = False

    def union(self, other: Region) -> Region:
        """Both regions together."""
        return Region(
            np.union1d(self.cells, other.cells),
            self.everything or other.everything,
            self.structure or other.structure,
            self.locks or other.locks,
        )


class Edit(Protocol):
    """A reversible change. Applying the inverse afterwards restores the map bit for bit."""

    def apply(self, battlemap: BattleMap) -> None:
        """Change the map. Raises KeyError for a layer that is not there."""
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
        return np.unique(index // grid.degree)
    if place is Place.CORNER:
        ys, xs = np.divmod(index, grid.width + 1)
        inside = []
        for y, x in ((ys, xs), (ys, xs - 1), (ys - 1, xs), (ys - 1, xs - 1)):
            on_map = (y >= 0) & (y < grid.height) & (x >= 0) & (x < grid.width)
            inside.append((y * grid.width + x)[on_map])
        return np.unique(np.concatenate(inside))
    return index


@dataclass(frozen=True, eq=False)
class PlaneEdit:
    """New values at some places of one plane of one layer; all arrays have shape (n,)."""

    layer_id: int
    plane: str
    index: Indices
    before: Plane
    after: Plane

    def apply(self, battlemap: BattleMap) -> None:
        """Write ``after``; a plane that the layer lacks is allocated."""
        layer = battlemap.layer(self.layer_id)
        values = layer.planes.get(self.plane)
        if values is None:
            values = battlemap.system.plane(self.plane).allocate(battlemap.grid)
            layer.planes[self.plane] = values
        values.flat[self.index] = self.after

    def inverse(self) -> PlaneEdit:
        """The same places with the values exchanged."""
        return PlaneEdit(self.layer_id, self.plane, self.index, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """The cells whose values changed."""
        place = battlemap.system.plane(self.plane).place
        return Region(_cells_of(battlemap, place, self.index))


@dataclass(frozen=True, eq=False)
class LayerInsert:
    """A layer comes into the stack at position ``index`` (0 is the bottom)."""

    index: int
    layer: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Put the layer in. It must not be in another map."""
        battlemap.layers.insert(self.index, self.layer)

    def inverse(self) -> LayerRemove:
        """Take it out again."""
        return LayerRemove(self.index, self.layer)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything."""
        return Region(everything=True, structure=True)


@dataclass(frozen=True, eq=False)
class LayerRemove:
    """The layer at position ``index`` leaves the stack."""

    index: int
    layer: Layer

    def apply(self, battlemap: BattleMap) -> None:
        """Take the layer out."""
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


@dataclass(frozen=True, slots=True)
class LayerProperty:
    """A field of a layer other than its planes: name, visible, title, tower, startlist ..."""

    layer_id: int
    name: str
    before: Any
    after: Any

    def apply(self, battlemap: BattleMap) -> None:
        """Set the field."""
        setattr(battlemap.layer(self.layer_id), self.name, self.after)

    def inverse(self) -> LayerProperty:
        """Set it back."""
        return LayerProperty(self.layer_id, self.name, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """Everything where the look may change; the layer list only for a name."""
        return Region(everything=self.name in ("visible", "startlist"), structure=True)


@dataclass(frozen=True, eq=False)
class LockEdit:
    """Locks of cells (``sides`` False) or of hexsides; arrays of shape (n,), values bool."""

    sides: bool
    index: Indices
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]

    def apply(self, battlemap: BattleMap) -> None:
        """Set the locks."""
        locks = battlemap.locked_sides if self.sides else battlemap.locked_cells
        locks.flat[self.index] = self.after

    def inverse(self) -> LockEdit:
        """Set them back."""
        return LockEdit(self.sides, self.index, self.after, self.before)

    def region(self, battlemap: BattleMap) -> Region:
        """The cells whose locks changed."""
        place = Place.SIDE if self.sides else Place.CELL
        return Region(_cells_of(battlemap, place, self.index), locks=True)


@dataclass(frozen=True, eq=False)
class Compound:
    """Several edits as one, applied in order."""

    edits: tuple[Edit, ...]

    def apply(self, battlemap: BattleMap) -> None:
        """Apply all, first to last."""
        for edit in self.edits:
            edit.apply(battlemap)

    def inverse(self) -> Compound:
        """The inverses, last to first."""
        return Compound(tuple(edit.inverse() for edit in reversed(self.edits)))

    def region(self, battlemap: BattleMap) -> Region:
        """All regions together."""
        region = Region()
        for edit in self.edits:
            region = region.union(edit.region(battlemap))
        return region


def set_values(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """The edit that writes ``values`` (one, or one each) at flat ``index`` of a layer's plane.

    Places that hold the value already are left out; None if nothing would change. In a rolled layer
    the places are marked as touched by hand, so that a re-roll keeps them. ``index`` may repeat a
    place only with the same value.
    """
    layer = battlemap.layer(layer_id)
    spec = battlemap.system.plane(plane)
    where, first = np.unique(np.fromiter(index, np.intp), return_index=True)
    after = np.asarray(values, spec.dtype)
    after = after[first] if after.ndim else np.full(len(where), after)
    present = layer.planes.get(plane)
    if present is None:
        before = np.full(len(where), spec.unset, spec.dtype)
    else:
        before = present.flat[where]
    different = before != after
    edits: list[Edit] = []
    if different.any():
        edits.append(
            PlaneEdit(layer_id, plane, where[different], before[different], after[different].copy())
        )
    if layer.roll is not None and spec.shown:
        touched = set_values(battlemap, layer_id, TOUCHED + plane, where, 1)
        if touched is not None:
            edits.append(touched)
    return compound(edits)


def set_property(battlemap: BattleMap, layer_id: int, name: str, value: Any) -> Edit | None:
    """The edit that sets title, subtitle, tower or startlist; None if it is so already."""
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
    """The edit that locks or unlocks cells (or hexsides: ``cell * degree + side``)."""
    where = np.unique(np.fromiter(index, np.intp))
    locks = battlemap.locked_sides if sides else battlemap.locked_cells
    where = where[locks.flat[where] != locked]
    if not len(where):
        return None
    after = np.full(len(where), locked, np.bool_)
    return LockEdit(sides, where, ~after, after)


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

    for edit in _flatten(edits):
        if isinstance(edit, PlaneEdit):
            pending.setdefault((edit.layer_id, edit.plane), []).append(edit)
        elif isinstance(edit, LockEdit):
            pending.setdefault((edit.sides,), []).append(edit)
        else:
            flush()
            done.append(edit)
    flush()
    return compound(done)


def _flatten(edits: Iterable[Edit]) -> Iterable[Edit]:
    for edit in edits:
        if isinstance(edit, Compound):
            yield from _flatten(edit.edits)
        else:
            yield edit


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
