"""The form of one condition: its settings and values, and the condition that a change makes.

A condition has a number for each type of units or resources, of which most never matter: these are
*idle*, such as "at least 0". If only one type counts, the form has a single field for a number,
else a field for each type::

    Only one type   [tank]                  Only one type    [several types]
    Tank, at least  [5]                     Infantry, at least [any number]
                                            Tank, at least     [5]
                                            Ship, at least     [2]

``settings_of_condition`` makes the form, ``change_condition`` applies a change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from randomizer.model.grid.grid import Grid
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.records import Condition, ConditionKind
from randomizer.systems.xconq.scenario.conditions import (
    ANY_UNIT,
    EVERY_SIDE,
    IDLE_TO_LOSE,
    change_kind,
    idle_number,
    is_idle,
    only_type,
    with_only_type,
    with_opposite_outcome,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.scenario.conditions import Names

LAST_TURN = 100_000
"""The largest number of a turn that can be typed into a field."""

KIND_CHOICES = (
    (ConditionKind.TERRITORY.value, "the territory that it holds"),
    (ConditionKind.UNITS.value, "its units"),
    (ConditionKind.RESOURCES.value, "its resources"),
    (ConditionKind.PLACE.value, "who holds a hex"),
)
"""The kinds of conditions, as the form names them."""

HEX_FIELDS = ("x", "y", "unit")
"""The names of the fields of a condition about a hex, in the order of its numbers."""

SEVERAL = -1
"""The value of the field "only" if several types count, in place of the index of a type."""

NUMBER = "number "
"""The beginning of the name of a field for a type; its index follows: "number 3"."""

COMMON_SETTINGS = (
    Setting(
        "wins", int, "What happens", 1, choices=((1, "wins the game"), (0, "loses")), title="It"
    ),
    Setting(
        "start",
        int,
        "From this turn on it counts",
        0,
        minimum=0,
        maximum=LAST_TURN,
        title="From turn",
    ),
    Setting(
        "end", int, "Until this turn it counts", 0, minimum=0, maximum=LAST_TURN, title="To turn"
    ),
    Setting("kind", int, "What is looked at", 0, choices=KIND_CHOICES, title="What counts"),
)


def settings_of_condition(
    condition: Condition, names: Names, grid: Grid
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a form for a condition, and their values.

    The condition has a number for each type of the period, see ``with_number_for_each_type``.
    """
    choices = [(EVERY_SIDE, "any side"), *enumerate(names.sides)]
    if condition.side not in dict(choices):
        choices.append((condition.side, f"side {condition.side} (missing)"))
    side = Setting("side", int, "Whom it is about", EVERY_SIDE, tuple(choices), title="Side")
    values: dict[str, object] = {
        "side": condition.side,
        "wins": int(condition.wins),
        "start": condition.start,
        "end": condition.end,
        "kind": condition.kind.value,
    }
    if condition.kind is ConditionKind.TERRITORY:
        # The only number is the worth of the territory.
        setting = _number_setting(0, "Territory", condition)
        further_settings: tuple[Setting, ...] = (setting,)
        values[setting.name] = condition.numbers[0]
    elif condition.kind is ConditionKind.PLACE:
        further_settings = _hex_settings(names, grid)
        # Not strict: while the period is missing, there may be more numbers than fields.
        values |= dict(zip(HEX_FIELDS, condition.numbers, strict=False))
    else:
        further_settings, further_values = _type_settings(condition, names)
        values |= further_values
    return (side, *COMMON_SETTINGS, *further_settings), values


def _number_setting(index: int, title: str, condition: Condition) -> Setting:
    """Return the setting of the number at an index of the condition's ``numbers``.

    Its title tells whether the number is a lower or an upper bound.
    """
    if condition.wins:
        bound = "at least"
    elif condition.kind is ConditionKind.TERRITORY:
        bound = "less than"
    else:
        bound = "at most"
    return Setting(
        f"{NUMBER}{index}",
        int,
        f"It has {bound} so much",
        0,
        minimum=0,
        maximum=IDLE_TO_LOSE,
        title=f"{title}, {bound}",
    )


