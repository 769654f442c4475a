"""What a condition of victory or defeat means, as a sentence: ``describe_condition``.

    Any side loses from turn 0 to 1,000 when it has no army left
    Ann wins from turn 0 to 50 when it has at least 3 town
    Ann wins from turn 0 to 50 when it has a unit on the hex 12,5

Unit types are called as the period calls them, in the singular. A file can hold conditions that
lack numbers: their sentences have a question mark in the place of the number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.plurals import listed
from randomizer.systems.xconq.records import Condition, ConditionKind
from randomizer.systems.xconq.scenario.conditions import (
    ANY_UNIT,
    EVERY_SIDE,
    PLACE_NUMBERS,
    Names,
    is_idle,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def describe_condition(condition: Condition, names: Names) -> str:
    """Return what a condition means, without a full stop."""
    verb = "loses"
    if condition.wins:
        verb = "wins"
    side = _describe_side(condition.side, names)
    predicate = _predicate(condition, names)
    if condition.start > condition.end:
        return (
            f"{side} never {verb}, since turn {condition.start:,} comes after turn "
            f"{condition.end:,}; else it would when it {predicate}"
        )
    return f"{side} {verb} from turn {condition.start:,} to {condition.end:,} when it {predicate}"


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
    counts = _counts_of_types(condition, type_names)
    if not counts:
        return f"has any number of {noun}, which is always so"
    are_all_lost = not condition.wins and all(count.number == 0 for count in counts)
    if are_all_lost and len(counts) == len(condition.numbers):
        return f"has no {noun} left"
    if are_all_lost:
        names = [count.type_name for count in counts]
        return f"has no {listed(names, 'or')} left"
    bound = "at most"
    if condition.wins:
        bound = "at least"
    amounts = [f"{count.number:,} {count.type_name}" for count in counts]
    return f"has {bound} {listed(amounts)}"


class _Count(NamedTuple):
    """A number of units or resources of one type."""

    type_name: str

    number: int


def _counts_of_types(condition: Condition, type_names: Sequence[str]) -> list[_Count]:
    """Return the types that count in a condition, with their numbers."""
    counts = []
    for index, number in enumerate(condition.numbers):
        if is_idle(condition, number):
            continue
        name = f"type {index}"
        if index < len(type_names):
            name = type_names[index]
        counts.append(_Count(name, number))
    return counts


def _predicate_of_hex(condition: Condition, names: Names) -> str:
    """Return the predicate of a condition about a unit on a hex."""
    if len(condition.numbers) != PLACE_NUMBERS:
        return "holds the hex ?"
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
