"""Breaks the names of terrains and the like into lines, as the buttons of the palette show them."""

from __future__ import annotations

LONG_NAME = 12
"""Names of several words with at least so many letters take several lines."""

MAX_LINES = 3
"""The most lines of a name; further words are left out."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def in_lines(name: str, longest: int) -> str:
    """Return a name as the text of a button, in one to three lines of at most ``longest`` letters.

    "medit_grass_field_dry_a" becomes "medit grass", "field dry a": underscores of a name without
    spaces are shown as spaces. Letters and words that have no room are left out, with an ellipsis.
    """
    if " " not in name:
        name = name.replace("_", " ")
    # Lines shorter than they could be keep the columns narrow: "Deep sea" needs no second line.
    wrap_at = min(LONG_NAME, longest)
    if len(name) < LONG_NAME and len(name) <= longest:
        return name
    lines: list[str] = []
    for word in name.split(" "):
        if lines and len(lines[-1]) + len(word) < wrap_at:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > MAX_LINES:
        last_line = f"{lines[MAX_LINES - 1]} {ELLIPSIS}"
        lines = [*lines[: MAX_LINES - 1], last_line]
    return "\n".join(_shorten(line, longest) for line in lines)


def _shorten(line: str, longest: int) -> str:
    """Return a line with at most ``longest`` letters, an ellipsis among them if it is cut."""
    if len(line) <= longest:
        return line
    return line[: longest - 1] + ELLIPSIS
