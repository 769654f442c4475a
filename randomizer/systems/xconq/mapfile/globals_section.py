"""The globals section: turns, switches, and the conditions that end the game."""

from __future__ import annotations

from randomizer.model.problems import Fix, TextEdit
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.records import MOST_CONDITIONS, Condition, ConditionKind, Globals

_FIRST = ("gametime", "endtime", "setproduct", "leavemap", "numconds", "extension")
_CONDITION = ("win/lose", "type", "start", "end", "side")
_PLACE = ("x", "y", "unit type")


def read_globals(cursor: Cursor) -> Globals:
    """The section, which begins at the next line. Raises UnreadableError."""
    line = cursor.peek() or ""
    words = line.split()
    if words[:1] == ["Globals"] and len(words) == len(_FIRST) + 2:
        cursor.take("the globals")
        message = (
            f"The globals have {len(words) - 1} numbers, so a later fork of Xconq wrote this file; "
            f"in Xconq 5 here stand {', '.join(_FIRST)}"
        )
        cursor.error("later-fork", message)
        raise UnreadableError
    time, end, product, leave, number, extension = cursor.section("Globals", _FIRST)
    if number < 0 or number > len(cursor.lines):
        cursor.error("conditions", f"There cannot be {number} conditions in this file")
        raise UnreadableError
    if number > MOST_CONDITIONS:
        message = f"There are {number} conditions; Xconq has room for about {MOST_CONDITIONS}"
        cursor.warn("conditions", message)
    found = [_condition(cursor, index) for index in range(number)]
    conditions = tuple(each for each in found if each is not None)
    return Globals(time, end, product, leave, conditions, extension)


def _condition(cursor: Cursor, index: int) -> Condition | None:
    """One condition, two lines; None with an error."""
    line = cursor.take(f"condition {index + 1}")
    first = cursor.numbers(line, _CONDITION, missing_fix=_all_sides(cursor, line))
    below = cursor.take(f"the numbers of condition {index + 1}")
    if first is None:
        return None
    wins, kind, start, end, side = first
    if kind not in tuple(ConditionKind):
        cursor.at -= 1
        cursor.error("condition-type", f"There are no conditions of type {kind}: 0, 1, 2 and 3 are")
        cursor.at += 1
        return None
    if kind == ConditionKind.PLACE:
        numbers = cursor.numbers(below, _PLACE)
    elif kind == ConditionKind.TERRITORY:
        numbers = cursor.numbers(below, ("territory",))
    else:
        numbers = cursor.all_numbers(below)
    if numbers is None:
        return None
    return Condition(bool(wins), ConditionKind(kind), start, end, side, tuple(numbers))


def _all_sides(cursor: Cursor, line: str) -> Fix:
    """The fix of a condition whose last number, the side, is missing."""
    end = len(line.rstrip()) + 1
    edit = TextEdit(cursor.at, end, cursor.at, end, " -1")
    return Fix("add the side -1: the condition is for all sides", (edit,))


def globals_text(found: Globals) -> str:
    """The section as it is written."""
    first = (
        found.time,
        found.end_time,
        found.set_product,
        found.leave_map,
        len(found.conditions),
        found.extension,
    )
    lines = [f"Globals {_joined(first)}"]
    for each in found.conditions:
        lines.append(_joined((int(each.wins), each.kind.value, each.start, each.end, each.side)))
        lines.append(_joined(each.numbers))
    return "".join(f"{line}\n" for line in lines)


def _joined(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
