"""Decisions about areas of a table, from the form of a log line and from the menu of the map.

A *decision* fixes by hand what a die would decide: "hill 2 at" is the name of the decision where
the *feature* "hill 2" stands. ``DiceController`` makes an ``AreaDecisions``. What a person decides
lays the table again (``Throwing.lay_with``), unless dice that were entered by hand wait for that
table. As the dice place each hill from the one before it, a decision about one feature can move
others: the user is told which (``_note_neighbours``, ``_tell_moved_neighbours``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.canvas.area_pick import AreaPick
from app.qt_guard import connect
from app.systems.cordery.area_menu import Area, AreaMenu
from app.systems.cordery.log_controller import area_name
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    PICK_AREA,
    ROUTE_NOUNS,
    describe_displaced,
    describe_moved,
)
from randomizer.systems.cordery.choices import PARTS, part_of_die
from randomizer.systems.cordery.dice.dice_names import feature_of
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtWidgets import QMenu

    from app.desk.desk import Desk
    from app.rolling.roll_request import RollRequest
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.dice_panel import DicePanel
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.edits.edit import Region
    from randomizer.model.planes.planes import Plane
    from randomizer.model.problems import Problem
    from randomizer.systems.cordery.choices import CountedRoute


PLANE_OF_NOUN = {"river": RIVER, "road": ROAD, "track": ROAD, "railway": RAIL}
"""The plane in which a route lies, by the noun in the names of its decisions."""

FORM_DECISION = ""
"""Stands for the decision in the panel's form, which knows its name, while an area is picked."""


