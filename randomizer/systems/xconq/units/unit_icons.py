"""The icons of unit types, guessed from how they move and from their names.

Periods have no icons that we could show. So ``icons_of`` tells ships, aircraft, towns and so on by
the terrain types that a unit type can enter, and by its speed::

    enters water and hardly any land       ship
    enters nearly everything, fast         aircraft
    marches on land, slowly                foot (if there is one type of land: only the slowest)
    marches on land, faster                vehicle
    does not move, makes units             town
    does not move                          base

``icon_of_name`` then looks for words like "cavalry" in its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randomizer.systems.xconq.terrain.terrain_meaning import place_of

MIN_FLYING_SPEED = 2
"""The least speed, in hexes a turn, of units that fly. Slower ones that enter everything do not."""

MAX_WALKING_SPEED = 3
"""The greatest speed, in hexes a turn, of units on foot."""

NEARLY_ALL = 0.75
"""The share of the terrain types of land, or of water, that counts as nearly all of them."""

FEW = 0.4
"""The greatest share of the terrain types of land that a ship can enter."""

_RIDERS = re.compile(
    r"knight|cavalr|caval|horse|rider|mounted|hussar|dragoon|lancer|cuirass|cossack|chariot|camel"
    r"|elephant|wagon|centaur|wolf"
)
"""Words in the names of unit types that ride."""

_BEASTS = re.compile(
    r"dragon|griffin|gryphon|\b(?:eagle|bird|bat|roc)s?\b|wyvern|pegasus|\bangel|demon|wraith"
)
"""Words in the names of unit types that fly without a machine."""


def icons_of(
    speeds: ArrayLike, makers: ArrayLike, moves: NDArray[Any], terrain_names: Sequence[str]
) -> tuple[str, ...]:
    """Return the icon (``ThingKind.icon``) of each unit type of a period.

    ``speeds`` and ``makers`` (units,) are the rows of the period's words ``speed`` and ``maker``;
    ``moves`` (units, terrains) is the table of that word, negative where a unit cannot go. A type
    that does not move is a town if it makes units, else a base. In a period without water only what
    flies in space is an aircraft: a type that enters all of the land may also march there.
    """
    speed = np.asarray(speeds)
    makes_units = np.asarray(makers)
    can_enter = np.asarray(moves) >= 0
    surroundings = np.array([place_of(name) or "land" for name in terrain_names])
    is_water = surroundings == "water"
    is_land = (surroundings == "land") | (surroundings == "high")
    # Land that no moving unit enters, such as high peaks, would make all shares smaller.
    is_land &= can_enter[speed > 0].any(axis=0)
    share_of_water = _shares(can_enter, is_water)
    share_of_land = _shares(can_enter, is_land)

    # Types that march move on land alone. Those on foot enter nearly as much of it as the type that
    # enters most.
    is_marching = (speed > 0) & (share_of_water == 0) & (share_of_land > 0)
    least_share_on_foot = NEARLY_ALL * max(share_of_land[is_marching], default=1.0)
    most_speed_on_foot = MAX_WALKING_SPEED
    has_one_land = np.count_nonzero(can_enter[is_marching].any(axis=0) & is_land) == 1
    if has_one_land:
        # With one type of land all that march enter the same: only the slowest are on foot.
        most_speed_on_foot = min(speed[is_marching], default=MAX_WALKING_SPEED)

    icons = []
    # The order of the tests matters: the first that is true decides.
    for unit, unit_speed in enumerate(speed.tolist()):
        on_water = share_of_water[unit]
        on_land = share_of_land[unit]
        goes_everywhere = on_water >= NEARLY_ALL and on_land >= NEARLY_ALL
        if unit_speed <= 0:
            icon = "base"
            if makes_units[unit]:
                icon = "town"
        elif on_water > 0 and on_land <= FEW:
            icon = "ship"
        elif on_land == 0 and can_enter[unit].any():
            # It enters neither land nor (above) water, so it moves in space.
            icon = "aircraft"
        elif goes_everywhere and unit_speed >= MIN_FLYING_SPEED:
            icon = "aircraft"
        elif unit_speed <= most_speed_on_foot and on_land >= least_share_on_foot:
            icon = "foot"
        else:
            icon = "vehicle"
        icons.append(icon)
    return tuple(icons)


def _shares(can_enter: NDArray[np.bool_], is_counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of some terrain types that each unit can enter, (units,).

    ``can_enter`` is (units, terrains), ``is_counted`` (terrains,) marks the types that count.
    """
    return np.asarray(can_enter[:, is_counted].sum(axis=1) / max(1, np.count_nonzero(is_counted)))


def icon_of_name(icon: str, name: str) -> str:
    """Return the icon of a unit type that moves as ``icon`` does, by what its name says."""
    words = name.lower()
    if icon in ("foot", "vehicle") and _RIDERS.search(words):
        return "horse"
    if icon == "aircraft" and _BEASTS.search(words):
        return "dragon"
    return icon
