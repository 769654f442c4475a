"""The characters that texts of a map can hold.

Names, titles and labels (here *lines*) can be written into any format of maps, so they hold the
characters of XML 1.0: no control characters but tab, line feed and carriage return, no lone
surrogates (halves of a UTF-16 pair). A label may have several lines. Scripts (here *texts*) hold
everything but NUL and lone surrogates::

    fault_in_line("Old\\0mill")      # "has a control character (U+0000) at position 4"
    clean_line("Old\\0mill")         # the same with U+FFFD in its place
"""

from __future__ import annotations

import re
from typing import Annotated

from randomizer.model.basics.limits import LONGEST_LINE, LONGEST_TEXT

_NOT_IN_LINE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""A character that one-line texts cannot hold.

It names those refused: from those allowed Python needs ten times as long to compile it.
"""

_NOT_IN_TEXT = re.compile("[\x00\ud800-\udfff]")
"""A character that scripts cannot hold."""

LongText = Annotated[str, "stored apart"]
"""The type of fields with a text that can be long, such as a script.

Storage keeps such a text once, apart from the records that have it.
"""

_REPLACEMENT = "\ufffd"
"""The character that Unicode has for one that cannot be shown."""


def fault_in_line(text: str, longest: int = LONGEST_LINE) -> str:
    """Return why a text cannot be a name, title or label, as the end of a sentence; "" if it can.

    ``longest`` is the most characters that it may have.
    """
    return _fault(text, longest, _NOT_IN_LINE)


def fault_in_text(text: str) -> str:
    """Return why ``text`` cannot be a script, as the end of a sentence; "" if it can."""
    return _fault(text, LONGEST_TEXT, _NOT_IN_TEXT)


def fault_in_characters(text: str) -> str:
    """Return why a script cannot hold the characters of a text, whatever its length.

    It is the end of a sentence; "" if it can.
    """
    return _fault(text, len(text), _NOT_IN_TEXT)


def clean_line(text: str) -> str:
    """Return a text that can be a name or title: one that is too long is cut, and characters that
    it cannot hold become U+FFFD.
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
    kind = "a control character"
    if code >= 0xFFFE:
        kind = "a code that is no character"
    elif 0xD800 <= code <= 0xDFFF:  # the surrogates
        kind = "half a character"
    return f"has {kind} (U+{code:04X}) at position {match.start() + 1}"
