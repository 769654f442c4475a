"""Puts a roll onto a map: the layers of the map stay, and those of the roll lie above them.

    battlemap = map_with_roll(onto, base, generated, "Plain.xml")

A *roll* is what a generator has made: layers, and perhaps terrains, records and another grid. It
was made for a *base* (``Base``), all that the generator got to know of the map ``onto``: what its
layers show, and the cells that were locked on the command line. From the top down the result has::

    copies of what was painted by hand on ``onto``      (else the roll would cover it)
    the layers of the roll
    the layers of ``onto``

The locks are lent to the map while the roll is put onto it, so that locked values stay. The result
has none: those of the command line are for this roll alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import blank
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_things import merge_things
from randomizer.roll_base import Base


def map_with_roll(
    onto: BattleMap, base: Base, generated: Generated, onto_path: str | None
) -> BattleMap:
    """Return a new map without locks: ``onto``, which is not changed, with a roll above it.

    Raises ProblemError, which names the file ``onto_path``, if the roll has another grid than a map
    that holds something. There are three cases:

    - the roll brings layers only, as most scripts do: they are added to those of the map;
    - it brings more, and the map has no layers: the result is the roll alone;
    - it brings more, and the map has layers: both are joined.
    """
    if not generated.layers_only and not onto.layers:
        from randomizer.model.rolls.put_roll import new_map

        return new_map(base.system, base.grid, base.terrain_set, generated, base.assets)

    battlemap = _copy_with_locks(onto, base)
    if generated.layers_only:
        _add_layers(battlemap, generated)
    else:
        _join(battlemap, generated, onto_path)
    return _without_locks(battlemap)


def _add_layers(battlemap: BattleMap, generated: Generated) -> None:
    """Put the layers of a roll that brings no more above those of a map, in place.

    ``put_roll`` would do the same by an edit. This needs no module of edits, so that the program
    starts sooner.
    """
    position = len(battlemap.layers)
    first_id = battlemap.free_layer_id()
    rolled = [layer.copy(id=first_id + index) for index, layer in enumerate(generated.layers)]
    merge_things(battlemap, positions=(), new_layers=rolled)  # gives the things of ``rolled`` ids

    paint_above = []
    may_have_paint = any(layer.planes for layer in battlemap.layers)
    if may_have_paint and not generated.rearranges_map:
        from randomizer.model.rolls.touch_ups import plan_copy_of_painted

        free_id = first_id + len(rolled)
        copied = plan_copy_of_painted(battlemap, position, rolled, free_id)
        rolled = copied.layers
        if copied.touch_ups is not None:
            paint_above.append(copied.touch_ups)
    battlemap.layers += [*rolled, *paint_above]


def _join(battlemap: BattleMap, generated: Generated, onto_path: str | None) -> None:
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


def _copy_with_locks(onto: BattleMap, base: Base) -> BattleMap:
    """Return a copy of a map with the locks that were given to the generator."""
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
        # Sides are six times as many as cells: ``blank`` takes no memory for equal values.
        locked_sides=blank(battlemap.locked_sides.shape, value=False, dtype=np.bool_),
    )
