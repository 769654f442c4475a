"""Writes a battleland into the text of the file that it was read from.

Only what differs is written: values of attributes, hexes and borders that come or go. Indentation,
line ends, comments, quotes, order and encoding stay as they are in the file::

    <battlehex x='3'  y='2' terrain='Bog' elevation='0'/> <!-- my swamp -->     read
    <battlehex x='3'  y='2' terrain='Sand' elevation='0'/> <!-- my swamp -->    written

``_SourceEditor`` compares two maps, and changes the text for each difference (``SourceChanges``).
"""

from __future__ import annotations

import re

from randomizer.model.planes.composite import Composite
from randomizer.reading.xml_source import encoding_of
from randomizer.reading.xml_text import attributes_xml
from randomizer.reading.xml_tree import Document, Element, parse_xml
from randomizer.systems.colossus.battleland.extras import PartsByPlace
from randomizer.systems.colossus.battleland.source_changes import SourceChanges
from randomizer.systems.colossus.battleland.xml_style import style_of_file
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
"""The end of a line."""

_PROLOG_PIECE = re.compile(rb"<!--.*?-->|<\?.*?\?>|(?P<doctype><!DOCTYPE[^<>\[\]]*>)", re.DOTALL)
"""A comment, an instruction, or a DOCTYPE that declares nothing itself."""

_ROOT_ATTRIBUTES = ("terrain", "tower", "subtitle")
"""The attributes of the root, in the order in which the game's builder writes them."""

_NO_UNKNOWN_PARTS: PartsByPlace = {}
"""New hexes and start lists hold nothing unknown; what the file holds of it stays in its place."""


def edited_source(
    data: bytes, former: Composite, composite: Composite, comment: str | None = None
) -> bytes | None:
    """Return a file with the map changed from ``former``, which was read from it.

    ``comment`` is added if the file does not have it. None if the file cannot be changed so: the
    caller proves that the result is read as ``composite``, and writes the map anew if it is not.
    """
    document = parse_xml(data)
    byte_order_mark, encoding = encoding_of(data)
    source = data[len(byte_order_mark) :].decode(encoding).encode()
    # The parser replaces the line ends of XML 1.1 by line feeds. If that has changed the length,
    # its offsets do not fit this source.
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
    return byte_order_mark + editor.text().encode(encoding, "xmlcharrefreplace")


class _NoPlaceError(Exception):
    """The file has no place for a change, or several."""


