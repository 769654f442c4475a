"""Writes the values of a period as texts, and reads the texts that a user types for them.

A *period* is the rules of a game of Xconq. Its language has some hundred *words*, such as
``speed``, that hold values. A word holds values of one ``Form``, which decides how they are shown
and what can be typed for them::

    Form       value      shown_value     typed_value also reads
    NUMBER     4          "4"             "4 %"
    YES_OR_NO  1          "yes"           "true" and "1"
    TYPE       0          "infantry"      "i", its character
    TEXT       "sea"      "sea"

The number of a type is its index in the period: 0 is the first unit type. A ``Slot`` is the place
of one value: the name of the word and, if it holds many, the numbers of the types that it is for.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from randomizer.systems.xconq.period.slots import Slot, assignment_of, names_of, value_of
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.period.words import (
    MAX_NUMBER,
    MIN_NUMBER,
    NOTHING,
    TERRAINS,
    UNITS,
    Shape,
    Word,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period


class Form(Enum):
    """The form of the values of a word (``form_of``)."""

    NUMBER = auto()
    """A whole number, also one that is meant as a percentage or a distance."""

    YES_OR_NO = auto()
    """1 for yes, 0 for no. A period can hold other numbers, which are shown as they are."""

    TYPE = auto()
    """The number of a unit type or of a terrain type, or a number that stands for no type."""

    TEXT = auto()
    """Any text; None for a unit type that has none."""


NAME_OF_NO_TYPE = {UNITS: "nothing", TERRAINS: "none"}
"""What is shown for no type, by the kind of types that a word has as its values."""


def form_of(word: Word) -> Form:
    """Return the form of a word's values."""
    if word.shape in (Shape.TEXT, Shape.TEXTS):
        return Form.TEXT
    kind = _value_kind(word)
    if kind == "bool":
        return Form.YES_OR_NO
    if kind in NAME_OF_NO_TYPE:
        return Form.TYPE
    return Form.NUMBER


def _value_kind(word: Word) -> str:
    """Return the kind of a word's values, one of ``VALUE_KINDS``.

    "terrain" for ``edge-terrain``, whose values are terrain types, "n" for ``speed``.
    """
    # In a period's text the value stands before the types that it is for: ``9 infantry speed``.
    return word.arguments[0]


# --- from values to texts -----------------------------------------------------------------------


def shown_value(period: Period, word: Word, value: int | str | None) -> str:
    """Return a value of a word as it is shown; "" for a text that is None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    form = form_of(word)
    if form is Form.YES_OR_NO and value in (0, 1):
        return _yes_or_no(value)
    if form is Form.TYPE:
        return _name_of_type(period, _value_kind(word), value)
    return str(value)


def shown_default(word: Word) -> str:
    """Return the value that a word has where no line sets it, as it is shown; "empty" for ""."""
    form = form_of(word)
    if form is Form.YES_OR_NO:
        return _yes_or_no(word.default_number)
    # For units the table of words says "nothing", which is what is shown.
    if form is Form.TYPE and word.default == "-1":
        return NAME_OF_NO_TYPE[TERRAINS]
    return word.default or "empty"


def _yes_or_no(value: int) -> str:
    """Return "no" for 0, else "yes"."""
    if value == 0:
        return "no"
    return "yes"


def _name_of_type(period: Period, kind: str, number: int) -> str:
    """Return the name of the type with this number, or that of no type."""
    types = period.types(kind)
    if 0 <= number < len(types):
        return types[number].name
    return NAME_OF_NO_TYPE[kind]


# --- from texts to values -----------------------------------------------------------------------


def typed_value(period: Period, word: Word, text: str) -> int | str | None:
    """Return the value that a user means by a text; None if the word cannot have it."""
    match form_of(word):
        case Form.TEXT:
            return text
        case Form.YES_OR_NO:
            return _typed_yes_or_no(text.strip())
        case Form.TYPE:
            return _typed_type(period, _value_kind(word), text.strip())
        case Form.NUMBER:
            return _typed_number(text.strip())


def describe_expected(word: Word) -> str:
    """Return what can be typed for a word, such as "yes or no", to end a sentence with."""
    match form_of(word):
        case Form.TEXT:
            return "a text"
        case Form.YES_OR_NO:
            return "yes or no"
        case Form.TYPE:
            return f"the name of a {_value_kind(word)} type"
        case Form.NUMBER:
            return f"a whole number from {MIN_NUMBER} to {MAX_NUMBER}"


def _typed_yes_or_no(text: str) -> int | None:
    """Return 1 for yes and 0 for no, in capitals or not, None for another text."""
    # True and false are how a period's text spells them, where 1 and 0 are common, too.
    values = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}
    return values.get(text.lower())


def _typed_type(period: Period, kind: str, text: str) -> int | None:
    """Return the number of the type with this name or else this character; None if there is none.

    Two types may have the same name. A text that fits several means none of them.
    """
    types = period.types(kind)
    names = [entry.name for entry in types]
    if names.count(text) == 1:
        return names.index(text)
    characters = [entry.char for entry in types]
    if characters.count(text) == 1:
        return characters.index(text)
    # The language has a word for no unit type, but none for no terrain type.
    if kind == UNITS and text == NAME_OF_NO_TYPE[UNITS]:
        return NOTHING
    return None


def _typed_number(text: str) -> int | None:
    """Return the number of a text such as "-7", "65%" or "65 %"; None if a period cannot hold it.

    A period's text may have a percent sign behind any number, where it means nothing.
    """
    text = text.removesuffix("%").rstrip()
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal():
        return None
    # Python refuses to convert thousands of digits. Zeros in front do not make a number large.
    significant_digits = digits.lstrip("0")
    if len(significant_digits) > len(str(MAX_NUMBER)):
        return None
    number = int(significant_digits or "0")
    if text.startswith("-"):
        number = -number
    if not MIN_NUMBER <= number <= MAX_NUMBER:
        return None
    return number


# --- where a value comes from -------------------------------------------------------------------


def is_default(period: Period, word: Word, slot: Slot) -> bool:
    """Return whether the value at a slot is the one that it has where no line sets it."""
    value = value_of(period, slot)
    if form_of(word) is Form.TEXT:
        return (value or "") == word.default
    return value == word.default_number


def describe_slot(period: Period, slot: Slot) -> str:
    """Return the types of a slot, if it has any, and where its value is set, as sentences.

    Such as "land, infantry. Set in line 12." for a slot of ``moves``.
    """
    names = names_of(period, slot)
    if not names:
        return _describe_origin(period, slot)
    return f"{', '.join(names)}. {_describe_origin(period, slot)}"


def _describe_origin(period: Period, slot: Slot) -> str:
    """Return the line that sets a value, or why the value cannot be changed in that line."""
    assignment = assignment_of(period, slot)
    if assignment is None:
        return "Not set: this is the default."
    obstacle = why_not_plain(period, slot)
    if obstacle is not None:
        return obstacle.why
    return f"Set in line {assignment.place.line}."
