"""Names of units and sides as mapfiles write them: one word, with ``*`` for each blank.

The side "Red Army" stands in a file as ``Red*Army``, a unit without a name as ``*``.
"""

from __future__ import annotations

from randomizer.model.problems import Fix, TextEdit
from randomizer.systems.xconq.header import encode

_UNNAMED = "*"
"""The name of an unnamed unit in a file."""


def name_of(token: str) -> str:
    """Return the name that a token means, which has ``*`` for blanks; "" for an unnamed unit."""
    if token == _UNNAMED:
        return ""
    return token.replace("*", " ")


def token_of(name: str) -> str:
    """Return a name as a token of a file: characters that Latin-1 lacks become ``?``."""
    return encode("*".join(name.split()) or _UNNAMED).decode("latin-1")


def star_fix(line: str, number: int, start: int, end: int) -> Fix:
    """Return the fix that writes ``*`` for the blanks of a name.

    The name is ``line[start:end]``; ``number`` is that of the line, from 1.
    """
    name = "*".join(line[start:end].split())
    return Fix(f"write the name as {name}", (TextEdit(number, start + 1, number, end + 1, name),))
