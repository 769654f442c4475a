"""Names in mapfiles: one token, in which ``*`` stands for a blank."""

from __future__ import annotations

from randomizer.model.problems import Fix, TextEdit
from randomizer.systems.xconq.header import encode

UNNAMED = "*"


def name_of(token: str) -> str:
    """The name that a token means; "" for ``*``, an unnamed unit."""
    return "" if token == UNNAMED else token.replace("*", " ")


def token_of(name: str) -> str:
    """A name as a token of a file: characters that Latin-1 lacks become ``?``."""
    return encode("*".join(name.split()) or UNNAMED).decode("latin-1")


def star_fix(line: str, number: int, start: int, end: int) -> Fix:
    """The fix that writes ``*`` for blanks of the name ``line[start:end]`` of line ``number``."""
    name = "*".join(line[start:end].split())
    return Fix(f"write the name as {name}", (TextEdit(number, start + 1, number, end + 1, name),))
