"""The kinds of things of a map: what its game offers, and unknown ones found on it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from randomizer.model.things.thing_kind import ThingKind, initial

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap


def kinds_by_name(battlemap: BattleMap) -> dict[str, ThingKind]:
    """Return the kinds that the game offers for this map, in its order."""
    return {kind.name: kind for kind in battlemap.system.thing_kinds(battlemap)}


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """Return the kinds that the game offers, then unknown ones that are on the map, by name."""
    kinds = kinds_by_name(battlemap)
    unknown = sorted(name for name in counts(battlemap) if name not in kinds)
    return (*kinds.values(), *(ThingKind(name, name, symbol=initial(name)) for name in unknown))


def counts(battlemap: BattleMap) -> Counter[str]:
    """Return how many things of each kind the map has, those of hidden layers too."""
    result: Counter[str] = Counter()
    for layer in battlemap.layers:
        result.update(layer.things.kinds)
    return result


def visible_counts(battlemap: BattleMap) -> Counter[str]:
    """Return how many things of each kind the visible layers of a map have."""
    result: Counter[str] = Counter()
    for layer in battlemap.layers:
        if layer.visible:
            result.update(layer.things.kinds)
    return result
