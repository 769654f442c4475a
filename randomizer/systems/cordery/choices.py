"""The settings of the generator: what a person chooses before the dice are thrown.

``SETTINGS`` describes them for forms and the command line; ``Choices`` holds their values for the
generator::

    choices = Choices.of({"relief": "hilly", "rivers": 2})
    choices.rivers              # 2
    choices.roads               # 1, the default
    choices.trees_row           # "hilly": the row of the dice table for trees

A number in a help text, such as 2.1, is a step of Cordery's page.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple, TypeVar

from randomizer.model.settings.setting import Setting
from randomizer.systems.cordery.dice import tables
from randomizer.systems.cordery.dice.decisions import read_fixed
from randomizer.systems.cordery.dice.dice_names import is_die, rename_for_road
from randomizer.systems.cordery.page_parts import HEADINGS, PARTS, TITLES

MAX_ROUTES = 4
"""The largest number of rivers, roads or railways of a table."""

MAX_REPEATS = 1_000_000
"""The largest number of times a part can be thrown again."""


class CountedRoute(NamedTuple):
    """The chosen number of routes of one kind, and what it depends on."""

    setting: str
    """The name of the setting of their number: "rivers"."""

    part: str
    """The part of the page that adds them: "water"."""

    noun: str
    """The word in the names of their dice: "river"."""

    number: int
    """The number of them that is chosen."""


_Value = TypeVar("_Value", str, int, bool)


def _setting(
    default: _Value,
    help_text: str,
    *,
    title: str = "",
    part: str = "",
    choices: tuple[tuple[str, str], ...] = (),
    minimum: int | None = None,
    maximum: int | None = None,
    zero: str = "",
) -> _Value:
    """Return a dataclass field of ``Choices`` that carries the description of its setting.

    ``title``, ``choices`` (pairs of a value and its title) and ``part`` are for forms; a setting
    without a part stands in no group of a form. The declared type of the result is that of the
    default, as ``dataclasses.field`` does it, so that each field has the type of its values.
    """
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
    return field(default=default, metadata={"setting": description, "part": part})


def _count(default: int, help_text: str, *, maximum: int, title: str = "", part: str = "") -> int:
    """Return the field of a count from 0, which forms call "none", to ``maximum``."""
    return _setting(
        default, help_text, title=title, part=part, minimum=0, maximum=maximum, zero="none"
    )


TYPED = "typed"
"""The value of the setting ``dice`` if a person throws real dice, and enters what they show."""


@dataclass(frozen=True)
class Choices:
    """The values of the settings; it never changes.

    The fields are called like the settings, by which files and the command line know them. Each is
    described in its own help text. Some need more than a user is told:

    - ``relief``, ``size``, ``box``: "" stands for the default that the help text tells.
    - ``first``: the parts before this one are not thrown, as their results are on the table.
    - ``fixed``: decisions and dice in the format of ``decisions.read_fixed``; "?" asks for the
      names that it can hold (``asks_for_names``).
    - ``program_dice``: those dice of ``fixed`` that the program threw for a person who enters dice.
    - ``hills_again`` and the like: with each number a part has other dice. As they belong to no
      part of a form, ``first_part`` begins with the first part for them.
    - ``previous_areas``: as ``write_previous_areas`` returns them.
    """

    # The choices of a person, as forms ask for them.
    dice: str = _setting(
        "thrown",
        "Thrown by the program, or real dice that are entered one after the other",
        title="Dice",
        choices=(("thrown", "Thrown by the program"), (TYPED, "Entered by hand")),
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
    rivers: int = _count(
        1,
        "How many rivers cross the table (2.1)",
        title="Rivers",
        part="water",
        maximum=MAX_ROUTES,
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
    roads: int = _count(
        1,
        "How many roads or tracks cross the table (3.1)",
        title="Roads",
        part="roads",
        maximum=MAX_ROUTES,
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
        tables.AS_RELIEF,
        "How many trees grow (4.1): as the country, a desert or a forest has; the ground looks the "
        "same",
        title="Cover",
        part="trees",
        choices=(
            (tables.AS_RELIEF, "Ordinary"),
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
    railways: int = _count(
        0,
        "How many railways cross the table (6.1); 0 before they were built",
        title="Railways",
        part="railways",
        maximum=MAX_ROUTES,
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
    # How a table came about: set by the program, and kept in the roll.
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
    # The grid of a new table, and the pieces of the player.
    grid: str = _setting(
        "hex",
        "Areas of a new table: squares or hexes",
        choices=(("square", "Squares"), ("hex", "Hexes")),
    )
    size: str = _setting("", "Columns x rows of a new table; empty: 8x8 squares, 9x8 hexes")
    box: str = _setting("", "The pieces in the box (hill = 5; bridge = 2); empty: no end of them")
    # The number of times that each part was thrown again.
    hills_again: int = _count(0, "How often the part hills was thrown again", maximum=MAX_REPEATS)
    water_again: int = _count(0, "How often the part water was thrown again", maximum=MAX_REPEATS)
    roads_again: int = _count(0, "How often the part roads was thrown again", maximum=MAX_REPEATS)
    trees_again: int = _count(0, "How often the part trees was thrown again", maximum=MAX_REPEATS)
    habitation_again: int = _count(
        0, "How often the part habitation was thrown again", maximum=MAX_REPEATS
    )
    railways_again: int = _count(
        0, "How often the part railways was thrown again", maximum=MAX_REPEATS
    )
    fields_again: int = _count(0, "How often the part fields was thrown again", maximum=MAX_REPEATS)

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Choices:
        """Return the choices from checked settings of a roll.

        Settings that are missing, or None, have their defaults. Settings of other names, which
        every generator has, are ignored.
        """
        names = cls.__dataclass_fields__.keys() & settings.keys()
        values = {name: settings[name] for name in names if settings[name] is not None}
        return cls(**values)  # type: ignore[arg-type]  # the values are checked

    @property
    def relief_in_use(self) -> str:
        """The relief that was chosen, or else the one that goes with the cover."""
        if not self.relief:
            return self.default_relief
        return self.relief

    @property
    def default_relief(self) -> str:
        """The relief that goes with the cover."""
        return tables.RELIEF_OF_COVER[self.cover]

    @property
    def trees_row(self) -> str:
        """The row of the dice table for trees (step 4.1): a relief, "desert" or "forested"."""
        if self.cover == tables.AS_RELIEF:
            return self.relief_in_use
        return self.cover

    @property
    def routes(self) -> tuple[CountedRoute, ...]:
        """The rivers, roads and railways that cross the table, with their numbers."""
        return (
            CountedRoute("rivers", "water", "river", self.rivers),
            CountedRoute("roads", "roads", self.road, self.roads),
            CountedRoute("railways", "railways", "railway", self.railways),
        )

    def first_part(self, names: Collection[str]) -> str:
        """Return the first part of the page that uses one of the settings ``names``.

        A setting that belongs to no part, such as ``box``, is used by the first one.
        """
        parts = {_part_of_setting(name) for name in names}
        if "cover" in names and not self.relief:
            parts.add(PARTS[0])  # the relief follows the cover
        return min(parts, key=PARTS.index, default=PARTS[0])

    def repeats(self) -> dict[str, int]:
        """Return the number of times that each part was thrown again, by its name."""
        return {part: getattr(self, f"{part}_again") for part in PARTS}

    def decisions(self) -> dict[str, str]:
        """Return the decisions and dice of ``fixed`` by name; {} if it asks for the names.

        Raises ProblemError for a syntax error.
        """
        if self.asks_for_names:
            return {}
        values = read_fixed(self.fixed)
        # Those of roads hold for tracks, too, and the other way round.
        return {rename_for_road(name, self.road): value for name, value in values.items()}

    @property
    def names_of_program_dice(self) -> tuple[str, ...]:
        """The names of dice in ``program_dice``, for roads or tracks as in ``decisions``."""
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

_PART_OF_SETTING = {entry.name: entry.metadata["part"] for entry in fields(Choices)}
"""The part of the page that each setting belongs to, "" for none."""


def _part_of_setting(name: str) -> str:
    """Return the part of the page that uses a setting; the first part if it belongs to none."""
    return _PART_OF_SETTING.get(name, "") or PARTS[0]


def decisions_without_dice(values: Mapping[str, object]) -> dict[str, str]:
    """Return the decisions that ``fixed`` of these settings holds, without dice."""
    fixed = Choices.of(values).decisions()
    return {name: value for name, value in fixed.items() if not is_die(name)}


def fixed_text(fixed: Mapping[str, str]) -> str:
    """Return decisions and dice as ``read_fixed`` reads them: "hills = 2; hill 1 die = 6"."""
    return "; ".join(f"{name} = {value}" for name, value in fixed.items())


def settings_without_dice(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a table without its fixed dice, which no other table has.

    The decisions in ``fixed`` stay.
    """
    others = dict(settings)
    if others.get("fixed"):
        others["fixed"] = fixed_text(decisions_without_dice(others))
    if others.get("program_dice"):
        others["program_dice"] = ""
    return others
