"""The page of types: each unit or terrain type in a form, and new ones as copies of one.

``TypesPage`` is a list of the types with the form of the chosen one (``type_form``). The types of a
period are defined in its text, so a change in the form changes that text: the page asks for it by a
signal, and is shown the period again when the changed text has been read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from app.systems.xconq.period.type_form import (
    fields_of_type,
    form_of_type,
    free_char,
    texts_of,
    value_in,
    why_no_new_type,
)
from app.widgets.forms.form_dialog import FormDialog
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, removing
from randomizer.systems.xconq.period.changed_types import TypeTexts
from randomizer.systems.xconq.period.type_changes import change_type
from randomizer.systems.xconq.period.type_copies import copy_type
from randomizer.systems.xconq.period.type_removal import remove_type
from randomizer.systems.xconq.period.words import TERRAINS
from randomizer.systems.xconq.terrain.terrain_meaning import looks_of

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period

WIDTH = 400
"""The width of the dialog for a new type, in logical pixels."""


class TypesPage(EntryEditor):
    """The types of one kind (``UNITS`` or ``TERRAINS``) of a period, by their numbers.

    It changes nothing itself; its signals ask for changes of the text.
    """

    typed = Signal(object, object)
    """A value is to change: its ``Slot``, and the int or str."""

    changed = Signal(object, str)
    """(make, name): the text of the period is to change.

    ``make(text, further=...)`` returns the new text, ``name`` is that of the undo step.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind.capitalize()} types of the period")
        self._kind = kind
        self._period: Period | None = None
        """The period whose types are listed; None until the first ``show_period``."""
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
        """Ask for another value; the period is read again before it is shown.

        The values of the whole form are read: name, character and third text change together. True:
        the change is under way.
        """
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
            index_of_new_type = len(period.types(kind))
            different_values = {}
            for setting, slot in fields_of_type(period, kind, index_of_new_type):
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
