"""Mistakes in titles, quotes and characters, and the nearest valid text."""

from __future__ import annotations

import re
import unicodedata

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, bounds
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import KEYWORDS, WordKind, is_word, kind_of

DEFAULT_TITLE = "Randomized!"
"""The title and subtitle that the game shows where a script gives none."""

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
    """Return the nearest characters of the language: accents dropped, typographic signs
    replaced.
    """
    return "".join(_plain(character) for character in characters)


def _plain(character: str) -> str:
    if character in _IN_PLACE:
        return _IN_PLACE[character]
    if character.isspace() or (character.isascii() and not character.isalnum()):
        return character if character in "._" else " "
    return re.sub(r"[^A-Za-z0-9._]", "", unicodedata.normalize("NFKD", character))


def name_of(character: str) -> str:
    """Return a character as messages show it: itself, or its number and name if it is invisible."""
    if character.isprintable():
        return f"`{character}`"
    name = unicodedata.name(character, "a control character").lower()
    return f"U+{ord(character):04X} ({name})"


def quotable(text: str) -> str:
    """``text`` without what quotes cannot hold; accents are dropped, other signs become blanks."""
    characters = [
        part if not _NOT_IN_QUOTES.search(part) else plain(part) if part.isalpha() else " "
        for part in text
    ]
    return " ".join("".join(characters).split())


def title(raw: StatementTokens) -> Problem:
    """Return the problem of a TITLE or SUBTITLE that is neither one word nor one valid quote."""
    rest = raw.tokens[1:]
    if len(rest) == 1 and rest[0].type == "BAD_QUOTE":
        return bad_quote(raw, rest[0])
    start, end = bounds(rest)
    text = quotable(raw.source.text[start:end])
    if text:
        edits = [raw.source.edit(start, end, f'"{text}"')]
    else:
        edits = []
    return raw.problem("title-needs-quotes", rest, edits, title=f'"{text}"')


def bad_quote(raw: StatementTokens, token: Token) -> Problem:
    """Return the problem of a quote that is empty, does not end, or holds invalid characters."""
    is_title = raw.tokens[0].type in ("TITLE", "SUBTITLE")
    ended = len(token) > 1 and token.endswith('"')
    inner = token[1:-1] if ended else token[1:].split("#")[0].rstrip()
    if not ended and not is_title:
        # Only the first word was meant; the rest of the line continues the statement.
        inner = re.match(r"[A-Za-z0-9._]*", inner)[0]  # type: ignore[index]
    text = quotable(inner) or (DEFAULT_TITLE if is_title else "")
    start, end = bounds(token)
    edit = raw.source.edit(start, end if ended else start + 1 + len(inner), f'"{text}"')
    edits = [edit] if text else []
    if not ended:
        return raw.problem("unterminated-quote", token, edits)
    if not inner:
        return raw.problem("empty-quote", token, edits, text=text)
    match = _NOT_IN_QUOTES.search(inner)
    shown = name_of(match[0][0]) if match else ""
    return raw.problem("quote-character", token, edits, shown=shown, text=text)


def label_name(written: str, taken: frozenset[str]) -> str:
    """Return the valid label name nearest to ``written`` that is not in ``taken``."""
    name = (
        re.sub(r"[^A-Za-z0-9._]+", "_", plain(written.strip('"').replace("-", "_"))).strip("_")
        or "name"
    )
    if name in KEYWORDS:
        name = name.lower()
    if not is_word(name):
        name = f"_{name}"
    while kind_of(name) is not WordKind.NAME or (name in taken and name != written):
        name += "_"
    return name
