"""What was touched by hand in rolled layers moves, when they are rolled again, to Touch-ups.

A Touch-ups layer is an ordinary layer above the roll, linked with it by ``Layer.touch_ups_of``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Edit, LayerInsert, LayerReplace, ThingsEdit
from randomizer.model.layer import Layer
from randomizer.model.layers_above import touched_properties, touched_values
from randomizer.model.planes import TOUCHED, Place, Plane
from randomizer.model.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.things import Thing

TOUCH_UPS = "Touch-ups"
"""The name that a new layer gets that takes the touched values of a rolled one."""


@dataclass(eq=False)
class Touched:
    """Touched values of rolled layers that are all visible or all hidden, for a layer above.

    ``planes`` hold their unset value elsewhere. ``places`` are the flat indices of the values.
    """

    planes: dict[str, Plane] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    places: dict[Place, list[NDArray[np.intp]]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Their number; a cell with touched terrain and elevation counts once."""
        cells = sum(len(np.unique(np.concatenate(where))) for where in self.places.values())
        return cells + len(self.properties) + len(self.things)


def move_touched(
    battlemap: BattleMap, positions: Sequence[int], fresh: Sequence[Layer], free_id: int
) -> tuple[list[Edit], int]:
    """The edits that put touched values above the rolled layers at ``positions``, and their number.

    ``positions`` are those of one rolled layer or of adjacent parts of one roll, which ``fresh``
    will replace; ``free_id`` is the first id for new layers. Values of visible layers never go into
    a hidden one, nor the reverse. A touched value that another part covered stays touched in its
    part of ``fresh``, which is changed. Touched things leave their layer first.
    """
    inserts: list[Edit] = []
    edits: list[Edit] = []
    gone: list[Edit] = []
    count = 0
    for visible in (True, False):
        touched = Touched()
        for position in positions:
            if battlemap.layers[position].visible is visible:
                _gather(battlemap, position, positions, fresh, touched)
                gone += _take_things(battlemap.layers[position], touched)
        if not touched.planes and not touched.properties and not touched.things:
            continue
        count += touched.count
        taker = _taker(battlemap, positions, touched, visible=visible)
        if taker is None:
            layer = Layer(free_id + len(inserts), TOUCH_UPS, visible, touched.planes)
            layer.things = Things(touched.things)
            layer.touch_ups_of = fresh[-1].id
            layer.properties.update(touched.properties)
            inserts.append(LayerInsert(positions[-1] + 1, layer))
        else:
            before = battlemap.layers[taker]
            after = _merged(battlemap, before, touched).copy(touch_ups_of=fresh[-1].id)
            edits.append(LayerReplace(taker, before, after))
    return gone + edits + inserts, count


def _gather(
    battlemap: BattleMap,
    position: int,
    positions: Sequence[int],
    fresh: Sequence[Layer],
    touched: Touched,
) -> None:
    """Add the touched values of the layer at ``position``; those of parts below are covered."""
    layer = battlemap.layers[position]
    beneath = battlemap.layers[: positions[0]]
    for plane, where, values, covered in touched_values(battlemap, position, positions):
        spec = battlemap.system.plane(plane)
        own = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[covered]
        _keep_touched(battlemap, layer, plane, covered, own, fresh)
        moves = ~_locked_and_kept(battlemap, plane, where, values, [*beneath, *fresh])
        if not moves.any():
            continue
        moved = touched.planes.setdefault(plane, spec.allocate(battlemap.grid))
        moved.flat[where[moves]] = values[moves]
        touched.places.setdefault(spec.place, []).append(where[moves])
    touched.properties.update(touched_properties(battlemap, position))


def _take_things(layer: Layer, touched: Touched) -> list[Edit]:
    """Add the touched things of a layer; the edit that removes them from it."""
    gone = tuple(thing for thing in layer.things.values() if thing.touched)
    touched.things += (replace(thing, touched=False) for thing in gone)
    return [ThingsEdit(layer.id, gone, ())] if gone else []


def _keep_touched(
    battlemap: BattleMap,
    old: Layer,
    plane: str,
    where: NDArray[np.intp],
    values: Plane,
    fresh: Sequence[Layer],
) -> None:
    """Put touched values of a part into the same part of the new roll, if it has that."""
    for layer in fresh:
        if len(where) and layer.id == old.id:
            for name, given in ((plane, values), (TOUCHED + plane, 1)):
                spec = battlemap.system.plane(name)
                layer.planes.setdefault(name, spec.allocate(battlemap.grid)).flat[where] = given


def _locked_and_kept(
    battlemap: BattleMap,
    plane: str,
    where: NDArray[np.intp],
    values: NDArray[Any],
    layers: Iterable[Layer],
) -> NDArray[np.bool_]:
    """Which of the places are locked, and have the same value in ``layers``; shape (n,)."""
    kept = battlemap.locks(battlemap.system.plane(plane).place).flat[where]
    if kept.any():
        kept &= battlemap.values(plane, layers).flat[where] == values
    return kept


def _taker(
    battlemap: BattleMap, positions: Sequence[int], touched: Touched, *, visible: bool
) -> int | None:
    """The stack position of the linked layer that can take the values; None if there is none.

    It is unlocked and visible like the values' layers, and no layer between it and the roll sets
    any of them: that one would cover them no longer.
    """
    owners = {battlemap.layers[position].id for position in positions}
    for position in range(positions[-1] + 1, len(battlemap.layers)):
        layer = battlemap.layers[position]
        usable = layer.roll is None and not layer.locked and layer.visible is visible
        if usable and layer.touch_ups_of in owners:
            return position
        if _sets_any(battlemap, layer, touched):
            return None
    return None


def _sets_any(battlemap: BattleMap, layer: Layer, touched: Touched) -> bool:
    """Whether a layer sets any of the places or properties."""
    if touched.properties.keys() & layer.properties.keys():
        return True
    for name in touched.planes.keys() & layer.planes.keys():
        unset = battlemap.system.plane(name).unset
        if ((touched.planes[name] != unset) & (layer.planes[name] != unset)).any():
            return True
    return False


def _merged(battlemap: BattleMap, taker: Layer, touched: Touched) -> Layer:
    """The layer with the touched values; its own stay, since they covered those before."""
    merged = taker.copy()
    for name, values in touched.planes.items():
        spec = battlemap.system.plane(name)
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(present == spec.unset, values, present)
    for name, value in touched.properties.items():
        merged.properties.setdefault(name, value)
    merged.things.exchange((), touched.things)
    return merged
