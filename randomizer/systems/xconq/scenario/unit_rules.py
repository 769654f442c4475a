"""The rules for units on a map: where they stand, and which unit carries which.

``UNIT_RULES`` gives them to the code that places and moves things. A unit that comes onto a hex is
loaded into a unit there that can carry it, by the ``CargoRules`` of the period.

The system of Xconq imports this module for every map, so what only placing and moving units needs
is imported by the functions that use it.
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
    from collections.abc import Iterable, Mapping, Sequence

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

    def why_not_load(self, carrier: str, aboard: Iterable[str], kind: str) -> str:
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
    grid = battlemap.grid
    cells = {thing.id: grid.cell_at(thing.x, thing.y) for thing in things}
    destination = _UnitsAtDestination(battlemap, cells, cargo_rules)
    settled_things = []
    messages: list[str] = []
    for thing in things:
        cell = cells[thing.id]
        carrier_id = link_of(thing, TRANSPORT)
        if carrier_id is not None and cells.get(carrier_id) == cell:
            # It came with its carrier, and stays in it.
            destination.note_loaded(thing, carrier_id)
            settled_things.append(thing)
            continue
        choice = destination.choose_carrier(thing, cell, carrier_id)
        if choice.message and choice.message not in messages:
            messages.append(choice.message)
        if choice.carrier_id is not None:
            destination.note_loaded(thing, choice.carrier_id)
        settled_things.append(with_link(thing, TRANSPORT, choice.carrier_id))
    return Settled(settled_things, "; ".join(messages))


class _CarrierChoice(NamedTuple):
    """The unit that carries another one."""

    carrier_id: int | None
    """Its id, None if none does."""

    message: str = ""
    """What the game would not allow, "" for nothing."""


class _UnitsAtDestination:
    """The units that stand on the hexes onto which others come, and what they carry.

    It is made for one placement or move. After each choice of a carrier ``note_loaded`` is called,
    so that the next choice counts the unit as aboard.
    """

    def __init__(
        self, battlemap: BattleMap, cells: Mapping[int, int], cargo_rules: CargoRules
    ) -> None:
        """Take the state before; ``cells`` are those of the units that come, by their ids."""
        from randomizer.model.edits.thing_edits import things_on

        self._cargo_rules = cargo_rules
        self._units_on_cell: dict[int, list[Thing]] = defaultdict(list)
        """The units on each of these cells, without those that come."""
        grid = battlemap.grid
        cell_numbers = np.array(sorted(set(cells.values())), np.intp)
        for layer in battlemap.layers:
            for unit in things_on(grid, layer.things, cell_numbers):
                if unit.id not in cells:
                    self._units_on_cell[grid.cell_at(unit.x, unit.y)].append(unit)

        self._carrier_ids: dict[int, int] = {}
        """The ids of carriers by those of the units that they carried before."""
        if self._units_on_cell:
            self._carrier_ids = carriers_on(battlemap)

        self._kinds_aboard: dict[int, list[str]] = defaultdict(list)
        """The kinds of the units that a unit carries, by its id; also of those loaded since."""
        for carried_id, carrier_id in self._carrier_ids.items():
            if carried_id not in cells:
                self._kinds_aboard[carrier_id].append(battlemap.thing(carried_id).kind)

    def note_loaded(self, thing: Thing, carrier_id: int) -> None:
        """Note that a unit is carried from now on by the one with an id."""
        self._kinds_aboard[carrier_id].append(thing.kind)

    def choose_carrier(self, thing: Thing, cell: int, carrier_id: int | None) -> _CarrierChoice:
        """Return which of the units on its cell carries a unit that has come there.

        It is the first that can carry the unit and has room; if all are full, the first of these,
        with a message. ``carrier_id`` is the id of what carried the unit before, None for none:
        that one is asked first, then units that nothing carries, then units that are carried.
        """

        def priority(candidate: Thing) -> tuple[bool, bool, int]:
            """Return the key of the order; False comes first."""
            is_another = candidate.id != carrier_id
            is_carried = candidate.id in self._carrier_ids
            return is_another, is_carried, candidate.id

        candidates = sorted(self._units_on_cell[cell], key=priority)
        full_carrier = None
        for candidate in candidates:
            if not self._cargo_rules.can_carry(candidate.kind, thing.kind):
                continue
            kinds_aboard = self._kinds_aboard[candidate.id]
            reason = self._cargo_rules.why_not_load(candidate.kind, kinds_aboard, thing.kind)
            if not reason:
                return _CarrierChoice(candidate.id)
            if full_carrier is None:
                full_carrier = _CarrierChoice(candidate.id, reason)
        if full_carrier is not None:
            return full_carrier
        return self._choice_without_carrier(thing, candidates)

    def _choice_without_carrier(self, thing: Thing, candidates: Sequence[Thing]) -> _CarrierChoice:
        """Return that nothing carries a unit, with a message if the game does not allow that."""
        # Now two units stand side by side on a hex, which Xconq does not allow. There is no message
        # if the new one could carry one of the others: the user can load that.
        uncarried = [unit for unit in candidates if unit.id not in self._carrier_ids]
        could_carry = any(self._cargo_rules.can_carry(thing.kind, unit.kind) for unit in uncarried)
        if not uncarried or could_carry:
            return _CarrierChoice(None)
        reason = self._cargo_rules.why_not_load(uncarried[0].kind, (), thing.kind)
        return _CarrierChoice(None, f"Two units on one hex: {reason}")


UNIT_RULES = ThingRules(
    in_cells=True,
    turn=False,
    label="Name",
    owner="Side",
    carrier=TRANSPORT,
    why_not=why_not_on,
    settled=settle_units,
)
