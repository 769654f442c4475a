"""Puts a roll into a map: its layers, and records, terrain set and grid where it brings them.

The roll of one layer, the map's *source*, replaces these; the rolls of other layers are fitted to
what the map has. ``new_map`` makes a map of a roll; ``put_roll`` returns the step that puts one
into a map, in place of a layer or above it. ``put_layers`` does so for layers alone: begin there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from randomizer.model.rolls.rolled_layers import (
    first_part,
    is_whole,
    parts_from,
    touched_layer,
)
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
    """Return a new map of a roll.

    ``grid``, ``terrain_set`` and ``assets`` are those of the base onto which it was rolled; the
    roll may bring another grid or terrain set.
    """
    if generated.terrain_set is not None:
        terrain_set = generated.terrain_set
    if generated.grid is not None:
        grid = generated.grid
    battlemap = BattleMap.new(system, grid, (), terrain_set, assets)
    layers = [layer.copy(id=number) for number, layer in enumerate(generated.layers, 1)]
    place_things(battlemap, [], layers)
    battlemap.layers.extend(layers)
    for layer in layers:
        battlemap.note_ids(layer.things)
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
    if not _can_be_source(battlemap, layer_id, replaces):
        return False
    if battlemap.locked_cells.any() or battlemap.locked_sides.any():
        return False
    replaced: list[int] = []
    if replaces:
        replaced = parts_from(battlemap, layer_id)
    for position, layer in enumerate(battlemap.layers):
        if position not in replaced and _holds_anything(battlemap.system, layer):
            return False
    return True


def is_changed_by_hand(battlemap: BattleMap, layer_id: int) -> bool:
    """Return whether a hand has changed a rolled layer, or a part of the same roll above it.

    A roll with the same grid keeps these changes; one with another grid does not.
    """
    parts = parts_from(battlemap, layer_id)
    for visible in (True, False):
        layer = touched_layer(battlemap, parts, visible=visible)
        if _holds_anything(battlemap.system, layer):
            return True
    return False


def _can_be_source(battlemap: BattleMap, layer_id: int, replaces: bool) -> bool:
    """Return whether a roll in place of a layer, or above it, is that of the map's source.

    A map without a source gets one by the first roll that brings anything.
    """
    source = battlemap.source_layer
    if source is None or not replaces:
        return source is None
    return battlemap.index_of(source.id) in parts_from(battlemap, layer_id)


def _holds_anything(system: System, layer: Layer) -> bool:
    """Return whether a layer has things, properties, or values that are set."""
    if layer.things or layer.properties:
        return True
    return any((values != system.plane(name).unset).any() for name, values in layer.planes.items())


def put_roll(
    battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
) -> LayerStep:
    """Return the step that puts a roll in place of a layer, or above it; all of it is one edit.

    The roll of the source replaces records, terrain set and grid; records that a hand has touched
    stay, and a note says so. Any other roll is translated into the map's terrain set by names. The
    first roll of a whole map hides the whole maps with things below it (``_covered_maps``), and a
    note says so. Raises ValueError where ``fits_grid`` is False.
    """
    if generated.layers_only:
        return _put_layers_only(battlemap, layer_id, generated, replaces=replaces)
    if not fits_grid(battlemap, layer_id, generated, replaces=replaces):
        raise ValueError("the roll has another grid than the map")
    return _RollPutting(battlemap, layer_id, generated, replaces=replaces).step()


class _RollPutting:
    """Puts a roll that brings more than layers into a map.

    It is a chain of edits, each made for the map as the earlier ones leave it (``chained``).
    """

    def __init__(
        self, battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
    ) -> None:
        self._map = battlemap
        self._layer_id = layer_id
        self._generated = generated
        self._replaces = replaces
        self._is_source = _can_be_source(battlemap, layer_id, replaces)
        """True if the roll is that of the map's source from now on."""
        self._had_source = battlemap.source_layer is not None
        """True if the map has a source already."""
        self._covered: list[Layer] = []
        """The layers that the roll hides."""
        if not replaces and not self._had_source:
            self._covered = _covered_maps(battlemap, layer_id, generated.layers)
        self._layer_step: LayerStep | None = None
        """What putting the layers did, once they are put."""

    def step(self) -> LayerStep:
        """Return the step that puts the roll into the map."""
        # The grid comes first: layers of another one do not fit. Layers come after the terrains
        # that they use, and before those are dropped that only the replaced layers used.
        make_edits = [self._fit_terrain_set, self._put_layers]
        if self._is_source:
            make_edits = [
                self._set_grid,
                *make_edits,
                self._drop_missing_terrains,
                self._set_records,
                self._set_source,
            ]
        make_edits += [partial(show, self._map, layer.id, False) for layer in self._covered]
        edit = _joined([chained(self._map, make_edits)])
        assert self._layer_step is not None, "the chain has put the layers"
        return replace(self._layer_step, edit=edit, note=". ".join(self._notes(self._layer_step)))

    def _notes(self, layer_step: LayerStep) -> list[str]:
        """Return the sentences of the note for the user, without their full stops."""
        notes = []
        if layer_step.note:
            notes.append(layer_step.note)
        notes += map(_hidden_note, self._covered)
        if self._is_source:
            names = _kept_records(self._map, self._generated.records)
            if self._covered:
                # That an opened map keeps what is its own is no news, but for another script.
                names = [name for name in names if name == self._map.system.script_record]
            if names:
                notes.append(f"The map keeps its {' and '.join(names)}")
        return notes

    def _set_grid(self) -> Edit | None:
        """Return the edit that gives the map the grid of the roll."""
        return _other_grid(self._map, self._generated.grid)

    def _fit_terrain_set(self) -> Edit | None:
        """Return the edit that gives the map the terrains of the roll, or adds those it uses."""
        rolled = self._generated.layers
        return _other_terrain_set(self._map, rolled, self._generated.terrain_set, self._is_source)

    def _put_layers(self) -> Edit:
        """Return the edit that puts the layers, translated into the terrain set of the map."""
        layers: Sequence[Layer] = self._generated.layers
        rolled_set = self._generated.terrain_set
        if not self._is_source and rolled_set is not None:
            system = self._map.system
            terrain_set = self._map.terrain_set
            layers = [translated_layer(system, layer, rolled_set, terrain_set) for layer in layers]
        step = put_layers(self._map, self._layer_id, layers, replaces=self._replaces)
        self._layer_step = step
        return step.edit

    def _drop_missing_terrains(self) -> Edit | None:
        """Return the edit that drops terrains of the former set which only replaced layers used."""
        return _other_terrain_set(self._map, (), self._generated.terrain_set, self._is_source)

    def _set_records(self) -> Edit | None:
        """Return the edit that sets the records of the roll."""
        return _other_records(self._map, self._generated.records, self._had_source)

    def _set_source(self) -> Edit | None:
        """Return the edit that makes the lowest layer of the roll the map's source."""
        assert self._layer_step is not None, "the layers are put before"
        return _other_source(self._map, first_part(self._map, self._layer_step.layer_id))


