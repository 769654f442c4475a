"""The grid of a new map: the usual one of its kind, and what is asked about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from app.settings import Settings
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.settings.setting import Setting, fitting_settings
from randomizer.model.system.system import System
from randomizer.systems.free.system import MOST_CELLS


class NewMap(NamedTuple):
    """The answers about the grid of a new map: the layout's name, columns, rows."""

    layout: str
    width: int
    height: int
    wrap: bool


LAYOUT_WORDS = {
    "flat": "Hexes in columns (flat top)",
    "pointy": "Hexes in rows (pointed top)",
    "oblique": "Hexes in slanting rows (Xconq)",
    "square": "Squares",
}


def grid_settings(system: System) -> tuple[Setting, ...]:
    """Return what is asked about a new map of this kind, by the names of ``NewMap``."""
    most = system.most_along or MOST_CELLS
    if system.most_along:
        limit = f"at most {most:,}"
    else:
        limit = f"{MOST_CELLS:,} cells at most"
    layouts = tuple(
        (layout.name, LAYOUT_WORDS.get(layout.name, layout.name.capitalize()))
        for layout in LAYOUTS
        if not system.layouts or layout.name in system.layouts
    )
    size = Setting("", int, "", 1, minimum=1, maximum=most)
    wrap = Setting(
        "wrap",
        bool,
        "A world without a rim in the east and west",
        False,
        title="&Goes round: the last column lies beside the first",
    )
    return (
        replace(size, name="width", title="&Columns", help=f"Columns of the map; {limit}"),
        replace(size, name="height", title="&Rows", help=f"Rows of the map; {limit}"),
        Setting(
            "layout",
            str,
            "How the cells lie beside each other",
            layouts[0][0],
            layouts,
            title="&Layout",
        ),
        *((wrap,) if system.can_wrap else ()),
    )


FILE = "\N{HORIZONTAL ELLIPSIS}"
"""The choice of a terrain set that asks for a file."""


def terrains_setting(system: System, files: Iterable[Path]) -> Setting:
    """Return what is asked about the terrain set: a packaged one, or one of ``files``."""
    return Setting(
        "terrains",
        str,
        "What the map can be made of at first: a set that comes with the program, or your own",
        system.terrain_set.name,
        (
            *((name, name) for name in system.packaged_terrains),
            *((str(path), path.stem) for path in files),
            (FILE, "From a file..."),
        ),
        title="&Terrains",
    )


LAYOUT_OF_NAME = {layout.name: layout for layout in LAYOUTS}


def usual_grid(system: System, settings: Settings) -> Grid:
    """Return the usual grid of a kind of maps; of free maps that of the last one."""
    usual = system.new_grid()
    if system.fixed_grid or system.layouts:
        return usual
    values: dict[str, object] = dict(values_of(usual)._asdict())
    values |= fitting_settings(grid_settings(system), settings.new_map_choices(system.name).values)
    name, width, height, wrap = asked_of(values)
    if width * height > MOST_CELLS:
        return usual
    try:
        return Grid(LAYOUT_OF_NAME[name], width, height, wrap=wrap)
    except ValueError:
        return usual


def values_of(grid: Grid) -> NewMap:
    """Return what makes a grid."""
    return NewMap(grid.layout.name, grid.width, grid.height, grid.wrap)


def asked_of(values: Mapping[str, object]) -> NewMap:
    """Return what the values of ``grid_settings`` ask for."""
    values = {"wrap": False, **values}
    return NewMap(*(values[name] for name in NewMap._fields))  # type: ignore[arg-type]  # by kind
