"""Decisions about areas of a table, from the form of a log line and from the menu of the map.

A *decision* fixes by hand what a die would decide: "hill 2 at" is the name of the decision where
the *feature* "hill 2" stands. ``DiceController`` makes an ``AreaDecisions``. What a person decides
lays the table again (``Throwing.lay_with``), unless dice that were entered by hand wait for that
table. As the dice place each hill from the one before it, a decision about one feature can move
others: the user is told which. So the positions are noted before the table is laid anew
(``_NotedTable``), and compared when it lies (``_tell_moved_neighbours``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.canvas.area_pick import AreaPick
from app.qt_guard import connect
from app.systems.cordery.area_menu import Area, AreaMenu, MenuActions
from app.systems.cordery.log_controller import area_name
from app.systems.cordery.table_messages import (
    DICE_WAIT,
    PICK_AREA,
    ROUTE_NOUNS,
    describe_displaced,
    describe_moved,
)
from app.systems.cordery.throwing import LayingResult
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.dice.dice_names import feature_of
from randomizer.systems.cordery.page_parts import PARTS, part_of_die
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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
    from randomizer.systems.cordery.table.previous_areas import PreviousArea


PLANE_OF_NOUN = {"river": RIVER, "road": ROAD, "track": ROAD, "railway": RAIL}
"""The plane in which a route lies, by the noun in the names of its decisions."""


@dataclass(frozen=True)
class _PickForForm:
    """An area is being picked for the line of the panel's form, which knows its decision."""


@dataclass(frozen=True)
class _PickForDecision:
    """An area is being picked for a decision, with which the table is then laid."""

    decision: str
    """Its name, such as "hill 2 at"."""


class _Cause(Enum):
    """The reason why a table is laid anew."""

    DECISION = auto()
    """A decision about an area."""

    PART_THROWN_AGAIN = auto()
    """The dice of a part are thrown again."""


@dataclass
class _NotedTable:
    """The positions of features and routes that may move, before a table is laid anew."""

    cause: _Cause

    cells: dict[str, int] = field(default_factory=dict)
    """The cells of the features that may move, by their names."""

    routes: dict[str, Plane] = field(default_factory=dict)
    """Copies of the planes whose routes may move, by their names."""

    def moved_features(self, areas: Mapping[str, PreviousArea]) -> list[str]:
        """Return the features that moved; ``areas`` are the present ones of all, by name."""
        moved = []
        for feature, cell in self.cells.items():
            if feature in areas and areas[feature].cell != cell:
                moved.append(feature)
        return moved

    def moved_routes(self, planes: Mapping[str, Plane]) -> list[str]:
        """Return the planes whose routes changed, if they had any; ``planes`` are the new ones."""
        moved = []
        for plane, previous_values in self.routes.items():
            had_any = previous_values.any()
            if had_any and not np.array_equal(planes[plane], previous_values):
                moved.append(plane)
        return moved


