"""The types of single values in the records of a map, each with the rule that a file sets.

A field of a record that is declared as ``Line`` holds a text; where the record is read, the text is
checked by the function beside it (``randomizer.storage.records.codec`` calls it). Such a function
returns the fault as the end of a sentence, "" for none::

    Line = Annotated[str, _fault_in_line]
    _fault_in_line("two\\nlines")        # "should be one line of text"
"""

from __future__ import annotations

import re
from typing import Annotated

MAX_BLANKS = 2**22
"""The most blanks before the description of a map: no file is larger."""

_NOT_IN_LINE = re.compile("[\\0\\n\\r\\ud800-\\udfff]")
"""What no line of a file has: ends of lines, null characters and halves of UTF-16 pairs."""


def _fault_in_line(text: str) -> str:
    """Return what keeps a text from standing in one line of a file."""
    if _NOT_IN_LINE.search(text):
        return "should be one line of text"
    return ""


def _fault_in_note(text: str) -> str:
    """Return what keeps a line from standing among the notes."""
    if text == ".":
        return "cannot have a line that is only “.”, which ends them"
    return ""


def _fault_in_number(number: int) -> str:
    """Return what keeps a number from being one of a file."""
    if -(2**31) <= number < 2**31:
        return ""
    return "should be a whole number of 32 bits"


def _fault_in_blanks(number: int) -> str:
    """Return what keeps so many blanks from standing before the description."""
    if 0 <= number <= MAX_BLANKS:
        return ""
    return f"should be 0 to {MAX_BLANKS:,}, not {number:,}"


Line = Annotated[str, _fault_in_line]
"""A text that can stand in one line of a file."""

Note = Annotated[Line, _fault_in_note]
"""A line of notes."""

Number = Annotated[int, _fault_in_number]
"""A number of a file, of 32 bits."""

Blanks = Annotated[int, _fault_in_blanks]
"""A number of blanks before the description."""
