"""The kinds of things of a map: what its game offers, and unknown ones found on it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from randomizer.model.thing_kind import ThingKind, initial

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap


def known_kinds(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """The kinds that the game offers for this map, in its order."""
    kinds = battlemap.system.thing_kinds
    return () if kinds is None else kinds(battlemap)


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """The kinds that the game offers, then unknown ones that are on the map, by name."""
    known = known_kinds(battlemap)
    names = {kind.name for kind in known}
    found = sorted(name for name in counts(battlemap) if name not in names)
    return (*known, *(ThingKind(name, name, symbol=initial(name)) for name in found))


def counts(battlemap: BattleMap) -> Counter[str]:
    """How many things of each kind the map has, those of hidden layers too."""
    found: Counter[str] = Counter()
    for layer in battlemap.layers:
        found.update(layer.things.kinds)
    return found
