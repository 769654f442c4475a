"""Measures wood, stone, metal and food near the start of each player, and how fair that is.

    values(things)        # {"wood": 2400.0, "balance": 1.3, "wood-1": 2400.0, ...}

All generators of 0 A.D. maps have these measures (``MeasuresResources``), for filters, histograms
and the gallery. The start of a player is the civil centre, or without one the middle of all that
the player owns. Resources within ``REACH`` of it count, if nobody or the player owns them. Their
amounts are those of the templates of an installed game. Without a game, or if it lacks a template,
they are the usual ones for the name of the template (``USUAL_AMOUNTS``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import NO_VALUES, Measure, measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.model.basics.caches import MB, registered
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.things import Things
from randomizer.roll_base import Base
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS

if TYPE_CHECKING:
    from randomizer.systems.zeroad.installation.script_data import ScriptData

KINDS = ("wood", "stone", "metal", "food")
"""The kinds of resources."""

REACH = 40.0
"""The distance from a start, in tiles, up to which resources count.

With a larger one the resources of neighbours count as well, and starts look alike.
"""

CENTRE = "civil_centre"
"""The word in the names of templates of civil centres."""

Amounts = NDArray[np.float64]
"""An amount of each of ``KINDS``, (4,)."""

USUAL_AMOUNTS: tuple[tuple[str, str, float], ...] = (
    (r"wolf|lion|tiger|fox|shark|crocodile|dog|flaming", "food", 0),
    (r"ruins.*metal", "metal", 800),
    (r"ruins|standing_stone", "stone", 300),
    (r"treasure.*(?:wood|shipwreck)", "wood", 300),
    (r"treasure.*stone", "stone", 300),
    (r"treasure.*(?:metal|gold|pegasus)", "metal", 300),
    (r"treasure", "food", 300),
    (r"sapling|flora_bush_(?!berr)", "wood", 75),
    (r"baobab", "wood", 600),
    (r"gaia/(?:flora_)?tree", "wood", 200),
    (r"fruit|berr", "food", 200),
    (r"fish|whale", "food", 1000),
    (r"chicken", "food", 40),
    (r"infant", "food", 100),
    (r"elephant", "food", 650),
    (r"bear|cattle|cow|giraffe|hippo|rhino|walrus", "food", 300),
    (r"fauna", "food", 100),
    (r"(?:ore|metal).*(?:small|cut)", "metal", 1000),
    (r"gaia/ore|metal", "metal", 5000),
    (r"(?:rock|stone).*(?:small|cut)", "stone", 1000),
    (r"gaia/rock|stone", "stone", 5000),
)
"""A pattern of a template's name, the kind of its resource and the amount.

The first row that fits counts. The amounts are those that most such templates of 0.26 have.
"""


class _UsualAmount(NamedTuple):
    """The amount of templates whose names have a pattern."""

    pattern: re.Pattern[str]
    kind: str
    amount: float


_USUAL_AMOUNTS = tuple(
    _UsualAmount(re.compile(pattern), kind, amount) for pattern, kind, amount in USUAL_AMOUNTS
)


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


def amounts_of(mods: tuple[ModFiles, ...] = ()) -> Callable[[str], Amounts]:
    """Return a function that tells the amounts of a template by its name.

    It looks the template up in these mods, or without mods in the first installed game. For a
    template that they lack it returns the usual amounts of its name.
    """
    if not mods:
        games = find()
        if games:
            mods = tuple(games[0].mods)
    specs = tuple(mod.spec for mod in mods)
    return lambda template: _amounts_in(template, specs)


@registered(bytes_each=MB)
@lru_cache(1)
def _data(specs: tuple[str, ...]) -> ScriptData:
    """Return the data of the mods with these paths; those asked for last are kept."""
    from randomizer.systems.zeroad.installation.script_data import ScriptData

    return ScriptData([ModFiles(spec) for spec in specs])


@registered(bytes_each=400)
@lru_cache(1000)
def _amounts_in(template: str, specs: tuple[str, ...]) -> Amounts:
    """Return the amounts of a template in these mods; for one that they lack the usual ones."""
    template_data = None
    if specs:
        template_data = _data(specs).template(template)
    if not isinstance(template_data, Mapping):
        return usual_amounts(template)
    return template_amounts(template_data)


def template_amounts(template: Mapping[str, object]) -> Amounts:
    """Return the amounts of a template that is merged with those that it extends.

    Fields have the amount "Infinity", which counts as nothing.
    """
    amounts = np.zeros(len(KINDS))
    supply = template.get("ResourceSupply")
    if isinstance(supply, Mapping):
        kind = str(supply.get("Type") or "").partition(".")[0]  # such as "food.fish"
        amount = supply.get("Max", supply.get("Amount"))  # "Amount" in older releases
        if kind in KINDS:
            amounts[KINDS.index(kind)] += _number(amount)
    treasure = template.get("Treasure")
    if isinstance(treasure, Mapping):
        resources = treasure.get("Resources")
        if isinstance(resources, Mapping):
            amounts += [_number(resources.get(kind)) for kind in KINDS]
    return amounts


def usual_amounts(template: str) -> Amounts:
    """Return the amounts that a template of this name usually has."""
    amounts = np.zeros(len(KINDS))
    if template.startswith(("gaia/", "skirmish/gaia")):
        for pattern, kind, amount in _USUAL_AMOUNTS:
            if pattern.search(template):
                amounts[KINDS.index(kind)] = amount
                break
    return amounts


def _number(text: object) -> float:
    """Return the number of a text; 0 for another text, and for an infinite number."""
    try:
        number = float(str(text))
    except ValueError:
        return 0.0
    if math.isfinite(number):
        return number
    return 0.0
