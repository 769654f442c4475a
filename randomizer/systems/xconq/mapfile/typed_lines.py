"""Lines of a file that were typed otherwise than this program writes them.

The reader calls ``compare_lines``, the writer ``restore_lines``. A person aligns numbers, leaves
blanks at the ends of lines and writes rows without counts. Such a line goes back into the file as
it was typed, as long as what would be written in its place is the same as when the file was read.
The map's record ``typed`` holds these lines.
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

    ``sections`` are in the order of the file. ``end`` is what stands in the file after the last
    line that is not blank. A section with more or fewer lines than would be written is left out.
    """
    typed: dict[str, tuple[TypedLine, ...]] = {}
    written_end = "\n"
    for section in sections:
        lines = _join_blank_lines(section.lines)
        written_lines, written_end = _split(section.text)
        if len(lines) != len(written_lines):
            continue
        typed_otherwise = set()
        for line, written in zip(lines, written_lines, strict=True):
            if line != written:
                typed_otherwise.add(written)
        # Also those lines that are as written but equal to one that is not: where lines have moved
        # they are told by what would be written, and these would be taken for the other one.
        typed_lines = []
        for index, (line, written) in enumerate(zip(lines, written_lines, strict=True)):
            if written in typed_otherwise:
                typed_lines.append(TypedLine(index, _digest(written), line))
        if typed_lines:
            typed[section.letter] = tuple(typed_lines)
    if end == written_end:
        return TypedLines(typed)
    return TypedLines(typed, end)


def end_of(text: str) -> str:
    """Return what stands in a text after its last line that is not blank, the line end included."""
    _lines, end = _split(text)
    return end


def record_of(typed: TypedLines) -> MapRecord | None:
    """Return the record of typed lines; None for more than a record can hold."""
    record = as_record(typed)
    if len(record.text.encode()) > LARGEST_DATA:
        return None
    return record


def restore_lines(text: str, lines: Sequence[TypedLine]) -> str:
    """Return the text of a section with the lines that mean what they meant as they were typed.

    ``lines`` are those that were typed otherwise. One that has moved, because others were added or
    removed before it, is known by its digest.
    """
    if not lines:
        return text
    by_index = {line.index: line for line in lines}
    # Reversed: of equal lines the first one counts.
    by_digest = {line.digest: line for line in reversed(lines)}
    written_lines, end = _split(text)
    restored = []
    for index, written in enumerate(written_lines):
        digest = _digest(written)
        line = by_index.get(index)
        if line is None or line.digest != digest:
            line = by_digest.get(digest)
        if line is None:
            restored.append(written)
        else:
            restored.append(line.text)
    return "\n".join(restored) + end


def _split(text: str) -> tuple[list[str], str]:
    """Return the lines up to the last that is not blank, without their ends, and what follows."""
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
    """Return the digest by which a line is told from others."""
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
