"""The effects of every hazard and hexside on movement and strikes, for natives and others.

    HAZARDS["Bog"].entry_on_foot   # Entry.NATIVES: on foot only natives enter
    HEXSIDES["Slope"].only_uphill  # True

This is the only table of these rules; passability, fairness and the tests use it. A creature is
*native* to the hazards and hexsides that its kind lives in. A *water dweller* is a native of Lake.
Source: the section "Movement, strikes and entry sides" of the project's fact sheet on Colossus, the
game's rules as it plays them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Entry(StrEnum):
    """The creatures that can enter, and those for which it costs 2 instead of 1."""

    FREE = "free"
    """All enter for 1."""
    SLOWS_OTHERS = "slows non-natives"
    """Natives enter for 1, all others for 2."""
    SLOWS_ALL = "slows all"
    """All enter for 2."""
    NATIVES = "natives only"
    """Natives enter for 1, nobody else."""
    NOBODY = "nobody"
    """Nobody enters."""


class Affected(StrEnum):
    """The creatures that a hazard heals or wounds."""

    ALL = "all"
    """Every creature in the hazard."""
    NON_NATIVES = "non-natives"
    """Those that are not native to the hazard."""
    WATER_DWELLERS = "water dwellers"
    """The natives of Lake."""


class StrikeBonus(NamedTuple):
    """A bonus or penalty that terrain gives to strikes, and the strikes that get it.

    In the game a creature rolls as many dice as it has power, and its skill against that of the
    struck creature decides which numbers hit.
    """

    skill: int = 0
    """Added to the skill of the striker: below 0 it hits less often."""
    power: int = 0
    """Dice added to those of the striker."""
    striker_native: bool | None = None
    """True if the striker must be native, False if it must not be, None if it may be either."""
    target_native: bool | None = None
    """True if the struck creature must be native, False if it must not be, None for either."""

    def points(self, *, striker_native: bool, target_native: bool) -> int:
        """Return skill plus power for a strike between creatures that are native or not.

        The sum is a measure of fairness, not a rule: it counts a die as much as a point of skill,
        because each makes about one more hit likely. 0 if such a strike does not get them.
        """
        fits_striker = self.striker_native in (None, striker_native)
        fits_target = self.target_native in (None, target_native)
        if fits_striker and fits_target:
            return self.skill + self.power
        return 0


NO_EFFECT = StrikeBonus()
"""No bonus and no penalty."""


class HazardRule(NamedTuple):
    """The rules of one hazard: who may enter its hex, and what happens to those who stand there."""

    entry_on_foot: Entry = Entry.FREE
    """The entry of creatures that do not fly."""
    entry_of_fliers: Entry = Entry.FREE
    """The entry of fliers.

    Those that ``entry_on_foot`` bars may fly over the hex, but not land there.
    """
    struck: StrikeBonus = NO_EFFECT
    """The effect on strikes from a neighbouring hex at a creature in the hazard."""
    striking: StrikeBonus = NO_EFFECT
    """The effect on strikes from the hazard at a creature in a neighbouring hex."""
    skill_through: int | None = 0
    """The skill that a rangestrike, a shot over a distance, gains in each such hex on its way.

    None: the hex blocks it.
    """
    rangestriking: StrikeBonus = NO_EFFECT
    """The effect on rangestrikes that begin in the hazard."""
    rangestruck: StrikeBonus = NO_EFFECT
    """The effect on rangestrikes that end in the hazard."""
    healing: int = 0
    """The hits that each turn heals of a creature in the hazard: -1 wounds it by one hit."""
    healing_affects: Affected = Affected.ALL
    """The creatures that ``healing`` heals or wounds."""
    lingers: bool = False
    """True if non-natives stay slowed by 1 after they have left."""

    @property
    def hinders(self) -> str:
        """The non-natives that it slows or keeps out, as one of the texts of ``Terrain.hinders``.

        "all" keeps out everybody, "ground" keeps out creatures on foot, "slows" keeps out nobody,
        and "" neither keeps out nor slows.
        """
        keeps_out = (Entry.NATIVES, Entry.NOBODY)
        if self.entry_of_fliers in keeps_out:
            return "all"
        if self.entry_on_foot in keeps_out:
            return "ground"
        if self.entry_on_foot is Entry.FREE:
            return ""
        return "slows"


class HexsideRule(NamedTuple):
    """The rules of one hexside. A hexside belongs to one hex; fliers cross all of them freely."""

    entry_on_foot: Entry = Entry.FREE
    """The entry of creatures that do not fly."""
    only_uphill: bool = False
    """True if it matters only where its hex is higher than the neighbour on its other side.

    Then it slows creatures that enter its hex, never those that leave it.
    """
    striking_down: StrikeBonus = NO_EFFECT
    """The effect on strikes across it out of its hex."""
    striking_up: StrikeBonus = NO_EFFECT
    """The effect on strikes across it into its hex."""
    allows_strikes: bool = True
    """True if neighbours on the ground can strike each other across it."""
    limits_rangestrikes: bool = False
    """True if it blocks some of the rangestrikes over it."""


_COVER = StrikeBonus(skill=-1, striker_native=False, target_native=True)
"""Natives struck by others are harder to hit."""

HAZARDS: dict[str, HazardRule] = {
    "Plains": HazardRule(),
    "Tower": HazardRule(),
    "Brambles": HazardRule(
        entry_on_foot=Entry.SLOWS_OTHERS,
        entry_of_fliers=Entry.SLOWS_OTHERS,
        struck=_COVER,
        striking=StrikeBonus(skill=-1, striker_native=False),
        skill_through=-1,
    ),
    "Tree": HazardRule(entry_on_foot=Entry.NATIVES, struck=_COVER, skill_through=None),
    "Drift": HazardRule(
        entry_on_foot=Entry.SLOWS_OTHERS,
        entry_of_fliers=Entry.SLOWS_OTHERS,
        healing=-1,
        healing_affects=Affected.NON_NATIVES,
    ),
    "Volcano": HazardRule(
        entry_on_foot=Entry.NATIVES,
        entry_of_fliers=Entry.NATIVES,
        striking=StrikeBonus(power=2, striker_native=True),
        rangestriking=StrikeBonus(power=2, striker_native=True),
        rangestruck=StrikeBonus(skill=-1, target_native=True),
    ),
    "Bog": HazardRule(entry_on_foot=Entry.NATIVES),
    "Lake": HazardRule(entry_on_foot=Entry.NATIVES),
    "Sand": HazardRule(
        entry_on_foot=Entry.SLOWS_OTHERS, healing=-1, healing_affects=Affected.WATER_DWELLERS
    ),
    "Stone": HazardRule(
        entry_on_foot=Entry.NATIVES,
        entry_of_fliers=Entry.NATIVES,
        struck=_COVER,
        skill_through=None,
    ),
    "Spring": HazardRule(
        entry_on_foot=Entry.SLOWS_OTHERS, entry_of_fliers=Entry.SLOWS_OTHERS, healing=1
    ),
    "TarPit": HazardRule(
        entry_on_foot=Entry.SLOWS_ALL, entry_of_fliers=Entry.SLOWS_ALL, lingers=True
    ),
}
"""The rules by the name of the hazard."""

HEXSIDES: dict[str, HexsideRule] = {
    "Slope": HexsideRule(
        entry_on_foot=Entry.SLOWS_OTHERS,
        only_uphill=True,
        striking_down=StrikeBonus(power=1, striker_native=True),
        striking_up=StrikeBonus(skill=-1, striker_native=False),
    ),
    # Players read that a dune slows; the table that the game moves by does not slow.
    "Dune": HexsideRule(
        striking_down=StrikeBonus(power=2, striker_native=True),
        striking_up=StrikeBonus(power=-1, striker_native=False),
    ),
    "Cliff": HexsideRule(entry_on_foot=Entry.NOBODY, allows_strikes=False),
    "Wall": HexsideRule(
        entry_on_foot=Entry.SLOWS_ALL,
        only_uphill=True,
        striking_up=StrikeBonus(skill=-1),
        limits_rangestrikes=True,
    ),
    # Water dwellers, too, cross a river freely: ``Creature.lives_in`` counts them as its natives.
    "River": HexsideRule(entry_on_foot=Entry.SLOWS_OTHERS),
}
"""The rules by the name of the hexside.

A river or a cliff applies in both directions, whichever of the two hexes it belongs to.
"""