def _put_layers_only(
    battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
) -> LayerStep:
    """Put a roll that brings nothing but layers."""
    step = put_layers(
        battlemap,
        layer_id,
        generated.layers,
        replaces=replaces,
        laid_over=generated.laid_over,
    )
    covered = []
    if not replaces:
        covered = _covered_maps(battlemap, layer_id, generated.layers)
    if not covered:
        return step
    hiding = [show(battlemap, layer.id, False) for layer in covered]
    note = ". ".join(filter(None, [step.note, *map(_hidden_note, covered)]))
    return replace(step, edit=_joined([step.edit, *hiding]), note=note)


def _hidden_note(layer: Layer) -> str:
    """Return the sentence, without its full stop, that tells of a layer that a roll hides."""
    return f"{layer.name} is hidden, with its things"


# --- layers ---------------------------------------------------------------------------------------


def put_layers(
    battlemap: BattleMap,
    layer_id: int,
    rolled: Sequence[Layer],
    *,
    replaces: bool,
    laid_over: Layer | None = None,
) -> LayerStep:
    """Return the step that puts layers above a layer, or in place of it and of the parts above it.

    What was painted by hand below a new roll is copied to Touch-ups above it (``copy_painted``).

    ``rolled`` go from the lowest to the topmost, whose id the step has; new layers get ids of this
    map. A single one replaces only the layer itself, whatever part it is, several those of the same
    part: id, visibility, opacity, lock, secrecy and extras of the layer stay, as does a name that
    the user gave it.

    Touched values move to Touch-ups above the topmost (``move_touched``). Locked ones that look the
    same in the new roll stay in it, still touched. A touched place that was *erased* moves with the
    value that showed there, so that it looks the same. Things are replaced; those on locked cells
    stay, and touched ones move (``place_things``). A locked one of several parts also keeps what it
    set. The values of ``laid_over`` go to Touch-ups, too.
    """
    if replaces:
        return _replace_layers(battlemap, layer_id, rolled, laid_over)
    return _insert_layers(battlemap, layer_id, rolled, laid_over)


