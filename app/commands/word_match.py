"""How well what a person types stands for a text: by words, never by loose letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

WHOLE_WORD = (10, 9, 5, 3)
"""The score of a typed word that is a word of the first text, of the second and so on."""

BEGINNING = (8, 7, 4, 2)
"""The score of a typed word that begins a word of these texts."""

INITIALS = 7
"""The score of a typed word made of first letters of words: "fsa" stands for "File > Save as"."""

BEGINNINGS = 6
"""The score of a typed word made of longer beginnings of words: "hexlab" for "Hex labels"."""

LITTLE_WORDS = frozenset(
    ("a", "an", "as", "by", "for", "from", "in", "my", "of", "on", "the", "to")
)
"""Words that may be typed without standing anywhere: "export to pdf"."""


def match_score(query: str, *texts: str, lead: str = "") -> float | None:
    """Return how well ``query`` stands for something, None if not at all; more is better.

    ``texts`` say what it is: its title, the words by which a person would look for it, where it
    stands, what it does; up to four, the first counts most. Each typed word must be a word of a
    text, begin one, or be made of beginnings of words that follow one another in the title;
    ``lead`` stands before the title for that. Of equals the one with the shorter title is better.
    """
    words_of_texts = [words_of(text) for text in texts]
    title_words = words_of(lead) + words_of_texts[0]
    typed_words = words_of(query)
    total = 0
    for typed in typed_words:
        score = _word_score(typed, words_of_texts, title_words)
        if score == 0 and not (typed in LITTLE_WORDS and len(typed_words) > 1):
            return None
        total += score
    return total / max(len(typed_words), 1) - len(texts[0]) / 100


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without what stands between them."""
    return re.findall(r"\w+", text.casefold())


def _word_score(typed: str, words_of_texts: Sequence[list[str]], title_words: list[str]) -> int:
    """Return the score of one typed word, 0 if it stands for nothing."""
    scores = [0]
    for position, words in enumerate(words_of_texts):
        if typed in words:
            scores.append(WHOLE_WORD[position])
        elif any(word.startswith(typed) for word in words):
            scores.append(BEGINNING[position])
    for first in range(len(title_words)):
        initials = "".join(word[0] for word in title_words[first:])
        if len(typed) > 1 and initials.startswith(typed):
            scores.append(INITIALS)
        elif _is_made_of(typed, title_words[first:]):
            scores.append(BEGINNINGS)
    return max(scores)


def _is_made_of(typed: str, words: Sequence[str]) -> bool:
    """Return whether ``typed`` is made of beginnings of the first words, one after the other."""
    if not typed:
        return True
    if not words:
        return False
    return any(
        typed[:length] == words[0][:length] and _is_made_of(typed[length:], words[1:])
        for length in range(1, min(len(typed), len(words[0])) + 1)
    )
