"""Things placed on a map: units, entities, labels. They have positions, not cells.

``Thing`` is one of them, which never changes; ``Things`` are all of one layer, by id. Only edits
change these (``ThingsEdit``), by ``exchange``::

    archer = Thing(1, "archer", 3.0, 4.5, owner=2)
    things = Things([archer])
    things.exchange([archer], [replace(archer, x=4.0)])  # it has moved
    things[1].kind                                   # "archer"
    things.within(Box(0, 0, 8, 8)).ids               # those in a box, as arrays
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass

from randomizer.model.grid.box import Box
from randomizer.model.things.thing_index import ThingArrays, ThingIndex
from randomizer.model.things.thing_state import NO_STATE, State

INTEGERS = 2**63
"""Ids and owners are below this, and not below its negative."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One placed thing."""

    id: int
    """Unique within its map; it never changes and is never used again."""

    kind: str
    """The name of its ``ThingKind``, which the system of the map need not know."""

    x: float
    """Its position in map units, to the right."""

    y: float
    """Its position in map units, downwards."""

    angle: float = 0.0
    """In degrees clockwise from north."""

    owner: int = 0
    """The number of a player, 0 for nobody."""

    label: str = ""
    """A text beside it on the map, "" for none."""

    state: State = NO_STATE
    """All else that the game knows of it; the constructor takes any mapping."""

    key: str = ""
    """The name by which a generator makes the same thing again in every roll, "" for none."""

    touched: bool = False
    """True if it was changed or placed by hand in a rolled layer: then a re-roll keeps it."""

    def __post_init__(self) -> None:
        # A frozen dataclass can set its own fields only in this way.
        if type(self.state) is not State:
            object.__setattr__(self, "state", State(self.state))


class Things(Mapping[int, Thing]):
    """The placed things of a layer by id, ascending. Only edits change them.

    What is worked out from the things (their order, the index, the arrays) is made when it is first
    asked for: most layers are never searched. ``exchange`` brings the index up to date, and drops
    the arrays.
    """

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        """Take things; of two with one id the last counts (the gate refuses such a map before)."""
        all_things = tuple(things)
        _check(all_things)
        self._things = {thing.id: thing for thing in all_things}
        """The things by id, in any order."""
        self._is_ascending = False
        """True if ``_things`` is known to be sorted by id; see ``_ordered``."""
        self._kinds = Counter(thing.kind for thing in self._things.values())
        """The number of things of each kind, without kinds of which there are none."""
        self.revision = 0
        """A number that grows with every change."""
        self._index: ThingIndex | None = None
        """The things by position; None until they are asked for."""
        self._arrays: ThingArrays | None = None
        """All things of this revision as arrays; None until they are asked for."""

    def copy(self) -> Things:
        """Return a copy that no edit changes."""
        result = Things()
        result._things = self._things.copy()
        result._is_ascending = self._is_ascending
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
        """Return all things as arrays, ascending by id; they are made once for each revision."""
        if self._arrays is None:
            self._arrays = self._indexed().all()
        return self._arrays

    def within(self, box: Box) -> ThingArrays:
        """Return the things in a box or on its edge as arrays, in ascending order of their ids.

        The cost grows with the box and the things in it; that of a large box with all things.
        """
        return self._indexed().within(box)

    def _ordered(self) -> dict[int, Thing]:
        """Return ``_things``, sorted by id first if need be."""
        if not self._is_ascending:
            self._things = dict(sorted(self._things.items()))
            self._is_ascending = True
        return self._things

    def _indexed(self) -> ThingIndex:
        """Return the index, which is made if there is none yet."""
        if self._index is None:
            self._index = ThingIndex(self._things.values())
        return self._index

    # --- writing ----------------------------------------------------------------------------

    def add(self, things: Iterable[Thing]) -> None:
        """Add new things, whose ids are not in the layer; raises the errors of ``exchange``."""
        self.exchange((), things)

    def exchange(self, old_things: Iterable[Thing], new_things: Iterable[Thing]) -> None:
        """Remove ``old_things`` and add ``new_things``; the cost grows with their number.

        A thing that is changed is among both. (Only if a new id is lower than others, all things
        are sorted again when their order is next asked for.) Raises KeyError, nothing changed, if
        one of ``old_things`` is not in the layer or differs, or an id of ``new_things`` is there
        already; ValueError for numbers that arrays cannot hold.
        """
        removed = _by_id(old_things)
        added = _by_id(new_things)
        self._check_exchange(removed, added)

        # The index is taken out while it changes: if that fails, a new one is made later, and all
        # else is as it was.
        index = self._index
        self._index = None
        self._arrays = None
        if index is not None:
            index.replace(removed.values(), added.values())
        kinds = self._count_kinds(removed, added)

        for thing_id in removed.keys() - added.keys():
            del self._things[thing_id]
        for thing_id, thing in added.items():
            # A changed thing keeps its position in the dict. A new one comes last, which is the
            # order of the ids as well, unless a removed thing comes back by an undo.
            if thing_id not in self._things and self._things:
                last_id = next(reversed(self._things))
                self._is_ascending &= thing_id > last_id
            self._things[thing_id] = thing
        self._kinds = kinds
        self._index = index
        self.revision += 1

    def _check_exchange(self, removed: Mapping[int, Thing], added: Mapping[int, Thing]) -> None:
        """Raise what ``exchange`` raises, before anything is changed."""
        for thing in removed.values():
            if self._things.get(thing.id) != thing:
                raise KeyError(f"thing {thing.id} is not there as it was")
        for thing_id in added:
            if thing_id in self._things and thing_id not in removed:
                raise KeyError(f"there is a thing {thing_id} already")
        _check(added.values())

    def _count_kinds(
        self, removed: Mapping[int, Thing], added: Mapping[int, Thing]
    ) -> Counter[str]:
        """Return ``_kinds`` as it is after these things were removed and added."""
        kinds = self._kinds.copy()
        kinds.subtract(thing.kind for thing in removed.values())
        kinds.update(thing.kind for thing in added.values())
        for thing in (*removed.values(), *added.values()):
            if not kinds[thing.kind]:
                del kinds[thing.kind]
        return kinds


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
