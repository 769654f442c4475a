"""The unit types of a map's period as kinds of things, with icons guessed from how they move.

``kinds_of`` returns all that the desk needs to place and edit units, ``kind_names`` and
``kind_numbers`` translate between types and kinds. Periods have no icons that we could show, so
``icons_of`` tells ships, aircraft, towns and so on by the numbers of the period.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import ThingKind
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import sides_of
from randomizer.systems.xconq.terrain.terrain_meaning import place_of
from randomizer.systems.xconq.terrain.terrain_set import distinct_names
from randomizer.systems.xconq.units.unit_state import HP, QUALITY, supply_entry

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap


NEUTRAL = "#c8c8c8"
"""The colour of units of no side."""

FLYING = 2
"""Units that go nearly everywhere fly if they have this speed (hexes a turn) or more."""

WALKING = 3
"""Units on foot have at most this speed."""

NAMING = {"town": 3, "base": 2}
"""How important the names of units with these icons are on the map; of all others 1.
The unit with which countries begin stands above the others of its icon."""

NEARLY_ALL = 0.75
"""Units that enter this share of the terrain types of land, or of water, go nearly everywhere."""

FEW = 0.4
"""Ships enter at most this share of the terrain types of land."""


def icons_of(
    speeds: ArrayLike, makers: ArrayLike, moves: NDArray[Any], terrain_names: Sequence[str]
) -> tuple[str, ...]:
    """Return the icon (``ThingKind.icon``) of each unit type of a period.

    ``speeds`` and ``makers`` are the rows of the words ``speed`` and ``maker``; ``moves`` is the
    table of that word: [unit, terrain], negative where a unit cannot go. What does not move is a
    town if it makes units, else a base; what is slow and goes nearly wherever others march is on
    foot.
    """
    speed = np.asarray(speeds)
    maker = np.asarray(makers)
    can_enter = np.asarray(moves) >= 0
    surroundings = np.array([place_of(name) or "land" for name in terrain_names])
    is_water = surroundings == "water"
    is_land = (surroundings == "land") | (surroundings == "high")
    # Land that nothing enters which moves tells nothing of those that do.
    is_land &= can_enter[speed > 0].any(axis=0)
    share_of_water = _shares(can_enter, is_water)
    share_of_land = _shares(can_enter, is_land)

    # What marches: it moves on land alone. Those on foot go nearly as far as the farthest of them.
    is_marching = (speed > 0) & (share_of_water == 0) & (share_of_land > 0)
    least_share_on_foot = NEARLY_ALL * max(share_of_land[is_marching], default=1.0)
    most_speed_on_foot = WALKING
    has_one_land = np.count_nonzero(can_enter[is_marching].any(axis=0) & is_land) == 1
    if has_one_land:
        # All go everywhere then: only the slowest are on foot.
        most_speed_on_foot = min(speed[is_marching], default=WALKING)

    icons = []
    for unit, unit_speed in enumerate(speed.tolist()):
        on_water = share_of_water[unit]
        on_land = share_of_land[unit]
        goes_everywhere = on_water >= NEARLY_ALL and on_land >= NEARLY_ALL
        if unit_speed <= 0:
            icon = "base"
            if maker[unit]:
                icon = "town"
        elif on_water > 0 and on_land <= FEW:
            icon = "ship"
        elif on_land == 0 and can_enter[unit].any():
            # Neither land nor water: it moves in space alone.
            icon = "aircraft"
        elif goes_everywhere and unit_speed >= FLYING:
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


_RIDERS = re.compile(
    r"knight|cavalr|caval|horse|rider|mounted|hussar|dragoon|lancer|cuirass|cossack|chariot|camel"
    r"|elephant|wagon|centaur|wolf"
)
"""What the names of unit types say that ride."""

_BEASTS = re.compile(
    r"dragon|griffin|gryphon|eagle|bird|bat\b|roc\b|wyvern|pegasus|angel|demon|wraith"
)
"""What the names of unit types say that fly without a machine."""


def _icon_of_name(icon: str, name: str) -> str:
    """Return the icon of a unit type that moves as ``icon`` does, by what its name says."""
    words = name.lower()
    if icon in ("foot", "vehicle") and _RIDERS.search(words):
        return "horse"
    if icon == "aircraft" and _BEASTS.search(words):
        return "dragon"
    return icon


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """Return the kinds of units that can be placed on a map, in the order of its period."""
    return _kinds(period_of(battlemap), tuple(side.name for side in sides_of(battlemap).sides))


@registered(bytes_each=500 * KB)
@lru_cache(maxsize=4)
def kind_names(period: Period) -> tuple[str, ...]:
    """Return the names of kinds (``Thing.kind``), one for each unit type."""
    return distinct_names([unit.name for unit in period.units], "unit")


@registered(bytes_each=10 * KB)
@lru_cache(maxsize=4)
def kind_numbers(period: Period) -> Mapping[str, int]:
    """Return the unit types by the names of their kinds."""
    return MappingProxyType({name: number for number, name in enumerate(kind_names(period))})


@registered(bytes_each=60 * KB)
@lru_cache(maxsize=4)
def _kinds(period: Period, sides: tuple[str, ...]) -> tuple[ThingKind, ...]:
    """Return the kinds of units of a period, whose owners are these sides."""
    owners = ((0, "neutral"), *enumerate(sides, 1))
    can_be_neutral = period.row("neutral")
    terrains = [terrain.name for terrain in period.terrains]
    icons = icons_of(period.row("speed"), period.row("maker"), period.table("moves"), terrains)
    first_unit = period.number("first-unit")
    kinds = []
    for unit, name in enumerate(kind_names(period)):
        icon = _icon_of_name(icons[unit], name)
        naming = NAMING.get(icon, 1)
        if unit == first_unit:
            naming += 1
        kinds.append(
            ThingKind(
                name,
                name,
                NEUTRAL,
                period.units[unit].char,
                _settings(period, unit),
                owners,
                icon,
                naming=naming,
                needs_owner=not can_be_neutral[unit],
            )
        )
    return tuple(kinds)


def _settings(period: Period, unit: int) -> tuple[Setting, ...]:
    """Return the numbers of a unit of a type that can be edited; a new one has all it can have."""
    hit_points = int(period.row("hp")[unit])
    settings = [_number(HP, "What is left of it", hit_points, hit_points, "Hit points")]
    most_quality = int(period.row("max-quality")[unit])
    if most_quality > 0:
        settings.append(_number(QUALITY, "How much better it fights", 0, most_quality, "Quality"))
    for resource, storage in zip(
        period.resources, period.table("storage")[unit].tolist(), strict=True
    ):
        if storage > 0:
            entry = supply_entry(resource.name)
            title = resource.name.capitalize()
            help_text = f"How much {resource.name} it has with it"
            settings.append(_number(entry, help_text, storage, storage, title, "Supplies"))
    return tuple(settings)


def _number(
    name: str, help_text: str, usual: int, most: int, title: str, group: str = ""
) -> Setting:
    """Return the setting of a number from 0 to ``most``, which is ``usual`` if it is not set."""
    return Setting(name, int, help_text, usual, minimum=0, maximum=most, title=title, group=group)
