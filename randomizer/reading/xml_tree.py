"""Reads small untrusted XML files: a tree with positions in the file, or problems in words.

    document = parse_xml(data, path)
    if document.root is not None:              # else document.problems say why
        for hexagon in document.root.elements("hex"):
            print(hexagon.attributes["id"], hexagon.line)

All XML is read here: Colossus' battlelands, variants and terrains, and maps of other programs. No
entity is declared or expanded, nothing is fetched, and size, depth and number of elements are
limited. ``node_xml`` writes a part of a tree.
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
"""The largest depth of nested elements. ``node_xml`` and writers recurse once for each level."""

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

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {code: f"&#{ord(code)};" for code in "\t\n\r"}
)
"""Escapes in values of attributes, where a reader makes blanks of plain tabs and line ends."""

_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
"""Escapes in texts, where a reader makes a line end of a plain CR."""

_XML_NAMESPACE_PREFIXES = frozenset({"xml", "xmlns"})
"""Prefixes that no file has to declare."""

_WORDS = {
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
    last_tag: int = 0
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
    """A parsed file, which ``parse_xml`` makes and nothing changes afterwards."""

    path: str | None
    source: bytes = b""
    """The text as UTF-8, with blanks instead of the XML declaration (``decode_xml``)."""
    root: Element | None = None
    """None if the file is not XML or was refused; then ``problems`` say why."""
    before: list[Node] = field(default_factory=list)
    """Comments and instructions before the root."""
    after: list[Node] = field(default_factory=list)
    """Comments and instructions behind the root."""
    doctype: tuple[int, int] | None = None
    """Line and column of the document type declaration, None if there is none."""
    external_doctype: bool = False
    """True if the document type declaration names another file; nothing reads that file."""
    problems: list[Problem] = field(default_factory=list)

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
            span = self.values_of(element).get(attribute)
        if span is None:
            line = element.line
            column = element.column
            end_line = line
            end_column = column + len("<") + len(element.name)
        else:
            start, end = span
            line, column = self._place(start)
            end_line, end_column = self._place(end)
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
        return _tag_end(self.source, element.last_tag)

    def values_of(self, element: Element) -> dict[str, tuple[int, int]]:
        """Return start and end offset of the value of each attribute, without quotes, by name."""
        spans = {}
        for match in ATTRIBUTE.finditer(self.tag_of(element)):
            start = element.start + match.start(2)
            end = element.start + match.end(2)
            spans[match[1].decode()] = (start + 1, end - 1)
        return spans

    def _place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset in ``source``."""
        start = self.source[:offset].decode().replace("\r\n", "\n").replace("\r", "\n")
        return start.count("\n") + 1, len(start) - start.rfind("\n")


def parse_xml(
    data: bytes,
    path: str | None = None,
    most_bytes: int = MAX_BYTES,
    most_elements: int = MAX_ELEMENTS,
) -> Document:
    """Return the tree of an XML file of limited size. Bad data gives problems, no exception."""
    document = Document(path)
    try:
        if len(data) > most_bytes:
            message = (
                f"The file has {len(data):,} bytes; files of the game have far fewer than "
                f"{most_bytes:,}"
            )
            raise ProblemError(Problem(Severity.ERROR, "xml-too-large", message, path))
        document.source = decode_xml(data).encode()
        _Builder(document, most_elements).run()
    except ProblemError as refused:
        document.root = None
        document.problems += [problem.at_path(path) for problem in refused.problems]
    return document


def _tag_end(source: bytes, start: int) -> int:
    """Return the offset after the ``>`` of the tag that starts there."""
    match = _REST_OF_TAG.match(source, start)
    if match is None:
        return len(source)
    return match.end()


