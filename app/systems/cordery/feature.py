"""Makes the dice panel of wargame tables, and the controllers that join it with the desk.

A *table* is a map that is made by dice and Cordery's rules. To *lay* it is to roll its layers,
which ``Throwing`` does. The panel shows what is chosen for it, the dice, and what they decided.
Each controller turns the signals of one part of the panel into calls of ``Throwing`` or of another
controller, and none decides a rule of a table::

    ChoiceController        what is chosen in the forms
    SavedChoices            choices that are saved under a name, such as a campaign's squares
    AreaDecisions           decisions about an area, from its menu on the map
    FixFormController       decisions and dice of a line of the log, from its form
    ThrowActionController   the actions that throw a table, and step back and forth
    PartButtons             the buttons that show and hide a part of the table, or throw it again
    LogController           the page of the log
    EntryController         real dice, which a person throws and enters one by one
    MovedNeighbours         tells what else has moved when a table is laid again
    TableReports            the text in the status line once a table is laid
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.cordery.area_decisions import AreaDecisions
from app.systems.cordery.choice_controller import ChoiceController
from app.systems.cordery.dice_entry import DiceEntry
from app.systems.cordery.dice_panel import DicePanel
from app.systems.cordery.entry_controller import EntryController
from app.systems.cordery.fix_form_controller import FixFormController
from app.systems.cordery.log_controller import LogController
from app.systems.cordery.moved_neighbours import MovedNeighbours
from app.systems.cordery.part_buttons import PartButtons
from app.systems.cordery.saved_choices import SavedChoices
from app.systems.cordery.table_messages import TableNews
from app.systems.cordery.table_reports import TableReports
from app.systems.cordery.throw_actions import ThrowActionController, ThrowActions, new_throw_actions
from app.systems.cordery.throwing import Throwing

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


def make(desk: Desk) -> DicePanel:
    """Return the panel, wired to the desk."""
    actions = new_throw_actions()
    panel = DicePanel(desk.rolling, actions)
    DiceController(desk, panel, actions)  # the panel, its parent, keeps it
    return panel


class DiceController(QObject):
    """Makes all that joins the panel with the desk, and lives as long as the panel, its parent."""

    def __init__(self, desk: Desk, panel: DicePanel, actions: ThrowActions) -> None:
        """``actions`` are those that the buttons of the panel trigger."""
        super().__init__(panel)
        self.panel = panel
        self.actions = actions
        self.throwing = Throwing(desk.document, desk.rolling, self)
        throwing = self.throwing
        self.entry = DiceEntry(desk.document, throwing, desk.rolling, self)
        entry = self.entry
        news = TableNews()  # what is to be told once the table that is being laid lies

        # The page of the log, and decisions about what it tells.
        log = LogController(desk, panel, throwing, entry, self)
        moved_neighbours = MovedNeighbours(desk, throwing, entry, self)
        areas = AreaDecisions(desk, throwing, entry, moved_neighbours, self)
        self._fix_form = FixFormController(desk, panel.fix_form, throwing, areas, self)

        # The page of the choices.
        self.saved = SavedChoices(desk, panel, throwing, self)
        self._choices = ChoiceController(
            desk, panel, throwing, entry, areas, self.saved, news, self
        )
        self._part_buttons = PartButtons(
            desk, panel, throwing, entry, areas, moved_neighbours, news, self
        )
        self._scroll_positions = _ScrollPositions(desk, panel)

        # What rolls, and what is told of it.
        self._throw_actions = ThrowActionController(
            actions, panel.tabs, desk.rolling, throwing, panel
        )
        self._reports = TableReports(desk, throwing, moved_neighbours, news, self)

        connect(self.saved.print_wanted, log.print_text)
        # Last: it may begin to ask for dice at once.
        self._entry_controller = EntryController(desk, panel, throwing, entry, log, news, self)


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
