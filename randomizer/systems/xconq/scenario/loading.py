"""Loading units into a transport, and unloading them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.carriers import carried_by, carriers_on, with_link
from randomizer.systems.xconq.scenario.unit_rules import Holds
from randomizer.systems.xconq.units.unit_state import TRANSPORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.things.things import Thing


def carriers_for(battlemap: BattleMap, units: Sequence[Thing], holds: Holds) -> list[Thing]:
    """Return the units that can carry every one of these, whatever they carry already; nearest
    first.
    """
    loaded_ids = {unit.id for unit in units} | set(
        carried_by(battlemap, [unit.id for unit in units])
    )
    candidates = [
        thing
        for layer in battlemap.layers
        for thing in layer.things.values()
        if thing.id not in loaded_ids
        and all(holds.can_carry(thing.kind, unit.kind) for unit in units)
    ]
    return sorted(candidates, key=lambda thing: (_away(battlemap, thing, units), thing.id))


def _away(battlemap: BattleMap, thing: Thing, units: Sequence[Thing]) -> float:
    """Return how far a thing is from the first of the units, in map units, squared."""
    across = abs(thing.x - units[0].x)
    if battlemap.grid.wrap:
        across = min(across, battlemap.grid.period - across)
    return across**2 + (thing.y - units[0].y) ** 2


def load(
    battlemap: BattleMap, units: Sequence[Thing], carrier: Thing, holds: Holds
) -> tuple[Edit | None, str]:
    """Return the edit that moves units into a carrier with all that they carry, and what is minded.

    The carrier is none of the units, and none of them carries it.
    """
    links = carriers_on(battlemap)
    aboard = [
        battlemap.thing(thing_id).kind
        for thing_id, above in links.items()
        if above == carrier.id and thing_id not in {unit.id for unit in units}
    ]
    words = dict[str, None]()
    loaded = []
    for unit in units:
        why = holds.why_not(carrier.kind, aboard, unit.kind)
        if why:
            words[why] = None
        aboard.append(unit.kind)
        loaded.append(with_link(replace(unit, x=carrier.x, y=carrier.y), TRANSPORT, carrier.id))
    ids = {unit.id for unit in units}
    further = (
        battlemap.thing(thing_id) for thing_id in carried_by(battlemap, ids) if thing_id not in ids
    )
    loaded += (replace(thing_id, x=carrier.x, y=carrier.y) for thing_id in further)
    return change_things(battlemap, loaded), "; ".join(words)


def unload(battlemap: BattleMap, units: Iterable[Thing]) -> Edit | None:
    """Return the edit after which units stand beside what carried them, on its hex; None for no
    change.
    """
    return change_things(battlemap, [with_link(unit, TRANSPORT, None) for unit in units])
