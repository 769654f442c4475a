"""Reads entity templates of the mods, merged as the game merges them.

    templates = Templates(read)                  # read(name) returns the XML of a template, or None
    templates.get("gaia/tree/oak")               # {"Identity": {"GenericName": "Oak", ...}, ...}

A template is an XML file below ``simulation/templates``. It can name a ``parent``, over which it is
*laid*: an element replaces the text of the parent's element of the same name, and its children are
laid over the children of that. The name ``a|b`` means b with a laid over it. Attributes of an
element change how it is laid over the one that is there:

    disable               removes it
    replace               replaces it with all its children
    merge                 does nothing if there is no such element, and keeps its text
    filtered              removes all children that the new element does not name
    op                    adds a number to the inherited one, or multiplies that
    datatype="tokens"     adds words to the inherited ones, and removes those with a - before them

Source: the project's facts on hosting 0 A.D.'s scripts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DEPTH_LIMIT = 100
"""The most parents and bars of one template."""

_FOLDERS = ("special/filter/", "mixins/", "")
"""The folders in which a template is looked for, in this order."""

_ACTOR = "actor|"
"""Begins the name of a template that shows an actor and nothing else."""

_INSTRUCTIONS = frozenset(("replace", "merge", "filtered", "op"))
"""Attributes that say how an element is laid over another: they do not stay in the result."""


@dataclass(slots=True)
class _Node:
    """An element of a merged template; attributes are children named ``@name``."""

    text: str = ""
    children: dict[str, _Node] = field(default_factory=dict)

    def copy(self) -> _Node:
        """Return a deep copy."""
        copies = {name: child.copy() for name, child in self.children.items()}
        return _Node(self.text, copies)

    def plain(self) -> object:
        """Return the node as JSON: see ``Templates.get``. Children are in the order of names."""
        if not self.children:
            return self.text or None
        values = {name: child.plain() for name, child in sorted(self.children.items())}
        if self.text:
            return {**values, "_string": self.text}
        return values


class Templates:
    """Templates by name; every one is read and merged once."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """``read`` returns the bytes of the XML file of a name, None if there is none."""
        self._read = read
        self._merged: dict[str, _Node | None] = {}
        """By name the merged templates; None for those that are missing or damaged."""

    def get(self, name: str) -> object | None:
        """Return the children of ``<Entity>`` as JSON; None if the template is missing or damaged.

        Leaves are texts, empty leaves None; text beside children is ``_string``, an attribute
        ``@name``.
        """
        try:
            root = self._merged_template(name, 0)
            entity = None
            if root is not None:
                entity = root.children.get("Entity")
            if entity is None:
                return None
            return entity.plain()
        except RecursionError:  # elements in elements without end
            return None

    def _merged_template(self, name: str, depth: int) -> _Node | None:
        """Return a template laid over its parents; None if it is missing, damaged or too deep.

        ``depth`` is the number of templates that are laid over it.
        """
        if name in self._merged:
            return self._merged[name]
        if depth > DEPTH_LIMIT:
            return None
        root = self._merge(name, depth)
        if root is None and depth > 0:
            return None  # not noted: asked for by itself it may stay within the limit
        self._merged[name] = root
        return root

    def _merge(self, name: str, depth: int) -> _Node | None:
        """Read a template and lay it over its parent; see ``_merged_template``."""
        if name.startswith(_ACTOR):
            entity = ElementTree.Element("Entity")
            visual_actor = ElementTree.SubElement(entity, "VisualActor")
            ElementTree.SubElement(visual_actor, "Actor").text = name.removeprefix(_ACTOR)
            return self._laid_over("special/actor", depth, entity)
        layer, bar, base = name.partition("|")
        element = self._element(layer)
        if element is None:
            return None
        parent = element.get("parent", "")
        if bar:
            parent = base
        return self._laid_over(parent, depth, element)

    def _laid_over(self, base: str, depth: int, element: Element) -> _Node | None:
        """Return the template ``base``, "" for an empty one, with an element laid over it."""
        if not base:
            root = _Node()
        else:
            base_root = self._merged_template(base, depth + 1)
            if base_root is None:
                return None
            root = base_root.copy()
        _lay(root, element)
        return root

    def _element(self, name: str) -> Element | None:
        """Return the root element of a template's file; None if it is missing or damaged."""
        for folder in _FOLDERS:
            data = self._read(f"{folder}{name}")
            if data is not None:
                try:
                    return ElementTree.fromstring(data)  # expat bounds what entities expand to
                except (ElementTree.ParseError, ValueError, LookupError):
                    return None
        return None


def _lay(parent: _Node, element: Element) -> None:
    """Lay an element over the child of its name, in place; the module says how."""
    name = element.tag
    attributes = element.attrib
    if "disable" in attributes or "replace" in attributes:
        parent.children.pop(name, None)
    if "disable" in attributes or ("merge" in attributes and name not in parent.children):
        return
    node = parent.children.setdefault(name, _Node())

    # Its text, which can stand before, between and behind its children.
    text = ((element.text or "") + "".join(child.tail or "" for child in element)).strip()
    if attributes.get("op") in _OPERATIONS:
        node.text = _calculated(attributes["op"], node.text, text)
    elif attributes.get("datatype") == "tokens":
        node.text = _tokens(node.text, text)
    elif "merge" not in attributes:
        node.text = text

    # Its children; "filtered" leaves those that it names and that are still there.
    children: dict[str, _Node] = {}
    for child in element:
        _lay(node, child)
        if child.tag in node.children:
            children[child.tag] = node.children[child.tag]
    if "filtered" in attributes:
        node.children = children

    for attribute, value in attributes.items():
        if attribute not in _INSTRUCTIONS:
            node.children[f"@{attribute}"] = _Node(value)


def _tokens(inherited: str, text: str) -> str:
    """Return the inherited words with those of ``text`` added, or removed if they begin with -."""
    words = dict.fromkeys(inherited.split())
    for word in text.split():
        if word.startswith("-"):
            words.pop(word[1:], None)
        else:
            words.setdefault(word)
    return " ".join(words)


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "add": lambda inherited, value: inherited + value,
    "mul": lambda inherited, value: inherited * value,
    "mul_round": lambda inherited, value: (inherited * value + 0.5) // 1,
}
"""What the attribute ``op`` makes of the inherited number and that of the element."""


def _calculated(operation: str, inherited: str, text: str) -> str:
    """Return the result of an operation; what is no number counts as 0, as in the game."""
    value = _OPERATIONS[operation](_number(inherited), _number(text))
    if not math.isfinite(value):
        value = 0.0
    return f"{round(value, 5):.5f}".rstrip("0").rstrip(".")  # the game's numbers are fixed-point


def _number(text: str) -> float:
    """Return the number of a text; 0 for another text, and for an infinite number."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    if math.isfinite(value):
        return value
    return 0.0
