"""The map section: size, scale, and rows of terrain characters with run lengths.

A world of 6 x 3, in which a count stands before the character that it repeats::

    Map 6 3 100 1 0
    6+
    ..3,1.
    6+

A *run* is a character with its count: ``6+`` are six cells of ``+``, and ``..`` are two runs of one
cell. Rows stand from the north to the south; in arrays row 0 is the south. ``read_map`` reads the
section, ``map_text`` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.cursor import Cursor, UnreadableError
from randomizer.systems.xconq.mapfile.number_lines import NumberLine
from randomizer.systems.xconq.mapfile.placeholder_types import character_of
from randomizer.systems.xconq.records import MapFacts, map_facts_of
from randomizer.systems.xconq.system import MAX_ALONG, TERRAIN
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of

Characters = NDArray[np.uint8]
"""Latin-1 codes of terrain characters, shape (height, width); row 0 is y = 0, the south."""

_RUN = re.compile(r"([0-9]*+)([^0-9]|\Z)")
"""A count and a character, which is "" for digits at the end of a row."""

_DIGIT = re.compile("[0-9]")

_OTHER_SECTION = re.compile(r"(?:Globals|Sides|Units)\s+-?\d")
"""The beginning of a section that follows the map: then rows are missing."""

_SHORTEST_RUN = 3
"""The least number of cells of a run that is written with a count, as in the real program."""

_FIRST_LINE = NumberLine(
    {name: name for name in ("width", "height", "scale", "seen", "extension")}, SECTION_WORDS["m"]
)

_MANY_DIGITS = 10
"""Counts of cells with so many digits are not converted: thousands of digits would take long."""

_MANY_CELLS = 10**9
"""What such a count is read as: more cells than any row has."""


@dataclass(frozen=True)
class MapSection:
    """The map section of a file."""

    width: int
    """The number of columns."""

    height: int
    """The number of rows."""

    facts: MapFacts

    characters: Characters
    """The terrain characters, (height, width)."""

    first_line: int
    """The number of the line, from 1, in which the rows begin."""


class _Run(NamedTuple):
    """A run of a row."""

    digits: str
    """The count as it is written, "" for none."""

    character: str

    cells: int
    """The number of its cells: the count, 1 for none."""


def read_map(cursor: Cursor) -> MapSection | None:
    """Return the section, which begins at the next line; None with errors.

    Raises UnreadableError.
    """
    values = _FIRST_LINE.read_section(cursor)
    width = values.pop("width")
    height = values.pop("height")
    if not (1 <= width <= MAX_ALONG and 1 <= height <= MAX_ALONG):
        message = f"The map is {width:,} x {height:,}; 1 to {MAX_ALONG:,} each are possible here"
        cursor.error("map-size", message)
        raise UnreadableError
    first_line = cursor.next_index + 1
    characters = _read_rows(cursor, width, height)
    if characters is None:
        return None
    cursor.size = width, height
    return MapSection(width, height, MapFacts(**values), characters, first_line)


def map_text(battlemap: BattleMap, _detail: int) -> str:
    """Return the section of a map as it is written. Raises ProblemError as ``characters_of``."""
    grid = battlemap.grid
    facts = map_facts_of(battlemap)
    first = _FIRST_LINE.text(facts, width=grid.width, height=grid.height)
    rows = (_row_text(row) for row in characters_of(battlemap)[::-1])
    return f"{first}\n{''.join(rows)}"


def characters_of(battlemap: BattleMap) -> Characters:
    """Return the characters of the terrain that the visible layers show.

    Raises ProblemError for terrain that the period has no character for.
    """
    period = period_of(battlemap)
    characters = {
        terrain.name: terrain_type.char
        for terrain, terrain_type in zip(
            terrain_set_of(period).terrains, period.terrains, strict=True
        )
    }
    codes = battlemap.composite().planes[TERRAIN.name]
    character_of_code = np.zeros(256, np.uint8)
    cells_of_code = np.bincount(codes.reshape(-1), minlength=256)
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        # The period's, or for one of a period that is missing the one in its name.
        character = characters.get(terrain.name) or character_of(terrain.name) or ""
        if len(character) == 1 and ord(character) < 256:
            character_of_code[code] = ord(character)
        elif code < 256 and cells_of_code[code]:
            cells = counted(int(cells_of_code[code]), "cell")
            message = (
                f"The period has no terrain “{terrain.name}”, so no file can hold its {cells}: "
                "paint over them, or save a project"
            )
            raise ProblemError(Problem(Severity.ERROR, "terrain-without-character", message))
    return character_of_code[codes]


# --- rows -------------------------------------------------------------------------------------


def _read_rows(cursor: Cursor, width: int, height: int) -> Characters | None:
    """Return the rows of a map, which stand in the file from the north to the south.

    None with errors: each row has exactly the width, and no run crosses its end.
    """
    result = np.zeros((height, width), np.uint8)
    has_faults = False
    for y in reversed(range(height)):
        line = cursor.peek()
        if line is None or _OTHER_SECTION.match(line):
            rows_read = height - 1 - y
            message = f"The map has only {rows_read} of {counted(height, 'row')}"
            # The error is in the line of the other section; at the end of the file in the last one.
            fault_line = cursor.line_number
            if line is not None:
                fault_line += 1
            cursor.error("rows-missing", message, line_number=fault_line)
            raise UnreadableError
        cursor.take("a row of the map")
        characters = _read_row(cursor, line, width, y)
        if characters is None:
            has_faults = True
        else:
            result[y] = characters
    if has_faults:
        return None
    return result


def _read_row(cursor: Cursor, line: str, width: int, y: int) -> Characters | None:
    """Return the characters of a line, (width,); None with an error."""
    # White space before the cells is no terrain, as in the real program.
    text = line.lstrip(" \t")
    blanks = len(line) - len(text)
    # A short cut: most rows of large maps have no counts.
    if len(text) == width and not _DIGIT.search(text):
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    runs = _find_runs(text, width)
    # Blanks behind the cells may be a terrain. They are left out only if the row is too long.
    text_without_end = text.rstrip(" \t")
    if _count_cells(runs) > width and text_without_end != text:
        text = text_without_end
        runs = _find_runs(text, width)
    cells = _count_cells(runs)
    length_of_runs = sum(len(run.digits) + 1 for run in runs)
    if cells > width:
        _report_surplus(cursor, runs, width, y, blanks)
        return None
    if length_of_runs < len(text):
        count = text[length_of_runs:]
        message = f"The count {count:.20} at the end of row y = {y} has no terrain"
        cursor.error("count-alone", message, blanks + length_of_runs + 1)
        return None
    if cells < width:
        message = (
            f"Row y = {y} has {cells} of {counted(width, 'cell')}; each row has exactly the width"
        )
        cursor.error("row-short", message, blanks + 1)
        return None
    codes = "".join(run.character for run in runs).encode("latin-1")
    return np.repeat(np.frombuffer(codes, np.uint8), [run.cells for run in runs])


def _find_runs(text: str, width: int) -> list[_Run]:
    """Return the runs of a row, up to the first one that goes beyond the width."""
    runs = []
    cells = 0
    for match in _RUN.finditer(text):
        digits, character = match.groups()
        if not character or cells > width:
            break
        run = _Run(digits, character, _count_of(digits))
        runs.append(run)
        cells += run.cells
    return runs


def _count_of(digits: str) -> int:
    """Return the count of a run: 1 for one without digits."""
    if not digits:
        return 1
    significant_digits = digits.lstrip("0")
    if len(significant_digits) >= _MANY_DIGITS:
        return _MANY_CELLS
    return int(significant_digits or "0")


def _count_cells(runs: Sequence[_Run]) -> int:
    """Return the number of cells of some runs."""
    return sum(run.cells for run in runs)


def _report_surplus(cursor: Cursor, runs: list[_Run], width: int, y: int, blanks: int) -> None:
    """Add the error of a row that is too long, at the run or the first character too many.

    ``blanks`` is the number of those before the row.
    """
    column = blanks + 1
    cells = 0
    for digits, _character, cells_of_run in runs:
        if cells + cells_of_run > width:
            end = column + len(digits) + 1
            if cells < width and digits:
                message = (
                    f"The run of {digits:.20} crosses the end of row y = {y}, which has room for "
                    f"{width - cells} more; runs cannot extend over line boundaries"
                )
                cursor.error("run-crosses", message, column, end)
            else:
                message = f"Row y = {y} has more than {counted(width, 'cell')} from here on"
                cursor.error("row-long", message, column)
            return
        cells += cells_of_run
        column += len(digits) + 1


def _row_text(row: Characters) -> str:
    """Return a row as the real program writes it: runs of three and more have a count.

    The last run has one whatever its length.
    """
    # A run starts at the first character, and where one differs from the one before it.
    starts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist()]
    ends = [*starts[1:], len(row)]
    letters = row[starts].tobytes().decode("latin-1")
    pieces = []
    for letter, start, end in zip(letters, starts, ends, strict=True):
        count = end - start
        if count >= _SHORTEST_RUN or end == len(row):
            pieces.append(f"{count}{letter}")
        else:
            pieces.append(letter * count)
    return "".join(pieces) + "\n"
