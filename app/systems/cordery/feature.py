"""Wires the dice panel of wargame tables to the desk: its map, its rolls and its status line.

``DiceController`` joins the panel, ``Throwing`` (the choices of a map and the log of its dice) and
the rolls of the desk. Three others join further parts: ``LogController`` the page of the log,
``AreaDecisions`` what is decided by hand, ``EntryController`` the dice that are entered. None
decides a rule of a table; they turn the signals of one object into calls of another, and tell the
user what came of them.
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
from app.systems.cordery.saved_choices import SavedChoices
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    ENTERING_PART,
    FOR_ENTERED_DICE,
    FOR_NEXT_THROW,
    FREED_FOR_NEXT_THROW,
    LACKING_DICE,
    MOST_LETTERS,
    PAINTED_GROUND,
    UNKNOWN_DICE,
    TableNews,
    describe_choices,
    describe_laid_again,
    describe_next_throw,
    describe_notes,
    describe_throw,
    describe_throw_by_hand,
    describe_wide_rivers,
)
from app.systems.cordery.throwing import ENTERING, Throwing
from app.widgets.layout.builders import plain_text
from randomizer.systems.cordery.choices import PARTS, TITLES, Choices

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.rolling.roll_request import RollRequest
    from app.systems.cordery.table_messages import Chosen
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base


STEP_OF_JOINING = "3.4"
"""The step of the page that joins villages and towns to a road."""

THROW = "Throw the dice for a new table; it replaces the one thrown before"
"""The tip of the action that throws a table."""


class DiceController(QObject):
    """Joins the panel with the desk, and lives as long as the panel, which is its parent.

    A choice for a table that lies lays it again in a background job. What to tell of that is noted
    when it begins (``_news``) and told when the table is laid, or when the first die that it lacks
    is asked for.
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
            action.setParent(panel)
        self.throwing = Throwing(desk.document, self._rolling, self)
        self.entry = DiceEntry(desk.document, self.throwing, self._rolling, self)
        self._news = TableNews()
        self._problems: tuple[Problem, ...] = ()
        """The problems of the last roll."""
        self._log = LogController(desk, panel, self.throwing, self.entry, self)
        self._areas = AreaDecisions(desk, panel, self.throwing, self.entry, self)
        self._connect_actions()
        self.saved = SavedChoices(desk, panel, self.throwing, self)
        connect(self.saved.print_wanted, self._log.print_text)
        connect(self.saved.chosen, self._take)
        self._connect_choices()
        self._connect_rolls()
        self._scrolled_map = desk.document.current_map
        """The map whose choices are in view."""
        self._positions: WeakKeyDictionary[OpenMap, int] = WeakKeyDictionary()
        """How far the choices of other maps are scrolled: the values of the scroll bar."""
        connect(desk.document.map_replaced, self._scroll_choices)
        EntryController(desk, panel, self.throwing, self.entry, self._log, self._news, self)
        connect(self.entry.waiting_changed, self._show_again_buttons)
        self._show_choices()
        self._show_parts()

    # --- throwing ---------------------------------------------------------------------------

    def _connect_actions(self) -> None:
        """Let the actions roll, and follow whether they can."""
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
        """Take choices from the forms, and show those that the map has."""
        panel = self.panel
        throwing = self.throwing
        connect(panel.form.changed, self._choose)
        connect(panel.form.part_again, self._throw_again)
        connect(panel.form.part_shown, throwing.show_part)
        connect(panel.dice_form.changed, self._choose_dice)
        connect(panel.fixed_list.freed, self._free)
        connect(throwing.choices_changed, self._show_choices)
        connect(throwing.parts_changed, self._show_parts)

    def _show_choices(self) -> None:
        choices = self.throwing.choices
        self.panel.show_choices(choices, self.throwing.fixed)
        self.saved.show_dice()
        self.saved.show_squares()
        self._show_again_buttons()

    def _scroll_choices(self) -> None:
        """Scroll the choices to where they were for the map that is current now, else to the top.

        They have the rows of the previous map still, and its position.
        """
        current_map = self._desk.document.current_map
        if current_map is self._scrolled_map:
            return
        scroll_bar = self.panel.choices_page.verticalScrollBar()
        self._positions[self._scrolled_map] = scroll_bar.value()
        self._scrolled_map = current_map
        scroll_bar.setValue(self._positions.get(current_map, 0))

    def _show_parts(self) -> None:
        self._show_again_buttons()
        self._enable()

    def _show_again_buttons(self) -> None:
        """Describe beside each part what happens if it is thrown again, or why it cannot be."""
        throwing = self.throwing
        has_own_dice = throwing.choices.dice == "typed"
        tips = {}
        for part in PARTS:
            if has_own_dice:
                tips[part] = describe_throw_by_hand(part)
            else:
                tips[part] = describe_next_throw(part, len(throwing.fixed_dice_of(part)))
        why_not = ""
        if self.entry.is_asking:
            why_not = ENTERING
        elif self._areas.has_waiting_dice:
            why_not = DICE_WAIT
        self.panel.form.show_parts(throwing.table.parts(), tips, why_not)

    def _choose(self, name: str) -> None:
        """Choose what the form has for a setting."""
        self._take({name: self.panel.form.values()[name]})

    def _choose_dice(self, name: str) -> None:
        """Choose what the form of dice has for a setting.

        Who throws the dice changes nothing on a table that lies; entering of dice ends with it.
        """
        value = self.panel.dice_form.values()[name]
        if name != DICE.name:
            self._take({name: value})
            return
        self.entry.stop()
        self.throwing.choose(**{name: value})
        self._show_parts()

    def _take(self, values: Chosen) -> None:
        """Choose these values, lay a table that lies again with them, and tell it."""
        choices = self.throwing.choices
        changes = {name: value for name, value in values.items() if value != vars(choices)[name]}
        if not changes:
            self._show_choices()  # a box may have got another name
            return
        is_entry_begun = self.entry.is_asking or self.entry.waiting_dice is not None
        if is_entry_begun:
            news = describe_choices(changes)
            self._news.choice = news
            self.entry.choose(changes, news.removesuffix("."))
            self._desk.say(f"{news} {FOR_ENTERED_DICE}")
        elif self.throwing.lays_choices_at_once:
            self._lay_with_choices(changes)
        else:
            self.throwing.choose(**changes)
            reason = FOR_NEXT_THROW
            if self.throwing.choices.dice == "typed":
                reason = FOR_ENTERED_DICE
            self._desk.say(f"{describe_choices(changes)} {reason}")

    def _lay_with_choices(self, changes: Chosen) -> None:
        """Lay the table again from the first part that changed choices concern."""
        news = describe_choices(changes)
        previous_choices = self.throwing.choices
        part = Choices.of({**self.throwing.chosen, **changes}).first_part(changes)
        self._news.text = f"{news} {describe_laid_again(part)}"
        self._news.asks_what_is_joined = bool(changes.get("join"))
        if "rivers" in changes:
            self._news.first_new_river = previous_choices.rivers + 1
        self._news.lacking_dice = f"{news} {LACKING_DICE}"
        self.throwing.lay_with(part, {}, changes)
        if not (self._rolling.busy or self.entry.is_asking):
            self._news.forget()  # nothing is laid, and the reason was told

    def _throw_again(self, part: str) -> None:
        """Throw the dice of a part again, or ask for them, and lay it and the parts after it."""
        throwing = self.throwing
        is_throwing = self._rolling.busy
        if is_throwing or not throwing.table.has_fresh_log:
            return  # its dice are not known yet
        entries = [entry for entry in throwing.table.log if entry.part == part]
        # A hidden part has no lines in the log, and a line without planes does not know its dice.
        may_have_dice = any(entry.scores or entry.planes is None for entry in entries)
        if throwing.table.parts()[part].visible and not may_have_dice:
            self._desk.say(f"{TITLES[part]}: no dice are thrown for this part of the table.")
            return
        if throwing.choices.dice == "typed":
            self._throw_again_by_hand(part)
            return
        self._areas.note_later_parts(part)
        drops_dice = throwing.throw_again(part)
        if self._rolling.busy:
            self._news.text = describe_throw(part, drops_dice=drops_dice)
            if part == "water":
                self._news.first_new_river = 1
        else:
            self._areas.forget_neighbours()  # nothing is thrown, and the reason was told

    def _throw_again_by_hand(self, part: str) -> None:
        """Ask for the dice of a part; the table stays in sight until they are there."""
        throwing = self.throwing
        has_unknown_dice = any(entry.planes is None for entry in throwing.table.log)
        if has_unknown_dice and not throwing.table.is_laid_by_hand:
            self._desk.say(UNKNOWN_DICE)
            return
        title = TITLES[part].lower()
        self._news.lacking_dice = f"Your own dice for {title}: {ENTERING_PART}"
        self._areas.note_later_parts(part)
        self.entry.throw_again(part)

    def _free(self, names: tuple[str, ...]) -> None:
        """Free dice or decisions that are fixed by hand, and lay the table without them."""
        decisions = dict.fromkeys(names, "")
        if self.entry.is_asking:
            fixed = self.throwing.fixed_without(names)
            self.entry.choose({"fixed": fixed}, "Let the dice decide again")
        elif self.throwing.why_not():
            self.throwing.fix(decisions)
            self._desk.say(FREED_FOR_NEXT_THROW)
        else:
            self.throwing.lay_with(self._areas.part_of(names), decisions, {})

    # --- messages ---------------------------------------------------------------------------

    def _connect_rolls(self) -> None:
        connect(self._rolling.reported, self._on_reported)
        connect(self._rolling.finished, self._on_finished)
        connect(self._rolling.failed, self._news.forget)
        connect(self.throwing.table.log_changed, self._tell_what_is_joined)
        connect(self.throwing.table.log_changed, self._tell_wide_rivers)
        connect(self._areas.neighbours_moved, self._tell_moved)
        connect(self._areas.later_parts_moved, self._tell_displaced)

    def _on_reported(self, problems: tuple[Problem, ...]) -> None:
        self._problems = problems

    def _on_finished(self, request: RollRequest) -> None:
        """Tell what was laid, and its problems, unless the table is already being laid once more.

        That is so if something was chosen meanwhile: then the end of that roll tells it.
        """
        if self.throwing.table.generator is None or self._rolling.busy:
            return
        sentences = [self._news.text]
        settings = request.setup.settings
        is_whole_table = "first" not in settings
        if is_whole_table and settings.get("dice") != "typed":
            self._news.first_new_river = 1
        if is_whole_table and _has_paint(request.base):
            sentences.append(PAINTED_GROUND)
        sentences.append(describe_notes(self._problems, len(" ".join(sentences))))
        first_new_river = self._news.first_new_river
        self._news.forget()
        self._news.first_new_river = first_new_river  # told when the log is there
        self._news.last_text = " ".join(filter(None, sentences))
        if self._news.last_text:
            self._desk.say(self._news.last_text)

    def _tell_what_is_joined(self) -> None:
        """Tell which village is joined to a road, or why none is, once that was chosen and laid.

        Where the log has several lines about that, it is read there.
        """
        if not self._news.asks_what_is_joined:
            return
        if self._rolling.busy or not self.throwing.table.has_fresh_log:
            return
        self._news.asks_what_is_joined = False
        log = self.throwing.table.log
        lines = [entry.line for entry in log if entry.line.step == STEP_OF_JOINING]
        if len(lines) == 1:
            self._desk.say(f"{lines[0].words}.")

    def _tell_wide_rivers(self) -> None:
        """Tell which of the rivers that were just laid are two areas wide: they look like lakes."""
        if self._rolling.busy or not self.throwing.table.has_fresh_log:
            return
        first_new_river = self._news.first_new_river
        self._news.first_new_river = 0
        if not first_new_river:
            return
        wide_rivers = [number for number in self._wide_rivers() if number >= first_new_river]
        if not wide_rivers:
            return
        text = self._news.last_text
        sentence = describe_wide_rivers(wide_rivers)
        if len(f"{text} {sentence}") <= MOST_LETTERS:
            text = f"{text} {sentence}".lstrip()
        else:
            text = f"{sentence} {text}"
        self._news.last_text = text
        self._desk.say(text)

    def _wide_rivers(self) -> list[int]:
        """Return the numbers of the rivers of the table that are two areas wide."""
        numbers = []
        for entry in self.throwing.table.log:
            for decision in entry.line.decisions:
                # The line about the width of a river has areas only if the river is wide.
                if decision.name == f"{decision.feature} width" and entry.line.cells:
                    numbers.append(int(decision.feature.removeprefix("river ")))
        return numbers

    def _tell_moved(self, text: str) -> None:
        """Tell what a decision has moved besides, after what was told when the table was laid."""
        self._news.last_text = f"{text} {self._news.last_text}".rstrip()
        self._desk.say(self._news.last_text)

    def _tell_displaced(self, text: str) -> None:
        """Tell what a part that was thrown again has moved, after the sentence that names it."""
        self._news.last_text = f"{self._news.last_text} {text}".lstrip()
        self._desk.say(self._news.last_text)


def _has_paint(base: Base) -> bool:
    """Return whether the layers below a table have anything on them.

    Paint that was undone leaves a plane of defaults.
    """
    planes = base.composite.planes
    return any((planes[spec.name] != spec.default).any() for spec in base.system.shown_planes)


def _action(text: str, tip: str) -> QAction:
    action = QAction(text)
    action.setStatusTip(tip)
    action.setToolTip(plain_text(tip))
    return action


def make(desk: Desk) -> DicePanel:
    """Return the panel, wired to the desk."""
    return DiceController(desk).panel
