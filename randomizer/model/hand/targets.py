"""Finds the layer into which a change made by hand goes (docs/adr/0005).

With the active layer A the *target* of an element of a plane is the topmost visible layer at or
above A that sets the element; if none does, A. So a hand changes what is shown, and the element
looks as painted. Of several layers that are parts of one roll the topmost one is A, except for
erasing. A locked layer is never changed: its elements are left out. Both cells of a link of a route
have one target, the higher of theirs, so that no layer has half of it. Terrains of four cells, "-"
where a layer sets none::

    Touch-ups, locked     -  7  -  7
    A, the active layer   3  3  -  -
    Base                  1  1  1  1

Painting changes the first and the third cell, in A. The target of the other two is Touch-ups: they
are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import (
    compound,
    painted_in_roll,
    parts,
    restore_rolled_values,
    set_property,
    set_values,
)
from randomizer.model.grid.indices import Indices
from randomizer.model.hand.links import positions_joined_by_links
from randomizer.model.rolls.rolled_layers import first_part, parts_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.problems import Fix

NOWHERE = -1
"""The stack position that stands for no layer."""


@dataclass(frozen=True, eq=False)
class Targets:
    """The targets of some elements of a plane."""

    elements: Indices
    """Flat indices into the plane, (n,)."""

    positions: NDArray[np.intp]
    """The stack positions of the targets, (n,); ``NOWHERE`` where nothing is set to be erased."""

    locked: NDArray[np.bool_]
    """True where the target is a locked layer, (n,)."""

    def by_layer(self) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Yield the stack position of each unlocked target, with a mask (n,) of its elements."""
        unlocked = self.positions[~self.locked]
        for position in np.unique(unlocked[unlocked != NOWHERE]).tolist():
            yield position, self.positions == position


def topmost_part(battlemap: BattleMap, layer_id: int) -> Layer:
    """Return the topmost layer of the roll that a layer is a part of, else the layer itself."""
    lowest = first_part(battlemap, layer_id)
    return battlemap.layers[parts_from(battlemap, lowest)[-1]]


def why_not(battlemap: BattleMap, layer_id: int, *, erasing: bool = False) -> str:
    """Return why nothing can be painted (or erased) with this layer active; "" if it can."""
    active = battlemap.layer(layer_id)
    reason = why_not_into(active)
    if reason or erasing:
        return reason
    return why_not_into(topmost_part(battlemap, layer_id))


def why_not_into(layer: Layer) -> str:
    """Return why nothing in this one layer can be changed by hand; "" if it can.

    Ask this for things, which are changed in the layer that holds them; for values ``why_not``,
    since they may go into another layer than the active one.
    """
    if not layer.visible:
        return f"The layer {layer.name} is hidden: show it to change it."
    if layer.locked:
        return f"The layer {layer.name} is locked: unlock it to change it."
    return ""


def paint_targets(battlemap: BattleMap, layer_id: int, plane: str, elements: Indices) -> Targets:
    """Return the targets of elements of a plane that are to be painted with this layer active."""
    # What no layer above the active one sets goes into that.
    active = topmost_part(battlemap, layer_id)
    lowest = battlemap.index_of(active.id)
    positions = np.full(len(elements), lowest, np.intp)
    locked = np.full(len(elements), active.locked)
    for position in range(lowest + 1, len(battlemap.layers)):
        is_set = _are_set(battlemap, plane, position, elements)
        positions[is_set] = position
        locked[is_set] = battlemap.layers[position].locked
    return Targets(elements, positions, locked)


def erase_targets(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    elements: Indices,
    *,
    is_paint_only: NDArray[np.bool_] | None = None,
) -> Targets:
    """Return the targets of elements of a plane that are to be erased with this layer active.

    ``is_paint_only``, (n,), says of which elements nothing is erased that a roll made, only what a
    hand painted there or above. None stands for none of them.
    """
    # Nothing can be erased but what a layer sets, be it the active one.
    positions = np.full(len(elements), NOWHERE, np.intp)
    locked = np.zeros(len(elements), np.bool_)
    for position in range(battlemap.index_of(layer_id), len(battlemap.layers)):
        is_set = _are_set(battlemap, plane, position, elements)
        layer = battlemap.layers[position]
        positions[is_set] = position
        locked[is_set] = layer.locked
        if is_paint_only is not None and layer.roll is not None:
            is_rolled = is_set & ~painted_in_roll(battlemap, layer, plane, elements)
            positions[is_rolled & is_paint_only] = NOWHERE
            locked[is_rolled & is_paint_only] = False
    return Targets(elements, positions, locked)


def _are_set(
    battlemap: BattleMap, plane: str, position: int, elements: Indices
) -> NDArray[np.bool_]:
    """Return which elements (n,) the layer at a stack position sets, (n,); none if it is hidden."""
    layer = battlemap.layers[position]
    values = layer.planes.get(plane)
    if values is None or not layer.visible:
        return np.zeros(len(elements), np.bool_)
    unset = battlemap.system.plane(plane).unset
    is_set: NDArray[np.bool_] = values.reshape(-1)[elements] != unset
    return is_set


def paint(
    battlemap: BattleMap, layer_id: int, plane: str, index: Iterable[int], values: Any
) -> Edit | None:
    """Return the edit after which ``values`` (one, or one each) show at ``index`` of a plane.

    Elements whose target is locked are left out. None if nothing would change, or if nothing can be
    painted with this layer active. Raises as ``set_values`` does.
    """
    if why_not(battlemap, layer_id):
        return None
    if not isinstance(index, np.ndarray):
        index = list(index)  # of a mapping: its keys
    elements = np.asarray(index, np.intp)
    new_values = np.broadcast_to(values, elements.shape)
    targets = paint_targets(battlemap, layer_id, plane, elements)
    if battlemap.system.plane(plane).links:
        free = ~targets.locked
        positions = targets.positions.copy()
        positions[free] = positions_joined_by_links(
            battlemap, elements[free], new_values[free], positions[free]
        )
        targets = replace(targets, positions=positions)
    return compound(
        set_values(
            battlemap,
            battlemap.layers[position].id,
            plane,
            elements[is_in_layer],
            new_values[is_in_layer],
        )
        for position, is_in_layer in targets.by_layer()
    )


