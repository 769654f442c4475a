"""Loads: which things of a map are carried by others, and how many each carrier holds.

A thing that is carried is not drawn; its carrier shows a badge with a number. ``things`` and
``thing_labels`` are given the ``Loads`` of a map: by the renderer, which asks a ``LoadsCache``, and
by pictures, which ask ``loads_of``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers
from randomizer.model.things.things import Things


class Loads(NamedTuple):
    """The things that others carry on the visible layers of a map."""

    carried: frozenset[int]
    """The ids of the things that something carries."""

    numbers: Mapping[int, int]
    """How many things each carrier holds, by its id, those that these carry included.

    Carriers that are carried themselves are not in it.
    """


NO_LOADS = Loads(frozenset(), {})
"""The loads of a map on which nothing is carried."""


def loads_of(battlemap: BattleMap) -> Loads:
    """Return what is carried on a map as it is now."""
    carrier = battlemap.system.thing_rules.carrier
    if not carrier:
        return NO_LOADS
    layers = [layer.things for layer in battlemap.layers if layer.visible]
    all_things = list(chain.from_iterable(things.values() for things in layers))
    if not any(carrier in thing.state for thing in all_things):
        return NO_LOADS
    carrier_of = carriers(battlemap.grid, carrier, all_things)

    # A thing counts for the outermost carrier: a soldier in a lorry on a ship for the ship.
    numbers: Counter[int] = Counter()
    for outermost in carrier_of.values():
        while outermost in carrier_of:
            outermost = carrier_of[outermost]
        numbers[outermost] += 1
    return Loads(frozenset(carrier_of), numbers)


class LoadsCache:
    """Keeps the ``Loads`` of the map that was asked for last until its things change."""

    def __init__(self) -> None:
        self._key: tuple[tuple[Things, int], ...] = ()
        """The things of each layer, and their revision, of which ``_loads`` were worked out."""
        self._loads = NO_LOADS

    def of(self, battlemap: BattleMap) -> Loads:
        """Return what is carried on a map as it is now."""
        if not battlemap.system.thing_rules.carrier:
            return NO_LOADS
        layers = (layer.things for layer in battlemap.layers if layer.visible and layer.things)
        key = tuple((things, things.revision) for things in layers)
        if not self._is_current(key):
            self._key = key
            self._loads = loads_of(battlemap)
        return self._loads

    def _is_current(self, key: tuple[tuple[Things, int], ...]) -> bool:
        """Return whether the key is that of the loads: the same objects at the same revisions.

        This is not ``==``, which would compare all things of the layers.
        """
        if len(key) != len(self._key):
            return False
        for (things, revision), (former_things, former_revision) in zip(
            key, self._key, strict=True
        ):
            if things is not former_things or revision != former_revision:
                return False
        return True
