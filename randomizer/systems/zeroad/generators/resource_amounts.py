"""The amounts of wood, stone, metal and food that an entity gives, by the name of its template.

    amounts_of_template = amounts_lookup(mods)
    amounts_of_template("gaia/tree/oak")        # array([200., 0., 0., 0.])

They are those in the template of an installed game. Without a game, or if it lacks the template,
they are the usual ones for such a name (``USUAL_AMOUNTS``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import MB, registered
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.installation.mod_files import ModFiles

if TYPE_CHECKING:
    from randomizer.systems.zeroad.installation.script_data import ScriptData

KINDS = ("wood", "stone", "metal", "food")
"""The kinds of resources."""

Amounts = NDArray[np.float64]
"""An amount of each of ``KINDS``, (4,)."""


class UsualAmount(NamedTuple):
    """The amount that most templates have whose names fit a pattern."""

    pattern: re.Pattern[str]

    kind: str
    """One of ``KINDS``."""

    amount: float


def _usual(pattern: str, kind: str, amount: float) -> UsualAmount:
    """Return a row of ``USUAL_AMOUNTS``."""
    return UsualAmount(re.compile(pattern), kind, amount)


USUAL_AMOUNTS = (
    # Predators, which nobody hunts for food.
    _usual(r"wolf|lion|tiger|fox|shark|crocodile|dog|flaming", "food", 0),
    # Ruins and treasures.
    _usual(r"ruins.*metal", "metal", 800),
    _usual(r"ruins|standing_stone", "stone", 300),
    _usual(r"treasure.*(?:wood|shipwreck)", "wood", 300),
    _usual(r"treasure.*stone", "stone", 300),
    _usual(r"treasure.*(?:metal|gold|pegasus)", "metal", 300),
    _usual(r"treasure", "food", 300),
    # Plants.
    _usual(r"sapling|flora_bush_(?!berr)", "wood", 75),
    _usual(r"baobab", "wood", 600),
    _usual(r"gaia/(?:flora_)?tree", "wood", 200),
    _usual(r"fruit|berr", "food", 200),
    # Animals.
    _usual(r"fish|whale", "food", 1000),
    _usual(r"chicken", "food", 40),
    _usual(r"infant", "food", 100),
    _usual(r"elephant", "food", 650),
    _usual(r"bear|cattle|cow|giraffe|hippo|rhino|walrus", "food", 300),
    _usual(r"fauna", "food", 100),
    # Mines.
    _usual(r"(?:ore|metal).*(?:small|cut)", "metal", 1000),
    _usual(r"(?:gaia/ore)|metal", "metal", 5000),
    _usual(r"(?:rock|stone).*(?:small|cut)", "stone", 1000),
    _usual(r"(?:gaia/rock)|stone", "stone", 5000),
)
"""The usual amounts; the first row that fits the name of a template counts.

They are those that most such templates of 0.26 have.
"""


def amounts_lookup(mods: tuple[ModFiles, ...] = ()) -> Callable[[str], Amounts]:
    """Return a function that tells the amounts of a template by its name.

    It looks the template up in these mods, or without mods in the first installed game. For a
    template that they lack it returns the usual amounts of its name. The amounts are cached by the
    paths of the mods: if a file of a mod changes, the old ones count until the program ends.
    """
    if not mods:
        games = find_installations()
        if games:
            mods = tuple(games[0].mods)
    specs = tuple(mod.spec for mod in mods)
    return lambda template: _amounts_in(template, specs)


@registered(bytes_each=MB)
@lru_cache(1)
def _data(specs: tuple[str, ...]) -> ScriptData:
    """Return the data of the mods with these paths; those asked for last are kept."""
    from randomizer.systems.zeroad.installation.script_data import ScriptData

    return ScriptData([ModFiles.from_spec(spec) for spec in specs])


@registered(bytes_each=400)
@lru_cache(1000)
def _amounts_in(template: str, specs: tuple[str, ...]) -> Amounts:
    """Return the amounts of a template in these mods; for one that they lack the usual ones."""
    template_data = None
    if specs:
        template_data = _data(specs).template(template)
    if isinstance(template_data, Mapping):
        amounts = template_amounts(template_data)
    else:
        amounts = usual_amounts(template)
    amounts.setflags(write=False)  # it is in the cache
    return amounts


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
        for row in USUAL_AMOUNTS:
            if row.pattern.search(template):
                amounts[KINDS.index(row.kind)] = row.amount
                break
    return amounts


def _number(text: object) -> float:
    """Return a text as a number; 0 if it is none, or not finite."""
    try:
        number = float(str(text))
    except ValueError:
        return 0.0
    if math.isfinite(number):
        return number
    return 0.0
