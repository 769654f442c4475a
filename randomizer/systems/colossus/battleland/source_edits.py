"""Writes a battleland into the text of the file that it was read from.

Only what differs is written: values of attributes, hexes and borders that come or go. Indentation,
line ends, comments, quotes, order and encoding stay as they are in the file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from randomizer.model.planes.composite import Composite
from randomizer.reading.xml_source import encoding_of
from randomizer.reading.xml_tree import Document, Element, attributes_xml, escaped_value, parse_xml
from randomizer.systems.colossus.battleland.extras import unknown_by_place
from randomizer.systems.colossus.battleland.xml_style import GAME_STYLE, XmlStyle
from randomizer.systems.colossus.battleland.xml_writer import (
    border_row,
    comment_row,
    hex_rows,
    startlist_rows,
)
from randomizer.systems.colossus.board import HEX_AT, HEXES
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

_LINE_END = re.compile(rb"\r\n|\n|\r")
_PROLOG_PIECE = re.compile(rb"<!--.*?-->|<\?.*?\?>|(?P<doctype><!DOCTYPE[^<>\[\]]*>)", re.DOTALL)
"""A comment, an instruction, or a DOCTYPE that declares nothing itself."""

_ROOT_ATTRIBUTES = ("terrain", "tower", "subtitle")
"""In the order in which the game's builder writes them."""


def edited_source(
    data: bytes, former: Composite, composite: Composite, comment: str | None = None
) -> bytes | None:
    """Return a file with the map changed from ``former``, which was read from it.

    ``comment`` is added if the file does not have it. None if the file cannot be changed so: the
    caller proves that the result is read as ``composite``, and writes the map anew if it is not.
    """
    document = parse_xml(data)
    mark, encoding = encoding_of(data)
    source = data[len(mark) :].decode(encoding).encode()
    # Line ends of XML 1.1 were replaced by shorter ones: then no offset is right.
    if document.root is None or len(source) != len(document.source):
        return None
    editor = _SourceEditor(document, document.root, source)
    try:
        editor.change(former, composite)
    except _NoPlaceError:
        return None
    if comment is not None:
        editor.add_comment(comment)
    # Characters that the encoding lacks stand in attributes or in the comment.
    return mark + editor.text().encode(encoding, "xmlcharrefreplace")


class _NoPlaceError(Exception):
    """The file has no place for a change, or several."""


class _Change(NamedTuple):
    """A text that takes the place of the bytes between two offsets."""

    start: int
    end: int
    text: str


