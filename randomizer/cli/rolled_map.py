"""Puts a roll onto a map: the layers of the map stay, and those of the roll lie above them.

battlemap = map_with_roll(onto, base, generated, "Plain.xml")

  what a hand had painted      (copied, so that the roll does not cover it)
  the layers of the roll
  the layers of ``onto``
"""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_things import place_things
from randomizer.roll_base import Base


def map_with_roll(
    onto: BattleMap, base: Base, generated: Generated, onto_path: str | None
) -> BattleMap:
    """Return a new map without locks: ``onto``, which is not changed, with a roll above it.

    ``base`` is what the generator got of ``onto``. Raises ProblemError, which names ``onto_path``,
    if the roll has another grid than a map that holds something.
    """
    # While the roll is put in place, the locks of the command are those of the map.
    locked = replace(
        onto.snapshot(),
        locked_cells=base.locked_cells.copy(),
        locked_sides=base.locked_sides.copy(),
    )
    if generated.layers_only:
        # Most scripts bring layers only. That needs no module of edits: such scripts start sooner.
        layers = _layers_with_roll(onto, locked, generated)
    elif not onto.layers:
        from randomizer.model.rolls.put_roll import new_map

        return new_map(base.system, base.grid, base.terrain_set, generated, base.assets)
    else:
        _put_roll_onto(locked, generated, onto_path)
        layers = locked.layers
    without_locks = BattleMap.new(base.system, locked.grid)
    return replace(
        locked,
        layers=layers,
        locked_cells=without_locks.locked_cells,
        locked_sides=without_locks.locked_sides,
    )


def _layers_with_roll(onto: BattleMap, locked: BattleMap, generated: Generated) -> list[Layer]:
    """Return the layers of ``onto``, those of the roll, and the copies of what was painted.

    ``locked`` is a copy of ``onto`` with the locks of the roll.
    """
    first_id = onto.free_layer_id()
    rolled = [layer.copy(id=first_id + number) for number, layer in enumerate(generated.layers)]
    place_things(locked, (), rolled)
    layers = [*onto.layers, *rolled]
    if any(layer.planes for layer in onto.layers):  # a new map holds nothing
        from randomizer.model.rolls.touch_ups import copy_painted

        free_id = first_id + len(rolled)
        layers += copy_painted(locked, len(onto.layers), rolled, free_id).layers
    return layers


def _put_roll_onto(battlemap: BattleMap, generated: Generated, onto_path: str | None) -> None:
    """Put a roll that brings more than layers (terrains, records) onto a map, in place.

    Raises ProblemError, which names ``onto_path``, if the roll has another grid.
    """
    from randomizer.model.rolls.put_roll import fits_grid, put_roll

    top_id = battlemap.layers[-1].id
    if not fits_grid(battlemap, top_id, generated, replaces=False):
        raise error(
            "other-grid",
            "the script makes a map on another grid, which cannot lie on what this map holds; "
            "roll it without --onto",
            path=onto_path,
        )
    put_roll(battlemap, top_id, generated, replaces=False).edit.apply(battlemap)
