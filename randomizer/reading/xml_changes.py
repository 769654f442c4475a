"""Writes an XML file again in which some elements changed: all else keeps its bytes.

    file = file_of(document, document.root, data)
    root = NewElement("map", {"width": "4"}, source=document.root)
    root.groups["layer"] = [NewElement("layer", {...}, source=...), NewElement("layer", {...})]
    new_data = ChangedFile(file).data(root)

People keep maps under version control, so a changed file may differ only where the map does
(docs/adr/0028). A ``NewElement`` has the present attributes and elements, and names the element
that it was read from, its *source*. Where the two are equal, the bytes of the file are used again;
in a tag only the values that differ are replaced. The bytes before an element are its *lead*
(blanks, comments, elements that our reader does not understand): they go where the element goes. A
*slot* is a position in the old file at which an element of a group stood::

    <map>
     <layer name="a"/>        slot 1 of the group "layer"; its lead is a line end and a blank
     <!-- old -->             this comment is a part of the lead of slot 2
     <layer name="b"/>        slot 2
    </map>                    a line end before it is the *tail*

Formats of other programs (Tiled, Colossus) make the tree of ``NewElement`` from a map. Begin
reading at ``ChangedFile._changed``, which decides for one element, then ``_content``, which
arranges its children.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from randomizer.reading.xml_source import encoding_of
from randomizer.reading.xml_tree import (
    ATTRIBUTE,
    Document,
    Element,
    Node,
    attributes_xml,
    escaped_text,
    escaped_value,
)

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
"""The first line of new files."""

_FIRST_BYTES = 4096
"""The first bytes show the line end of a file: to search all of a large one is slow."""

_NO_TEXT = re.compile(
    rb"""
    <!\[CDATA\[ .*? \]\]>                # a CDATA section, skipped: a comment in it is text
    | ( <!-- .*? --> | <\? .*? \?> )      # a comment or an instruction
    """,
    re.DOTALL | re.VERBOSE,
)
"""What stands between elements beside text: the group has a comment or an instruction."""

_INDENT = b" "
"""The further indentation of new elements, one blank a level as Tiled writes it."""


@dataclass(slots=True)
class NewElement:
    """An element as it is to be written."""

    tag: str
    """Its name."""
    attributes: dict[str, str]
    """The values by name, without escapes; new ones are written in this order."""
    source: Element | None = None
    """The element that it was read from, None for a new one."""
    text: str | None = None
    """The text between its tags; None leaves that of the source."""
    groups: dict[str, list[NewElement]] = field(default_factory=dict)
    """Its elements by a key, usually their tag.

    Elements of a group are written in its order; elements of different groups alternate as in the
    source.
    """


@dataclass(frozen=True, slots=True)
class XmlFile:
    """A parsed file with what its document lacks: its first bytes and its encoding."""

    document: Document
    prolog: bytes
    """The text before the root with the declaration, in UTF-8."""
    mark: bytes
    """The byte order mark, b"" if there is none."""
    encoding: str
    """Python's name of the encoding."""


def file_of(document: Document, root: Element, data: bytes) -> XmlFile:
    """Return the file of a document with the root ``root``, parsed from ``data``."""
    mark, encoding = encoding_of(data)
    source = data[len(mark) :].decode(encoding).encode()
    if len(source) == len(document.source):
        return XmlFile(document, source[: root.start], mark, encoding)
    # Line ends of XML 1.1 were replaced by shorter ones: the file is one of XML 1.0 from now on.
    prolog = _DECLARATION + document.source[: root.start].lstrip()
    return XmlFile(document, prolog, b"", "utf-8")


