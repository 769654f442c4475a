"""The settings of the generator: what a person chooses before the dice are thrown.

``SETTINGS`` describes them for forms and the command line; ``Choices`` holds their values for the
generator::

    choices = Choices.of({"relief": "hilly", "rivers": 2})
    choices.trees_row           # "hilly"
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple, TypeVar

from randomizer.model.settings.setting import Setting
from randomizer.systems.cordery.dice import tables
from randomizer.systems.cordery.dice.decisions import read_fixed
from randomizer.systems.cordery.dice.dice_names import rename_for_road

TITLES = {
    "hills": "Hills and mountains",
    "water": "Rivers and water",
    "roads": "Roads and tracks",
    "trees": "Trees",
    "habitation": "Habitation",
    "railways": "Railways",
    "fields": "Fields",
}
"""The parts 1 to 7 of Cordery's page, by name, with their headings."""

PARTS = tuple(TITLES)
"""The names of the parts of the page, in order."""

HEADINGS = {part: f"{number} {title}" for number, (part, title) in enumerate(TITLES.items(), 1)}
"""The headings with their numbers: the groups of the settings."""

_PART_OF_DIGIT = {str(number): part for number, part in enumerate(PARTS, 1)}
"""The parts by the digit with which the numbers of their steps begin."""


def part_of_step(step: str) -> str:
    """Return the part of the page to which a numbered step ("2.1") belongs; "" if it is no step.

    3.4 belongs to habitation, because it joins the places of part 5.
    """
    if step == "3.4":
        return "habitation"
    return _PART_OF_DIGIT.get(step[:1], "")


_DICE_OF_PARTS = re.compile(
    r"""
    (?:
    (?P<hills> hills? )
    | (?P<water> river | lakes? | marsh (?:es)? )
    | (?P<habitation> inhabited\ areas? | (?: road | track )\ to )  # 3.4 joins places of part 5
    | (?P<roads> road | track )
    | (?P<trees> trees )
    | (?P<railways> railway )
    | (?P<fields> fields? )
    )[ ]
    """,
    re.VERBOSE,
)
"""The first words of the names of dice, by the part of the page that asks for them."""


def part_of_die(name: str) -> str:
    """Return the part of the page that asks for the die of this name; "" if none does."""
    match = _DICE_OF_PARTS.match(name)
    if match is None:
        return ""
    return match.lastgroup or ""


MOST_ROUTES = 4
"""The largest number of rivers, roads or railways of a table."""

MOST_REPEATS = 1_000_000
"""The largest number of times a part can be thrown again."""


class CountedRoute(NamedTuple):
    """The routes of one kind: how many there are, and what sets their number."""

    setting: str
    """The name of the setting of their number: "rivers"."""

    part: str
    """The part of the page that adds them: "water"."""

    noun: str
    """The word in the names of their dice: "river"."""

    number: int
    """How many of them are chosen."""


_Value = TypeVar("_Value", str, int, bool)


def _setting(
    default: _Value,
    help_text: str,
    *,
    title: str = "",
    part: str = "",
    choices: tuple[tuple[str, str], ...] = (),
    maximum: int | None = None,
) -> _Value:
    """Return a dataclass field of ``Choices`` that carries the description of its setting.

    It is declared to return the default's own type, as ``dataclasses.field`` is. An int is a count
    from 0, called "none", to ``maximum``. ``choices`` are pairs of a value and its title. Settings
    without a ``part`` stand in no group of a form.
    """
    is_count = type(default) is int
    minimum = None
    zero = ""
    if is_count:
        minimum = 0
        zero = "none"
    description = Setting(
        "",  # the field's name, which ``SETTINGS`` fills in
        type(default),
        help_text,
        default,
        choices,
        minimum=minimum,
        maximum=maximum,
        title=title,
        group=HEADINGS.get(part, ""),
        zero=zero,
    )
    return field(default=default, metadata={"setting": description})


