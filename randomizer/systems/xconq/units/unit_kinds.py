"""The unit types of a map's period as kinds of things, with icons guessed from how they move.

``kinds_of`` returns all that the desk needs to place and edit units. ``kind_names`` and
``kind_numbers`` translate between the number of a unit type and the name of its kind.

Periods have no icons that we could show. So ``icons_of`` tells ships, aircraft, towns and so on by
the terrain types that a unit type can enter, and by its speed: what enters water and hardly any
land is a ship; what enters nearly everything flies; what is slow is on foot.
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
from randomizer.model.things.thing_kind import NewOwner, ThingKind
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

LEAST_FLYING_SPEED = 2
"""The least speed, in hexes a turn, of units that fly. Slower ones that enter everything do not."""

MOST_WALKING_SPEED = 3
"""The greatest speed, in hexes a turn, of units on foot."""

NAMING = {"town": 3, "base": 2}
"""The importance (``ThingKind.naming``) of the names of units with these icons; of all others 1.

The type with which countries begin has one more than others of its icon.
"""

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
    r"dragon|griffin|gryphon|eagle|bird|bat\b|roc\b|wyvern|pegasus|angel|demon|wraith"
)
"""Words in the names of unit types that fly without a machine."""


def icons_of(
    speeds: ArrayLike, makers: ArrayLike, moves: NDArray[Any], terrain_names: Sequence[str]
) -> tuple[str, ...]:
    """Return the icon (``ThingKind.icon``) of each unit type of a period.

    ``speeds`` and ``makers`` (units,) are the rows of the period's words ``speed`` and ``maker``;
    ``moves`` (units, terrains) is the table of that word, negative where a unit cannot go. A type
    that does not move is a town if it makes units, else a base.
    """
    speed = np.asarray(speeds)
    maker = np.asarray(makers)
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
    most_speed_on_foot = MOST_WALKING_SPEED
    has_one_land = np.count_nonzero(can_enter[is_marching].any(axis=0) & is_land) == 1
    if has_one_land:
        # With one type of land all that march enter the same: only the slowest are on foot.
        most_speed_on_foot = min(speed[is_marching], default=MOST_WALKING_SPEED)

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
            # It enters neither land nor water, so it moves in space.
            icon = "aircraft"
        elif goes_everywhere and unit_speed >= LEAST_FLYING_SPEED:
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
    """Return the kinds of units of a period; their owners are nobody (0) and the sides, from 1."""
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
        new_owner = NewOwner.CHOSEN_OR_FIRST
        if can_be_neutral[unit]:
            new_owner = NewOwner.CHOSEN
        kinds.append(
            ThingKind(
                name=name,
                title=name,
                colour=NEUTRAL,
                symbol=period.units[unit].char,
                settings=_settings(period, unit),
                owners=owners,
                icon=icon,
                naming=naming,
                new_owner=new_owner,
            )
        )
    return tuple(kinds)


def _settings(period: Period, unit: int) -> tuple[Setting, ...]:
    """Return the settings of a unit of this type: hit points, quality and supplies.

    A new unit has full hit points and supplies.
    """
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
