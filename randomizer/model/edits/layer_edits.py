"""Edits of whole layers: insert, duplicate, move, merge, flatten, show alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LayerField,
    LayerInsert,
    LayerMove,
    LayerRemove,
    LayerReplace,
)
from randomizer.model.edits.thing_edits import copies, remove_things, things_on, with_next_ids
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import cells_with, corners_of
from randomizer.model.planes.planes import TOUCHED, Place
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Collection

    from randomizer.model.grid.grid import Grid
    from randomizer.model.things.things import Thing


@dataclass(frozen=True, slots=True)
class LayerStep:
    """An edit of layers, and the id of the layer that it makes or changes.

    ``touch_ups`` counts the cells, hexsides, properties and things that a re-roll moved to
    Touch-ups; ``note`` says what of them may be there twice, "" for none.
    """

    edit: Edit
    layer_id: int
    touch_ups: int = 0
    note: str = ""


def insert_layer(battlemap: BattleMap, layer: Layer, above: int | None = None) -> LayerInsert:
    """Return the edit that inserts ``layer`` above the layer with id ``above`` (None: on top)."""
    if above is None:
        index = len(battlemap.layers)
    else:
        index = battlemap.index_of(above) + 1
    return LayerInsert(index, layer)


def duplicate(battlemap: BattleMap, layer_id: int) -> LayerStep:
    """Insert a copy of the layer directly above it; its things get new ids."""
    layer = battlemap.layer(layer_id)
    copy = layer.copy(
        id=battlemap.free_layer_id(),
        name=f"{layer.name} (copy)",
        things=Things(with_next_ids(battlemap, layer.things.values())),
    )
    return LayerStep(insert_layer(battlemap, copy, layer_id), copy.id)


def remove(battlemap: BattleMap, layer_id: int) -> Edit:
    """Remove the layer."""
    index = battlemap.index_of(layer_id)
    return LayerRemove(index, battlemap.layers[index])


def move(battlemap: BattleMap, layer_id: int, index: int) -> Edit | None:
    """Move the layer to position ``index`` of the stack (0 the bottom), clamped to the stack."""
    start = battlemap.index_of(layer_id)
    end = min(max(index, 0), len(battlemap.layers) - 1)
    if start == end:
        return None
    return LayerMove(start, end)


def rename(battlemap: BattleMap, layer_id: int, name: str) -> Edit | None:
    """Rename the layer."""
    old_name = battlemap.layer(layer_id).name
    if old_name == name:
        return None
    return LayerField(layer_id, "name", old_name, name)


def show(battlemap: BattleMap, layer_id: int, visible: bool) -> Edit | None:
    """Show or hide the layer."""
    was_visible = battlemap.layer(layer_id).visible
    if was_visible == visible:
        return None
    return LayerField(layer_id, "visible", was_visible, visible)


def can_merge_down(battlemap: BattleMap, layer_id: int) -> bool:
    """Return whether there is a layer below and both are visible, so that the look cannot
    change.
    """
    index = battlemap.index_of(layer_id)
    return index > 0 and battlemap.layers[index].visible and battlemap.layers[index - 1].visible


def merge_down(battlemap: BattleMap, layer_id: int) -> Edit:
    """Merge the layer's values into the layer below; the map looks the same.

    Merged into a rolled layer they are marked as touched, so a re-roll keeps them. Raises
    ValueError where ``can_merge_down`` is False.
    """
    if not can_merge_down(battlemap, layer_id):
        raise ValueError("only a visible layer above a visible layer can be merged down")
    index = battlemap.index_of(layer_id)
    upper = battlemap.layers[index]
    lower = battlemap.layers[index - 1]
    secret = lower.secret or upper.secret
    merged = lower.copy(extras={**lower.extras, **upper.extras}, secret=secret)
    for name, values in upper.planes.items():
        spec = battlemap.system.plane(name)
        if not spec.shown:
            continue  # provenance and touched marks belong to the roll of the removed layer
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(values == spec.unset, present, values)
        if lower.roll is not None:
            marks = battlemap.system.plane(TOUCHED + name).allocate(battlemap.grid)
            marks = merged.planes.get(TOUCHED + name, marks)
            merged.planes[TOUCHED + name] = np.where(
                values == spec.unset, marks, marks.dtype.type(1)
            )
    merged.properties.update(upper.properties)
    if lower.roll is not None:
        merged.touched_properties |= frozenset(upper.properties)
    touched = lower.roll is not None
    merged.things = Things(
        (
            *lower.things.values(),
            *(replace(t, touched=touched, key=_kept_key(upper, t)) for t in upper.things.values()),
        )
    )
    edit = compound([LayerRemove(index, upper), LayerReplace(index - 1, lower, merged)])
    assert edit is not None
    return edit


def _kept_key(layer: Layer, thing: Thing) -> str:
    """Return the key of a thing of the layer for another layer: "" if it is one of the layer's own
    roll.

    The keys of touch-ups belong to the rolled layer below.
    """
    return "" if layer.roll is not None else thing.key


def flatten(battlemap: BattleMap) -> LayerStep | None:
    """Merge all visible layers into one, in place of the lowest; the map looks the same.

    The result is not a rolled layer. Hidden layers stay. None if there is nothing to flatten.
    """
    visible_layers = [layer for layer in battlemap.layers if layer.visible]
    if len(visible_layers) < 2:
        return None
    lowest = visible_layers[0]
    extras = {name: value for layer in visible_layers for name, value in layer.extras.items()}
    secret = any(layer.secret for layer in visible_layers)
    flat = Layer(lowest.id, lowest.name, extras=extras, secret=secret)
    for spec in battlemap.system.shown_planes:
        for layer in visible_layers:
            values = layer.planes.get(spec.name)
            if values is not None:
                below = flat.planes.get(spec.name, values)
                flat.planes[spec.name] = np.where(values == spec.unset, below, values)
    for layer in visible_layers:
        flat.properties.update(layer.properties)
    flat.things = Things(
        replace(thing, key="", touched=False)
        for layer in visible_layers
        for thing in layer.things.values()
    )
    edits: list[Edit] = [remove(battlemap, layer.id) for layer in reversed(visible_layers[1:])]
    edits.append(LayerReplace(battlemap.index_of(lowest.id), lowest, flat))
    return LayerStep(Compound(tuple(edits)), lowest.id)


def from_cells(
    battlemap: BattleMap, layer_id: int, cells: NDArray[np.intp], *, moved: bool = False
) -> LayerStep | None:
    """Copy what a layer sets and holds on some cells into a new layer above it.

    ``moved``: and unset it in the layer. Sides and corners of the cells are included. None if the
    layer has nothing there.
    """
    source = battlemap.layer(layer_id)
    grid = battlemap.grid
    layer = Layer(battlemap.free_layer_id(), f"{source.name} (part)", source.visible)
    layer.secret = source.secret
    things = things_on(grid, source.things, cells)
    edits: list[Edit | None] = []
    if moved:
        layer.things = Things(replace(thing, key="", touched=False) for thing in things)
        edits.append(remove_things(battlemap, layer.things))
    else:
        layer.things = Things(copies(battlemap, things))
    edits.append(insert_layer(battlemap, layer, layer_id))
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
    held = layer.planes or layer.things
    if edit is not None and held:
        return LayerStep(edit, layer.id)
    return None


def places_of(place: Place, grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the flat indices of the cells themselves, of their sides, or of their corners,
    ascending.
    """
    if place is Place.SIDE:
        return (cells[:, None] * grid.degree + np.arange(grid.degree)).ravel()
    if place is Place.CORNER:
        return np.unique(corners_of(grid, cells))
    return cells


def cells_of(place: Place, grid: Grid, elements: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the cells that have any of these cells, sides or corners, given by flat index."""
    if place is Place.SIDE:
        return elements // grid.degree
    if place is Place.CORNER:
        return cells_with(grid, elements)
    return elements


def solo(battlemap: BattleMap, layer_ids: Collection[int]) -> Edit | None:
    """Show these layers and hide all others; None if that is so already."""
    return compound(show(battlemap, layer.id, layer.id in layer_ids) for layer in battlemap.layers)
