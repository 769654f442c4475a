"""Puts a roll into a map: its layers, and records, terrain set and grid where it brings them.

``new_map`` makes a map of a roll. ``put_roll`` returns the step that puts one into a map, in place
of a layer or above it. Its layers are the subject of ``put_layers.py``; here is what comes beside
them. The map has one grid, one terrain set and one of each record, while it may have many rolls. So
one rolled layer is the map's *source*, and only its roll replaces them:

===========  ==============================  ==========================================
a roll       of the source                   of any other layer
===========  ==============================  ==========================================
grid         is that of the roll             must be the map's
terrain set  is that of the roll             is the map's, with the terrains that it lacks
records      are those of the roll           stay
===========  ==============================  ==========================================

A map without a source gets one by the first roll that brings any of these.

Rolls of most scripts bring layers only (``Generated.layers_only``); these never are the source.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.edit_sequence import EditSequence
from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.edits.record_edits import SourceEdit
from randomizer.model.edits.reshape import Reshape, Shape
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import blank
from randomizer.model.records.assets import NO_ASSETS
from randomizer.model.rolls.painted_layer import is_whole
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.roll_records import records_edit, records_note
from randomizer.model.rolls.rolled_layers import first_part, parts_from
from randomizer.model.rolls.rolled_things import merge_things
from randomizer.model.rolls.touched_values import holds_anything
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.edits.layer_edits import LayerStep
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.layer import Layer
    from randomizer.model.records.assets import Assets
    from randomizer.model.rolls.generated import Generated
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet


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
    merge_things(battlemap, [], layers)
    battlemap.layers.extend(layers)
    for layer in layers:
        battlemap.note_ids(layer.things)
    if not generated.layers_only:
        assert layers, "a roll has a layer"
        battlemap.records = dict(generated.records or {})
        battlemap.source = layers[0].id
    return battlemap


def fits_grid(battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool) -> bool:
    """Return whether a roll can be put in place of a layer, or above it, as far as its grid goes.

    A roll with another grid than the map's must be of the source, and nothing may be lost with the
    old grid: no lock, and nothing in any layer but the replaced ones.
    """
    if generated.grid is None or generated.grid.same_as(battlemap.grid):
        return True
    if not _is_of_source(battlemap, layer_id, generated, replaces=replaces):
        return False
    if battlemap.locked_cells.any() or battlemap.locked_sides.any():
        return False
    replaced_positions: list[int] = []
    if replaces:
        replaced_positions = parts_from(battlemap, layer_id)
    for position, layer in enumerate(battlemap.layers):
        if position not in replaced_positions and holds_anything(battlemap.system, layer):
            return False
    return True


def put_roll(
    battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
) -> LayerStep:
    """Return the step that puts a roll in place of a layer, or above it; all of it is one edit.

    The note of the step says which records stay as a hand has made them and which layers are
    hidden. The map is not changed. Raises ValueError where ``fits_grid`` is False, KeyError for a
    layer that is not there.
    """
    if not fits_grid(battlemap, layer_id, generated, replaces=replaces):
        raise ValueError("the roll has another grid than the map")

    is_of_source = _is_of_source(battlemap, layer_id, generated, replaces=replaces)
    maps_to_hide: list[Layer] = []
    if not replaces and not generated.rearranges_map:
        maps_to_hide = _maps_to_hide(battlemap, layer_id, generated)

    # Each edit that is added is applied until the block ends, so that the next one is made for the
    # map as it will be then. At the end all are taken back.
    with EditSequence(battlemap) as sequence:
        if is_of_source:
            layer_step = _add_roll_of_source(
                sequence, battlemap, layer_id, generated, replaces=replaces
            )
        else:
            layer_step = _add_further_roll(
                sequence, battlemap, layer_id, generated, replaces=replaces
            )
        for layer in maps_to_hide:
            sequence.add(set_visible(battlemap, layer.id, visible=False))

    edit = sequence.edit
    assert edit is not None, "a roll has a layer"
    sentences = [layer_step.note]
    sentences += [f"{layer.name} is hidden, with its things" for layer in maps_to_hide]
    if is_of_source:
        # The map has its former records again, of which those that a hand changed will stay.
        hides_maps = bool(maps_to_hide)
        sentences.append(records_note(battlemap, generated.records, hides_maps=hides_maps))
    return replace(layer_step, edit=edit, note=". ".join(filter(None, sentences)))


def _add_roll_of_source(
    sequence: EditSequence,
    battlemap: BattleMap,
    layer_id: int,
    generated: Generated,
    *,
    replaces: bool,
) -> LayerStep:
    """Add the edits of a roll that is the map's source from then on; return that of its layers."""
    had_source = battlemap.source_layer is not None
    # The grid comes first: layers of another one do not fit. Layers come after the terrains that
    # they use.
    sequence.add(_grid_edit(battlemap, generated.grid))
    sequence.add(_terrain_set_edit(battlemap, generated.terrain_set))
    layer_step = put_layers(
        battlemap,
        layer_id,
        generated.layers,
        replaces=replaces,
        paint_above=generated.paint_above,
    )
    sequence.add(layer_step.edit)
    # Until now the terrain set had to keep terrains that only the replaced layers used. The same
    # edit, made for the map without these layers, removes them.
    sequence.add(_terrain_set_edit(battlemap, generated.terrain_set))
    sequence.add(records_edit(battlemap, generated.records, had_source=had_source))
    sequence.add(_source_edit(battlemap, first_part(battlemap, layer_step.layer_id)))
    return layer_step


