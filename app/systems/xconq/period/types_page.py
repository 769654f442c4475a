"""The page of types: what a unit or terrain type is in a form, and a new one as a copy of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from string import ascii_letters
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from app.widgets.forms.form_dialog import FormDialog
from app.widgets.lists.entry_editor import EntryEditor, Form, Operation
from app.widgets.lists.entry_model import Entry
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.period.type_edits import TypeTexts, change_type, copy_type
from randomizer.systems.xconq.period.value_edits import LEAST, MOST, Slot, value_of
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, Shape, words
from randomizer.systems.xconq.terrain.terrain_meaning import looks_of

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

NEVER = -1
"""The value of the word ``moves`` where a unit cannot go."""

TEXTS = (
    Setting("char", str, "One character: stands for it in maps and files", "", title="Character"),
    Setting("name", str, "What it is called; a word of the period, too", "", title="Name"),
)
THIRD = {
    UNITS: Setting("third", str, "What players are told about it", "", title="Line of help"),
    TERRAINS: Setting("third", str, "A name like green, or exactly: #a8c46c", "", title="Colour"),
}
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
    least=0,
    most=MOST,
    unset="cannot enter",
    group="Moves on",
)
MAKE = Setting(
    "make",
    int,
    "The turns that making one takes",
    0,
    least=0,
    most=MOST,
    zero="no",
    group="Made by, in turns",
)


def fields_of_type(period: Period, kind: str, index: int) -> Iterator[tuple[Setting, Slot]]:
    """Yield the settings of a type's values, each with what it sets."""
    for name in WORDS[kind]:
        word = words()[name]
        setting = Setting(name, str, word.help, "", title=word.title)
        if word.shape is not Shape.TEXTS:
            setting = replace(
                setting, kind=int, default=word.default_number, least=LEAST, most=MOST
            )
        yield setting, Slot(name, index)
    if kind == UNITS:
        moves = MOVES
    else:
        moves = replace(MOVES, group="Who moves on it")
    for other_type, entry in enumerate(period.types(TERRAINS if kind == UNITS else UNITS)):
        pair = (index, other_type) if kind == UNITS else (other_type, index)
        yield replace(moves, name=f"moves {other_type}", title=entry.name), Slot("moves", *pair)
    if kind == UNITS:
        for maker, unit in enumerate(period.units):
            setting = replace(MAKE, name=f"make {maker}", title=unit.name)
            yield setting, Slot("make", maker, index)


def form_of_type(
    period: Period, kind: str, index: int
) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """Return the settings of a type and its values."""
    fields = tuple(fields_of_type(period, kind, index))
    texts = (*TEXTS, THIRD[kind])
    values: dict[str, object] = dict(zip(TypeTexts._fields, period.types(kind)[index], strict=True))
    for setting, slot in fields:
        value = value_of(period, slot)
        if not (slot.word == "moves" and isinstance(value, int) and value < 0):
            values[setting.name] = setting.default if value is None else value
    return (*texts, *(setting for setting, _slot in fields)), values


def value_in(values: Mapping[str, object], setting: Setting) -> int | str:
    """Return the value of a setting in a form as periods have it."""
    value = values.get(setting.name)
    return value if isinstance(value, int | str) else NEVER


def texts_of(values: Mapping[str, object]) -> TypeTexts:
    """Return what a form says that defines a type."""
    return TypeTexts(*(str(values.get(name, "")).strip() for name in TypeTexts._fields))


class TypesPage(EntryEditor):
    """The types of one kind (``UNITS`` or ``TERRAINS``) of a period, by their numbers.

    The page changes nothing itself.

    ``typed(Slot, value)``: a value is to change. ``changed(make, title)``: the text of the period
    is to become what ``make(text, further=further)`` makes of it.
    """

    typed = Signal(object, object)
    changed = Signal(object, str)

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind.capitalize()} types of the period")
        self._kind = kind
        self._period: Period | None = None
        tip = "Add a type to the period that is like this one"
        self.offer(Operation("New like this...", tip, self.ask_for_copy, key=Qt.Key.Key_Insert))

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
        """Want another value; the period is read again before it is shown."""
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

    def ask_for_copy(self, like: int) -> None:
        """Ask what a type like this one is to be, and want it."""
        period = self._period
        assert period is not None, "its types are listed"
        kind = self._kind
        settings, values = form_of_type(period, kind, like)
        original = period.types(kind)[like]
        all_values = values | {
            "char": free_char(period),
            "name": f"new-{original.name.replace(' ', '-')}",
        }

        def want(chosen: dict[str, object]) -> None:
            new = len(period.types(kind))
            values_of_others = {
                slot: value_in(chosen, setting)
                for setting, slot in fields_of_type(period, kind, new)
                if chosen.get(setting.name) != values.get(setting.name)
            }
            texts = texts_of(chosen)
            make = partial(
                copy_type, kind=kind, original=like, texts=texts, values=values_of_others
            )
            self.changed.emit(make, f"New {kind} type {texts.name}")

        about = f"A copy of {original.name} in every word, but for what you change here."
        dialog = FormDialog(f"New {kind} type", about, settings, all_values, want, self)
        dialog.setMinimumWidth(WIDTH)
        dialog.open()


def free_char(period: Period) -> str:
    """Return a letter that stands for no type yet, "" if all do."""
    used = {entry.char for kind in (UNITS, RESOURCES, TERRAINS) for entry in period.types(kind)}
    return next((letter for letter in ascii_letters if letter not in used), "")
