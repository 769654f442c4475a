"""What every hazard and hexside does to movement and strikes, for natives and for others.

The one table of these rules: passability, fairness and the tests read it. Source: the section
"Movement, strikes and entry sides" of the project's fact sheet on Colossus, the game's rules as it
plays them. A water dweller is a native of Lake.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Entry(StrEnum):
    """Who may enter, and for whom it costs 2 instead of 1."""

    FREE = "free"
    SLOWS_OTHERS = "slows non-natives"
    SLOWS_ALL = "slows all"
    NATIVES = "natives only"
    NOBODY = "nobody"


class Strike(NamedTuple):
    """What a strike gains or loses.

    ``by`` and ``at``: striker or struck must be native (True), must not (False), either (None).
    """

    skill: int = 0
    power: int = 0
    by: bool | None = None
    at: bool | None = None

    def points(self, by: bool, at: bool) -> int:
        """Skill and power together, for a striker and a struck that are native or not."""
        holds = self.by in (None, by) and self.at in (None, at)
        return self.skill + self.power if holds else 0


AS_EVER = Strike()


class HazardRule(NamedTuple):
    """One hazard's row. ``through``: skill that a rangestrike loses on its way (None: it is
    blocked). ``heals`` is what a stay of one turn does (below 0: wounds) to ``heals_whom``.
    """

    ground: Entry = Entry.FREE
    fliers: Entry = Entry.FREE
    struck: Strike = AS_EVER
    striking: Strike = AS_EVER
    through: int | None = 0
    ranged: Strike = AS_EVER
    rangestruck: Strike = AS_EVER
    heals: int = 0
    heals_whom: str = "all"
    lingers: bool = False

    @property
    def hinders(self) -> str:
        """Whom of those not native it slows or keeps out (``Terrain.hinders``)."""
        if self.fliers is Entry.NATIVES:
            return "all"
        if self.ground is Entry.NATIVES:
            return "ground"
        return "" if self.ground is Entry.FREE else "slows"


class HexsideRule(NamedTuple):
    """One hexside's row; fliers cross all of them freely.

    ``uphill``: movement and strikes heed it only where the hex that carries it is the higher one.
    ``down`` is a strike out of the hex that carries it, ``up`` one into that hex.
    """

    ground: Entry = Entry.FREE
    uphill: bool = False
    down: Strike = AS_EVER
    up: Strike = AS_EVER
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
"""``lingers``: non-natives stay slowed by 1 when they have left."""

HEXSIDES: dict[str, HexsideRule] = {
    "Slope": HexsideRule(
        Entry.SLOWS_OTHERS,
        uphill=True,
        down=Strike(power=1, by=True),
        up=Strike(skill=-1, by=False),
    ),
    # Players are told that a dune slows; the game's own table, which it moves by, does not.
    "Dune": HexsideRule(down=Strike(power=2, by=True), up=Strike(power=-1, by=False)),
    "Cliff": HexsideRule(Entry.NOBODY, strikes=False),
    "Wall": HexsideRule(
        Entry.SLOWS_ALL, uphill=True, up=Strike(skill=-1), limits_rangestrikes=True
    ),
    "River": HexsideRule(Entry.SLOWS_OTHERS),
}
"""A river on either side of an edge counts, so does a cliff; water dwellers pass rivers freely."""
