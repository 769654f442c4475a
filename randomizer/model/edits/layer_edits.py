"""Functions that make edits of whole layers: insert, duplicate, move, hide, merge, flatten.

The layer list of the desk calls them; they change nothing themselves::

    step = duplicate(battlemap, layer_id)
    step.edit.apply(battlemap)              # in the desk: as an undo step
    new_layer = battlemap.layer(step.layer_id)

A layer has *planes*, arrays with a value for each cell, side or corner; where a value is *unset*
the layers below show through. A *rolled* layer was made by a generator. What a person has changed
in it has *touched* marks, and a re-roll keeps that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.edit import Compound, Edit
from randomizer.model.edits.stack_edits import (
    LayerField,
    LayerInsert,
    LayerMove,
    LayerRemove,
    LayerReplace,
)
from randomizer.model.edits.thing_copies import copies, with_next_ids
from randomizer.model.edits.thing_edits import remove_things, things_on
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import cells_with, corners_of
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.things.things import Thing


@dataclass(frozen=True, slots=True)
class LayerStep:
    """An edit of layers that makes a layer, and what the desk needs to know of it.

    Functions whose edit makes none return the edit itself. Rolls (rolls/put_layers.py) return steps
    as well, and set ``touch_ups`` and ``note``.
    """

    edit: Edit
    """The edit, which is not applied yet."""

    layer_id: int
    """The id of the layer that it makes or changes."""

    touch_ups: int = 0
    """How many cells, hexsides, properties and things go to the layer Touch-ups.

    That layer lies above a rolled one, and keeps what a hand has changed there.
    """

    note: str = ""
    """A note on it for the user: sentences without the last full stop; "" for none."""


def insert_layer(battlemap: BattleMap, layer: Layer, above: int | None = None) -> LayerInsert:
    """Return the edit that inserts ``layer`` above the layer with id ``above`` (None: on top)."""
    if above is None:
        index = len(battlemap.layers)
    else:
        index = battlemap.index_of(above) + 1
    return LayerInsert(index, layer)


def duplicate(battlemap: BattleMap, layer_id: int) -> LayerStep:
    """Return the step that inserts a copy directly above a layer; its things get new ids."""
    layer = battlemap.layer(layer_id)
    copy = layer.copy(
        id=battlemap.free_layer_id(),
        name=f"{layer.name} (copy)",
        things=Things(with_next_ids(battlemap, layer.things.values())),
    )
    return LayerStep(insert_layer(battlemap, copy, layer_id), copy.id)


def remove(battlemap: BattleMap, layer_id: int) -> Edit:
    """Return the edit that removes a layer."""
    index = battlemap.index_of(layer_id)
    return LayerRemove(index, battlemap.layers[index])


def move(battlemap: BattleMap, layer_id: int, index: int) -> Edit | None:
    """Return the edit that moves a layer to a position of the stack (0 is the bottom).

    Positions outside the stack are its ends. None if the layer is there already.
    """
    start = battlemap.index_of(layer_id)
    end = min(max(index, 0), len(battlemap.layers) - 1)
    if start == end:
        return None
    return LayerMove(start, end)


def rename(battlemap: BattleMap, layer_id: int, name: str) -> Edit | None:
    """Return the edit that renames a layer; None if it has the name."""
    old_name = battlemap.layer(layer_id).name
    if old_name == name:
        return None
    return LayerField(layer_id, "name", old_name, name)


def set_visible(battlemap: BattleMap, layer_id: int, *, visible: bool) -> Edit | None:
    """Return the edit that shows or hides a layer; None if that is so already."""
    was_visible = battlemap.layer(layer_id).visible
    if was_visible == visible:
        return None
    return LayerField(layer_id, "visible", was_visible, visible)


def can_merge_down(battlemap: BattleMap, layer_id: int) -> bool:
    """Return whether a layer can be merged into the one below so that the map shows the same.

    That is so if there is one below, and both are visible.
    """
    index = battlemap.index_of(layer_id)
    return index > 0 and battlemap.layers[index].visible and battlemap.layers[index - 1].visible


def merge_down(battlemap: BattleMap, layer_id: int) -> Edit:
    """Return the edit that merges a layer into the one below; the map shows the same values.

    All are drawn with the opacity of the layer below.

    If the layer below is rolled, all that comes from the upper one is marked as touched in it, so
    that a re-roll keeps it. Raises ValueError where ``can_merge_down`` is False.
    """
    if not can_merge_down(battlemap, layer_id):
        raise ValueError("only a visible layer above a visible layer can be merged down")
    index = battlemap.index_of(layer_id)
    upper = battlemap.layers[index]
    lower = battlemap.layers[index - 1]
    # What one of both hides from players must not become visible to them.
    secret = lower.secret or upper.secret
    merged = lower.copy(extras={**lower.extras, **upper.extras}, secret=secret)
    _merge_planes(battlemap, upper, merged)
    merged.properties.update(upper.properties)
    if lower.roll is not None:
        merged.touched_properties |= frozenset(upper.properties)
    merged.things = Things((*lower.things.values(), *_things_to_merge(upper, lower)))
    edit = compound([LayerRemove(index, upper), LayerReplace(index - 1, lower, merged)])
    assert edit is not None, "it has two parts"
    return edit


def _merge_planes(battlemap: BattleMap, upper: Layer, merged: Layer) -> None:
    """Write what a layer sets into the planes of ``merged``, a copy of the layer below it.

    In a copy of a rolled layer it is marked as touched.
    """
    system = battlemap.system
    for name, values in upper.planes.items():
        spec = system.plane(name)
        if not spec.shown:
            continue  # provenance and touched marks belong to the roll of the removed layer
        is_covered = values != spec.unset
        values_below = _plane_of(battlemap, merged, name)
        merged.planes[name] = np.where(is_covered, values, values_below)
        if merged.roll is None:
            continue

        # What covers the roll counts as changed by hand, as if it had been painted there.
        marks = _plane_of(battlemap, merged, TOUCHED + name)
        mark = marks.dtype.type(1)
        merged.planes[TOUCHED + name] = np.where(is_covered, mark, marks)
        if system.stores_rolled_values:
            # Below a mark that was there already is paint, not what the roll made.
            is_covered_roll = is_covered & (marks == 0)
            rolled_values = _plane_of(battlemap, merged, ROLLED + name)
            merged.planes[ROLLED + name] = np.where(is_covered_roll, values_below, rolled_values)


def _plane_of(battlemap: BattleMap, layer: Layer, name: str) -> Plane:
    """Return a plane of a layer; one with all values unset if the layer has none of the name."""
    plane = layer.planes.get(name)
    if plane is None:
        return battlemap.system.plane(name).allocate(battlemap.grid)
    return plane


def _things_to_merge(upper: Layer, lower: Layer) -> list[Thing]:
    """Return the things of a layer as they will be in the layer below.

    The key of a thing is the name by which its generator makes it again. A layer of touch-ups,
    which was not rolled itself, has things that the rolled layer below had made: there they keep
    their keys. Things that a roll of the upper layer has made lose theirs, which mean nothing
    there.
    """
    things = []
    for thing in upper.things.values():
        key = thing.key
        if upper.roll is not None:
            key = ""
        things.append(replace(thing, touched=lower.roll is not None, key=key))
    return things


def flatten(battlemap: BattleMap) -> LayerStep | None:
    """Return the step that merges all visible layers into one, in place of the lowest.

    The map shows the same values, all opaque. The result is not a rolled layer. Hidden layers stay.
    None if there is nothing to flatten.
    """
    visible_layers = [layer for layer in battlemap.layers if layer.visible]
    if len(visible_layers) < 2:
        return None
    lowest = visible_layers[0]
    flat = _flattened(battlemap, visible_layers)
    # From the top down, so that the positions of those below stay.
    edits: list[Edit] = [remove(battlemap, layer.id) for layer in reversed(visible_layers[1:])]
    edits.append(LayerReplace(battlemap.index_of(lowest.id), lowest, flat))
    return LayerStep(Compound(tuple(edits)), lowest.id)


def _flattened(battlemap: BattleMap, layers: Sequence[Layer]) -> Layer:
    """Return one layer that looks like ``layers``, which are given from the bottom up.

    It has the id and the name of the lowest, and is not a rolled layer.
    """
    lowest = layers[0]
    secret = any(layer.secret for layer in layers)
    flat = Layer(lowest.id, lowest.name, secret=secret)
    for spec in battlemap.system.shown_planes:
        for layer in layers:
            values = layer.planes.get(spec.name)
            if values is not None:
                values_below = flat.planes.get(spec.name)
                if values_below is None:
                    flat.planes[spec.name] = values.copy()
                else:
                    flat.planes[spec.name] = np.where(values == spec.unset, values_below, values)
    extras: dict[str, object] = {}
    things: list[Thing] = []
    for layer in layers:
        extras.update(layer.extras)
        flat.properties.update(layer.properties)
        # In a layer that was not rolled a thing has no key and is not touched.
        things += (replace(thing, key="", touched=False) for thing in layer.things.values())
    flat.extras = extras
    flat.things = Things(things)
    return flat


def from_cells(
    battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp], *, moved: bool = False
) -> LayerStep | None:
    """Return the step that copies what a layer sets and holds on cells into a new layer above it.

    With ``moved`` it is also unset in the layer. Sides and corners of the cells are included. None
    if the layer has nothing there.
    """
    source = battlemap.layer(layer_id)
    part = Layer(battlemap.free_layer_id(), f"{source.name} (part)", source.visible)
    part.opacity = source.opacity
    part.secret = source.secret
    copied_elements: dict[str, NDArray[np.intp]] = {}
    for spec in battlemap.system.shown_planes:
        elements = _set_elements(source, spec, battlemap.grid, cells)
        if len(elements):
            values = source.planes[spec.name]
            part.planes[spec.name] = spec.allocate(battlemap.grid)
            part.planes[spec.name].flat[elements] = values.flat[elements]
            copied_elements[spec.name] = elements
    things = things_on(battlemap.grid, source.things, cells)
    if moved:
        part.things = Things(replace(thing, key="", touched=False) for thing in things)
    else:
        part.things = Things(copies(battlemap, things))
    if not part.planes and not part.things:
        return None

    edits: list[Edit | None] = []
    if moved:
        # First, since the things keep their ids, which the map has once only.
        edits.append(remove_things(battlemap, part.things.keys()))
    edits.append(insert_layer(battlemap, part, layer_id))
    if moved:
        for plane, elements in copied_elements.items():
            unset = battlemap.system.plane(plane).unset
            edits.append(set_values(battlemap, layer_id, plane, elements, unset))
    edit = compound(edits)
    assert edit is not None, "it inserts a layer"
    return LayerStep(edit, part.id)


def _set_elements(
    layer: Layer, spec: PlaneSpec, grid: Grid, cells: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return those elements of a plane on cells that a layer sets, as flat indices."""
    plane = layer.planes.get(spec.name)
    if plane is None:
        return np.empty(0, np.intp)
    elements = elements_of(spec.element, grid, cells)
    is_set: NDArray[np.bool_] = plane.flat[elements] != spec.unset
    return elements[is_set]


def elements_of(element: Element, grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return flat indices of cells themselves, of their sides, or of their corners, ascending.

    ``cells`` are flat indices, ascending too.
    """
    if element is Element.SIDE:
        return (cells[:, None] * grid.degree + np.arange(grid.degree)).ravel()
    if element is Element.CORNER:
        return np.unique(corners_of(grid, cells))
    return cells


def cells_of(element: Element, grid: Grid, elements: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the cells that have these cells, sides or corners, all by their flat indices.

    A cell can occur more than once.
    """
    if element is Element.SIDE:
        return elements // grid.degree
    if element is Element.CORNER:
        return cells_with(grid, elements)
    return elements


def solo(battlemap: BattleMap, layer_ids: Collection[int]) -> Edit | None:
    """Return the edit that shows these layers and hides all others; None if that is so already."""
    edits = []
    for layer in battlemap.layers:
        edits.append(set_visible(battlemap, layer.id, visible=layer.id in layer_ids))
    return compound(edits)
