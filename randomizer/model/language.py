"""What an editor of scripts asks the language that a script is written in."""

from __future__ import annotations

from typing import NamedTuple


class Completion(NamedTuple):
    """A word that fits at a place of a text.

    ``word`` is what a person reads, ``kind`` what it is (``keyword``, ``function``, ``label``,
    ``hex``, ``hazard``, ``hexside``), ``help`` a sentence on it. ``text`` takes the place of the
    ``replaces`` characters just before the place.
    """

    word: str
    kind: str
    help: str
    text: str
    replaces: int


class TextPlace(NamedTuple):
    """A place in a text, lines and columns from 1, the end just behind its last character."""

    line: int
    column: int
    end_line: int
    end_column: int