@dataclass(frozen=True)
class Choices:
    """The values of the settings, each described in its field; it never changes.

    An empty ``relief`` is the one that goes with ``cover``; a count of 0 means none.

    ``grid`` and ``size`` are for new tables. ``first`` is the first part to throw; the results of
    earlier parts are already on the table. ``fixed`` holds decisions and dice in the format of
    ``throws.read_fixed``, and ``program_dice`` names those of them that the program threw for a
    person who enters dice. ``<part>_again`` counts how often a part was thrown again, and
    ``previous_areas`` says where the features after that part were then.
    """

    dice: str = _setting(
        "thrown",
        "Thrown by the program, or real dice that are entered one after the other",
        title="Dice",
        choices=(("thrown", "Thrown by the program"), ("typed", "Entered by hand")),
    )
    hills: bool = _setting(
        True, "Whether there are hills and mountains (1)", title=HEADINGS["hills"], part="hills"
    )
    relief: str = _setting(
        "",
        "How high the country is (1.1); empty: undulating, or flat in a desert",
        title="Country",
        part="hills",
        choices=(
            ("", "Undulating, or flat in a desert"),
            (tables.OPEN, "Open or flat"),
            (tables.UNDULATING, "Undulating"),
            (tables.HILLY, "Hilly"),
            (tables.MOUNTAINOUS, "Mountainous"),
        ),
    )
    chains: bool = _setting(
        True,
        "Whether hills, lakes, marshes and trees may stand in chains (1.3); villages and towns "
        "always do",
        title="Chains and ridges",
        part="hills",
    )
    rivers: int = _setting(
        1,
        "How many rivers cross the table (2.1)",
        title="Rivers",
        part="water",
        maximum=MOST_ROUTES,
    )
    lakes: bool = _setting(
        False, "Whether this is a region of lakes (2.3)", title="A region of lakes", part="water"
    )
    marshes: bool = _setting(
        False,
        "Whether this is a region of marshes (2.4)",
        title="A region of marshes",
        part="water",
    )
    roads: int = _setting(
        1,
        "How many roads or tracks cross the table (3.1)",
        title="Roads",
        part="roads",
        maximum=MOST_ROUTES,
    )
    road: str = _setting(
        "road",
        "Metalled roads, or tracks",
        title="Kind",
        part="roads",
        choices=(("road", "Roads (metalled)"), ("track", "Tracks (of earth)")),
    )
    join: bool = _setting(
        True,
        "Whether villages and towns that no road passes are joined to one (3.4); a settlement of "
        "one area is not",
        title="Join villages and towns",
        part="roads",
    )
    trees: bool = _setting(
        True, "Whether there are trees (4)", title=HEADINGS["trees"], part="trees"
    )
    cover: str = _setting(
        "relief",
        "How many trees grow (4.1): as the country, a desert or a forest has; the ground looks the "
        "same",
        title="Cover",
        part="trees",
        choices=(
            ("relief", "Ordinary"),
            (tables.DESERT, "Desert"),
            (tables.FORESTED, "Forested"),
        ),
    )
    climate: str = _setting(
        "deciduous",
        "Which trees grow here",
        title="Kind",
        part="trees",
        choices=(("deciduous", "Deciduous"), ("coniferous", "Coniferous"), ("palm", "Palms")),
    )
    habitation: bool = _setting(
        True, "Whether anyone lives here (5)", title=HEADINGS["habitation"], part="habitation"
    )
    area: str = _setting(
        tables.CULTIVATED,
        "How densely people live here (5.1, 7.1)",
        title="Area",
        part="habitation",
        choices=(
            (tables.WILD, "Wild: few live here"),
            (tables.CULTIVATED, "Cultivated, rural"),
            (tables.URBAN, "Urban"),
        ),
    )
    railways: int = _setting(
        0,
        "How many railways cross the table (6.1); 0 before they were built",
        title="Railways",
        part="railways",
        maximum=MOST_ROUTES,
    )
    detour: bool = _setting(
        False,
        "Whether railways bend to pass a village or town (6.1)",
        title="Bend to pass a place",
        part="railways",
    )
    fields: bool = _setting(
        True, "Whether there are fields (7)", title=HEADINGS["fields"], part="fields"
    )
    planted: str = _setting(
        "none",
        "What grows here in fields besides corn (7.3)",
        title="Besides corn",
        part="fields",
        choices=(
            ("none", "Nothing"),
            ("orchard", "Orchards"),
            ("olive grove", "Olive groves"),
            ("vineyard", "Vineyards"),
        ),
    )
    first: str = _setting(
        PARTS[0],
        "The part of the page to begin with, on the table as it stands",
        choices=tuple(TITLES.items()),
    )
    fixed: str = _setting(
        "",
        "Decisions and dice fixed by hand: name = value, parted by semicolons; ? tells the names",
    )
    program_dice: str = _setting(
        "",
        "Where dice are entered, those that the program threw: names, parted by semicolons",
    )
    previous_areas: str = _setting(
        "",
        "Where features stay that lay after a part thrown again: name = area, parted by semicolons",
    )
    grid: str = _setting(
        "hex",
        "Areas of a new table: squares or hexes",
        choices=(("square", "Squares"), ("hex", "Hexes")),
    )
    size: str = _setting("", "Columns x rows of a new table; empty: 8x8 squares, 9x8 hexes")
    box: str = _setting("", "The pieces in the box (hill = 5; bridge = 2); empty: no end of them")
    hills_again: int = _setting(
        0, "How often the part hills was thrown again", maximum=MOST_REPEATS
    )
    water_again: int = _setting(
        0, "How often the part water was thrown again", maximum=MOST_REPEATS
    )
    roads_again: int = _setting(
        0, "How often the part roads was thrown again", maximum=MOST_REPEATS
    )
    trees_again: int = _setting(
        0, "How often the part trees was thrown again", maximum=MOST_REPEATS
    )
    habitation_again: int = _setting(
        0, "How often the part habitation was thrown again", maximum=MOST_REPEATS
    )
    railways_again: int = _setting(
        0, "How often the part railways was thrown again", maximum=MOST_REPEATS
    )
    fields_again: int = _setting(
        0, "How often the part fields was thrown again", maximum=MOST_REPEATS
    )

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Choices:
        """Return the choices from checked settings of a roll.

        Settings that are missing, or None, have their defaults. Settings that every generator has
        are left out.
        """
        names = cls.__dataclass_fields__.keys() & settings.keys()
        return cls(**{name: settings[name] for name in names if settings[name] is not None})  # type: ignore[arg-type]

    @property
    def relief_in_use(self) -> str:
        """The relief that step 1 uses."""
        if not self.relief:
            return self.default_relief
        return self.relief

    @property
    def default_relief(self) -> str:
        """The relief where none is chosen: it follows the cover."""
        return tables.RELIEF_OF_COVER[self.cover]

    @property
    def trees_row(self) -> str:
        """The row of the table of step 4.1, which has rows for reliefs and for two covers."""
        if self.cover == "relief":
            return self.relief_in_use
        return self.cover

    @property
    def routes(self) -> tuple[CountedRoute, ...]:
        """The routes across the table and their counts."""
        return (
            CountedRoute("rivers", "water", "river", self.rivers),
            CountedRoute("roads", "roads", self.road, self.roads),
            CountedRoute("railways", "railways", "railway", self.railways),
        )

    def first_part(self, names: Collection[str]) -> str:
        """Return the first part of the page for which one of these settings counts.

        A setting that belongs to no part, such as ``box``, counts for all of them.
        """
        parts = {_part_of_setting(name) for name in names}
        if "cover" in names and not self.relief:
            parts.add(PARTS[0])  # the relief follows the cover
        return min(parts, key=PARTS.index, default=PARTS[0])

    def repeats(self) -> dict[str, int]:
        """Return how often each part was thrown again."""
        return {part: getattr(self, f"{part}_again") for part in PARTS}

    def decisions(self) -> dict[str, str]:
        """Return the decisions and dice of ``fixed`` by name.

        Those of roads hold for tracks, too, and the other way round: they have the names that go
        with ``road``. Raises ProblemError for a syntax error.
        """
        if self.asks_for_names:
            return {}
        values = read_fixed(self.fixed)
        return {rename_for_road(name, self.road): value for name, value in values.items()}

    @property
    def names_of_program_dice(self) -> tuple[str, ...]:
        """The names in ``program_dice``, as those of ``decisions``."""
        names = (name.strip() for name in self.program_dice.split(";"))
        return tuple(rename_for_road(name, self.road) for name in names if name)

    @property
    def asks_for_names(self) -> bool:
        """True if ``fixed`` asks which names it can hold."""
        return self.fixed.strip() == "?"


SETTINGS: tuple[Setting, ...] = tuple(
    replace(entry.metadata["setting"], name=entry.name) for entry in fields(Choices)
)
"""The settings, described for forms and the command line."""

_PART_OF_HEADING = {heading: part for part, heading in HEADINGS.items()}


def _part_of_setting(name: str) -> str:
    """Return the part of the page that uses a setting; the first part if it belongs to none."""
    group = next((setting.group for setting in SETTINGS if setting.name == name), "")
    return _PART_OF_HEADING.get(group, PARTS[0])
