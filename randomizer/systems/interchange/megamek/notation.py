"""Reads the notation of boards: lines, statements, and the terrains within a statement ``hex``.

The reader and the writer of boards share it. A statement begins with its word; ``hex`` is::

    hex 0304 2 "woods:1;road:1:9" "grass" # a comment

with the number of the hex, its level, its terrains and its theme. ``read_hex_statement`` returns
these parts, and ``read_terrains`` the single terrains. A terrain is a name, a level and, for some,
*exits*: the sides by which it leads to neighbours, as bits from the north clockwise (9, 0b001001,
is north and south).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import split_lines
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.pictures import table_rows

CLEAR = "clear"
"""The code of a hex without terrains."""

CODE = re.compile(r'(?:clear|[a-z_]\w*:-?\d[^"]*)(?: "[^"]*")?', re.ASCII)
"""A code, which is the name of a terrain of our map: the terrains of a hex, then its theme."""

_HEX_NUMBER = re.compile(r"\s*hex\s+(\d+)\s", re.IGNORECASE)
"""The word ``hex`` and the number of the hex."""

_HEX_LEVEL = re.compile(r"\s*(-?\d+)(?=[\s\"]|$)")
"""The level of the hex."""

_HEX_TERRAINS = re.compile(r'\s*"([^"]*)"')
"""The terrains of the hex, in quotes."""

_HEX_THEME_AND_COMMENT = re.compile(r'(?:\s*"([^"]*)")?(\s*(?:#.*)?)$')
"""The theme of the hex if it has one, and a comment."""

_PARTS_OF_HEX = (
    (_HEX_NUMBER, "hex and its number"),
    (_HEX_LEVEL, "the level of the hex"),
    (_HEX_TERRAINS, "the terrains of the hex in quotes"),
    (_HEX_THEME_AND_COMMENT, "a theme in quotes, and no more"),
)
"""The parts of the statement ``hex`` in their order, and the words for what is expected there."""

_SIZE = re.compile(r"\s*size\s+(\d{1,9})\s+(\d{1,9})\s*(?:#.*)?", re.IGNORECASE)
"""The statement ``size`` with width and height, whose digits are few enough for ``int``."""

_TERRAIN = re.compile(r"([A-Za-z_]\w*):(-?\d{1,9})(?::(\d{1,2}))?", re.ASCII)
"""A terrain with its level, and its exits if it has any: six bits, so two digits."""

_PAVEMENT_OPTION = re.compile(r"(?im)^\s*option\s+exit_roads_to_pavement\s+(\w+)")
"""The option that says whether roads lead to pavement."""

_OPTION_CHARACTERS = 65536
"""The beginning of a board in which its options are looked for: they stand above the hexes."""


@registered(count=1, bytes_each=10 * KB)
@cache
def terrain_names() -> Mapping[str, bool]:
    """Return the terrains of the game by name: True if it makes them when it loads a board.

    A row of the table has the name, and a mark for those that are made.
    """
    is_made_by_name: dict[str, bool] = {}
    for name, *marks in table_rows("board_terrains.tsv"):
        is_made_by_name[name] = bool(marks)
    return is_made_by_name


def statement_word(line: str) -> str:
    """Return the word that a line begins with, in small letters; "" for a blank line."""
    words = line.split(None, 1)
    if words:
        return words[0].lower()
    return ""


def board_lines(text: str) -> Iterator[str]:
    """Yield the lines of a board before its ``end``; what follows is no part of the board."""
    for line in split_lines(text):
        if statement_word(line) == "end":
            return
        yield line


def roads_exit_to_pavement(text: str) -> bool:
    """Return whether roads lead to pavement on a board; they do unless its option says false."""
    option = _PAVEMENT_OPTION.search(text[:_OPTION_CHARACTERS])
    return option is None or option[1].lower() != "false"


def read_size_statement(line: str) -> tuple[int, int] | None:
    """Return width and height of the statement ``size``; None if the line has another form."""
    size = _SIZE.fullmatch(line)
    if size is None:
        return None
    return int(size[1]), int(size[2])


class HexStatement(NamedTuple):
    """The parts of a statement ``hex``, as texts of the file."""

    number: str
    """The digits of the number, such as 0304 for column 3 and row 4."""
    level: str
    """The digits of the level with their sign, any number of them."""
    terrains: str
    """The terrains without their quotes, for ``read_terrains``."""
    theme: str
    """The theme without its quotes, "" for none."""
    comment: str
    """What follows the statement: a comment with the blanks before it, or blanks."""
    terrains_column: int
    """The column of the file at which ``terrains`` begins, from 1."""


def read_hex_statement(line: str, line_number: int) -> HexStatement:
    """Return the parts of a statement ``hex``, which is a line without its end.

    Raises ProblemError where a part is missing.
    """
    position = 0
    parts = list[re.Match[str]]()
    for pattern, expected in _PARTS_OF_HEX:
        part = pattern.match(line, position)
        if part is None:
            raise fault(f"expected: {expected}", line_number, position + 1)
        parts.append(part)
        position = part.end()
    number, level, terrains, theme_and_comment = parts
    return HexStatement(
        number=number[1],
        level=level[1],
        terrains=terrains[1],
        theme=theme_and_comment[1] or "",
        comment=theme_and_comment[2],
        terrains_column=terrains.start(1) + 1,
    )


class BoardTerrain(NamedTuple):
    """A terrain in the statement of a hex, such as ``road:1:9``."""

    name: str
    """Its name in lower case."""
    level: int
    """Its level, such as the thickness of woods or the kind of a road."""
    exits: int | None
    """The sides (bits) by which it leads to neighbours, None if the game chooses them."""

    @property
    def token(self) -> str:
        """The terrain as in the file."""
        if self.exits is None:
            return f"{self.name}:{self.level}"
        return f"{self.name}:{self.level}:{self.exits}"


def read_terrains(text: str, line_number: int, column: int) -> Iterator[BoardTerrain]:
    """Yield the terrains of a hex from its text, which begins at this line and column.

    Raises ProblemError at the first one that has no level.
    """
    for token in text.split(";"):
        stripped = token.strip()
        if stripped:
            match = _TERRAIN.fullmatch(stripped)
            if match is None:
                message = f"{stripped!r:.40} is no terrain with a level, such as woods:1"
                raise fault(message, line_number, column)
            exits = None
            if match[3] is not None:
                exits = int(match[3])
            yield BoardTerrain(match[1].lower(), int(match[2]), exits)
        column += len(token) + 1  # with the semicolon


def split_code(code: str) -> tuple[list[str], str]:
    """Return the terrains of a code, and its theme ("" for none).

    They are (["woods:1", "road:1"], "grass") for ``woods:1;road:1 "grass"``. ``CLEAR`` has no
    terrains.
    """
    terrains, _quote, theme = code.partition(' "')
    tokens = list[str]()
    if terrains != CLEAR:
        tokens = terrains.split(";")
    return tokens, theme.removesuffix('"')
