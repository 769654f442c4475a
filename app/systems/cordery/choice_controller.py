"""Applies what is chosen in the forms of the dice panel: ``ChoiceController``.

What a choice does depends on the dice of the map::

    dice are entered, or wait       it is for their table, which may take other dice then
    a table lies that follows       it is laid again at once, with the same dice
    no such table lies              it is for the next throw

To lay a table takes a job in the background. So what is to be told of it is noted in ``TableNews``
when the job begins. It is told when the table is laid, or, if it lacks dice that a person throws,
when the first of these is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.systems.cordery.dice_panel import DICE
from app.systems.cordery.table_messages import (
    FOR_ENTERED_DICE,
    FOR_NEXT_THROW,
    FREED_FOR_NEXT_THROW,
    LACKING_DICE,
    TableNews,
    describe_choices,
    describe_laid_again,
)
from app.systems.cordery.throwing import LayingResult
from randomizer.systems.cordery.choices import TYPED, Choices

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.area_decisions import AreaDecisions
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.saved_choices import SavedChoices
    from app.systems.cordery.table_messages import Chosen
    from app.systems.cordery.throwing import Throwing

JOIN = "join"
"""The setting whether villages are joined to a road."""

RIVERS = "rivers"
"""The setting of the number of rivers."""


class ChoiceController(QObject):
    """Applies choices in the panel, and shows there what is chosen for the current map."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        entry: DiceEntry,
        areas: AreaDecisions,
        saved: SavedChoices,
        news: TableNews,
        parent: QObject,
    ) -> None:
        """``news`` gets what is to be told once the table is laid."""
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._map_choices = throwing.map_choices
        self._entry = entry
        self._areas = areas
        self._saved = saved
        self._news = news
        connect(panel.form.changed, self._choose)
        connect(panel.dice_form.changed, self._choose_in_dice_form)
        connect(panel.fixed_list.freed, self._free)
        connect(saved.chosen, self._apply)
        connect(throwing.map_choices.changed, self._show_choices)
        self._show_choices()

    def _show_choices(self) -> None:
        self._panel.show_choices(self._map_choices.choices, self._map_choices.fixed)
        self._saved.show_dice_and_box()
        self._saved.show_squares()

    @property
    def _is_entry_begun(self) -> bool:
        """True while dice of a table are entered, or wait: what is chosen is for that table."""
        return self._entry.is_asking or self._entry.waiting_dice is not None

    # --- choices in the forms ---------------------------------------------------------------

    def _choose(self, name: str) -> None:
        """Apply the value that the form of the table has for the setting ``name``."""
        self._apply({name: self._panel.form.values()[name]})

    def _choose_in_dice_form(self, name: str) -> None:
        """Apply the value that the form of dice and box has for the setting ``name``."""
        value = self._panel.dice_form.values()[name]
        if name != DICE.name:
            self._apply({name: value})
            return
        # The setting ``dice`` says who throws them. It changes nothing on a table that lies, but
        # dice that are being asked for have no meaning any more.
        self._entry.stop()
        self._map_choices.choose(**{name: value})

    def _apply(self, values: Chosen) -> None:
        """Choose values of settings by name, and tell what that does."""
        choices = vars(self._map_choices.choices)
        changes = {name: value for name, value in values.items() if value != choices[name]}
        if not changes:
            self._show_choices()  # the same box of pieces may have been saved under another name
        elif self._is_entry_begun:
            self._choose_for_entered_dice(changes)
        elif self._throwing.lays_choices_at_once:
            self._lay_table_with(changes)
        else:
            self._choose_for_next_throw(changes)

    def _choose_for_entered_dice(self, changes: Chosen) -> None:
        """Choose values for the table whose dice are entered, or wait."""
        sentence = describe_choices(changes)
        self._news.choice = sentence
        title_of_step = sentence.removesuffix(".")
        self._entry.change_choices(changes, title_of_step)
        self._desk.say(f"{sentence} {FOR_ENTERED_DICE}")

    def _choose_for_next_throw(self, changes: Chosen) -> None:
        """Choose values for the next table; the map stays as it is."""
        self._map_choices.choose(**changes)
        reason = FOR_NEXT_THROW
        if self._map_choices.choices.dice == TYPED:
            reason = FOR_ENTERED_DICE
        self._desk.say(f"{describe_choices(changes)} {reason}")

    def _lay_table_with(self, changes: Chosen) -> None:
        """Lay the table again from the first part that changed choices concern."""
        sentence = describe_choices(changes)
        first_part = Choices.of({**self._map_choices.values, **changes}).first_part(changes)
        # Before the table is laid, as that can end at once.
        self._news.text = f"{sentence} {describe_laid_again(first_part)}"
        self._news.lacking_dice = f"{sentence} {LACKING_DICE}"
        self._news.asks_what_is_joined = bool(changes.get(JOIN))
        if RIVERS in changes:
            self._news.first_new_river = self._map_choices.choices.rivers + 1
        result = self._throwing.lay_with(first_part, values=changes)
        if result is LayingResult.NOTHING:
            self._news.forget()  # the reason was told

    # --- what is fixed by hand --------------------------------------------------------------

    def _free(self, names: tuple[str, ...]) -> None:
        """Free dice or decisions that are fixed by hand, and lay the table without them."""
        freed = dict.fromkeys(names, "")
        if self._is_entry_begun:
            fixed_text = self._map_choices.fixed_text_without(names)
            self._entry.change_choices({"fixed": fixed_text}, "Let the dice decide again")
        elif self._throwing.setups.why_not():
            self._map_choices.fix(freed)
            self._desk.say(FREED_FOR_NEXT_THROW)
        else:
            first_part = self._areas.first_part_with(names)
            self._throwing.lay_with(first_part, decisions=freed)
