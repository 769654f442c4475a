"""Writes parts of an XML tree (``xml_tree``) as text.

node_xml(Element(name="a", attributes={"b": "1 < 2"}, ...))      # <a b="1 &lt; 2"/>
"""

from __future__ import annotations

from collections.abc import Iterable

from randomizer.reading.xml_tree import Comment, Instruction, Node

_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {code: f"&#{ord(code)};" for code in "\t\n\r"}
)
"""Escapes in values of attributes, where a reader makes blanks of plain tabs and line ends."""

_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
"""Escapes in texts, where a reader makes a line end of a plain CR."""


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
