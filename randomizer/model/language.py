"""Types that script hosts and editors of scripts exchange."""

from __future__ import annotations

from typing import NamedTuple


class Completion(NamedTuple):
    """A word that can stand at a place of a text.

    ``word`` is shown, ``kind`` is its kind (``keyword``, ``function``, ``label``, ``hex``,
    ``hazard``, ``hexside``), ``help`` a sentence on it. ``text`` replaces the ``replaces``
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