class ChangedFile:
    """Writes one file, and lives as long as that takes.

    Methods return the bytes of elements; ``source`` is an element in the old file.
    """

    def __init__(
        self,
        file: XmlFile | None,
        unread: Iterable[Node] = (),
        ranks: Mapping[str, int] | None = None,
        usual_rank: int = 0,
    ) -> None:
        """Begin to write a file.

        ``file`` is the file that the elements were read from, None for a new file. ``unread`` are
        the elements in it that stay where they are although no ``NewElement`` has them. ``ranks``
        order the groups of a new element, by their keys; a group without a rank has ``usual_rank``.
        In an element of the file a new group stands before those of a higher rank.
        """
        self._file = file
        self._source = b""
        """The text of the file in UTF-8, into which elements have offsets."""
        if file is not None:
            self._source = file.document.source
        self._line_end = b"\n"
        if b"\r\n" in self._source[:_FIRST_BYTES]:
            self._line_end = b"\r\n"
        self._unread = {id(node) for node in unread}
        self._ranks = ranks or {}
        self._usual_rank = usual_rank

    def data(self, root: NewElement) -> bytes:
        """Return the bytes of the file with another root."""
        if self._file is None:
            return _DECLARATION + self._new(root, b"") + b"\n"
        changed = self._element(root, b"")
        assert root.source is not None, "the root of a file was read from it"
        tail = self._source[self._end_of(root.source) :]
        text = (self._file.prolog + changed + tail).decode()
        # Characters that the encoding lacks stand in values or texts.
        return self._file.mark + text.encode(self._file.encoding, "xmlcharrefreplace")

    def _element(self, element: NewElement, indent: bytes) -> bytes:
        """Return an element that stands behind ``indent`` in its line."""
        if element.source is None or self._file is None:
            return self._new(element, indent)
        changed = self._changed(element, element.source, indent)
        if changed is None:
            return self._source[element.source.start : self._end_of(element.source)]
        return changed

    # --- elements of the file ---------------------------------------------------------------

    def _changed(self, element: NewElement, source: Element, indent: bytes) -> bytes | None:
        """Return the bytes of an element that was read; None if nothing of it changed."""
        tag = self._tag_of(source)
        has_no_end_tag = tag.endswith(b"/>")
        content = self._content(element, source, indent)
        if content is None and element.attributes == source.attributes:
            return None
        new_tag = self._changed_tag(element, source, tag)
        if has_no_end_tag and not content:
            return new_tag
        if has_no_end_tag:
            # <a/> becomes <a>...</a>.
            end_tag = f"</{source.name}>".encode()
            return new_tag.removesuffix(b"/>").rstrip() + b">" + (content or b"") + end_tag
        if content is None:
            content = self._source[source.start + len(tag) : source.last_tag]
        return new_tag + content + self._source[source.last_tag : self._end_of(source)]

    def _changed_tag(self, element: NewElement, source: Element, tag: bytes) -> bytes:
        """Return ``tag``, the tag of ``source`` in the file, with the present attributes.

        Attributes keep their order, their quotes and the blanks before them; new ones come last.
        """
        if element.attributes == source.attributes:
            return tag
        new_attributes = dict(element.attributes)  # less those that the tag has already
        pieces = list[bytes]()
        copied_end = 0
        for match in ATTRIBUTE.finditer(tag):
            name = match[1].decode()
            value = new_attributes.pop(name, None)
            if value is None:  # the attribute was removed
                pieces.append(tag[copied_end : match.start()])
            elif value == source.attributes.get(name):
                pieces.append(tag[copied_end : match.end()])
            else:
                # The file may use either kind of quotes, so both are escaped in the value.
                escaped = escaped_value(value).replace("'", "&apos;").encode()
                quote = match[2][-1:]
                pieces += [tag[copied_end : match.start(2) + 1], escaped, quote]
            copied_end = match.end()
        if not copied_end:  # a tag without attributes: new ones come behind its name
            copied_end = len(b"<") + len(source.name.encode())
            pieces.append(tag[:copied_end])
        pieces.append(attributes_xml(new_attributes.items()).encode())
        return b"".join([*pieces, tag[copied_end:]])

    def _content(self, element: NewElement, source: Element, indent: bytes) -> bytes | None:
        """Return the bytes between the tags of an element; None if nothing of them changed."""
        new_text = element.text
        if new_text == source.text:
            new_text = None
        slots, tail = self._slots(element, source, keeps_text=new_text is None)
        children = list(self._arranged(element.groups, slots))
        pieces = list[bytes]()
        if new_text is not None:
            pieces.append(self._text_bytes(new_text))

        # Each child with its lead: a child of the file has that of the file, wherever it is now.
        has_same_children = len(children) == len(slots) and not tail.has_gaps
        new_lead = self._new_lead(slots, indent, is_first=not source.children)
        lead_by_source = {id(slot.source): slot.lead for slot in slots}
        for number, child in enumerate(children):
            child_source = child.source
            lead = lead_by_source.get(id(child_source))
            if child_source is None or lead is None:
                has_same_children = False
                pieces += [new_lead, self._element(child, _indent_of(new_lead))]
                continue
            child_bytes = self._changed(child, child_source, _indent_of(lead))
            if has_same_children:
                has_same_children = slots[number].source is child_source and child_bytes is None
            if child_bytes is None:
                child_bytes = self._source[child_source.start : self._end_of(child_source)]
            pieces += [lead, child_bytes]
        if new_text is None and has_same_children:
            return None

        pieces.append(tail.text)
        if children and not source.children and b"\n" in new_lead:
            pieces.append(self._line_end + indent)  # the end tag gets a line of its own, too
        return b"".join(pieces)

    def _slots(
        self, element: NewElement, source: Element, *, keeps_text: bool
    ) -> tuple[list[_Slot], _Tail]:
        """Return the slots of an element's children in its source, and the bytes behind them.

        With ``keeps_text`` the leads contain the text of the file; else the text is replaced.
        """
        key_of_source = {}
        for key, children in element.groups.items():
            for child_element in children:
                if child_element.source is not None:
                    key_of_source[id(child_element.source)] = key
        slots = list[_Slot]()
        lead = list[bytes]()
        has_gaps = False
        tag_end = source.start + len(self._tag_of(source))
        position = tag_end
        for child in source.children:
            if not isinstance(child, Element):
                continue
            end = self._end_of(child)
            lead.append(self._between(position, child.start, keeps_text=keeps_text))
            if id(child) in key_of_source:
                slots.append(_Slot(key_of_source[id(child)], child, b"".join(lead)))
                lead = []
            elif id(child) in self._unread:
                lead.append(self._source[child.start : end])
            else:
                # The element was removed; its line goes with it, but not a comment before it.
                has_gaps = True
                lead[-1] = lead[-1].rstrip()
            position = end
        content_end = source.last_tag
        if self._is_empty(source):
            content_end = tag_end
        lead.append(self._between(position, content_end, keeps_text=keeps_text))
        return slots, _Tail(b"".join(lead), has_gaps)

    def _between(self, start: int, end: int, *, keeps_text: bool) -> bytes:
        """Return the bytes between two elements of the file, texts only with ``keeps_text``."""
        piece = self._source[start:end]
        if keeps_text:
            return piece
        return b"".join(_NO_TEXT.findall(piece))  # the group of each match, b"" for CDATA

    def _arranged(
        self, groups: Mapping[str, list[NewElement]], slots: Collection[_Slot]
    ) -> Iterator[NewElement]:
        """Yield the children of all groups in the order in which they are written.

        A slot takes the next child of the group whose child stood in it. Children for which a
        group has no more slots follow in its last slot.
        """
        slots_left = Counter(slot.key for slot in slots)  # of each group
        ranked = sorted(groups, key=self._rank)
        queues = {key: deque(groups[key]) for key in ranked}
        new_keys = deque(key for key in ranked if key not in slots_left)
        for slot in slots:
            while new_keys and self._rank(new_keys[0]) < self._rank(slot.key):
                yield from queues.pop(new_keys.popleft())
            slots_left[slot.key] -= 1
            if slots_left[slot.key]:
                yield queues[slot.key].popleft()
            else:
                yield from queues[slot.key]
        for key in new_keys:
            yield from queues[key]

    def _rank(self, key: str) -> int:
        """Return the rank of a group of elements."""
        return self._ranks.get(key, self._usual_rank)

    def _new_lead(self, slots: list[_Slot], indent: bytes, *, is_first: bool) -> bytes:
        """Return the blanks before a new element: those before its siblings.

        ``slots`` are those of the siblings in the file; ``is_first`` if the parent is empty there.
        """
        if slots:
            lead = slots[0].lead
            line_end = lead.rfind(b"\n")
            if line_end < 0:
                return b""
            return self._line_end + _indent_of(lead)
        if is_first or b"\n" in self._source[:_FIRST_BYTES]:
            return self._line_end + indent + _INDENT
        return b""

    def _text_bytes(self, text: str) -> bytes:
        """Return a text as it stands in the file, with the line ends of the file."""
        return escaped_text(text).encode().replace(b"\n", self._line_end)

    # --- new elements -----------------------------------------------------------------------

    def _new(self, element: NewElement, indent: bytes) -> bytes:
        """Return the bytes of an element that is in no file, or was read from another file."""
        head = f"<{element.tag}{attributes_xml(element.attributes.items())}".encode()
        children = list[NewElement]()
        for key in sorted(element.groups, key=self._rank):
            children += element.groups[key]
        if not children and not element.text:
            return head + b"/>"
        parts = [head, b">"]
        if element.text:
            parts.append(self._text_bytes(element.text))
        for child in children:
            inner_indent = indent + _INDENT
            parts += [self._line_end, inner_indent, self._element(child, inner_indent)]
        if children:
            parts += [self._line_end, indent]
        parts.append(f"</{element.tag}>".encode())
        return b"".join(parts)

    # --- positions in the file --------------------------------------------------------------

    def _tag_of(self, source: Element) -> bytes:
        """Return the tag with which an element of the file begins."""
        assert self._file is not None, "the element was read from it"
        return self._file.document.tag_of(source)

    def _end_of(self, source: Element) -> int:
        """Return the offset behind an element of the file."""
        assert self._file is not None, "the element was read from it"
        return self._file.document.end_of(source)

    def _is_empty(self, source: Element) -> bool:
        """Return whether an element of the file has no end tag."""
        return self._tag_of(source).endswith(b"/>")


@dataclass(frozen=True, slots=True)
class _Slot:
    """The position of a child in its parent in the file."""

    key: str
    """The group that the child is in."""
    source: Element
    lead: bytes
    """The bytes between the child of the slot before and this one."""


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of an element's content in the file."""

    text: bytes
    """The bytes behind the last child."""
    has_gaps: bool
    """True if a child of the file is no longer among the present ones."""


def _indent_of(lead: bytes) -> bytes:
    """Return the blanks with which the last line of a lead begins."""
    _lines_before, _line_end, line = lead.rpartition(b"\n")
    return line[: len(line) - len(line.lstrip())]
