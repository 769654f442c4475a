"""English for messages: numbers with nouns (1 map, 2 maps), lists (hills and lakes), articles.

The plural of a noun is the noun and an s, unless it is given: ``counted(2, "hex", "hexes")``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: "hills, woods and lakes"; ``last`` may be "or"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def many(count: int, one: str, more: str = "") -> str:
    """Return the noun for a number: ``one``, or else ``more``.

    "" as ``more`` stands for ``one`` with an s.
    """
    if count == 1:
        return one
    return more or f"{one}s"


def counted(count: int, one: str, more: str = "") -> str:
    """Return a number with its noun: "1 map", "1,024 maps"; ``one`` and ``more`` as in ``many``."""
    return f"{count:,} {many(count, one, more)}"


def there_are(count: int, one: str, more: str = "") -> str:
    """Return a number with its noun and "there is" or "there are": "there are 2 sides"."""
    return f"there {many(count, 'is', 'are')} {counted(count, one, more)}"


def with_article(noun: str, article: str = "a") -> str:
    """Return a noun with its article, "a" or "A": "a battleland", "an Xconq world"."""
    if _BEGINS_LIKE_A_VOWEL.match(noun):
        return f"{article}n {noun}"
    return f"{article} {noun}"


_BEGINS_LIKE_A_VOWEL = re.compile(r"[aeio]|u(?!n[ai])|X[b-df-hj-np-tv-z]", re.IGNORECASE)
"""The beginning of words with "an".

That is a vowel, but not the u of unit and unique; and an X before a consonant, which is spoken by
its name, as in Xconq.
"""
