"""Fixtures: the walls, doors and lights that a virtual table has on a map.

    wall = Wall((0.0, 0.0, 2.0, 0.0), door=Door.DOOR)
    fixtures = Fixtures((wall,), (Light(1.0, 1.0, dim=5.0),))

They come from scenes of Foundry and from Universal VTT, and go into both. A map keeps them in a
record (fixtures_record.py), and they move with it (fixtures_motion.py). Positions are in map units,
like those of things; the ranges of lights are in cells.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Blocking(StrEnum):
    """The part of sight, light or sound that a wall blocks."""

    NONE = "none"
    """A wall blocks nothing."""

    LIMITED = "limited"
    """A wall blocks what lies behind a second such wall."""

    NORMAL = "normal"
    """A wall blocks all that lies behind it."""

    PROXIMITY = "proximity"
    """A wall blocks what is far from it."""

    DISTANCE = "distance"
    """A wall blocks what is near it."""


class Door(StrEnum):
    """The kind of door that a wall is."""

    NO_DOOR = ""

    DOOR = "door"

    SECRET = "secret"
    """A door that players take for a wall."""


class DoorState(StrEnum):
    """The state of a door."""

    CLOSED = "closed"

    OPEN = "open"

    LOCKED = "locked"


class BlockedWay(IntEnum):
    """The side from which a wall blocks what comes, seen along its line."""

    BOTH = 0

    FROM_LEFT = 1

    FROM_RIGHT = 2


class Wall(NamedTuple):
    """A wall, or a door: a polyline."""

    line: tuple[float, ...]
    """The x and y of each corner, one after the other; two corners at least."""
    move: bool = True
    """True if it blocks movement."""
    sight: Blocking = Blocking.NORMAL
    """The sight that it blocks."""
    light: Blocking = Blocking.NORMAL
    """The light that it blocks."""
    sound: Blocking = Blocking.NORMAL
    """The sound that it blocks."""
    way: BlockedWay = BlockedWay.BOTH
    """The side from which it blocks all this."""
    door: Door = Door.NO_DOOR
    """The kind of door that it is."""
    state: DoorState = DoorState.CLOSED
    """The state of a door; it means nothing for a wall that is none."""
    freestanding: bool = False
    """True for a door that stands in no wall."""

    @property
    def points(self) -> list[tuple[float, float]]:
        """The corners."""
        return list(zip(self.line[::2], self.line[1::2], strict=True))


class Light(NamedTuple):
    """A light, which is bright near its point and dim farther off."""

    x: float
    y: float
    dim: float = 0.0
    """The radius to which it shines at all, in cells."""
    bright: float = 0.0
    """The radius to which it is bright, in cells."""
    colour: str = ""
    """Its colour as "#rrggbb"; "" for white."""
    intensity: float = 1.0
    """1 is the usual one."""
    angle: float = 360.0
    """The sector into which it shines, in degrees."""
    turn: float = 0.0
    """The direction of the middle of that sector: in degrees clockwise from down."""
    shadows: bool = True
    """True if walls throw shadows in its light."""
    hidden: bool = False
    """True if it is switched off."""


class Fixtures(NamedTuple):
    """All fixtures of a map."""

    walls: tuple[Wall, ...] = ()
    lights: tuple[Light, ...] = ()
    others: tuple[tuple[str, int], ...] = ()
    """The other contents of the table's file: pairs of a noun and a number, such as ("tile", 3).

    Such things stay in that file: a map has no room for them.
    """

    def counts_by_noun(self) -> Counter[str]:
        """Return how many walls, doors, lights and others there are: ``{"wall": 12, "light": 3}``.

        The walls of a polyline count singly. Nouns of which there are none are left out.
        """
        counts = Counter(dict(self.others))
        for wall in self.walls:
            noun = "wall"
            if wall.door:
                noun = "door"
            corner_count = len(wall.line) // 2
            counts[noun] += corner_count - 1
        if self.lights:
            counts["light"] += len(self.lights)
        return counts


NO_FIXTURES = Fixtures()
"""The fixtures of a map without a record of them."""


def for_players(fixtures: Fixtures) -> Fixtures:
    """Return what players may have of fixtures.

    A secret door is a wall. Lights that are switched off, and what else the file of the table
    holds, are left out.
    """
    walls = []
    for wall in fixtures.walls:
        if wall.door is Door.SECRET:
            # All that tells of a door goes.
            wall = wall._replace(door=Door.NO_DOOR, state=DoorState.CLOSED, freestanding=False)
        walls.append(wall)
    lights = [light for light in fixtures.lights if not light.hidden]
    return Fixtures(tuple(walls), tuple(lights))