class AreaDecisions(QObject):
    """Lays the table with what a person decides in place of its dice."""

    neighbours_moved = Signal(str)
    """A decision has moved other features or routes; the argument is a sentence about them."""

    later_parts_moved = Signal(str)
    """A part that was thrown again has moved features or routes of later parts.

    The argument is a sentence about them.
    """

    def __init__(
        self, desk: Desk, panel: DicePanel, throwing: Throwing, entry: DiceEntry, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._entry = entry
        self._pick = AreaPick(desk.canvas, self)
        self._pick_purpose: _PickForForm | _PickForDecision | None = None
        """What the area is for that is being picked on the map; None while none is picked."""
        self._form_names: tuple[str, ...] = ()
        """The names of the decisions in the panel's form by which the table is being laid.

        () while no table is being laid from the form.
        """
        self._noted_table: _NotedTable | None = None
        """The table before it began to be laid by a decision, or with a part thrown again.

        None while nothing of that kind is under way.
        """
        connect(panel.fix_form.decided, self._decide_in_form)
        connect(throwing.table.log_changed, self._tell_moved_neighbours)
        connect(desk.rolling.finished, self._close_form)
        connect(desk.rolling.failed, self._refuse_in_form)
        connect(panel.fix_form.pick_wanted, self._pick_for_form)
        connect(desk.cell_menu_made, self._add_to_menu)
        connect(self._pick.picked, self._on_picked)
        document = desk.document
        connect(document.map_replaced, self._pick.cancel)
        connect(document.map_replaced, self.forget_noted_positions)
        connect(panel.strip.ended, self.forget_noted_positions)
        connect(entry.refused, self.forget_noted_positions)
        connect(document.changed, self._leave_pick)

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

        If another roll was under way when they were made, the roll with them follows that.
        """
        if self._form_names and not self._desk.rolling.busy:
            self._form_names = ()
            self._panel.fix_form.hide()

    def _refuse_in_form(self, _request: RollRequest, problems: Sequence[Problem]) -> None:
        """Say in the form why no table can be laid by what was decided there."""
        self.forget_noted_positions()
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
        self._note_positions_of_neighbours(values)
        result = self._throwing.lay_with(self.part_of(tuple(values)), values, {})
        if result is not LayingResult.LAYING:
            self.forget_noted_positions()
        return result

    def _note_positions_of_neighbours(self, names: Collection[str]) -> None:
        """Note the positions of what decisions of these names may move."""
        noted_table = _NotedTable(_Cause.DECISION)
        decided_features = {feature_of(name) for name in names}
        nouns = {_noun_of(feature) for feature in decided_features}
        # The other features of the same kinds, as the dice place each from the one before it.
        for feature, area in self._throwing.table.areas_of_features().items():
            if _noun_of(feature) in nouns and feature not in decided_features:
                noted_table.cells[feature] = area.cell
        # The routes of other kinds, as they go round features.
        planes = self._desk.document.composite.planes
        decided_planes = {PLANE_OF_NOUN.get(noun) for noun in nouns}
        for plane in ROUTE_NOUNS:
            if plane not in decided_planes:
                noted_table.routes[plane] = planes[plane].copy()
        self._noted_table = noted_table

    def note_positions_of_later_parts(self, part: str) -> None:
        """Note the positions of the features and routes of all parts after this one.

        They may move when it is thrown again. To be called before that; if nothing is thrown then,
        ``forget_noted_positions`` is to follow.
        """
        noted_table = _NotedTable(_Cause.PART_THROWN_AGAIN)
        later_parts = PARTS[PARTS.index(part) + 1 :]
        for feature, area in self._throwing.table.areas_of_features().items():
            if part_of_die(f"{feature} at") in later_parts:
                noted_table.cells[feature] = area.cell
        planes = self._desk.document.composite.planes
        for route in self._throwing.map_choices.choices.routes:
            if route.part in later_parts:
                plane = PLANE_OF_NOUN[route.noun]
                noted_table.routes[plane] = planes[plane].copy()
        self._noted_table = noted_table

    def forget_noted_positions(self) -> None:
        """Forget the noted positions, as no table is being laid any more."""
        self._noted_table = None

    def _tell_moved_neighbours(self) -> None:
        """Tell which of the features and routes noted before have moved, once the table lies."""
        if self._desk.rolling.busy or not self._throwing.table.has_fresh_log:
            return
        if self._entry.is_asking:
            return  # the table is laid once all of its dice are there
        noted_table = self._noted_table
        if noted_table is None:
            return
        self.forget_noted_positions()
        features = noted_table.moved_features(self._throwing.table.areas_of_features())
        routes = noted_table.moved_routes(self._desk.document.composite.planes)
        if not (features or routes):
            return
        if noted_table.cause is _Cause.PART_THROWN_AGAIN:
            self.later_parts_moved.emit(describe_displaced(features, routes))
        else:
            self.neighbours_moved.emit(describe_moved(features, routes))

    def _add_route(self, route: CountedRoute, area: str) -> None:
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

    def _pick_for_form(self) -> None:
        """Let the user pick an area on the map for the line of the panel's form."""
        self._pick_area(_PickForForm(), PICK_AREA)

    def _pick_for_decision(self, decision: str) -> None:
        """Let the user pick the area of the decision of this name on the map."""
        self._pick_area(_PickForDecision(decision), f"{decision}: {PICK_AREA}")

    def _leave_pick(self, _region: Region) -> None:
        """Stop picking an area: the map has changed."""
        self._pick.cancel()

    def _pick_area(self, purpose: _PickForForm | _PickForDecision, request: str) -> None:
        """Say the request, and wait for the area, which ``_on_picked`` uses for the purpose.

        An area that was to be picked for another purpose is picked no longer.
        """
        self._pick.cancel()
        self._pick_purpose = purpose
        self._desk.say(request[:1].upper() + request[1:])
        self._pick.begin()

    def _on_picked(self, cell: int) -> None:
        """Use the picked area for its purpose; ``cell`` is -1 if the user picked none."""
        self._desk.say("")  # the request to pick an area is over
        name = None
        if cell >= 0:
            name = area_name(self._desk, cell)
        purpose = self._pick_purpose
        self._pick_purpose = None
        if isinstance(purpose, _PickForForm):
            self._panel.fix_form.end_pick(name)
        elif isinstance(purpose, _PickForDecision) and name is not None:
            self._decide({purpose.decision: name})


def _noun_of(feature: str) -> str:
    """Return the kind of a feature: "hill" of "hill 2"."""
    return feature.rstrip("0123456789 ")
