"""Wires the dice panel of wargame tables to the desk: its map, its rolls and its status line.

``DiceController`` joins the panel, ``Throwing`` (the choices of a map and the log of its dice) and
the rolls of the desk. It makes further controllers, each in a module of its own::

    SavedChoices       choices that are saved under a name, such as a campaign's squares
    LogController      the page of the log
    AreaDecisions      decisions that are made by a click on an area of the map
    EntryController    real dice, which a person throws and enters one by one
    TableReports       the text in the status line once a table is laid

None decides a rule of a table; they turn the signals of one object into calls of another. A choice
in the panel goes this way::

    panel.form.changed -> _choose -> _apply -> throwing.lay_with -> (a job rolls the table)
                                        |                              |
                                 notes what to tell: ``_news``     TableReports tells it
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.commands.commands import WHY
from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.cordery.area_decisions import AreaDecisions
from app.systems.cordery.dice_entry import DiceEntry
from app.systems.cordery.dice_panel import DICE, DicePanel
from app.systems.cordery.entry_controller import EntryController
from app.systems.cordery.log_controller import LogController
from app.systems.cordery.moved_neighbours import MovedNeighbours
from app.systems.cordery.saved_choices import SavedChoices
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    ENTERING_PART,
    FOR_ENTERED_DICE,
    FOR_NEXT_THROW,
    FREED_FOR_NEXT_THROW,
    LACKING_DICE,
    UNKNOWN_DICE,
    TableNews,
    describe_choices,
    describe_laid_again,
    describe_next_throw,
    describe_throw,
    describe_throw_by_hand,
)
from app.systems.cordery.table_reports import TableReports
from app.systems.cordery.throwing import ENTERING, LayingResult, Throwing
from app.widgets.layout.builders import plain_text
from randomizer.systems.cordery.choices import TYPED, Choices
from randomizer.systems.cordery.page_parts import PARTS, TITLES

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.systems.cordery.table_messages import Chosen


THROW = "Throw the dice for a new table; it replaces the one thrown before"
"""The tip of the action that throws a table."""


class DiceController(QObject):
    """Joins the panel with the desk, and lives as long as the panel, which is its parent.

    If a table lies on the map, a choice lays it again, which takes a job in the background. The
    sentences about it are noted when the job begins (``_news``). They are told when the table is
    laid, or, if it lacks dice that a person throws, when the first of these is asked for.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._rolling = desk.rolling
        self.throw_action = _action("&Throw", THROW)
        self.back_action = _action("&Back", "The table before this one")
        self.forth_action = _action("&Forth", "The table after this one")
        actions = (self.throw_action, self.back_action, self.forth_action)
        self.panel = panel = DicePanel(self._rolling, actions)
        super().__init__(panel)
        for action in actions:
            action.setParent(panel)  # the panel exists only now, and takes the actions itself
        self.throwing = Throwing(desk.document, self._rolling, self)
        self.entry = DiceEntry(desk.document, self.throwing, self._rolling, self)
        self._news = TableNews()
        """The sentences that are told once the table that is being laid lies."""
        self._log = LogController(desk, panel, self.throwing, self.entry, self)
        self._moved_neighbours = MovedNeighbours(desk, self.throwing, self.entry, self)
        connect(panel.strip.ended, self._moved_neighbours.forget)
        self._areas = AreaDecisions(
            desk, panel, self.throwing, self.entry, self._moved_neighbours, self
        )
        self._connect_actions()
        self.saved = SavedChoices(desk, panel, self.throwing, self)
        connect(self.saved.print_wanted, self._log.print_text)
        connect(self.saved.chosen, self._apply)
        self._connect_choices()
        # Children of this object, which live as long, and need nothing but the signals.
        TableReports(desk, self.throwing, self._moved_neighbours, self._news, self)
        self._scrolled_map = desk.document.current_map
        """The map whose choices are in view.

        When ``map_replaced`` comes it is the one that was current before.
        """
        self._positions: WeakKeyDictionary[OpenMap, int] = WeakKeyDictionary()
        """The values that the scroll bar of the choices had when other maps were left."""
        connect(desk.document.map_replaced, self._scroll_choices)
        EntryController(desk, panel, self.throwing, self.entry, self._log, self._news, self)
        connect(self.entry.waiting_changed, self._show_again_buttons)
        self._show_choices()
        self._show_parts()

    # --- throwing ---------------------------------------------------------------------------

    def _connect_actions(self) -> None:
        """Let the actions roll, and disable them whenever nothing can be rolled."""
        rolling = self._rolling
        connect(self.throw_action.triggered, lambda: rolling.roll())
        connect(self.back_action.triggered, lambda: rolling.step_back())
        connect(self.forth_action.triggered, lambda: rolling.step_forward())
        connect(rolling.enabled_changed, self._enable)
        self._enable()

    def _enable(self) -> None:
        """Enable the actions that can be done now; disabled ones get the reason."""
        rolling = self._rolling
        has_generator = self.throwing.table.generator is not None
        self.panel.tabs.setEnabled(has_generator)  # it may stay open beside a map of another kind

        why_not_throw = ""
        tip = THROW
        if self.throwing.entering:
            why_not_throw = ENTERING
            tip = ENTERING
        self.throw_action.setEnabled(has_generator and not why_not_throw)
        self.throw_action.setProperty(WHY, why_not_throw)
        self.throw_action.setToolTip(plain_text(tip))

        reasons = {
            self.back_action: rolling.why_not_back(),
            self.forth_action: rolling.why_not_forward(),
        }
        for action, why_not in reasons.items():
            action.setEnabled(has_generator and not why_not and not rolling.slow)
            action.setProperty(WHY, why_not)

    # --- choices ----------------------------------------------------------------------------

    def _connect_choices(self) -> None:
        """Apply what is chosen in the forms, and show the choices of the map there."""
        panel = self.panel
        throwing = self.throwing
        connect(panel.form.changed, self._choose)
        connect(panel.form.throw_wanted, self._throw_again)
        connect(panel.form.show_wanted, throwing.show_part)
        connect(panel.dice_form.changed, self._choose_dice)
        connect(panel.fixed_list.freed, self._free)
        connect(throwing.map_choices.changed, self._show_choices)
        connect(throwing.parts_changed, self._show_parts)

    def _show_choices(self) -> None:
        choices = self.throwing.map_choices.choices
        self.panel.show_choices(choices, self.throwing.map_choices.fixed)
        self.saved.show_dice_and_box()
        self.saved.show_squares()
        self._show_again_buttons()

    def _scroll_choices(self) -> None:
        """Scroll the choices to the position that they had when the current map was left.

        A map that was not current before begins at the top. When this is called, the scroll bar
        still has the position of the previous map, which is remembered for it.
        """
        current_map = self._desk.document.current_map
        if current_map is self._scrolled_map:
            return
        scroll_bar = self.panel.choices_page.verticalScrollBar()
        self._positions[self._scrolled_map] = scroll_bar.value()
        self._scrolled_map = current_map
        scroll_bar.setValue(self._positions.get(current_map, 0))

    def _show_parts(self) -> None:
        """Enable what can be done with the parts of the table that lies now."""
        self._show_again_buttons()
        self._enable()

    def _show_again_buttons(self) -> None:
        """Describe beside each part what happens if it is thrown again, or why it cannot be."""
        throwing = self.throwing
        has_own_dice = throwing.map_choices.choices.dice == TYPED
        tips = {}
        for part in PARTS:
            if has_own_dice:
                tips[part] = describe_throw_by_hand(part)
            else:
                tips[part] = describe_next_throw(
                    part, len(throwing.map_choices.fixed_dice_of(part))
                )
        why_not = ""
        if self.entry.is_asking:
            why_not = ENTERING
        elif self._areas.has_waiting_dice:
            why_not = DICE_WAIT
        self.panel.form.show_parts(throwing.table.parts(), tips, why_not)

    def _choose(self, name: str) -> None:
        """Apply the value that the form has for the setting ``name``."""
        self._apply({name: self.panel.form.values()[name]})

    def _choose_dice(self, name: str) -> None:
        """Apply the value that the form of dice has for the setting ``name``."""
        value = self.panel.dice_form.values()[name]
        if name != DICE.name:
            self._apply({name: value})
            return
        # The setting ``dice`` says who throws them. It changes nothing on a table that lies, but
        # dice that are being asked for have no meaning any more.
        self.entry.stop()
        self.throwing.map_choices.choose(**{name: value})
        self._show_parts()

    def _apply(self, values: Chosen) -> None:
        """Choose values of settings by name, lay a table that lies again with them, and tell it."""
        choices = self.throwing.map_choices.choices
        changes = {name: value for name, value in values.items() if value != vars(choices)[name]}
        if not changes:
            self._show_choices()  # the same box of pieces may have been saved under another name
            return
        is_entry_begun = self.entry.is_asking or self.entry.waiting_dice is not None
        if is_entry_begun:
            news = describe_choices(changes)
            self._news.choice = news
            self.entry.change_choices(changes, news.removesuffix("."))
            self._desk.say(f"{news} {FOR_ENTERED_DICE}")
        elif self.throwing.lays_choices_at_once:
            self._lay_with_choices(changes)
        else:
            self.throwing.map_choices.choose(**changes)
            reason = FOR_NEXT_THROW
            if self.throwing.map_choices.choices.dice == TYPED:
                reason = FOR_ENTERED_DICE
            self._desk.say(f"{describe_choices(changes)} {reason}")

    def _lay_with_choices(self, changes: Chosen) -> None:
        """Lay the table again from the first part that changed choices concern."""
        news = describe_choices(changes)
        previous_choices = self.throwing.map_choices.choices
        part = Choices.of({**self.throwing.map_choices.values, **changes}).first_part(changes)
        self._news.text = f"{news} {describe_laid_again(part)}"
        self._news.asks_what_is_joined = bool(changes.get("join"))
        if "rivers" in changes:
            self._news.first_new_river = previous_choices.rivers + 1
        self._news.lacking_dice = f"{news} {LACKING_DICE}"
        result = self.throwing.lay_with(part, values=changes)
        if result is LayingResult.NOTHING:
            self._news.forget()  # the reason was told

    def _throw_again(self, part: str) -> None:
        """Throw the dice of a part again, or ask for them, and lay it and the parts after it."""
        throwing = self.throwing
        is_laying = self._rolling.busy
        if is_laying or not throwing.table.has_fresh_log:
            return  # the dice of the part are not known yet
        entries = [entry for entry in throwing.table.log if entry.part == part]
        # Only a visible part is in the log. An entry without planes has no scores either, as the
        # map below has changed since: there may have been dice.
        may_have_dice = any(entry.scores or entry.planes is None for entry in entries)
        if throwing.table.parts()[part].visible and not may_have_dice:
            self._desk.say(f"{TITLES[part]}: no dice are thrown for this part of the table.")
            return
        if throwing.map_choices.choices.dice == TYPED:
            self._throw_again_by_hand(part)
            return
        self._moved_neighbours.note_later_parts(part)
        drops_dice = throwing.throw_again(part)
        if self._rolling.busy:
            self._news.text = describe_throw(part, drops_dice=drops_dice)
            if part == "water":
                self._news.first_new_river = 1
        else:
            self._moved_neighbours.forget()  # nothing is thrown, and the reason was told

    def _throw_again_by_hand(self, part: str) -> None:
        """Ask for the dice of a part; the old table stays on the map until all are entered."""
        throwing = self.throwing
        has_unknown_dice = any(entry.planes is None for entry in throwing.table.log)
        if has_unknown_dice and not throwing.table.is_laid_by_hand:
            self._desk.say(UNKNOWN_DICE)
            return
        title = TITLES[part].lower()
        self._news.lacking_dice = f"Your own dice for {title}: {ENTERING_PART}"
        self._moved_neighbours.note_later_parts(part)
        self.entry.begin_part_again(part)

    def _free(self, names: tuple[str, ...]) -> None:
        """Free dice or decisions that are fixed by hand, and lay the table without them."""
        decisions = dict.fromkeys(names, "")
        if self.entry.is_asking:
            fixed = self.throwing.map_choices.fixed_without(names)
            self.entry.change_choices({"fixed": fixed}, "Let the dice decide again")
        elif self.throwing.why_not():
            self.throwing.map_choices.fix(decisions)
            self._desk.say(FREED_FOR_NEXT_THROW)
        else:
            part = self._areas.first_part_with(names)
            self.throwing.lay_with(part, decisions=decisions)


def _action(text: str, tip: str) -> QAction:
    """Return an action with the same tip beside it and in the status line."""
    action = QAction(text)
    action.setStatusTip(tip)
    action.setToolTip(plain_text(tip))
    return action


def make(desk: Desk) -> DicePanel:
    """Return the panel, wired to the desk."""
    return DiceController(desk).panel
