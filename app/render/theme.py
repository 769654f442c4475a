"""The colour sets of the canvas, from ``resources/themes.json`` and ``colour_sets.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.terrain import Terrain

COLOUR_SETS = (
    ("pictures", "Pictures"),
    ("colour-blind", "Colours that everyone can tell apart"),
    ("print", "Light, for print"),
)
"""Names and titles of the colour sets."""


@dataclass(frozen=True)
class Theme:
    """The colours of one colour set; ``elevation_tints[n]`` lies over a hex of elevation n.

    ``terrains`` gives terrains by name another colour than their own.
    """

    name: str
    background: QColor
    board_outline: QColor
    grid_line: QColor
    label_text: QColor
    label_halo: QColor
    cursor: QColor
    start_list: QColor
    lock: QColor
    seam: QColor
    entry_side_text: QColor
    elevation_badge_fill: QColor
    elevation_badge_text: QColor
    problem_ring: QColor
    elevation_tints: tuple[QColor, ...]
    colour_set: str = "pictures"
    terrains: Mapping[str, QColor] = field(default_factory=dict)

    def terrain_colour(self, terrain: Terrain) -> QColor:
        """The plain colour of a terrain."""
        return self.terrains.get(terrain.name) or QColor(terrain.colour)

    def colour(self, name: str, usual: str) -> QColor:
        """The colour of something else that a map shows; ``usual`` where the set names none."""
        return self.terrains.get(name) or QColor(usual)

    def elevation_tint(self, level: int) -> QColor:
        """What lies over a cell for its ``level``-th step of height."""
        return self.elevation_tints[min(level, len(self.elevation_tints) - 1)]


def _colour(value: object) -> QColor:
    if isinstance(value, list):
        return QColor(*value)
    return QColor(str(value))


def _table(file: str, name: str) -> dict[str, Any]:
    text = files("app.resources").joinpath(file).read_text("utf-8")
    return dict(json.loads(text)[name])


@cache
def theme(name: str, colour_set: str = "pictures") -> Theme:
    """The colours of ``light`` or ``dark`` surroundings, or (print) those of paper.

    Raises KeyError for other names.
    """
    special = {} if colour_set == "pictures" else _table("colour_sets.json", colour_set)
    colours = _table("themes.json", name) | special.get("colours", {})
    tints = tuple(_colour(value) for value in colours.pop("elevation_tints"))
    return Theme(
        name=name,
        elevation_tints=tints,
        colour_set=colour_set,
        terrains={key: QColor(value) for key, value in special.get("terrains", {}).items()},
        **{key: _colour(value) for key, value in colours.items()},
    )
