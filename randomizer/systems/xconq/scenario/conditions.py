"""Conditions of victory and defeat: changes of them, and numbers that do not count.

A condition of units has a number for each unit type, and is met if all of them are. A type that is
not to count needs an *idle* number, which is always met. The document of Xconq says: "to make this
condition apply to only one unit type, set all the other numbers to very low (for win condition) or
very high (for lose condition) values". So in a period with three unit types::

    wins,  numbers (0, 5, 0)            at least 5 of the second type; 0 is idle
    loses, numbers (30000, 0, 30000)    none left of the second type; 30000 is idle

The panel of scenarios edits conditions with these functions; ``condition_words`` returns their
meanings as sentences.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.systems.xconq.records import Condition, ConditionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

IDLE_TO_WIN = 0
"""The idle number of a win condition: each side has at least this many of anything."""

IDLE_TO_LOSE = 30_000
"""The idle number of a lose condition: no side has more, and it fits into 16 bits."""

MIN_IDLE_TO_LOSE = 1000
"""The least number of a lose condition that counts as idle.

Authors of scenarios write any large number. If it is larger, some of theirs would count.
"""

EVERY_SIDE = -1
"""The side of a condition for all sides."""

ANY_UNIT = -1
"""The unit type of a condition that any unit meets."""

_USUAL_TERRITORY = 30
"""The territory that a new condition asks for."""


PLACE_NUMBERS = 3
"""The count of numbers of a condition of a place: x, y and a unit type."""

_FIRST_HEX = (0, 1)
"""The hex of a new condition of a place: the first one in which a unit can stand."""


class Names(NamedTuple):
    """The names that the numbers of a condition stand for, in the order of the numbers."""

    sides: Sequence[str]
    units: Sequence[str]
    resources: Sequence[str]

    provisional: bool = False
    """True if the period is missing, so that there may be more types."""


def idle_number(condition: Condition) -> int:
    """Return the idle number of a condition, with which a type does not count."""
    if condition.wins:
        return IDLE_TO_WIN
    return IDLE_TO_LOSE


def is_idle(condition: Condition, number: int) -> bool:
    """Return whether a number of units or resources is idle: its type does not count."""
    if condition.wins:
        return number <= IDLE_TO_WIN
    return number >= MIN_IDLE_TO_LOSE


def with_only_type(condition: Condition, index: int, number: int, type_count: int) -> Condition:
    """Return the condition in which only the type ``index`` counts, with ``number``.

    ``type_count`` is the number of types that it then has numbers for.
    """
    numbers = [idle_number(condition)] * type_count
    numbers[index] = number
    return replace(condition, numbers=tuple(numbers))


def only_type(condition: Condition) -> int | None:
    """Return the index of the one type that counts in a condition of units or resources.

    None if several count, or none.
    """
    counting = [
        index for index, number in enumerate(condition.numbers) if not is_idle(condition, number)
    ]
    if len(counting) == 1:
        return counting[0]
    return None


def count_numbers(kind: ConditionKind, names: Names) -> int:
    """Return the number of numbers of a condition of this kind."""
    counts = {
        ConditionKind.TERRITORY: 1,
        ConditionKind.UNITS: len(names.units),
        ConditionKind.RESOURCES: len(names.resources),
        ConditionKind.PLACE: PLACE_NUMBERS,
    }
    return counts[kind]


def change_kind(condition: Condition, kind: ConditionKind, names: Names) -> Condition:
    """Return the condition as one of another kind, with numbers that suit it.

    A lose condition of units or resources gets the usual way to lose: nothing is left. A win
    condition gets one unit or resource of the first type, if there is any type.
    """
    if kind is ConditionKind.TERRITORY:
        return replace(condition, kind=kind, numbers=(_USUAL_TERRITORY,))
    if kind is ConditionKind.PLACE:
        return replace(condition, kind=kind, numbers=(*_FIRST_HEX, ANY_UNIT))
    changed = replace(condition, kind=kind, numbers=(0,) * count_numbers(kind, names))
    if condition.wins and changed.numbers:
        return with_only_type(changed, 0, 1, len(changed.numbers))
    return changed


def with_number_for_each_type(condition: Condition, names: Names) -> Condition:
    """Return the condition with as many numbers as the period has types.

    Missing ones are added as idle numbers; further ones are cut, but not if the period is missing,
    so that its types are not known.
    """
    count = count_numbers(condition.kind, names)
    numbers = condition.numbers
    if len(numbers) > count and not names.provisional:
        return replace(condition, numbers=numbers[:count])
    missing_numbers = (idle_number(condition),) * (count - len(numbers))
    if missing_numbers:
        return replace(condition, numbers=(*numbers, *missing_numbers))
    return condition


def with_opposite_outcome(condition: Condition) -> Condition:
    """Return the condition for losing instead of winning, or the reverse.

    The types that count stay the same: idle numbers become those of the new condition.
    """
    turned = replace(condition, wins=not condition.wins)
    if condition.kind not in (ConditionKind.UNITS, ConditionKind.RESOURCES):
        return turned
    numbers = []
    for number in condition.numbers:
        if is_idle(condition, number):
            numbers.append(idle_number(turned))
        else:
            numbers.append(number)
    return replace(turned, numbers=tuple(numbers))


def without_side(conditions: Iterable[Condition], removed_side: int) -> tuple[Condition, ...]:
    """Return the conditions after a side was removed, without its own; later sides move up."""
    result = []
    for condition in conditions:
        if condition.side > removed_side:
            result.append(replace(condition, side=condition.side - 1))
        elif condition.side != removed_side:
            result.append(condition)
    return tuple(result)
