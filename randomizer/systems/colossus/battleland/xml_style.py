"""The look of the text of a battleland file: its blanks and line ends.

XmlStyle(line_end="\\n", indent="  ", border_indent="    ", empty_end="/>")

<battlemap terrain="Marsh" tower="False">
  <battlehex x="3" y="2" terrain="Bog" elevation="1">
    <border number="0" type="s"/>
  </battlehex>
</battlemap>
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from randomizer.reading.xml_tree import Document, Element

_LINE_END = re.compile(rb"\r\n|\n|\r")
"""The end of a line."""


@dataclass(frozen=True, slots=True)
class XmlStyle:
    """The blanks and line ends of a file; the defaults are those of the game's own builder."""

    line_end: str = "\n"
    indent: str = "    "
    """The blanks before hexes and the start list."""
    border_indent: str = "        "
    """The blanks before the elements in a hex or in the start list."""
    empty_end: str = " />"
    """The end of the tag of an element without content."""
    has_hex_end_tags: bool = True
    """True if hexes without borders have an end tag all the same, on a line of its own."""


GAME_STYLE = XmlStyle()
"""The style of the game's own builder."""


def style_of_file(document: Document, root: Element) -> XmlStyle:
    """Return the style of a file: line ends, indents and the ends of tags.

    A detail that the file does not show is as the game's builder writes it. A file of one line
    gets no line ends and no indents.
    """
    source = document.source
    line_end = _LINE_END.search(source, root.start, document.end_of(root))
    if line_end is None:
        return XmlStyle(line_end="", indent="", border_indent="")
    style = replace(GAME_STYLE, line_end=line_end[0].decode())
    hexes = list(root.elements("battlehex"))
    borders: list[Element] = []
    hexes_without_borders: list[Element] = []
    for element in hexes:
        borders_of_hex = list(element.elements("border"))
        borders += borders_of_hex
        if not borders_of_hex:
            hexes_without_borders.append(element)
    start_entries: list[Element] = []
    for startlist in root.elements("startlist"):
        start_entries += startlist.elements("battlehexref")

    # Each detail is that of the first hex or border that shows it. Borders are indented by two
    # steps unless one of them shows another indent.
    if hexes:
        indent = _indent(source, hexes[0])
        style = replace(style, indent=indent, border_indent=indent * 2)
    if borders:
        style = replace(style, border_indent=_indent(source, borders[0]))
    if hexes_without_borders:
        is_one_tag = document.tag_of(hexes_without_borders[0]).endswith(b"/>")
        style = replace(style, has_hex_end_tags=not is_one_tag)
    for element in (*borders, *start_entries, *hexes_without_borders):
        tag = document.tag_of(element)
        if tag.endswith(b"/>"):
            content = tag.removesuffix(b"/>").rstrip()
            empty_end = tag[len(content) :]  # the slash and the bracket, with blanks before them
            return replace(style, empty_end=empty_end.decode())
    return style


def _indent(source: bytes, element: Element) -> str:
    """Return the blanks before an element in its line."""
    source_before = source[: element.start]
    return source_before[len(source_before.rstrip(b" \t")) :].decode()
