"""The file ``mapfiles`` of a library: its menu of scenarios, periods and maps.

Headings, each followed by lines ``name  description`` (names without suffix), and ``End``.
"""

from __future__ import annotations

import re

NAME = "mapfiles"

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
    first, last = _block(_lines(text), heading)
    lines = _lines(text)[first:last]
    return tuple(line.split(maxsplit=1)[0] for line in lines if line.strip())


def with_entry(text: str, heading: str, name: str, description: str) -> str:
    """Return the menu with a name under a heading, at its end; itself if the name is there."""
    if name in entries(text, heading):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    lines = _lines(text)
    first, last = _block(lines, heading)
    new = [f"{name}  {' '.join(description.split())}".rstrip()]
    if first == last == len(lines) or lines[first - 1 : first] != [heading]:
        new.insert(0, heading)
    while last > first and not lines[last - 1].strip():
        last -= 1
    return end.join([*lines[:last], *new, *lines[last:]]) + end


def _lines(text: str) -> list[str]:
    if text.strip():
        return re.split(r"\r\n|\n", text.rstrip("\r\n"))
    return []


def _block(lines: list[str], heading: str) -> tuple[int, int]:
    """Return the indices of the first line under a heading, and just after the last.

    Where the heading is missing, both are the place for it: before ``End``.
    """
    words = [line.strip() for line in lines]
    stops = (*_HEADINGS, _END)
    if heading not in words:
        end = words.index(_END) if _END in words else len(lines)
        return end, end
    first = words.index(heading) + 1
    last = next((i for i in range(first, len(words)) if words[i] in stops), len(words))
    return first, last
