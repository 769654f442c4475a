"""The choices for the table of one map: values of settings by name, and what belongs to one table.

Settings are those of ``randomizer.systems.cordery.choices.SETTINGS``. One of them, ``fixed``, holds
all that a person has fixed by hand, as text: decisions ("hills = 2"), which hold for all tables
that are thrown later, and dice ("hill 1 die = 6"), which belong to one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.page_parts import PARTS

FIRST = "first"
"""The setting with the part from which a table was laid: "hills"."""

PREVIOUS_AREAS = "previous_areas"
"""The setting with the areas in which features stood when a part before them was thrown again."""

_AGAIN = "_again"
"""The end of the names of settings that count how often a part was thrown again: "hills_again"."""

SETTINGS_OF_ONE_ROLL = (FIRST, PREVIOUS_AREAS, *(f"{part}{_AGAIN}" for part in PARTS))
"""The settings of a roll that tell how it was made, and are no choices of the user."""

WHO_THROWS = "dice"
"""The setting that says who throws the dice: the program, or the user, who enters them."""

SETTINGS_OF_PLAYER = (WHO_THROWS, "box")
"""The settings of the player, not of the country: who throws, and which pieces there are.

A new map takes them over from the table that was current before; the country it does not.
"""


@dataclass(frozen=True)
class Repeats:
    """How often the parts of a table were thrown again, and what stayed where it was by that."""

    counts: Mapping[str, int]
    """The number of times by part; a part that was never thrown again is left out."""

    previous_areas: str | None
    """The setting of that name; None if no part was thrown again."""

    def with_part_again(self, part: str, previous_areas: str) -> Repeats:
        """Return them with one more throw of a part, after which features stay in these areas."""
        counts = {**self.counts, part: self.counts.get(part, 0) + 1}
        return Repeats(counts, previous_areas)

    def with_settings(self, settings: Mapping[str, object]) -> Repeats:
        """Return them as the roll of a later part has changed them; ``settings`` are of that."""
        repeats = self
        for part in PARTS:
            count = settings.get(f"{part}{_AGAIN}")
            if isinstance(count, int):
                repeats = replace(repeats, counts={**repeats.counts, part: count})
        if PREVIOUS_AREAS in settings:
            repeats = replace(repeats, previous_areas=str(settings[PREVIOUS_AREAS]))
        return repeats

    def as_settings(self) -> dict[str, object]:
        """Return the settings that lay a table so: {"hills_again": 1, "previous_areas": "..."}."""
        settings: dict[str, object] = {}
        for part, count in self.counts.items():
            settings[f"{part}{_AGAIN}"] = count
        if self.previous_areas is not None:
            settings[PREVIOUS_AREAS] = self.previous_areas
        return settings


NO_REPEATS = Repeats({}, None)
"""No part was thrown again."""


@dataclass
class TableChoices:
    """The choices for one open map."""

    values: dict[str, object] = field(default_factory=dict)
    """The values of settings by name; a setting that is left out has its default."""

    roll: Roll | None = None
    """The roll of the table for which they were chosen, None while no table lies."""

    settings_by_key: dict[DrawKey, dict[str, object]] = field(default_factory=dict)
    """By seed and number: the settings with which a table lay last that the map has shown.

    That are the choices, and how often parts were thrown again. A step back to such a table lays it
    as it was.
    """


def choices_of(roll: Roll) -> dict[str, object]:
    """Return the choices of the user among the settings of a roll."""
    return {
        name: value for name, value in roll.settings.items() if name not in SETTINGS_OF_ONE_ROLL
    }
