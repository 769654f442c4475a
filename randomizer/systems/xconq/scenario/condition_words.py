"""What a condition of victory or defeat means, as a sentence: ``describe_condition``.

Any side loses from turn 0 to 1,000 when it has no armies left
Ann wins from turn 0 to 50 when it has at least 3 towns
Ann wins from turn 0 to 50 when it has a unit on the hex 12,5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import listed
from randomizer.systems.xconq.records import Condition, ConditionKind
from randomizer.systems.xconq.scenario.conditions import ANY_UNIT, EVERY_SIDE, Names, is_idle

if TYPE_CHECKING:
    from collections.abc import Sequence


def describe_condition(condition: Condition, names: Names) -> str:
    """Return what a condition means, without a full stop."""
    verb = "loses"
    if condition.wins:
        verb = "wins"
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
    bound = "at most"
    if condition.wins:
        bound = "at least"
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
