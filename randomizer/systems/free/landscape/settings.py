"""The settings of a landscape, and the grid that they choose.

``SETTINGS`` describes them for forms and the command line. ``Choices.of`` reads the values of a
roll, and ``grid_of`` chooses its grid: ``generator`` calls both. A *chart* is a setting, too: a
table whose lines tell by height, moisture and warmth which terrain a cell is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Shear
from randomizer.model.problems import error
from randomizer.model.settings.grid_settings import (
    FROM_MAP,
    LAYOUT,
    WRAP,
    chosen_size,
    size_settings,
)
from randomizer.model.settings.setting import Setting, table_rows
from randomizer.model.system.cell_width import EXAMPLE, PATTERN, SCALE
from randomizer.systems.free.system import MAX_CELLS

USUAL_SIZE = (60, 40)
"""The columns and rows of a new map where none are chosen."""

USUAL_SCALE = "6 miles"
"""The width of a cell where neither the settings nor the map have one."""

MIN_ALONG = 4
"""The least number of columns and of rows."""

OPEN = "open"
"""A value of the setting "rim": land or sea lies at the edge of the map."""

SEA_AROUND = "sea"
"""A value of the setting "rim": sea lies all around."""

MAX_TOWNS = 600
"""The largest number of towns that can be chosen."""

MAX_LINES = 40
"""The largest number of lines of a chart that can count."""

NORTH = "north"
"""A climate: cold in the north, warm in the south."""

WORLD = "world"
"""A climate: cold at both ends, warm between."""

EVEN = "even"
"""A climate: the same everywhere."""


class Limits(NamedTuple):
    """The values, in percent, of the cells that a terrain is for: from ``low`` to ``high``."""

    low: int
    high: int


class ChartLine(NamedTuple):
    """A line of the chart: a terrain, and the cells of land that it is for."""

    terrain: str
    """The name of the terrain."""
    height: Limits
    """The heights of its cells, as percents of the land that lie lower."""
    moisture: Limits
    """The moisture of its cells, as percents of the land that are drier."""
    warmth: Limits
    """The warmth of its cells: 0 is ice, 100 the tropics."""


PERCENTS = ("low", "high", "dry", "wet", "cold", "warm")
"""The columns of the setting with the limits of height, moisture and warmth, in this order."""


def _chart_line(terrain: str, percents: Sequence[int]) -> ChartLine:
    """Return a line of the chart from its limits in the order of ``PERCENTS``."""
    low, high, dry, wet, cold, warm = percents
    return ChartLine(terrain, Limits(low, high), Limits(dry, wet), Limits(cold, warm))


_ROWS_OF_CHART = (
    ("Snow", (0, 100, 0, 100, 0, 7)),
    ("High mountains", (95, 100, 0, 100, 0, 100)),
    ("Mountains", (85, 95, 0, 100, 0, 100)),
    ("Hills", (72, 85, 0, 65, 0, 100)),
    ("Swamp", (0, 16, 80, 100, 15, 100)),
    ("Badlands", (45, 85, 0, 14, 40, 100)),
    ("Desert", (0, 72, 0, 18, 55, 100)),
    ("Jungle", (0, 85, 55, 100, 70, 100)),
    ("Pine wood", (0, 85, 35, 100, 7, 36)),
    ("Heath", (0, 85, 0, 35, 7, 36)),
    ("Wood", (0, 85, 60, 100, 36, 70)),
    ("Heath", (40, 72, 0, 30, 36, 60)),
    ("Grassland", (0, 85, 0, 100, 0, 100)),
)
"""The rows of the usual chart: terrains with their limits in the order of ``PERCENTS``.

