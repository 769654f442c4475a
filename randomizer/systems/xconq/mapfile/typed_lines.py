"""Lines of a file that a person has typed in another form than this program writes them.

A person aligns numbers, leaves blanks at the ends of lines and writes rows without counts::

    Units   2  1  0             typed
    Units 2 1 0                 as this program would write it

Such a line goes back into the file as it was typed, as long as its meaning is still the same: that
is, as long as the line that would be written in its place is the same as when the file was read.
The reader calls ``compare_lines``, the writer ``restore_lines``. In between the map's record
``typed`` holds the lines, each with the digest of the line that would be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.xconq.records import TypedLine, TypedLines, as_record


class FileSection(NamedTuple):
    """A section of a file, as it was read and as it would be written."""

    letter: str
    """Its letter in the save string."""

    lines: Sequence[str]
    """Its lines in the file, blank ones, too."""

    text: str
    """The text that would be written."""


def compare_lines(sections: Iterable[FileSection], end: str) -> TypedLines:
    """Return the lines of a file that are not as they would be written.

    ``sections`` are in the order of the file. ``end`` is the text after the last line of the file
    that is not blank. A section with more or fewer lines than would be written is left out, as its
    lines cannot be compared one by one.
    """
    lines_by_section: dict[str, tuple[TypedLine, ...]] = {}
    written_end = "\n"  # of a file without sections
    for section in sections:
        lines = _join_blank_lines(section.lines)
        written_lines, written_end = _split_end(section.text)
        if len(lines) != len(written_lines):
            continue
        forms_that_differ = set()
        for line, written in zip(lines, written_lines, strict=True):
            if line != written:
                forms_that_differ.add(written)
        # Of two lines with the same meaning only one may be typed in another form. Both are kept:
        # after lines have moved they are found by their meaning, and the one that is typed as it
        # would be written must not get the form of the other.
        typed_lines = []
        for index, (line, written) in enumerate(zip(lines, written_lines, strict=True)):
            if written in forms_that_differ:
                typed_lines.append(TypedLine(index, _digest(written), line))
        if typed_lines:
            lines_by_section[section.letter] = tuple(typed_lines)
    if end == written_end:
        return TypedLines(lines_by_section)
    return TypedLines(lines_by_section, end)


def end_of(text: str) -> str:
    """Return the text after the last line that is not blank, with the end of that line."""
    _lines, end = _split_end(text)
    return end


def record_of(typed: TypedLines) -> MapRecord | None:
    """Return the record of typed lines; None for more than a record can hold."""
    record = as_record(typed)
    if len(record.text.encode()) > LARGEST_DATA:
        return None
    return record


def restore_lines(text: str, lines: Sequence[TypedLine]) -> str:
    """Return the text of a section in which lines that still mean the same are as they were typed.

    ``lines`` are the typed ones. A line that has moved, because others were added or removed before
    it, is found by its digest.
    """
    if not lines:
        return text
    by_index = {line.index: line for line in lines}
    by_digest: dict[str, TypedLine] = {}
    for line in lines:
        by_digest.setdefault(line.digest, line)  # the first of equal lines
    written_lines, end = _split_end(text)
    restored = []
    for index, written in enumerate(written_lines):
        digest = _digest(written)
        typed_line = by_index.get(index)
        if typed_line is None or typed_line.digest != digest:
            typed_line = by_digest.get(digest)
        if typed_line is None:
            restored.append(written)
        else:
            restored.append(typed_line.text)
    return "\n".join(restored) + end


def _split_end(text: str) -> tuple[list[str], str]:
    """Return the lines up to the last one that is not blank, and the text after that line.

    "a\\nb\\n\\n" gives ["a", "b"] and "\\n\\n".
    """
    lines = text.split("\n")
    count = len(lines)
    while count > 1 and not lines[count - 1].strip():
        count -= 1
    return lines[:count], "".join(f"\n{line}" for line in lines[count:])


def _join_blank_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines that are not blank, each after the blank lines before it."""
    joined = []
    blank: list[str] = []
    for line in lines:
        if line.strip():
            joined.append("\n".join([*blank, line]))
            blank = []
        else:
            blank.append(line)
    return joined


def _digest(line: str) -> str:
    """Return the digest of a line, 16 hexadecimal digits."""
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
