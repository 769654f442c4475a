"""The words for the cells of a grid, and texts that contain them.

A text that speaks of cells is a template: ``"{Cells} of this terrain"`` becomes "Hexes of this
terrain" or "Squares of this terrain", by the layout that is given to ``cell_text``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout


@dataclass(frozen=True, slots=True)
class CellWords:
    """The words for the cells of one kind of grids."""

    cell: str
    """One cell."""

    cells: str
    """Several cells."""

    side: str
    """A side of a cell, and what lies on it: "hexside" for hexes, "side" for squares."""

    sides: str
    """The same of several sides."""

    shape: str
    """The shape of a cell."""


_WORDS = {
    4: CellWords("square", "squares", side="side", sides="sides", shape="square"),
    6: CellWords("hex", "hexes", side="hexside", sides="hexsides", shape="hexagon"),
}
"""The words by the number of sides of a cell."""


def _placeholders(words: CellWords) -> dict[str, str]:
    """Return the words by the placeholders of templates, in lower case and capitalised."""
    placeholders: dict[str, str] = {}
    for name, word in asdict(words).items():
        placeholders[name] = word
        placeholders[name.capitalize()] = word.capitalize()
    return placeholders


_PLACEHOLDERS = {degree: _placeholders(words) for degree, words in _WORDS.items()}
"""The words of templates by the number of sides of a cell."""


def cell_words(layout: Layout) -> CellWords:
    """Return the words for the cells of a layout."""
    return _WORDS[layout.degree]


def cell_text(template: str, layout: Layout) -> str:
    """Return a template with its placeholders filled: ``{cell}``, ``{cells}``, ``{Cells}`` ...

    They are the fields of ``CellWords``. A brace of the text is written twice, as for
    ``str.format``. Raises KeyError or ValueError for any other placeholder.
    """
    return template.format_map(_PLACEHOLDERS[layout.degree])


def escaped(text: str) -> str:
    """Double the braces of a text, so that it can be part of a template."""
    return text.replace("{", "{{").replace("}", "}}")
