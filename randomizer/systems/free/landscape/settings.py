"""The settings of a landscape, and the grid that they choose.

``SETTINGS`` describes them for forms and the command line. ``Choices.of`` reads the values of a
roll, and ``grid_of`` chooses its grid: ``generator`` calls both. A *chart* is a setting, too: a
table whose lines tell by height, moisture and warmth which terrain a cell is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
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
from randomizer.systems.free.system import MOST_CELLS

USUAL_SIZE = (60, 40)
"""The columns and rows of a new map where none are chosen."""

USUAL_SCALE = "6 miles"
"""The width of a cell where neither the settings nor the map have one."""

LEAST_ALONG = 4
"""The least number of columns and of rows."""

OPEN = "open"
AROUND = "sea"
"""What lies at the edge of the map: land or sea, or sea all around."""

MOST_TOWNS = 600
"""The largest number of towns that can be chosen."""

MOST_LINES = 40
"""The largest number of lines of a chart that can count."""

NORTH = "north"
WORLD = "world"
EVEN = "even"
"""Climates: cold in the north; cold at both ends; the same everywhere."""

PERCENTS = ("low", "high", "dry", "wet", "cold", "warm")
"""The columns of the chart with the limits of a terrain."""

LOW_COLUMN = PERCENTS.index("low")
DRY_COLUMN = PERCENTS.index("dry")
COLD_COLUMN = PERCENTS.index("cold")

CHART: tuple[tuple[str, tuple[int, ...]], ...] = (
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
"""The usual chart: the first line that a cell fits is its terrain."""

_LAYOUT_TITLES = ("Hexes in columns", "Hexes in rows", "Hexes in slanting rows", "Squares")


def chart_text() -> str:
    """Return the usual chart as the text of its setting."""
    return json.dumps(
        [{"terrain": name, **dict(zip(PERCENTS, line, strict=True))} for name, line in CHART]
    )


_MAP = "Map"
_GROUND = "Ground"
_CLIMATE = "Climate"
_TERRAIN = "Terrain"
_PEOPLE = "Rivers, towns and roads"
"""The groups of the settings, as headings of the form."""

_WINDS = ("west", "east", "north", "south")
"""From where the wind can come."""


def _percent(
    group: str,
    name: str,
    title: str,
    help: str,
    usual: int | None = 50,
    ends: tuple[int, int] = (0, 100),
) -> Setting:
    """Return a setting in percent between two ``ends``; ``usual`` is None for one left unset."""
    least, most = ends
    zero = ""
    if name == "rivers":
        zero = "none"
    return Setting(
        name,
        int,
        help,
        usual,
        minimum=least,
        maximum=most,
        title=title,
        group=group,
        unset="as fits the size",
        zero=zero,
        unit="%",
    )


def _choice(
    group: str, name: str, title: str, help: str, choices: tuple[tuple[str, str], ...]
) -> Setting:
    """Return a setting that is one of ``choices``, pairs of value and title; the first is usual."""
    return Setting(name, str, help, choices[0][0], choices, title=title, group=group)


def _column(name: str, title: str, help: str, usual: int) -> Setting:
    """Return a column of the chart that holds a limit in percent."""
    return Setting(name, int, help, usual, minimum=0, maximum=100, title=title)


_COLUMNS = (
    Setting("terrain", str, "The name of a terrain", "", title="Terrain"),
    _column("low", "Low", "From this height on: 90 is above 90 % of the land", 0),
    _column("high", "High", "Up to this height", 100),
    _column("dry", "Dry", "From this moisture on: 90 is wetter than 90 % of the land", 0),
    _column("wet", "Wet", "Up to this moisture", 100),
    _column("cold", "Cold", "From this warmth on: 0 is ice, 100 the tropics", 0),
    _column("warm", "Warm", "Up to this warmth", 100),
)

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
    *size_settings(_MAP, LEAST_ALONG, MOST_CELLS // LEAST_ALONG),
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
    _percent(_GROUND, "land", "Land", "How much of the map is land, in percent", 45, (3, 100)),
    _percent(
        _GROUND, "pieces", "Pieces", "0 makes few large seas and lands, 100 many small ones", 40
    ),
    _percent(_GROUND, "relief", "Relief", "0 makes plains, 100 mountains everywhere"),
    _choice(
        _GROUND,
        "rim",
        "Edge",
        "What lies at the edge of the map",
        ((OPEN, "land or sea"), (AROUND, "sea all around")),
    ),
    _choice(
        _CLIMATE,
        "climate",
        "Climate",
        "Where it is cold and where warm",
        (
            (NORTH, "cold in the north, warm in the south"),
            (WORLD, "cold in north and south, warm between"),
            (EVEN, "the same everywhere"),
        ),
    ),
    _percent(_CLIMATE, "warmth", "Warmth", "0 makes a world of ice, 100 a hot one"),
    _percent(_CLIMATE, "rain", "Rain", "0 makes deserts, 100 woods and swamps"),
    _choice(
        _CLIMATE,
        "wind",
        "Wind from",
        "From where the wind brings the rain",
        tuple((wind, wind) for wind in _WINDS),
    ),
    _percent(
        _PEOPLE,
        "rivers",
        "Rivers",
        "How much of the land has a river, in percent; unset: as fits the size",
        None,
        (0, 40),
    ),
    Setting(
        "towns",
        int,
        "How many towns and cities there are; unset: as many as the land bears",
        minimum=0,
        maximum=MOST_TOWNS,
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
        maximum=MOST_LINES,
        title="Lines of the chart",
        group=_TERRAIN,
    ),
    _CHART_SETTING,
)


@dataclass(frozen=True)
class Choices:
    """The settings of one roll by name, read and checked.

    ``chart`` has the form of ``CHART``: names of terrains with their limits in the order of
    ``PERCENTS``. Without ``rivers`` or ``towns`` (None) their number follows from the size.
    """

    land: int
    pieces: int
    relief: int
    rim: str
    climate: str
    warmth: int
    rain: int
    wind: str
    rivers: int | None
    towns: int | None
    roads: bool
    names: bool
    chart: tuple[tuple[str, tuple[int, ...]], ...]

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Choices:
        """Read checked settings. Raises ProblemError for a chart with a line without terrain."""
        usual = {setting.name: setting.default for setting in SETTINGS}
        values = {**usual, **settings}
        values["chart"] = _chart_of(str(values["chart"]), values["lines"])
        fields = cls.__dataclass_fields__
        return cls(**{name: values[name] for name in fields})  # type: ignore[arg-type]


def _chart_of(text: str, lines: object) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the first ``lines`` lines of a chart, given as the text of its setting.

    Empty fields have the usual values of their columns; a chart without lines is ``CHART``. Raises
    ProblemError for a line that names no terrain.
    """
    rows = table_rows(_CHART_SETTING, text)
    usual = {column.name: column.default for column in _COLUMNS}
    chart = []
    for number, row in enumerate(rows[: int(str(lines))], 1):
        filled_fields = {name: value for name, value in row.items() if value not in (None, "")}
        line = {**usual, **filled_fields}
        if not isinstance(line["terrain"], str) or not line["terrain"].strip():
            raise error("landscape-chart", f"chart: line {number} names no terrain")
        limits = tuple(int(str(line[column])) for column in PERCENTS)
        chart.append((line["terrain"].strip(), limits))
    if not chart:
        return CHART
    return tuple(chart)


def grid_of(settings: Mapping[str, object], usual: Grid) -> Grid:
    """Return the chosen grid, ``usual`` where nothing is chosen. Raises ProblemError."""
    width, height = chosen_size(settings, usual)
    if min(width, height) < LEAST_ALONG or width * height > MOST_CELLS:
        message = (
            f"a landscape has at least {LEAST_ALONG} columns and rows and at most {MOST_CELLS:,} "
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
    if wraps and layout.shear == "columns" and width % 2:
        message = (
            f"columns that go round are even in number: {width - 1} or {width + 1}, not {width}"
        )
        raise error("landscape-size", message)
    chosen = Grid(layout, width, height, wrap=wraps, lean=usual.lean, naming=usual.naming)
    # A grid that differs only in its mask is left as it is, so that its mask stays.
    if chosen.same_as(replace(usual, mask=None)):
        return usual
    return chosen