class _SourceEditor:
    """Collects changes of a file's UTF-8 bytes: what stands between two offsets is replaced."""

    def __init__(self, document: Document, root: Element, source: bytes) -> None:
        self._document = document
        self._root = root
        self._source = source
        self._style = _style_of(document, root)
        self._changes: list[_Change] = []
        """The changes so far; those at one offset in the order of the text."""

    def text(self) -> str:
        """Return the text of the file with all changes."""
        parts = []
        position = 0
        for change in sorted(self._changes, key=lambda change: (change.start, change.end)):
            parts += [self._source[position : change.start], change.text.encode()]
            position = change.end
        return b"".join([*parts, self._source[position:]]).decode()

    def change(self, former: Composite, composite: Composite) -> None:
        """Change the file from one map to another. Raises _NoPlaceError."""
        self._remove_doctype()
        self._change_root(former, composite)
        elements = self._elements_of_hexes()
        new_hexes = []
        for number in range(len(HEXES)):
            if not _differs(former, composite, number):
                continue
            if number not in elements:
                new_hexes.append(number)
            elif self._remove_bare(elements[number], number, composite):
                del elements[number]
            else:
                self._change_hex(elements[number], number, former, composite)
        # After all others: a new hex is placed by those that remain.
        for number in new_hexes:
            rows = hex_rows(self._style, composite, unknown_by_place({}), number)
            self._insert_hex(number, elements, rows)
        if START_LIST.of(former.properties) != START_LIST.of(composite.properties):
            self._change_startlist(START_LIST.of(composite.properties))

    def add_comment(self, comment: str) -> None:
        """Insert a comment as the game's builder does, unless the file has it."""
        row = comment_row(comment)
        if row.encode() not in self._source and not self._is_empty(self._root):
            start = self._root.start + len(self._document.tag_of(self._root))
            self._replace(start, start, self._style.line_end + row)

    def _remove_doctype(self) -> None:
        """Remove the DOCTYPE, with which the game may lose the map, and its line if it has one."""
        if self._document.doctype is None:
            return
        prolog = self._source[: self._root.start]
        doctypes = [piece for piece in _PROLOG_PIECE.finditer(prolog) if piece["doctype"]]
        if not doctypes:  # it declares something
            raise _NoPlaceError
        start = doctypes[0].start("doctype")
        end = doctypes[0].end("doctype")
        is_own_line = not prolog[prolog.rfind(b"\n", 0, start) + 1 : start].strip()
        line_end = _LINE_END.match(prolog, end)
        if is_own_line and line_end is not None:
            end = line_end.end()
        self._replace(start, end, "")

    # --- the root -------------------------------------------------------------------------------

    def _change_root(self, former: Composite, composite: Composite) -> None:
        """Change title, subtitle and tower where they differ."""
        values = {
            "terrain": composite.properties.get(TITLE.name),
            "subtitle": composite.properties.get(SUBTITLE.name),
        }
        if TOWER.of(former.properties) != TOWER.of(composite.properties):
            values["tower"] = str(TOWER.of(composite.properties))
        for name, value in values.items():
            if value != self._root.attributes.get(name):
                self._change_attribute(self._root, name, value)

    def _change_attribute(self, element: Element, name: str, value: str | None) -> None:
        """Give an attribute another value; None removes it, with the blanks before it.

        A new one, which only the root can get, stands where the game's builder writes it.
        """
        places = self._document.values_of(element)
        if name in places and value is not None:
            start, end = places[name]
            self._replace(start, end, _escaped(value))
        elif name in places:
            start, end = places[name]
            name_start = self._source.rindex(name.encode(), element.start, start)
            blanks = len(self._source[:name_start]) - len(self._source[:name_start].rstrip())
            self._replace(name_start - blanks, end + 1, "")
        elif value is not None:
            offset = element.start + 1 + len(element.name.encode())
            for former_name in _ROOT_ATTRIBUTES[: _ROOT_ATTRIBUTES.index(name)]:
                if former_name in places:
                    offset = places[former_name][1] + 1
            self._replace(offset, offset, attributes_xml([(name, value)]))

    def _change_startlist(self, labels: tuple[str, ...]) -> None:
        """Write, replace or remove the start list."""
        if labels:
            rows = startlist_rows(self._style, labels, unknown_by_place({}))
        else:
            rows = []
        element = next(self._root.elements("startlist"), None)
        if element is None:
            self._insert_at_end(rows)
        elif not rows:
            self._remove(element)
        else:
            text = self._style.line_end.join(rows).removeprefix(self._style.indent)
            self._replace(element.start, self._document.end_of(element), text)

    # --- hexes ----------------------------------------------------------------------------------

    def _elements_of_hexes(self) -> dict[int, Element]:
        """Return the elements of the file by hex id. Raises _NoPlaceError if a hex has two."""
        elements: dict[int, Element] = {}
        for element in self._root.elements("battlehex"):
            number = HEX_AT[int(element.attributes["x"]), int(element.attributes["y"])]
            if number in elements:
                raise _NoPlaceError
            elements[number] = element
        return elements

    def _insert_hex(self, number: int, elements: dict[int, Element], rows: list[str]) -> None:
        """Insert a hex behind the last one before it, by the hex ids of the file's elements."""
        preceding = [number_there for number_there in elements if number_there < number]
        if preceding:
            self._insert_after(self._document.end_of(elements[max(preceding)]), rows)
        elif elements:
            self._insert_before(elements[min(elements)].start, rows)
        else:
            startlist = next(self._root.elements("startlist"), None)
            if startlist is None:
                self._insert_at_end(rows)
            else:
                self._insert_before(startlist.start, rows)

    def _remove_bare(self, element: Element, number: int, composite: Composite) -> bool:
        """Remove a hex that has become bare Plains, unless it holds something unknown."""
        if hex_rows(self._style, composite, unknown_by_place({}), number):
            return False
        if element.attributes.keys() - {"x", "y", "terrain", "elevation"}:
            return False
        for child in element.children:
            if not isinstance(child, str) and not _is_border(child):
                return False
        self._remove(element)
        return True

    def _change_hex(
        self, element: Element, number: int, former: Composite, composite: Composite
    ) -> None:
        """Change the attributes and borders of a hex where they differ."""
        x, y = HEXES[number]
        terrain = int(composite.planes["terrain"][y, x])
        elevation = int(composite.planes["elevation"][y, x])
        if terrain != former.planes["terrain"][y, x]:
            self._change_attribute(element, "terrain", COLOSSUS.terrains[terrain].name)
        if elevation != former.planes["elevation"][y, x]:
            self._change_attribute(element, "elevation", str(elevation))
        self._change_borders(
            element,
            former.planes["hexside"][y, x].tolist(),
            composite.planes["hexside"][y, x].tolist(),
        )

    def _change_borders(self, element: Element, former: list[int], codes: list[int]) -> None:
        """Change the borders of a hex from six hexside codes to six others."""
        borders: dict[int, Element] = {}
        for border in element.elements("border"):
            side = int(border.attributes["number"])
            if side in borders:
                raise _NoPlaceError
            borders[side] = border
        new_sides = []
        for side, code in enumerate(codes):
            if code == former[side]:
                continue
            if not code:
                self._remove(borders.pop(side))
            elif side in borders:
                self._change_attribute(borders[side], "type", COLOSSUS.hexside_letter(code))
            else:
                new_sides.append(side)
        # After all others: a new border is placed by those that remain.
        first_rows = []
        for side in new_sides:
            row = border_row(self._style, side, codes[side])
            preceding = [side_there for side_there in borders if side_there < side]
            if preceding:
                self._insert_after(self._document.end_of(borders[max(preceding)]), [row])
            else:
                first_rows.append(row)
        if first_rows:
            self._insert_first_borders(element, first_rows)

    def _insert_first_borders(self, element: Element, rows: list[str]) -> None:
        """Insert borders before all else in a hex; a hex of a single tag gets an end tag."""
        tag = self._document.tag_of(element)
        tag_end = element.start + len(tag)
        style = self._style
        text = "".join(style.line_end + row for row in rows)
        if self._is_empty(element):
            end = f"{text}{style.line_end}{style.indent}</{element.name}>"
            self._replace(element.start + len(tag[:-2].rstrip()), tag_end, ">" + end)
        else:
            is_one_line = not element.children  # <battlehex …></battlehex>
            if is_one_line:
                text += style.line_end + style.indent
            self._replace(tag_end, tag_end, text)

    # --- places in the source -------------------------------------------------------------------

    def _is_empty(self, element: Element) -> bool:
        """Return whether an element is a single tag."""
        return self._document.tag_of(element).endswith(b"/>")

    def _replace(self, start: int, end: int, text: str) -> None:
        """Replace the bytes between two offsets; changes must not overlap."""
        self._changes.append(_Change(start, end, text))

    def _insert_after(self, offset: int, rows: list[str]) -> None:
        """Insert rows after the line in which the tag that ends at an offset stands."""
        self._replace(offset, offset, "".join(self._style.line_end + row for row in rows))

    def _insert_before(self, offset: int, rows: list[str]) -> None:
        """Insert rows before the line in which the tag at an offset begins."""
        source_before = self._source[:offset]
        line_start = len(source_before.rstrip(b" \t"))
        if not source_before[:line_start].endswith((b"\n", b"\r")):
            line_start = offset
        self._replace(line_start, line_start, "".join(row + self._style.line_end for row in rows))

    def _insert_at_end(self, rows: list[str]) -> None:
        """Insert rows before the end tag of the root."""
        if self._is_empty(self._root):
            raise _NoPlaceError
        self._insert_before(self._root.last_tag, rows)

    def _remove(self, element: Element) -> None:
        """Remove an element, and the line that it stands on."""
        source_before = self._source[: element.start].rstrip(b" \t")
        line_end = re.search(rb"(\r\n|\n|\r)\Z", source_before)
        start = element.start
        if line_end is not None:
            start = line_end.start()
        self._replace(start, self._document.end_of(element), "")


