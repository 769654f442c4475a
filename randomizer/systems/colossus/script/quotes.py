"""Titles, quotes and characters: what goes wrong with them, and what is nearest to be right."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.statement_tokens import Chunk, bounds
from randomizer.systems.colossus.script.words import KEYWORDS, Kind, is_word, kind_of

if TYPE_CHECKING:
    from lark import Token

DEFAULT_TITLE = "Randomized!"
"""What the game shows for a title and a subtitle that a script does not give."""

_NOT_IN_QUOTES = re.compile(r"[^A-Za-z0-9._ !?;,:/+=]+")
_IN_PLACE = {
    **dict.fromkeys("“”„«»‘’'`", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("[{", "("),
    **dict.fromkeys("]}", ")"),
    ";": " ",
    "×": "*",
}


def plain(characters: str) -> str:
    """The nearest that the language has: accents dropped, typographic signs made plain."""
    return "".join(_plain(character) for character in characters)


def _plain(character: str) -> str:
    if character in _IN_PLACE:
        return _IN_PLACE[character]
    if character.isspace() or (character.isascii() and not character.isalnum()):
        return character if character in "._" else " "
    return re.sub(r"[^A-Za-z0-9._]", "", unicodedata.normalize("NFKD", character))


def name_of(character: str) -> str:
    """A character as a message shows it: itself, or its number and name if it cannot be seen."""
    if character.isprintable():
        return f"`{character}`"
    name = unicodedata.name(character, "a control character").lower()
    return f"U+{ord(character):04X} ({name})"


def quotable(text: str) -> str:
    """``text`` without what quotes cannot hold; accents are dropped, other signs give a blank."""
    kept = [
        part if not _NOT_IN_QUOTES.search(part) else plain(part) if part.isalpha() else " "
        for part in text
    ]
    return " ".join("".join(kept).split())


def title(chunk: Chunk) -> Problem:
    """What is wrong with a TITLE or SUBTITLE that is neither one word nor one good quote."""
    rest = chunk.tokens[1:]
    if len(rest) == 1 and rest[0].type == "BAD_QUOTE":
        return bad_quote(chunk, rest[0])
    start, end = bounds(rest)
    text = quotable(chunk.source.text[start:end])
    edits = [chunk.source.edit(start, end, f'"{text}"')] if text else []
    return chunk.problem("title-needs-quotes", rest, edits, title=f'"{text}"')


def bad_quote(chunk: Chunk, token: Token) -> Problem:
    """A quote that is empty, does not end, or holds what quotes cannot hold."""
    is_title = chunk.tokens[0].type in ("TITLE", "SUBTITLE")
    ended = len(token) > 1 and token.endswith('"')
    inner = token[1:-1] if ended else token[1:].split("#")[0].rstrip()
    if not ended and not is_title:
        # Only the first word was meant; the rest of the line goes on with the statement.
        inner = re.match(r"[A-Za-z0-9._]*", inner)[0]  # type: ignore[index]
    kept = quotable(inner) or (DEFAULT_TITLE if is_title else "")
    start, end = bounds(token)
    edit = chunk.source.edit(start, end if ended else start + 1 + len(inner), f'"{kept}"')
    edits = [edit] if kept else []
    if not ended:
        return chunk.problem("unterminated-quote", token, edits)
    if not inner:
        return chunk.problem("empty-quote", token, edits, text=kept)
    found = _NOT_IN_QUOTES.search(inner)
    shown = name_of(found[0][0]) if found else ""
    return chunk.problem("quote-character", token, edits, shown=shown, text=kept)


def label_name(written: str, taken: frozenset[str]) -> str:
    """A name that a label may have, as near as can be to what was ``written``, not in ``taken``."""
    name = (
        re.sub(r"[^A-Za-z0-9._]+", "_", plain(written.strip('"').replace("-", "_"))).strip("_")
        or "name"
    )
    if name in KEYWORDS:
        name = name.lower()
    if not is_word(name):
        name = f"_{name}"
    while kind_of(name) is not Kind.NAME or (name in taken and name != written):
        name += "_"
    return name
