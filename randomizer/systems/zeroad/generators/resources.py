"""Wood, stone, metal and food near the start of each player, and how fair that is.

A start is the player's civil centre, else the middle of all that the player owns. What lies within
``REACH`` of it counts if nobody, or the player, owns it. Amounts are those of the templates of an
installed game; without one, or without the template, the usual ones of its kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import NO_VALUES, Measure, measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.generator import Base
from randomizer.model.basics.caches import MB, registered
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.things import Things
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS

if TYPE_CHECKING:
    from randomizer.systems.zeroad.installation.script_data import ScriptData

KINDS = ("wood", "stone", "metal", "food")

REACH = 40.0
"""In tiles."""

CENTRE = "civil_centre"

Amounts = NDArray[np.float64]
"""One of each of ``KINDS``."""

USUAL: tuple[tuple[str, str, float], ...] = (
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
"""Words of a template's name, what it gives and how much; the first that fits counts. The amounts
are those that most such templates of 0.26 have."""

_USUAL = tuple((re.compile(words), kind, amount) for words, kind, amount in USUAL)


class MeasuresResources(BatchGenerator):
    """A generator of 0 A.D. maps: it measures what is near the starts.

    ``mods`` are those whose templates say how much there is; without any the first game's do.
    """

    mods: tuple[ModFiles, ...] = ()

    def measures(self, settings: Mapping[str, object] = NO_VALUES) -> tuple[Measure, ...]:
        """Return the balance and the amounts, those of the players that a map with these settings
        has.
        """
        usual = (setting.default for setting in self.settings if setting.name == "Players")
        players = settings.get("Players", next(usual, MOST_PLAYERS))
        assert isinstance(players, int), "checked settings"
        return measures(players)

    def measure_map(self, generated: Generated, _base: Base) -> Mapping[str, float]:
        """Return the values of a map that was just made; its entities are in one layer."""
        return values(generated.layers[0].things, self.mods)


def measures(players: int = MOST_PLAYERS) -> tuple[Measure, ...]:
    """Return the balance, what the poorest start has, and what the start of each player has."""
    least = [
        measure_of_map(
            kind, f"{kind.title()}, least", f"{kind.title()} within 40 tiles of the poorest start."
        )
        for kind in KINDS
    ]
    each = [
        measure_of_map(
            f"{kind}-{player}",
            f"{kind.title()}, player {player}",
            f"{kind.title()} within 40 tiles of the start of player {player}.",
        )
        for player in range(1, players + 1)
        for kind in KINDS
    ]
    balance = measure_of_map(
        "balance",
        "Balance",
        "What the richest start has within 40 tiles, divided by what the poorest has: 1 is fair.",
    )
    return (balance, *least, *each)


def values(things: Things, mods: tuple[ModFiles, ...] = ()) -> dict[str, float]:
    """Return the values of ``measures`` for a map with these things, by name."""
    amounts_by_player = near_starts(things, amounts_of(mods))
    each = {
        f"{kind}-{player}": float(amount)
        for player, owned in amounts_by_player.items()
        for kind, amount in zip(KINDS, owned, strict=True)
    }
    if not amounts_by_player:
        return each
    table = np.array(list(amounts_by_player.values()))
    least = dict(zip(KINDS, table.min(axis=0).tolist(), strict=True))
    totals = table.sum(axis=1)
    if len(totals) > 1:
        poorest = float(totals.min())
        least["balance"] = float(totals.max()) / poorest if poorest else math.inf
    return {**each, **least}


def near_starts(things: Things, given_by: Callable[[str], Amounts]) -> dict[int, Amounts]:
    """Return what lies near the start of each player, by player from 1 on."""
    if not things:
        return {}
    arrays = things.arrays()
    given = np.array([given_by(name) for name in arrays.kind_names])[arrays.kinds]
    is_centre = np.array([CENTRE in name for name in arrays.kind_names])[arrays.kinds]
    result = {}
    for player in np.unique(arrays.owners[arrays.owners > 0]).tolist():
        own = arrays.owners == player
        if (own & is_centre).any():
            of_start = own & is_centre
        else:
            of_start = own
        start = arrays.points[of_start].mean(axis=0)
        near = ((arrays.points - start) ** 2).sum(axis=1) <= REACH**2
        result[player] = given[near & (own | (arrays.owners <= 0))].sum(axis=0)
    return result


def amounts_of(mods: tuple[ModFiles, ...] = ()) -> Callable[[str], Amounts]:
    """Return what templates give: as these mods (none: the first game) have it, else the usual
    amount.
    """
    games = () if mods else find()
    specs = tuple(mod.spec for mod in mods or (games[0].mods if games else ()))
    return lambda template: _known_amounts(template, specs)


@registered(bytes_each=MB)
@lru_cache(1)
def _data(specs: tuple[str, ...]) -> ScriptData:
    from randomizer.systems.zeroad.installation.script_data import ScriptData

    return ScriptData([ModFiles(spec) for spec in specs])


@registered(bytes_each=400)
@lru_cache(1000)
def _known_amounts(template: str, specs: tuple[str, ...]) -> Amounts:
    if specs:
        template_data = _data(specs).template(template)
    else:
        template_data = None
    if not isinstance(template_data, Mapping):
        return usual_amounts(template)
    return template_amounts(template_data)


def template_amounts(template: Mapping[str, object]) -> Amounts:
    """Return what a merged template gives; nothing for endless fields."""
    amounts = np.zeros(len(KINDS))
    supply = template.get("ResourceSupply")
    treasure = template.get("Treasure")
    if isinstance(supply, Mapping):
        kind = str(supply.get("Type") or "").partition(".")[0]
        most = supply.get("Max", supply.get("Amount"))  # "Amount" in older releases
        if kind in KINDS:
            amounts[KINDS.index(kind)] += _number(most)
    if isinstance(treasure, Mapping):
        given = treasure.get("Resources")
    else:
        given = None
    if isinstance(given, Mapping):
        amounts += [_number(given.get(kind)) for kind in KINDS]
    return amounts


def usual_amounts(template: str) -> Amounts:
    """Return what a template of this name usually gives."""
    amounts = np.zeros(len(KINDS))
    if template.startswith(("gaia/", "skirmish/gaia")):
        for words, kind, amount in _USUAL:
            if words.search(template):
                amounts[KINDS.index(kind)] = amount
                break
    return amounts


def _number(text: object) -> float:
    try:
        number = float(str(text))
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0