def _differs(former: Composite, composite: Composite, number: int) -> bool:
    """Return whether a hex has other values, by its hex id."""
    x, y = HEXES[number]
    return any(
        (former.planes[name][y, x] != composite.planes[name][y, x]).any()
        for name in ("terrain", "elevation", "hexside")
    )


def _is_border(node: object) -> bool:
    """Return whether a node of a hex is a border, which the game knows."""
    return isinstance(node, Element) and node.name == "border" and not node.in_namespace


def _escaped(value: str) -> str:
    """Return the value of an attribute as it can stand in quotes of both kinds."""
    return escaped_value(value).replace("'", "&apos;")


def _style_of(document: Document, root: Element) -> XmlStyle:
    """Return how a file is written, where it does not tell as the game's builder writes."""
    source = document.source
    line_end = _LINE_END.search(source, root.start, document.end_of(root))
    if line_end is None:
        return XmlStyle(line_end="", indent="", border_indent="")
    style = replace(GAME_STYLE, line_end=line_end[0].decode())
    hexes = list(root.elements("battlehex"))
    borders: list[Element] = []
    bare = []
    for element in hexes:
        borders_of_hex = list(element.elements("border"))
        borders += borders_of_hex
        if not borders_of_hex:
            bare.append(element)
    entries: list[Element] = []
    for startlist in root.elements("startlist"):
        entries += startlist.elements("battlehexref")

    # Each detail is that of the first element that shows it.
    if hexes:
        indent = _indent(source, hexes[0])
        style = replace(style, indent=indent, border_indent=indent * 2)
    if borders:
        style = replace(style, border_indent=_indent(source, borders[0]))
    if bare:
        is_one_tag = document.tag_of(bare[0]).endswith(b"/>")
        style = replace(style, has_hex_end_tags=not is_one_tag)
    for element in (*borders, *entries, *bare):
        tag = document.tag_of(element)
        if tag.endswith(b"/>"):
            blanks = tag[len(tag[:-2].rstrip()) : -2].decode()
            return replace(style, empty_end=f"{blanks}/>")
    return style


def _indent(source: bytes, element: Element) -> str:
    """Return the blanks before an element in its line."""
    source_before = source[: element.start]
    return source_before[len(source_before.rstrip(b" \t")) :].decode()
