"""What the buttons beside the parts of a table do: ``PartButtons``.

One shows or hides the layer of the part, the other throws its dice again.

A table is laid in *parts* in the order of ``PARTS``, such as hills, water and roads. If one of them
gets other dice, all parts after it are laid again on top of it, with the dice that they had.
Features stay in their areas as long as these are free. Who throws the other dice is a choice: the
program, or a person who then enters them one after the other (``DiceEntry``).
"""

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
from app.systems.cordery.table_setups import ENTERING
from app.systems.cordery.throwing import Throwing
from randomizer.model.edits.layer_edits import set_visible
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.page_parts import PARTS, TITLES

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.systems.cordery.area_decisions import AreaDecisions
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.moved_neighbours import MovedNeighbours


class PartButtons(QObject):
    """Enables the buttons beside the parts, and does what they say.

    ``MovedNeighbours`` compares the table after a throw with the one before, so it notes that one
    first.
    """

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
        """``news`` gets what is to be told once the table is laid."""
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._areas = areas
        self._moved_neighbours = moved_neighbours
        self._news = news
        connect(panel.form.show_wanted, self._show_part)
        connect(panel.form.throw_wanted, self._throw_again)
        connect(throwing.map_choices.changed, self._show_buttons)
        connect(throwing.parts_changed, self._show_buttons)
        connect(entry.waiting_changed, self._show_buttons)
        self._show_buttons()

    @property
    def _is_thrown_by_hand(self) -> bool:
        """True if a person throws the dice, and enters them."""
        return self._throwing.map_choices.choices.dice == TYPED

    def _show_buttons(self) -> None:
        """Describe beside each part what happens if it is thrown again, or why it cannot be."""
        tips = {}
        for part in PARTS:
            if self._is_thrown_by_hand:
                tips[part] = describe_throw_by_hand(part)
            else:
                fixed_dice = self._throwing.map_choices.fixed_dice_of(part)
                tips[part] = describe_next_throw(part, len(fixed_dice))
        why_not = ""
        if self._entry.is_asking:
            why_not = ENTERING
        elif self._areas.has_waiting_dice:
            why_not = DICE_WAIT
        self._panel.form.show_parts(self._throwing.table.parts(), tips, why_not)

    def _show_part(self, part: str, visible: bool) -> None:
        """Show or hide the layer of a part, as an undo step."""
        layer = self._throwing.table.parts().get(part)
        if layer is None:
            return
        document = self._desk.document
        edit = set_visible(document.battlemap, layer.id, visible=visible)
        if edit is None:
            return
        if visible:
            document.push(edit, f"Show {layer.name}")
        else:
            document.push(edit, f"Hide {layer.name}")

    def _throw_again(self, part: str) -> None:
        """Throw the dice of a part again, or ask for them; the parts after it follow."""
        table = self._throwing.table
        if self._desk.rolling.busy:
            return  # the part is about to be laid
        if not table.has_fresh_log:
            return  # its dice are worked out still: that takes a moment
        if not table.may_have_dice(part):
            self._desk.say(f"{TITLES[part]}: no dice are thrown for this part of the table.")
        elif self._is_thrown_by_hand:
            self._throw_by_hand(part)
        else:
            self._throw_by_program(part)

    def _throw_by_program(self, part: str) -> None:
        """Throw the dice of a part; what has moved by that is told once the table lies."""
        self._moved_neighbours.note_later_parts(part)
        throw = self._throwing.throw_again(part)
        if not throw.is_laying:
            self._moved_neighbours.forget()
            return
        self._news.text = describe_throw(part, drops_dice=throw.drops_dice)
        if part == "water":
            self._news.announce_all_rivers()

    def _throw_by_hand(self, part: str) -> None:
        """Ask for the dice of a part; the old table stays on the map until all are entered.

        The dice of all other parts have to be known. They are not if the ground was changed below a
        table that the program threw; those of a table laid by hand are in its roll.
        """
        table = self._throwing.table
        if table.has_unknown_dice and not table.is_laid_by_hand:
            self._desk.say(UNKNOWN_DICE)
            return
        title = TITLES[part].lower()
        self._news.lacking_dice = f"Your own dice for {title}: {ENTERING_PART}"
        self._moved_neighbours.note_later_parts(part)
        self._entry.begin_part_again(part)
