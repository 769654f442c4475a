"""The questions for dice that are thrown at a real table, as texts.

Examples, for the die ``DieWantedError("1.2", "hill 1 steps", 3)``::

    describe_die(die)               "1.2 Hill 1 steps: throw 3 D6"
    describe_score(die, 1)          "what die 2 of 3 shows"
    describe_meaning(die, 1)        "They decide ... . Click what die 2 of 3 shows, or ..."

The texts follow from the name of the die, whose words ``dice_names`` explains.
"""

from __future__ import annotations

import re

from randomizer.systems.cordery.dice.dice_names import question_of
from randomizer.systems.cordery.dice.wanted_die import DieWantedError, Tie

_FIELD_PLACE = re.compile(
    r"""
    field\ place\ (?P<round> \d+ )     # in each round every place with room gets a field
    \ (?P<area> \d+ )
    (?: \ again\ \d+ )?               # for places with equal dice
    """,
    re.VERBOSE,
)
"""The name of a die that each village or town throws when there are too few fields for all of them.

The names alone tell the area; whether it is a throw for a tie is ``DieWantedError.tie``. Those with
the highest dice get a field: "field place 2 0304", or "field place 2 0304 again 1".
"""

_RIM_AREA = re.compile(
    r"""
    (?P<end> .* \ (?: entry | exit ) )  # "river 1 entry"
    \ area\ (?P<area> \d+ )             # the area that gets the die
    (?: \ again\ \d+ )?               # for areas with equal dice
    """,
    re.VERBOSE,
)
"""The name of a die that is thrown for each area of a quarter of the map edge.

The route enters or leaves at the area with the highest die: "river 1 entry area 0601".
"""


def describe_die(die: DieWantedError) -> str:
    """Return a request for a throw, such as "1.2 Hill 1 steps: throw 3 D6"."""
    # Where each of several areas gets a die, the name of the area stands at the end.
    match = _FIELD_PLACE.fullmatch(die.name)
    if match is not None:
        return _describe_die_of_area(die, f"Fields, round {match['round']}", match["area"])
    match = _RIM_AREA.fullmatch(die.name)
    if match is not None:
        end = match["end"][:1].upper() + match["end"][1:]
        return _describe_die_of_area(die, end, match["area"])
    name = die.name[:1].upper() + die.name[1:].removesuffix(" die")
    number = str(die.count)
    if die.count == 1:
        number = "a"
    return f"{die.step} {name}: throw {number} D6"


def _describe_die_of_area(die: DieWantedError, subject: str, area: str) -> str:
    """Return a request for the throw of one of several areas."""
    if die.tie is not None:
        return f"{die.step} {subject}: throw again for {area}"
    return f"{die.step} {subject}: throw a D6 for area {area}"


def describe_score(die: DieWantedError, entered_count: int) -> str:
    """Return what is entered next, if ``entered_count`` dice of the throw are entered already."""
    if die.count == 1:
        return "what it shows"
    return f"what die {entered_count + 1} of {die.count} shows"


def describe_meaning(die: DieWantedError, entered_count: int) -> str:
    """Return what a throw decides and how it is entered.

    ``entered_count`` of its dice are entered already.
    """
    instruction = f"Click {describe_score(die, entered_count)}, or press 1 to 6."
    if die.tie is not None:
        return f"{_describe_tie(die.tie)}: the highest die counts now. {instruction}"
    question = question_of(die.name)
    if not question:
        return instruction
    if die.options:
        question += f" ({die.options})"
    if die.count == 1:
        return f"It decides {question}. {instruction}"
    return f"They decide {question}. {instruction}"


def _describe_tie(tie: Tie) -> str:
    """Return which areas threw the same: "0601 and 0701 both threw 4"."""
    *first_areas, last_area = tie.options
    number = "all"
    if len(first_areas) == 1:
        number = "both"
    return f"{', '.join(first_areas)} and {last_area} {number} threw {tie.score}"
