"""Changes of the text of an XML file: what stands between two offsets is replaced.

    changes = SourceChanges(document, source, line_end="\\n")
    changes.set_value(element, "terrain", "Sand")
    changes.remove(other_element)
    changes.text()              # the whole file with both changes

The changes are collected and applied at the end, so that the offsets of the parsed file stay right
meanwhile. Offsets count bytes of the UTF-8 text. Rows are lines without their line end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from randomizer.reading.xml_text import escaped_value
from randomizer.reading.xml_tree import Document, Element

_COMMENTS_ON_LINE = re.compile(rb"(?:[ \t]*<!--[^\r\n]*?-->)+(?=[ \t]*[\r\n])")
"""Comments that follow a tag, up to the end of its line."""


class _Change(NamedTuple):
    """A text that takes the place of the bytes between two offsets."""

    start: int
    end: int
    text: str


class SourceChanges:
    """The changes of one file so far."""

    def __init__(self, document: Document, source: bytes, line_end: str) -> None:
        """Begin without changes; ``document`` was parsed from ``source``."""
        self._document = document
        self._source = source
        self._line_end = line_end
        self._changes: list[_Change] = []
        """The changes so far; those at one offset in the order of the text."""

    def text(self) -> str:
        """Return the text of the file with all changes."""
        parts = []
        position = 0
        for change in sorted(self._changes, key=lambda change: (change.start, change.end)):
            assert position <= change.start, "no two changes overlap"
            parts += [self._source[position : change.start], change.text.encode()]
            position = change.end
        return b"".join([*parts, self._source[position:]]).decode()

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace the bytes between two offsets; no two changes may overlap (``text``)."""
        self._changes.append(_Change(start, end, text))

    def set_value(self, element: Element, name: str, value: str) -> None:
        """Give an attribute that the element has another value."""
        start, end = self._document.value_spans_of(element)[name]
        # The value can stand in quotes of either kind.
        self.replace(start, end, escaped_value(value).replace("'", "&apos;"))

    def remove_attribute(self, element: Element, name: str) -> None:
        """Remove an attribute that the element has, with the blanks before it."""
        value_start, value_end = self._document.value_spans_of(element)[name]
        name_start = self._source.rindex(name.encode(), element.start, value_start)
        blanks_start = len(self._source[:name_start].rstrip())
        self.replace(blanks_start, value_end + len('"'), "")

    def insert_after(self, offset: int, rows: Sequence[str]) -> None:
        """Insert rows behind the tag that ends at an offset, and behind comments on its line."""
        comments = _COMMENTS_ON_LINE.match(self._source, offset)
        if comments is not None:
            offset = comments.end()
        self.replace(offset, offset, "".join(self._line_end + row for row in rows))

    def insert_before(self, offset: int, rows: Sequence[str]) -> None:
        """Insert rows before the tag at an offset, and before its line if it is first in it."""
        source_before = self._source[:offset]
        line_start = len(source_before.rstrip(b" \t"))
        is_first_of_line = source_before[:line_start].endswith((b"\n", b"\r"))
        if not is_first_of_line:
            line_start = offset
        self.replace(line_start, line_start, "".join(row + self._line_end for row in rows))

    def remove(self, element: Element) -> None:
        """Remove an element; if it is the first of its line, with the line end before it."""
        source_before = self._source[: element.start].rstrip(b" \t")
        line_end = re.search(rb"(\r\n|\n|\r)\Z", source_before)
        start = element.start
        if line_end is not None:
            start = line_end.start()
        self.replace(start, self._document.end_of(element), "")
