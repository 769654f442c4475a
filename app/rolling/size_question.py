"""The question to the user about a roll whose size or shape is not that of the map.

A script can make a map of 30 x 20 hexes while the current map has 20 x 14. Then the user is asked
whether the current map gets the size of the roll or the roll is opened as a map of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum

from app.rolling.destination import Destination
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.generated import Generated


class SizeAnswer(Enum):
    """What becomes of a roll whose size or shape is not that of the map; the value is a button."""

    CHANGE_MAP = "&Change the map"
    OPEN_MAP = "&Open as a new map"


SizeQuestion = Callable[[str, Sequence[SizeAnswer]], Awaitable[SizeAnswer | None]]
"""Asks the user what becomes of a roll of another size or shape.

It gets the text of the question and the answers that are possible, at least one. It returns one of
these, or None if the roll is to be dropped.
"""


async def first_answer(_text: str, answers: Sequence[SizeAnswer]) -> SizeAnswer:
    """Answer the question with the first possible answer, where no user can be asked."""
    return answers[0]


def possible_answers(
    destination: Destination, battlemap: BattleMap, generated: Generated
) -> list[SizeAnswer]:
    """Return what can become of a roll of another size than ``battlemap``; [] for nothing."""
    answers = []
    if destination.fits(battlemap, generated):
        answers.append(SizeAnswer.CHANGE_MAP)
    if not destination.is_typed:  # a text that is typed belongs to this map
        answers.append(SizeAnswer.OPEN_MAP)
    return answers
