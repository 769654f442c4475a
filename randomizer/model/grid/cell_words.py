"""The words for the cells of a grid, and texts that contain them.

A text that speaks of cells is a template: ``"{Cells} of this terrain"`` becomes "Hexes of this
terrain" or "Squares of this terrain", as ``cell_text`` is told.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout


@dataclass(frozen=True, slots=True)
class CellWords:
    """One cell and several, the kind of things on sides, and the shape of a cell."""

    cell: str
    cells: str
    side: str
    sides: str
    shape: str


_WORDS = {
    4: CellWords("square", "squares", "side", "sides", "square"),
    6: CellWords("hex", "hexes", "hexside", "hexsides", "hexagon"),
}
"""By how many sides a cell has."""

_PLACES = {
    degree: {
        **asdict(words),
        **{name.capitalize(): word.capitalize() for name, word in asdict(words).items()},
    }
    for degree, words in _WORDS.items()
}


def cell_words(layout: Layout) -> CellWords:
    """Return the words for the cells of a layout."""
    return _WORDS[layout.degree]


def cell_text(template: str, layout: Layout) -> str:
    """Fill the places of a template: ``{cell}``, ``{cells}``, ``{Cells}`` ..., as ``CellWords``.

    A brace that is meant is written twice, as for ``str.format``. Raises KeyError or ValueError
    for any other place.
    """
    return template.format_map(_PLACES[layout.degree])


def escaped(text: str) -> str:
    """Return a template that becomes this text."""
    return text.replace("{", "{{").replace("}", "}}")
