"""Mistakes in titles and quotes.

    TITLE Old Mountains                # two words need quotes; the fix: TITLE "Old Mountains"
    AREA D4 HAZARDS "Bog               # the quote does not end; the fix: "Bog"

``statement_mistakes`` calls ``title_problem`` and ``quote_problem`` for statements that the grammar
rejects. Their fixes write the text that comes nearest to what was written (``nearest_valid``).
"""

from __future__ import annotations

import re
import unicodedata

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.nearest_valid import INVALID_IN_QUOTES, quotable_text
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, offsets_of
from randomizer.systems.colossus.script.tokens import Token

DEFAULT_TITLE = "Randomized!"
"""The title and subtitle that the game shows where a script gives none."""


def character_words(character: str) -> str:
    """Return a character as messages show it: itself, or its number and name if it is invisible."""
    if character.isprintable():
        return f"`{character}`"
    name = unicodedata.name(character, "a control character").lower()
    return f"U+{ord(character):04X} ({name})"


def title_problem(row: StatementTokens) -> Problem:
    """Return the problem of a TITLE or SUBTITLE that is neither one word nor one valid quote.

    It has at least one token after the keyword.
    """
    words = row.tokens[1:]
    if len(words) == 1 and words[0].type == "BAD_QUOTE":
        return quote_problem(row, words[0])
    start, end = offsets_of(words)
    text = quotable_text(row.source.text[start:end])
    quoted_text = f'"{text}"'
    edits = []
    if text:
        edits.append(row.replace(words, quoted_text))
    return row.problem("title-needs-quotes", words, edits, title=quoted_text)


def quote_problem(row: StatementTokens, token: Token) -> Problem:
    """Return the problem of a quote that is empty, does not end, or holds invalid characters."""
    if token.is_open_quote:
        return _open_quote_problem(row, token)
    quoted_text = token[1:-1]
    text = _nearest_quotable(row, quoted_text)
    edits = []
    if text:
        edits.append(row.replace(token, f'"{text}"'))
    if not quoted_text:
        return row.problem("empty-quote", token, edits, text=text)
    invalid = INVALID_IN_QUOTES.search(quoted_text)
    character = ""
    if invalid is not None:
        character = character_words(invalid[0][0])
    return row.problem("quote-character", token, edits, shown=character, text=text)


def _open_quote_problem(row: StatementTokens, token: Token) -> Problem:
    """Return the problem of a quote that does not end; the fix ends it where it was to end."""
    quoted_text = _intended_quote(token, is_title=_is_title(row))
    text = _nearest_quotable(row, quoted_text)
    edits = []
    if text:
        end = token.start_pos + len('"') + len(quoted_text)
        edits.append(row.source.edit(token.start_pos, end, f'"{text}"'))
    return row.problem("unterminated-quote", token, edits)


def _is_title(row: StatementTokens) -> bool:
    """Return whether a statement is a TITLE or SUBTITLE."""
    return row.tokens[0].type in ("TITLE", "SUBTITLE")


def _nearest_quotable(row: StatementTokens, quoted_text: str) -> str:
    """Return the nearest valid text; for a title that has none, the one that the game shows."""
    text = quotable_text(quoted_text)
    if not text and _is_title(row):
        return DEFAULT_TITLE
    return text


def _intended_quote(token: Token, *, is_title: bool) -> str:
    """Return the text that was to stand in a quote that does not end in its line."""
    quoted_text = token[1:].split("#")[0].rstrip()  # what follows is a comment
    if is_title:
        return quoted_text
    # Only the first word was meant; the rest of the line continues the statement.
    first_word = re.match(r"[A-Za-z0-9._]*", quoted_text)
    assert first_word is not None, "the pattern matches any text"
    return first_word[0]
