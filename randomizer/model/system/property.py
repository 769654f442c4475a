"""Descriptions of the properties of a map as a whole, such as its title.

A layer sets a property, or it does not. What it sets can be the value ``Property.none``, by which
it says that the map has none: then a title of a layer below does not show. If no layer sets a
property, the map has ``Property.default``::

    title = text_property("title", "&Title", "The name of the map")
    title.of({})                       # "": the default, as no layer sets it
    title.words(UNSET)                 # "not set"
    title.words("")                    # "none": a layer says that the map has no title
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.system.cell_width import EXAMPLE, SCALE, why_no_width


class PropertyKind(StrEnum):
    """The kind of a property's values; forms choose a widget by it."""

    TEXT = "text"
    """A str of one line."""

    FLAG = "flag"
    """A bool."""

    NAMES = "names"
    """A tuple of str, each the name of a cell; a turned or resized map renames them."""


class Unset:
    """The type of ``UNSET``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()
"""Stands for a property that is not set, where an edit names the value before or after."""


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a map."""

    name: str

    title: str
    """Its label in a form; an ampersand marks the access key."""

    kind: PropertyKind

    help: str
    """The meaning of its values, for the user."""

    default: Any
    """The value of a map on which no layer sets it."""

    none: Any
    """The value of a layer that says that the map has none, such as no title."""

    shown: bool
    """True if it is drawn, so that a change of it has to be drawn again."""

    read: Callable[[object], Any]
    """Checks a value from outside (a file, a form) and returns it. Raises ValueError."""

    why_not: Callable[[Any], str] = lambda _value: ""
    """Says why a user should not choose a value that files may hold; "" if nothing is wrong."""

    @property
    def label(self) -> str:
        """The title without access key, for texts."""
        return self.title.replace("&", "")

    def of(self, properties: Mapping[str, Any]) -> Any:
        """Return its value among those of a layer or composite; the default if it is not set."""
        return properties.get(self.name, self.default)

    def words(self, value: object) -> str:
        """Return a value as text; UNSET is *not set*, and told apart from *none*."""
        if value is UNSET:
            return "not set"
        if self.kind is PropertyKind.FLAG:
            if value:
                return "yes"
            return "no"
        if value == self.none:
            return "none"
        if isinstance(value, tuple):
            return " ".join(value)
        return str(value)


def text_property(name: str, title: str, help: str) -> Property:
    """Return a property that is a text of one line; "" is *none*, and the default."""
    return Property(
        name,
        title,
        PropertyKind.TEXT,
        help,
        default="",
        none="",
        shown=False,
        read=_read_text,
    )


def scale_property() -> Property:
    """Return the property that says how wide a cell is in the world that a map shows."""
    title = "S&cale"
    text = f"How wide a cell is, such as {EXAMPLE}: for distances, the scale bar and prints"
    return replace(text_property(SCALE, title, text), why_not=why_no_width)


def flag_property(name: str, title: str, help: str) -> Property:
    """Return a property of yes or no; no is *none*, and the default."""
    return Property(
        name,
        title,
        PropertyKind.FLAG,
        help,
        default=False,
        none=False,
        shown=False,
        read=_read_flag,
    )


def names_property(name: str, title: str, help: str) -> Property:
    """Return a property that lists cells by name, which are marked on the map.

    The empty list is *none*, and the default.
    """
    return Property(
        name,
        title,
        PropertyKind.NAMES,
        help,
        default=(),
        none=(),
        shown=True,
        read=_read_names,
    )


def _read_text(value: object) -> str:
    """Return a value that is a text of one line. Raises ValueError for any other."""
    if not isinstance(value, str):
        raise ValueError(f"a text is expected, not {value!r:.60}")
    fault = fault_in_line(value)
    if fault:
        raise ValueError(f"the text {fault}")
    return value


def _read_flag(value: object) -> bool:
    """Return a value that is true or false. Raises ValueError for any other, 0 and 1 included."""
    if not isinstance(value, bool):
        raise ValueError(f"true or false is expected, not {value!r:.60}")
    return value


def _read_names(value: object) -> tuple[str, ...]:
    """Return a value that is a list of texts, as JSON has it. Raises ValueError for any other."""
    if not isinstance(value, list | tuple):
        raise ValueError(f"a list of names is expected, not {value!r:.60}")
    return tuple(_read_text(name) for name in value)
