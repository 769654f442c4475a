"""The scores of dice: as they are entered, and what they mean, in words.

read_scores("3+4+1")                                         # (3, 4, 1)
options_text({"a bridge": (5, 6), "a ford": (1, 2, 3, 4)})   # "5 or 6: a bridge, ..."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

SIDES = 6
"""The sides of a die; its scores are 1 to 6."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a die that may have been thrown again."""

    score: int
    """The score that counts; 0 if nothing was thrown, which no log line tells."""

    rejected: tuple[int, ...] = ()
    """The scores of earlier throws of this die, which do not count."""

    def __str__(self) -> str:
        """In words, for the log: "D6 = 3", "D6 = 5, 6, thrown again: 3"."""
        if not self.rejected:
            return f"D6 = {self.score}"
        rejected_scores = ", ".join(map(str, self.rejected))
        return f"D6 = {rejected_scores}, thrown again: {self.score}"


def score_words(count: int) -> str:
    """Return what can be entered for so many dice thrown together."""
    if count == 1:
        return f"a score from 1 to {SIDES}"
    return f"{count} scores from 1 to {SIDES}"


def read_scores(text: str) -> tuple[int, ...] | None:
    """Return the scores of dice thrown together: (3, 4, 1) for "3+4+1", "3,4,1" and "3 4 1".

    None for a text that says no scores.
    """
    parts = [part.strip() for part in re.split(r"[+,\s]+", text.strip())]
    if not all(re.fullmatch(f"[1-{SIDES}]", part) for part in parts):
        return None
    return tuple(map(int, parts))


def options_text(scores_by_option: Mapping[str, Collection[int]]) -> str:
    """Return which scores of a die mean what: "5 or 6: a bridge, 1 to 4: a ford".

    An option without scores is left out. The scores of each one must be consecutive.
    """
    texts = []
    for option, scores in scores_by_option.items():
        if scores:
            texts.append(f"{_range_words(min(scores), max(scores))}: {option}")
    return ", ".join(texts)


def equal_options_text(names: Sequence[str]) -> str:
    """Return which scores choose which of up to six equally likely options.

    It is "1 to 3: 0305, 4 to 6: 0406" for two. With four or five options some scores are left over:
    the text says that these are thrown again.
    """
    scores_per_option = SIDES // len(names)
    texts = []
    for index, name in enumerate(names):
        lowest = index * scores_per_option + 1
        texts.append(f"{_range_words(lowest, lowest + scores_per_option - 1)}: {name}")
    lowest_surplus = scores_per_option * len(names) + 1
    if lowest_surplus <= SIDES:
        texts.append(f"{_range_words(lowest_surplus, SIDES)}: thrown again")
    return ", ".join(texts)


def other_scores(*scores: Collection[int]) -> frozenset[int]:
    """Return the scores of a die that are in none of ``scores``."""
    return frozenset(range(1, SIDES + 1)).difference(*scores)


def _range_words(lowest: int, highest: int) -> str:
    """Return a range of scores in words: "4", "5 or 6", "1 to 3"."""
    if lowest == highest:
        return str(lowest)
    if lowest + 1 == highest:
        return f"{lowest} or {highest}"
    return f"{lowest} to {highest}"
