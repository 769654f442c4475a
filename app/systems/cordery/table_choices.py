"""The choices for the table of one map: values of settings by name, and what belongs to one roll.

Settings are those of ``randomizer.systems.cordery.choices.SETTINGS``. One of them, ``fixed``, holds
all that a person has fixed by hand, as text: decisions ("hills = 2"), which hold for all tables
that are thrown later, and dice ("hill 1 die = 6"), which belong to one table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.page_parts import PARTS

SETTINGS_OF_ONE_ROLL = ("first", "previous_areas", *(f"{part}_again" for part in PARTS))
"""The settings of a roll that tell how it was made, and are no choices of the user.

``first`` is the part from which it was laid, ``hills_again`` how often that part was thrown again,
``previous_areas`` where the features after that part were then.
"""

SETTINGS_OF_DICE = ("fixed", "program_dice")
"""The settings with dice and decisions that are fixed by hand, and which the program threw."""

SETTINGS_OF_PLAYER = ("dice", "box")
"""The settings of the player, not of the country: who throws, and which pieces there are.

A new map takes them over from the table that was current before; the country it does not.
"""


@dataclass
class TableChoices:
    """The choices for one open map."""

    values: dict[str, object] = field(default_factory=dict)
    """The values of settings by name; a setting that is left out has its default."""
    roll: Roll | None = None
    """The roll of the table for which they were chosen, None while no table lies."""
    dice_by_key: dict[DrawKey, dict[str, object]] = field(default_factory=dict)
    """By seed and number: what a table that the map has shown has of its own.

    That are settings: dice and decisions that were fixed, and how often parts were thrown again. A
    step back to such a table lays it as it was.
    """


def choices_of(roll: Roll) -> dict[str, object]:
    """Return the choices of the user among the settings of a roll."""
    return {
        name: value for name, value in roll.settings.items() if name not in SETTINGS_OF_ONE_ROLL
    }
