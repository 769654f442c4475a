"""What people do with whole layers, as edits: roll in, re-roll, duplicate, merge, flatten, solo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import (
    Compound,
    Edit,
    LayerInsert,
    LayerMove,
    LayerProperty,
    LayerRemove,
    LayerReplace,
)
from randomizer.model.edit_making import compound, set_values
from randomizer.model.layer import PROPERTIES, Layer, Roll, roll_name
from randomizer.model.planes import TOUCHED, Place, Plane

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from randomizer.model.grid import Grid

TOUCH_UPS = "Touch-ups"


@dataclass(frozen=True, slots=True)
class RollStep:
    """The edit that brings a roll into a map, and where it went.

    ``touch_ups`` counts the cells, hexsides and properties whose hand work moved out of the way.
    """

    edit: Edit
    layer_id: int
    touch_ups: int = 0


def insert_layer(battlemap: BattleMap, layer: Layer, above: int | None = None) -> LayerInsert:
    """The edit that puts ``layer`` above the layer with id ``above`` (None: on top)."""
    index = len(battlemap.layers) if above is None else battlemap.index_of(above) + 1
    return LayerInsert(index, layer)


def roll_in(battlemap: BattleMap, rolled: Layer, active: int | None) -> RollStep:
    """A new rolled layer above the active one. ``rolled`` gets an id of this map."""
    layer = rolled.copy(id=battlemap.free_layer_id())
    return RollStep(insert_layer(battlemap, layer, active), layer.id)


def roll_again(battlemap: BattleMap, layer_id: int, rolled: Layer) -> RollStep:
    """The layer's contents are replaced by ``rolled``; what a hand touched goes to Touch-ups above.

    Locked places that look the same in the new roll need not: unlocked, they are the script's
    again. Hand work that *erased* a place moves as the value that showed there, so that it looks
    the same after the re-roll. A name that the user gave the layer stays, and what a file knew
    besides.
    """
    index = battlemap.index_of(layer_id)
    old = battlemap.layers[index]
    renamed = old.roll is None or old.name != roll_name(old)
    replacement = rolled.copy(
        id=old.id,
        visible=old.visible,
        name=old.name if renamed else rolled.name,
        extras={**old.extras, **rolled.extras},
    )
    edits: list[Edit] = [LayerReplace(index, old, replacement)]
    planes, count = _touched_planes(battlemap, index, replacement)
    properties = _touched_properties(battlemap, index)
    if planes or properties:
        edits.append(_lay_above(battlemap, index, planes, properties))
    return RollStep(Compound(tuple(edits)), layer_id, count + len(properties))


def roll_on(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], *, replaces: bool
) -> RollStep:
    """What a roll made, in place of the layer (and of the parts that came with it) or above it."""
    if len(rolled) > 1:
        roll_parts = roll_parts_again if replaces else roll_parts_in
        return roll_parts(battlemap, layer_id, rolled)
    return (
        roll_again(battlemap, layer_id, rolled[0])
        if replaces
        else roll_in(battlemap, rolled[0], layer_id)
    )


def rolled_layer(battlemap: BattleMap, active: Layer | None = None) -> Layer | None:
    """The layer that is rolled again: the active one, else the topmost, if it was rolled.

    Hidden layers count nowhere, so they are rolled again only if they are the active one. Of a roll
    of several layers it is the lowest. None if nothing was rolled.
    """
    rolled = [layer for layer in battlemap.layers if layer.roll and layer.visible]
    if active is not None and active.roll is not None:
        rolled.append(active)
    return battlemap.layer(first_part(battlemap, rolled[-1].id)) if rolled else None


def parts_from(battlemap: BattleMap, layer_id: int) -> list[int]:
    """The stack positions of a rolled layer and of the parts of its roll directly above it.

    Parts that were thrown again by themselves belong to it still: same seed and number, each part
    once.
    """
    index = battlemap.index_of(layer_id)
    first = battlemap.layers[index].roll
    found = [index]
    if first is None or not first.part:
        return found
    same, seen = _of_one_roll(first), {first.part}
    for above, layer in enumerate(battlemap.layers[index + 1 :], index + 1):
        roll = layer.roll
        if roll is None or not roll.part or roll.part in seen or _of_one_roll(roll) != same:
            break
        seen.add(roll.part)
        found.append(above)
    return found


def _of_one_roll(roll: Roll) -> tuple[object, ...]:
    return roll.generator, roll.script_name, roll.script, roll.seed, roll.number


def first_part(battlemap: BattleMap, layer_id: int) -> int:
    """The id of the lowest layer of the roll that a layer is a part of."""
    index = battlemap.index_of(layer_id)
    while index and battlemap.index_of(layer_id) in parts_from(
        battlemap, battlemap.layers[index - 1].id
    ):
        index -= 1
    return battlemap.layers[index].id


def roll_parts_in(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> RollStep:
    """New rolled layers above that one, the first the lowest; the step's is the topmost."""
    index, first = battlemap.index_of(layer_id) + 1, battlemap.free_layer_id()
    layers = [layer.copy(id=first + i) for i, layer in enumerate(rolled)]
    inserts = [LayerInsert(index + i, layer) for i, layer in enumerate(layers)]
    return RollStep(Compound(tuple(inserts)), layers[-1].id)


