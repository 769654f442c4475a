"""Which things are not drawn since others carry them, and how many each carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from randomizer.model.battlemap import BattleMap
from randomizer.model.carriers import carriers
from randomizer.model.things.things import Things


class Loads(NamedTuple):
    """What is carried on the visible layers of a map.

    ``carried``: the ids of the things that something carries. ``numbers``: by the id of each thing
    that carries and is not carried itself, how many things it holds, also in what it carries.
    """

    carried: frozenset[int]
    numbers: Mapping[int, int]


NO_LOADS = Loads(frozenset(), {})


def loads_of(battlemap: BattleMap) -> Loads:
    """Return what is carried on a map as it is now."""
    carrier = battlemap.system.thing_rules.carrier
    if not carrier:
        return NO_LOADS
    layers = [layer.things for layer in battlemap.layers if layer.visible]
    if not any(carrier in thing.state for things in layers for thing in things.values()):
        return NO_LOADS
    everything = (thing for things in layers for thing in things.values())
    above = carriers(battlemap.grid, carrier, everything)
    numbers: Counter[int] = Counter()
    for top in above.values():
        while top in above:
            top = above[top]
        numbers[top] += 1
    return Loads(frozenset(above), numbers)


class KeptLoads:
    """``loads_of`` the map asked for last, worked out again when its things have changed."""

    def __init__(self) -> None:
        self._key: tuple[tuple[Things, int], ...] = ()
        self._loads = NO_LOADS

    def of(self, battlemap: BattleMap) -> Loads:
        """Return what is carried on a map as it is now."""
        if not battlemap.system.thing_rules.carrier:
            return NO_LOADS
        layers = (layer.things for layer in battlemap.layers if layer.visible and layer.things)
        key = tuple((things, things.revision) for things in layers)
        same = len(key) == len(self._key) and all(
            one is other and revision == before
            for (one, revision), (other, before) in zip(key, self._key, strict=True)
        )
        if not same:
            self._key, self._loads = key, loads_of(battlemap)
        return self._loads
