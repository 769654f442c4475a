"""Reads small untrusted XML files: a tree with positions in the file, or problems in words.

    document = parse_xml(data, path)
    if document.root is not None:              # else document.problems say why
        for hexagon in document.root.elements("hex"):
            print(hexagon.attributes["id"], hexagon.line)

All XML is read here: Colossus' battlelands, variants and terrains, and maps of other programs. No
entity is declared or expanded, nothing is fetched, and size, depth and number of elements are
limited. The module ``xml_text`` writes a part of a tree.

Each element knows where it stands in the file, so that a problem points at it, and so that a writer
can exchange one value and leave all other bytes as they are. Offsets are those of
``Document.source``, the text as UTF-8; lines and columns are those that an editor shows::

    <battleland>
      <hex label="A3"/>       line 2, column 3; offset of the tag 15; label: offsets 27 to 29
    </battleland>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.reading.xml_source import decode_xml

MAX_BYTES = 2_000_000
"""The largest size of a file of Colossus; formats of other programs give limits of their own."""

MAX_ELEMENTS = 10_000
"""The largest number of elements in a file of Colossus."""

MAX_DEPTH = 50
"""The largest depth of nested elements. Writers recurse once for each level."""

MAX_ATTRIBUTES = 100
"""The largest number of attributes of one element."""

ATTRIBUTE = re.compile(rb"""\s([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')""")
"""An attribute in a tag: its name, and its value with the quotes."""

_REST_OF_TAG = re.compile(rb"""(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
"""A tag to its end, which is the first ``>`` outside quotes.

The possessive repeats (``++``) keep the time linear for a file of quotes that never close.
"""

_FOREIGN_ENTITY = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)([^;&]*+);")
"""An entity that is neither a number nor one of the five that XML declares."""

_XML_NAMESPACE_PREFIXES = frozenset({"xml", "xmlns"})
"""Prefixes that no file has to declare."""

_EXPLANATIONS = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "The file ends before its XML is complete",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "The file ends in the middle of this",
    expat.errors.XML_ERROR_INVALID_TOKEN: "This cannot stand here in XML",
    expat.errors.XML_ERROR_PARTIAL_CHAR: "The file ends in the middle of a character",
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "This attribute is given twice",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "Something follows after the end of the XML",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "This entity is not known; only &amp; &lt; &gt; "
    "&quot; and &apos; are",
    expat.errors.XML_ERROR_BAD_CHAR_REF: "This number is no character that XML allows",
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION: "This CDATA section is not closed",
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "An XML declaration may only stand at the very start",
}
"""The usual errors of expat in words for people who do not know XML."""


@dataclass(frozen=True, slots=True)
class Comment:
    """``<!--text-->``."""

    text: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """``<?target data?>``."""

    target: str
    data: str


@dataclass(slots=True)
class Element:
    """One element with its position in the file."""

    name: str
    """The name with its prefix, if it has one."""
    attributes: dict[str, str]
    """The values by name, without escapes, in the order of the file."""
    line: int
    """The line of its tag, from 1."""
    column: int
    """The column of its tag, from 1, in characters."""
    start: int
    """The offset of its tag in ``Document.source``."""
    in_namespace: bool
    """True if it has a prefix or a default namespace; Colossus ignores such elements."""
    children: list[Node] = field(default_factory=list)
    end_tag_start: int = 0
    """The offset of its end tag in ``Document.source``; that of its tag for ``<a/>``."""

    def elements(self, name: str) -> Iterator[Element]:
        """Yield the child elements of that plain name, in order."""
        for child in self.children:
            if isinstance(child, Element) and child.name == name and not child.in_namespace:
                yield child

    @property
    def text(self) -> str:
        """The text between its tags, without that of its elements."""
        return "".join(child for child in self.children if isinstance(child, str))


Node = Element | Comment | Instruction | str
"""A ``str`` is text between tags."""


@dataclass(slots=True)
class Document:
    """A parsed file, or one that was refused: then it has no ``root``."""

    path: str | None
    """The path of the file, for its problems; None if it has none."""
    source: bytes = b""
    """The text as UTF-8, with blanks instead of the XML declaration (``decode_xml``)."""
    root: Element | None = None
    """The outermost element; None if the file was refused: ``problems`` say why."""
    before: list[Node] = field(default_factory=list)
    """Comments and instructions before the root."""
    after: list[Node] = field(default_factory=list)
    """Comments and instructions behind the root."""
    doctype: tuple[int, int] | None = None
    """Line and column of the document type declaration, None if there is none."""
    external_doctype: bool = False
    """True if the document type declaration names another file; nothing reads that file."""
    problems: list[Problem] = field(default_factory=list)
    """Why the file was refused; readers add what they find in its elements."""

    def problem(
        self,
        severity: Severity,
        code: str,
        message: str,
        element: Element,
        attribute: str | None = None,
    ) -> Problem:
        """Return a problem at an element's tag name, or at the value of one of its attributes."""
        span = None
        if attribute is not None:
            span = self.value_spans_of(element).get(attribute)
        if span is None:
            line = element.line
            column = element.column
            end_line = line
            end_column = column + len("<") + len(element.name)
        else:
            start, end = span
            line, column = _place(self.source, start)
            end_line, end_column = _place(self.source, end)
            if end_line == line:
                end_column = max(end_column, column + 1)  # an empty value is marked as well
        return Problem(severity, code, message, self.path, line, column, end_line, end_column)

    def tag_of(self, element: Element) -> bytes:
        """Return the tag with which an element begins."""
        return self.source[element.start : _tag_end(self.source, element.start)]

    def end_of(self, element: Element) -> int:
        """Return the offset after an element in the source."""
        tag = self.tag_of(element)
        if tag.endswith(b"/>"):
            return element.start + len(tag)
        return _tag_end(self.source, element.end_tag_start)

    def value_spans_of(self, element: Element) -> dict[str, tuple[int, int]]:
        """Return start and end offset of the value of each attribute, without quotes, by name."""
        spans = {}
        for match in ATTRIBUTE.finditer(self.tag_of(element)):
            start = element.start + match.start(2)
            end = element.start + match.end(2)
            spans[match[1].decode()] = (start + 1, end - 1)
        return spans


def parse_xml(
    data: bytes,
    path: str | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    max_elements: int = MAX_ELEMENTS,
) -> Document:
    """Return the tree of an XML file of limited size. Bad data gives problems, no exception."""
    try:
        if len(data) > max_bytes:
            message = (
                f"The file has {len(data):,} bytes; files of this kind have far fewer than "
                f"{max_bytes:,}"
            )
            raise ProblemError(Problem(Severity.ERROR, "xml-too-large", message, path))
        source = decode_xml(data).encode()
        return _TreeReader(source, path, max_elements).read()
    except ProblemError as refused:
        return Document(path, problems=[problem.at_path(path) for problem in refused.problems])


def _place(source: bytes, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset in ``Document.source``."""
    text_before = source[:offset].decode().replace("\r\n", "\n").replace("\r", "\n")
    # ``rfind`` is -1 in the first line, which makes the column count from 1 there, too.
    return text_before.count("\n") + 1, len(text_before) - text_before.rfind("\n")


def _tag_end(source: bytes, start: int) -> int:
    """Return the offset after the ``>`` of the tag that starts there."""
    match = _REST_OF_TAG.match(source, start)
    if match is None:
        return len(source)
    return match.end()


class _TreeReader:
    """Builds the tree of one file from expat's events, and lives while it is parsed.

    expat does not limit sizes and expands entities; so each handler checks the limits, and a
    declaration of an entity ends the parsing before anything is expanded.
    """

    def __init__(self, source: bytes, path: str | None, max_elements: int) -> None:
        self._source = source
        """The text as UTF-8."""
        self._path = path
        """The path that problems name."""
        self._max_elements = max_elements
        """The number of elements above which the file is refused."""
        self._document = Document(path, source)
        """What has been read; it gets nodes and the document type as they come."""
        self._open_elements: list[Element] = []
        """The elements whose end tag was not read yet, from the root inwards."""
        self._namespaces: list[dict[str, str]] = [{}]
        """Those that hold outside the root, then in each open element: addresses by prefix.

        The default namespace has the prefix "".
        """
        self._element_count = 0
        """The number of elements read."""
        self._parser = self._make_parser()

    def _make_parser(self) -> expat.XMLParserType:
        """Return a parser that calls the methods of this reader for what it reads."""
        parser = expat.ParserCreate("UTF-8")
        parser.ordered_attributes = True
        # One event for each text of up to MAX_BYTES: else expat cuts it into small pieces.
        parser.buffer_text = True
        parser.buffer_size = max(1, min(len(self._source), MAX_BYTES))
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._add
        parser.CommentHandler = self._add_comment
        parser.ProcessingInstructionHandler = self._add_instruction
        parser.StartDoctypeDeclHandler = self._start_doctype
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity
        return parser

    def read(self) -> Document:
        """Return the document of the file. Raises ProblemError if it is not XML or not safe."""
        try:
            self._parser.Parse(self._source, True)
        except expat.ExpatError as failed:
            raise ProblemError(self._explain(failed)) from None
        return self._document

    # --- events of expat --------------------------------------------------------------------

    def _start_element(self, name: str, flat: list[str]) -> None:
        """Check and add an element. ``flat`` are name and value of each attribute, in turn."""
        # What is too large or not safe is refused before anything is made of it.
        self._element_count += 1
        if self._element_count > self._max_elements:
            message = f"The file has more than {self._max_elements:,} elements"
            raise self._refused("xml-too-large", message)
        if len(self._open_elements) >= MAX_DEPTH:
            raise self._refused("xml-too-deep", f"Elements are nested more than {MAX_DEPTH} deep")
        if len(flat) > 2 * MAX_ATTRIBUTES:
            message = f"One element has more than {MAX_ATTRIBUTES} attributes"
            raise self._refused("xml-too-large", message)
        start = self._parser.CurrentByteIndex
        if self._document.doctype is not None:
            # After a DOCTYPE expat silently skips unknown entities in attributes.
            tag = self._source[start : _tag_end(self._source, start)]
            entity = _FOREIGN_ENTITY.search(tag)
            if entity is not None:
                self._refuse_entity(entity[1].decode(errors="replace"))

        attributes = dict(zip(flat[::2], flat[1::2], strict=True))
        namespaces = _namespaces_within(self._namespaces[-1], attributes)
        self._check_prefixes((name, *attributes), namespaces)
        line, column = self._current_place()
        in_namespace = ":" in name or bool(namespaces.get(""))
        element = Element(
            name=name,
            attributes=attributes,
            line=line,
            column=column,
            start=start,
            in_namespace=in_namespace,
        )
        self._add(element)
        self._open_elements.append(element)
        self._namespaces.append(namespaces)

    def _end_element(self, _name: str) -> None:
        """Close the innermost open element."""
        element = self._open_elements.pop()
        element.end_tag_start = self._parser.CurrentByteIndex
        self._namespaces.pop()

    def _add_comment(self, text: str) -> None:
        self._add(Comment(text))

    def _add_instruction(self, target: str, data: str) -> None:
        self._add(Instruction(target, data))

    def _add(self, node: Node) -> None:
        """Add a node to the innermost open element, or to the document outside of its root."""
        document = self._document
        if self._open_elements:
            self._open_elements[-1].children.append(node)
        elif isinstance(node, Element):
            document.root = node
        elif document.root is None:
            document.before.append(node)
        else:
            document.after.append(node)

    def _start_doctype(
        self, _name: str, system: str | None, _public: str | None, _: object
    ) -> None:
        """Note a document type declaration; ``system`` is the file that it names, or None."""
        # expat reports the end of the declaration's head; problems point at its start.
        keyword = b"<!DOCTYPE"
        search_end = self._parser.CurrentByteIndex + len(keyword)
        start = self._source.rfind(keyword, 0, search_end)
        if start >= 0:
            self._document.doctype = _place(self._source, start)
        else:
            self._document.doctype = self._current_place()
        self._document.external_doctype = system is not None

    def _refuse_entity(self, name: str, *_: object) -> None:
        """Raise ProblemError for an entity that is declared or used."""
        raise self._refused(
            "xml-entity",
            f"The file declares or uses the entity “{name}”; a battle map has no need of "
            "entities, and files that have them are not read",
        )

    def _check_prefixes(self, names: Iterable[str], namespaces: dict[str, str]) -> None:
        """Raise ProblemError for a name whose prefix is not among ``namespaces``.

        expat could check it, but then it gives only names without their prefixes.
        """
        for name in names:
            prefix, colon, _ = name.partition(":")
            if not colon or prefix in _XML_NAMESPACE_PREFIXES:
                continue
            if not namespaces.get(prefix):
                raise self._refused("not-xml", f"The prefix of “{name}” is declared nowhere")

    # --- problems ---------------------------------------------------------------------------

    def _explain(self, failed: expat.ExpatError) -> Problem:
        """Return the problem for an error of expat, in words for people who do not know XML."""
        expat_message = expat.errors.messages[failed.code]
        text = _EXPLANATIONS.get(expat_message, f"This is not XML ({expat_message})")
        innermost = None
        if self._open_elements:
            innermost = self._open_elements[-1]
        if expat_message == expat.errors.XML_ERROR_TAG_MISMATCH and innermost is not None:
            text = f"Another tag is closed here than <{innermost.name}> of line {innermost.line}"
        elif expat_message == expat.errors.XML_ERROR_NO_ELEMENTS and innermost is not None:
            text = f"The file ends before <{innermost.name}> of line {innermost.line} is closed"
        elif not self._source.strip():
            text = "The file is empty"
        return Problem(
            Severity.ERROR,
            "not-xml",
            text,
            self._path,
            line=failed.lineno,
            column=failed.offset + 1,
        )

    def _refused(self, code: str, message: str) -> ProblemError:
        """Return the error of a file that is refused for what expat reads at present."""
        line, column = self._current_place()
        return ProblemError(Problem(Severity.ERROR, code, message, self._path, line, column))

    def _current_place(self) -> tuple[int, int]:
        """Return line and column, from 1, of what expat reads at present."""
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1


def _namespaces_within(outer: dict[str, str], attributes: dict[str, str]) -> dict[str, str]:
    """Return the namespaces that hold in an element: the outer ones and those it declares.

    ``xmlns="..."`` declares the default namespace, ``xmlns:map="..."`` the prefix "map".
    """
    declared = {}
    for name, address in attributes.items():
        if name == "xmlns":
            declared[""] = address
        elif name.startswith("xmlns:"):
            declared[name.removeprefix("xmlns:")] = address
    if not declared:
        return outer
    return {**outer, **declared}
