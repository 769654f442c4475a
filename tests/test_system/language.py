"""The language of Test land's scripts: a statement a line, words parted by blanks.

``ground TERRAIN`` covers everything, ``scatter TERRAIN PERCENT`` draws for each cell, ``hills
HEIGHT`` draws the height of each corner, ``things KIND COUNT`` places things, ``record NAME WORDS``
writes a line into a record of the map, ``use NAME`` does what a library of the package says,
``include FOLDER`` what the scripts of a folder beside the script say,
``say LEVEL WORDS`` writes into the log. A line that begins with ``#`` says nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.problems import Problem, Severity

TERRAIN_WORD = "a terrain"
NUMBER = "a whole number"
NAME = "a name"
WORDS = "words"

STATEMENTS: dict[str, tuple[str, ...]] = {
    "ground": (TERRAIN_WORD,),
    "scatter": (TERRAIN_WORD, NUMBER),
    "hills": (NUMBER,),
    "things": (NAME, NUMBER),
    "record": (NAME, WORDS),
    "use": (NAME,),
    "include": (NAME,),
    "say": (NAME, WORDS),
}
"""The words that follow the first one of a line."""


class Statement(NamedTuple):
    """A line of a script, from 1."""

    line: int
    word: str
    arguments: tuple[str, ...]


def parse(text: str, path: str | None = None) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
    """The statements that can be understood, and the problems of the others."""
    statements = []
    problems = []
    for line, row in enumerate(text.splitlines(), 1):
        words = row.split()
        if not words or words[0].startswith("#"):
            continue
        wanted = STATEMENTS.get(words[0])
        fault = ""
        if wanted is None:
            fault = f"“{words[0]}” is no statement (there are: {', '.join(STATEMENTS)})"
        elif len(words) - 1 < len(wanted) or any(
            kind == NUMBER and not word.isdecimal()
            for kind, word in zip(wanted, words[1:], strict=False)
        ):
            fault = f"“{words[0]}” takes {', '.join(wanted)}"
        if fault:
            column = row.index(words[0]) + 1
            problems.append(
                Problem(Severity.ERROR, "tll", fault, path, line, column, line, len(row) + 1)
            )
        else:
            statements.append(Statement(line, words[0], tuple(words[1:])))
    return tuple(statements), tuple(problems)
