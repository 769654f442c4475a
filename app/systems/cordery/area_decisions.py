"""Decisions about areas of a table, from the form of a log line and from the menu of the map.

A *decision* fixes by hand what a die would decide: "hill 2 at" is the name of the decision where
the *feature* "hill 2" stands. ``DiceController`` makes an ``AreaDecisions``. What a person decides
lays the table again (``Throwing.lay_with``), unless dice that were entered by hand wait for that
table. What has moved besides is told by ``MovedNeighbours``.

The area of a feature can be picked by a click on the map. A pick ends with the click, with Escape,
or when the map changes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.canvas.area_pick import NO_CELL, AreaPick
from app.qt_guard import connect
from app.systems.cordery.area_menu import Area, AreaMenu, MenuActions
from app.systems.cordery.log_controller import area_name
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    PICK_AREA,
)
from app.systems.cordery.throwing import LayingResult
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.page_parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtWidgets import QMenu

    from app.desk.desk import Desk
    from app.rolling.roll_request import RollRequest
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.moved_neighbours import MovedNeighbours
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.model.problems import Problem
    from randomizer.systems.cordery.choices import CountedRoute


class AreaDecisions(QObject):
    """Lays the table with what a person decides in place of its dice."""

    def __init__(
        self,
        desk: Desk,
        panel: DicePanel,
        throwing: Throwing,
        entry: DiceEntry,
        moved_neighbours: MovedNeighbours,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._moved_neighbours = moved_neighbours
        self._pick = AreaPick(desk.canvas, self)
        self._use_area: Callable[[str | None], object] | None = None
        """Called with the name of the area that is being picked, None if the user picks none.

        None itself while nothing is picked.
        """
        self._form_names: tuple[str, ...] = ()
        """The names of the decisions in the panel's form by which the table is being laid.

        () while no table is being laid from the form.
        """
        # The form, while the table is laid with its decisions.
        connect(panel.fix_form.decided, self._decide_in_form)
        connect(desk.rolling.finished, self._close_form)
        connect(desk.rolling.failed, self._refuse_in_form)
        # The menu of the map.
        connect(desk.cell_menu_made, self._add_to_menu)
        # An area that is picked on the map.
        connect(panel.fix_form.pick_wanted, self._pick_for_form)
        connect(self._pick.picked, self._on_picked)
        connect(desk.document.map_replaced, self._pick.cancel)
        connect(desk.document.changed, self._leave_pick)

    @property
    def has_waiting_dice(self) -> bool:
        """True if dice entered for a decision would replace those that wait for another table."""
        is_by_hand = self._throwing.map_choices.choices.dice == TYPED
        return is_by_hand and self._entry.waiting_dice is not None

    def _decide_in_form(self, values: dict[str, str]) -> None:
        """Lay the table with the values of the panel's form, as ``_decide``.

        The form stays open until the table lies: if none can be laid so, the form says why.
        """
        if not values:
            self._panel.fix_form.hide()
            return
        self._form_names = tuple(values)
        match self._decide(values):
            case LayingResult.LAYING:
                pass  # ``_close_form`` or ``_refuse_in_form`` follows
            case LayingResult.ASKING:
                self._close_form()  # the strip for the dice that the table lacks takes its place
            case LayingResult.NOTHING:
                self._form_names = ()  # the reason was told

    def _close_form(self) -> None:
        """Close the form if the table is laid with its decisions.

        If another roll was under way when they were made, the roll with them follows that. This is
        called after it has begun, so that ``busy`` is True: ``Throwing``, which begins it at the
        same signal, was connected earlier.
        """
        if self._form_names and not self._desk.rolling.busy:
            self._form_names = ()
            self._panel.fix_form.hide()

    def _refuse_in_form(self, _request: RollRequest, problems: Sequence[Problem]) -> None:
        """Say in the form why no table can be laid by what was decided there."""
        if self._form_names and problems:
            message = problems[0].message
            sentence = message[:1].upper() + message[1:]
            self._panel.fix_form.refuse(self._form_names, sentence)
            self._desk.say(sentence)  # also in the status line: a low panel cuts the form
        self._form_names = ()

    def _decide(self, values: dict[str, str]) -> LayingResult:
        """Lay the table with dice or decisions fixed by hand.

        ``values`` are their values by name, at least one; "" leaves one to the dice again.
        """
        if self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
            return LayingResult.NOTHING
        self._moved_neighbours.note_neighbours_of(values)
        result = self._throwing.lay_with(self.first_part_with(values), decisions=values)
        if result is not LayingResult.LAYING:
            # Nothing is laid now: if dice are asked for, the table lies much later.
            self._moved_neighbours.forget()
        return result

    def _add_route(self, route: CountedRoute, area: str) -> None:
        """Lay the table with one more route of a kind, which enters at the area of this name."""
        if self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
            return
        number = route.number + 1
        entry = {f"{route.noun} {number} entry at": area}
        self._throwing.lay_with(route.part, decisions=entry, values={route.setting: number})

    def first_part_with(self, names: Collection[str]) -> str:
        """Return the first part of the table that has one of these dice or decisions.

        If none has, it is the first of all parts, from which the whole table is laid.
        """
        for entry in self._throwing.table.log:
            names_of_entry = {name for name, _scores in entry.scores}
            names_of_entry |= {decision.name for decision in entry.line.decisions}
            if names_of_entry & set(names):
                return entry.part
        return PARTS[0]

    def _add_to_menu(self, menu: QMenu, cell: int) -> None:
        """Add the decisions about an area to its menu on the map."""
        if self._entry.has_question:
            return
        grid = self._desk.document.battlemap.grid
        is_at_rim = len(grid.neighbours(cell)) < grid.degree
        area = Area(cell, area_name(self._desk, cell), is_at_rim)
        area_menu = AreaMenu(
            self._throwing.table.log,
            self._throwing.map_choices.fixed,
            self._throwing.map_choices.choices.routes,
            partial(area_name, self._desk),
            MenuActions(self._decide, self._pick_for_decision, self._add_route),
        )
        area_menu.add_entries_to(menu, area)

    # --- picking an area on the map ---------------------------------------------------------

    def _pick_for_form(self) -> None:
        """Let the user pick an area on the map for the line of the panel's form."""
        self._pick_area(PICK_AREA, self._panel.fix_form.end_pick)

    def _pick_for_decision(self, decision: str) -> None:
        """Let the user pick the area of the decision of this name, and lay the table with it."""
        self._pick_area(f"{decision}: {PICK_AREA}", partial(self._decide_area, decision))

    def _decide_area(self, decision: str, area: str | None) -> None:
        if area is not None:
            self._decide({decision: area})

    def _pick_area(self, request: str, use_area: Callable[[str | None], object]) -> None:
        """Say the request, and call ``use_area`` with the area that the user picks then.

        An area that was to be picked before is picked no longer.
        """
        self._pick.cancel()
        self._use_area = use_area
        self._desk.say(request[:1].upper() + request[1:])
        self._pick.begin()

    def _leave_pick(self, _region: Region) -> None:
        """Stop picking an area: the map has changed."""
        self._pick.cancel()

    def _on_picked(self, cell: int) -> None:
        """Use the picked area; ``cell`` is ``NO_CELL`` if the user picked none."""
        self._desk.say("")  # the request to pick an area is over
        area = None
        if cell != NO_CELL:
            area = area_name(self._desk, cell)
        use_area = self._use_area
        self._use_area = None
        if use_area is not None:
            use_area(area)
