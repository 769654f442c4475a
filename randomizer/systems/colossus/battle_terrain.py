"""A battleland as battles need it, and what entering its hexes costs.

    land = Battleland.of(composite)
    land.reachable_hexes(lion, start, entry_side, points=4)    # where a lion can move to

A hex has a *hazard*, its terrain, and at each of its six sides it can have a *hexside* such as a
slope. A creature is *native* to some of them (it ``lives_in`` them) and less hindered there. A
battle is fought in turns; a creature moves as many points in its turn as its skill. The cost of a
step is 1, or 2 if the terrain slows the creature, or ``BARRED``.

The rules are tables in ``rules``: ``HAZARDS[name].entry_on_foot`` says, for instance, whom a hazard
bars or slows (``Entry``) on foot. The functions at the end of this module apply the tables to a
creature, the methods of ``Battleland`` to the hexes of a board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    HEX_COUNT,
    HEX_OF_LABEL,
    NEIGHBOURS,
    opposite_side,
)
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.properties import START_LIST, TOWER
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, Affected, Entry
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from collections.abc import Collection

    from randomizer.model.planes.composite import Composite

OUTSIDE = HEX_COUNT
"""The hex id of a creature that has not entered the board."""

BARRED = 100
"""The cost of a hex that cannot be entered or reached: no path is as long as that."""

ENTRY_HEXES = tuple(tuple(HEX_OF_LABEL[label] for label in labels) for _, labels in ENTRY_SIDES)
"""The hexes beside each entry side."""


class Edge(NamedTuple):
    """The hexsides of the two hexes at an edge, by name; "" for none."""

    own: str
    """The hexside that the hex has."""

    beyond: str
    """The one that the hex beyond has."""


@dataclass(frozen=True)
class Battleland:
    """The part of a battleland that matters in battles. Tuples are indexed by the ids of hexes."""

    hazards: tuple[str, ...] = ("Plains",) * HEX_COUNT
    """The name of the terrain of each hex."""
    elevations: tuple[int, ...] = (0,) * HEX_COUNT
    """The elevation of each hex."""
    hexsides: tuple[tuple[str, ...], ...] = (("",) * 6,) * HEX_COUNT
    """The names of the hexsides of each hex, by side; "" for none."""
    start: tuple[int, ...] = ()
    """The ids of the hexes of the start list."""
    tower: bool = False
    """True if the battleland is a tower."""

    @classmethod
    def of(cls, composite: Composite) -> Battleland:
        """Return the battleland that a map shows."""
        terrains = composite.planes["terrain"].ravel()[list(CELL_OF_HEX)].tolist()
        elevations = composite.planes["elevation"].ravel()[list(CELL_OF_HEX)].tolist()
        hexsides = composite.planes["hexside"].reshape(-1, 6)[list(CELL_OF_HEX)].tolist()
        # Code 0 is no hexside, code 1 the first one of the terrain set.
        names = ("", *(hexside.name for hexside in COLOSSUS.hexsides))
        hexsides_by_name = []
        for codes in hexsides:
            hexsides_by_name.append(tuple(names[code] for code in codes))
        start = START_LIST.of(composite.properties) or ()
        return cls(
            hazards=tuple(COLOSSUS.terrains[code].name for code in terrains),
            elevations=tuple(elevations),
            hexsides=tuple(hexsides_by_name),
            start=tuple(HEX_OF_LABEL[label] for label in start if label in HEX_OF_LABEL),
            tower=bool(TOWER.of(composite.properties)),
        )

    def edge(self, hex_id: int, side: int) -> Edge:
        """Return the hexsides of both hexes at a side of a hex.

        At the rim of the board there are none: the game counts none of those that a map has there.
        """
        beyond = NEIGHBOURS[hex_id][side]
        if beyond < 0:
            return Edge(own="", beyond="")
        return Edge(
            own=self.hexsides[hex_id][side],
            beyond=self.hexsides[beyond][opposite_side(side)],
        )

    def is_cliff(self, hex_id: int, side: int) -> bool:
        """Return whether an edge has a cliff on either side: nobody strikes across it."""
        return "Cliff" in self.edge(hex_id, side)

    def rise(self, hex_id: int, side: int) -> int:
        """Return by how much a hex is higher than the one beyond a side (0 at the rim)."""
        beyond = NEIGHBOURS[hex_id][side]
        if beyond >= 0:
            return self.elevations[hex_id] - self.elevations[beyond]
        return 0

    def entry_cost(self, creature: Creature, hex_id: int, side: int) -> int:
        """Return the cost of entering, and stopping on, a hex from beyond a side: 1, 2 or BARRED.

        Slowing does not add up: a hazard that slows costs 2 across a hexside that slows, too.
        """
        edge = self.edge(hex_id, side)
        return max(
            hazard_cost(creature, self.hazards[hex_id]),
            hexside_cost(creature, edge.own, uphill=self.rise(hex_id, side) > 0),
            hexside_cost(creature, edge.beyond, uphill=False),
        )

    def entry_terrain(self, hex_id: int, side: int) -> tuple[object, ...]:
        """Return all on which ``entry_cost`` depends: entries with the same have the same cost."""
        is_uphill = self.rise(hex_id, side) > 0
        return (self.hazards[hex_id], self.edge(hex_id, side), is_uphill)

    def can_cross(self, creature: Creature, hex_id: int) -> bool:
        """Return whether a flier may fly over a hex, whoever stands there."""
        return flight_cost(creature, self.hazards[hex_id]) < BARRED

    def reachable_hexes(
        self,
        creature: Creature,
        start: int,
        entry_side: int,
        points: int,
        occupied: Collection[int] = (),
    ) -> set[int]:
        """Return the hexes that a creature can move to with so many movement points.

        ``start`` is its hex, or OUTSIDE: beside its entry side. Nobody enters an occupied hex;
        fliers cross any hex for 1.

        The idea: the steps are followed from hex to hex. A hex that was entered is entered again if
        another way reaches it with more points left, since that way may lead on farther.
        """
        if start == OUTSIDE:
            # A hex at a corner of the board has several sides at the rim; all cost the same there.
            edges = [(hex_id, NEIGHBOURS[hex_id].index(-1)) for hex_id in ENTRY_HEXES[entry_side]]
        else:
            edges = edges_around(start)
        destinations: set[int] = set()
        most_points_left = [0] * HEX_COUNT
        steps = [(hex_id, side, points) for hex_id, side in edges]
        while steps:
            hex_id, side, points_left = steps.pop()
            # A creature can stop on a hex that it has the points to enter.
            cost = self.entry_cost(creature, hex_id, side)
            is_occupied = hex_id in occupied
            if cost <= points_left and not is_occupied:
                destinations.add(hex_id)
            # Going on is another thing: fliers cross hexes on which they must not stop, for 1 point
            # whatever the hex costs.
            if creature.flies:
                can_go_on = self.can_cross(creature, hex_id)
                points_beyond = points_left - 1
            else:
                can_go_on = not is_occupied
                points_beyond = points_left - cost
            if can_go_on and points_beyond > most_points_left[hex_id]:
                most_points_left[hex_id] = points_beyond
                for neighbour, side_of_neighbour in edges_around(hex_id):
                    steps.append((neighbour, side_of_neighbour, points_beyond))
        return destinations - {start}


def hazard_cost(creature: Creature, hazard: str) -> int:
    """Return the cost of entering, and stopping on, a hazard from level ground: 1, 2 or BARRED.

    Fliers may cross a hazard that bars creatures on foot (``flight_cost``), but not land there.
    """
    rule = HAZARDS[hazard]
    native = creature.lives_in(hazard)
    if rule.entry_on_foot is Entry.NATIVES and not native:
        return BARRED
    if creature.flies:
        return _cost(rule.entry_of_fliers, native=native)
    return _cost(rule.entry_on_foot, native=native)


def flight_cost(creature: Creature, hazard: str) -> int:
    """Return the cost of flying over a hazard: 1 or BARRED."""
    if HAZARDS[hazard].entry_of_fliers is Entry.NATIVES and not creature.lives_in(hazard):
        return BARRED
    return 1


def hexside_cost(creature: Creature, hexside: str, *, uphill: bool) -> int:
    """Return the cost of entering a hex across a hexside ("": none): 1, 2 or BARRED.

    ``uphill``: the entered hex carries it, and is the higher one.
    """
    if creature.flies or not hexside:
        return 1
    if HEXSIDES[hexside].only_uphill and not uphill:
        return 1
    return _cost(HEXSIDES[hexside].entry_on_foot, native=creature.lives_in(hexside))


def _cost(entry: Entry, *, native: bool) -> int:
    """Return the cost that a rule of entry means for a creature: 1, 2 or BARRED."""
    if entry is Entry.NOBODY:
        return BARRED
    if entry is Entry.SLOWS_ALL:
        return 2
    # All other rules are about creatures that are not native.
    if entry is Entry.FREE or native:
        return 1
    if entry is Entry.SLOWS_OTHERS:
        return 2
    return BARRED


def hazard_damage(creature: Creature, hazard: str) -> int:
    """Return the hits that a creature takes from its hazard before each round of strikes."""
    rule = HAZARDS[hazard]
    if rule.healing_affects is Affected.WATER_DWELLERS:
        is_wounded = creature.lives_in("Lake")
    else:
        is_wounded = not creature.lives_in(hazard)
    if is_wounded:
        return max(0, -rule.healing)
    return 0


def hazard_slows(creature: Creature, hazard: str) -> bool:
    """Return whether a hazard takes a movement point before each round of strikes.

    That is how a hazard that ``lingers`` goes on slowing a creature that has left it.
    """
    return HAZARDS[hazard].lingers and not creature.lives_in(hazard)


def hazard_heals(hazard: str) -> int:
    """Return the hits that a hazard heals before each round of strikes, of any creature.

    A creature that it heals also gets back as many movement points that it has lost to hazards.
    """
    return max(0, HAZARDS[hazard].healing)


def edges_around(hex_id: int) -> list[tuple[int, int]]:
    """Return the neighbours of a hex, each with its side that faces the hex."""
    edges = []
    for side, neighbour in enumerate(NEIGHBOURS[hex_id]):
        if neighbour >= 0:
            edges.append((neighbour, opposite_side(side)))
    return edges