"Hills", for instance, are cells of land that are higher than 72 % of the land, up to 85 %, and not
wetter than 65 %, at any warmth.
"""

CHART = tuple(_chart_line(terrain, percents) for terrain, percents in _ROWS_OF_CHART)
"""The usual chart. The first line into whose limits a cell falls is its terrain."""

_LAYOUT_TITLES = ("Hexes in columns", "Hexes in rows", "Hexes in slanting rows", "Squares")
"""The titles of ``LAYOUTS``, in their order."""


def chart_text() -> str:
    """Return the usual chart as the text of its setting."""
    rows = []
    for terrain, percents in _ROWS_OF_CHART:
        row: dict[str, object] = {"terrain": terrain}
        row.update(zip(PERCENTS, percents, strict=True))
        rows.append(row)
    return json.dumps(rows)


# The groups of the settings: these are headings of the form.

_MAP = "Map"
_GROUND = "Ground"
_CLIMATE = "Climate"
_TERRAIN = "Terrain"
_PEOPLE = "Rivers, towns and roads"

_WINDS = ("west", "east", "north", "south")
"""The directions from which the wind can come."""


def _percent(
    name: str,
    *,
    title: str,
    group: str,
    help: str,
    default: int | None = 50,
    minimum: int = 0,
    maximum: int = 100,
    zero: str = "",
) -> Setting:
    """Return a setting in percent; ``default`` is None for one that is left unset.

    ``zero`` is the label of the number 0 in a form.
    """
    return Setting(
        name,
        int,
        help,
        default,
        minimum=minimum,
        maximum=maximum,
        title=title,
        group=group,
        unset="as fits the size",
        zero=zero,
        unit="%",
    )


def _choice(
    name: str, *, title: str, group: str, help: str, choices: tuple[tuple[str, str], ...]
) -> Setting:
    """Return a setting that is one of ``choices``, pairs of value and label.

    The first of them is the default.
    """
    return Setting(name, str, help, choices[0][0], choices, title=title, group=group)


def _limit_column(name: str, *, title: str, help: str, default: int) -> Setting:
    """Return a column of the chart that holds a limit in percent."""
    return Setting(name, int, help, default, minimum=0, maximum=100, title=title)


_COLUMNS = (
    Setting("terrain", str, "The name of a terrain", "", title="Terrain"),
    _limit_column(
        "low",
        title="Low",
        help="From this height on: 90 is above 90 % of the land",
        default=0,
    ),
    _limit_column("high", title="High", help="Up to this height", default=100),
    _limit_column(
        "dry",
        title="Dry",
        help="From this moisture on: 90 is wetter than 90 % of the land",
        default=0,
    ),
    _limit_column("wet", title="Wet", help="Up to this moisture", default=100),
    _limit_column(
        "cold",
        title="Cold",
        help="From this warmth on: 0 is ice, 100 the tropics",
        default=0,
    ),
    _limit_column("warm", title="Warm", help="Up to this warmth", default=100),
)
"""The columns of the chart: a terrain, and its limits in the order of ``PERCENTS``."""

_CHART_SETTING = Setting(
    "chart",
    str,
    "Which terrain a cell of the land is, by percentages of height, moisture and warmth; the "
    "first line that fits counts, where none does the nearest",
    chart_text(),
    title="Chart",
    group=_TERRAIN,
    rows_of="lines",
    columns=_COLUMNS,
)

SCALE_SETTING = Setting(
    SCALE,
    str,
    f"How wide a cell is, such as {EXAMPLE}; unset: as on the map, {USUAL_SCALE} where that does "
    "not say",
    title="Scale per cell",
    group=_MAP,
    unset=FROM_MAP,
    pattern=PATTERN,
    example=EXAMPLE,
)

SETTINGS = (
    *size_settings(_MAP, MIN_ALONG, MAX_CELLS // MIN_ALONG),
    Setting(
        LAYOUT,
        str,
        "How the cells lie beside each other; unset: as on the map",
        choices=tuple(zip((layout.name for layout in LAYOUTS), _LAYOUT_TITLES, strict=True)),
        title="Layout",
        group=_MAP,
        unset=FROM_MAP,
    ),
    Setting(
        WRAP,
        bool,
        "Whether the last column lies beside the first; unset: as on the map",
        title="Goes round",
        group=_MAP,
        unset=FROM_MAP,
    ),
    SCALE_SETTING,
    _percent(
        "land",
        title="Land",
        group=_GROUND,
        help="How much of the map is land, in percent",
        default=45,
        minimum=3,
    ),
    _percent(
        "pieces",
        title="Pieces",
        group=_GROUND,
        help="0 makes few large seas and lands, 100 many small ones",
        default=40,
    ),
    _percent(
        "relief",
        title="Relief",
        group=_GROUND,
        help="0 makes plains, 100 mountains everywhere",
    ),
    _choice(
        "rim",
        title="Edge",
        group=_GROUND,
        help="What lies at the edge of the map",
        choices=((OPEN, "land or sea"), (SEA_AROUND, "sea all around")),
    ),
    _choice(
        "climate",
        title="Climate",
        group=_CLIMATE,
        help="Where it is cold and where warm",
        choices=(
            (NORTH, "cold in the north, warm in the south"),
            (WORLD, "cold in north and south, warm between"),
            (EVEN, "the same everywhere"),
        ),
    ),
    _percent(
        "warmth",
        title="Warmth",
        group=_CLIMATE,
        help="0 makes a world of ice, 100 a hot one",
    ),
    _percent(
        "rain",
        title="Rain",
        group=_CLIMATE,
        help="0 makes deserts, 100 woods and swamps",
    ),
    _choice(
        "wind",
        title="Wind from",
        group=_CLIMATE,
        help="From where the wind brings the rain",
        choices=tuple((wind, wind) for wind in _WINDS),
    ),
    _percent(
        "rivers",
        title="Rivers",
        group=_PEOPLE,
        help="How much of the land has a river, in percent; unset: as fits the size",
        default=None,
        maximum=40,
        zero="none",
    ),
    Setting(
        "towns",
        int,
        "How many towns and cities there are; unset: as many as the land bears",
        minimum=0,
        maximum=MAX_TOWNS,
        title="Towns",
        group=_PEOPLE,
        unset="as many as fit",
        zero="none",
    ),
    Setting(
        "roads", bool, "Roads and tracks from town to town", True, title="Roads", group=_PEOPLE
    ),
    Setting(
        "names", bool, "Names for towns, rivers and mountains", True, title="Names", group=_PEOPLE
    ),
    Setting(
        "lines",
        int,
        "How many lines of the chart count",
        len(CHART),
        minimum=1,
        maximum=MAX_LINES,
        title="Lines of the chart",
        group=_TERRAIN,
    ),
    _CHART_SETTING,
)


@dataclass(frozen=True)
class Choices:
    """The settings of one roll by name, read and checked.

    ``SETTINGS`` describes them. Without ``rivers`` or ``towns`` (None) their number follows from
    the size.
    """

    land: int
    """The percentage of the map that is land."""
    pieces: int
    """0 for few large lands, to 100 for many small ones."""
    relief: int
    """0 for flat land, to 100 for mountains."""
    rim: str
    """What is at the edge of the map: ``OPEN`` or ``SEA_AROUND``."""
    climate: str
    """Where the warmth comes from, one of the setting's choices."""
    warmth: int
    """0 for ice, to 100 for the tropics."""
    rain: int
    """0 for deserts, to 100 for wet land."""
    wind: str
    """The side from which the wind blows, one of the setting's choices."""
    rivers: int | None
    """The percentage of the land that has rivers."""
    towns: int | None
    """The number of towns."""
    roads: bool
    """True to join the towns by roads."""
    names: bool
    """True to name towns, waters, ranges and so on."""
    chart: tuple[ChartLine, ...]
    """The lines of the chart, at least one."""

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Choices:
        """Read checked settings. Raises ProblemError for a chart with a line without terrain."""
        defaults = {setting.name: setting.default for setting in SETTINGS}
        values = {**defaults, **settings}
        return cls(
            land=_number(values["land"]),
            pieces=_number(values["pieces"]),
            relief=_number(values["relief"]),
            rim=str(values["rim"]),
            climate=str(values["climate"]),
            warmth=_number(values["warmth"]),
            rain=_number(values["rain"]),
            wind=str(values["wind"]),
            rivers=_number_or_none(values["rivers"]),
            towns=_number_or_none(values["towns"]),
            roads=bool(values["roads"]),
            names=bool(values["names"]),
            chart=_chart_of(str(values["chart"]), _number(values["lines"])),
        )