def roll_parts_again(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> RollStep:
    """``roll_again`` for a roll of several layers, from the layer with that id on upwards.

    A part keeps the layer that it had: its id, its name, whether it is shown. Hand work of all of
    them goes above the topmost.
    """
    places = parts_from(battlemap, layer_id)
    old = {layer.roll.part: layer for i in places if (layer := battlemap.layers[i]).roll}
    free = battlemap.free_layer_id()
    layers = []
    for fresh in rolled:
        before = old.get(fresh.roll.part if fresh.roll else "")
        if before is None:
            layers.append(fresh.copy(id=free))
            free += 1
        else:
            kept = ("id", "name", "visible", "opacity", "locked", "extras")
            layers.append(fresh.copy(**{name: getattr(before, name) for name in kept}))
    planes: dict[str, Plane] = {}
    count = 0
    for i, place in enumerate(places):
        again = layers[min(i, len(layers) - 1)]
        moved, places_moved = _touched_planes(battlemap, place, again)
        count += places_moved
        for name, plane in moved.items():
            unset = battlemap.system.plane(name).unset
            planes[name] = np.where(plane == unset, planes.get(name, plane), plane)
    edits: list[Edit] = []
    if planes:
        edits.append(_lay_above(battlemap, places[-1], planes, {}, free))
    edits += [LayerRemove(place, battlemap.layers[place]) for place in reversed(places)]
    edits += [LayerInsert(places[0] + i, layer) for i, layer in enumerate(layers)]
    return RollStep(Compound(tuple(edits)), layers[-1].id, count)


def _touched_planes(
    battlemap: BattleMap, index: int, replacement: Layer
) -> tuple[dict[str, Plane], int]:
    """The hand-touched values of a rolled layer, ready to lie above it, and at how many places.

    A cell of which a hand changed both terrain and elevation is one place.
    """
    layer = battlemap.layers[index]
    planes: dict[str, Plane] = {}
    touched: dict[Place, list[NDArray[np.intp]]] = {}
    for name, marks in layer.planes.items():
        where = np.flatnonzero(marks) if name.startswith(TOUCHED) else np.empty(0, np.intp)
        if not len(where):
            continue
        plane = name.removeprefix(TOUCHED)
        spec = battlemap.system.plane(plane)
        values = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[where]
        below = battlemap.layers[:index]
        shown = battlemap.values(plane, below).flat[where]
        values = np.where(values == spec.unset, shown, values)
        kept = _kept(battlemap, plane, where, values, [*below, replacement])
        where, values = where[~kept], values[~kept]
        if not len(where):
            continue
        moved = spec.allocate(battlemap.grid)
        moved.flat[where] = values
        planes[plane] = moved
        touched.setdefault(spec.place, []).append(where)
    return planes, sum(len(np.unique(np.concatenate(where))) for where in touched.values())


def _kept(
    battlemap: BattleMap,
    plane: str,
    where: NDArray[np.intp],
    values: NDArray[Any],
    layers: list[Layer],
) -> NDArray[np.bool_]:
    """Which of the places are locked, and show the values in ``layers`` too; shape (n,)."""
    place = battlemap.system.plane(plane).place
    locks = battlemap.locked_sides if place is Place.SIDE else battlemap.locked_cells
    kept = np.zeros(len(where), np.bool_) if place is Place.CORNER else locks.flat[where]
    if kept.any():
        kept &= battlemap.values(plane, layers).flat[where] == values
    return kept


def _touched_properties(battlemap: BattleMap, index: int) -> dict[str, Any]:
    """The hand-touched properties of a rolled layer, ready to lie above it.

    One that a hand took away becomes what shows instead, or the value that looks like none.
    """
    layer = battlemap.layers[index]
    shown = battlemap.composite(index)
    properties: dict[str, Any] = {}
    for name in sorted(layer.touched_properties):
        for value in (getattr(layer, name), getattr(shown, name), LIKE_NONE[name]):
            if value is not None:
                properties[name] = value
                break
    return properties


LIKE_NONE: dict[str, Any] = {"title": "", "subtitle": "", "tower": False, "startlist": ()}
"""The value of each property that shows the same as none."""


def _lay_above(
    battlemap: BattleMap,
    index: int,
    planes: dict[str, Plane],
    properties: dict[str, Any],
    free: int | None = None,
) -> Edit:
    """Put values into the Touch-ups layer directly above, made (with the id ``free``, or the first
    that is) if it is not there.

    What that layer already holds was above before, so it wins. A hidden layer's values do not go
    into a visible one, nor a visible layer's into a hidden one.
    """
    visible = battlemap.layers[index].visible
    above = battlemap.layers[index + 1] if index + 1 < len(battlemap.layers) else None
    if above is None or (above.name, above.roll, above.visible) != (TOUCH_UPS, None, visible):
        layer_id = battlemap.free_layer_id() if free is None else free
        layer = Layer(layer_id, TOUCH_UPS, visible, planes, **properties)
        return LayerInsert(index + 1, layer)
    merged = above.copy()
    for name, values in planes.items():
        spec = battlemap.system.plane(name)
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(present == spec.unset, values, present)
    for name, value in properties.items():
        if getattr(merged, name) is None:
            setattr(merged, name, value)
    return LayerReplace(index + 1, above, merged)


def duplicate(battlemap: BattleMap, layer_id: int) -> RollStep:
    """A copy of the layer directly above it."""
    layer = battlemap.layer(layer_id)
    copy = layer.copy(id=battlemap.free_layer_id(), name=f"{layer.name} (copy)")
    return RollStep(insert_layer(battlemap, copy, layer_id), copy.id)


def remove(battlemap: BattleMap, layer_id: int) -> Edit:
    """The layer goes."""
    index = battlemap.index_of(layer_id)
    return LayerRemove(index, battlemap.layers[index])


def move(battlemap: BattleMap, layer_id: int, index: int) -> Edit | None:
    """The layer goes to position ``index`` of the stack (0 the bottom), held within the stack."""
    start = battlemap.index_of(layer_id)
    end = min(max(index, 0), len(battlemap.layers) - 1)
    return None if start == end else LayerMove(start, end)


def rename(battlemap: BattleMap, layer_id: int, name: str) -> Edit | None:
    """The layer gets another name."""
    before = battlemap.layer(layer_id).name
    return None if before == name else LayerProperty(layer_id, "name", before, name)


def show(battlemap: BattleMap, layer_id: int, visible: bool) -> Edit | None:
    """The layer is shown or hidden; hidden layers count nowhere."""
    before = battlemap.layer(layer_id).visible
    return None if before == visible else LayerProperty(layer_id, "visible", before, visible)


def can_merge_down(battlemap: BattleMap, layer_id: int) -> bool:
    """Whether there is a layer below, and both are visible (a hidden one would change the map)."""
    index = battlemap.index_of(layer_id)
    return index > 0 and battlemap.layers[index].visible and battlemap.layers[index - 1].visible


def merge_down(battlemap: BattleMap, layer_id: int) -> Edit:
    """The layer's values go into the layer below; the map looks the same.

    Merged into a rolled layer they count as touched by hand, so a re-roll keeps them. Raises
    ValueError where ``can_merge_down`` is False.
    """
    if not can_merge_down(battlemap, layer_id):
        raise ValueError("only a visible layer above a visible layer can be merged down")
    index = battlemap.index_of(layer_id)
    upper, lower = battlemap.layers[index], battlemap.layers[index - 1]
    merged = lower.copy(extras={**lower.extras, **upper.extras})
    for name, values in upper.planes.items():
        spec = battlemap.system.plane(name)
        if not spec.shown:
            continue  # provenance and marks belong to the roll of the layer that goes
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(values == spec.unset, present, values)
        if lower.roll is not None:
            marks = battlemap.system.plane(TOUCHED + name).allocate(battlemap.grid)
            marks = merged.planes.get(TOUCHED + name, marks)
            merged.planes[TOUCHED + name] = np.where(
                values == spec.unset, marks, marks.dtype.type(1)
            )
    for name in PROPERTIES:
        value = getattr(upper, name)
        if value is not None:
            setattr(merged, name, value)
            if lower.roll is not None:
                merged.touched_properties |= {name}
    edit = compound([LayerRemove(index, upper), LayerReplace(index - 1, lower, merged)])
    assert edit is not None
    return edit


def flatten(battlemap: BattleMap) -> RollStep | None:
    """All visible layers become one, in place of the lowest; the map looks the same.

    It is nobody's roll any more. Hidden layers stay. None if there is nothing to flatten.
    """
    shown = [layer for layer in battlemap.layers if layer.visible]
    if len(shown) < 2:
        return None
    lowest = shown[0]
    extras = {name: value for layer in shown for name, value in layer.extras.items()}
    flat = Layer(lowest.id, lowest.name, extras=extras)
    for spec in battlemap.system.shown_planes:
        for layer in shown:
            values = layer.planes.get(spec.name)
            if values is not None:
                below = flat.planes.get(spec.name, values)
                flat.planes[spec.name] = np.where(values == spec.unset, below, values)
    for layer in shown:
        for name in PROPERTIES:
            value = getattr(layer, name)
            if value is not None:
                setattr(flat, name, value)
    edits: list[Edit] = [remove(battlemap, layer.id) for layer in reversed(shown[1:])]
    edits.append(LayerReplace(battlemap.index_of(lowest.id), lowest, flat))
    return RollStep(Compound(tuple(edits)), lowest.id)


def from_cells(
    battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp], *, moved: bool = False
) -> RollStep | None:
    """What a layer sets on some cells, as a new layer above it; ``moved``: taken out of the layer.

    The sides and corners of the cells come along. None if the layer sets nothing there.
    """
    source, grid = battlemap.layer(layer_id), battlemap.grid
    layer = Layer(battlemap.free_layer_id(), f"{source.name} (part)", source.visible)
    edits: list[Edit | None] = [insert_layer(battlemap, layer, layer_id)]
    for spec in battlemap.system.shown_planes:
        values = source.planes.get(spec.name)
        where = places_of(spec.place, grid, cells)
        if values is None:
            continue
        where = where[values.flat[where] != spec.unset]
        if len(where):
            layer.planes[spec.name] = spec.allocate(grid)
            layer.planes[spec.name].flat[where] = values.flat[where]
        if moved:
            edits.append(set_values(battlemap, layer_id, spec.name, where, spec.unset))
    edit = compound(edits)
    return RollStep(edit, layer.id) if edit is not None and layer.planes else None


def places_of(place: Place, grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """The flat indices of the cells themselves, of their sides, or of their corners, ascending."""
    if place is Place.SIDE:
        return (cells[:, None] * grid.degree + np.arange(grid.degree)).ravel()
    if place is Place.CORNER:
        ys, xs = np.divmod(cells, grid.width)
        first = ys * (grid.width + 1) + xs
        return np.unique([first, first + 1, first + grid.width + 1, first + grid.width + 2])
    return cells


def solo(battlemap: BattleMap, layer_ids: Collection[int]) -> Edit | None:
    """These layers are shown and no others; None if it is so already."""
    return compound(show(battlemap, layer.id, layer.id in layer_ids) for layer in battlemap.layers)