class _SourceEditor:
    """Changes a file from one map to another."""

    def __init__(self, document: Document, root: Element, source: bytes) -> None:
        self._document = document
        self._root = root
        self._source = source
        self._style = style_of_file(document, root)
        self._changes = SourceChanges(document, source, self._style.line_end)

    def text(self) -> str:
        """Return the text of the file with all changes."""
        return self._changes.text()

    def change(self, former: Composite, composite: Composite) -> None:
        """Change the file from one map to another. Raises _NoPlaceError."""
        self._remove_doctype()
        self._change_root(former, composite)
        self._change_hexes(former, composite)
        if START_LIST.of(former.properties) != START_LIST.of(composite.properties):
            self._change_startlist(START_LIST.of(composite.properties))

    def add_comment(self, comment: str) -> None:
        """Insert a comment as the game's builder does, unless the file has it."""
        row = comment_row(comment)
        if row.encode() not in self._source and not self._is_empty(self._root):
            start = self._root.start + len(self._document.tag_of(self._root))
            self._changes.replace(start, start, self._style.line_end + row)

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
        self._changes.replace(start, end, "")

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
            former_value = self._root.attributes.get(name)
            if value == former_value:
                continue
            if value is None:
                self._changes.remove_attribute(self._root, name)
            elif former_value is None:
                self._insert_root_attribute(name, value)
            else:
                self._changes.set_value(self._root, name, value)

    def _insert_root_attribute(self, name: str, value: str) -> None:
        """Add an attribute to the root, where the game's builder writes it."""
        # Behind the name of the element, or behind the last attribute that comes before it.
        offset = self._root.start + len("<") + len(self._root.name.encode())
        value_spans = self._document.value_spans_of(self._root)
        for preceding_name in _ROOT_ATTRIBUTES[: _ROOT_ATTRIBUTES.index(name)]:
            if preceding_name in value_spans:
                _start, end_of_value = value_spans[preceding_name]
                offset = end_of_value + len('"')
        self._changes.replace(offset, offset, attributes_xml([(name, value)]))

    def _change_startlist(self, labels: tuple[str, ...]) -> None:
        """Write, replace or remove the start list."""
        if labels:
            rows = startlist_rows(self._style, labels, _NO_UNKNOWN_PARTS)
        else:
            rows = []
        element = next(self._root.elements("startlist"), None)
        if element is None:
            self._insert_at_end(rows)
        elif not rows:
            self._changes.remove(element)
        else:
            text = self._style.line_end.join(rows).removeprefix(self._style.indent)
            self._changes.replace(element.start, self._document.end_of(element), text)

    # --- hexes ----------------------------------------------------------------------------------

    def _change_hexes(self, former: Composite, composite: Composite) -> None:
        """Change, remove and insert the elements of hexes that differ. Raises _NoPlaceError."""
        elements = self._elements_of_hexes()
        new_hexes = []
        for hex_id in range(len(HEXES)):
            if not _differs(former, composite, hex_id):
                continue
            if hex_id not in elements:
                new_hexes.append(hex_id)
            elif self._can_be_removed(elements[hex_id], hex_id, composite):
                self._changes.remove(elements[hex_id])
                del elements[hex_id]
            else:
                self._change_hex(elements[hex_id], hex_id, former, composite)
        # A new hex is placed by those that remain.
        for hex_id in new_hexes:
            rows = hex_rows(self._style, composite, _NO_UNKNOWN_PARTS, hex_id)
            self._insert_hex(hex_id, elements, rows)

    def _elements_of_hexes(self) -> dict[int, Element]:
        """Return the elements of the file by hex id. Raises _NoPlaceError if a hex has two."""
        elements: dict[int, Element] = {}
        for element in self._root.elements("battlehex"):
            hex_id = HEX_AT[int(element.attributes["x"]), int(element.attributes["y"])]
            if hex_id in elements:
                raise _NoPlaceError
            elements[hex_id] = element
        return elements

    def _insert_hex(self, hex_id: int, elements: dict[int, Element], rows: list[str]) -> None:
        """Insert a hex behind the last one before it, by the hex ids of the file's elements."""
        preceding = [known_hex for known_hex in elements if known_hex < hex_id]
        if preceding:
            self._changes.insert_after(self._document.end_of(elements[max(preceding)]), rows)
        elif elements:
            self._changes.insert_before(elements[min(elements)].start, rows)
        else:
            startlist = next(self._root.elements("startlist"), None)
            if startlist is None:
                self._insert_at_end(rows)
            else:
                self._changes.insert_before(startlist.start, rows)

    def _can_be_removed(self, element: Element, hex_id: int, composite: Composite) -> bool:
        """Return whether a hex has become bare Plains, and its element holds nothing unknown."""
        if hex_rows(self._style, composite, _NO_UNKNOWN_PARTS, hex_id):
            return False
        if element.attributes.keys() - {"x", "y", "terrain", "elevation"}:
            return False
        for child in element.children:
            if not isinstance(child, str) and not _is_border(child):
                return False
        return True

    def _change_hex(
        self, element: Element, hex_id: int, former: Composite, composite: Composite
    ) -> None:
        """Change the attributes and borders of a hex where they differ."""
        x, y = HEXES[hex_id]
        terrain = int(composite.planes["terrain"][y, x])
        elevation = int(composite.planes["elevation"][y, x])
        if terrain != former.planes["terrain"][y, x]:
            self._changes.set_value(element, "terrain", COLOSSUS.terrains[terrain].name)
        if elevation != former.planes["elevation"][y, x]:
            self._changes.set_value(element, "elevation", str(elevation))
        self._change_borders(
            element,
            former.planes["hexside"][y, x].tolist(),
            composite.planes["hexside"][y, x].tolist(),
        )

    def _change_borders(self, element: Element, former: list[int], codes: list[int]) -> None:
        """Change the borders of a hex from six hexside codes to six others.

        Raises _NoPlaceError if a side has two borders.
        """
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
                self._changes.remove(borders.pop(side))
            elif side in borders:
                self._changes.set_value(borders[side], "type", COLOSSUS.hexside_letter(code))
            else:
                new_sides.append(side)
        # After all others: a new border is placed by those that remain.
        first_rows = []
        for side in new_sides:
            row = border_row(self._style, side, codes[side])
            preceding = [known_side for known_side in borders if known_side < side]
            if preceding:
                self._changes.insert_after(self._document.end_of(borders[max(preceding)]), [row])
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
        if self._is_empty(element):  # <battlehex … />
            end = f"{text}{style.line_end}{style.indent}</{element.name}>"
            slash_start = element.start + len(tag.removesuffix(b"/>").rstrip())
            self._changes.replace(slash_start, tag_end, ">" + end)
        else:
            is_one_line = not element.children  # <battlehex …></battlehex>
            if is_one_line:
                text += style.line_end + style.indent
            self._changes.replace(tag_end, tag_end, text)

    # --- helpers --------------------------------------------------------------------------------

    def _is_empty(self, element: Element) -> bool:
        """Return whether an element is a single tag."""
        return self._document.tag_of(element).endswith(b"/>")

    def _insert_at_end(self, rows: list[str]) -> None:
        """Insert rows before the end tag of the root. Raises _NoPlaceError if it has none."""
        if self._is_empty(self._root):
            raise _NoPlaceError
        self._changes.insert_before(self._root.end_tag_start, rows)


def _differs(former: Composite, composite: Composite, hex_id: int) -> bool:
    """Return whether a hex has other values, by its hex id."""
    x, y = HEXES[hex_id]
    return any(
        (former.planes[name][y, x] != composite.planes[name][y, x]).any()
        for name in ("terrain", "elevation", "hexside")
    )


def _is_border(node: object) -> bool:
    """Return whether a node of a hex is a border, which the game knows."""
    return isinstance(node, Element) and node.name == "border" and not node.in_namespace