def _insert_layers(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], laid_over: Layer | None
) -> LayerStep:
    """Put the layers of a roll above a layer, and what was painted below above them."""
    position = battlemap.index_of(layer_id) + 1
    free_id = battlemap.free_layer_id()
    layers = [layer.copy(id=free_id + number) for number, layer in enumerate(rolled)]
    place_things(battlemap, [], layers)
    painted, count = copy_painted(battlemap, position, layers, free_id + len(layers), laid_over)
    edit = _joined(_inserts(position, [*layers, *painted]))
    return LayerStep(edit, layers[-1].id, count)


def _replace_layers(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], laid_over: Layer | None
) -> LayerStep:
    """Put the layers of a roll in place of a layer or, if they are several, of all its parts."""
    index = battlemap.index_of(layer_id)
    is_single = len(rolled) == 1
    positions = [index]
    if not is_single:
        positions = parts_from(battlemap, layer_id)
    replaced = [battlemap.layers[position] for position in positions]
    layers, free_id = _in_places_of(battlemap, replaced, rolled)
    note = place_things(battlemap, positions, layers)
    moves, count = move_touched(battlemap, positions, layers, free_id, laid_over)
    edits: list[Edit]
    if is_single:
        edits = [LayerReplace(index, replaced[0], layers[0])]
    else:
        # From the top down, so that the positions of those below stay.
        edits = [
            LayerRemove(position, battlemap.layers[position]) for position in reversed(positions)
        ]
        edits += _inserts(index, layers)
    return LayerStep(_joined([*moves, *edits]), layers[-1].id, count, note)


def _in_places_of(
    battlemap: BattleMap, replaced: Sequence[Layer], rolled: Sequence[Layer]
) -> tuple[list[Layer], int]:
    """Return the layers of a roll with all that stays of those replaced, and the next free id.

    A single layer replaces the other one, whatever part either is; of several each replaces the
    same part. A part that is new to the map is secret if any of the replaced ones is.
    """
    free_id = battlemap.free_layer_id()
    if len(rolled) == 1:
        return [_in_place_of(replaced[0], rolled[0])], free_id
    replaced_of_part = {_part(layer): layer for layer in replaced}
    layers = []
    for fresh in rolled:
        old_layer = replaced_of_part.get(_part(fresh))
        if old_layer is None:
            is_secret = any(layer.secret for layer in replaced_of_part.values())
            layers.append(fresh.copy(id=free_id, secret=is_secret))
            free_id += 1
            continue
        layers.append(_in_place_of(old_layer, fresh))
        if old_layer.locked:
            _keep_values(battlemap, old_layer, layers[-1])
    return layers, free_id


def _inserts(lowest_position: int, layers: Sequence[Layer]) -> list[Edit]:
    """Return the edits that insert layers one above the other."""
    return [LayerInsert(position, layer) for position, layer in enumerate(layers, lowest_position)]


def _joined(edits: Sequence[Edit | None]) -> Edit:
    """Return several edits of a roll as one; not all of them may be None."""
    edit = compound(edits)
    assert edit is not None, "a roll is an edit"
    return edit


def _part(layer: Layer) -> str:
    """Return the part of its roll that a layer is, "" for a layer that is no part or not rolled."""
    if layer.roll is None:
        return ""
    return layer.roll.part


def _in_place_of(old_layer: Layer, fresh: Layer) -> Layer:
    """Return a copy of a rolled layer with all that stays of the one that it replaces."""
    name = fresh.name
    was_named_by_hand = old_layer.roll is None or old_layer.name != roll_name(old_layer)
    if was_named_by_hand:
        name = old_layer.name
    return fresh.copy(
        id=old_layer.id,
        visible=old_layer.visible,
        opacity=old_layer.opacity,
        locked=old_layer.locked,
        secret=old_layer.secret,
        name=name,
        extras={**old_layer.extras, **fresh.extras},
    )


