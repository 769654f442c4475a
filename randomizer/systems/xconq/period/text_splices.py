"""Replaces pieces of a period's text, and finds where new lines go.

``value_edits`` and ``type_changes`` collect *splices*, replacements of a piece each, and apply all
of them at once, so that offsets in the old text stay valid meanwhile::

    splice_text("2 i speed", [Splice(0, 1, "3")])       # "3 i speed"

A value is changed *plainly* by replacing one piece that stands for this value alone. All functions
that edit a period return a ``NotPlain`` with the reason, instead of a text, where a text cannot be
changed so or at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.systems.xconq.header import is_mapfile, sections_of
from randomizer.systems.xconq.period.reading import Reading


@dataclass(frozen=True)
class NotPlain:
    """The reason why a value cannot be changed at all, or not in the line that sets it."""

    why: str
    """The reason, as a sentence."""

    line: int | None = None
    """The line that sets the value, from 1; None if nothing does."""

    file: str | None = None
    """The name of the included file with that line, None for the period's own text."""


class Splice(NamedTuple):
    """A piece of a text that is replaced."""

    start: int
    """The offset at which it begins."""

    end: int
    """The offset behind it."""

    text: str
    """The text that replaces it."""


def splice_text(text: str, splices: Iterable[Splice]) -> str:
    """Return the text with pieces replaced; these must not overlap, nor begin at one offset."""
    # From the last one on, so that the offsets of the others stay right.
    for start, end, new_text in sorted(splices, reverse=True):
        text = text[:start] + new_text + text[end:]
    return text


def without_overlaps(splices: Iterable[Splice]) -> list[Splice]:
    """Return splices that change the same pieces of a text, but each character once.

    A splice within another one is left out. Of two that overlap, the second begins where the first
    ends: two statements of one line can both remove the blanks between them.
    """
    separate_splices: list[Splice] = []
    end_so_far = 0
    # Of those that begin together the longest comes first, and has the others in it.
    for splice in sorted(splices, key=lambda splice: (splice.start, -splice.end)):
        if splice.end > end_so_far:
            separate_splices.append(splice._replace(start=max(splice.start, end_so_far)))
            end_so_far = splice.end
    return separate_splices


def removal_splice(text: str, start: int, end: int) -> Splice:
    """Return the splice that removes a piece of the text and the blanks behind it.

    At the end of a line the blanks before it are removed as well. A line that holds nothing else is
    removed with its line end.
    """
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    is_at_end_of_line = text[end : end + 1] == "\n"
    start_of_line = text.rfind("\n", 0, start) + 1
    is_first_on_line = not text[start_of_line:start].strip(" \t")
    if is_first_on_line and is_at_end_of_line:
        return Splice(start_of_line, end + 1, "")
    if is_at_end_of_line:
        while text[start - 1] in (" ", "\t"):
            start -= 1
    return Splice(start, end, "")


def line_splice(text: str, offset: int, lines: Sequence[str]) -> Splice:
    """Return the splice that inserts lines at an offset.

    That is usually at the start of a line. Within a line, and at the end of a text without a line
    end, a line end is inserted first.
    """
    line_break = ""
    if lines and offset > 0 and text[offset - 1] != "\n":
        line_break = "\n"
    return Splice(offset, offset, line_break + "".join(f"{line}\n" for line in lines))


_END_WORD = re.compile(r"(?<!\S)end\s?\Z")
"""The word ``end`` that closes the period section, at the end of the text of the section.

One white space behind the word belongs to the section, too, if there is any.
"""


def end_of_section(reading: Reading) -> int | NotPlain:
    """Return the offset at which lines are inserted at the end of the period section.

    That is the start of the line with the word ``end``, or the offset of ``end`` itself if
    something else stands before it on that line. A section without ``end`` goes on to the end of
    the text.
    """
    own_file = reading.period.files[-1]  # the files that it includes come before it
    text = own_file.text
    # ``sections_of`` has a letter for each section of a mapfile: "p" is the period.
    if is_mapfile(text) and "p" not in (sections_of(text) or ""):
        return NotPlain("The file has no period section of its own, it only includes others.")
    offset = reading.end  # behind the section
    end_word = _END_WORD.search(text, 0, offset)
    if end_word is not None:
        offset = end_word.start()
    start_of_line = text.rfind("\n", 0, offset) + 1
    is_first_on_line = not text[start_of_line:offset].strip(" \t")
    if is_first_on_line:
        return start_of_line
    return offset