def paint_fixes(battlemap: BattleMap, layer_id: int, fixes: Iterable[Fix]) -> Edit | None:
    """Return the edit after which the values show that fixes change.

    Of several changes of one element the last one counts. None and errors as ``paint``.
    """
    changes_by_plane: dict[str, dict[int, int]] = {}
    for fix in fixes:
        for change in fix.values:
            changes_by_plane.setdefault(change.plane, {})[change.index] = change.value
    return compound(
        paint(battlemap, layer_id, plane, changes, list(changes.values()))
        for plane, changes in changes_by_plane.items()
    )


def erase(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    elements: Indices,
    *,
    is_paint_only: NDArray[np.bool_] | None = None,
) -> Edit | None:
    """Return the edit that unsets elements of a plane in their targets (``erase_targets``).

    Where a hand has painted into a roll, what the roll made there comes back instead. None if there
    is nothing to erase, or if nothing can be erased with this layer active.
    """
    if why_not(battlemap, layer_id, erasing=True):
        return None
    unset = battlemap.system.plane(plane).unset
    targets = erase_targets(battlemap, layer_id, plane, elements, is_paint_only=is_paint_only)
    edits = []
    for position, is_in_layer in targets.by_layer():
        layer = battlemap.layers[position]
        erased = elements[is_in_layer]
        is_paint = painted_in_roll(battlemap, layer, plane, erased)
        edits.append(restore_rolled_values(battlemap, layer.id, plane, erased[is_paint]))
        edits.append(set_values(battlemap, layer.id, plane, erased[~is_paint], unset))
    return compound(edits)


def property_target(battlemap: BattleMap, layer_id: int, name: str) -> Layer:
    """Return the target of a property with this layer active."""
    lowest = battlemap.index_of(topmost_part(battlemap, layer_id).id)
    for layer in reversed(battlemap.layers[lowest + 1 :]):
        if layer.visible and name in layer.properties:
            return layer
    return battlemap.layers[lowest]


def why_not_property(battlemap: BattleMap, layer_id: int, name: str) -> str:
    """Return why a property cannot be changed with this layer active; "" if it can."""
    target = property_target(battlemap, layer_id, name)
    return why_not(battlemap, layer_id) or why_not_into(target)


def change_property(battlemap: BattleMap, layer_id: int, name: str, value: Any) -> Edit | None:
    """Return the edit that sets a property in its target.

    None if it has the value already, or cannot be changed with this layer active.
    """
    if why_not_property(battlemap, layer_id, name):
        return None
    return set_property(battlemap, property_target(battlemap, layer_id, name).id, name, value)


# --- what is told ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The elements that a change by hand leaves out, since locked layers set them."""

    elements: Indices
    """The elements that are left out: cells, or flat indices into a plane, (n,)."""

    layers: tuple[str, ...] = ()
    """The names of the locked layers."""


def left_out_words(layers: Iterable[str]) -> str:
    """Return the sentence that tells of the locked layers of these names; "" for no layers."""
    names = list(dict.fromkeys(layers))
    if not names:
        return ""
    if len(names) == 1:
        return f"The layer {names[0]} is locked: what it sets is left out"
    return f"The layers {' and '.join(names)} are locked: what they set is left out"


def may_leave_out(battlemap: BattleMap, layer_id: int) -> bool:
    """Return whether any element can be left out with this layer active.

    That is so if the layer, or a visible one above it, is locked.
    """
    lowest = battlemap.index_of(layer_id)
    return any(layer.locked and layer.visible for layer in battlemap.layers[lowest:])


def left_out(
    battlemap: BattleMap,
    layer_id: int,
    plane: str,
    elements: Indices,
    *,
    erasing: bool = False,
    is_paint_only: NDArray[np.bool_] | None = None,
) -> LeftOut:
    """Return which of ``elements`` are left out with this layer active, as targets are locked.

    ``is_paint_only`` is for erasing, as in ``erase_targets``.
    """
    if not may_leave_out(battlemap, layer_id):
        return LeftOut(elements[:0])
    if erasing:
        targets = erase_targets(battlemap, layer_id, plane, elements, is_paint_only=is_paint_only)
    else:
        targets = paint_targets(battlemap, layer_id, plane, elements)
    positions = np.unique(targets.positions[targets.locked]).tolist()
    names = tuple(battlemap.layers[position].name for position in positions)
    return LeftOut(elements[targets.locked], names)


def rolls_that_may_cover(battlemap: BattleMap, edit: Edit) -> tuple[Layer, ...]:
    """Return the visible rolled layers above what an edit paints.

    When they are rolled again, they can cover it.
    """
    painted_ids = set()
    for part in parts(edit):
        if isinstance(part, PlaneEdit) and _paints(battlemap, part):
            painted_ids.add(part.layer_id)
    rolls_above = []
    is_above_paint = False
    for layer in battlemap.layers:
        if is_above_paint and layer.roll is not None and layer.visible:
            rolls_above.append(layer)
        if layer.id in painted_ids:
            is_above_paint = True
    return tuple(rolls_above)


def _paints(battlemap: BattleMap, edit: PlaneEdit) -> bool:
    """Return whether an edit sets values that are shown."""
    spec = battlemap.system.plane(edit.plane)
    return spec.shown and bool((edit.new_values != spec.unset).any())
