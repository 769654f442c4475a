"""Loading units into a transport, and unloading them.

A *carrier* is a unit that carries others, its *cargo*. A carried unit names its carrier in its
state (``TRANSPORT``) and stands at the same position::

    edit, warning = load(battlemap, [tank], ship, rules)
    warning             # "Ship cannot carry tank", or "" if the game would allow it
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.carriers import carried_by, carriers_on, with_link
from randomizer.systems.xconq.scenario.unit_rules import CargoRules
from randomizer.systems.xconq.units.unit_state import TRANSPORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


def carriers_for(
    battlemap: BattleMap, units: Sequence[Thing], cargo_rules: CargoRules
) -> list[Thing]:
    """Return the units that can carry every one of ``units``, the nearest of them first.

    The distance is that to the first of ``units``. Cargo that a carrier has already does not count.
    The units themselves, and those that they carry, are left out.
    """
    unit_ids = [unit.id for unit in units]
    loaded_ids = {*unit_ids, *carried_by(battlemap, unit_ids)}
    candidates = []
    for layer in battlemap.layers:
        for thing in layer.things.values():
            if thing.id in loaded_ids:
                continue
            if all(cargo_rules.can_carry(thing.kind, unit.kind) for unit in units):
                candidates.append(thing)
    return sorted(
        candidates, key=lambda thing: (_squared_distance(battlemap, thing, units[0]), thing.id)
    )


def _squared_distance(battlemap: BattleMap, first: Thing, second: Thing) -> float:
    """Return the square of the distance of two things, the shorter way round, in map units."""
    distance_x = abs(first.x - second.x)
    if battlemap.grid.wrap:
        distance_x = min(distance_x, battlemap.grid.period - distance_x)
    return distance_x**2 + (first.y - second.y) ** 2


def load(
    battlemap: BattleMap, units: Sequence[Thing], carrier: Thing, cargo_rules: CargoRules
) -> tuple[Edit | None, str]:
    """Return the edit that moves units into a carrier with all that they carry, and a message.

    The message tells why the game would refuse that; "" if it would not. The edit is there in any
    case: Xconq's build mode allows it as well. Callers see to it that the carrier is none of the
    units, and that none of them carries it.
    """
    unit_ids = {unit.id for unit in units}
    kinds_aboard = [
        battlemap.thing(carried_id).kind
        for carried_id, carrier_id in carriers_on(battlemap).items()
        if carrier_id == carrier.id and carried_id not in unit_ids
    ]
    messages: list[str] = []
    moved = []
    for unit in units:
        reason = cargo_rules.why_not_load(carrier.kind, kinds_aboard, unit.kind)
        if reason and reason not in messages:
            messages.append(reason)
        kinds_aboard.append(unit.kind)
        moved.append(with_link(replace(unit, x=carrier.x, y=carrier.y), TRANSPORT, carrier.id))
    # The cargo of the units stays in them, and only changes its position.
    for carried_id in carried_by(battlemap, unit_ids):
        if carried_id not in unit_ids:
            moved.append(replace(battlemap.thing(carried_id), x=carrier.x, y=carrier.y))
    return change_things(battlemap, moved), "; ".join(messages)


def unload(battlemap: BattleMap, units: Iterable[Thing]) -> Edit | None:
    """Return the edit that takes units out of their carriers, onto the hex of these.

    None for no change.
    """
    return change_things(battlemap, [with_link(unit, TRANSPORT, None) for unit in units])
