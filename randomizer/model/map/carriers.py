"""Things that carry others, such as a ship that carries an army.

The carried thing has a *link*: an entry of its state with the id of its carrier. Each system names
that entry (``ThingRules.carrier``, "" if nothing carries anything); functions that get no map take
the name as the parameter ``entry``::

    army = with_link(army, "transport", ship.id)
    carriers(grid, "transport", [ship, army])        # {army.id: ship.id}

A link counts only while both things stand on the same cell. If the carrier moves away or is
deleted, the entry can stay, but the thing is not carried any more.
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


def link_of(thing: Thing, entry: str) -> int | None:
    """Return the link of a thing; None if it has none."""
    if not entry:  # the system has no things that carry others
        return None
    link = thing.state.get(entry)
    if type(link) is int:  # a file can have put anything there; True is no id
        return link
    return None


def with_link(thing: Thing, entry: str, link: int | None) -> Thing:
    """Return the thing with another link, or without one if ``link`` is None.

    A thing that has this link already is returned itself.
    """
    if link is None and entry not in thing.state:
        return thing
    if link is not None and link == link_of(thing, entry):
        return thing
    state = {name: value for name, value in thing.state.items() if name != entry}
    if link is not None:
        state[entry] = link
    return replace(thing, state=State(state))


def carriers(grid: Grid, entry: str, things: Iterable[Thing]) -> dict[int, int]:
    """Return which of these things carries which: the carrier's id by the id of what it carries.

    Nothing carries itself, directly or by way of others: if links form a ring, the last of them
    (in the order of ``things``) is left out.
    """
    by_id = {thing.id: thing for thing in things}
    carrier_ids: dict[int, int] = {}
    for thing in by_id.values():
        link = link_of(thing, entry)
        if link is None or link not in by_id:
            continue
        carrier = by_id[link]
        if not _are_on_one_cell(grid, carrier, thing):
            continue
        # Follow the links outwards: where that leads back to the thing, this link closes a ring.
        outermost = carrier.id
        while outermost in carrier_ids:
            outermost = carrier_ids[outermost]
        if outermost != thing.id:
            carrier_ids[thing.id] = carrier.id
    return carrier_ids


def _are_on_one_cell(grid: Grid, thing: Thing, other: Thing) -> bool:
    """Return whether two things are on the same cell; things off the grid are on none."""
    cell = grid.cell_at(thing.x, thing.y)
    return cell >= 0 and cell == grid.cell_at(other.x, other.y)


def carriers_on(battlemap: BattleMap) -> dict[int, int]:
    """Return ``carriers`` of all things of a map, those of hidden layers too."""
    entry = battlemap.system.thing_rules.carrier
    if not entry:
        return {}
    things: list[Thing] = []
    for layer in battlemap.layers:
        things += layer.things.values()
    return carriers(battlemap.grid, entry, things)


def carried_by(battlemap: BattleMap, thing_ids: Iterable[int]) -> list[int]:
    """Return the ids of what these things carry, directly or by way of others.

    The things themselves are not among them.
    """
    carried_ids_of: dict[int, list[int]] = defaultdict(list)
    for carried_id, carrier_id in carriers_on(battlemap).items():
        carried_ids_of[carrier_id].append(carried_id)
    ids = set(thing_ids)
    carried_ids: list[int] = []
    waiting = sorted(ids)
    while waiting and carried_ids_of:
        for carried_id in carried_ids_of.pop(waiting.pop(), ()):
            waiting.append(carried_id)  # it can carry others in its turn
            if carried_id not in ids:
                carried_ids.append(carried_id)
    return carried_ids


def carriers_first(grid: Grid, entry: str, things: Iterable[Thing]) -> list[Thing]:
    """Return things in an order in which each comes after its carrier.

    Apart from that they keep their order: a carrier moves to before the first thing that it
    carries, directly or by way of others.
    """
    things = list(things)
    carrier_ids = carriers(grid, entry, things)
    by_id = {thing.id: thing for thing in things}
    ordered: dict[int, Thing] = {}
    for thing in things:
        # The thing, its carrier, what carries that, and so on.
        chain = [thing.id]
        while chain[-1] in carrier_ids and chain[-1] not in ordered:
            chain.append(carrier_ids[chain[-1]])
        for thing_id in reversed(chain):
            ordered.setdefault(thing_id, by_id[thing_id])
    return list(ordered.values())


def relinked(
    things: Iterable[Thing],
    entry: str,
    ids: Mapping[int, int],
    keeps_link: Callable[[Thing, int], bool] | None = None,
) -> list[Thing]:
    """Return the things with links to the new ids of their carriers.

    It is for copies of things, which get ids of their own. ``ids`` has the new ids by the old ones.
    A link to a thing that is not in ``ids`` is removed, unless ``keeps_link(thing, link)`` is true.
    """
    if not entry:
        return list(things)
    result = []
    for thing in things:
        link = link_of(thing, entry)
        new_link = link
        if link is not None:
            is_kept = link not in ids and keeps_link is not None and keeps_link(thing, link)
            if not is_kept:
                new_link = ids.get(link)
        result.append(with_link(thing, entry, new_link))
    return result


def stands_with(battlemap: BattleMap, thing: Thing, link: int) -> bool:
    """Return whether the map has a thing with the id ``link``, on the cell of ``thing``."""
    layer = battlemap.thing_layer(link)
    grid = battlemap.grid
    return layer is not None and _are_on_one_cell(grid, layer.things[link], thing)
