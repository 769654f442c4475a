"""The creatures of the variant Default: power, skill, abilities and native terrain.

Source: the section "Data" of the project's fact sheet on battles of Titan, as ``creatures.tsv``.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.basics.packaged_table import packaged_table


class Creature(NamedTuple):
    """One kind of creature; a Titan's power is that of a score of 0.

    ``native_to`` names hazards and hexsides; natives of Lake are water dwellers. Where only its
    movement is asked for, it needs no name, power or skill.
    """

    name: str = ""
    power: int = 0
    skill: int = 0
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
        """True if its death loses the battle."""
        return self.name == "Titan"

    def lives_in(self, name: str) -> bool:
        """Return whether it is native to a hazard or hexside; water dwellers are to rivers, too."""
        return name in self.native_to or (name == "River" and "Lake" in self.native_to)


def _creature(name: str, power: str, skill: str, abilities: str, native_to: str) -> Creature:
    flies, rangestrikes, magic, lord = (
        ability in abilities.split() for ability in ("flies", "rangestrikes", "magic", "lord")
    )
    native = frozenset(native_to.split())
    return Creature(name, int(power), int(skill), flies, rangestrikes, magic, lord, native)


CREATURES = tuple(
    _creature(*row) for row in packaged_table("randomizer.systems.colossus", "creatures.tsv")
)
