"""Puts a roll onto a map: the layers of the map stay, and those of the roll lie above them.

    battlemap = map_with_roll(onto, base, generated, "Plain.xml")

The result has, from the top down::

    copies of what was painted by hand on ``onto``      (else the roll would cover it)
    the layers of the roll
    the layers of ``onto``

There are three cases. A roll that brings layers only is put there in the plainest way
(``_with_layers``). One that brings more, such as terrains or records, is a map of its own if there
is nothing to put it onto (``_new_map``), else these are joined with those of the map (``_joined``).
The result has no locks: those of the command line are for this roll alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import blank
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_things import merge_things
from randomizer.roll_base import Base


def map_with_roll(
    onto: BattleMap, base: Base, generated: Generated, onto_path: str | None
) -> BattleMap:
    """Return a new map without locks: ``onto``, which is not changed, with a roll above it.

    ``base`` is what the generator got of ``onto``. Raises ProblemError, which names ``onto_path``,
    if the roll has another grid than a map that holds something.
    """
    if generated.layers_only:
        return _with_layers(onto, base, generated)
    if not onto.layers:
        return _new_map(base, generated)
    return _joined(onto, base, generated, onto_path)


def _with_layers(onto: BattleMap, base: Base, generated: Generated) -> BattleMap:
    """Return ``onto`` with a roll above it that brings layers only.

    Most scripts bring no more. This needs no module of edits, so such scripts start sooner.
    """
    map_with_locks = _with_locks_of(base, onto)
    first_id = onto.free_layer_id()
    rolled = [layer.copy(id=first_id + number) for number, layer in enumerate(generated.layers)]
    merge_things(map_with_locks, positions=(), new_layers=rolled)
    touch_ups: Layer | None = None
    if any(layer.planes for layer in onto.layers):  # a new map holds nothing
        from randomizer.model.rolls.touch_ups import copy_painted

        free_id = first_id + len(rolled)
        copied = copy_painted(map_with_locks, len(onto.layers), rolled, free_id)
        rolled = copied.layers
        touch_ups = copied.touch_ups
    layers = [*onto.layers, *rolled]
    if touch_ups is not None:
        layers.append(touch_ups)
    return _without_locks(replace(map_with_locks, layers=layers))


def _new_map(base: Base, generated: Generated) -> BattleMap:
    """Return the map of a roll alone, with all that it brings."""
    from randomizer.model.rolls.put_roll import new_map

    return new_map(base.system, base.grid, base.terrain_set, generated, base.assets)


def _joined(onto: BattleMap, base: Base, generated: Generated, onto_path: str | None) -> BattleMap:
    """Return ``onto`` with a roll above it that brings more than layers (terrains, records).

    Raises ProblemError, which names ``onto_path``, if the roll has another grid.
    """
    from randomizer.model.rolls.put_roll import fits_grid, put_roll

    battlemap = _with_locks_of(base, onto)
    top_id = battlemap.layers[-1].id
    if not fits_grid(battlemap, top_id, generated, replaces=False):
        raise error(
            "other-grid",
            "the script makes a map on another grid, which cannot lie on what this map holds; "
            "roll it without --onto",
            path=onto_path,
        )
    put_roll(battlemap, top_id, generated, replaces=False).edit.apply(battlemap)
    return _without_locks(battlemap)


def _with_locks_of(base: Base, onto: BattleMap) -> BattleMap:
    """Return a copy of ``onto`` with the locks that were given to the generator."""
    return replace(
        onto.snapshot(),
        locked_cells=base.locked_cells.copy(),
        locked_sides=base.locked_sides.copy(),
    )


def _without_locks(battlemap: BattleMap) -> BattleMap:
    """Return the map without locks."""
    return replace(
        battlemap,
        locked_cells=np.zeros_like(battlemap.locked_cells),
        locked_sides=blank(battlemap.locked_sides.shape, value=False, dtype=np.bool_),
    )
