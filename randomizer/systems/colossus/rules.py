"""The effects of every hazard and hexside on movement and strikes, for natives and others.

The only table of these rules: passability, fairness and the tests use it. Source: the section
"Movement, strikes and entry sides" of the project's fact sheet on Colossus, the game's rules as it
plays them. A water dweller is a native of Lake.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Entry(StrEnum):
    """The creatures that can enter, and those for which it costs 2 instead of 1."""

    FREE = "free"
    SLOWS_OTHERS = "slows non-natives"
    SLOWS_ALL = "slows all"
    NATIVES = "natives only"
    NOBODY = "nobody"


class Residents(StrEnum):
    """The creatures that a hazard heals, or wounds, when they stay in it."""

    ALL = "all"
    NON_NATIVES = "non-natives"
    WATER_DWELLERS = "water dwellers"


class StrikeEffect(NamedTuple):
    """The bonus or penalty of a strike, and between whom it holds."""

    skill: int = 0
    """Added to the striker's skill: each point makes each die likelier to hit."""

    power: int = 0
    """Added to the striker's power, which is its number of dice."""

    striker_native: bool | None = None
    """Whether the striker must be a native (True), must not be (False), or either (None)."""

    target_native: bool | None = None
    """The same of the target."""

    def points(self, striker_native: bool, target_native: bool) -> int:
        """Return skill and power together, for two creatures that are native or not.

        Measures of fairness count a point of either as one; battles do not use it.
        """
        holds_for_striker = self.striker_native in (None, striker_native)
        holds_for_target = self.target_native in (None, target_native)
        if holds_for_striker and holds_for_target:
            return self.skill + self.power
        return 0


NO_EFFECT = StrikeEffect()


class HazardRule(NamedTuple):
    """The rules of one hazard."""

    ground: Entry = Entry.FREE
    """Who on foot can enter it."""

    fliers: Entry = Entry.FREE
    """Which fliers can fly over it and land in it (who cannot enter on foot never lands)."""

    struck: StrikeEffect = NO_EFFECT
    """On a strike at a target that stands in it."""

    striking: StrikeEffect = NO_EFFECT
    """On a strike by a striker that stands in it."""

    through: int | None = 0
    """The skill that a rangestrike loses for each such hex between; None: it is blocked."""

    ranged: StrikeEffect = NO_EFFECT
    """On a rangestrike by a striker that stands in it."""

    rangestruck: StrikeEffect = NO_EFFECT
    """On a rangestrike at a target that stands in it."""

    heals: int = 0
    """The hits that are healed by staying in it for a round of strikes; below 0: wounds."""

    residents: Residents = Residents.ALL
    """Whom it heals or wounds."""

    lingers: bool = False
    """Whether non-natives stay slowed by 1 after they have left it."""

    @property
    def hinders(self) -> str:
        """The non-natives that it slows or keeps out (``Terrain.hinders``)."""
        if self.fliers is Entry.NATIVES:
            return "all"
        if self.ground is Entry.NATIVES:
            return "ground"
        return "" if self.ground is Entry.FREE else "slows"


class HexsideRule(NamedTuple):
    """The rules of one hexside; fliers cross all of them freely."""

    ground: Entry = Entry.FREE
    """Who on foot can cross it."""

    uphill: bool = False
    """Whether it affects movement and strikes only where the hex that carries it is higher."""

    down: StrikeEffect = NO_EFFECT
    """On a strike out of the hex that carries it."""

    up: StrikeEffect = NO_EFFECT
    """On a strike into the hex that carries it."""

    strikes: bool = True
    """Whether creatures strike across it."""

    limits_rangestrikes: bool = False
    """Whether it limits where rangestrikes can go across it (``battle/line_of_sight.py``)."""


_COVER = StrikeEffect(skill=-1, striker_native=False, target_native=True)
"""Natives struck by others are harder to hit."""

HAZARDS: dict[str, HazardRule] = {
    "Plains": HazardRule(),
    "Tower": HazardRule(),
    "Brambles": HazardRule(
        Entry.SLOWS_OTHERS,
        Entry.SLOWS_OTHERS,
        struck=_COVER,
        striking=StrikeEffect(skill=-1, striker_native=False),
        through=-1,
    ),
    "Tree": HazardRule(Entry.NATIVES, struck=_COVER, through=None),
    "Drift": HazardRule(
        Entry.SLOWS_OTHERS, Entry.SLOWS_OTHERS, heals=-1, residents=Residents.NON_NATIVES
    ),
    "Volcano": HazardRule(
        Entry.NATIVES,
        Entry.NATIVES,
        striking=StrikeEffect(power=2, striker_native=True),
        ranged=StrikeEffect(power=2, striker_native=True),
        rangestruck=StrikeEffect(skill=-1, target_native=True),
    ),
    "Bog": HazardRule(Entry.NATIVES),
    "Lake": HazardRule(Entry.NATIVES),
    "Sand": HazardRule(Entry.SLOWS_OTHERS, heals=-1, residents=Residents.WATER_DWELLERS),
    "Stone": HazardRule(Entry.NATIVES, Entry.NATIVES, struck=_COVER, through=None),
    "Spring": HazardRule(Entry.SLOWS_OTHERS, Entry.SLOWS_OTHERS, heals=1),
    "TarPit": HazardRule(Entry.SLOWS_ALL, Entry.SLOWS_ALL, lingers=True),
}
"""The rules of all hazards, by name."""

HEXSIDES: dict[str, HexsideRule] = {
    "Slope": HexsideRule(
        Entry.SLOWS_OTHERS,
        uphill=True,
        down=StrikeEffect(power=1, striker_native=True),
        up=StrikeEffect(skill=-1, striker_native=False),
    ),
    # Players read that a dune slows; the table that the game moves by does not slow.
    "Dune": HexsideRule(
        down=StrikeEffect(power=2, striker_native=True),
        up=StrikeEffect(power=-1, striker_native=False),
    ),
    "Cliff": HexsideRule(Entry.NOBODY, strikes=False),
    "Wall": HexsideRule(
        Entry.SLOWS_ALL, uphill=True, up=StrikeEffect(skill=-1), limits_rangestrikes=True
    ),
    "River": HexsideRule(Entry.SLOWS_OTHERS),
}
"""The rules of all hexsides, by name.

A river or cliff on either side of an edge applies; water dwellers cross rivers freely.
"""
