"""Touch-ups: what a hand has touched in rolled layers moves above them when they are rolled again.

A value of a rolled layer that a person has changed has a *touched* mark. It moves into a layer
called Touch-ups: an ordinary layer above the roll, linked with it by ``Layer.touch_ups_of``::

    terrain of cells        before           after
    Touch-ups               -  -  6          -  7  6        7 has moved here
    the roll                4  7* 2          3  3  5        * is touched; all is rolled anew

``put_layers`` (put_layers.py) calls ``move_touched`` for a roll that replaces layers, and
``copy_painted`` for a new one. Both are given ``new_layers``, the layers of the roll from the
lowest to the topmost, which are not on the map yet, and ``paint_above``: values that were locked by
hand below the roll and are to be seen above it (``Base.paint_above``); None if there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.edit import Edit, ThingsEdit
from randomizer.model.edits.stack_edits import LayerInsert, LayerReplace
from randomizer.model.planes.planes import TOUCHED, Element
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

    edits: list[Edit]
    """The edits that put the touched values above the roll, to be applied before it is exchanged.
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
    """Return the edits that put touched values above rolled layers, and how many values lie there.

    ``positions`` are those of one rolled layer or of adjacent parts of one roll, which
    ``new_layers`` will replace; ``free_id`` is the first id for new layers. Values of visible
    layers never go into a hidden one, nor the reverse; those of ``paint_above`` go along with the
    visible ones. Touched values that stay in the roll, since another part covers them or they are
    locked, are written into ``new_layers``, which are changed in place.
    """
    _put_covered_into_roll(battlemap, positions, new_layers)
    merges: list[Edit] = []
    inserts: list[Edit] = []
    counts = _counts_of_touch_ups(battlemap, positions)
    for visible in (True, False):
        touched = touched_layer(battlemap, positions, visible=visible)
        if visible:
            _set_values_of(paint_above, battlemap, touched)
        _move_locked_into_roll(battlemap, touched, positions[0], new_layers)
        touched_count = _count(battlemap.system, touched)
        if not touched_count:
            continue
        position = _position_of_touch_ups(battlemap, positions, touched)
        if position is None:
            # No layer can take them: a new one goes directly above the roll.
            layer_id = free_id + len(inserts)
            layer = touched.copy(id=layer_id, name=TOUCH_UPS, touch_ups_of=new_layers[-1].id)
            inserts.append(LayerInsert(positions[-1] + 1, layer))
            counts[layer_id] = touched_count
        else:
            old_layer = battlemap.layers[position]
            merged = _merged(battlemap, old_layer, touched)
            merged = merged.copy(touch_ups_of=new_layers[-1].id)
            merges.append(LayerReplace(position, old_layer, merged))
            counts[old_layer.id] = _count(battlemap.system, merged)

    # Things leave their layers first: no two layers may hold a thing of the same id. Inserts come
    # last, as they change the positions of the layers above.
    removals = _removals_of_touched_things(battlemap, positions)
    return MovedValues([*removals, *merges, *inserts], sum(counts.values()))


def _counts_of_touch_ups(battlemap: BattleMap, positions: Sequence[int]) -> dict[int, int]:
    """Return the number of values in each Touch-ups of the layers at ``positions``, by layer id."""
    rolled_ids = {battlemap.layers[position].id for position in positions}
    return {
        layer.id: _count(battlemap.system, layer)
        for layer in battlemap.layers
        if layer.roll is None and layer.touch_ups_of in rolled_ids
    }


def _removals_of_touched_things(battlemap: BattleMap, positions: Sequence[int]) -> list[Edit]:
    """Return the edits that remove the touched things from the rolled layers at ``positions``."""
    removals: list[Edit] = []
    for position in positions:
        layer = battlemap.layers[position]
        things = touched_things(layer)
        if things:
            removals.append(ThingsEdit(layer.id, things, ()))
    return removals