class _Builder:
    """Builds the tree of one document from expat's events, and lives while it is parsed.

    expat does not limit sizes and expands entities; so each handler checks the limits, and a
    declaration of an entity ends the parsing before anything is expanded.
    """

    def __init__(self, document: Document, most_elements: int) -> None:
        self.document = document
        self.most_elements = most_elements
        self.open: list[Element] = []
        """The elements whose end tag was not read yet, from the root inwards."""
        self.namespaces: list[dict[str, str]] = [{}]
        """The namespaces by prefix that hold in each open element."""
        self.count = 0
        """The number of elements read."""
        self.parser = parser = expat.ParserCreate("UTF-8")
        parser.ordered_attributes = True
        # One event for each text, however long: else expat cuts it into pieces.
        parser.buffer_text = True
        parser.buffer_size = max(1, min(len(document.source), MAX_BYTES))
        parser.StartElementHandler = self.start_element
        parser.EndElementHandler = self.end_element
        parser.CharacterDataHandler = self.add
        parser.CommentHandler = lambda text: self.add(Comment(text))
        parser.ProcessingInstructionHandler = lambda target, text: self.add(
            Instruction(target, text)
        )
        parser.StartDoctypeDeclHandler = self.start_doctype
        parser.EntityDeclHandler = self.refuse_entity
        parser.SkippedEntityHandler = self.refuse_entity

    def run(self) -> None:
        """Parse the source. Raises ProblemError if it is not XML or not safe."""
        try:
            self.parser.Parse(self.document.source, True)
        except expat.ExpatError as failed:
            raise ProblemError(self.explain(failed)) from None

    def explain(self, failed: expat.ExpatError) -> Problem:
        """Return the problem for an error of expat, in words for people who do not know XML."""
        words = expat.errors.messages[failed.code]
        text = _WORDS.get(words, f"This is not XML ({words})")
        innermost = self.open[-1] if self.open else None
        if words == expat.errors.XML_ERROR_TAG_MISMATCH and innermost is not None:
            text = f"Another tag is closed here than <{innermost.name}> of line {innermost.line}"
        elif words == expat.errors.XML_ERROR_NO_ELEMENTS and innermost is not None:
            text = f"The file ends before <{innermost.name}> of line {innermost.line} is closed"
        elif not self.document.source.strip():
            text = "The file is empty"
        return Problem(
            Severity.ERROR,
            "not-xml",
            text,
            self.document.path,
            failed.lineno,
            failed.offset + 1,
        )

    def refused(self, code: str, message: str) -> ProblemError:
        """Return the error of a file that is refused for what expat reads at present."""
        line, column = self.current_place()
        return ProblemError(
            Problem(Severity.ERROR, code, message, self.document.path, line, column)
        )

    def current_place(self) -> tuple[int, int]:
        """Return line and column, from 1, of what expat reads at present."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def start_doctype(self, _name: str, system: str | None, _public: str | None, _: object) -> None:
        """Note a document type declaration."""
        # expat reports the end of the declaration's head; problems point at its start
        keyword = b"<!DOCTYPE"
        search_end = self.parser.CurrentByteIndex + len(keyword)
        start = self.document.source.rfind(keyword, 0, search_end)
        if start >= 0:
            self.document.doctype = self.document._place(start)
        else:
            self.document.doctype = self.current_place()
        self.document.external_doctype = system is not None

    def refuse_entity(self, name: str, *_: object) -> None:
        """Raise ProblemError for an entity that is declared or used."""
        raise self.refused(
            "xml-entity",
            f"The file declares or uses the entity “{name}”; a battle map has no need of "
            "entities, and files that have them are not read",
        )

    def start_element(self, name: str, flat: list[str]) -> None:
        """Check and add an element. ``flat`` are name and value of each attribute, in turn."""
        self.count += 1
        if self.count > self.most_elements:
            message = f"The file has more than {self.most_elements:,} elements"
            raise self.refused("xml-too-large", message)
        if len(self.open) >= MAX_DEPTH:
            raise self.refused("xml-too-deep", f"Elements are nested more than {MAX_DEPTH} deep")
        if len(flat) > 2 * MAX_ATTRIBUTES:
            message = f"One element has more than {MAX_ATTRIBUTES} attributes"
            raise self.refused("xml-too-large", message)
        attributes = dict(zip(flat[::2], flat[1::2], strict=True))
        line, column = self.current_place()
        start = self.parser.CurrentByteIndex
        if self.document.doctype is not None:
            # After a DOCTYPE expat silently skips unknown entities in attributes.
            source = self.document.source
            entity = _FOREIGN_ENTITY.search(source[start : _tag_end(source, start)])
            if entity is not None:
                self.refuse_entity(entity[1].decode(errors="replace"))
        self.declare_namespaces(attributes)
        self.check_prefixes((name, *attributes))
        in_namespace = ":" in name or bool(self.namespaces[-1].get(""))
        element = Element(name, attributes, line, column, start, in_namespace)
        self.add(element)
        self.open.append(element)

    def declare_namespaces(self, attributes: dict[str, str]) -> None:
        """Note the namespaces that hold in an element: the outer ones and those it declares."""
        namespaces = self.namespaces[-1]
        declared = {}
        for key, value in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                declared[key.removeprefix("xmlns").removeprefix(":")] = value
        if declared:
            namespaces = {**namespaces, **declared}
        self.namespaces.append(namespaces)

    def check_prefixes(self, names: Iterable[str]) -> None:
        """Raise ProblemError for a name whose prefix is declared nowhere.

        expat could check it, but then it gives only names without their prefixes.
        """
        for name in names:
            prefix, colon, _ = name.partition(":")
            if not colon or prefix in _XML_NAMESPACE_PREFIXES:
                continue
            if not self.namespaces[-1].get(prefix):
                raise self.refused("not-xml", f"The prefix of “{name}” is declared nowhere")

    def end_element(self, _name: str) -> None:
        """Close the innermost open element."""
        element = self.open.pop()
        element.last_tag = self.parser.CurrentByteIndex
        self.namespaces.pop()

    def add(self, node: Node) -> None:
        """Add a node to the innermost open element, or to the document outside of its root."""
        document = self.document
        if self.open:
            self.open[-1].children.append(node)
        elif isinstance(node, Element):
            document.root = node
        elif document.root is None:
            document.before.append(node)
        else:
            document.after.append(node)


# --- a tree as text -------------------------------------------------------------------------------


def node_xml(node: Node) -> str:
    """Return a node as XML text."""
    if isinstance(node, str):
        return escaped_text(node)
    if isinstance(node, Comment):
        return f"<!--{node.text}-->"
    if isinstance(node, Instruction):
        if node.data:
            return f"<?{node.target} {node.data}?>"
        return f"<?{node.target}?>"
    inner = "".join(node_xml(child) for child in node.children)
    head = f"<{node.name}{attributes_xml(node.attributes.items())}"
    if inner:
        return f"{head}>{inner}</{node.name}>"
    return f"{head}/>"


def attributes_xml(attributes: Iterable[tuple[str, str]]) -> str:
    """Return attributes as text, each as `` name="value"`` with a blank before it.

    Values are escaped so that every character survives reading.
    """
    return "".join(f' {name}="{escaped_value(value)}"' for name, value in attributes)


def escaped_text(text: str) -> str:
    """Return a text escaped for standing between tags."""
    return text.translate(_TEXT_ESCAPES)


def escaped_value(value: str) -> str:
    """Return the value of an attribute escaped for standing in double quotes."""
    return value.translate(_ESCAPES)
