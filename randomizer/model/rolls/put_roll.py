"""Puts a roll into a map: its layers, and records, terrain set and grid where it brings them.

The roll of one layer, the map's *source*, replaces these; the rolls of other layers are fitted to
what the map has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from randomizer.model.edits.edit import Edit, LayerInsert, LayerRemove, LayerReplace, Reshape, Shape
from randomizer.model.edits.layer_edits import LayerStep, show
from randomizer.model.edits.record_edits import RecordSet, SourceEdit
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.edits.value_edits import chained, compound
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.planes.planes import blank
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import first_part, is_whole, parts_from
from randomizer.model.rolls.rolled_things import place_things
from randomizer.model.rolls.touch_ups import copy_painted, move_touched
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Things


def new_map(
    system: System,
    grid: Grid,
    terrain_set: TerrainSet,
    generated: Generated,
    assets: Assets = NO_ASSETS,
) -> BattleMap:
    """Return a new map of a roll; ``grid``, ``terrain_set`` and ``assets`` are those of what is
    below.
    """
    own_set = generated.terrain_set or terrain_set
    battlemap = BattleMap.new(system, generated.grid or grid, (), own_set, assets)
    layers = [layer.copy(id=number) for number, layer in enumerate(generated.layers, 1)]
    place_things(battlemap, [], layers)
    battlemap.layers.extend(layers)
    battlemap.note_ids(thing_id for layer in layers for thing_id in layer.things)
    if not generated.layers_only:
        battlemap.records = dict(generated.records or {})
        battlemap.source = layers[0].id
    return battlemap


def fits_grid(battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool) -> bool:
    """Return whether a roll can be put in place of a layer, or above it, as far as its grid goes.

    Another grid than the map's needs a roll of the source, no locks, and that no layer but the
    replaced ones holds anything.
    """
    if generated.grid is None or generated.grid.same_as(battlemap.grid):
        return True
    if replaces:
        replaced = parts_from(battlemap, layer_id)
    else:
        replaced = []
    other_layers = (layer for at, layer in enumerate(battlemap.layers) if at not in replaced)
    return (
        _can_be_source(battlemap, layer_id, replaces)
        and not battlemap.locked_cells.any()
        and not battlemap.locked_sides.any()
        and not any(_holds_anything(battlemap.system, layer) for layer in other_layers)
    )


def _can_be_source(battlemap: BattleMap, layer_id: int, replaces: bool) -> bool:
    """Return whether a roll in place of a layer, or above it, is that of the map's source.

    A map without a source gets one by the first roll that brings anything.
    """
    source = battlemap.source_layer
    if source is None or not replaces:
        return source is None
    return battlemap.index_of(source.id) in parts_from(battlemap, layer_id)


def _holds_anything(system: System, layer: Layer) -> bool:
    is_set = any(
        (values != system.plane(name).unset).any() for name, values in layer.planes.items()
    )
    return is_set or bool(layer.things or layer.properties)


def put_roll(
    battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
) -> LayerStep:
    """Put a roll in place of a layer (``put_layers``), or above it; all of it is one edit.

    The roll of the source replaces records (those touched by hand are kept, and said), terrain set
    and grid. Any other roll is translated into the map's terrain set by names. The first roll of a
    whole map hides the whole maps with things below it (``_covered_maps``), and says so. Raises
    ValueError where ``fits_grid`` is False.
    """
    if generated.layers_only:
        return _put_layers_only(battlemap, layer_id, generated.layers, replaces=replaces)
    if not fits_grid(battlemap, layer_id, generated, replaces=replaces):
        raise ValueError("the roll has another grid than the map")
    rolled = generated.layers
    new_set = generated.terrain_set
    records = generated.records
    is_source = _can_be_source(battlemap, layer_id, replaces)
    was_source = battlemap.source_layer is not None
    step = LayerStep(SourceEdit(None, None), layer_id)

    def put() -> Edit:
        nonlocal step
        layers: Sequence[Layer] = rolled
        if not is_source and new_set is not None:
            system = battlemap.system
            terrain_set = battlemap.terrain_set
            layers = [translated_layer(system, layer, new_set, terrain_set) for layer in rolled]
        step = put_layers(battlemap, layer_id, layers, replaces=replaces)
        return step.edit

    makes: list[Callable[[], Edit | None]] = []
    if is_source:
        makes.append(lambda: _other_grid(battlemap, generated.grid))
    makes += [lambda: _other_terrain_set(battlemap, rolled, new_set, is_source), put]
    if is_source:
        # What the replaced layers alone set is no longer missing.
        makes.append(lambda: _other_terrain_set(battlemap, (), new_set, True))
        makes.append(lambda: _other_records(battlemap, records, was_source))
        makes.append(lambda: _other_source(battlemap, first_part(battlemap, step.layer_id)))
    if replaces or was_source:
        covered = []
    else:
        covered = _covered_maps(battlemap, layer_id, rolled)
    makes += [partial(show, battlemap, layer.id, False) for layer in covered]
    edit = _joined([chained(battlemap, makes)])
    if is_source:
        kept_names = _kept_records(battlemap, records)
    else:
        kept_names = []
    notes = [step.note] if step.note else []
    notes += map(_hidden_note, covered)
    if kept_names:
        notes.append(f"Changed by hand and kept: {', '.join(kept_names)}")
    return replace(step, edit=edit, note=". ".join(notes))


def _put_layers_only(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], *, replaces: bool
) -> LayerStep:
    """Put a roll that brings nothing but layers."""
    step = put_layers(battlemap, layer_id, rolled, replaces=replaces)
    if replaces:
        covered = []
    else:
        covered = _covered_maps(battlemap, layer_id, rolled)
    if not covered:
        return step
    hiding = [show(battlemap, layer.id, False) for layer in covered]
    note = ". ".join(filter(None, [step.note, *map(_hidden_note, covered)]))
    return replace(step, edit=_joined([step.edit, *hiding]), note=note)


def _hidden_note(layer: Layer) -> str:
    return f"The layer {layer.name} is hidden: it holds the things of another map"


# --- layers ---------------------------------------------------------------------------------------


def put_layers(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], *, replaces: bool
) -> LayerStep:
    """Put the layers of a roll above a layer, or in place of it and of the parts above it.

    What was painted by hand below a new roll is copied to Touch-ups above it (``copy_painted``).

    ``rolled`` go from the lowest to the topmost, whose id the step has; new layers get ids of this
    map. A single one replaces only the layer itself, whatever part it is, several those of the same
    part: id, visibility, opacity, lock, secrecy and extras of the layer stay, as does a name that
    the user gave it.

    Touched values move to Touch-ups above the topmost (``move_touched``). Locked places that look
    the same in the new roll do not move: unlocked, they are the script's again. A touched place
    that was *erased* moves with the value that showed there, so that it looks the same. Things are
    replaced; those on locked cells stay, and touched ones move (``place_things``). A locked one of
    several parts also keeps what it set.
    """
    index = battlemap.index_of(layer_id)
    free = battlemap.free_layer_id()
    if not replaces:
        layers = [layer.copy(id=free + number) for number, layer in enumerate(rolled)]
        place_things(battlemap, [], layers)
        painted, count = copy_painted(battlemap, index + 1, layers, free + len(layers))
        edit = _joined(_inserts(index + 1, [*layers, *painted]))
        return LayerStep(edit, layers[-1].id, count)
    alone = len(rolled) == 1
    if alone:
        positions = [index]
    else:
        positions = parts_from(battlemap, layer_id)
    old = {_part(battlemap.layers[position]): battlemap.layers[position] for position in positions}
    layers = []
    for fresh in rolled:
        old_part = battlemap.layers[index] if alone else old.get(_part(fresh))
        if old_part is None:
            secret = any(old_layer.secret for old_layer in old.values())
            layers.append(fresh.copy(id=free, secret=secret))
            free += 1
        else:
            layers.append(_in_place_of(old_part, fresh))
            if old_part.locked and not alone:
                _keep_values(battlemap, old_part, layers[-1])
    note = place_things(battlemap, positions, layers)
    moves, count = move_touched(battlemap, positions, layers, free)
    if alone:
        edits: list[Edit] = [LayerReplace(index, battlemap.layers[index], layers[0])]
    else:
        edits = [LayerRemove(at, battlemap.layers[at]) for at in reversed(positions)]
        edits += _inserts(index, layers)
    return LayerStep(_joined([*moves, *edits]), layers[-1].id, count, note)


def _inserts(index: int, layers: Sequence[Layer]) -> list[Edit]:
    return [LayerInsert(at, layer) for at, layer in enumerate(layers, index)]


def _joined(edits: Sequence[Edit | None]) -> Edit:
    """Several edits of a roll as one."""
    edit = compound(edits)
    assert edit is not None, "a roll is an edit"
    return edit


def _part(layer: Layer) -> str:
    return "" if layer.roll is None else layer.roll.part


def _in_place_of(old_layer: Layer, fresh: Layer) -> Layer:
    """Return a copy of a rolled layer with all that stays of the one that it replaces."""
    renamed = old_layer.roll is None or old_layer.name != roll_name(old_layer)
    return fresh.copy(
        id=old_layer.id,
        visible=old_layer.visible,
        opacity=old_layer.opacity,
        locked=old_layer.locked,
        secret=old_layer.secret,
        name=old_layer.name if renamed else fresh.name,
        extras={**old_layer.extras, **fresh.extras},
    )


def _keep_values(battlemap: BattleMap, old_layer: Layer, new_layer: Layer) -> None:
    """Put what a locked part set into the same part of the new roll.

    The generator keeps it too, but may have put it into another part, which can be hidden.
    """
    for spec in battlemap.system.shown_planes:
        values = old_layer.planes.get(spec.name)
        if values is not None:
            new = new_layer.planes.get(spec.name, values)
            new_layer.planes[spec.name] = np.where(values == spec.unset, new, values)


def _covered_maps(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> list[Layer]:
    """Return the visible layers below a new roll of which nothing but their things would be seen.

    They are whole maps, as files hold them, and so is the roll: its terrain is set everywhere.
    Locked layers are none of them, nor is any layer if cells are locked: what stands there stays.
    """
    if battlemap.locked_cells.any():
        return []
    if not any(is_whole(battlemap, layer) for layer in rolled):
        return []
    below = battlemap.layers[: battlemap.index_of(layer_id) + 1]
    return [
        layer
        for layer in below
        if layer.visible and not layer.locked and layer.things and is_whole(battlemap, layer)
    ]


# --- what a roll brings beside layers -------------------------------------------------------------


def _other_grid(battlemap: BattleMap, grid: Grid | None) -> Edit | None:
    if grid is None or grid.same_as(battlemap.grid):
        return None
    shape = (grid.height, grid.width)
    empty = tuple(layer.copy(planes={}, things=Things()) for layer in battlemap.layers)
    new_shape = Shape(
        grid,
        empty,
        np.zeros(shape, np.bool_),
        blank((*shape, grid.degree), False, np.bool_),
    )
    return Reshape(Shape.of(battlemap), new_shape)


def _other_terrain_set(
    battlemap: BattleMap, rolled: Sequence[Layer], new_set: TerrainSet | None, is_source: bool
) -> Edit | None:
    now = battlemap.terrain_set
    if new_set is None:
        return None
    if is_source:
        return change_terrain_set(battlemap, new_set, called_as_in(now, new_set))
    complete_set = with_missing(battlemap.system, rolled, new_set, now)
    if complete_set == now:
        return None
    return TerrainSetEdit(now, complete_set, ())


def _other_records(
    battlemap: BattleMap, records: Mapping[str, MapRecord] | None, was_source: bool
) -> Edit | None:
    """Set the records of a source; those of the roll before that it lacks are removed.

    What a hand changed stays, unless the roll has taken it up: then its record is touched, too.
    """
    if records is None:
        return None
    edits = []
    present = battlemap.records
    if was_source:
        gone = [name for name in present if name not in records]
    else:
        gone = []
    for name in (*gone, *records):
        old_record = present.get(name)
        new_record = records.get(name)
        is_changed_by_hand = old_record is not None and old_record.touched
        is_taken_up = new_record is not None and new_record.touched
        if old_record != new_record and (is_taken_up or not is_changed_by_hand):
            edits.append(RecordSet(name, old_record, new_record))
    return compound(edits)


def _kept_records(battlemap: BattleMap, records: Mapping[str, MapRecord] | None) -> list[str]:
    """Return the records that a roll of the source leaves as a hand made them."""
    if records is None:
        return []
    return [
        name
        for name, record in battlemap.records.items()
        if record.touched and not _is_taken_up(records.get(name), record)
    ]


def _is_taken_up(rolled: MapRecord | None, record: MapRecord) -> bool:
    """Return whether a roll brought what the record holds, or what a hand changed in it."""
    return rolled is not None and (rolled.touched or rolled.text == record.text)


def _other_source(battlemap: BattleMap, layer_id: int) -> Edit | None:
    if battlemap.source == layer_id:
        return None
    return SourceEdit(battlemap.source, layer_id)
