"""What people call the cells of a grid: hexes, or squares.

Texts are written for hexes; ``suited`` makes them fit the grid that they are said of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout

_SQUARES = {
    "hex": "square",
    "hexes": "squares",
    "hexagon": "square",
    "hexside": "side",
    "hexsides": "sides",
}
_ABOUT_HEXES = re.compile(rf"\b(?!(?<=no )hexside)({'|'.join(_SQUARES)})\b", re.IGNORECASE)
"""Squares have sides, all of them; what a map has none of are hexsides."""


def cell_words(layout: Layout) -> tuple[str, str]:
    """One cell and several: "hex", "hexes"."""
    return suited("hex", layout), suited("hexes", layout)


def suited(text: str, layout: Layout) -> str:
    """A text that speaks of hexes, for a grid of this layout."""
    return text if layout.degree == 6 else _ABOUT_HEXES.sub(_of_squares, text)


def _of_squares(found: re.Match[str]) -> str:
    word = _SQUARES[found[0].lower()]
    return word.capitalize() if found[0][0].isupper() else word
