"""Writes an XML file again in which some elements changed: all else keeps its bytes.

    file = file_of(document, document.root, data)                # xml_file.py
    root = NewElement("map", {"width": "4"}, source=document.root)
    root.groups["layer"] = [NewElement("layer", {...}, source=...), NewElement("layer", {...})]
    new_data = changed_file_data(file, root, GroupOrder({}))

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
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from randomizer.reading.xml_file import XmlFile
from randomizer.reading.xml_new import ElementWriter, GroupOrder, NewElement, WrittenXml
from randomizer.reading.xml_order import arrange_children
from randomizer.reading.xml_text import attributes_xml, escaped_value
from randomizer.reading.xml_tree import ATTRIBUTE, Element, Node


def changed_file_data(
    file: XmlFile, root: NewElement, order: GroupOrder, unread: Iterable[Node] = ()
) -> bytes:
    """Return the bytes of a file with another root, whose source is the root of the file.

    ``unread`` are the elements of the file that stay where they are although no ``NewElement`` has
    them.
    """
    assert root.source is not None, "the root of a file was read from it"
    changed = _FileWriter(file, order, unread).write(root, indent=b"").data
    text = (file.prolog + changed + file.bytes_behind(root.source)).decode()
    # Characters that the encoding lacks stand in values or texts.
    return file.mark + text.encode(file.encoding, "xmlcharrefreplace")


class _FileWriter(ElementWriter):
    """Writes the elements of one file: those with a source with the bytes that it has there."""

    def __init__(self, file: XmlFile, order: GroupOrder, unread: Iterable[Node]) -> None:
        super().__init__(order, file.line_end)
        self._file = file
        self._unread_ids = {id(node) for node in unread}

    def write(self, element: NewElement, indent: bytes) -> WrittenXml:
        """Return an element that stands behind ``indent`` in its line."""
        source = element.source
        if source is None:
            return super().write(element, indent)

        content = self._write_content(element, source, indent)
        has_same_attributes = element.attributes == source.attributes
        if has_same_attributes and not content.is_changed:
            return WrittenXml(self._file.bytes_of(source), is_changed=False)

        tag = self._file.tag_of(source)
        end_tag = self._file.end_tag_of(source)
        if not has_same_attributes:
            tag = _changed_tag(tag, source, element.attributes)
        if content.data and not end_tag:
            # <a/> becomes <a>...</a>.
            tag = tag.removesuffix(b"/>").rstrip() + b">"
            end_tag = f"</{source.name}>".encode()
        return WrittenXml(tag + content.data + end_tag, is_changed=True)

    def _write_content(self, element: NewElement, source: Element, indent: bytes) -> WrittenXml:
        """Return the bytes between the tags of an element; ``indent`` is that of its line."""
        keeps_text = element.text is None or element.text == source.text
        old_content = _divide(
            self._file, source, _groups_by_source(element), self._unread_ids, keeps_text=keeps_text
        )
        keys_of_slots = [child.key for child in old_content.children]
        children = arrange_children(element.groups, keys_of_slots, self.order.rank)

        # One of the file keeps its own lead, wherever it is now.
        new_lead = self._lead_of_new_children(source, old_content.children, indent)
        leads = {id(child.element): child.lead for child in old_content.children}
        written_children: list[WrittenXml] = []
        for child in children:
            lead = new_lead
            if child.source is not None:
                lead = leads.get(id(child.source), new_lead)
            written = self.write(child, _indent_of(lead))
            written_children.append(WrittenXml(lead + written.data, written.is_changed))

        is_any_changed = any(written.is_changed for written in written_children)
        if keeps_text and not is_any_changed and old_content.has_same_children(children):
            return WrittenXml(self._file.content_of(source), is_changed=False)

        pieces = list[bytes]()
        if not keeps_text and element.text is not None:
            pieces.append(self.text_bytes(element.text))
        pieces += [written.data for written in written_children]
        pieces.append(old_content.tail)
        has_first_children = bool(children) and not source.children
        if has_first_children and b"\n" in new_lead:
            # The end tag, which stood behind the start tag, gets a line of its own, too.
            pieces.append(self.line_end + indent)
        return WrittenXml(b"".join(pieces), is_changed=True)

    def _lead_of_new_children(
        self, source: Element, old_children: Sequence[_OldChild], indent: bytes
    ) -> bytes:
        """Return the blanks before a new child of an element that stands behind ``indent``.

        They are those before its siblings, or one more than its parent has.
        """
        if old_children:
            lead = old_children[0].lead
            if b"\n" not in lead:
                return b""  # all are in one line
            return self.line_end + _indent_of(lead)
        if not source.children or self._file.has_lines:
            return self.line_of_child(indent)
        return b""


# --- the content of an element in the file --------------------------------------------------------


class _OldChild(NamedTuple):
    """A child in the file that is still among the present ones."""

    key: str
    """The group that it is in."""
    element: Element
    lead: bytes
    """The bytes between the child before and this one."""


class _OldContent(NamedTuple):
    """The bytes between the tags of an element in the file, divided into children and blanks."""

    children: list[_OldChild]
    tail: bytes
    """The bytes behind the last child."""
    is_any_removed: bool
    """True if a child of the file is no longer among the present ones."""

    def has_same_children(self, children: Sequence[NewElement]) -> bool:
        """Return whether the present children are those of the file, in the same order."""
        if self.is_any_removed or len(children) != len(self.children):
            return False
        pairs = zip(self.children, children, strict=True)
        return all(old_child.element is child.source for old_child, child in pairs)


def _groups_by_source(element: NewElement) -> dict[int, str]:
    """Return the keys of the groups that the children are in, by the ids of their sources."""
    groups: dict[int, str] = {}
    for key, children in element.groups.items():
        for child in children:
            if child.source is not None:
                groups[id(child.source)] = key
    return groups


def _divide(
    file: XmlFile,
    source: Element,
    groups_by_source: Mapping[int, str],
    unread_ids: AbstractSet[int],
    *,
    keeps_text: bool,
) -> _OldContent:
    """Divide what is between the tags of an element into children, their leads and the tail.

    ``groups_by_source`` tells which children are still there. The others are removed, but for
    unread ones, which become a part of the next lead. With ``keeps_text`` the leads contain the
    text of the file; else the text is replaced.
    """
    children = list[_OldChild]()
    lead = list[bytes]()
    is_any_removed = False
    position = file.content_start(source)
    for child in source.children:
        if not isinstance(child, Element):
            continue
        gap = file.bytes_between(position, child.start, with_text=keeps_text)
        if id(child) in groups_by_source:
            lead.append(gap)
            children.append(_OldChild(groups_by_source[id(child)], child, b"".join(lead)))
            lead = []
        elif id(child) in unread_ids:
            lead += [gap, file.bytes_of(child)]
        else:
            # The line of a removed child goes with it, but not a comment before it.
            lead.append(gap.rstrip())
            is_any_removed = True
        position = file.end_of(child)
    lead.append(file.bytes_between(position, file.content_end(source), with_text=keeps_text))
    return _OldContent(children, b"".join(lead), is_any_removed)


# --- tags and blanks ------------------------------------------------------------------------------


def _changed_tag(tag: bytes, source: Element, attributes: Mapping[str, str]) -> bytes:
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


def _indent_of(lead: bytes) -> bytes:
    """Return the blanks with which the last line of a lead begins."""
    _lines_before, _line_end, line = lead.rpartition(b"\n")
    return line[: len(line) - len(line.lstrip())]
