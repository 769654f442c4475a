"""Stamps: pieces of a map that can be placed anywhere, turned and flipped.

    stamp = cut(battlemap, cells, battlemap.composite().planes)      # stamp_cutting.py
    turned = stamp.turned(rotation(layout, 1))
    edit = place(battlemap, turned, cell, layer_id)                  # stamp_placing.py

The clipboard and the stamp tool hold them. A stamp is bound to no map. Its cells are steps from an
*anchor*, the cell that lies under the pointer when it is placed. Its values are the codes of the
map from which it was cut, together with the names for which these codes stand there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.turn import Turn
from randomizer.model.planes.planes import Element, Plane, PlaneRole
from randomizer.model.things.thing_state import NO_STATE, State

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout

WAY = "way:"
"""Prefix of the names of planes on a stamp that hold a way of the terrain set, before its name."""

FINE = 2**20
"""Positions and angles of things on a stamp are whole numbers: multiples of 1 / FINE.

So a stamp that was turned all round is the same again, without rounding errors. With a far
larger one the positions on large maps would no longer be exact as floats.
"""


class StampThing(NamedTuple):
    """A thing on a stamp."""

    kind: str

    q: int
    """The axial q of its position from the centre of the anchor, times FINE."""

    r: int
    """The axial r, likewise."""

    angle: int
    """Its angle in degrees, times FINE."""

    owner: int

    label: str

    state: State = NO_STATE

    id: int = 0
    """Its number on the stamp, from 1, by which states name the carrier of another thing.

    0 where it does not matter: nothing on the stamp is carried.
    """


class StampPlane(NamedTuple):
    """The part of a plane on a stamp: the values of its cells, or of their sides or corners."""

    unset: int
    """The value of what is not set: it changes nothing where the stamp is placed."""

    values: Plane
    """The values of the cells, (n,), or of their sides or corners, (n, degree).

    A corner that several cells share has the same value in all of them.
    """

    links: bool = False
    """True if the values of cells are bit masks of sides: ways."""

    role: PlaneRole | None = None
    """The role of the plane in its system, by which the map finds its own; None for none."""

    element: Element = Element.CELL
    """The elements that the values belong to: cells, sides or corners."""

    def same_as(self, plane: StampPlane) -> bool:
        """Return whether both are equal, value for value (``==`` cannot compare arrays)."""
        if not np.array_equal(self.values, plane.values):
            return False
        # ``==`` of two tuples cannot compare arrays, unless both have the very same one.
        return self._replace(values=plane.values) == plane

    def turned(self, turn: Turn) -> StampPlane:
        """Return the values after the cells have been turned."""
        values = self.values
        if self.links:
            values = turn.turn_links(values, self.unset)
        elif self.element is Element.SIDE:
            values = turn.turn_sides(values)
        elif self.element is Element.CORNER:
            values = turn.turn_corners(values)
        return self._replace(values=values)


@dataclass(frozen=True, eq=False)
class Stamp:
    """A piece of a map: n cells around an anchor, which is the axial origin. It does not change."""

    layout: Layout

    offsets: NDArray[np.int64]
    """The axial steps (q, r) from the anchor to each cell, (n, 2)."""

    planes: Mapping[str, StampPlane]
    """The planes by name; those of ways of the terrain set by the way's, with ``WAY`` in front."""

    terrains: tuple[str, ...]
    """The names of the codes in the plane of terrains, from code 0 on."""

    hexsides: tuple[str, ...]
    """The names of the codes in the plane of hexsides, from code 1 on: 0 is no hexside."""

    things: tuple[StampThing, ...] = ()

    regions: tuple[str, ...] = ()
    """The names of the codes in the plane of regions, "" for one that was taken away."""

    text_kinds: frozenset[str] = frozenset()
    """The names of the kinds whose things are texts, which are turned so that they can be read."""

    def plane(self, role: PlaneRole) -> StampPlane | None:
        """Return the plane with a role, None if the stamp has none."""
        for plane in self.planes.values():
            if plane.role is role:
                return plane
        return None

    def turned(self, turn: Turn) -> Stamp:
        """Return the stamp turned or mirrored about its anchor, with hexsides and routes."""
        q, r = turn.apply(self.offsets[:, 0], self.offsets[:, 1])
        planes = {name: plane.turned(turn) for name, plane in self.planes.items()}
        things = []
        for thing in self.things:
            thing_q, thing_r = turn.apply(thing.q, thing.r)
            angle = thing.angle / FINE
            # A text that is turned half round, or mirrored, must still be read from left to right.
            if thing.kind in self.text_kinds:
                angle = turn.text_angle(angle)
            else:
                angle = turn.angle(angle)
            things.append(thing._replace(q=thing_q, r=thing_r, angle=fine_angle(angle)))
        offsets = np.stack([q, r], axis=1)
        return replace(self, offsets=offsets, planes=planes, things=tuple(things))

    def part(self, is_chosen: NDArray[np.bool_]) -> Stamp:
        """Return a stamp of the cells for which ``is_chosen`` (n,) is True, around the same anchor.

        It has their values and the things on them.
        """
        planes = {}
        for name, plane in self.planes.items():
            planes[name] = plane._replace(values=plane.values[is_chosen])
        things = tuple(thing for thing in self.things if is_chosen[self.cell_below(thing)])
        return replace(self, offsets=self.offsets[is_chosen], planes=planes, things=things)

    def cell_below(self, thing: StampThing) -> int:
        """Return which cell a thing of the stamp is nearest to: an index into ``offsets``."""
        # Offsets are whole steps; positions of things are multiples of 1 / FINE of a step.
        q, r = (self.offsets * FINE - (thing.q, thing.r)).T
        return int(self.layout.squared_distance(q, r).argmin())

    def with_anchor(self, q: int, r: int) -> Stamp:
        """Return the stamp with another anchor, (q, r) steps from the present one.

        Placed on a cell that lies (q, r) steps further it covers the same cells of the map.
        """
        things = []
        for thing in self.things:
            things.append(thing._replace(q=thing.q - q * FINE, r=thing.r - r * FINE))
        return replace(self, offsets=self.offsets - np.array((q, r)), things=tuple(things))

    def same_as(self, stamp: Stamp) -> bool:
        """Return whether both are equal, cell for cell in the same order."""
        # Fields without arrays can be compared by ``==``, unlike the others.
        if self.layout != stamp.layout:
            return False
        if self.terrains != stamp.terrains or self.hexsides != stamp.hexsides:
            return False
        if self.things != stamp.things or self.regions != stamp.regions:
            return False
        if not np.array_equal(self.offsets, stamp.offsets):
            return False
        if self.planes.keys() != stamp.planes.keys():
            return False
        return all(plane.same_as(stamp.planes[name]) for name, plane in self.planes.items())


def fine_angle(degrees: float) -> int:
    """Return an angle as ``StampThing.angle``, 0 to below 360 degrees."""
    return round(degrees * FINE) % (360 * FINE)
