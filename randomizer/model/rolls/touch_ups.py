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
    a part above it covers it                      it stays in the roll (kept_values.py)
    it is locked, and the new roll shows the same  it stays in the roll, too

``put_layers`` (put_layers.py) asks for a plan before it exchanges the layers: the one of
``plan_moves_of_touched`` for a roll that replaces layers, and of ``plan_copy_of_painted`` for a new
one. Both get ``new_layers``, the layers of the roll from the lowest to the topmost, which are not
on the map yet, and ``paint_above``: values that were locked by hand below the roll and are to be
seen above it (``Base.paint_above``); None if there are none. Nothing of the map is changed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.edit import Edit, ThingsEdit
from randomizer.model.edits.stack_edits import LayerInsert, LayerReplace
from randomizer.model.planes.planes import Element
from randomizer.model.rolls.kept_values import keep_locked_values, with_covered_values
from randomizer.model.rolls.painted_layer import painted_layer
from randomizer.model.rolls.touched_values import touched_layer, touched_things

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.system.system import System

TOUCH_UPS = "Touch-ups"
"""The name of a new layer for the touched values of a rolled one."""


# --- a roll that replaces layers ------------------------------------------------------------------


class MovesOfTouched(NamedTuple):
    """The plan for the touched values of layers that are rolled again."""

    layers: list[Layer]
    """The layers of the new roll, with the touched values that stay in them."""

    edits: list[Edit]
    """The edits that put the other touched values above the roll.

    They are for the map as it is: they are applied before ``layers`` replace the old ones.
    """

    value_count: int
    """The number of values in the Touch-ups then, also of those that were there before."""


def plan_moves_of_touched(
    battlemap: BattleMap,
    positions: Sequence[int],
    new_layers: Sequence[Layer],
    free_id: int,
    paint_above: Layer | None = None,
) -> MovesOfTouched:
    """Return what becomes of the values that were touched in rolled layers.

    ``positions`` are the stack positions of one rolled layer or of adjacent parts of one roll,
    which ``new_layers`` will replace; ``free_id`` is the first id for new layers.
    """
    # What stays in the roll, and what moves above it. Values of visible layers never go into a
    # hidden one, nor the reverse; those of ``paint_above`` go along with the visible ones.
    layers = with_covered_values(battlemap, positions, new_layers)
    moving_layers = []
    for visible in (True, False):
        touched = touched_layer(battlemap, positions, visible=visible)
        if visible and paint_above is not None:
            touched = _with_values_of(battlemap, touched, paint_above)
        layers, moving = keep_locked_values(battlemap, touched, positions[0], layers)
        if _value_count(battlemap.system, moving):
            moving_layers.append(moving)

    # The Touch-ups layers that get it: one that is there already, or else a new one.
    merges: list[Edit] = []
    inserts: list[Edit] = []
    counts = _counts_of_touch_ups(battlemap, positions)
    for moving in moving_layers:
        position = _position_of_touch_ups(battlemap, positions, moving)
        if position is None:
            layer_id = free_id + len(inserts)
            touch_ups = moving.copy(id=layer_id, name=TOUCH_UPS, touch_ups_of=layers[-1].id)
            inserts.append(LayerInsert(positions[-1] + 1, touch_ups))  # directly above the roll
        else:
            old_layer = battlemap.layers[position]
            touch_ups = _merged(battlemap, old_layer, moving).copy(touch_ups_of=layers[-1].id)
            merges.append(LayerReplace(position, old_layer, touch_ups))
        counts[touch_ups.id] = _value_count(battlemap.system, touch_ups)

    # Things leave their layers first: no two layers may hold a thing of the same id. Inserts come
    # last, as they change the positions of the layers above.
    removals = _removals_of_touched_things(battlemap, positions)
    edits = [*removals, *merges, *inserts]
    return MovesOfTouched(layers, edits, value_count=sum(counts.values()))


def _with_values_of(battlemap: BattleMap, layer: Layer, upper_layer: Layer) -> Layer:
    """Return a copy of a layer that also sets what an upper layer sets in its planes."""
    result = layer.copy()
    for name, upper_values in upper_layer.planes.items():
        spec = battlemap.system.plane(name)
        values = result.planes.get(name, spec.allocate(battlemap.grid))
        result.planes[name] = np.where(upper_values != spec.unset, upper_values, values)
    return result


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


def _removals_of_touched_things(battlemap: BattleMap, positions: Sequence[int]) -> list[Edit]:
    """Return the edits that remove the touched things from the rolled layers at ``positions``."""
    removals: list[Edit] = []
    for position in positions:
        layer = battlemap.layers[position]
        things = touched_things(layer)
        if things:
            removals.append(ThingsEdit(layer.id, things, ()))
    return removals


# --- a new roll -----------------------------------------------------------------------------------


class CopyOfPainted(NamedTuple):
    """The plan for the painted values below a new roll: copies go above it, or into it."""

    layers: list[Layer]
    """The layers of the roll, with the locked values that stay in them."""

    touch_ups: Layer | None
    """The Touch-ups layer; None if there is nothing to set."""

    element_count: int
    """The number of cells, sides and corners that the copies set."""


def plan_copy_of_painted(
    battlemap: BattleMap,
    roll_position: int,
    new_layers: Sequence[Layer],
    free_id: int,
    paint_above: Layer | None = None,
) -> CopyOfPainted:
    """Return the Touch-ups layer of a new roll at a stack position.

    It sets what was painted by hand below the roll, and the title and other properties set by hand
    there: ``new_layers`` would cover them, now or when that is rolled again. ``free_id`` is its id.
    """
    painted = painted_layer(battlemap, roll_position)
    if paint_above is not None:
        painted = _with_values_of(battlemap, painted, paint_above)
    layers, moving = keep_locked_values(battlemap, painted, roll_position, new_layers)
    if not _value_count(battlemap.system, moving):
        return CopyOfPainted(layers, None, element_count=0)
    touch_ups = moving.copy(id=free_id, name=TOUCH_UPS, touch_ups_of=layers[-1].id)
    return CopyOfPainted(layers, touch_ups, _element_count(battlemap.system, moving))


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
