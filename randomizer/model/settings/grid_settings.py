"""The settings that choose the grid of a generator's map: columns and rows, layout, wrap.

A generator that lets a person choose the size has ``size_settings`` among its settings, and asks
``chosen_size`` when it rolls. If a setting is *unset*, the map that is rolled on has the value::

    settings = size_settings("World", smallest=5, largest=200)
    chosen_size({"width": 60}, grid)        # 60 columns, and as many rows as ``grid`` has
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from randomizer.model.grid.grid import Grid
from randomizer.model.settings.setting import Setting

WIDTH = "width"
"""The name of the setting of the number of columns."""

HEIGHT = "height"
"""The name of the setting of the number of rows."""

LAYOUT = "layout"
"""The name of the setting of the layout: squares, or hexagons in columns or in rows."""

WRAP = "wrap"
"""The name of the setting that lets the map go round: its first column is beside the last one."""

FROM_MAP = "as on the map"
"""The text that a form shows for a setting that is unset."""


def size_settings(group: str, smallest: int, largest: int) -> tuple[Setting, Setting]:
    """Return the settings of columns and rows, both from ``smallest`` to ``largest``."""
    columns = Setting(
        WIDTH,
        int,
        "Columns of the map; unset: as on the map",
        minimum=smallest,
        maximum=largest,
        title="Columns",
        group=group,
        unset=FROM_MAP,
    )
    rows = replace(columns, name=HEIGHT, help="Rows of the map; unset: as on the map", title="Rows")
    return columns, rows


def chosen_size(settings: Mapping[str, object], grid: Grid) -> tuple[int, int]:
    """Return the chosen columns and rows, those of ``grid`` where none are chosen."""
    width = settings.get(WIDTH)
    height = settings.get(HEIGHT)
    if not isinstance(width, int):
        width = grid.width
    if not isinstance(height, int):
        height = grid.height
    return width, height


def values_of_grid(grid: Grid) -> dict[str, object]:
    """Return the values of a grid by the names of their settings."""
    return {
        WIDTH: grid.width,
        HEIGHT: grid.height,
        LAYOUT: grid.layout.name,
        WRAP: grid.wrap,
    }


def values_on_grid(
    settings: Iterable[Setting], values: Mapping[str, object], grid: Grid
) -> dict[str, object]:
    """Return the values of a roll, with those of ``grid`` where settings of it are unset.

    ``settings`` are those that the generator has. So a roll has this grid on a map of any size.
    """
    values_with_grid = dict(values)
    grid_values = values_of_grid(grid)
    for setting in settings:
        is_unset = values.get(setting.name) is None
        if is_unset and setting.name in grid_values and setting.unset == FROM_MAP:
            values_with_grid[setting.name] = grid_values[setting.name]
    return values_with_grid


def with_defaults_of_grid(settings: Iterable[Setting], grid: Grid) -> tuple[Setting, ...]:
    """Return settings in which those of the grid have the values of ``grid`` as defaults.

    A form for a new map shows them so: there is no map yet from which a setting that is unset could
    take its value. All other settings stay as they are.
    """
    defaults = values_of_grid(grid)
    settings_with_defaults = []
    for setting in settings:
        if setting.name in defaults:
            settings_with_defaults.append(replace(setting, default=defaults[setting.name]))
        else:
            settings_with_defaults.append(setting)
    return tuple(settings_with_defaults)
