"""Rates how well what a person types fits a text: by words and their beginnings.

    match_score("exp pic", "Export picture", "png pdf")      # both words begin words of the title
    match_score("fsa", "Save as", lead="File")               # initials of "File Save as"
    match_score("xyz", "Save as")                            # None

Loose letters of a word ("exprt") never match. *Find a command* and *Go to* sort by the score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# The scores order the ways in which a typed word can fit: a word of the title before the beginning
# of one, and both before a word that only tells where the thing stands. Each has one number for
# each of the texts of ``match_score``: title, further words, position, effect.

WHOLE_WORD = (10, 9, 5, 3)
"""The score of a typed word that is a whole word of a text; by the index of the text."""

WORD_BEGINNING = (8, 7, 4, 2)
"""The score of a typed word that begins a word of a text; by the index of the text."""

INITIALS = 7
"""The score of a typed word made of first letters of words: "fsa" stands for "File > Save as"."""

JOINED_BEGINNINGS = 6
"""The score of a typed word made of longer beginnings of words: "hexlab" for "Hex labels"."""

LETTERS_A_POINT = 100
"""The number of letters of a title that lower its score by one point."""

LITTLE_WORDS = frozenset(
    ("a", "an", "as", "by", "for", "from", "in", "my", "of", "on", "the", "to")
)
"""Words that may be typed although no text has them, as in "export to pdf"."""


def match_score(query: str, *texts: str, lead: str = "") -> float | None:
    """Return how well ``query`` fits a thing that ``texts`` describe, None if not at all.

    A higher score is better. ``texts`` are one to four, in this order: the title of the thing,
    further words by which a person would look for it, where it stands, and what it does. An earlier
    one counts more.

    Each typed word must be a word of a text, or begin one, or be made of beginnings of words that
    follow one another in the title; for the last of these ``lead`` stands before the title. Of two
    things that fit equally well the one with the shorter title has the higher score.
    """
    words_of_texts = [words_of(text) for text in texts]
    title_words = words_of(lead) + words_of_texts[0]
    typed_words = words_of(query)
    total = 0
    for typed in typed_words:
        score = _word_score(typed, words_of_texts, title_words)
        may_be_missing = typed in LITTLE_WORDS and len(typed_words) > 1
        if score == 0 and not may_be_missing:
            return None
        total += score
    mean_score = total / max(len(typed_words), 1)
    title_length = len(texts[0])
    return mean_score - title_length / LETTERS_A_POINT


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the blanks and signs between them."""
    return re.findall(r"\w+", text.casefold())


def _word_score(typed: str, words_of_texts: Sequence[list[str]], title_words: list[str]) -> int:
    """Return the score of one typed word in its best place, 0 if it fits nowhere."""
    scores = [0]
    for index, words in enumerate(words_of_texts):
        if typed in words:
            scores.append(WHOLE_WORD[index])
        elif any(word.startswith(typed) for word in words):
            scores.append(WORD_BEGINNING[index])
    for first in range(len(title_words)):
        initials = "".join(word[0] for word in title_words[first:])
        # One letter begins a word, which counts less than the initials of several.
        if len(typed) > 1 and initials.startswith(typed):
            scores.append(INITIALS)
        elif _consists_of_beginnings(typed, title_words[first:]):
            scores.append(JOINED_BEGINNINGS)
    return max(scores)


def _consists_of_beginnings(typed: str, words: Sequence[str]) -> bool:
    """Return whether ``typed`` consists of beginnings of the first words, one after the other.

    So "hexlab" does of "hex labels". Each possible length of the first beginning is tried, and the
    rest must be made of the words that follow.
    """
    if not typed:
        return True
    if not words:
        return False
    first_word = words[0]
    for length in range(1, min(len(typed), len(first_word)) + 1):
        begins_word = typed[:length] == first_word[:length]
        if begins_word and _consists_of_beginnings(typed[length:], words[1:]):
            return True
    return False
