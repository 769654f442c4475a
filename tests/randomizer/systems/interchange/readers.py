"""Little readers of files of other programs that share nothing with ours."""

from __future__ import annotations

import re

Cells = list[object]


def board(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """Size, (level, terrains, theme) of each hex in order, and all further lines."""
    size = re.search(r"(?mi)^size (\d+) (\d+)", text)
    hexes = re.findall(r'(?mi)^hex \d+ (-?\d+) "(.*?)" "(.*?)"', text)
    cells = [(int(level), frozenset(all_.split(";")), theme) for level, all_, theme in hexes]
    lines = [line for line in text.splitlines() if not re.match(r"(?i)hex|size|end", line)]
    return (int(size[1]), int(size[2])), cells, lines


def wesnoth(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """Size and what stands in each cell, row by row."""
    rows = [line.split(",") for line in text.splitlines() if line and "=" not in line]
    return (len(rows[0]), len(rows)), [" ".join(each.split()) for row in rows for each in row], []


def textmapper(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """The lines about hexes by their numbers, and all further lines, both in order."""
    lines = text.splitlines()
    hexes = [line.split() for line in lines if re.match(r"-?\d\d-?\d\d\s", line)]
    size = len({each[0][:2] for each in hexes}), len({each[0][2:] for each in hexes})
    return size, sorted(hexes), [line for line in lines if not re.match(r"-?\d\d-?\d\d\s", line)]


READERS = {"board": board, "wesnoth": wesnoth, "textmapper": textmapper}
