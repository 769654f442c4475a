"""The values of a period as texts: as they are shown, as they are typed, and what sets them.

The *word* of a value says what it is, and so how it is shown. ``shown_value`` turns a value into a
text, ``typed_value`` a text into a value::

    a number                         4        "4", also typed as "4 %"
    true or false                    1        "yes", also typed as "true" or "1"
    a type, by its number            0        "infantry", also typed as its character, "i"
    a text                           "sea"    "sea"

A ``Slot`` is one value of a period: its word, and the types for which it holds. The first of the
``arguments`` of a word is the kind of its value (``_kind_of``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.systems.xconq.period.slots import Slot, assignment_of, names_of, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import (
    NOTHING,
    TERRAINS,
    UNITS,
    Shape,
    Word,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

MAX_DIGITS = 5
"""No number of a period has more digits; one that is too large all the same is refused later."""

VALUES_OF_YES_AND_NO = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}
"""The texts that can be typed for a word that is true or false, and their values."""

NO_TYPE = {UNITS: "nothing", TERRAINS: "none"}
"""The text of "no type", by the kind of types that a word has as its value."""


def _kind_of(word: Word) -> str:
    """Return the kind of the value of a word: "bool", a kind of types, or one of numbers."""
    return word.arguments[0]


def shown_value(period: Period, word: Word, value: int | str | None) -> str:
    """Return the text of a value: "yes" or "no", the name of a type, a number, or itself.

    "" for None, which is no value.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    kind = _kind_of(word)
    if kind == "bool" and value == 1:
        return "yes"
    if kind == "bool" and value == 0:
        return "no"
    if kind in NO_TYPE:
        types = period.types(kind)
        if 0 <= value < len(types):
            return types[value].name
        return NO_TYPE[kind]
    return str(value)


def typed_value(period: Period, word: Word, text: str) -> int | str | None:
    """Return the value of a typed text; None if the word cannot have it.

    A type is typed by its name or its character; a percent sign behind a number is ignored.
    """
    kind = _kind_of(word)
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return text
    text = text.strip().removesuffix("%").strip()
    if kind == "bool" and text.lower() in VALUES_OF_YES_AND_NO:
        return VALUES_OF_YES_AND_NO[text.lower()]
    if kind in NO_TYPE:
        return _typed_type(period, kind, text)
    digits = text.removeprefix("-")
    if digits.isdecimal() and digits.isascii() and len(digits) <= MAX_DIGITS:
        return int(text)
    return None


def _typed_type(period: Period, kind: str, text: str) -> int | None:
    """Return the number of the type with this name or character; None if there is none.

    A text that fits several types means none of them.
    """
    types = period.types(kind)
    names = [entry.name for entry in types]
    if names.count(text) == 1:
        return names.index(text)
    chars = [entry.char for entry in types]
    if chars.count(text) == 1:
        return chars.index(text)
    # Only a unit type can be set to none, not a terrain type.
    if kind == UNITS and text == NO_TYPE[kind]:
        return NOTHING
    return None


def describe_expected(word: Word) -> str:
    """Return a text on what can be typed for a word, such as "yes or no"; no text is refused."""
    kind = _kind_of(word)
    if kind == "bool":
        return "yes or no"
    if kind in NO_TYPE:
        return f"the name of a {kind} type"
    return "a whole number"


def is_default(period: Period, word: Word, slot: Slot) -> bool:
    """Return whether a value equals that of a period which does not set it."""
    value = value_of(period, slot)
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return (value or "") == word.default
    return value == word.default_number


def describe_slot(period: Period, slot: Slot) -> str:
    """Return the types of a value, if it has any, and where it is set, as sentences."""
    names = names_of(period, slot)
    if not names:
        return describe_setter(period, slot)
    return f"{', '.join(names)}. {describe_setter(period, slot)}"


def describe_setter(period: Period, slot: Slot) -> str:
    """Return a text that tells where a value is set, and whether it can be changed there."""
    assignment = assignment_of(period, slot)
    if assignment is None:
        return "Not set: this is the default."
    obstacle = why_not_plain(period, slot)
    if obstacle is not None:
        return obstacle.why
    return f"Set in line {assignment.place.line}."