def _hex_settings(names: Names, grid: Grid) -> tuple[Setting, ...]:
    """Return the settings of a condition about a hex: ``HEX_FIELDS``."""
    units = ((ANY_UNIT, "any unit"), *enumerate(names.units))
    return (
        Setting("x", int, "The column of the hex", 0, minimum=0, maximum=grid.width - 1, title="x"),
        Setting(
            "y",
            int,
            "The row of the hex, 0 in the south",
            0,
            minimum=0,
            maximum=grid.height - 1,
            title="y",
        ),
        Setting("unit", int, "Which unit has to stand there", ANY_UNIT, units, title="With"),
    )


def _type_settings(
    condition: Condition, names: Names
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a condition of units or resources, and their values by name.

    The first setting chooses the only type that counts. The others are the number of this type, or
    if several count those of all types.
    """
    if condition.kind is ConditionKind.UNITS:
        types = names.units
    else:
        types = names.resources
    only = only_type(condition)
    if only is not None and only >= len(types):
        only = None  # the period does not have the type
    choices = ((SEVERAL, "several types"), *enumerate(types))
    help_text = "The only type that counts; the others get numbers that never matter"
    choice = Setting("only", int, help_text, SEVERAL, choices, title="Only one type")
    if only is not None:
        setting = _number_setting(only, types[only], condition)
        return (choice, setting), {choice.name: only, setting.name: condition.numbers[only]}

    values: dict[str, object] = {choice.name: SEVERAL}
    settings = []
    for index, title in enumerate(types):
        setting = _number_setting(index, title, condition)
        settings.append(replace(setting, default=None, unset="any number", group="Types"))
        if not is_idle(condition, condition.numbers[index]):
            values[setting.name] = condition.numbers[index]
    return (choice, *settings), values


def change_condition(condition: Condition, name: str, value: object, names: Names) -> Condition:
    """Return the condition after the user has given the field ``name`` of its form a value.

    ``value`` is None if the user has emptied the field of a type, which then does not count.
    """
    if name == "wins":
        if bool(value) == condition.wins:
            return condition
        return with_opposite_outcome(condition)
    if name in ("side", "start", "end"):
        changes = {name: _as_int(value)}
        return replace(condition, **changes)  # type: ignore[arg-type] # whole numbers
    if name == "kind":
        return change_kind(condition, ConditionKind(_as_int(value)), names)
    if name == "only":
        only = _as_int(value)
        if only == SEVERAL:
            return _with_second_type(condition)
        return _count_only(condition, only)
    return _with_number(condition, name, value)


def _with_number(condition: Condition, name: str, value: object) -> Condition:
    """Return the condition with another number: of a type, of the territory, or about a hex."""
    if not name.startswith(NUMBER):
        index = HEX_FIELDS.index(name)
    else:
        index = int(name.removeprefix(NUMBER))
    numbers = list(condition.numbers)
    if value is None:
        numbers[index] = idle_number(condition)
    else:
        numbers[index] = _as_int(value)
    return replace(condition, numbers=tuple(numbers))


def _as_int(value: object) -> int:
    """Return the value of a field of the type int: forms hold values of all kinds."""
    assert isinstance(value, int), "the setting is an int"
    return value


def _first_number(condition: Condition) -> int:
    """Return the number that a type of units or resources gets when it begins to count.

    As is usual in scenarios, a side wins with at least one, and loses with at most none.
    """
    if condition.wins:
        return 1
    return 0


def _with_second_type(condition: Condition) -> Condition:
    """Return the condition with a second type that counts, so that the form shows several.

    That is the first type of the period, or the second one if the first counts already.

    Nothing changes if several types count already, or if the game's period has only one type.
    """
    only = only_type(condition)  # None if several count
    has_other_type = len(condition.numbers) >= 2  # ``numbers`` has one for each type
    if only is None or not has_other_type:
        return condition
    added_type = 0
    if only == 0:
        added_type = 1
    numbers = list(condition.numbers)
    numbers[added_type] = _first_number(condition)
    return replace(condition, numbers=tuple(numbers))


def _count_only(condition: Condition, index: int) -> Condition:
    """Return the condition in which the type ``index`` counts alone.

    This type keeps its number. If it did not count, it takes over the number of the type that
    counted alone before.
    """
    numbers = condition.numbers
    number = numbers[index]
    if is_idle(condition, number):
        old_type = only_type(condition)
        if old_type is None:
            number = _first_number(condition)
        else:
            number = numbers[old_type]
    return with_only_type(condition, index, number, len(numbers))
