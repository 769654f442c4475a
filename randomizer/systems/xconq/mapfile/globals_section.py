"""The globals section: turns, switches, and the conditions that end the game.

A game of 100 turns that side 0 wins when it holds a hex::

    Globals 0 100 1 0 1 0       ``_FIRST_LINE``: the last number but one counts the conditions
    1 3 0 100 0                 ``_CONDITION_LINE``: to win, type 3, turns 0 to 100, side 0
    12 5 -1                     the numbers of the condition, by its type: x, y, any unit

``read_globals`` reads the section, ``globals_text`` writes it.
"""

from __future__ import annotations

from randomizer.model.basics.plurals import there_are
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.number_lines import NumberLine
from randomizer.systems.xconq.records import (
    MAX_CONDITIONS,
    Condition,
    ConditionKind,
    Globals,
    globals_of,
)

_FIRST_LINE = NumberLine(
    {
        "gametime": "time",
        "endtime": "end_time",
        "setproduct": "set_product",
        "leavemap": "leave_map",
        "numconds": "condition_count",
        "extension": "extension",
    },
    SECTION_WORDS["g"],
)
_CONDITION_LINE = NumberLine(
    {"win/lose": "wins", "type": "kind", "start": "start", "end": "end", "side": "side"}
)
_NAMES_OF_NUMBERS = {
    ConditionKind.TERRITORY: ("territory",),
    ConditionKind.PLACE: ("x", "y", "unit type"),
}
"""The names of a condition's numbers by its kind; other kinds have a number for each type."""


def read_globals(cursor: Cursor) -> Globals:
    """Return the section, which begins at the next line. Raises UnreadableError."""
    words = (cursor.peek() or "").split()
    # The later fork has one number more; the first word is no number.
    numbers_of_fork = len(_FIRST_LINE.fields) + 1
    if words[:1] == [_FIRST_LINE.word] and len(words) - 1 == numbers_of_fork:
        cursor.take("the globals")
        message = (
            f"The globals have {len(words) - 1} numbers, so a later fork of Xconq wrote this file; "
            f"in Xconq 5 here stand {', '.join(_FIRST_LINE.fields)}"
        )
        cursor.error("later-fork", message)
        raise UnreadableError
    values = _FIRST_LINE.read_section(cursor)
    condition_count = values.pop("condition_count")
    if condition_count < 0 or condition_count > len(cursor.lines):
        cursor.error("conditions", f"There cannot be {condition_count} conditions in this file")
        raise UnreadableError
    if condition_count > MAX_CONDITIONS:
        count_words = there_are(condition_count, "condition").capitalize()
        message = f"{count_words}; Xconq has room for about {MAX_CONDITIONS}"
        cursor.warn("conditions", message)
    conditions = [_read_condition(cursor, index) for index in range(condition_count)]
    return Globals(
        **values, conditions=tuple(condition for condition in conditions if condition is not None)
    )


def _read_condition(cursor: Cursor, index: int) -> Condition | None:
    """Read a condition, which is two lines; add an error and return None if it cannot be read."""
    line = cursor.take(f"condition {index + 1}")
    line_number = cursor.line_number
    values = _CONDITION_LINE.read(cursor, line, missing_fix=_fix_of_missing_side(cursor, line))
    # The second line is taken even with an error in the first: so the next condition is read right.
    second_line = cursor.take(f"the numbers of condition {index + 1}")
    if values is None:
        return None
    wins = values.pop("wins")
    kind = values.pop("kind")
    if wins not in (0, 1):
        _report_odd_win(cursor, line, line_number, wins)
    if kind not in list(ConditionKind):
        message = f"There are no conditions of type {kind}: 0, 1, 2 and 3 are"
        cursor.error("condition-type", message, line_number=line_number)
        return None
    names = _NAMES_OF_NUMBERS.get(ConditionKind(kind))
    if names is None:
        numbers = cursor.all_numbers(second_line)
    else:
        numbers = cursor.numbers(second_line, names)
    if numbers is None:
        return None
    return Condition(bool(wins), ConditionKind(kind), **values, numbers=tuple(numbers))


def _report_odd_win(cursor: Cursor, line: str, number: int, wins: int) -> None:
    """Warn of a condition that begins neither with 1 nor with 0, in the line of this number."""
    start = len(line) - len(line.lstrip()) + 1
    end = start + len(line.split()[0])
    fix = Fix("write 1: who meets it wins", (TextEdit(number, start, number, end, "1"),))
    message = f"A condition begins with 1 (to win) or 0 (to lose); {wins} is taken for 1"
    span = (cursor.path, number, start, number, end)
    problem = Problem(Severity.WARNING, "condition-win", message, *span, fix)
    cursor.problems.append(problem)


def _fix_of_missing_side(cursor: Cursor, line: str) -> Fix:
    """Return the fix of a condition whose last number, the side, is missing."""
    end = len(line.rstrip()) + 1
    edit = TextEdit(cursor.line_number, end, cursor.line_number, end, " -1")
    return Fix("add the side -1: the condition is for all sides", (edit,))


def globals_text(battlemap: BattleMap, _detail: int) -> str:
    """Return the section of a map as it is written; it has no details."""
    facts = globals_of(battlemap)
    lines = [_FIRST_LINE.text(facts, condition_count=len(facts.conditions))]
    for condition in facts.conditions:
        lines.append(_CONDITION_LINE.text(condition))
        lines.append(" ".join(map(str, condition.numbers)))
    return "".join(f"{line}\n" for line in lines)