class CopiedPaint(NamedTuple):
    """What ``copy_painted`` puts above a new roll."""

    layer: Layer | None
    """The Touch-ups layer; None if there is nothing to set."""

    element_count: int
    """How many cells, sides and corners it sets."""


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
    ``paint_above``, too. Locked values that the roll shows in any case are written into
    ``new_layers`` instead, in place.
    """
    painted = painted_layer(battlemap, below)
    _set_values_of(paint_above, battlemap, painted)
    _move_locked_into_roll(battlemap, painted, below, new_layers)
    count = _count(battlemap.system, painted)
    if not count:
        return CopiedPaint(None, element_count=0)
    layer = painted.copy(id=free_id, name=TOUCH_UPS, touch_ups_of=new_layers[-1].id)
    return CopiedPaint(layer, element_count=count - len(painted.properties))


def _set_values_of(paint_above: Layer | None, battlemap: BattleMap, touched: Layer) -> None:
    """Set the values of ``paint_above`` in ``touched`` as well; the two have none in common."""
    if paint_above is None:
        return
    for name, values in paint_above.planes.items():
        spec = battlemap.system.plane(name)
        plane = touched.planes.setdefault(name, spec.allocate(battlemap.grid))
        is_set = values != spec.unset
        plane[is_set] = values[is_set]


def _put_covered_into_roll(
    battlemap: BattleMap, positions: Sequence[int], new_layers: Sequence[Layer]
) -> None:
    """Write touched values that another part covered into the same part of the new roll, in place.

    There they are touched again. They do not move above the roll: there they would cover that other
    part. Values of a part that the new roll lacks are gone.
    """
    new_layers_by_id = {layer.id: layer for layer in new_layers}
    for position in positions:
        old_layer = battlemap.layers[position]
        new_layer = new_layers_by_id.get(old_layer.id)
        if new_layer is None:
            continue
        for plane in touched_values(battlemap, position, positions):
            if len(plane.covered):
                spec = battlemap.system.plane(plane.name)
                old_values = old_layer.planes.get(spec.name, spec.allocate(battlemap.grid))
                _set_touched(battlemap, new_layer, spec.name, plane.covered, old_values)


def _move_locked_into_roll(
    battlemap: BattleMap, touched: Layer, below: int, new_layers: Sequence[Layer]
) -> None:
    """Move those locked values from ``touched`` into the roll, in place, that it shows in any case.

    The roll lies at the stack position ``below`` and above. The values go into its topmost layer,
    where a generator that builds around what is locked is told of them the next time, too. There
    they are marked as touched: unlocked, they are still what a hand painted. Planes of ``touched``
    that are left empty are removed.
    """
    layers = [*battlemap.layers[:below], *new_layers]
    topmost = new_layers[-1]
    for name, values in list(touched.planes.items()):
        spec = battlemap.system.plane(name)
        locks = battlemap.locks(spec.element)
        if locks.any():
            is_shown_by_roll = battlemap.values(name, layers) == values
            is_kept = locks & (values != spec.unset) & is_shown_by_roll
            if is_kept.any():
                _set_touched(battlemap, topmost, name, np.flatnonzero(is_kept), values)
            values[is_kept] = spec.unset
        if (values == spec.unset).all():
            del touched.planes[name]


def _set_touched(
    battlemap: BattleMap, layer: Layer, plane: str, elements: NDArray[np.intp], values: Plane
) -> None:
    """Put values at the flat indices ``elements`` of a plane into a rolled layer, as touched ones.

    ``values`` are those of the whole plane.
    """
    spec = battlemap.system.plane(plane)
    marks_spec = battlemap.system.plane(TOUCHED + plane)
    new_values = layer.planes.setdefault(plane, spec.allocate(battlemap.grid))
    # What the roll made there is stored before it is written over.
    store_rolled_values(battlemap.system, battlemap.grid, layer, plane, elements)
    new_values.flat[elements] = values.flat[elements]
    marks = layer.planes.setdefault(marks_spec.name, marks_spec.allocate(battlemap.grid))
    marks.flat[elements] = 1


def _count(system: System, touched: Layer) -> int:
    """Return how many cells, sides, corners, properties and things a layer sets.

    A cell with both terrain and elevation counts once.
    """
    is_set_by_place: dict[Element, NDArray[np.bool_]] = {}
    for name, values in touched.planes.items():
        spec = system.plane(name)
        is_set = values != spec.unset
        is_set_by_place[spec.element] = is_set_by_place.get(spec.element, is_set) | is_set
    element_count = sum(int(is_set.sum()) for is_set in is_set_by_place.values())
    return element_count + len(touched.properties) + len(touched.things)


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
