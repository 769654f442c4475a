"""The sides section: names, and with higher details attitudes, views, players and statistics."""

from __future__ import annotations

from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.cursor import (
    Cursor,
    NumberLine,
    UnreadableError,
    name_of,
    star_fix,
    token_of,
)
from randomizer.systems.xconq.records import MOST_SIDES, Side, Sides, sides_of
from randomizer.systems.xconq.scenario.views import fits_view, unseen_view, view_width

_FIRST_LINE = NumberLine(
    {"numsides": "number", "detail": "detail", "extension": "extension"}, SECTION_WORDS["s"]
)

_OF_ALL = 14
"""Numbers in the first of the three lines of statistics of a unit type: gains and losses."""

FULL_DETAIL = 9


def read_sides(cursor: Cursor) -> Sides:
    """Return the section, which begins at the next line. Raises UnreadableError."""
    facts = _FIRST_LINE.read_section(cursor)
    number = facts["number"]
    detail = facts["detail"]
    if not 0 <= number <= MOST_SIDES:
        cursor.error("sides", f"There cannot be {number} sides: {MOST_SIDES} are the most")
        raise UnreadableError
    if not 1 <= detail <= FULL_DETAIL:
        cursor.error("detail", f"There is no detail {detail} of sides: 1, 2, 3, 4 and 9 are")
        raise UnreadableError
    if detail > 2 and cursor.size == (0, 0):
        message = f"Detail {detail} of sides has what each side sees of the map, and there is none"
        cursor.error("detail", message)
        raise UnreadableError
    sides = tuple(_read_side(cursor, index, number, detail) for index in range(number))
    return Sides(sides, detail, facts["extension"])


def _read_side(cursor: Cursor, index: int, number: int, detail: int) -> Side:
    """Return one of ``number`` sides with what a detail has of it. Raises UnreadableError."""
    line = cursor.take(f"the name of side {index}")
    name = line.strip()
    if len(name.split()) > 1:
        start = line.index(name)
        fix = star_fix(line, cursor.at, start, start + len(name))
        message = "The name of a side is one word: write * for a blank"
        cursor.error("name-blank", message, start + 1, start + len(name) + 1, fix)
    if detail == 1:
        return Side(name_of(name))
    line = cursor.take(f"the attitudes of side {index}")
    numbers = cursor.all_numbers(line)
    if numbers is None or len(numbers) <= number:
        if numbers is not None:
            message = (
                f"Here stand ideology, an attitude for each of {number} sides, and a counter for "
                "each unit type"
            )
            cursor.error("number-missing", message)
        raise UnreadableError
    attitudes = tuple(numbers[1 : number + 1])
    counters = tuple(numbers[number + 1 :])
    width, height = cursor.size
    view = tuple(
        _view_row(cursor, cursor.take(f"the view of side {index}"), width, y)
        for y in range(height if detail > 2 else 0)
    )
    player = ""
    statistics = []
    if detail > 3:
        player = _player(cursor, cursor.take(f"the player of side {index}"))
        for line_number in range(3 * len(counters)):
            line = cursor.take(f"the statistics of side {index}")
            expected = len(counters) if line_number % 3 else _OF_ALL
            numbers_given = cursor.all_numbers(line)
            if numbers_given is not None and len(numbers_given) != expected:
                cursor.error(
                    "statistics", f"Here stand {expected} numbers, not {len(numbers_given)}"
                )
            statistics.append(line.strip())
    return Side(name_of(name), numbers[0], attitudes, counters, view, player, tuple(statistics))


def _view_row(cursor: Cursor, line: str, width: int, y: int) -> str:
    row = line.strip()
    cells = view_width(row)
    if cells is None:
        cursor.error("view", f"Row y = {y} of the view: ?N, .N, or a unit and its side, repeated")
    elif cells != width:
        cursor.error("view", f"Row y = {y} of the view has {cells} of {width} cells")
    return row


def _player(cursor: Cursor, line: str) -> str:
    """Return the line ``human host lost time``."""
    words = line.split()
    if len(words) != 4:
        if len(words) == 6:
            what = "a later fork of Xconq writes six words here; in Xconq 5 they are"
        else:
            what = "here stand"
        code = "later-fork" if len(words) == 6 else "player"
        message = f"The player of a side: {what} human, host (* for none), lost, time"
        cursor.error(code, message)
        raise UnreadableError
    return " ".join(words)


def sides_text(battlemap: BattleMap, detail: int) -> str:
    """Return the section with a detail of 1 to 9; what a side lacks of it is as for a new side."""
    section = sides_of(battlemap)
    grid = battlemap.grid
    unit_types = len(period_of(battlemap).units)
    lines = [_FIRST_LINE.text(section, number=len(section.sides), detail=detail)]
    for side in section.sides:
        lines.append(token_of(side.name))
        if detail > 1:
            lines.append(_attitudes(side, len(section.sides), unit_types))
        if detail > 2:
            lines += side.view if fits_view(side.view, grid) else unseen_view(grid)
        if detail > 3:
            lines.append(f"{side.player or '0 * 0 0'} ")
            lines += _statistics(side, unit_types)
    return "".join(f"{line}\n" for line in lines)


def _attitudes(side: Side, sides: int, unit_types: int) -> str:
    """Return the line of detail 2; an attitude that nobody chose is neutral, as forms show it."""
    attitudes = side.attitudes + (0,) * sides
    counters = side.counters or (1,) * unit_types
    words = " ".join(map(str, attitudes[:sides])), " ".join(map(str, counters))
    return f"{side.ideology}  {words[0]}  {words[1]} "


def _statistics(side: Side, unit_types: int) -> list[str]:
    types = len(side.counters) or unit_types
    if len(side.statistics) == 3 * types:
        return [f"{line} " for line in side.statistics]
    return ["0 " * (types if row % 3 else _OF_ALL) for row in range(3 * types)]


def lost_views(battlemap: BattleMap) -> bool:
    """Return whether a side has a view that is not one of a map of this size."""
    grid = battlemap.grid
    return any(side.view and not fits_view(side.view, grid) for side in sides_of(battlemap).sides)
