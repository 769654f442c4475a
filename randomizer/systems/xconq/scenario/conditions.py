"""Conditions of victory and defeat: what they mean in words, and numbers that do not count.

A condition of units has a number for each unit type, and is met if all of them are. A type that is
not to count needs an *idle* number, which is always met. The document of Xconq says: "to make this
condition apply to only one unit type, set all the other numbers to very low (for win condition) or
very high (for lose condition) values". The panel of scenarios edits conditions with these
functions; ``describe_condition`` is the sentence that it shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.plurals import listed
from randomizer.systems.xconq.records import Condition, ConditionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LOW = 0
"""The idle number of a win condition: a side always has at least so many of anything."""

HIGH = 30_000
"""The idle number of a lose condition: no side has more, and it fits into 16 bits."""

IDLE_FROM = 1000
"""The least number of a lose condition that counts as idle: authors of scenarios write any."""

EVERY_SIDE = -1
"""The side of a condition for all sides."""

ANY_UNIT = -1
"""The unit type of a condition that any unit meets."""


_USUAL_TERRITORY = 30
"""The territory that a new condition asks for."""


class Names(NamedTuple):
    """The names that the numbers of a condition stand for, in the order of the numbers."""

    sides: Sequence[str]
    units: Sequence[str]
    resources: Sequence[str]

    provisional: bool = False
    """True if the period is missing, so that there may be more types."""


def idle_number(condition: Condition) -> int:
    """Return the number that makes a type not count in a condition."""
    if condition.wins:
        return LOW
    return HIGH


def is_idle(condition: Condition, number: int) -> bool:
    """Return whether a number of units or resources keeps its type from counting."""
    if condition.wins:
        return number <= LOW
    return number >= IDLE_FROM


def count_only(condition: Condition, index: int, number: int, count: int) -> Condition:
    """Return the condition in which only the type ``index`` counts, with ``number``."""
    numbers = [idle_number(condition)] * count
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
    """Return how many numbers a condition of this kind has."""
    counts = {
        ConditionKind.TERRITORY: 1,
        ConditionKind.UNITS: len(names.units),
        ConditionKind.RESOURCES: len(names.resources),
        ConditionKind.PLACE: 3,
    }
    return counts[kind]


def of_kind(condition: Condition, kind: ConditionKind, names: Names) -> Condition:
    """Return the condition as one of another kind, with numbers to begin with.

    One of units or resources begins as the usual way to lose, that a side has nothing left; one to
    win begins with one unit or resource of the first type.
    """
    if kind is ConditionKind.TERRITORY:
        return replace(condition, kind=kind, numbers=(_USUAL_TERRITORY,))
    if kind is ConditionKind.PLACE:
        return replace(condition, kind=kind, numbers=(0, 1, ANY_UNIT))
    changed = replace(condition, kind=kind, numbers=(0,) * count_numbers(kind, names))
    if condition.wins and changed.numbers:
        return count_only(changed, 0, 1, len(changed.numbers))
    return changed


def fit_numbers(condition: Condition, names: Names) -> Condition:
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


def turn_condition(condition: Condition) -> Condition:
    """Return the condition for losing instead of winning, or the reverse.

    Types that do not count do not count afterwards either.
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


def describe_condition(condition: Condition, names: Names) -> str:
    """Return what a condition means: ``Ann wins from turn 0 to 1000 when she holds ...``."""
    verb = "wins" if condition.wins else "loses"
    time = f"from turn {condition.start:,} to {condition.end:,}"
    if condition.start > condition.end:
        time = f"never, since turn {condition.start:,} comes after turn {condition.end:,}, but"
    side = _describe_side(condition.side, names)
    return f"{side} {verb} {time} when it {_predicate(condition, names)}"


def _describe_side(side: int, names: Names) -> str:
    """Return a side as the subject of the sentence."""
    if side == EVERY_SIDE:
        return "Any side"
    if 0 <= side < len(names.sides):
        return names.sides[side]
    return f"Side {side}, which is missing,"


def _predicate(condition: Condition, names: Names) -> str:
    """Return what a side does when the condition is met: ``has at least 3 infantry``."""
    if condition.kind is ConditionKind.TERRITORY:
        amount = "?"
        if condition.numbers:
            amount = f"{condition.numbers[0]:,}"
        if condition.wins:
            return f"holds {amount} or more territory"
        return f"holds less than {amount} territory"
    if condition.kind is ConditionKind.PLACE:
        return _predicate_of_hex(condition, names)
    if condition.kind is ConditionKind.UNITS:
        return _predicate_of_types(condition, names.units, "units")
    return _predicate_of_types(condition, names.resources, "resources")


def _predicate_of_types(condition: Condition, type_names: Sequence[str], noun: str) -> str:
    """Return the predicate of a condition that counts units or resources, called ``noun``."""
    counted_names = []
    counted_numbers = []
    for index, number in enumerate(condition.numbers):
        if is_idle(condition, number):
            continue
        name = f"type {index}"
        if index < len(type_names):
            name = type_names[index]
        counted_names.append(name)
        counted_numbers.append(number)
    if not counted_numbers:
        return f"has any number of {noun}, which is always so"
    if not condition.wins and not any(counted_numbers):
        if len(counted_numbers) == len(condition.numbers):
            return f"has no {noun} left"
        return f"has no {listed(counted_names, 'or')} left"
    bound = "at least" if condition.wins else "at most"
    amounts = [
        f"{number:,} {name}" for number, name in zip(counted_numbers, counted_names, strict=True)
    ]
    return f"has {bound} {listed(amounts)}"


def _predicate_of_hex(condition: Condition, names: Names) -> str:
    """Return the predicate of a condition about a unit on a hex."""
    if len(condition.numbers) != 3:
        return "holds a hex that is not said"
    x, y, kind = condition.numbers
    if kind == ANY_UNIT and condition.wins:
        unit = "a unit"
    elif kind == ANY_UNIT:
        unit = "no unit"
    else:
        unit = f"units of type {kind}"
        if 0 <= kind < len(names.units):
            unit = names.units[kind]
        if not condition.wins:
            unit = f"no {unit}"
    return f"has {unit} on the hex {x},{y}"


def without_side(conditions: Iterable[Condition], removed_side: int) -> tuple[Condition, ...]:
    """Return the conditions after a side was removed, without its own; later sides move up."""
    result = []
    for condition in conditions:
        if condition.side > removed_side:
            result.append(replace(condition, side=condition.side - 1))
        elif condition.side != removed_side:
            result.append(condition)
    return tuple(result)
