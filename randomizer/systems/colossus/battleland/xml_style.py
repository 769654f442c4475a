"""The look of the text of a battleland file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class XmlStyle:
    """The blanks and line ends of a file; the defaults are those of the game's own builder.

    ``indent`` is that of hexes and of the start list, ``border_indent`` that of what is in them.
    ``empty_end`` ends an element without content. ``has_hex_end_tags``: hexes without borders have
    an end tag all the same, on a line of its own.
    """

    line_end: str = "\n"
    indent: str = "    "
    border_indent: str = "        "
    empty_end: str = " />"
    has_hex_end_tags: bool = True


GAME_STYLE = XmlStyle()