def _keep_values(battlemap: BattleMap, old_layer: Layer, new_layer: Layer) -> None:
    """Put what a locked part set into the same part of the new roll.

    The generator keeps it too, but may have put it into another part, which can be hidden.
    """
    for spec in battlemap.system.shown_planes:
        old_values = old_layer.planes.get(spec.name)
        if old_values is not None:
            new_values = new_layer.planes.get(spec.name, old_values)
            is_unset = old_values == spec.unset
            new_layer.planes[spec.name] = np.where(is_unset, new_values, old_values)


def _covered_maps(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> list[Layer]:
    """Return the visible layers below a new roll of which nothing but their things would be seen.

    They are whole maps, as files hold them, and so is the roll: its terrain is set everywhere.
    Unless they are hidden, their things stand among those of the roll. Locked layers are none of
    them, nor is any layer if cells are locked: what stands there stays.
    """
    if battlemap.locked_cells.any():
        return []
    if not any(is_whole(battlemap, layer) for layer in rolled):
        return []
    layers_below = battlemap.layers[: battlemap.index_of(layer_id) + 1]
    covered = []
    for layer in layers_below:
        is_seen = layer.visible and not layer.locked
        if is_seen and layer.things and is_whole(battlemap, layer):
            covered.append(layer)
    return covered


# --- what a roll brings beside layers -------------------------------------------------------------


def _other_grid(battlemap: BattleMap, grid: Grid | None) -> Edit | None:
    """Return the edit that gives the map another grid, with empty layers; None for no change."""
    if grid is None or grid.same_as(battlemap.grid):
        return None
    empty_layers = tuple(layer.copy(planes={}, things=Things()) for layer in battlemap.layers)
    no_locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    no_locked_sides = blank((grid.height, grid.width, grid.degree), False, np.bool_)
    new_shape = Shape(grid, empty_layers, no_locked_cells, no_locked_sides)
    return Reshape(Shape.of(battlemap), new_shape)


def _other_terrain_set(
    battlemap: BattleMap, rolled: Sequence[Layer], new_set: TerrainSet | None, is_source: bool
) -> Edit | None:
    """Return the edit that fits the map's terrain set to a roll; None if it fits already.

    ``new_set`` is that of the roll, None if the roll has used the map's. The roll of the source
    replaces the map's set. For any other roll the map's set gets the terrains that it lacks and
    that the ``rolled`` layers use.
    """
    present_set = battlemap.terrain_set
    if new_set is None:
        return None
    if is_source:
        return change_terrain_set(battlemap, new_set, called_as_in(present_set, new_set))
    complete_set = with_missing(battlemap.system, rolled, new_set, present_set)
    if complete_set == present_set:
        return None
    return TerrainSetEdit(present_set, complete_set, ())


def _other_records(
    battlemap: BattleMap, records: Mapping[str, MapRecord] | None, had_source: bool
) -> Edit | None:
    """Return the edit that sets the records that a roll of the source brings.

    Records of an earlier roll of the source (``had_source``) are removed if this one lacks them.
    What a hand has changed stays (``MapRecord.touched``), unless the roll has taken it up: then the
    record that it brings is touched, too.
    """
    if records is None:
        return None
    edits = []
    names = list(records)
    if had_source:
        names = [name for name in battlemap.records if name not in records] + names
    for name in names:
        old_record = battlemap.records.get(name)
        new_record = records.get(name)
        is_changed_by_hand = old_record is not None and old_record.touched
        is_taken_up = new_record is not None and new_record.touched
        if old_record != new_record and (is_taken_up or not is_changed_by_hand):
            edits.append(RecordSet(name, old_record, new_record))
    return compound(edits)


def _kept_records(battlemap: BattleMap, records: Mapping[str, MapRecord] | None) -> list[str]:
    """Return the names of the records that a roll of the source leaves as a hand made them.

    Those about the map's file are left out.
    """
    if records is None:
        return []
    names = []
    for name, record in battlemap.records.items():
        is_kept = record.touched and not _is_taken_up(records.get(name), record)
        if is_kept and name not in battlemap.system.records_of_file:
            names.append(name)
    return names


def _is_taken_up(rolled: MapRecord | None, record: MapRecord) -> bool:
    """Return whether a roll brought what the record holds, or what a hand changed in it."""
    return rolled is not None and (rolled.touched or rolled.text == record.text)


def _other_source(battlemap: BattleMap, layer_id: int) -> Edit | None:
    """Return the edit that makes a layer the map's source; None if it is that already."""
    if battlemap.source == layer_id:
        return None
    return SourceEdit(battlemap.source, layer_id)
