"""The sides section: names, and with higher details attitudes, views, players and statistics.

Each side has these lines, as far as the detail of the section goes::

    Red*Army                        detail 1: the name, with ``*`` for blanks
    0  0 -100  1 1 1                detail 2: ideology, attitudes, a counter for each unit type
    ?6                              detail 3: a row of the view for each row of the map, y = 0 first
    0 * 0 0                         detail 4 and 9: the player: human, host, lost, time
    0 0 0 ...                       and three lines of statistics for each unit type

``read_sides`` reads them, ``sides_text`` writes them.
"""

from __future__ import annotations

from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.name_tokens import name_of, star_fix, token_of
from randomizer.systems.xconq.mapfile.number_lines import NumberLine
from randomizer.systems.xconq.records import MAX_SIDES, Side, Sides, sides_of
from randomizer.systems.xconq.scenario.views import fits_view, unseen_view, view_width

_FIRST_LINE = NumberLine(
    {"numsides": "number", "detail": "detail", "extension": "extension"}, SECTION_WORDS["s"]
)

_NO_PLAYER = "0 * 0 0"
"""The line of a side that nobody has played yet: a machine on no host, not lost, no time used."""

_GAINS_AND_LOSSES = 14
"""The count of numbers in the first of the three lines of statistics of a unit type.

The other two lines have a number for each unit type.
"""

FULL_DETAIL = 9
"""The greatest detail, with all lines."""


def read_sides(cursor: Cursor) -> Sides:
    """Return the section, which begins at the next line. Raises UnreadableError."""
    facts = _FIRST_LINE.read_section(cursor)
    side_count = facts["number"]
    detail = facts["detail"]
    if not 0 <= side_count <= MAX_SIDES:
        cursor.error("sides", f"There cannot be {side_count} sides: {MAX_SIDES} are the most")
        raise UnreadableError
    # Details 5 to 8 are read as 9, though no program writes them.
    if not 1 <= detail <= FULL_DETAIL:
        cursor.error("detail", f"There is no detail {detail} of sides: 1, 2, 3, 4 and 9 are")
        raise UnreadableError
    if detail > 2 and cursor.size == (0, 0):
        message = f"Detail {detail} of sides has what each side sees of the map, and there is none"
        cursor.error("detail", message)
        raise UnreadableError
    sides = tuple(_read_side(cursor, index, side_count, detail) for index in range(side_count))
    return Sides(sides, detail, facts["extension"])


def _read_side(cursor: Cursor, index: int, side_count: int, detail: int) -> Side:
    """Read a side, the one with the number ``index`` (from 0) of all.

    An error is added to the cursor, and reading goes on as long as the following lines can be told
    apart; else UnreadableError is raised.
    """
    name = _read_name(cursor, index)
    if detail == 1:
        return Side(name_of(name))

    line = cursor.take(f"the attitudes of side {index}")
    numbers = cursor.all_numbers(line)
    if numbers is None:
        raise UnreadableError
    if len(numbers) <= side_count:
        message = (
            f"Here stand ideology, an attitude for each of {side_count} sides, and a counter for "
            "each unit type"
        )
        cursor.error("number-missing", message)
        raise UnreadableError
    ideology = numbers[0]
    attitudes = tuple(numbers[1 : side_count + 1])
    counters = tuple(numbers[side_count + 1 :])

    view: tuple[str, ...] = ()
    if detail > 2:
        view = _read_view(cursor, index)
    player = ""
    statistics: tuple[str, ...] = ()
    if detail > 3:
        player = _check_player(cursor, cursor.take(f"the player of side {index}"))
        statistics = _read_statistics(cursor, index, len(counters))
    return Side(
        name=name_of(name),
        ideology=ideology,
        attitudes=attitudes,
        counters=counters,
        view=view,
        player=player,
        statistics=statistics,
    )


def _read_name(cursor: Cursor, index: int) -> str:
    """Read the line with the name of a side; a name with a blank is an error, but is returned."""
    line = cursor.take(f"the name of side {index}")
    name = line.strip()
    if len(name.split()) > 1:
        start = line.index(name)
        end = start + len(name)
        fix = star_fix(line, cursor.line_number, start, end)
        message = "The name of a side is one word: write * for a blank"
        cursor.error("name-blank", message, start + 1, end + 1, fix)
    return name