class AreaDecisions(QObject):
    """Lays the table with what a person decides in place of its dice."""

    neighbours_moved = Signal(str)
    """A decision has moved other features or routes; the argument is a sentence which ones."""

    later_parts_moved = Signal(str)
    """A part that was thrown again has moved what was laid after it; the argument as above."""

    def __init__(
        self, desk: Desk, panel: DicePanel, throwing: Throwing, entry: DiceEntry, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._pick = AreaPick(desk.canvas, self)
        self._picked_decision = FORM_DECISION
        """The name of the decision whose area is being picked on the map."""
        self._form_names: tuple[str, ...] = ()
        """The names that were decided in the panel's form, while the table is laid by them."""
        self._previous_places: dict[str, int] = {}
        """The cells of the features that a decision may move, before it, by their names.

        It is empty unless the table is being laid by a decision, or a part is thrown again.
        """
        self._previous_routes: dict[str, Plane] = {}
        """Copies of the planes whose routes a decision may move, before it, by their names."""
        self._is_part_thrown_again = False
        """True if they may be moved by a part that is thrown again, and not by a decision."""
        connect(panel.fix_form.decided, self._decide_in_form)
        connect(throwing.log_changed, self._tell_moved_neighbours)
        connect(desk.rolling.finished, self._close_form)
        connect(desk.rolling.failed, self._refuse_in_form)
        connect(panel.fix_form.pick_wanted, self._pick_for_form)
        connect(desk.cell_menu_made, self._add_to_menu)
        connect(self._pick.picked, self._on_picked)
        document = desk.document
        connect(document.map_replaced, self._pick.leave)
        connect(document.map_replaced, self.forget_neighbours)
        connect(panel.strip.ended, self.forget_neighbours)
        connect(entry.refused, self.forget_neighbours)
        connect(document.changed, self._leave_pick)

    @property
    def has_waiting_dice(self) -> bool:
        """True if dice entered for a decision would replace those that wait for another table."""
        is_by_hand = self._throwing.choices.dice == "typed"
        return is_by_hand and self._entry.waiting_dice is not None

    def _decide_in_form(self, values: dict[str, str]) -> None:
        """Lay the table with the values of the panel's form, as ``_decide``.

        The form stays open until the table lies: if none can be laid so, the form says why.
        """
        if not values:
            self._panel.fix_form.hide()
            return
        self._form_names = tuple(values)
        self._decide(values)
        if self._entry.under_way:
            self._close_form()  # the strip for the dice that the table lacks has taken its place
        elif not self._desk.rolling.busy:
            self._form_names = ()  # nothing is laid, and the reason was told

    def _close_form(self) -> None:
        """Close the form whose decisions were taken, unless a roll with them is still to come."""
        if self._form_names and not self._desk.rolling.busy:
            self._form_names = ()
            self._panel.fix_form.hide()

    def _refuse_in_form(self, _request: RollRequest, problems: Sequence[Problem]) -> None:
        """Say in the form why no table can be laid by what was decided there."""
        self.forget_neighbours()
        if self._form_names and problems:
            message = problems[0].message
            sentence = message[:1].upper() + message[1:]
            self._panel.fix_form.refuse(self._form_names, sentence)
            self._desk.say(sentence)  # a low panel may cut it
        self._form_names = ()

    def _decide(self, values: dict[str, str]) -> None:
        """Lay the table with dice or decisions fixed by hand.

        ``values`` are their values by name; "" leaves one to the dice again.
        """
        if values and self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
        elif values:
            self._note_neighbours(values)
            self._throwing.lay_with(self.part_of(tuple(values)), values, {})
            if not self._desk.rolling.busy:
                self.forget_neighbours()  # nothing is laid, or dice are asked for first

    def _note_neighbours(self, names: Collection[str]) -> None:
        """Remember where all is that decisions of these names may move.

        These are the other features of the same kinds, since the dice place each feature from the
        one of its kind before it, and the routes of other kinds, since they go round features.
        """
        self.forget_neighbours()
        decided_features = {feature_of(name) for name in names}
        nouns = {_noun_of(feature) for feature in decided_features}
        for feature, area in self._throwing.cells_of_features().items():
            if _noun_of(feature) in nouns and feature not in decided_features:
                self._previous_places[feature] = area.cell
        planes = self._desk.document.composite.planes
        for plane in ROUTE_NOUNS:
            if not any(PLANE_OF_NOUN.get(noun) == plane for noun in nouns):
                self._previous_routes[plane] = planes[plane].copy()

    def note_later_parts(self, part: str) -> None:
        """Remember where all is that a part may move which is being thrown again.

        These are the features and the routes of the parts after it.
        """
        self.forget_neighbours()
        self._is_part_thrown_again = True
        later_parts = PARTS[PARTS.index(part) + 1 :]
        for feature, area in self._throwing.cells_of_features().items():
            if part_of_die(f"{feature} at") in later_parts:
                self._previous_places[feature] = area.cell
        planes = self._desk.document.composite.planes
        for route in self._throwing.choices.routes:
            if route.part in later_parts:
                plane = PLANE_OF_NOUN[route.noun]
                self._previous_routes[plane] = planes[plane].copy()

    def forget_neighbours(self) -> None:
        """Forget what was remembered of a table that is laid again: none is being laid."""
        self._previous_places.clear()
        self._previous_routes.clear()
        self._is_part_thrown_again = False

    def _tell_moved_neighbours(self) -> None:
        """Tell which of the features and routes noted before have moved, once the table lies."""
        if self._desk.rolling.busy or not self._throwing.has_fresh_log:
            return
        if self._entry.is_asking:
            return  # the table is laid once all of its dice are there
        areas = self._throwing.cells_of_features()
        moved_features = []
        for feature, cell in self._previous_places.items():
            if feature in areas and areas[feature].cell != cell:
                moved_features.append(feature)
        planes = self._desk.document.composite.planes
        moved_routes = []
        for plane, previous_values in self._previous_routes.items():
            had_any = previous_values.any()
            if had_any and not np.array_equal(planes[plane], previous_values):
                moved_routes.append(plane)
        is_part_thrown_again = self._is_part_thrown_again
        self.forget_neighbours()
        if not (moved_features or moved_routes):
            return
        if is_part_thrown_again:
            self.later_parts_moved.emit(describe_displaced(moved_features, moved_routes))
        else:
            self.neighbours_moved.emit(describe_moved(moved_features, moved_routes))

    def _let_enter(self, route: CountedRoute, area: str) -> None:
        """Lay the table with one more route of a kind, which enters at the area of this name."""
        if self.has_waiting_dice:
            self._desk.say(DICE_WAIT)
            return
        number = route.number + 1
        entry = {f"{route.noun} {number} entry at": area}
        self._throwing.lay_with(route.part, entry, {route.setting: number})

    def part_of(self, names: tuple[str, ...]) -> str:
        """Return the first part of the table that has one of these dice or decisions.

        If none has, it is the first of all parts, from which the whole table is laid.
        """
        for entry in self._throwing.log:
            names_of_entry = {name for name, _scores in entry.scores}
            names_of_entry |= {decision.name for decision in entry.line.decisions}
            if names_of_entry & set(names):
                return entry.part
        return PARTS[0]

    def _add_to_menu(self, menu: QMenu, cell: int) -> None:
        """Add the decisions about an area to its menu on the map."""
        if self._entry.under_way:
            return
        grid = self._desk.document.battlemap.grid
        is_at_rim = len(grid.neighbours(cell)) < grid.degree
        area = Area(cell, area_name(self._desk, cell), is_at_rim)
        area_menu = AreaMenu(
            self._throwing.log,
            self._throwing.fixed,
            partial(area_name, self._desk),
            self._decide,
            self._pick_area,
            self._throwing.choices.routes,
            self._let_enter,
        )
        area_menu.add_to(menu, area)

    def _pick_for_form(self) -> None:
        self._pick_area(FORM_DECISION)

    def _leave_pick(self, _region: Region) -> None:
        """Stop picking an area: the map has changed."""
        self._pick.leave()

    def _pick_area(self, decision: str) -> None:
        """Let the user pick the area of a decision on the map; ``_on_picked`` takes it.

        ``decision`` is its name, or ``FORM_DECISION``.
        """
        self._picked_decision = decision
        if decision == FORM_DECISION:
            request = PICK_AREA
        else:
            request = f"{decision}: {PICK_AREA}"
        self._desk.say(request[:1].upper() + request[1:])
        self._pick.begin()

    def _on_picked(self, cell: int) -> None:
        """Use the picked area for the decision; ``cell`` is -1 if the user picked none."""
        self._desk.say("")  # the request to pick an area is over
        name = ""
        if cell >= 0:
            name = area_name(self._desk, cell)
        decision = self._picked_decision
        self._picked_decision = FORM_DECISION
        if decision == FORM_DECISION:
            self._panel.fix_form.put_area(name)
        elif name:
            self._decide({decision: name})


def _noun_of(feature: str) -> str:
    """Return the kind of a feature: "hill" of "hill 2"."""
    return feature.rstrip("0123456789 ")