def _add_further_roll(
    sequence: EditSequence,
    battlemap: BattleMap,
    layer_id: int,
    generated: Generated,
    *,
    replaces: bool,
) -> LayerStep:
    """Add the edits of a roll that brings layers, and the terrains that the map lacks for them.

    Return the edit of the layers.
    """
    sequence.add(_missing_terrains_edit(battlemap, generated))
    layer_step = put_layers(
        battlemap,
        layer_id,
        _translated_layers(battlemap, generated),
        replaces=replaces,
        paint_above=generated.paint_above,
        copies_paint=not generated.rearranges_map,
    )
    sequence.add(layer_step.edit)
    return layer_step


def _is_of_source(
    battlemap: BattleMap, layer_id: int, generated: Generated, *, replaces: bool
) -> bool:
    """Return whether a roll in place of a layer, or above it, becomes or replaces the source."""
    if generated.layers_only:
        return False
    source = battlemap.source_layer
    if source is None:
        return True
    return replaces and battlemap.index_of(source.id) in parts_from(battlemap, layer_id)


def _maps_to_hide(battlemap: BattleMap, layer_id: int, generated: Generated) -> list[Layer]:
    """Return the visible layers below a new roll of which nothing but their things would be seen.

    They are whole maps, as files hold them, and so is the roll: its terrain is set everywhere. They
    are to be hidden, as their things would stand among those of the roll.
    """
    # If another roll is the source, this one becomes a mere layer above its map, which stays in
    # sight.
    is_second_map = battlemap.source_layer is not None and not generated.layers_only
    if is_second_map:
        return []
    if battlemap.locked_cells.any():
        return []  # what stands on locked cells stays
    if not any(is_whole(battlemap, layer) for layer in generated.layers):
        return []
    layers_below = battlemap.layers[: battlemap.index_of(layer_id) + 1]
    covered = []
    for layer in layers_below:
        is_seen = layer.visible and not layer.locked
        if is_seen and layer.things and is_whole(battlemap, layer):
            covered.append(layer)
    return covered


# --- grid and terrain set -------------------------------------------------------------------------


def _grid_edit(battlemap: BattleMap, grid: Grid | None) -> Edit | None:
    """Return the edit that gives the map another grid, with empty layers; None for no change."""
    if grid is None or grid.same_as(battlemap.grid):
        return None
    empty_layers = tuple(layer.copy(planes={}, things=Things()) for layer in battlemap.layers)
    no_locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    no_locked_sides = blank((grid.height, grid.width, grid.degree), False, np.bool_)
    new_shape = Shape(grid, empty_layers, no_locked_cells, no_locked_sides)
    return Reshape(Shape.of(battlemap), new_shape)


def _terrain_set_edit(battlemap: BattleMap, rolled_set: TerrainSet | None) -> Edit | None:
    """Return the edit that gives the map the terrain set of a roll of its source.

    Terrains that layers of the map use and that set lacks stay, marked as missing. None if the roll
    has used the map's set, or the map has that already.
    """
    if rolled_set is None:
        return None
    return change_terrain_set(
        battlemap, rolled_set, called_as_in(battlemap.terrain_set, rolled_set)
    )


def _missing_terrains_edit(battlemap: BattleMap, generated: Generated) -> Edit | None:
    """Return the edit that adds the terrains that a roll uses and the map's terrain set lacks."""
    if generated.terrain_set is None:
        return None
    present_set = battlemap.terrain_set
    complete_set = with_missing(
        battlemap.system, generated.layers, generated.terrain_set, present_set
    )
    if complete_set == present_set:
        return None
    return TerrainSetEdit(present_set, complete_set, ())


def _translated_layers(battlemap: BattleMap, generated: Generated) -> tuple[Layer, ...]:
    """Return the layers of a roll with codes of the map's terrain set, which has all they use."""
    old_set = generated.terrain_set
    if old_set is None:
        return generated.layers
    layers = []
    for layer in generated.layers:
        layers.append(translated_layer(battlemap.system, layer, old_set, battlemap.terrain_set))
    return tuple(layers)


def _source_edit(battlemap: BattleMap, layer_id: int) -> Edit | None:
    """Return the edit that makes a layer the map's source; None if it is that already."""
    if battlemap.source == layer_id:
        return None
    return SourceEdit(battlemap.source, layer_id)
