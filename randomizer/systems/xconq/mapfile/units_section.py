"""The units section: units as they stand in a file, not yet on a map."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.basics.limits import LONGEST_LINE, MOST_THINGS
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.mapfile.cursor import (
    Cursor,
    NumberLine,
    UnreadableError,
    name_of,
    star_fix,
    token_of,
)
from randomizer.systems.xconq.period.words import NOTHING

_UNIT = re.compile(r"\s*(\S)\s+(\S+)\s+(-?\d{1,9}),\s*(-?\d{1,9})\s+(-?\d{1,9})\s*", re.ASCII)
_LATER_UNIT = re.compile(r"\s*\S\s+\S+\s+-?\d+\s+-?\d+,\s*-?\d+\s+-?\d+\s*", re.ASCII)
"""The later fork has the number of a group before the place."""
_BLANK_NAME = re.compile(
    r"\s*\S\s+(?P<name>\S.*?)(?<=\S)\s++-?\d{1,9},\s*-?\d{1,9}\s+-?\d{1,9}\s*", re.ASCII
)

_LONGEST = 2 * LONGEST_LINE
"""In characters: the line of a unit, of which the name takes the most."""

_FIRST_LINE = NumberLine(
    {"numunits": "number", "detail": "detail", "extension": "extension"}, SECTION_WORDS["u"]
)


class Attributes(NamedTuple):
    """The numbers of detail 2 in their order, before the supplies; by default those of a new unit.

    ``product`` is a unit type plus 256 times the next one. ``transport`` is the ``id`` of the unit
    that carries this one, -1 for none. ``number`` counts the unnamed units of a side and type;
    ``true_side`` is the one that the unit works for.
    """

    id: int = 0
    number: int = 0
    true_side: int = 0
    hit_points: int = 0
    quality: int = 0
    morale: int = 0
    fatigue: int = 0
    product: int = NOTHING + 256 * NOTHING
    schedule: int = 0
    built: int = 0
    transport: int = -1


_ATTRIBUTES = tuple(field.replace("_", " ") for field in Attributes._fields)
_ATTRIBUTE_GROUPS = (slice(3), slice(3, 4), slice(4, 7), slice(7, 10), slice(10, 11))
"""Which numbers of detail 2 stand together; two blanks are between them."""


@dataclass(frozen=True, slots=True)
class FileUnit:
    """A unit of a file. ``line`` counts from 1, 0 if it is to be written; ``name`` is "" for an
    unnamed unit.

    ``attributes`` and ``supplies`` (one for each resource type) come with detail 2, ``orders`` with
    detail 3 and ``moves`` with detail 4: lines as they stand there.
    """

    line: int
    character: str
    name: str
    x: int
    y: int
    side: int
    attributes: Attributes | None = None
    supplies: tuple[int, ...] = ()
    orders: tuple[str, ...] = ()
    moves: str = ""


@dataclass(frozen=True, slots=True)
class FileUnits:
    """The units of a file in their order. ``extension`` is the last number of its first line."""

    units: tuple[FileUnit, ...]
    detail: int
    extension: int


def read_units(cursor: Cursor) -> FileUnits:
    """Return the section, which begins at the next line. Raises UnreadableError."""
    facts = _FIRST_LINE.read_section(cursor)
    number = facts["number"]
    detail = facts["detail"]
    if not 0 <= number <= MOST_THINGS:
        message = f"A map has at most {MOST_THINGS:,} units, this one announces {number:,}"
        cursor.error("units", message)
        raise UnreadableError
    if not 1 <= detail <= 9:
        cursor.error("detail", f"There is no detail {detail} of units: 1, 2, 3 and 9 are")
        raise UnreadableError
    units_read: list[FileUnit | None] = []
    first = cursor.at
    while len(units_read) < number and (cursor.peek() is not None or not units_read):
        units_read.append(_unit(cursor, len(units_read), detail))
    if len(units_read) < number:
        _report_fewer(cursor, first, number, len(units_read))
    units = tuple(unit for unit in units_read if unit is not None)
    return FileUnits(units, detail, facts["extension"])


def _report_fewer(cursor: Cursor, first: int, number: int, number_read: int) -> None:
    """A file that ends after a whole unit is read; ``first`` is the line of its number."""
    line = cursor.lines[first - 1]
    start = line.index(str(number)) + 1
    span = (cursor.path, first, start, first, start + len(str(number)))
    fix = Fix(f"write {number_read}", (TextEdit(*span[1:], str(number_read)),))
    message = f"The file announces {number:,} units and ends after {number_read:,}"
    cursor.problems.append(Problem(Severity.WARNING, "units-fewer", message, *span, fix))


def _unit(cursor: Cursor, index: int, detail: int) -> FileUnit | None:
    line = cursor.take(f"unit {index + 1}")
    number = cursor.at
    unit = _first_line(cursor, line)
    attributes = None
    supplies: tuple[int, ...] = ()
    orders: tuple[str, ...] = ()
    moves = ""
    if detail > 1:
        below = cursor.take(f"the numbers of unit {index + 1}")
        numbers = cursor.all_numbers(below)
        if numbers is not None and len(numbers) < len(_ATTRIBUTES):
            message = (
                f"The number “{_ATTRIBUTES[len(numbers)]}” is missing: here stand "
                f"{', '.join(_ATTRIBUTES)} and the supplies; numbers may not be omitted"
            )
            cursor.error("number-missing", message, len(below.rstrip()) + 1)
        elif numbers is not None:
            attributes = Attributes(*numbers[: len(_ATTRIBUTES)])
            supplies = tuple(numbers[len(_ATTRIBUTES) :])
    if detail > 2:
        orders = _orders(cursor, index)
    if detail > 3:
        moves = cursor.take(f"the moves of unit {index + 1}")
    if unit is None:
        return None
    character, name, x, y, side = unit
    return FileUnit(number, character, name, x, y, side, attributes, supplies, orders, moves)


def _first_line(cursor: Cursor, line: str) -> tuple[str, str, int, int, int] | None:
    """Character, name, x, y and side; None with an error."""
    if len(line) > _LONGEST:
        message = f"The line of a unit has at most {_LONGEST:,} characters, not {len(line):,}"
        cursor.error("unit", message)
        return None
    match = _UNIT.fullmatch(line)
    if match is not None:
        character, name, x, y, side = match.groups()
        return character, name_of(name), int(x), int(y), int(side)
    if _LATER_UNIT.fullmatch(line):
        message = (
            "Here stands one number too many, as in the files of a later fork of Xconq; in Xconq 5 "
            "a unit is: character name x,y side"
        )
        cursor.error("later-fork", message)
        raise UnreadableError
    blank = _BLANK_NAME.fullmatch(line)
    if blank is not None and " " in blank["name"]:
        start, end = blank.span("name")
        fix = star_fix(line, cursor.at, start, end)
        message = f"The name “{blank['name']:.60}” has a blank; in a mapfile * stands for it"
        cursor.error("name-blank", message, start + 1, end + 1, fix)
    else:
        message = "A unit is: character name x,y side (-1 for a neutral one)"
        cursor.error("unit", message)
    return None


def _orders(cursor: Cursor, index: int) -> tuple[str, ...]:
    """Return the orders of detail 3; standing orders are a line of flags and one for each that is
    set.
    """
    lines = [cursor.take(f"the orders of unit {index + 1}")]
    if lines[0].split()[-1] == "1":
        lines.append(cursor.take(f"the standing orders of unit {index + 1}"))
        for flag in cursor.all_numbers(lines[1]) or ():
            if flag:
                lines.append(cursor.take(f"a standing order of unit {index + 1}"))
    return tuple(lines)


ORDERS = ("0  0  1 0 31  0",)
MOVES = "0 0 "
"""Orders and moves of a unit that has none: awake, no standing orders."""


def units_text(section: FileUnits) -> str:
    """Return the section as it is written. Details above 4 are written as 4.

    After the last line of detail 4 the real program writes a blank, and so does this.
    """
    detail = min(section.detail, 4)
    between = "\n " if detail > 3 else "\n"
    body = "".join("\n".join(_lines(unit, detail)) + between for unit in section.units)
    return f"{_FIRST_LINE.text(section, number=len(section.units), detail=detail)}\n{body}"


def _lines(unit: FileUnit, detail: int) -> list[str]:
    """Return the lines of a unit with a detail of 1 to 4, without line ends."""
    lines = [f"{unit.character} {token_of(unit.name)} {unit.x},{unit.y} {unit.side}"]
    if detail > 1:
        numbers = list(map(str, unit.attributes or Attributes()))
        groups = [" ".join(numbers[group]) for group in _ATTRIBUTE_GROUPS]
        groups.append("".join(f"{supply} " for supply in unit.supplies))
        lines.append("  ".join(groups))
    if detail > 2:
        lines += unit.orders or ORDERS
    if detail > 3:
        lines.append(unit.moves or MOVES)
    return lines
