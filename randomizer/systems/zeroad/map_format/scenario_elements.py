"""Reads and changes values in the elements of a scenario, as scripts have them.

    <SunElevation angle="0.7"/>             0.7
    <SunColor r="1" g="1" b="0.9"/>         {"r": 1.0, "g": 1.0, "b": 0.9, "a": 0}
    <SkySet>cirrus</SkySet>                 "cirrus"
    <Fog><FogFactor>0.01</FogFactor></Fog>  {"FogFactor": 0.01}

``value_of`` returns the value of an element, ``fill`` changes an element to a value. The other
functions find, add and remove elements in a tree, with the line breaks and tabs that Atlas writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from randomizer.reading.xml_tree import Element, Node
from randomizer.systems.zeroad.map.records import finite_number

_NAMES = {"PostEffect": "PostprocEffect"}
"""The keys in the data of scripts for elements with another name."""

_ELEMENT_NAMES = {key: name for name, key in _NAMES.items()}
"""The names of these elements by key."""

_ANGLES = ("SunElevation", "SunRotation", "Rotation", "Declination")
"""Elements whose number is the attribute ``angle``."""

_PARTS = "rgbxyz"
"""The attributes of colours and positions, a letter each."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""A key that can be the name of an element."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
"""A number as scenarios have it."""


def value_of(element: Element) -> Any:
    """Return the content of an element as scripts have it.

    It is a number, a text, or an object with the values of the elements in it: of elements of
    one name the first counts. A colour has an alpha of 0.
    """
    if "angle" in element.attributes:
        return number_or_text(element.attributes["angle"])
    parts: dict[str, float | str] = {}
    for attribute, text in element.attributes.items():
        if attribute in _PARTS:
            parts[attribute] = number_or_text(text)
    is_colour = "r" in parts
    if is_colour:
        return {**parts, "a": 0}
    if parts:
        return parts
    values: dict[str, Any] = {}
    for child in element.children:
        if isinstance(child, Element):
            key = _NAMES.get(child.name, child.name)
            values.setdefault(key, value_of(child))
    return values or number_or_text(element.text.strip())


def fill(element: Element, value: object, depth: int) -> None:
    """Change an element so that ``value_of`` it is ``value``, and nothing if it is already.

    Elements in it are indented by ``depth`` tabs.
    """
    if value_of(element) == value:
        return
    if not isinstance(value, Mapping):
        if element.name in _ANGLES:
            element.attributes["angle"] = value_text(value)
        else:
            element.children = [value_text(value)]
    elif value.keys() <= set(f"{_PARTS}a"):  # a colour or a position
        element.attributes |= {part: value_text(value[part]) for part in _PARTS if part in value}
    else:
        names = {key: _ELEMENT_NAMES.get(str(key), str(key)) for key in value}
        drop_children(element, lambda child: child.name not in names.values())
        for key, name in names.items():
            if _NAME.fullmatch(name) and isinstance(value[key], str | int | float | Mapping):
                fill(child_or_new(element, name, depth), value[key], depth + 1)


def number_or_text(text: str) -> float | str:
    """Return the finite number that a text is, else the text."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        if math.isfinite(number):
            return number
    return text


def value_text(value: object, digits: int = 8) -> str:
    """Return a value as the text of an element; the game reads no exponents."""
    number = finite_number(value)
    if number is None:
        return str(value)
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def child_of(element: Element, name: str) -> Element | None:
    """Return the first element of a name in an element, None if there is none."""
    return next(element.elements(name), None)


def new_element(name: str, attributes: dict[str, str]) -> Element:
    """Return a new element, which has no place in a file."""
    return Element(name, attributes, 0, 0, 0, in_namespace=False)


def child_or_new(parent: Element, name: str, depth: int) -> Element:
    """Return the element of a name; a new one, indented by ``depth`` tabs, if there is none."""
    child = child_of(parent, name)
    if child is None:
        child = new_element(name, {})
        append_child(parent, child, depth)
    return child


def append_child(parent: Element, child: Element, depth: int) -> None:
    """Add an element in a line of its own, indented by ``depth`` tabs."""
    if parent.children and isinstance(parent.children[-1], str):
        parent.children.pop()  # the blanks before the end tag
    parent.children += ["\n" + "\t" * depth, child, "\n" + "\t" * (depth - 1)]


def drop_children(parent: Element, is_dropped: Callable[[Element], bool]) -> None:
    """Remove elements, each with the blanks before it."""
    remaining: list[Node] = []
    for node in parent.children:
        if not isinstance(node, Element) or not is_dropped(node):
            remaining.append(node)
        elif remaining and isinstance(remaining[-1], str):
            remaining.pop()
    parent.children = remaining
