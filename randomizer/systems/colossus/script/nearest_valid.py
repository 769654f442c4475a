"""The nearest valid text: in the characters of the language, in quotes, as the name of a label.

    nearest_text("“Bog” – 5")          # '"Bog" - 5'
    quotable_text("Für Elise - 1")     # "Fur Elise 1"
    label_name("1st shore", ...)       # "_1st_shore"

The fixes of mistakes write it in place of what was written.
"""

from __future__ import annotations

import re
import unicodedata

from randomizer.systems.colossus.script.words import KEYWORDS, WordKind, is_word, kind_of

INVALID_IN_QUOTES = re.compile(r"[^A-Za-z0-9._ !?;,:/+=]+")
"""Matches the characters that the game's grammar does not allow between quotes."""

_NEAREST_SIGNS = {
    **dict.fromkeys("“”„«»‘’'`", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("[{", "("),
    **dict.fromkeys("]}", ")"),
    ";": " ",
    "×": "*",
}
"""The nearest sign of the language for signs that word processors and other languages write.

The text that is mended has no ASCII signs of the language itself, but in a label or a title: there
``_nearest_to_character`` makes blanks of them.
"""


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


def quotable_text(text: str) -> str:
    """Return the nearest text that quotes can hold, with single blanks.

    Accents are dropped; other signs that are invalid become blanks.
    """
    characters = "".join(_quotable_character(character) for character in text)
    return " ".join(characters.split())


def _quotable_character(character: str) -> str:
    """Return the text for one character of ``quotable_text``."""
    if not INVALID_IN_QUOTES.fullmatch(character):
        return character
    if character.isalpha():
        return nearest_text(character)
    return " "


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
    # Underlines are added until it is a name (``D4_`` for the hex ``D4``), and one that is free.
    while kind_of(name) is not WordKind.NAME or (name in labels and name != written):
        name += "_"
    return name
