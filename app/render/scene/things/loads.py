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

    count_of_carrier: Mapping[int, int]
    """How many things each carrier holds, by its id, those that these carry included.

    Carriers that are carried themselves are not in it.
    """


NO_LOADS = Loads(frozenset(), {})
"""The loads of a map on which nothing is carried."""


def loads_of(battlemap: BattleMap) -> Loads:
    """Return what is carried on a map as it is now."""
    carrier_key = battlemap.system.thing_rules.carrier  # of the state that names the carrier
    if not carrier_key:
        return NO_LOADS
    layers = [layer.things for layer in battlemap.layers if layer.visible]
    all_things = list(chain.from_iterable(things.values() for things in layers))
    if not any(carrier_key in thing.state for thing in all_things):
        return NO_LOADS
    carrier_of = carriers(battlemap.grid, carrier_key, all_things)

    # A thing counts for the outermost carrier: a soldier in a lorry on a ship for the ship.
    count_of_carrier: Counter[int] = Counter()
    for outermost in carrier_of.values():
        while outermost in carrier_of:  # ``carriers`` returns no circles
            outermost = carrier_of[outermost]
        count_of_carrier[outermost] += 1
    return Loads(frozenset(carrier_of), count_of_carrier)


class LoadsCache:
    """The loads of the map that was asked for last, kept until its things change."""

    def __init__(self) -> None:
        self._state: ThingsState | None = None
        """The things of which ``_loads`` were worked out; None until they are first needed."""
        self._loads = NO_LOADS
        """The loads that were worked out last."""

    def of(self, battlemap: BattleMap) -> Loads:
        """Return what is carried on a map as it is now.

        The grid of a map matters, too: another one comes with other things, those that were moved.
        """
        if not battlemap.system.thing_rules.carrier:
            return NO_LOADS
        state = ThingsState(battlemap)
        if state != self._state:
            self._state = state
            self._loads = loads_of(battlemap)
        return self._loads
