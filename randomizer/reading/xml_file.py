"""A parsed XML file together with its bytes, so that they can be used again when it is written.

    file = file_of(document, document.root, data)
    file.bytes_of(element)          # b'<layer name="a"><data/></layer>'
    file.tag_of(element)            # b'<layer name="a">'
    file.content_of(element)        # b'<data/>'

All bytes are those of ``Document.source``: UTF-8, without a byte order mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from randomizer.reading.xml_source import encoding_of
from randomizer.reading.xml_tree import Document, Element

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
"""The first line of new files."""

_FIRST_BYTES = 4096
"""The first bytes show the line end of a file: to search all of a large one is slow."""

_COMMENT_OR_INSTRUCTION = re.compile(
    rb"""
    <!\[CDATA\[ .*? \]\]>                # a CDATA section, skipped: a comment in it is text
    | ( <!-- .*? --> | <\? .*? \?> )      # a comment or an instruction
    """,
    re.DOTALL | re.VERBOSE,
)
"""A comment or an instruction, which is the group; the group is empty for a CDATA section."""


@dataclass(frozen=True, slots=True)
class XmlFile:
    """A parsed file with what its document lacks: its first bytes and its encoding.

    The elements that its methods are given are those of the document, and no others.
    """

    document: Document
    prolog: bytes
    """The text before the root with the declaration, in UTF-8."""
    mark: bytes
    """The byte order mark, b"" if there is none."""
    encoding: str
    """The encoding, by a name that Python knows."""

    @property
    def line_end(self) -> bytes:
        """The line end that the file begins with."""
        if b"\r\n" in self.document.source[:_FIRST_BYTES]:
            return b"\r\n"
        return b"\n"

    @property
    def has_lines(self) -> bool:
        """True if the file has several lines, as far as its beginning shows."""
        return b"\n" in self.document.source[:_FIRST_BYTES]

    def bytes_of(self, element: Element) -> bytes:
        """Return an element as it stands in the file, with its tags and all between them."""
        return self.document.source[element.start : self.end_of(element)]

    def tag_of(self, element: Element) -> bytes:
        """Return the tag with which an element begins."""
        return self.document.tag_of(element)

    def content_of(self, element: Element) -> bytes:
        """Return what is between the tags of an element, b"" for ``<a/>``."""
        return self.document.source[self.content_start(element) : self.content_end(element)]

    def end_tag_of(self, element: Element) -> bytes:
        """Return the tag with which an element ends, b"" for ``<a/>``."""
        return self.document.source[self.content_end(element) : self.end_of(element)]

    def bytes_behind(self, element: Element) -> bytes:
        """Return all that follows an element in the file."""
        return self.document.source[self.end_of(element) :]

    def content_start(self, element: Element) -> int:
        """Return the offset behind the tag with which an element begins."""
        return element.start + len(self.tag_of(element))

    def content_end(self, element: Element) -> int:
        """Return the offset behind what is between the tags of an element."""
        if self.tag_of(element).endswith(b"/>"):
            return self.content_start(element)
        return element.end_tag_start

    def end_of(self, element: Element) -> int:
        """Return the offset behind an element."""
        return self.document.end_of(element)

    def bytes_between(self, start: int, end: int, *, with_text: bool) -> bytes:
        """Return the bytes between two offsets, at which elements end and begin.

        Without text they are the comments and instructions alone.
        """
        piece = self.document.source[start:end]
        if with_text:
            return piece
        return b"".join(_COMMENT_OR_INSTRUCTION.findall(piece))


def file_of(document: Document, root: Element, data: bytes) -> XmlFile:
    """Return the file of a document with the root ``root``, parsed from ``data``."""
    mark, encoding = encoding_of(data)
    source = data[len(mark) :].decode(encoding).encode()  # the reader has decoded it before
    # XML 1.1 has line ends of its own. The reader replaces these by shorter ones, and changes
    # nothing else, so the length tells whether there were any.
    has_line_ends_of_xml_1_1 = len(source) != len(document.source)
    if not has_line_ends_of_xml_1_1:
        return XmlFile(document, source[: root.start], mark, encoding)
    # The file is one of XML 1.0 from now on.
    prolog = DECLARATION + document.source[: root.start].lstrip()
    return XmlFile(document, prolog, b"", "utf-8")
