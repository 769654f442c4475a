"""Fixes of problems that change the things of a map, as edits.

A ``Problem`` such as "the unit stands in the sea" can have a ``Fix``, which says what becomes of
things: another kind, owner, position or carrier, or that they are removed. The list of problems
offers them: one fix (``fix_things``), or all of a map (``fix_all_things``)::

    fix = Fix("move it to the shore", things=(ThingChange(ship.id, position=(3.0, 4.5)),))
    fix_things(battlemap, [fix]).apply(battlemap)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.carriers import link_of, with_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.problems import Fix, ThingChange
    from randomizer.model.things.things import Thing

MAX_ROUNDS = 1000
"""The most rounds of fixes.

A system lists only a few problems of a kind at once; the next ones are fixed in the next round. If
it takes more rounds than this, two fixes undo each other for ever.
"""


def fix_things(battlemap: BattleMap, fixes: Iterable[Fix]) -> Edit | None:
    """Return the edit of the things that fixes change; None if nothing changes.

    Things that the map does not have any more are left out.
    """
    # All changes first: several fixes can change one thing, and one can remove what another moves.
    changed: dict[int, Thing] = {}
    removed: set[int] = set()
    ids = _thing_ids(battlemap)
    for fix in fixes:
        for change in fix.things:
            if change.id not in ids:
                continue
            if change.is_removed:
                removed.add(change.id)
            else:
                thing = battlemap.thing(change.id)
                if change.id in changed:
                    thing = changed[change.id]
                changed[change.id] = _changed_thing(battlemap, thing, change)

    # Checked only now, with all final positions: a thing that has come to another cell than the one
    # that carries it loses the link.
    changed_things = []
    for thing_id, thing in changed.items():
        if thing_id not in removed:
            carrier_id = link_of(thing, battlemap.system.thing_rules.carrier)
            if carrier_id is not None and carrier_id in ids:
                thing = _without_lost_carrier(battlemap, thing, changed)
            changed_things.append(thing)
    return change_things(battlemap, changed_things, sorted(removed))


def _changed_thing(battlemap: BattleMap, thing: Thing, change: ThingChange) -> Thing:
    """Return a thing as it is after one change of a fix; what is None there stays."""
    if change.kind is not None:
        thing = replace(thing, kind=change.kind)
    if change.owner is not None:
        thing = replace(thing, owner=change.owner)
    if change.position is not None:
        x, y = change.position
        thing = replace(thing, x=x, y=y)
    if change.carrier is not None:
        thing = with_link(thing, battlemap.system.thing_rules.carrier, change.carrier)
    return thing


def _without_lost_carrier(
    battlemap: BattleMap, thing: Thing, changed: Mapping[int, Thing]
) -> Thing:
    """Return a thing without its link to its carrier if fixes have moved it away from that.

    The carrier is on the map. ``changed`` are the things that fixes have changed, by id.
    """
    carrier_entry = battlemap.system.thing_rules.carrier
    carrier_id = link_of(thing, carrier_entry)
    assert carrier_id is not None, "the carrier is on the map"
    old_thing = battlemap.thing(thing.id)
    is_moved = (thing.x, thing.y) != (old_thing.x, old_thing.y)
    if not is_moved:
        return thing
    carrier = changed.get(carrier_id) or battlemap.thing(carrier_id)
    grid = battlemap.grid
    if grid.cell_at(carrier.x, carrier.y) == grid.cell_at(thing.x, thing.y):
        return thing
    return with_link(thing, carrier_entry, None)


class FixedThings(NamedTuple):
    """The changes that fixes made to the things of a map."""

    changed: Sequence[Thing]
    """The things that they changed, as they are now, by id."""

    removed: Sequence[int]
    """The ids of the things that they removed, ascending."""


def fix_all_things(battlemap: BattleMap) -> FixedThings:
    """Fix all problems of a map that have fixes for things, and return what has changed.

    The caller hands in a copy of its map: ``battlemap`` is changed. After ``MAX_ROUNDS`` what is
    still to be fixed stays.
    """
    composite = battlemap.composite()  # valid throughout: the fixes change no terrain
    ids_before = _thing_ids(battlemap)
    changed_ids: set[int] = set()
    for _round in range(MAX_ROUNDS):
        fixes = []
        for problem in battlemap.system.check(battlemap, composite):
            if problem.fix is not None and problem.fix.things:
                fixes.append(problem.fix)
        edit = fix_things(battlemap, fixes)
        if edit is None:
            break
        edit.apply(battlemap)
        for fix in fixes:
            changed_ids.update(change.id for change in fix.things)
    ids = _thing_ids(battlemap)
    changed = [battlemap.thing(thing_id) for thing_id in sorted(changed_ids & ids)]
    return FixedThings(changed, sorted((changed_ids & ids_before) - ids))


def _thing_ids(battlemap: BattleMap) -> set[int]:
    """Return the ids of all things of a map."""
    ids: set[int] = set()
    for layer in battlemap.layers:
        ids.update(layer.things)
    return ids
