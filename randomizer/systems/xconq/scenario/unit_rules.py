"""Where units stand, and which unit carries which."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.map.carriers import carriers_on, link_of, with_link
from randomizer.model.things.thing_rules import Settled, ThingRules
from randomizer.systems.xconq.units.capacity import Capacity, Full
from randomizer.systems.xconq.units.unit_state import TRANSPORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing
    from randomizer.systems.xconq.period.period import Period


def why_not_on(battlemap: BattleMap, cell: int) -> str:
    """Return why no unit can stand on a cell, as text; "" if one can."""
    from randomizer.systems.xconq.scenario.areas import is_edge

    if is_edge(battlemap.grid, cell):
        return "No unit can stand in the edge rows"
    return ""


class Holds:
    """The cargo that units can carry in a period, by the names of their kinds."""

    def __init__(self, period: Period) -> None:
        from randomizer.systems.xconq.units.unit_kinds import kind_numbers

        self._numbers = kind_numbers(period)
        self._capacity = Capacity(period)

    def can_carry(self, carrier: str, kind: str) -> bool:
        """Return whether a type of unit can carry one of another at all; unknown types carry
        nothing.
        """
        if carrier not in self._numbers or kind not in self._numbers:
            return False
        return bool(self._capacity.most[self._numbers[carrier], self._numbers[kind]])

    def why_not(self, carrier: str, aboard: Iterable[str], kind: str) -> str:
        """Return why a unit that carries ``aboard`` cannot take one more, in words; "" if it
        can.
        """
        if not self.can_carry(carrier, kind):
            return f"{_first(carrier)} cannot carry {kind}"
        capacity = self._capacity
        owner = self._numbers[carrier]
        carried = self._numbers[kind]
        carried_types = [self._numbers[each] for each in aboard if each in self._numbers]
        full = capacity.full(owner, carried_types, carried)
        if full is None:
            return ""
        if full is Full.NUMBER:
            return f"{_first(carrier)} carries at most {capacity.most[owner, carried]:,} {kind}"
        return f"{_first(carrier)} has no room for more than a volume of {capacity.hold[owner]:,}"


def _first(name: str) -> str:
    """Return a name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def settle_units(battlemap: BattleMap, things: Sequence[Thing]) -> Settled:
    """Units that were placed or moved, loaded into the unit that stands on their hex.

    What came with its carrier stays in it. Where nobody there can carry a unit, or has no room left
    for it, that is said: build mode allows it.
    """
    from randomizer.systems.xconq.map_period import period_of

    return settle_units_in(battlemap, things, holds_of(period_of(battlemap)))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=4)
def holds_of(period: Period) -> Holds:
    """Return what units can carry in a period; the last few are kept."""
    return Holds(period)


def settle_units_in(battlemap: BattleMap, things: Sequence[Thing], holds: Holds) -> Settled:
    """Settle units as ``settle_units``, by the cargo that units of a period can carry."""
    from randomizer.model.edits.thing_edits import things_on  # the edits are not needed to roll

    grid = battlemap.grid
    moved = {thing.id for thing in things}
    cells = {thing.id: grid.cell_at(thing.x, thing.y) for thing in things}
    cell_numbers = np.array(sorted(set(cells.values())), np.intp)
    standing: dict[int, list[Thing]] = defaultdict(list)
    for layer in battlemap.layers:
        for thing_there in things_on(grid, layer.things, cell_numbers):
            if thing_there.id not in moved:
                standing[grid.cell_at(thing_there.x, thing_there.y)].append(thing_there)
    links = carriers_on(battlemap) if standing else {}
    aboard: dict[int, list[str]] = defaultdict(list)
    for carried, above in links.items():
        if carried not in moved:
            aboard[above].append(battlemap.thing(carried).kind)
    settled_things = []
    words = dict[str, None]()
    for thing in things:
        link = link_of(thing, TRANSPORT)
        if link is not None and link in cells and cells[link] == cells[thing.id]:
            aboard[link].append(thing.kind)
            settled_things.append(thing)
            continue
        carrier, why = _carrier(thing, link, standing[cells[thing.id]], aboard, links, holds)
        if why:
            words[why] = None
        if carrier is not None:
            aboard[carrier].append(thing.kind)
        settled_things.append(with_link(thing, TRANSPORT, carrier))
    return Settled(settled_things, "; ".join(words))


def _carrier(
    thing: Thing,
    link: int | None,
    carriers_here: Sequence[Thing],
    aboard: dict[int, list[str]],
    links: dict[int, int],
    holds: Holds,
) -> tuple[int | None, str]:
    """Return the id of the unit that carries a thing among those on its hex, and what is minded.

    The one that carries it already comes first, then one that has room, then one that is full.
    """
    faults: list[tuple[int | None, str]] = []
    order = sorted(
        carriers_here,
        key=lambda candidate: (candidate.id != link, candidate.id in links, candidate.id),
    )
    for candidate in order:
        if not holds.can_carry(candidate.kind, thing.kind):
            continue
        why = holds.why_not(candidate.kind, aboard[candidate.id], thing.kind)
        if not why:
            return candidate.id, ""
        faults.append((candidate.id, why))
    if faults:
        return faults[0]
    alone = [candidate for candidate in order if candidate.id not in links]
    if alone and not any(holds.can_carry(thing.kind, candidate.kind) for candidate in alone):
        return None, f"Two units on one hex: {holds.why_not(alone[0].kind, (), thing.kind)}"
    return None, ""


UNIT_RULES = ThingRules(
    in_cells=True,
    turn=False,
    label="Name",
    owner="Side",
    carrier=TRANSPORT,
    why_not=why_not_on,
    settled=settle_units,
)
