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


class Strike(NamedTuple):
    """The bonus or penalty of a strike.

    ``by`` and ``at``: striker or struck must be native (True), must not be (False), or either
    (None).
    """

    skill: int = 0
    power: int = 0
    by: bool | None = None
    at: bool | None = None

    def points(self, by: bool, at: bool) -> int:
        """Skill and power together, for a striker and a struck creature that are native or not."""
        holds = self.by in (None, by) and self.at in (None, at)
        if holds:
            return self.skill + self.power
        return 0


NO_EFFECT = Strike()


class HazardRule(NamedTuple):
    """The rules of one hazard.

    ``through``: skill that a rangestrike loses crossing it (None: it is blocked). ``heals`` is the
    effect of staying one turn (below 0: wounds) on ``heals_whom``.
    """

    ground: Entry = Entry.FREE
    fliers: Entry = Entry.FREE
    struck: Strike = NO_EFFECT
    striking: Strike = NO_EFFECT
    through: int | None = 0
    ranged: Strike = NO_EFFECT
    rangestruck: Strike = NO_EFFECT
    heals: int = 0
    heals_whom: str = "all"
    lingers: bool = False

    @property
    def hinders(self) -> str:
        """The non-natives that it slows or keeps out (``Terrain.hinders``)."""
        if self.fliers is Entry.NATIVES:
            return "all"
        if self.ground is Entry.NATIVES:
            return "ground"
        return "" if self.ground is Entry.FREE else "slows"


class HexsideRule(NamedTuple):
    """The rules of one hexside; fliers cross all of them freely.

    ``uphill``: it affects movement and strikes only where the hex that carries it is the higher
    one. ``down`` is a strike out of the hex that carries it, ``up`` one into that hex.
    """

    ground: Entry = Entry.FREE
    uphill: bool = False
    down: Strike = NO_EFFECT
    up: Strike = NO_EFFECT
    strikes: bool = True
    limits_rangestrikes: bool = False


_COVER = Strike(skill=-1, by=False, at=True)
"""Natives struck by others are harder to hit."""

HAZARDS: dict[str, HazardRule] = {
    "Plains": HazardRule(),
    "Tower": HazardRule(),
    "Brambles": HazardRule(
        Entry.SLOWS_OTHERS,
        Entry.SLOWS_OTHERS,
        struck=_COVER,
        striking=Strike(skill=-1, by=False),
        through=-1,
    ),
    "Tree": HazardRule(Entry.NATIVES, struck=_COVER, through=None),
    "Drift": HazardRule(Entry.SLOWS_OTHERS, Entry.SLOWS_OTHERS, heals=-1, heals_whom="non-natives"),
    "Volcano": HazardRule(
        Entry.NATIVES,
        Entry.NATIVES,
        striking=Strike(power=2, by=True),
        ranged=Strike(power=2, by=True),
        rangestruck=Strike(skill=-1, at=True),
    ),
    "Bog": HazardRule(Entry.NATIVES),
    "Lake": HazardRule(Entry.NATIVES),
    "Sand": HazardRule(Entry.SLOWS_OTHERS, heals=-1, heals_whom="water dwellers"),
    "Stone": HazardRule(Entry.NATIVES, Entry.NATIVES, struck=_COVER, through=None),
    "Spring": HazardRule(Entry.SLOWS_OTHERS, Entry.SLOWS_OTHERS, heals=1),
    "TarPit": HazardRule(Entry.SLOWS_ALL, Entry.SLOWS_ALL, lingers=True),
}
"""``lingers``: non-natives stay slowed by 1 after they have left."""

HEXSIDES: dict[str, HexsideRule] = {
    "Slope": HexsideRule(
        Entry.SLOWS_OTHERS,
        uphill=True,
        down=Strike(power=1, by=True),
        up=Strike(skill=-1, by=False),
    ),
    # Players read that a dune slows; the table that the game moves by does not slow.
    "Dune": HexsideRule(down=Strike(power=2, by=True), up=Strike(power=-1, by=False)),
    "Cliff": HexsideRule(Entry.NOBODY, strikes=False),
    "Wall": HexsideRule(
        Entry.SLOWS_ALL, uphill=True, up=Strike(skill=-1), limits_rangestrikes=True
    ),
    "River": HexsideRule(Entry.SLOWS_OTHERS),
}
"""A river or cliff on either side of an edge applies; water dwellers cross rivers freely."""
