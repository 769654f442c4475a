"""The file ``mapfiles`` of a library: its menu of scenarios, periods and maps.

It has headings, each followed by lines of a name without suffix and a description, and ``End``::

    Scenarios
    1942  The Second World War
    Periods
    Maps
    End
"""

from __future__ import annotations

import re

NAME = "mapfiles"
"""The name of the file."""

SCENARIOS = "Scenarios"
PERIODS = "Periods"
MAPS = "Maps"
_HEADINGS = (SCENARIOS, PERIODS, MAPS)
_END = "End"


def empty_menu() -> str:
    """Return a menu with nothing in it."""
    return "".join(f"{heading}\n" for heading in (*_HEADINGS, _END))


def entries(text: str, heading: str) -> tuple[str, ...]:
    """Return the names under a heading."""
    lines = _lines(text)
    block = _find_block(lines, heading)
    return tuple(line.split(maxsplit=1)[0] for line in lines[block] if line.strip())


def with_entry(text: str, heading: str, name: str, description: str) -> str:
    """Return the menu with a name under a heading, at its end; itself if the name is there."""
    if name in entries(text, heading):
        return text
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = _lines(text)
    block = _find_block(lines, heading)
    new_lines = [f"{name}  {' '.join(description.split())}".rstrip()]
    has_heading = block.start > 0 and lines[block.start - 1].strip() == heading
    if not has_heading:
        new_lines.insert(0, heading)
    # Before blank lines at the end of the block.
    end = block.stop
    while end > block.start and not lines[end - 1].strip():
        end -= 1
    return line_end.join([*lines[:end], *new_lines, *lines[end:]]) + line_end


def _lines(text: str) -> list[str]:
    """Return the lines of a menu; an empty one has none."""
    if text.strip():
        return re.split(r"\r\n|\n", text.rstrip("\r\n"))
    return []


def _find_block(lines: list[str], heading: str) -> slice:
    """Return the slice of the lines under a heading.

    Where the heading is missing that is empty, at the position for it: before ``End``.
    """
    words = [line.strip() for line in lines]
    if heading not in words:
        end = words.index(_END) if _END in words else len(lines)
        return slice(end, end)
    first = words.index(heading) + 1
    for index in range(first, len(words)):
        if words[index] in (*_HEADINGS, _END):
            return slice(first, index)
    return slice(first, len(words))
