"""Reads entity templates of the mods, merged as the game merges them.

    templates = Templates(read)                  # read(name) returns the XML of a template, or None
    templates.get("gaia/tree/oak")               # {"Identity": {"GenericName": "Oak", ...}, ...}

A template is an XML file below ``simulation/templates``. It can name a ``parent``, whose elements
it *inherits* and overrides: an element replaces the text of the inherited element of the same name,
and its children override the children of that.

    parent:   <Health><Max>100</Max><Regen>1</Regen></Health>
    child:    <Health><Max>150</Max></Health>
    merged:   <Health><Max>150</Max><Regen>1</Regen></Health>

The name ``a|b`` means the template b, overridden by a. Attributes of an element change how it
overrides the inherited one:

    disable               removes that one
    replace               replaces that one with all its children
    merge                 does nothing if none is inherited, and keeps the inherited text
    filtered              removes all inherited children that the element does not name
    op                    adds its number to the inherited one, or multiplies that
    datatype="tokens"     adds its words to the inherited ones, and removes those with a - before

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
"""The largest number of parents and bars of one template; some name themselves as their parent."""

LOOKED_IN = ("special/filter/", "mixins/", "")
"""The folders in which a template is looked for, in this order.

So the filter ``special/filter/foundation.xml`` is named "foundation" before a bar.
"""

_ACTOR = "actor|"
"""The beginning of the name of a template that shows an actor and nothing else."""

_INSTRUCTIONS = frozenset(("replace", "merge", "filtered", "op"))
"""Attributes that say how an element overrides another: they are not in the merged template."""


@dataclass(slots=True)
class _Node:
    """An element of a merged template."""

    text: str = ""
    """Its text, without that of its children."""
    children: dict[str, _Node] = field(default_factory=dict)
    """Its children by name; an attribute is a child with the name ``@name``."""

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
        """The templates that were merged already, by name; None for missing and damaged ones."""

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
        """Return a template merged with its parents; None if it is missing, damaged or too deep.

        ``depth`` is the number of templates that inherit from it, one from the other.
        """
        if name in self._merged:
            return self._merged[name]
        if depth > DEPTH_LIMIT:
            return None
        root = self._read_and_merge(name, depth)
        if root is None and depth > 0:
            return None  # not cached: by itself the template may stay within the limit
        self._merged[name] = root
        return root

    def _read_and_merge(self, name: str, depth: int) -> _Node | None:
        """Read the file of a template and merge it with its parent; see ``_merged_template``."""
        if name.startswith(_ACTOR):
            # No file has such a template: it is "special/actor" with the name of the actor.
            entity = ElementTree.Element("Entity")
            visual_actor = ElementTree.SubElement(entity, "VisualActor")
            ElementTree.SubElement(visual_actor, "Actor").text = name.removeprefix(_ACTOR)
            return self._overridden("special/actor", depth, entity)
        first_name, bar, further_names = name.partition("|")
        element = self._root_element(first_name)
        if element is None:
            return None
        parent = element.get("parent", "")
        if bar:
            parent = further_names
        return self._overridden(parent, depth, element)

    def _overridden(self, parent: str, depth: int, element: Element) -> _Node | None:
        """Return the template ``parent``, "" for an empty one, overridden by an element."""
        if not parent:
            root = _Node()
        else:
            parent_root = self._merged_template(parent, depth + 1)
            if parent_root is None:
                return None
            root = parent_root.copy()
        _override_child(root, element)
        return root

    def _root_element(self, name: str) -> Element | None:
        """Return the root element of a template's file; None if it is missing or damaged."""
        for folder in LOOKED_IN:
            data = self._read(f"{folder}{name}")
            if data is not None:
                try:
                    return ElementTree.fromstring(data)  # expat bounds what entities expand to
                except (ElementTree.ParseError, ValueError, LookupError):
                    return None
        return None


def _override_child(parent: _Node, element: Element) -> None:
    """Let an element override the child of ``parent`` with its name, as the module's table says.

    ``parent`` is changed.
    """
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
        node.text = _merged_words(node.text, text)
    elif "merge" not in attributes:
        node.text = text

    # Its children; with "filtered" only those that it names, and did not disable, are left.
    named_children: dict[str, _Node] = {}
    for child in element:
        _override_child(node, child)
        if child.tag in node.children:
            named_children[child.tag] = node.children[child.tag]
    if "filtered" in attributes:
        node.children = named_children

    for attribute, value in attributes.items():
        if attribute not in _INSTRUCTIONS:
            node.children[f"@{attribute}"] = _Node(value)


def _merged_words(inherited: str, text: str) -> str:
    """Return the inherited words with those of ``text`` added, or removed if they begin with -.

    "Unit Melee" and "-Melee Ranged" become "Unit Ranged".
    """
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
"""The operations of the attribute ``op`` on the inherited number and that of the element."""


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
