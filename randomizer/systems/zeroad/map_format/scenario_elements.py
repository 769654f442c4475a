"""Reads and changes values in the elements of a scenario, as scripts have them.

    <SunElevation angle="0.7"/>             0.7
    <SunColor r="1" g="1" b="0.9"/>         {"r": 1.0, "g": 1.0, "b": 0.9, "a": 0}
    <SkySet>cirrus</SkySet>                 "cirrus"
    <Fog><FogFactor>0.01</FogFactor></Fog>  {"FogFactor": 0.01}

``value_of`` returns the value at the right for an element at the left, ``set_value`` changes an
element to a value. The other functions find, add and remove elements in a tree, with the line
breaks and tabs that Atlas writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from randomizer.reading.xml_tree import Element, Node
from randomizer.systems.zeroad.map.json_values import finite_number

_KEY_OF_ELEMENT = {"PostEffect": "PostprocEffect"}
"""The keys in the data of scripts for elements that have another name there."""

_ELEMENT_OF_KEY = {key: name for name, key in _KEY_OF_ELEMENT.items()}
"""The names of these elements by key."""

_ANGLES = ("SunElevation", "SunRotation", "Rotation", "Declination")
"""Elements whose number is the attribute ``angle``."""

_PARTS = ("r", "g", "b", "x", "y", "z")
"""The attributes of colours and positions."""

_ALPHA = "a"
"""The key of a colour's opacity, which scripts have and files have not."""

_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""A key that can be the name of an element."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
"""A number as scenarios have it."""


# --- values ---------------------------------------------------------------------------------------


def value_of(element: Element) -> Any:
    """Return the content of an element as scripts have it.

    It is a number, a text, or an object with the values of the elements in it: of elements of
    one name the first counts.
    """
    if _is_angle(element):
        return number_or_text(element.attributes["angle"])
    parts: dict[str, float | str] = {}
    for name in _PARTS:
        if name in element.attributes:
            parts[name] = number_or_text(element.attributes[name])
    if "r" in parts:
        return {**parts, _ALPHA: 0}  # the game writes this into the colours of its script maps
    if parts:
        return parts

    values: dict[str, Any] = {}
    for child in element.children:
        if isinstance(child, Element):
            key = _KEY_OF_ELEMENT.get(child.name, child.name)
            values.setdefault(key, value_of(child))
    if values:
        return values
    return number_or_text(element.text.strip())


def set_value(element: Element, value: object, depth: int) -> None:
    """Change an element so that it has a value; one that it has already changes nothing.

    New elements in it are indented by ``depth`` tabs. What an element cannot have is left out: a
    list, None, the alpha of a colour, and a key that is no name of an element. An object without
    keys leaves the element empty.
    """
    if value_of(element) == value:
        return
    if isinstance(value, Mapping):
        if _is_colour_or_position(value):
            for name in _PARTS:
                if name in value:
                    element.attributes[name] = value_text(value[name])
        else:
            _set_children(element, value, depth)
    elif element.name in _ANGLES:
        element.attributes["angle"] = value_text(value)
    else:
        element.children = [value_text(value)]


def _is_angle(element: Element) -> bool:
    """Return whether the value of an element is its attribute ``angle``."""
    return element.name in _ANGLES and "angle" in element.attributes


def _is_colour_or_position(value: Mapping[str, object]) -> bool:
    """Return whether an object is written as attributes, such as {"r": 1, "g": 1, "b": 0.9}."""
    return bool(value) and all(key in _PARTS or key == _ALPHA for key in value)


def _set_children(element: Element, value: Mapping[str, object], depth: int) -> None:
    """Give an element one child for each key of an object, and remove its other children.

    A child that is there already keeps its place, and its attributes that are no values.
    """
    names = {key: _ELEMENT_OF_KEY.get(str(key), str(key)) for key in value}
    drop_children(element, lambda child: child.name not in names.values())
    for key, name in names.items():
        if _XML_NAME.fullmatch(name) and isinstance(value[key], str | int | float | Mapping):
            set_value(child_or_new(element, name, depth), value[key], depth + 1)


def number_or_text(text: str) -> float | str:
    """Return the finite number that a text is, else the text."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        if math.isfinite(number):
            return number
    return text


def value_text(value: object, digits: int = 8) -> str:
    """Return a value as the text of an element: "12.5", "true", "cirrus".

    The game reads no exponents, so a number is written with ``digits`` digits after the point.
    """
    if isinstance(value, bool):
        return str(value).lower()
    number = finite_number(value)
    if number is None:
        return str(value)
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


# --- the tree -------------------------------------------------------------------------------------


def child_of(element: Element, name: str) -> Element | None:
    """Return the first element of a name in an element, None if there is none."""
    return next(element.elements(name), None)


def new_element(name: str, attributes: dict[str, str]) -> Element:
    """Return a new element. It comes from no file: its place in the source is 0 and means nothing.

    ``attributes`` becomes its own.
    """
    return Element(name, attributes, line=0, column=0, start=0, in_namespace=False)


def child_or_new(parent: Element, name: str, depth: int) -> Element:
    """Return the element of a name; a new one, indented by ``depth`` tabs, if there is none."""
    child = child_of(parent, name)
    if child is None:
        child = new_element(name, {})
        append_child(parent, child, depth)
    return child


def append_child(parent: Element, child: Element, depth: int) -> None:
    """Add an element in a line of its own, indented by ``depth`` tabs."""
    if parent.children and _is_blank(parent.children[-1]):
        parent.children.pop()  # the line break and the tabs before the end tag
    parent.children += ["\n" + "\t" * depth, child, "\n" + "\t" * (depth - 1)]


def drop_children(parent: Element, is_dropped: Callable[[Element], bool]) -> None:
    """Remove elements, each with the line break and the tabs before it."""
    remaining: list[Node] = []
    for node in parent.children:
        if not isinstance(node, Element) or not is_dropped(node):
            remaining.append(node)
        elif remaining and _is_blank(remaining[-1]):
            remaining.pop()
    parent.children = remaining


def _is_blank(node: Node) -> bool:
    """Return whether a node is text of blanks, tabs and line breaks alone."""
    return isinstance(node, str) and not node.strip()
