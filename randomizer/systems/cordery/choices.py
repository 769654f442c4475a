"""What a person chooses before the dice are thrown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

from randomizer.generator import Setting
from randomizer.systems.cordery import tables
from randomizer.systems.cordery.throws import read_fixed

KINDS = ("hills", "water", "roads", "trees", "habitation", "railways", "fields")
"""The parts of the page, 1 to 7."""


_PART_OF_DIGIT = {str(number): kind for number, kind in enumerate(KINDS, 1)}


def part_of(step: str) -> str:
    """The part of the page that lays a numbered step (3.4 waits for the places that it joins).

    "" for what is no step of the page: a file's log may say anything.
    """
    return "habitation" if step == "3.4" else _PART_OF_DIGIT.get(step[:1], "")


MOST_ROUTES = 4
MOST_ANEW = 1_000_000


class CountedRoute(NamedTuple):
    """Routes of one kind: the setting that counts them, the part of the page that lays them, what
    one is called in the names of its dice, and how many there are."""

    setting: str
    part: str
    each: str
    now: int


@dataclass(frozen=True)
class Choices:
    """The answers to the form. ``relief`` "" goes by the cover; counts are 0 for none.

    ``grid`` and ``size`` are for a table that is not there yet. ``first`` is the part of the page
    to begin with: what the parts before it laid is on the table. ``fixed`` holds decisions and dice
    as ``throws.read_fixed`` reads them; ``<kind>_anew`` counts how often a part was thrown anew.
    """

    relief: str = ""
    cover: str = "relief"
    area: str = tables.CULTIVATED
    climate: str = "deciduous"
    hills: bool = True
    rivers: int = 1
    lakes: bool = False
    marshes: bool = False
    roads: int = 1
    road: str = "road"
    join: bool = True
    trees: bool = True
    habitation: bool = True
    railways: int = 0
    detour: bool = False
    fields: bool = True
    planted: str = "none"
    first: str = KINDS[0]
    dice: str = "thrown"
    fixed: str = ""
    grid: str = "hex"
    size: str = ""
    box: str = ""
    hills_anew: int = 0
    water_anew: int = 0
    roads_anew: int = 0
    trees_anew: int = 0
    habitation_anew: int = 0
    railways_anew: int = 0
    fields_anew: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Choices:
        """The choices that checked settings make; what they do not name is as by default."""
        return cls(**{name: value for name, value in settings.items() if value is not None})  # type: ignore[arg-type]

    @property
    def lie(self) -> str:
        """The relief that step 1 goes by."""
        return self.relief or self.usual_relief

    @property
    def usual_relief(self) -> str:
        """The relief where none is chosen: it goes by the cover."""
        return tables.RELIEF_OF_COVER[self.cover]

    @property
    def trees_by(self) -> str:
        """The row of step 4.1."""
        return self.lie if self.cover == "relief" else self.cover

    @property
    def routes(self) -> tuple[CountedRoute, ...]:
        """What crosses the table by choice, and how often."""
        return (
            CountedRoute("rivers", "water", "river", self.rivers),
            CountedRoute("roads", "roads", self.road, self.roads),
            CountedRoute("railways", "railways", "railway", self.railways),
        )

    def anew(self) -> dict[str, int]:
        """How often each part was thrown anew."""
        return {kind: getattr(self, f"{kind}_anew") for kind in KINDS}

    def decisions(self) -> dict[str, str]:
        """Everything that was fixed by hand. Raises ProblemError if it cannot be read."""
        return read_fixed(self.fixed)


_HELP = {
    "relief": "How high the country is (1.1); empty: what goes with the cover",
    "cover": "What step 4.1 counts trees by: the relief, or a desert, or a forest",
    "area": "How densely people live here (5.1, 7.1)",
    "climate": "Which trees grow here",
    "hills": "Whether there are hills and mountains (1)",
    "rivers": "How many rivers cross the table (2.1)",
    "lakes": "Whether this is a region of lakes (2.3)",
    "marshes": "Whether this is a region of marshes (2.4)",
    "roads": "How many roads or tracks cross the table (3.1)",
    "road": "Metalled roads, or tracks",
    "join": "Whether villages and towns that no road passes are joined to one (3.4)",
    "trees": "Whether there are trees (4)",
    "habitation": "Whether anyone lives here (5)",
    "railways": "How many railways cross the table (6.1); 0 before they were built",
    "detour": "Whether railways bend to pass a village or town (6.1)",
    "fields": "Whether there are fields (7)",
    "planted": "What grows here in fields besides corn (7.3)",
    "first": "The part of the page to begin with, on the table as it stands",
    "dice": "Thrown by the program, or typed in from the table",
    "grid": "Areas of a new table: squares or hexes",
    "size": "Columns x rows of a new table; empty: 8x8 squares, 9x8 hexes",
    "fixed": "Decisions and dice fixed by hand: name = value, parted by semicolons",
    "box": "The pieces in the box (hill = 5; bridge = 2); empty: no end of them",
}
_CHOICES = {
    "relief": ("", *tables.RELIEFS),
    "cover": tables.COVERS,
    "area": tables.AREAS,
    "grid": ("square", "hex"),
    "climate": ("deciduous", "coniferous", "palm"),
    "road": ("road", "track"),
    "planted": ("none", "orchard", "olive grove", "vineyard"),
    "first": KINDS,
    "dice": ("thrown", "typed"),
}
_MOST = {"rivers": MOST_ROUTES, "roads": MOST_ROUTES, "railways": MOST_ROUTES}


def _setting(name: str, default: object) -> Setting:
    whole = type(default) is int
    most = _MOST.get(name, MOST_ANEW) if whole else None
    words = _HELP.get(name) or f"How often the part {name.removesuffix('_anew')} was thrown anew"
    choices = _CHOICES.get(name, ())
    return Setting(name, type(default), words, default, choices, 0 if whole else None, most)


SETTINGS = tuple(_setting(entry.name, entry.default) for entry in fields(Choices))
"""The same for the catalogue's forms and the command line."""
