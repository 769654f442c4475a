"""The units section: units as they stand in a file, not yet on a map.

A unit has a line, and with higher details more of them::

    Units 1 9 0                                     number of units, detail, extension
    i 1st*Guards 12,5 0                             detail 1: character, name, x,y, side
    17 1 0  1  0 0 0  18247 0 0  -1  5 3            detail 2: ``Attributes``, and the supplies
    0  0  1 0 31  0                                 detail 3: orders, perhaps several lines
    0 0                                             detail 4 and 9: moves

``read_units`` reads them, ``units_text`` writes them. ``unit_things`` makes things of them, and
``written_units`` makes them of things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from randomizer.model.basics.limits import LONGEST_LINE, MAX_THINGS
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.name_tokens import name_of, star_fix, token_of
from randomizer.systems.xconq.mapfile.number_lines import NumberLine
from randomizer.systems.xconq.period.words import NOTHING
from randomizer.systems.xconq.records import MAX_SIDES

_UNIT = re.compile(
    r"""
    \s* (?P<character> \S )
    \s+ (?P<name> \S+ )
    \s+ (?P<x> -?\d{1,9} ) , \s* (?P<y> -?\d{1,9} )
    \s+ (?P<side> -?\d{1,9} )
    \s*
    """,
    re.ASCII | re.VERBOSE,
)
"""The first line of a unit."""

_LATER_UNIT = re.compile(
    r"""
    \s* \S                        # character
    \s+ \S+                       # name
    \s+ -?\d+                     # the group, which Xconq 5 does not have
    \s+ -?\d+ , \s* -?\d+        # x,y
    \s+ -?\d+                     # side
    \s*
    """,
    re.ASCII | re.VERBOSE,
)
"""The first line of a unit in the files of the later fork."""

_BLANK_NAME = re.compile(
    r"""
    \s* \S                                      # character
    \s+ (?P<name> \S .*? ) (?<=\S)             # the name, blanks and all, up to its last word
    \s++ -?\d{1,9} , \s* -?\d{1,9}             # x,y; ``++`` does not try fewer blanks again
    \s+ -?\d{1,9}                              # side
    \s*
    """,
    re.ASCII | re.VERBOSE,
)
"""The first line of a unit whose name has blanks."""

_LONGEST_UNIT_LINE = 2 * LONGEST_LINE
"""The most characters of the first line of a unit, of which the name takes the most."""

_FIRST_LINE = NumberLine(
    {"numunits": "number", "detail": "detail", "extension": "extension"}, SECTION_WORDS["u"]
)


class Attributes(NamedTuple):
    """The numbers of detail 2 in their order, before the supplies.

    By default they are those of a new unit.
    """

    id: int = 0
    """The number by which other units of the file name this one."""

    number: int = 0
    """The number of an unnamed unit among those of its side and type."""

    true_side: int = 0
    """The side that the unit works for."""

    hit_points: int = 0
    quality: int = 0
    morale: int = 0
    fatigue: int = 0

    product: int = NOTHING + 256 * NOTHING
    """The unit type that it constructs, plus 256 times the next one."""

    schedule: int = 0
    built: int = 0

    transport: int = -1
    """The id of the unit that carries this one, -1 for none."""


_ATTRIBUTES = tuple(field.replace("_", " ") for field in Attributes._fields)
"""The names of the numbers of detail 2, for messages."""

_ATTRIBUTE_GROUPS = (
    ("id", "number", "true_side"),
    ("hit_points",),
    ("quality", "morale", "fatigue"),
    ("product", "schedule", "built"),
    ("transport",),
)
"""The groups in which the numbers of detail 2 are written, with two blanks between the groups.

