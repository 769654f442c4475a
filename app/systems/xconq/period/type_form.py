"""The form of a unit type or a terrain type of a period: its settings and their values.

A form has the texts of the type's definition (``TypeTexts``: character, name and a third one), and
values of some words. Each of these values is a ``Slot`` of the period: the word and its types. The
form of the unit type 2 (tank), in a period with the terrains sea and land::

    setting        slot                       value
    "char"         (a text)                   "t"
    "name"         (a text)                   "tank"
    "third"        (a text)                   "fast on land"
    "speed"        Slot("speed", 2)           3
    "moves 0"      Slot("moves", 2, 0)        none: the field is empty, a tank cannot enter the sea
    "moves 1"      Slot("moves", 2, 1)        0
    ...

``form_of_type`` makes a form, ``value_in`` and ``texts_of`` read the values that it has got.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from string import ascii_letters
from typing import TYPE_CHECKING

from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.colours import x11_colour
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.words import (
    MAX_NUMBER,
    MIN_NUMBER,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    words,
)

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

CANNOT_ENTER = -1
"""The value of the word ``moves`` where a unit cannot go. In the form its field is empty then."""

TEXT_SETTINGS = (
    Setting("char", str, "One character: stands for it in maps and files", "", title="Character"),
    Setting("name", str, "What it is called; a word of the period, too", "", title="Name"),
)
"""The settings of the texts that all types have."""

THIRD_TEXT_SETTINGS = {
    UNITS: Setting("third", str, "What players are told about it", "", title="Line of help"),
    TERRAINS: Setting(
        "third",
        str,
        "A name like green, or exactly: #a8c46c",
        "",
        title="Colour",
        colour_of=x11_colour,
    ),
}
"""The setting of the third text of a definition, by the kind of types."""

SINGLE_VALUE_WORDS = {
    UNITS: ("icon-name", "speed", "hp"),
    TERRAINS: ("min-alt", "max-alt", "min-wet", "max-wet"),
}
"""The words of a form for a type that have one value for it."""

MOVES = Setting(
    "moves",
    int,
    "The further moves that entering takes",
    minimum=0,
    maximum=MAX_NUMBER,
    unset="cannot enter",
    group="Further moves to enter",
)
"""The setting of one value of the word ``moves``, for a unit and a terrain."""

MAKE = Setting(
    "make",
    int,
    "The turns that making one takes",
    0,
    minimum=0,
    maximum=MAX_NUMBER,
    zero="no",
    group="Made by, in turns",
)
"""The setting of one value of the word ``make``, for the maker and the unit that is made."""


def fields_of_type(period: Period, kind: str, index: int) -> Iterator[tuple[Setting, Slot]]:
    """Yield the settings of a type's values, each with the value of the period that it shows.

    ``kind`` is ``UNITS`` or ``TERRAINS``; ``index`` is the number of the type, which may be that of
    a new one. Values of pairs come last: with each unit or terrain type the type has one.
    """
    # Words with one value for the type.
    for name in SINGLE_VALUE_WORDS[kind]:
        word = words()[name]
        setting = Setting(name, str, word.help, "", title=word.title)
        if word.shape is not Shape.TEXTS:
            setting = replace(
                setting,
                kind=int,
                default=word.default_number,
                minimum=MIN_NUMBER,
                maximum=MAX_NUMBER,
            )
        yield setting, Slot(name, index)

    # Words with a value for the type and each other one. A slot has the unit, then the terrain.
    if kind == TERRAINS:
        moves = replace(MOVES, group="Further moves of units that enter")
        for unit, unit_type in enumerate(period.units):
            setting = replace(moves, name=f"moves {unit}", title=unit_type.name)
            yield setting, Slot("moves", unit, index)
        return
    for terrain, terrain_type in enumerate(period.terrains):
        setting = replace(MOVES, name=f"moves {terrain}", title=terrain_type.name)
        yield setting, Slot("moves", index, terrain)
    for maker, maker_type in enumerate(period.units):
        setting = replace(MAKE, name=f"make {maker}", title=maker_type.name)
        yield setting, Slot("make", maker, index)


def form_of_type(
    period: Period, kind: str, index: int
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a type, and its values by the names of the settings."""
    settings = [*TEXT_SETTINGS, THIRD_TEXT_SETTINGS[kind]]
    values: dict[str, object] = dict(zip(TypeTexts._fields, period.types(kind)[index], strict=True))
    for setting, slot in fields_of_type(period, kind, index):
        settings.append(setting)
        value = value_of(period, slot)
        if slot.word == MOVES.name and isinstance(value, int) and value <= CANNOT_ENTER:
            continue  # the field is empty
        if value is None:
            values[setting.name] = setting.default
        else:
            values[setting.name] = value
    return tuple(settings), values


def value_in(values: Mapping[str, object], setting: Setting) -> int | str:
    """Return the value of a setting in a form, as periods have it.

    Only the fields of the word ``moves`` can be empty, which means that the unit cannot enter.
    """
    value = values.get(setting.name)
    if isinstance(value, int | str):
        return value
    return CANNOT_ENTER


def texts_of(values: Mapping[str, object]) -> TypeTexts:
    """Return the texts of a form that define a type."""
    return TypeTexts(*(str(values.get(name, "")).strip() for name in TypeTexts._fields))


def why_no_new_type(period: Period, kind: str, texts: TypeTexts) -> str:
    """Return why a period cannot get a new type of a kind with these texts, "" if it can."""
    if len(texts.char) != 1:
        return "A type is written with one character."
    if not texts.name:
        return "A type needs a name."
    if kind == TERRAINS and x11_colour(texts.third) is None:
        return f"“{texts.third}” is no colour: write a name like green, or #a8c46c."
    for kind_of_entry in (UNITS, RESOURCES, TERRAINS):
        for entry in period.types(kind_of_entry):
            if entry.char == texts.char:
                return f"“{texts.char}” stands for {entry.name} already: choose another character."
            if entry.name == texts.name:
                return f"There is a type {texts.name} already: choose another name."
    return ""


def free_char(period: Period) -> str:
    """Return a letter that stands for no type yet, "" if all do."""
    used_chars: set[str] = set()
    for kind in (UNITS, RESOURCES, TERRAINS):
        used_chars.update(entry.char for entry in period.types(kind))
    for letter in ascii_letters:
        if letter not in used_chars:
            return letter
    return ""
