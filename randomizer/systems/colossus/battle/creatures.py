"""The creatures of the variant Default: power, skill, abilities and native terrain.

Source: the section "Data" of the project's fact sheet on battles of Titan, as ``creatures.tsv``.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from randomizer.model.packaged_table import packaged_table


class Creature(NamedTuple):
    """One kind of creature.

    ``native_to`` names hazards and hexsides. A Titan's power is that of a score of 0.
    """

    name: str
    power: int
    skill: int
    flies: bool = False
    rangestrikes: bool = False
    magic: bool = False
    lord: bool = False
    native_to: frozenset[str] = frozenset()

    @property
    def points(self) -> int:
        """What it counts in the game's score."""
        return self.power * self.skill

    @property
    def is_titan(self) -> bool:
        """Whether its death loses the battle."""
        return self.name == "Titan"

    @property
    def water_dweller(self) -> bool:
        """Whether it is native to Lake."""
        return "Lake" in self.native_to

    def lives_in(self, name: str) -> bool:
        """Return whether it is native to a hazard or hexside; water dwellers are to rivers, too."""
        return name in self.native_to or (name == "River" and self.water_dweller)


@cache
def creatures() -> dict[str, Creature]:
    """Return every creature by its name."""
    rows = packaged_table("randomizer.systems.colossus.battle", "creatures.tsv")
    return {
        name: Creature(
            name,
            int(power),
            int(skill),
            *(ability in abilities.split() for ability in ("flies", "rangestrikes", "magic")),
            lord="lord" in abilities.split(),
            native_to=frozenset(native.split()),
        )
        for name, power, skill, abilities, native in rows
    }
