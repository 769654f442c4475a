"""Entity templates as trees: what the XML says, for ``templates.js`` to merge.

A tree is ``[name, attributes, text, children]``: its element's name, its attributes by name, the
text beside its children without the space around it, and the trees of its children.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Tree = list[object]


def template_tree(data: bytes) -> Tree | None:
    """The tree of a template's file, None for a file that is no XML. (expat bounds entities.)"""
    try:
        return _tree(ElementTree.fromstring(data))
    except (ElementTree.ParseError, ValueError, LookupError, RecursionError):
        return None


def _tree(element: Element) -> Tree:
    text = (element.text or "") + "".join(child.tail or "" for child in element)
    return [element.tag, element.attrib, text.strip(), [_tree(child) for child in element]]
