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
    link = thing.state.get(carrier) if carrier else None
    return link if type(link) is int else None


def with_link(thing: Thing, carrier: str, link: int | None) -> Thing:
    """Return the thing with another link; None: without that entry of its state, whatever it
    holds.
    """
    if link == link_of(thing, carrier) and (link is not None or carrier not in thing.state):
        return thing
    state = {name: value for name, value in thing.state.items() if name != carrier}
    return replace(thing, state=State(state if link is None else {**state, carrier: link}))


def carriers(grid: Grid, carrier: str, things: Iterable[Thing]) -> dict[int, int]:
    """Return the id of the carrier of each of the things that is carried by one of them.

    Nothing carries itself, directly or by way of others: of a ring of links the last is left out.
    """
    by_id = {thing.id: thing for thing in things}
    result: dict[int, int] = {}
    for thing in by_id.values():
        link = link_of(thing, carrier)
        above = None if link is None else by_id.get(link)
        if above is None or _cell(grid, above) != _cell(grid, thing):
            continue
        top = above.id
        while top in result:
            top = result[top]
        if top != thing.id:
            result[thing.id] = above.id
    return result


def _cell(grid: Grid, thing: Thing) -> int:
    return grid.cell_at(thing.x, thing.y)


def carriers_on(battlemap: BattleMap) -> dict[int, int]:
    """Return ``carriers`` of all things of a map, those of hidden layers too."""
    carrier = battlemap.system.thing_rules.carrier
    if not carrier:
        return {}
    things = (thing for layer in battlemap.layers for thing in layer.things.values())
    return carriers(battlemap.grid, carrier, things)


def carried_by(battlemap: BattleMap, thing_ids: Iterable[int]) -> list[int]:
    """Return the ids of all that these things carry, and what that carries; without themselves."""
    below: dict[int, list[int]] = defaultdict(list)
    for carried, above in carriers_on(battlemap).items():
        below[above].append(carried)
    ids = set(thing_ids)
    result: list[int] = []
    waiting = sorted(ids)
    while waiting and below:
        for carried in below.pop(waiting.pop(), ()):
            waiting.append(carried)
            if carried not in ids:
                result.append(carried)
    return result


def carriers_first(
    grid: Grid, carrier: str, things: Iterable[Thing]
) -> tuple[list[Thing], dict[int, int]]:
    """Return the things in an order in which each comes after its carrier, and ``carriers`` of
    them.

    Apart from that they keep their order: what is carried follows where its carrier stood or, if it
    stood later, where it stood itself.
    """
    listed = list(things)
    links = carriers(grid, carrier, listed)
    by_id = {thing.id: thing for thing in listed}
    order: dict[int, Thing] = {}
    for thing in listed:
        above = [thing.id]
        while above[-1] in links and above[-1] not in order:
            above.append(links[above[-1]])
        for thing_id in reversed(above):
            order.setdefault(thing_id, by_id[thing_id])
    return list(order.values()), links


def relinked(
    things: Iterable[Thing],
    carrier: str,
    ids: Mapping[int, int],
    keep: Callable[[Thing, int], bool] = lambda _thing, _link: False,
) -> list[Thing]:
    """Things whose carriers have new ids: links to ``ids`` are translated.

    Another link is kept if ``keep(thing, link)``, else it is taken out.
    """
    if not carrier:
        return list(things)
    result = []
    for thing in things:
        link = link_of(thing, carrier)
        if link is not None and not (link not in ids and keep(thing, link)):
            link = ids.get(link)
        result.append(with_link(thing, carrier, link))
    return result


def stands_with(battlemap: BattleMap, thing: Thing, link: int) -> bool:
    """Return whether the map has a thing with the id ``link``, and on the cell of ``thing``."""
    layer = battlemap.thing_layer(link)
    grid = battlemap.grid
    return layer is not None and _cell(grid, layer.things[link]) == _cell(grid, thing)
