"""The form of one condition: its settings and values, and what a changed value makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.grid.grid import Grid
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.records import Condition, ConditionKind
from randomizer.systems.xconq.scenario.conditions import (
    ANY_UNIT,
    EVERY_SIDE,
    HIGH,
    count_only,
    idle_number,
    is_idle,
    of_kind,
    only_type,
    turn_condition,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.scenario.conditions import Names

LONGEST = 100_000
"""The most turns that a field takes."""

KINDS = (
    (ConditionKind.TERRITORY.value, "the territory that it holds"),
    (ConditionKind.UNITS.value, "its units"),
    (ConditionKind.RESOURCES.value, "its resources"),
    (ConditionKind.PLACE.value, "who holds a hex"),
)
SEVERAL = -1
"""The choice of several types in place of one."""

NUMBER = "number "
"""The fields of single types are called so, with the number of the type."""

WHO = (
    Setting(
        "wins", int, "What happens", 1, choices=((1, "wins the game"), (0, "loses")), title="It"
    ),
    Setting(
        "start", int, "From this turn on it counts", 0, least=0, most=LONGEST, title="From turn"
    ),
    Setting("end", int, "Until this turn it counts", 0, least=0, most=LONGEST, title="To turn"),
    Setting("kind", int, "What is looked at", 0, choices=KINDS, title="What counts"),
)


def settings_of_condition(
    condition: Condition, names: Names, grid: Grid
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a form for a condition, which has all its numbers, and their
    values.
    """
    sides = tuple(enumerate(names.sides))
    if condition.side not in (EVERY_SIDE, *dict(sides)):
        sides = (*sides, (condition.side, f"side {condition.side} (missing)"))
    side = Setting(
        "side",
        int,
        "Whom it is about",
        EVERY_SIDE,
        ((EVERY_SIDE, "any side"), *sides),
        title="Side",
    )
    values: dict[str, object] = {
        "side": condition.side,
        "wins": int(condition.wins),
        "start": condition.start,
        "end": condition.end,
        "kind": condition.kind.value,
    }
    if condition.kind is ConditionKind.TERRITORY:
        more: tuple[Setting, ...] = (_number("0", "Territory", condition),)
        values["number 0"] = condition.numbers[0]
    elif condition.kind is ConditionKind.PLACE:
        more = _place(names, grid)
        values |= zip(("x", "y", "unit"), condition.numbers, strict=False)
    else:
        more = _types(condition, names, values)
    return (side, *WHO, *more), values


def _number(name: str, title: str, condition: Condition, **more: object) -> Setting:
    bound = "at least" if condition.wins else "at most"
    if condition.kind is ConditionKind.TERRITORY and not condition.wins:
        bound = "less than"
    return Setting(
        f"{NUMBER}{name}",
        int,
        f"It has {bound} so much",
        0,
        least=0,
        most=HIGH,
        title=f"{title}, {bound}",
        **more,  # type: ignore[arg-type] # fields of Setting
    )


def _place(names: Names, grid: Grid) -> tuple[Setting, ...]:
    units = ((ANY_UNIT, "any unit"), *enumerate(names.units))
    return (
        Setting("x", int, "The column of the hex", 0, least=0, most=grid.width - 1, title="x"),
        Setting(
            "y",
            int,
            "The row of the hex, 0 in the south",
            0,
            least=0,
            most=grid.height - 1,
            title="y",
        ),
        Setting("unit", int, "Which unit has to stand there", ANY_UNIT, units, title="With"),
    )


def _types(condition: Condition, names: Names, values: dict[str, object]) -> tuple[Setting, ...]:
    """Return the settings of a condition of units or resources: the one type that counts, or
    all.
    """
    if condition.kind is ConditionKind.UNITS:
        types = names.units
    else:
        types = names.resources
    one = only_type(condition)
    if one is not None and one >= len(types):  # of a type that is not known
        one = None
    choices = ((SEVERAL, "several types"), *enumerate(types))
    help_text = "The only type that counts; the others get numbers that never matter"
    chosen = Setting("only", int, help_text, SEVERAL, choices, title="Only one type")
    values["only"] = SEVERAL if one is None else one
    if one is not None:
        values[f"{NUMBER}{one}"] = condition.numbers[one]
        return (chosen, _number(str(one), types[one], condition))
    fields = []
    for number, title in enumerate(types):
        setting = _number(str(number), title, condition)
        fields.append(replace(setting, default=None, unset="any number", group="Types"))
        if not is_idle(condition, condition.numbers[number]):
            values[setting.name] = condition.numbers[number]
    return (chosen, *fields)


def change_condition(condition: Condition, name: str, value: object, names: Names) -> Condition:
    """Return the condition with another value of one field; None: a type that does not count."""
    if name == "wins":
        if bool(value) == condition.wins:
            return condition
        return turn_condition(condition)
    if name in ("side", "start", "end"):
        changes = {name: int(str(value))}
        return replace(condition, **changes)  # type: ignore[arg-type] # whole numbers
    if name == "kind":
        return of_kind(condition, ConditionKind(int(str(value))), names)
    numbers = list(condition.numbers)
    if name == "only":
        return _only(condition, int(str(value)))
    if name.startswith(NUMBER):
        index = int(name.removeprefix(NUMBER))
        numbers[index] = idle_number(condition) if value is None else int(str(value))
    else:
        numbers[["x", "y", "unit"].index(name)] = int(str(value))
    return replace(condition, numbers=tuple(numbers))


def _only(condition: Condition, index: int) -> Condition:
    """Return the condition in which one type counts alone; for SEVERAL one more type counts."""
    numbers = condition.numbers
    if index == SEVERAL:
        one = only_type(condition)
        free = next((n for n in range(len(numbers)) if n != one), None)
        if one is None or free is None:
            return condition
        more = list(numbers)
        more[free] = 1 if condition.wins else 0
        return replace(condition, numbers=tuple(more))
    number = numbers[index]
    if is_idle(condition, number):
        old_type = only_type(condition)
        if old_type is None:
            if condition.wins:
                number = 1
            else:
                number = 0
        else:
            number = numbers[old_type]
    return count_only(condition, index, number, len(numbers))
