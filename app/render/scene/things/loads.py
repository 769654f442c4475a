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

from app.render.scene.things.things_state import ThingsState
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers


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
    """The loads of the map that was asked for last, kept until its things change."""

    def __init__(self) -> None:
        self._state: ThingsState | None = None
        """The things of which ``_loads`` were worked out; None until they are first needed."""
        self._loads = NO_LOADS
        """The loads that were worked out last."""

    def of(self, battlemap: BattleMap) -> Loads:
        """Return what is carried on a map as it is now."""
        if not battlemap.system.thing_rules.carrier:
            return NO_LOADS
        state = ThingsState(battlemap)
        if state != self._state:
            self._state = state
            self._loads = loads_of(battlemap)
        return self._loads
