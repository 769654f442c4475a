"""The colour sets of the canvas, from ``resources/themes.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from PySide6.QtGui import QColor


@dataclass(frozen=True)
class Theme:
    """The colours of one colour set; ``elevation_tints[n]`` lies over a hex of elevation n."""

    name: str
    background: QColor
    board_outline: QColor
    grid_line: QColor
    label_text: QColor
    label_halo: QColor
    cursor: QColor
    start_list: QColor
    lock: QColor
    entry_side_text: QColor
    elevation_badge_fill: QColor
    elevation_badge_text: QColor
    problem_ring: QColor
    elevation_tints: tuple[QColor, ...]


def _colour(value: object) -> QColor:
    if isinstance(value, list):
        return QColor(*value)
    return QColor(str(value))


@cache
def theme(name: str) -> Theme:
    """The colour set ``light`` or ``dark``. Raises KeyError for another name."""
    text = files("app.resources").joinpath("themes.json").read_text("utf-8")
    colours = dict(json.loads(text)[name])
    tints = tuple(_colour(value) for value in colours.pop("elevation_tints"))
    return Theme(
        name=name,
        elevation_tints=tints,
        **{key: _colour(value) for key, value in colours.items()},
    )
