"""Things placed on a map: units, entities, labels. They have positions, not cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.thing_state import NO_STATE, State


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


class ThingArrays(NamedTuple):
    """All things as arrays of shape (n,), in the order in which their ids first appeared.

    ``kinds`` holds indices into ``kind_names``; ``points`` has shape (n, 2), in map units.
    """

    ids: NDArray[np.int64]
    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    owners: NDArray[np.int64]
    kinds: NDArray[np.int64]
    kind_names: tuple[str, ...]


class Things(Mapping[int, Thing]):
    """The placed things of a layer by id, ascending. Only edits change them.

    ``revision`` increases with every change.
    """

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        self._things = {thing.id: thing for thing in things}
        self.revision = 0
        self._arrays: tuple[int, ThingArrays] | None = None

    def __getitem__(self, thing_id: int) -> Thing:
        return self._things[thing_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def exchange(self, before: Iterable[Thing], after: Iterable[Thing]) -> None:
        """Remove ``before`` and add ``after``.

        Raises KeyError, nothing changed, if one of ``before`` is not there exactly so, or an id of
        ``after`` is already there.
        """
        changed = dict(self._things)
        for thing in before:
            if changed.pop(thing.id, None) != thing:
                raise KeyError(f"thing {thing.id} is not there as it was")
        for thing in after:
            if thing.id in changed:
                raise KeyError(f"there is a thing {thing.id} already")
            changed[thing.id] = thing
        # In the order of ids, so that undo restores the same order.
        self._things = dict(sorted(changed.items()))
        self.revision += 1

    def copy(self) -> Things:
        """A copy that no edit changes."""
        return Things(self._things.values())

    def arrays(self) -> ThingArrays:
        """All things as arrays, computed once for each revision."""
        if self._arrays is None or self._arrays[0] != self.revision:
            self._arrays = (self.revision, self._as_arrays())
        return self._arrays[1]

    def _as_arrays(self) -> ThingArrays:
        things = list(self._things.values())
        names = tuple(sorted({thing.kind for thing in things}))
        code = {name: index for index, name in enumerate(names)}
        return ThingArrays(
            np.array([thing.id for thing in things], np.int64),
            np.array([(thing.x, thing.y) for thing in things], np.float64).reshape(-1, 2),
            np.array([thing.angle for thing in things], np.float64),
            np.array([thing.owner for thing in things], np.int64),
            np.array([code[thing.kind] for thing in things], np.int64),
            names,
        )
