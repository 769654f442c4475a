"""Things that carry others: which do, and what becomes of the link between them in copies.

The link is an entry of the carried thing's state, the id of its carrier (``ThingRules.carrier``).
It counts only while both stand on the same cell: what is left behind, or whose carrier is gone, is
carried by nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.things.thing_state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


def link_of(thing: Thing, carrier: str) -> int | None:
    """Return the id in the entry called ``carrier`` of a thing's state; None if there is none."""
    if not carrier:  # the system has no things that carry others
        return None
    link = thing.state.get(carrier)
    if type(link) is int:  # a file can have put anything there; True is no id
        return link
    return None


def with_link(thing: Thing, carrier: str, link: int | None) -> Thing:
    """Return the thing with another link; with None it has no entry ``carrier`` in its state.

    It is the thing itself if that is so already.
    """
    if link is None and carrier not in thing.state:
        return thing
    if link is not None and link == link_of(thing, carrier):
        return thing
    state = {name: value for name, value in thing.state.items() if name != carrier}
    if link is not None:
        state[carrier] = link
    return replace(thing, state=State(state))


def carriers(grid: Grid, carrier: str, things: Iterable[Thing]) -> dict[int, int]:
    """Return the id of its carrier for each of the things that is carried by another of them.

    The keys are the ids of the carried things. Nothing carries itself, directly or by way of
    others: of a ring of links the last is left out.
    """
    by_id = {thing.id: thing for thing in things}
    carrier_ids: dict[int, int] = {}
    for thing in by_id.values():
        link = link_of(thing, carrier)
        if link is None or link not in by_id:
            continue
        thing_above = by_id[link]
        if _cell(grid, thing_above) != _cell(grid, thing):
            continue
        outermost = thing_above.id
        while outermost in carrier_ids:
            outermost = carrier_ids[outermost]
        if outermost != thing.id:
            carrier_ids[thing.id] = thing_above.id
    return carrier_ids


def _cell(grid: Grid, thing: Thing) -> int:
    """Return the cell on which a thing is, -1 off the grid."""
    return grid.cell_at(thing.x, thing.y)


def carriers_on(battlemap: BattleMap) -> dict[int, int]:
    """Return ``carriers`` of all things of a map, those of hidden layers too."""
    carrier = battlemap.system.thing_rules.carrier
    if not carrier:
        return {}
    things: list[Thing] = []
    for layer in battlemap.layers:
        things += layer.things.values()
    return carriers(battlemap.grid, carrier, things)


def carried_by(battlemap: BattleMap, thing_ids: Iterable[int]) -> list[int]:
    """Return the ids of all that these things carry, and what that carries; without themselves."""
    carried_ids_of: dict[int, list[int]] = defaultdict(list)
    for carried_id, carrier_id in carriers_on(battlemap).items():
        carried_ids_of[carrier_id].append(carried_id)
    ids = set(thing_ids)
    result: list[int] = []
    waiting = sorted(ids)
    while waiting and carried_ids_of:
        for carried_id in carried_ids_of.pop(waiting.pop(), ()):
            waiting.append(carried_id)
            if carried_id not in ids:
                result.append(carried_id)
    return result


def carriers_first(
    grid: Grid, carrier: str, things: Iterable[Thing]
) -> tuple[list[Thing], dict[int, int]]:
    """Return things in an order in which each comes after its carrier, and their ``carriers``.

    Apart from that they keep their order: a carrier moves to before the first thing that it
    carries, directly or by way of others.
    """
    things = list(things)
    carrier_ids = carriers(grid, carrier, things)
    by_id = {thing.id: thing for thing in things}
    ordered: dict[int, Thing] = {}
    for thing in things:
        # The thing, its carrier, what carries that, and so on.
        chain = [thing.id]
        while chain[-1] in carrier_ids and chain[-1] not in ordered:
            chain.append(carrier_ids[chain[-1]])
        for thing_id in reversed(chain):
            ordered.setdefault(thing_id, by_id[thing_id])
    return list(ordered.values()), carrier_ids


def relinked(
    things: Iterable[Thing],
    carrier: str,
    ids: Mapping[int, int],
    keep: Callable[[Thing, int], bool] | None = None,
) -> list[Thing]:
    """Return copies of things whose carriers have new ids: ``ids`` has the new by the old.

    A link to a thing that is not in ``ids`` stays if ``keep(thing, link)``, else it is removed;
    without ``keep`` all of these are removed.
    """
    if not carrier:
        return list(things)
    result = []
    for thing in things:
        link = link_of(thing, carrier)
        new_link = link
        if link is not None:
            is_kept = link not in ids and keep is not None and keep(thing, link)
            if not is_kept:
                new_link = ids.get(link)
        result.append(with_link(thing, carrier, new_link))
    return result


def stands_with(battlemap: BattleMap, thing: Thing, link: int) -> bool:
    """Return whether the map has a thing with the id ``link``, on the cell of ``thing``."""
    layer = battlemap.thing_layer(link)
    grid = battlemap.grid
    return layer is not None and _cell(grid, layer.things[link]) == _cell(grid, thing)