As in "17 1 0  1  0 0 0  18247 0 0  -1".
"""

FULL_DETAIL = 9
"""The greatest detail, with all lines; details 4 to 8 have them, too."""

NO_ORDERS = ("0  0  1 0 31  0",)
"""The lines of a unit without orders: awake, no standing orders."""

NO_MOVES = "0 0 "
"""The line of a unit that has no moves left."""


@dataclass(frozen=True, slots=True)
class FileUnit:
    """A unit of a file."""

    line: int
    """The line, from 1, where it stands in the file; 0 if it is to be written."""

    character: str
    """The character of its type."""

    name: str
    """"" for an unnamed unit."""

    x: int
    y: int

    side: int
    """The number of its side from 0; other numbers mean neutral."""

    attributes: Attributes | None = None
    """Its numbers, None in files of detail 1."""

    supplies: tuple[int, ...] = ()
    """The supplies of detail 2, one for each resource type."""

    orders: tuple[str, ...] = ()
    """The lines of its orders as they stand in files, from detail 3 on."""

    moves: str = ""
    """The line of its moves as it stands in files, from detail 4 on."""


@dataclass(frozen=True, slots=True)
class FileUnits:
    """The units section of a file."""

    units: tuple[FileUnit, ...]
    """The units in their order."""

    detail: int
    """The detail of all units, 1 to 9."""

    extension: int
    """The last number of the section's first line, which has no meaning yet."""


def read_units(cursor: Cursor) -> FileUnits:
    """Read the section, which begins at the next line. Raises UnreadableError."""
    facts = _FIRST_LINE.read_section(cursor)
    number = facts["number"]
    detail = facts["detail"]
    if not 0 <= number <= MAX_THINGS:
        message = f"A map has at most {MAX_THINGS:,} units, this one announces {number:,}"
        cursor.error("units", message)
        raise UnreadableError
    if not 1 <= detail <= FULL_DETAIL:
        cursor.error("detail", f"There is no detail {detail} of units: 1, 2, 3 and 9 are")
        raise UnreadableError
    units_read: list[FileUnit | None] = []
    line_of_number = cursor.line_number
    for index in range(number):
        # A file that ends after a whole unit is read; one without any unit has an error.
        if index > 0 and cursor.peek() is None:
            _report_fewer(cursor, line_of_number, number, index)
            break
        units_read.append(_read_unit(cursor, index, detail))
    units = tuple(unit for unit in units_read if unit is not None)
    return FileUnits(units, detail, facts["extension"])


def _report_fewer(cursor: Cursor, line_of_number: int, number: int, number_read: int) -> None:
    """Warn of a file with fewer units than the ``number`` that a line announces."""
    column = cursor.lines[line_of_number - 1].index(str(number)) + 1
    end_column = column + len(str(number))
    edit = TextEdit(line_of_number, column, line_of_number, end_column, str(number_read))
    message = f"The file announces {number:,} units and ends after {number_read:,}"
    problem = Problem(
        Severity.WARNING,
        "units-fewer",
        message,
        path=cursor.path,
        line=line_of_number,
        column=column,
        end_line=line_of_number,
        end_column=end_column,
        fix=Fix(f"write {number_read}", (edit,)),
    )
    cursor.problems.append(problem)


def _read_unit(cursor: Cursor, index: int, detail: int) -> FileUnit | None:
    """Read the lines of a unit; None with an error in the first line. Raises UnreadableError.

    ``index`` is its number in the section, from 0. With an error in a later line the unit lacks the
    values of that line. All lines are read in any case, so that the next unit is found.
    """
    line = cursor.take(f"unit {index + 1}")
    unit = _read_first_line(cursor, line)
    attributes = None
    supplies: tuple[int, ...] = ()
    orders: tuple[str, ...] = ()
    moves = ""
    if detail > 1:
        numbers = _read_numbers(cursor, index)
        if numbers is not None:
            attributes = Attributes(*numbers[: len(_ATTRIBUTES)])
            supplies = tuple(numbers[len(_ATTRIBUTES) :])
    if detail > 2:
        orders = _read_orders(cursor, index)
    if detail > 3:
        moves = cursor.take(f"the moves of unit {index + 1}")
    if unit is None:
        return None
    return replace(unit, attributes=attributes, supplies=supplies, orders=orders, moves=moves)


