"""The settings that choose the grid of a generator's map: columns and rows, layout, wrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from randomizer.model.grid.grid import Grid
from randomizer.model.settings.setting import Setting

WIDTH = "width"
HEIGHT = "height"
LAYOUT = "layout"
WRAP = "wrap"
"""The names of the settings. One that is unset has the value of the map that is rolled on."""

FROM_MAP = "as on the map"
"""What a form shows for a setting that is unset."""


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


def with_grid(settings: Iterable[Setting], grid: Grid) -> tuple[Setting, ...]:
    """Return settings of which those of this file have the values of ``grid`` as defaults."""
    values: dict[str, object] = {
        WIDTH: grid.width,
        HEIGHT: grid.height,
        LAYOUT: grid.layout.name,
        WRAP: grid.wrap,
    }
    settings_with_grid = []
    for setting in settings:
        if setting.name in values:
            setting = replace(setting, default=values[setting.name])
        settings_with_grid.append(setting)
    return tuple(settings_with_grid)
