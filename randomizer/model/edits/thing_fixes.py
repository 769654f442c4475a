"""Fixes of problems that change the things of a map, as edits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.edits.thing_edits import change_things

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.problems import Fix
    from randomizer.model.things.things import Thing

MOST_ROUNDS = 1000
"""The system lists a few problems of a sort at once; the next ones are fixed in the next round.
More rounds than this mean that two fixes undo each other."""


def fix_things(battlemap: BattleMap, fixes: Iterable[Fix]) -> Edit | None:
    """Return the edit of the things that fixes change; None if nothing changes.

    Things that the map does not have any more are left out.
    """
    changed: dict[int, Thing] = {}
    removed: set[int] = set()
    ids = {thing_id for layer in battlemap.layers for thing_id in layer.things}
    for fix in fixes:
        for change in fix.things:
            if change.id not in ids:
                continue
            if change.is_removed:
                removed.add(change.id)
                continue
            thing = changed.get(change.id) or battlemap.thing(change.id)
            if change.kind is not None:
                thing = replace(thing, kind=change.kind)
            if change.owner is not None:
                thing = replace(thing, owner=change.owner)
            if change.place is not None:
                thing = replace(thing, x=change.place[0], y=change.place[1])
            changed[change.id] = thing
    changed_things = (thing for thing_id, thing in changed.items() if thing_id not in removed)
    return change_things(battlemap, changed_things, sorted(removed))


class FixedThings(NamedTuple):
    """What fixes changed of the things of a map: those that are others now, and the ids of those
    that are gone.
    """

    changed: Sequence[Thing]
    removed: Sequence[int]


def fix_all_things(battlemap: BattleMap) -> FixedThings:
    """Return the things of a map as they are after the likeliest fixes of all its problems.

    ``battlemap`` is a copy of the caller's: it is changed.
    """
    composite = battlemap.composite()  # the fixes change no terrain
    changed_ids: set[int] = set()
    for _round in range(MOST_ROUNDS):
        fixes = []
        for problem in battlemap.system.check(battlemap, composite):
            if problem.fix is not None and problem.fix.things:
                fixes.append(problem.fix)
        edit = fix_things(battlemap, fixes)
        if edit is None:
            break
        edit.apply(battlemap)
        changed_ids.update(change.id for fix in fixes for change in fix.things)
    ids = {thing_id for layer in battlemap.layers for thing_id in layer.things}
    changed = [battlemap.thing(thing_id) for thing_id in sorted(changed_ids & ids)]
    return FixedThings(changed, sorted(changed_ids - ids))
