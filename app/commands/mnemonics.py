"""The access keys of menus: letters by which Alt, or the letter alone in an open menu, chooses.

The letter behind a *mark*, ``&``, is the key of an entry; ``&&`` is a mere ampersand::

    distinct(["&Save", "&Shift"])       # ["&Save", "S&hift"]
"""

from __future__ import annotations

from collections.abc import Sequence, Set

AMPERSAND = "\0"
"""The character in place of ``&&`` while the marks of a text are moved."""


def letter_of(text: str) -> str:
    """Return the letter behind the mark of a text, in lower case; "" if it has no mark."""
    index = text.replace("&&", "  ").find("&")
    if index >= 0:
        return text[index + 1 : index + 2].lower()
    return ""


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts with their marks at different letters.

    Of several texts with one letter the first keeps it. The others get their mark at their first
    letter that no text has, or lose it.
    """
    wanted_letters = {letter_of(text) for text in texts}
    used_letters: set[str] = set()
    result = []
    for text in texts:
        if letter_of(text) in used_letters:
            text = _with_mark_elsewhere(text, wanted_letters | used_letters)
        letter = letter_of(text)
        if letter:
            used_letters.add(letter)
        result.append(text)
    return result


def _with_mark_elsewhere(text: str, taken_letters: Set[str]) -> str:
    """Return a text with its mark at the first letter that is not taken, or without a mark."""
    unmarked = text.replace("&&", AMPERSAND).replace("&", "")
    for index, letter in enumerate(unmarked):
        if letter.isalnum() and letter.lower() not in taken_letters:
            unmarked = f"{unmarked[:index]}&{unmarked[index:]}"
            break
    return unmarked.replace(AMPERSAND, "&&")
