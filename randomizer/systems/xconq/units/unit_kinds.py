"""The unit types of a map's period as kinds of things.

A unit type is known by its number in the period, a kind of things by its name. ``kinds_of`` returns
all that the desk needs to place and edit units; ``kind_names`` and ``kind_numbers`` translate::

    kind_names(period)[2]               # "tank"
    kind_numbers(period)["tank"]        # 2

The icons of kinds are guessed from how the units move (``unit_icons``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.model.basics.caches import KB, registered
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import NewOwner, ThingKind
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import sides_of
from randomizer.systems.xconq.terrain.terrain_set import distinct_names
from randomizer.systems.xconq.units.unit_icons import icon_of_name, icons_of
from randomizer.systems.xconq.units.unit_state import HP, QUALITY, supply_entry

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap


NEUTRAL_COLOUR = "#c8c8c8"
"""The colour of units of no side."""

NAME_IMPORTANCE = {"town": 3, "base": 2}
"""The importance (``ThingKind.naming``) of the names of units with these icons; of all others 1.

The type with which countries begin has one more than others of its icon.
"""


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
    """Return the number of each unit type by the name of its kind."""
    return MappingProxyType({name: index for index, name in enumerate(kind_names(period))})


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
        icon = icon_of_name(icons[unit], name)
        naming = NAME_IMPORTANCE.get(icon, 1)
        if unit == first_unit:
            naming += 1
        new_owner = NewOwner.CHOSEN_OR_FIRST
        if can_be_neutral[unit]:
            new_owner = NewOwner.CHOSEN
        kinds.append(
            ThingKind(
                name=name,
                title=name,
                colour=NEUTRAL_COLOUR,
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
    settings = [
        _number_setting(
            HP, "What is left of it", usual=hit_points, most=hit_points, title="Hit points"
        )
    ]
    max_quality = int(period.row("max-quality")[unit])
    if max_quality > 0:
        settings.append(
            _number_setting(
                QUALITY, "How much better it fights", usual=0, most=max_quality, title="Quality"
            )
        )
    for resource, storage in zip(
        period.resources, period.table("storage")[unit].tolist(), strict=True
    ):
        if storage > 0:
            entry = supply_entry(resource.name)
            help_text = f"How much {resource.name} it has with it"
            settings.append(
                _number_setting(
                    entry,
                    help_text,
                    usual=storage,
                    most=storage,
                    title=resource.name.capitalize(),
                    group="Supplies",
                )
            )
    return tuple(settings)


def _number_setting(
    name: str, help_text: str, *, usual: int, most: int, title: str, group: str = ""
) -> Setting:
    """Return the setting of a number from 0 to ``most``, which is ``usual`` if it is not set."""
    return Setting(name, int, help_text, usual, minimum=0, maximum=most, title=title, group=group)
