"""What a person chooses before the dice are thrown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple, TypeVar

from randomizer.model.setting import Setting
from randomizer.systems.cordery import tables
from randomizer.systems.cordery.throws import read_fixed

TITLES = {
    "hills": "Hills and mountains",
    "water": "Rivers and water",
    "roads": "Roads and tracks",
    "trees": "Trees",
    "habitation": "Habitation",
    "railways": "Railways",
    "fields": "Fields",
}
"""The parts of the page, 1 to 7, and what their headings call them."""

KINDS = tuple(TITLES)
"""The parts of the page, 1 to 7."""

HEADINGS = {part: f"{number} {title}" for number, (part, title) in enumerate(TITLES.items(), 1)}
"""The headings of the parts with their numbers: the groups of the settings."""

_PART_OF_DIGIT = {str(number): kind for number, kind in enumerate(KINDS, 1)}


def part_of(step: str) -> str:
    """The part of the page that lays a numbered step (3.4 waits for the places that it joins).

    "" for what is no step of the page: a file's log may say anything.
    """
    return "habitation" if step == "3.4" else _PART_OF_DIGIT.get(step[:1], "")


MOST_ROUTES = 4
"""So many rivers, roads and railways each may cross a table."""

MOST_ANEW = 1_000_000
"""So often a part may be thrown anew."""


class CountedRoute(NamedTuple):
    """Routes of one kind: the setting that counts them, the part of the page that lays them, what
    one is called in the names of its dice, and how many there are."""

    setting: str
    part: str
    each: str
    now: int


_Value = TypeVar("_Value", str, int, bool)


def _setting(
    default: _Value,
    words: str,
    title: str = "",
    part: str = "",
    choices: tuple[tuple[str, str], ...] = (),
    most: int | None = None,
) -> _Value:
    """A field of ``Choices`` with its description. ``words`` are its help; a number is a count."""
    counted = type(default) is int
    described = Setting(
        "",
        type(default),
        words,
        default,
        choices,
        least=0 if counted else None,
        most=most,
        title=title,
        group=HEADINGS.get(part, ""),
        zero="none" if counted else "",
    )
    return field(default=default, metadata={"setting": described})


@dataclass(frozen=True)
class Choices:
    """The answers to the form. ``relief`` "" goes by the cover; counts are 0 for none.

    ``grid`` and ``size`` are for a table that is not there yet. ``first`` is the part of the page
    to begin with: what the parts before it laid is on the table. ``fixed`` holds decisions and dice
    as ``throws.read_fixed`` reads them; ``<kind>_anew`` counts how often a part was thrown anew.
    """

    hills: bool = _setting(
        True, "Whether there are hills and mountains (1)", HEADINGS["hills"], "hills"
    )
    relief: str = _setting(
        "",
        "How high the country is (1.1); empty: what goes with the cover",
        "Country",
        "hills",
        (
            ("", "Usual"),
            (tables.OPEN, "Open or flat"),
            (tables.UNDULATING, "Undulating"),
            (tables.HILLY, "Hilly"),
            (tables.MOUNTAINOUS, "Mountainous"),
        ),
    )
    rivers: int = _setting(
        1, "How many rivers cross the table (2.1)", "Rivers", "water", most=MOST_ROUTES
    )
    lakes: bool = _setting(
        False, "Whether this is a region of lakes (2.3)", "A region of lakes", "water"
    )
    marshes: bool = _setting(
        False, "Whether this is a region of marshes (2.4)", "A region of marshes", "water"
    )
    roads: int = _setting(
        1, "How many roads or tracks cross the table (3.1)", "Roads", "roads", most=MOST_ROUTES
    )
    road: str = _setting(
        "road",
        "Metalled roads, or tracks",
        "Kind",
        "roads",
        (("road", "Roads (metalled)"), ("track", "Tracks (of earth)")),
    )
    join: bool = _setting(
        True,
        "Whether villages and towns that no road passes are joined to one (3.4)",
        "Join villages and towns",
        "roads",
    )
    trees: bool = _setting(True, "Whether there are trees (4)", HEADINGS["trees"], "trees")
    cover: str = _setting(
        "relief",
        "What step 4.1 counts trees by: the relief, or a desert, or a forest",
        "Cover",
        "trees",
        (
            ("relief", "Usual for the country"),
            (tables.DESERT, "Desert"),
            (tables.FORESTED, "Forested"),
        ),
    )
    climate: str = _setting(
        "deciduous",
        "Which trees grow here",
        "Kind",
        "trees",
        (("deciduous", "Deciduous"), ("coniferous", "Coniferous"), ("palm", "Palms")),
    )
    habitation: bool = _setting(
        True, "Whether anyone lives here (5)", HEADINGS["habitation"], "habitation"
    )
    area: str = _setting(
        tables.CULTIVATED,
        "How densely people live here (5.1, 7.1)",
        "Area",
        "habitation",
        (
            (tables.WILD, "Wild: few live here"),
            (tables.CULTIVATED, "Cultivated, rural"),
            (tables.URBAN, "Urban"),
        ),
    )
    railways: int = _setting(
        0,
        "How many railways cross the table (6.1); 0 before they were built",
        "Railways",
        "railways",
        most=MOST_ROUTES,
    )
    detour: bool = _setting(
        False,
        "Whether railways bend to pass a village or town (6.1)",
        "Bend to pass a place",
        "railways",
    )
    fields: bool = _setting(True, "Whether there are fields (7)", HEADINGS["fields"], "fields")
    planted: str = _setting(
        "none",
        "What grows here in fields besides corn (7.3)",
        "Besides corn",
        "fields",
        (
            ("none", "Nothing"),
            ("orchard", "Orchards"),
            ("olive grove", "Olive groves"),
            ("vineyard", "Vineyards"),
        ),
    )
    first: str = _setting(
        KINDS[0],
        "The part of the page to begin with, on the table as it stands",
        choices=tuple(TITLES.items()),
    )
    dice: str = _setting(
        "thrown",
        "Thrown by the program, or typed in from the table",
        "Dice",
        choices=(("thrown", "Thrown by the program"), ("typed", "Entered by hand")),
    )
    fixed: str = _setting(
        "", "Decisions and dice fixed by hand: name = value, parted by semicolons"
    )
    grid: str = _setting(
        "hex",
        "Areas of a new table: squares or hexes",
        choices=(("square", "Squares"), ("hex", "Hexes")),
    )
    size: str = _setting("", "Columns x rows of a new table; empty: 8x8 squares, 9x8 hexes")
    box: str = _setting("", "The pieces in the box (hill = 5; bridge = 2); empty: no end of them")
    hills_anew: int = _setting(0, "How often the part hills was thrown anew", most=MOST_ANEW)
    water_anew: int = _setting(0, "How often the part water was thrown anew", most=MOST_ANEW)
    roads_anew: int = _setting(0, "How often the part roads was thrown anew", most=MOST_ANEW)
    trees_anew: int = _setting(0, "How often the part trees was thrown anew", most=MOST_ANEW)
    habitation_anew: int = _setting(
        0, "How often the part habitation was thrown anew", most=MOST_ANEW
    )
    railways_anew: int = _setting(0, "How often the part railways was thrown anew", most=MOST_ANEW)
    fields_anew: int = _setting(0, "How often the part fields was thrown anew", most=MOST_ANEW)

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


SETTINGS: tuple[Setting, ...] = tuple(
    replace(entry.metadata["setting"], name=entry.name) for entry in fields(Choices)
)
"""The fields of ``Choices`` as descriptions, for forms and the command line."""
