"""The characters that texts of a map can hold.

One-line texts (names, titles, labels) hold the characters of XML 1.0: no control characters but
tab, line feed and carriage return, no lone surrogates (halves of a UTF-16 pair). Scripts hold
everything but NUL and lone surrogates.
"""

from __future__ import annotations

import re
from typing import Annotated

from randomizer.model.basics.limits import LONGEST_LINE, LONGEST_TEXT

_NOT_IN_LINE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that one-line texts cannot hold."""

_NOT_IN_TEXT = re.compile("[\x00\ud800-\udfff]")
"""A character that scripts cannot hold."""

LongText = Annotated[str, "stored apart"]
"""A text that can be long, as that of a script: storage keeps it once, apart from what holds it."""

_REPLACEMENT = "\ufffd"
"""The character that Unicode has for one that cannot be shown."""


def fault_in_line(text: str, longest: int = LONGEST_LINE) -> str:
    """Return why a text cannot be a name, title or label, as the end of a sentence.

    "" if it can.
    """
    return _fault(text, longest, _NOT_IN_LINE)


def fault_in_text(text: str) -> str:
    """Return why ``text`` cannot be a script, as the end of a sentence; "" if it can."""
    return _fault(text, LONGEST_TEXT, _NOT_IN_TEXT)


def fault_in_characters(text: str) -> str:
    """Return as ``fault_in_text`` why a text cannot be a script, whatever its length."""
    return _fault(text, len(text), _NOT_IN_TEXT)


def clean_line(text: str) -> str:
    """Return a text as a name or title: characters that it cannot hold become U+FFFD.

    One that is too long is cut.
    """
    return _NOT_IN_LINE.sub(_REPLACEMENT, text[:LONGEST_LINE])


def _fault(text: str, longest: int, refused: re.Pattern[str]) -> str:
    """Return the end of a sentence on the first character that is refused; "" for no fault."""
    if len(text) > longest:
        return f"is {len(text):,} characters long, {longest:,} are the most"
    match = refused.search(text)
    if match is None:
        return ""
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        kind = "half a character"
    else:
        kind = "a control character"
    return f"has {kind} (U+{code:04X}) at position {match.start() + 1}"
