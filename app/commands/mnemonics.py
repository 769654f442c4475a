"""The letters that Alt, or a letter alone in an open menu, chooses an entry by."""

from __future__ import annotations

from collections.abc import Sequence


def letter_of(text: str) -> str:
    """Return the letter after the mark, lower case; "" if there is none."""
    index = text.replace("&&", "  ").find("&")
    if index >= 0:
        return text[index + 1 : index + 2].lower()
    return ""


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts with marks at different letters.

    The first with a letter keeps it; a later one gets the mark at its first letter that is free,
    or none.
    """
    used: set[str] = set()
    result = []
    for text in texts:
        letter = letter_of(text)
        if letter in used:
            bare = text.replace("&&", "\0").replace("&", "")
            used_letters = {letter_of(text) for text in texts}
            free = (i for i, text in enumerate(bare) if text.isalnum())
            index = next((i for i in free if bare[i].lower() not in used | used_letters), None)
            if index is None:
                marked = bare
            else:
                marked = f"{bare[:index]}&{bare[index:]}"
            text = marked.replace("\0", "&&")
            letter = letter_of(marked)
        if letter:
            used.add(letter)
        result.append(text)
    return result
