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
reading at ``ChangedFile._read_element``, which decides for one element, then ``_content``, which
arranges its children. If the map above gets a layer between "a" and "b", it becomes the next of its
group in slot 2, with the lead of that slot; "b", which has no slot left, follows with its own.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import is_
from typing import NamedTuple

from randomizer.reading.xml_source import encoding_of
from randomizer.reading.xml_text import attributes_xml, escaped_text, escaped_value
from randomizer.reading.xml_tree import ATTRIBUTE, Document, Element, Node

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'
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
    """The encoding, by a name that Python knows."""


def file_of(document: Document, root: Element, data: bytes) -> XmlFile:
    """Return the file of a document with the root ``root``, parsed from ``data``."""
    mark, encoding = encoding_of(data)
    source = data[len(mark) :].decode(encoding).encode()
    # The reader replaces the line ends that only XML 1.1 has by shorter ones, and nothing else.
    has_line_ends_of_xml_1_1 = len(source) != len(document.source)
    if not has_line_ends_of_xml_1_1:
        return XmlFile(document, source[: root.start], mark, encoding)
    # The file is one of XML 1.0 from now on.
    prolog = _DECLARATION + document.source[: root.start].lstrip()
    return XmlFile(document, prolog, b"", "utf-8")


class ChangedFile:
    """Writes one file, and lives as long as that takes.

    Methods return the bytes of elements; ``old`` is the element in the old file from which an
    element was read.
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
        self._old_bytes = b""
        """The text of the old file in UTF-8, into which elements have offsets."""
        if file is not None:
            self._old_bytes = file.document.source
        self._line_end = b"\n"
        if b"\r\n" in self._old_bytes[:_FIRST_BYTES]:
            self._line_end = b"\r\n"
        self._unread = {id(node) for node in unread}
        """The ids of the objects of ``unread``."""
        self._ranks = ranks or {}
        self._usual_rank = usual_rank

    def data(self, root: NewElement) -> bytes:
        """Return the bytes of the file with another root."""
        if self._file is None:
            return _DECLARATION + self._new(root, b"") + b"\n"
        changed = self._element(root, b"")
        assert root.source is not None, "the root of a file was read from it"
        tail = self._old_bytes[self._end_of(root.source) :]
        text = (self._file.prolog + changed + tail).decode()
        # Characters that the encoding lacks stand in values or texts.
        return self._file.mark + text.encode(self._file.encoding, "xmlcharrefreplace")

    def _element(self, element: NewElement, indent: bytes) -> bytes:
        """Return an element that stands behind ``indent`` in its line."""
        if element.source is None or self._file is None:
            return self._new(element, indent)
        return self._read_element(element, element.source, indent).data

    # --- elements of the file ---------------------------------------------------------------

    def _read_element(self, element: NewElement, old: Element, indent: bytes) -> _Written:
        """Return an element that was read from the file."""
        content = self._content(element, old, indent)
        if not content.is_changed and element.attributes == old.attributes:
            old_bytes = self._old_bytes[old.start : self._end_of(old)]
            return _Written(old_bytes, is_changed=False)
        tag = self._changed_tag(element, old, self._tag_of(old))
        if self._has_end_tag(old):
            end_tag = self._old_bytes[old.end_tag_start : self._end_of(old)]
            return _Written(tag + content.data + end_tag, is_changed=True)
        if content.data:
            # <a/> becomes <a>...</a>.
            tag = tag.removesuffix(b"/>").rstrip() + b">"
            end_tag = f"</{old.name}>".encode()
            return _Written(tag + content.data + end_tag, is_changed=True)
        return _Written(tag, is_changed=True)

    def _changed_tag(self, element: NewElement, old: Element, tag: bytes) -> bytes:
        """Return ``tag``, the tag of ``old`` in the file, with the present attributes.

        Attributes keep their order, their quotes and the blanks before them; new ones come last.
        """
        if element.attributes == old.attributes:
            return tag
        new_attributes = dict(element.attributes)  # less those that the tag has already
        pieces = list[bytes]()
        copied_end = 0
        for match in ATTRIBUTE.finditer(tag):
            name = match[1].decode()
            value = new_attributes.pop(name, None)
            if value is None:  # the attribute was removed
                pieces.append(tag[copied_end : match.start()])
            elif value == old.attributes.get(name):
                pieces.append(tag[copied_end : match.end()])
            else:
                # The file may use either kind of quotes, so both are escaped in the value.
                escaped = escaped_value(value).replace("'", "&apos;").encode()
                quote = match[2][-1:]
                pieces += [tag[copied_end : match.start(2) + 1], escaped, quote]
            copied_end = match.end()
        if not copied_end:  # a tag without attributes: new ones come behind its name
            copied_end = len(b"<") + len(old.name.encode())
            pieces.append(tag[:copied_end])
        pieces.append(attributes_xml(new_attributes.items()).encode())
        return b"".join([*pieces, tag[copied_end:]])

    def _content(self, element: NewElement, old: Element, indent: bytes) -> _Written:
        """Return the bytes between the tags of an element; ``indent`` is that of its line."""
        keeps_text = element.text is None or element.text == old.text
        slots, tail = self._slots(element, old, keeps_text=keeps_text)
        children = list(self._arranged(element.groups, slots))
        new_lead = self._new_lead(slots, indent, is_first=not old.children)
        leads = {id(slot.old): slot.lead for slot in slots}
        written_children = [self._with_lead(child, leads, new_lead) for child in children]

        children_before = [slot.old for slot in slots]
        children_now = [child.source for child in children]
        has_same_children = (
            not tail.has_gaps
            and len(children_now) == len(children_before)
            and all(map(is_, children_now, children_before))
            and not any(written.is_changed for written in written_children)
        )
        if keeps_text and has_same_children:
            return _Written(self._old_content(old), is_changed=False)

        pieces = list[bytes]()
        if not keeps_text and element.text is not None:
            pieces.append(self._text_bytes(element.text))
        pieces += [written.data for written in written_children]
        pieces.append(tail.text)
        if children and not old.children and b"\n" in new_lead:
            pieces.append(self._line_end + indent)  # the end tag gets a line of its own, too
        return _Written(b"".join(pieces), is_changed=True)

    def _with_lead(
        self, child: NewElement, leads: Mapping[int, bytes], new_lead: bytes
    ) -> _Written:
        """Return a child behind its lead: a child of the file keeps its own, wherever it is now.

        ``leads`` are those of the file, by the id of the old element. Others get ``new_lead``.
        """
        old = child.source
        lead = leads.get(id(old))
        if old is None or lead is None:
            data = self._element(child, _indent_of(new_lead))
            return _Written(new_lead + data, is_changed=True)
        written = self._read_element(child, old, _indent_of(lead))
        return _Written(lead + written.data, written.is_changed)

    def _slots(
        self, element: NewElement, old: Element, *, keeps_text: bool
    ) -> tuple[list[_Slot], _Tail]:
        """Return the slots of an element's children in the old file, and the bytes behind them.

        With ``keeps_text`` the leads contain the text of the file; else the text is replaced.
        """
        group_of_old = {}
        for key, children in element.groups.items():
            for child_element in children:
                if child_element.source is not None:
                    group_of_old[id(child_element.source)] = key
        slots = list[_Slot]()
        lead = list[bytes]()
        has_gaps = False
        position = self._tag_end(old)
        for child in old.children:
            if not isinstance(child, Element):
                continue
            end = self._end_of(child)
            lead.append(self._between(position, child.start, keeps_text=keeps_text))
            if id(child) in group_of_old:
                slots.append(_Slot(group_of_old[id(child)], child, b"".join(lead)))
                lead = []
            elif id(child) in self._unread:
                lead.append(self._old_bytes[child.start : end])
            else:
                # The element was removed; its line goes with it, but not a comment before it.
                has_gaps = True
                lead[-1] = lead[-1].rstrip()
            position = end
        lead.append(self._between(position, self._content_end(old), keeps_text=keeps_text))
        return slots, _Tail(b"".join(lead), has_gaps)

    def _between(self, start: int, end: int, *, keeps_text: bool) -> bytes:
        """Return the bytes between two elements of the file, texts only with ``keeps_text``."""
        piece = self._old_bytes[start:end]
        if keeps_text:
            return piece
        return b"".join(_COMMENT_OR_INSTRUCTION.findall(piece))

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
        if is_first or b"\n" in self._old_bytes[:_FIRST_BYTES]:
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

    # --- positions in the old file ----------------------------------------------------------

    def _tag_of(self, old: Element) -> bytes:
        """Return the tag with which an element of the file begins."""
        assert self._file is not None, "the element was read from it"
        return self._file.document.tag_of(old)

    def _has_end_tag(self, old: Element) -> bool:
        """Return whether an element of the file is ``<a>...</a>``, not ``<a/>``."""
        return not self._tag_of(old).endswith(b"/>")

    def _tag_end(self, old: Element) -> int:
        """Return the offset behind the tag with which an element of the file begins."""
        return old.start + len(self._tag_of(old))

    def _content_end(self, old: Element) -> int:
        """Return the offset behind what is between the tags of an element of the file."""
        if self._has_end_tag(old):
            return old.end_tag_start
        return self._tag_end(old)

    def _old_content(self, old: Element) -> bytes:
        """Return the bytes between the tags of an element of the file."""
        return self._old_bytes[self._tag_end(old) : self._content_end(old)]

    def _end_of(self, old: Element) -> int:
        """Return the offset behind an element of the file."""
        assert self._file is not None, "the element was read from it"
        return self._file.document.end_of(old)


class _Written(NamedTuple):
    """The bytes of an element, or of what is between its tags."""

    data: bytes
    is_changed: bool
    """False if these are the bytes of the old file."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """The position of a child in its parent in the file."""

    key: str
    """The group that the child is in."""
    old: Element
    """The child."""
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
