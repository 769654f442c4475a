"""What was touched by hand in rolled layers moves, when they are rolled again, to Touch-ups.

A Touch-ups layer is an ordinary layer above the roll, linked with it by ``Layer.touch_ups_of``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.edit import Edit, LayerInsert, LayerReplace, ThingsEdit
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.rolled_layers import (
    painted_layer,
    touched_layer,
    touched_things,
    touched_values,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Place
    from randomizer.model.system.system import System

TOUCH_UPS = "Touch-ups"
"""The name that a new layer gets that takes the touched values of a rolled one."""


def move_touched(
    battlemap: BattleMap, positions: Sequence[int], fresh: Sequence[Layer], free_id: int
) -> tuple[list[Edit], int]:
    """Return the edits that put touched values above the rolled layers at ``positions``, and their
    number.

    ``positions`` are those of one rolled layer or of adjacent parts of one roll, which ``fresh``
    will replace; ``free_id`` is the first id for new layers. Values of visible layers never go into
    a hidden one, nor the reverse. A touched value that another part covered stays touched in its
    part of ``fresh``, which is changed. Touched things leave their layer first.
    """
    old = [battlemap.layers[position] for position in positions]
    moved = ((layer.id, touched_things(layer)) for layer in old)
    gone = [ThingsEdit(layer_id, things, ()) for layer_id, things in moved if things]
    _keep_covered(battlemap, positions, fresh)
    inserts: list[Edit] = []
    edits: list[Edit] = []
    count = 0
    for visible in (True, False):
        touched = touched_layer(battlemap, positions, visible=visible)
        _drop_kept(battlemap, touched, [*battlemap.layers[: positions[0]], *fresh])
        number = _number(battlemap.system, touched)
        if not number:
            continue
        count += number
        taker = _taker(battlemap, positions, touched)
        if taker is None:
            new = touched.copy(id=free_id + len(inserts), name=TOUCH_UPS, touch_ups_of=fresh[-1].id)
            inserts.append(LayerInsert(positions[-1] + 1, new))
        else:
            old_layer = battlemap.layers[taker]
            new_layer = _merged(battlemap, old_layer, touched).copy(touch_ups_of=fresh[-1].id)
            edits.append(LayerReplace(taker, old_layer, new_layer))
    return [*gone, *edits, *inserts], count


def touch_ups_name(battlemap: BattleMap, positions: Sequence[int]) -> str:
    """Return the name of the layer that takes what was touched in the visible rolled layers at
    ``positions``.
    """
    owners = {battlemap.layers[position].id for position in positions}
    for layer in battlemap.layers[positions[-1] + 1 :]:
        takes_values = layer.roll is None and layer.visible and not layer.locked
        if takes_values and layer.touch_ups_of in owners:
            return layer.name
    return TOUCH_UPS


def copy_painted(
    battlemap: BattleMap, below: int, fresh: Sequence[Layer], free_id: int
) -> tuple[list[Layer], int]:
    """Return the Touch-ups layer of a new roll at stack position ``below``, and its painted places.

    It sets what was painted by hand below the roll, and the title and other properties set by hand
    there, which would be covered by ``fresh``, now or when that is rolled again. There is none if
    that is nothing.
    """
    painted = painted_layer(battlemap, below)
    _drop_kept(battlemap, painted, [*battlemap.layers[:below], *fresh])
    number = _number(battlemap.system, painted)
    if not number:
        return [], 0
    places = number - len(painted.properties)
    return [painted.copy(id=free_id, name=TOUCH_UPS, touch_ups_of=fresh[-1].id)], places


def _keep_covered(battlemap: BattleMap, positions: Sequence[int], fresh: Sequence[Layer]) -> None:
    """Put touched values that another part covered into the same part of ``fresh``, if it is there.

    There they stay touched.
    """
    parts = {layer.id: layer for layer in fresh}
    for position in positions:
        old = battlemap.layers[position]
        part = parts.get(old.id)
        for plane, _where, _values, covered in touched_values(battlemap, position, positions):
            if part is None or not len(covered):
                continue
            old_values = old.planes.get(
                plane, battlemap.system.plane(plane).allocate(battlemap.grid)
            )
            for name, values in ((plane, old_values.flat[covered]), (TOUCHED + plane, 1)):
                spec = battlemap.system.plane(name)
                part.planes.setdefault(name, spec.allocate(battlemap.grid)).flat[covered] = values


def _drop_kept(battlemap: BattleMap, touched: Layer, layers: Sequence[Layer]) -> None:
    """Take out of ``touched`` what is locked and the same in ``layers``, and planes left empty."""
    for name, values in list(touched.planes.items()):
        spec = battlemap.system.plane(name)
        locks = battlemap.locks(spec.place)
        if locks.any():
            values[locks & (battlemap.values(name, layers) == values)] = spec.unset
        if (values == spec.unset).all():
            del touched.planes[name]


def _number(system: System, touched: Layer) -> int:
    """Return how much is touched; a cell with touched terrain and elevation counts once."""
    places: dict[Place, NDArray[np.bool_]] = {}
    for name, values in touched.planes.items():
        spec = system.plane(name)
        is_set = values != spec.unset
        places[spec.place] = places.get(spec.place, is_set) | is_set
    cells = sum(int(is_set.sum()) for is_set in places.values())
    return cells + len(touched.properties) + len(touched.things)


def _taker(battlemap: BattleMap, positions: Sequence[int], touched: Layer) -> int | None:
    """Return the stack position of the linked layer that can take the values; None if there is
    none.

    It is unlocked and visible like the values' layers, secret if they are, and no layer between it
    and the roll sets any of them: that one would cover them no longer.
    """
    owners = {battlemap.layers[position].id for position in positions}
    for position in range(positions[-1] + 1, len(battlemap.layers)):
        layer = battlemap.layers[position]
        usable = layer.roll is None and not layer.locked and layer.visible is touched.visible
        tells = touched.secret and not layer.secret
        if usable and not tells and layer.touch_ups_of in owners:
            return position
        if _sets_any(battlemap, layer, touched):
            return None
    return None


def _sets_any(battlemap: BattleMap, layer: Layer, touched: Layer) -> bool:
    """Return whether a layer sets any of the places or properties."""
    if touched.properties.keys() & layer.properties.keys():
        return True
    for name in touched.planes.keys() & layer.planes.keys():
        unset = battlemap.system.plane(name).unset
        if ((touched.planes[name] != unset) & (layer.planes[name] != unset)).any():
            return True
    return False


def _merged(battlemap: BattleMap, taker: Layer, touched: Layer) -> Layer:
    """Return the layer with the touched values; its own stay, since they covered those before."""
    merged = taker.copy()
    for name, values in touched.planes.items():
        spec = battlemap.system.plane(name)
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(present == spec.unset, values, present)
    merged.properties = {**touched.properties, **merged.properties}
    merged.things.exchange((), touched.things.values())
    return merged
