"""Edits of which each is made for the map as those before it leave the map, and which become one.

A function that makes an edit looks at the map as it is. So the second of two edits, if it depends
on the first, can be made only once the first is applied. ``EditSequence`` applies edits for a
while, and ``chained`` does so for a list of functions that make them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from randomizer.model.edits.edit import Edit, take_back
from randomizer.model.edits.value_edits import compound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from randomizer.model.map.battlemap import BattleMap


class EditSequence:
    """Makes one edit of several, each made for the map as those before it leave the map.

        with EditSequence(battlemap) as sequence:
            sequence.add(change_terrain_set(battlemap, new_set))   # the map has the new set now
            sequence.add(set_values(battlemap, 1, "terrain", ...))  # in codes of the new set
        edit = sequence.edit                                       # the map has the old set again

    At the end of the ``with``, also by an exception, all edits are taken back: the map is as it
    was, bit for bit.
    """

    def __init__(self, battlemap: BattleMap) -> None:
        self._map = battlemap
        self._edits: list[Edit] = []
        """The edits that were added, in order."""

    def __enter__(self) -> Self:
        return self

    def add(self, edit: Edit | None) -> None:
        """Apply an edit to the map until the end of the sequence; do nothing for None."""
        if edit is not None:
            edit.apply(self._map)
            self._edits.append(edit)

    def __exit__(self, *exception: object) -> None:
        take_back(self._map, self._edits)

    @property
    def edit(self) -> Edit | None:
        """The edits so far as one; None if there is none."""
        return compound(self._edits)


def chained(battlemap: BattleMap, make_edits: Sequence[Callable[[], Edit | None]]) -> Edit | None:
    """Return the edits of some functions as one, each made for the map as those before leave it.

    The map itself is not changed (``EditSequence``).
    """
    with EditSequence(battlemap) as sequence:
        for make_edit in make_edits:
            sequence.add(make_edit())
    return sequence.edit
