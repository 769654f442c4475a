"""Things placed on a map: units, entities, labels. They have positions, not cells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass

from randomizer.model.things.thing_index import ThingArrays, ThingIndex
from randomizer.model.things.thing_state import NO_STATE, State

INTEGERS = 2**63
"""Ids and owners are below this, and not below its negative."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One placed thing. ``id`` is unique within its map, never changes and is never used again.

    ``x``, ``y`` in map units, ``angle`` in degrees clockwise from north; ``owner`` is a player, 0
    for nobody. ``state`` holds what else the game knows of it; any mapping can be given.

    ``key`` is the name by which a generator makes the same thing again in every roll, "" if it has
    none. ``touched``: in a rolled layer, changed or placed by hand, so that a re-roll keeps it.
    """

    id: int
    kind: str
    x: float
    y: float
    angle: float = 0.0
    owner: int = 0
    label: str = ""
    state: State = NO_STATE
    key: str = ""
    touched: bool = False

    def __post_init__(self) -> None:
        if type(self.state) is not State:
            object.__setattr__(self, "state", State(self.state))


class Things(Mapping[int, Thing]):
    """The placed things of a layer by id, ascending. Only edits change them.

    ``revision`` increases with every change. Arrays and the index by place are made when they are
    first asked for, and patched from then on.
    """

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        all_things = tuple(things)
        _check(all_things)
        self._things = {thing.id: thing for thing in all_things}
        self._ascending = False
        self._kinds = Counter(thing.kind for thing in self._things.values())
        self.revision = 0
        self._index: ThingIndex | None = None
        self._arrays: ThingArrays | None = None

    def copy(self) -> Things:
        """Return a copy that no edit changes."""
        result = Things()
        result._things = self._things.copy()
        result._ascending = self._ascending
        result._kinds = self._kinds.copy()
        return result

    # --- reading ----------------------------------------------------------------------------

    def __getitem__(self, thing_id: int) -> Thing:
        return self._things[thing_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._ordered())

    def __len__(self) -> int:
        return len(self._things)

    def values(self) -> ValuesView[Thing]:
        """Return the things in ascending order of their ids."""
        return self._ordered().values()

    @property
    def kinds(self) -> Mapping[str, int]:
        """The number of things of each kind that occurs."""
        return self._kinds

    def arrays(self) -> ThingArrays:
        """Return all things as arrays, made once for each revision."""
        if self._arrays is None:
            self._arrays = self._indexed().all()
        return self._arrays

    def within(self, left: float, top: float, right: float, bottom: float) -> ThingArrays:
        """Return the things in a box (map units), its edges included, as arrays.

        The cost grows with the box and the things in it; for a large box with all things.
        """
        return self._indexed().within(left, top, right, bottom)

    def _ordered(self) -> dict[int, Thing]:
        if not self._ascending:
            self._things = dict(sorted(self._things.items()))
            self._ascending = True
        return self._things

    def _indexed(self) -> ThingIndex:
        if self._index is None:
            self._index = ThingIndex(self._things.values())
        return self._index

    # --- writing ----------------------------------------------------------------------------

    def exchange(self, before: Iterable[Thing], after: Iterable[Thing]) -> None:
        """Remove ``before`` and add ``after``; the cost grows with their number alone.

        Raises KeyError, nothing changed, if one of ``before`` is not there exactly so, or an id of
        ``after`` is already there; ValueError for numbers that arrays cannot hold.
        """
        gone = _by_id(before)
        come = _by_id(after)
        for thing in gone.values():
            if self._things.get(thing.id) != thing:
                raise KeyError(f"thing {thing.id} is not there as it was")
        for thing_id in come:
            if thing_id in self._things and thing_id not in gone:
                raise KeyError(f"there is a thing {thing_id} already")
        _check(come.values())
        # Taken out until it is changed: where that fails, it is made again.
        index = self._index
        self._index = None
        self._arrays = None
        if index is not None:
            index.replace(gone.values(), come.values())
        kinds = self._kinds.copy()
        kinds.subtract(thing.kind for thing in gone.values())
        kinds.update(thing.kind for thing in come.values())
        for thing in (*gone.values(), *come.values()):
            if not kinds[thing.kind]:
                del kinds[thing.kind]
        for thing_id in gone.keys() - come.keys():
            del self._things[thing_id]
        for thing_id, thing in come.items():
            if thing_id not in self._things and self._things:
                self._ascending &= thing_id > next(reversed(self._things))
            self._things[thing_id] = thing
        self._kinds = kinds
        self._index = index
        self.revision += 1


def _by_id(things: Iterable[Thing]) -> dict[int, Thing]:
    """Return the things by id. Raises KeyError if two have the same."""
    all_things = tuple(things)
    result = {thing.id: thing for thing in all_things}
    if len(result) < len(all_things):
        raise KeyError("two things have the same id")
    return result


def _check(things: Iterable[Thing]) -> None:
    """Raise ValueError for ids and owners beyond 64 bits and positions that are not finite."""
    for thing in things:
        if not (-INTEGERS <= thing.id < INTEGERS and -INTEGERS <= thing.owner < INTEGERS):
            raise ValueError(f"ids and owners have 64 bits: {thing}")
        if not (math.isfinite(thing.x) and math.isfinite(thing.y) and math.isfinite(thing.angle)):
            raise ValueError(f"a thing has a position and an angle: {thing}")