def _number(value: object) -> int:
    """Return the number that the value of a checked setting is."""
    return int(str(value))


def _number_or_none(value: object) -> int | None:
    """Return the number that the value of a checked setting is; None for one that is not set."""
    if value is None:
        return None
    return _number(value)


def _chart_of(text: str, line_count: int) -> tuple[ChartLine, ...]:
    """Return the first ``line_count`` lines of a chart, given as the text of its setting.

    Empty fields have the usual values of their columns; a chart without lines is ``CHART``. Raises
    ProblemError for a line that names no terrain.
    """
    rows = table_rows(_CHART_SETTING, text)
    defaults = {column.name: column.default for column in _COLUMNS}
    chart = []
    for number, row in enumerate(rows[:line_count], 1):
        filled_fields = {name: value for name, value in row.items() if value not in (None, "")}
        line = {**defaults, **filled_fields}
        if not isinstance(line["terrain"], str) or not line["terrain"].strip():
            raise error("landscape-chart", f"chart: line {number} names no terrain")
        percents = [_number(line[column]) for column in PERCENTS]
        chart.append(_chart_line(line["terrain"].strip(), percents))
    if not chart:
        return CHART
    return tuple(chart)


def grid_of(settings: Mapping[str, object], usual: Grid) -> Grid:
    """Return the chosen grid; what is not chosen is as in the grid ``usual``.

    Raises ProblemError for a size that no landscape can have, and for an odd number of columns that
    go round.
    """
    width, height = chosen_size(settings, usual)
    if min(width, height) < MIN_ALONG or width * height > MAX_CELLS:
        message = (
            f"a landscape has at least {MIN_ALONG} columns and rows and at most {MAX_CELLS:,} "
            f"cells, not {width} x {height}"
        )
        raise error("landscape-size", message)
    layout = usual.layout
    for layout_of_name in LAYOUTS:
        if layout_of_name.name == settings.get(LAYOUT):
            layout = layout_of_name

    wraps = usual.wrap
    wrap_setting = settings.get(WRAP)
    if wrap_setting is not None:
        wraps = bool(wrap_setting)
    # Every second column is shifted by half a cell: an odd number would not fit where they meet.
    if wraps and layout.shear is Shear.COLUMNS and width % 2:
        message = (
            f"columns that go round are even in number: {width - 1} or {width + 1}, not {width}"
        )
        raise error("landscape-size", message)
    chosen = Grid(layout, width, height, wrap=wraps, lean=usual.lean, naming=usual.naming)
    # A grid that differs only in its mask is left as it is, so that its mask stays.
    if chosen.same_as(replace(usual, mask=None)):
        return usual
    return chosen
