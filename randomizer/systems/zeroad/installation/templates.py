"""Entity templates of the mods, merged as the game merges them.

Source: the project's facts on hosting 0 A.D.'s scripts. A template is an XML file below
``simulation/templates``; it can name a ``parent``, and ``a|b`` is b with a laid over it. Attributes
of an element say how it is laid over the one that is there: ``disable`` removes it, ``replace``
starts afresh, ``merge`` applies only where there is one, ``filtered`` drops all children that are
not named, ``op`` adds or multiplies numbers, ``datatype="tokens"`` adds and removes words.
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
_ACTOR = "actor|"
_NOT_KEPT = frozenset(("replace", "merge", "filtered", "op"))


@dataclass(slots=True)
class _Node:
    """An element of a merged template; attributes are children named ``@name``."""

    text: str = ""
    children: dict[str, _Node] = field(default_factory=dict)

    def copy(self) -> _Node:
        copies = {name: child.copy() for name, child in self.children.items()}
        return _Node(self.text, copies)

    def plain(self) -> object:
        """Return a text, None for one that is empty, or a dict of the children in the order of
        names.
        """
        if not self.children:
            return self.text or None
        values = {name: child.plain() for name, child in sorted(self.children.items())}
        if self.text:
            return {**values, "_string": self.text}
        return values


class Templates:
    """Templates by name. ``read`` gives the bytes of the XML file of a name, None if there is none.

    Every template is read and merged once.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._merged: dict[str, _Node | None] = {}

    def get(self, name: str) -> object | None:
        """Return the children of ``<Entity>`` as JSON; None for a template that is not there or
        broken.

        Leaves are texts, empty leaves None; text beside children is ``_string``, an attribute
        ``@name``.
        """
        try:
            root = self._resolved(name, 0)
            if root is not None:
                entity = root.children.get("Entity")
            else:
                entity = None
            if entity is not None:
                return entity.plain()
            return None
        except RecursionError:  # elements in elements without end
            return None

    def _resolved(self, name: str, depth: int) -> _Node | None:
        if name not in self._merged:
            if depth > DEPTH_LIMIT:
                return None
            node_read = self._made(name, depth)
            if (
                node_read is None and depth
            ):  # by itself it may be less than the limit away from its end
                return None
            self._merged[name] = node_read
        return self._merged[name]

    def _made(self, name: str, depth: int) -> _Node | None:
        if name.startswith(_ACTOR):
            element = ElementTree.Element("Entity")
            actor = ElementTree.SubElement(ElementTree.SubElement(element, "VisualActor"), "Actor")
            actor.text = name.removeprefix(_ACTOR)
            return self._laid_over("special/actor", depth, element)
        layer, bar, base = name.partition("|")
        file = self._element(layer)
        if bar:
            parent = base
        elif file is None:
            parent = ""
        else:
            parent = file.get("parent", "")
        return self._laid_over(parent, depth, file)

    def _laid_over(self, base: str, depth: int, element: Element | None) -> _Node | None:
        """Return the template ``base``, "" for an empty one, with an element laid over it."""
        below = self._resolved(base, depth + 1) if base else _Node()
        if below is None or element is None:
            return None
        root = below.copy()
        _lay(root, element)
        return root

    def _element(self, name: str) -> Element | None:
        for folder in _FOLDERS:
            data = self._read(f"{folder}{name}")
            if data is not None:
                try:
                    return ElementTree.fromstring(data)  # expat bounds what entities expand to
                except (ElementTree.ParseError, ValueError, LookupError):
                    return None
        return None


def _lay(parent: _Node, element: Element) -> None:
    """Lay an element over the child of its name."""
    name = element.tag
    attributes = element.attrib
    if "disable" in attributes or "replace" in attributes:
        parent.children.pop(name, None)
    if "disable" in attributes or ("merge" in attributes and name not in parent.children):
        return
    node = parent.children.setdefault(name, _Node())
    text = ((element.text or "") + "".join(child.tail or "" for child in element)).strip()
    if attributes.get("op") in _OPERATIONS:
        node.text = _calculated(attributes["op"], node.text, text)
    elif attributes.get("datatype") == "tokens":
        node.text = _tokens(node.text, text)
    elif "merge" not in attributes:
        node.text = text
    children: dict[str, _Node] = {}
    for child in element:
        _lay(node, child)
        if child.tag in node.children:
            children[child.tag] = node.children[child.tag]
    if "filtered" in attributes:
        node.children = children
    for attribute, value in attributes.items():
        if attribute not in _NOT_KEPT:
            node.children[f"@{attribute}"] = _Node(value)


def _tokens(inherited: str, text: str) -> str:
    """Words with others added, and removed where they start with ``-``."""
    words = dict.fromkeys(inherited.split())
    for word in text.split():
        if word.startswith("-"):
            words.pop(word[1:], None)
        else:
            words.setdefault(word)
    return " ".join(words)


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "add": lambda before, value: before + value,
    "mul": lambda before, value: before * value,
    "mul_round": lambda before, value: (before * value + 0.5) // 1,
}


def _calculated(operation: str, inherited: str, text: str) -> str:
    """Return the result of an operation; what is no number counts as 0, as in the game."""
    value = _OPERATIONS[operation](_number(inherited), _number(text))
    value = value if math.isfinite(value) else 0.0
    return f"{round(value, 5):.5f}".rstrip("0").rstrip(".")  # the game's numbers are fixed-point


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0
