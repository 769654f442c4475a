"""The grid and the terrain set of a new map as settings of a form, and the grid of the answers.

``NewMapForm`` asks for ``grid_settings`` and ``terrains_setting``; ``answers_from_form`` returns
what was answered about the grid, and ``checked_grid`` the grid of these answers. ``usual_grid`` is
that of a map which is made without questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from app.settings import Settings
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, Shear
from randomizer.model.settings.grid_settings import HEIGHT, LAYOUT, WIDTH, WRAP
from randomizer.model.settings.setting import Setting, fitting_settings
from randomizer.model.system.system import System
from randomizer.systems.free.system import MAX_CELLS

FROM_FILE = "\N{HORIZONTAL ELLIPSIS}"
"""The value of the terrains that asks for a file; no set and no path is called so."""

TERRAINS = "terrains"
"""The name of the setting of the terrain set."""

LAYOUT_OF_NAME = {layout.name: layout for layout in LAYOUTS}


class GridAnswers(NamedTuple):
    """The answers about the grid of a new map, by the names of ``grid_settings``."""

    layout: str
    """The name of the layout."""

    width: int
    """The number of columns."""

    height: int
    """The number of rows."""

    wrap: bool
    """True if the last column lies beside the first."""


class GridSize(NamedTuple):
    """The size of a grid."""

    columns: int
    rows: int


LAYOUT_WORDS = {
    "flat": "Hexes in columns (flat top)",
    "pointy": "Hexes in rows (pointed top)",
    "oblique": "Hexes in slanting rows (Xconq)",
    "square": "Squares",
}
"""The layouts in the words of the form, by name."""


def grid_settings(system: System) -> tuple[Setting, ...]:
    """Return the settings of a form for the grid of a new map, named as in ``GridAnswers``."""
    if system.max_along is None:
        most = MAX_CELLS
        limit = f"{MAX_CELLS:,} cells at most"
    else:
        most = system.max_along
        limit = f"at most {most:,}"
    layout_choices = []
    for layout in LAYOUTS:
        if not system.layouts or layout.name in system.layouts:
            title = LAYOUT_WORDS.get(layout.name, layout.name.capitalize())
            layout_choices.append((layout.name, title))
    first_layout, _title = layout_choices[0]

    settings = [
        _size_setting(WIDTH, "&Columns", f"Columns of the map; {limit}", most),
        _size_setting(HEIGHT, "&Rows", f"Rows of the map; {limit}", most),
        Setting(
            LAYOUT,
            str,
            help="How the cells lie beside each other",
            default=first_layout,
            choices=tuple(layout_choices),
            title="&Layout",
        ),
    ]
    if system.can_wrap:
        wrap = Setting(
            WRAP,
            bool,
            help="A world without a rim in the east and west",
            default=False,
            title="&Goes round: the last column lies beside the first",
        )
        settings.append(wrap)
    return tuple(settings)


def _size_setting(name: str, title: str, help_text: str, most: int) -> Setting:
    """Return the setting of a number of columns or rows, from 1 to ``most``."""
    return Setting(name, int, help=help_text, default=1, minimum=1, maximum=most, title=title)


def terrains_setting(system: System, files: Iterable[Path]) -> Setting:
    """Return the setting of a form for the terrain set.

    Its value is the name of a packaged set, the path of one of ``files``, or ``FROM_FILE``.
    """
    choices = [(name, name) for name in system.packaged_terrains]
    choices += [(str(path), path.stem) for path in files]
    choices.append((FROM_FILE, "From a file..."))
    return Setting(
        TERRAINS,
        str,
        help="What the map can be made of at first: a set that comes with the program, or your own",
        default=system.terrain_set.name,
        choices=tuple(choices),
        title="&Terrains",
    )


def usual_grid(system: System, settings: Settings) -> Grid:
    """Return the grid of a map that is made without questions.

    For free maps, which have any grid, it is that of the last new map. Kinds with one grid, or with
    layouts of their own, such as the tables of a wargame, have a usual one.
    """
    default_grid = system.new_grid()
    if system.fixed_grid or system.layouts:
        return default_grid
    # The stored answers come from a file that anybody can edit: they need not make a grid.
    values: dict[str, object] = dict(answers_from_grid(default_grid)._asdict())
    stored_values = settings.new_map_choices(system.name).values
    values |= fitting_settings(grid_settings(system), stored_values)
    try:
        return checked_grid(system, answers_from_form(values))
    except ValueError:
        return default_grid


def usual_size(system: System, layout_name: str) -> GridSize | None:
    """Return the usual size of maps with a layout; None for a layout that has none."""
    # Usual sizes belong to the layouts in their order; systems without them have ().
    for layout, (columns, rows) in zip(system.layouts, system.usual_sizes, strict=False):
        if layout == layout_name:
            return GridSize(columns, rows)
    return None


def answers_from_grid(grid: Grid) -> GridAnswers:
    """Return the answers that lead to a grid."""
    return GridAnswers(grid.layout.name, grid.width, grid.height, grid.wrap)


def answers_from_form(values: Mapping[str, object]) -> GridAnswers:
    """Return the answers among the values of a form that asks for ``grid_settings``."""
    width = values[WIDTH]
    height = values[HEIGHT]
    # The settings have checked that each value has the type of its field.
    assert isinstance(width, int), "its setting is of this kind"
    assert isinstance(height, int), "its setting is of this kind"
    # Kinds of maps that cannot wrap do not ask for it.
    wrap = bool(values.get(WRAP, False))
    return GridAnswers(str(values[LAYOUT]), width, height, wrap)


def checked_grid(system: System, answers: GridAnswers) -> Grid:
    """Return the grid of these answers.

    Raises ValueError, with a message for the user, if it is impossible.
    """
    width = answers.width
    height = answers.height
    if width * height > MAX_CELLS:
        raise ValueError(
            f"{width:,} x {height:,} are {counted(width * height, 'cell')}. "
            f"A map has at most {MAX_CELLS:,}."
        )
    layout = LAYOUT_OF_NAME[answers.layout]
    wrap = answers.wrap
    if wrap and layout.shear is Shear.COLUMNS and width % 2:
        numbers = f"{width - 1} or {width + 1}"
        if width == 1:
            numbers = "2"
        raise ValueError(
            f"A map of columns that goes round has an even number of them: take {numbers}."
        )
    # Slanting rows that lean are drawn as an upright rectangle; only worlds of Xconq do so.
    lean = wrap and system.new_grid().lean
    grid = Grid(layout, width, height, wrap=wrap, lean=lean)
    if why_not := system.why_not_grid(grid):
        raise ValueError(f"{why_not[:1].upper()}{why_not[1:]}.")
    return grid
