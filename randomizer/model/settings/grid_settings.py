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


def size_settings(group: str, least: int, most: int) -> tuple[Setting, Setting]:
    """Return the settings of columns and rows, each from ``least`` to ``most``."""
    columns = Setting(
        WIDTH,
        int,
        "Columns of the map; unset: as on the map",
        least=least,
        most=most,
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
    return (
        width if isinstance(width, int) else grid.width,
        height if isinstance(height, int) else grid.height,
    )


def with_grid(settings: Iterable[Setting], grid: Grid) -> tuple[Setting, ...]:
    """Return settings that begin with the values of ``grid`` in place of those of no map yet."""
    values: dict[str, object] = {
        WIDTH: grid.width,
        HEIGHT: grid.height,
        LAYOUT: grid.layout.name,
        WRAP: grid.wrap,
    }
    return tuple(
        replace(setting, default=values[setting.name]) if setting.name in values else setting
        for setting in settings
    )