def _read_numbers(cursor: Cursor, index: int) -> list[int] | None:
    """Read the line of detail 2: attributes and supplies; None with an error."""
    line = cursor.take(f"the numbers of unit {index + 1}")
    numbers = cursor.all_numbers(line)
    if numbers is None or len(numbers) >= len(_ATTRIBUTES):
        return numbers
    message = (
        f"The number “{_ATTRIBUTES[len(numbers)]}” is missing: here stand "
        f"{', '.join(_ATTRIBUTES)} and the supplies; numbers may not be omitted"
    )
    cursor.error("number-missing", message, len(line.rstrip()) + 1)
    return None


def _read_first_line(cursor: Cursor, line: str) -> FileUnit | None:
    """Return the unit of the line that was taken last, without its details; None with an error.

    Raises UnreadableError for a line of the later fork.
    """
    if len(line) > _LONGEST_UNIT_LINE:
        message = (
            f"The line of a unit has at most {_LONGEST_UNIT_LINE:,} characters, not {len(line):,}"
        )
        cursor.error("unit", message)
        return None
    match = _UNIT.fullmatch(line)
    if match is not None:
        return FileUnit(
            line=cursor.line_number,
            character=match["character"],
            name=name_of(match["name"]),
            x=int(match["x"]),
            y=int(match["y"]),
            side=int(match["side"]),
        )
    if _LATER_UNIT.fullmatch(line):
        message = (
            "Here stands one number too many, as in the files of a later fork of Xconq; in Xconq 5 "
            "a unit is: character name x,y side"
        )
        cursor.error("later-fork", message)
        raise UnreadableError
    match = _BLANK_NAME.fullmatch(line)
    if match is not None and " " in match["name"]:
        start, end = match.span("name")
        fix = star_fix(line, cursor.line_number, start, end)
        message = f"The name “{match['name']:.60}” has a blank; in a mapfile * stands for it"
        cursor.error("name-blank", message, start + 1, end + 1, fix)
    else:
        message = "A unit is: character name x,y side (-1 for a neutral one)"
        cursor.error("unit", message)
    return None


def _read_orders(cursor: Cursor, index: int) -> tuple[str, ...]:
    """Read the orders of detail 3, as lines.

    The last number of the first line is 1 if standing orders follow: a line of flags, one for each
    unit type, and a line for each flag that is set.
    """
    lines = [cursor.take(f"the orders of unit {index + 1}")]
    if lines[0].split()[-1] == "1":
        lines.append(cursor.take(f"the standing orders of unit {index + 1}"))
        for flag in cursor.all_numbers(lines[1]) or ():
            if flag:
                lines.append(cursor.take(f"a standing order of unit {index + 1}"))
    return tuple(lines)


def units_text(section: FileUnits) -> str:
    """Return the section as it is written. Details above 4 are written as 4."""
    detail = min(section.detail, 4)
    end_of_unit = "\n"
    if detail > 3:
        end_of_unit = "\n "  # the real program, too, writes a blank after the moves of a unit
    pieces = [_FIRST_LINE.text(section, number=len(section.units), detail=detail), "\n"]
    for unit in section.units:
        pieces += ["\n".join(_lines(unit, detail)), end_of_unit]
    return "".join(pieces)


def _lines(unit: FileUnit, detail: int) -> list[str]:
    """Return the lines of a unit with a detail of 1 to 4, without line ends."""
    lines = [f"{unit.character} {token_of(unit.name)} {unit.x},{unit.y} {unit.side}"]
    if detail > 1:
        attributes = unit.attributes or Attributes()
        groups = []
        for names in _ATTRIBUTE_GROUPS:
            groups.append(" ".join(str(getattr(attributes, name)) for name in names))
        groups.append("".join(f"{supply} " for supply in unit.supplies))
        lines.append("  ".join(groups))
    if detail > 2:
        lines += unit.orders or NO_ORDERS
    if detail > 3:
        lines.append(unit.moves or NO_MOVES)
    return lines


def is_neutral(side: int, side_count: int | None) -> bool:
    """Return whether a unit is neutral: its side is none of those that there are.

    In a file without sides, for which ``side_count`` is None, all possible sides count.
    """
    if side_count is None:
        side_count = MAX_SIDES
    return not 0 <= side < side_count
