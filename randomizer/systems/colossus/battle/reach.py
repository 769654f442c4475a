"""The reach of creatures, the hexes where they can move to, in many battles at once.

A creature has some *movement points*. To cross a hex costs points, and to stop on it can cost more;
what it costs depends on the kind of creature, the hex and the side by which it comes. Points are
handed on from hex to neighbouring hex: after one step each hex has what is left of its neighbours'
points, after two steps what is left of theirs, and so on::

    points left    4  .  .       one step      4  3  .       two steps     4  3  1
    to cross       1  1  2                     1  1  2                     1  1  2

Arrays of hexes have SIZE rows: those of the board, and OUTSIDE, from where creatures enter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.rules_by_land import Flags, Indices, Whole
from randomizer.systems.colossus.battle_terrain import BARRED, ENTRY_HEXES, OUTSIDE
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

_NEIGHBOURS_BY_SIDE = np.where(np.array(NEIGHBOURS) < 0, OUTSIDE, np.array(NEIGHBOURS)).T
"""(6, hexes): the neighbour of each hex across each side, OUTSIDE beyond the rim."""

_RIM = [[NEIGHBOURS[hex_id].index(-1) for hex_id in hexes] for hexes in ENTRY_HEXES]
"""By entry side: a side of each of its hexes that is at the rim of the board.

A hex at a corner of the board has several; no hexside counts there, so all cost the same.
"""

_UNREACHED = -1
"""The movement points left on a hex to which the creature does not come."""


class March(NamedTuple):
    """One creature, with the same slot in m battles, that is about to move."""

    kind: int
    """The kind of creature, as an index of ``RuleTables.kinds``."""

    side: int
    """ATTACKER or DEFENDER."""

    start: Indices
    """(m,): its hex, or OUTSIDE."""

    points: Whole
    """(m,): its movement points, 0 at least."""

    lands: Indices
    """(m,): the battlelands, as indices of those of the tables; (1,) if there is one only."""

    occupied: Flags
    """(SIZE, m): the hexes through which only fliers go."""


def can_stop(tables: RuleTables, march: March) -> Flags:
    """Return on which hexes a creature has the movement points to stop, (SIZE, m)."""
    rules = tables.by_land
    # Costs are 100 (BARRED) at most, so that points less a cost fit into a byte.
    stop_cost = np.moveaxis(rules.stop_cost[march.lands, march.kind], 0, -1)  # (hexes, 6, m or 1)
    crossing_cost = np.moveaxis(rules.cross_cost[march.lands, march.kind], 0, -1)
    if not tables.kinds[march.kind].flies:
        # Nobody on foot has the points to cross an occupied hex.
        is_occupied = march.occupied[:HEX_COUNT, None]
        crossing_cost = np.where(is_occupied, np.int8(BARRED), crossing_cost)

    # The points left on a hex where the creature goes on, and on one where it stops.
    points_left = np.full(march.occupied.shape, _UNREACHED, np.int8)
    points_left[march.start, np.arange(len(march.start))] = march.points
    points_left[OUTSIDE] = _UNREACHED  # from there it enters by one side only
    points_after_stop = np.full(march.occupied.shape, _UNREACHED, np.int8)

    # From outside it enters across the rim; battlelands can have different entry sides.
    points_outside = np.where(march.start == OUTSIDE, march.points, _UNREACHED)
    for entry_side in {*rules.entry_sides[:, march.side].tolist()}:
        hexes = list(ENTRY_HEXES[entry_side])
        rim = _RIM[entry_side]
        enters_here = rules.entry_sides[march.lands, march.side] == entry_side
        entry_points = np.where(enters_here, points_outside, _UNREACHED)
        points_after_entry = entry_points - crossing_cost[hexes, rim]
        points_left[hexes] = np.maximum(points_left[hexes], points_after_entry)
        points_on_arrival = entry_points - stop_cost[hexes, rim]
        points_after_stop[hexes] = np.maximum(points_after_stop[hexes], points_on_arrival)

    # Every step costs a point at least, so there are no more steps than points.
    points_on_board = points_left[:HEX_COUNT]
    for _step in range(int(march.points.max(initial=0))):
        for edge, neighbours in enumerate(_NEIGHBOURS_BY_SIDE):
            points_further = points_left[neighbours] - crossing_cost[:, edge]
            np.maximum(points_on_board, points_further, out=points_on_board)

    # The last step, with which it stops.
    stops_on_board = points_after_stop[:HEX_COUNT]
    for edge, neighbours in enumerate(_NEIGHBOURS_BY_SIDE):
        points_on_arrival = points_left[neighbours] - stop_cost[:, edge]
        np.maximum(stops_on_board, points_on_arrival, out=stops_on_board)
    return np.asarray(points_after_stop >= 0)
