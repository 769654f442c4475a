"""The file ``mapfiles`` of Xconq's library: its menu of scenarios, periods and maps.

An export adds a line to it (``with_entry``). The file has headings, each followed by lines of a
name without suffix and a description, and ``End``::

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
"""The heading of maps with units or sides."""

PERIODS = "Periods"
"""The heading of periods."""

MAPS = "Maps"
"""The heading of maps without units and sides."""

_HEADINGS = (SCENARIOS, PERIODS, MAPS)
"""All headings, in the order of the file."""

_END = "End"
"""The last line of the file."""


def empty_menu() -> str:
    """Return a menu with nothing in it."""
    return "".join(f"{heading}\n" for heading in (*_HEADINGS, _END))


def entries(text: str, heading: str) -> tuple[str, ...]:
    """Return the names under a heading."""
    lines = _lines(text)
    block = _find_block(lines, heading)
    return tuple(line.split(maxsplit=1)[0] for line in lines[block] if line.strip())


def with_entry(text: str, heading: str, name: str, description: str) -> str:
    """Return the menu ``text`` with a line added as the last one under a heading.

    If the name is under the heading already, the menu stays as it is. New lines end as the others
    do, with LF or CR LF. A heading that is missing is added.
    """
    lines = _lines(text)
    block = _find_block(lines, heading)
    description_in_one_line = " ".join(description.split())
    entry = f"{name}  {description_in_one_line}".rstrip()
    # The game takes a name up to a blank, so a name with one is known by its whole line only.
    if name in entries(text, heading) or entry in lines[block]:
        return text
    line_end = "\n"
    if "\r\n" in text:
        line_end = "\r\n"
    new_lines = [entry]
    has_heading = block.start > 0 and lines[block.start - 1].strip() == heading
    if not has_heading:
        new_lines.insert(0, heading)
    # Blank lines at the end of the block stay behind the new line.
    end = block.stop
    while end > block.start and not lines[end - 1].strip():
        end -= 1
    return line_end.join([*lines[:end], *new_lines, *lines[end:]]) + line_end


def _lines(text: str) -> list[str]:
    """Return the lines of a menu, without their ends; [] for an empty one."""
    if text.strip():
        return re.split(r"\r\n|\n", text.rstrip("\r\n"))
    return []


def _find_block(lines: list[str], heading: str) -> slice:
    """Return the slice of the lines under a heading.

    If the heading is missing the slice is empty, at the position for it: before ``End``.
    """
    stripped_lines = [line.strip() for line in lines]
    if heading not in stripped_lines:
        end = len(lines)
        if _END in stripped_lines:
            end = stripped_lines.index(_END)
        return slice(end, end)
    first = stripped_lines.index(heading) + 1
    for index in range(first, len(stripped_lines)):
        if stripped_lines[index] in (*_HEADINGS, _END):
            return slice(first, index)
    return slice(first, len(stripped_lines))
