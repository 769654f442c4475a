"""The creatures of the variant Default: power, skill, abilities and native terrain.

Source: the section "Data" of the project's fact sheet on battles of Titan, as ``creatures.tsv``.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.basics.packaged_table import packaged_table

_TITAN = "Titan"
"""The name of the lord of a legion in the table."""


class Creature(NamedTuple):
    """One kind of creature.

    Where only its movement matters, a creature needs no name, power or skill.
    """

    name: str = ""

    power: int = 0
    """The number of its dice, and of the hits that kill it.

    A Titan's power grows with its player's score; here it is the power at score 0.
    """

    skill: int = 0
    """Its movement points, and its skill in striking and in avoiding strikes."""

    flies: bool = False

    rangestrikes: bool = False
    """True if it can strike creatures that are not neighbours."""

    magic: bool = False
    """True if its rangestrikes are magic missiles, which need no line of sight."""

    lord: bool = False
    """True if only magic missiles can strike it from a distance."""

    native_to: frozenset[str] = frozenset()
    """The names of hazards and hexsides that hinder it less; natives of Lake are water dwellers."""

    @property
    def points(self) -> int:
        """The points that the game's score counts for it."""
        return self.power * self.skill

    @property
    def is_titan(self) -> bool:
        """True if its death loses the battle."""
        return self.name == _TITAN

    def lives_in(self, name: str) -> bool:
        """Return whether it is native to a hazard or hexside; water dwellers are to rivers, too."""
        return name in self.native_to or (name == "River" and "Lake" in self.native_to)


def _creature(name: str, power: str, skill: str, abilities: str, native_to: str) -> Creature:
    """Return the creature of a row of ``creatures.tsv``; blanks separate abilities and terrains."""
    ability_names = abilities.split()
    return Creature(
        name=name,
        power=int(power),
        skill=int(skill),
        flies="flies" in ability_names,
        rangestrikes="rangestrikes" in ability_names,
        magic="magic" in ability_names,
        lord="lord" in ability_names,
        native_to=frozenset(native_to.split()),
    )


CREATURES = tuple(
    _creature(*row) for row in packaged_table("randomizer.systems.colossus", "creatures.tsv")
)
"""All creatures, in the order of the table."""
