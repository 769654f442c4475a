"""Writes an XML file again in which some elements changed: all else keeps its bytes.

    file = file_of(document, document.root, data)                # xml_file.py
    root = NewElement("map", {"width": "4"}, source=document.root)
    root.groups["layer"] = [NewElement("layer", {...}, source=...), NewElement("layer", {...})]
    new_data = ChangedFile(file).data(root)

People keep maps under version control, so a changed file may differ only where the map does
(docs/adr/0028). A ``NewElement`` has the present attributes and elements, and names the element
that it was read from, its *source*. Where the two are equal, the bytes of the file are used again;
in a tag only the values that differ are replaced. A changed element is made of these pieces of the
file::

    <map>                    the start tag
     <layer name="a"/>       a child, and before it its lead: a line end and a blank
     <!-- old -->
     <layer name="b"/>       a child; the comment is a part of its lead
    </map>                   the tail, a line end; then the end tag

The *lead* of a child is what stands between it and the child before: blanks, comments, and elements
that our reader does not understand. It goes where the child goes. The *tail* is what is behind the
last child. ``xml_order`` tells where new children stand.

The format of Tiled makes the tree of ``NewElement`` from a map. Begin reading at
``ChangedFile._write_known``, which decides for one element, then ``_write_content``, which does so
for what is between its tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.reading.xml_file import DECLARATION, XmlFile
from randomizer.reading.xml_order import arrange_children
from randomizer.reading.xml_text import attributes_xml, escaped_text, escaped_value
from randomizer.reading.xml_tree import ATTRIBUTE, Element, Node

_INDENT = b" "
"""The further indentation of new elements, one blank a level as Tiled writes it."""


@dataclass(slots=True)
class NewElement:
    """An element as it is to be written."""

    tag: str
    """Its name. An element of the file keeps the name that it has there, which is the same."""
    attributes: dict[str, str]
    """The values by name, without escapes; new ones are written in this order."""
    source: Element | None = None
    """The element of the file that it was read from, None for a new one.

    For a new file (``ChangedFile`` without a file) it can be one of any file, and does not matter.
    """
    text: str | None = None
    """The text between its tags; None leaves that of the source."""
    groups: dict[str, list[NewElement]] = field(default_factory=dict)
    """Its elements by a key, usually their tag.

    Elements of a group are written in its order; elements of different groups alternate as in the
    source.
    """


class ChangedFile:
    """Writes one file, and lives as long as that takes."""

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
        self._line_end = b"\n"
        if file is not None:
            self._line_end = file.line_end
        self._unread = {id(node) for node in unread}
        """The ids of the objects of ``unread``."""
        self._ranks = ranks or {}
        self._usual_rank = usual_rank

    def data(self, root: NewElement) -> bytes:
        """Return the bytes of the file with another root."""
        file = self._file
        if file is None:
            return DECLARATION + self._write_new(root, b"") + b"\n"
        assert root.source is not None, "the root of a file was read from it"
        changed = self._write_known(file, root, root.source, b"").data
        text = (file.prolog + changed + file.bytes_behind(root.source)).decode()
        # Characters that the encoding lacks stand in values or texts.
        return file.mark + text.encode(file.encoding, "xmlcharrefreplace")

    def _write(self, element: NewElement, indent: bytes) -> _Written:
        """Return an element that stands behind ``indent`` in its line."""
        if self._file is not None and element.source is not None:
            return self._write_known(self._file, element, element.source, indent)
        return _Written(self._write_new(element, indent), is_changed=True)

    # --- elements of the file ---------------------------------------------------------------

    def _write_known(
        self, file: XmlFile, element: NewElement, old: Element, indent: bytes
    ) -> _Written:
        """Return an element that was read from the file, where it is ``old``."""
        content = self._write_content(file, element, old, indent)
        has_same_attributes = element.attributes == old.attributes
        if has_same_attributes and not content.is_changed:
            return _Written(file.bytes_of(old), is_changed=False)

        tag = file.tag_of(old)
        end_tag = file.end_tag_of(old)
        if not has_same_attributes:
            tag = _changed_tag(tag, old, element.attributes)
        if content.data and not end_tag:
            # <a/> becomes <a>...</a>.
            tag = tag.removesuffix(b"/>").rstrip() + b">"
            end_tag = f"</{old.name}>".encode()
        return _Written(tag + content.data + end_tag, is_changed=True)

    def _write_content(
        self, file: XmlFile, element: NewElement, old: Element, indent: bytes
    ) -> _Written:
        """Return the bytes between the tags of an element; ``indent`` is that of its line."""
        # The children of the file, and the present ones in their order.
        keeps_text = element.text is None or element.text == old.text
        old_content = self._old_content(file, element, old, keeps_text=keeps_text)
        keys_of_slots = [child.key for child in old_content.children]
        children = arrange_children(element.groups, keys_of_slots, self._rank)

        # The children with their leads. One of the file keeps its own, wherever it is now.
        new_lead = self._lead_of_new_children(file, old, old_content.children, indent)
        lead_of_old = {id(child.element): child.lead for child in old_content.children}
        written_children: list[_Written] = []
        for child in children:
            lead = lead_of_old.get(id(child.source), new_lead)
            written = self._write(child, _indent_of(lead))
            written_children.append(_Written(lead + written.data, written.is_changed))

        is_any_changed = any(written.is_changed for written in written_children)
        if keeps_text and not is_any_changed and old_content.is_as_it_was(children):
            return _Written(file.content_of(old), is_changed=False)

        pieces = list[bytes]()
        if not keeps_text and element.text is not None:
            pieces.append(self._text_bytes(element.text))
        pieces += [written.data for written in written_children]
        pieces.append(old_content.tail)
        if children and not old.children and b"\n" in new_lead:
            pieces.append(self._line_end + indent)  # the end tag gets a line of its own, too
        return _Written(b"".join(pieces), is_changed=True)

    def _old_content(
        self, file: XmlFile, element: NewElement, old: Element, *, keeps_text: bool
    ) -> _OldContent:
        """Return the content of an element in the file, divided into children, leads and tail.

        With ``keeps_text`` the leads contain the text of the file; else the text is replaced.
        """
        key_of_child: dict[int, str] = {}
        for key, new_children in element.groups.items():
            for new_child in new_children:
                if new_child.source is not None:
                    key_of_child[id(new_child.source)] = key

        children = list[_OldChild]()
        lead = list[bytes]()
        is_any_removed = False
        position = file.content_start(old)
        for child in old.children:
            if not isinstance(child, Element):
                continue
            gap = file.bytes_between(position, child.start, with_text=keeps_text)
            if id(child) in key_of_child:
                lead.append(gap)
                children.append(_OldChild(key_of_child[id(child)], child, b"".join(lead)))
                lead = []
            elif id(child) in self._unread:
                lead += [gap, file.bytes_of(child)]
            else:
                # The child was removed; its line goes with it, but not a comment before it.
                lead.append(gap.rstrip())
                is_any_removed = True
            position = file.end_of(child)
        lead.append(file.bytes_between(position, file.content_end(old), with_text=keeps_text))
        return _OldContent(children, b"".join(lead), is_any_removed)

    def _lead_of_new_children(
        self, file: XmlFile, old: Element, old_children: Sequence[_OldChild], indent: bytes
    ) -> bytes:
        """Return the blanks before a new child of an element that stands behind ``indent``.

        They are those before its siblings, or one more than its parent has.
        """
        if old_children:
            lead = old_children[0].lead
            if b"\n" not in lead:
                return b""  # all are in one line
            return self._line_end + _indent_of(lead)
        if not old.children or file.has_lines:
            return self._line_end + indent + _INDENT
        return b""

    def _rank(self, key: str) -> int:
        """Return the rank of a group of elements."""
        return self._ranks.get(key, self._usual_rank)

    # --- new elements -----------------------------------------------------------------------

    def _write_new(self, element: NewElement, indent: bytes) -> bytes:
        """Return the bytes of an element without those of a source."""
        head = f"<{element.tag}{attributes_xml(element.attributes.items())}".encode()
        children = list[NewElement]()
        for key in sorted(element.groups, key=self._rank):
            children += element.groups[key]
        if not children and not element.text:
            return head + b"/>"

        parts = [head, b">"]
        if element.text:
            parts.append(self._text_bytes(element.text))
        inner_indent = indent + _INDENT
        for child in children:
            parts += [self._line_end, inner_indent, self._write(child, inner_indent).data]
        if children:
            parts += [self._line_end, indent]
        parts.append(f"</{element.tag}>".encode())
        return b"".join(parts)

    def _text_bytes(self, text: str) -> bytes:
        """Return a text as it stands in the file, with the line ends of the file."""
        return escaped_text(text).encode().replace(b"\n", self._line_end)


class _Written(NamedTuple):
    """The bytes of an element, or of what is between its tags."""

    data: bytes
    is_changed: bool
    """False if these are the bytes of the old file."""


class _OldChild(NamedTuple):
    """A child in the file that is still among the present ones."""

    key: str
    """The group that it is in."""
    element: Element
    lead: bytes
    """The bytes between the child before and this one."""


class _OldContent(NamedTuple):
    """What is between the tags of an element in the file."""

    children: list[_OldChild]
    tail: bytes
    """The bytes behind the last child."""
    is_any_removed: bool
    """True if a child of the file is no longer among the present ones."""

    def is_as_it_was(self, children: Sequence[NewElement]) -> bool:
        """Return whether the present children are those of the file, in the same order."""
        if self.is_any_removed or len(children) != len(self.children):
            return False
        pairs = zip(self.children, children, strict=True)
        return all(old_child.element is child.source for old_child, child in pairs)


def _changed_tag(tag: bytes, old: Element, attributes: Mapping[str, str]) -> bytes:
    """Return the start tag of an element of the file with other attributes.

    Attributes keep their order, their quotes and the blanks before them; new ones come last.
    """
    new_attributes = dict(attributes)  # less those that the tag has already
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


def _indent_of(lead: bytes) -> bytes:
    """Return the blanks with which the last line of a lead begins."""
    _lines_before, _line_end, line = lead.rpartition(b"\n")
    return line[: len(line) - len(line.lstrip())]
