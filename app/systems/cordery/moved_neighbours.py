"""Reports which other features moved when a table was laid again: ``MovedNeighbours``.

The dice place each hill from the one before it, trees and fields stand where no hill takes the
area, and roads go round hills. So a decision about one feature can move others, and so can a part
of the table that is thrown again. Before the table is laid again the positions of the others are
noted; afterwards they are compared::

    moved.note_neighbours_of(["hill 2 at"])     # before the table is laid
    moved.neighbours_moved                      # emitted afterwards: "Hill 3 moved, too: ..."

The positions are forgotten if no table can be laid, or another map becomes current. Those that are
noted next replace them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from app.systems.cordery.laid_table import position_decision
from app.systems.cordery.table_messages import ROUTE_NOUNS, describe_displaced, describe_moved
from randomizer.systems.cordery.dice.dice_names import feature_of, noun_of_feature
from randomizer.systems.cordery.page_parts import PARTS, part_of_die
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from app.desk.desk import Desk
    from app.systems.cordery.dice_entry import DiceEntry
    from app.systems.cordery.throwing import Throwing
    from randomizer.model.planes.planes import Plane
    from randomizer.systems.cordery.table.previous_areas import PreviousArea

PLANE_OF_NOUN = {"river": RIVER, "road": ROAD, "track": ROAD, "railway": RAIL}
"""The plane in which a route lies, by the noun in the names of its decisions."""


class _Cause(Enum):
    """The reason why a table is laid anew."""

    DECISION = auto()
    """A decision about an area."""

    PART_THROWN_AGAIN = auto()
    """The dice of a part are thrown again."""


@dataclass
class _Positions:
    """Where features and routes that may move stood before a table was laid anew."""

    cause: _Cause

    decided_nouns: Collection[str] = ()
    """The nouns of the features that the decisions are about, such as "hill"."""

    cells: dict[str, int] = field(default_factory=dict)
    """The cells of the features that may move, by their names, such as "hill 2"."""

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


class MovedNeighbours(QObject):
    """Compares a table that was laid anew with the one before."""

    neighbours_moved = Signal(str)
    """A decision has moved other features or routes; the argument is a sentence about them."""

    later_parts_moved = Signal(str)
    """A part that was thrown again has moved features or routes of later parts.

    The argument is a sentence about them.
    """

    def __init__(self, desk: Desk, throwing: Throwing, entry: DiceEntry, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._throwing = throwing
        self._entry = entry
        self._positions: _Positions | None = None
        """The positions before the table began to be laid anew; None if nothing is reported."""
        connect(throwing.table.log_changed, self._report)
        # No table is laid any more:
        connect(desk.rolling.failed, self.forget)
        connect(entry.given_up, self.forget)
        connect(desk.document.map_replaced, self.forget)

    # --- before the table is laid -----------------------------------------------------------

    def note_neighbours_of(self, names: Collection[str]) -> None:
        """Note the positions of what decisions of these names may move."""
        decided_features = {feature_of(name) for name in names}
        nouns = {noun_of_feature(feature) for feature in decided_features}
        positions = _Positions(_Cause.DECISION, nouns)
        # Features of the same kinds, as the dice place each from the one before it, and those of
        # all others, as areas are taken or free now.
        for feature, area in self._throwing.table.areas_of_features().items():
            if feature not in decided_features:
                positions.cells[feature] = area.cell
        # The routes of other kinds, as they go round features.
        planes = self._desk.document.composite.planes
        decided_planes = {PLANE_OF_NOUN[noun] for noun in nouns if noun in PLANE_OF_NOUN}
        for plane in ROUTE_NOUNS:
            if plane not in decided_planes:
                positions.routes[plane] = planes[plane].copy()
        self._positions = positions

    def note_later_parts(self, part: str) -> None:
        """Note the positions of the features and routes of all parts after this one.

        They may move when it is thrown again.
        """
        positions = _Positions(_Cause.PART_THROWN_AGAIN)
        later_parts = PARTS[PARTS.index(part) + 1 :]
        for feature, area in self._throwing.table.areas_of_features().items():
            if part_of_die(position_decision(feature)) in later_parts:
                positions.cells[feature] = area.cell
        planes = self._desk.document.composite.planes
        for route in self._throwing.map_choices.choices.routes:
            if route.part in later_parts:
                plane = PLANE_OF_NOUN[route.noun]
                positions.routes[plane] = planes[plane].copy()
        self._positions = positions

    def forget(self) -> None:
        """Forget the noted positions, as no table is laid anew."""
        self._positions = None

    # --- when it is laid --------------------------------------------------------------------

    def _report(self) -> None:
        """Report which of the features and routes noted before have moved."""
        positions = self._positions
        if positions is None or not self._is_table_ready():
            return  # the positions are kept for the next change of the log
        self._positions = None
        features = positions.moved_features(self._throwing.table.areas_of_features())
        routes = positions.moved_routes(self._desk.document.composite.planes)
        if not (features or routes):
            return
        if positions.cause is _Cause.PART_THROWN_AGAIN:
            self.later_parts_moved.emit(describe_displaced(features, routes))
        else:
            self.neighbours_moved.emit(describe_moved(features, routes, positions.decided_nouns))

    def _is_table_ready(self) -> bool:
        """Return whether the table is laid, and its log known.

        While dice are asked for it is not: it is laid once all of them are there.
        """
        is_laid = not self._desk.rolling.busy and not self._entry.is_asking
        return is_laid and self._throwing.table.has_fresh_log
