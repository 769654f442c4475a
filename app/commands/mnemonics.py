"""The letters that Alt, or a letter alone in an open menu, chooses an entry by."""

from __future__ import annotations

from collections.abc import Sequence


def letter_of(text: str) -> str:
    """Return the letter after the mark, lower case; "" if there is none."""
    place = text.replace("&&", "  ").find("&")
    if place >= 0:
        return text[place + 1 : place + 2].lower()
    return ""


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts with marks at different letters.

    The first with a letter keeps it; a later one gets the mark at its first letter that is free,
    or none.
    """
    taken: set[str] = set()
    result = []
    for text in texts:
        letter = letter_of(text)
        if letter in taken:
            bare = text.replace("&&", "\0").replace("&", "")
            used_letters = {letter_of(each) for each in texts}
            free = (i for i, each in enumerate(bare) if each.isalnum())
            place = next((i for i in free if bare[i].lower() not in taken | used_letters), None)
            if place is None:
                marked = bare
            else:
                marked = f"{bare[:place]}&{bare[place:]}"
            text = marked.replace("\0", "&&")
            letter = letter_of(marked)
        if letter:
            taken.add(letter)
        result.append(text)
    return result
