"""Measures wood, stone, metal and food near the start of each player, and how fair that is.

    measure_values(things)      # {"wood": 2400.0, "balance": 1.3, "wood-1": 2400.0, ...}

All generators of 0 A.D. maps have these measures (``MeasuresResources``), for filters, histograms
and the gallery. The start of a player is the civil centre, or without one the middle of all that
the player owns. Resources within ``REACH`` of it count, if nobody or the player owns them
(``resource_amounts`` tells how much is in each).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from randomizer.batches.batch import NO_VALUES, Measure, measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.things import Things
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.resource_amounts import KINDS, Amounts, amounts_lookup
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS

REACH = 40.0
"""The distance from a start, in tiles, up to which resources count.

With a larger one the resources of neighbours count as well, and starts look alike.
"""

CENTRE = "civil_centre"
"""The word in the names of templates of civil centres."""


class MeasuresResources(BatchGenerator):
    """The base class of generators of 0 A.D. maps, which measures the resources near starts."""

    mods: tuple[ModFiles, ...] = ()
    """The mods with the templates' amounts; empty for those of the first installed game."""

    def measures(self, settings: Mapping[str, object] = NO_VALUES) -> tuple[Measure, ...]:
        """Return the measures of a map with these settings, which say how many players it has."""
        default: object = MAX_PLAYERS
        for setting in self.settings:
            if setting.name == "Players":
                default = setting.default
        players = settings.get("Players", default)
        assert isinstance(players, int), "the settings are checked"
        return resource_measures(players)

    def measure_map(self, generated: Generated, _base: Base) -> Mapping[str, float]:
        """Return the values of a map that was just made; its only layer has all entities."""
        return measure_values(generated.layers[0].things, self.mods)


def resource_measures(players: int = MAX_PLAYERS) -> tuple[Measure, ...]:
    """Return the measures of a map with so many players.

    They are the balance, the amount of each kind at the poorest start, and the amounts at the start
    of each player.
    """
    reach = f"{REACH:g} tiles"
    balance = measure_of_map(
        "balance",
        "Balance",
        f"What the richest start has within {reach}, divided by what the poorest has: 1 is fair.",
        least_first=True,
    )
    all_measures = [balance]
    for kind in KINDS:
        title = kind.title()
        help_text = f"{title} within {reach} of the poorest start."
        all_measures.append(measure_of_map(kind, f"{title}, least", help_text))
    for player in range(1, players + 1):
        for kind in KINDS:
            title = kind.title()
            help_text = f"{title} within {reach} of the start of player {player}."
            measure = measure_of_map(f"{kind}-{player}", f"{title}, player {player}", help_text)
            all_measures.append(measure)
    return tuple(all_measures)


def measure_values(things: Things, mods: tuple[ModFiles, ...] = ()) -> dict[str, float]:
    """Return the values of a map with these things, by the names of the measures.

    A player without any thing has no values. The balance is what the richest start has, divided by
    what the poorest has: 1 is fair. It is infinite if a start has nothing at all, also if none has.
    """
    amounts_by_player = resources_near_starts(things, amounts_lookup(mods))
    values_by_measure: dict[str, float] = {}
    for player, amounts in amounts_by_player.items():
        for kind, amount in zip(KINDS, amounts.tolist(), strict=True):
            values_by_measure[f"{kind}-{player}"] = amount
    if not amounts_by_player:
        return values_by_measure

    # The least of each kind, and the totals: the table has a row for each player, (players, 4).
    table = np.array(list(amounts_by_player.values()))
    values_by_measure.update(zip(KINDS, table.min(axis=0).tolist(), strict=True))
    totals = table.sum(axis=1)
    if len(totals) > 1:
        richest = float(totals.max())
        poorest = float(totals.min())
        balance = math.inf
        if poorest:
            balance = richest / poorest
        values_by_measure["balance"] = balance
    return values_by_measure


def resources_near_starts(
    things: Things, amounts_of_template: Callable[[str], Amounts]
) -> dict[int, Amounts]:
    """Return the resources near the start of each player, by player from 1 on.

    ``amounts_of_template`` returns the amounts in an entity of a template, by ``KINDS``.
    """
    if not things:
        return {}
    # The amounts of each thing, (things, 4), are looked up once for each kind of things.
    arrays = things.arrays()
    amounts_of_kinds = np.array([amounts_of_template(name) for name in arrays.kind_names])
    amounts = amounts_of_kinds[arrays.kinds]
    is_centre = np.array([CENTRE in name for name in arrays.kind_names])[arrays.kinds]

    amounts_by_player = {}
    for player in np.unique(arrays.owners[arrays.owners > 0]).tolist():
        is_owned = arrays.owners == player
        is_at_start = is_owned & is_centre
        if not is_at_start.any():
            is_at_start = is_owned
        start = arrays.points[is_at_start].mean(axis=0)
        is_near = ((arrays.points - start) ** 2).sum(axis=1) <= REACH**2
        is_usable = is_owned | (arrays.owners <= 0)  # Gaia is 0, and -1 is nobody
        amounts_by_player[player] = amounts[is_near & is_usable].sum(axis=0)
    return amounts_by_player
