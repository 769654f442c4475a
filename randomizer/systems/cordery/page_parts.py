"""The seven parts of Cordery's page, by name, and the steps and dice that belong to each.

A part is known by its name ("hills") in settings, layers and the log; the page numbers the parts
from 1, and their steps "1.1", "1.2" and so on::

    HEADINGS["hills"]               # "1 Hills and mountains"
    part_of_step("1.2")             # "hills"
    part_of_die("hill 2 row")       # "hills"
"""

from __future__ import annotations

import re

TITLES = {
    "hills": "Hills and mountains",
    "water": "Rivers and water",
    "roads": "Roads and tracks",
    "trees": "Trees",
    "habitation": "Habitation",
    "railways": "Railways",
    "fields": "Fields",
}
"""The titles of the parts, by their names, in the order of the page."""

PARTS = tuple(TITLES)
"""The names of the parts, in the order of the page."""

HEADINGS = {part: f"{number} {title}" for number, (part, title) in enumerate(TITLES.items(), 1)}
"""The titles with their numbers ("1 Hills and mountains"), which also group the settings."""

_PART_OF_DIGIT = {str(number): part for number, part in enumerate(PARTS, 1)}
"""The names of the parts, by the digit with which the numbers of their steps begin."""


def part_of_step(step: str) -> str:
    """Return the part of the page to which a numbered step ("2.1") belongs; "" if it is no step.

    Step 3.4 belongs to habitation: it joins villages to roads, so that it follows part 5.
    """
    if step == "3.4":
        return "habitation"
    return _PART_OF_DIGIT.get(step[:1], "")


_DICE_OF_PARTS = re.compile(
    r"""
    (?:
    (?P<hills> hills? )
    | (?P<water> river | lakes? | marsh (?:es)? )
    | (?P<habitation> inhabited\ areas? | (?: road | track )\ to )  # "road to village 1": step 3.4
    | (?P<roads> road | track )
    | (?P<trees> trees )
    | (?P<railways> railway )
    | (?P<fields> fields? )
    )[ ]
    """,
    re.VERBOSE,
)
"""The first words of the names of dice, by the part of the page that asks for them."""


def part_of_die(name: str) -> str:
    """Return the part of the page that asks for the die of this name; "" if none does."""
    match = _DICE_OF_PARTS.match(name)
    if match is None:
        return ""
    return match.lastgroup or ""
