"""The rules for units on a map: where they stand, and which unit carries which.

``UNIT_RULES`` gives them to the code that places and moves things. A unit that comes onto a hex is
loaded into a unit there that can carry it, by the ``CargoRules`` of the period.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


class CargoRules:
    """What units can carry in a period. Types of units are named by their kinds."""

    def __init__(self, period: Period) -> None:
        from randomizer.systems.xconq.units.unit_kinds import kind_numbers

        self._numbers = kind_numbers(period)
        self._capacity = Capacity(period)

    def can_carry(self, carrier: str, kind: str) -> bool:
        """Return whether a type of unit can carry one of another at all.

        Types that the period does not have carry nothing, and nothing carries them.
        """
        if carrier not in self._numbers or kind not in self._numbers:
            return False
        return bool(self._capacity.most_of_type[self._numbers[carrier], self._numbers[kind]])

    def why_not(self, carrier: str, aboard: Iterable[str], kind: str) -> str:
        """Return a message on why a carrier cannot take one more unit of a kind; "" if it can.

        ``aboard`` are the kinds of the units that it carries already. All arguments are names of
        kinds.
        """
        if not self.can_carry(carrier, kind):
            return f"{_capitalized(carrier)} cannot carry {kind}"
        capacity = self._capacity
        carrier_type = self._numbers[carrier]
        carried_type = self._numbers[kind]
        aboard_types = [self._numbers[name] for name in aboard if name in self._numbers]
        reason = capacity.why_full(carrier_type, aboard_types, carried_type)
        if reason is None:
            return ""
        name = _capitalized(carrier)
        if reason is Full.NUMBER:
            most = capacity.most_of_type[carrier_type, carried_type]
            return f"{name} carries at most {most:,} {kind}"
        hold = capacity.hold[carrier_type]
        return f"{name} has no room for more than a volume of {hold:,}"


def _capitalized(name: str) -> str:
    """Return a name for the beginning of a sentence; other letters stay as they are."""
    return name[:1].upper() + name[1:]


def settle_units(battlemap: BattleMap, things: Sequence[Thing]) -> Settled:
    """Return units that were placed or moved, loaded into units that stand on their hexes.

    A unit that was moved together with its carrier stays in it. If another unit stands on the hex
    but cannot carry the new one, or is full, the result has a message. That is no error: Xconq's
    build mode allows it.
    """
    from randomizer.systems.xconq.map_period import period_of

    return settle_units_in(battlemap, things, cargo_rules_of(period_of(battlemap)))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=4)
def cargo_rules_of(period: Period) -> CargoRules:
    """Return what units can carry in a period; the last few are cached."""
    return CargoRules(period)


def settle_units_in(
    battlemap: BattleMap, things: Sequence[Thing], cargo_rules: CargoRules
) -> Settled:
    """Return what ``settle_units`` returns, for given rules of cargo."""
    # Imported here, since the edits are not needed to roll worlds.
    from randomizer.model.edits.thing_edits import things_on

    grid = battlemap.grid
    moved_ids = {thing.id for thing in things}
    cells = {thing.id: grid.cell_at(thing.x, thing.y) for thing in things}

    # The units that stood on those hexes before, and what they carry.
    cell_numbers = np.array(sorted(set(cells.values())), np.intp)
    units_on_cell: dict[int, list[Thing]] = defaultdict(list)
    for layer in battlemap.layers:
        for unit in things_on(grid, layer.things, cell_numbers):
            if unit.id not in moved_ids:
                units_on_cell[grid.cell_at(unit.x, unit.y)].append(unit)
    links: dict[int, int] = {}
    if units_on_cell:
        links = carriers_on(battlemap)
    kinds_aboard: dict[int, list[str]] = defaultdict(list)
    for carried_id, carrier_id in links.items():
        if carried_id not in moved_ids:
            kinds_aboard[carrier_id].append(battlemap.thing(carried_id).kind)

    settled_things = []
    messages: list[str] = []
    for thing in things:
        cell = cells[thing.id]
        link = link_of(thing, TRANSPORT)
        if link is not None and link in cells and cells[link] == cell:
            # It came with its carrier.
            kinds_aboard[link].append(thing.kind)
            settled_things.append(thing)
            continue
        choice = _choose_carrier(thing, link, units_on_cell[cell], kinds_aboard, links, cargo_rules)
        if choice.message and choice.message not in messages:
            messages.append(choice.message)
        if choice.carrier_id is not None:
            kinds_aboard[choice.carrier_id].append(thing.kind)
        settled_things.append(with_link(thing, TRANSPORT, choice.carrier_id))
    return Settled(settled_things, "; ".join(messages))


class _CarrierChoice(NamedTuple):
    """The unit that carries another one."""

    carrier_id: int | None
    """Its id, None if none does."""

    message: str = ""
    """What the game would not allow, "" for nothing."""


def _choose_carrier(
    thing: Thing,
    link: int | None,
    candidates: Sequence[Thing],
    kinds_aboard: dict[int, list[str]],
    links: dict[int, int],
    cargo_rules: CargoRules,
) -> _CarrierChoice:
    """Return which of ``candidates``, the units on its hex, carries a thing.

    It is the first that can carry the thing and has room; if all are full, the first of these, with
    a message. Candidates are asked in this order: the unit that carries the thing already (its id
    is ``link``), then units that nothing carries, then units that are carried themselves.
    """
    order = sorted(
        candidates,
        key=lambda candidate: (candidate.id != link, candidate.id in links, candidate.id),
    )
    full_carrier = None
    for candidate in order:
        if not cargo_rules.can_carry(candidate.kind, thing.kind):
            continue
        reason = cargo_rules.why_not(candidate.kind, kinds_aboard[candidate.id], thing.kind)
        if not reason:
            return _CarrierChoice(candidate.id)
        if full_carrier is None:
            full_carrier = _CarrierChoice(candidate.id, reason)
    if full_carrier is not None:
        return full_carrier

    # Now two units stand side by side on a hex, which Xconq does not allow. There is no message if
    # the new one could carry one of the others: the user can load that.
    uncarried = [candidate for candidate in order if candidate.id not in links]
    if uncarried and not any(
        cargo_rules.can_carry(thing.kind, candidate.kind) for candidate in uncarried
    ):
        reason = cargo_rules.why_not(uncarried[0].kind, (), thing.kind)
        return _CarrierChoice(None, f"Two units on one hex: {reason}")
    return _CarrierChoice(None)


UNIT_RULES = ThingRules(
    in_cells=True,
    turn=False,
    label="Name",
    owner="Side",
    carrier=TRANSPORT,
    why_not=why_not_on,
    settled=settle_units,
)
