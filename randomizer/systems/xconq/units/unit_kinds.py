"""The unit types of a map's period as kinds of things, with icons guessed from how they move."""

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
FEW = 0.4
"""Shares of the terrain types of a place."""


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
    surroundings = np.array([place_of(name) or "land" for name in terrain_names])
    water = surroundings == "water"
    land = (surroundings == "land") | (surroundings == "high")
    entered = np.asarray(moves) >= 0
    land &= entered[speed > 0].any(axis=0)
    on_water = _share(entered, water)
    on_land = _share(entered, land)
    marching = (speed > 0) & (on_water == 0) & (on_land > 0)
    far = NEARLY_ALL * max(on_land[marching], default=1.0)
    one_land = np.count_nonzero(entered[marching].any(axis=0) & land) == 1
    slowest = min(speed[marching], default=WALKING)
    icons = []
    for unit, pace in enumerate(speed.tolist()):
        if pace <= 0:
            icon = "town" if maker[unit] else "base"
        elif on_water[unit] > 0 and on_land[unit] <= FEW:
            icon = "ship"
        elif not on_land[unit] and entered[unit].any():
            icon = "aircraft"  # only in space
        elif on_water[unit] >= NEARLY_ALL and on_land[unit] >= NEARLY_ALL and pace >= FLYING:
            icon = "aircraft"
        elif pace <= (slowest if one_land else WALKING) and on_land[unit] >= far:
            icon = "foot"
        else:
            icon = "vehicle"
        icons.append(icon)
    return tuple(icons)


_RIDERS = re.compile(
    r"knight|cavalr|caval|horse|rider|mounted|hussar|dragoon|lancer|cuirass|cossack|chariot|camel"
    r"|elephant|wagon|centaur|wolf"
)
_BEASTS = re.compile(
    r"dragon|griffin|gryphon|eagle|bird|bat\b|roc\b|wyvern|pegasus|angel|demon|wraith"
)
"""What names of unit types say of those that ride, and of those that fly without a machine."""


def _icon_of_name(icon: str, name: str) -> str:
    """Return the icon of a unit type that moves as ``icon`` does, by what its name says."""
    words = name.lower()
    if icon in ("foot", "vehicle") and _RIDERS.search(words):
        return "horse"
    if icon == "aircraft" and _BEASTS.search(words):
        return "dragon"
    return icon


def _share(entered: NDArray[np.bool_], types: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of terrain ``types`` (n,) that each unit can enter: ``entered`` (units,
    n).
    """
    return np.asarray(entered[:, types].sum(axis=1) / max(1, np.count_nonzero(types)))


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
    owners = ((0, "neutral"), *enumerate(sides, 1))
    hit_points = period.row("hp")
    most_quality = period.row("max-quality")
    can_be_neutral = period.row("neutral")
    storage = period.table("storage")
    terrains = [terrain.name for terrain in period.terrains]
    icons = icons_of(period.row("speed"), period.row("maker"), period.table("moves"), terrains)
    icons = tuple(
        _icon_of_name(icon, name) for icon, name in zip(icons, kind_names(period), strict=True)
    )
    kinds = []
    first = period.number("first-unit")
    for unit, (unit_type, name) in enumerate(zip(period.units, kind_names(period), strict=True)):
        most = int(hit_points[unit])
        settings = [_number(HP, "What is left of it", most, most, "Hit points")]
        if most_quality[unit] > 0:
            most = int(most_quality[unit])
            settings.append(_number(QUALITY, "How much better it fights", 0, most, "Quality"))
        for number, resource in enumerate(period.resources):
            most = int(storage[unit, number])
            if most > 0:
                name_of_entry = supply_entry(resource.name)
                title = resource.name.capitalize()
                help_text = f"How much {resource.name} it has with it"
                settings.append(_number(name_of_entry, help_text, most, most, title, "Supplies"))
        kinds.append(
            ThingKind(
                name,
                name,
                NEUTRAL,
                unit_type.char,
                tuple(settings),
                owners,
                icons[unit],
                naming=NAMING.get(icons[unit], 1) + (unit == first),
                needs_owner=not can_be_neutral[unit],
            )
        )
    return tuple(kinds)


def _number(
    name: str, help_text: str, usual: int, most: int, title: str, group: str = ""
) -> Setting:
    """Return a number of 0 to ``most``, ``usual`` where it is not set."""
    return Setting(name, int, help_text, usual, least=0, most=most, title=title, group=group)