def _read_view(cursor: Cursor, index: int) -> tuple[str, ...]:
    """Read what a side has seen: a line for each row of the map that was read before."""
    width, height = cursor.size
    rows = []
    for y in range(height):
        line = cursor.take(f"the view of side {index}")
        rows.append(_check_view_row(cursor, line, width, y))
    return tuple(rows)


def _read_statistics(cursor: Cursor, index: int, unit_types: int) -> tuple[str, ...]:
    """Read the three lines for each unit type of a side."""
    lines = []
    for line_number in range(3 * unit_types):
        line = cursor.take(f"the statistics of side {index}")
        expected = _numbers_in_statistics(line_number, unit_types)
        numbers = cursor.all_numbers(line)
        if numbers is not None and len(numbers) != expected:
            cursor.error("statistics", f"Here stand {expected} numbers, not {len(numbers)}")
        lines.append(line.strip())
    return tuple(lines)


def _numbers_in_statistics(line_number: int, unit_types: int) -> int:
    """Return the count of numbers in a line of statistics; the lines are counted from 0."""
    if line_number % 3 == 0:
        return _GAINS_AND_LOSSES
    return unit_types


def _check_view_row(cursor: Cursor, line: str, width: int, y: int) -> str:
    """Return a row of a view as it stands in the file; add an error if its width is another."""
    row = line.strip()
    cells = view_width(row)
    if cells is None:
        cursor.error("view", f"Row y = {y} of the view: ?N, .N, or a unit and its side, repeated")
    elif cells != width:
        cursor.error("view", f"Row y = {y} of the view has {cells} of {width} cells")
    return row


def _check_player(cursor: Cursor, line: str) -> str:
    """Return the line of a player, "human host lost time". Raises UnreadableError for another."""
    words = line.split()
    if len(words) == 4:
        return " ".join(words)
    if len(words) == 6:
        code = "later-fork"
        here_stand = "a later fork of Xconq writes six words here; in Xconq 5 they are"
    else:
        code = "player"
        here_stand = "here stand"
    message = f"The player of a side: {here_stand} human, host (* for none), lost, time"
    cursor.error(code, message)
    raise UnreadableError


def sides_text(battlemap: BattleMap, detail: int) -> str:
    """Return the section with a detail of 1 to 9.

    Facts that a side of the map lacks, as it came from a file of a lower detail, are those of a new
    side.
    """
    section = sides_of(battlemap)
    grid = battlemap.grid
    unit_types = len(period_of(battlemap).units)
    lines = [_FIRST_LINE.text(section, number=len(section.sides), detail=detail)]
    for side in section.sides:
        lines.append(token_of(side.name))
        if detail > 1:
            lines.append(_attitudes_line(side, len(section.sides), unit_types))
        if detail > 2 and fits_view(side.view, grid):
            lines += side.view
        elif detail > 2:
            lines += unseen_view(grid)
        if detail > 3:
            lines.append(f"{side.player or _NO_PLAYER} ")
            lines += _statistics_lines(side, unit_types)
    return "".join(f"{line}\n" for line in lines)


def _attitudes_line(side: Side, side_count: int, unit_types: int) -> str:
    """Return the line of detail 2, for a game of so many sides and unit types."""
    # An attitude that nobody chose is neutral, 0, as forms show it.
    attitudes = (side.attitudes + (0,) * side_count)[:side_count]
    counters = side.counters or (1,) * unit_types
    attitudes_text = " ".join(map(str, attitudes))
    counters_text = " ".join(map(str, counters))
    # The real program writes a blank at the end of the line, too.
    return f"{side.ideology}  {attitudes_text}  {counters_text} "


def _statistics_lines(side: Side, unit_types: int) -> list[str]:
    """Return the lines of statistics; zeros if the side does not have three for each unit type."""
    types = len(side.counters) or unit_types
    if len(side.statistics) == 3 * types:
        return [f"{line} " for line in side.statistics]
    return ["0 " * _numbers_in_statistics(line_number, types) for line_number in range(3 * types)]


def has_unfitting_view(battlemap: BattleMap) -> bool:
    """Return whether any side has a view that does not fit the size of the map."""
    grid = battlemap.grid
    return any(side.view and not fits_view(side.view, grid) for side in sides_of(battlemap).sides)
