"""Throws single parts of a table again: ``PartThrows``, behind the buttons beside the parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    ENTERING_PART,
    UNKNOWN_DICE,
    TableNews,
    describe_next_throw,
    describe_throw,
    describe_throw_by_hand,
)
from app.systems.cordery.throwing import ENTERING, Throwing
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.page_parts import PARTS, TITLES

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.area_decisions import AreaDecisions
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.moved_neighbours import MovedNeighbours


class PartThrows(QObject):
    """Throws the dice of a part again, or has them entered; the parts after it follow."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        entry: DiceEntry,
        areas: AreaDecisions,
        moved_neighbours: MovedNeighbours,
        news: TableNews,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._areas = areas
        self._moved_neighbours = moved_neighbours
        self._news = news
        connect(panel.form.throw_wanted, self._throw_again)
        connect(throwing.map_choices.changed, self.show_buttons)
        connect(throwing.parts_changed, self.show_buttons)
        connect(entry.waiting_changed, self.show_buttons)
        self.show_buttons()

    def show_buttons(self) -> None:
        """Describe beside each part what happens if it is thrown again, or why it cannot be."""
        map_choices = self._throwing.map_choices
        has_own_dice = map_choices.choices.dice == TYPED
        tips = {}
        for part in PARTS:
            if has_own_dice:
                tips[part] = describe_throw_by_hand(part)
            else:
                tips[part] = describe_next_throw(part, len(map_choices.fixed_dice_of(part)))
        why_not = ""
        if self._entry.is_asking:
            why_not = ENTERING
        elif self._areas.has_waiting_dice:
            why_not = DICE_WAIT
        self._panel.form.show_parts(self._throwing.table.parts(), tips, why_not)

    def _throw_again(self, part: str) -> None:
        """Throw the dice of a part again, or ask for them, and lay it and the parts after it."""
        table = self._throwing.table
        is_laying = self._desk.rolling.busy
        if is_laying or not table.has_fresh_log:
            return  # the dice of the part are not known yet
        if not table.may_have_dice(part):
            self._desk.say(f"{TITLES[part]}: no dice are thrown for this part of the table.")
        elif self._throwing.map_choices.choices.dice == TYPED:
            self._throw_again_by_hand(part)
        else:
            self._throw_again_by_program(part)

    def _throw_again_by_program(self, part: str) -> None:
        """Throw the dice of a part; what has moved by that is told once the table lies."""
        self._moved_neighbours.note_later_parts(part)
        drops_dice = self._throwing.throw_again(part)
        if not self._desk.rolling.busy:
            self._moved_neighbours.forget()  # nothing is thrown, and the reason was told
            return
        self._news.text = describe_throw(part, drops_dice=drops_dice)
        if part == "water":
            self._news.first_new_river = 1  # all rivers are laid anew

    def _throw_again_by_hand(self, part: str) -> None:
        """Ask for the dice of a part; the old table stays on the map until all are entered.

        The dice of all other parts have to be known. They are not if the ground was changed below a
        table that the program threw; those of a table laid by hand are in its roll.
        """
        table = self._throwing.table
        has_unknown_dice = any(entry.planes is None for entry in table.log)
        if has_unknown_dice and not table.is_laid_by_hand:
            self._desk.say(UNKNOWN_DICE)
            return
        title = TITLES[part].lower()
        self._news.lacking_dice = f"Your own dice for {title}: {ENTERING_PART}"
        self._moved_neighbours.note_later_parts(part)
        self._entry.begin_part_again(part)
