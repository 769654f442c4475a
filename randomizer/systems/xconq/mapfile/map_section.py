"""The map section: size, scale, and rows of terrain characters with run lengths."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.header import SECTION_WORDS
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.cursor import Cursor, NumberLine, UnreadableError
from randomizer.systems.xconq.mapfile.placeholder_types import character_of
from randomizer.systems.xconq.records import MapFacts, map_facts_of
from randomizer.systems.xconq.system import MOST_ALONG, TERRAIN
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of

Characters = NDArray[np.uint8]
"""Latin-1 codes of terrain characters, shape (height, width); row 0 is y = 0, the south."""

_RUN = re.compile(r"([0-9]*+)([^0-9]|\Z)")
"""A count and a character, which is "" for digits at the end of a row."""
_DIGIT = re.compile("[0-9]")
_OTHER_SECTION = re.compile(r"(?:Globals|Sides|Units)\s+-?\d")
_SHORTEST_RUN = 3
"""A run from here on is written as a count and a character, as the real program does."""

_FIRST_LINE = NumberLine(
    {name: name for name in ("width", "height", "scale", "seen", "extension")}, SECTION_WORDS["m"]
)


@dataclass(frozen=True)
class MapSection:
    """The map section. ``first_line`` (from 1) is that of its rows, for places of problems."""

    width: int
    height: int
    facts: MapFacts
    characters: Characters
    first_line: int


def read_map(cursor: Cursor) -> MapSection | None:
    """Return the section, which begins at the next line; None with errors.

    Raises UnreadableError.
    """
    values = _FIRST_LINE.read_section(cursor)
    width = values.pop("width")
    height = values.pop("height")
    if not (1 <= width <= MOST_ALONG and 1 <= height <= MOST_ALONG):
        message = f"The map is {width:,} x {height:,}; 1 to {MOST_ALONG:,} each are possible here"
        cursor.error("map-size", message)
        raise UnreadableError
    first_line = cursor.at + 1
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
    names = [terrain.name for terrain in terrain_set_of(period).terrains]
    characters = dict(zip(names, (terrain.char for terrain in period.terrains), strict=True))
    codes = battlemap.composite().planes[TERRAIN.name]
    table = np.zeros(256, np.uint8)
    counts = np.bincount(codes.reshape(-1), minlength=256)
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        character = characters.get(terrain.name) or character_of(terrain.name) or ""
        if len(character) == 1 and ord(character) < 256:
            table[code] = ord(character)
        elif code < 256 and counts[code]:
            cells = counted(int(counts[code]), "cell")
            message = (
                f"The period has no terrain “{terrain.name}”, so no file can hold its {cells}: "
                "paint over them, or save a project"
            )
            raise ProblemError(Problem(Severity.ERROR, "terrain-without-character", message))
    return table[codes]


# --- rows -------------------------------------------------------------------------------------


def _read_rows(cursor: Cursor, width: int, height: int) -> Characters | None:
    """Return the rows of a map, which stand in the file from the north to the south.

    None with errors: each row has exactly the width, and no run crosses its end.
    """
    characters_of_map = np.zeros((height, width), np.uint8)
    sound = True
    for row in range(height):
        line = cursor.peek()
        if line is None or _OTHER_SECTION.match(line):
            message = f"The map has only {row} of {counted(height, 'row')}"
            cursor.at += line is not None
            cursor.error("rows-missing", message)
            raise UnreadableError
        cursor.at += 1
        characters = _row(cursor, line, width, height - 1 - row)
        if characters is None:
            sound = False
        else:
            characters_of_map[height - 1 - row] = characters
    return characters_of_map if sound else None


def _row(cursor: Cursor, line: str, width: int, y: int) -> Characters | None:
    """Return one row of the file; None with an error. White space around its cells is left out."""
    text = line.lstrip(" \t")
    blanks = len(line) - len(text)
    if len(text) == width and not _DIGIT.search(text):
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    runs = _runs(text, width)
    bare = text.rstrip(" \t")
    if _cells(runs) > width and bare != text:
        text = bare
        runs = _runs(bare, width)
    cells = _cells(runs)
    done = sum(len(digits) + 1 for digits, _, _ in runs)
    if cells > width:
        _report_surplus(cursor, runs, width, y, blanks)
    elif done < len(text):
        message = f"The count {text[done:]:.20} at the end of row y = {y} has no terrain"
        cursor.error("count-alone", message, blanks + done + 1)
    elif cells < width:
        message = (
            f"Row y = {y} has {cells} of {counted(width, 'cell')}; each row has exactly the width"
        )
        cursor.error("row-short", message, blanks + 1)
    else:
        codes = "".join(character for _, character, _ in runs).encode("latin-1")
        return np.repeat(np.frombuffer(codes, np.uint8), [count for _, _, count in runs])
    return None


def _runs(text: str, width: int) -> list[tuple[str, str, int]]:
    """Return each run as its digits, its character and its count, up to one beyond the width."""
    runs = []
    cells = 0
    for digits, character in (run.groups() for run in _RUN.finditer(text)):
        if not character or cells > width:
            break
        runs.append((digits, character, _count(digits)))
        cells += runs[-1][2]
    return runs


def _count(digits: str) -> int:
    """Return the count of a run; one without digits is 1, and one of many digits is too large
    anyway.
    """
    bare = digits.lstrip("0")
    if len(bare) < 10:
        return int(bare or not digits)
    return 10**9


def _cells(runs: list[tuple[str, str, int]]) -> int:
    return sum(count for _, _, count in runs)


def _report_surplus(
    cursor: Cursor, runs: list[tuple[str, str, int]], width: int, y: int, blanks: int
) -> None:
    """The error of a row that is too long, at the run or the first character too many."""
    column = blanks + 1
    cells = 0
    for digits, _, count in runs:
        if cells + count > width:
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
        cells += count
        column += len(digits) + 1


def _row_text(row: Characters) -> str:
    """Return a row as the real program writes it: runs of three and more, and the last, have a
    count.
    """
    starts = np.flatnonzero(np.diff(row, prepend=row[0] ^ 1)).tolist()
    ends = [*starts[1:], len(row)]
    letters = row[starts].tobytes().decode("latin-1")
    pieces = [
        f"{end - start}{letter}" if end - start >= _SHORTEST_RUN else letter * (end - start)
        for letter, start, end in zip(letters, starts, ends, strict=True)
    ]
    pieces[-1] = f"{ends[-1] - starts[-1]}{letters[-1]}"
    return "".join(pieces) + "\n"
