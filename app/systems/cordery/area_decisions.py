"""Lays the table with what a person decides about its features: ``AreaDecisions``.

A *feature* is anything that stands or runs on a table, such as "hill 2" or "road 1". A *decision*
fixes by hand what dice would decide about it: with the decision "hill 2 at" = "0304" hill 2 stands
in the area 0304. The table is laid again with the same dice, but for what is decided::

    areas.decide({"hill 2 at": "0304"})     # lays hills, and all parts of the table after them
    areas.decide({"hill 2 at": ""})         # leaves it to the dice again

What else has moved by that is told by ``MovedNeighbours``. The user decides in the menu of an area
on the map, which is made here, or in the form of a line of the log (``FixFormController``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.qt_guard import connect
from app.systems.cordery.area_menu import Area, AreaMenu, MenuActions
from app.systems.cordery.area_request import AreaRequest
from app.systems.cordery.log_controller import area_name
from app.systems.cordery.table_messages import DICE_WAIT, PICK_AREA
from app.systems.cordery.throwing import LayingResult
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.page_parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from PySide6.QtWidgets import QMenu

    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.moved_neighbours import MovedNeighbours
    from app.systems.cordery.throwing import Throwing
    from randomizer.systems.cordery.choices import CountedRoute


class AreaDecisions(QObject):
    """Lays the table with decisions, and offers them in the menu of an area."""

    def __init__(
        self,
        desk: Desk,
        throwing: Throwing,
        entry: DiceEntry,
        moved_neighbours: MovedNeighbours,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._throwing = throwing
        self._entry = entry
        self._moved_neighbours = moved_neighbours
        self._request: AreaRequest | None = None
        """Asks for an area on the map; None while none is asked for."""
        connect(desk.cell_menu_made, self._add_to_menu)

    # --- lay the table ----------------------------------------------------------------------

    @property
    def has_waiting_dice(self) -> bool:
        """True if dice entered for a decision would replace those that wait for another table."""
        is_by_hand = self._throwing.map_choices.choices.dice == TYPED
        return is_by_hand and self._entry.waiting_dice is not None

    def decide(self, decisions: Mapping[str, str]) -> LayingResult:
        """Lay the table with decisions, or dice, that are fixed by hand.

        ``decisions`` are their values by name, at least one; "" leaves one to the dice again.
        """
        if self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
            return LayingResult.NOTHING
        self._moved_neighbours.note_neighbours_of(decisions)
        result = self._throwing.lay_with(self.first_part_with(decisions), decisions=decisions)
        if result is LayingResult.NOTHING:
            self._moved_neighbours.forget()
        return result

    def _add_route(self, route: CountedRoute, area: str) -> None:
        """Lay the table with one more route of a kind, which enters at the area of this name."""
        if self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
            return
        number = route.number + 1
        self._throwing.lay_with(
            route.part,
            decisions={f"{route.noun} {number} entry at": area},
            values={route.setting: number},
        )

    def first_part_with(self, names: Collection[str]) -> str:
        """Return the first part of the table that has one of these dice or decisions.

        If none has, it is the first of all parts, from which the whole table is laid.
        """
        for log_entry in self._throwing.table.log:
            names_of_entry = {name for name, _scores in log_entry.scores}
            names_of_entry |= {decision.name for decision in log_entry.line.decisions}
            if names_of_entry & set(names):
                return log_entry.part
        return PARTS[0]

    # --- the menu of an area ----------------------------------------------------------------

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
            MenuActions(self.decide, self._request_area_for, self._add_route),
        )
        area_menu.add_entries_to(menu, area)

    def _request_area_for(self, decision: str) -> None:
        """Let the user click an area, and lay the table with the decision of this name for it."""
        request = self.request_area(f"{decision}: {PICK_AREA}")
        connect(request.chosen, partial(self._decide_area, decision))

    def _decide_area(self, decision: str, area: str) -> None:
        self.decide({decision: area})

    # --- an area that is clicked on the map -------------------------------------------------

    def request_area(self, text: str) -> AreaRequest:
        """Ask the user for an area with a text; an area that was asked for before is not any more.

        The caller connects the signals of the request.
        """
        if self._request is not None:
            self._request.cancel()
        self._request = AreaRequest(self._desk, text, self)
        connect(self._request.ended, self._forget_request)
        return self._request

    def _forget_request(self) -> None:
        self._request = None
