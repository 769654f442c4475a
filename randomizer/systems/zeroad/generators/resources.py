"""Measures wood, stone, metal and food near the start of each player, and how fair that is.

    values(things)        # {"wood": 2400.0, "balance": 1.3, "wood-1": 2400.0, ...}

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
from randomizer.systems.zeroad.generators.resource_amounts import KINDS, Amounts, amounts_of
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS

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
        default: object = MOST_PLAYERS
        for setting in self.settings:
            if setting.name == "Players":
                default = setting.default
        players = settings.get("Players", default)
        assert isinstance(players, int), "the settings are checked"
        return measures(players)

    def measure_map(self, generated: Generated, _base: Base) -> Mapping[str, float]:
        """Return the values of a map that was just made; its entities are in one layer."""
        return values(generated.layers[0].things, self.mods)


def measures(players: int = MOST_PLAYERS) -> tuple[Measure, ...]:
    """Return the measures of a map with so many players.

    They are the balance, the amount of each kind at the poorest start, and the amounts at the start
    of each player.
    """
    balance = measure_of_map(
        "balance",
        "Balance",
        "What the richest start has within 40 tiles, divided by what the poorest has: 1 is fair.",
        least_first=True,
    )
    result = [balance]
    for kind in KINDS:
        title = kind.title()
        help_text = f"{title} within 40 tiles of the poorest start."
        result.append(measure_of_map(kind, f"{title}, least", help_text))
    for player in range(1, players + 1):
        for kind in KINDS:
            title = kind.title()
            help_text = f"{title} within 40 tiles of the start of player {player}."
            measure = measure_of_map(f"{kind}-{player}", f"{title}, player {player}", help_text)
            result.append(measure)
    return tuple(result)


def values(things: Things, mods: tuple[ModFiles, ...] = ()) -> dict[str, float]:
    """Return the values of a map with these things, by the names of the measures.

    A player without any thing has no values. The balance is infinite if a start has nothing at all.
    """
    amounts_by_player = near_starts(things, amounts_of(mods))
    result = dict[str, float]()
    for player, amounts in amounts_by_player.items():
        for kind, amount in zip(KINDS, amounts.tolist(), strict=True):
            result[f"{kind}-{player}"] = amount
    if not amounts_by_player:
        return result
    table = np.array(list(amounts_by_player.values()))
    result.update(zip(KINDS, table.min(axis=0).tolist(), strict=True))
    totals = table.sum(axis=1)
    if len(totals) > 1:
        richest = float(totals.max())
        poorest = float(totals.min())
        result["balance"] = math.inf
        if poorest:
            result["balance"] = richest / poorest
    return result


def near_starts(
    things: Things, amounts_of_template: Callable[[str], Amounts]
) -> dict[int, Amounts]:
    """Return the resources near the start of each player, by player from 1 on."""
    if not things:
        return {}
    arrays = things.arrays()
    amounts_of_kinds = np.array([amounts_of_template(name) for name in arrays.kind_names])
    amounts = amounts_of_kinds[arrays.kinds]  # of each thing, (things, 4)
    is_centre = np.array([CENTRE in name for name in arrays.kind_names])[arrays.kinds]
    result = {}
    for player in np.unique(arrays.owners[arrays.owners > 0]).tolist():
        is_owned = arrays.owners == player
        marks_start = is_owned & is_centre
        if not marks_start.any():
            marks_start = is_owned
        start = arrays.points[marks_start].mean(axis=0)
        is_near = ((arrays.points - start) ** 2).sum(axis=1) <= REACH**2
        is_usable = is_owned | (arrays.owners <= 0)  # Gaia is 0, and -1 is nobody
        result[player] = amounts[is_near & is_usable].sum(axis=0)
    return result
