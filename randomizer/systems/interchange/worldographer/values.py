"""Converts attributes of a Worldographer file to numbers, colours and settings of a map.

    number_of(element, "opacity", 1)        # ProblemError with the line for what is no number
    colour_of("1.0,0.5,0.0,1.0")            # "#ff8000"

The other modules of this folder read all numbers by these functions, so that none is too large.
"""

from __future__ import annotations

import math

from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming, NamingStyle
from randomizer.model.things.lettering import LARGEST_TEXT
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.foreign.faults import fault

FARTHEST = 1e7
"""The largest coordinate, and the largest height in feet."""


def number_of(element: Element, name: str, default: float | None = None) -> float:
    """Return the number in an attribute; ``default`` for an element without the attribute.

    Raises ProblemError for a text that is no number, and for a missing one if ``default`` is None.
    """
    text = element.attributes.get(name)
    if text is None and default is not None:
        return default
    return value_of(text or "", element.line, element.column)


def value_of(text: str, line: int, column: int = 1) -> float:
    """Return the number in a text, which stands at this line and column of the file.

    Raises ProblemError for a text that is no number, and for one beyond ``FARTHEST``.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan  # no comparison holds for it
    if not abs(number) <= FARTHEST:
        raise fault(f"{text!r:.40} is no number that a map can have", line, column)
    return number


def colour_of(text: str, if_black: str = "") -> str:
    """Return the colour "#rrggbb" of a text "r,g,b,a", whose numbers go from 0 to 1.

    The result is "" for a text without three numbers, such as "null", and ``if_black`` for black.
    """
    channels = list[int]()
    try:
        for part in text.split(","):
            share = min(1.0, max(0.0, float(part)))
            channels.append(round(255 * share))
    except ValueError:
        return ""
    if len(channels) < 3:
        return ""
    colour = "#" + bytes(channels[:3]).hex()
    if colour == "#000000":
        return if_black
    return colour


def lettering(label: Element) -> dict[str, object]:
    """Return the size, colours and slant of a label as entries of a thing's state.

    Entries with their usual values are left out.
    """
    looks = label.attributes
    location = next(label.elements("location"), label)
    scale = number_of(location, "scale", 0) / 100
    size = round(min(max(0.0, scale), LARGEST_TEXT), 2)
    halo = ""
    if number_of(label, "outlineSize", 0) > 0:
        halo = colour_of(looks.get("outlineColor", ""))
    state = {
        "size": size,
        "colour": colour_of(looks.get("color", ""), "#000000"),
        "halo": halo,
        "italic": looks.get("isItalic") == "true",
    }
    return {name: value for name, value in state.items() if value}


def naming_of(root: Element) -> CellNaming:
    """Return how a file numbers its cells, or the neutral naming if our maps cannot do that.

    Our maps can name a cell by its column and then its row, both counted from 0 or both from 1.
    """
    looks = next((element.attributes for element in root.elements("gridandnumbering")), {})
    first_column = looks.get("numberFirstCol")
    first_row = looks.get("numberFirstRow")
    if looks.get("numberOrder") != "COL_ROW" or first_column != first_row:
        return NEUTRAL
    if first_column not in ("0", "1"):
        return NEUTRAL
    style = NamingStyle.JOINED
    if looks.get("numberSeparator") == ".":
        style = NamingStyle.DOTTED
    return CellNaming(style, int(first_column))
