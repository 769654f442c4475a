"""Reads small untrusted XML files: a tree with places, or worded problems.

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
MAX_ELEMENTS = 10_000
"""Of a file of Colossus."""

MAX_DEPTH = 50
MAX_ATTRIBUTES = 100
"""Of one element."""

ATTRIBUTE = re.compile(rb"""\s([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')""")
"""An attribute in a tag: its name, and its value with the quotes."""

_REST_OF_TAG = re.compile(rb"""(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
"""A tag to its end: one in quotes does not count."""

_FOREIGN_ENTITY = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)([^;&]*+);")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {code: f"&#{ord(code)};" for code in "\t\n\r"}
)
_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})

_XML_NAMESPACE_PREFIXES = frozenset({"xml", "xmlns"})

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
    """One element. ``start`` is the offset of its tag in the document's UTF-8 bytes, ``last_tag``
    that of its end tag, if it has one.

    The game uses plain names only, so it ignores elements ``in_namespace``.
    """

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    start: int
    in_namespace: bool
    children: list[Node] = field(default_factory=list)
    last_tag: int = 0

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
    """A parsed file: ``root`` is None if it is not XML or was rejected (see ``problems``).

    ``doctype`` is the place (line, column) of a document type declaration; ``external_doctype``
    says whether it names another file. ``source`` is the text as UTF-8.
    """

    path: str | None
    source: bytes = b""
    root: Element | None = None
    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    doctype: tuple[int, int] | None = None
    external_doctype: bool = False
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
        line = element.line
        column = element.column
        end = column + 1 + len(element.name)
        if attribute is not None:
            value = self.values_of(element).get(attribute)
            if value is not None:
                line, column = self._place(value[0])
                end_line, end = self._place(value[1])
                return Problem(
                    severity,
                    code,
                    message,
                    self.path,
                    line,
                    column,
                    end_line,
                    max(end, column + 1) if end_line == line else end,
                )
        return Problem(severity, code, message, self.path, line, column, line, end)

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
        """Return where the values of an element's attributes begin and end, without quotes."""
        return {
            match[1].decode(): (
                element.start + match.start(2) + 1,
                element.start + match.end(2) - 1,
            )
            for match in ATTRIBUTE.finditer(self.tag_of(element))
        }

    def _place(self, offset: int) -> tuple[int, int]:
        before = self.source[:offset].decode().replace("\r\n", "\n").replace("\r", "\n")
        return before.count("\n") + 1, len(before) - before.rfind("\n")


def parse_xml(
    data: bytes,
    path: str | None = None,
    most_bytes: int = MAX_BYTES,
    most_elements: int = MAX_ELEMENTS,
) -> Document:
    """Return the tree of an XML file of limited size. Never raises for bad data."""
    document = Document(path)
    try:
        if len(data) > most_bytes:
            raise ProblemError(
                Problem(
                    Severity.ERROR,
                    "xml-too-large",
                    f"The file has {len(data):,} bytes; files of the game have far fewer than "
                    f"{most_bytes:,}",
                    path,
                )
            )
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
    """Builds the tree of a document from expat's events."""

    def __init__(self, document: Document, most_elements: int) -> None:
        self.document = document
        self.most_elements = most_elements
        self.open: list[Element] = []
        self.namespaces: list[dict[str, str]] = [{}]
        self.count = 0
        self.parser = parser = expat.ParserCreate("UTF-8")
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.buffer_size = max(1, min(len(document.source), MAX_BYTES))  # a text is one event
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

    def refuse(self, code: str, message: str) -> ProblemError:
        line, column = self.here()
        return ProblemError(
            Problem(Severity.ERROR, code, message, self.document.path, line, column)
        )

    def here(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def start_doctype(self, _name: str, system: str | None, _public: str | None, _: object) -> None:
        # expat reports the end of the declaration's head; problems point at its start
        start = self.document.source.rfind(b"<!DOCTYPE", 0, self.parser.CurrentByteIndex + 9)
        if start >= 0:
            self.document.doctype = self.document._place(start)
        else:
            self.document.doctype = self.here()
        self.document.external_doctype = system is not None

    def refuse_entity(self, name: str, *_: object) -> None:
        raise self.refuse(
            "xml-entity",
            f"The file declares or uses the entity “{name}”; a battle map has no need of "
            "entities, and files that have them are not read",
        )

    def start_element(self, name: str, flat: list[str]) -> None:
        self.count += 1
        if self.count > self.most_elements:
            message = f"The file has more than {self.most_elements:,} elements"
            raise self.refuse("xml-too-large", message)
        if len(self.open) >= MAX_DEPTH:
            raise self.refuse("xml-too-deep", f"Elements are nested more than {MAX_DEPTH} deep")
        if len(flat) > 2 * MAX_ATTRIBUTES:
            raise self.refuse(
                "xml-too-large", f"One element has more than {MAX_ATTRIBUTES} attributes"
            )
        attributes = dict(zip(flat[::2], flat[1::2], strict=True))
        line, column = self.here()
        start = self.parser.CurrentByteIndex
        if self.document.doctype is not None:
            # After a DOCTYPE expat silently skips unknown entities in attributes.
            source = self.document.source
            foreign = _FOREIGN_ENTITY.search(source[start : _tag_end(source, start)])
            if foreign is not None:
                self.refuse_entity(foreign[1].decode(errors="replace"))
        element = Element(name, attributes, line, column, start, self.enter(name, attributes))
        self.add(element)
        self.open.append(element)

    def enter(self, name: str, attributes: dict[str, str]) -> bool:
        """Register the namespaces that the tag declares; whether the element is in one."""
        scope = self.namespaces[-1]
        declared = {
            key[6:]: value
            for key, value in attributes.items()
            if key == "xmlns" or key.startswith("xmlns:")
        }
        scope = {**scope, **declared} if declared else scope
        self.namespaces.append(scope)
        for word in (name, *attributes):
            prefix, colon, _ = word.partition(":")
            if colon and prefix not in _XML_NAMESPACE_PREFIXES and not scope.get(prefix):
                raise self.refuse("not-xml", f"The prefix of “{word}” is declared nowhere")
        return ":" in name or bool(scope.get(""))

    def end_element(self, _name: str) -> None:
        self.open.pop().last_tag = self.parser.CurrentByteIndex
        self.namespaces.pop()

    def add(self, node: Node) -> None:
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
    """`` name="value"`` for each, escaped so that every character survives reading."""
    return "".join(f' {name}="{escaped_value(value)}"' for name, value in attributes)


def escaped_text(text: str) -> str:
    """Return a text as it stands between tags."""
    return text.translate(_TEXT_ESCAPES)


def escaped_value(value: str) -> str:
    """Return the value of an attribute as it stands in double quotes."""
    return value.translate(_ESCAPES)
