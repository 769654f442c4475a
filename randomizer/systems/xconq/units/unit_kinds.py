"""The unit types of a map's period as kinds of things; their owners are the sides of the map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.model.setting import Setting
from randomizer.model.thing_kind import ThingKind
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import sides_of
from randomizer.systems.xconq.terrain.terrain_set import distinct_names
from randomizer.systems.xconq.units.unit_icons import NEUTRAL, icons_of
from randomizer.systems.xconq.units.unit_state import HP, QUALITY, supply_entry

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap


def kinds_of(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    """The kinds of units that can be placed on a map, in the order of its period."""
    return _kinds(period_of(battlemap), tuple(side.name for side in sides_of(battlemap).sides))


@lru_cache(maxsize=4)
def kind_names(period: Period) -> tuple[str, ...]:
    """The names of kinds (``Thing.kind``), one for each unit type."""
    return distinct_names([unit.name for unit in period.units], "unit")


@lru_cache(maxsize=4)
def kind_numbers(period: Period) -> Mapping[str, int]:
    """The unit types by the names of their kinds."""
    return MappingProxyType({name: number for number, name in enumerate(kind_names(period))})


@lru_cache(maxsize=4)
def _kinds(period: Period, sides: tuple[str, ...]) -> tuple[ThingKind, ...]:
    owners = ((0, "neutral"), *enumerate(sides, 1))
    hit_points, most_quality = period.row("hp"), period.row("max-quality")
    storage = period.table("storage")
    terrains = [terrain.name for terrain in period.terrains]
    icons = icons_of(period.row("speed"), period.row("maker"), period.table("moves"), terrains)
    kinds = []
    for unit, (known, name) in enumerate(zip(period.units, kind_names(period), strict=True)):
        most = int(hit_points[unit])
        settings = [_number(HP, "What is left of it", most, most, "Hit points")]
        if most_quality[unit] > 0:
            most = int(most_quality[unit])
            settings.append(_number(QUALITY, "How much better it fights", 0, most, "Quality"))
        for number, resource in enumerate(period.resources):
            most = int(storage[unit, number])
            if most > 0:
                name_of_entry, title = supply_entry(resource.name), resource.name.capitalize()
                help_text = f"How much {resource.name} it has with it"
                settings.append(_number(name_of_entry, help_text, most, most, title, "Supplies"))
        kinds.append(
            ThingKind(name, name, NEUTRAL, known.char, tuple(settings), owners, icons[unit])
        )
    return tuple(kinds)


def _number(
    name: str, help_text: str, usual: int, most: int, title: str, group: str = ""
) -> Setting:
    """A number of 0 to ``most``, ``usual`` where it is not set."""
    return Setting(name, int, help_text, usual, least=0, most=most, title=title, group=group)
