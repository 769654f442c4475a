"""Touch-ups: what a hand has touched in rolled layers moves above them when they are rolled again.

A value of a rolled layer that a person has changed has a *touched* mark. It moves into a layer
called Touch-ups: an ordinary layer above the roll, linked with it by ``Layer.touch_ups_of``::

    terrain of cells        before           after
    Touch-ups               -  -  6          -  7  6        7 has moved here
    the roll                4  7* 2          3  3  5        * is touched; all is rolled anew

That is the usual fate of a touched value. There are four::

    the value                                      its fate
    no other part of the roll covers it            it moves into a new Touch-ups layer
    ... and there is a Touch-ups layer already     it moves into that, unless that sets the cell
    a part above it covers it                      it stays in its part, covered and touched
    it is locked, and the new roll shows the same  it stays in the roll, touched

``put_layers`` (put_layers.py) calls ``move_touched`` for a roll that replaces layers, and
``copy_painted`` for a new one. Both are given ``new_layers``, the layers of the roll from the
lowest to the topmost, which are not on the map yet, and return them with the touched values that
stay in them. They are also given ``paint_above``: values that were locked by hand below the roll
and are to be seen above it (``Base.paint_above``); None if there are none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.edit import Edit, ThingsEdit
from randomizer.model.edits.stack_edits import LayerInsert, LayerReplace
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element
from randomizer.model.rolls.layers_above_roll import painted_layer
from randomizer.model.rolls.touched_values import (
    store_rolled_values,
    touched_layer,
    touched_things,
    touched_values,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.system import System

TOUCH_UPS = "Touch-ups"
"""The name of a new layer for the touched values of a rolled one."""


class MovedValues(NamedTuple):
    """What ``move_touched`` has found to be done."""

    layers: list[Layer]
    """The layers of the new roll, with the touched values that stay in them."""

    edits: list[Edit]
    """The edits that put the other touched values above the roll.

    They are for the map as it is: they are applied before ``layers`` replace the old ones.
    """

    value_count: int
    """How many values lie in the Touch-ups of the roll then, also those that did before."""


def move_touched(
    battlemap: BattleMap,
    positions: Sequence[int],
    new_layers: Sequence[Layer],
    free_id: int,
    paint_above: Layer | None = None,
) -> MovedValues:
    """Return what becomes of the values that were touched in rolled layers.

    ``positions`` are those of one rolled layer or of adjacent parts of one roll, which
    ``new_layers`` will replace; ``free_id`` is the first id for new layers. Values of visible
    layers never go into a hidden one, nor the reverse; those of ``paint_above`` go along with the
    visible ones.
    """
    layers = _with_covered_values(battlemap, positions, new_layers)
    merges: list[Edit] = []
    inserts: list[Edit] = []
    counts = _counts_of_touch_ups(battlemap, positions)
    for visible in (True, False):
        touched = touched_layer(battlemap, positions, visible=visible)
        if visible and paint_above is not None:
            _add_values(battlemap, target=touched, source=paint_above)
        layers, touched = _keep_locked_in_roll(battlemap, touched, positions[0], layers)
        touched_count = _value_count(battlemap.system, touched)
        if not touched_count:
            continue
        position = _position_of_touch_ups(battlemap, positions, touched)
        if position is None:
            # No layer can take them: a new one goes directly above the roll.
            layer_id = free_id + len(inserts)
            layer = touched.copy(id=layer_id, name=TOUCH_UPS, touch_ups_of=layers[-1].id)
            inserts.append(LayerInsert(positions[-1] + 1, layer))
            counts[layer_id] = touched_count
        else:
            old_layer = battlemap.layers[position]
            merged = _merged(battlemap, old_layer, touched)
            merged = merged.copy(touch_ups_of=layers[-1].id)
            merges.append(LayerReplace(position, old_layer, merged))
            counts[old_layer.id] = _value_count(battlemap.system, merged)

    # Things leave their layers first: no two layers may hold a thing of the same id. Inserts come
    # last, as they change the positions of the layers above.
    removals = _removals_of_touched_things(battlemap, positions)
    edits = [*removals, *merges, *inserts]
    return MovedValues(layers, edits, value_count=sum(counts.values()))


class CopiedPaint(NamedTuple):
    """What ``copy_painted`` puts above a new roll, and into it."""

    layers: list[Layer]
    """The layers of the roll, with the locked values that stay in them."""

    touch_ups: Layer | None
    """The Touch-ups layer; None if there is nothing to set."""

    element_count: int
    """How many cells, sides and corners that sets."""


def copy_painted(
    battlemap: BattleMap,
    below: int,
    new_layers: Sequence[Layer],
    free_id: int,
    paint_above: Layer | None = None,
) -> CopiedPaint:
    """Return the Touch-ups layer of a new roll at stack position ``below``.

    It sets what was painted by hand below the roll, and the title and other properties set by hand
    there: ``new_layers`` would cover them, now or when that is rolled again. It sets the values of
    ``paint_above``, too.
    """
    painted = painted_layer(battlemap, below)
    if paint_above is not None:
        _add_values(battlemap, target=painted, source=paint_above)
    layers, painted = _keep_locked_in_roll(battlemap, painted, below, new_layers)
    if not _value_count(battlemap.system, painted):
        return CopiedPaint(layers, None, element_count=0)
    touch_ups = painted.copy(id=free_id, name=TOUCH_UPS, touch_ups_of=layers[-1].id)
    return CopiedPaint(layers, touch_ups, _element_count(battlemap.system, painted))


# --- values that stay in the roll -----------------------------------------------------------------


def _with_covered_values(
    battlemap: BattleMap, positions: Sequence[int], new_layers: Sequence[Layer]
) -> list[Layer]:
    """Return the layers of a new roll, each with the covered touched values of its old part.

    A touched value that another part covers does not move above the roll, where it would cover that
    other part itself. In the new part it is touched again. Values of a part that the new roll lacks
    are gone.
    """
    positions_by_id = {battlemap.layers[position].id: position for position in positions}
    layers: list[Layer] = []
    for layer in new_layers:
        position = positions_by_id.get(layer.id)
        if position is not None:
            old_layer = battlemap.layers[position]
            for touched in touched_values(battlemap, position, positions):
                if len(touched.covered):
                    spec = battlemap.system.plane(touched.name)
                    old_values = old_layer.planes.get(spec.name, spec.allocate(battlemap.grid))
                    layer = _with_touched(battlemap, layer, spec.name, touched.covered, old_values)
        layers.append(layer)
    return layers


class _LockedValues(NamedTuple):
    """The result of ``_keep_locked_in_roll``."""

    layers: list[Layer]
    """The layers of the roll, of which the topmost has the locked values that stay."""

    moving: Layer
    """The touched values that do not stay."""


def _keep_locked_in_roll(
    battlemap: BattleMap, touched: Layer, below: int, new_layers: Sequence[Layer]
) -> _LockedValues:
    """Let locked ones of some touched values stay in a new roll, which lies from ``below`` on.

    A locked value stays if the roll shows it anyway: its generator has built around it. It goes
    into the topmost layer of the roll, where the generator is told of it the next time, too. There
    it is marked as touched: unlocked, it is still what a hand painted.
    """
    map_with_roll = [*battlemap.layers[:below], *new_layers]
    topmost = new_layers[-1]
    remaining_planes: dict[str, Plane] = {}
    for name, values in touched.planes.items():
        spec = battlemap.system.plane(name)
        remaining_values = values
        locks = battlemap.locks(spec.element)
        if locks.any():
            is_shown_by_roll = battlemap.values(name, map_with_roll) == values
            stays = locks & (values != spec.unset) & is_shown_by_roll
            if stays.any():
                topmost = _with_touched(battlemap, topmost, name, np.flatnonzero(stays), values)
                remaining_values = np.where(stays, spec.unset, values).astype(values.dtype)
        if (remaining_values != spec.unset).any():
            remaining_planes[name] = remaining_values
    layers = [*new_layers[:-1], topmost]
    return _LockedValues(layers, moving=replace(touched, planes=remaining_planes))


def _with_touched(
    battlemap: BattleMap, layer: Layer, plane: str, elements: NDArray[np.intp], values: Plane
) -> Layer:
    """Return a layer of a new roll with values at flat indices of a plane, marked as touched.

    ``values`` are those of the whole plane, of which those at ``elements`` are used.
    """
    planes = dict(layer.planes)
    for name in (plane, TOUCHED + plane, ROLLED + plane):
        if name in planes:
            planes[name] = planes[name].copy()
    changed = replace(layer, planes=planes)

    spec = battlemap.system.plane(plane)
    new_values = planes.setdefault(plane, spec.allocate(battlemap.grid))
    # What the roll made there is stored before it is written over.
    store_rolled_values(battlemap.system, battlemap.grid, changed, plane, elements)
    new_values.flat[elements] = values.flat[elements]
    marks_spec = battlemap.system.plane(TOUCHED + plane)
    marks = planes.setdefault(marks_spec.name, marks_spec.allocate(battlemap.grid))
    marks.flat[elements] = 1
    return changed


# --- values that move -----------------------------------------------------------------------------


def _add_values(battlemap: BattleMap, *, target: Layer, source: Layer) -> None:
    """Set in ``target`` all values that ``source`` sets in its planes."""
    for name, values in source.planes.items():
        spec = battlemap.system.plane(name)
        plane = target.planes.setdefault(name, spec.allocate(battlemap.grid))
        is_set = values != spec.unset
        plane[is_set] = values[is_set]


def _removals_of_touched_things(battlemap: BattleMap, positions: Sequence[int]) -> list[Edit]:
    """Return the edits that remove the touched things from the rolled layers at ``positions``."""
    removals: list[Edit] = []
    for position in positions:
        layer = battlemap.layers[position]
        things = touched_things(layer)
        if things:
            removals.append(ThingsEdit(layer.id, things, ()))
    return removals


def _position_of_touch_ups(
    battlemap: BattleMap, positions: Sequence[int], touched: Layer
) -> int | None:
    """Return the stack position of the Touch-ups layer that can take values; None if none can.

    It is linked with the rolled layers at ``positions``, not locked, visible if ``touched`` is and
    hidden if that is, and secret if that is. No layer between it and the roll sets any of the
    values: until now that layer covered them, and would do so no longer.
    """
    rolled_ids = {battlemap.layers[position].id for position in positions}
    for position in range(positions[-1] + 1, len(battlemap.layers)):
        layer = battlemap.layers[position]
        is_linked = layer.roll is None and layer.touch_ups_of in rolled_ids
        can_be_edited = not layer.locked and layer.visible is touched.visible
        would_reveal_secret = touched.secret and not layer.secret
        if is_linked and can_be_edited and not would_reveal_secret:
            return position
        if _sets_any(battlemap, layer, touched):
            return None
    return None


def _sets_any(battlemap: BattleMap, layer: Layer, touched: Layer) -> bool:
    """Return whether a layer sets any value or property that ``touched`` sets."""
    if touched.properties.keys() & layer.properties.keys():
        return True
    for name in touched.planes.keys() & layer.planes.keys():
        unset = battlemap.system.plane(name).unset
        if ((touched.planes[name] != unset) & (layer.planes[name] != unset)).any():
            return True
    return False


def _merged(battlemap: BattleMap, touch_ups: Layer, touched: Layer) -> Layer:
    """Return a copy of a Touch-ups layer with touched values where it has none itself.

    Its own values stay: it was above the rolled layer, so they covered those.
    """
    merged = touch_ups.copy()
    for name, values in touched.planes.items():
        spec = battlemap.system.plane(name)
        own_values = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(own_values == spec.unset, values, own_values)
    merged.properties = {**touched.properties, **merged.properties}
    merged.things.add(touched.things.values())
    return merged


# --- counts ---------------------------------------------------------------------------------------


def _counts_of_touch_ups(battlemap: BattleMap, positions: Sequence[int]) -> dict[int, int]:
    """Return the number of values in each Touch-ups of the layers at ``positions``, by layer id."""
    rolled_ids = {battlemap.layers[position].id for position in positions}
    return {
        layer.id: _value_count(battlemap.system, layer)
        for layer in battlemap.layers
        if layer.roll is None and layer.touch_ups_of in rolled_ids
    }


def _value_count(system: System, layer: Layer) -> int:
    """Return how many cells, sides, corners, properties and things a layer sets."""
    return _element_count(system, layer) + len(layer.properties) + len(layer.things)


def _element_count(system: System, layer: Layer) -> int:
    """Return how many cells, sides and corners a layer sets.

    A cell with both terrain and elevation counts once.
    """
    is_set_by_place: dict[Element, NDArray[np.bool_]] = {}
    for name, values in layer.planes.items():
        spec = system.plane(name)
        is_set = values != spec.unset
        is_set_by_place[spec.element] = is_set_by_place.get(spec.element, is_set) | is_set
    return sum(int(is_set.sum()) for is_set in is_set_by_place.values())
