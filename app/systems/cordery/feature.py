"""Wires the dice panel of wargame tables to the desk: its map, its rolls and its status line.

``DiceController`` joins the panel, ``Throwing`` (which lays the tables) and the rolls of the desk.
What a person chooses in the forms it applies itself. For all else it makes further controllers,
each in a module of its own::

    ThrowActionController   the actions that throw a table, and step back and forth
    PartThrows              the buttons that throw one part of the table again
    SavedChoices            choices that are saved under a name, such as a campaign's squares
    LogController           the page of the log
    AreaDecisions           decisions that are made by a click on an area of the map
    MovedNeighbours         tells what a newly laid table has moved besides
    EntryController         real dice, which a person throws and enters one by one
    TableReports            the text in the status line once a table is laid

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

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.cordery.area_decisions import AreaDecisions
from app.systems.cordery.dice_entry import DiceEntry
from app.systems.cordery.dice_panel import DICE, DicePanel
from app.systems.cordery.entry_controller import EntryController
from app.systems.cordery.log_controller import LogController
from app.systems.cordery.moved_neighbours import MovedNeighbours
from app.systems.cordery.part_throws import PartThrows
from app.systems.cordery.saved_choices import SavedChoices
from app.systems.cordery.table_messages import (
    FOR_ENTERED_DICE,
    FOR_NEXT_THROW,
    FREED_FOR_NEXT_THROW,
    LACKING_DICE,
    TableNews,
    describe_choices,
    describe_laid_again,
)
from app.systems.cordery.table_reports import TableReports
from app.systems.cordery.throw_actions import ThrowActionController, ThrowActions, new_throw_actions
from app.systems.cordery.throwing import LayingResult, Throwing
from randomizer.systems.cordery.choices import TYPED, Choices

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.systems.cordery.table_messages import Chosen


class _ScrollPositions(QObject):
    """Remembers for each map how far the page of choices was scrolled when the map was left."""

    def __init__(self, desk: Desk, panel: DicePanel) -> None:
        super().__init__(panel)
        self._document = desk.document
        self._scroll_bar = panel.choices_page.verticalScrollBar()
        self._scrolled_map = desk.document.current_map
        """The map whose choices are in view.

        When ``map_replaced`` comes it is the one that was current before.
        """
        self._positions: WeakKeyDictionary[OpenMap, int] = WeakKeyDictionary()
        """The values that the scroll bar had when other maps were left."""
        connect(desk.document.map_replaced, self._scroll)

    def _scroll(self) -> None:
        """Scroll the choices to the position that they had when the current map was left.

        A map that was not current before begins at the top. When this is called, the scroll bar
        still has the position of the previous map, which is remembered for it.
        """
        current_map = self._document.current_map
        if current_map is self._scrolled_map:
            return
        self._positions[self._scrolled_map] = self._scroll_bar.value()
        self._scrolled_map = current_map
        self._scroll_bar.setValue(self._positions.get(current_map, 0))


class DiceController(QObject):
    """Joins the panel with the desk, and lives as long as the panel, which is its parent.

    If a table lies on the map, a choice lays it again, which takes a job in the background. The
    sentences about it are noted when the job begins (``_news``). They are told when the table is
    laid, or, if it lacks dice that a person throws, when the first of these is asked for.
    """

    def __init__(self, desk: Desk, panel: DicePanel, actions: ThrowActions) -> None:
        """``actions`` are those of the panel."""
        super().__init__(panel)
        self._desk = desk
        self.panel = panel
        self.actions = actions
        self.throwing = Throwing(desk.document, desk.rolling, self)
        self.entry = DiceEntry(desk.document, self.throwing, desk.rolling, self)
        self._news = TableNews()
        """The sentences that are told once the table that is being laid lies."""
        self._log = LogController(desk, panel, self.throwing, self.entry, self)
        self._moved_neighbours = MovedNeighbours(desk, self.throwing, self.entry, self)
        self._areas = AreaDecisions(
            desk, panel, self.throwing, self.entry, self._moved_neighbours, self
        )
        self.saved = SavedChoices(desk, panel, self.throwing, self)
        self._connect()
        self._show_choices()
        self._make_further_controllers()

    def _connect(self) -> None:
        """Apply what is chosen in the forms, and show the choices of the map there."""
        panel = self.panel
        connect(panel.form.changed, self._choose)
        connect(panel.form.show_wanted, self.throwing.show_part)
        connect(panel.dice_form.changed, self._choose_dice)
        connect(panel.fixed_list.freed, self._free)
        connect(panel.strip.ended, self._moved_neighbours.forget)
        connect(self.saved.chosen, self._apply)
        connect(self.saved.print_wanted, self._log.print_text)
        connect(self.throwing.map_choices.changed, self._show_choices)

    def _make_further_controllers(self) -> None:
        """Make the controllers that nobody calls: they need nothing but the signals.

        They are children of the panel or of this object, and live as long.
        """
        desk = self._desk
        panel = self.panel
        throwing = self.throwing
        entry = self.entry
        ThrowActionController(self.actions, panel, desk.rolling, throwing)
        PartThrows(
            desk, panel, throwing, entry, self._areas, self._moved_neighbours, self._news, self
        )
        TableReports(desk, throwing, self._moved_neighbours, self._news, self)
        _ScrollPositions(desk, panel)
        # Last: it may begin to ask for dice at once.
        EntryController(desk, panel, throwing, entry, self._log, self._news, self)

    # --- choices ----------------------------------------------------------------------------

    def _show_choices(self) -> None:
        choices = self.throwing.map_choices.choices
        self.panel.show_choices(choices, self.throwing.map_choices.fixed)
        self.saved.show_dice_and_box()
        self.saved.show_squares()

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

    def _apply(self, values: Chosen) -> None:
        """Choose values of settings by name, and tell what that does.

        While dice are entered, or wait, the values are for their table. Else the table that lies is
        laid again at once, or the values are for the next one.
        """
        map_choices = self.throwing.map_choices
        choices = map_choices.choices
        changes = {name: value for name, value in values.items() if value != vars(choices)[name]}
        if not changes:
            self._show_choices()  # the same box of pieces may have been saved under another name
            return
        sentence = describe_choices(changes)
        if self._is_entry_begun:
            self._news.choice = sentence
            self.entry.change_choices(changes, sentence.removesuffix("."))
            self._desk.say(f"{sentence} {FOR_ENTERED_DICE}")
        elif self.throwing.lays_choices_at_once:
            self._lay_with_choices(changes)
        else:
            map_choices.choose(**changes)
            reason = FOR_NEXT_THROW
            if map_choices.choices.dice == TYPED:
                reason = FOR_ENTERED_DICE
            self._desk.say(f"{sentence} {reason}")

    @property
    def _is_entry_begun(self) -> bool:
        """True while dice of a table are entered, or wait: what is chosen is for that table."""
        return self.entry.is_asking or self.entry.waiting_dice is not None

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

    def _free(self, names: tuple[str, ...]) -> None:
        """Free dice or decisions that are fixed by hand, and lay the table without them."""
        decisions = dict.fromkeys(names, "")
        if self._is_entry_begun:
            fixed = self.throwing.map_choices.fixed_without(names)
            self.entry.change_choices({"fixed": fixed}, "Let the dice decide again")
        elif self.throwing.why_not():
            self.throwing.map_choices.fix(decisions)
            self._desk.say(FREED_FOR_NEXT_THROW)
        else:
            part = self._areas.first_part_with(names)
            self.throwing.lay_with(part, decisions=decisions)


def make(desk: Desk) -> DicePanel:
    """Return the panel, wired to the desk."""
    actions = new_throw_actions()
    panel = DicePanel(desk.rolling, actions)
    DiceController(desk, panel, actions)
    return panel
