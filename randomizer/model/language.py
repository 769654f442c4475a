"""Types that script hosts and editors of scripts exchange."""

from __future__ import annotations

import re
from typing import NamedTuple


class Completion(NamedTuple):
    """A word that can stand at a place of a text.

    ``word`` is shown, ``kind`` is its kind in a word of the language's field (``keyword``, ``hex``,
    ``unit`` ...), ``help`` a sentence on it. ``text`` replaces the ``replaces``
    characters before the place.
    """

    word: str
    kind: str
    help: str
    text: str
    replaces: int


class TextPlace(NamedTuple):
    """A place in a text, lines and columns from 1, the end just after its last character."""

    line: int
    column: int
    end_line: int
    end_column: int


def line_pieces(comment: str, quoted: str, word: str, number: str) -> re.Pattern[str]:
    """A pattern that finds the pieces of a line that an editor colours, by group.

    ``comment`` is the character that begins a comment; the others are patterns.
    """
    groups = {
        "comment": f"{re.escape(comment)}.*",
        "quoted": quoted,
        "word": word,
        "number": number,
    }
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items()))
