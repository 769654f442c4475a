"""Mistakes in titles, quotes and characters, and the nearest valid text.

    TITLE Old Mountains                # two words need quotes; the fix: TITLE "Old Mountains"
    quotable_text("Für Elise - 1")     # "Fur Elise 1"
    label_name("1st shore", ...)       # "_1st_shore"

``statement_mistakes`` and the modules beside it call ``title_problem`` and ``quote_problem`` for
statements that the grammar rejects. Their fixes write the text that comes nearest to what was
written.
"""

from __future__ import annotations

import re
import unicodedata

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, offsets_of
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import KEYWORDS, WordKind, is_word, kind_of

DEFAULT_TITLE = "Randomized!"
"""The title and subtitle that the game shows where a script gives none."""

_INVALID_IN_QUOTES = re.compile(r"[^A-Za-z0-9._ !?;,:/+=]+")
"""Matches the characters that the game's grammar does not allow between quotes."""

_NEAREST_SIGNS = {
    **dict.fromkeys("“”„«»‘’'`", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("[{", "("),
    **dict.fromkeys("]}", ")"),
    ";": " ",
    "×": "*",
}
"""The nearest sign of the language for signs that word processors and other languages write."""


def nearest_text(characters: str) -> str:
    """Return the nearest text in the characters of the language.

    Accents are dropped and typographic signs replaced; other ASCII signs become blanks. Letters of
    other alphabets are left out.
    """
    return "".join(_nearest_to_character(character) for character in characters)


def _nearest_to_character(character: str) -> str:
    """Return the text for one character of ``nearest_text``: one character, several or none."""
    if character in _NEAREST_SIGNS:
        return _NEAREST_SIGNS[character]
    if character in "._":
        return character
    if character.isspace() or (character.isascii() and not character.isalnum()):
        return " "
    letter_and_accents = unicodedata.normalize("NFKD", character)
    return re.sub(r"[^A-Za-z0-9._]", "", letter_and_accents)


def character_words(character: str) -> str:
    """Return a character as messages show it: itself, or its number and name if it is invisible."""
    if character.isprintable():
        return f"`{character}`"
    name = unicodedata.name(character, "a control character").lower()
    return f"U+{ord(character):04X} ({name})"


def quotable_text(text: str) -> str:
    """Return the nearest text that quotes can hold, with single blanks.

    Accents are dropped; other signs that are invalid become blanks.
    """
    return " ".join("".join(map(_quotable_character, text)).split())


def _quotable_character(character: str) -> str:
    """Return the text for one character of ``quotable_text``."""
    if not _INVALID_IN_QUOTES.fullmatch(character):
        return character
    if character.isalpha():
        return nearest_text(character)
    return " "


def title_problem(raw: StatementTokens) -> Problem:
    """Return the problem of a TITLE or SUBTITLE that is neither one word nor one valid quote."""
    words = raw.tokens[1:]
    if len(words) == 1 and words[0].type == "BAD_QUOTE":
        return quote_problem(raw, words[0])
    start, end = offsets_of(words)
    text = quotable_text(raw.source.text[start:end])
    quoted_text = f'"{text}"'
    edits = []
    if text:
        edits.append(raw.replace(words, quoted_text))
    return raw.problem("title-needs-quotes", words, edits, title=quoted_text)


def quote_problem(raw: StatementTokens, token: Token) -> Problem:
    """Return the problem of a quote that is empty, does not end, or holds invalid characters."""
    # The text between the quotes as it is written, and its span with them.
    is_title = raw.tokens[0].type in ("TITLE", "SUBTITLE")
    start, end = offsets_of(token)
    quoted_text = token[1:-1]
    if token.is_open_quote:
        quoted_text = _intended_quote(token, is_title=is_title)
        end = start + len('"') + len(quoted_text)

    # The fix writes the nearest valid text.
    text = quotable_text(quoted_text)
    if is_title and not text:
        text = DEFAULT_TITLE
    edits = []
    if text:
        edits.append(raw.source.edit(start, end, f'"{text}"'))

    if token.is_open_quote:
        return raw.problem("unterminated-quote", token, edits)
    if not quoted_text:
        return raw.problem("empty-quote", token, edits, text=text)
    invalid = _INVALID_IN_QUOTES.search(quoted_text)
    character = ""
    if invalid is not None:
        character = character_words(invalid[0][0])
    return raw.problem("quote-character", token, edits, shown=character, text=text)


def _intended_quote(token: Token, *, is_title: bool) -> str:
    """Return the text that was to stand in a quote that does not end in its line."""
    quoted_text = token[1:].split("#")[0].rstrip()  # what follows is a comment
    if is_title:
        return quoted_text
    # Only the first word was meant; the rest of the line continues the statement.
    first_word = re.match(r"[A-Za-z0-9._]*", quoted_text)
    assert first_word is not None, "the pattern matches any text"
    return first_word[0]


def label_name(written: str, labels: frozenset[str]) -> str:
    """Return the valid label name nearest to ``written``.

    It is a new name: none of ``labels``, which are the names that the script has, but for
    ``written`` itself.
    """
    characters = nearest_text(written.strip('"').replace("-", "_"))
    name = re.sub(r"[^A-Za-z0-9._]+", "_", characters).strip("_")
    if not name:
        name = "name"
    if name in KEYWORDS:
        name = name.lower()
    if not is_word(name):  # it begins with a digit
        name = f"_{name}"
    # An underline more makes a name of a hex (``D4_``), and a new one of a name that is taken.
    while kind_of(name) is not WordKind.NAME or (name in labels and name != written):
        name += "_"
    return name
