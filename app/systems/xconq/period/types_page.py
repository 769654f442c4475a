"""The page of types: each unit or terrain type in a form, and new ones as copies of one.

A form has the texts of a type's definition (``TypeTexts``), and the values of some words, each of
which is a ``Slot`` of the period: see ``fields_of_type``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from string import ascii_letters
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from app.widgets.forms.form_dialog import FormDialog
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, removing
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.colours import x11_colour
from randomizer.systems.xconq.period.slots import Slot, value_of
from randomizer.systems.xconq.period.type_changes import change_type
from randomizer.systems.xconq.period.type_copies import copy_type
from randomizer.systems.xconq.period.type_removal import remove_type
from randomizer.systems.xconq.period.words import (
    LEAST_NUMBER,
    MOST_NUMBER,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    words,
)
from randomizer.systems.xconq.terrain.terrain_meaning import looks_of

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

NEVER = -1
"""The value of the word ``moves`` where a unit cannot go."""

TEXTS = (
    Setting("char", str, "One character: stands for it in maps and files", "", title="Character"),
    Setting("name", str, "What it is called; a word of the period, too", "", title="Name"),
)
"""The settings of the texts that all types have."""

THIRD = {
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
"""The setting of the third text, by the kind of types."""

WORDS = {
    UNITS: ("icon-name", "speed", "hp"),
    TERRAINS: ("min-alt", "max-alt", "min-wet", "max-wet"),
}
"""The words of a form for a type that have one value for it."""

WIDTH = 400
"""The width of the dialog for a new type, in logical pixels."""

MOVES = Setting(
    "moves",
    int,
    "The further moves that entering takes",
    minimum=0,
    maximum=MOST_NUMBER,
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
    maximum=MOST_NUMBER,
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
    for name in WORDS[kind]:
        word = words()[name]
        setting = Setting(name, str, word.help, "", title=word.title)
        if word.shape is not Shape.TEXTS:
            setting = replace(
                setting,
                kind=int,
                default=word.default_number,
                minimum=LEAST_NUMBER,
                maximum=MOST_NUMBER,
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
    settings = [*TEXTS, THIRD[kind]]
    values: dict[str, object] = dict(zip(TypeTexts._fields, period.types(kind)[index], strict=True))
    for setting, slot in fields_of_type(period, kind, index):
        settings.append(setting)
        value = value_of(period, slot)
        if slot.word == MOVES.name and isinstance(value, int) and value < 0:
            # Its field is left unset: the unit cannot enter.
            continue
        if value is None:
            values[setting.name] = setting.default
        else:
            values[setting.name] = value
    return tuple(settings), values


def value_in(values: Mapping[str, object], setting: Setting) -> int | str:
    """Return the value of a setting in a form as periods have it; an unset one is ``NEVER``."""
    value = values.get(setting.name)
    if isinstance(value, int | str):
        return value
    return NEVER


def texts_of(values: Mapping[str, object]) -> TypeTexts:
    """Return the texts of a form that define a type."""
    return TypeTexts(*(str(values.get(name, "")).strip() for name in TypeTexts._fields))


class TypesPage(EntryEditor):
    """The types of one kind (``UNITS`` or ``TERRAINS``) of a period, by their numbers.

    The page changes nothing itself.
    """

    typed = Signal(object, object)
    """A value is to change: its ``Slot``, and the int or str."""

    changed = Signal(object, str)
    """The text of the period is to change: a function ``make(text, further=...)`` that returns the
    new text, and the name of the undo step."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind.capitalize()} types of the period")
        self._kind = kind
        self._period: Period | None = None
        tip = "Add a type to the period that is like this one"
        self.offer(
            Operation("New like this...", tip, self.ask_for_copy, key=Qt.Key.Key_Insert),
            removing("Take this type out of the text of the period", self.remove),
        )

    def show_period(self, period: Period) -> None:
        """Show the types of a period; the chosen one stays chosen."""
        self._period = period
        self.refresh()

    def entries(self) -> Iterable[Entry]:
        if self._period is None:
            return
        types = self._period.types(self._kind)
        colours = [""] * len(types)
        if self._kind == TERRAINS:
            colours = [look.colour for look in looks_of(self._period.terrains)]
        for code, (period_type, colour) in enumerate(zip(types, colours, strict=True)):
            yield Entry(code, (f"{period_type.char}  {period_type.name}",), colour)

    def settings_of(self, code: int) -> Form:
        assert self._period is not None, "its types are listed"
        return form_of_type(self._period, self._kind, code)

    def change(self, code: int, name: str, value: object) -> bool:
        """Ask for another value; the period is read again before it is shown."""
        assert self._period is not None, "its types are listed"
        kind = self._kind
        values = self.form.values()
        if name in TypeTexts._fields:
            texts = texts_of(values)
            make = partial(change_type, kind=kind, index=code, texts=texts)
            self.changed.emit(make, f"Change {kind} type {texts.name}")
        for setting, slot in fields_of_type(self._period, kind, code):
            if setting.name == name:
                self.typed.emit(slot, value_in(values, setting))
        return True

    def remove(self, code: int) -> None:
        """Ask for the text of the period without a type; the period is read again after that."""
        assert self._period is not None, "its types are listed"
        name = self._period.types(self._kind)[code].name
        make = partial(remove_type, kind=self._kind, index=code)
        self.changed.emit(make, f"Remove {self._kind} type {name}")

    def ask_for_copy(self, original: int) -> None:
        """Open a form with the values of a type, for a new type; emit ``changed`` for that."""
        period = self._period
        assert period is not None, "its types are listed"
        kind = self._kind
        settings, values = form_of_type(period, kind, original)
        original_name = period.types(kind)[original].name
        suggested_values = values | {
            "char": free_char(period),
            "name": f"new-{original_name.replace(' ', '-')}",
        }

        def ask_for_type(chosen_values: dict[str, object]) -> None:
            """Emit the change that adds the type; ``copy_type`` gets only what differs."""
            new_type = len(period.types(kind))
            different_values = {}
            for setting, slot in fields_of_type(period, kind, new_type):
                if chosen_values.get(setting.name) != values.get(setting.name):
                    different_values[slot] = value_in(chosen_values, setting)
            texts = texts_of(chosen_values)
            make = partial(
                copy_type, kind=kind, original=original, texts=texts, values=different_values
            )
            self.changed.emit(make, f"New {kind} type {texts.name}")

        about = f"A copy of {original_name} in every word, but for what you change here."
        title = f"New {kind} type"

        def why_not(chosen_values: Mapping[str, object]) -> str:
            return why_no_new_type(period, kind, texts_of(chosen_values))

        dialog = FormDialog(
            title, about, settings, suggested_values, ask_for_type, self, why_not=why_not
        )
        dialog.setMinimumWidth(WIDTH)
        dialog.open()


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
