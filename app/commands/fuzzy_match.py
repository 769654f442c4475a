"""How well a few letters stand for the text of a command."""

from __future__ import annotations


def match_score(letters: str, text: str) -> float | None:
    """Return how well ``letters`` stand for ``text``, None if not at all; more is better.

    They must occur in this order. Letters that begin a word count most, then runs of letters.
    """
    text = text.lower()
    score = 0.0
    at = -1
    for letter in letters.lower().replace(" ", ""):
        starts = (
            place
            for place in range(at + 1, len(text))
            if text[place] == letter and (place == 0 or not text[place - 1].isalnum())
        )
        after = text.find(letter, at + 1)
        if after < 0:
            return None
        start = after if after == at + 1 and at >= 0 else next(starts, after)
        score += 3 if start == at + 1 else 2 if start != after or start == 0 else 1
        at = start
    return score - len(text) / 100
